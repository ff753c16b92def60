"""Threads: started, joined, archived and unarchived."""

from dataclasses import dataclass

from sandbox import events, serialize
from sandbox.errors import api_error
from sandbox.model import (
    HAS_THREAD,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT,
    THREAD_CREATED,
    THREAD_STARTER,
    Channel,
    Message,
    ThreadMetadata,
)
from sandbox.permissions import Permission
from sandbox.snowflake import moment
from sandbox.state import State

# An hour, a day, three days, a week. Discord's documentation, "Channel Resource", Thread Metadata.
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
DEFAULT_ARCHIVE_MINUTES = 4320


@dataclass(frozen=True, slots=True)
class NewThread:
    """A request to start a thread."""

    name: str
    archive_minutes: int = DEFAULT_ARCHIVE_MINUTES
    slowmode: int = 0
    private: bool = False
    invitable: bool = True


def start(state: State, parent: Channel, new: NewThread, source: Message | None = None) -> Channel:
    """Start a thread, owned by the bot, from a message (whose id it takes) or without one.

    ApiError 50024: not a text channel. 160004: the message has a thread already.
    """
    records = state.records
    if parent.kind != TEXT:
        raise api_error(50024)
    if source is not None and (source.thread_id is not None or source.id in records.channels):
        raise api_error(160004)
    now, bot = state.clock.now(), records.bot.id
    thread = Channel(
        records.ids.make() if source is None else source.id,
        PRIVATE_THREAD if new.private else PUBLIC_THREAD,
        new.name,
        guild_id=parent.guild_id,
        parent_id=parent.id,
        slowmode=new.slowmode,
        thread=ThreadMetadata(
            bot, now, new.archive_minutes, invitable=new.invitable, changed_at=now, members={bot: now}
        ),
    )
    # Insert before announcing: clients may request the thread at once.
    records.insert_channel(thread)
    schedule_archiving(state, thread)
    events.channel_changed(state, "THREAD_CREATE", thread)
    events.thread_members(state, thread, [bot], [])
    _announce_start(state, parent, thread, source)
    return thread


def _announce_start(state: State, parent: Channel, thread: Channel, source: Message | None) -> None:
    if source is not None:
        source.thread_id = thread.id
        source.flags |= HAS_THREAD
        events.message_updated(state, source)
        _post_system(state, thread, THREAD_STARTER, (source.channel_id, source.id))
    elif thread.kind == PUBLIC_THREAD:
        _post_system(state, parent, THREAD_CREATED, (thread.id, thread.id), thread.name)


def _post_system(
    state: State, channel: Channel, kind: int, reference: tuple[int, int], content: str = ""
) -> None:
    message = Message(
        state.records.ids.make(),
        channel.id,
        state.records.bot.id,
        state.clock.now(),
        kind=kind,
        content=content,
        reference=reference,
    )
    state.records.add(message)
    channel.last_message_id = message.id
    events.message_created(state, message)


def message_posted(state: State, channel: Channel, message: Message) -> None:
    """Unarchive the thread of a new message, and add the message's author and mentioned users to it."""
    metadata = channel.thread
    if metadata is None:
        return
    metadata.message_count += 1
    metadata.total_sent += 1
    if metadata.archived:
        metadata.archived = False
        metadata.changed_at = state.clock.now()
        events.channel_changed(state, "THREAD_UPDATE", channel)
    records = state.records
    parent = records.permission_channel(channel)
    for user_id in (message.author_id, *message.mentions):
        # Users who do not see the parent cannot be added to its threads.
        if user_id in records.members_in(channel) and records.sees(user_id, parent):
            join(state, channel, user_id)
    schedule_archiving(state, channel)


def join(state: State, channel: Channel, user_id: int) -> None:
    """Add a user to a thread."""
    metadata = channel.thread
    if metadata is None or user_id in metadata.members:
        return
    metadata.members[user_id] = state.clock.now()
    events.thread_members(state, channel, [user_id], [])
    if channel.kind == PRIVATE_THREAD:
        # The thread is new to this person only. The bot has no window, so nothing is pushed to it.
        body = serialize.channel(state.records, channel, user_id)
        state.sockets.push(user_id, "THREAD_CREATE", body)


def leave(state: State, channel: Channel, user_id: int) -> None:
    """Remove a user from a thread."""
    metadata = channel.thread
    if metadata is not None and user_id in metadata.members:
        del metadata.members[user_id]
        events.thread_members(state, channel, [], [user_id])


def schedule_archiving(state: State, channel: Channel) -> None:
    """Schedule archiving after the thread's time without messages; call again for each message."""
    metadata = channel.thread
    if metadata is None:
        return

    def due() -> float:
        latest = 0.0 if channel.last_message_id is None else moment(channel.last_message_id)
        return max(metadata.changed_at, latest) + metadata.archive_minutes * 60

    def expire() -> None:
        # There may be a newer message, or the thread may have been deleted.
        current = state.records.channels.get(channel.id)
        if current is channel and not metadata.archived and state.clock.now() >= due():
            set_archived(state, channel, archived=True)

    state.clock.call_at(due(), expire)


def set_archived(state: State, channel: Channel, *, archived: bool, locked: bool | None = None) -> None:
    """Archive or unarchive, lock or unlock a thread, and announce it. ApiError 50024: not a thread."""
    metadata = channel.thread
    if metadata is None:
        raise api_error(50024)
    if metadata.archived != archived:
        metadata.archived = archived
        metadata.changed_at = state.clock.now()
    if locked is not None:
        metadata.locked = locked
    if not archived:
        schedule_archiving(state, channel)
    events.channel_changed(state, "THREAD_UPDATE", channel)


def may_manage(state: State, channel: Channel) -> bool:
    """Return whether the bot has MANAGE_THREADS in a channel."""
    return bool(state.records.permissions(channel, state.records.bot.id) & Permission.MANAGE_THREADS)


def remove(state: State, channel: Channel, *, nested: bool = False) -> None:
    """Delete a channel or thread, with the threads and messages in it, and announce it."""
    # The bot gets no events for the threads of a deleted channel.
    for thread in state.records.threads(channel.id):
        remove(state, thread, nested=True)
    kind = "THREAD_DELETE" if channel.thread is not None else "CHANNEL_DELETE"
    events.channel_changed(state, kind, channel, to_bot=not nested)
    state.records.remove_channel(channel)
