"""People's preferences, servers' own rules, and the bot's own stored values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.domain.clocks import KNOWN_ZONES, Reminding
from bot.domain.jobs import JobKind, NewJob
from bot.domain.refusals import refusal
from bot.domain.tables import PersonId, Preferences, ServerRules, Status, Who, person_id
from bot.matches.table_cache import TableCache
from bot.store import Transaction
from engines.core.languages import language_of
from engines.core.texts import load

MOST_KNOWN = 4_096
"""Maximum people whose preferences are cached."""

QUIET = (22, 8)
"""Default begin and end of quiet hours, for people who set only one of them."""

_THEME = re.compile(r"[a-z][a-z0-9_-]{0,31}")


class Settings:
    """The use cases of people's preferences, and of the bot's own values by key."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache
        self._known: dict[PersonId, Preferences] = {}
        self._changes = 0
        """Counts possible changes of anybody's preferences."""
        self._changing = Counter[PersonId]()
        """People whose preferences are being changed: their cached ones may be stale."""

    async def preferences(self, person: Who) -> Preferences:
        """Return a person's preferences, or the defaults. Cached, since every click needs them.

        If processes share the database there is no cache: they do not notify each other of changes.
        """
        who = person_id(person)
        if self._cache.store.sharing is not None:
            async with self._cache.store.read() as reader:
                return await reader.preferences(who)
        found = None if who in self._changing else self._known.get(who)
        if found is None:
            changes = self._changes
            async with self._cache.store.read() as reader:
                found = await reader.preferences(who)
            # Do not cache what was read before a change.
            if changes == self._changes and who not in self._changing:
                if len(self._known) >= MOST_KNOWN:
                    self._known.clear()
                self._known[who] = found
        return found

    @asynccontextmanager
    async def changing(self, who: PersonId) -> AsyncIterator[Transaction]:
        """Begin a transaction that changes a person's preferences; it invalidates their cached ones."""
        self._changing[who] += 1
        try:
            async with self._cache.store.transaction() as transaction:
                yield transaction
        finally:
            # After a cancellation the commit is uncertain, so the next call reads again.
            self._changes += 1
            self._known.pop(who, None)
            self._changing[who] -= 1
            if not self._changing[who]:
                del self._changing[who]

    async def set_dms(self, person: Who, dms: bool) -> Preferences:
        """Set whether a person's turns also come as direct messages; pending turns then come at once.

        Turning this off keeps existing messages usable: only later turns come without one.
        """
        who = person_id(person)
        async with self.changing(who) as transaction:
            chosen = replace(await transaction.preferences(who), dms=dms)
            await transaction.save_preferences(who, chosen)
            now = self._cache.clock()
            rows = await transaction.tables_of(who, now) if dms else []
            mine = [(row, row.info.seat_of(who)) for row in rows if row.info.status is Status.RUNNING]
            asked = [(row.info.id, seat) for row, seat in mine if seat in row.asked]
            jobs = [NewJob(table_id, JobKind.TURN, str(seat), due=now) for table_id, seat in asked]
            await transaction.enqueue(jobs)
        if jobs:
            self._cache.wake()
        return chosen

    async def set_theme(self, person: Who, theme: str) -> Preferences:
        """Set the theme of the pictures that only this person sees; raises ``Refusal``.

        A game without that theme is painted in its default one.
        """
        named = theme_name(theme)
        return await self._change(person, lambda chosen: replace(chosen, theme=named))

    async def set_language(self, person: Who, language: str) -> Preferences:
        """Set a person's language; empty: Discord's. Raises ``Refusal`` if the bot does not speak it."""
        chosen = known_language(language)
        return await self._change(person, lambda before: replace(before, language=chosen))

    async def set_always_confirm(self, person: Who, always: bool) -> Preferences:
        """Set whether every sentence of a person needs Confirm."""
        return await self._change(person, lambda chosen: replace(chosen, always_confirm=always))

    async def set_reminders(self, person: Who, reminders: Reminding) -> Preferences:
        """Set how a person is reminded."""
        return await self._change(person, lambda chosen: replace(chosen, reminders=reminders))

    async def set_zone(self, person: Who, zone: str) -> Preferences:
        """Set the city whose time zone a person's quiet hours use; raises ``Refusal`` for an unlisted one."""
        if zone not in KNOWN_ZONES:
            raise refusal("not_listed")
        return await self._change(person, lambda chosen: replace(chosen, zone=zone))

    async def set_quiet(self, person: Who, begin: int | None = None, end: int | None = None) -> Preferences:
        """Set when quiet hours begin or end; both ``None``: turn them off.

        Raises ``Refusal`` if no city is chosen, or for an invalid hour.
        """
        if any(hour is not None and not 0 <= hour < 24 for hour in (begin, end)):
            raise refusal("not_listed")

        def change(chosen: Preferences) -> Preferences:
            if not chosen.zone:
                raise refusal("no_city")
            if begin is None and end is None:
                return replace(chosen, quiet=None)
            before = chosen.quiet or QUIET
            return replace(
                chosen, quiet=(before[0] if begin is None else begin, before[1] if end is None else end)
            )

        return await self._change(person, change)

    async def _change(self, person: Who, change: Callable[[Preferences], Preferences]) -> Preferences:
        who = person_id(person)
        async with self.changing(who) as transaction:
            chosen = change(await transaction.preferences(who))
            await transaction.save_preferences(who, chosen)
        return chosen

    async def get_value(self, key: str) -> str | None:
        """Return one of the bot's own values; ``None``: it is not set."""
        async with self._cache.store.read() as reader:
            return await reader.value(key)

    async def note_once(self, key: str) -> bool:
        """Store ``key`` among the bot's own values; return whether it was not there yet."""
        async with self._cache.store.transaction() as transaction:
            if await transaction.value(key) is not None:
                return False
            await transaction.set_value(key, "")
            return True

    async def set_value(self, key: str, value: str) -> None:
        """Set one of the bot's own values."""
        async with self._cache.store.transaction() as transaction:
            await transaction.set_value(key, value)


