"""Each row of the table of exit codes in ``docs/operating.md``: the code, and what is said."""

from __future__ import annotations

import asyncio
import fcntl
import re
import resource
import signal
import socket
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.cli import ExitCode
from bot.domain.address import PostgresqlAddress
from bot.domain.shards import Shards
from bot.store import open_store
from sandbox.server import Sandbox
from tests.bot.test_pooler import listening
from tests.kit.environment import environment
from tests.kit.nursery import Program
from tests.kit.postgresql import Cluster, pooled
from tests.kit.waiting import PATIENCE, eventually

ROOT = Path(__file__).parents[2]

NOWHERE = {
    "DISCORD_TOKEN": "no.such.token",
    "BAUTA_API_URL": "http://127.0.0.1:9/api/v10",
    "BAUTA_GATEWAY_URL": "ws://127.0.0.1:9/gateway",
}
"""The settings of a bot that finds no Discord."""


class Start:
    """One start of the bot. ``folder`` is its own."""

    def __init__(self, folder: Path, cluster: Callable[[], Cluster]) -> None:
        self.folder = folder
        self.database = folder / "bauta.db"
        self.log = folder / "log"
        self.cluster = cluster

    def launch(self, *arguments: str, **more: str) -> Program:
        settings = {"BAUTA_DATABASE": str(self.database), **NOWHERE, **more}
        values = environment(**{name: value for name, value in settings.items() if value})
        return Program(("serve", "--until-eof", *arguments), values, self.log, self.log)

    async def ends(self, code: ExitCode, said: str, **more: str) -> None:
        """Start the bot, and see how it ends by itself."""
        assert await self.launch(**more).wait() == code, self.logged()
        assert re.search(said, self.logged()), self.logged()
        assert "Traceback" not in self.logged()

    async def refused(self, said: str, **more: str) -> None:
        await self.ends(ExitCode.NEEDS_OPERATOR, said, **more)

    async def put_off(self, said: str, **more: str) -> None:
        await self.ends(ExitCode.TRY_AGAIN, said, **more)

    async def stopped(self, program: Program) -> None:
        await eventually(lambda: "Discord cannot be reached" in self.logged())
        program.terminate()
        assert await program.wait() == ExitCode.OK, self.logged()

    def logged(self) -> str:
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""


Row = Callable[[Start], Awaitable[None]]


async def stop(start: Start) -> None:
    await start.stopped(start.launch())


async def stop_while_it_hangs(start: Start) -> None:
    cluster = start.cluster()
    program = start.launch(BAUTA_DATABASE=cluster.house().url)
    await eventually(lambda: "Discord cannot be reached" in start.logged())
    cluster.signal(signal.SIGSTOP)
    try:
        program.terminate()
        assert await program.wait() == ExitCode.OK, start.logged()
    finally:
        cluster.signal(signal.SIGCONT)


async def fault(start: Start) -> None:
    program = (
        "import sys, bot.app, bot.__main__ as m; bot.app.unmap_large_blocks = None;"
        " sys.exit(m.main(['serve']))"
    )
    values = environment(BAUTA_DATABASE=str(start.database), **NOWHERE)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, env=values, cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    _, said = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == ExitCode.FAILED
    assert b"builtins.TypeError" in said


async def no_token(start: Start) -> None:
    await start.refused("There is no token", DISCORD_TOKEN="")
    await start.refused("token file", DISCORD_TOKEN="", DISCORD_TOKEN_FILE=str(start.folder / "none"))


async def bad_setting(start: Start) -> None:
    await start.refused("BAUTA_PAINTERS|painters", BAUTA_PAINTERS="many")


async def wrong_token(start: Start) -> None:
    async with Sandbox(page=False) as sandbox:
        there = {"BAUTA_API_URL": sandbox.api, "BAUTA_GATEWAY_URL": sandbox.gateway}
        await start.refused("does not know this token", DISCORD_TOKEN="not.the.token", **there)


