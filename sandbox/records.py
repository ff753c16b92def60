"""All records of the sandbox by id, and who may see them."""

import secrets
from collections.abc import Iterable, Mapping

from sandbox import permissions
from sandbox.clock import Clock
from sandbox.errors import api_error
from sandbox.model import (
    DM,
    PRIVATE_THREAD,
    TEXT,
    Attachment,
    Channel,
    Command,
    Guild,
    Interaction,
    Json,
    Member,
    Message,
    Overwrite,
    Role,
    User,
)
from sandbox.permissions import Permission
from sandbox.snowflake import Snowflakes

GUILD_NAME = "The Carnival"
CHANNELS = ("general", "games")
PEOPLE = ("Alba", "Bruno")
# Ids of added guilds start this far in the past: each takes a millisecond of its own, and none may be in
# the future.
GUILD_AGE_S = 86_400.0


class Records:
    """Holds everything in memory; starts with one guild, two channels, two people and the bot.

    `guild` is that first guild; `guilds` contains all guilds by id.
    """

    def __init__(self, clock: Clock, *, bot_name: str, bot_permissions: int) -> None:
        self.clock = clock
        self.ids = Snowflakes(clock.now)
        founded = clock.now() - GUILD_AGE_S
        self._guild_ids = Snowflakes(lambda: founded)
        self.base_url = ""
        # The unguessable part of the bot's links to attachments.
        self.link_key = secrets.token_urlsafe(16)
        self.message_content = False
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.commands: dict[int, Command] = {}
        self.interactions: dict[int, Interaction] = {}
        self.tokens: dict[str, Interaction] = {}
        self.modals: dict[int, Json] = {}
        self.files: dict[str, int] = {}
        # The values that a person's client shows as chosen in a select, by person, message and custom_id.
        self.choices: dict[tuple[int, int, str], tuple[str, ...]] = {}
        self.nonces: dict[str, int] = {}
        self._messages: dict[int, dict[int, Message]] = {}
        self._channel_ids: dict[int, int] = {}
        self._bot_permissions = bot_permissions
        self.bot = self._create_user(bot_name, bot=True)
        # A separate owner without a window: owners see every private thread, and no player should.
        self._owner = self._create_user("Steward")
        self.guild = self._create_guild(self.ids.make(), GUILD_NAME)
        for name in PEOPLE:
            self.add_person(name)

    def _create_user(self, name: str, *, bot: bool = False, locale: str = "en-US") -> User:
        user = User(self.ids.make(), name, bot=bot, locale=locale)
        self.users[user.id] = user
        return user

    # Guilds

    def add_guild(self, name: str, people: Iterable[User], shard: tuple[int, int] = (0, 1)) -> Guild:
        """Create a guild with the channels of the first one, and with the bot and some people in it.

        Guilds are spread evenly over shards; `shard`, a number and a count, chooses the shard.
        """
        guild = self._create_guild(self._guild_ids.make_on_shard(shard), name)
        for person in people:
            self.join(person, guild)
        return guild

    def _create_guild(self, guild_id: int, name: str) -> Guild:
        guild = Guild(guild_id, name, self._owner.id)
        everyone = Role(guild.id, "@everyone", permissions.EVERYONE)
        own = Role(self.ids.make(), self.bot.name, self._bot_permissions, position=1, bot_id=self.bot.id)
        guild.roles = {role.id: role for role in (everyone, own)}
        self.guilds[guild.id] = guild
        self.join(self._owner, guild)
        self.join_bot(guild)
        for position, channel in enumerate(CHANNELS):
            self.add_channel(channel, position=position, guild=guild)
        return guild

    def guild_of(self, channel: Channel) -> Guild:
        """Return the guild of a channel that is not a DM."""
        return self.guilds[channel.guild_id or 0]

    def members_in(self, channel: Channel) -> Mapping[int, Member]:
        """Return the members of a channel's guild; a DM has none."""
        return {} if channel.guild_id is None else self.guild_of(channel).members

    def roles_in(self, channel: Channel) -> Mapping[int, Role]:
        """Return the roles of a channel's guild; a DM has none."""
        return {} if channel.guild_id is None else self.guild_of(channel).roles

    def has_bot(self, guild: Guild) -> bool:
        """Return whether the bot is in a guild."""
        return self.bot.id in guild.members

    def bot_guilds(self) -> list[Guild]:
        """Return the guilds that the bot is in."""
        return [guild for guild in self.guilds.values() if self.has_bot(guild)]

    # People

    def add_person(self, name: str, locale: str = "en-US") -> Member:
        """Create an account and make it a member of the first guild."""
        return self.join(self._create_user(name, locale=locale), self.guild)

    def join(self, user: User, guild: Guild) -> Member:
        """Make a user a member of a guild."""
        member = Member(user, self.clock.now())
        guild.members[user.id] = member
        return member

    def join_bot(self, guild: Guild) -> Member:
        """Make the bot a member of a guild, with its role."""
        member = self.join(self.bot, guild)
        member.roles = [guild.bot_role.id]
        return member

    def people(self) -> list[User]:
        """Return the accounts that can have windows: all but the bot and the guilds' owner."""
        return [user for user in self.users.values() if not user.bot and user is not self._owner]

    # Channels

    def add_channel(
        self, name: str, *, position: int = 0, parent_id: int | None = None, guild: Guild | None = None
    ) -> Channel:
        """Create a text channel, by default in the first guild."""
        guild_id = (guild or self.guild).id
        channel = Channel(
            self.ids.make(), TEXT, name, guild_id=guild_id, position=position, parent_id=parent_id
        )
        self.insert_channel(channel)
        return channel

    def insert_channel(self, channel: Channel) -> None:
        """Add a channel, thread or DM."""
        self.channels[channel.id] = channel
        if channel.guild_id is not None:
            self.guild_of(channel).channels[channel.id] = channel

    def dm(self, user_id: int) -> tuple[Channel, bool]:
        """Return the DM channel between the bot and a user, and whether it is new."""
        for channel in self.channels.values():
            if channel.kind == DM and user_id in channel.recipients:
                return channel, False
        channel = Channel(self.ids.make(), DM, recipients=(self.bot.id, user_id))
        self.insert_channel(channel)
        return channel, True

    def channel(self, channel_id: int) -> Channel:
        """Return a channel. ApiError 10003: there is none."""
        found = self.channels.get(channel_id)
        if found is None:
            raise api_error(10003)
        return found

    def permission_channel(self, channel: Channel) -> Channel:
        """Return the channel whose overwrites count: a thread's parent, else itself."""
        if channel.thread is not None and channel.parent_id is not None:
            return self.channels[channel.parent_id]
        return channel

    def threads(self, parent_id: int | None = None) -> list[Channel]:
        """Return the threads of one channel or of all, oldest first."""
        return [
            channel
            for channel in self.channels.values()
            if channel.thread is not None and parent_id in (None, channel.parent_id)
        ]

    def active_threads(self, guild: Guild, parent_id: int | None = None) -> list[Channel]:
        """Return a guild's active threads that the bot sees, of one channel or of all, oldest first."""
        return [
            thread
            for thread in guild.channels.values()
            if thread.thread is not None
            and parent_id in (None, thread.parent_id)
            and not thread.thread.archived
            and self.sees(self.bot.id, thread)
        ]

    def remove_channel(self, channel: Channel) -> None:
        """Remove a channel and its messages."""
        del self.channels[channel.id]
        if channel.guild_id is not None:
            del self.guild_of(channel).channels[channel.id]
        for message_id in self._messages.pop(channel.id, {}):
            del self._channel_ids[message_id]

    # Messages

    def add(self, message: Message) -> None:
        """Add a message."""
        self._messages.setdefault(message.channel_id, {})[message.id] = message
        self._channel_ids[message.id] = message.channel_id

    def remove(self, message: Message) -> None:
        """Remove a message."""
        self._messages[message.channel_id].pop(message.id, None)
        self._channel_ids.pop(message.id, None)

    def find(self, message_id: int) -> Message | None:
        """Return a message of any channel; None: there is none."""
        place = self._channel_ids.get(message_id)
        return None if place is None else self._messages[place].get(message_id)

    def message(self, channel_id: int, message_id: int) -> Message:
        """Return a message that the bot can get by channel. ApiError 10008: none, or it is ephemeral."""
        # Ephemeral messages do not exist in their channel: only the interaction's token reaches them.
        found = self._messages.get(channel_id, {}).get(message_id)
        if found is None or found.only_for is not None:
            raise api_error(10008)
        return found

    def history(self, channel_id: int, viewer: int) -> list[Message]:
        """Return the messages of a channel that a user sees, oldest first."""
        found = self._messages.get(channel_id, {}).values()
        return sorted((m for m in found if m.only_for in (None, viewer)), key=lambda message: message.id)

    def find_attachment(self, token: str) -> tuple[Message, Attachment] | None:
        """Return the attachment of a token with its message; None: it was removed."""
        message = self.find(self.files.get(token, 0))
        if message is None:
            return None
        return next(((message, record) for record in message.attachments if record.token == token), None)

    # Who may see what

    def permissions(self, channel: Channel, user_id: int) -> int:
        """Return a user's permissions in a channel; 0: it is not visible."""
        if channel.kind == DM:
            return permissions.IN_DM if user_id in channel.recipients else 0
        bits = permissions.in_channel(self.guild_of(channel), self.permission_channel(channel), user_id)
        if channel.kind != PRIVATE_THREAD or channel.thread is None or bits & Permission.MANAGE_THREADS:
            return bits
        return bits if user_id in channel.thread.members else 0

    def sees(self, user_id: int, channel: Channel) -> bool:
        """Return whether a user sees a channel."""
        return bool(self.permissions(channel, user_id) & Permission.VIEW_CHANNEL)

    def sees_message(self, user_id: int, message: Message) -> bool:
        """Return whether a user sees a message; only its person and the bot see an ephemeral one."""
        if message.only_for is not None:
            # A response to an interaction is visible even if its channel is not.
            return message.only_for == user_id or user_id == self.bot.id
        channel = self.channels.get(message.channel_id)
        return channel is not None and self.sees(user_id, channel)

    def viewers(self, channel: Channel) -> list[int]:
        """Return the people who see a channel, in the order of their accounts."""
        return [user.id for user in self.people() if self.sees(user.id, channel)]

    def audience(self, message: Message) -> list[int]:
        """Return the people who see a message."""
        return [user.id for user in self.people() if self.sees_message(user.id, message)]

    def set_bot_permissions(self, bits: int, guild: Guild, channel: Channel | None = None) -> list[Channel]:
        """Give the bot exactly `bits` in a guild, or in one of its channels; return the changed channels.

        In a guild, its role gets them, and each channel denies it what @everyone has beyond them.
        """
        everyone = guild.roles[guild.id].permissions
        if channel is None:
            guild.bot_role.permissions = bits
        targets = guild.text_channels if channel is None else [channel]
        for target in targets:
            # An overwrite of a member outranks roles and @everyone.
            target.overwrites = [o for o in target.overwrites if o.id != self.bot.id]
            allow, deny = (0, everyone & ~bits) if channel is None else (bits, permissions.ALL & ~bits)
            if allow or deny:
                target.overwrites.append(Overwrite(self.bot.id, 1, allow, deny))
        return targets
