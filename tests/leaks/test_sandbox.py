"""The vault over the sandbox: real processes, real sockets, everything that every window received."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.pages.custom_ids import Action, Button
from engines.core.contract import Setup, Viewer
from engines.core.match import Match
from sandbox.user_sockets import Received
from tests.conftest import ROOT
from tests.e2e.stage import EPHEMERAL, Json, Player, Stage, action, components_of, press_id
from tests.kit.person import Person, PersonError
from tests.kit.reading import text_of
from tests.kit.vault import GAME
from tests.kit.vault.install import KEY
from tests.kit.waiting import until
from tests.leaks.checks.inside import assert_clean
from tests.leaks.house import ids_in
from tests.leaks.hunt import traces
from tests.leaks.knowledge import Knowledge, seeds
from tests.leaks.serve import BREAKS, SAME

QUIET_SECONDS = 0.7
"""How long nothing may come after a secret act; what is public comes within some hundredths."""


@pytest.fixture(autouse=True)
def _quiet_multipart() -> None:
    """aiohttp's own reader of multipart bodies uses what aiohttp itself deprecates."""
    warnings.filterwarnings("ignore", r"unread_data\(\) is deprecated", DeprecationWarning)


class Vaults(Stage):
    """A stage whose bot knows the vault, logs at DEBUG and breaks now and then."""

    program: tuple[str, ...] = ("-m", "tests.leaks.serve")
    variable = BREAKS

    def environment(self) -> dict[str, str]:
        folder = self.database.parent
        more = {"BAUTA_LOG_LEVEL": "DEBUG", "BAUTA_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
        return {**super().environment(), **more, self.variable: "1"}

    def match(self) -> Match:
        """Return the start of the match, from the bot's own database."""
        connection = sqlite3.connect(self.database)
        try:
            [(key, seats, options)] = connection.execute("SELECT seed, seats, options FROM match").fetchall()
        finally:
            connection.close()
        chosen = tuple((name, value) for name, value in json.loads(options))
        game: Any = GAME
        return Match.start(game, Setup(KEY, "1", seats, chosen), key)

    def seats(self) -> dict[str, Viewer]:
        """Return who sits where, by name; a stranger looks on for the public."""
        connection = sqlite3.connect(self.database)
        try:
            found: dict[str, Viewer] = dict(connection.execute("SELECT name, seat FROM chair").fetchall())
        finally:
            connection.close()
        return {**found, "Carla": None}


async def _say(player: Player, thread: str, text: str) -> None:
    """Type a sentence and confirm it."""
    outcome = await player.window.command(thread, "move", words=text)
    assert outcome.message is not None
    assert "⚠️" not in text_of(outcome.message)
    player.panel = outcome.message
    await player.touch(action(outcome.message, Action.CONFIRM))


async def _try_everything(stage: Stage, player: Player, thread: str) -> None:
    looks: tuple[tuple[str, Json], ...] = (
        ("turn", {}),
        ("hand", {}),
        ("board", {}),
        ("log", {}),
        ("games", {}),
    )
    for name, options in looks:
        await player.window.command(thread, name, **options)
    await player.window.command(thread, "board", text=True)
    await player.window.autocomplete(thread, "move", focused="words", words="")
    await player.window.command(thread, "move", words="sort")
    await player.window.command(thread, "move", words="lay bcdfghjkl")
    board = await stage.alba.board(thread)
    await player.window.press(board, press_id(board, Button.LOG))


async def test_no_window_log_or_file_has_what_it_must_not(tmp_path: Path) -> None:
    async with Vaults(tmp_path) as stage:
        carla = await stage.player("Carla")
        await stage.alba.window.command("games", "settings", dms="on")
        await stage.bruno.window.command("games", "settings", dms="on")
        await stage.bruno.window.set_dms(is_open=False)
        thread = await stage.begin(KEY)
        match, seats = stage.match(), stage.seats()
        knowledge = Knowledge.of(match)
        hands = {name: match.view(seat).own.hand for name, seat in seats.items() if seat is not None}
        for player in (stage.alba, stage.bruno, carla):
            await _try_everything(stage, player, thread)
        await _say(stage.alba, thread, f"note {hands['Alba'][1]}")
        await _press_panel_on_board(stage, stage.alba, thread)
        # On a busy machine the first board may be edited once more: nobody has done anything secret by then.
        await until(stage.all_is_shown)
        mark = len(carla.window.received)
        await _say(stage.alba, thread, f"lay {hands['Alba'][0]}")
        await _say(stage.bruno, thread, f"return {seats['Alba']}")
        await _say(stage.alba, thread, "peek")
        await _say(stage.alba, thread, f"lay {hands['Alba'][2]}")
        await asyncio.sleep(QUIET_SECONDS)
        assert carla.window.received[mark:] == [], "a stranger can count what is secret"
        # The clue is in Alba's windows by now, and rightly so.
        knowledge.learned[seats["Alba"]].add(match.state.vault)
        for name, seat in seats.items():
            await _search_windows(stage, name, seat, knowledge, match.seed)
        assert_clean(stage.logged(), knowledge, match.seed, "the log")
        assert "incident" in stage.logged(), "nothing broke"
        assert "picture hand of" in stage.logged(), "nothing broke"
        # The sandbox's own journal holds everything, for its owner alone.
        for path in set(_files(tmp_path)) - {stage.transcript}:
            name = str(path.relative_to(tmp_path))
            assert_clean(name + path.read_bytes().decode("latin-1"), knowledge, match.seed, name)
        said = json.dumps([[request.method, request.path] for request in stage.sandbox.requests])
        assert_clean(said, knowledge, match.seed, "a path of a request")
        assert stage.sandbox.violations == []


async def _press_panel_on_board(stage: Stage, player: Player, thread: str) -> None:
    """Press a panel's button as if it stood in the public board; nothing may come of it that others see."""
    panel = await player.open(thread)
    custom_id = next(i for i in ids_in(panel) if i.endswith(f":{Action.REFRESH.value}"))
    board = await stage.alba.board(thread)
    before = [text_of(board), [item.get("custom_id") for item in components_of(board)]]
    await player.window.forge(board, custom_id)
    after = await stage.alba.board(thread)
    assert [text_of(after), [item.get("custom_id") for item in components_of(after)]] == before


async def _search_windows(stage: Stage, name: str, seat: Viewer, knowledge: Knowledge, key: bytes) -> None:
    """Search everything that a person's windows received, and every file that still stands."""
    hidden = [*knowledge.hidden_from(seat), *seeds(key)]
    received = stage.sandbox.audit(name)
    assert received
    blobs = [json.dumps(entry.d, ensure_ascii=False).encode() for entry in received]
    window = stage.people[name].window
    pictures = [
        await _fetched(window, address) for address in sorted(_addresses([entry.d for entry in received]))
    ]
    assert any(pictures), "no picture is left to look at"
    blobs += pictures
    for blob in blobs:
        assert traces(blob, hidden) == [], f"{name} receives what is hidden"


async def _fetched(window: Person, address: str) -> bytes:
    """Return a file; nothing where its message shows another one by now."""
    try:
        return await window.fetch(address)
    except PersonError:
        return b""


def _addresses(data: object) -> set[str]:
    """Return the addresses of files in JSON data."""
    if isinstance(data, dict):
        url = data.get("url")
        here = {url} if isinstance(url, str) and "/attachments/" in url else set()
        return here.union(*map(_addresses, data.values()))
    return set().union(*map(_addresses, data)) if isinstance(data, list) else set()


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith("bauta.db"):
            yield path


class Twins(Vaults):
    """A stage whose bot draws the same seeds as every other's."""

    variable = SAME


async def _received(folder: Path, *, secretly: bool) -> dict[str, list[str]]:
    """Play the same in public, with or without secret acts; return what all but the actor received."""
    async with Twins(folder) as stage:
        carla = await stage.player("Carla")
        thread = await stage.begin(KEY)
        # How often the first board is edited depends on how busy the machine is, not on what anybody does.
        await until(stage.all_is_shown)
        begun = {name: len(stage.sandbox.audit(name)) for name in ("Bruno", "Carla")}
        match, seats = stage.match(), stage.seats()
        hands = {name: match.view(seat).own.hand for name, seat in seats.items() if seat is not None}
        if secretly:
            await _try_everything(stage, stage.alba, thread)
            for text in (f"note {hands['Alba'][1]}", "peek", f"return {seats['Bruno']}"):
                await _say(stage.alba, thread, text)
        for player in (stage.bruno, carla):
            await _try_everything(stage, player, thread)
        for player in (stage.alba, stage.bruno):
            # Or a busy machine would show both at once, or one after the other, as it comes.
            await until(stage.all_is_shown)
            await _say(player, thread, f"lay {hands[player.window.name][0]}")
        await carla.board(thread, lambda board: hands["Alba"][0] in text_of(board))
        await asyncio.sleep(QUIET_SECONDS)
        await until(stage.all_is_shown)
        return {
            f"{name} ({stream})": _normal(received)
            for name, before in begun.items()
            for stream, received in _streams(stage.sandbox.audit(name)[before:]).items()
        }


def _streams(received: Sequence[Received]) -> dict[str, list[Any]]:
    """Return what a window received, by what comes in an order of its own.

    A board and a private answer may become ready together, and then either comes first.
    """
    found: dict[str, list[Any]] = {"private": [], "public": []}
    for entry in received:
        is_public = entry.t.startswith("MESSAGE_") and not entry.d.get("flags", 0) & EPHEMERAL
        found["public" if is_public else "private"].append(entry.d)
    return found


def _normal(received: list[Any]) -> list[str]:
    """Return what was received, without ids, times and addresses, which differ from run to run."""
    numbers: dict[str, str] = {}

    def numbered(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"id{len(numbers)}")

    texts = (json.dumps(data, sort_keys=True, ensure_ascii=False) for data in received)
    texts = (re.sub(r"http://[^\"]*/", "", text) for text in texts)
    texts = (re.sub(r"\d{4}-\d\d-\d\dT[^\"]*|<t:\d+:[fR]>|\"at\": [\d.]+", "time", text) for text in texts)
    return [re.sub(r"\d{15,}", numbered, text) for text in texts]


async def test_who_does_nothing_and_who_does_much_in_secret_look_alike(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    idle = await _received(tmp_path_factory.mktemp("idle"), secretly=False)
    busy = await _received(tmp_path_factory.mktemp("busy"), secretly=True)
    assert idle.keys() == busy.keys()
    assert sum(map(len, idle.values())) > 40, "nothing is compared"
    for name, texts in idle.items():
        assert texts, "nothing is compared"
        for number, (text, other) in enumerate(zip(texts, busy[name], strict=False)):
            if text != other:
                place = next((n for n, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), 0)
                near = slice(max(0, place - 80), place + 80)
                raise AssertionError(
                    f"{name} receives hidden truth: number {number}: {text[near]} or {other[near]}"
                )
        assert len(texts) == len(busy[name]), f"{name} can count what is secret"
