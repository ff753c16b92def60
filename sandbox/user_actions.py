"""People's commands, clicks, choices, modals and messages, with the checks that their client makes."""

from sandbox import command_input, interactions, messages
from sandbox.errors import InputError
from sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL
from sandbox.model import DM, Channel, Interaction, Json, Message, User
from sandbox.permissions import Permission
from sandbox.state import State
from sandbox.validation import commands as option_kinds
from sandbox.validation import components, modals
from sandbox.validation.messages import MAX_CONTENT_CHARS, Draft

_RESOLVES = {
    components.USER_SELECT: option_kinds.USER,
    components.ROLE_SELECT: option_kinds.ROLE,
    components.MENTIONABLE_SELECT: option_kinds.MENTIONABLE,
    components.CHANNEL_SELECT: option_kinds.CHANNEL,
}


def visible_channel(state: State, person: User, channel_id: int | None) -> Channel:
    """Return a channel that a person sees. InputError 404."""
    channel = state.records.channels.get(channel_id or 0)
    if channel is None or not state.records.sees(person.id, channel):
        raise InputError("There is no such channel.", 404)
    return channel


def visible_message(state: State, person: User, message_id: int | None) -> Message:
    """Return a message that a person sees. InputError 404."""
    message = state.records.find(message_id or 0)
    if message is None or not state.records.sees_message(person.id, message):
        raise InputError("There is no such message.", 404)
    return message


def _check_unlocked(state: State, person: User, channel: Channel) -> None:
    manages = state.records.permissions(channel, person.id) & Permission.MANAGE_THREADS
    if channel.thread is not None and channel.thread.locked and not manages:
        raise InputError("This thread is locked.", 403)


def command(state: State, person: User, channel_id: int | None, name: str, options: Json) -> Interaction:
    """Send a slash command. InputError: it is not available here, or its options are invalid."""
    channel = visible_channel(state, person, channel_id)
    _check_unlocked(state, person, channel)
    if not state.records.permissions(channel, person.id) & Permission.USE_APPLICATION_COMMANDS:
        raise InputError("You may not use commands here.", 403)
    found = command_input.find(state, channel, person, name)
    given, resolved = command_input.read_values(state, channel, found, options)
    return interactions.start(state, person, channel, COMMAND, found.data(given, resolved), name=found.name)


async def autocomplete(
    state: State, person: User, channel_id: int | None, name: str, options: Json, focused: str
) -> list[Json]:
    """Ask the bot to complete an option. InputError: it did not respond."""
    channel = visible_channel(state, person, channel_id)
    found = command_input.find(state, channel, person, name)
    given = command_input.read_partial(found, options, focused)
    interaction = interactions.start(
        state, person, channel, AUTOCOMPLETE, found.data(given, {}), name=found.name
    )
    # Set by the bot's response, or by the timer after three seconds.
    await interaction.settled.wait()
    if interaction.choices is None:
        raise InputError("Loading options failed")
    return [{"name": choice["name"], "value": choice["value"]} for choice in interaction.choices]


def _component(
    state: State, person: User, message_id: int | None, custom_id: str
) -> tuple[Message, Channel, Json]:
    message = visible_message(state, person, message_id)
    channel = state.records.channels[message.channel_id]
    for item in components.walk(message.components):
        if item.get("custom_id") == custom_id:
            if item.get("disabled"):
                raise InputError("This is disabled.")
            _check_unlocked(state, person, channel)
            return message, channel, item
    raise InputError("There is no such control in this message.", 404)


def press(state: State, person: User, message_id: int | None, custom_id: str) -> Interaction:
    """Press a button. InputError: there is no such button, or it is disabled."""
    message, channel, item = _component(state, person, message_id, custom_id)
    if item["type"] != components.BUTTON:
        raise InputError("This is no button.")
    return _click(state, person, channel, message, item, {})


def select(
    state: State, person: User, message_id: int | None, custom_id: str, values: list[str]
) -> Interaction:
    """Choose in a select menu. InputError: there is no such menu, or it does not offer these values."""
    message, channel, item = _component(state, person, message_id, custom_id)
    if item["type"] not in components.SELECTS:
        raise InputError("This is no select menu.")
    if not item["min_values"] <= len(values) <= item["max_values"] or len(set(values)) != len(values):
        raise InputError(f"Choose {item['min_values']} to {item['max_values']}.")
    resolved: Json = {}
    if item["type"] == components.STRING_SELECT:
        offered = [option["value"] for option in item["options"]]
        if not set(values) <= set(offered):
            raise InputError("That is not offered.")
        chosen = values
        if _already_chosen(state, person, message, item, set(values)):
            raise InputError("That is chosen already.")
    else:
        kind = _RESOLVES[item["type"]]
        chosen = [command_input.resolve(state, channel, kind, value, resolved) for value in values]
    extra: Json = {"values": chosen}
    if resolved:
        extra["resolved"] = resolved
    return _click(state, person, channel, message, item, extra)


