"""The guild: itself, channels, members, roles."""

from typing import Any

from sandbox import events, shapes
from sandbox.errors import known
from sandbox.model import TEXT
from sandbox.permissions import Permission, in_guild
from sandbox.rest.call import Call, Reply, Route
from sandbox.snowflake import parse
from sandbox.state import Core
from sandbox.validation.forms import form


def _guild(call: Call) -> Core:
    """Check that the bot is in the path's guild. ApiError 10004."""
    world = call.core.world
    if call.id("guild_id") != world.guild.id or not world.bot_is_member:
        raise known(10004)
    return call.core


async def guild(call: Call) -> Any:
    """GET /guilds/{guild_id}."""
    core = _guild(call)
    found = shapes.guild(core.world)
    if call.query.get("with_counts") in ("1", "true", "True"):
        count = len(core.world.guild.members)
        found |= {"approximate_member_count": count, "approximate_presence_count": count}
    return found


async def channels(call: Call) -> Any:
    """GET /guilds/{guild_id}/channels: no threads among them."""
    world = _guild(call).world
    return [shapes.channel(world, c) for c in world.channels.values() if c.kind == TEXT]


async def create_channel(call: Call) -> Any:
    """POST /guilds/{guild_id}/channels: text channels only."""
    core = _guild(call)
    if not in_guild(core.world.guild, core.world.bot.id) & Permission.MANAGE_CHANNELS:
        raise known(50013)
    body = form(call.body)
    name = body.text("name", 1, 100, required=True)
    body.choice("type", (TEXT,))
    topic = body.text("topic", 0, 1024)
    body.errors.check()
    channel = core.world.add_channel(name or "", position=len(core.world.channels))
    channel.topic = topic
    events.channel_changed(core, "CHANNEL_CREATE", channel)
    return Reply(201, shapes.channel(core.world, channel))


async def members(call: Call) -> Any:
    """GET /guilds/{guild_id}/members: needs the members intent. ApiError 50001."""
    core = _guild(call)
    if not core.gateway.privileged & 2:
        raise known(50001)
    limit, after = call.number("limit", 1, 1, 1000), parse(call.query.get("after", "0")) or 0
    found = sorted(core.world.guild.members.items())
    return [shapes.member(member) for user_id, member in found if user_id > after][:limit]


async def search_members(call: Call) -> Any:
    """GET /guilds/{guild_id}/members/search."""
    core = _guild(call)
    query, limit = call.query.get("query", "").lower(), call.number("limit", 1, 1, 1000)
    found = core.world.guild.members.values()
    return [shapes.member(m) for m in found if m.user.name.lower().startswith(query)][:limit]


async def member(call: Call) -> Any:
    """GET /guilds/{guild_id}/members/{user_id}."""
    core = _guild(call)
    found = core.world.guild.members.get(call.id("user_id"))
    if found is None:
        raise known(10007)
    return shapes.member(found)


async def edit_me(call: Call) -> Any:
    """PATCH /guilds/{guild_id}/members/@me: the bot's nickname."""
    core = _guild(call)
    body = form(call.body)
    nick = body.text("nick", 0, 32)
    body.errors.check()
    own = core.world.guild.members[core.world.bot.id]
    own.nick = nick or None
    events.member_updated(core, own)
    return shapes.member(own)


async def roles(call: Call) -> Any:
    """GET /guilds/{guild_id}/roles."""
    return [shapes.role(role) for role in _guild(call).world.guild.roles.values()]


async def active_threads(call: Call) -> Any:
    """GET /guilds/{guild_id}/threads/active: those that the bot sees."""
    world = _guild(call).world
    bot = world.bot.id
    found = [
        t for t in world.threads() if t.thread is not None and not t.thread.archived and world.sees(bot, t)
    ]
    return {
        "threads": [shapes.channel(world, thread, bot) for thread in found],
        "members": [
            shapes.thread_member(thread.id, bot, thread.thread.members[bot])
            for thread in found
            if thread.thread is not None and bot in thread.thread.members
        ],
        "has_more": False,
    }


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
