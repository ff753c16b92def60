"""Panels of real positions of every game: within Discord's limits, complete, and quick to use."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from discord import ButtonStyle

from bot.domain.match import Panel, Receipt, Told
from bot.pages.controls import Focus
from bot.pages.custom_ids import Action, Button, ButtonId, PanelId, parse
from bot.pages.page import Painting
from bot.pages.panel import SENTENCES, PanelPage, panel_page, receipt_lines, typing_modal
from bot.pages.texts import TableTexts
from engines.core.contract import Choice, Field, Group, Menu, Style, Widget, Words, msg
from engines.core.match import Match
from engines.core.rng import Rng
from engines.core.texts import sentence
from renderers.core.contract import Picture
from renderers.core.registry import renderers_by_game
from tests.kit.reading import text_of, without_isolates
from tests.kit.samples import FIVE
from tests.ui.limits import check, sent, walk
from tests.ui.panels import ENGLISH, looks, page_of, places, positions, seats_asked, touches_by_word
from tests.ui.positions import KEYS, begun, drafts, panel_of, played

PICTURE = Picture(b"", "image/png", 1, 1, "a board")

LOOK = ButtonId("abcd2345", Button.LOOK)
"""The button that shows all pictures; its match is that of :func:`panel_of`."""


@pytest.mark.parametrize("key", KEYS)
def test_every_panel_is_within_the_limits(key: str) -> None:
    seen = 0
    for match, seat, draft in positions(key):
        panel = panel_of(match, seat, draft)
        for focus in (*looks(panel), Focus(more=True)):
            check(sent(page_of(panel, focus)))
            page = panel_page(PanelPage(panel, ENGLISH, Painting(PICTURE), focus, others_wait=True))
            check(sent(page))
            seen += 1
    assert seen >= (10 if key in FIVE else 1)


def test_selects_are_others_at_every_drawing_and_mean_the_same() -> None:
    selects = 0
    for match, seat, draft in positions("volt"):
        panel = panel_of(match, seat, draft)
        for focus in looks(panel):
            drawn = [
                [item["custom_id"] for item in walk(sent(page)) if item["type"] == 3]
                for page in (
                    panel_page(PanelPage(panel, ENGLISH, focus=focus, drawing=drawing))
                    for drawing in ("", "1f", "fffff")
                )
            ]
            selects += len(drawn[0])
            assert len({custom_id for ids in drawn for custom_id in ids}) == 3 * len(drawn[0])
            for ids in zip(*drawn, strict=True):
                places = [parse(custom_id) for custom_id in ids]
                assert all(isinstance(place, PanelId) for place in places)
                # The first word is all that is ever read of it, by earlier versions too.
                assert (
                    len({(p.action, p.word.partition("/")[0]) for p in places if isinstance(p, PanelId)}) == 1
                )
    assert selects


@pytest.mark.parametrize("key", KEYS)
def test_every_word_that_the_menu_offers_can_be_pressed(key: str) -> None:
    for match, seat, draft in positions(key):
        panel = panel_of(match, seat, draft)
        assert panel.menu is not None
        offered = {choice.word for choice in panel.menu.choices()}
        assert offered == set(touches_by_word(panel))


@pytest.mark.parametrize("key", KEYS)
def test_confirm_is_there_exactly_where_the_menu_closes(key: str) -> None:
    kinds = set()
    for match, seat, draft in positions(key):
        panel = panel_of(match, seat, draft)
        assert panel.menu is not None
        actions = {place.action for place in places(page_of(panel))}
        assert (Action.CONFIRM in actions) is panel.menu.closing
        assert (Action.BACK in actions) is bool(panel.draft)
        assert Action.REFRESH in actions
        kinds.add(panel.menu.closing)
    assert kinds == {True, False}


@pytest.mark.parametrize("key", KEYS)
def test_one_row_ends_a_panel_on_which_something_is_drafted(key: str) -> None:
    """The others push the picture out of sight on a phone; More shows them."""
    kinds = set()
    for match, seat, draft in islice(positions(key), 60):
        panel = panel_of(match, seat, draft)
        kinds.add(bool(panel.draft))
        assert panel.menu is not None
        confirm = ["Confirm"] if panel.menu.closing else []
        look = ["Look closer"] if len(renderers_by_game()[key].pictures(panel.view)) > 1 else []
        elsewhere = [*look, "Log", "Next match"]
        full = [*confirm, "Back", "Clear", "Type…", "Refresh", *elsewhere]
        if panel.draft:
            clear = [] if confirm or len(panel.draft) == 1 else ["Clear"]
            assert ending(panel, Focus()) == [*confirm, "Back", *clear, "More"]
            assert ending(panel, Focus(more=True)) == full
        else:
            plain = [*confirm, "Type…", "Refresh", *elsewhere]
            assert ending(panel, Focus()) == ending(panel, Focus(more=True)) == plain
    assert kinds == {True, False}


def ending(panel: Panel, focus: Focus) -> list[str]:
    """Return the labels of the buttons that a panel ends with."""
    page = panel_page(PanelPage(panel, ENGLISH, Painting(PICTURE), focus, others_wait=True))
    found: list[str] = []
    for row in (item for item in walk(sent(page)) if item["type"] == 1):
        labels = [item["label"] for item in row["components"] if _ends(item)]
        assert not labels or len(labels) == len(row["components"]), "other buttons stand among them"
        found += labels
    return found


def _ends(item: dict[str, Any]) -> bool:
    place = parse(item["custom_id"])
    closing = (Action.CONFIRM, Action.BACK, Action.CLEAR, Action.PRESET, Action.TYPE, Action.REFRESH)
    return isinstance(place, ButtonId) or (isinstance(place, PanelId) and place.action in closing)


@pytest.mark.parametrize("key", KEYS)
def test_what_was_answered_last_can_be_answered_otherwise(key: str) -> None:
    """Its siblings stand there with the chosen one marked, unless the game's own menu shows it."""
    seen = 0
    for match, seat, draft in positions(key):
        panel = panel_of(match, seat, draft)
        answered = panel.answered
        instead = offered_instead(panel)
        if answered is None:
            assert not instead
            continue
        assert panel.menu is not None
        word = panel.draft[-1]
        assert answered.chosen == word
        for part in panel.menu.fields:
            assert part.key != answered.key
            assert part.chosen != word
        if instead:
            seen += 1
            assert {sibling for sibling, chosen in instead.items() if chosen} == {word}
        for sibling in instead:
            menu = match.menu(seat, (*panel.draft[:-1], sibling))
            assert menu is not None
            # A game may fold a sibling into other words; what was said before it stands.
            assert sibling in menu.draft
            assert {*panel.draft[:-1]} <= {*menu.draft}
    assert seen or key not in ("volto", "volo")


