"""Slash commands as people type them: looked up, checked, and turned into data for the bot."""

from dataclasses import dataclass
from typing import Any

from sandbox import commands, serialize
from sandbox.errors import InputError
from sandbox.model import DM, Channel, Command, Json, User
from sandbox.permissions import in_guild
from sandbox.snowflake import parse
from sandbox.state import State
from sandbox.validation import commands as kinds


@dataclass(slots=True)
class CommandInput:
    """A command, the path of its subcommands, and the options of the last one."""

    command: Command
    path: list[tuple[int, str]]
    options: list[Json]

    @property
    def name(self) -> str:
        """The command and its subcommands, as people type it."""
        return " ".join([self.command.name, *(name for _, name in self.path)])

    def data(self, values: list[Json], resolved: Json) -> Json:
        """Build the data of an interaction with these option values."""
        nested = values
        for kind, name in reversed(self.path):
            nested = [{"type": kind, "name": name, "options": nested}]
        found: Json = {"id": str(self.command.id), "name": self.command.name, "type": 1, "options": nested}
        if self.command.guild_id is not None:
            found["guild_id"] = str(self.command.guild_id)
        if resolved:
            found["resolved"] = resolved
        return found


def find(state: State, channel: Channel, person: User, typed: str) -> CommandInput:
    """Find the command that a person typed. InputError: none here matches, or they may not use it."""
    words = typed.removeprefix("/").split()
    guild_id = state.records.guild.id if channel.guild_id is None else channel.guild_id
    known = commands.list_visible(state, state.records.guilds[guild_id])
    offered = [c for c in known if words and c.name == words[0] and c.definition["type"] == 1]
    if not offered:
        raise InputError(f"There is no command /{typed}.", 404)
    command = offered[0]
    _check_place(state, channel, person, command)
    options: list[Json] = command.definition["options"]
    path: list[tuple[int, str]] = []
    for word in words[1:]:
        step = next((o for o in options if o["type"] <= kinds.GROUP and o["name"] == word), None)
        if step is None:
            raise InputError(f"There is no command /{typed}.", 404)
        path.append((step["type"], word))
        options = step["options"]
    if any(option["type"] <= kinds.GROUP for option in options):
        raise InputError(f"/{typed} needs a subcommand.")
    return CommandInput(command, path, options)


def _check_place(state: State, channel: Channel, person: User, command: Command) -> None:
    definition = command.definition
    contexts = definition["contexts"]
    # Without contexts, the older field dm_permission decides.
    if channel.kind == DM:
        allowed = 1 in contexts if contexts else definition["dm_permission"] and command.guild_id is None
        if not allowed:
            raise InputError(f"/{command.name} works in a server only.", 403)
        return
    guild = state.records.guild_of(channel)
    if not state.records.has_bot(guild):
        raise InputError(f"There is no command /{command.name} here.", 404)
    if contexts and 0 not in contexts:
        raise InputError(f"/{command.name} does not work in servers.", 403)
    needed = definition["default_member_permissions"]
    if needed is not None:
        held = in_guild(guild, person.id)
        # "0" restricts the command to administrators: "Application Commands", Permissions.
        if int(needed) & ~held or (int(needed) == 0 and person.id != guild.owner_id):
            raise InputError(f"You may not use /{command.name}.", 403)


def read_values(state: State, channel: Channel, typed: CommandInput, given: Json) -> tuple[list[Json], Json]:
    """Check the options of a command being sent; return their values and the objects that these name.

    InputError: a required option is missing, one is unknown, or a value is invalid.
    """
    names = {option["name"] for option in typed.options}
    for name in given:
        if name not in names:
            raise InputError(f"/{typed.name} has no option {name}.")
    found: list[Json] = []
    resolved: Json = {}
    for option in typed.options:
        value = given.get(option["name"])
        if value is None:
            if option["required"]:
                raise InputError(f"/{typed.name} needs {option['name']}.")
            continue
        written = _value(state, channel, option, value, resolved)
        found.append({"name": option["name"], "type": option["type"], "value": written})
    return found, resolved


