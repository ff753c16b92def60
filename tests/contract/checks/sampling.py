"""Matches to look at: tables, seeds, and baseline play."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from engines.core import registry, setups, texts
from engines.core.contract import Seat, Setup, Viewer
from engines.core.match import AnyGame, Entry, EntryKind, Match
from engines.core.optional_methods import TakesNotes
from engines.core.player import walk
from engines.core.rng import Rng, Stream
from engines.core.to_json import Plain

MOVES = 4_000
"""Sentences within which every baseline match must have ended."""

ASIDE = (1, 6)

WILD = 60
"""Sentences by chance, after which computer players bring a match to its end."""

LATE = 40
"""Sentences within which somebody leaves, in a match that somebody leaves."""


def package(game: AnyGame) -> str:
    """Return the package that a game and its texts live in."""
    key = game.manifest.key
    return f"engines.{key}" if key in registry.games() else f"tests.kit.{key}"


def plain(game: AnyGame) -> Plain:
    return Plain(game, texts.load(package(game)))


def seed(*labels: str | int) -> bytes:
    return hashlib.sha256(repr(labels).encode()).digest()


def tables(game: AnyGame) -> tuple[Setup, ...]:
    """Return each table size with the defaults, each kind of option with each other value, old rulesets.

    Options are at the smallest table; those of a game with notes and asides at the usual one, with onlookers.
    """
    manifest = game.manifest
    sizes = [setups.complete(manifest, seats) for seats in manifest.seats]
    others = setups.usual_seats(manifest) if isinstance(game, TakesNotes) else manifest.seats[0]
    options = [replace(each, seats=others) for each in setups.varieties(manifest)[1:]]
    earlier = [setups.complete(manifest, ruleset=ruleset) for ruleset in manifest.rulesets[1:]]
    return (*sizes, *options, *earlier)


def viewers(match: Match) -> tuple[Viewer, ...]:
    return (*range(match.setup.seats), None)


@dataclass(frozen=True, slots=True)
class Line:
    """A match as it was after each entry of its log; ``moments[0]`` is the start."""

    moments: tuple[Match, ...] = field(repr=False)

    @property
    def end(self) -> Match:
        return self.moments[-1]


def baseline(game: AnyGame, setup: Setup, seed: bytes) -> Iterator[Match]:
    """Yield a match of computer players after each sentence, until it ends."""
    match = Match.start(game, setup, seed)
    yield match
    yield from islice(on_from(match), MOVES)


def wild(game: AnyGame, setup: Setup, seed: bytes) -> Iterator[Match]:
    """Yield a match of random walks in random order of the seats, asides among them; see :data:`WILD`."""
    match = Match.start(game, setup, seed)
    rng = Rng(seed).child("wild")
    yield match
    for number in range(WILD):
        if not match.waiting:
            return
        seat = _any_seat(match, rng.stream("seat", number))
        view, menu = match.view(seat), match.menu(seat)
        assert menu is not None
        match = match.act(seat, walk(game, view, menu, rng.child("walk", number), asides=True))
        yield match
    yield from islice(on_from(match), MOVES)


def resigned(game: AnyGame, setup: Setup, seed: bytes) -> Iterator[Match]:
    """Yield a match in which a seat leaves for good, soon or late, and whoever is left plays on."""
    stream = Rng(seed).stream("resigned")
    match, before = Match.start(game, setup, seed), stream.below(LATE)
    for match in islice(wild(game, setup, seed), before + 1):
        yield match
    if match.waiting:
        match = match.apply(Entry(EntryKind.WITHDRAW, stream.below(setup.seats)))
        yield match
        yield from on_from(match)


def on_from(match: Match) -> Iterator[Match]:
    """Yield the match after each further sentence of computer players, to its end."""
    while (following := match.play_on()) is not None:
        match, _ = following
        yield match


def _any_seat(match: Match, stream: Stream) -> Seat:
    waiting = match.waiting
    others = [seat for seat in range(match.setup.seats) if seat not in waiting and match.menu(seat)]
    return stream.choice(others if others and stream.chance(*ASIDE) else sorted(waiting))


def lines(game: AnyGame, number: int) -> tuple[Line, ...]:
    """Return ``number`` matches over all tables: of each in turn one by computers, one wild, one resigned."""
    choices = tables(game)
    found = []
    for i in range(number):
        turn, table = divmod(i, len(choices))
        play = WAYS[(turn + table) % len(WAYS)]
        found.append(Line(tuple(play(game, choices[table], seed("line", i)))))
    return tuple(found)


WAYS = (baseline, resigned, wild)


def sample(line: Line, number: int, stream: Stream) -> tuple[Match, ...]:
    """Return at most ``number`` moments of a match in which somebody is waited for."""
    open_moments = [match for match in line.moments if match.waiting]
    return stream.shuffled(open_moments)[:number]
