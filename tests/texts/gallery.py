"""Every kind of page that the house shows, in any language: of nobody's matches, without a database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from bench.lessons import panel_of as lesson_panel
from bench.lessons import practice_of
from bot.domain.clocks import ZONES, Clock, Holiday, Pace, Reminding, TimeUp
from bot.domain.jobs import Call, CallWay
from bot.domain.lessons import Course
from bot.domain.match import (
    Board,
    ClosedQuestion,
    Closing,
    LogLine,
    Moment,
    Motion,
    MotionKind,
    Told,
)
from bot.domain.tables import (
    ClosedBy,
    MatchLine,
    Opening,
    Person,
    Preferences,
    SeatOffer,
    ServerRules,
    Status,
)
from bot.pages.board import board_page, goodbye_page
from bot.pages.controls import Focus
from bot.pages.how_to_play import help_page, how_to_play_page, welcome_page
from bot.pages.lessons import course_page, lesson_page
from bot.pages.lobby import call_page, company_page, lobby_page
from bot.pages.log import log_page
from bot.pages.moment import moment_page
from bot.pages.page import Page, Painting
from bot.pages.panel import PanelPage, panel_page, typing_modal
from bot.pages.person import games_page, match_labels, settings_page
from bot.pages.privacy import blocked_page, delete_page, export_page, privacy_page
from bot.pages.questions import (
    draw_closed_page,
    draw_page,
    motion_closed_page,
    motion_page,
    overdue_closed_page,
    overdue_page,
    seat_offer_closed_page,
    seat_offer_page,
)
from bot.pages.reminders import answer_page, holiday_page, list_page, mention_page, reminders_page
from bot.pages.rules import which_rules_page
from bot.pages.server import end_page, server_page
from bot.pages.shuffle import hash_page
from bot.pages.texts import Texts
from bot.pages.turning_points import no_turning_point_page, turning_point_page
from engines.core.lessons import has_lessons, lessons
from engines.core.match import Entry, EntryKind, Match
from engines.core.optional_methods import Thinking
from engines.core.rng import Rng
from tests.ui.limits import sent, walk
from tests.ui.panels import looks
from tests.ui.positions import begun, board_of, drafts, panel_of, played, table_of
from tests.ui.test_turning_points import points_of

NOON = 1_800_000_000.0
CLOCK = Clock(3_600.0, NOON, NOON + 3_600)

ACTS = 40
"""Sentences of a match that are played; then all players leave, until it is over."""

EVERY = 5
"""Sentences between two panels."""


@dataclass(frozen=True, slots=True)
class Shown:
    """All texts of a page, each with the place where it stands."""

    name: str
    texts: tuple[tuple[str, str], ...] = field(repr=False)
    components: Any = field(default=None, repr=False)


def shown(name: str, page: Page) -> Shown:
    """Return the texts of a page; pictures and files are looked at elsewhere."""
    found: list[tuple[str, str]] = []
    for item in walk(components := sent(page)):
        found += [(place, item[place]) for place in ("content", "label", "placeholder") if item.get(place)]
        for option in item.get("options", []):
            found += [
                (f"option {place}", option[place]) for place in ("label", "description") if place in option
            ]
    return Shown(name, tuple(found), components)


def house_pages(texts: Texts) -> Iterator[Shown]:
    """Yield the pages that are about no match."""
    yield shown("help", help_page(texts))
    yield shown("welcome", welcome_page(texts))
    yield shown("which rules", which_rules_page(texts))
    yield shown("privacy", privacy_page(texts))
    yield shown("export", export_page({}, texts))
    yield shown("delete", delete_page(texts))
    yield shown("no games", games_page([], texts))
    for preferences in (Preferences(), Preferences(dms=True, always_confirm=False)):
        yield shown("settings", settings_page(preferences, "en-GB", texts, manages=True))
    for region in ("", *ZONES):
        for reminding in Reminding:
            chosen = Preferences(reminders=reminding, zone="Europe/Rome", quiet=(22, 8))
            holiday = Holiday(NOON, NOON + 86_400, None)
            yield shown("reminders", reminders_page(chosen, holiday, texts, now=NOON, region=region))
    for days in (30, 1, 0):
        yield shown("holiday", holiday_page(None, days * 86_400.0, texts))
    yield shown("on holiday", holiday_page(Holiday(NOON, NOON, None), 0.0, texts))
    for opening in Opening:
        rules = ServerRules(opening, (11, 12), (21,), 10).with_paces([Pace.DAY, Pace.SLOW])
        yield shown("server", server_page(rules, table_of(begun("volo", 0)), texts))
    yield shown("server", server_page(ServerRules(), None, texts))


def whole(key: str) -> list[Match]:
    """Return the moments of a match to its end."""
    moments = list(played(key, 0, ACTS))
    for seat in range(moments[-1].setup.seats):
        if moments[-1].outcome is None:
            moments.append(moments[-1].apply(Entry(EntryKind.WITHDRAW, seat)))
    return moments


def game_pages(key: str, texts: Texts) -> Iterator[Shown]:
    """Yield the pages of a game: its table, boards, panels, questions, log and lessons."""
    matches = whole(key)
    yield from _tables(matches[0], texts)
    yield from _boards(matches, texts)
    yield from _panels(matches, texts)
    yield from _looking_back(matches, texts)
    yield shown("how to play", how_to_play_page(key, texts))
    yield from _lessons(key, texts) if has_lessons(key) else ()


def _tables(match: Match, texts: Texts) -> Iterator[Shown]:
    for status in Status:
        table = replace(table_of(match, status), hints=True)
        for pace in Pace:
            for time_up in TimeUp:
                timed = replace(table, pace=pace, time_up=time_up)
                yield shown(f"table {status.value}", lobby_page(timed, texts, [1, 2]))
    table = table_of(match)
    yield shown("call", call_page(table, texts))
    if isinstance(match.game, Thinking):
        yield shown("company", company_page(table, texts))
    yield shown("hash", hash_page(table, texts))
    yield shown("end", end_page(table, texts))
    yield shown("blocked", blocked_page([table], texts))
    lines = [MatchLine(replace(table, id=f"t{n}"), 0, n % 2 == 0, NOON + n, deadline=NOON) for n in range(40)]
    lines += [MatchLine(replace(table, status=status), 0, False, NOON) for status in Status]
    yield shown("games", games_page(lines, texts))
    yield Shown("matches", tuple(("label", label) for label in match_labels(lines, texts)))
    for nudge in (False, True):
        call = Call(CallWay.MESSAGE, 1, (0,), nudge, 1)
        yield shown("list", list_page("abcd2345", lines[:1], call, texts))
        yield shown("list", list_page("abcd2345", lines, call, texts))
        yield shown("mention", mention_page(board_of(match), {0: 100}, call, texts))
        yield shown("answer", answer_page(board_of(match), [100], call, texts))


def _boards(matches: list[Match], texts: Texts) -> Iterator[Shown]:
    for match in matches:
        yield shown("board", board_page(board_of(match), texts))
    board = _of_people(board_of(matches[3]))
    seats = range(matches[0].setup.seats)
    yield shown("board with clocks", board_page(replace(board, clocks=dict.fromkeys(seats, CLOCK)), texts))
    yield shown("board with a reserve", board_page(replace(board, clocks={0: CLOCK}), texts))
    yield shown("board overdue", board_page(replace(board, overdue=(1,), lapsed=(0,)), texts))
    yield shown("board paused", board_page(replace(board, paused=True, draw_offers=(0,)), texts))
    yield shown("board undone", board_page(replace(board, undone=(0,)), texts))
    yield shown("draw", draw_page(replace(board, draw_offers=(0,)), texts))
    yield shown("overdue", overdue_page(replace(board, overdue=(1,)), texts))
    for kind in MotionKind:
        about = 1 if kind is MotionKind.REPLACE else None
        offer = SeatOffer(1, Person(9, "Zoe"), agreed=False) if about else None
        asked = replace(board, motion=Motion(kind, 0, (), about), asked_to_agree=(1,), offer=offer)
        if offer is not None:
            yield shown("seat offer", seat_offer_page(asked, texts))
        yield shown(f"motion {kind.value}", motion_page(asked, texts))
        yield shown(f"board, motion {kind.value}", board_page(asked, texts))
    yield from _closed_questions(board, texts)
    for by in ClosedBy:
        yield shown(f"board closed, {by.value}", board_page(replace(board, closed=by), texts))
    yield shown("board claimed", board_page(replace(board, claimed=1), texts))
    yield shown("board resigned", board_page(replace(board, resigned=1), texts))
    yield shown("goodbye", goodbye_page(board_of(matches[-1]), texts))


def _closed_questions(board: Board, texts: Texts) -> Iterator[Shown]:
    for how, motion in product(Closing, MotionKind):
        closed = ClosedQuestion(how, 0, 1, motion)
        for question in (draw_closed_page, overdue_closed_page, motion_closed_page, seat_offer_closed_page):
            try:
                page = question(board, closed, texts)
            except KeyError as error:
                # Not every question can be closed in every way.
                if error.args[0] is not how:
                    raise
            else:
                yield shown(f"closed, {how.value}", page)


def _of_people(board: Board) -> Board:
    """Return a board whose chairs all have persons."""
    chairs = (replace(chair, person=Person(100 + chair.order, chair.name)) for chair in board.table.chairs)
    return replace(board, table=replace(board.table, chairs=tuple(chairs)))


def _panels(matches: list[Match], texts: Texts) -> Iterator[Shown]:
    for step, match in enumerate(matches[:ACTS:EVERY]):
        for seat in sorted(match.waiting)[:1]:
            for draft in drafts(match, seat, Rng(match.seed).child("walk", step)):
                panel = panel_of(match, seat, draft)
                for focus in (*looks(panel), Focus(more=True)):
                    page = PanelPage(panel, texts, Painting(words="1"), focus, others_wait=True)
                    yield shown("panel", panel_page(page))
    panel = panel_of(matches[0], min(matches[0].waiting))
    yield shown("panel with a clock", panel_page(PanelPage(replace(panel, clock=CLOCK), texts)))
    modal = typing_modal(panel, texts).to_dict()
    found = [("modal title", modal["title"])]
    for label in modal["components"]:
        found += [("modal label", label["label"]), ("modal description", label.get("description") or "")]
        found.append(("placeholder", label["component"].get("placeholder") or ""))
    yield Shown("typing", tuple(found))


def _looking_back(matches: list[Match], texts: Texts) -> Iterator[Shown]:
    last, table = matches[-1], table_of(matches[-1], Status.OVER)
    lines = [LogLine(n, NOON, (fact,)) for n, fact in last.facts(None)]
    page = log_page(table, [*lines, LogLine(99, NOON, (), (0,))], {"seed": "00"}, texts)
    yield shown("log", page)
    yield Shown("log file", (("file", page.uploads[0].data.decode()),))
    yield shown("log, empty", log_page(table_of(matches[0]), [], None, texts))
    for match in (matches[5], last):
        told = tuple(Told(number, fact) for number, fact in match.facts(0))
        view = match.view(0)
        yield shown(
            "moment", moment_page(Moment(table, 0, view, 7, 2, 9, told, match.game.outcome(view)), texts)
        )
    points = points_of(next(match for match in matches[4:] if match.waiting), 1)
    yield shown("turning point", turning_point_page(points, 0, texts))
    yield shown("no turning point", no_turning_point_page(replace(points, found=()), texts))


def _lessons(key: str, texts: Texts) -> Iterator[Shown]:
    course = lessons(key)
    for done in (frozenset[str](), frozenset({course[0].key}), frozenset(each.key for each in course)):
        yield shown("course", course_page(Course(key, course, done), texts))
    for lesson in course:
        for length in range(len(lesson.solutions[0]) + 1):
            panel = lesson_panel(lesson, lesson.solutions[0][:length])
            page = PanelPage(panel, texts, Painting(words="1"), practice=practice_of(lesson))
            yield shown(f"lesson {lesson.key}", lesson_page(page, practice_of(lesson)))
        for told in [lesson.solutions[0], *(words for words in [lesson.solutions[-1]])]:
            verdict = lesson.judge(told)
            panel = replace(lesson_panel(lesson), view=verdict.after.view(lesson.seat), menu=None)
            practice = replace(practice_of(lesson), verdict=verdict)
            yield shown(f"lesson {lesson.key} done", lesson_page(PanelPage(panel, texts), practice))
        yield Shown(
            f"lesson {lesson.key}", tuple(("content", texts.game(key, each)) for each in lesson.texts())
        )
