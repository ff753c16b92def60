"""Every way in which one person brings a table or a thread into being: all commands and buttons are tried.

Each command, with whatever its options take, and each button is tried on tables in every state, as an
ordinary member: once where the server allows everything, which finds the ways; once where it allows nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bench.hostile.house import DATABASE, House, house_in
from bench.hostile.payloads import (
    CHANNEL,
    COMMAND,
    COMPONENT,
    GUILD,
    SUBCOMMAND,
    TEXT,
    USER,
    channel,
    interaction,
    user,
)
from bench.hostile.script import FIRST_PERSON
from bot.domain.tables import Opener, Opening, Person, Place, ServerRules, Status
from bot.interactions.command_tree import command_payload
from bot.pages.custom_ids import HOUSE, Button, ButtonId, pack
from bot.pages.texts import Texts
from engines.core.registry import games
from tests.duel import DUEL
from tests.kit.prepared import made
from tests.kit.samples import MORE
from tests.kit.tables import show_hash

ALBA, BRUNO = Person(FIRST_PERSON, "Alba"), Person(FIRST_PERSON + 1, "Bruno")
MANAGER = Opener(frozenset(), manages=True)
PLACE = Place(GUILD, CHANNEL)
ELSEWHERE = CHANNEL + 7
"""Another channel, to which a match may be moved."""

NOTHING = ServerRules(Opening.MANAGERS, threads_per_day=1)

WAYS = {
    *(f"/play {key}" for key in games()),
    "/board",
    Button.FIRST_MATCH,
    Button.REMATCH,
    Button.REOPEN,
    Button.START,
}
"""What brings a table or a thread into being. Whatever else is found must ask ``Admission`` first."""


ABOUT = (
    *((None, 0), (None, 1), (None, 3), (None, 4)),
    *(((None, 2), (None, 5), (0, 0), (0, 5)) if MORE > 1 else ()),
)
"""What each button names: a number, and one of the tables, a game or the house; by day what any way needs."""


@dataclass(frozen=True, slots=True)
class Targets:
    """Tables of Alba's in every state."""

    waiting: str
    expired: str
    running: str
    over: str

    def __iter__(self) -> Iterator[str]:
        return iter((self.waiting, self.expired, self.running, self.over))


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made(tmp_path / DATABASE)
    async with house_in(tmp_path, 1) as opened:
        yield opened


async def set_rules(house: House, rules: ServerRules) -> None:
    await house.services.servers.change(GUILD, lambda _: rules)


async def targets(house: House) -> Targets:
    """Return new tables: one that could begin, one that has expired, a match that is on, one that is over."""
    lobby, place = house.services.lobby, PLACE

    async def opened(game: str, seats: int) -> str:
        table = await lobby.open(game, {}, seats, ALBA, place, next(house.ids), opener=MANAGER)
        await show_hash(house.services, table.id)
        return (await lobby.join(table.id, BRUNO, next(house.ids))).id

    async def begun() -> str:
        table = await opened(DUEL, 2)
        await lobby.start(table, ALBA, next(house.ids))
        return table

    waiting, expired, running, over = (
        await opened("corto", 4),
        await opened("corto", 4),
        *[await begun() for _ in range(2)],
    )
    await house.services.actions.resign(over, BRUNO, next(house.ids))
    await lobby.give_up(expired)
    await house.settled()
    return Targets(waiting, expired, running, over)


STATES = [Status.OPEN, Status.CLOSED, Status.RUNNING, Status.OVER]


async def states(house: House, tables: Targets) -> list[Status | None]:
    """Return the states of tables; ``None``: of one that was changed otherwise."""
    async with house.store.read() as reader:
        rows = [await reader.table(table) for table in tables]
        again = await reader.rematch_of(tables.over)
    moved = any(row is None or (row.info.place, row.info.host) != (PLACE, ALBA) for row in rows)
    return [] if moved or again is not None else [row.info.status for row in rows if row is not None]


async def beings(house: House) -> set[tuple[str, object]]:
    """Return the tables that wait or are played, and where the threads of matches are."""
    async with house.store.read() as reader:
        rows = await reader.tables_in([Status.OPEN, Status.RUNNING], 1e11)
    tables: set[tuple[str, object]] = {(row.info.id, "table") for row in rows}
    return tables | {(row.info.id, row.info.place) for row in rows if row.info.status is Status.RUNNING}


