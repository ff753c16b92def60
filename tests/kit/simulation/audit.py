"""The audit of what players rely on: commits compared with what Discord shows."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from itertools import chain
from typing import Any

from bot.domain.match import Board, LogRow
from bot.domain.tables import Status, TableInfo
from bot.matches import Services
from bot.matches.match_log import MatchLog
from bot.matches.table_cache import TableCache
from bot.pages.board import board_page
from bot.pages.lobby import lobby_page
from bot.pages.page import Page
from bot.store import Store
from bot.sync.pictures import Pictures
from tests.kit.simulation.clock_audit import clocks
from tests.kit.simulation.closed_audit import closed, former
from tests.kit.simulation.findings import Evidence, Finding
from tests.kit.simulation.house import Painter
from tests.kit.simulation.messages import Message, seen
from tests.kit.simulation.questions_audit import questions
from tests.kit.simulation.reminders_audit import match_reminders, reminders
from tests.kit.simulation.screen import Screen
from tests.kit.thinking_here import services_over

MOMENT = re.compile(r"<t:(\d+):")


async def audit(world: Evidence) -> list[Finding]:
    """Return all findings: lost or doubled acts, and wrong screens."""
    store = await world.database.open_to_audit()
    try:
        return [finding async for finding in _findings(world, store)]
    finally:
        await store.close()


async def _findings(world: Evidence, store: Store) -> AsyncIterator[Finding]:
    async def at_once() -> None:
        return

    services = services_over(TableCache(store, wake=lambda: None, clock=world.wall))
    pictures = Pictures(Painter(at_once))  # type: ignore[arg-type]
    ids = [match for (match,) in world.ask_database("SELECT id FROM match ORDER BY id")]
    for match in sorted(world.told.opened - set(ids)):
        yield Finding("lost", f"table {match} was opened and is not there")
    for match in ids:
        table = await services.queries.table(match)
        async with store.read() as reader:
            log = await reader.log(match)
        screen = Screen(world, table)
        found = [*_people(world, table), *_seats(table), *_log(world, table, log), *_messages(screen)]
        found += [each async for each in _shown(screen, services, pictures)]
        for finding in found:
            yield finding
    for finding in reminders(world):
        yield finding


# --- acknowledgements ---------------------------------------------------------------------------------


def _people(world: Evidence, table: TableInfo) -> Iterator[Finding]:
    passed_on = {each.person.id for each in table.former}
    sitting = {chair.person.id for chair in table.chairs if chair.person is not None}
    for (match, person), seated in world.told.seated.items():
        if person in passed_on:
            continue
        if match == table.id and seated != (person in sitting) and table.status is not Status.CLOSED:
            yield Finding("lost", f"{person} was told {seated=} at table {match}, and it is not so")
    gone = {chair.person.id for chair in table.chairs if chair.person is not None and chair.withdrawn}
    for match, person in world.told.resigned:
        if match == table.id and person not in gone | passed_on:
            yield Finding("lost", f"{person} has resigned {match}, and still plays")


def _seats(table: TableInfo) -> Iterator[Finding]:
    """Yield errors in the number of seats: each player has one, and a match has no free ones."""
    taken, seats = len(table.chairs), table.setup.seats
    if taken > seats or (table.begun and taken != seats):
        yield Finding("crowded", f"{table.id} {table.status.value}: {taken} players on {seats} seats")


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


# --- screens ------------------------------------------------------------------------------------------


def _messages(screen: Screen) -> Iterator[Finding]:
    table = screen.table
    if len(screen.live(screen.tables)) > 1:
        yield Finding("two tables", f"{table.id} has {len(screen.live(screen.tables))} messages of its table")
    # A table that was closed before it was shown has no button to recognize it by.
    elif not screen.tables and not screen.deleted("table") and table.status is not Status.CLOSED:
        yield Finding("no table", f"{table.id} has no message of its table")
    yield from _hashes(screen)
    if table.deserted and (screen.tables or screen.hashes):
        yield Finding("not taken back", f"{table.id} was left by all, and its messages stand")
    calls = [one for one in screen.live(screen.calls) if not one.came_late]
    if len(calls) > 1:
        yield Finding("two calls", f"{table.id} calls its host in {len(calls)} messages")
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


def _hashes(screen: Screen) -> Iterator[Finding]:
    """Yield errors of a table's hash: exactly one message has it, comes first, and is never changed."""
    table, deleted = screen.table, (screen.table.commitment, "hash") in screen.world.deleted
    if len(screen.hashes) > 1:
        late = any(message.came_late for message in screen.hashes)
        yield Finding("late hash" if late else "two hashes", f"{table.id} has {len(screen.hashes)} hashes")
    if not screen.hashes and not deleted and screen.tables:
        yield Finding("no hash", f"{table.id} has a message of its table, and none of its hash")
    for message in screen.hashes:
        if message.edits:
            yield Finding("hash edited", f"{table.id}: {message.edits} edits")
        if any(one.id < message.id and not message.came_late for one in screen.tables):
            yield Finding("hash too late", f"{table.id}: one could join before it was there")