def offered_instead(panel: Panel) -> dict[str, bool]:
    """Return the words that a panel offers instead of the last one, and whether each is marked."""
    found: dict[str, bool] = {}
    for item in walk(sent(page_of(panel))):
        place = parse(item.get("custom_id"))
        if isinstance(place, PanelId) and place.action is Action.INSTEAD:
            blue = item.get("style") == ButtonStyle.primary.value
            marked = {option["value"]: option.get("default", False) for option in item.get("options", [])}
            found |= marked or {place.word: blue}
    return found


def test_buttons_that_replace_a_choice_are_told_from_those_that_follow_it() -> None:
    """Both may be grids of squares."""
    titled = 0
    for match, seat, draft in positions("volto"):
        panel = panel_of(match, seat, draft)
        if panel.answered is None or "select" in panel.answered.widget.value:
            continue
        chosen = next(each for each in panel.answered.choices if each.word == panel.answered.chosen)
        square = ENGLISH.game("volto", chosen.label)
        assert f"**{ENGLISH.house('panel.instead', choice=square)}**" in text_of(
            {"components": sent(page_of(panel))}
        )
        titled += 1
    assert titled


@pytest.mark.parametrize("key", ["volto", "volo"])
def test_a_prompt_asks_for_nothing_once_all_is_chosen(key: str) -> None:
    seen = set()
    for match, seat, draft in positions(key):
        menu = panel_of(match, seat, draft).menu
        assert menu is not None
        if menu.closing:
            assert "?" not in ENGLISH.game(key, menu.prompt)
            seen.add(menu.key)
    assert seen


