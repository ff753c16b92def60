"""What players rely on, looked at from outside: what is committed against what Discord shows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bot.domain.clocks import Pace
from bot.domain.match import Board, LogRow, Panel, RowKind
from bot.domain.tables import Status, TableInfo
from bot.matches import Services, build_services
from bot.matches.loaded_table import LoadedTable
from bot.matches.match_log import MatchLog
from bot.matches.table_cache import TableCache
from bot.pages.board import pinged_people
from bot.pages.lobby import lobby_page
from bot.pages.offer import people_to_answer
from bot.pages.page import Page
from bot.pages.pictures import Pictures
from bot.pages.texts import Texts
from bot.store import Store, open_store
from tests.kit.simulation.discord import Discord
from tests.kit.simulation.house import Painter
from tests.kit.simulation.messages import Message, seen
from tests.kit.simulation.people import Told

KNOWN_LIMITS = frozenset({"late table", "late board", "late panel", "late question"})
"""What may be left: a message or an edit that a dead house had sent, or one that a living house had given up,
and that Discord carried out only after it had been looked for. For a panel that means: buttons that redraw it
and commit nothing."""


JUDGED_WITHIN = 60.0
"""Seconds after a deadline within which it is judged: the loop sleeps for half a minute at most."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What must not be, and where."""

    kind: str
    text: str


class Evidence(Protocol):
    """What an audit needs of the world."""

    database: Path
    discord: Discord
    told: Told
    deleted: set[tuple[str, str]]

    def wall(self) -> float: ...

    def ask_database(self, sql: str) -> list[tuple[Any, ...]]: ...


async def audit(world: Evidence) -> list[Finding]:
    """Return all that is wrong: what is lost or doubled, and what a screen shows wrongly."""
    store = await open_store(world.database)
    try:
        return [finding async for finding in _findings(world, store)]
    finally:
        await store.close()


async def _findings(world: Evidence, store: Store) -> AsyncIterator[Finding]:
    async def at_once() -> None:
        return

    services = build_services(TableCache(store, wake=lambda: None, clock=world.wall))
    pictures = Pictures(Painter(at_once))  # type: ignore[arg-type]
    ids = [match for (match,) in world.ask_database("SELECT id FROM match ORDER BY id")]
    for match in sorted(world.told.opened - set(ids)):
        yield Finding("lost", f"table {match} was opened and is not there")
    for match in ids:
        table = await services.queries.table(match)
        async with store.read() as reader:
            log = await reader.log(match)
        screen = _Screen(world, table)
        found = [*_people(world, table), *_log(world, table, log), *_messages(screen)]
        found += [each async for each in _shown(screen, services, pictures)]
        for finding in found:
            yield finding


# --- what was told ------------------------------------------------------------------------------------


def _people(world: Evidence, table: TableInfo) -> Iterator[Finding]:
    sitting = {chair.person.id for chair in table.chairs if chair.person is not None}
    for (match, person), seated in world.told.seated.items():
        if match == table.id and seated != (person in sitting) and table.status is not Status.CLOSED:
            yield Finding("lost", f"{person} was told {seated=} at table {match}, and it is not so")
    gone = {chair.person.id for chair in table.chairs if chair.person is not None and chair.withdrawn}
    for match, person in world.told.resigned:
        if match == table.id and person not in gone:
            yield Finding("lost", f"{person} has resigned {match}, and still plays")


def _log(world: Evidence, table: TableInfo, log: list[LogRow]) -> Iterator[Finding]:
    by_request = {row.request: row for row in log}
    for key, requests in world.told.tried.items():
        if key[0] != table.id:
            continue
        rows = [by_request[request] for request in sorted(requests) if request in by_request]
        if len(rows) > 1:
            yield Finding("doubled", f"one press of Confirm in {table.id} gave {len(rows)} rows")
        words = world.told.rows.get(key)
        if words is not None and [row.words for row in rows] != [words]:
            yield Finding("lost", f"a sentence in {table.id} was acknowledged and is not in the log")


