"""Users, the application, and the address of the gateway."""

from typing import Any

from sandbox import events, serialize
from sandbox.errors import api_error, invalid_field
from sandbox.model import Guild, Json
from sandbox.rest.call import Call, Route
from sandbox.snowflake import parse
from sandbox.validation.forms import form


def _gateway_url(call: Call) -> str:
    return call.state.records.base_url.replace("http", "ws", 1) + "/gateway"


async def gateway(call: Call) -> Any:
    """GET /gateway."""
    return {"url": _gateway_url(call)}


async def gateway_bot(call: Call) -> Any:
    """GET /gateway/bot."""
    starts = call.state.gateway.starts
    url, shards = _gateway_url(call), starts.sharding.shards
    return {"url": url, "shards": shards, "session_start_limit": starts.limit()}


async def me(call: Call) -> Any:
    """GET /users/@me."""
    return serialize.me(call.state.records.bot)


async def edit_me(call: Call) -> Any:
    """PATCH /users/@me: change the name."""
    body = form(call.body)
    name = body.text("username", 2, 32)
    body.errors.check()
    if name is not None:
        call.state.records.bot.name = name
    return serialize.me(call.state.records.bot)


async def user(call: Call) -> Any:
    """GET /users/{user_id}."""
    found = call.state.records.users.get(call.id("user_id"))
    if found is None:
        raise api_error(10013)
    return serialize.user(found)


async def my_guilds(call: Call) -> Any:
    """GET /users/@me/guilds: at most 200, ordered by id."""
    limit, after = call.number("limit", 200, 1, 200), parse(call.query.get("after", "0")) or 0
    found = sorted(call.state.records.bot_guilds(), key=lambda guild: guild.id)
    return [_own_guild(guild) for guild in found if guild.id > after][:limit]


def _own_guild(guild: Guild) -> Json:
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": None,
        "banner": None,
        "owner": False,
        "permissions": str(guild.bot_role.permissions | guild.roles[guild.id].permissions),
        "features": [],
        "approximate_member_count": len(guild.members),
        "approximate_presence_count": len(guild.members),
    }


async def leave_guild(call: Call) -> Any:
    """DELETE /users/@me/guilds/{guild_id}."""
    records = call.state.records
    guild = records.guilds.get(call.id("guild_id"))
    if guild is None or not records.has_bot(guild):
        raise api_error(10004)
    events.bot_removed(call.state, guild)
    del guild.members[records.bot.id]
    return None


async def open_dm(call: Call) -> Any:
    """POST /users/@me/channels: the DM channel with a user, created if there is none."""
    records = call.state.records
    body = form(call.body)
    recipient = body.snowflake("recipient_id", required=True)
    body.errors.check()
    person = records.users.get(recipient or 0)
    if person is None:
        raise invalid_field(("recipient_id",), "USER_UNKNOWN", "Unknown user")
    if person.bot:
        raise api_error(50007)
    # This works even if the person refuses direct messages: only sending fails, with 50007.
    channel, new = records.dm(person.id)
    if new:
        events.channel_changed(call.state, "CHANNEL_CREATE", channel)
    return serialize.channel(records, channel)


async def application(call: Call) -> Any:
    """GET /oauth2/applications/@me and /applications/@me."""
    return serialize.application(call.state.records)


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
