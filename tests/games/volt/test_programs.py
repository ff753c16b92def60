"""Programs: what is wrong with one has its own message; drafts fold; menus offer what is possible."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core import texts
from engines.core.contract import ActionError, IllegalAction, InvalidAction, Menu, Widget, Words
from engines.core.match import Match
from engines.core.to_json import Plain
from engines.volt import GAME
from engines.volt.notation import parse, read, write
from tests.games.volt.support import act, situation

MINE: dict[str, Any] = {
    "pos": "b1",
    "active": ["strafe", "bomb"],
    "spare": ["crossfire", "turbo", "diagonal", "shield", "knockback", "reflector"],
}


def match(*active: str, **options: Any) -> Match:
    seat = {**MINE}
    if active:
        owned = (*MINE["active"], *MINE["spare"])
        seat = {"pos": "b1", "active": list(active), "spare": [name for name in owned if name not in active]}
    return situation([seat, {"pos": "d1"}], **options)


def refusal(given: Match, text: str) -> ActionError:
    with pytest.raises(ActionError) as caught:
        given.act(0, read(text))
    return caught.value


FINE = "I:b3E II:r4NW III:b2N"

WRONG = [
    ("I:b3E II:r4NW", "unit_empty"),
    ("I:b3E I:r2E II:r4NW III:b2N tile:1", "unit_twice"),
    ("I:b3E I:N II:r4NW III:b2N tile:1", "arrow_twice"),
    (f"{FINE} tile:1 tile:2", "tile_again"),
    ("swap:+shield swap:-strafe " + FINE, "swap_again"),
    (f"{FINE} order:shield order:anchor tile:1", "order_again"),
    ("I:b7E II:r4NW III:b2N tile:1", "no_number"),
    ("I:g3E II:r4NW III:b2N tile:1", "no_colour"),
    ("I:b3X II:r4NW III:b2N tile:1", "no_arrow"),
    ("I:bE II:r4NW III:b2N tile:1", "no_die"),
    ("IV:b3E II:r4NW III:b2N tile:1", "no_unit"),
    ("I:b3E+ II:r4NW III:b2N tile:1", "unit_uses"),
    (f"{FINE} tile:first", "tile_number"),
    ("swap:shield " + FINE, "swap_signs"),
    (f"{FINE} order:+shield tile:1", "order_words"),
    ("", "unit_empty"),
    ("I:b3E II:r4 III:b2N tile:1", "unit_no_arrow"),
    (FINE, "no_tile"),
    ("I:b3E II:b4N III:b2N tile:1", "dice"),
    ("I:r3E II:r4N III:r2N tile:1", "dice"),
    ("I:b3NE II:r4NW III:b2N tile:1", "diagonal"),
    ("swap:+diagonal,-strafe I:b5NE II:r4NW III:b2N tile:1", "diagonal_number"),
    ("swap:+diagonal,-strafe I:b3NE+diagonal II:r4NW III:b2N tile:1", "use_arrow"),
    ("I:b3E+shield II:r4NW III:b2N tile:1", "use_standing"),
    ("I:b3E II:r4NW+knockback III:b2N tile:1", "use_inactive"),
    ("I:E+strafe-left II:r4NW III:b2N tile:1", "use_no_die"),
    ("I:b4E+strafe-left II:r4NW III:b2N tile:1", "use_misfit"),
    ("I:b3E II:r4NW+bomb-1 III:b2N tile:1", "use_no_choice"),
    ("I:b3E+strafe-up II:r4NW III:b2N tile:1", "use_choice"),
    ("I:b3E+strafe II:r4NW III:b2N tile:1", "use_choice"),
    ("I:b3E+strafe-left+strafe-right II:r4NW III:b2N tile:1", "use_twice"),
    (f"{FINE} I-strafe tile:1", "use_absent"),
    ("swap:+shield,-shield " + FINE, "swap_both"),
    ("swap:+shield,+shield " + FINE, "swap_twice"),
    ("swap:+bomb " + FINE, "swap_active"),
    ("swap:+anchor " + FINE, "swap_not_owned"),
    ("swap:-turbo " + FINE, "swap_not_active"),
    ("swap:+shield " + FINE, "swap_many"),
    ("swap:+turbo,-bomb " + FINE, "swap_colours"),
    (f"{FINE} order:shield,shield tile:1", "order_twice"),
    (f"{FINE} order:strafe tile:1", "order_die"),
    (f"{FINE} order:shield tile:1", "order_inactive"),
    (f"{FINE} order-shield tile:1", "order_absent"),
    (f"{FINE} tile:3", "tile_unknown"),
    ("I:b3E program II:r4NW III:b2N tile:1", "program_first"),
    (f"{FINE} start tile:1", "program_asked"),
]


@pytest.mark.parametrize(("text", "key"), WRONG)
def test_every_fault_has_its_message(text: str, key: str) -> None:
    words = f"program {text}".strip() if not text.startswith("I:b3E program") else text
    error = refusal(match(), words)
    assert error.msg.key == f"error.{key}"
    said = Plain(GAME, texts.load("engines.volt")).text(error.msg)
    assert 20 < len(said) <= 300


def test_two_insteads_and_an_instead_with_a_modifier() -> None:
    both = situation([{"pos": "b1", "active": ["bomb", "tractor"]}, {"pos": "d1"}])
    text = "program I:b3E II:r2N+bomb+tractor III:b2N tile:1"
    assert refusal(both, text).msg.key == "error.two_insteads"
    saw = situation([{"pos": "b1", "active": ["saw", "jump"]}, {"pos": "d1"}])
    text = "program I:b3E+saw+jump II:r2N III:b2N tile:1"
    assert refusal(saw, text).msg.key == "error.instead_modifier"


def test_a_tile_that_is_gone_is_refused_and_the_rest_of_the_draft_stands() -> None:
    given = match().act(1, read("program I:r6N II:r6N III:b1N tile:1"))
    assert refusal(given, f"program {FINE} tile:1").msg.key == "error.tile_gone"
    draft = read(f"program {FINE}")
    menu = given.menu(0, draft)
    assert menu is not None
    assert menu.draft == draft
    assert [c.word for field in menu.fields if field.key == "tile" for c in field.choices] == ["tile:2"]


def test_dealt_tiles_are_not_taken() -> None:
    given = match(options={"tiles": "draw"})
    assert refusal(given, f"program {FINE} tile:1").msg.key == "error.tiles_dealt"
    assert given.act(0, read(f"program {FINE}")).waiting == {1}


@pytest.mark.parametrize("text", ["turbo", "swap", "program x", "é", "b3E", "i"])
def test_what_is_no_word_is_invalid(text: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        read(text)
    assert caught.value.msg.key == "error.unreadable"


def test_spaces_may_be_more_than_one() -> None:
    assert read(f"  program   {FINE} ") == read(f"program {FINE}")


def test_one_text_says_each_thing_once_but_a_draft_may_change_it() -> None:
    menu = match().menu(0, (*read(f"program {FINE}"), "I:r1S", "III:b5"))
    assert menu is not None
    assert menu.draft == read("program I:r1S II:r4NW III:b5N")


def test_an_unknown_module_is_named() -> None:
    with pytest.raises(InvalidAction) as caught:
        read("I:b3E+warp")
    assert caught.value.msg.key == "error.no_module"


@pytest.mark.parametrize(
    "text",
    [
        "program swap:+shield,-turbo I:b3E II:r4NW+swivel-left III:b2N order:shield tile:1",
        "start c1 draw red",
        "draw blue",
        "start c1 pass",
        "repair",
        "program swap+turbo-anchor I:b3 I:E I+strafe-left I-strafe order+shield order-shield",
    ],
)
def test_notation_comes_back(text: str) -> None:
    assert write(read(text)) == text
    assert all(parse(word).text == word for word in read(text))


# --- folding ----------------------------------------------------------------------------------------------


def folded(given: Match, *words: str) -> Words:
    menu = given.menu(0, words)
    assert menu is not None
    return menu.draft


def test_words_fold_into_units() -> None:
    assert folded(match(), "I:b3", "I:E") == ("program", "I:b3E")
    assert folded(match(), "I:E", "III:r2", "I:b3") == ("program", "I:b3E", "III:r2")
    assert folded(match(), "I:b3", "I:E", "I+strafe-left") == ("program", "I:b3E+strafe-left")
    assert folded(match(), "I:b3E+strafe-left", "I+strafe-right") == ("program", "I:b3E+strafe-right")
    assert folded(match(), "I:b3E+strafe-left", "I-strafe") == ("program", "I:b3E")
    assert folded(match(), "tile:2", "III:b2N", "I:b3E") == ("program", "I:b3E", "III:b2N", "tile:2")


def test_a_change_drops_what_no_longer_fits() -> None:
    assert folded(match(), "I:b3E+strafe-left", "I:b5") == ("program", "I:b5E")
    assert folded(match(), "I:r3NE", "I:b3") == ("program", "I:b3")
    assert folded(match(), "I:b3E+strafe-left", "swap-strafe") == ("program", "swap:-strafe", "I:b3E")


def test_swaps_count_from_what_is_active() -> None:
    assert folded(match(), "swap+shield-bomb") == ("program", "swap:+shield,-bomb")
    assert folded(match(), "swap+shield-bomb", "swap+bomb-shield") == ()
    assert folded(match(), "swap-bomb", "swap+shield") == ("program", "swap:+shield,-bomb")


def test_orders_fold() -> None:
    given = match("shield", "reflector")
    assert folded(given, "order+shield", "order+reflector") == ("program", "order:reflector,shield")
    assert folded(given, "order:reflector,shield", "order-shield") == ("program", "order:reflector")


# --- menus ------------------------------------------------------------------------------------------------


def field_words(menu: Menu, key: str) -> list[str]:
    return [choice.word for field in menu.fields if field.key == key for choice in field.choices]


def menu_of(given: Match, *words: str) -> Menu:
    menu = given.menu(0, words)
    assert menu is not None
    return menu


def test_the_ring_holds_the_arrows_of_the_first_open_unit() -> None:
    menu = menu_of(match(), "I:b3")
    (ring,) = [field for field in menu.fields if field.widget is Widget.RING]
    assert [(choice.word, choice.at) for choice in ring.choices] == [
        ("I:N", "N"),
        ("I:E", "E"),
        ("I:S", "S"),
        ("I:W", "W"),
    ]
    menu = menu_of(match(), "I:r3E")
    (ring,) = [field for field in menu.fields if field.widget is Widget.RING]
    assert ring.key == "arrow1"
    assert len(ring.choices) == 8


def test_diagonal_drive_opens_the_ring() -> None:
    given = match("diagonal", "bomb")
    assert len(field_words(menu_of(given, "I:b3"), "arrow0")) == 8
    assert len(field_words(menu_of(given, "I:b4"), "arrow0")) == 4


def test_dice_are_offered_as_long_as_there_are_any() -> None:
    menu = menu_of(match(), "I:b3E", "II:b2N")
    assert field_words(menu, "die2") == [f"III:r{n}" for n in range(1, 7)]
    assert len(field_words(menu, "die0")) == 12, "its own die may be changed to any"


def test_modules_are_offered_where_they_can_be_used() -> None:
    assert field_words(menu_of(match(), "I:b5"), "modules") == []
    assert field_words(menu_of(match(), "I:b3", "II:r3"), "modules") == [
        "I+strafe-left",
        "I+strafe-right",
        "II+bomb",
    ]


def test_no_modules_no_fields() -> None:
    menu = menu_of(situation([{"pos": "b1"}, {"pos": "d1"}]))
    assert [field.key for field in menu.fields] == ["die0", "die1", "die2", "arrow0"]


def test_a_preview_shows_the_own_dice_alone() -> None:
    given = situation([{"pos": "a5"}, {"pos": "c5", "active": ["shield"]}])
    view = GAME.preview(given.view(0), read("program I:b4E II:r1N"))
    assert view.own is not None
    assert [die.text for die in view.own.dice] == ["I:b4E", "II:r1N"]
    assert view.forecast is not None
    kinds = [fact.kind for fact in view.forecast.facts]
    assert kinds == ["die", "moved", "pushed", "moved", "pushed", "moved", "pushed", "moved", "die", "shot"]


def test_nothing_of_a_program_is_asked_in_the_set_up() -> None:
    shot = act(
        situation([{"pos": "b5"}, {"pos": "e5", "damage": 2}]),
        "program I:r1E II:r1N III:b1N tile:1",
        "program I:r6N II:r6N III:b1N tile:2",
    )
    for text, key in [
        (f"program {FINE}", "no_program"),
        ("repair", "no_repair"),
        ("start c1", "space"),
        ("start c9", "deck_missing"),
        ("draw red", "space_missing"),
        ("start draw", "start_space"),
        ("draw c9", "draw_deck"),
    ]:
        with pytest.raises(ActionError) as caught:
            shot.act(1, read(text))
        assert caught.value.msg.key == f"error.{key}", text
    for seat, key in [(0, "not_asked"), (7, "seat")]:
        with pytest.raises(IllegalAction) as refused:
            shot.act(seat, read("pass"))
        assert refused.value.msg.key == f"error.{key}"
