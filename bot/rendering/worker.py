"""What runs in a painting process: pictures, films, warming up."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from bot.domain.replay_file import public_views, replayed
from engines.core.contract import Fact, Menu, Seat, Setup, Viewer, Words
from engines.core.match import Match
from engines.core.registry import game, games
from engines.core.setups import complete, usual_seats, varieties
from renderers.core.caches import for_everybody
from renderers.core.contract import Picture, Table
from renderers.core.registry import animator, renderer, renderers_by_game

WARM_MATCHES = 3
"""Positions of each set-up that are painted to warm up: the start, and some further into the match."""

WARM_TURNS = 10
"""Sentences between two of these positions."""


DEMONSTRATION_ACTS = 12
"""Sentences after which a match has something to show."""

DEMONSTRATED: Seat = 0
"""Whose private picture the demonstration shows."""


@dataclass(frozen=True, slots=True)
class PaintRequest:
    """One picture: which game, which of its pictures, and all that it shows."""

    game: str
    key: str
    table: Table = field(repr=False)
    view: Any = field(repr=False)
    draft: Words = field(default=(), repr=False)
    menu: Menu | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ReelRequest:
    """A moving picture of what just happened: the public view before it, and what the public learned."""

    game: str
    table: Table
    before: Any = field(repr=False)
    facts: tuple[Fact, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class DemonstrationRequest:
    """A picture from the demonstration of a game: what ``viewer`` would see of a match that nobody plays."""

    game: str
    viewer: Viewer
    table: Table = field(repr=False)

    @property
    def key(self) -> str:
        """Return what the log calls the picture."""
        return "demonstration"


AnyPaintRequest: TypeAlias = PaintRequest | DemonstrationRequest


@dataclass(frozen=True, slots=True)
class WarmJob:
    """A match of computer players, one position of which is painted in every theme."""

    setup: Setup
    turns: int


def film(replay: Mapping[str, Any], table: Table) -> Picture:
    """Return the film of a replay; raises ``ReplayError`` for one that is not sound."""
    return renderer(replay["game"]).film(public_views(replayed(replay)), table)


def brush(packed: bytes) -> Picture:
    """Paint a packed :class:`PaintRequest` or :class:`DemonstrationRequest`; runs in a process of its own."""
    request: AnyPaintRequest = pickle.loads(packed)  # noqa: S301 - packed by this very program, a moment ago
    if isinstance(request, DemonstrationRequest):
        return _demonstrate(request)
    return renderer(request.game).paint(request.view, request.key, request.table, request.draft, request.menu)


def _demonstrate(request: DemonstrationRequest) -> Picture:
    match, painter = demonstration(request.game), renderer(request.game)
    view = match.view(request.viewer)
    menu = None if request.viewer is None else match.menu(request.viewer)
    key = painter.pictures(view)[0][0]
    # A hand too: nobody holds it.
    with for_everybody():
        return painter.paint(view, key, request.table, (), menu)


@cache
def demonstration(key: str) -> Match:
    """Return a match of computer players in its middle, the same every time; it waits for seat 0.

    It tells nothing of any match that is played: its seed is no secret.
    """
    found = game(key)
    match = Match.start(
        found,
        complete(found.manifest, usual_seats(found.manifest)),
        hashlib.sha256(f"how to play {key}".encode()).digest(),
    )
    while len(match.log) < DEMONSTRATION_ACTS or DEMONSTRATED not in match.game.waiting(
        match.view(DEMONSTRATED)
    ):
        played = match.play_on()
        if played is None:
            break
        match, _ = played
    return match


def reel(packed: bytes) -> Picture | None:
    """Paint a packed :class:`ReelRequest`; ``None`` if nothing moves in it."""
    request: ReelRequest = pickle.loads(packed)  # noqa: S301 - packed by this very program, a moment ago
    painter = animator(renderer(request.game))
    with for_everybody():
        return None if painter is None else painter.animate(request.before, request.facts, request.table)


def warm_jobs() -> list[WarmJob]:
    """Return what to warm up: every game that can be painted, in all its set-ups."""
    found = [
        WarmJob(setup, number * WARM_TURNS)
        for key in renderers_by_game()
        if key in games()
        for setup in varieties(game(key).manifest)
        for number in range(WARM_MATCHES)
    ]
    # The starts first: they are what the next match shows.
    return sorted(found, key=lambda job: job.turns)


def warm(job: WarmJob) -> None:
    """Paint for the disk alone what every viewer sees at one position of a match that nobody plays."""
    # The same seed at every start: what was painted then is on the disk.
    match = Match.start(game(job.setup.game), job.setup, hashlib.sha256(repr(job).encode()).digest())
    for _ in range(job.turns):
        if not match.waiting:
            break
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
    painter = renderer(job.setup.game)
    names = tuple(f"Player {seat}" for seat in range(job.setup.seats))
    seen: list[tuple[Any, Menu | None]] = [(match.view(None), None)]
    seen += [(match.view(seat), match.menu(seat)) for seat in range(job.setup.seats)]
    shown = [(key, view, menu) for view, menu in seen for key, _ in painter.pictures(view)]
    # One picture for all viewers, then the next: they share most of what they are made of.
    for theme in painter.themes:
        for key, view, menu in sorted(shown, key=lambda one: one[0]):
            painter.warm(view, key, Table(names, theme=theme), (), menu)
