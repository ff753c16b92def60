"""Messages: created, edited and deleted, with the permissions that this requires."""

import re

from sandbox import attachments, events, threads
from sandbox.errors import ApiError, api_error, invalid_field
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
from sandbox.ratelimits import OLD_MESSAGE_S
from sandbox.records import Records
from sandbox.state import State
from sandbox.validation.components import TEXT_DISPLAY, walk
from sandbox.validation.messages import AllowedMentions, Draft

NONCE_LIFETIME_S = 300.0
_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")


def check_permissions(records: Records, channel: Channel, bits: int, user_id: int | None = None) -> None:
    """Check the permissions of the bot (or of a user) in a channel.

    ApiError 50001: the channel is not visible. 50013: a permission is missing.
    """
    held = records.permissions(channel, records.bot.id if user_id is None else user_id)
    if not held & Permission.VIEW_CHANNEL:
        raise api_error(50001)
    if bits & ~held:
        raise api_error(50013)


def write_permission(channel: Channel) -> Permission:
    """Return the permission that writing in a guild channel requires."""
    return Permission.SEND_MESSAGES if channel.thread is None else Permission.SEND_MESSAGES_IN_THREADS


def create(state: State, channel: Channel, draft: Draft) -> Message:
    """Send a message of the bot, or return the earlier one with the same nonce.

    ApiError 50001, 50013, 50007 (DMs closed), 50278 (no mutual guild), 160005 (thread locked), 50006 (empty).
    """
    records = state.records
    _check_may_send(state, channel, draft)
    if draft.nonce is not None and draft.enforce_nonce:
        # Discord forgets a nonce after a few minutes: "Create Message", enforce_nonce.
        earlier = records.find(records.nonces.get(str(draft.nonce), 0))
        if earlier is not None and earlier.created_at >= state.clock.now() - NONCE_LIFETIME_S:
            return earlier
    message = compose(state, channel, records.bot, draft)
    if draft.nonce is not None:
        records.nonces[str(draft.nonce)] = message.id
    post(state, channel, message)
    return message


def _check_may_send(state: State, channel: Channel, draft: Draft) -> None:
    records = state.records
    if channel.kind == DM:
        if not records.bot_guilds():
            raise api_error(50278)
        if not all(records.users[user].dms_open for user in channel.recipients):
            raise api_error(50007)
        return
    bits = write_permission(channel)
    bits |= Permission.ATTACH_FILES if draft.files else 0
    bits |= Permission.EMBED_LINKS if draft.embeds else 0
    bits |= Permission.READ_MESSAGE_HISTORY if draft.reference is not None else 0
    check_permissions(records, channel, bits)
    if channel.thread is not None and channel.thread.locked and not threads.may_manage(state, channel):
        raise api_error(160005)


def compose(
    state: State, channel: Channel, author: User, draft: Draft, *, only_for: int | None = None
) -> Message:
    """Build a message from a body, without posting it. ApiError 50006: it is empty."""
    records = state.records
    message = Message(
        records.ids.make(),
        channel.id,
        author.id,
        state.clock.now(),
        content=draft.content or "",
        flags=draft.flags,
        tts=draft.tts,
        embeds=draft.embeds or [],
        components=draft.components or [],
        nonce=draft.nonce,
        only_for=only_for,
    )
    attachments.apply(records, message, draft)
    _set_reference(records, channel, message, draft)
    _set_mentions(records, message, draft.mentions)
    check_not_empty(message)
    return message


def _set_reference(records: Records, channel: Channel, message: Message, draft: Draft) -> None:
    if draft.reference is None:
        return
    channel_id, target_id, must = draft.reference
    target = records.find(target_id)
    is_known = target is not None and target.channel_id == channel.id and target.only_for is None
    if not is_known or channel_id not in (None, channel.id):
        if must:
            raise invalid_field(
                ("message_reference",), "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message"
            )
        return
    message.kind = REPLY
    message.reference = (channel.id, target_id)


