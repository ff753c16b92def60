"""The world as simcord sees it: a Discord in this process, below discord.py's transport."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import simcord
from simcord.actors import MemberActor
from simcord.backend.errors import BackendError
from simcord.backend.models import Message, Overwrite
from simcord.builders import ChannelHandle, UserHandle
from simcord.enums import OverwriteType
from simcord.results import InteractionResult, ResponseMessage

from sandbox import permissions
from tests.nightly.referee.house import House
from tests.nightly.referee.world import DM, PEOPLE, TABLES, Answer, Json, World

PATIENCE = 60.0
"""Seconds that the bot may take to come to rest after an act, the making of a film included."""

TO_ARCHIVE = int(permissions.Permission.MANAGE_CHANNELS)
"""What simcord asks of whoever archives a thread; Discord lets its creator do it."""

DMS_CLOSED = 50007
"""Discord's code of a message to somebody who takes none from the bot."""


class Simulated(World):
    """One guild of simcord's."""

    name = "simcord"

    def __init__(self, house: House, env: simcord.Env) -> None:
        self.house = house
        self.env = env
        backend = env.backend
        backend.edit_bot_profile("Bauta")
        self._guild = env.create_guild("The Carnival")
        backend.edit_role(self._guild.id, self._guild.id, {"permissions": permissions.EVERYONE})
        self._role = self._guild.roles["Bauta"]
        backend.edit_role(self._guild.id, self._role.id, {"permissions": permissions.BOT | TO_ARCHIVE})
        self._tables = self._guild.create_text_channel(TABLES)
        self._people: dict[str, MemberActor] = {}
        for name in PEOPLE:
            user = env.create_user(name.lower(), global_name=name)
            self._people[name] = self._guild.add_member(user)

    async def command(self, who: str, place: str, name: str, **options: Any) -> Answer:
        if place == DM:
            return await self._answer(self._person(who, dm=True).slash(name, **options))
        return await self._answer(self._people[who].slash(self._channel(place), name, **options))

    async def complete(
        self, who: str, place: str, name: str, option: str, typed: str, **filled: Any
    ) -> list[Json]:
        if place == DM:
            return list(await self._person(who, dm=True).autocomplete(name, option, typed, **filled))
        return await self._people[who].autocomplete(self._channel(place), name, option, typed, **filled)

    async def press(self, who: str, message: str, custom_id: str) -> Answer:
        found = self._message(message)
        if found is None:
            return Answer(refused=True)
        actor = self._person(who, dm=self._is_dm(found))
        return await self._answer(actor.click(ResponseMessage(self.env, found), custom_id=custom_id))

    async def select(self, who: str, message: str, custom_id: str, values: Sequence[str]) -> Answer:
        found = self._message(message)
        if found is None:
            return Answer(refused=True)
        actor = self._person(who, dm=self._is_dm(found))
        shown = ResponseMessage(self.env, found)
        return await self._answer(actor.select(shown, values, custom_id=custom_id))

    async def submit(self, who: str, opened: Answer, values: Json) -> Answer:
        result: InteractionResult = opened.opened
        actor = self._person(who, dm=_interaction(result).guild_id is None)
        return await self._answer(actor.submit_modal(result, values))

    async def _answer(self, act: Any) -> Answer:
        # simcord refuses what no client would let its person do.
        try:
            result: InteractionResult = await act
        except (simcord.SetupError, BackendError):
            return Answer(refused=True)
        await self.settle()
        if not result.acknowledged:
            raise AssertionError("the interaction was not answered")
        message = _interaction(result).message_id
        return Answer(
            str(message) if message is not None else None,
            result.modal,
            opened=result if result.modal else None,
        )

    def _person(self, who: str, *, dm: bool) -> Any:
        return self._people[who].user if dm else self._people[who]

    def _channel(self, place: str) -> ChannelHandle:
        if place == TABLES:
            return self._tables
        return ChannelHandle(self.env, self._guild, self.env.backend.get_channel(int(place)))

    def _message(self, message: str) -> Message | None:
        for messages in self.env.backend.messages.values():
            if int(message) in messages:
                return messages[int(message)]
        return None

    def _is_dm(self, message: Message) -> bool:
        return self.env.backend.get_channel(message.channel_id).guild_id is None

    async def settle(self) -> None:
        await self.env.settle()
        while not await self.house.at_rest():
            await self.env.settle()

    async def window(self, who: str) -> list[Json]:
        backend, viewer = self.env.backend, self._people[who].id
        found = []
        for channel in backend.channels.values():
            if channel.guild_id is None and viewer not in channel.recipient_ids:
                continue
            found += [
                _json(message)
                for message in backend.messages[channel.id].values()
                if message.visible_to(viewer)
            ]
        return found

    async def file(self, who: str, attachment: Json) -> bytes:
        data = self.env.backend.cdn.get(attachment["url"])
        assert data is not None
        return data

    def person_id(self, who: str) -> str:
        return str(self.env.backend.bot_user.id if who == "bot" else self._people[who].id)

    async def channels(self) -> dict[str, str]:
        return {str(c.id): c.name or DM for c in self.env.backend.channels.values()}

    async def permit(self, bits: int) -> None:
        """Give the bot's role these; what @everyone has beside them is denied to the bot where it plays."""
        backend = self.env.backend
        backend.edit_role(self._guild.id, self._role.id, {"permissions": bits | TO_ARCHIVE})
        denied = permissions.EVERYONE & ~bits
        overwrite = Overwrite(backend.bot_user.id, OverwriteType.MEMBER, allow=0, deny=denied)
        backend.set_overwrite(self._tables.id, overwrite)
        await self.env.settle()

    async def close_dms(self, who: str) -> None:
        """simcord knows no closed direct messages: its route is told to fail as Discord's would."""
        channel = self._people[who].user.dm_channel.id
        said = "Cannot send messages to this user"
        self.env.inject_error(
            "POST", f"/channels/{channel}/messages", status=403, code=DMS_CLOSED, message=said, times=None
        )

    async def archived_after(self, thread: str) -> int:
        state = self.env.backend.get_channel(int(thread)).thread_metadata
        assert state is not None
        return state.auto_archive_duration

    async def user(self, who: str) -> UserHandle:
        return self._people[who].user


