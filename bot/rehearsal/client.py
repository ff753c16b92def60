"""The bot's own client, with the rehearsal in place of matches: it does not answer players."""

from __future__ import annotations

from typing import Any

import discord
from discord.app_commands import Choice, locale_str

from bot.gateway.connection import Client
from bot.interactions.command_factory import SERVERS, Option, Translator, Values, command
from bot.interactions.command_tree import Tree
from bot.interactions.reply import Reply, SeenInteractions
from bot.rehearsal.desk import Desk
from bot.rehearsal.wire import Wire

COMMAND = "rehearse"
WORD = "word"
COMPLETIONS = ("gondola", "lagoon", "regatta")
"""The completions of the command's option."""


class RehearsalTree(Tree):
    """The rehearsal's command, in one server alone."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Return whether to go on: only with the rehearsal's own command, and only once."""
        data: Any = interaction.data or {}
        return data.get("name") == COMMAND and await super().interaction_check(interaction)


class RehearsalClient(Client):
    """A client that passes interactions to the desk. Its requests are traced."""

    guild: discord.Object
    """The server that the commands are for."""

    def __init__(self, desk: Desk, wire: Wire) -> None:
        super().__init__()
        self.http.http_trace = wire.trace()
        self.desk = desk
        self.completed: list[str] = []
        """What was typed each time a completion was requested."""
        self.tree = RehearsalTree(self, SeenInteractions())

    def play_in(self, guild: int) -> None:
        """Add the rehearsal's command for one server alone; this does not register it."""
        self.guild = discord.Object(guild)
        word = Option(WORD, locale_str("Any of the words that are offered"), completer=self._complete)
        about = locale_str("Bauta rehearses here: do as its message says")
        self.tree.add_command(
            command(COMMAND, about, self._commanded, [word], contexts=SERVERS), guild=self.guild
        )

    async def setup_hook(self) -> None:
        """Translate the commands' texts as the bot's are."""
        await self.tree.set_translator(Translator())

    async def on_ready(self) -> None:
        """Note that it has been connected."""
        self.served = True

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Hand clicks and modals to the desk; commands come through the tree."""
        kinds = (discord.InteractionType.component, discord.InteractionType.modal_submit)
        if interaction.type in kinds:
            await self.desk.take(interaction)

    async def _commanded(self, reply: Reply, values: Values) -> None:
        given = values.get(WORD)
        await self.desk.take_command(COMMAND, reply, () if given is None else (given,))

    async def _complete(self, _: Reply, typed: str) -> list[Choice[str]]:
        self.completed.append(typed)
        return [Choice(name=word, value=word) for word in COMPLETIONS if typed.casefold() in word]
