"""Users, the application, and where the gateway is."""

from typing import Any

from sandbox import events, shapes
from sandbox.errors import invalid, known
from sandbox.rest.call import Call, Route
from sandbox.validation.forms import form

SESSIONS = 1000


def _gateway_url(call: Call) -> str:
    return call.core.world.base_url.replace("http", "ws", 1) + "/gateway"


async def gateway(call: Call) -> Any:
    """GET /gateway."""
    return {"url": _gateway_url(call)}


async def gateway_bot(call: Call) -> Any:
    """GET /gateway/bot: one shard is enough here."""
    limit = {"total": SESSIONS, "remaining": SESSIONS, "reset_after": 0, "max_concurrency": 1}
    return {"url": _gateway_url(call), "shards": 1, "session_start_limit": limit}


async def me(call: Call) -> Any:
    """GET /users/@me."""
    return shapes.me(call.core.world.bot)


async def edit_me(call: Call) -> Any:
    """PATCH /users/@me: the name."""
    body = form(call.body)
    name = body.text("username", 2, 32)
    body.errors.check()
    if name is not None:
        call.core.world.bot.name = name
    return shapes.me(call.core.world.bot)


async def user(call: Call) -> Any:
    """GET /users/{user_id}."""
    found = call.core.world.users.get(call.id("user_id"))
    if found is None:
        raise known(10013)
    return shapes.user(found)


async def my_guilds(call: Call) -> Any:
    """GET /users/@me/guilds."""
    world = call.core.world
    if not world.bot_is_member:
        return []
    return [
        {
            "id": str(world.guild.id),
            "name": world.guild.name,
            "icon": None,
            "banner": None,
            "owner": False,
            "permissions": str(world.bot_role.permissions | world.guild.roles[world.guild.id].permissions),
            "features": [],
            "approximate_member_count": len(world.guild.members),
            "approximate_presence_count": len(world.guild.members),
        }
    ]


async def leave_guild(call: Call) -> Any:
    """DELETE /users/@me/guilds/{guild_id}."""
    world = call.core.world
    if call.id("guild_id") != world.guild.id or not world.bot_is_member:
        raise known(10004)
    events.bot_removed(call.core)
    del world.guild.members[world.bot.id]
    return None


async def open_dm(call: Call) -> Any:
    """POST /users/@me/channels: the DM channel with a user, made if there is none."""
    world = call.core.world
    body = form(call.body)
    recipient = body.snowflake("recipient_id", required=True)
    body.errors.check()
    person = world.users.get(recipient or 0)
    if person is None:
        raise invalid(("recipient_id",), "USER_UNKNOWN", "Unknown user")
    if person.bot:
        raise known(50007)
    channel, new = world.dm(person.id)
    if new:
        events.channel_changed(call.core, "CHANNEL_CREATE", channel)
    return shapes.channel(world, channel)


async def application(call: Call) -> Any:
    """GET /oauth2/applications/@me and /applications/@me."""
    return shapes.application(call.core.world)


ROUTES = [
    Route("GET", "/gateway", gateway, open=True),
    Route("GET", "/gateway/bot", gateway_bot),
    Route("GET", "/users/@me", me),
    Route("PATCH", "/users/@me", edit_me),
    Route("GET", "/users/@me/guilds", my_guilds),
    Route("DELETE", "/users/@me/guilds/{guild_id}", leave_guild),
    Route("POST", "/users/@me/channels", open_dm),
    Route("GET", "/users/{user_id}", user),
    Route("GET", "/oauth2/applications/@me", application),
    Route("GET", "/applications/@me", application),
]
