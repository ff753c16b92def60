"""The audit of matches closed without a result, and of former holders of seats: what must not be shown."""

from __future__ import annotations

from collections.abc import Iterator

from bot.domain.match import RowKind
from bot.domain.tables import Status
from bot.matches.loaded_table import LoadedTable
from tests.kit.simulation.findings import Evidence, Finding
from tests.kit.simulation.messages import Message
from tests.kit.simulation.screen import Screen


def closed(screen: Screen, table: LoadedTable) -> Iterator[Finding]:
    """Yield messages that show how a closed match might have ended."""
    log, seed = table.require_log(), table.row.seed
    if not any(row.kind is RowKind.CLOSE for row in log.rows):
        return
    if table.info.status is not Status.CLOSED or log.public.outcome is not None:
        yield Finding("closed shown", f"{table.id} is closed, and {table.info.status.value}")
    if screen.goodbyes:
        yield Finding("closed shown", f"{table.id} is closed, and somebody was told how it ended")
    hidden = "" if seed is None else seed.hex()
    if hidden and any(hidden in words_of(message) for message in screen.messages):
        yield Finding("closed shown", f"{table.id} is closed, and shows its seed")


def former(world: Evidence, screen: Screen, table: LoadedTable) -> Iterator[Finding]:
    """Yield direct messages about a match that former holders of its seats still have."""
    # Links to a deleted thread are not found by the match's new thread.
    if screen.begun_anew():
        return
    link = f"/{table.info.thread_id or table.info.place.channel_id}"
    for each in table.info.former:
        place = world.discord.dm_of(each.person.id)
        for message in () if place is None else place.messages.values():
            if message.match == table.id or link in words_of(message):
                kind = "late panel" if message.late or message.came_late else "left behind"
                yield Finding(kind, f"{each.person.id} has a {message.kind} of {table.id}")


def words_of(message: Message) -> str:
    """Return all texts of a message."""
    return "\n".join([message.content, *(str(item.get("content", "")) for item in message.parts())])
