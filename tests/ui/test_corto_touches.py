"""How many touches CORTO takes from the newest message, *Open your panel* and each *Confirm* included."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.pages.custom_ids import Action
from engines.core.contract import Menu, Words
from engines.core.match import Match
from tests.kit.samples import some
from tests.ui.panels import page_of, places, pressed
from tests.ui.positions import begun, panel_of


@pytest.mark.parametrize("seats", some([3, 2, 4]))
def test_a_character_with_its_action_and_two_draws_takes_eight_touches(seats: int) -> None:
    """*Open your panel*, card, square, action, and two cards: each looked at, or both named at once."""
    looked, named = set(), set()
    match = begun("corto", seats, seats)
    while match.waiting:
        seat = min(match.waiting)
        if len(match.log) % 2 == 0 and duty(match, seat) == "turn":
            for placed, touches in characters_acting(match, seat):
                drawing = pressed(match, seat, placed)
                looked |= {1 + touches + drawing[deck] + 1 + drawing[deck] + 1 for deck in decks(drawing)}
                both = pressed(match, seat, (*placed, "end"))
                named |= {
                    1 + touches + drawing["end"] + both[two] + 1 for two in decks(both) if len(two) == 2
                }
        match = match.act(seat, match.computer(seat))
    assert max(looked) <= 8
    assert max(named) <= 8


def characters_acting(match: Match, seat: int) -> Iterator[tuple[Words, int]]:
    """Yield drafts of a character with its first action after which two cards may be drawn, and touches."""
    for card, first in pressed(match, seat, ()).items():
        menu = match.menu(seat, (card,))
        if menu is None or [part.key for part in menu.fields] != ["place"]:
            continue
        for square, second in list(pressed(match, seat, menu.draft).items())[:2]:
            placed = match.menu(seat, (*menu.draft, square))
            if placed is None or not placed.fields:
                continue
            acts = [c.word for part in placed.fields if part.key in ("add", "hit") for c in part.choices]
            third = pressed(match, seat, placed.draft) if acts else {}
            for word in acts[:2]:
                acted = match.menu(seat, (*placed.draft, word))
                if acted is not None and acted.complete and not acted.reveals and ends(match, seat, acted):
                    yield acted.draft, first + second + third[word]


def duty(match: Match, seat: int) -> str:
    """Return what a seat is asked for."""
    menu = match.menu(seat)
    assert menu is not None
    return menu.key


def ends(match: Match, seat: int, acted: Menu) -> bool:
    """Return whether two cards may be drawn after the draft."""
    ended = match.menu(seat, (*acted.draft, "end"))
    return ended is not None and any(part.key == "pair" for part in ended.fields)


def decks(costs: dict[str, int]) -> list[str]:
    """Return the words that draw, one card or more."""
    return [word for word in costs if set(word) <= set("ABCDEF")]


@pytest.mark.parametrize("seats", [2, 4])
def test_a_set_up_takes_six_touches_and_four_where_chance_deals(seats: int) -> None:
    match = begun("corto", 1, seats)
    for _ in range(seats):
        [seat] = [seat for seat in match.waiting if duty(match, seat) == "start"]
        costs = pressed(match, seat, ())
        assert set(costs.values()) == {1}
        start = next(iter(costs))
        # Two and two cards, with a look between them: each pair is confirmed.
        some = pressed(match, seat, ("start", start))
        two = next(word for word in decks(some) if len(word) == 2)
        begun_hand = match.act(seat, ("start", start, two))
        rest = pressed(begun_hand, seat, ())
        assert 1 + costs[start] + some[two] + 1 + rest[two] + 1 <= 6
        page = page_of(panel_of(match, seat, ("start", start)))
        assert [place.word for place in places(page) if place.action is Action.SHUFFLE] == ["deal"]
        assert 1 + costs[start] + 1 + 1 <= 4
        match = match.act(seat, ("start", start, two + two))
