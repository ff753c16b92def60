"""Payloads that discord.py cannot read: one costs an event, never the connection or the program."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from pkgutil import resolve_name
from typing import Any, NoReturn, TypeAlias

import aiohttp
import discord
import discord.gateway
import discord.state

from bot.runtime.log_setup import origin_of

log = logging.getLogger(__name__)


READY, RESUMED = "READY", "RESUMED"
"""Events that begin a session, and resume one."""


def guard_parsers() -> None:
    """Skip an event that discord.py cannot read, without losing anything else.

    discord.py would end the connection, and with it the program. A READY that cannot be read raises
    :class:`UnreadableReady`: without it there is no session.
    """
    state: Any = discord.state.ConnectionState
    begin = state.__init__

    def begin_guarded(self: Any, *arguments: Any, **options: Any) -> None:
        begin(self, *arguments, **options)
        for event, read in self.parsers.items():
            self.parsers[event] = _guarded(event, read)

    state.__init__ = begin_guarded


def _guarded(event: str, read: Callable[[Any], None]) -> Callable[[Any], None]:
    def reader(data: Any) -> None:
        try:
            read(data)
        except Exception as error:
            if event == READY:
                raise UnreadableReady from error
            _skipped(event, error)

    return reader


_CHANNEL = {"name": "", "position": 0, "bitrate": 64_000, "user_limit": 0}

MISSING_FIELDS: Mapping[str, Mapping[str, Any]] = {
    "discord.user:BaseUser._update": {"username": "", "discriminator": "0", "avatar": None},
    "discord.member:Member.__init__": {"roles": (), "flags": 0},
    "discord.role:Role._update": {"name": ""},
    "discord.message:Message.__init__": {"type": 0, "content": ""},
    "discord.interactions:Interaction._from_data": {"version": 1, "attachment_size_limit": 10 << 20},
    "discord.threads:Thread._from_data": {
        "parent_id": 0, "owner_id": 0, "name": "", "message_count": 0, "member_count": 0,
        "thread_metadata": {
            "archived": False, "auto_archive_duration": 1440, "archive_timestamp": None,
        },
    },
    "discord.channel:TextChannel._update": _CHANNEL,
    "discord.channel:CategoryChannel._update": _CHANNEL,
    "discord.channel:ForumChannel._update": _CHANNEL,
    "discord.channel:VocalGuildChannel._update": _CHANNEL,
}  # fmt: skip
"""discord.py's parsers, with defaults for fields that Discord's documentation calls optional, or that
substitutes for Discord omit. Without these, one missing field would cost a server, or a click."""


def fill_missing_fields() -> None:
    """Accept payloads without fields that discord.py expects but we do not need."""
    for parser, defaults in MISSING_FIELDS.items():
        owner, _, name = parser.rpartition(".")
        setattr(resolve_name(owner), name, _with_defaults(resolve_name(parser), defaults))


def _with_defaults(read: Callable[..., None], defaults: Mapping[str, Any]) -> Callable[..., None]:
    def reader(self: Any, *arguments: Any, **options: Any) -> None:
        # The payload is a keyword argument, or the last argument.
        data = options.get("data", arguments[-1] if arguments else None)
        if isinstance(data, dict) and not defaults.keys() <= data.keys():
            data = {**defaults, **data}
            if "data" in options:
                options["data"] = data
            else:
                arguments = (*arguments[:-1], data)
        read(self, *arguments, **options)

    return reader


def keep_channel_ids() -> None:
    """Keep an interaction's channel id if the channel itself is not sent.

    Discord's documentation calls ``channel`` optional; ``channel_id`` names a channel that may be known.
    """
    interaction = discord.Interaction
    read = interaction._from_data  # noqa: SLF001

    def from_data(self: discord.Interaction[Any], data: Any) -> None:
        number, guild = data.get("channel_id"), data.get("guild_id")
        if number is not None and not data.get("channel"):
            data = {**data, "channel": {"id": number} if guild else {"id": number, "type": 1}}
            if isinstance(message := data.get("message"), dict):
                # The message that it replies to would be read as one of that channel.
                data["message"] = {key: message[key] for key in message if key != "referenced_message"}
        read(self, data)
        if self.channel is None and number is not None:
            place: Any = discord.PartialMessageable(
                self._state, int(number), None if guild is None else int(guild)
            )
            self.channel = place

    interaction._from_data = from_data  # type: ignore[method-assign]  # noqa: SLF001


def complete_ready(socket: discord.gateway.DiscordWebSocket, text: str) -> str:
    """Return a session's READY with missing fields filled in from its connection; any other text as it is."""
    if socket.session_id is not None or f'"{READY}"' not in text:
        return text
    try:
        payload = json.loads(text)
        if payload["t"] != READY:
            return text
        data = payload["d"]
        shard = [socket.shard_id or 0, socket.shard_count or 1]
        known = {"shard": shard, "guilds": [], "resume_gateway_url": str(socket.DEFAULT_GATEWAY)}
        payload["d"] = {**known, **{key: value for key, value in data.items() if value is not None}}
        application = payload["d"].get("application")
        if isinstance(application, dict):
            application.setdefault("flags", 0)
        return json.dumps(payload)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return text


class UnreadableReady(Exception):  # noqa: N818 - a finding, not a fault
    """The gateway's READY for a new session cannot be read."""


def _skipped(what: str, error: Exception) -> None:
    # Only the error's origin: its message may quote what somebody typed.
    log.warning("gateway payload unreadable (%s: %s)", what, origin_of(error))


def survive_unreadable() -> None:
    """Go on after a payload that discord.py cannot read: it would end."""
    socket = discord.gateway.DiscordWebSocket
    receive = socket.received_message

    async def received_message(self: discord.gateway.DiscordWebSocket, message: Any, /) -> None:
        await _receive(self, message, receive)

    socket.received_message = received_message  # type: ignore[method-assign]


_Receive: TypeAlias = Callable[[discord.gateway.DiscordWebSocket, Any], Awaitable[None]]


async def _receive(socket: discord.gateway.DiscordWebSocket, message: Any, receive: _Receive) -> None:
    text = message
    try:
        if isinstance(message, bytes):
            text = socket._decompressor.decompress(message)  # noqa: SLF001
    except Exception as error:
        # Everything after it on this connection would be unreadable too.
        _skipped("compression", error)
        await _hang_up(socket, resume=socket.session_id is not None)
    if text is None:
        return  # the rest of it is still to come
    try:
        await receive(socket, complete_ready(socket, text))
    except (discord.DiscordException, discord.gateway.ReconnectWebSocket, aiohttp.ClientError, OSError):
        raise  # the connection is gone, or Discord has requested a new one
    except Exception as error:
        event = _event(text)
        _skipped(event or "no event", error)
        if event == READY:
            await _hang_up(socket, resume=False)
        # The first payload has the heartbeat interval: nothing works without it.
        if socket._keep_alive is None:  # noqa: SLF001
            await _hang_up(socket, resume=socket.session_id is not None)
        if event == RESUMED:
            socket._discord_parsers[event]({"__shard_id__": socket.shard_id})  # noqa: SLF001


async def _hang_up(socket: discord.gateway.DiscordWebSocket, *, resume: bool) -> NoReturn:
    if not resume:
        socket.session_id = socket.sequence = None
        socket.gateway = socket.DEFAULT_GATEWAY
    await socket.close()
    raise discord.gateway.ReconnectWebSocket(socket.shard_id, resume=resume)


def _event(text: Any) -> str:
    try:
        return str(json.loads(text)["t"] or "")
    except (ValueError, TypeError, LookupError, RecursionError):
        return ""
