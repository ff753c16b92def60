"""Checks of the bot's permissions: in each server, channel by channel, by Discord's own rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord

from bot.cli.doctor.report import Finding, fail, note, ok, unfinished
from bot.cli.doctor.rest import Rest, Unreachable
from bot.gateway.permissions import NEEDED, invite_link, permissions
from bot.interactions.play import TABLE_CHANNELS
from bot.pages.texts import Texts, shorten

EVERYTHING = (1 << 53) - 1
NAMED = 5
"""Channels that are named in one line, at most."""

PAGE = 200
"""Servers per response."""

_KINDS = frozenset(kind.value for kind in TABLE_CHANNELS)


async def check_servers(rest: Rest, application: Mapping[str, Any]) -> list[Finding]:
    """Return one finding for each server that the bot is in."""
    invite = f"Invite it with {invite_link(application['id'])}"
    found: list[Finding] = []
    after, seen = "0", set[str]()
    while True:
        answer = await rest.get(f"/users/@me/guilds?limit={PAGE}&after={after}")
        guilds = [guild for guild in answer.data if guild["id"] not in seen] if answer.fine else []
        found += [await _guarded(rest, guild, application) for guild in guilds]
        # A substitute for Discord may not support pages, and return the same servers endlessly.
        if len(guilds) < PAGE:
            return found or [fail("servers", "the bot is in no server yet", invite)]
        seen |= {guild["id"] for guild in guilds}
        after = guilds[-1]["id"]


async def _guarded(rest: Rest, guild: Mapping[str, Any], application: Mapping[str, Any]) -> Finding:
    """Check one server; an error with it hides no other."""
    try:
        return await _server(rest, guild, application)
    except Unreachable:
        raise
    except Exception as error:
        return unfinished("server", error, f"“{shorten(str(guild.get('name')), 40)}”: ")


async def _server(rest: Rest, guild: Mapping[str, Any], application: Mapping[str, Any]) -> Finding:
    name, server = f"“{shorten(str(guild['name']), 40)}”", guild["id"]
    me = application.get("bot", {}).get("id", application["id"])
    answers = [
        await rest.get(f"/guilds/{server}"),
        await rest.get(f"/guilds/{server}/members/{me}"),
        await rest.get(f"/guilds/{server}/channels"),
    ]
    if not all(answer.fine for answer in answers):
        status = next(answer.status for answer in answers if not answer.fine)
        return fail(
            "server", f"{name} cannot be asked (HTTP {status})", "Has the bot just been removed there?"
        )
    whole, member, channels = (answer.data for answer in answers)
    return judge(name, whole, member, channels, application["id"])


def judge(
    name: str, guild: Mapping[str, Any], member: Mapping[str, Any], channels: list[Any], application_id: str
) -> Finding:
    """Judge the bot's permissions in a server; the arguments after the name are Discord's objects."""
    base = in_server(guild, member)
    places = [channel for channel in channels if channel["type"] in _KINDS]
    seen = [(one["name"], missing(in_channel(guild, member, one))) for one in places]
    seen = [(channel, lacks) for channel, lacks in seen if "view_channel" not in lacks]
    whole = [channel for channel, lacks in seen if not lacks]
    if not whole:
        lacks = missing(base) or (seen[0][1] if seen else ["view_channel"])
        return fail(
            "server",
            f"{name}: it can be played in no channel; it lacks {Texts().permissions(lacks)}",
            f"Give the bot's role these permissions, or invite it again: {invite_link(application_id)}",
        )
    text = f"{name}: it can be played in {len(whole)} of the {len(seen)} channels that the bot sees"
    if len(whole) < len(seen):
        partly = [f"#{channel} lacks {Texts().permissions(lacks)}" for channel, lacks in seen if lacks]
        more = f" and {len(partly) - NAMED} more" if len(partly) > NAMED else ""
        return note("server", f"{text}; {'; '.join(partly[:NAMED])}{more}", _MEND)
    surplus = _surplus(guild, application_id)
    if surplus:
        return note("server", f"{text}; its role has more than it needs: {surplus}", _TAKE_AWAY)
    return ok("server", text)


_MEND = "Mend it under Edit Channel → Permissions, or hide the channel from the bot."
_TAKE_AWAY = "Take them away under Server Settings → Roles: the bot uses none of them."


def in_server(guild: Mapping[str, Any], member: Mapping[str, Any]) -> int:
    """Return the permission bits that a member's roles give."""
    roles = {role["id"]: int(role["permissions"]) for role in guild["roles"]}
    bits = roles.get(guild["id"], 0)
    for role in member["roles"]:
        bits |= roles.get(role, 0)
    return EVERYTHING if bits & discord.Permissions.administrator.flag else bits


def in_channel(guild: Mapping[str, Any], member: Mapping[str, Any], channel: Mapping[str, Any]) -> int:
    """Return the bits in a channel: overwrites of everyone, then of the roles, then of the member."""
    bits = in_server(guild, member)
    if bits == EVERYTHING:
        return bits
    mine = [{guild["id"]}, set(member["roles"]), {member["user"]["id"]}]
    for whose in mine:
        rules = [rule for rule in channel.get("permission_overwrites", []) if rule["id"] in whose]
        # As in Discord, denials are applied before allowances on each level.
        for rule in rules:
            bits &= ~int(rule["deny"])
        for rule in rules:
            bits |= int(rule["allow"])
    return bits


def missing(bits: int) -> list[str]:
    """Return the needed permissions that ``bits`` lack, by discord.py's names."""
    held = discord.Permissions(bits)
    return [name for name in NEEDED if not getattr(held, name)]


def _surplus(guild: Mapping[str, Any], application_id: str) -> str:
    # Only the role that came with the bot is judged: others are the server's.
    tagged = (role for role in guild["roles"] if role.get("tags", {}).get("bot_id") == application_id)
    role = next(tagged, None)
    if role is None:
        return ""
    beyond = discord.Permissions(int(role["permissions"]) & ~permissions().value)
    return ", ".join(name.replace("_", " ").title() for name, on in beyond if on)