# --- what is shown ------------------------------------------------------------------------------------


class _Screen:
    """The messages of one match."""

    def __init__(self, world: Evidence, table: TableInfo) -> None:
        self.world = world
        self.table = table
        messages = [one for one in world.discord.all_messages() if one.match == table.id]
        self.tables = [one for one in messages if one.kind == "table"]
        self.boards = [one for one in messages if one.kind == "board"]
        self.panels = [one for one in messages if one.kind == "panel"]
        self.goodbyes = [one for one in messages if one.kind == "goodbye"]
        self.offers = [one for one in messages if one.kind == "offer"]
        self.questions = [one for one in messages if one.kind == "question"]
        self.texts = Texts("en")

    def deleted(self, *kinds: str) -> bool:
        """Return whether moderators have deleted something of the kinds, or the whole thread."""
        gone = self.world.deleted
        thread = (str(self.table.thread_id), "thread")
        return thread in gone or any((self.table.id, kind) in gone for kind in kinds)

    def begun_anew(self) -> bool:
        """Return whether a thread of the match was deleted, so that it goes on in another one."""
        return any((str(message.id), "thread") in self.world.deleted for message in self.tables)

    def overlooks(self, person: int, panel: Panel, board: Board, live: list[Message], sent: bool) -> bool:
        """Return whether the match waits for a person whom nothing in its thread has called.

        ``sent``: a direct message has called them since the hand-over, whatever became of it.
        """
        if live and person in pinged_people(board):
            return not any(person in message.pinged for message in live)
        # Who was to get a direct message that did not arrive is told so once, wherever that stands.
        place = self.table.thread_id or self.table.place.channel_id
        messages = [one for one in self.world.discord.all_messages() if one.channel == place]
        by_message = panel.seat in board.written_to and panel.asked and not sent
        return by_message and not any(person in one.pinged for one in messages)

    def live(self, messages: list[Message]) -> list[Message]:
        """Return the messages with buttons."""
        return [one for one in messages if one.custom_ids]


def _messages(screen: _Screen) -> Iterator[Finding]:
    table = screen.table
    if len(screen.live(screen.tables)) > 1:
        yield Finding("two tables", f"{table.id} has {len(screen.live(screen.tables))} messages of its table")
    # One that was closed before it was shown has no button by which it could be told.
    elif not screen.tables and not screen.deleted("table") and table.status is not Status.CLOSED:
        yield Finding("no table", f"{table.id} has no message of its table")
    if len(screen.live(screen.boards)) > 1:
        shown = [message.id for message in screen.live(screen.boards)]
        yield Finding("two boards", f"{table.id} has boards with buttons {shown}")
    for message in (*screen.boards, *screen.panels):
        yield from _pictures(message)
    for channel in {message.channel for message in screen.goodbyes}:
        said = [message for message in screen.goodbyes if message.channel == channel]
        if table.status is not Status.OVER:
            yield Finding("early goodbye", f"{table.id} is not over, and somebody was told that it is")
        if len(said) > 1 and not any(message.came_late for message in said):
            yield Finding("two goodbyes", f"{table.id} said {len(said)} times in {channel} how it ended")


def _pictures(message: Message) -> Iterator[Finding]:
    if '"missing"' in repr(message.shown()).replace("'", '"'):
        yield Finding("no picture", f"{message.kind} {message.id} of {message.match} has lost its picture")


async def _shown(screen: _Screen, services: Services, pictures: Pictures) -> AsyncIterator[Finding]:
    table = screen.table
    if table.status is Status.FROZEN:
        yield Finding("frozen", f"{table.id} is frozen")
        return
    invited = [person.id for person in await services.lobby.invited(table.id)]
    page = lobby_page(table, screen.texts, invited if table.status is Status.OPEN else ())
    gone = screen.deleted("table") and table.status in (Status.OVER, Status.CLOSED)
    # Where the newest was deleted, the one before it, without buttons, shows what was.
    shown = screen.live(screen.tables) or ([] if screen.deleted("table") else screen.tables[-1:])
    for message in shown:
        if not gone and (difference := _difference(page, message)):
            yield Finding(_stale("table", message), f"{table.id} {table.status.value}: {difference}")
    if table.status in (Status.RUNNING, Status.OVER):
        async for finding in _match(screen, services, pictures):
            yield finding


