"""What PostgreSQL can refuse, and what its user is told then: what to do, and never the password."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli import ExitCode
from bot.config import StartError, load
from bot.domain.address import HIDDEN, PostgresqlAddress, address_of
from bot.domain.shards import Shards
from bot.store import StoreError, open_store, opening
from tests.kit.postgresql import Cluster

SECRET = "hunter2"


@pytest.fixture(autouse=True)
def loud(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Let every logger say all that it has to say, and see that none has said the password."""
    caplog.set_level(logging.DEBUG)
    for name in ("psycopg", "psycopg.pool"):
        caplog.set_level(logging.DEBUG, logger=name)
    yield
    assert SECRET not in caplog.text


async def refusal(address: PostgresqlAddress) -> str:
    """Return why a database is refused, which says what to do in a line of its own."""
    with pytest.raises(StoreError) as caught:
        await (await open_store(address)).close()
    told = "".join(traceback.format_exception(caught.value))
    assert SECRET not in told
    said, _, advice = str(caught.value).partition("\n")
    assert said.endswith((".", ")."))
    assert advice.endswith((".", "'"))
    return str(caught.value)


def with_(address: PostgresqlAddress, user: str = f"bauta:{SECRET}", more: str = "") -> PostgresqlAddress:
    """Return an address with a password, and with other parameters."""
    return PostgresqlAddress(address.url.replace("//bauta@", f"//{user}@") + more)


# --- what an address shows ----------------------------------------------------------------------------

SHOWN = {
    f"postgresql://bauta:{SECRET}@db/house": "postgresql://db house",
    f"postgres://bauta:{SECRET}@db:5433/house?sslmode=require": "postgresql://db:5433 house",
    f"postgresql://:{SECRET}@db": "postgresql://db",
    f"postgresql://bauta@db/house?password={SECRET}": "postgresql://db house",
    f"postgresql://db/house?user=anna&sslpassword={SECRET}&port=1": "postgresql://db house user=anna port=1",
    f"postgresql:///house?host=/run/pg&passfile=/{SECRET}": "postgresql://house host=/run/pg",
    f"postgresql://bauta:%40%2F{SECRET}@[::1]:5432,db2/house": "postgresql://[::1]:5432,db2 house",
    f"postgresql://bauta:{SECRET}@%2Frun%2Fpg/house": "postgresql:///run/pg house",
    f"postgresql:///?dbname=postgresql%3A//a:{SECRET}%40db/house": "postgresql://",
    # Signs that are not encoded: nobody can tell where the password ends.
    f"postgresql://bauta:a@{SECRET}@db/house": HIDDEN,
    f"postgresql://bauta:a/{SECRET}@db/house": HIDDEN,
    f"postgresql://bauta:{SECRET}/a@db/house": HIDDEN,
    f"postgresql://bauta:a?{SECRET}@db/house": HIDDEN,
    f"postgresql://bauta:{SECRET}?a@db/house": HIDDEN,
    f"postgresql://bauta:a#{SECRET}@db/house": HIDDEN,
    f"postgresql://bauta:{SECRET}#a@db/house": HIDDEN,
    f"postgresql://bauta:{SECRET}": HIDDEN,
    f"postgresql://[bauta:{SECRET}@db/house": HIDDEN,
}


@pytest.mark.parametrize(("url", "shown"), SHOWN.items(), ids=range(len(SHOWN)))
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    address = address_of(url)
    assert isinstance(address, PostgresqlAddress)
    assert str(address) == shown
    for text in (str(address), repr(address), f"{address}", f"{[address]}"):
        assert SECRET not in text


def test_a_file_is_no_server() -> None:
    assert address_of("var/bauta.db") == address_of("sqlite:var/bauta.db") == Path("var/bauta.db")


# --- nobody answers -----------------------------------------------------------------------------------

UNREACHABLE = {
    "no such host": "no-such-host.invalid/house",
    "a closed port": "127.0.0.1:1/house",
    "no socket": "/house?host=/nowhere/at/all",
    "a port that is none": "db:many/house",
    "a word that nobody knows": "db/house?colour=red",
    "a broken password": "db/house?sslmode=sometimes",
}


@pytest.mark.parametrize("rest", UNREACHABLE.values(), ids=UNREACHABLE)
async def test_an_address_that_leads_nowhere(rest: str) -> None:
    pytest.importorskip("psycopg")
    said = await refusal(PostgresqlAddress(f"postgresql://bauta:{SECRET}@{rest}"))
    assert "See whether the server runs and its address in BAUTA_DATABASE is right." in said


@pytest.mark.parametrize(
    "password", ["%zz", "a@{}", "a/{}", "{}/a", "a?{}", "{}#a", "a%zz{}", "{}@[", "a b{}"]
)
@pytest.mark.parametrize("place", ["bauta:{}@127.0.0.1:1/house", "127.0.0.1:1/house?user=a&password={}"])
async def test_an_address_that_cannot_be_read(place: str, password: str) -> None:
    """Whatever libpq quotes of it, the password is not in it."""
    pytest.importorskip("psycopg")
    url = f"postgresql://{place.format(password.format(SECRET))}"
    with pytest.raises(StoreError) as caught:
        await open_store(PostgresqlAddress(url))
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert "BAUTA_DATABASE" in str(caught.value)


