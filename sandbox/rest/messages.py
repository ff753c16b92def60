"""Messages of channels."""

from typing import Any

from sandbox import messages, serialize_message
from sandbox.errors import api_error
from sandbox.model import DM, Channel, Message
from sandbox.permissions import Permission
from sandbox.rest.call import Call, Route
from sandbox.snowflake import parse
from sandbox.validation.forms import form
from sandbox.validation.messages import EDIT_FLAGS, read_draft


def _channel(call: Call, bits: int = 0) -> Channel:
    channel = call.channel()
    if channel.kind != DM:
        messages.check_permissions(call.state.records, channel, bits)
    return channel


def _write(call: Call, message: Message) -> Any:
    return serialize_message.message(call.state.records, message, call.state.records.bot.id)


async def history(call: Call) -> Any:
    """GET /channels/{channel_id}/messages: newest first; empty without READ_MESSAGE_HISTORY."""
    channel, records = _channel(call), call.state.records
    limit = call.number("limit", 50, 1, 100)
    if not records.permissions(channel, records.bot.id) & Permission.READ_MESSAGE_HISTORY:
        return []
    found = [m for m in records.history(channel.id, records.bot.id) if m.only_for is None]
    around, after, before = (parse(call.query.get(key)) for key in ("around", "after", "before"))
    chosen = _page(found, limit, around=around, after=after, before=before)
    return [_write(call, message) for message in reversed(chosen)]


def _page(
    found: list[Message], limit: int, *, around: int | None, after: int | None, before: int | None
) -> list[Message]:
    # Only the first of the three counts, in this order: "Get Channel Messages". `found` is oldest first.
    if around is not None:
        half = limit // 2
        older = [m for m in found if m.id < around][-half:] if half else []
        rest = [m for m in found if m.id >= around]
        return older + rest[: limit - len(older)]
    if after is not None:
        return [m for m in found if m.id > after][:limit]
    if before is not None:
        found = [m for m in found if m.id < before]
    return found[-limit:]


async def get(call: Call) -> Any:
    """GET /channels/{channel_id}/messages/{message_id}."""
    channel = _channel(call, Permission.READ_MESSAGE_HISTORY)
    return _write(call, call.state.records.message(channel.id, call.id("message_id")))


async def create(call: Call) -> Any:
    """POST /channels/{channel_id}/messages."""
    channel = call.channel()
    body = form(call.body)
    draft = read_draft(body, call.uploads)
    body.errors.check()
    return _write(call, messages.create(call.state, channel, draft))


async def edit(call: Call) -> Any:
    """PATCH /channels/{channel_id}/messages/{message_id}."""
    channel = _channel(call)
    message = call.state.records.message(channel.id, call.id("message_id"))
    body = form(call.body)
    draft = read_draft(body, call.uploads, message, flags=EDIT_FLAGS)
    body.errors.check()
    messages.edit(call.state, channel, message, draft)
    return _write(call, message)


async def delete(call: Call) -> Any:
    """DELETE /channels/{channel_id}/messages/{message_id}."""
    channel = _channel(call)
    message = call.state.records.message(channel.id, call.id("message_id"))
    messages.delete(call.state, channel, message)
    return None


async def bulk_delete(call: Call) -> Any:
    """POST /channels/{channel_id}/messages/bulk-delete: 2 to 100 messages."""
    channel = _channel(call, Permission.MANAGE_MESSAGES)
    if channel.guild_id is None:
        raise api_error(50003)
    body = form(call.body)
    wanted = [parse(item) for item in body.array("messages", 2, 100, required=True)]
    body.errors.check()
    for message in call.state.records.history(channel.id, call.state.records.bot.id):
        if message.id in wanted and message.only_for is None:
            messages.drop(call.state, message)
    return None


_M = "/channels/{channel_id}/messages"
ROUTES = [
    Route("GET", _M, history),
    Route("POST", _M, create),
    Route("POST", _M + "/bulk-delete", bulk_delete),
    Route("GET", _M + "/{message_id}", get),
    Route("PATCH", _M + "/{message_id}", edit),
    Route("DELETE", _M + "/{message_id}", delete),
]