def theme_name(text: str) -> str:
    """Return ``text`` if it is a valid theme name; raises ``Refusal`` otherwise."""
    if _THEME.fullmatch(text) is None:
        raise refusal("unknown_theme")
    return text


def known_language(language: str) -> str:
    """Return ``language`` if the bot speaks it, or if it is empty; raises ``Refusal`` otherwise."""
    if language and language not in load("bot").languages:
        raise refusal("not_listed")
    return language


class Servers:
    """The use cases of server rules. The caller has checked that the person may change them."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def rules(self, guild_id: int) -> ServerRules:
        """Return the rules of a server."""
        async with self._cache.store.read() as reader:
            return await reader.server_rules(guild_id)

    async def change(self, guild_id: int, change: Callable[[ServerRules], ServerRules]) -> ServerRules:
        """Change the rules of a server; raises what ``change`` raises."""
        async with self._cache.store.transaction() as transaction:
            rules = change(await transaction.server_rules(guild_id))
            await transaction.save_server_rules(guild_id, rules)
        return rules


class Languages:
    """The languages of people and servers: those that they chose, else Discord's.

    While the bot speaks only one language, nothing is read or stored.
    """

    def __init__(self, cache: TableCache, settings: Settings, servers: Servers) -> None:
        self._cache = cache
        self._settings = settings
        self._servers = servers

    async def of_person(self, person: PersonId, locale: str) -> str:
        """Return a person's language; ``locale``: theirs at Discord now. Raises ``StoreError``."""
        chosen = (await self._settings.preferences(person)).language if _has_choice() else ""
        return chosen or language_of(locale)

    async def of_server(self, guild_id: int, locale: str) -> str:
        """Return a server's language; ``locale``: its own at Discord, if that was never stored."""
        rules = await self._servers.rules(guild_id) if _has_choice() else ServerRules()
        return rules.spoken if rules.language or rules.locale else language_of(locale)

    async def note_locale(self, person: PersonId, locale: str) -> None:
        """Store a person's locale, for what is sent to them; not of a person who has never had a seat."""
        if not _has_choice() or (await self._settings.preferences(person)).locale == locale:
            return
        async with self._cache.store.read() as reader:
            is_known = await reader.has_sat(person)
        if is_known:
            async with self._settings.changing(person) as transaction:
                await transaction.note_locale(person, locale)

    async def note_server_locale(self, guild_id: int, locale: str) -> None:
        """Store a server's locale, for what is posted there."""
        if _has_choice() and (await self._servers.rules(guild_id)).locale != locale:
            await self._servers.change(guild_id, lambda rules: replace(rules, locale=locale))


def _has_choice() -> bool:
    return len(load("bot").languages) > 1
