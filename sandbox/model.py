"""The records of a small Discord. Ids are integers here, and strings in JSON."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

# The limit without boosts and subscriptions: Discord's documentation, "Uploading Files".
MAX_FILE_BYTES = 10 * 1024 * 1024

# Channel types, message types and message flags: Discord's documentation, "Channel" and "Message" resources.
TEXT, DM, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12
THREADS = (PUBLIC_THREAD, PRIVATE_THREAD)
DEFAULT, THREAD_CREATED, REPLY, COMMAND_REPLY, THREAD_STARTER = 0, 18, 19, 20, 21
SUPPRESS_EMBEDS, HAS_THREAD, EPHEMERAL, LOADING = 1 << 2, 1 << 5, 1 << 6, 1 << 7
SUPPRESS_NOTIFICATIONS, COMPONENTS_V2 = 1 << 12, 1 << 15


@dataclass(slots=True)
class User:
    """An account of a person, or of the bot."""

    id: int
    name: str
    bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True

    @property
    def username(self) -> str:
        """The account's handle: lower case, no spaces."""
        return "".join(c if c.isalnum() or c in "._" else "_" for c in self.name.lower())


@dataclass(slots=True)
class Member:
    """A user in a guild."""

    user: User
    joined_at: float
    roles: list[int] = field(default_factory=list)
    nick: str | None = None
    timed_out_until: float | None = None


@dataclass(slots=True)
class Role:
    """A role of a guild; @everyone has the guild's id."""

    id: int
    name: str
    permissions: int
    position: int = 0
    bot_id: int | None = None


@dataclass(slots=True)
class Overwrite:
    """Permissions that a channel allows or denies a role (`kind` 0) or a member (`kind` 1)."""

    id: int
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(slots=True)
class ThreadMetadata:
    """The fields of a thread that other channels do not have."""

    owner_id: int
    created_at: float
    archive_minutes: int
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    changed_at: float = 0.0
    members: dict[int, float] = field(default_factory=dict)
    message_count: int = 0
    total_sent: int = 0


@dataclass(slots=True)
class Channel:
    """A text channel, a thread (`thread` is set) or a DM (`recipients` is set)."""

    id: int
    kind: int
    name: str = ""
    guild_id: int | None = None
    parent_id: int | None = None
    position: int = 0
    topic: str | None = None
    nsfw: bool = False
    slowmode: int = 0
    overwrites: list[Overwrite] = field(default_factory=list)
    recipients: tuple[int, ...] = ()
    last_message_id: int | None = None
    thread: ThreadMetadata | None = None


@dataclass(slots=True)
class Guild:
    """A server."""

    id: int
    name: str
    owner_id: int
    locale: str = "en-US"
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict, repr=False)
    """Its text channels and threads, which `Records.channels` contains too."""

    @property
    def bot_role(self) -> Role:
        """The role that the bot's invitation created."""
        return next(role for role in self.roles.values() if role.bot_id is not None)

    @property
    def text_channels(self) -> list[Channel]:
        """The channels that are not threads."""
        return [channel for channel in self.channels.values() if channel.kind == TEXT]

    def members_named(self, beginning: str) -> list[Member]:
        """Return the members whose name begins with this text, ignoring case."""
        return [m for m in self.members.values() if m.user.name.lower().startswith(beginning.lower())]


@dataclass(slots=True)
class Attachment:
    """A file of a message; `token` is the unguessable part of its address."""

    id: int
    token: str
    filename: str
    content_type: str
    data: bytes = field(repr=False)
    width: int | None = None
    height: int | None = None
    description: str | None = None
    title: str | None = None
    ephemeral: bool = False


@dataclass(slots=True)
class Message:
    """A message; `only_for` is the only person who sees it, if it is ephemeral."""

    id: int
    channel_id: int
    author_id: int
    created_at: float
    kind: int = DEFAULT
    content: str = ""
    flags: int = 0
    tts: bool = False
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    mentions: list[int] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    edited_at: float | None = None
    nonce: str | int | None = None
    reference: tuple[int, int] | None = None
    thread_id: int | None = None
    only_for: int | None = None
    interaction: "Interaction | None" = None

    @property
    def is_v2(self) -> bool:
        """Whether the message is made of V2 components."""
        return bool(self.flags & COMPONENTS_V2)


@dataclass(slots=True)
class Command:
    """A registered application command; `definition` is its body as accepted."""

    id: int
    version: int
    guild_id: int | None
    definition: Json

    @property
    def name(self) -> str:
        """The command's name."""
        return str(self.definition["name"])


# Compared by identity: a person can do exactly the same twice.
@dataclass(slots=True, eq=False)
class Interaction:
    """A person's action and the bot's response. `kind`: 2 command, 3 component, 4 autocomplete, 5 modal.

    `source_id` is the message whose component was used (or that opened the modal), `original_id` the message
    that the response created or changed; either may have been deleted. `pending`: the response was deferred
    and has not come yet. `dead`: no response came in time. `settled` is set when it has come or failed.
    """

    id: int
    token: str = field(repr=False)
    kind: int
    user_id: int
    channel_id: int
    guild_id: int | None
    created_at: float
    data: Json
    source_id: int | None = None
    name: str | None = None
    parent: "Interaction | None" = None
    answer: int | None = None
    dead: bool = False
    original_id: int | None = None
    pending: bool = False
    messages: list[int] = field(default_factory=list)
    choices: list[Json] | None = None
    settled: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
