"""Who is meant can be told wherever a name stands: from another of the same name, and from a side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.domain.match import Board, Motion, MotionKind, Panel
from bot.domain.tables import Chair, FormerHolder, Person, SeatOffer, Status, TableInfo
from bot.pages.board import board_page, goodbye_page
from bot.pages.lobby import lobby_page
from bot.pages.log import log_page
from bot.pages.page import LABEL, OPTION, Page
from bot.pages.panel import PanelPage, panel_page
from bot.pages.questions import draw_page, motion_page, overdue_page, seat_offer_page
from bot.pages.texts import (
    LABEL_NAMES,
    TableTexts,
    Texts,
    match_heading,
    match_link,
    match_name,
    match_numbers,
    shorten,
)
from bot.sync.pictures import _Canvas
from engines.core.contract import ActionError, Field, SeatName, msg
from engines.core.match import Match
from engines.core.names import FIRST_STRONG, POP
from tests.kit.reading import without_isolates
from tests.ui.limits import check, sent, walk
from tests.ui.positions import KEYS, begun, board_of, panel_of, table_of

ENGLISH = Texts()


def of(match: Match, *names: str) -> TableInfo:
    """Return the table of a match with people of these names, the first one repeated as often as needed."""
    wanted = [*names, *[names[0]] * match.setup.seats][: match.setup.seats]
    chairs = tuple(Chair(n, Person(100 + n, name), name, seat=n) for n, name in enumerate(wanted))
    return replace(table_of(match), chairs=chairs, host=Person(100, names[0]))


def fields(match: Match) -> Iterator[Field]:
    """Yield the fields that a match asks, and those that follow one word."""
    for seat in sorted(match.waiting):
        view = match.view(seat)
        menu = match.game.menu(view)
        for part in () if menu is None else menu.fields:
            yield part
            for choice in part.choices[:6]:
                try:
                    after = match.game.menu(view, (choice.word,))
                except ActionError:
                    continue
                yield from () if after is None else after.fields


@pytest.mark.parametrize("key", ["corto", "doge"])
def test_no_two_options_of_one_field_are_one_label(key: str) -> None:
    """Of two people called Anna, the one who is hit is the one who was meant."""
    match, named = begun(key, 0), 0
    for _ in range(60):
        texts = TableTexts(ENGLISH, of(match, "Anna"))
        for part in fields(match):
            labels = texts.choice_labels(part.choices, OPTION)
            plain = TableTexts(ENGLISH, of(match, "Anna", "Ben", "Clara", "Dora"))
            others = plain.choice_labels(part.choices, OPTION)
            named += sum("Ben" in label for label in others)
            if len(set(others)) == len(others):
                assert len(set(labels)) == len(labels), labels
        if not match.waiting:
            break
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
    assert named


@pytest.mark.parametrize(("key", "gap"), [("victim", "player"), ("marker", "owner")])
def test_cortos_targets_are_two(key: str, gap: str) -> None:
    texts = TableTexts(ENGLISH, of(begun("corto", 0), "Anna", "Anna"))
    args: dict[str, Any] = {} if key == "victim" else {"n": 1}
    first, second = (
        texts.label(msg(f"choice.{key}", **{gap: SeatName(seat)}, **args), OPTION) for seat in (0, 1)
    )
    assert "(Red)" in first
    assert "(Blue)" in second


def test_somebody_called_blue_who_plays_red_says_so_everywhere() -> None:
    match = begun("corto", 0)
    table = of(match, "Blue", "Ben")
    texts = TableTexts(ENGLISH, table)
    assert without_isolates(texts.seat_name(0)) == "Blue (Red)"
    assert without_isolates(texts.seat_name(1)) == "Ben"
    assert without_isolates(match_name(table, ENGLISH)) == "CORTO · Blue (Red) – Ben"
    assert "Blue (Red)" in without_isolates(match_link(table, ENGLISH))
    assert _Canvas.of(table, ENGLISH, "default").table.marked == {0}
    # Where the side is said anyway, it is said once.
    board = replace(board_of(match), table=table, waiting=(0,), called=())
    assert "Blue (Red)" in (shown := said(board_page(board, ENGLISH)))
    assert "(Red) (Red)" not in shown


@pytest.mark.parametrize("limit", [25, 45, LABEL, OPTION])
def test_a_label_is_cut_but_not_its_side(limit: int) -> None:
    names = ("Christopher Robin of the Hundred Acres", "Christopher Robin of the Hundred Aces")
    texts = TableTexts(ENGLISH, of(begun("corto", 0), *names))
    labels = [texts.label(msg("choice.victim", player=SeatName(seat)), limit) for seat in (0, 1)]
    assert all(len(label) <= limit for label in labels)
    assert "(Red)" in labels[0]
    assert "(Blue)" in labels[1]


def test_a_cut_leaves_no_isolate_open() -> None:
    text = f"x{FIRST_STRONG}Anna{POP} hits {FIRST_STRONG}Ben{POP}"
    for limit in range(1, len(text) + 1):
        cut = shorten(text, limit)
        assert len(cut) <= limit
        assert cut.count(FIRST_STRONG) == cut.count(POP)


# --- every page ---------------------------------------------------------------------------------------


def said(page: Page) -> str:
    items = list(walk(sent(page)))
    found = [item.get("content", "") for item in items]
    found += [option["label"] for item in items for option in item.get("options", [])]
    found += [item["label"] for item in items if item.get("label")]
    return without_isolates("\n".join([*found, "" if page.push is None else page.push.words]))


def isolates(page: Page) -> str:
    found = [item.get("content", "") for item in walk(sent(page))]
    return "\n".join([*found, "" if page.push is None else page.push.words])


def board(match: Match, table: TableInfo, **changes: Any) -> Board:
    return replace(board_of(match), table=table, **changes)


def panel(match: Match, table: TableInfo) -> Panel:
    return replace(panel_of(match, 0), table=table)


Shown = Callable[[Match, TableInfo], Page]
PAGES: dict[str, Shown] = {
    "board": lambda match, table: board_page(board(match, table, draw_offers=(0, 1), overdue=(1,)), ENGLISH),
    "panel": lambda match, table: panel_page(PanelPage(panel(match, table), ENGLISH, notifies=True)),
    "log": lambda _, table: log_page(table, [], None, ENGLISH),
    "offer": lambda match, table: draw_page(board(match, table, draw_offers=(0,)), ENGLISH),
    "overdue": lambda match, table: overdue_page(board(match, table, overdue=(1,)), ENGLISH),
    "motion": lambda match, table: motion_page(
        board(
            match,
            table,
            motion=Motion(MotionKind.REPLACE, 0, about=1),
            offer=SeatOffer(1, Person(7, "Ben"), agreed=False),
        ),
        ENGLISH,
    ),
    "seat offer": lambda match, table: seat_offer_page(
        board(match, table, offer=SeatOffer(1, Person(7, "Ben"), agreed=True)), ENGLISH
    ),
    "goodbye": lambda match, table: goodbye_page(board(match, table), ENGLISH),
    "table": lambda _, table: lobby_page(table, ENGLISH),
}

WILD = (
    "An\u202ena", "\u2067Anna", "A" + "\u0301" * 30, "مرحبا", "שלום", "✨🎲", "\u0301\u0301", "**Anna**",
    "[Anna](https://a.b)", "@everyone", "Anna\u2069\u2069", "x" * 90,
)  # fmt: skip


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("name", WILD)
def test_every_name_is_isolated_and_turns_nothing(kind: str, name: str) -> None:
    match = begun("corto", 0)
    page = PAGES[kind](match, of(match, name, "Ben"))
    check(sent(page))
    found = isolates(page)
    for line in found.splitlines():
        depth = 0
        for character in line:
            depth += (character == FIRST_STRONG) - (character == POP)
            assert depth in (0, 1), line
        assert depth == 0, line
    assert not re.search("[\u202a-\u202e\u2066\u2067\u200e\u200f]", found)
    assert not re.search("[\u0300-\u036f]{4}", found)
    assert found.count("Ben") == found.count(f"{FIRST_STRONG}Ben")


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("key", KEYS)
def test_two_of_one_name_are_two_on_every_page(key: str, kind: str) -> None:
    match = begun(key, 0)
    table = of(match, "Anna")
    found = said(PAGES[kind](match, table))
    sides = [TableTexts(ENGLISH, table).side(seat) for seat in range(match.setup.seats)]
    for after in re.findall(r"Anna(.{0,14})", found):
        # The table's message has a line for each, which says the side after a dot.
        assert after.startswith(tuple(f" {mark}{side}" for side in sides for mark in ("(", "· "))), after


def test_who_comes_and_who_has_gone_are_told_from_who_plays() -> None:
    match = begun("corto", 0)
    table = replace(of(match, "Anna", "Ben"), former=(FormerHolder(1, Person(7, "Anna"), 0.0),))
    offer = SeatOffer(1, Person(8, "Anna"), agreed=False)
    motion = Motion(MotionKind.REPLACE, 0, about=1)
    shown = said(board_page(board(match, table, motion=motion, offer=offer), ENGLISH))
    assert "Ben took over from Anna (Blue)" in shown
    assert "Anna (not at the table) can take over for" in shown
    plain = replace(table, former=(FormerHolder(1, Person(7, "Clara"), 0.0),))
    assert "from Clara," in said(board_page(board(match, plain), ENGLISH))


def test_matches_whose_names_look_alike_are_numbered() -> None:
    match = begun("corto", 0)
    names = ("Anna", "ANNA", "Clara")
    tables = [replace(of(match, name, "Ben"), id=name, thread_id=n) for n, name in enumerate(names, 1)]
    assert match_numbers(tables, ENGLISH) == {"Anna": 1, "ANNA": 2, "Clara": 0}


def test_an_open_tables_people_have_no_side_yet() -> None:
    table = of(begun("corto", 0), "Anna", "Anna")
    waiting = replace(
        table, status=Status.OPEN, chairs=tuple(replace(chair, seat=None) for chair in table.chairs)
    )
    assert without_isolates(match_heading(waiting, ENGLISH)) == "CORTO · Anna – Anna"


def test_the_words_of_a_label_are_shown_whole_where_there_is_room() -> None:
    texts = TableTexts(ENGLISH, of(begun("corto", 0), "Anna", "Ben"))
    label = partial(texts.label, msg("choice.victim", player=SeatName(1)))
    assert label(OPTION) == f"{FIRST_STRONG}Ben{POP}"
    assert min(LABEL_NAMES) > 4
