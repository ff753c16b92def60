"""Words, menus, previews: what is offered, what single words stand for, what a draft shows."""

from __future__ import annotations

from itertools import product

import pytest

from engines.core.contract import Field, InvalidAction, Menu
from engines.core.rng import Rng
from engines.corto import GAME
from engines.corto.notation import VERBS
from engines.corto.state import State
from engines.corto.view import Mark, View
from tests.games.corto.turns import at, given, kinds, offered, say, view

BOARD = {"a3": "A01 red", "a5": "A02 blue blue", "b4": "B01", "d4": "D01 red blue"}


def menu(state: State, text: str = "") -> Menu:
    found = GAME.menu(view(state), tuple(text.split()))
    assert found is not None
    return found


def preview(state: State, text: str) -> View:
    return GAME.preview(view(state), GAME.read(text))


def draft(state: State, *touches: str) -> Menu:
    """Return the menu after touches, each a word that the menu before it offers."""
    found = menu(state)
    for touch in touches:
        assert found.find(touch) is not None, f"{touch} is not offered after {found.draft}"
        following = GAME.menu(view(state), (*found.draft, touch))
        assert following is not None
        found = following
    return found


# --- notation -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "start a1 draw A A C E",
        "play A04 a3 +a2 use A15 -a5:red kill a6 end draw A C",
        "play A04 a3<c2 +a2<c3",
        "play E04 e4 hit train",
        "play A04 a3 sail left",
        "corto C19 c2 gold +c2 +c2",
        "rasputin A19 b3 kill b3",
        "adv A16 a2 e4",
        "adv B16 move a1>b2 move a1>b3",
        "adv D18 a3:blue",
        "adv E17 blue",
        "shot -a5:red",
        "shot kill a5",
        "discard A04 B11",
        "discard",
        "enough",
    ],
)
def test_the_notation_of_the_rules_page_is_read_and_written(text: str) -> None:
    assert GAME.write(GAME.read(text)) == text
    assert GAME.read(text.upper()) == GAME.read(text)
    assert GAME.read(f"  {text.replace(' ', '  ')} ") == GAME.read(text)


def test_no_verb_is_another_kind_of_word() -> None:
    for verb in VERBS:
        assert GAME.read(verb) == (verb,)
    for text in ("a8", "a33", "+3a", "-a3", "a3:pink", "a3>", "<", "kill:", "ä3", "A4a"):
        with pytest.raises(InvalidAction):
            GAME.read(text)


# --- single touches -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("touches", "text"),
    [
        (("A04", "a4", "+a3"), "play A04 a4 +a3"),
        (("A10", "a4", "-a5:blue"), "play A10 a4 -a5:blue"),
        (("A10", "a4", "kill:b4"), "play A10 a4 kill b4"),
        (("A10", "a4", "left", "+a5"), "play A10 a4 sail left +a5"),
        (("D19", "b3", "+a3", "+b4"), "corto D19 b3 gold +a3 +b4"),
        (("D19", "b3", "gold"), "corto D19 b3 gold"),
    ],
)
def test_a_common_card_takes_four_touches_at_most(touches: tuple[str, ...], text: str) -> None:
    state = given(BOARD, "A04 A10 D19", figurines={"rasputin": "d7"})
    assert len(touches) <= 4
    found = draft(state, *touches)
    assert GAME.write(found.draft) == text
    assert found.complete
    assert not found.closing, "only what reveals or ends is confirmed"


def test_objects_and_advantages_take_few_touches_too() -> None:
    state = given(BOARD, "A04 A14 A16 D18")
    assert GAME.write(draft(state, "A04", "a4", "A14", "kill:b4").draft) == "play A04 a4 use A14 kill b4"
    assert GAME.write(draft(state, "A16", "a3", "d4").draft) == "adv A16 a3 d4"
    assert GAME.write(draft(state, "D18", "d4:blue").draft) == "adv D18 d4:blue"


