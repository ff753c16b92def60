"""Channels and threads, without their messages."""

from typing import Any

from sandbox import events, messages, serialize, threads
from sandbox.errors import api_error
from sandbox.model import DM, PRIVATE_THREAD, PUBLIC_THREAD, THREADS, Channel, Json, ThreadMetadata
from sandbox.permissions import Permission
from sandbox.rest.call import Call, Reply, Route
from sandbox.snowflake import parse
from sandbox.threads import ARCHIVE_MINUTES, DEFAULT_ARCHIVE_MINUTES, NewThread
from sandbox.validation.forms import Form, form


def _visible(call: Call) -> Channel:
    channel = call.channel()
    if not call.state.records.sees(call.state.records.bot.id, channel):
        raise api_error(50001)
    return channel


def _thread(call: Call) -> tuple[Channel, ThreadMetadata]:
    channel = _visible(call)
    if channel.thread is None:
        raise api_error(50024)
    return channel, channel.thread


def _serialize(call: Call, channel: Channel) -> Json:
    return serialize.channel(call.state.records, channel, call.state.records.bot.id)


async def get_channel(call: Call) -> Any:
    """GET /channels/{channel_id}."""
    return _serialize(call, _visible(call))


async def edit_channel(call: Call) -> Any:
    """PATCH /channels/{channel_id}: a thread or a text channel."""
    channel = _visible(call)
    if channel.kind == DM:
        raise api_error(50003)
    body = form(call.body)
    if channel.thread is not None:
        _edit_thread(call, channel, channel.thread, body)
    else:
        messages.check_permissions(call.state.records, channel, Permission.MANAGE_CHANNELS)
        name, topic = body.text("name", 1, 100), body.text("topic", 0, 1024)
        slowmode = body.integer("rate_limit_per_user", 0, 21600)
        body.errors.check()
        channel.name = name or channel.name
        channel.topic = topic if "topic" in body.data else channel.topic
        channel.slowmode = channel.slowmode if slowmode is None else slowmode
        events.channel_changed(call.state, "CHANNEL_UPDATE", channel)
    return _serialize(call, channel)


def _edit_thread(call: Call, channel: Channel, metadata: ThreadMetadata, body: Form) -> None:
    name = body.text("name", 1, 100)
    minutes = body.choice("auto_archive_duration", ARCHIVE_MINUTES)
    archived, locked = body.boolean("archived"), body.boolean("locked")
    slowmode, invitable = body.integer("rate_limit_per_user", 0, 21600), body.boolean("invitable")
    body.errors.check()
    # The only change to an archived thread is to unarchive it.
    if metadata.archived and archived is not False:
        raise api_error(50083)
    # A thread's creator may rename and archive it, and others may only unarchive it; locking requires
    # MANAGE_THREADS: "Threads", Editing & Deleting Threads.
    if not threads.may_manage(call.state, channel):
        owner = metadata.owner_id == call.state.records.bot.id
        managed = locked is not None or slowmode is not None or (metadata.locked and metadata.archived)
        wakes = archived is False and not body.data.keys() - {"archived"}
        if managed or not (owner or wakes):
            raise api_error(50013)
    channel.name = name or channel.name
    channel.slowmode = channel.slowmode if slowmode is None else slowmode
    metadata.archive_minutes = minutes or metadata.archive_minutes
    metadata.invitable = metadata.invitable if invitable is None else invitable
    threads.set_archived(call.state, channel, archived=bool(archived), locked=locked)


async def delete_channel(call: Call) -> Any:
    """DELETE /channels/{channel_id}: a thread or a text channel is deleted, a DM only closed."""
    channel = _visible(call)
    found = _serialize(call, channel)
    # A DM is only closed: its messages remain, and a new message opens it again.
    if channel.kind == DM:
        return found
    bits = Permission.MANAGE_THREADS if channel.thread is not None else Permission.MANAGE_CHANNELS
    messages.check_permissions(call.state.records, channel, bits)
    threads.remove(call.state, channel)
    return found


async def typing(call: Call) -> Any:
    """POST /channels/{channel_id}/typing."""
    channel = _visible(call)
    if channel.kind != DM:
        messages.check_permissions(call.state.records, channel, messages.write_permission(channel))
    events.typing(call.state, channel, call.state.records.bot.id)
    return None


def _new_thread(body: Form, *, private: bool = False) -> NewThread:
    new = NewThread(
        body.required_text("name", 1, 100),
        body.choice("auto_archive_duration", ARCHIVE_MINUTES) or DEFAULT_ARCHIVE_MINUTES,
        body.integer_or("rate_limit_per_user", 0, 0, 21600),
        private,
        body.flag("invitable", default=True),
    )
    body.errors.check()
    return new