def _pictures(message: Message) -> Iterator[Finding]:
    if '"missing"' in repr(message.shown()).replace("'", '"'):
        yield Finding("no picture", f"{message.kind} {message.id} of {message.match} has lost its picture")


async def _shown(screen: Screen, services: Services, pictures: Pictures) -> AsyncIterator[Finding]:
    table = screen.table
    if table.status is Status.FROZEN:
        yield Finding("frozen", f"{table.id} is frozen")
        return
    invited = [person.id for person in await services.queries.invited(table.id)]
    page = lobby_page(table, screen.texts, invited if table.status is Status.OPEN else ())
    gone = screen.deleted("table") and table.status in (Status.OVER, Status.CLOSED)
    # If the newest was deleted, the one before it, without buttons, shows an older state.
    shown = screen.live(screen.tables) or ([] if screen.deleted("table") else screen.tables[-1:])
    for message in shown:
        if not gone and (difference := _difference(page, message, screen)):
            yield Finding(_stale("table", message), f"{table.id} {table.status.value}: {difference}")
    if table.begun:
        async for finding in _match(screen, services, pictures):
            yield finding


async def _match(screen: Screen, services: Services, pictures: Pictures) -> AsyncIterator[Finding]:
    table = screen.table
    board = await services.queries.board(table.id)
    if table.status is Status.OVER:
        await pictures.film(table, await services.queries.replay_file(table.id), screen.texts)
    live = screen.live(screen.boards)
    if not live and not screen.deleted("board"):
        yield Finding("no board", f"{table.id} {table.status.value} has no board")
    for message in live[-1:]:
        page = board_page(board, screen.texts, await pictures.board(board, screen.texts))
        difference = _difference(page, message, screen)
        # A film is not made again for a board that moderators have deleted.
        if difference and not (screen.deleted("board", "thread") and "film" in difference):
            yield Finding(_stale("board", message), f"{table.id} {table.status.value}: {difference}")
    world, loaded = screen.world, await services.cache.get(table.id)
    for finding in chain(
        questions(screen, board),
        clocks(world, loaded),
        match_reminders(world, loaded),
        closed(screen, loaded),
        former(world, screen, loaded),
    ):
        yield finding
    async for finding in _asked(screen, services, live, board):
        yield finding