def _already_chosen(state: State, person: User, message: Message, item: Json, values: set[str]) -> bool:
    """Return whether a client shows exactly these values as chosen already, and so does not send them."""
    # discord-api-docs, issue #4801: only a new custom_id makes the client forget what was chosen.
    before = state.records.choices.get((person.id, message.id, item["custom_id"]))
    defaults = {option["value"] for option in item["options"] if option["default"]}
    return bool(values) and values in (defaults, set(before or ()))


def _click(
    state: State, person: User, channel: Channel, message: Message, item: Json, extra: Json
) -> Interaction:
    data = {"custom_id": item["custom_id"], "component_type": item["type"], "id": item["id"]} | extra
    return interactions.start(state, person, channel, COMPONENT, data, source=message)


def forge(
    state: State, person: User, message_id: int | None, custom_id: str, kind: int, values: list[str] | None
) -> Interaction:
    """Send a click that no official client would send. InputError 404: there is no such message."""
    message = state.records.find(message_id or 0)
    if message is None:
        raise InputError("There is no such message.", 404)
    channel = state.records.channels[message.channel_id]
    # Not even a modified client can click in a guild that its person is not a member of.
    if channel.guild_id is not None and person.id not in state.records.members_in(channel):
        raise InputError("There is no such message.", 404)
    data: Json = {"custom_id": custom_id, "component_type": kind, "id": 0}
    if values is not None or kind in components.SELECTS:
        data["values"] = values or []
    return interactions.start(state, person, channel, COMPONENT, data, source=message)


def modal(state: State, person: User, interaction_id: int | None, values: Json) -> Interaction:
    """Submit a modal. InputError: it is not open, or a field is invalid."""
    records = state.records
    opened = records.interactions.get(interaction_id or 0)
    form = records.modals.get(interaction_id or 0)
    if opened is None or form is None or opened.user_id != person.id:
        raise InputError("This modal is not open.", 404)
    channel = visible_channel(state, person, opened.channel_id)
    _check_unlocked(state, person, channel)
    resolved: Json = {}
    filled = _fill_in(state, channel, form["components"], values, resolved)
    data: Json = {
        "custom_id": form["custom_id"],
        "components": [_submitted(item, filled) for item in form["components"]],
    }
    if resolved:
        data["resolved"] = resolved
    source = records.find(opened.source_id or 0)
    return interactions.start(state, person, channel, MODAL, data, source=source, parent=opened)


def _fill_in(state: State, channel: Channel, items: list[Json], values: Json, resolved: Json) -> Json:
    fields = {field["custom_id"]: field for field in modals.list_fields(items)}
    if unknown := values.keys() - fields.keys():
        raise InputError(f"The modal has no field {min(unknown)}.")
    filled: Json = {}
    for name, field in fields.items():
        value, kind = values.get(name), field["type"]
        if kind == modals.FILE_UPLOAD and value:
            raise InputError("The sandbox's people upload no files.")
        if kind in _RESOLVES and isinstance(value, list):
            value = [command_input.resolve(state, channel, _RESOLVES[kind], item, resolved) for item in value]
        filled[name], problem = modals.read_value(field, value)
        if problem is not None:
            raise InputError(problem)
    return filled


def _submitted(item: Json, filled: Json) -> Json:
    # Values replace the fields in the tree.
    found: Json = {"type": item["type"], "id": item["id"]}
    if "component" in item:
        found["component"] = _submitted(item["component"], filled)
    elif "components" in item:
        found["components"] = [_submitted(inner, filled) for inner in item["components"]]
    elif item.get("custom_id") in filled:
        value = filled[item["custom_id"]]
        found |= {"custom_id": item["custom_id"], "values" if isinstance(value, list) else "value": value}
    return found


def say(state: State, person: User, channel_id: int | None, content: str) -> Message:
    """Write a message. InputError: empty, too long, or not allowed here."""
    channel = visible_channel(state, person, channel_id)
    if not content.strip() or len(content) > MAX_CONTENT_CHARS:
        raise InputError(f"A message has 1 to {MAX_CONTENT_CHARS} characters.")
    _check_unlocked(state, person, channel)
    permissions = state.records.permissions(channel, person.id)
    if channel.kind != DM and not permissions & messages.write_permission(channel):
        raise InputError("You may not write here.", 403)
    message = messages.compose(state, channel, person, Draft(content=content))
    messages.post(state, channel, message)
    return message


def dismiss(state: State, person: User, message_id: int | None) -> None:
    """Delete an ephemeral message. InputError 404: this person has no such message."""
    message = state.records.find(message_id or 0)
    if message is None or message.only_for != person.id:
        raise InputError("There is no such message to dismiss.", 404)
    messages.drop(state, message)
