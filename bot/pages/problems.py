"""What keeps a match from being shown, and how its players are told to solve it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import discord

from bot.discord_errors import FORBIDDEN, ThreadLocked, code_of
from bot.domain.tables import Place
from bot.pages.texts import Texts
from bot.permissions import lacking


@dataclass(frozen=True, slots=True)
class Problem:
    """Why the board of a match may be out of date."""

    key: str
    """The text of the house's catalogue that says it."""
    guild_id: int
    lacking: tuple[str, ...] = ()
    """The permissions that the bot needs and has not, where it knows them."""

    def text(self, texts: Texts) -> str:
        """Return what is wrong, and what would solve it."""
        if not self.lacking:
            return texts.house(self.key)
        return texts.house(self.key, permissions=named(self.lacking, texts))


def lacking_in(client: discord.Client, place: Place) -> tuple[str, ...]:
    """Return the needed permissions that the bot has not in a table's channel, as far as it was told."""
    guild = client.get_guild(place.guild_id)
    channel = guild.get_channel(place.channel_id) if guild is not None else None
    if channel is None:
        return ()
    found = lacking(channel.permissions_for(channel.guild.me))
    if "send_messages" in found:
        # Without it a channel takes no file either, whatever else is allowed.
        return tuple(name for name in found if name != "attach_files")
    return found


def problem_of(error: Exception, client: discord.Client, place: Place) -> Problem | None:
    """Return the problem behind an error, if somebody on the match's server can solve it."""
    if not isinstance(error, ThreadLocked) and code_of(error) not in FORBIDDEN:
        return None
    if client.get_guild(place.guild_id) is None:
        return Problem("problem.outside", place.guild_id)
    missing = lacking_in(client, place)
    if missing:
        return Problem("problem.permissions", place.guild_id, missing)
    return Problem(
        "problem.locked" if isinstance(error, ThreadLocked) else "problem.forbidden", place.guild_id
    )


def channel_deleted(place: Place) -> Problem:
    """Return the problem of a match whose channel was deleted."""
    return Problem("problem.gone", place.guild_id)


def named(permissions: Iterable[str], texts: Texts) -> str:
    """Return permissions as Discord calls them, as one list in a sentence."""
    return texts.listing(texts.house(f"permission.{name}") for name in permissions)
