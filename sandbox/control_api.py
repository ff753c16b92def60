"""The control API over HTTP: clock, faults, and moderators' actions. README.md describes it."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox import commands, events, messages, serialize, threads
from sandbox.errors import InputError
from sandbox.faults import read_fault
from sandbox.model import TEXT, Channel, Guild, Json, User
from sandbox.snowflake import parse
from sandbox.state import State
from sandbox.user_api import find_person, read_object

Action = Callable[[Json], Awaitable[Any]]


def advance(state: State, seconds: float) -> float:
    """Move the clock forward, notify all windows, and return the new time; raises like `Clock.advance`."""
    now = state.clock.advance(seconds)
    state.journal.note("clock", seconds=seconds, told=state.clock.has_file)
    state.sockets.push_all(state.sockets.people_with_windows(), "CLOCK", {"ahead": state.clock.offset})
    return now


def add_guild(state: State, name: str | None, people: Iterable[User] | None, shard: tuple[int, int]) -> Guild:
    """Create a guild and announce it. Without `people`, all people are members. ValueError: no such shard."""
    number, count = shard
    if not 0 <= number < count:
        msg = "a shard is a number and a count, and the number is the lower"
        raise ValueError(msg)
    records = state.records
    guild = records.add_guild(
        name or f"Carnival {len(records.guilds) + 1}",
        records.people() if people is None else people,
        shard,
    )
    events.guild_added(state, guild)
    return guild


def join(state: State, person: User, guild: Guild) -> None:
    """Make a person a member of a guild, and announce it."""
    if person.id not in guild.members:
        events.member_added(state, guild, state.records.join(person, guild))
        state.journal.note("member", person=person.id, guild=guild.id, there=True)


def leave(state: State, person: User, guild: Guild) -> None:
    """Remove a person from a guild, which they can no longer see."""
    if guild.members.pop(person.id, None) is not None:
        state.journal.note("member", person=person.id, guild=guild.id, there=False)


def time_out(state: State, person: User, guild: Guild, until: float | None) -> None:
    """Time a person out until a Unix time; None: end the timeout."""
    guild.members[person.id].timed_out_until = until
    state.journal.note("timeout", person=person.id, guild=guild.id, until=until)


def set_dms(state: State, person: User, *, is_open: bool) -> None:
    """Open or close a person's direct messages."""
    person.dms_open = is_open
    state.journal.note("dms", person=person.id, open=is_open)


def kick(state: State, guild: Guild) -> None:
    """Remove the bot from a guild."""
    records = state.records
    if records.has_bot(guild):
        events.bot_removed(state, guild)
        state.journal.note("kicked", guild=guild.id)
        del guild.members[records.bot.id]
        for channel in guild.channels.values():
            if channel.thread is not None:
                channel.thread.members.pop(records.bot.id, None)


def invite(state: State, guild: Guild) -> None:
    """Add the bot to a guild again."""
    if not state.records.has_bot(guild):
        state.records.join_bot(guild)
        events.bot_joined(state, guild)
        state.journal.note("invited", guild=guild.id)


def set_permissions(state: State, bits: int, guild: Guild, channel: Channel | None = None) -> None:
    """Set the bot's exact permissions in a guild or in one of its channels, and announce the change."""
    records = state.records
    hidden = [c for c in guild.text_channels if not records.sees(records.bot.id, c)]
    changed = records.set_bot_permissions(bits, guild, channel)
    if channel is None:
        events.role_updated(state, guild)
    for each in changed:
        events.channel_changed(state, "CHANNEL_UPDATE", each)
    state.journal.note("permissions", guild=guild.id, channel=None if channel is None else channel.id)
    found = [c for c in hidden if records.sees(records.bot.id, c)]
    if found and records.has_bot(guild):
        events.thread_list_sync(state, guild, found)


def delete_message(state: State, message_id: int) -> None:
    """Delete any message. InputError 404: there is none."""
    message = state.records.find(message_id)
    if message is None:
        raise InputError("There is no such message.", 404)
    state.journal.note("moderated", message=message.id)
    messages.drop(state, message)


