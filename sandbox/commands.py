"""The registry of application commands."""

from collections.abc import Sequence
from typing import Any

from sandbox import events
from sandbox.errors import ApiError, FormErrors, api_error
from sandbox.model import Command, Guild, Json
from sandbox.state import State
from sandbox.validation.commands import DISCORD_LAUNCH_ACTIVITY, ENTRY_POINT, MAX_COMMANDS, read_command
from sandbox.validation.forms import Form


def to_json(state: State, command: Command) -> Json:
    """Build a command's JSON, as REST returns it."""
    made: Json = {
        "id": str(command.id),
        "application_id": str(state.records.bot.id),
        "version": str(command.version),
    } | command.definition
    if command.guild_id is not None:
        made["guild_id"] = str(command.guild_id)
    return made


def list_registered(state: State, guild_id: int | None) -> list[Command]:
    """Return the commands of one scope: global (None), or a guild's."""
    return [c for c in state.records.commands.values() if c.guild_id == guild_id]


def list_visible(state: State, guild: Guild) -> list[Command]:
    """Return the commands that people see in a guild: its own, and the global ones that these do not hide."""
    own = list_registered(state, guild.id) if state.records.has_bot(guild) else []
    # A guild's command hides the global one with the same name and type.
    names = {(c.name, c.definition["type"]) for c in own}
    return own + [c for c in list_registered(state, None) if (c.name, c.definition["type"]) not in names]


def _announce(state: State) -> None:
    # Windows show the commands of the first guild only; other guilds are for programs.
    shown = list_visible(state, state.records.guild)
    events.commands_updated(state, [to_json(state, command) for command in shown])


def enable_activities(state: State) -> Command:
    """Enable Activities for the application, and add the command that launches one, as Discord does."""
    found = next((c for c in list_registered(state, None) if c.definition["type"] == ENTRY_POINT), None)
    if found is None:
        body = {"name": "launch", "type": ENTRY_POINT, "handler": DISCORD_LAUNCH_ACTIVITY}
        found = _keep(state, None, None, _read_all([body])[0])
        _announce(state)
    return found


def overwrite(state: State, guild_id: int | None, bodies: Any) -> list[Command]:
    """Replace all commands of a scope; commands of the same name and type keep their id.

    ApiError 50035, 30032, 50240.
    """
    if not isinstance(bodies, list):
        raise ApiError(400, 50035, "Invalid Form Body")
    definitions = _read_all(bodies)
    # Context menus have a limit of their own: "Application Commands", Registering a Command.
    if sum(d["type"] == 1 for d in definitions) > MAX_COMMANDS:
        raise api_error(30032)
    old = {(c.name, c.definition["type"]): c for c in list_registered(state, guild_id)}
    kinds = {kind for _, kind in old}
    if ENTRY_POINT in kinds and not any(d["type"] == ENTRY_POINT for d in definitions):
        raise api_error(50240)
    for command in old.values():
        del state.records.commands[command.id]
    made = [_keep(state, guild_id, old.get((d["name"], d["type"])), d) for d in definitions]
    _announce(state)
    return made


def _keep(state: State, guild_id: int | None, old: Command | None, definition: Json) -> Command:
    ids = state.records.ids
    number = ids.make() if old is None else old.id
    # The version changes with the definition only, so that clients reload only changed commands.
    version = ids.make() if old is None or old.definition != definition else old.version
    command = Command(number, version, guild_id, definition)
    state.records.commands[number] = command
    return command


def _read_all(bodies: Sequence[Any]) -> list[Json]:
    errors = FormErrors()
    made: list[Json] = []
    names: set[tuple[str, int]] = set()
    for number, body in enumerate(bodies):
        form = Form(body if isinstance(body, dict) else {}, (number,), errors)
        definition = read_command(form)
        key = (definition["name"], definition["type"])
        if key in names:
            form.fail(
                "name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
        names.add(key)
        made.append(definition)
    errors.check()
    return made


def upsert(state: State, guild_id: int | None, body: Any) -> tuple[Command, bool]:
    """Create a command, or replace the one with its name and type; return it and whether it is new.

    ApiError 50035, 30032.
    """
    definition = _read_all([body])[0]
    same = [c for c in list_registered(state, guild_id) if c.name == definition["name"]]
    old = next((c for c in same if c.definition["type"] == definition["type"]), None)
    if old is None and len(list_registered(state, guild_id)) >= MAX_COMMANDS:
        raise api_error(30032)
    command = _keep(state, guild_id, old, definition)
    _announce(state)
    return command, old is None


def find(state: State, guild_id: int | None, command_id: int) -> Command:
    """Return one command of a scope. ApiError 10063: there is none."""
    command = state.records.commands.get(command_id)
    if command is None or command.guild_id != guild_id:
        raise api_error(10063)
    return command


def update(state: State, guild_id: int | None, command_id: int, body: Any) -> Command:
    """Change some fields of a command. ApiError 10063, 50035."""
    old = find(state, guild_id, command_id)
    # Fields that a PATCH leaves out keep their values.
    merged = old.definition | (body if isinstance(body, dict) else {})
    command = _keep(state, guild_id, old, _read_all([merged])[0])
    _announce(state)
    return command


def delete(state: State, guild_id: int | None, command_id: int) -> None:
    """Delete a command. ApiError 10063."""
    del state.records.commands[find(state, guild_id, command_id).id]
    _announce(state)