async def _match(screen: _Screen, services: Services, pictures: Pictures) -> AsyncIterator[Finding]:
    table = screen.table
    board = await services.queries.board(table.id)
    if table.status is Status.OVER:
        await pictures.film(table, await services.queries.replay_file(table.id), screen.texts)
    live = screen.live(screen.boards)
    if not live and not screen.deleted("board"):
        yield Finding("no board", f"{table.id} {table.status.value} has no board")
    for message in live[-1:]:
        difference = _difference(await pictures.board(board, screen.texts), message)
        # A film is not made again for a board that moderators have deleted.
        if difference and not (screen.deleted("board", "thread") and "film" in difference):
            yield Finding(_stale("board", message), f"{table.id} {table.status.value}: {difference}")
    for finding in (*_offers(screen, board), *_questions(screen, board)):
        yield finding
    for finding in _clocks(screen.world, await services.cache.get(table.id)):
        yield finding
    async for finding in _asked(screen, services, live, board):
        yield finding


def _offers(screen: _Screen, board: Board) -> Iterator[Finding]:
    live, match = screen.live(screen.offers), screen.table.id
    late = any(one.late or one.came_late for one in live)
    is_open = bool(board.draw_offers and people_to_answer(board)) and board.outcome is None
    if len(live) > 1:
        yield Finding("late offer" if late else "two offers", f"{match} has {len(live)} open offers")
    elif live and not is_open:
        yield Finding("late offer" if late else "stale offer", f"{match} has an offer that is settled")
    # In a thread that is begun anew the board alone has the buttons to answer with.
    elif is_open and not live and not (screen.deleted("offer", "thread") or screen.begun_anew()):
        yield Finding("no offer", f"{match} asks nobody to answer the offer of a draw")


def _questions(screen: _Screen, board: Board) -> Iterator[Finding]:
    live, match = screen.live(screen.questions), screen.table.id
    late = any(one.late or one.came_late for one in live)
    is_open = bool(board.overdue) and board.outcome is None
    if len(live) > 1:
        yield Finding("late question" if late else "two questions", f"{match} has {len(live)} open questions")
    elif live and not is_open:
        yield Finding("late question" if late else "stale question", f"{match} asks what is settled")
    elif is_open and not live and not (screen.deleted("question", "thread") or screen.begun_anew()):
        yield Finding("no question", f"{match} asks nobody what becomes of a seat whose time is up")


def judged_early(log: MatchLog, pace: Pace) -> Iterator[LogRow]:
    """Yield the rows by which a seat was decided for too soon after a decision that everybody saw."""
    match = log.match
    now = MatchLog.begin(match.game, match.setup, match.seed, log.people)
    decided: dict[int, float] = {}
    for row in log.rows:
        before, now = now, now.then(row)
        if row.seat is None or row.kind.entry is None:
            continue
        if row.kind is RowKind.LAPSE and row.at < decided.get(row.seat, 0.0) + pace.allowance:
            yield row
        # What is done in secret begins no new clock.
        if now.public is not before.public:
            decided[row.seat] = row.at


def _clocks(world: Evidence, table: LoadedTable) -> Iterator[Finding]:
    """Yield the seats that were judged before their time, and those that nobody has judged."""
    if table.info.pace is Pace.NONE:
        return
    for row in judged_early(table.require_log(), table.info.pace):
        yield Finding("judged early", f"{table.id}: row {row.seq}")
    rows, soon = table.require_log().rows, world.wall() - JUDGED_WITHIN
    # Where both are late nobody waits, and whoever has just decided has not waited for long.
    waits = not (table.is_claimable() and len(table.row.asked) > 1) and all(
        row.at < soon for row in rows[-1:]
    )
    for seat, clock in table.row.clocks.items():
        due = clock.deadline is not None and clock.deadline < soon
        running = table.info.status is Status.RUNNING and seat in table.row.asked
        if running and waits and due and not clock.overdue:
            yield Finding("not judged", f"{table.id}: the time of seat {seat} is up")


