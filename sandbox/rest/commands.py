"""Application commands, global or of a guild."""

from typing import Any

from sandbox import commands
from sandbox.errors import api_error
from sandbox.rest.call import Call, Reply, Route
from sandbox.snowflake import parse


def _scope(call: Call) -> int | None:
    # The scope: a guild's id, or None for global commands.
    if call.id("application_id") != call.state.records.bot.id:
        raise api_error(20012)
    text = call.params.get("guild_id")
    if text is None:
        return None
    records = call.state.records
    guild = records.guilds.get(parse(text) or 0)
    if guild is None or not records.has_bot(guild):
        raise api_error(50001)
    return guild.id


async def list_all(call: Call) -> Any:
    """GET …/commands."""
    found = commands.list_registered(call.state, _scope(call))
    return [commands.to_json(call.state, command) for command in found]


async def overwrite(call: Call) -> Any:
    """PUT …/commands: replaces all."""
    found = commands.overwrite(call.state, _scope(call), call.body)
    return [commands.to_json(call.state, command) for command in found]


async def create(call: Call) -> Any:
    """POST …/commands."""
    command, new = commands.upsert(call.state, _scope(call), call.body)
    return Reply(201 if new else 200, commands.to_json(call.state, command))


async def get(call: Call) -> Any:
    """GET …/commands/{command_id}."""
    found = commands.find(call.state, _scope(call), call.id("command_id"))
    return commands.to_json(call.state, found)


async def update(call: Call) -> Any:
    """PATCH …/commands/{command_id}."""
    changed = commands.update(call.state, _scope(call), call.id("command_id"), call.body)
    return commands.to_json(call.state, changed)


async def delete(call: Call) -> Any:
    """DELETE …/commands/{command_id}."""
    commands.delete(call.state, _scope(call), call.id("command_id"))
    return None


def _routes(base: str) -> list[Route]:
    return [
        Route("GET", base, list_all),
        Route("PUT", base, overwrite),
        Route("POST", base, create),
        Route("GET", base + "/{command_id}", get),
        Route("PATCH", base + "/{command_id}", update),
        Route("DELETE", base + "/{command_id}", delete),
    ]


ROUTES = _routes("/applications/{application_id}/commands") + _routes(
    "/applications/{application_id}/guilds/{guild_id}/commands"
)
