"""Control over HTTP: the clock, faults, and what moderators do. README.md describes it."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox import events, messages, serialize, threads
from sandbox.errors import InputError
from sandbox.faults import read_fault
from sandbox.model import TEXT, Channel, Json
from sandbox.snowflake import parse
from sandbox.state import State
from sandbox.user_api import find_person, read_object

Order = Callable[[Json], Awaitable[Any]]


def advance(state: State, seconds: float) -> float:
    """Move the clock forward, tell all windows, and return the new time; raises as `Clock.advance`."""
    now = state.clock.advance(seconds)
    state.sockets.push_all(state.sockets.watching(), "CLOCK", {"ahead": state.clock.ahead})
    return now


def kick(state: State) -> None:
    """Remove the bot from the guild."""
    records = state.records
    if records.bot_is_member:
        events.bot_removed(state)
        del records.guild.members[records.bot.id]
        for channel in records.threads():
            if channel.thread is not None:
                channel.thread.members.pop(records.bot.id, None)


def invite(state: State) -> None:
    """Let the bot into the guild again."""
    if not state.records.bot_is_member:
        state.records.join_bot()
        events.bot_joined(state)


def set_permissions(state: State, bits: int, channel: Channel | None = None) -> None:
    """Give the bot exactly these permissions, in the guild or in one channel, and announce it."""
    records = state.records
    texts = [c for c in records.channels.values() if c.kind == TEXT]
    hidden = [c for c in texts if not records.sees(records.bot.id, c)]
    changed = records.set_bot_permissions(bits, channel)
    if channel is None:
        events.role_updated(state)
    for each in changed:
        events.channel_changed(state, "CHANNEL_UPDATE", each)
    found = [c for c in hidden if records.sees(records.bot.id, c)]
    if found and records.bot_is_member:
        events.thread_list_sync(state, found)


def delete_message(state: State, message_id: int) -> None:
    """Delete any message. InputError 404: there is none."""
    message = state.records.find(message_id)
    if message is None:
        raise InputError("There is no such message.", 404)
    messages.drop(state, message)


def delete_channel(state: State, channel_id: int) -> None:
    """Delete a channel or thread. InputError 404: there is none, or it is a DM."""
    channel = state.records.channels.get(channel_id)
    if channel is None or channel.guild_id is None:
        raise InputError("There is no such channel.", 404)
    threads.remove(state, channel)


def set_thread(state: State, channel_id: int, *, archived: bool | None, locked: bool | None) -> None:
    """Archive, wake, lock or unlock a thread. InputError 404: there is none."""
    channel = state.records.channels.get(channel_id)
    if channel is None or channel.thread is None:
        raise InputError("There is no such thread.", 404)
    now = channel.thread.archived if archived is None else archived
    threads.set_archived(state, channel, archived=now, locked=locked)


class ControlApi:
    """Serves /control. Raises InputError, for `errors_as_json` to answer with."""

    def __init__(self, state: State) -> None:
        self.state = state

    def routes(self) -> list[web.RouteDef]:
        """Return the routes."""
        posts: dict[str, Order] = {
            "clock": self.clock,
            "faults": self.faults,
            "release": self.release,
            "gateway": self.gateway,
            "delete": self.delete,
            "thread": self.thread,
            "dms": self.dms,
            "kick": self.kick,
            "invite": self.invite,
            "rates": self.rates,
            "permissions": self.permissions,
        }
        gets: dict[str, Order] = {
            "requests": self.requests,
            "violations": self.violations,
            "state": self.overview,
        }
        return [
            *(web.post(f"/control/{name}", self._handler(order)) for name, order in posts.items()),
            *(web.get(f"/control/{name}", self._handler(order)) for name, order in gets.items()),
            web.delete("/control/faults", self._handler(self.clear_faults)),
            web.get("/control/audit/{person}", self.audit),
            web.get("/control/notifications/{person}", self.notifications),
        ]

    def _handler(self, order: Order) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            body = await read_object(request)
            try:
                return web.json_response(await order(body))
            except (ValueError, TypeError, KeyError) as problem:
                raise InputError(f"This cannot be done: {problem}") from problem

        return handle

    async def clock(self, body: Json) -> Json:
        """POST clock."""
        return {"now": advance(self.state, float(body["advance"]))}

    async def faults(self, body: Json) -> Json:
        """POST faults."""
        self.state.faults.add(read_fault(body))
        return {"waiting": self.state.faults.waiting}

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
        gateway.sessions_a_day = int(body.get("sessions", gateway.sessions_a_day))
        if "drop" in body:
            await gateway.drop(str(body["drop"]))
        return {"online": gateway.online}

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
        person.dms_open = bool(body["open"])
        return {"open": person.dms_open}

    async def kick(self, _body: Json) -> Json:
        """POST kick."""
        kick(self.state)
        return {}

    async def invite(self, _body: Json) -> Json:
        """POST invite."""
        invite(self.state)
        return {}

    async def rates(self, body: Json) -> Json:
        """POST rates."""
        self.state.limits.enabled = bool(body["enabled"])
        return {"enabled": self.state.limits.enabled}

    async def permissions(self, body: Json) -> Json:
        """POST permissions."""
        channel = None
        if "channel_id" in body:
            channel = self.state.records.channels.get(parse(body["channel_id"]) or 0)
            if channel is None or channel.kind != TEXT:
                raise InputError("There is no such channel.", 404)
        set_permissions(self.state, int(body["bot"]), channel)
        return {}

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
            | {"online": self.state.gateway.online, "in_guild": records.bot_is_member},
            "sessions": len(self.state.gateway.sessions),
            "faults": self.state.faults.waiting,
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
        return web.json_response([entry.json() for entry in self.state.audit.of(person.id)])
