"""The guild: itself, channels, members, roles."""

from typing import Any

from sandbox import events, serialize
from sandbox.errors import api_error
from sandbox.model import TEXT
from sandbox.permissions import Permission, in_guild
from sandbox.rest.call import Call, Reply, Route
from sandbox.snowflake import parse
from sandbox.state import State
from sandbox.validation.forms import form


def _state_of_guild(call: Call) -> State:
    records = call.state.records
    if call.id("guild_id") != records.guild.id or not records.bot_is_member:
        raise api_error(10004)
    return call.state


async def guild(call: Call) -> Any:
    """GET /guilds/{guild_id}."""
    state = _state_of_guild(call)
    found = serialize.guild(state.records)
    if call.query.get("with_counts") in ("1", "true", "True"):
        count = len(state.records.guild.members)
        found |= {"approximate_member_count": count, "approximate_presence_count": count}
    return found


async def channels(call: Call) -> Any:
    """GET /guilds/{guild_id}/channels: no threads among them."""
    records = _state_of_guild(call).records
    return [serialize.channel(records, c) for c in records.channels.values() if c.kind == TEXT]


async def create_channel(call: Call) -> Any:
    """POST /guilds/{guild_id}/channels: text channels only."""
    state = _state_of_guild(call)
    if not in_guild(state.records.guild, state.records.bot.id) & Permission.MANAGE_CHANNELS:
        raise api_error(50013)
    body = form(call.body)
    name = body.text("name", 1, 100, required=True)
    body.choice("type", (TEXT,))
    topic = body.text("topic", 0, 1024)
    body.errors.check()
    channel = state.records.add_channel(name or "", position=len(state.records.channels))
    channel.topic = topic
    events.channel_changed(state, "CHANNEL_CREATE", channel)
    return Reply(201, serialize.channel(state.records, channel))


async def members(call: Call) -> Any:
    """GET /guilds/{guild_id}/members: needs the members intent. ApiError 50001."""
    state = _state_of_guild(call)
    if not state.gateway.privileged & 2:
        raise api_error(50001)
    limit, after = call.number("limit", 1, 1, 1000), parse(call.query.get("after", "0")) or 0
    found = sorted(state.records.guild.members.items())
    return [serialize.member(member) for user_id, member in found if user_id > after][:limit]


async def search_members(call: Call) -> Any:
    """GET /guilds/{guild_id}/members/search."""
    state = _state_of_guild(call)
    found = state.records.members_named(call.query.get("query", ""))
    return [serialize.member(member) for member in found[: call.number("limit", 1, 1, 1000)]]


async def member(call: Call) -> Any:
    """GET /guilds/{guild_id}/members/{user_id}."""
    state = _state_of_guild(call)
    found = state.records.guild.members.get(call.id("user_id"))
    if found is None:
        raise api_error(10007)
    return serialize.member(found)


async def edit_me(call: Call) -> Any:
    """PATCH /guilds/{guild_id}/members/@me: the bot's nickname."""
    state = _state_of_guild(call)
    body = form(call.body)
    nick = body.text("nick", 0, 32)
    body.errors.check()
    own = state.records.guild.members[state.records.bot.id]
    own.nick = nick or None
    events.member_updated(state, own)
    return serialize.member(own)


async def roles(call: Call) -> Any:
    """GET /guilds/{guild_id}/roles."""
    return [serialize.role(role) for role in _state_of_guild(call).records.guild.roles.values()]


async def active_threads(call: Call) -> Any:
    """GET /guilds/{guild_id}/threads/active: those that the bot sees."""
    records = _state_of_guild(call).records
    return serialize.thread_list(records, records.active_threads()) | {"has_more": False}


ROUTES = [
    Route("GET", "/guilds/{guild_id}", guild),
    Route("GET", "/guilds/{guild_id}/channels", channels),
    Route("POST", "/guilds/{guild_id}/channels", create_channel),
    Route("GET", "/guilds/{guild_id}/members", members),
    Route("GET", "/guilds/{guild_id}/members/search", search_members),
    Route("PATCH", "/guilds/{guild_id}/members/@me", edit_me),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", member),
    Route("GET", "/guilds/{guild_id}/roles", roles),
    Route("GET", "/guilds/{guild_id}/threads/active", active_threads),
]
