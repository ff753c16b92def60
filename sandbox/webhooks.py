"""The webhook of an interaction: follow-ups, and what was answered, seen, changed and deleted by token."""

from collections.abc import Mapping
from typing import Any

from sandbox import callbacks, messages
from sandbox.errors import api_error
from sandbox.model import EPHEMERAL, Interaction, Message
from sandbox.snowflake import parse
from sandbox.state import State
from sandbox.validation.forms import form
from sandbox.validation.messages import ANSWERED, EDITED, Upload

ORIGINAL = "@original"


def find(state: State, interaction: Interaction, name: str) -> Message:
    """Return a message of an interaction: "@original" or an id. ApiError 10008: it has no such message."""
    own = (interaction.original_id, *interaction.messages)
    number = interaction.original_id if name == ORIGINAL else parse(name)
    message = state.records.find(number or 0)
    if message is None or number not in own:
        raise api_error(10008)
    return message


def follow_up(state: State, interaction: Interaction, body: Any, uploads: Mapping[int, Upload]) -> Message:
    """Post a follow-up; the first one after a deferred answer takes its place, and its visibility."""
    draft = callbacks.draft_of(form(body), uploads, None, ANSWERED)
    waiting = state.records.find(interaction.original_id or 0) if interaction.pending else None
    if waiting is not None:
        callbacks.check_unlocked(state, interaction, waiting.only_for)
        draft.flags &= ~EPHEMERAL
        interaction.pending = False
        messages.change(state, waiting, draft)
        return waiting
    return callbacks.send(state, interaction, draft, first=False)


def edit(
    state: State, interaction: Interaction, name: str, body: Any, uploads: Mapping[int, Upload]
) -> Message:
    """Edit a message of an interaction."""
    message = find(state, interaction, name)
    callbacks.check_unlocked(state, interaction, message.only_for)
    draft = callbacks.draft_of(form(body), uploads, message, EDITED)
    messages.change(state, message, draft)
    if message.id == interaction.original_id:
        interaction.pending = False
    return message


def delete(state: State, interaction: Interaction, name: str) -> None:
    """Delete a message of an interaction."""
    message = find(state, interaction, name)
    if message.id == interaction.original_id:
        interaction.pending = False
    messages.drop(state, message)
