"""Deadlines and absences, as boards, panels, tables and lists say them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.domain.clocks import Clock, Pace, TimeUp
from bot.domain.match import Board, LogLine
from bot.domain.tables import MatchLine, Person, Status, TableInfo
from bot.pages.board import board_page, goodbye_page
from bot.pages.clocks import clock_line, moment
from bot.pages.custom_ids import Button, ButtonId, parse
from bot.pages.lobby import lobby_page
from bot.pages.log import log_page
from bot.pages.page import Page
from bot.pages.panel import PanelPage, panel_page
from bot.pages.person import games_page
from bot.pages.questions import overdue_page, people_to_answer_overdue
from bot.pages.texts import TableTexts, Texts
from engines.core.match import Entry, EntryKind
from tests.ui.limits import sent, told, walk
from tests.ui.positions import begun, board_of, panel_of, table_of

ENGLISH = Texts()
PASSES = ENGLISH.house("lobby.time_up.pass")
WAITING_DECIDES = ENGLISH.house("lobby.time_up.two")
NOON = 1_800_000_000.0
EARLY = Clock(0.0, NOON, NOON)
LATE = Clock(3_600.0, NOON, NOON + 3_600)


def read(page: Page) -> str:
    return told(page)


def plainly(name: str) -> str:
    """Return the beginning of a name, as far as it needs no markup to be shown as it is."""
    return re.split(r"[^A-Za-z]", name)[0]


def buttons(page: Page) -> set[Button]:
    ids = [parse(item["custom_id"]) for item in walk(sent(page)) if "custom_id" in item]
    return {place.button for place in ids if isinstance(place, ButtonId)}


def test_a_time_is_shown_in_each_readers_own_zone() -> None:
    assert moment(NOON + 0.7) == f"<t:{NOON:.0f}:f> (<t:{NOON:.0f}:R>)"


def test_a_reserve_is_named_where_there_is_one() -> None:
    assert clock_line(None, ENGLISH) == clock_line(Clock(5.0), ENGLISH) == ""
    assert "reserve" not in clock_line(EARLY, ENGLISH)
    assert f"<t:{NOON + 3_600:.0f}" in clock_line(LATE, ENGLISH).partition("reserve")[2]


def test_a_board_names_whom_only_where_times_differ() -> None:
    board = board_of(begun("volt", 0, 3))
    assert "⏳" not in read(board_page(board, ENGLISH))
    same = read(board_page(replace(board, clocks=dict.fromkeys(range(3), EARLY)), ENGLISH))
    assert same.count("⏳") == 1
    assert f"⏳ due <t:{NOON:.0f}" in same
    several = replace(board, clocks={0: EARLY, 1: LATE, 2: EARLY})
    said = read(board_page(several, ENGLISH))
    assert said.count("⏳") == 2
    assert f"⏳ {plainly(board.table.chair_at(1).name)}" in said


def test_a_board_says_who_was_decided_for_and_who_is_away() -> None:
    board = board_of(begun("volt", 0, 3))
    chairs = tuple(replace(chair, stand_in=chair.seat == 1) for chair in board.table.chairs)
    table = replace(board.table, chairs=chairs)
    names = [plainly(chair.name) for chair in chairs]
    said = read(board_page(replace(board, table=table, lapsed=(0,)), ENGLISH))
    assert re.search(rf"⌛ \W*{names[0]}[^.]* ran out of time, so Bauta played", said)
    assert f"until they’re back: {names[1]}" in said


@pytest.mark.parametrize("page", [board_page, goodbye_page])
@pytest.mark.parametrize(
    ("claims", "said"), [(False, "resigned."), (True, "so the opponent claimed the win")]
)
def test_a_match_that_a_player_ended_says_who_and_not_what_the_game_calls_it(
    page: Callable[[Board, Texts], Page], claims: bool, said: str
) -> None:
    match = begun("volo", 0)
    over = replace(board_of(match.apply(Entry(EntryKind.WITHDRAW, 1))), told=())
    board = replace(over, claimed=1) if claims else replace(over, resigned=1)
    texts = TableTexts(ENGLISH, over.table)
    assert over.outcome is not None
    [reason] = map(texts.say, over.outcome.reasons)
    game_says, house_says = (
        "".join(item.get("content", "") for item in walk(sent(page(each, ENGLISH)))) for each in (over, board)
    )
    assert reason in game_says
    assert reason not in house_says
    assert re.search(rf"{re.escape(texts.seat_name(1))}[^.]* {said}", house_says)


def test_a_question_of_two_has_its_buttons_wherever_it_stands() -> None:
    board = replace(board_of(begun("volo", 0)), overdue=(1,))
    chair = board.table.chair_at(0)
    assert chair.person is not None
    assert people_to_answer_overdue(board) == [chair.person.id]
    asked = {Button.CLAIM, Button.LET_COMPUTER_PLAY, Button.WAIT}
    page = overdue_page(board, ENGLISH)
    assert buttons(page) == asked
    assert f"<@{chair.person.id}>" in read(page)
    shown = board_page(replace(board, clocks={1: EARLY}), ENGLISH)
    assert buttons(shown) >= asked
    assert "ran out of time" in read(shown)
    assert "due <t:" not in read(shown)
    assert people_to_answer_overdue(replace(board, overdue=())) == []


def test_a_panel_says_until_when_and_who_is_back() -> None:
    panel = panel_of(begun("volo", 0), 0)
    page = panel_page(PanelPage(replace(panel, clock=EARLY), ENGLISH))
    assert f"⏳ due <t:{NOON:.0f}" in read(page)
    assert Button.I_AM_BACK not in buttons(page)
    chairs = tuple(replace(chair, stand_in=chair.seat == 0) for chair in panel.table.chairs)
    away = panel_page(PanelPage(replace(panel, table=replace(panel.table, chairs=chairs)), ENGLISH))
    assert Button.I_AM_BACK in buttons(away)


@pytest.mark.parametrize("pace", [pace for pace in Pace if pace is not Pace.NONE])
def test_a_table_says_its_pace_and_what_follows(pace: Pace) -> None:
    three = replace(table_of(begun("corto", 0, 3), Status.OPEN), pace=pace)
    said = {kind: read(lobby_page(replace(three, time_up=kind), ENGLISH)) for kind in TimeUp}
    assert all(f"Pace: {pace.value}" in text for text in said.values())
    assert PASSES in said[TimeUp.PASS]
    assert PASSES not in said[TimeUp.COMPUTER]
    beside_a_computer = replace(table_of(begun("volto", 0), Status.OPEN), pace=pace)
    assert WAITING_DECIDES not in read(lobby_page(beside_a_computer, ENGLISH))
    chairs = tuple(replace(chair, person=Person(9, "Ben")) for chair in beside_a_computer.chairs)
    two = replace(beside_a_computer, chairs=chairs)
    assert WAITING_DECIDES in read(lobby_page(two, ENGLISH))
    together = replace(table_of(begun("doge", 0, 2), Status.OPEN), pace=pace)
    assert WAITING_DECIDES not in read(lobby_page(together, ENGLISH))


def test_a_table_without_a_pace_says_nothing_of_time() -> None:
    assert "Pace" not in read(lobby_page(table_of(begun("corto", 0, 3), Status.OPEN), ENGLISH))


def test_a_list_says_until_when() -> None:
    table = table_of(begun("volo", 0))
    line = MatchLine(table, 0, True, NOON - 60, deadline=NOON)
    said = f"**your turn** since <t:{NOON - 60:.0f}:f>"
    assert f"{said}, due <t:{NOON:.0f}:R>" in read(games_page([line], ENGLISH))
    assert said in read(games_page([replace(line, deadline=None)], ENGLISH))


def test_a_list_shows_an_hourglass_only_for_matches_that_go_on() -> None:
    table = table_of(begun("volo", 0))
    waits = [status for status in Status if "⏳" in read(games_page([_line(table, status)], ENGLISH))]
    assert waits == [Status.RUNNING]


def _line(table: TableInfo, status: Status) -> MatchLine:
    return MatchLine(replace(table, status=status), 0, False, NOON)


def test_the_log_says_for_whom_it_was_decided() -> None:
    match = begun("volo", 0)
    facts = tuple(fact for _, fact in match.facts(None))
    table = table_of(match)
    said = read(log_page(table, [LogLine(1, NOON, facts, (1,))], None, ENGLISH))
    name = plainly(table.chair_at(1).name)
    assert re.search(rf"⌛ \W*{name}[^.]* ran out of time, so Bauta played", said)
