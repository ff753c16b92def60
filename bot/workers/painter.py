"""A painting process: pictures, films, warming up; and the themes that pictures can be painted in."""

from __future__ import annotations

import hashlib
import pickle
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from bot.domain.refusals import Refusal
from bot.domain.replay_file import public_views, replayed
from bot.workers.worker import serve
from engines.core.contract import Fact, Menu, Seat, Setup, Viewer, Words, msg
from engines.core.languages import FALLBACK
from engines.core.match import Match
from engines.core.registry import game, games
from engines.core.setups import complete, usual_seats, varieties
from engines.core.texts import load
from renderers.core.caches import for_everybody, keep_on_disk, shrink_caches
from renderers.core.contract import Picture, Table
from renderers.core.registry import animator, renderer, renderers_by_game
from renderers.core.theme import DEFAULT
from renderers.core.type import use_fonts

WARM_MATCHES = 3
"""Positions per set-up that are painted to warm up: the start, and some further into the match."""

WARM_TURNS = 10
"""Sentences between two of these positions."""

DEMONSTRATION_ACTS = 12
"""Sentences after which a match has something to show."""

DEMONSTRATED: Seat = 0
"""The seat whose private picture the demonstration shows."""

CHOICES = 25
"""Maximum themes to choose from: Discord's limit for the choices of a command option."""


@dataclass(frozen=True, slots=True)
class PaintRequest:
    """A request for one picture: the game, the picture's key, and all that it shows."""

    game: str
    key: str
    table: Table = field(repr=False)
    view: Any = field(repr=False)
    draft: Words = field(default=(), repr=False)
    menu: Menu | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ReelRequest:
    """A request for a moving picture: the public view before it, and the public facts that followed."""

    game: str
    table: Table
    before: Any = field(repr=False)
    facts: tuple[Fact, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class DemonstrationRequest:
    """A request for a picture of a game's demonstration match, as ``viewer`` sees it; nobody plays it."""

    game: str
    viewer: Viewer
    table: Table = field(repr=False)

    @property
    def key(self) -> str:
        """Return the picture's name in the log."""
        return "demonstration"


AnyPaintRequest: TypeAlias = PaintRequest | DemonstrationRequest


@dataclass(frozen=True, slots=True)
class WarmJob:
    """A match of computer players, one position of which is painted in every theme."""

    setup: Setup
    turns: int


def film(replay: Mapping[str, Any], table: Table) -> Picture:
    """Return the film of a replay; raises ``ReplayError`` if the replay is invalid."""
    return renderer(replay["game"]).film(public_views(replayed(replay)), table)


def brush(packed: bytes) -> Picture:
    """Paint a pickled :class:`PaintRequest` or :class:`DemonstrationRequest`; runs in a painting process."""
    request: AnyPaintRequest = pickle.loads(packed)  # noqa: S301 - packed by this very program, a moment ago
    if isinstance(request, DemonstrationRequest):
        return _demonstrate(request)
    return renderer(request.game).paint(request.view, request.key, request.table, request.draft, request.menu)


def _demonstrate(request: DemonstrationRequest) -> Picture:
    match, painter = demonstration(request.game), renderer(request.game)
    view = match.view(request.viewer)
    menu = None if request.viewer is None else match.menu(request.viewer)
    key = painter.pictures(view)[0][0]
    # Even a private picture is public here: nobody plays this match.
    with for_everybody():
        return painter.paint(view, key, request.table, (), menu)


@cache
def demonstration(key: str) -> Match:
    """Return a half-played match of computer players, the same every time; it waits for seat 0.

    It reveals nothing about real matches: its seed is no secret.
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
    """Paint a pickled :class:`ReelRequest`; ``None`` if nothing moves in it."""
    request: ReelRequest = pickle.loads(packed)  # noqa: S301 - packed by this very program, a moment ago
    painter = animator(renderer(request.game))
    with for_everybody():
        return None if painter is None else painter.animate(request.before, request.facts, request.table)


def warm_jobs() -> list[WarmJob]:
    """Return the positions to warm up: every game with a painter, in all its set-ups, starts first."""
    found = [
        WarmJob(setup, number * WARM_TURNS)
        for key in renderers_by_game()
        if key in games()
        for setup in varieties(game(key).manifest)
        for number in range(WARM_MATCHES)
    ]
    # Starts first: the next match begins with one.
    return sorted(found, key=lambda job: job.turns)


def warm(job: WarmJob) -> None:
    """Paint into the disk cache what every viewer sees at one position of a match that nobody plays."""
    # The seed is the same after every restart, so that the disk cache is reused.
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
    # Sort by picture: one picture's versions for all viewers share most of their parts.
    for theme in painter.themes:
        for key, view, menu in sorted(shown, key=lambda one: one[0]):
            painter.warm(view, key, Table(names, theme=theme), (), menu)


def theme_names() -> tuple[str, ...]:
    """Return the names of all painters' themes, the default first."""
    found = dict.fromkeys([DEFAULT])
    for painter in renderers_by_game().values():
        found.update(dict.fromkeys(painter.themes))
    return tuple(found)[:CHOICES]


def known_theme(name: str) -> str:
    """Return ``name`` if there is such a theme; raises :class:`Refusal` otherwise."""
    if name not in theme_names():
        raise Refusal(msg("no.unknown_theme"))
    return name


def theme_label(name: str, language: str) -> str:
    """Return the display name of a theme; the default's for a theme that no painter has any more."""
    text = theme_text(name)
    if text is None:
        return name if name in theme_names() else theme_label(DEFAULT, language)
    package, key = text
    return load(package).render(msg(key), str, language)


def theme_text(name: str) -> tuple[str, str] | None:
    """Return the package whose catalogue names a theme, and the text's key; ``None``: none does.

    The name is in the shared catalogue, or in that of a painter that has the theme.
    """
    own = (f"renderers.{key}" for key, painter in renderers_by_game().items() if name in painter.themes)
    for package in ("renderers.core", *own):
        if f"theme.{name}" in load(package).languages[FALLBACK]:
            return package, f"theme.{name}"
    return None


def main(line: socket.socket, share: str, cache: str = "", fonts: str = "") -> None:
    """Paint what comes from a socket, until it closes.

    ``share``: for :func:`shrink_caches`. ``cache`` and ``fonts``: folders; they may be empty.
    """
    serve(line, lambda: _prepare(int(share), _folder(cache), _folder(fonts)))


def _folder(name: str) -> Path | None:
    return Path(name) if name else None


def _prepare(share: int, cache: Path | None, fonts: Path | None) -> None:
    keep_on_disk(cache)
    use_fonts(fonts)
    # Importing the painters takes longer than painting most pictures.
    renderers_by_game()
    shrink_caches(share)
