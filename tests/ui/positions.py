"""Real positions of every game as the house shows them: tables, panels and boards without a database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256

from bot.domain.match import Board, Panel, Told
from bot.domain.tables import Chair, Person, Place, Status, TableInfo
from bot.matches.drafts import answered_field
from bot.matches.loaded_table import SeatView
from bot.matches.match_log import MatchLog
from engines.core.contract import Seat, Setup, Words
from engines.core.match import Match
from engines.core.player import walk
from engines.core.registry import game, games
from engines.core.rng import Rng, commitment
from renderers.core.registry import renderers_by_game

KEYS = tuple(games())
PAINTED = tuple(key for key in KEYS if key in renderers_by_game())
"""The games that have a painter."""

NAMES = ("Anna *bold*", "B_e_n @everyone", "Clara `code`", "D" * 40)


def table_of(match: Match, status: Status = Status.RUNNING) -> TableInfo:
    """Return a table where persons sit, but for a computer player in the last chair."""
    seats = match.setup.seats
    chairs = tuple(
        Chair(n, Person(100 + n, NAMES[n]), NAMES[n], seat=n)
        if n < seats - 1 or n == 0
        else Chair(n, None, "1", seat=n)
        for n in range(seats)
    )
    host = Person(100, NAMES[0])
    return TableInfo(
        "abcd2345", match.setup, host, Place(1, 2), status, chairs, commitment(match.seed), thread_id=77
    )


def panel_of(match: Match, seat: Seat, draft: Words = ()) -> Panel:
    """Return the panel of a seat with a draft that is said to begin a sentence."""
    seat_view = SeatView(MatchLog.at(match), seat)
    view, folded = seat_view.view, seat_view.fold(draft)
    return Panel(
        table=table_of(match),
        seat=seat,
        view=folded.view,
        menu=folded.menu,
        draft=folded.words,
        decision="abcdefgh",
        revision=len(draft),
        waiting=tuple(sorted(match.game.waiting(view))),
        told=tuple(Told(number, fact) for number, fact in match.facts(seat)),
        preset=None,
        outcome=match.outcome,
        answered=answered_field(seat_view, folded),
    )


def board_of(match: Match) -> Board:
    """Return the public board."""
    over = match.outcome is not None
    return Board(
        table=replace(table_of(match), status=Status.OVER if over else Status.RUNNING),
        view=match.view(None),
        epoch=len(match.log),
        version=len(match.log),
        waiting=tuple(sorted(match.waiting)),
        told=tuple(Told(number, fact) for number, fact in match.facts(None)),
        draw_offers=(),
        outcome=match.outcome,
        seed=match.seed if over else None,
        called=tuple(sorted(match.waiting)),
    )


def begun(key: str, number: int, seats: int | None = None) -> Match:
    """Return match ``number`` of a game at its start."""
    manifest = game(key).manifest
    options = tuple((option.key, option.default) for option in manifest.options)
    setup = Setup(key, manifest.ruleset, seats or manifest.seats[0], options)
    return Match.start(game(key), setup, sha256(f"{key} {number}".encode()).digest())


def played(key: str, number: int, acts: int) -> Iterator[Match]:
    """Yield a match at its start and after each of at most ``acts`` sentences; each is played once."""
    moments = _moments(key, number)
    yield moments[0]
    for step in range(acts):
        match = moments[step]
        if match.outcome is not None:
            return
        if step + 1 == len(moments):
            seat = min(match.waiting)
            menu = match.menu(seat)
            assert menu is not None
            rng = Rng(match.seed).child("test", step)
            moments.append(match.act(seat, walk(match.game, match.view(seat), menu, rng)))
        yield moments[step + 1]


@cache
def _moments(key: str, number: int) -> list[Match]:
    """Return a match at its start, to which :func:`played` adds."""
    return [begun(key, number)]


def drafts(match: Match, seat: Seat, rng: Rng) -> Iterator[Words]:
    """Yield the drafts of a random walk from nothing to a whole sentence."""
    menu = match.menu(seat)
    assert menu is not None
    sentence = walk(match.game, match.view(seat), menu, rng)
    for length in range(len(sentence) + 1):
        try:
            match.menu(seat, sentence[:length])
        except ValueError:
            continue
        yield sentence[:length]
