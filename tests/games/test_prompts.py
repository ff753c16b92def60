"""Questions of panels: none asks for what is chosen already. Walks of the menus by chance."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.core.contract import Field, Menu
from engines.core.match import Match
from engines.core.registry import game
from engines.core.rng import Rng, Stream
from tests.contract.checks.sampling import baseline, seed, tables

EXTRAS = {"volt": {"modules", "swap", "units"}, "doge": set[str]()}
"""Fields that the question does not ask for: they may be left alone."""

STILL_ASKED = {"prompt.guess_waits"}
"""Questions that ask for nothing: they say what has to be waited for."""

ACTS, WORDS = 40, 10


@pytest.mark.parametrize("key", sorted(EXTRAS))
def test_no_question_asks_for_what_is_chosen(key: str) -> None:
    answers = 0
    for table, setup in enumerate(tables(game(key))[:3]):
        for number, match in zip(range(ACTS), baseline(game(key), setup, seed("asked", table)), strict=False):
            for seat in range(setup.seats) if number % 3 == 0 else ():
                stream = Rng(match.seed).child("asked", number).stream(f"seat {seat}")
                for before, part, after in answered(match, seat, stream):
                    if part.chosen or part.key in EXTRAS[key] or after.prompt.key in STILL_ASKED:
                        continue
                    assert after.prompt != before.prompt, (part.key, after.draft)
                    answers += 1
    assert answers >= 100


def answered(match: Match, seat: int, stream: Stream) -> Iterator[tuple[Menu, Field, Menu]]:
    """Yield menus of a draft that grows by chance: the one before a word, the word's field, the one after."""
    menu = match.menu(seat)
    for _ in range(WORDS):
        fields = [] if menu is None or menu.reveals else [part for part in menu.fields if part.choices]
        if menu is None or not fields:
            return
        part = stream.choice(fields)
        following = match.menu(seat, (*menu.draft, stream.choice(part.choices).word))
        assert following is not None
        yield menu, part, following
        menu = following