async def _asked(
    screen: _Screen, services: Services, live: list[Message], board: Board
) -> AsyncIterator[Finding]:
    """Yield whom the match waits for without their knowing, and who could press what is not asked."""
    world, table = screen.world, screen.table
    log = (await services.cache.get(table.id)).require_log()
    for chair in table.chairs:
        # Where nobody is left, a seat that is stood in for is asked, and nobody is told.
        if chair.person is None or chair.seat is None or chair.stand_in:
            continue
        person = chair.person.id
        place = world.discord.dm_of(person)
        written = [one for one in screen.panels if place is not None and one.channel == place.id]
        panels = screen.live(written)
        sent = any(one.id > shown.id for one in written for shown in live[-1:])
        panel = await services.drafts.panel(table.id, person)
        wanted = (await services.settings.preferences(person)).dms and person not in world.discord.closed_dms
        if not panels and screen.overlooks(person, panel, board, live, sent):
            yield Finding("not told", f"{table.id} waits for {person}, who was not told")
        if panel.asked and table.status is Status.RUNNING:
            if wanted and not panels:
                yield Finding("no panel", f"{person} is asked in {table.id} and has no direct message")
            for one in panels:
                if wanted and one.content:
                    yield Finding(_stale("panel", one), f"{person} has a panel of {table.id} in words alone")
            if len(panels) > 1:
                late = any(one.late or one.came_late for one in panels)
                yield Finding(
                    "late panel" if late else "two panels", f"{person} has {len(panels)} panels of {table.id}"
                )
        elif panels and not (table.status is Status.RUNNING and acted_in_secret(log, chair.seat)):
            # One that came late stays one where its reader has pressed what redraws it.
            kind = "late panel" if panels[0].came_late else _stale("panel", panels[0])
            yield Finding(kind, f"{person} is not asked in {table.id} and has buttons to press")


def acted_in_secret(log: MatchLog, seat: int) -> bool:
    """Return whether the public has learned nothing since a seat's last act, by that act neither.

    Then no board is shown, and direct messages lose their buttons with the next one.
    """
    last = max((row.seq for row in log.rows if row.seat == seat), default=0)
    if last == 0:
        return False
    # Not by the batches of the match: an offer of a draw is public, and gives none.
    match = log.match
    before = MatchLog.replay(match.game, match.setup, match.seed, log.rows[: last - 1])
    return before.public.version == log.public.version


def _stale(kind: str, message: Message) -> str:
    # What a dead house had sent, and Discord carried out after the next one had sent its own.
    return f"late {kind}" if message.late else f"stale {kind}"


def _difference(page: Page, message: Message) -> str:
    """Return how a message differs from its page; empty where it does not."""
    files = {item.filename: item.data.decode() for item in page.uploads}
    components: Any = page.view.to_components()  # type: ignore[no-untyped-call]
    wanted, found = seen("", components, files), message.shown()
    if wanted == found:
        return ""
    ours, theirs = list(_leaves(wanted)), list(_leaves(found))
    lacking = [leaf for leaf in ours if leaf not in theirs][:3]
    extra = [leaf for leaf in theirs if leaf not in ours][:3]
    return f"lacks {lacking}, has {extra}"


def _leaves(item: Any) -> Iterator[Any]:
    if isinstance(item, list):
        for one in item:
            yield from _leaves(one)
    elif isinstance(item, dict):
        for key in sorted(item):
            yield from _leaves(item[key])
    elif isinstance(item, str) and "\n" in item:
        yield from item.split("\n")
    else:
        yield item
