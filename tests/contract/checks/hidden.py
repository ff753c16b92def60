"""What is hidden: every part of it is imagined anew, recorded, and told at the end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from engines.core.canonical_json import canonical
from engines.core.contract import ActionError, Setup, Viewer, Words
from engines.core.match import AnyGame, Match
from engines.core.optional_methods import TakesNotes
from engines.core.rng import Rng
from tests.contract.checks.parts import Path, graft, is_noted, part, parts_apart, shuffled_kinds, swapped
from tests.contract.checks.sampling import seed, viewers
from tests.contract.checks.secrets import random_sentence

DRAWS = 4
"""Truths drawn for a view."""

MANY_DRAWS = 12
"""The same where these were alike at every moment, which may be chance: one of two things, at one moment."""

SIBLINGS = 4
"""Sentences and keys that are tried in the place of the one that was said."""

STARTS = 40

OFTEN = 3
"""Moments at which a part must be open before it has to vary: a mix of two states proves little by itself."""

Hidden = Counter[tuple[Viewer, Path]]
"""For each viewer and part: at how many moments."""


def open_parts(matches: Iterable[Match], rng: Rng) -> tuple[Hidden, list[Match]]:
    """Count, without ``imagine``, where a viewer's view leaves a part of the truth open; and the moments.

    Evidence is a state that differs there and shows the viewer the same: another outcome of the same act,
    or the same state with two cards of a kind exchanged.
    """
    found: Hidden = Counter()
    moments = list(matches)
    shuffled = shuffled_kinds(match.state for match in moments)
    for number, match in enumerate(tuple(moments)):
        child = rng.child("open", number)
        _count_exchanges(match, child, shuffled, found)
        for group in _siblings(match, child):
            _count_differences(match.game, match.setup, group, found)
            moments += [replace(match, state=state) for state in group[:1]]
    return found, [match for match in moments if match.outcome is None]


def _count_exchanges(match: Match, rng: Rng, shuffled: frozenset[Path], found: Hidden) -> None:
    game, real = match.game, canonical(match.game.record(match.state))
    for viewer in viewers(match):
        view = match.view(viewer)
        open_here: set[Path] = set()
        for one, two, state in swapped(match.state, rng.stream("swap", str(viewer)), shuffled):
            if _shows(game, state, viewer, view) and canonical(game.record(state)) != real:
                open_here |= {one, two}
        found.update((viewer, path) for path in open_here)


def _shows(game: AnyGame, state: Any, viewer: Viewer, view: Any) -> bool:
    try:
        return bool(game.view(state, viewer) == view)
    except (ValueError, KeyError, IndexError):  # a mix that is no state at all
        return False


def _siblings(match: Match, rng: Rng) -> Iterator[list[Any]]:
    """Yield states that the match may be in after the next act of a seat, one list for each seat."""
    for seat in range(match.setup.seats):
        group = []
        for number in range(SIBLINGS):
            words = random_sentence(match, seat, rng.child("sibling", seat, number))
            # Sentences of many words seldom come out alike; two that differ in one word often do: an
            # order of VOLT that had no occasion shows nobody else whether it was given.
            for said in (words, *(words[:place] + words[place + 1 :] for place in _last_two(words))):
                try:
                    step = match.game.act(match.state, seat, said, rng.child("key", number))
                except ActionError:
                    continue
                group.append(step.state)
        yield group


def _last_two(words: Words) -> range:
    return range(max(1, len(words) - 2), len(words))


def open_at_the_start(game: AnyGame, setup: Setup) -> Hidden:
    """Count the parts in which starts differ that look the same to a viewer."""
    found: Hidden = Counter()
    states = [game.start(setup, Rng.of_match(seed("hidden", n))).state for n in range(STARTS)]
    _count_differences(game, setup, states, found)
    return found


def _count_differences(game: AnyGame, setup: Setup, states: list[Any], found: Hidden) -> None:
    for viewer in (*range(setup.seats), None):
        alike: defaultdict[str, list[Any]] = defaultdict(list)
        for state in states:
            view = game.view(state, viewer)
            if game.outcome(view) is None:
                alike[canonical(game.describe(view))].append(state)
        for first, *others in alike.values():
            for other in others:
                found.update((viewer, path) for path in parts_apart(first, other))


def check_imagine(hidden: Hidden, moments: Iterable[Match], rng: Rng) -> None:
    """Check that every part which may be otherwise is imagined otherwise at some moment."""
    parts = [part for part, times in hidden.items() if times >= OFTEN]
    as_it_is, alike, found = set(parts), set(parts), tuple(moments)
    for draws, (number, match) in product((DRAWS, MANY_DRAWS), enumerate(found)):
        # Once is enough: who has nothing left to be seen of imagines no more.
        for viewer in {viewer for viewer, _ in as_it_is | alike}:
            view = match.view(viewer)
            first = match.game.imagine(view, rng.child("draw", number, 0))
            for n in range(draws):
                other = match.game.imagine(view, rng.child("draw", number, n))
                as_it_is -= {(viewer, path) for path in parts_apart(match.state, other)}
                alike -= {(viewer, path) for path in parts_apart(first, other)}
    for viewer, path in parts:
        assert (viewer, path) not in as_it_is, f"viewer {viewer}: {path} is always imagined as it is"
        assert (viewer, path) not in alike, f"viewer {viewer}: {path} is always imagined alike"


def check_records(moments: Iterable[Match], rng: Rng) -> set[Path]:
    """Check that records tell every hidden part but notes: each is changed by itself; return the parts."""
    found = set()
    for number, match in enumerate(moments):
        game, state = match.game, match.state
        real = canonical(game.record(state))
        for draw in range(DRAWS):
            other = game.imagine(match.view(None), rng.child("record", number, draw))
            for path in parts_apart(state, other):
                told = canonical(game.record(graft(state, path, part(other, path)))) != real
                if isinstance(game, TakesNotes) and is_noted(path):
                    assert not told, f"the record holds {path}"
                    continue
                assert told, f"the record leaves {path} out"
                found.add(path)
    return found
