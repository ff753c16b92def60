"""The bot is killed thirty times while people play: nothing is lost, doubled, untrue or shown to others."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from bot.domain.address import Address
from bot.domain.tables import Person, Place
from bot.matches.table_cache import TableCache
from bot.store import open_store
from engines.core.player import walk
from engines.core.registry import game, games
from engines.core.rng import Rng
from sandbox.user_sockets import Received
from tests.duel import DUEL
from tests.e2e.kills import books, secrets, truth
from tests.e2e.kills.people import Guest, Record, Saying
from tests.e2e.kills.rounds import Report, ended, play_round
from tests.e2e.kills.truth import Truth
from tests.e2e.kills.windows import Eye
from tests.e2e.stage import TABLES, Stage
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT
from tests.kit.tables import sit_down
from tests.kit.thinking_here import services_over
from tests.kit.waiting import PATIENCE, PAUSE, eventually

SEEDS = (1, 2)
KILLS = 15
"""Kills of each round of a night."""


@pytest.mark.nightly
async def test_thirty_kills(tmp_path: Path) -> None:
    """Two rounds at once; a failure names the seed of its round."""
    rounds = (play_round(folder_of(tmp_path, seed), seed, KILLS) for seed in SEEDS)
    report = Report()
    for each in await asyncio.gather(*rounds):
        report.add(each)
    assert not report.faults, "\n".join(report.faults)
    assert report.clean
    assert report.kills.total() >= KILLS * len(SEEDS)
    assert report.matches >= len(games())
    assert report.acknowledged
    assert report.canaries
    assert report.probes
    assert report.seconds


@BOTH_STORES_BY_NIGHT
async def test_three_kills(database: Address, tmp_path: Path) -> None:
    """A sample of the night: two kills while the database is made, one while people play."""
    report = await play_round(folder_of(tmp_path, 3), 3, 3, database)
    assert not report.faults, "\n".join(report.faults)
    assert report.clean
    assert report.kills.total() >= 3
    assert report.canaries
    assert report.seconds


def folder_of(folder: Path, seed: int) -> Path:
    found = folder / str(seed)
    found.mkdir()
    return found


async def test_people_who_meet_an_error_while_they_stop_do_stop() -> None:
    told: list[int] = []

    async def plays(number: int) -> None:
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                told.append(number)
                if told.count(number) > number:
                    raise

    tasks = [asyncio.create_task(plays(number)) for number in range(2)]
    await asyncio.sleep(0)
    outcomes = await asyncio.wait_for(ended(tasks), PATIENCE)
    assert [type(outcome) for outcome in outcomes] == [asyncio.CancelledError] * 2
    assert told == [0, 1, 1]


# --- that the checks can fail ---------------------------------------------------------------------

PEOPLE = (Person(11, "Anna"), Person(22, "Ben"))


async def played(database: Path, key: str, record: Record) -> str:
    """Play some sentences of a game without any window, written down as if people had said them."""
    store = await open_store(database)
    try:
        services = services_over(TableCache(store, wake=lambda: None))
        seats = min(game(key).manifest.seats)
        people = [*PEOPLE, *(Person(33 + n, f"Guest {n}") for n in range(seats))][:seats]
        info = await services.lobby.open(key, {}, seats, people[0], Place(1, 2), "open")
        for person in people[1:]:
            info = await sit_down(services, info.id, person, f"join {person.id}")
        for number in range(6):
            seat = (await services.queries.board(info.id)).waiting[0]
            chair = info.chair_at(seat).person
            assert chair is not None
            panel = await services.drafts.panel(info.id, chair)
            assert panel.menu is not None
            words = walk(game(key), panel.view, panel.menu, Rng(bytes(32)).child(number))
            await services.actions.submit(info.id, seat, None, words, str(number))
            text = game(key).write(words)
            now = time.monotonic()
            record.sayings.append(Saying(info.id, chair.id, text, now, {}, "", 0, [str(number)], now))
        return info.id
    finally:
        await store.close()


@pytest.mark.parametrize("key", list(games()))
async def test_what_is_lost_doubled_or_made_up_is_seen(key: str, tmp_path: Path) -> None:
    record = Record()
    match = await played(tmp_path / "bauta.db", key, record)
    found = await books.read(tmp_path / "bauta.db")
    good = truth.judged(found, record)
    assert (good.acknowledged, good.lost, good.doubled, good.faults) == (6, 0, 0, ())
    assert books.damage(tmp_path / "bauta.db") == []
    first, second = record.sayings[:2]
    first.presses, second.presses = ["never committed"], [*second.presses, *first.presses]
    bad = truth.judged(found, record)
    assert (bad.lost, bad.doubled) == (1, 1)
    assert any("otherwise than it was said" in fault for fault in bad.faults)
    second.presses = ["1"]
    assert f"{match} has row 1 that nobody said" in truth.judged(found, record).faults
    first.presses = ["0"]
    last = record.sayings[-1]
    last.told = first.begun - 1.0
    assert any("another order" in fault for fault in truth.judged(found, record).faults)


async def test_a_secret_that_is_shown_is_seen(tmp_path: Path) -> None:
    kinds = set()
    for key in games():
        record = Record()
        database = tmp_path / f"{key}.db"
        await played(database, key, record)
        birds = secrets.canaries(await books.read(database), books.Chronicles(), [])
        for bird in birds:
            kinds.add(bird.what)
            entry = Received(time.time(), "push", "MESSAGE_CREATE", {"content": f"They say: {bird.text}!"})
            assert secrets.shown([bird], {bird.owner: [entry]}, record) == []
            assert len(secrets.shown([bird], {bird.owner + 1: [entry]}, Record())) == 1
    assert kinds == {"a private fact", "a secret sentence"}


def test_the_same_words_may_be_two_peoples_own() -> None:
    entry = Received(time.time(), "push", "MESSAGE_CREATE", {"content": "You hold the mask of the fox."})
    birds = [secrets.Canary(owner, "the mask of the fox", float("inf"), "a private fact") for owner in (1, 2)]
    assert secrets.shown(birds, {1: [entry], 2: [entry]}, Record()) == []
    assert len(secrets.shown(birds, {1: [entry], 2: [entry], 3: [entry]}, Record())) == len(birds)


async def test_a_thread_that_lies_is_seen(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        thread = await stage.begin(DUEL)
        window = stage.alba.window
        eye = Eye(window)
        checks = Truth(eye, window.channel_id(TABLES), [Guest(window, eye)])
        async with asyncio.timeout(PATIENCE):
            while True:
                state = await books.read(stage.database)
                if not checks.lies(state):
                    break
                await asyncio.sleep(PAUSE)
        [board] = [each for each in eye.messages(thread) if each.epoch is not None]
        for change in ("position", "question", "buttons"):
            shown = [dict(item) for item in board.message["components"]]
            lie = {**board.message, "components": _changed(shown, change)}
            window.received.append(type(window.received[0])("MESSAGE_UPDATE", lie))
            assert checks.lies(state), change
        window.received.append(type(window.received[0])("MESSAGE_UPDATE", board.message))
        assert checks.lies(state) == []
        stage.sandbox.delete_message(board.id)
        await eventually(lambda: any("0 current boards" in lie for lie in checks.lies(state)))


def _changed(components: list[dict[str, object]], what: str) -> list[dict[str, object]]:
    """Return a board's components with one thing in them changed."""
    text = json.dumps(components)
    if what == "position":
        return list(json.loads(text.replace('"description": "', '"description": "Not so: ')))
    if what == "question":
        return list(json.loads(text.replace("<@", "<@1")))
    return list(json.loads(text.replace(":turn", ":join").replace(":log", ":leave")))