def _interaction(result: InteractionResult) -> Any:
    return result._interaction  # noqa: SLF001 - simcord gives away where its answers stand by no other name


def _json(message: Message) -> Json:
    """Write what a window shows of a message, as Discord's API has it.

    simcord's ``mention_user_ids`` are all whom the text names; whom ``allowed_mentions`` lets through,
    which is what Discord documents ``mentions`` to be, it calls ``ping_user_ids``. An edit does not touch
    them there; Discord makes the list anew, and the bot's edits name the same people again.
    """
    return {
        "id": str(message.id),
        "channel_id": str(message.channel_id),
        "author": {"id": str(message.author_id)},
        "type": message.type,
        "content": message.content,
        "flags": message.flags,
        "mentions": [{"id": str(person)} for person in message.ping_user_ids],
        "embeds": copy.deepcopy(message.embeds),
        "components": copy.deepcopy(message.components),
        "attachments": copy.deepcopy(message.attachments),
    }


@asynccontextmanager
async def simulated(house: House) -> AsyncIterator[Simulated]:
    """Connect the bot to a fresh simcord; whatever it swallows fails the test."""
    env = simcord.Env(house.client, shard_count=1, settle_timeout=PATIENCE)
    # simcord takes no wait for rest that is not declared to it.
    house.wake.around = lambda wait: env.external_wait(wait, reason="the outbox worker waits for jobs")
    house.doubtful.around = lambda wait: env.external_wait(wait, reason="no request has failed")
    await env.start()
    try:
        with env.time_context():
            yield Simulated(house, env)
    finally:
        await env.shutdown()
        await house.client.close()
    env.raise_errors()
