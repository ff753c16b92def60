"""What must hold after every interaction: in the database, in the match, in the log, in memory."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections import Counter
from typing import Any

from bench.hostile.house import House
from bench.hostile.journal import Journal, Written
from bench.hostile.payloads import Json
from bench.hostile.reading import check_answer, check_sent
from bench.hostile.rules import EVERY, May, may
from bench.hostile.wire import Exchange
from bot.interactions.reply import REMEMBERED
from engines.core.match import Entry, EntryKind, Match


class Broken(AssertionError):  # noqa: N818 - a finding
    """Something that must hold does not; the text says what."""


class Alarm(logging.Handler):
    """Keeps the records that must not be: errors, tracebacks, incidents."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record if it is one of those."""
        text = record.getMessage()
        if record.name == "asyncio" and "__timeout_task_impl" in text:
            return  # views that were left by others in this process; the house's own are counted at the end
        if record.levelno >= logging.ERROR or record.exc_info or "incident" in text:
            trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
            self.found.append(f"{record.levelname} {record.name}: {text}\n{trace}")


class Watch:
    """Stands beside a house: :meth:`before` and :meth:`after` every delivery."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._journal = Journal(house.store)
        self._matches: dict[str, Match] = {}
        """Every running match as the engine alone plays it."""
        self.alarm = Alarm()
        self.counts: Counter[str] = Counter()
        self.slowest = 0.0

    async def begin(self) -> None:
        """Begin to watch."""
        await self._journal.begin()
        gc.collect()  # what others have left in this process is told before we listen
        logging.getLogger().addHandler(self.alarm)

    def end(self) -> None:
        """Watch no more."""
        logging.getLogger().removeHandler(self.alarm)

    async def before(self, payloads: list[Json]) -> list[May]:
        """Return what interactions that are about to be delivered may change."""
        self._house.brush.asked.clear()
        self._house.wire.sent.clear()
        return [await may(self._house.services, payload) for payload in payloads]

    async def after(self, exchanges: list[Exchange], allowed: list[May], *, replayed: bool) -> None:
        """Raise :class:`Broken` if anything does not hold."""
        if self.alarm.found:
            raise Broken(f"the log says: {self.alarm.found[0]}")
        self._check(self._house.wire.strange)
        written = await self._journal.take()
        await self._check_written(written, [] if replayed else allowed)
        for exchange in exchanges:
            self.slowest = max(self.slowest, exchange.seconds)
            self._check(check_answer(exchange))
        self._check(check_sent(self._house, {may.number: may for may in allowed}))

    def _check(self, faults: list[str]) -> None:
        if faults:
            raise Broken("; ".join(faults))

    # --- the database -----------------------------------------------------------------------------

    async def _check_written(self, written: list[Written], allowed: list[May]) -> None:
        grown = {row.match for row in written if row.what == "log"}
        self._check_chairs(written, allowed)
        for row in written:
            self.counts[row.what] += 1
            if row.what == "log":
                await self._check_row(row, allowed)
            elif row.what == "draft":
                mine = [one for one in allowed if await self._sits(one, row.match, row.told[0])]
                self._need(row, row.match in grown or _any(mine, "draft", row.match))
            elif row.what == "match":
                self._need(row, self._turned(row, allowed, grown) or await self._lost(row))
            elif row.what == "opened":
                self._need(row, any("open" in may.does and may.person == row.told[0] for may in allowed))
            elif row.what == "person":
                self._need(row, any("person" in may.does and may.person == row.told[0] for may in allowed))
            elif row.what == "preset":
                self._need(row, any("act" in may.does and may.person == row.told[0] for may in allowed))
            elif row.what == "request":
                self._need(row, any((may.number, may.person) == tuple(row.told[:2]) for may in allowed))

    def _need(self, row: Written, held: bool) -> None:
        if not held:
            raise Broken(f"nobody was entitled to this: {row}")

    def _turned(self, row: Written, allowed: list[May], grown: set[str]) -> bool:
        before, after, host, new_host, unseeded, same_seed, same_seats = row.told
        if before == after == "open" and not same_seats:
            return host == new_host and bool(unseeded) and _any(allowed, "seats", row.match)
        if (before, after) == ("closed", "open"):
            mine = [may for may in allowed if may.person == new_host]
            return bool(unseeded and same_seed and same_seats) and _any(mine, "reopen", row.match)
        way = {("open", "running"): "begin", ("open", "closed"): "close", ("open", "open"): "close"}
        needed = way.get((before, after))
        if needed is None:
            return (before, after) == ("running", "over") and row.match in grown and bool(same_seed)
        fits = needed == "close" or host == new_host
        return fits and bool(unseeded) and _any(allowed, needed, row.match)

    async def _lost(self, row: Written) -> bool:
        """Return whether the house gave up a table because nobody can see it: there is no such channel."""
        place = (await self._house.services.queries.table(row.match)).place
        return row.told[:2] == ["open", "closed"] and not self._house.wire.knows(place.channel_id)

    def _check_chairs(self, written: list[Written], allowed: list[May]) -> None:
        """Compare who sat with who sits: a table's chairs are written anew as a whole."""
        changed: Counter[tuple[str, str, int | None]] = Counter()
        for row in written:
            table, sign = row.what[:-1], 1 if row.what[-1] == "+" else -1
            if table == "chair":
                changed[table, row.match, row.told[0]] += sign
                changed["withdrawn", row.match, row.told[0]] += sign * row.told[1]
            elif table == "invitation":
                changed[table, row.match, row.told[0]] += sign
        for (what, match, person), number in changed.items():
            if number and not any(_entitled(may, what, match, person, number) for may in allowed):
                raise Broken(f"nobody was entitled to this: {what} {number:+} of {person} at {match}")

    async def _check_row(self, row: Written, allowed: list[May]) -> None:
        seq, kind, seat, words, digest, request = row.told
        match = await self._played(row.match, seq)
        if request.startswith(("computer:", "interrupt:")):
            live = await self._house.services.cache.get(row.match)
            self._need(row, live.info.chair_at(seat).person is None)
        else:
            mine = [one for one in allowed if kind == "agree" or await self._sits(one, row.match, seat)]
            self._need(row, any(_said(may, row) for may in mine))
        if kind in ("act", "withdraw", "agree"):
            match = match.apply(Entry(EntryKind(kind), seat, tuple(words)))
            self._matches[row.match] = match
        if match.digest() != digest:
            raise Broken(f"the digest differs from the engine's own: {row.match} row {seq}")

    async def _sits(self, may: May, table: str, seat: int) -> bool:
        info = (await self._house.services.cache.get(table)).info
        return info.seat_of(may.person) == seat

    async def _played(self, table: str, seq: int) -> Match:
        if table not in self._matches:
            row: Any = (await self._house.services.cache.get(table)).row
            if seq != 1:
                raise Broken(f"row {seq} of a match that nobody began: {table}")
            game = self._house.services.cache.games[row.info.game]
            self._matches[table] = Match.start(game, row.info.setup, row.seed)
        return self._matches[table]

    # --- at the end -------------------------------------------------------------------------------

    async def audit(self) -> None:
        """Load every match again and compare its replay with the engine's own; then look at memory."""
        for table, match in self._matches.items():
            self._house.services.cache.forget(table)
            live = await self._house.services.cache.get(table)
            if live.log is None or live.log.match.digest() != match.digest():
                raise Broken(f"match {table} is not what was played")
        if await self._journal.take():
            raise Broken("loading has written something")
        self._check(
            [f"{name} holds {size}" for name, size in self.census().items() if size > self._room(name)]
        )

    def _room(self, name: str) -> int:
        tables = self.counts["opened"]
        return {"once": REMEMBERED, "tables.people": 4 * tables + 64, "surfaces": 4 * tables + 64}.get(
            name, 64
        )

    def census(self) -> dict[str, int]:
        """Return how much the bot keeps in memory, by name: what must not grow with interactions."""
        client: Any = self._house.client
        services: Any = self._house.services
        state = client._connection
        views = state._view_store
        return {
            "views": sum(map(len, views._views.values())) + len(views._synced_message_views),
            "modals": len(views._modals),
            "patterns": len(views._dynamic_items),
            "guilds": len(state._guilds),
            "users": len(state._users),
            "tasks": len(asyncio.all_tasks()),
            "background": len(client.background._tasks),
            "redrawings": len(client.context.edits),
            "troubles": len(client.context.problems),
            "once": len(client.router._seen._seen),
            "locks": len(services.cache._locks),
            "cache": len(services.cache._tables),
            "tables.people": sum(map(len, services.cache.lists._lines.values())),
            "presets": len(services.cache.presets),
            "surfaces": len(client.worker._surfaces.shown),
            "films": len(client.worker._filmed),
        }


def _any(allowed: list[May], what: str, match: str) -> bool:
    return any(what in may.does and may.match in (EVERY, match) for may in allowed)


def _entitled(may: May, what: str, match: str, person: int | None, number: int) -> bool:
    if may.match not in (EVERY, match):
        return False
    if what == "withdrawn":
        return "withdraw" in may.does and person == may.person and number == 1
    if what == "invitation":
        return ("invitation+" if number > 0 else "invitation-") in may.does
    if person is None:
        return "computer" in may.does and number > 0
    return ("chair+" if number > 0 else "chair-") in may.does and person == may.person


def _said(may: May, row: Written) -> bool:
    _, kind, _, words, _, request = row.told
    # A match is closed once, whoever does it: the row names the match.
    asked = request.rpartition(":")[2]
    if kind not in may.does or asked != (row.match if kind == "close" else may.number):
        return False
    return may.match in (EVERY, row.match) and (
        kind != "act" or (may.words is not None and tuple(words) == may.words)
    )