async def thread_from_message(call: Call) -> Any:
    """POST /channels/{channel_id}/messages/{message_id}/threads."""
    channel, records = _visible(call), call.state.records
    bits = Permission.CREATE_PUBLIC_THREADS | Permission.READ_MESSAGE_HISTORY
    messages.check_permissions(records, channel, bits)
    new = _new_thread(form(call.body))
    source = records.message(channel.id, call.id("message_id"))
    return Reply(201, _serialize(call, threads.start(call.state, channel, new, source)))


async def thread_without_message(call: Call) -> Any:
    """POST /channels/{channel_id}/threads: private unless the type says otherwise."""
    channel, body = _visible(call), form(call.body)
    private = (body.choice("type", THREADS) or PRIVATE_THREAD) == PRIVATE_THREAD
    new = _new_thread(body, private=private)
    bits = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    messages.check_permissions(call.state.records, channel, bits)
    return Reply(201, _serialize(call, threads.start(call.state, channel, new)))


async def archived_public(call: Call) -> Any:
    """GET /channels/{channel_id}/threads/archived/public."""
    return _archived(call, PUBLIC_THREAD, joined=False)


async def archived_private(call: Call) -> Any:
    """GET /channels/{channel_id}/threads/archived/private: requires MANAGE_THREADS."""
    messages.check_permissions(call.state.records, _visible(call), Permission.MANAGE_THREADS)
    return _archived(call, PRIVATE_THREAD, joined=False)


async def archived_joined(call: Call) -> Any:
    """GET /channels/{channel_id}/users/@me/threads/archived/private."""
    return _archived(call, PRIVATE_THREAD, joined=True)


def _archived(call: Call, kind: int, *, joined: bool) -> Json:
    records, channel = call.state.records, _visible(call)
    messages.check_permissions(records, channel, Permission.READ_MESSAGE_HISTORY)
    limit = call.number("limit", 50, 2, 100)
    found = [
        (metadata.changed_at, thread)
        for thread in records.threads(channel.id)
        if (metadata := thread.thread) is not None
        and metadata.archived
        and thread.kind == kind
        and (not joined or records.bot.id in metadata.members)
    ]
    found.sort(key=lambda pair: pair[0], reverse=True)
    shown = [thread for _, thread in found[:limit]]
    return serialize.thread_list(records, shown) | {"has_more": len(found) > limit}


async def thread_members(call: Call) -> Any:
    """GET /channels/{channel_id}/thread-members."""
    channel, metadata = _thread(call)
    return [serialize.thread_member(channel.id, user, since) for user, since in metadata.members.items()]


async def thread_member(call: Call) -> Any:
    """GET /channels/{channel_id}/thread-members/{user_id}."""
    channel, metadata = _thread(call)
    user = _member_id(call, channel)
    if user not in metadata.members:
        raise api_error(10007)
    return serialize.thread_member(channel.id, user, metadata.members[user])


def _member_id(call: Call, channel: Channel) -> int:
    text = call.params.get("user_id", "@me")
    number = call.state.records.bot.id if text == "@me" else parse(text)
    if number is None or number not in call.state.records.members_in(channel):
        raise api_error(10007)
    return number


async def join_thread(call: Call) -> Any:
    """PUT /channels/{channel_id}/thread-members/{user_id}, or the bot itself at /@me."""
    channel, metadata = _thread(call)
    if metadata.archived:
        raise api_error(50083)
    user = _member_id(call, channel)
    if user != call.state.records.bot.id:
        messages.check_permissions(call.state.records, channel, Permission.SEND_MESSAGES_IN_THREADS)
    threads.join(call.state, channel, user)
    return None


async def leave_thread(call: Call) -> Any:
    """DELETE /channels/{channel_id}/thread-members/{user_id}, or the bot itself at /@me."""
    channel, metadata = _thread(call)
    if metadata.archived:
        raise api_error(50083)
    user = _member_id(call, channel)
    if user != call.state.records.bot.id:
        messages.check_permissions(call.state.records, channel, Permission.MANAGE_THREADS)
    threads.leave(call.state, channel, user)
    return None


_C = "/channels/{channel_id}"
ROUTES = [
    Route("GET", _C, get_channel),
    Route("PATCH", _C, edit_channel),
    Route("DELETE", _C, delete_channel),
    Route("POST", _C + "/typing", typing),
    Route("POST", _C + "/messages/{message_id}/threads", thread_from_message),
    Route("POST", _C + "/threads", thread_without_message),
    Route("GET", _C + "/threads/archived/public", archived_public),
    Route("GET", _C + "/threads/archived/private", archived_private),
    Route("GET", _C + "/users/@me/threads/archived/private", archived_joined),
    Route("GET", _C + "/thread-members", thread_members),
    Route("PUT", _C + "/thread-members/@me", join_thread),
    Route("DELETE", _C + "/thread-members/@me", leave_thread),
    Route("GET", _C + "/thread-members/{user_id}", thread_member),
    Route("PUT", _C + "/thread-members/{user_id}", join_thread),
    Route("DELETE", _C + "/thread-members/{user_id}", leave_thread),
]
