"""Responses to interactions: the first one (a callback), follow-ups, and edits of both.

Discord's documentation, "Receiving and Responding to Interactions".
"""

from collections.abc import Mapping
from typing import Any

from sandbox import interactions, messages, serialize_message, threads
from sandbox.errors import api_error, invalid_field
from sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL
from sandbox.model import COMMAND_REPLY, EPHEMERAL, LOADING, REPLY, Interaction, Json, Message
from sandbox.snowflake import parse
from sandbox.state import State
from sandbox.validation.commands import GROUP, STRING, read_choice
from sandbox.validation.forms import Form, form
from sandbox.validation.messages import EDIT_FLAGS, RESPONSE_FLAGS, USERS_ONLY, Draft, Upload, read_draft
from sandbox.validation.modals import read_modal

PONG, MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, OPEN_MODAL = 1, 4, 5, 6, 7, 8, 9
ORIGINAL = "@original"
_ALLOWED = {
    MESSAGE: (COMMAND, COMPONENT, MODAL),
    DEFERRED: (COMMAND, COMPONENT, MODAL),
    DEFERRED_UPDATE: (COMPONENT, MODAL),
    UPDATE: (COMPONENT, MODAL),
    CHOICES: (AUTOCOMPLETE,),
    OPEN_MODAL: (COMMAND, COMPONENT),
}
MAX_CHOICES = 25


def respond(state: State, interaction: Interaction, body: Any, uploads: Mapping[int, Upload]) -> None:
    """Execute the bot's callback. ApiError 50035 and those of messages: the interaction stays unanswered."""
    outer = form(body)
    kind = outer.choice("type", (PONG, *_ALLOWED), required=True)
    outer.errors.check()
    if interaction.kind not in _ALLOWED.get(kind, ()):
        problem = f"Type {kind} does not answer an interaction of type {interaction.kind}."
        raise invalid_field(("type",), "INTERACTION_RESPONSE_TYPE_INVALID", problem)
    if kind in (DEFERRED_UPDATE, UPDATE) and interaction.source_id is None:
        raise invalid_field(("type",), "INTERACTION_RESPONSE_TYPE_INVALID", "There is no message to update.")
    data = outer.child("data", required=kind in (MESSAGE, UPDATE, CHOICES, OPEN_MODAL))
    outer.errors.check()
    if kind == DEFERRED_UPDATE:
        interaction.original_id = interaction.source_id
    elif kind == DEFERRED:
        flags = 0 if data is None else data.integer_or("flags", 0, 0, 1 << 53) & EPHEMERAL
        outer.errors.check()
        # The message appears at once as "thinking"; the first follow-up or edit fills it.
        draft = Draft(flags=flags | LOADING, mentions=USERS_ONLY)
        interaction.original_id = _send(state, interaction, draft, first=True).id
        interaction.pending = True
    elif data is not None:
        _respond_with(state, interaction, kind, data, uploads)
    interaction.answer = kind
    interactions.complete(state, interaction)


def _respond_with(
    state: State, interaction: Interaction, kind: int, data: Form, uploads: Mapping[int, Upload]
) -> None:
    if kind == MESSAGE:
        draft = _read(data, uploads, None, RESPONSE_FLAGS)
        interaction.original_id = _send(state, interaction, draft, first=True).id
    elif kind == UPDATE:
        source = state.records.find(interaction.source_id or 0)
        if source is None:
            raise api_error(10008)
        _check_unlocked(state, interaction, source.only_for)
        draft = _read(data, uploads, source, RESPONSE_FLAGS)
        # An update cannot change whether a message is ephemeral.
        draft.flags &= ~EPHEMERAL
        messages.change(state, source, draft)
        interaction.original_id = source.id
    elif kind == CHOICES:
        focused = _focused_type(interaction.data)
        choices = [read_choice(child, focused) for child in data.children("choices", 0, MAX_CHOICES)]
        data.errors.check()
        interaction.choices = choices
    else:
        modal = read_modal(data)
        data.errors.check()
        state.records.modals[interaction.id] = modal
        state.sockets.push(interaction.user_id, "MODAL", {"interaction_id": str(interaction.id)} | modal)


def _focused_type(data: Json) -> int:
    options: list[Json] = data.get("options", [])
    while options and options[0]["type"] <= GROUP:
        options = options[0].get("options", [])
    return next((int(option["type"]) for option in options if option.get("focused")), STRING)


