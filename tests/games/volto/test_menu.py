"""The menu of a move: three touches, what reveals, what is refused and how."""

from __future__ import annotations

import pytest

from engines.core.contract import ActionError, InvalidAction, Widget
from engines.core.rng import Rng
from engines.core.texts import load
from engines.volto import GAME
from tests.games.volto.support import MOON, RNG, START, SUN, at, go, menu_of, moves, place, refusal, text

POSITION = "c4/5/5/1nA2/2L2/5/N3C 0"


def words(draft: tuple[str, ...] = (), position: str = POSITION) -> list[str]:
    menu = menu_of(GAME.view(at(position), SUN), draft)
    return [choice.word for choice in menu.choices()]


def test_from_to_and_nothing_more() -> None:
    assert words() == ["a1", "e1", "c3", "c4"]
    assert words(("c3",)) == ["b2", "b3", "c2", "d2", "d3", "d4"]
    menu = menu_of(GAME.view(at(POSITION), SUN), ("c3", "d4"))
    assert (menu.key, menu.fields, menu.complete, menu.closing, menu.keep) == ("move", (), True, True, False)


def test_both_squares_are_asked_with_a_button_each() -> None:
    view = GAME.view(at(POSITION), SUN)
    assert [part.widget for part in menu_of(view).fields] == [Widget.GRID]
    assert [part.widget for part in menu_of(view, ("c3",)).fields] == [Widget.BUTTONS]


def test_masks_that_cannot_move_are_not_offered() -> None:
    view = GAME.view(at(f"{START} 0"), SUN)
    menu = menu_of(view)
    assert {choice.word for choice in menu.choices()} == {move[:2] for move in moves(at(f"{START} 0"))}
    assert not {"a1", "c1", "e1"} & {choice.word for choice in menu.choices()}


def test_only_a_capture_reveals() -> None:
    state = at("c4/5/2a2/1nN2/2L2/5/4C 0")
    menu = menu_of(GAME.view(state, SUN), ("c4",))
    assert {choice.word: choice.reveals for choice in menu.choices()} == {"b4": True, "c5": True, "d4": False}
    texts = load("engines.volto")
    labels = {choice.word: texts.render(choice.label, str) for choice in menu.choices()}
    assert labels == {"b4": "b4 · takes", "c5": "c5 · takes", "d4": "d4"}
    assert menu.fields[0].widget is Widget.BUTTONS
    after = {square: GAME.menu(GAME.view(state, SUN), ("c4", square)) for square in ("b4", "c5", "d4")}
    assert {square: menu.reveals for square, menu in after.items() if menu} == {
        "b4": True,
        "c5": True,
        "d4": False,
    }
    assert not menu.reveals, "the first word only picks a mask"


def test_the_winning_step_is_marked() -> None:
    menu = menu_of(GAME.view(at("c2n1/3C1/5/5/5/5/L4 0"), SUN), ("d6",))
    marked = {choice.word for choice in menu.choices() if choice.label.key == "choice.palace"}
    assert marked == {"c7", "e7"}, "d7 holds a mask that could be a Lady"


def test_masks_are_named_by_their_squares_and_symbols() -> None:
    menu = menu_of(GAME.view(at(POSITION), SUN))
    texts = load("engines.volto")
    said = [
        (texts.render(choice.label, str), texts.render(choice.detail, str))
        for choice in menu.choices()
        if choice.detail is not None
    ]
    assert said == [("a1", "Noble"), ("e1", "Candidate"), ("c3", "Lady"), ("c4", "Advisor")]


def test_who_is_not_to_move_has_no_menu() -> None:
    state = at(POSITION)
    for viewer in (MOON, None):
        assert GAME.menu(GAME.view(state, viewer)) is None
        assert list(GAME.legal(GAME.view(state, viewer)) or ()) == []
    assert refusal(state, MOON, ("a7", "a6")) == ("illegal", "It’s your rival’s turn.")


