"""Turns of every game in few touches: a button is one, a select two, since it is opened first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.core.contract import Fact, Words
from engines.core.match import Match
from engines.core.rng import Rng
from tests.games.volt.support import situation
from tests.kit.samples import MORE
from tests.ui.limits import check, sent
from tests.ui.panels import page_of, pressed, seats_asked, touches_by_word
from tests.ui.positions import begun, drafts, panel_of, played


def bound(key: str, text: str) -> int:
    """Return how many touches a turn may cost from the open panel, Confirm included."""
    if key == "volto" or "-" not in text:
        return 3
    return 5 if "/" in text else 4


@pytest.mark.parametrize("key", ["volto", "volo"])
def test_a_turn_takes_few_touches(key: str) -> None:
    kinds = set()
    for number in range(min(MORE, 3)):
        for step, match in enumerate(played(key, number, 80)):
            if step % 5 < 3 or match.outcome is not None:
                continue
            touches, text = touches_of_a_turn(match, seats_asked(match)[0], step)
            assert touches <= bound(key, text), text
            kinds.add(bound(key, text))
    assert kinds >= ({3} if key == "volto" else {3, 4})


@pytest.mark.parametrize("seats", [2, 4])
def test_a_program_without_modules_takes_eight_touches(seats: int) -> None:
    """A die and an arrow a unit, a tile, and Confirm: each is a button."""
    match = until("volt", seats, "program")
    draft: Words = ()
    total = 1
    for word in ("I:r3", "I:NE", "II:b3", "II:W", "III:r6", "III:S", "tile:2"):
        total += pressed(match, 0, draft)[word]
        menu = match.menu(0, (*draft, word))
        assert menu is not None
        assert menu.closing is (word == "tile:2")
        draft = menu.draft
    assert match.game.write(draft) == "program I:r3NE II:b3W III:r6S tile:2"
    assert total == 8
    # An arrow that is turned costs its unit's button and the ring's.
    opened = match.menu(0, (*draft, "II-"))
    assert opened is not None
    assert pressed(match, 0, draft)["II-"] + pressed(match, 0, opened.draft)["II:N"] == 2


def test_dice_and_arrows_stay_buttons_where_modules_are_many() -> None:
    """With the most that a panel of VOLT has to show: two modules in use, and dozens of swaps."""
    spare = [
        "crossfire",
        "turbo",
        "diagonal",
        "shield",
        "knockback",
        "reflector",
        "anchor",
        "saw",
        "mine",
        "jump",
    ]
    robots = [
        {"pos": "b1", "active": ["strafe", "bomb"], "spare": spare},
        {"pos": "d1"},
        {"pos": "e5"},
        {"pos": "g5"},
    ]
    match = situation(robots)
    draft: Words = ()
    for word in ("I:b3", "I:E", "II:r4", "II:N", "III:r2", "III:NE", "tile:4"):
        panel = panel_of(match, 0, draft)
        costs = touches_by_word(panel)
        assert panel.menu is not None
        assert set(costs) == {choice.word for choice in panel.menu.choices()}
        asked = panel.menu.fields[0]
        assert {costs[choice.word] for choice in asked.choices} == {1}
        assert max(costs.values()) <= 4, "a swap: its deck, and which"
        check(sent(page_of(panel)))
        menu = match.menu(0, (*draft, word))
        assert menu is not None
        draft = menu.draft
    assert touches_by_word(panel_of(match, 0, draft))["II-"] == 1


def test_a_character_with_its_action_takes_four_touches() -> None:
    """Card, square, action: from the open panel. They are buttons, but where they are many."""
    seen = set()
    for number in range(4):
        for step, match in enumerate(played("corto", number, 40)):
            seats = [seat for seat in seats_asked(match) if match.view(None).phase.value == "turn"]
            for seat in seats[:1] if step % 2 == 0 else ():
                seen |= set(touches_of_characters(match, seat))
    assert seen
    assert min(seen) == 3
    assert max(seen) <= 4


@pytest.mark.parametrize("seats", [2, 4])
def test_a_gift_takes_three_touches(seats: int) -> None:
    """The true card, the false one, and Confirm; the false card alone would do. The square is proposed."""
    match = until("doge", seats, "show")
    [giver] = match.waiting
    view = match.view(giver)
    for false in view.false_hand:
        true = view.own.other_kind(false)
        costs = pressed(match, giver, ())
        assert costs[false] == costs[true] == pressed(match, giver, (true,))[false] == 1
        for draft in ((true, false), (false,)):
            menu = match.menu(giver, draft)
            assert menu is not None
            assert menu.closing
            assert set(pressed(match, giver, menu.draft).values()) == {1}, (
                "everything can be changed by a touch"
            )


@pytest.mark.parametrize("seats", [2, 4])
def test_a_turn_with_a_meeting_takes_four_touches(seats: int) -> None:
    """Roll, Confirm, the way, Confirm: whoever stands alone there is met without a question."""
    match = until("doge", seats, "roll")
    met = 0
    while match.outcome is None and met < 3:
        [seat] = match.waiting
        if match.view(None).phase.value == "roll":
            assert touches_to_confirm(match, seat, "roll") == 2
        if match.view(None).phase.value == "move":
            for way in ("cw", "ccw"):
                moved = match.act(seat, (way,))
                met += any(fact.kind == "met" for fact in match_facts(moved, match))
                assert touches_to_confirm(match, seat, way) == 2
        match = match.act(seat, match.computer(seat))
    assert met >= 3


def touches_to_confirm(match: Match, seat: int, word: str) -> int:
    """Return what a sentence of one word costs, Confirm included."""
    menu = match.menu(seat, (word,))
    assert menu is not None
    assert menu.closing
    return pressed(match, seat, ())[word] + 1


def match_facts(match: Match, before: Match) -> list[Fact]:
    """Return what all have learned since ``before``."""
    return [fact for _, fact in match.facts(None)][len(list(before.facts(None))) :]


def until(key: str, seats: int, phase: str) -> Match:
    """Return a match of computer players as it comes to a phase first."""
    match = begun(key, 1, seats)
    while match.view(None).phase.value != phase:
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
    return match


def touches_of_characters(match: Match, seat: int) -> Iterator[int]:
    """Yield what each card that goes on a square costs with each of its first actions."""
    turn = match.view(None).turn
    if turn is None or turn.seat != seat:
        return
    for card, first in pressed(match, seat, ()).items():
        menu = match.menu(seat, (card,))
        if menu is None or [part.key for part in menu.fields] != ["place"]:
            continue
        for square, second in list(pressed(match, seat, menu.draft).items())[:3]:
            placed = match.menu(seat, (*menu.draft, square))
            if placed is None or placed.closing:
                continue
            acts = {c.word for part in placed.fields if part.key in ("add", "hit") for c in part.choices}
            third = pressed(match, seat, placed.draft) if acts else {}
            yield from (first + second + third[word] for word in acts)


def touches_of_a_turn(match: Match, seat: int, step: int) -> tuple[int, str]:
    """Return what a random whole turn costs in touches, and the turn."""
    total = 0
    before: Words = ()
    for draft in drafts(match, seat, Rng(match.seed).child("touch", step)):
        if len(draft) > len(before):
            total += pressed(match, seat, before)[draft[-1]]
        before = draft
    panel = panel_of(match, seat, before)
    assert panel.menu is not None
    assert panel.menu.complete
    return total + 1, match.game.write(before)
