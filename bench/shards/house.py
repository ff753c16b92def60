"""A house of many servers: matches that people play, and thousands beside them that are merely open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from bench.crowd import Table, open_matches
from bot.domain.address import Address
from bot.domain.jobs import Shown
from bot.domain.match import LogRow
from bot.domain.surfaces import BOARD
from bot.domain.tables import Person, Place, Status
from bot.matches import Services
from bot.matches.limits import NO_LIMITS
from bot.matches.loaded_table import LoadedTable
from bot.matches.table_cache import TableCache, save_changes
from bot.store import Store, Transaction, open_store
from sandbox import threads
from sandbox.model import User
from sandbox.server import Sandbox
from sandbox.threads import NewThread
from tests.kit.thinking_here import services_over

A_SHARD = 4
"""Servers of each shard."""

SEATED = 4
"""People who are on each server at least."""

BY_MESSAGE = 8
"""People who play by direct messages: a process opens these to no more than ten people a minute, and opens
them anew after each start."""

TOGETHER = 50
"""Matches that are copied in one unit."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How large a house is to be. ``live``: how many of the ``matches`` people play."""

    shards: int
    people: int
    matches: int
    live: int


@dataclass(frozen=True, slots=True)
class House:
    """Who plays what, and where."""

    people: Sequence[User]
    tables: Sequence[Table]
    guilds: Mapping[str, int]
    """By match: its server."""


@dataclass(frozen=True, slots=True)
class Template:
    """A match whose board is shown."""

    table: LoadedTable
    shown: Shown


async def found(address: Address, sandbox: Sandbox, plan: Plan) -> House:
    """Found the servers, and begin the matches that are played; their boards are the bot's to show."""
    places: list[tuple[Place, Sequence[User]]] = []
    servers = A_SHARD * plan.shards
    here = max(SEATED, plan.people // servers)
    for number in range(servers):
        users = [sandbox.records.add_person(f"Person {number * here + each}").user for each in range(here)]
        guild = sandbox.add_guild(
            f"Server {number}",
            people=[str(user.id) for user in users],
            shard=(number % plan.shards, plan.shards),
        )
        places.append((Place(guild.id, sandbox.channel("games", guild).id), users))
    people = [user for _, users in places for user in users]
    await _want_messages(address, people[:: max(1, len(people) // BY_MESSAGE)][:BY_MESSAGE])
    tables = await open_matches(address, sandbox, people, plan.live, places=places)
    guilds = {table.id: places[at % servers][0].guild_id for at, table in enumerate(tables)}
    return House(people, tables, guilds)


async def _want_messages(address: Address, people: Sequence[User]) -> None:
    store = await open_store(address)
    for user in people:
        await _services(store).settings.set_dms(Person(user.id, user.name), dms=True)
    await store.close()


async def copy(address: Address, sandbox: Sandbox, tables: Sequence[Table], count: int) -> None:
    """Copy matches whose boards are shown, each into a thread of its own, until there are ``count`` more.

    The bot has no reason to look for their boards: it is noted that they are shown, and nobody plays there.
    """
    store = await open_store(address)
    services = _services(store)
    found = [await _template(services, table) for table in tables]
    templates = [template for template in found if template is not None]
    for first in range(0, count, TOGETHER):
        async with store.transaction() as unit:
            for number in range(first, min(count, first + TOGETHER)):
                await _add_copy(unit, sandbox, templates[number % len(templates)], number)
    await store.close()


async def _template(services: Services, table: Table) -> Template | None:
    loaded = await services.cache.get(table.id)
    shown = await services.outbox.shown(table.id, BOARD)
    if loaded.info.status is not Status.RUNNING or shown is None or shown.is_stale:
        return None
    return Template(loaded, shown)


async def _add_copy(unit: Transaction, sandbox: Sandbox, template: Template, number: int) -> None:
    table = template.table
    parent = sandbox.records.channel(table.info.place.channel_id)
    thread = threads.start(sandbox.state, parent, NewThread(f"Copy {number}"))
    copied = table.with_info(id=f"copy{number}", thread_id=thread.id)
    log = table.require_log()
    copied = replace(copied, log=replace(log, rows=renamed(log.rows, copied.id)), version=1)
    await save_changes(unit, None, copied)
    shown = replace(template.shown, channel_id=thread.id, message_id=sandbox.records.ids.make())
    await unit.set_shown(copied.id, BOARD, shown)


def renamed(rows: Sequence[LogRow], match: str) -> tuple[LogRow, ...]:
    """Return rows with requests of their own, for which their chain is right."""

    def then(before: tuple[LogRow, ...], row: LogRow) -> tuple[LogRow, ...]:
        own = replace(row, request=f"{match}.{row.seq}")
        return *before, replace(own, chain=own.chained(before[-1].chain if before else ""))

    return reduce(then, rows, ())


def _services(store: Store) -> Services:
    return services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