def read_partial(typed: CommandInput, given: Json, focused: str) -> list[Json]:
    """Return the options of a command that is still being typed; only the focused one is checked.

    InputError: there is no such option, or it has no autocompletion.
    """
    option = next((o for o in typed.options if o["name"] == focused), None)
    if option is None or not option.get("autocomplete"):
        raise InputError(f"/{typed.name} does not complete {focused}.")
    found: list[Json] = []
    for each in typed.options:
        name = each["name"]
        if name == focused:
            text = str(given.get(name, ""))
            found.append({"name": name, "type": each["type"], "value": text, "focused": True})
        elif given.get(name) is not None:
            found.append({"name": name, "type": each["type"], "value": given[name]})
    return found


def _value(state: State, channel: Channel, option: Json, value: Any, resolved: Json) -> Any:
    kind, name = option["type"], option["name"]
    if kind == kinds.ATTACHMENT:
        raise InputError(f"{name}: the sandbox's people attach no files.")
    if kind in (kinds.USER, kinds.CHANNEL, kinds.ROLE, kinds.MENTIONABLE):
        return resolve(state, channel, kind, value, resolved)
    if kind == kinds.BOOLEAN:
        words = {"true": True, "yes": True, "false": False, "no": False}
        if str(value).lower() not in words:
            raise InputError(f"{name} is true or false.")
        return words[str(value).lower()]
    if choices := option.get("choices"):
        # Tests pass names of choices, the page sends their values. JSON does not tell 2 from 2.0.
        named = [
            choice["value"]
            for key in ("value", "name")
            for choice in choices
            if choice[key] == value or str(choice[key]) == str(value)
        ]
        if not named:
            raise InputError(f"{name} does not offer {value!r}.")
        return named[0]
    return _plain_value(option, str(value))


def _plain_value(option: Json, text: str) -> str | int | float:
    kind, name = option["type"], option["name"]
    if kind == kinds.STRING:
        low, high = option.get("min_length", 0), option.get("max_length", 6000)
        if not low <= len(text) <= high:
            raise InputError(f"{name}: {len(text)} characters is out of bounds.")
        return text
    try:
        number = int(text) if kind == kinds.INTEGER else float(text)
    except ValueError:
        raise InputError(f"{name} is a {'whole ' if kind == kinds.INTEGER else ''}number.") from None
    if not option.get("min_value", number) <= number <= option.get("max_value", number):
        raise InputError(f"{name}: {number} is out of bounds.")
    return number


def resolve(state: State, channel: Channel, kind: int, value: Any, resolved: Json) -> str:
    """Return the id of the user, role or channel that a value names; add its JSON to `resolved`.

    InputError: no match for this id or name.
    """
    records = state.records
    number = parse(value)
    if kind in (kinds.USER, kinds.MENTIONABLE):
        user = next((u for u in records.users.values() if u.id == number or u.name == value), None)
        if user is not None:
            resolved.setdefault("users", {})[str(user.id)] = serialize.user(user)
            member = records.members_in(channel).get(user.id)
            if member is not None:
                # Partial: "Interaction Data", Resolved Data Structure.
                written = serialize.member(member, with_user=False)
                written["permissions"] = str(records.permissions(channel, user.id))
                resolved.setdefault("members", {})[str(user.id)] = written
            return str(user.id)
    if kind in (kinds.ROLE, kinds.MENTIONABLE):
        role = next(
            (r for r in records.roles_in(channel).values() if r.id == number or r.name == value), None
        )
        if role is not None:
            resolved.setdefault("roles", {})[str(role.id)] = serialize.role(role)
            return str(role.id)
    if kind == kinds.CHANNEL and number in records.channels:
        found = serialize.channel(records, records.channels[number])
        found["permissions"] = str(records.permissions(channel, records.bot.id))
        resolved.setdefault("channels", {})[str(number)] = found
        return str(number)
    raise InputError(f"{value!r} is not known here.")