# --- the server says no -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def guarded(cluster: Cluster) -> Iterator[Cluster]:
    """Return a server that asks one user for a password, and lets another in from nowhere."""
    rules = cluster.folder / "data" / "pg_hba.conf"
    before = rules.read_text()
    cluster.execute(f"CREATE ROLE guarded LOGIN PASSWORD '{SECRET}'")
    cluster.execute("CREATE ROLE locked_out LOGIN")
    cluster.execute("CREATE ROLE peered LOGIN")
    rules.write_text(
        f"local all guarded scram-sha-256\nlocal all locked_out reject\nlocal all peered peer\n{before}"
    )
    cluster.execute("SELECT pg_reload_conf()")
    yield cluster
    rules.write_text(before)
    cluster.execute("SELECT pg_reload_conf()")


async def test_a_wrong_password(guarded: Cluster) -> None:
    house = guarded.house()
    said = await refusal(with_(house, f"guarded:not-{SECRET}"))
    assert "password authentication failed" in said
    assert "Put the right user and password into BAUTA_DATABASE." in said
    said = await refusal(with_(house, "guarded"))
    assert "put a user and a password into BAUTA_DATABASE" in said
    assert "without a password" in said, "over a socket it may need none"


async def test_another_user_than_this_computers_over_a_socket(guarded: Cluster) -> None:
    said = await refusal(with_(guarded.house(), "peered"))
    assert "Peer authentication failed" in said
    assert "run this as that user, or leave the user out of BAUTA_DATABASE." in said


async def test_what_helps_is_said_whatever_the_password(guarded: Cluster) -> None:
    assert "Put the right user and password" in await refusal(with_(guarded.house(), "guarded:password"))


async def test_a_user_who_is_not_let_in(guarded: Cluster) -> None:
    said = await refusal(with_(guarded.house(), f"locked_out:{SECRET}"))
    assert "pg_hba.conf" in said


async def test_a_right_password(guarded: Cluster) -> None:
    house = guarded.house()
    guarded.execute(f"GRANT ALL ON SCHEMA {schema_of(house)} TO guarded")
    await (await open_store(with_(house, f"guarded:{SECRET}"))).close()


def schema_of(address: PostgresqlAddress) -> str:
    return address.url.rpartition("%3D")[2]


async def test_a_user_and_a_database_that_are_not_there(cluster: Cluster) -> None:
    said = await refusal(with_(cluster.house(), f"nobody:{SECRET}"))
    assert "CREATE ROLE" in said
    said = await refusal(with_(cluster.address("nowhere")))
    assert "CREATE DATABASE" in said


