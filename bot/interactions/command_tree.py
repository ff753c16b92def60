"""The tree of slash commands: what discord.py does before a handler, and the commands' registration."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

import discord
from discord import app_commands

from bot.interactions.command_factory import Translator
from bot.interactions.reply import Reply, SeenInteractions, answer_completion, guarded
from bot.matches import Services

log = logging.getLogger(__name__)


class Tree(app_commands.CommandTree[discord.Client]):
    """The commands. What discord.py itself refuses, such as a command of an older version, is answered."""

    def __init__(self, client: discord.Client, seen: SeenInteractions) -> None:
        contexts = app_commands.AppCommandContext(guild=True, dm_channel=True)
        super().__init__(client, allowed_contexts=contexts)
        self._seen = seen

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Return whether to go on: not with one that was delivered twice, nor with what nothing completes."""
        if not self._seen.is_new(interaction.id):
            return False
        if interaction.type is discord.InteractionType.autocomplete and not _completes(interaction):
            await answer_completion(interaction, [])
            return False
        return True

    async def _call(self, interaction: discord.Interaction[Any]) -> None:
        # Whatever discord.py cannot read in a command comes to `on_error` too.
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except Exception as error:
            raise app_commands.AppCommandError(type(error).__name__) from error

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer privately; handlers answer for themselves, so this is about what never reached one."""
        log.warning("a command was refused: %s", type(error).__name__)
        if interaction.type is discord.InteractionType.autocomplete:
            await answer_completion(interaction, [])
        else:
            await guarded(Reply(interaction), lambda reply: reply.say(reply.texts.house("error.command")))

    async def register(self, services: Services) -> None:
        """Send the commands to Discord if they differ from those sent last, or are not there."""
        await self.set_translator(Translator())
        payload = await command_payload(self)
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        key = f"commands:{self.client.application_id}"
        names = {command.name for command in await self.fetch_commands()}
        if await services.settings.get_value(key) == digest and names == {item["name"] for item in payload}:
            return
        await self.sync()
        await services.settings.set_value(key, digest)
        log.info("registered %d commands", len(payload))


def _completes(interaction: discord.Interaction[Any]) -> bool:
    # The command may be that of an older version, whose options are not ours any more.
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
