"""Menus lead to sentences, and sentences are what menus lead to; for every game."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.core import listing
from engines.core.contract import InvalidAction, Words
from engines.core.match import AnyGame, Match
from engines.core.rng import Rng
from tests.contract.checks import menus
from tests.contract.checks.sampling import seed
from tests.contract.checks.secrets import random_sentence
from tests.contract.conftest import GAMES, moments_of
from tests.kit.samples import MORE

EXAMPLES = settings(
    max_examples=75 * min(MORE, 4) if MORE > 1 else 40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def test_menus_lead_to_sentences(moments: tuple[Match, ...], rng: Rng) -> None:
    for number, match in enumerate(moments):
        for seat in range(match.setup.seats):
            menus.check_menus(match, seat, rng.child("menus", number, seat))


def test_sentences_are_told_in_words(moments: tuple[Match, ...], rng: Rng) -> None:
    for number, match in enumerate(moments):
        for seat in range(match.setup.seats):
            menus.check_told(match, seat, rng.child("told", number, seat))


def test_listed_sentences_are_those_of_the_menus(moments: tuple[Match, ...], rng: Rng) -> None:
    """A game's own list and the walk of its menus are the same, and act takes a sample and nothing else."""
    pool = [match.log[-1].words for match in moments if match.log and match.log[-1].words]
    for match in moments[: 3 * MORE if MORE > 1 else 2]:
        for seat in sorted(match.waiting):
            view = match.view(seat)
            try:
                listed = listing.legal(match.game, view, 5_000)
                walked = set(listing.sentences(match.game, view, 5_000))
            except listing.NotListable:
                continue
            assert len(listed) == len(set(listed)), "a sentence is listed twice"
            assert set(listed) == walked, "the list and the menus differ"
            menus.check_listed(match, seat, walked, menus.strange_words(match, seat, pool, rng))
            for words in listed[:: max(1, len(listed) // 20)]:
                menus.check_refusals(match, seat, words)
                assert menus.attempt_kind(match, seat, words) is None


@cache
def vocabulary(key: str) -> tuple[str, ...]:
    """Return words of the game, from menus and from what was said."""
    words: dict[str, None] = {}
    for match in moments_of(key):
        for entry in match.log[-4:]:
            words.update(dict.fromkeys(entry.words))
        for seat in sorted(match.waiting):
            menu = match.menu(seat)
            words.update(dict.fromkeys(c.word for c in (menu.choices() if menu else ())[:6]))
    return tuple(words)


TEXTS = st.text(max_size=12) | st.text("abcdefgXxNALCSo0123456789-/:.+ ", max_size=8)


@st.composite
def spoilt(draw: st.DrawFn, word: str) -> str:
    """Return ``word`` with other signs somewhere in it, one of its own perhaps gone."""
    at = draw(st.integers(0, len(word)))
    return word[:at] + draw(TEXTS) + word[at + draw(st.integers(0, 1)) :]


@st.composite
def mutated(draw: st.DrawFn, key: str, words: Words) -> Words:
    """Return ``words`` with a few changes: dropped, doubled, swapped, replaced, spoilt."""
    found = list(words)
    known = st.sampled_from(vocabulary(key))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(found)))
        match draw(st.integers(0, 4)):
            case 0:
                del found[at : at + 1]
            case 1:
                found[at:at] = [draw(known)]
            case 2:
                found[at : at + 1] = [draw(TEXTS)]
            case 3:
                found[at : at + 1] = [draw(known)]
            case _:
                found[at : at + 1] = [draw(spoilt(word)) for word in found[at : at + 1]]
    return tuple(found)


@pytest.mark.parametrize("key", GAMES)
@EXAMPLES
@given(data=st.data())
def test_any_words_are_taken_or_refused(key: str, data: st.DataObject) -> None:
    pool = moments_of(key)
    match = pool[data.draw(st.integers(0, len(pool) - 1))]
    seat = data.draw(st.integers(0, match.setup.seats - 1))
    whose = data.draw(st.integers(0, match.setup.seats - 1))
    legal = random_sentence(match, whose, Rng(seed("mutated", data.draw(st.integers(0, 50)))))
    menus.check_refusals(match, seat, data.draw(mutated(key, legal)))


@pytest.mark.parametrize("key", GAMES)
@EXAMPLES
@given(data=st.data())
def test_any_text_is_read_or_refused(key: str, data: st.DataObject) -> None:
    game: AnyGame = GAMES[key]
    entries = [entry for match in moments_of(key) for entry in match.log[-1:]]
    known = [game.write(entry.words) for entry in entries]
    text = data.draw(TEXTS | st.sampled_from(known))
    if data.draw(st.booleans()):
        text = data.draw(spoilt(text))
    try:
        words = game.read(text)
    except InvalidAction:
        return
    assert game.read(game.write(words)) == words
