"""Answers to interactions: the types of Discord's "Interaction Callback Type"."""

from collections.abc import Mapping
from typing import Any

from sandbox import interactions, message_shapes, messages, threads
from sandbox.errors import invalid, known
from sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL
from sandbox.model import COMMAND_REPLY, EPHEMERAL, LOADING, REPLY, Interaction, Json, Message
from sandbox.state import Core
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


def answer(core: Core, act: Interaction, body: Any, uploads: Mapping[int, Upload]) -> None:
    """Carry out the bot's answer. ApiError 50035 and those of messages: it stays unanswered then."""
    outer = form(body)
    kind = outer.choice("type", (PONG, *_ANSWERS), required=True)
    outer.errors.check()
    interactions.check_kind(act, _ANSWERS.get(kind, ()), kind)
    if kind in (DEFERRED_UPDATE, UPDATE) and act.source_id is None:
        raise invalid(("type",), "INTERACTION_RESPONSE_TYPE_INVALID", "There is no message to update.")
    data = outer.child("data", required=kind in (MESSAGE, UPDATE, CHOICES, OPEN_MODAL))
    outer.errors.check()
    if kind == MESSAGE and data is not None:
        _message(core, act, data, uploads)
    elif kind == DEFERRED:
        _deferred(core, act, data)
    elif kind == DEFERRED_UPDATE:
        act.original_id = act.source_id
    elif kind == UPDATE and data is not None:
        _update(core, act, data, uploads)
    elif kind == CHOICES and data is not None:
        act.choices = _choices(act, data)
    elif kind == OPEN_MODAL and data is not None:
        _modal(core, act, data)
    act.answer = kind
    interactions.done(core, act)


def draft_of(data: Form, uploads: Mapping[int, Upload], existing: Message | None, flags: int) -> Draft:
    """Read the body of an interaction's message and raise its mistakes."""
    draft = read_draft(data, uploads, existing, flags=flags, unsaid=USERS_ONLY)
    data.errors.check()
    return draft


def _message(core: Core, act: Interaction, data: Form, uploads: Mapping[int, Upload]) -> None:
    draft = draft_of(data, uploads, None, ANSWERED)
    act.original_id = send(core, act, draft, first=True).id


def _deferred(core: Core, act: Interaction, data: Form | None) -> None:
    flags = 0 if data is None else (data.integer("flags", 0) or 0) & EPHEMERAL
    if data is not None:
        data.errors.check()
    act.original_id = send(core, act, Draft(flags=flags | LOADING, mentions=USERS_ONLY), first=True).id
    act.pending = True


def send(core: Core, act: Interaction, draft: Draft, *, first: bool) -> Message:
    """Post a message of an interaction: its first answer, or a follow-up.

    ApiError 50083: a public message into a locked thread. 10003: the channel is gone.
    """
    channel = interactions.channel_of(core, act)
    only_for = act.user_id if draft.flags & EPHEMERAL else None
    check_unlocked(core, act, only_for)
    message = messages.compose(core, channel, core.world.bot, draft, only_for=only_for)
    message.interaction = act
    if first and act.kind == COMMAND:
        message.kind = COMMAND_REPLY
    else:
        target = core.world.find((act.source_id if first else act.original_id) or 0)
        if target is not None:
            message.kind, message.reference = REPLY, (target.channel_id, target.id)
    act.messages.append(message.id)
    messages.post(core, channel, message)
    return message


def check_unlocked(core: Core, act: Interaction, only_for: int | None) -> None:
    """Check that an interaction may show or change a message. ApiError 50083: for all, in a locked thread."""
    channel = interactions.channel_of(core, act)
    locked = channel.thread is not None and channel.thread.locked and not threads.may_manage(core, channel)
    if locked and only_for is None:
        raise known(50083, 403)


def _update(core: Core, act: Interaction, data: Form, uploads: Mapping[int, Upload]) -> None:
    source = core.world.find(act.source_id or 0)
    if source is None:
        raise known(10008)
    check_unlocked(core, act, source.only_for)
    draft = draft_of(data, uploads, source, ANSWERED)
    draft.flags &= ~EPHEMERAL
    messages.change(core, source, draft)
    act.original_id = source.id


def _choices(act: Interaction, data: Form) -> list[Json]:
    focused = next((option for option in leaves(act.data) if option.get("focused")), None)
    kind = STRING if focused is None else focused["type"]
    choices = [
        read_choice(child, kind if kind in (INTEGER, NUMBER) else STRING)
        for child in data.children("choices", 0, MAX_CHOICES)
    ]
    data.errors.check()
    return choices


def leaves(data: Json) -> list[Json]:
    """Give the options of the innermost subcommand of a command's data."""
    options: list[Json] = data.get("options", [])
    while options and options[0]["type"] <= 2:
        options = options[0].get("options", [])
    return options


def _modal(core: Core, act: Interaction, data: Form) -> None:
    modal = read_modal(data)
    data.errors.check()
    core.world.modals[act.id] = modal
    core.windows.push(act.user_id, "MODAL", {"interaction_id": str(act.id)} | modal)


def response_body(core: Core, act: Interaction) -> Json:
    """Write the body that `with_response` asks for."""
    body: Json = {"id": str(act.id), "type": act.kind, "channel_id": str(act.channel_id)}
    channel = core.world.channels.get(act.channel_id)
    if channel is not None and channel.guild_id is not None:
        body["guild_id"] = str(channel.guild_id)
    found: Json = {"interaction": body}
    message = core.world.find(act.original_id or 0)
    if message is not None:
        body["response_message_id"] = str(message.id)
        body["response_message_loading"] = bool(message.flags & LOADING)
        body["response_message_ephemeral"] = message.only_for is not None
        if act.answer in (MESSAGE, UPDATE):
            found["resource"] = {
                "type": act.answer,
                "message": message_shapes.message(core.world, message, core.world.bot.id),
            }
    return found
