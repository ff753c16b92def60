"""The tree of slash commands: what discord.py does before a handler, and the commands' registration."""

from __future__ import annotations

import hashlib
import json
import logging
import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.http import Route

from bot.gateway.discord_errors import failure_of
from bot.interactions.command_factory import Translator
from bot.interactions.intake import Intake
from bot.interactions.reply import Reply, SeenInteractions, answer_completion, guarded
from bot.matches import Services
from bot.pages.mentions import CommandMentions
from bot.runtime.heartbeat import Conditions
from bot.runtime.log_setup import origin_of

log = logging.getLogger(__name__)

UNAUTHORIZED, SERVER_ERROR = 401, 500

RETRY_DELAY_S = 600.0
"""Seconds until commands are sent again after a failure on Discord's side."""

ERROR_LIMIT = 250
"""Maximum characters of Discord's error that are reported."""

CONDITION = "commands"

ENTRY_POINT = 4
"""The type of the command that launches an Activity: Discord adds it where Activities are enabled."""

_COMMANDS = "/applications/{application_id}/commands"

_TAKEN = (
    *("id", "type", "name", "name_localizations", "description", "description_localizations"),
    *("default_member_permissions", "contexts", "integration_types", "handler"),
)
"""Fields of a command that Discord accepts as it returned them."""


class Tree(app_commands.CommandTree[discord.Client]):
    """The commands. Also answers what discord.py itself refuses, such as a command of an older version."""

    def __init__(
        self,
        client: discord.Client,
        seen: SeenInteractions,
        intake: Intake | None = None,
        mentions: CommandMentions | None = None,
    ) -> None:
        contexts = app_commands.AppCommandContext(guild=True, dm_channel=True)
        super().__init__(client, allowed_contexts=contexts)
        self._seen = seen
        self._intake = intake or Intake()
        self._mentions = mentions or CommandMentions()

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Return whether to handle an interaction: not if it is a duplicate, or nothing completes it."""
        if not self._seen.is_new(interaction.id):
            return False
        if interaction.type is discord.InteractionType.autocomplete and not _completes(interaction):
            await answer_completion(interaction, [])
            return False
        return True

    async def _call(self, interaction: discord.Interaction[Any]) -> None:
        # Anything that discord.py cannot read in a command goes to `on_error` too.
        try:
            await self._intake.handle(interaction, super()._call(interaction))
        except app_commands.AppCommandError:
            raise
        except Exception as error:
            raise app_commands.AppCommandError(type(error).__name__) from error

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer privately a command that never reached its handler; handlers answer for themselves."""
        log.warning("command refused: %s", origin_of(error))
        if interaction.type is discord.InteractionType.autocomplete:
            await answer_completion(interaction, [])
        else:
            await guarded(Reply(interaction), lambda reply: reply.say(reply.texts.house("error.command")))

    async def register(self, services: Services, registration: Registration) -> None:
        """Send the commands to Discord if they differ from those sent last, or are missing there.

        This raises only for a wrong token: any other refusal is reported in the log and by the doctor, and
        the old commands keep working.
        """
        await self.set_translator(Translator())
        payload = await command_payload(self)
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        key = f"commands:{self.client.application_id}"
        sent_last = await services.settings.get_value(key)
        try:
            theirs = await self._registered()
            names = {item["name"] for item in payload}
            if sent_last == digest and (theirs is None or theirs.names == names):
                return
            if not registration.may_send(digest):
                return
            await self._send(payload, () if theirs is None else theirs.entry_points)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            registration.note_refusal(digest, error)
            return
        registration.note_success()
        await services.settings.set_value(key, digest)
        log.info("registered %d commands", len(payload))

    async def learn_mentions(self) -> None:
        """Learn the ids of commands that another process registers; after a failure only log it."""
        try:
            await self._registered()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("texts name commands in plain words: %s", failure_of(error))

    async def _registered(self) -> Registered | None:
        """Return the commands that Discord has; ``None`` if it does not list them readably.

        Texts mention them from then on.
        """
        route = Route("GET", _COMMANDS, application_id=self.client.application_id)
        try:
            listed = await self.client.http.request(route, params={"with_localizations": "true"})
            found = Registered.read(listed)
            self._mentions.learn(listed)
        except discord.HTTPException as error:
            if error.status == UNAUTHORIZED or error.status >= SERVER_ERROR:
                raise
            log.warning("registered commands could not be listed (%d, code %d)", error.status, error.code)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            log.warning("registered commands could not be read (%s)", origin_of(error))
        else:
            return found
        return None

    async def _send(self, payload: list[dict[str, Any]], entry_points: Sequence[dict[str, Any]]) -> None:
        route = Route("PUT", _COMMANDS, application_id=self.client.application_id)
        # Discord has accepted them even if its response cannot be read.
        with suppress(ValueError, LookupError, TypeError, AttributeError):
            self._mentions.learn(await self.client.http.request(route, json=[*payload, *entry_points]))