def test_the_log_is_at_hand_until_something_is_drafted() -> None:
    match = begun("volo", 0)
    seat = seats_asked(match)[0]
    for draft in drafts(match, seat, Rng(match.seed)):
        ids = [parse(item.get("custom_id")) for item in walk(sent(page_of(panel_of(match, seat, draft))))]
        assert (ButtonId(panel_of(match, seat).table.id, Button.LOG) in ids) is (not draft)


@pytest.mark.parametrize("key", KEYS)
def test_who_can_look_at_several_pictures_is_offered_them(key: str) -> None:
    kinds = set()
    for match, seat, draft in islice(positions(key), 20):
        panel = panel_of(match, seat, draft)
        page = page_of(panel, Focus(more=True))
        found = [parse(item.get("custom_id")) for item in walk(sent(page))]
        several = len(renderers_by_game()[key].pictures(panel.view)) > 1
        assert found.count(LOOK) == several
        kinds.add(several)
    # What else there is to see in VOLT depends on the moment.
    always = {"corto": True, "doge": True, "volo": False, "volto": False}
    assert key not in always or kinds == {always[key]}


# --- menus that no game has yet -------------------------------------------------------------------


def with_menu(fields: tuple[Field, ...]) -> Panel:
    panel = panel_of(begun(KEYS[0], 0), 0)
    menu = Menu("m", msg("help"), (), fields, complete=False, closing=False)
    return replace(panel, menu=menu)


def choices(count: int, groups: int = 0, **more: Any) -> tuple[Choice, ...]:
    return tuple(
        Choice(f"w{n}", msg("tagline"), group=f"g{n % groups}" if groups else "", **more)
        for n in range(count)
    )


def field(number: int, count: int, widget: Widget = Widget.SELECT, groups: int = 0) -> Field:
    named = tuple(Group(f"g{n}", msg("tagline")) for n in range(groups))
    made = tuple(replace(c, word=f"f{number}{c.word}") for c in choices(count, groups))
    return Field(f"field{number}", msg("tagline"), made, widget, named)


def ring(*places: str) -> Field:
    made = tuple(Choice(f"to{place}", msg("tagline"), at=place) for place in places)
    return Field("ring", msg("tagline"), made, Widget.RING)


def test_a_ring_keeps_its_choices_in_their_places() -> None:
    rows = [
        [
            (button["custom_id"].split(":", 5)[-1], button.get("disabled", False))
            for button in item["components"]
        ]
        for item in walk(sent(page_of(with_menu((ring("N", "E", "SW"),)))))
        if item["type"] == 1 and len(item["components"]) == 3
    ]
    pressed = [[word if not gone else "" for word, gone in row] for row in rows][:3]
    assert pressed == [["", "toN", ""], ["", "", "toE"], ["toSW", "", ""]]


@pytest.mark.parametrize(
    "fields",
    [
        (field(0, 1),),
        (field(0, 25),),
        (field(0, 26),),
        (field(0, 700),),
        (field(0, 120, groups=13),),
        (field(0, 120, groups=2),),
        (field(0, 400, groups=30),),
        (field(0, 10, Widget.BUTTONS), field(1, 10, Widget.BUTTONS), field(2, 10, Widget.BUTTONS)),
        tuple(field(n, 9, Widget.BUTTONS) for n in range(9)),
        tuple(field(n, 60, groups=3) for n in range(12)),
        tuple(field(n, 3) for n in range(40)),
        (Field("mix", msg("tagline"), (), Widget.SHUFFLE, shuffle=("a", "b")), field(1, 5)),
        (field(0, 25, Widget.GRID),),
        (field(0, 60, Widget.GRID, groups=9), field(1, 1, Widget.BUTTONS)),
        (field(0, 120, Widget.GRID, groups=3),),
        (field(0, 60, Widget.GRID),),
        (field(0, 110, Widget.GRID, groups=11), field(1, 40, Widget.GRID, groups=3)),
        (field(0, 110, Widget.GRID, groups=11), field(1, 20, Widget.GRID, groups=2), field(2, 9)),
        (field(0, 25, Widget.GRID), field(1, 25, Widget.GRID)),
        (ring("N", "E", "S", "W"), field(1, 12)),
        (ring("NW", "N", "NE", "W", "E", "SW", "S", "SE"),),
        (ring("N", "somewhere"),),
    ],
)
def test_any_menu_fits_and_every_word_can_be_reached(fields: tuple[Field, ...]) -> None:
    panel = with_menu(fields)
    for focus in looks(panel):
        check(sent(page_of(panel, focus)))
    assert set(touches_by_word(panel)) == {choice.word for part in fields for choice in part.choices}


