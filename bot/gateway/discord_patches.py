"""What we change in discord.py: patches, applied by one call when the bot starts, and its objects' cycles.

Each patch names the version that needs it, and has a test that fails once discord.py behaves differently.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import Any

import discord
import discord.gateway
import discord.http
import yarl
from discord.ui.view import BaseView

from bot.config import StartError, is_loopback
from bot.gateway import payloads, rate_limits, session_starts

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patch:
    """One change of discord.py: ``make`` replaces or relies on ``targets``, whose code was read.

    ``version`` needs it. Another version needs it if their code is the same, by its :meth:`digest`.
    """

    purpose: str
    version: str
    targets: tuple[str, ...]
    code: str
    make: Callable[[], None]

    def digest(self) -> str:
        """Return a digest of the targets' source; raises what looking for missing ones raises."""
        sources = [inspect.getsource(resolve_name(target)) for target in self.targets]
        return hashlib.sha256("\0".join(sources).encode()).hexdigest()[:12]

    def is_needed(self) -> bool:
        """Return whether the installed discord.py is, here, the code that the patch was written for."""
        if discord.__version__ == self.version:
            return True
        try:
            return self.digest() == self.code
        except (ImportError, AttributeError, TypeError, OSError):
            return False


def _silence_voice() -> None:
    # This bot has no voice; without this, discord.py warns at every start that it could not use it.
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False


PATCHES = (
    Patch(
        "no warnings about voice",
        "2.7.1",
        ("discord.client:Client.__init__",),
        "bc137ad0ca45",
        _silence_voice,
    ),
    Patch(
        "unreadable payloads",
        "2.7.1",
        ("discord.gateway:DiscordWebSocket.received_message",),
        "62c9f5ec6596",
        payloads.survive_unreadable,
    ),
    Patch(
        "unreadable events",
        "2.7.1",
        ("discord.state:ConnectionState.__init__",),
        "b1227e859a2e",
        payloads.guard_parsers,
    ),
    Patch(
        "missing fields", "2.7.1", (*payloads.MISSING_FIELDS,), "abb0ba3b49da", payloads.fill_missing_fields
    ),
    Patch(
        "an interaction's channel",
        "2.7.1",
        ("discord.interactions:Interaction._from_data",),
        "34807e2ab60a",
        payloads.keep_channel_ids,
    ),
    Patch(
        "pauses before sessions",
        "2.7.1",
        ("discord.shard:Shard.reidentify", "discord.shard:Shard.reconnect"),
        "a43639e7c7ce",
        session_starts.pause_before_sessions,
    ),
    Patch(
        "connections of failed sessions",
        "2.7.1",
        ("discord.gateway:DiscordWebSocket.identify", "discord.gateway:DiscordWebSocket.resume"),
        "519472cfe07b",
        session_starts.close_failed_sessions,
    ),
    Patch(
        "waits for rate limits",
        "2.7.1",
        ("discord.http:Ratelimit", "discord.http:HTTPClient.request"),
        "d26dd07a8e42",
        rate_limits.limit_waits,
    ),
    Patch(
        "the global rate limit",
        "2.7.1",
        ("discord.http:HTTPClient.request",),
        "02f1209000b1",
        rate_limits.release_waiters,
    ),
)
"""All of them, with a digest of the code that each was written for."""


@cache
def apply() -> None:
    """Apply the patches that the installed discord.py needs, log those that are skipped; do so once."""
    apply_needed(PATCHES)


def apply_needed(patches: Iterable[Patch]) -> None:
    """Apply those patches that are needed, and log the others."""
    # All are judged first: one changes what another looks at.
    for patch, is_needed in [(patch, patch.is_needed()) for patch in patches]:
        if is_needed:
            patch.make()
        else:
            log.warning(
                "discord.py %s: patch skipped (%s): its code is not that of %s",
                discord.__version__,
                patch.purpose,
                patch.version,
            )


def break_cycles(interaction: discord.Interaction[Any]) -> None:
    """Break the reference cycle between a finished interaction and its response.

    Both, and the clicked message with all its options, are then freed at once, without garbage collection.
    """
    with suppress(AttributeError):  # it was never answered
        del interaction._cs_response  # type: ignore[attr-defined]  # noqa: SLF001


def finish(view: BaseView) -> None:
    """Stop a view before it is sent, and break the references of its items to it and to each other.

    discord.py does not store stopped views, so its store neither grows nor has anything to free. Clicks
    arrive by custom id alone, and sending reads views downwards: no item needs to refer upwards.
    """
    # Outside an event loop, as in the doctor, there is nothing to stop.
    if _in_loop():
        view.stop()
    for item in view.walk_children():
        item._view = item._parent = None  # noqa: SLF001


def _in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class UploadedFile(discord.File):
    """A file to upload from memory, which leaves nothing to the garbage collector."""

    def close(self) -> None:
        """Free the buffer: discord.py's own method would make it refer to itself."""
        vars(self.fp).clear()


def point_discord_at(api_url: str, gateway_url: str | None) -> None:
    """Make discord.py use another Discord on this computer, or a proxy for the real one.

    discord.py builds all addresses from these two; with a proxy, the gateway's is left unchanged.
    Raises :class:`StartError` for another Discord elsewhere.
    """
    if gateway_url is not None:
        for url in (api_url, gateway_url):
            if not is_loopback(yarl.URL(url).host or ""):
                raise StartError(
                    "Another Discord than the real one may only be on this computer (127.0.0.1)."
                )
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)
    discord.http.Route.BASE = api_url.rstrip("/")
