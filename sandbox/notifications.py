"""The notifications that a locked phone shows for new messages.

Edits notify nobody. Only a message's content gives the text: for a message made of components, it is empty
(discord-api-docs, issue #7854).
"""

import re
from dataclasses import dataclass

from sandbox.model import DM, SUPPRESS_NOTIFICATIONS, Channel, Json, Message, User
from sandbox.records import Records

_MARKUP = re.compile(r"<(@!?|@&|#)(\d+)>")


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification: its title names author and place; its text may be empty."""

    at: float
    message_id: int
    channel_id: int
    title: str
    text: str

    def json(self) -> Json:
        """Return the notification as JSON."""
        return {
            "at": self.at,
            "message_id": str(self.message_id),
            "channel_id": str(self.channel_id),
            "title": self.title,
            "text": self.text,
        }


def for_message(records: Records, message: Message) -> dict[int, Notification]:
    """Return the notifications of a new message by person: those that it mentions, or a DM's recipient."""
    channel = records.channels[message.channel_id]
    if message.only_for is not None or message.flags & SUPPRESS_NOTIFICATIONS:
        return {}
    author = records.users[message.author_id]
    found = Notification(
        records.clock.now(),
        message.id,
        channel.id,
        _title(records, author, channel),
        _text(records, channel, message),
    )
    people = channel.recipients if channel.kind == DM else _mentioned(records, channel, message)
    reached = records.viewers(channel)
    return {person: found for person in people if person != author.id and person in reached}


def _mentioned(records: Records, channel: Channel, message: Message) -> list[int]:
    members = records.members_in(channel)
    if message.mention_everyone:
        return list(members)
    roles = set(message.mention_roles)
    return [*message.mentions, *(user for user, member in members.items() if roles & set(member.roles))]


def _title(records: Records, author: User, channel: Channel) -> str:
    if channel.kind == DM:
        return author.name
    parent = records.permission_channel(channel)
    place = f"#{channel.name}" if parent is channel else f"#{parent.name} › {channel.name}"
    return f"{author.name} ({place}, {records.guild_of(channel).name})"


def _text(records: Records, place: Channel, message: Message) -> str:
    def named(found: re.Match[str]) -> str:
        kind, number = found[1], int(found[2])
        if kind == "#":
            channel = records.channels.get(number)
            return "#unknown" if channel is None else f"#{channel.name}"
        if kind == "@&":
            role = records.roles_in(place).get(number)
            return "@unknown-role" if role is None else f"@{role.name}"
        user = records.users.get(number)
        return "@unknown-user" if user is None else f"@{user.name}"

    if message.content:
        return _MARKUP.sub(named, message.content)
    # Nothing is shown of a message made of components.
    return f"📎 {message.attachments[0].filename}" if message.attachments and not message.is_v2 else ""