def test_a_grid_costs_one_touch_and_two_where_it_has_groups() -> None:
    few, many = field(0, 25, Widget.GRID), field(0, 60, Widget.GRID, groups=9)
    assert set(touches_by_word(with_menu((few,))).values()) == {1}
    assert set(touches_by_word(with_menu((many,))).values()) == {2}


def test_fields_get_buttons_as_long_as_there_is_room_for_them() -> None:
    large, small = field(0, 110, Widget.GRID, groups=11), field(1, 20, Widget.GRID, groups=2)
    costs = touches_by_word(with_menu((large, small)))
    assert {costs[choice.word] for part in (large, small) for choice in part.choices} == {2}
    crowd = tuple(field(n, 9, Widget.BUTTONS) for n in range(4))
    costs = touches_by_word(with_menu(crowd))
    assert [{costs[choice.word] for choice in part.choices} for part in crowd] == [{1}, {1}, {2}, {2}]


def test_the_group_of_what_is_chosen_is_in_focus() -> None:
    part = field(0, 60, Widget.GRID, groups=9)
    word = part.choices[30].word
    costs = touches_by_word(with_menu((replace(part, chosen=word),)))
    assert {found for found, cost in costs.items() if cost == 1} == {
        choice.word for choice in part.choices if choice.group == part.choices[30].group
    }


def selects(panel: Panel) -> list[dict[str, Any]]:
    return [item for item in walk(sent(page_of(panel))) if "options" in item]


def test_a_select_shows_what_the_draft_holds_and_is_called_by_its_field() -> None:
    part = replace(field(1, 12, groups=2), chosen="")
    word = part.choices[7].word
    [select] = selects(with_menu((part,)))
    assert [option for option in select["options"] if option.get("default")] == []
    assert select["placeholder"] != ENGLISH.house("panel.others")
    [select] = selects(with_menu((replace(part, chosen=word),)))
    assert [option["value"] for option in select["options"] if option.get("default")] == [word]


def test_the_button_of_what_is_chosen_is_in_colour() -> None:
    part = field(1, 4, Widget.BUTTONS)
    word = part.choices[2].word

    def coloured(chosen: str) -> list[str]:
        items = walk(sent(page_of(with_menu((replace(part, chosen=chosen),)))))
        blue = [item for item in items if item.get("style") == ButtonStyle.primary.value]
        places = [parse(item["custom_id"]) for item in blue]
        return [place.word for place in places if isinstance(place, PanelId)]

    assert coloured("") == []
    assert coloured(word) == [word]


def test_what_shows_something_hidden_says_so() -> None:
    shown = Choice("w", msg("tagline"), reveals=True)
    [select] = [
        i for i in walk(sent(page_of(with_menu((Field("f", msg("tagline"), (shown,)),))))) if i["type"] == 3
    ]
    assert select["options"][0]["description"] == ENGLISH.house("panel.reveals_choice")
    button = Choice("w", msg("tagline"), reveals=True, style=Style.DANGER)
    page = page_of(with_menu((Field("f", msg("tagline"), (button,), Widget.BUTTONS),)))
    [made] = [i for i in walk(sent(page)) if i["type"] == 2 and i["custom_id"].endswith(":w:w")]
    assert "👁" in made["label"]
    drafted = replace(panel_of(begun(KEYS[0], 0), 0), reveals=True)
    warning = ENGLISH.house("panel.reveals")
    assert any(warning in item.get("content", "") for item in walk(sent(page_of(drafted))))
    assert not any(warning in item.get("content", "") for item in walk(sent(page)))
    assert made["style"] == 4


