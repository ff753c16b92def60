"""Messages: created, edited and deleted, with the permissions that each takes."""

from sandbox import attachments, events, mentions, threads
from sandbox.errors import ApiError, invalid, known
from sandbox.model import (
    DM,
    LOADING,
    REPLY,
    SUPPRESS_EMBEDS,
    THREAD_STARTER,
    Channel,
    Message,
    User,
)
from sandbox.permissions import Permission
from sandbox.state import Core
from sandbox.validation.messages import Draft
from sandbox.world import World

NONCE_SECONDS = 300.0


def require(world: World, channel: Channel, bits: int, user_id: int | None = None) -> None:
    """Check the bot's (or a user's) permissions in a channel.

    ApiError 50001: it is not visible. 50013: a permission is missing.
    """
    held = world.permissions(channel, world.bot.id if user_id is None else user_id)
    if not held & Permission.VIEW_CHANNEL:
        raise known(50001)
    if bits & ~held:
        raise known(50013)


def _needed(channel: Channel, draft: Draft) -> int:
    bits = Permission.SEND_MESSAGES_IN_THREADS if channel.thread is not None else Permission.SEND_MESSAGES
    if draft.files:
        bits |= Permission.ATTACH_FILES
    if draft.embeds:
        bits |= Permission.EMBED_LINKS
    if draft.reference is not None:
        bits |= Permission.READ_MESSAGE_HISTORY
    return bits


def create(core: Core, channel: Channel, draft: Draft) -> Message:
    """Send the bot's message, or give the earlier one with the same nonce.

    ApiError 50001, 50013, 50007 (DMs closed), 50278 (no mutual guild), 160005 (thread locked), 50006 (empty).
    """
    world = core.world
    if channel.kind == DM:
        _check_dm(world, channel)
    else:
        require(world, channel, _needed(channel, draft))
    if channel.thread is not None and channel.thread.locked and not threads.may_manage(core, channel):
        raise known(160005)
    earlier = _same_nonce(core, draft)
    if earlier is not None:
        return earlier
    message = compose(core, channel, world.bot, draft)
    if draft.nonce is not None:
        world.nonces[str(draft.nonce)] = message.id
    post(core, channel, message)
    return message


def _check_dm(world: World, channel: Channel) -> None:
    person = world.users[next(u for u in channel.recipients if u != world.bot.id)]
    if not world.bot_is_member:
        raise known(50278)
    if not person.dms_open:
        raise known(50007)


def _same_nonce(core: Core, draft: Draft) -> Message | None:
    if draft.nonce is None or not draft.enforce_nonce:
        return None
    message = core.world.find(core.world.nonces.get(str(draft.nonce), 0))
    if message is None or message.created_at < core.clock.now() - NONCE_SECONDS:
        return None
    return message


def compose(
    core: Core, channel: Channel, author: User, draft: Draft, *, only_for: int | None = None
) -> Message:
    """Make a message of a body, without posting it. ApiError 50006: there is nothing in it."""
    world = core.world
    message = Message(
        world.ids.make(),
        channel.id,
        author.id,
        core.clock.now(),
        content=draft.content or "",
        flags=draft.flags,
        tts=draft.tts,
        embeds=draft.embeds or [],
        components=draft.components or [],
        nonce=draft.nonce,
        only_for=only_for,
    )
    attachments.apply(world, message, draft)
    _set_reference(world, channel, message, draft)
    mentions.apply(world, message, draft.mentions)
    check_not_empty(message)
    return message


def _set_reference(world: World, channel: Channel, message: Message, draft: Draft) -> None:
    if draft.reference is None:
        return
    channel_id, target_id, must = draft.reference
    target = world.find(target_id)
    known_target = target is not None and target.channel_id == channel.id and target.only_for is None
    if not known_target or channel_id not in (None, channel.id):
        if must:
            raise invalid(("message_reference",), "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
        return
    message.kind = REPLY
    message.reference = (channel.id, target_id)


def check_not_empty(message: Message) -> None:
    """Check that a message shows something. ApiError 50006."""
    shown = message.content or message.embeds or message.components or message.attachments
    if message.is_v2:
        shown = message.components
    if not shown and not message.flags & LOADING:
        raise known(50006)


def post(core: Core, channel: Channel, message: Message) -> None:
    """Put a message into its channel and tell of it; a public one wakes an archived thread."""
    core.world.add(message)
    if message.only_for is None:
        channel.last_message_id = message.id
        threads.posted(core, channel, message)
    events.message_created(core, message)


def check_thread_writable(core: Core, channel: Channel) -> None:
    """Check that messages of a thread may be changed. ApiError 50083: it is archived, or locked."""
    state = channel.thread
    if state is None:
        return
    if state.archived or (state.locked and not threads.may_manage(core, channel)):
        raise known(50083)


def edit(core: Core, channel: Channel, message: Message, draft: Draft) -> None:
    """Edit the bot's own message in a channel. ApiError 50001, 50005, 50021, 50083, 50013, 50006."""
    if channel.kind != DM:
        require(core.world, channel, Permission.ATTACH_FILES if draft.files else 0)
    if message.author_id != core.world.bot.id:
        raise known(50005)
    if message.kind == THREAD_STARTER:
        raise known(50021)
    check_thread_writable(core, channel)
    change(core, message, draft)


def change(core: Core, message: Message, draft: Draft) -> None:
    """Give a message what a body says, and tell of it. ApiError 50006: it would be empty."""
    before = (
        message.content, message.embeds, message.components, message.attachments, message.flags,
    )  # fmt: skip
    message.flags = (message.flags & ~(LOADING | SUPPRESS_EMBEDS)) | draft.flags
    if draft.content is not None:
        message.content = draft.content
    if draft.embeds is not None:
        message.embeds = draft.embeds
    if draft.components is not None:
        message.components = draft.components
    attachments.apply(core.world, message, draft)
    try:
        check_not_empty(message)
    except ApiError:
        (message.content, message.embeds, message.components, message.attachments, message.flags) = before
        raise
    mentions.apply(core.world, message, draft.mentions)
    message.edited_at = core.clock.now()
    events.message_updated(core, message)


def delete(core: Core, channel: Channel, message: Message) -> None:
    """Delete a message as the bot. ApiError 50001, 50013 (another's), 50083."""
    world = core.world
    own = message.author_id == world.bot.id
    if channel.kind == DM:
        if not own:
            raise known(50003)
    else:
        require(world, channel, 0 if own else Permission.MANAGE_MESSAGES)
    check_thread_writable(core, channel)
    drop(core, message)


def drop(core: Core, message: Message) -> None:
    """Take a message away, whoever wrote it."""
    events.message_deleted(core, message)
    core.world.remove(message)
    channel = core.world.channels[message.channel_id]
    if channel.thread is not None and message.only_for is None:
        channel.thread.message_count = max(0, channel.thread.message_count - 1)
