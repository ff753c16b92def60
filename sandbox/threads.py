"""Threads: started, joined, archived and woken."""

from sandbox import events, shapes
from sandbox.errors import known
from sandbox.model import (
    HAS_THREAD,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT,
    THREAD_CREATED,
    THREAD_STARTER,
    Channel,
    Message,
    ThreadState,
)
from sandbox.permissions import Permission
from sandbox.snowflake import moment
from sandbox.state import Core

ARCHIVE_MINUTES = (60, 1440, 4320, 10080)


def start(
    core: Core,
    parent: Channel,
    name: str,
    *,
    source: Message | None = None,
    private: bool = False,
    minutes: int | None = None,
    invitable: bool = True,
    slowmode: int = 0,
) -> Channel:
    """Start a thread, from a message (whose id it takes) or without one; the bot owns and joins it.

    ApiError 50024: not in such a channel. 160004: the message has a thread.
    """
    world = core.world
    if parent.kind != TEXT:
        raise known(50024)
    if source is not None and (source.thread_id is not None or source.id in world.channels):
        raise known(160004)
    now = core.clock.now()
    thread = Channel(
        world.ids.make() if source is None else source.id,
        PRIVATE_THREAD if private else PUBLIC_THREAD,
        name,
        guild_id=parent.guild_id,
        parent_id=parent.id,
        slowmode=slowmode,
        thread=ThreadState(
            world.bot.id,
            now,
            minutes or 4320,
            invitable=invitable,
            changed_at=now,
            members={world.bot.id: now},
        ),
    )
    world.channels[thread.id] = thread
    schedule(core, thread)
    events.channel_changed(core, "THREAD_CREATE", thread)
    events.thread_members(core, thread, [world.bot.id], [])
    if source is not None:
        source.thread_id = thread.id
        source.flags |= HAS_THREAD
        events.message_updated(core, source)
        _system(core, thread, THREAD_STARTER, (source.channel_id, source.id))
    elif not private:
        _system(core, parent, THREAD_CREATED, (thread.id, thread.id), name)
    return thread


def _system(core: Core, channel: Channel, kind: int, reference: tuple[int, int], content: str = "") -> None:
    message = Message(
        core.world.ids.make(),
        channel.id,
        core.world.bot.id,
        core.clock.now(),
        kind=kind,
        content=content,
        reference=reference,
    )
    core.world.add(message)
    channel.last_message_id = message.id
    events.message_created(core, message)


def posted(core: Core, channel: Channel, message: Message) -> None:
    """A message came into a channel: if it is a thread, wake it, count, and let author and mentioned join."""
    state = channel.thread
    if state is None:
        return
    state.message_count += 1
    state.total_sent += 1
    if state.archived:
        state.archived = False
        state.changed_at = core.clock.now()
        events.channel_changed(core, "THREAD_UPDATE", channel)
    for user_id in (message.author_id, *message.mentions):
        if user_id in core.world.guild.members and core.world.sees(user_id, core.world.root(channel)):
            join(core, channel, user_id)
    schedule(core, channel)


def join(core: Core, channel: Channel, user_id: int) -> None:
    """Make somebody a member of a thread."""
    state = channel.thread
    if state is None or user_id in state.members:
        return
    state.members[user_id] = core.clock.now()
    events.thread_members(core, channel, [user_id], [])
    if channel.kind == PRIVATE_THREAD:
        for window in [user_id] if not core.world.users[user_id].bot else []:
            core.windows.push(window, "THREAD_CREATE", shapes.channel(core.world, channel, window))


def leave(core: Core, channel: Channel, user_id: int) -> None:
    """Take somebody out of a thread."""
    state = channel.thread
    if state is not None and user_id in state.members:
        del state.members[user_id]
        events.thread_members(core, channel, [], [user_id])


def schedule(core: Core, channel: Channel) -> None:
    """Archive the thread once it has been quiet for as long as it says; each message asks anew."""
    state = channel.thread
    if state is None:
        return

    def due() -> float:
        latest = 0.0 if channel.last_message_id is None else moment(channel.last_message_id)
        return max(state.changed_at, latest) + state.archive_minutes * 60

    def expire() -> None:
        current = core.world.channels.get(channel.id)
        if current is channel and not state.archived and core.clock.now() >= due():
            set_archived(core, channel, archived=True)

    core.clock.call_at(due(), expire)


def set_archived(core: Core, channel: Channel, *, archived: bool, locked: bool | None = None) -> None:
    """Archive or wake a thread, lock or unlock it, and tell of it."""
    state = channel.thread
    if state is None:
        raise known(50024)
    if state.archived != archived:
        state.archived = archived
        state.changed_at = core.clock.now()
    if locked is not None:
        state.locked = locked
    if not archived:
        schedule(core, channel)
    events.channel_changed(core, "THREAD_UPDATE", channel)


def may_manage(core: Core, channel: Channel) -> bool:
    """Tell whether the bot manages threads here."""
    return bool(core.world.permissions(channel, core.world.bot.id) & Permission.MANAGE_THREADS)


def remove(core: Core, channel: Channel, *, nested: bool = False) -> None:
    """Delete a channel or thread, with the threads and messages in it.

    The gateway tells a channel's deletion alone: its threads go with it.
    """
    for thread in core.world.threads(channel.id):
        remove(core, thread, nested=True)
    kind = "THREAD_DELETE" if channel.thread is not None else "CHANNEL_DELETE"
    events.channel_changed(core, kind, channel, to_bot=not nested)
    core.world.remove_channel(channel)
