"""A rehearsal against the sandbox, in this process, with somebody who does what is asked."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord.gateway
import discord.http

from bot.gateway.discord_patches import point_discord_at
from bot.rehearsal.acts.presses import PING
from bot.rehearsal.perform import LINES, Rehearsed, Wanted, rehearse
from bot.rehearsal.stage import State
from sandbox.server import Sandbox
from tests.kit.openapi import openapi
from tests.kit.person import Event, Outcome, Person, PersonError
from tests.kit.reading import text_of
from tests.kit.waiting import PATIENCE
from tests.rehearsal.faults import Planted

Json = dict[str, Any]
Doing = Callable[[Person, Json], Awaitable[object]]

PLACE = "games"
HEADING = re.compile(r"^### Rehearsal \w+ · (.+)$", re.MULTILINE)
LINK = re.compile(r"^\[([^\[\]]+)\]\(https://discord\.com/", re.MULTILINE)
KEYS = [line.key for line in LINES]


async def _press(person: Person, message: Json) -> Outcome:
    return await person.press(message, "Press me")


async def _choose(person: Person, message: Json) -> Outcome:
    return await person.select(message, "Choose an island", "Murano")


async def _open_panel(person: Person, message: Json) -> None:
    opened = await person.press(message, "Open")
    assert opened.message is not None
    await person.press(opened.message, "Press me")


async def _choose_twice(person: Person, message: Json) -> None:
    panel = (await person.press(message, "Open")).message
    assert panel is not None
    mark, number = len(person.received), panel["id"]
    await person.select(panel, "Choose an island", "Burano", wait=False)
    refused = await person.message(lambda m: m["id"] == number and "Refused" in text_of(m), since=mark)
    await person.select(refused, "Choose an island", "Burano")


async def _type(person: Person, message: Json) -> None:
    opened = await person.press(message, "Type")
    await person.modal(opened, {"text": "Murano"})


async def _command(person: Person, _: Json) -> None:
    offered = await person.autocomplete(PLACE, "rehearse", focused="word", word="lag")
    await person.command(PLACE, "rehearse", word=offered[0]["value"])


def _before(person: Person, message: Json) -> Json:
    same = (m for m in person.seen.values() if line_of(m) == line_of(message))
    return next(m for m in same if m["id"] != message["id"])


async def _press_before(person: Person, message: Json) -> None:
    await person.press(_before(person, message), "Press me")


async def _press_in_vain(person: Person, message: Json) -> None:
    await person.press(message, "Press me", wait=False)


async def _say_what_it_said(person: Person, message: Json) -> None:
    # A notification is made of what arrives; no edit changes it.
    arrived = (e.d for e in person.received if e.t == "MESSAGE_CREATE" and e.d["id"] == message["id"])
    said = "words" if PING in next(arrived)["content"] else "empty"
    await person.select(message, "What did it say?", said)


async def _say_how_it_looks(person: Person, message: Json) -> None:
    link = LINK.search(text_of(message))
    looks = "none" if link is None else "styled" if "\\" in link[1] else "whole"
    await person.select(message, "How does it look?", looks)


DOING: dict[str, Doing] = {
    "operator": lambda person, message: person.press(message, "I am here"),
    "app permissions": _press,
    "select": _choose,
    "notification": _say_what_it_said,
    "link text": _say_how_it_looks,
    "panel": _open_panel,
    "refused choice": _choose_twice,
    "modal": _type,
    "after a restart": _press_before,
    "late answer": _press_in_vain,
    "click in thread": _press,
    "command": _command,
    "click in direct message": _press,
}


SKIP, VAIN = "Skip this", "I did it, nothing happens"


class Operator:
    """Somebody who reads what the rehearsal asks for, and does it; or what stands in ``instead``, by line."""

    def __init__(self, person: Person, instead: Mapping[str, Doing]) -> None:
        self._person = person
        self._doing = {**DOING, **instead}
        self._done: set[str] = set()
        self.troubles: list[str] = []

    async def serve(self) -> None:
        """Do what is asked until cancelled."""
        mark = 0
        while True:
            event = await self._person.wait_for(self._asks, timeout=PATIENCE, since=mark)
            mark = self._person.received.index(event) + 1
            self._done.add(event.d["id"])
            try:
                await self._doing[line_of(event.d)](self._person, event.d)
            except PersonError as error:
                self.troubles.append(f"{line_of(event.d)}: {error}")

    def _asks(self, event: Event) -> bool:
        # What pings arrives in words, and is laid out by an edit.
        if event.t not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or event.d["id"] in self._done:
            return False
        return line_of(event.d) in self._doing and SKIP in str(event.d["components"])


def saying(label: str) -> Doing:
    """Return what somebody does who presses one of the two buttons below each request."""
    return lambda person, message: person.press(message, label)


async def in_vain(person: Person, message: Json) -> None:
    """Do what is asked, see that nothing happens, and say so."""
    target = message
    if line_of(message) == "after a restart":
        target = _before(person, message)
    await person.press(target, "Press me", wait=False)
    await person.press(message, VAIN)


def line_of(message: Json) -> str:
    """Return which line a message is about; an empty text: it is about none."""
    found = HEADING.search(text_of(message))
    return found[1] if found is not None else ""


@dataclass
class Theatre:
    """A sandbox, somebody with a window, and what was told in the terminal."""

    sandbox: Sandbox
    alba: Person
    told: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    """What the window said when something could not be done."""

    async def sleep(self, seconds: float) -> None:
        """Let the time pass that the rehearsal waits for, at once."""
        self.sandbox.advance(seconds)
        await asyncio.sleep(0)

    async def rehearse(
        self, *only: str, press: bool = True, instead: Mapping[str, Doing] | None = None, **given: Any
    ) -> Rehearsed:
        """Rehearse, with Alba as the operator; ``instead`` of what is asked she does that, by line."""
        given.setdefault("sleep", self.sleep)
        wanted = Wanted(int(self.sandbox.channel(PLACE).id), press, long=True, only=frozenset(only))
        operator = Operator(self.alba, instead or {})
        self.troubles = operator.troubles
        serving = asyncio.create_task(operator.serve()) if press else None
        try:
            return await rehearse(self.sandbox.token, wanted, self.told.append, **given)
        finally:
            if serving is not None:
                serving.cancel()
                await asyncio.wait({serving})

    def remains(self) -> list[str]:
        """Return what the bot has left behind: messages by their texts, and its commands in the server."""
        records = self.sandbox.records
        ours = [
            message
            for channel in records.channels.values()
            for message in records.history(channel.id, records.bot.id)
            if message.author_id == records.bot.id and message.only_for is None
        ]
        messages = [
            text_of({"content": m.content, "components": m.components, "flags": m.flags}) for m in ours
        ]
        return messages + [command.name for command in records.commands.values() if command.guild_id]


@asynccontextmanager
async def theatre(planted: Planted | None = None) -> AsyncIterator[Theatre]:
    """Open a sandbox for a rehearsal; discord.py finds it, and the real Discord again afterwards."""
    addresses = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    async with Sandbox(page=False, openapi=openapi()) as sandbox:
        if planted is not None:
            planted.listen(sandbox)
        point_discord_at(sandbox.api, sandbox.gateway)
        try:
            async with await Person.connect(sandbox.entrance, "Alba") as alba:
                yield Theatre(sandbox, alba)
        finally:
            discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = addresses


def by_state(done: Rehearsed, state: State) -> dict[str, str]:
    """Return the lines in a state, with what Discord did."""
    return {each.key: each.did for each in done.results if each.state is state}
