"""Checks that ask Discord: token, clock, intents, commands, permissions. None changes anything."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, NoReturn

import discord

from bot.app import Bauta
from bot.cli.doctor.report import Finding, fail, guarded, note, ok, unfinished
from bot.cli.doctor.rest import Answer, Rest, Unreachable
from bot.gateway.permissions import NEEDED, intents, invite_link, permissions
from bot.interactions.command_tree import ENTRY_POINT, command_payload
from bot.interactions.play import TABLE_CHANNELS
from bot.matches import build_services
from bot.matches.table_cache import TableCache
from bot.pages.texts import Texts, shorten
from bot.store import Reader, StoreError, Transaction
from bot.workers.painting_pool import PaintingPool
from bot.workers.thinking_pool import ThinkingPool

HOW_TO_GET_IT = (
    "Copy the token from the developer portal (your application, Bot, Reset Token) into DISCORD_TOKEN,\n"
    "or into the file that DISCORD_TOKEN_FILE names."
)
RETRY = "Try again later; https://discordstatus.com says whether others have the same trouble."
CONNECTION = "Is this computer online? Does a firewall or a proxy stand in the way of discord.com?"

SKEW_NOTE, SKEW_FAIL = 3.0, 30.0
"""Seconds between this computer's clock and Discord's that make a note, and a failure."""

SESSIONS_LOW = 50
"""Starts left today below which a note is due: a bot that keeps restarting uses them up."""

PRIVILEGED: Mapping[str, int] = {
    "Presence": 1 << 12 | 1 << 13,
    "Server Members": 1 << 14 | 1 << 15,
    "Message Content": 1 << 18 | 1 << 19,
}
"""Flags of an application that has a privileged intent, by the intent's name in the portal."""


async def check_discord(rest: Rest) -> list[Finding]:
    """Run all checks that need the token."""
    try:
        user, application = await rest.get("/users/@me"), await rest.get("/applications/@me")
    except Unreachable as error:
        return [fail("discord", f"cannot be reached: {error}", f"{CONNECTION}\n{RETRY}")]
    if not user.fine or not application.fine:
        return [_refused(user if not user.fine else application)]
    findings = [
        *guarded("token", lambda: _token(user.data, application.data)),
        *guarded("clock", lambda: _clock(user.skew)),
        *guarded("invite", lambda: ok("invite", invite_link(application.data["id"]))),
    ]
    for check in (_intents, _gateway, _commands, check_servers):
        name = check.__name__.removeprefix("_").removeprefix("check_")
        try:
            findings += await check(rest, application.data)
        except Unreachable as error:
            findings.append(fail(name, f"no answer: {error}", RETRY))
        except Exception as error:
            findings.append(unfinished(name, error))
    return findings


def _refused(answer: Answer) -> Finding:
    if answer.status == 401:
        return fail("token", "Discord does not know this token", HOW_TO_GET_IT)
    return fail("token", f"Discord refuses it (HTTP {answer.status})", HOW_TO_GET_IT)


def _token(user: Mapping[str, Any], application: Mapping[str, Any]) -> Finding:
    return ok("token", f"belongs to {user['username']}, application {application['id']}")


def _clock(skew: float | None) -> Finding:
    if skew is None:
        return note("clock", "Discord's answer has no time to compare with")
    text = f"{abs(skew):.1f} s {'ahead of' if skew > 0 else 'behind'} Discord's"
    advice = "Let the system keep its clock by the network (timedatectl set-ntp true)."
    if abs(skew) >= SKEW_FAIL:
        return fail("clock", text, advice)
    return note("clock", text, advice) if abs(skew) >= SKEW_NOTE else ok("clock", text)


async def _intents(_rest: Rest, application: Mapping[str, Any]) -> list[Finding]:
    asked = ", ".join(name for name, on in intents() if on)
    flags = int(application.get("flags", 0))
    granted = [name for name, bits in PRIVILEGED.items() if flags & bits]
    if granted:
        text = f"asks for {asked} only, but the application also has {', '.join(granted)}"
        advice = "Switch it off in the developer portal (Bot, Privileged Gateway Intents)."
        return [note("intents", text, advice)]
    return [ok("intents", f"asks for {asked} only; no privileged one is granted")]


async def _gateway(rest: Rest, _application: Mapping[str, Any]) -> list[Finding]:
    answer = await rest.get("/gateway/bot")
    if not answer.fine:
        return [fail("gateway", f"its address is refused (HTTP {answer.status})", RETRY)]
    limit = answer.data.get("session_start_limit", {})
    left, total = limit.get("remaining"), limit.get("total")
    text = f"{answer.data['shards']} shards, {left} of {total} starts left today"
    if isinstance(left, int) and left < SESSIONS_LOW:
        return [note("gateway", text, "Does something start the bot again and again? See its log.")]
    return [ok("gateway", text)]


async def _commands(rest: Rest, application: Mapping[str, Any]) -> list[Finding]:
    answer = await rest.get(f"/applications/{application['id']}/commands?with_localizations=true")
    if not answer.fine:
        return [fail("commands", f"they cannot be listed (HTTP {answer.status})", RETRY)]
    ours = {item["name"]: item for item in await _payload()}
    # The command that launches an Activity is Discord's own.
    theirs = {item["name"]: item for item in answer.data if item.get("type", 1) != ENTRY_POINT}
    again = "Start the bot: it registers its commands then. If it runs already, see its log."
    if not theirs:
        return [fail("commands", "none is registered", again)]
    parts = [
        f"{word}: {', '.join(f'/{name}' for name in sorted(names))}"
        for word, names in (
            ("missing", ours.keys() - theirs.keys()),
            ("left over", theirs.keys() - ours.keys()),
            (
                "outdated",
                {name for name in ours.keys() & theirs.keys() if not agrees(ours[name], theirs[name])},
            ),
        )
        if names
    ]
    if parts:
        return [fail("commands", "; ".join(parts), again)]
    return [ok("commands", f"{len(ours)} are registered as they are here")]


def agrees(ours: Any, theirs: Any) -> bool:
    """Return whether Discord has what we would send: it omits empty values, and adds fields of its own."""
    if isinstance(ours, dict):
        other = theirs if isinstance(theirs, dict) else {}
        return all(agrees(value, other.get(key)) for key, value in ours.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        # Contexts and types are sets: Discord returns them in its own order.
        if all(isinstance(item, int) for item in ours):
            return sorted(ours) == sorted(theirs)
        return len(ours) == len(theirs) and all(map(agrees, ours, theirs))
    return ours == theirs or (not ours and not theirs)


async def _payload() -> list[dict[str, Any]]:
    # The client never connects: it only lists the commands that it would send.
    wake = asyncio.Event()
    client = Bauta(
        build_services(TableCache(_NoStore(), wake=wake.set), thinker=ThinkingPool()),
        PaintingPool(workers=1),
        wake,
        restore_id="",
    )
    return await command_payload(client.tree)


class _NoStore:
    """A store for a client that serves nobody."""

    sharing: None = None
    files: Mapping[str, str] = {}

    def read(self) -> AbstractAsyncContextManager[Reader]:
        self._refuse()

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        self._refuse()

    async def scrub(self) -> None:
        self._refuse()

    async def close(self) -> None:
        """Do nothing: nothing is open."""

    def _refuse(self) -> NoReturn:
        raise StoreError("The doctor does not open the database for the bot.")


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
