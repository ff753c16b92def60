"""The registry of application commands."""

from collections.abc import Sequence
from typing import Any

from sandbox import events
from sandbox.errors import ApiError, FormErrors, known
from sandbox.model import Command, Json
from sandbox.state import Core
from sandbox.validation.commands import MAX_COMMANDS, read_command
from sandbox.validation.forms import Form


def write(core: Core, command: Command) -> Json:
    """Write a command as REST does."""
    made: Json = {
        "id": str(command.id),
        "application_id": str(core.world.bot.id),
        "version": str(command.version),
    } | command.definition
    if command.guild_id is not None:
        made["guild_id"] = str(command.guild_id)
    return made


def registered(core: Core, guild_id: int | None) -> list[Command]:
    """Give the commands of one scope: global (None) or a guild's."""
    return [c for c in core.world.commands.values() if c.guild_id == guild_id]


def visible(core: Core) -> list[Command]:
    """Give what people are offered in the guild: its own commands, and global ones that they do not cover."""
    own = registered(core, core.world.guild.id) if core.world.bot_is_member else []
    names = {(c.name, c.definition["type"]) for c in own}
    return own + [c for c in registered(core, None) if (c.name, c.definition["type"]) not in names]


def announce(core: Core) -> None:
    """Tell the windows which commands there are."""
    events.commands_updated(core, [write(core, command) for command in visible(core)])


def overwrite(core: Core, guild_id: int | None, bodies: Any) -> list[Command]:
    """Replace all commands of a scope; a command keeps its id by name. ApiError 50035, 30032."""
    if not isinstance(bodies, list):
        raise ApiError(400, 50035, "Invalid Form Body")
    definitions = _read_all(bodies)
    if sum(d["type"] == 1 for d in definitions) > MAX_COMMANDS:
        raise known(30032)
    old = {(c.name, c.definition["type"]): c for c in registered(core, guild_id)}
    for command in old.values():
        del core.world.commands[command.id]
    made = [_keep(core, guild_id, old.get((d["name"], d["type"])), d) for d in definitions]
    announce(core)
    return made


def _keep(core: Core, guild_id: int | None, old: Command | None, definition: Json) -> Command:
    changed = old is None or old.definition != definition
    command = Command(
        core.world.ids.make() if old is None else old.id,
        core.world.ids.make() if old is None or changed else old.version,
        guild_id,
        definition,
    )
    core.world.commands[command.id] = command
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


def upsert(core: Core, guild_id: int | None, body: Any) -> tuple[Command, bool]:
    """Create a command, or replace the one with its name; and whether it is new. ApiError 50035, 30032."""
    definition = _read_all([body])[0]
    same = [c for c in registered(core, guild_id) if c.name == definition["name"]]
    old = next((c for c in same if c.definition["type"] == definition["type"]), None)
    if old is None and len(registered(core, guild_id)) >= MAX_COMMANDS:
        raise known(30032)
    command = _keep(core, guild_id, old, definition)
    announce(core)
    return command, old is None


def find(core: Core, guild_id: int | None, command_id: int) -> Command:
    """Give one command of a scope. ApiError 10063."""
    command = core.world.commands.get(command_id)
    if command is None or command.guild_id != guild_id:
        raise known(10063)
    return command


def update(core: Core, guild_id: int | None, command_id: int, body: Any) -> Command:
    """Change some fields of a command. ApiError 10063, 50035."""
    old = find(core, guild_id, command_id)
    merged = old.definition | (body if isinstance(body, dict) else {})
    command = _keep(core, guild_id, old, _read_all([merged])[0])
    announce(core)
    return command


def delete(core: Core, guild_id: int | None, command_id: int) -> None:
    """Delete a command. ApiError 10063."""
    del core.world.commands[find(core, guild_id, command_id).id]
    announce(core)
