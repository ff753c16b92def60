"""Panels of real positions of every game: within Discord's limits, complete, and quick to use."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from discord import ButtonStyle

from bot.domain.match import Panel
from bot.pages.controls import Focus
from bot.pages.custom_ids import Action, PanelId, parse
from bot.pages.page import Page
from bot.pages.panel import panel_page, typing_modal
from bot.pages.texts import Texts
from engines.core.contract import Choice, Field, Group, Menu, Style, Widget, Words, msg
from engines.core.match import Match
from engines.core.rng import Rng
from tests.ui.limits import check, sent, walk
from tests.ui.positions import KEYS, begun, drafts, panel_of, played

ENGLISH = Texts()


def bound(key: str, text: str) -> int:
    """Return how many touches a turn may cost from the open panel, Confirm included."""
    if key == "volto":
        return 3
    flight = 5 if "-" in text else 4
    return flight + (1 if "/" in text else 0)


def page_of(panel: Panel, focus: Focus | None = None) -> Page:
    return panel_page(panel, ENGLISH, picture=None, words="board", focus=focus or Focus())


def seats_asked(match: Match) -> list[int]:
    return sorted(match.waiting)


def positions(key: str) -> Iterator[tuple[Match, int, Words]]:
    for number in range(2):
        for step, match in enumerate(played(key, number, 40)):
            for seat in seats_asked(match)[:1] if step % 3 == 0 else ():
                for draft in drafts(match, seat, Rng(match.seed).child("walk", step)):
                    yield match, seat, draft


@pytest.mark.parametrize("key", KEYS)
def test_every_panel_is_within_the_limits(key: str) -> None:
    seen = 0
    for match, seat, draft in positions(key):
        panel = panel_of(match, seat, draft)
        for focus in looks(panel):
            check(sent(page_of(panel, focus)))
            seen += 1
    assert seen >= 10


def test_selects_are_others_at_every_drawing_and_mean_the_same() -> None:
    selects = 0
    for match, seat, draft in positions("volo"):
        panel = panel_of(match, seat, draft)
        for focus in looks(panel):
            drawn = [
                [item["custom_id"] for item in walk(sent(page)) if item["type"] == 3]
                for page in (
                    panel_page(panel, ENGLISH, picture=None, focus=focus, drawing=drawing)
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
        assert {Action.REFRESH, Action.TYPE} <= actions
        kinds.add(panel.menu.closing)
    assert kinds == {True, False}


@pytest.mark.parametrize("key", ["volto", "volo"])
def test_a_turn_takes_few_touches(key: str) -> None:
    kinds = set()
    for number in range(3):
        for step, match in enumerate(played(key, number, 80)):
            if step % 5 < 3 or match.outcome is not None:
                continue
            touches, text = touches_of_a_turn(match, seats_asked(match)[0], step)
            assert touches <= bound(key, text), text
            kinds.add(bound(key, text))
    assert kinds >= ({3} if key == "volto" else {4, 5})


def test_a_program_without_modules_takes_eight_touches() -> None:
    """Each word at one touch, its modules beside it at no more than two; the confirmation is the eighth."""
    match = begun("volt", 5, 4)
    while match.view(None).phase.value != "program":
        match = match.act(min(match.waiting), match.computer(min(match.waiting)))
    draft: Words = ()
    total = 1
    for word in ("I:r3", "I:NE", "II:b3", "II:W", "III:r6", "III:S", "tile:2"):
        costs = touches_by_word(panel_of(match, 0, draft))
        assert max(costs.values()) <= 2
        total += costs[word]
        menu = match.menu(0, (*draft, word))
        assert menu is not None
        draft = menu.draft
    assert match.game.write(draft) == "program I:r3NE II:b3W III:r6S tile:2"
    assert panel_of(match, 0, draft).menu is not None
    assert total == 8


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


def test_a_gift_takes_four_touches() -> None:
    """The true card, the false one in its select, and Confirm: the square is proposed."""
    match = begun("doge", 1, 4)
    while match.view(None).public.phase.value != "show":
        match = match.act(min(match.waiting), match.computer(min(match.waiting)))
    [giver] = match.waiting
    view = match.view(giver)
    false = next(card.value for card in view.false_hand if card.value > "m")
    true = view.own.other_kind(false).value
    costs = pressed(match, giver, ())[true] + pressed(match, giver, (true,))[false]
    menu = match.menu(giver, (true, false))
    assert menu is not None
    assert menu.closing
    assert costs + 1 == 4


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


def pressed(match: Match, seat: int, draft: Words) -> dict[str, int]:
    """Return what each word costs where whoever picks from a select first has to open it."""
    panel = panel_of(match, seat, draft)
    buttons = {place.word for place in places(page_of(panel)) if place.action is Action.WORD}
    return {word: cost + (word not in buttons) for word, cost in touches_by_word(panel).items()}


def touches_of_a_turn(match: Match, seat: int, step: int) -> tuple[int, str]:
    """Return what a random whole turn costs in touches, and the turn."""
    total = 0
    before: Words = ()
    for draft in drafts(match, seat, Rng(match.seed).child("touch", step)):
        if len(draft) > len(before):
            total += touches_by_word(panel_of(match, seat, before), draft[-1])[draft[-1]]
        before = draft
    panel = panel_of(match, seat, before)
    assert panel.menu is not None
    assert panel.menu.complete
    return total + 1, match.game.write(before)


def places(page: Page) -> list[PanelId]:
    ids = [parse(item["custom_id"]) for item in walk(sent(page)) if "custom_id" in item]
    assert all(isinstance(place, PanelId) for place in ids)
    return [place for place in ids if isinstance(place, PanelId)]


def looks(panel: Panel) -> list[Focus]:
    """Return every place that a person can look at in a panel, by following its selects."""
    found = [Focus()]
    queue = deque(found)
    while queue:
        for look, _ in moves(panel, queue.popleft()):
            if look is not None and look not in found:
                found.append(look)
                queue.append(look)
    return found


def moves(panel: Panel, focus: Focus) -> Iterator[tuple[Focus | None, str]]:
    """Yield what one touch leads to: another look, or a word."""
    for item in walk(sent(page_of(panel, focus))):
        place = parse(item.get("custom_id"))
        if not isinstance(place, PanelId):
            continue
        values = [option["value"] for option in item.get("options", [])]
        if place.action is Action.WORD:
            yield None, place.word
        elif place.action is Action.PICK:
            yield from ((None, value) for value in values)
        elif place.action is Action.GROUP:
            yield from ((Focus(place.word.partition("/")[0], value[1:]), "") for value in values)
        elif place.action is Action.FIELD:
            yield from ((Focus(field=value), "") for value in values)


def touches_by_word(panel: Panel, wanted: str = "") -> dict[str, int]:
    """Return how many touches each word costs from the open panel, or at least ``wanted``."""
    cost: dict[str, int] = {}
    queue = deque([(Focus(), 1)])
    seen = {Focus()}
    while queue and wanted not in cost:
        focus, touches = queue.popleft()
        for following, word in moves(panel, focus):
            if following is None:
                cost.setdefault(word, touches)
            elif following not in seen:
                seen.add(following)
                queue.append((following, touches + 1))
    return cost


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


def test_names_are_shown_as_they_are() -> None:
    page = page_of(panel_of(begun(KEYS[0], 0), 0))
    said = "\n".join(item.get("content", "") for item in walk(sent(page)))
    assert "@everyone" not in said
    assert "*bold*" not in said.replace("\\*", "")