@pytest.mark.parametrize(
    ("sentence", "kind", "reason"),
    [
        (
            ("d1", "d2"),
            "illegal",
            "You have no mask on d1. Your masks on these squares can move: a1, e1, c3 and c4.",
        ),
        (
            ("b4", "b3"),
            "illegal",
            "The mask on b4 is your rival’s. Your masks on these squares can move: a1, e1, c3 and c4.",
        ),
        (
            ("c3", "b4"),
            "illegal",
            (
                "A Lady goes one square in any direction, but never onto a mask. "
                "From c3, she can go to: b2, b3, c2, d2, d3 and d4."
            ),
        ),
        (
            ("c4", "b4"),
            "illegal",
            (
                "An Advisor goes one square diagonally, so it can’t go from c4 to b4. "
                "It can go to: b3, b5, d3 and d5."
            ),
        ),
        (
            ("c3", "c4"),
            "illegal",
            "Your own mask is on c4. The Lady on c3 can go to: b2, b3, c2, d2, d3 and d4.",
        ),
        (("c3",), "invalid", "Where does the mask on c3 go? It can go to: b2, b3, c2, d2, d3 and d4."),
        ((), "invalid", "A move needs two squares, from and to, such as `b2b3`."),
        (("c3", "d4", "e5"), "invalid", "A move is two squares"),
        (("C3", "D4"), "invalid", "A move is two squares"),
        (("c3d4",), "invalid", "A move is two squares"),
        (("setup", "NALANCSNLA"), "illegal", "Your masks are already arranged."),
        (("setup",), "illegal", "Your masks are already arranged."),
        (("setup", "NALANCSNLL"), "invalid", "Wrong number of Advisors: 2 instead of 3."),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_would_do(
    sentence: tuple[str, ...], kind: str, reason: str
) -> None:
    found, explained = refusal(at(POSITION), SUN, sentence)
    assert found == kind
    assert explained.startswith(reason)
    if len(sentence) > 1 or not found:
        with pytest.raises(ActionError):
            GAME.menu(GAME.view(at(POSITION), SUN), sentence)


def test_a_mask_that_is_stuck() -> None:
    assert refusal(at("c1S2/5/5/5/5/5/4C 0"), SUN, ("c7", "c6")) == (
        "illegal",
        "The Soldier on c7 can’t move. Your only mask that can is on e1.",
    )


def test_there_are_two_seats() -> None:
    assert refusal(at(POSITION), 2, ("a1", "a2"))[0] == "illegal"


def test_refusals_do_not_depend_on_what_the_rival_hides() -> None:
    state = go(at(f"{START} 0"), "e2d3", "a6a5")
    view = GAME.view(state, SUN)
    twins = [GAME.imagine(view, RNG.child(number)) for number in range(5)]
    for origin in ("a1", "b2", "a5", "c4", "d3"):
        for target in ("a1", "b3", "c4", "d6", "a5"):
            answers = {answer(twin, (origin, target)) for twin in (state, *twins)}
            assert len(answers) == 1


def answer(state: object, sentence: tuple[str, str]) -> str:
    try:
        GAME.act(state, SUN, sentence, RNG)  # type: ignore[arg-type]
    except ActionError as error:
        return repr(error.msg)
    return "taken"


# --- preview --------------------------------------------------------------------------------------


def test_a_preview_shows_a_move_to_an_empty_square() -> None:
    view = GAME.view(at(POSITION), SUN)
    seen = GAME.preview(view, ("c3", "d4"))
    assert seen.position == "x4/5/5/1xAL1/5/5/N3C 0"
    assert seen.standing()["d4"].track == ("c3", "d4")
    assert GAME.preview(view, ()) == GAME.preview(view, ("c3",)) == view


def test_a_preview_of_a_capture_reveals_nothing() -> None:
    view = GAME.view(at("c4/5/5/2n2/2N2/5/4C 0"), SUN)
    assert GAME.preview(view, ("c3", "c4")) == view


def test_a_preview_of_what_is_no_draft_is_refused() -> None:
    with pytest.raises(ActionError):
        GAME.preview(GAME.view(at(POSITION), SUN), ("c3", "c4"))


# --- lists and players ----------------------------------------------------------------------------


def test_the_list_of_moves_is_what_the_menus_lead_to() -> None:
    for position in (POSITION, f"{START} 0", "c1S2/5/5/5/5/5/4C 0"):
        view = GAME.view(at(position), SUN)
        led = [(origin, target) for origin in words((), position) for target in words((origin,), position)]
        assert list(GAME.legal(view) or ()) == led


def test_the_computer_plays_what_is_legal() -> None:
    state = place(SUN, a7="c", c4="l", e7="l", c3="N", e1="C", a1="S")
    for number in range(10):
        view = GAME.view(state, SUN)
        menu = menu_of(view)
        sentence = GAME.player(view, menu, Rng(bytes([number]) * 32))
        assert GAME.write(sentence) in moves(state)


def test_a_sentence_of_another_game_is_invalid() -> None:
    with pytest.raises(InvalidAction):
        GAME.act(at(POSITION), SUN, ("roll",), RNG)
    assert text(at(POSITION)) == POSITION