async def damaged(start: Start) -> None:
    start.database.write_bytes(b"this is no database" * 400)
    await start.refused("Put a backup in its place")
    start.database.unlink()
    with closing(sqlite3.connect(start.database)) as connection:
        connection.execute("CREATE TABLE other (x)")
    await start.refused("a database of another program")
    start.database.unlink()
    await (await open_store(start.database)).close()
    with closing(sqlite3.connect(start.database)) as connection:
        connection.execute("PRAGMA user_version = 999")
    await start.refused("Install the newer version again")


async def no_place(start: Start) -> None:
    # Not even an administrator can make a file or a folder there.
    await start.refused("cannot be written", BAUTA_DATABASE="/proc/bauta.db")
    await start.refused("There is no folder", BAUTA_DATABASE="/proc/none/bauta.db")


def as_(house: PostgresqlAddress, user: str) -> str:
    return house.url.replace("//bauta@", f"//{user}@")


async def wrong_user(start: Start) -> None:
    cluster = start.cluster()
    await start.refused("CREATE ROLE", BAUTA_DATABASE=as_(cluster.house(), "nobody"))
    await start.refused("CREATE DATABASE", BAUTA_DATABASE=cluster.address("nowhere").url)
    with role(cluster, "newcomer"):
        await start.refused("may not make tables", BAUTA_DATABASE=as_(cluster.house(), "newcomer"))


@contextmanager
def role(cluster: Cluster, name: str, options: str = "") -> Iterator[None]:
    cluster.execute(f"CREATE ROLE {name} LOGIN {options}")
    try:
        yield
    finally:
        cluster.execute(f"DROP ROLE {name}")


async def others_tables(start: Start) -> None:
    cluster, house = start.cluster(), start.cluster().house()
    await (await open_store(house)).close()
    cluster.execute(f"INSERT INTO {house.url.rpartition('%3D')[2]}.migration (number) VALUES (999)")
    await start.refused("Install the newer version again", BAUTA_DATABASE=house.url)
    other = cluster.house()
    cluster.execute(f"CREATE TABLE {other.url.rpartition('%3D')[2]}.match (x int)")
    await start.refused("another program's tables", BAUTA_DATABASE=other.url)


async def pooler(start: Start) -> None:
    with pooled(start.cluster(), "transaction") as address:
        await listening(address)
        await start.refused("pool_mode = session", BAUTA_DATABASE=address.url)


async def served(start: Start) -> None:
    with start.database.with_name("bauta.db.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        await start.put_off("Another process serves the database already")


async def locked(start: Start) -> None:
    await (await open_store(start.database)).close()
    with closing(sqlite3.connect(start.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await start.put_off("database is locked")


async def full(start: Start) -> None:
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", "serve"),
        env=environment(BAUTA_DATABASE=str(start.database), **NOWHERE),
        cwd=ROOT,
        stderr=asyncio.subprocess.PIPE,
        # No file may grow: what the log goes to is none.
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY)),
    )
    _, said = await asyncio.wait_for(program.communicate(), PATIENCE)
    assert program.returncode == ExitCode.TRY_AGAIN, said
    assert b"cannot be" in said


async def nobody_listens(start: Start) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
    await start.put_off("cannot be used", BAUTA_DATABASE=f"postgresql://bauta@127.0.0.1:{port}/bauta")


async def no_such_name(start: Start) -> None:
    await start.put_off("cannot be used", BAUTA_DATABASE="postgresql://bauta@no-such-host.invalid/bauta")


async def too_many(start: Start) -> None:
    cluster = start.cluster()
    with role(cluster, "crowded", "CONNECTION LIMIT 0"):
        await start.put_off("max_connections", BAUTA_DATABASE=as_(cluster.house(), "crowded"))


async def takes_no_changes(start: Start) -> None:
    url = f"{start.cluster().house().url}%20-cdefault_transaction_read_only%3Don"
    await start.put_off("it is a standby", BAUTA_DATABASE=url)