def test_the_ends_are_confirmed_and_draws_stand_beside() -> None:
    state = given(BOARD, "A04 A10 A14")
    ended = draft(state, "A04", "a4", "end")
    assert ended.closing
    draws = ("A", "B", "D", "AA", "AB", "AD", "BB", "BD", "DD")
    assert {choice.word: choice.reveals for choice in ended.choices()} == {
        **dict.fromkeys(draws, True),
        "enough": False,
    }
    for touch, text in (("A", "draw A"), ("BD", "draw B D")):
        drawn = draft(state, "A04", "a4", "end", touch)
        assert GAME.write(drawn.draft) == f"play A04 a4 end {text}"
        assert drawn.closing
        assert drawn.fields == ()
    tossed = draft(state, "discard", "A10")
    assert tossed.closing
    assert {"A04", "A14", "B"} <= {choice.word for choice in tossed.choices()}


def test_a_draw_ends_the_cards_of_a_turn_by_itself() -> None:
    state = given(BOARD, "A04 A10 A14")
    drawn = draft(state, "A04", "a4", "B")
    assert GAME.write(drawn.draft) == "play A04 a4 end draw B"
    assert drawn.reveals
    assert GAME.write(menu(state, "play A04 a4 BA").draft) == "play A04 a4 end draw B A"
    assert "B" not in offered(state), "a turn without a card is a discard turn, and says so"
    assert "B" not in offered(given(BOARD, "A04 A14"), "A04 a4 A14"), "its first hit must come before"
    full = given(BOARD, "A04 A10 A14 A15", decks={"A": [], "B": [], "D": []})
    assert "end" in offered(full, "A04 a4")
    assert not {"A", "B", "D"} & set(offered(full, "A04 a4"))


def test_no_two_cards_are_offered_from_a_deck_that_has_one() -> None:
    state = given(BOARD, "A04", decks={"A": ["A05"], "D": []})
    assert not {"AA", "AD", "D"} & set(offered(state, "A04 a4 end"))
    assert {"AB", "BB"} <= set(offered(state, "A04 a4 end"))


def dealt(state: State, text: str) -> Field | None:
    """Return the field of cards drawn as chance has it."""
    return next((part for part in menu(state, text).fields if part.shuffle), None)


def test_chance_may_choose_the_decks() -> None:
    state = given(BOARD, "A04 A10", decks={"A": ["A05"]})
    words, stream = set(), Rng(bytes(32)).stream("deal")
    for text, number in (("A04 a4 end", 2), ("discard A10", 3), ("discard A04 A10", 4)):
        part = dealt(state, text)
        assert part is not None
        assert part.take == number
        for _ in range(40):
            word = "".join(part.drawn(stream))
            after = menu(state, f"{text} {word}")
            assert after.closing
            assert after.reveals
            words.add(word)
    assert len({"".join(sorted(word)) for word in words if len(word) == 4}) > 3, "any hand may come"
    assert not any(word.count("A") > 1 for word in words), "the deck has one card"
    assert dealt(given(BOARD, "A04 A10 A14 B03"), "A04 a4 end") is None, "one card is no deal"


def test_typed_verbs_lead_where_touches_lead() -> None:
    state = given(BOARD, "A04 A10 A14 D18")
    assert set(offered(state, "play")) == {"A04", "A10"}
    assert set(offered(state, "adv")) == {"D18"}
    assert set(offered(state, "play A10 a4 kill")) == {"b4"}
    assert set(offered(state, "play A10 a4 sail")) == {"left"}
    assert set(offered(state, "discard A04 draw")) == {"A", "B", "D"}


def test_stock_empty_asks_where_the_marker_comes_from() -> None:
    state = given({"a3": "A01 red", "a5": "A02 red"}, "A04", stock={"red": 0})
    assert GAME.write(draft(state, "A04", "a4", "<a5", "+a3", "<a4").draft) == "play A04 a4<a5 +a3<a4"
    assert not draft(state, "A04", "a4").complete