async def test_a_server_that_is_too_old(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.postgresql.preparing.OLDEST", 990_000)
    said = await refusal(with_(cluster.house()))
    assert "too old" in said
    assert "Use PostgreSQL 15 or newer." in said


@pytest.mark.parametrize("right", ["USAGE", None])
async def test_a_user_who_may_not_make_tables(right: str | None, cluster: Cluster) -> None:
    house = cluster.house()
    if not cluster.execute("SELECT 1 FROM pg_roles WHERE rolname = 'guest'"):
        cluster.execute("CREATE ROLE guest LOGIN")
    if right is not None:
        cluster.execute(f"GRANT {right} ON SCHEMA {schema_of(house)} TO guest")
    said = await refusal(with_(house, f"guest:{SECRET}"))
    assert "may not make tables" in said
    assert "OWNER TO" in said


@pytest.mark.parametrize("new", [True, False])
async def test_a_standby(new: bool, cluster: Cluster) -> None:
    house = cluster.house()
    if not new:
        await (await open_store(house)).close()
    said = await refusal(with_(house, more="%20-cdefault_transaction_read_only%3Don"))
    assert "it is a standby" in said
    assert "target_session_attrs=read-write" in said


async def test_another_encoding(cluster: Cluster) -> None:
    cluster.execute("CREATE DATABASE plain ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    said = await refusal(with_(cluster.address("plain")))
    assert "keeps text as SQL_ASCII," in said
    assert "ENCODING 'UTF8'" in said


async def test_tables_of_another_program(cluster: Cluster) -> None:
    house = cluster.house()
    cluster.execute(f"CREATE TABLE {schema_of(house)}.match (score text)")
    said = await refusal(with_(house))
    assert "another program's tables. It was left as it is." in said
    tables = cluster.execute(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema_of(house)}'")
    assert tables == [("match",)]


async def test_a_newer_version_has_written_it(cluster: Cluster) -> None:
    house = cluster.house()
    await (await open_store(house)).close()
    cluster.execute(f"INSERT INTO {schema_of(house)}.migration (number) VALUES (999)")
    said = await refusal(with_(house))
    assert "its number is 999" in said
    assert "Install the newer version again." in said


async def test_a_migration_that_fails_leaves_nothing(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = cluster.house()
    scripts = {11: "CREATE TABLE migration (number BIGINT); CREATE TABLE half ()", 12: "SELECT 1 / 0"}
    monkeypatch.setattr("bot.store.postgresql.preparing.migrations", lambda: scripts)
    assert "division by zero" in await refusal(with_(house))
    assert cluster.execute(f"SELECT 1 FROM pg_tables WHERE schemaname = '{schema_of(house)}'") == []


async def test_no_connection_is_left_behind(cluster: Cluster) -> None:
    house = cluster.house()
    first = await open_store(house)
    mine = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'bauta'"
    before = cluster.execute(mine)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.store.postgresql.presence.SHARD_LOCK_TIMEOUT_S", 0.0)
        said = await refusal(with_(house))
    assert "Another process serves shard 0 of 1 already." in said
    assert cluster.execute(mine) == before
    await first.close()


async def test_psycopg_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> ModuleSpec | None:
        return None if name == "psycopg_pool" else ModuleSpec(name, None)

    monkeypatch.setattr(opening, "find_spec", find)
    said = await refusal(PostgresqlAddress(f"postgresql://bauta:{SECRET}@db/house"))
    assert "pip install 'bauta-house[postgresql]'" in said


# --- what is said before anything is opened -----------------------------------------------------------

POSTGRESQL = f"postgresql://bauta:{SECRET}@db/house"

BAD_SHARDS = {
    "out of range": (["--shards", "0-4", "--shard-count", "4"], POSTGRESQL, "0 to 3: 0-4 are not among them"),
    "the wrong way": (["--shards", "3-1", "--shard-count", "4"], POSTGRESQL, "are not among them"),
    "no numbers": (["--shards", "some", "--shard-count", "4"], POSTGRESQL, "such as 0-3"),
    "negative": (["--shards=-1", "--shard-count", "4"], POSTGRESQL, "such as 0-3"),
    "several": (["--shards", "0,2", "--shard-count", "4"], POSTGRESQL, "such as 0-3"),
    "none at all": (["--shards", "0", "--shard-count", "0"], POSTGRESQL, "there are 1 to"),
    "too many": (["--shards", "0", "--shard-count", "100001"], POSTGRESQL, "there are 1 to"),
    "no count": (["--shards", "0-1"], POSTGRESQL, "go together"),
    "no shards": (["--shard-count", "4"], POSTGRESQL, "go together"),
    "SQLite": (
        ["--shards", "0-1", "--shard-count", "4"],
        "var/bauta.db",
        "name PostgreSQL in BAUTA_DATABASE",
    ),
}


@pytest.mark.parametrize(("options", "database", "said"), BAD_SHARDS.values(), ids=BAD_SHARDS)
@pytest.mark.parametrize("command", ["serve", "run"])
def test_shards_that_cannot_be_served(
    command: str,
    options: list[str],
    database: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("BAUTA_DATABASE", database)
    assert main([command, *options]) == ExitCode.NEEDS_OPERATOR
    told = capsys.readouterr().err
    assert said in told
    assert SECRET not in told
    assert "Traceback" not in told


def test_shards_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAUTA_DATABASE", POSTGRESQL)
    monkeypatch.setenv("BAUTA_SHARDS", "1-2")
    monkeypatch.setenv("BAUTA_SHARD_COUNT", "4")
    settings = load()
    assert settings.own_shards() == Shards(1, 2, 4)
    assert settings.pulse().name == "shards-1-2-of-4.pulse"
    assert SECRET not in repr(settings) + str(settings)
    assert load(shards="3", shard_count=5).own_shards() == Shards(3, 3, 5)


def test_all_shards_of_one_process_may_have_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAUTA_DATABASE", "var/bauta.db")
    assert load(shards="0-3", shard_count=4).own_shards() == Shards(0, 3, 4)


PROXIES = {
    "http://127.0.0.1:8080/api/v10": True,
    "http://10.1.2.3/api/v10": True,
    "http://[fd00::1]:1/api": True,
    "http://proxy:8080/api/v10": True,
    "https://discord.example.org/api/v10": True,
    "http://discord.example.org/api/v10": False,
    "http://8.8.8.8/api/v10": False,
    "http://10.1.2.3@discord.example.org/api": False,
    "http://proxy@8.8.8.8/": False,
    "ftp://discord.example.org": False,
    "discord.example.org/api": False,
    "": True,
}


@pytest.mark.parametrize(("url", "allowed"), PROXIES.items(), ids=PROXIES)
def test_whom_the_token_is_told(url: str, allowed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAUTA_API_URL", url)
    if allowed:
        assert load().has_proxy is bool(url)
    else:
        with pytest.raises(StartError, match="name a proxy of this network, or https"):
            load()


def test_another_discord_is_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAUTA_GATEWAY_URL", "ws://127.0.0.1:1")
    monkeypatch.setenv("BAUTA_API_URL", "http://127.0.0.1:1/api")
    assert not load().has_proxy
    monkeypatch.setenv("BAUTA_API_URL", "http://10.1.2.3/api")
    with pytest.raises(StartError, match="loopback"):
        load()
