"""The rehearsal, asked of simcord: a Discord that others have written, and that we have no hand in."""

from __future__ import annotations

import asyncio
from typing import Any

import simcord
from simcord.actors import MemberActor
from simcord.backend.models import Message
from simcord.builders import ChannelHandle
from simcord.results import ResponseMessage

from bot.rehearsal import cleaning
from bot.rehearsal.client import COMMAND, RehearsalClient, Wire
from bot.rehearsal.connecting import roll_call
from bot.rehearsal.desk import Desk, Props
from bot.rehearsal.perform import Rehearsed, Wanted, perform
from bot.rehearsal.stage import Stage, State
from sandbox import permissions
from sandbox.validation.components import walk
from tests.kit.waiting import PAUSE
from tests.nightly.referee.simulated import TO_ARCHIVE
from tests.rehearsal.rehearsing import SKIP, by_state, line_of

GAPS = {
    "session": "it has no such route",
    "nonce": "it gives no earlier message for a nonce that it knows",
    "thread twice": "it begins a second thread",
    "edit archived": "it takes edits in archived threads",
    "post archived": "a message does not unarchive its thread",
    "late answer": "its three seconds are on its own clock",
    "rate limits": "it has none",
}
"""Lines that differ in simcord 3.2.1, which is no news: Discord's documentation says otherwise."""


class Alba:
    """Somebody who does what is asked, as far as simcord lets people."""

    def __init__(self, env: simcord.Env, channel: ChannelHandle, actor: MemberActor) -> None:
        self._env = env
        self._channel = channel
        self._actor = actor
        self._done: set[int] = set()

    async def serve(self) -> None:
        """Do what is asked until cancelled."""
        while True:
            for message in [m for each in self._env.backend.messages.values() for m in each.values()]:
                if message.id not in self._done and SKIP in str(message.components):
                    self._done.add(message.id)
                    await self._do(line_of(_json(message)), ResponseMessage(self._env, message))
            await asyncio.sleep(PAUSE)

    async def _do(self, line: str, asked: ResponseMessage) -> None:
        actor: Any = self._actor.user if line == "click in direct message" else self._actor
        if line == "command":
            offered = await actor.autocomplete(self._channel, COMMAND, "word", "lag")
            await actor.slash(self._channel, COMMAND, word=offered[0]["value"])
        elif line == "select":
            await actor.select(asked, ["Murano"])
        elif line == "notification":  # simcord has no phones
            await actor.select(asked, ["none"])
        elif line in ("after a restart", "link text"):  # nor does it draw anything
            await actor.click(asked, label=SKIP)
        else:
            opened = await actor.click(asked, custom_id=_ids(asked)[0])
            await self._go_on(line, actor, opened)

    async def _go_on(self, line: str, actor: Any, opened: Any) -> None:
        if line == "panel":
            await actor.click(opened.response, label="Press me")
        elif line == "refused choice":
            for _ in range(2):
                await actor.select(opened.response, ["Burano"], custom_id=_ids(opened.response)[0])
        elif line == "modal":
            await actor.submit_modal(opened, {"text": "Murano"})


def _ids(message: ResponseMessage) -> list[str]:
    return [item["custom_id"] for item in walk(message.components) if "custom_id" in item]


def _json(message: Message) -> dict[str, Any]:
    return {"content": message.content, "components": message.components, "flags": message.flags}


async def _no_time(_: float) -> None:
    """Wait for nothing."""


async def _no_restart(client: RehearsalClient) -> RehearsalClient:
    return client


async def test_simcord_differs_only_where_it_is_known_to() -> None:
    props, wire = Props("5eed"), Wire()
    client = RehearsalClient(Desk(props), wire)
    env = simcord.Env(client, shard_count=1)
    env.backend.edit_bot_profile("Bauta")
    guild = env.create_guild("The Carnival")
    env.backend.edit_role(guild.id, guild.id, {"permissions": permissions.EVERYONE})
    held = permissions.BOT | TO_ARCHIVE
    env.backend.edit_role(guild.id, guild.roles["Bauta"].id, {"permissions": held})
    channel = guild.create_text_channel("games")
    alba = Alba(env, channel, guild.add_member(env.create_user("alba")))
    await env.start()
    try:
        client.play_in(guild.id)
        stage = Stage(client, channel.id, props, client.desk, wire, lambda _: None, _no_restart, _no_time)
        done = Rehearsed()
        await roll_call(stage)
        serving = asyncio.create_task(alba.serve())
        await perform(stage, Wanted(channel.id, long=True), done)
        serving.cancel()
        await asyncio.wait({serving})
        last, done.left_over = await cleaning.clean(stage)
    finally:
        await env.shutdown()
        await client.close()
    assert by_state(done, State.DIFFERS).keys() == GAPS.keys(), by_state(done, State.DIFFERS)
    assert by_state(done, State.SKIPPED).keys() == {"after a restart", "notification", "link text"}
    assert (last.state, done.left_over) == (State.OK, [])
