"""Menus: what is asked, in how many touches, and what a draft shows."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.core.contract import ActionError, Field, IllegalAction, Menu, Widget, Words
from engines.volo import GAME
from engines.volo.menu import pages_of
from engines.volo.state import State
from tests.games.volo import positions
from tests.games.volo.support import ADDS_AT_HOME, at, legal, played, said

SHOWN = 25
"""Choices, and groups, that are shown at once."""

PAGE = 15
OPEN, CONFIRM = 0, 1


def menu_of(state: State, *draft: str) -> Menu:
    found = GAME.menu(GAME.view(state, state.mover), draft)
    assert found is not None
    return found


def field(menu: Menu, key: str) -> Field:
    return next(part for part in menu.fields if part.key == key)


def touches(part: Field, word: str) -> int:
    """Buttons to press until a word is chosen: its group first where there are more than can be shown."""
    if len(part.choices) <= SHOWN:
        return 1
    group = next(choice.group for choice in part.choices if choice.word == word)
    assert len(part.groups) <= SHOWN
    assert part.widget is Widget.GRID
    assert 0 < sum(choice.group == group for choice in part.choices) <= PAGE
    return 2


def sentences(state: State) -> dict[Words, int]:
    """Every whole sentence that the menus lead to, with the touches that it takes, confirm included."""
    found: dict[Words, int] = {}
    left: list[tuple[Words, int]] = [((), OPEN)]
    while left:
        draft, before = left.pop()
        menu = menu_of(state, *draft)
        assert menu.draft == draft
        assert menu.complete is menu.closing is (not menu.fields)
        if menu.complete:
            found[draft] = before + CONFIRM
        for part in menu.fields:
            left += [((*draft, c.word), before + touches(part, c.word)) for c in part.choices]
    return found


@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.nightly)])
def test_menus_lead_to_every_turn_in_few_touches(seed: int) -> None:
    moments = [p for p, _ in positions.played(f"menu {seed}", ("standard", "small")[seed % 2])]
    for position in moments[:: max(1, len(moments) // 5)]:
        state = GAME.position(position.text())
        found = sentences(state)
        assert {GAME.write(words) for words in found} == legal(state)
        for words, touched in found.items():
            assert touched <= {1: 4, 2: 5, 3: 6}[len(words)], words


def test_rows_with_many_units_are_parted() -> None:
    block = " ".join([*(f"c{n}" for n in range(1, 10)), *(f"d{n}" for n in range(1, 11))])
    fly = field(menu_of(at(f"{block} f3 f6 f9 l7", "h2 k9")), "fly")
    assert Counter(choice.word[0] for choice in fly.choices)["d"] > PAGE
    labels = [said(group.label) for group in fly.groups]
    assert labels == ["Row c", "From d1", "From d2", "d3 to d4", "d5 to d7", "d8 to d9", "Row f"]
    assert {touches(fly, choice.word) for choice in fly.choices} == {2}
    words = [choice.word for choice in fly.choices]
    assert words.index("d1") < words.index("d1:d2") < words.index("d1:d9") < words.index("d2")


def test_crowded_boards_are_grouped_too() -> None:
    for position in positions.drawn_many("crowded", 60):
        state = GAME.position(position.text())
        for part in () if state.ending else menu_of(state).fields:
            for choice in part.choices:
                touches(part, choice.word)


def test_more_groups_than_can_be_shown_are_run_together() -> None:
    names = [f"{row}{number}" for row in "abcdefghijklm" for number in range(1, 53)]
    pages = pages_of(names)
    assert len(pages) <= SHOWN
    assert [name for page in pages for name in page] == names
    few = pages_of(names[:600:2])
    assert max(map(len, few)) <= PAGE


def test_short_rows_share_a_group() -> None:
    names = [f"{row}{number}" for row in "abcde" for number in range(1, 7)]
    assert pages_of(names) == [names[:12], names[12:24], names[24:]]
    add = field(menu_of(at("d4 k2", "h2 k9")), "add")
    labels = [said(group.label) for group in add.groups]
    assert labels[:3] == ["Rows a–b", "Rows c–d", "Row e"]
    inside = {choice.word[0] for choice in add.choices if choice.group == add.groups[0].key}
    assert inside == {"a", "b"}


def test_labels_say_what_the_words_mean() -> None:
    state = at("d4 d5 d6 d9 l7 k2", "h2 k9")
    fly = field(menu_of(state), "fly")
    labels = {choice.word: said(choice.label) for choice in fly.choices}
    assert labels["d4:d6"] == "d4–d6"
    assert labels["d9"] == "d9"
    details = {choice.word: choice.detail for choice in fly.choices}
    assert details["d4:d6"] is not None
    assert said(details["d4:d6"]) == "in a flock of 3"
    landing = field(menu_of(state, "d4:d6"), "landing").choices[0]
    assert (landing.word, said(landing.label)) == ("E2", "d6–d8")
    assert landing.detail is not None
    assert said(landing.detail) == "makes a flock of 4"


def test_a_winning_landing_and_a_cutting_one_say_so() -> None:
    wins = menu_of(at("d2 d6", "h2 k9"), "d2").find("E3")
    assert wins is not None
    assert said(wins.label) == "d5 · wins"
    assert wins.detail is not None
    assert said(wins.detail) == "unites all your birds in a flock of 2 and wins"
    wall = at("c1 c2 c3 c4 c6 c7 c8 c9 d5 l7 k2", "a3 b5 f2 h9 m4")
    cuts = menu_of(wall, "d5").find("SE1")
    assert cuts is not None
    assert said(cuts.label).endswith(" · cuts")
    assert cuts.detail is not None
    assert said(cuts.detail) == "makes a flock of 9 and splits your opponent into 2 regions"
    region = menu_of(wall, "d5", "SE1").find("a2")
    assert region is not None
    assert region.detail is not None
    assert (said(region.label), said(region.detail)) == ("a2 · keeps 2 birds", "3 birds fly away")


def test_a_prompt_says_what_will_happen_once_everything_is_said() -> None:
    wall = at("c1 c2 c3 c4 c6 c7 c8 c9 d5 l7 k2", "a3 b5 f2 h9 m4")
    rows = at("d4 d5 d6 d9 l7 k2", "h2 k9")
    for state, draft, announced in (
        (rows, "b5", "You add a bird on b5."),
        (rows, "d4:d6-E2", "Your 3 birds on d4–d6 fly to d6–d8."),
        (wall, "d5-SE1/a2", "Your bird on d5 flies to c5, and you keep the region with a2."),
        (GAME.position(ADDS_AT_HOME), "pass", "You pass."),
    ):
        menu = menu_of(state, *GAME.read(draft))
        assert menu.closing
        assert said(menu.prompt) == announced


def test_passing_is_a_button() -> None:
    menu = menu_of(GAME.position(ADDS_AT_HOME))
    assert [part.key for part in menu.fields] == ["add", "pass"]
    assert field(menu, "pass").widget is Widget.BUTTONS


def test_nobody_else_has_a_menu() -> None:
    state = at("d2 d6", "h2 k9")
    assert GAME.menu(GAME.view(state, 1)) is None
    assert GAME.menu(GAME.view(state, None)) is None


@pytest.mark.parametrize("draft", [("d2", "E9"), ("h2",), ("e2", "E1"), ("pass",), ("l7",)])
def test_drafts_that_lead_nowhere_are_refused(draft: Words) -> None:
    state = at("d2 d6 l7 k2", "h2 k9 k7 l6 l8 m6 m5 k6 j6")
    with pytest.raises(ActionError) as caught:
        GAME.menu(GAME.view(state, 0), draft)
    assert said(caught.value.msg)


def test_a_unit_without_a_flight_is_no_draft() -> None:
    state = at("d2 d6 l7", "h2 k9 l6 m6 l8 k7 k8 m5")
    with pytest.raises(IllegalAction) as caught:
        GAME.menu(GAME.view(state, 0), ("l7",))
    assert said(caught.value.msg).startswith("l7 can’t fly")


# --- previews -------------------------------------------------------------------------------------


def test_a_preview_shows_the_draft_and_decides_nothing() -> None:
    state = at("d2 d6", "h2 k9")
    view = GAME.view(state, 0)
    assert GAME.preview(view, ()) == view
    assert GAME.preview(view, ("d2",)) == view
    shown = GAME.preview(view, ("d2", "E3"))
    assert shown.birds[0] == ("d5", "d6")
    assert (shown.mover, shown.ply, shown.ending) == (0, 0, None)
    assert shown.last is not None
    assert shown.last.words == ("d2", "E3")
    added = GAME.preview(view, ("b5",))
    assert added.birds[0] == ("b5", "d2", "d6")
    assert added.supply == (57, 58)


def test_a_preview_of_a_cut_names_the_regions_and_removes_nobody_yet() -> None:
    view = GAME.view(at("c1 c2 c3 c4 c6 c7 c8 c9 d5 l7 k2", "a3 b5 f2 h9 m4"), 0)
    asked = GAME.preview(view, ("d5", "SE1"))
    assert asked.birds[1] == view.birds[1]
    assert [region.word for region in asked.regions] == ["a2", "d1"]
    chosen = GAME.preview(view, ("d5", "SE1", "a2"))
    assert chosen.birds[1] == ("a3", "b5")
    assert chosen.regions == ()


def test_a_preview_of_what_is_forbidden_is_refused() -> None:
    view = GAME.view(at("d2 d6", "h2 k9"), 0)
    for draft in (("d2", "E4"), ("h2",), ("d3",)):
        with pytest.raises(IllegalAction):
            GAME.preview(view, draft)


def test_previews_of_whole_sentences_have_the_birds_of_the_turn() -> None:
    for position in list(positions.played("preview", "small"))[::9]:
        state = GAME.position(position[0].text())
        view = GAME.view(state, state.mover)
        for line in sorted(legal(state))[::5]:
            after = GAME.view(played(state, line), None)
            shown = GAME.preview(view, GAME.read(line))
            assert (shown.birds, shown.flocks, shown.supply) == (after.birds, after.flocks, after.supply)
            assert shown.last == after.last