def delete_channel(state: State, channel_id: int) -> None:
    """Delete a channel or thread. InputError 404: there is none, or it is a DM."""
    channel = state.records.channels.get(channel_id)
    if channel is None or channel.guild_id is None:
        raise InputError("There is no such channel.", 404)
    state.journal.note("moderated", channel=channel.id)
    threads.remove(state, channel)


def set_thread(state: State, channel_id: int, *, archived: bool | None, locked: bool | None) -> None:
    """Archive, unarchive, lock or unlock a thread. InputError 404: there is none."""
    channel = state.records.channels.get(channel_id)
    if channel is None or channel.thread is None:
        raise InputError("There is no such thread.", 404)
    now = channel.thread.archived if archived is None else archived
    state.journal.note("moderated", thread=channel.id, archived=archived, locked=locked)
    threads.set_archived(state, channel, archived=now, locked=locked)


class ControlApi:
    """Serves /control. Raises InputError, which `errors_as_json` turns into a response."""

    def __init__(self, state: State) -> None:
        self.state = state

    def routes(self) -> list[web.RouteDef]:
        """Return the routes."""
        posts: dict[str, Action] = {
            "clock": self.clock,
            "faults": self.faults,
            "release": self.release,
            "gateway": self.gateway,
            "sharding": self.sharding,
            "delete": self.delete,
            "thread": self.thread,
            "dms": self.dms,
            "guild": self.guild,
            "join": self.join,
            "kick": self.kick,
            "invite": self.invite,
            "rates": self.rates,
            "permissions": self.permissions,
            "activities": self.activities,
        }
        gets: dict[str, Action] = {
            "requests": self.requests,
            "violations": self.violations,
            "state": self.overview,
        }
        return [
            *(web.post(f"/control/{name}", self._handler(action)) for name, action in posts.items()),
            *(web.get(f"/control/{name}", self._handler(action)) for name, action in gets.items()),
            web.delete("/control/faults", self._handler(self.clear_faults)),
            web.get("/control/audit/{person}", self.audit),
            web.get("/control/notifications/{person}", self.notifications),
        ]

    def _handler(self, action: Action) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            body = await read_object(request)
            try:
                return web.json_response(await action(body))
            except (ValueError, TypeError, KeyError) as problem:
                raise InputError(f"This cannot be done: {problem}") from problem

        return handle

    async def clock(self, body: Json) -> Json:
        """POST clock."""
        return {"now": advance(self.state, float(body["advance"]))}

    async def faults(self, body: Json) -> Json:
        """POST faults."""
        self.state.faults.add(read_fault(body))
        return {"waiting": self.state.faults.pending}

    async def clear_faults(self, _body: Json) -> Json:
        """DELETE faults."""
        self.state.faults.clear()
        return {}

    async def release(self, _body: Json) -> Json:
        """POST release."""
        return {"released": await self.state.faults.release()}

    async def gateway(self, body: Json) -> Json:
        """POST gateway."""
        gateway = self.state.gateway
        if "refuse" in body:
            gateway.faults.refuse = int(body["refuse"])
        if "delay" in body:
            gateway.set_delay(float(body["delay"]))
        if "duplicate" in body:
            gateway.faults.duplicate = int(body["duplicate"])
            gateway.faults.duplicate_events = str(body.get("events", ".*"))
        if "garbage" in body:
            gateway.faults.garbage += [str(text) for text in body["garbage"]]
        gateway.faults.drop_ready = int(body.get("drop_ready", gateway.faults.drop_ready))
        gateway.faults.refuse_resume = int(body.get("refuse_resume", gateway.faults.refuse_resume))
        shard = None if body.get("shard") is None else int(body["shard"])
        if "refuse_resume" in body or "drop_ready" in body:
            gateway.faults.shard = shard
        if "drop" in body:
            await gateway.drop(str(body["drop"]), shard)
        return {"online": gateway.online}

    async def sharding(self, body: Json) -> Json:
        """POST sharding."""
        starts = self.state.gateway.starts
        starts.change(**body)
        return asdict(starts.sharding)

    async def delete(self, body: Json) -> Json:
        """POST delete."""
        if "channel_id" in body:
            delete_channel(self.state, parse(body["channel_id"]) or 0)
        else:
            delete_message(self.state, parse(body["message_id"]) or 0)
        return {}

    async def thread(self, body: Json) -> Json:
        """POST thread."""
        archived, locked = body.get("archived"), body.get("locked")
        set_thread(self.state, parse(body["channel_id"]) or 0, archived=archived, locked=locked)
        return {}

    async def dms(self, body: Json) -> Json:
        """POST dms."""
        person = find_person(self.state, str(body["person"]))
        set_dms(self.state, person, is_open=bool(body["open"]))
        return {"open": person.dms_open}

    def _guild(self, body: Json) -> Guild:
        if "guild_id" not in body:
            return self.state.records.guild
        found = self.state.records.guilds.get(parse(body["guild_id"]) or 0)
        if found is None:
            raise InputError("There is no such guild.", 404)
        return found

    async def guild(self, body: Json) -> Json:
        """POST guild."""
        people = [find_person(self.state, str(one)) for one in body["people"]] if "people" in body else None
        number, count = body.get("shard", (0, 1))
        guild = add_guild(self.state, body.get("name"), people, (int(number), int(count)))
        return self._guild_json(guild)

    def _guild_json(self, guild: Guild) -> Json:
        records = self.state.records
        return {
            "id": str(guild.id),
            "name": guild.name,
            "has_bot": records.has_bot(guild),
            "channels": {channel.name: str(channel.id) for channel in guild.text_channels},
        }

    async def join(self, body: Json) -> Json:
        """POST join."""
        join(self.state, find_person(self.state, str(body["person"])), self._guild(body))
        return {}

    async def kick(self, body: Json) -> Json:
        """POST kick."""
        kick(self.state, self._guild(body))
        return {}

    async def invite(self, body: Json) -> Json:
        """POST invite."""
        invite(self.state, self._guild(body))
        return {}

    async def rates(self, body: Json) -> Json:
        """POST rates."""
        limits = self.state.limits
        limits.enabled = bool(body.get("enabled", limits.enabled))
        limits.global_limit = int(body.get("global_limit", limits.global_limit))
        return {"enabled": limits.enabled, "global_limit": limits.global_limit}

    async def permissions(self, body: Json) -> Json:
        """POST permissions."""
        channel, guild = None, self._guild(body)
        if "channel_id" in body:
            channel = self.state.records.channels.get(parse(body["channel_id"]) or 0)
            if channel is None or channel.kind != TEXT:
                raise InputError("There is no such channel.", 404)
            guild = self.state.records.guild_of(channel)
        set_permissions(self.state, int(body["bot"]), guild, channel)
        return {}

    async def activities(self, _body: Json) -> Json:
        """POST activities."""
        return commands.to_json(self.state, commands.enable_activities(self.state))

    async def requests(self, _body: Json) -> list[Json]:
        """GET requests."""
        return [asdict(request) for request in self.state.requests]

    async def violations(self, _body: Json) -> list[Json]:
        """GET violations."""
        return [asdict(violation) for violation in self.state.violations]

    async def overview(self, _body: Json) -> Json:
        """GET state."""
        records = self.state.records
        return {
            "now": self.state.clock.now(),
            "bot": serialize.user(records.bot)
            | {"online": self.state.gateway.online, "in_guild": records.has_bot(records.guild)},
            "sessions": len(self.state.gateway.sessions),
            "shards": self.state.gateway.shards(),
            "guilds": [self._guild_json(guild) for guild in records.guilds.values()],
            "faults": self.state.faults.pending,
            "held": [{"method": held.method, "path": held.path} for held in self.state.faults.held],
            "channels": [serialize.channel(records, channel) for channel in records.channels.values()],
        }

    async def notifications(self, request: web.Request) -> web.Response:
        """GET notifications/{person}."""
        person = find_person(self.state, request.match_info["person"])
        found = self.state.notifications.get(person.id, [])
        return web.json_response([notification.json() for notification in found])

    async def audit(self, request: web.Request) -> web.Response:
        """GET audit/{person}."""
        person = find_person(self.state, request.match_info["person"])
        return web.json_response([entry.json() for entry in self.state.audit.received_by(person.id)])
