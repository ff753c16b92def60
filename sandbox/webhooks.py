"""The webhook of an interaction: follow-ups, and what was answered, seen, changed and deleted by token."""

from collections.abc import Mapping
from typing import Any

from sandbox import callbacks, messages
from sandbox.errors import known
from sandbox.model import EPHEMERAL, Interaction, Message
from sandbox.snowflake import parse
from sandbox.state import Core
from sandbox.validation.forms import form
from sandbox.validation.messages import ANSWERED, EDITED, Upload

ORIGINAL = "@original"


def find(core: Core, act: Interaction, name: str) -> Message:
    """Give a message of an interaction: "@original" or an id. ApiError 10008: it has no such message."""
    own = (act.original_id, *act.messages)
    number = act.original_id if name == ORIGINAL else parse(name)
    message = core.world.find(number or 0)
    if message is None or number not in own:
        raise known(10008)
    return message


def follow_up(core: Core, act: Interaction, body: Any, uploads: Mapping[int, Upload]) -> Message:
    """Post a follow-up; the first one after a deferred answer takes its place, and its visibility."""
    draft = callbacks.draft_of(form(body), uploads, None, ANSWERED)
    waiting = core.world.find(act.original_id or 0) if act.pending else None
    if waiting is not None:
        callbacks.check_unlocked(core, act, waiting.only_for)
        draft.flags &= ~EPHEMERAL
        act.pending = False
        messages.change(core, waiting, draft)
        return waiting
    return callbacks.send(core, act, draft, first=False)


def edit(core: Core, act: Interaction, name: str, body: Any, uploads: Mapping[int, Upload]) -> Message:
    """Edit a message of an interaction."""
    message = find(core, act, name)
    callbacks.check_unlocked(core, act, message.only_for)
    draft = callbacks.draft_of(form(body), uploads, message, EDITED)
    messages.change(core, message, draft)
    if message.id == act.original_id:
        act.pending = False
    return message


def delete(core: Core, act: Interaction, name: str) -> None:
    """Delete a message of an interaction."""
    message = find(core, act, name)
    if message.id == act.original_id:
        act.pending = False
    messages.drop(core, message)
