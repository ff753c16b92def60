"""JSON of messages, for one viewer: attachment addresses carry who looks."""

import copy
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

from sandbox import serialize
from sandbox.clock import iso
from sandbox.model import Attachment, Interaction, Json, Message
from sandbox.records import Records

LINK_SECONDS = 24 * 3600
_MEDIA_KEYS = frozenset({"media", "file", "image", "thumbnail", "video"})
_HIDDEN = {"content": "", "embeds": [], "attachments": [], "components": []}


def attachment_url(records: Records, record: Attachment, viewer: int) -> str:
    """Return an attachment's address for a viewer; the bot gets a signed link that expires."""
    if viewer == records.bot.id:
        query = {"ex": f"{int(records.clock.now()) + LINK_SECONDS:x}", "hm": records.link_key}
    else:
        query = {"person": str(viewer)}
    return f"{records.base_url}/attachments/{record.token}/{quote(record.filename)}?{urlencode(query)}"


def attachment(records: Records, record: Attachment, viewer: int) -> Json:
    """Write an attachment."""
    url = attachment_url(records, record, viewer)
    found: Json = {
        "id": str(record.id),
        "filename": record.filename,
        "size": len(record.data),
        "url": url,
        "proxy_url": url,
        "content_type": record.content_type,
    }
    if record.width is not None and record.height is not None:
        found |= {"width": record.width, "height": record.height}
    if record.description is not None:
        found["description"] = record.description
    if record.title is not None:
        found["title"] = record.title
    if record.ephemeral:
        found["ephemeral"] = True
    return found


