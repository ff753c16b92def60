"""A guild: itself, channels, members, roles."""

from typing import Any

from sandbox import events, serialize
from sandbox.errors import api_error
from sandbox.model import TEXT, Guild
from sandbox.permissions import Permission, in_guild
from sandbox.rest.call import Call, Reply, Route
from sandbox.snowflake import parse
from sandbox.validation.forms import form


def _guild(call: Call) -> Guild:
    records = call.state.records
    found = records.guilds.get(call.id("guild_id"))
    if found is None or not records.has_bot(found):
        raise api_error(10004)
    return found


async def guild(call: Call) -> Any:
    """GET /guilds/{guild_id}."""
    record = _guild(call)
    found = serialize.guild(record)
    if call.query.get("with_counts") in ("1", "true", "True"):
        count = len(record.members)
        found |= {"approximate_member_count": count, "approximate_presence_count": count}
    return found


async def channels(call: Call) -> Any:
    """GET /guilds/{guild_id}/channels: without threads."""
    records = call.state.records
    return [serialize.channel(records, c) for c in _guild(call).text_channels]


async def create_channel(call: Call) -> Any:
    """POST /guilds/{guild_id}/channels: text channels only."""
    here, state = _guild(call), call.state
    if not in_guild(here, state.records.bot.id) & Permission.MANAGE_CHANNELS:
        raise api_error(50013)
    body = form(call.body)
    name = body.text("name", 1, 100, required=True)
    body.choice("type", (TEXT,))
    topic = body.text("topic", 0, 1024)
    body.errors.check()
    channel = state.records.add_channel(name or "", position=len(state.records.channels), guild=here)
    channel.topic = topic
    events.channel_changed(state, "CHANNEL_CREATE", channel)
    return Reply(201, serialize.channel(state.records, channel))


async def members(call: Call) -> Any:
    """GET /guilds/{guild_id}/members: requires the members intent. ApiError 50001."""
    here = _guild(call)
    if not call.state.gateway.privileged & 2:
        raise api_error(50001)
    limit, after = call.number("limit", 1, 1, 1000), parse(call.query.get("after", "0")) or 0
    found = sorted(here.members.items())
    return [serialize.member(member) for user_id, member in found if user_id > after][:limit]


async def search_members(call: Call) -> Any:
    """GET /guilds/{guild_id}/members/search."""
    found = _guild(call).members_named(call.query.get("query", ""))
    return [serialize.member(member) for member in found[: call.number("limit", 1, 1, 1000)]]


async def member(call: Call) -> Any:
    """GET /guilds/{guild_id}/members/{user_id}."""
    found = _guild(call).members.get(call.id("user_id"))
    if found is None:
        raise api_error(10007)
    return serialize.member(found)


async def edit_me(call: Call) -> Any:
    """PATCH /guilds/{guild_id}/members/@me: the bot's nickname."""
    here = _guild(call)
    body = form(call.body)
    nick = body.text("nick", 0, 32)
    body.errors.check()
    own = here.members[call.state.records.bot.id]
    own.nick = nick or None
    events.member_updated(call.state, here, own)
    return serialize.member(own)


async def roles(call: Call) -> Any:
    """GET /guilds/{guild_id}/roles."""
    return [serialize.role(role) for role in _guild(call).roles.values()]


async def active_threads(call: Call) -> Any:
    """GET /guilds/{guild_id}/threads/active: those that the bot sees."""
    records = call.state.records
    return serialize.thread_list(records, records.active_threads(_guild(call))) | {"has_more": False}


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
