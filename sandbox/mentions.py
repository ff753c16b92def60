"""Whom a message mentions: those its text names, as far as allowed_mentions lets it ping them."""

import re

from sandbox.model import REPLY, Message
from sandbox.permissions import Permission
from sandbox.records import Records
from sandbox.validation.components import TEXT_DISPLAY, walk
from sandbox.validation.messages import AllowedMentions

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")


def apply(records: Records, message: Message, allowed: AllowedMentions) -> None:
    """Set a message's mentions. Discord's documentation, "Message Resource", Allowed Mentions Object."""
    # In a V2 message the texts are what its content is in others.
    texts = [item["content"] for item in walk(message.components) if item["type"] == TEXT_DISPLAY]
    text = "\n".join([message.content, *texts])
    named = [int(found) for found in _USER.findall(text)]
    permitted = [u for u in named if u in records.users and (allowed.users is None or u in allowed.users)]
    # A reply pings the author of the message it answers, unless told not to.
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
