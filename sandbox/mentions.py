"""Whom a message mentions: those its text names, as far as allowed_mentions lets it ping them."""

import re
from collections.abc import Iterator
from typing import Any

from sandbox.model import REPLY, Message
from sandbox.permissions import Permission
from sandbox.records import Records
from sandbox.validation.messages import AllowedMentions

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")


def texts(message: Message) -> Iterator[str]:
    """Return the texts of a message that can mention: its content, and its text displays."""
    yield message.content

    def walk(items: list[dict[str, Any]]) -> Iterator[str]:
        for item in items:
            if item["type"] == 10:
                yield item["content"]
            yield from walk(item.get("components", []))

    yield from walk(message.components)


def apply(records: Records, message: Message, allowed: AllowedMentions) -> None:
    """Set a message's mentions."""
    text = "\n".join(texts(message))
    named = [int(found) for found in _USER.findall(text)]
    permitted = [u for u in named if u in records.users and (allowed.users is None or u in allowed.users)]
    # A reply pings the author of the message it answers, unless told not to.
    if message.reference is not None and message.kind == REPLY and allowed.replied_user:
        target = records.find(message.reference[1])
        if target is not None:
            permitted.append(target.author_id)
    message.mentions = list(dict.fromkeys(permitted))
    roles = [int(found) for found in _ROLE.findall(text)]
    message.mention_roles = list(
        dict.fromkeys(
            r for r in roles if r in records.guild.roles and (allowed.roles is None or r in allowed.roles)
        )
    )
    channel = records.channels[message.channel_id]
    may = records.permissions(channel, message.author_id) & Permission.MENTION_EVERYONE
    message.mention_everyone = bool(may and allowed.everyone and _EVERYONE.search(text))
