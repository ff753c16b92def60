"""Permissions: the bits, and how roles and overwrites add up (Discord's documentation, "Permissions")."""

from enum import IntFlag

from sandbox.model import Channel, Guild


class Permission(IntFlag):
    """The bits that the sandbox names; others are only numbers."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38


P = Permission
# As many bits as a number in JavaScript can hold exactly.
ALL = (1 << 53) - 1
# The permissions of @everyone in a new guild that concern text channels.
EVERYONE = int(
    P.VIEW_CHANNEL
    | P.SEND_MESSAGES
    | P.READ_MESSAGE_HISTORY
    | P.ADD_REACTIONS
    | P.USE_APPLICATION_COMMANDS
    | P.SEND_MESSAGES_IN_THREADS
)
# The permissions in the invitation of a bot for games.
BOT = int(
    EVERYONE | P.EMBED_LINKS | P.ATTACH_FILES | P.CREATE_PUBLIC_THREADS | P.MANAGE_THREADS | P.MANAGE_MESSAGES
)
# DMs have no roles: both sides always have these.
IN_DM = int(
    P.VIEW_CHANNEL
    | P.SEND_MESSAGES
    | P.READ_MESSAGE_HISTORY
    | P.EMBED_LINKS
    | P.ATTACH_FILES
    | P.ADD_REACTIONS
    | P.USE_APPLICATION_COMMANDS
    | P.MENTION_EVERYONE
)


def in_guild(guild: Guild, user_id: int) -> int:
    """Return the bits that a member's roles grant; 0: not a member."""
    if user_id == guild.owner_id:
        return ALL
    member = guild.members.get(user_id)
    if member is None:
        return 0
    bits = guild.roles[guild.id].permissions
    for role_id in member.roles:
        bits |= guild.roles[role_id].permissions
    return ALL if bits & P.ADMINISTRATOR else bits


def in_channel(guild: Guild, channel: Channel, user_id: int) -> int:
    """Return a member's bits in a channel: roles, then overwrites of @everyone, of roles and of the member.

    For a thread, pass its parent, whose overwrites count.
    """
    bits = in_guild(guild, user_id)
    member = guild.members.get(user_id)
    if member is None or bits == ALL:
        return bits
    allow = deny = 0
    for overwrite in channel.overwrites:
        if overwrite.kind == 0 and overwrite.id == guild.id:
            bits = (bits & ~overwrite.deny) | overwrite.allow
        elif overwrite.kind == 0 and overwrite.id in member.roles:
            allow |= overwrite.allow
            deny |= overwrite.deny
    bits = (bits & ~deny) | allow
    for overwrite in channel.overwrites:
        if overwrite.kind == 1 and overwrite.id == user_id:
            bits = (bits & ~overwrite.deny) | overwrite.allow
    # Without VIEW_CHANNEL, no other permission counts.
    return bits if bits & P.VIEW_CHANNEL else 0
