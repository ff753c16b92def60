"""Matches to measure with: tables that are opened and filled, and sentences that keep a match going."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from bot.domain.address import Address
from bot.domain.tables import Person, Place
from bot.matches import Services
from bot.matches.table_cache import TableCache
from bot.pages import board as boards
from bot.pages.custom_ids import Button
from bot.store import open_store
from engines.core.contract import Seat, Words
from engines.core.match import AnyGame, Match
from engines.core.optional_methods import Level
from engines.core.rng import Rng
from sandbox.model import Message
from sandbox.server import Sandbox
from sandbox.validation.components import walk
from tests.e2e.stage import has
from tests.kit.tables import open_table, sit_down
from tests.kit.thinking_here import services_over

Sentence: TypeAlias = tuple[Seat, Words]

PLACE = Place(1, 2)

Position: TypeAlias = tuple[int, int]
"""A board's epoch and version."""

TRIES = 20
"""Sentences that are looked at for one that does not end the match."""

MIB = 1 << 20


async def begin(
    services: Services,
    game: AnyGame,
    people: Sequence[Person],
    requests: Iterator[str],
    place: Place = PLACE,
    level: Level | None = None,
) -> str:
    """Fill a table of the smallest size with ``people``, or with one and computers; return its id."""
    seats = min(game.manifest.seats)
    computers = [] if level is None else [level] * (seats - 1)
    info = await open_table(
        services, game.manifest.key, {}, seats, people[0], place, next(requests), computers=computers
    )
    for person in people[1 : seats - len(computers)]:
        info = await sit_down(services, info.id, person, next(requests))
    return info.id


async def think(services: Services, table_id: str, rows: int) -> list[Sentence]:
    """Return what players say who want to go on: at most ``rows`` sentences from the start on.

    It is the match's own seed that they know, so nothing of it is measured.
    """
    match = (await services.cache.get(table_id)).require_log().match
    said: list[Sentence] = []
    while len(said) < rows and (seat := asked(match)) is not None:
        words, match = lasting(match, seat)
        said.append((seat, words))
    return said


def asked(match: Match) -> int | None:
    """Return the first seat that is asked by its own view."""
    seats = range(match.setup.seats)
    return next((seat for seat in seats if seat in match.game.waiting(match.view(seat))), None)


def lasting(match: Match, seat: Seat) -> tuple[Words, Match]:
    """Return a sentence, one that does not end the match if one is found, and the match after it."""
    view = match.view(seat)
    menu = match.game.menu(view)
    if menu is None:
        raise ValueError("nothing is asked of this seat")
    rng = Rng(match.seed).child("bench", len(match.log))
    words = match.game.player(view, menu, rng)
    after = match.act(seat, words)
    for number in range(TRIES):
        if after.outcome is None:
            break
        words = match.game.player(view, menu, rng.child(number))
        after = match.act(seat, words)
    return words, after


def proportional(process: int | str = "self") -> int:
    """Return the bytes that a process adds to memory: pages that several share count by their share of it."""
    try:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
    except OSError:
        return 0
    line = next((line for line in rollup.splitlines() if line.startswith("Pss:")), "Pss: 0 kB")
    return int(line.split()[1]) << 10


def descendants(process: int | str) -> list[str]:
    """Return the ids of the processes that a process has started, and of those that these have."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()
    except OSError:
        return []
    return [found for child in children for found in (child, *descendants(child))]


def worked(process: int | str = "self") -> tuple[float, float]:
    """Return the seconds that a process has worked on a core, and those of its children that ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(") ")[2].split()
    except OSError:
        return 0.0, 0.0
    own, other, ended, ended_other = (int(ticks) / os.sysconf("SC_CLK_TCK") for ticks in fields[11:15])
    return own + other, ended + ended_other


def verdict(text: str, figure: float, bound: float, unit: str, *, least: bool = False) -> bool:
    """Print a figure beside its bound, the most it may be or the ``least``; return whether it is kept."""
    kept = figure >= bound if least else figure <= bound
    word = "at least" if least else "at most"
    print(f"{text}: {figure:,.1f} {unit} ({word} {bound:,.0f}){'' if kept else '  MISSED'}", flush=True)
    return kept


def screen(sandbox: Sandbox, thread: int) -> Position:
    """Return what the newest board in a thread shows; zeros where there is none."""
    history = sandbox.records.history(thread, sandbox.records.bot.id)
    return next((found for found in map(position, reversed(history)) if found is not None), (0, 0))


def position(message: Message) -> Position | None:
    """Return what a message shows, if it is a board with its buttons."""
    if not has({"components": message.components}, Button.TURN):
        return None
    ids = [item.get("id", 0) for item in walk(message.components)]
    version = max(ids) - boards.VERSION_MARKER
    return max(i for i in ids if i < boards.VERSION_MARKER) - boards.MARKER, version


async def committed(services: Services, match: str) -> tuple[int, Position]:
    """Return a match's thread, and the board that is committed."""
    board = await services.queries.board(match)
    return board.table.thread_id or 0, (board.epoch, board.version)


async def lies(sandbox: Sandbox, database: Address, matches: Iterable[str]) -> int:
    """Return how many boards do not show what is committed; the bot has stopped."""
    store = await open_store(database)
    services = services_over(TableCache(store, wake=lambda: None))
    found = 0
    for match in matches:
        thread, board = await committed(services, match)
        found += screen(sandbox, thread) != board
    await store.close()
    return found
