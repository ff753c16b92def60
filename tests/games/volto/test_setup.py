"""The set-up: arranging, shuffling, swapping, the lot, and who learns what."""

from __future__ import annotations

import pytest

from engines.core.contract import facts_for
from engines.core.rng import Rng
from engines.volto import GAME
from engines.volto.board import homes
from engines.volto.view import Phase
from tests.games.volto.support import (
    MOON,
    RNG,
    SETUP,
    SUN,
    arranged,
    english,
    letters,
    menu_of,
    refusal,
    text,
)

LETTERS = "NALANCSNLA"


def test_an_arrangement_is_palace_row_then_the_row_before_it() -> None:
    position, side = text(arranged("NALANCSNLA", "AAANNNLLCS")).split()
    assert position == "aaann/nllcs/5/5/5/CSNLA/NALAN"
    assert side in "01"


def test_both_arrange_at_the_same_time_and_nobody_moves_before() -> None:
    state = GAME.start(SETUP, RNG).state
    assert GAME.waiting(GAME.view(state, None)) == {SUN, MOON}
    state = GAME.act(state, MOON, ("setup", LETTERS), RNG).state
    assert GAME.waiting(GAME.view(state, None)) == {SUN}
    assert refusal(state, MOON, ("a6", "a5")) == (
        "illegal",
        "You’ve arranged your masks. Wait for your rival.",
    )
    assert refusal(state, MOON, ("setup", LETTERS))[0] == "illegal"
    assert refusal(state, SUN, ("a2", "a3")) == (
        "illegal",
        "Arrange your masks first, for example with `setup NALANCSNLA`.",
    )


def test_the_order_of_arranging_changes_nothing_on_the_mat() -> None:
    first = GAME.start(SETUP, RNG).state
    sun_first = GAME.act(GAME.act(first, 0, (LETTERS,), RNG).state, 1, ("AAANNNLLCS",), RNG).state
    moon_first = GAME.act(GAME.act(first, 1, ("AAANNNLLCS",), RNG).state, 0, (LETTERS,), RNG).state
    assert GAME.record(sun_first) == GAME.record(moon_first)


def test_the_lot_falls_both_ways_and_alike_for_one_seed() -> None:
    firsts = [arranged(rng=Rng.of_match(bytes([number]) * 32)).public.turn for number in range(20)]
    assert set(firsts) == {SUN, MOON}
    assert firsts == [arranged(rng=Rng.of_match(bytes([number]) * 32)).public.turn for number in range(20)]


def test_who_learns_what() -> None:
    state = GAME.start(SETUP, RNG).state
    one = GAME.act(state, SUN, ("setup", LETTERS), RNG)
    assert [english(fact) for fact in facts_for(one.events, MOON)] == ["Sun has set up the masks."]
    assert facts_for(one.events, MOON) == facts_for(one.events, None)
    assert [fact["seat"] for fact in facts_for(one.events, None)] == [SUN]
    assert english(facts_for(one.events, SUN)[1]) == f"Arrangement: {LETTERS}."
    two = GAME.act(one.state, MOON, ("setup", LETTERS), RNG)
    first = GAME.view(two.state, None).first
    assert [fact.kind for fact in facts_for(two.events, None)] == ["arranged", "begins"]
    assert facts_for(two.events, None)[1]["seat"] == first == GAME.view(two.state, None).turn


def test_a_rivals_arrangement_is_seen_as_ten_masks() -> None:
    state = GAME.act(GAME.start(SETUP, RNG).state, SUN, ("setup", LETTERS), RNG).state
    mine, theirs = GAME.view(state, SUN), GAME.view(state, MOON)
    assert mine.arrangement == letters(mask.kind for mask in mine.masks if mask.kind) == LETTERS
    assert mine.position == "5/5/5/5/5/CSNLA/NALAN -"
    assert theirs.position == "5/5/5/5/5/XXXXX/XXXXX -"
    assert (theirs.arrangement, theirs.arranged, theirs.phase) == (None, (SUN,), Phase.SETUP)
    assert {letters(mask.may_be) for mask in theirs.masks} == {"NALCS"}


@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("NALANCSNL", "you gave 9"),
        ("NALANCSNLAA", "you gave 11"),
        ("NALANCSNLX", "“X” isn’t a mask"),
        ("nalancsnla", "isn’t a mask"),
        ("NNNNACSALA", "Wrong number of Nobles: 4 instead of 3."),
        ("NALANCCNLA", "Wrong number of Candidates: 2 instead of 1."),
        ("NAAAAACSNL", "Wrong number of Nobles: 2 instead of 3."),
    ],
)
def test_a_wrong_arrangement_is_refused_with_the_reason(word: str, part: str) -> None:
    kind, reason = refusal(GAME.start(SETUP, RNG).state, SUN, ("setup", word))
    assert kind == "invalid"
    assert part in reason