def from_alba(house: House, kind: int, data: dict[str, Any], place: int = CHANNEL) -> dict[str, Any]:
    payload = interaction(kind, next(house.ids), (ALBA.id, ALBA.name), data)
    payload["member"]["permissions"] = "0"
    return payload | {"channel_id": str(place), "channel": channel(place)}


def commands(payload: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each command and subcommand by its whole name, with its options."""
    for item in payload:
        subs = [option for option in item.get("options", []) if option["type"] == SUBCOMMAND]
        yield from ((f"/{item['name']} {sub['name']}", sub.get("options", [])) for sub in subs)
        if not subs:
            yield f"/{item['name']}", item.get("options", [])


def filled(options: list[dict[str, Any]], match: str) -> list[dict[str, Any]]:
    """Return options with values: all that may be switched on is, but for who else plays."""
    found: list[dict[str, Any]] = []
    for option in options:
        kind, name = option["type"], option["name"]
        if kind == USER and option.get("required"):
            found.append({"name": name, "type": kind, "value": str(BRUNO.id)})
        elif name == "match":
            found.append({"name": name, "type": kind, "value": match})
        elif name == "words":
            found.append({"name": name, "type": kind, "value": "x"})
        elif option.get("choices") and option.get("required"):
            found.append({"name": name, "type": kind, "value": option["choices"][0]["value"]})
        elif kind not in (USER, TEXT) and not option.get("choices") and name != "text":
            found.append({"name": name, "type": kind, "value": True if kind == 5 else 1})
    return found


async def try_all(house: House, rules: ServerRules) -> set[object]:
    """Return which commands and buttons have brought something into being under a server's rules."""
    found: set[object] = set()

    async def ready(tables: Targets | None = None) -> Targets:
        """Return tables that nothing has happened to: new ones where something has."""
        if tables is not None and await states(house, tables) == STATES:
            return tables
        await set_rules(house, ServerRules())
        made = await targets(house)
        await set_rules(house, rules)
        return made

    async def attempt(way: object, payload: dict[str, Any]) -> None:
        before = await beings(house)
        await house.deliver(payload)
        if await beings(house) - before:
            found.add(way)

    tables = await ready()
    for name, options in commands(await command_payload(house.client.tree)):
        for place in (CHANNEL, ELSEWHERE):
            tables = await ready(tables)
            values = filled(options, tables.running)
            first, _, second = name.removeprefix("/").partition(" ")
            inner = [{"name": second, "type": SUBCOMMAND, "options": values}] if second else values
            data: dict[str, Any] = {"id": "1", "name": first, "type": 1, "options": inner}
            data["resolved"] = {"users": {str(BRUNO.id): user(BRUNO.id, BRUNO.name)}}
            await attempt(name, from_alba(house, COMMAND, data, place))
    for button in Button:
        for number, about in ABOUT:
            tables = await ready(tables)
            match = (*tables, DUEL, HOUSE)[about]
            data = {"custom_id": pack(ButtonId(match, button, number)), "component_type": 2}
            await attempt(button, from_alba(house, COMPONENT, data))
    return found


async def test_every_way_is_known(house: House) -> None:
    assert await try_all(house, ServerRules()) == WAYS


async def test_no_way_leads_around_a_servers_rules(house: House) -> None:
    assert await try_all(house, NOTHING) == set()


async def test_a_manager_is_let_in(house: House) -> None:
    tables = await targets(house)
    await set_rules(house, replace(NOTHING, threads_per_day=None))
    data = {"custom_id": pack(ButtonId(tables.over, Button.REMATCH)), "component_type": 2}
    payload = from_alba(house, COMPONENT, data)
    payload["member"]["permissions"] = str(1 << 5)
    before = await beings(house)
    await house.deliver(payload)
    assert len(await beings(house) - before) == 1


async def test_who_leaves_guests_behind_is_not_told_that_the_table_is_gone(house: House) -> None:
    table = (await targets(house)).waiting
    await set_rules(house, NOTHING)
    data = {"custom_id": pack(ButtonId(table, Button.LEAVE)), "component_type": 2}
    house.wire.sent.clear()
    await house.deliver(from_alba(house, COMPONENT, data))
    said = str([sent.body for sent in house.wire.sent])
    assert Texts().house("said.left_hostless") in said
    assert Texts().house("lobby.no_host") in said
    assert Texts().house("said.closed") not in said
    assert (await house.services.queries.table(table)).status is Status.CLOSED