def test_many_choices_come_in_groups() -> None:
    everywhere = {
        f"{strip.lower()}{column}": f"{strip}{column:02} blue green yellow"
        for strip, column in product("ABCD", range(1, 8))
    }
    state = given(
        everywhere,
        "D18 A16 A15 C19",
        seats="red blue yellow green",
        strips="ABCD",
        figurines={"corto": "c2", "rasputin": "a0"},
    )
    for text in ("adv D18", "adv A16", "adv A16 a3", "corto C19 b3 use A15"):
        part = menu(state, text).fields[0]
        assert len(part.choices) > 25
        sizes = [sum(choice.group == group.key for choice in part.choices) for group in part.groups]
        assert sum(sizes) == len(part.choices)
        assert max(sizes) <= 25


# --- previews -------------------------------------------------------------------------------------


def test_a_preview_shows_the_steps_so_far() -> None:
    state = given(BOARD, "A04 A14")
    shown = preview(state, "play A04 a4 +a3")
    assert shown.at("a4") is not None
    assert [fact.kind for fact in shown.draft] == ["played", "added", "added"]
    assert [card.card for card in shown.players[0].hand] == ["A14"]
    assert shown.players[0].stock == state.public.stock[0] - 2
    assert view(state).at("a4") is None, "and the match is as it was"
    assert kinds(state, "play A04 a4 +a3") == [fact.kind for fact in shown.draft]
    assert shown.gold != view(state).gold


def test_marks_say_what_the_next_word_may_point_at() -> None:
    state = given(BOARD, "A04 A10 D19 A16")
    assert set(preview(state, "A10").marks) == {Mark(square, "place") for square in ("a2", "a4", "a6")}
    assert preview(state, "A10").chosen == "A10"
    marks = set(preview(state, "play A10 a4").marks)
    assert {Mark("a3", "add"), Mark("a5", "hit"), Mark("b4", "kill"), Mark("a6", "sail")} <= marks
    assert {mark.kind for mark in preview(state, "D19").marks} == {"go"}
    assert {mark.kind for mark in preview(state, "A16").marks} == {"swap"}


def test_a_preview_stops_before_what_reveals_and_says_so() -> None:
    quests = {"E": {"train": 4, "left": 9, "faces": [*"111222", "armed", "armed", "armed"]}}
    state = given({"e3": "E01 red"}, "E03", strips="EAD", quests=quests)
    before, after = preview(state, "play E03 e4"), preview(state, "play E03 e4 hit train")
    assert after.final
    assert not before.final
    assert after.quests == before.quests
    assert menu(state, "play E03 e4 hit train").closing


def test_a_tile_is_turned_up_by_whoever_is_placed_on_it() -> None:
    quests = {"C": {"face_down": {"c4": "ingot", "c5": "crow"}}}
    state = given({"c3": "C01 red"}, "C03 C04", strips="CAD", quests=quests)
    assert offered(state, "C03") == {"c2": False, "c4": True}
    assert menu(state, "C03 c4").closing
    assert preview(state, "C03 c4").at("c4") is None
    after = say(state, "play C03 c4")
    assert at(after, "c4").markers == (1, 0)
    assert offered(after)["+c3"] is False, "its action is still to come"
    assert "c2" in offered(after, "C04")


def test_the_draft_of_another_turn_is_no_draft_now() -> None:
    state = given(BOARD, "A04")
    assert GAME.menu(view(state, 1)) is None
    assert GAME.preview(view(state, 1), ()) == view(state, 1)


@pytest.mark.parametrize(
    ("hand", "begun"),
    [
        ("A04", ""),
        ("C04 C02", "C04"),
        ("E04", "E04 e3"),
        ("E17", "E17"),
        ("A04", "discard"),
        ("A04", "A04 a4 end"),
    ],
)
def test_a_menu_says_whether_its_drafts_last_word_reveals(hand: str, begun: str) -> None:
    board = {"a3": "A01 red", "c3": "C01 blue", "e2": "E01 red"}
    quests = {"E": {"train": 3}}
    state = given(board, hand, strips="ACE", hands={"blue": ["A08", "C07"]}, quests=quests)
    before = draft(state, *begun.split())
    assert not before.reveals
    assert before.choices()
    for choice in before.choices():
        assert menu(state, " ".join((*before.draft, choice.word))).reveals is choice.reveals
