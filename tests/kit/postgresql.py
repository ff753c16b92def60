"""PostgreSQL servers for tests, each in a folder of its own and on a Unix socket."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from signal import Signals

import pytest

from bot.domain.address import PostgresqlAddress

MISSING = "PostgreSQL 15 or newer is not installed here (Debian's package is postgresql)"

USER = "postgres"
"""The user for the server if the tests are run by root, as which PostgreSQL refuses to run."""

SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{folder}'
max_connections = 100
# What is killed here is the server, never the machine: nothing has to reach the disk.
fsync = off
full_page_writes = off
log_min_messages = warning
"""

POOLER = """
[databases]
* = host={server}
[pgbouncer]
unix_socket_dir = {folder}
listen_port = 6432
auth_type = trust
auth_file = {folder}/users
pool_mode = {mode}
default_pool_size = {size}
"""

BOTH_STORES = pytest.mark.both_stores
"""Runs a test that opens a database with SQLite, and with PostgreSQL if installed."""

BOTH_STORES_BY_NIGHT = pytest.mark.both_stores(nightly=True)
"""The same, but with PostgreSQL only in nightly runs."""

_NAMES = count(1)


def binaries() -> Path | None:
    """Return the folder with the newest server's programs; ``None``: none is installed."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if not found and (initdb := shutil.which("initdb")) is not None:
        found = [Path(initdb).resolve().parent]
    new = [folder for folder in found if not folder.parent.name.isdigit() or int(folder.parent.name) >= 15]
    return max(new, key=lambda folder: (len(folder.parent.name), folder.parent.name), default=None)


class Cluster:
    """A server that can be stopped, killed, frozen and restarted, or be the standby of another."""

    def __init__(
        self, folder: Path, programs: Path, settings: str = "", *, primary: Cluster | None = None
    ) -> None:
        self.folder = folder
        self._programs = programs
        self._user = USER if os.geteuid() == 0 else None
        self._data = folder / "data"
        if self._user is not None:
            shutil.chown(folder, self._user)
        if primary is None:
            self._run("initdb", "-U", "bauta", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        else:
            followed = ("-h", str(primary.folder), "-U", "bauta", "--write-recovery-conf")
            self._run("pg_basebackup", *followed, "--checkpoint=fast", "--no-sync")
        with (self._data / "postgresql.conf").open("a") as file:
            file.write(SETTINGS.format(folder=folder) + settings)

    def start(self) -> None:
        self._run("pg_ctl", "-l", str(self.folder / "log"), "-w", "-t", "60", "start")

    def stop(self, how: str = "fast") -> None:
        self._run("pg_ctl", "-w", "-m", how, "stop")

    def kill(self) -> None:
        """Kill the server and all its processes at once."""
        self.stop("immediate")

    def promote(self) -> None:
        """Promote a standby to primary."""
        self._run("pg_ctl", "-w", "promote")

    @property
    def pid(self) -> int:
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def running_pid(self) -> int | None:
        """Return the id of the server's process; ``None``: it does not run."""
        try:
            return self.pid
        except (OSError, IndexError):
            return None

    def signal(self, what: Signals) -> None:
        """Send a signal to the server and its children."""
        children = subprocess.run(["pgrep", "-P", str(self.pid)], capture_output=True, text=True, check=False)
        os.kill(self.pid, what)
        for child in map(int, children.stdout.split()):
            with suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(child, what)

    def house(self) -> PostgresqlAddress:
        """Return the address of an empty schema for one bot, faster to create than a database."""
        name = f"house{next(_NAMES)}"
        self.execute(f"CREATE SCHEMA {name}")
        return self.address(schema=name)

    def address(self, name: str = "postgres", *, schema: str = "public") -> PostgresqlAddress:
        options = f"options=-csearch_path%3D{schema}"
        return PostgresqlAddress(f"postgresql://bauta@/{name}?host={self.folder}&{options}")

    def house_with(self, standby: Cluster) -> PostgresqlAddress:
        """Return the address of an empty schema on whichever of two servers is the primary."""
        url = self.house().url.replace(f"host={self.folder}", f"host={self.folder},{standby.folder}")
        return PostgresqlAddress(f"{url}&target_session_attrs=read-write")

    def execute(self, sql: str, database: str = "postgres") -> list[tuple[object, ...]]:
        import psycopg

        with closing(psycopg.connect(self.address(database).url, autocommit=True)) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), "-D", str(self._data), *arguments]
        subprocess.run(command, check=True, user=self._user, cwd=self.folder, stdout=subprocess.DEVNULL)


@contextmanager
def cluster(settings: str = "") -> Iterator[Cluster]:
    """Yield a running server, or skip the test if PostgreSQL is not installed."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (bauta-house[postgresql])")
    programs = binaries()
    if programs is None:
        pytest.skip(MISSING)
    with running(programs, settings) as made:
        yield made


@contextmanager
def running(programs: Path, settings: str = "", primary: Cluster | None = None) -> Iterator[Cluster]:
    """Start a server with these programs, and kill it at the end. ``settings`` override the defaults."""
    # The path of a Unix socket has at most 107 characters, and pytest's folders are too deep.
    with tempfile.TemporaryDirectory(prefix="bauta-pg-") as folder:
        made = Cluster(Path(folder), programs, settings, primary=primary)
        made.start()
        try:
            yield made
        finally:
            if made.running_pid() is not None:
                made.kill()


@contextmanager
def followed() -> Iterator[tuple[Cluster, Cluster]]:
    """Yield a primary and its synchronous standby, or skip the test."""
    with cluster() as primary:
        programs = binaries()
        assert programs is not None
        with running(programs, primary=primary) as standby:
            # Synchronous: otherwise the standby may lag behind, and lack commits once promoted.
            primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            primary.execute("SELECT pg_reload_conf()")
            yield primary, standby


@contextmanager
def pooled(cluster: Cluster, mode: str, *, size: int = 20) -> Iterator[PostgresqlAddress]:
    """Yield the address of an empty database behind PgBouncer, or skip the test if that is missing."""
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        pytest.skip("PgBouncer is not installed here (Debian's package is pgbouncer)")
    name = f"pooled{next(_NAMES)}"
    cluster.execute(f"CREATE DATABASE {name}")
    user = USER if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="bauta-pool-") as found:
        folder = Path(found)
        settings = folder / "pgbouncer.ini"
        settings.write_text(POOLER.format(server=cluster.folder, folder=folder, mode=mode, size=size))
        (folder / "users").write_text('"bauta" ""\n')
        if user is not None:
            shutil.chown(folder, user)
        process = subprocess.Popen([program, str(settings)], user=user, stderr=subprocess.DEVNULL)
        try:
            yield PostgresqlAddress(f"postgresql://bauta@/{name}?host={folder}&port=6432")
        finally:
            process.kill()
            process.wait()
