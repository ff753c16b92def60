"""JSON of messages, for one viewer: attachment addresses carry who looks."""

import copy
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

from sandbox import shapes
from sandbox.clock import iso
from sandbox.model import Attachment, Interaction, Json, Message
from sandbox.world import World

LINK_SECONDS = 24 * 3600
_MEDIA_KEYS = frozenset({"media", "file", "image", "thumbnail", "video"})
_HIDDEN = {"content": "", "embeds": [], "attachments": [], "components": []}


def attachment_url(world: World, record: Attachment, viewer: int) -> str:
    """Give an attachment's address for a viewer: a person's id, or for the bot a signed link that expires."""
    if viewer == world.bot.id:
        query = {"ex": f"{int(world.clock.now()) + LINK_SECONDS:x}", "hm": world.link_key}
    else:
        query = {"person": str(viewer)}
    return f"{world.base_url}/attachments/{record.token}/{quote(record.filename)}?{urlencode(query)}"


def attachment(world: World, record: Attachment, viewer: int) -> Json:
    """Write an attachment."""
    url = attachment_url(world, record, viewer)
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
    """Give every media address in a tree of components or embeds: the object that holds it, and its key."""
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


def _resolve(world: World, tree: list[Json], message: Message, viewer: int, *, v2: bool) -> list[Json]:
    files = {f.filename: f for f in message.attachments}
    made = copy.deepcopy(tree)
    for slot, key in list(media_slots(made)):
        url = str(slot[key])
        record = files.get(url.removeprefix("attachment://")) if url.startswith("attachment://") else None
        if record is not None:
            slot[key] = attachment_url(world, record, viewer)
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


def components(world: World, message: Message, viewer: int) -> list[Json]:
    """Write a message's components, with the addresses of their media."""
    named = copy.deepcopy(message.components)
    _files_named(named, {f.filename: f for f in message.attachments})
    return _resolve(world, named, message, viewer, v2=True)


def _metadata(world: World, act: Interaction) -> Json:
    found: Json = {
        "id": str(act.id),
        "type": act.kind,
        "user": shapes.user(world.users[act.user_id]),
        "authorizing_integration_owners": owners(world, act),
    }
    if act.kind == 3 and act.source_id is not None:
        found["interacted_message_id"] = str(act.source_id)
    if act.kind == 5 and act.parent is not None:
        found["triggering_interaction_metadata"] = _metadata(world, act.parent)
    return found


def owners(world: World, act: Interaction) -> Json:
    """Write who installed the application: the guild, or "0" in a DM with the bot."""
    channel = world.channels.get(act.channel_id)
    return {"0": str(world.guild.id) if channel is None or channel.guild_id is not None else "0"}


def message(world: World, record: Message, viewer: int, *, nested: bool = False) -> Json:
    """Write a message as `viewer` gets it over REST; `nested`: as another's `referenced_message`."""
    found: Json = {
        "id": str(record.id),
        "channel_id": str(record.channel_id),
        "type": record.kind,
        "author": shapes.user(world.users[record.author_id]),
        "content": record.content,
        "timestamp": iso(record.created_at),
        "edited_timestamp": None if record.edited_at is None else iso(record.edited_at),
        "tts": record.tts,
        "mention_everyone": record.mention_everyone,
        "mentions": [shapes.user(world.users[u]) for u in record.mentions],
        "mention_roles": [str(r) for r in record.mention_roles],
        "attachments": [attachment(world, f, viewer) for f in record.attachments],
        "embeds": _resolve(world, record.embeds, record, viewer, v2=False),
        "components": components(world, record, viewer),
        "pinned": False,
        "flags": record.flags,
    }
    if record.nonce is not None:
        found["nonce"] = record.nonce
    found |= _origin(world, record)
    found |= {} if nested else _references(world, record, viewer)
    if record.thread_id is not None and (thread := world.channels.get(record.thread_id)) is not None:
        found["thread"] = shapes.channel(world, thread)
    if viewer == world.bot.id and hides_content(world, record):
        found |= _HIDDEN
    return found


def _origin(world: World, record: Message) -> Json:
    act = record.interaction
    if act is None:
        return {}
    found: Json = {
        "application_id": str(world.bot.id),
        "webhook_id": str(world.bot.id),
        "interaction_metadata": _metadata(world, act),
    }
    if act.kind == 2:
        found["interaction"] = {
            "id": str(act.id),
            "type": 2,
            "name": act.name or "",
            "user": shapes.user(world.users[act.user_id]),
        }
    return found


def _references(world: World, record: Message, viewer: int) -> Json:
    if record.reference is None:
        return {}
    channel_id, message_id = record.reference
    target = world.find(message_id)
    visible = target is not None and world.sees_message(viewer, target)
    reference: Json = {"type": 0, "channel_id": str(channel_id), "message_id": str(message_id)}
    channel = world.channels.get(channel_id)
    if channel is not None and channel.guild_id is not None:
        reference["guild_id"] = str(channel.guild_id)
    shown = message(world, target, viewer, nested=True) if target is not None and visible else None
    return {"message_reference": reference, "referenced_message": shown}


def hides_content(world: World, record: Message) -> bool:
    """Tell whether the bot gets a message without its content: no message content intent, and no exemption.

    Exempt are its own messages, DMs and messages that mention it.
    """
    if world.message_content or record.author_id == world.bot.id or world.bot.id in record.mentions:
        return False
    channel = world.channels.get(record.channel_id)
    return channel is not None and channel.guild_id is not None


def event(world: World, record: Message, viewer: int) -> Json:
    """Write a message as the gateway does: with the guild and the author's membership."""
    found = message(world, record, viewer)
    channel = world.channels.get(record.channel_id)
    found["channel_type"] = 0 if channel is None else channel.kind
    if channel is not None and channel.guild_id is not None:
        found["guild_id"] = str(channel.guild_id)
        author = world.guild.members.get(record.author_id)
        if author is not None:
            found["member"] = shapes.member(author, with_user=False)
        for shown, user_id in zip(found["mentions"], record.mentions, strict=True):
            mentioned = world.guild.members.get(user_id)
            if mentioned is not None:
                shown["member"] = shapes.member(mentioned, with_user=False)
    return found
