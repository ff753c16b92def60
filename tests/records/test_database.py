"""A database that earlier code wrote, with a match of every game in mid-turn: this version plays on in it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.domain.jobs import Shown
from bot.domain.match import Click
from bot.domain.replay_file import replayed
from bot.domain.tables import Person, Status
from bot.matches import Services
from engines.core.contract import Setup
from tests.kit.services import services_on

HERE = Path(__file__).parent
BEGUN: dict[str, dict[str, Any]] = json.loads((HERE / "database.json").read_text("utf-8"))
"""By game, the match that is on: who is asked, what is drafted there, and the digest of its state."""

ASKED_OTHERWISE = frozenset({"corto", "volt"})
"""Games that ask for the same in another text than that version: its id is not that of today’s question."""

OTHERS = ((44, "Dora"), (22, "Ben"), (33, "Clara"))

MOST = 4_000
"""Sentences after which a match of computer players is over, whatever they do."""


def clock() -> float:
    return 1_700_100_000.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "bauta.db"
    with closing(sqlite3.connect(found)) as connection:
        connection.executescript((HERE / "database.sql").read_text("utf-8"))
    return found


@pytest.mark.parametrize("key", BEGUN)
async def test_a_match_goes_on_where_it_was(path: Path, key: str) -> None:
    begun, requests = BEGUN[key], (f"later{number}" for number in count())
    match, seat, person = begun["id"], begun["seat"], begun["person"]
    async with services_on(path, clock=clock) as services:
        table = await services.cache.get(match)
        panel = await services.drafts.panel(match, person)
        assert table.require_log().digest == begun["digest"]
        assert list(table.row.asked) == begun["asked"]
        # That version did not note since when.
        assert set(table.row.asked_since.values()) == {table.row.changed_at}
        assert (list(panel.draft), panel.revision) == (begun["draft"], begun["revision"])
        assert (panel.decision == begun["decision"]) is (key not in ASKED_OTHERWISE)
        # A button that the earlier code posted carries decision and revision, and works.
        panel = await services.drafts.back(Click(match, panel.revision), person)
        assert list(panel.draft) != begun["draft"]
        await say(services, match, seat, next(requests))
        digest = (await services.cache.get(match)).require_log().digest
    async with services_on(path, clock=clock) as services:  # as after a kill: only the database is left
        assert (await services.cache.get(match)).require_log().digest == digest != begun["digest"]
        for request, _ in zip(requests, range(MOST), strict=False):
            table = await services.cache.get(match)
            if table.info.status is Status.OVER:
                break
            await say(services, match, table.row.asked[0], request)
        assert (await services.queries.table(match)).status is Status.OVER
        replay = await services.queries.replay_file(match)
        assert replay["log"][-1]["digest"] != digest
        assert replay["ruleset"] == "1", "it ends by the ruleset that it began with"
        assert replayed(json.loads(json.dumps(replay)))[-1].digest() == replay["log"][-1]["digest"]
    kept = results(path)
    assert [len(rows) for rows in kept.values()] == [1, table.info.setup.seats]
    results(path, delete=True)
    async with services_on(path, clock=clock) as services:
        await services.older_results.recover_all(pause=0.0)
    found = results(path)
    assert {name: [row for row in rows if row[0] == match] for name, rows in found.items()} == kept
    with closing(sqlite3.connect(path)) as connection:
        over = connection.execute("SELECT id FROM match WHERE status = 'over' AND closed = 0").fetchall()
    assert len(over) > 1, "matches that the earlier code has seen the end of"
    assert {row[0] for row in found["ending"]} == {each for (each,) in over}


def results(path: Path, *, delete: bool = False) -> dict[str, list[tuple[Any, ...]]]:
    """Return what is stored of results; ``delete``: as if an earlier version had ended the match."""
    action = "DELETE" if delete else "SELECT *"
    with closing(sqlite3.connect(path)) as connection, connection:
        return {
            table: connection.execute(f"{action} FROM {table}").fetchall() for table in ("ending", "result")
        }


async def say(services: Services, match: str, seat: int, request: str) -> None:
    """Let a computer player say what it would in a seat."""
    log = (await services.cache.get(match)).require_log()
    words = await asyncio.to_thread(log.match.computer, seat)
    await services.actions.submit(match, seat, None, words, request)


async def test_what_else_was_noted_is_there(path: Path) -> None:
    async with services_on(path, clock=clock) as services:
        ben, clara, dora = (700000000000000000 + number for number in (22, 33, 44))
        assert (await services.settings.preferences(ben)).dms
        assert (await services.settings.preferences(clara)).theme == "clear"
        assert await services.outbox.shown(BEGUN["volo"]["id"], "board") == Shown(5000, 778, 3, 4)
        statuses = [line.table.status for line in await services.queries.matches(dora)]
        assert statuses.count(Status.OPEN) == 1
        assert statuses.count(Status.RUNNING) == 2


async def test_an_open_table_goes_on_with_its_seats_and_options_and_can_grow(path: Path) -> None:
    """Tables open with more seats by now, and with other options: what is stored stays as it is."""
    dora, ben, clara = (Person(700000000000000000 + number, name) for number, name in OTHERS)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE match SET game = 'doge', options = '[[\"gifts\", \"ahead\"]]' WHERE status = 'open'"
        )
        [(match,)] = connection.execute("SELECT id FROM match WHERE status = 'open'")
    async with services_on(path, clock=clock) as services:
        lobby = services.lobby
        table = await services.queries.table(match)
        assert (table.setup.seats, table.setup.option("gifts"), table.host) == (2, "ahead", dora)
        await lobby.join(match, ben, "join")
        await lobby.add_seat(match, dora, "more", 3)
        await lobby.add_seat(match, dora, "still more", 4)
        await lobby.join(match, clara, "another join")
        table = await lobby.start(match, dora, "start")
    async with services_on(path, clock=clock) as services:
        begun = (await services.cache.get(match)).require_log().match.setup
        assert begun == table.setup == Setup("doge", "1", 3, (("gifts", "ahead"),))
