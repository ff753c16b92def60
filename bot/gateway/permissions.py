"""What the bot asks of Discord, and nothing more: intents, permissions, scopes, the link that invites it."""

from __future__ import annotations

import discord

NEEDED = (
    "view_channel",
    "send_messages",
    "create_public_threads",
    "send_messages_in_threads",
    "attach_files",
    "read_message_history",
)
"""Permissions that a match needs in its channel, by discord.py's names."""

SCOPES = ("bot", "applications.commands")
"""The OAuth2 scopes of the invite link: a member of the server, and slash commands."""


def intents() -> discord.Intents:
    """Return the gateway intents: servers and channels only, none of them privileged."""
    wanted = discord.Intents.none()
    wanted.guilds = True
    return wanted


def permissions() -> discord.Permissions:
    """Return the permissions that the bot needs in channels with matches."""
    return discord.Permissions(**dict.fromkeys(NEEDED, True))


def lacking(held: discord.Permissions) -> tuple[str, ...]:
    """Return the names of the needed permissions that are not held.

    Without View Channel no other permission counts in a channel: then it is named alone.
    """
    if not held.view_channel:
        return NEEDED[:1]
    return tuple(name for name in NEEDED if not getattr(held, name))


def held_in(channel: discord.abc.GuildChannel) -> discord.Permissions | None:
    """Return our permissions in a channel; ``None``: the server's roles or our member are unknown."""
    guild = channel.guild
    # discord.py takes both for granted.
    me, everyone = guild.get_member(guild._state.self_id or 0), guild.get_role(guild.id)  # noqa: SLF001
    return None if me is None or everyone is None else channel.permissions_for(me)


def invite_link(application_id: int | str) -> str:
    """Return the address that invites the bot with exactly these scopes and permissions."""
    return (
        f"https://discord.com/oauth2/authorize?client_id={application_id}"
        f"&scope={'+'.join(SCOPES)}&permissions={permissions().value}"
    )