def _read(data: Form, uploads: Mapping[int, Upload], existing: Message | None, flags: int) -> Draft:
    draft = read_draft(data, uploads, existing, flags=flags, default_mentions=USERS_ONLY)
    data.errors.check()
    return draft


def _send(state: State, interaction: Interaction, draft: Draft, *, first: bool) -> Message:
    channel = state.records.channel(interaction.channel_id)
    only_for = interaction.user_id if draft.flags & EPHEMERAL else None
    _check_unlocked(state, interaction, only_for)
    message = messages.compose(state, channel, state.records.bot, draft, only_for=only_for)
    message.interaction = interaction
    if first and interaction.kind == COMMAND:
        message.kind = COMMAND_REPLY
    else:
        target = state.records.find((interaction.source_id if first else interaction.original_id) or 0)
        if target is not None:
            message.kind, message.reference = REPLY, (target.channel_id, target.id)
    interaction.messages.append(message.id)
    messages.post(state, channel, message)
    return message


def _check_unlocked(state: State, interaction: Interaction, only_for: int | None) -> None:
    # A locked thread refuses public responses; ephemeral ones are allowed.
    channel = state.records.channel(interaction.channel_id)
    locked = channel.thread is not None and channel.thread.locked and not threads.may_manage(state, channel)
    if locked and only_for is None:
        raise api_error(50083, 403)


def callback_result(state: State, interaction: Interaction) -> Json:
    """Build the body of the response to a callback `with_response`."""
    body: Json = {
        "id": str(interaction.id),
        "type": interaction.kind,
        "channel_id": str(interaction.channel_id),
    }
    channel = state.records.channels.get(interaction.channel_id)
    if channel is not None and channel.guild_id is not None:
        body["guild_id"] = str(channel.guild_id)
    found: Json = {"interaction": body}
    message = state.records.find(interaction.original_id or 0)
    if message is not None:
        body["response_message_id"] = str(message.id)
        body["response_message_loading"] = bool(message.flags & LOADING)
        body["response_message_ephemeral"] = message.only_for is not None
        if interaction.answer in (MESSAGE, UPDATE):
            written = serialize_message.message(state.records, message, state.records.bot.id)
            found["resource"] = {"type": interaction.answer, "message": written}
    return found


def find(state: State, interaction: Interaction, name: str) -> Message:
    """Return a message of an interaction by id or "@original". ApiError 10008: it has no such message."""
    number = interaction.original_id if name == ORIGINAL else parse(name)
    message = state.records.find(number or 0)
    # A token is valid only for the messages of its interaction.
    if message is None or number not in (interaction.original_id, *interaction.messages):
        raise api_error(10008)
    return message


def follow_up(state: State, interaction: Interaction, body: Any, uploads: Mapping[int, Upload]) -> Message:
    """Post a follow-up; the first one after a deferred response replaces it, and keeps its visibility."""
    draft = _read(form(body), uploads, None, RESPONSE_FLAGS)
    waiting = state.records.find(interaction.original_id or 0) if interaction.pending else None
    if waiting is None:
        sent = _send(state, interaction, draft, first=False)
        state.journal.answer(interaction, "follow-up", sent.id)
        return sent
    _check_unlocked(state, interaction, waiting.only_for)
    draft.flags &= ~EPHEMERAL
    interaction.pending = False
    messages.change(state, waiting, draft)
    state.journal.answer(interaction, "edit", waiting.id)
    return waiting


def edit(
    state: State, interaction: Interaction, name: str, body: Any, uploads: Mapping[int, Upload]
) -> Message:
    """Edit a message of an interaction. ApiError 10008, 50083 and those of `read_draft`."""
    message = find(state, interaction, name)
    _check_unlocked(state, interaction, message.only_for)
    messages.change(state, message, _read(form(body), uploads, message, EDIT_FLAGS))
    if message.id == interaction.original_id:
        interaction.pending = False
    state.journal.answer(interaction, "edit", message.id)
    return message


def delete(state: State, interaction: Interaction, name: str) -> None:
    """Delete a message of an interaction. ApiError 10008."""
    message = find(state, interaction, name)
    if message.id == interaction.original_id:
        interaction.pending = False
    messages.drop(state, message)
    state.journal.answer(interaction, "delete", message.id)
