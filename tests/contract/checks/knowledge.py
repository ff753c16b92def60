"""Views between acts: others see of what a seat has said what they are told, and the seat remembers it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice, pairwise, product

from engines.core.canonical_json import canonical
from engines.core.contract import ActionError, Fact, Seat, Viewer, Words, facts_for
from engines.core.match import Match
from engines.core.rng import Rng
from tests.contract.checks.parts import Path, swapped
from tests.contract.checks.sampling import Line, on_from, plain, viewers
from tests.contract.checks.secrets import random_sentence, shown, truth

RANDOM = 3
"""Random sentences of a seat."""

ONE_WORD_APART = 5
"""Sentences made of each of them by another word in one place."""

PAIRS = 2
"""Pairs of sentences that are followed, of each pair of states."""

SWAPS = 3
"""States in which the seat holds something else."""

AFTERWARDS = 6
"""Sentences for which pairs are followed."""

NO_STATE = (ValueError, KeyError, IndexError)
"""What a state may raise in which two cards are exchanged: nothing leads there."""

Pair = tuple[Match, Match]


def check_told_alike(match: Match, seat: Seat, rng: Rng) -> int:
    """Check that others see the same after two sentences of ``seat`` of which they were told the same.

    What a seat has said in secret is in no fact of theirs, and so in no view, at once or later on. Returns
    how many sentences could not be told apart.
    """
    said = tuple(siblings(match, seat, rng))
    others = [viewer for viewer in viewers(match) if viewer != seat]
    alike = 0
    for viewer in others:
        for pair in _pairs_told_alike(said, viewer):
            alike += _are_apart(*pair)
            _assert_alike(*pair, viewer, seat)
    for pair in islice(_pairs_told_alike(said, None), PAIRS):
        left = others
        for one, two in _followed(pair):
            left = [viewer for viewer in left if _last_facts(one, viewer) == _last_facts(two, viewer)]
            for viewer in left:
                _assert_alike(one, two, viewer, seat)
    return alike


def check_remembers(match: Match, seat: Seat, shuffled: frozenset[Path], rng: Rng) -> int:
    """Check that ``seat`` goes on seeing what it has said, and what it held then, for as long as it matters.

    Two sentences are said, of this state or of one in which the seat holds something else; then the same
    ones follow. While the public cannot tell the two apart, and they are different truths, their seat can.
    ``shuffled`` is as in ``parts.swapped``. Returns how many moments were compared.
    """
    said = tuple(siblings(match, seat, rng))
    compared = sum(_check_pair(pair, seat) for pair in islice(_pairs_told_alike(said, None), PAIRS))
    for number, other in enumerate(_other_holdings(match, seat, shuffled, rng)):
        with suppress(*NO_STATE):
            both = product(said, siblings(other, seat, rng.child("swapped", number)))
            alike = (pair for pair in both if _are_publicly_alike(*pair))
            compared += sum(_check_pair(pair, seat) for pair in islice(alike, PAIRS))
    return compared


def _check_pair(pair: Pair, seat: Seat) -> int:
    compared = 0
    for one, two in _followed(pair):
        if not _are_publicly_alike(one, two):
            break
        if _are_apart(one, two):
            compared += 1
            assert one.view(seat) != two.view(seat), f"seat {seat} forgets what it has said, or held"
    return compared


def check_untold(line: Line) -> None:
    """Check that others see no change in a running match that no fact tells them."""
    for before, after in pairwise(line.moments):
        for viewer in viewers(after) if after.outcome is None else ():
            if viewer != after.log[-1].seat and not _last_facts(after, viewer):
                said = f"viewer {viewer} sees that something has changed, and no fact tells it"
                assert _reached(after, viewer) == _reached(before, viewer), said


def siblings(match: Match, seat: Seat, rng: Rng) -> Iterator[Match]:
    """Yield the match after each of several sentences of a seat, unless one ends it."""
    seen: set[Words] = {()}
    for number in range(RANDOM):
        child = rng.child("sibling", number)
        words = random_sentence(match, seat, child)
        for said in (words, *islice(_one_word_apart(match, seat, words, child), ONE_WORD_APART)):
            if said not in seen:
                seen.add(said)
                with suppress(ActionError):
                    after = match.act(seat, said)
                    if after.outcome is None:
                        yield after


def _one_word_apart(match: Match, seat: Seat, words: Words, rng: Rng) -> Iterator[Words]:
    """Yield sentences with another word in one place; some of them may not be said."""
    for place in rng.stream("places").shuffled(range(len(words))):
        menu = match.menu(seat, words[:place])
        others = [] if menu is None else [each.word for each in menu.choices() if each.word != words[place]]
        for other in rng.stream("other", place).shuffled(others)[:2]:
            yield (*words[:place], other, *words[place + 1 :])


def _other_holdings(match: Match, seat: Seat, shuffled: frozenset[Path], rng: Rng) -> Iterator[Match]:
    """Yield the match in states that the seat alone can tell from the real one: two cards are exchanged."""
    found = 0
    for _, _, state in swapped(match.state, rng.stream("swap"), shuffled):
        other = replace(match, state=state)
        with suppress(*NO_STATE):
            if other.view(None) == match.view(None) and other.view(seat) != match.view(seat):
                yield other
                found += 1
        if found == SWAPS:
            return


def _followed(pair: Pair) -> Iterator[Pair]:
    """Yield two running matches, and both after each of the same sentences."""
    one, two = pair
    yield pair
    for later in islice(on_from(one), AFTERWARDS):
        try:
            two = two.apply(later.log[-1])
        except ActionError:  # what follows the one cannot follow the other
            return
        if later.outcome is not None or two.outcome is not None:
            return
        yield later, two


def _pairs_told_alike(said: Iterable[Match], viewer: Viewer) -> Iterator[Pair]:
    first: dict[object, Match] = {}
    for two in said:
        one = first.setdefault(_last_facts(two, viewer), two)
        if one is not two:
            yield one, two


def _last_facts(match: Match, viewer: Viewer) -> tuple[Fact, ...]:
    return facts_for(match.batches[-1], viewer)


def _are_publicly_alike(one: Match, two: Match) -> bool:
    return _last_facts(one, None) == _last_facts(two, None) and one.view(None) == two.view(None)


def _are_apart(one: Match, two: Match) -> bool:
    return truth(one.game, one.state) != truth(two.game, two.state)


def _assert_alike(one: Match, two: Match, viewer: Viewer, seat: Seat) -> None:
    said = f"viewer {viewer} sees what seat {seat} has said, and no fact tells it"
    assert _reached(one, viewer) == _reached(two, viewer), said


def _reached(match: Match, viewer: Viewer) -> list[str]:
    """Return, as text, what a viewer sees, who it thinks is asked, and what it may say."""
    game, view = match.game, match.view(viewer)
    menu = game.menu(view)
    return [
        canonical(game.describe(view)),
        shown(view),
        repr(sorted(game.waiting(view))),
        repr(None if menu is None else plain(game).menu(menu)),
    ]