async def _asked(
    screen: Screen, services: Services, live: list[Message], board: Board
) -> AsyncIterator[Finding]:
    """Yield pending people who do not know it, and people with buttons for what is not asked."""
    world, table = screen.world, screen.table
    log = (await services.cache.get(table.id)).require_log()
    for chair in table.chairs:
        # If no one is left, a seat with a stand-in is pending, and nobody is notified.
        if chair.person is None or chair.seat is None or chair.stand_in:
            continue
        person = chair.person.id
        place = world.discord.dm_of(person)
        written = [one for one in screen.panels if place is not None and one.channel == place.id]
        panels = screen.live(written)
        sent = any(one.id > shown.id for one in written for shown in live[-1:])
        panel = await services.drafts.panel(table.id, person)
        chosen, now = await services.settings.preferences(person), world.wall()
        # Nothing is sent in quiet hours: the call comes at their end.
        rests = chosen.free_from(now) > now
        wanted = chosen.dms and person not in world.discord.closed_dms and not rests
        waits = table.status is not Status.CLOSED and not panels and not rests
        overlooked = waits and screen.overlooks(person, panel, board, live, sent)
        # A board may be posted later than direct messages of the same hand-over.
        if overlooked and not _was_written_to(screen, person, _handed_over_at(screen, log)):
            yield Finding("not told", f"{table.id} waits for {person}, who was not told")
        if panel.asked and table.status is Status.RUNNING:
            if wanted and not panels:
                yield Finding("no panel", f"{person} is asked in {table.id} and has no direct message")
            for one in panels:
                if wanted and one.content:
                    kind = "late panel" if one.came_late else _stale("panel", one)
                    yield Finding(kind, f"{person} has a panel of {table.id} in words alone")
            if len(panels) > 1:
                late = any(one.late or one.came_late for one in panels)
                yield Finding(
                    "late panel" if late else "two panels", f"{person} has {len(panels)} panels of {table.id}"
                )
        elif panels and not (table.status is Status.RUNNING and acted_in_secret(log, chair.seat)):
            # A late message still counts as late after its reader has redrawn it.
            kind = "late panel" if panels[0].came_late else _stale("panel", panels[0])
            yield Finding(kind, f"{person} is not asked in {table.id} and has buttons to press")


def _was_written_to(screen: Screen, person: int, since: float) -> bool:
    """Return whether a person has got a direct message about the match since a time."""
    place = screen.world.discord.dm_of(person)
    return any(
        place is not None and post.message.channel == place.id and post.message.match == screen.table.id
        for post in screen.world.ledger.posts
        if post.at >= since
    )


def _handed_over_at(screen: Screen, log: MatchLog) -> float:
    """Return the true time of the last hand-over of the match."""
    ledger, match, rows = screen.world.ledger, log.match, log.rows
    for number in range(len(rows), 0, -1):
        before = MatchLog.replay(match.game, match.setup, match.seed, rows[: number - 1])
        if before.public.epoch != log.public.epoch:
            return ledger.rows[screen.table.id, number]
    return ledger.begun.get(screen.table.id, 0.0)


def acted_in_secret(log: MatchLog, seat: int) -> bool:
    """Return whether a seat's last act, and everything since, was secret.

    Then no board is posted, and direct messages lose their buttons with the next one.
    """
    last = max((row.seq for row in log.rows if row.seat == seat), default=0)
    if last == 0:
        return False
    # Not by the batches of the match: a draw offer is public without one.
    match = log.match
    before = MatchLog.replay(match.game, match.setup, match.seed, log.rows[: last - 1])
    return before.public.version == log.public.version


def _stale(kind: str, message: Message) -> str:
    # Sent by a killed bot, and executed by Discord after the next one had sent its own.
    return f"late {kind}" if message.late else f"stale {kind}"


def _difference(page: Page, message: Message, screen: Screen) -> str:
    """Return how a message differs from its page; empty: it does not."""
    files = {item.filename: item.data.decode() for item in page.uploads}
    components: Any = page.view.to_components()  # type: ignore[no-untyped-call]
    wanted, found = seen("", components, files), message.shown()
    if wanted == found:
        return ""
    ours, theirs = list(_leaves(wanted)), list(_leaves(found))
    if screen.belated and _but_for_moments(ours, theirs, screen.belated):
        return ""
    lacking = [leaf for leaf in ours if leaf not in theirs][:3]
    extra = [leaf for leaf in theirs if leaf not in ours][:3]
    return f"lacks {lacking}, has {extra}"


def _but_for_moments(ours: list[Any], theirs: list[Any], most: float) -> bool:
    """Return whether leaves differ only in times, and by at most so many seconds."""
    if _timeless(ours) != _timeless(theirs):
        return False
    pairs = zip(_moments(ours), _moments(theirs), strict=True)
    return all(abs(our - their) <= most for our, their in pairs)


def _timeless(leaves: list[Any]) -> list[Any]:
    return [MOMENT.sub("", leaf) if isinstance(leaf, str) else leaf for leaf in leaves]


def _moments(leaves: list[Any]) -> list[int]:
    return [int(found) for leaf in leaves if isinstance(leaf, str) for found in MOMENT.findall(leaf)]


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