async def others_shards(start: Start) -> None:
    house = start.cluster().house()
    store = await open_store(house, Shards(0, 0, 2))
    assert store.sharing is not None
    present = asyncio.create_task(store.sharing.keep(lambda _: None))
    try:
        # One after the other: each would be told of the other's number instead.
        for shards, count in (("0", "2"), ("0-3", "4")):
            program = start.launch("--shards", shards, "--shard-count", count, BAUTA_DATABASE=house.url)
            assert await program.wait() == ExitCode.TRY_AGAIN
        assert "serves shard 0 of 2 already" in start.logged()
        assert "count 2 shards" in start.logged()
    finally:
        present.cancel()
        await asyncio.gather(present, return_exceptions=True)
        await store.close()


async def no_discord(start: Start) -> None:
    program = start.launch()
    # It says once a minute that it cannot, and each time when it tries again.
    await eventually(lambda: start.logged().count("reconnecting in") > 1)
    assert program.returncode is None
    await start.stopped(program)


ROWS: dict[str, tuple[ExitCode | None, Row]] = {
    "It was asked to stop.": (ExitCode.OK, stop),
    "It was asked to stop while its database did not respond: what was not confirmed is undone.": (
        ExitCode.OK,
        stop_while_it_hangs,
    ),
    "A fault of Bauta itself ended it.": (ExitCode.FAILED, fault),
    "There is no token, or its file cannot be used.": (ExitCode.NEEDS_OPERATOR, no_token),
    "A setting cannot be used.": (ExitCode.NEEDS_OPERATOR, bad_setting),
    "Discord does not know the token.": (ExitCode.NEEDS_OPERATOR, wrong_token),
    "SQLite: the file is damaged, another program’s, or of a newer version.": (
        ExitCode.NEEDS_OPERATOR,
        damaged,
    ),
    "SQLite: this user may not write there, or there is no such folder.": (ExitCode.NEEDS_OPERATOR, no_place),
    "PostgreSQL: wrong user, password or database, or no right to make tables.": (
        ExitCode.NEEDS_OPERATOR,
        wrong_user,
    ),
    "PostgreSQL: another program’s tables, or those of a newer version.": (
        ExitCode.NEEDS_OPERATOR,
        others_tables,
    ),
    "PostgreSQL: behind a pooler that lends connections by the transaction.": (
        ExitCode.NEEDS_OPERATOR,
        pooler,
    ),
    "SQLite: another process serves the file.": (ExitCode.TRY_AGAIN, served),
    "SQLite: another program has locked the file.": (ExitCode.TRY_AGAIN, locked),
    "SQLite: the disk is full, or fails.": (ExitCode.TRY_AGAIN, full),
    "PostgreSQL: nobody listens, or the server is starting.": (ExitCode.TRY_AGAIN, nobody_listens),
    "PostgreSQL: its name cannot be resolved.": (ExitCode.TRY_AGAIN, no_such_name),
    "PostgreSQL: it has too many connections.": (ExitCode.TRY_AGAIN, too_many),
    "PostgreSQL: it takes no changes, as a standby does.": (ExitCode.TRY_AGAIN, takes_no_changes),
    "PostgreSQL: other processes serve these shards, or count them differently.": (
        ExitCode.TRY_AGAIN,
        others_shards,
    ),
    "Discord cannot be reached: the bot goes on trying.": (None, no_discord),
}


@pytest.mark.parametrize("row", [row for _, row in ROWS.values()], ids=lambda row: row.__name__)
async def test_a_row(row: Row, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    def cluster() -> Cluster:
        found = request.getfixturevalue("cluster")
        assert isinstance(found, Cluster)
        return found

    await row(Start(tmp_path, cluster))


def test_the_table_has_these_rows() -> None:
    text = (ROOT / "docs" / "operating.md").read_text("utf-8")
    found = re.findall(r"^\| (\d+|none) \| (.*?) \|", text, re.MULTILINE)
    expected = {(str("none" if code is None else int(code)), name) for name, (code, _) in ROWS.items()}
    assert set(found) == expected


def test_the_unit_stays_down_for_its_operator_alone() -> None:
    unit = (ROOT / "deploy" / "bauta.service").read_text("utf-8")
    found = re.findall(r"^RestartPreventExitStatus=(.*)$", unit, re.MULTILINE)
    assert found == [str(int(ExitCode.NEEDS_OPERATOR))]
