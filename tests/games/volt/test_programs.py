"""Programs: what is wrong with one has its own message; drafts fold; menus offer what is possible."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core import texts
from engines.core.contract import (
    ActionError,
    Choice,
    Fact,
    IllegalAction,
    InvalidAction,
    Menu,
    Msg,
    Widget,
    Words,
)
from engines.core.match import Match
from engines.core.texts import listing
from engines.core.to_json import Plain
from engines.volt import GAME, events
from engines.volt.notation import parse, read
from engines.volt.retelling import dice_outcomes
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
    ("I:b3 I- II:r4NW III:b2N tile:1", "unit_open"),
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
    said = spoken(error.msg)
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
        "program swap+turbo-anchor I:b3 I:E I- I+strafe-left I-strafe order+shield order-shield",
    ],
)
def test_notation_comes_back(text: str) -> None:
    assert GAME.write(read(text)) == text
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


def spoken(message: Msg) -> str:
    return Plain(GAME, texts.load("engines.volt")).text(message)


def label(choice: Choice) -> str:
    return spoken(choice.label)


def test_the_ring_holds_the_arrows_of_the_first_open_unit() -> None:
    menu = menu_of(match(), "I:b3")
    (ring,) = [field for field in menu.fields if field.widget is Widget.RING]
    assert [(choice.word, choice.at) for choice in ring.choices] == [
        ("I:N", "N"),
        ("I:E", "E"),
        ("I:S", "S"),
        ("I:W", "W"),
    ]
    menu = menu_of(match(), "I:r3E", "II:r2")
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
    opened = menu_of(match(), *menu.draft, "I-")
    assert len(field_words(opened, "die0")) == 6 + 6, "its own die may be changed to any other"
    opened = menu_of(match(), "I:b3E", "III:b5N", "II:r4N", "II-")
    assert field_words(opened, "die1") == [f"II:r{n}" for n in range(1, 7)]


def test_one_unit_is_asked_at_a_time_its_die_and_then_its_arrow() -> None:
    asked: list[list[str]] = []
    draft: Words = ()
    for word in ("I:b3", "I:E", "II:r4", "II:NW", "III:b2", "III:N", "tile:1"):
        menu = menu_of(match(), *draft)
        asked.append([field.key for field in menu.fields if field.key not in ("modules", "swap")])
        assert word in {choice.word for choice in menu.choices()}
        draft = menu_of(match(), *draft, word).draft
    assert asked == [
        ["die0"],
        ["arrow0", "die0"],
        ["die1", "units"],
        ["arrow1", "die1", "units"],
        ["die2", "units"],
        ["arrow2", "die2", "units"],
        ["tile", "units"],
    ]
    assert GAME.write(draft) == f"program {FINE} tile:1"


def test_a_unit_that_is_set_is_opened_again_without_its_arrow() -> None:
    given = match()
    whole = menu_of(given, *read(f"program {FINE} tile:1"))
    assert field_words(whole, "units") == ["I-", "II-", "III-"]
    menu = menu_of(given, *whole.draft, "II-")
    assert menu.draft == ("program", "I:b3E", "II:r4", "III:b2N", "tile:1")
    assert not menu.complete
    assert field_words(menu, "units") == ["I-", "III-"]
    assert len(field_words(menu, "arrow1")) == 8
    assert menu_of(given, *menu.draft, "II:S").draft == read("program I:b3E II:r4S III:b2N tile:1")
    assert folded(match(), "I:b3E+strafe-left", "I-") == ("program", "I:b3+strafe-left"), "its module stays"


def test_units_that_are_set_say_what_they_come_to() -> None:
    given = situation([{"pos": "a5"}, {"pos": "c5"}])
    menu = menu_of(given, "I:b4E", "II:r1E", "III:b1N")
    said = [label(choice) for field in menu.fields if field.key == "units" for choice in field.choices]
    assert said == [
        "I · blue 4 E: to e5 and pushes Robot 2",
        "II · red 1 E: hits Robot 2",
        "III · blue 1 N: to e4",
    ]
    menu = menu_of(match(), "I:b3E+strafe-left")
    [unit] = [choice for field in menu.fields if field.key == "units" for choice in field.choices]
    assert label(unit).startswith("I · blue 3 E + Strafe (left): ")


def test_what_is_chosen_looks_chosen() -> None:
    given = match("shield", "bomb")
    menu = menu_of(given, *read(f"program {FINE} order:shield tile:2"))
    assert [field.chosen for field in menu.fields if field.key == "tile"] == ["tile:2"]
    said = [label(choice) for field in menu.fields if field.key == "modules" for choice in field.choices]
    assert said == ["II · Bomb", "✓ Turn off Shield"]
    menu = menu_of(given, "II:r4+bomb")
    said = [label(choice) for field in menu.fields if field.key == "modules" for choice in field.choices]
    assert said == ["✓ II · take off Bomb", "Turn on Shield"]
    assert {spoken(field.label) for field in menu.fields} >= {
        "Unit I: blue moves, red shoots",
        "Modules: ✓ Bomb and Shield",
    }
    [ring] = [field for field in menu_of(match(), "I:b3+strafe-left").fields if field.widget is Widget.RING]
    assert spoken(ring.label) == "Unit I · blue 3 + Strafe (left)"
    menu = menu_of(given, "I:b3")
    assert [field.chosen for field in menu.fields if field.key == "die0"] == ["I:b3"]
    menu = menu_of(given, "swap+turbo-bomb")
    [swap] = [field for field in menu.fields if field.key == "swap"]
    assert spoken(swap.label) == "Swapped: Turbo in, Bomb out"


PROMPTS = [
    ((), "Choose a die for unit I. You can add Bomb (red 2–4) and Strafe (blue 1–3)."),
    (("I:b1",), "Unit I moves 1 space. Which way?"),
    (("I:b3",), "Unit I moves 3 spaces. Which way?"),
    (("I:b3E", "II:r4"), "Unit II shoots. Which way?"),
    (
        ("II:E", "I:b3E"),
        "Choose a die for unit II. You can add Bomb (red 2–4) and Strafe (blue 1–3).",
    ),
    (("I:b3E", "II:r4N", "III:b1E"), "Take a number tile; lower tiles win ties."),
]


@pytest.mark.parametrize(("words", "text"), PROMPTS)
def test_the_question_is_what_is_left(words: Words, text: str) -> None:
    assert spoken(menu_of(match(), *words).prompt) == text


def test_modules_say_what_they_do_where_they_are_chosen() -> None:
    menu = menu_of(match(), "I:b3")
    details = {
        choice.word: (label(choice), spoken(choice.detail))
        for field in menu.fields
        if field.key in ("modules", "swap")
        for choice in field.choices
        if choice.detail is not None
    }
    assert details["I+strafe-left"] == (
        "I · Strafe (left)",
        "then moves 1 space to the left or right of the arrow",
    )
    assert details["swap+shield-bomb"] == (
        "Swap in Shield (standing order) for Bomb",
        "cancels the first damage you take each round",
    )
    assert details["swap+turbo-strafe"] == (
        "Swap in Turbo (blue 4–6) for Strafe",
        "moves 1 or 2 extra spaces",
    )
    offered = [
        choice.word for field in menu.fields if field.key in ("modules", "swap") for choice in field.choices
    ]
    assert set(details) == set(offered)


def test_modules_are_offered_where_they_can_be_used() -> None:
    assert field_words(menu_of(match(), "I:b5"), "modules") == []
    assert field_words(menu_of(match(), "I:b3", "II:r3"), "modules") == [
        "I+strafe-left",
        "I+strafe-right",
        "II+bomb",
    ]


def test_no_modules_no_fields() -> None:
    menu = menu_of(situation([{"pos": "b1"}, {"pos": "d1"}]))
    assert [field.key for field in menu.fields] == ["die0"]


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
        (f"program {FINE}", "asked.space_deck_pass"),
        ("repair", "asked.space_deck_pass"),
        ("start c1", "space"),
        ("start c9", "asked.space_deck_pass"),
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


AHEAD = [
    ((events.moved(0, "e9", "e8"), events.moved(0, "e8", "e7")), "to e7"),
    ((events.leapt(0, "e9", "e6"), events.pushed(1, "e6", "e5", 0)), "to e6 and pushes Robot 2"),
    ((events.blocked(0, "e9", "N", "rim", 0),), "stays"),
    ((events.moved(0, "e9", "e8"), events.destroyed(0, "e7", "fall", None)), "falls into the pit on e7"),
    ((events.destroyed(0, "a1", "fall", None, "N"),), "goes over the edge at a1"),
    ((events.damaged(0, 0, 1, 3), events.destroyed(0, "a1", "damage", 0)), "is destroyed"),
    ((events.damaged(1, 0, 1, 3), events.destroyed(1, "a1", "damage", 0)), "destroys Robot 2"),
    ((events.pushed(1, "a1", "a2", 0), events.destroyed(1, "a2", "fall", 0)), "destroys Robot 2"),
    ((events.damaged(1, 0, 1, 1), events.damaged(2, 0, 1, 1)), "hits 2 robots"),
    ((events.pushed(1, "a1", "a2", 0), events.pushed(2, "a2", "a3", 0)), "pushes 2 robots"),
]


@pytest.mark.parametrize(("facts", "text"), AHEAD)
def test_what_a_die_comes_to_is_said_in_few_words(facts: tuple[Fact, ...], text: str) -> None:
    found = dice_outcomes((events.die(0, "II", "blue", 3, "N"), *facts))
    assert {unit: listing(list(map(spoken, effects))) for unit, effects in found.items()} == {"II": text}
    assert list(map(spoken, dice_outcomes((events.die(0, "I", "red", 3, "N"),))["I"])) == ["misses"]
