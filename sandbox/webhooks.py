"""The webhook of an interaction: follow-ups, and what was answered, seen, changed and deleted by token."""

from collections.abc import Mapping
from typing import Any

from sandbox import callbacks, messages
from sandbox.core import Core
from sandbox.errors import known
from sandbox.model import EPHEMERAL, LOADING, Interaction, Message
from sandbox.validation.forms import form
from sandbox.validation.messages import ANSWERED, EDITED, Upload

ORIGINAL = "@original"


def find(core: Core, act: Interaction, name: str) -> Message:
    """Give a message of an interaction: "@original" or an id. ApiError 10008: it has no such message."""
    if name == ORIGINAL:
        message = act.original
    else:
        own = name.isdigit() and int(name) in (*act.messages, *([act.original.id] if act.original else []))
        message = core.world.find(int(name)) if own else None
    if message is None or core.world.find(message.id) is not message:
        raise known(10008)
    return message


def follow_up(core: Core, act: Interaction, body: Any, uploads: Mapping[int, Upload]) -> Message:
    """Post a follow-up; the first one after a deferred answer takes its place, and its visibility."""
    draft = callbacks.draft_of(form(body), uploads, None, ANSWERED)
    waiting = act.original if act.pending else None
    if waiting is not None and core.world.find(waiting.id) is waiting:
        draft.flags &= ~EPHEMERAL
        act.pending = False
        messages.change(core, waiting, draft)
        return waiting
    return callbacks.send(core, act, draft, first=False)


def edit(core: Core, act: Interaction, name: str, body: Any, uploads: Mapping[int, Upload]) -> Message:
    """Edit a message of an interaction."""
    message = find(core, act, name)
    draft = callbacks.draft_of(form(body), uploads, message, EDITED)
    messages.change(core, message, draft)
    if not message.flags & LOADING and message is act.original:
        act.pending = False
    return message


def delete(core: Core, act: Interaction, name: str) -> None:
    """Delete a message of an interaction."""
    message = find(core, act, name)
    if message is act.original:
        act.pending = False
    messages.drop(core, message)