def _set_mentions(records: Records, message: Message, allowed: AllowedMentions) -> None:
    """Set the mentions in a message that `allowed` permits: "Message Resource", Allowed Mentions Object."""
    # V2 messages have text components instead of content.
    texts = [item["content"] for item in walk(message.components) if item["type"] == TEXT_DISPLAY]
    text = "\n".join([message.content, *texts])
    named = [int(found) for found in _USER.findall(text)]
    permitted = [u for u in named if u in records.users and (allowed.users is None or u in allowed.users)]
    # A reply also mentions the author of the original message.
    if message.reference is not None and message.kind == REPLY and allowed.replied_user:
        target = records.find(message.reference[1])
        if target is not None:
            permitted.append(target.author_id)
    message.mentions = list(dict.fromkeys(permitted))
    roles = [int(found) for found in _ROLE.findall(text)]
    channel = records.channels[message.channel_id]
    known = records.roles_in(channel)
    message.mention_roles = list(
        dict.fromkeys(r for r in roles if r in known and (allowed.roles is None or r in allowed.roles))
    )
    may = records.permissions(channel, message.author_id) & Permission.MENTION_EVERYONE
    message.mention_everyone = bool(may and allowed.everyone and _EVERYONE.search(text))


def check_not_empty(message: Message) -> None:
    """Check that a message is not empty. ApiError 50006."""
    shown = message.content or message.embeds or message.components or message.attachments
    if message.is_v2:
        shown = message.components
    if not shown and not message.flags & LOADING:
        raise api_error(50006)


def post(state: State, channel: Channel, message: Message) -> None:
    """Add a message to its channel and announce it; a public one unarchives its thread."""
    state.records.add(message)
    if message.only_for is None:
        channel.last_message_id = message.id
        threads.message_posted(state, channel, message)
    events.message_created(state, message)


def check_thread_writable(state: State, channel: Channel) -> None:
    """Check that messages of a thread may be changed. ApiError 50083: it is archived or locked."""
    metadata = channel.thread
    if metadata is None:
        return
    if metadata.archived or (metadata.locked and not threads.may_manage(state, channel)):
        raise api_error(50083)


def edit(state: State, channel: Channel, message: Message, draft: Draft) -> None:
    """Edit the bot's own message. ApiError 50001, 50005, 50021, 50083, 50013, 50006, 30046."""
    if channel.kind != DM:
        check_permissions(state.records, channel, Permission.ATTACH_FILES if draft.files else 0)
    if message.author_id != state.records.bot.id:
        raise api_error(50005)
    if message.kind == THREAD_STARTER:
        raise api_error(50021)
    check_thread_writable(state, channel)
    is_old = message.created_at < state.clock.now() - OLD_MESSAGE_S
    if is_old and (refused := state.limits.count_old_edit(channel.id)) is not None:
        raise refused
    change(state, message, draft)


def change(state: State, message: Message, draft: Draft) -> None:
    """Apply a body to a message and announce it. ApiError 50006: the message would be empty."""
    before = (
        message.content, message.embeds, message.components, message.attachments, message.flags,
    )  # fmt: skip
    # An edit ends "thinking", and shows embeds unless its flags suppress them. The V2 flag is permanent.
    message.flags = (message.flags & ~(LOADING | SUPPRESS_EMBEDS)) | draft.flags
    if draft.content is not None:
        message.content = draft.content
    if draft.embeds is not None:
        message.embeds = draft.embeds
    if draft.components is not None:
        message.components = draft.components
    attachments.apply(state.records, message, draft)
    try:
        check_not_empty(message)
    except ApiError:
        # A refused edit changes nothing.
        (message.content, message.embeds, message.components, message.attachments, message.flags) = before
        raise
    _set_mentions(state.records, message, draft.mentions)
    message.edited_at = state.clock.now()
    events.message_updated(state, message)


def delete(state: State, channel: Channel, message: Message) -> None:
    """Delete a message as the bot. ApiError 50001, 50013 (not its own), 50083."""
    records = state.records
    own = message.author_id == records.bot.id
    if channel.kind == DM:
        if not own:
            raise api_error(50003)
    else:
        check_permissions(records, channel, 0 if own else Permission.MANAGE_MESSAGES)
    check_thread_writable(state, channel)
    drop(state, message)


def drop(state: State, message: Message) -> None:
    """Remove a message by any author, and announce it."""
    # Announce first: the recipients depend on the message.
    events.message_deleted(state, message)
    state.records.remove(message)
    channel = state.records.channels[message.channel_id]
    if channel.thread is not None and message.only_for is None:
        channel.thread.message_count = max(0, channel.thread.message_count - 1)