@dataclass(frozen=True, slots=True)
class Registered:
    """The bot's commands that Discord has."""

    names: frozenset[str]
    """Those that the bot has sent."""
    entry_points: tuple[dict[str, Any], ...] = field(repr=False)
    """Those that Discord added for an Activity. It refuses a set without them (400, 50240)."""

    @classmethod
    def read(cls, listed: Any) -> Registered:
        """Read Discord's list; if it is none, raises ``LookupError``, ``TypeError`` or the like."""
        kinds = [(item.get("type", 1), item) for item in listed]
        entry_points = [item for kind, item in kinds if kind == ENTRY_POINT]
        return cls(
            frozenset(str(item["name"]) for kind, item in kinds if kind != ENTRY_POINT),
            tuple({key: item[key] for key in _TAKEN if item.get(key) is not None} for item in entry_points),
        )


class Registration:
    """Whether Discord accepted the commands that were sent, over all clients of this process."""

    def __init__(self, conditions: Conditions, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._conditions = conditions
        self._clock = clock
        self._refused = ""
        self._again = 0.0

    def may_send(self, digest: str) -> bool:
        """Return whether to send a set of commands: a refused one waits for its retry or the next start."""
        return digest != self._refused or self._clock() >= self._again

    def again_in(self) -> float | None:
        """Return the seconds until commands may be sent again; ``None`` if there is nothing to resend."""
        if not self._refused or math.isinf(self._again):
            return None
        return max(1.0, self._again - self._clock())

    def note_success(self) -> None:
        """Record that Discord accepted the commands."""
        self._refused = ""
        self._conditions.clear(CONDITION)

    def note_refusal(self, digest: str, error: Exception) -> None:
        """Record that Discord refused the commands, or failed; re-raises the error of a wrong token."""
        if isinstance(error, discord.RateLimited):
            said, wait = "429: too many changes of commands", error.retry_after
        elif not isinstance(error, discord.HTTPException):
            said, wait = type(error).__name__, RETRY_DELAY_S
        elif error.status == UNAUTHORIZED:
            raise error
        else:
            said = f"{error.status}, code {error.code}: {' '.join(error.text.split())}"
            wait = math.inf if error.status < SERVER_ERROR else RETRY_DELAY_S
        self._refused, self._again = digest, self._clock() + wait
        log.error("Discord refused the commands (%s); the registered ones keep working", said[:ERROR_LIMIT])
        self._conditions.note(CONDITION, f"Discord refused them ({said[:ERROR_LIMIT]})")


def _completes(interaction: discord.Interaction[Any]) -> bool:
    # The command may be one of an older version, with options that do not exist any more.
    if not isinstance(interaction.command, app_commands.Command):
        return False
    given = {name for name, _ in interaction.namespace}
    focused = next((option["name"] for option in _options(interaction.data) if option.get("focused")), "")
    parameter = interaction.command.get_parameter(focused) if focused in given else None
    return parameter is not None and parameter.autocomplete


def _options(data: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for option in data.get("options", []):
        found += [option, *_options(option)]
    return found


async def command_payload(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Return the commands as they are sent to Discord."""
    translator = Translator()
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