def media_slots(node: Any) -> Iterator[tuple[Json, str]]:
    """Return every media address in a tree of components or embeds: the object that holds it, and its key."""
    if isinstance(node, list):
        for item in node:
            yield from media_slots(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in _MEDIA_KEYS and isinstance(value, dict) and "url" in value:
                yield value, "url"
            else:
                yield from media_slots(value)
        if "icon_url" in node:
            yield node, "icon_url"


def _resolve(records: Records, tree: list[Json], message: Message, viewer: int, *, v2: bool) -> list[Json]:
    files = {f.filename: f for f in message.attachments}
    made = copy.deepcopy(tree)
    for slot, key in list(media_slots(made)):
        url = str(slot[key])
        record = files.get(url.removeprefix("attachment://")) if url.startswith("attachment://") else None
        if record is not None:
            slot[key] = attachment_url(records, record, viewer)
        slot[f"proxy_{key}"] = slot[key]
        if v2:
            _media_facts(slot, record)
        elif record is not None and key == "url" and record.width is not None:
            slot |= {"width": record.width, "height": record.height}
    return made


def _media_facts(slot: Json, record: Attachment | None) -> None:
    slot["id"] = str(record.id if record else 0)
    slot |= {"width": None, "height": None, "content_type": None, "placeholder": "", "loading_state": 2}
    if record is not None:
        slot |= {
            "width": record.width,
            "height": record.height,
            "content_type": record.content_type,
            "attachment_id": str(record.id),
        }


def _files_named(node: Any, files: dict[str, Attachment]) -> None:
    """Write name and size into File components, which Discord adds from the attachment."""
    for item in node:
        if item.get("type") == 13:
            name = str(item["file"]["url"]).removeprefix("attachment://")
            record = files.get(name)
            item |= {"name": name, "size": None if record is None else len(record.data)}
        _files_named(item.get("components", []) if isinstance(item.get("components"), list) else [], files)


def components(records: Records, message: Message, viewer: int) -> list[Json]:
    """Write a message's components, with the addresses of their media."""
    named = copy.deepcopy(message.components)
    _files_named(named, {f.filename: f for f in message.attachments})
    return _resolve(records, named, message, viewer, v2=True)


def _metadata(records: Records, interaction: Interaction) -> Json:
    found: Json = {
        "id": str(interaction.id),
        "type": interaction.kind,
        "user": serialize.user(records.users[interaction.user_id]),
        "authorizing_integration_owners": owners(records, interaction),
    }
    if interaction.kind == 3 and interaction.source_id is not None:
        found["interacted_message_id"] = str(interaction.source_id)
    if interaction.kind == 5 and interaction.parent is not None:
        found["triggering_interaction_metadata"] = _metadata(records, interaction.parent)
    return found


def owners(records: Records, interaction: Interaction) -> Json:
    """Write who installed the application: the guild, or "0" in a DM with the bot."""
    channel = records.channels.get(interaction.channel_id)
    return {"0": str(records.guild.id) if channel is None or channel.guild_id is not None else "0"}


def message(records: Records, record: Message, viewer: int, *, nested: bool = False) -> Json:
    """Write a message as `viewer` gets it over REST; `nested`: as another's `referenced_message`."""
    found: Json = {
        "id": str(record.id),
        "channel_id": str(record.channel_id),
        "type": record.kind,
        "author": serialize.user(records.users[record.author_id]),
        "content": record.content,
        "timestamp": iso(record.created_at),
        "edited_timestamp": None if record.edited_at is None else iso(record.edited_at),
        "tts": record.tts,
        "mention_everyone": record.mention_everyone,
        "mentions": [serialize.user(records.users[u]) for u in record.mentions],
        "mention_roles": [str(r) for r in record.mention_roles],
        "attachments": [attachment(records, f, viewer) for f in record.attachments],
        "embeds": _resolve(records, record.embeds, record, viewer, v2=False),
        "components": components(records, record, viewer),
        "pinned": False,
        "flags": record.flags,
    }
    if record.nonce is not None:
        found["nonce"] = record.nonce
    found |= _origin(records, record)
    found |= {} if nested else _references(records, record, viewer)
    if record.thread_id is not None and (thread := records.channels.get(record.thread_id)) is not None:
        found["thread"] = serialize.channel(records, thread)
    if viewer == records.bot.id and hides_content(records, record):
        found |= _HIDDEN
    return found


def _origin(records: Records, record: Message) -> Json:
    interaction = record.interaction
    if interaction is None:
        return {}
    found: Json = {
        "application_id": str(records.bot.id),
        "webhook_id": str(records.bot.id),
        "interaction_metadata": _metadata(records, interaction),
    }
    if interaction.kind == 2:
        found["interaction"] = {
            "id": str(interaction.id),
            "type": 2,
            "name": interaction.name or "",
            "user": serialize.user(records.users[interaction.user_id]),
        }
    return found


def _references(records: Records, record: Message, viewer: int) -> Json:
    if record.reference is None:
        return {}
    channel_id, message_id = record.reference
    target = records.find(message_id)
    visible = target is not None and records.sees_message(viewer, target)
    reference: Json = {"type": 0, "channel_id": str(channel_id), "message_id": str(message_id)}
    channel = records.channels.get(channel_id)
    if channel is not None and channel.guild_id is not None:
        reference["guild_id"] = str(channel.guild_id)
    shown = message(records, target, viewer, nested=True) if target is not None and visible else None
    return {"message_reference": reference, "referenced_message": shown}


def hides_content(records: Records, record: Message) -> bool:
    """Return whether the bot gets a message without its content: no message content intent, and no exemption.

    Exempt are its own messages, DMs and messages that mention it.
    """
    if records.message_content or record.author_id == records.bot.id or records.bot.id in record.mentions:
        return False
    channel = records.channels.get(record.channel_id)
    return channel is not None and channel.guild_id is not None


def event(records: Records, record: Message, viewer: int) -> Json:
    """Write a message as the gateway does: with the guild and the author's membership."""
    found = message(records, record, viewer)
    channel = records.channels.get(record.channel_id)
    found["channel_type"] = 0 if channel is None else channel.kind
    if channel is not None and channel.guild_id is not None:
        found["guild_id"] = str(channel.guild_id)
        author = records.guild.members.get(record.author_id)
        if author is not None:
            found["member"] = serialize.member(author, with_user=False)
        for shown, user_id in zip(found["mentions"], record.mentions, strict=True):
            mentioned = records.guild.members.get(user_id)
            if mentioned is not None:
                shown["member"] = serialize.member(mentioned, with_user=False)
    return found