def test_unfinished_sentences() -> None:
    state = GAME.start(SETUP, RNG).state
    for words in ((), ("setup",), ("setup", "a1")):
        kind, reason = refusal(state, SUN, words)
        assert (kind, "ten letters" in reason) == ("invalid", True)
    assert refusal(state, SUN, ("setup", LETTERS, "a1")) == ("invalid", "A swap needs two squares.")


# --- the menu -------------------------------------------------------------------------------------


def test_it_begins_with_a_shuffle_of_the_ten_letters() -> None:
    menu = menu_of(GAME.view(GAME.start(SETUP, RNG).state, SUN))
    assert (menu.key, menu.keep, menu.complete, menu.closing) == ("setup", True, False, False)
    assert [sorted(part.shuffle) for part in menu.fields] == [sorted(LETTERS)]


@pytest.mark.parametrize("draft", [(LETTERS,), ("setup", LETTERS), ("setup", "AAANNNLLCS", LETTERS)])
def test_an_arrangement_is_folded_and_can_be_confirmed(draft: tuple[str, ...]) -> None:
    menu = menu_of(GAME.view(GAME.start(SETUP, RNG).state, SUN), draft)
    assert menu.draft == ("setup", LETTERS)
    assert (menu.complete, menu.closing, menu.keep) == (True, True, True)
    assert [part.key for part in menu.fields] == ["shuffle", "swap"]
    assert len(menu.fields[1].choices) == 10


@pytest.mark.parametrize(("seat", "one", "other"), [(SUN, "a1", "a2"), (MOON, "a7", "a6")])
def test_a_swap_is_folded_into_the_arrangement(seat: int, one: str, other: str) -> None:
    view = GAME.view(GAME.start(SETUP, RNG).state, seat)
    half = menu_of(view, (LETTERS, one))
    assert half.draft == ("setup", LETTERS, one)
    assert not half.complete
    assert other in [choice.word for choice in half.choices()]
    done = menu_of(view, (*half.draft, other))
    assert done.draft == ("setup", "CALANNSNLA")
    taken = GAME.act(GAME.start(SETUP, RNG).state, seat, (LETTERS, one, other), RNG)
    assert GAME.view(taken.state, seat).arrangement == "CALANNSNLA"


def test_like_masks_are_not_offered_for_a_swap() -> None:
    view = GAME.view(GAME.start(SETUP, RNG).state, SUN)
    half = menu_of(view, (LETTERS, "a1"))
    nobles = {"a1", "e1", "c2"}
    assert {choice.word for choice in half.choices()} == set(homes(SUN)) - nobles
    for square in sorted(nobles):
        kind, reason = refusal(GAME.start(SETUP, RNG).state, SUN, ("setup", LETTERS, "a1", square))
        assert (kind, "alike (Noble)" in reason) == ("illegal", True)


@pytest.mark.parametrize(
    ("seat", "rows"),
    [(SUN, ["a2 b2 c2 d2 e2", "a1 b1 c1 d1 e1"]), (MOON, ["e6 d6 c6 b6 a6", "e7 d7 c7 b7 a7"])],
)
def test_masks_to_swap_are_asked_for_as_they_stand(seat: int, rows: list[str]) -> None:
    swap = menu_of(GAME.view(GAME.start(SETUP, RNG).state, seat), ("setup", LETTERS)).fields[1]
    words = [choice.word for choice in swap.choices]
    assert [" ".join(words[:5]), " ".join(words[5:])] == rows


def test_a_swap_keeps_to_the_own_ten_squares() -> None:
    kind, reason = refusal(GAME.start(SETUP, RNG).state, MOON, ("setup", LETTERS, "a1", "a2"))
    assert kind == "illegal"
    assert reason == "a1 isn’t one of your squares. Yours are a7, b7, c7, d7, e7, a6, b6, c6, d6 and e6."


def test_the_preview_shows_the_arrangement_to_its_own_seat() -> None:
    state = GAME.act(GAME.start(SETUP, RNG).state, SUN, (LETTERS,), RNG).state
    view = GAME.view(state, MOON)
    assert GAME.preview(view, ()) == view
    seen = GAME.preview(view, ("AAANNNLLCS", "a7", "a6"))
    assert seen.position == "naann/allcs/5/5/5/XXXXX/XXXXX -"
    assert seen.arrangement == "NAANNALLCS"


def test_who_has_arranged_has_no_menu() -> None:
    state = GAME.act(GAME.start(SETUP, RNG).state, SUN, (LETTERS,), RNG).state
    assert GAME.menu(GAME.view(state, SUN)) is None
    assert GAME.menu(GAME.view(state, None)) is None
    assert GAME.legal(GAME.view(state, MOON)) is None, "arrangements are too many to list"