@pytest.mark.parametrize("key", KEYS)
async def test_the_modal_holds_the_draft(key: str) -> None:
    match = begun(key, 0)
    seat = seats_asked(match)[0]
    for draft in drafts(match, seat, Rng(match.seed)):
        panel = panel_of(match, seat, draft)
        modal = typing_modal(panel, ENGLISH).to_dict()
        assert len(modal["title"]) <= 45
        [label] = modal["components"]
        assert len(label["label"]) <= 45
        assert label["component"].get("value") == (match.game.write(panel.draft) if panel.draft else None)
        assert isinstance(parse(modal["custom_id"]), PanelId)


def test_the_modal_shows_an_example() -> None:
    match = begun("volo", 0)
    panel = replace(panel_of(match, seats_asked(match)[0]), example=("c4",))
    [label] = typing_modal(panel, ENGLISH).to_dict()["components"]
    assert label["component"]["placeholder"] == "For example: c4"
    long = replace(
        panel, example=(("x" * 60),) * 6, table=replace(panel.table, setup=begun("corto", 0).setup)
    )
    [label] = typing_modal(long, ENGLISH).to_dict()["components"]
    assert len(label["component"]["placeholder"]) == 100


def test_names_are_shown_as_they_are() -> None:
    page = page_of(panel_of(begun(KEYS[0], 0), 0))
    said = "\n".join(item.get("content", "") for item in walk(sent(page)))
    assert "@everyone" not in said
    assert "*bold*" not in said.replace("\\*", "")


# --- sentences in words ---------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_what_would_be_confirmed_is_told_in_words(key: str) -> None:
    seen = 0
    for match, seat, draft in positions(key):
        panel = panel_of(match, seat, draft)
        if panel.menu is None or not panel.menu.closing:
            continue
        text, texts = (
            text_of({"components": sent(panel_page(PanelPage(panel, ENGLISH)))}),
            TableTexts(ENGLISH, panel.table),
        )
        for message in sentence(match.game, match.view(seat), panel.draft):
            assert without_isolates(texts.say(message)) in text
        assert "`" not in text, "notation, where nobody types"
        seen += 1
    assert seen


def after(match: Match, seat: int, words: Words) -> tuple[Panel, Receipt]:
    """Return the panel after a sentence, with what the seat alone learned by it, and its receipt."""
    now = match.act(seat, words)
    told = tuple(Told(batch, fact) for batch, fact in now.facts(seat, since=len(match.batches)))
    public = {fact for _, fact in now.facts(None, since=len(match.batches))}
    learned = tuple(each for each in told if each.fact not in public)
    panel = replace(panel_of(now, seat), learned=learned)
    return panel, Receipt(panel.table, seat, 0, words, told, repeated=False, outcome=None)


@pytest.mark.parametrize("key", FIVE)
def test_a_receipt_tells_what_the_act_did_and_repeats_nothing(key: str) -> None:
    told = set()
    for match in played(key, 0, 30):
        for seat in seats_asked(match)[:1]:
            panel, receipt = after(match, seat, match.computer(seat))
            first, *rest = receipt_lines(panel, receipt, ENGLISH)
            texts = TableTexts(ENGLISH, panel.table)
            alone = texts.retold(each.fact for each in panel.learned)
            lines = [first.removeprefix("✅ "), *rest]
            assert first.startswith("✅ ")
            assert not {*lines} & {*alone}
            assert not any("`" in line for line in lines)
            assert len(lines) <= 2 + SENTENCES
            told.add(lines == ["Confirmed."])
    assert False in told


def test_a_receipt_of_what_is_told_already_only_confirms() -> None:
    begun_turn = begun("corto", 0)
    seat = min(begun_turn.waiting)
    words = begun_turn.computer(seat)
    panel, receipt = after(begun_turn, seat, words)
    alone = replace(receipt, told=panel.learned)
    assert receipt_lines(panel, alone, ENGLISH) == ["✅ Confirmed."]


def test_of_a_long_receipt_the_last_news_are_kept() -> None:
    """The last program of a round carries out all of them."""
    longest: list[str] = []
    for match in played("volt", 0, 60):
        for seat in seats_asked(match)[:1]:
            panel, receipt = after(match, seat, match.computer(seat))
            longest = max(longest, receipt_lines(panel, receipt, ENGLISH), key=len)
    assert longest[0] == "✅ Confirmed."
    assert longest[1] == f"-# {ENGLISH.house('news.earlier')}"
    assert len(longest) == 2 + SENTENCES
