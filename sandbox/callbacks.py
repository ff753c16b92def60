"""Answers to interactions: the types of Discord's "Interaction Callback Type"."""

from collections.abc import Mapping
from typing import Any

from sandbox import interactions, messages, serialize_message, threads
from sandbox.errors import api_error, invalid_field
from sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL
from sandbox.model import COMMAND_REPLY, EPHEMERAL, LOADING, REPLY, Interaction, Json, Message
from sandbox.state import State
from sandbox.validation.commands import INTEGER, NUMBER, STRING, read_choice
from sandbox.validation.forms import Form, form
from sandbox.validation.messages import ANSWERED, USERS_ONLY, Draft, Upload, read_draft
from sandbox.validation.modals import read_modal

PONG, MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, OPEN_MODAL = 1, 4, 5, 6, 7, 8, 9
_ANSWERS = {
    MESSAGE: (COMMAND, COMPONENT, MODAL),
    DEFERRED: (COMMAND, COMPONENT, MODAL),
    DEFERRED_UPDATE: (COMPONENT, MODAL),
    UPDATE: (COMPONENT, MODAL),
    CHOICES: (AUTOCOMPLETE,),
    OPEN_MODAL: (COMMAND, COMPONENT),
}
MAX_CHOICES = 25


def answer(state: State, interaction: Interaction, body: Any, uploads: Mapping[int, Upload]) -> None:
    """Carry out the bot's answer. ApiError 50035 and those of messages: it stays unanswered then."""
    outer = form(body)
    kind = outer.choice("type", (PONG, *_ANSWERS), required=True)
    outer.errors.check()
    interactions.check_kind(interaction, _ANSWERS.get(kind, ()), kind)
    if kind in (DEFERRED_UPDATE, UPDATE) and interaction.source_id is None:
        raise invalid_field(("type",), "INTERACTION_RESPONSE_TYPE_INVALID", "There is no message to update.")
    data = outer.child("data", required=kind in (MESSAGE, UPDATE, CHOICES, OPEN_MODAL))
    outer.errors.check()
    if kind == MESSAGE and data is not None:
        _message(state, interaction, data, uploads)
    elif kind == DEFERRED:
        _deferred(state, interaction, data)
    elif kind == DEFERRED_UPDATE:
        interaction.original_id = interaction.source_id
    elif kind == UPDATE and data is not None:
        _update(state, interaction, data, uploads)
    elif kind == CHOICES and data is not None:
        interaction.choices = _choices(interaction, data)
    elif kind == OPEN_MODAL and data is not None:
        _modal(state, interaction, data)
    interaction.answer = kind
    interactions.done(state, interaction)


def draft_of(data: Form, uploads: Mapping[int, Upload], existing: Message | None, flags: int) -> Draft:
    """Read the body of an interaction's message and raise its mistakes."""
    draft = read_draft(data, uploads, existing, flags=flags, unsaid=USERS_ONLY)
    data.errors.check()
    return draft


def _message(state: State, interaction: Interaction, data: Form, uploads: Mapping[int, Upload]) -> None:
    draft = draft_of(data, uploads, None, ANSWERED)
    interaction.original_id = send(state, interaction, draft, first=True).id


def _deferred(state: State, interaction: Interaction, data: Form | None) -> None:
    flags = 0 if data is None else (data.integer("flags", 0) or 0) & EPHEMERAL
    if data is not None:
        data.errors.check()
    interaction.original_id = send(
        state, interaction, Draft(flags=flags | LOADING, mentions=USERS_ONLY), first=True
    ).id
    interaction.pending = True


def send(state: State, interaction: Interaction, draft: Draft, *, first: bool) -> Message:
    """Post a message of an interaction: its first answer, or a follow-up.

    ApiError 50083: a public message into a locked thread. 10003: the channel is gone.
    """
    channel = interactions.channel_of(state, interaction)
    only_for = interaction.user_id if draft.flags & EPHEMERAL else None
    check_unlocked(state, interaction, only_for)
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


def check_unlocked(state: State, interaction: Interaction, only_for: int | None) -> None:
    """Check that an interaction may show or change a message. ApiError 50083: for all, in a locked thread."""
    channel = interactions.channel_of(state, interaction)
    locked = channel.thread is not None and channel.thread.locked and not threads.may_manage(state, channel)
    if locked and only_for is None:
        raise api_error(50083, 403)


def _update(state: State, interaction: Interaction, data: Form, uploads: Mapping[int, Upload]) -> None:
    source = state.records.find(interaction.source_id or 0)
    if source is None:
        raise api_error(10008)
    check_unlocked(state, interaction, source.only_for)
    draft = draft_of(data, uploads, source, ANSWERED)
    draft.flags &= ~EPHEMERAL
    messages.change(state, source, draft)
    interaction.original_id = source.id


def _choices(interaction: Interaction, data: Form) -> list[Json]:
    focused = next((option for option in leaves(interaction.data) if option.get("focused")), None)
    kind = STRING if focused is None else focused["type"]
    choices = [
        read_choice(child, kind if kind in (INTEGER, NUMBER) else STRING)
        for child in data.children("choices", 0, MAX_CHOICES)
    ]
    data.errors.check()
    return choices


def leaves(data: Json) -> list[Json]:
    """Return the options of the innermost subcommand of a command's data."""
    options: list[Json] = data.get("options", [])
    while options and options[0]["type"] <= 2:
        options = options[0].get("options", [])
    return options


def _modal(state: State, interaction: Interaction, data: Form) -> None:
    modal = read_modal(data)
    data.errors.check()
    state.records.modals[interaction.id] = modal
    state.sockets.push(interaction.user_id, "MODAL", {"interaction_id": str(interaction.id)} | modal)


def response_body(state: State, interaction: Interaction) -> Json:
    """Write the body that `with_response` asks for."""
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
            found["resource"] = {
                "type": interaction.answer,
                "message": serialize_message.message(state.records, message, state.records.bot.id),
            }
    return found
