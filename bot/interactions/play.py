"""``/play <game>``: one subcommand per game, made from its manifest."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.domain.clocks import Pace, TimeUp
from bot.domain.refusals import Refusal
from bot.domain.tables import DEFAULT_THEME, Person, Place
from bot.gateway.permissions import lacking
from bot.interactions.command_factory import (
    INSTALLS,
    SERVERS,
    Handler,
    Option,
    Values,
    command,
    game_text,
    house_text,
    theme_choices,
)
from bot.interactions.context import Context
from bot.interactions.reply import Reply, person_of
from bot.interactions.server import opener_of
from bot.matches.lobby import USUAL_LEVEL
from bot.pages.clocks import PACES, TIME_UPS
from bot.pages.lobby import LEVELS, has_levels, invitation_receipt
from bot.pages.shuffle import join_receipt
from bot.pages.texts import Texts
from bot.workers.painter import known_theme
from engines.core.contract import Manifest, msg
from engines.core.optional_methods import Level
from engines.core.registry import game, games
from engines.core.setups import usual_seats

INVITED = 3
"""Maximum people that a host can invite by name."""

PLAYERS = "players"
COMPUTERS = "computers"
LEVEL = "level"
HINTS = "hints"
THEME = "theme"
PACE = "pace"
TIME_UP = "time_up"
OPPONENTS = tuple("opponent" if i == 0 else f"opponent{i + 1}" for i in range(INVITED))

TABLE_CHANNELS = (discord.ChannelType.text, discord.ChannelType.news)


class Play:
    """Opens tables."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def group(self) -> app_commands.Group:
        """Return the command group with one subcommand for every game that is installed."""
        group = app_commands.Group(
            name="play",
            description=house_text("command.play"),
            allowed_contexts=SERVERS,
            allowed_installs=INSTALLS,
        )
        for each in games().values():
            manifest = each.manifest
            tagline, options = game_text(manifest.key, manifest.tagline), options_of(manifest)
            group.add_command(command(manifest.key, tagline, self._handler(manifest), options, contexts=None))
        return group

    # A method of its own binds the manifest: a function made in the loop would see its last one.
    def _handler(self, manifest: Manifest) -> Handler:
        async def handle(reply: Reply, values: Values) -> None:
            await reply.defer()
            await self.open(reply, manifest, values)

        return handle

    async def open_first(self, reply: Reply, key: str) -> None:
        """Open the usual table for a person who has done the lessons, against computers of the first level.

        Raises :class:`Refusal` if no table is possible here, saying where and how to open it.
        """
        manifest = games()[key].manifest
        seats = usual_seats(manifest)
        values = {PLAYERS: seats, COMPUTERS: seats - 1, LEVEL: Level.FIRST.value}
        if not _can_hold_table(reply.interaction):
            options = f"{COMPUTERS}:{seats - 1} {LEVEL}:{Level.FIRST.value}"
            raise Refusal(msg("learn.elsewhere", command=f"/play {key} {options}"))
        await self.open(reply, manifest, values)

    async def open(self, reply: Reply, manifest: Manifest, values: Values) -> None:
        """Open a table of a game, and say so; raises :class:`Refusal` if that is not possible."""
        place = table_place(reply.interaction, reply.texts)
        table = await self._context.services.lobby.open(
            manifest.key,
            {option.key: values[option.key] for option in manifest.options if option.key in values},
            values.get(PLAYERS),
            reply.person,
            place,
            reply.id,
            invited=_invited(reply, values),
            computers=_computers(manifest, values),
            hints=values.get(HINTS, False),
            theme=known_theme(values.get(THEME, DEFAULT_THEME)),
            pace=Pace(values[PACE]) if PACE in values else None,
            time_up=TimeUp(values.get(TIME_UP, TimeUp.PASS.value)),
            opener=opener_of(reply.interaction),
        )
        await reply.say(
            reply.texts.house("said.opened"),
            invitation_receipt(await self._context.services.queries.unpinged(table.id), reply.texts),
            join_receipt(table, reply.person.id, reply.texts),
        )


def options_of(manifest: Manifest) -> list[Option]:
    """Return the options of a game's subcommand: the game's own, then those of every table."""
    found = [
        Option(
            option.key,
            game_text(manifest.key, option.label),
            choices=[
                Choice(name=game_text(manifest.key, choice.label), value=choice.key)
                for choice in option.choices
            ],
        )
        for option in manifest.options
    ]
    if len(manifest.seats) > 1:
        sizes = [Choice(name=str(size), value=size) for size in manifest.seats]
        found.append(Option(PLAYERS, house_text("option.players"), kind=int, choices=sizes))
    rivals = max(manifest.seats) - 1
    opponent = house_text("option.opponent")
    found += [Option(name, opponent, kind=discord.User) for name in OPPONENTS[:rivals]]
    computers = app_commands.Range[int, 0, rivals]
    found.append(Option(COMPUTERS, house_text("option.computers"), kind=computers))
    if has_levels(game(manifest.key)):
        levels = [Choice(name=house_text(key), value=level.value) for level, key in LEVELS.items()]
        found.append(Option(LEVEL, house_text("option.level"), choices=levels))
        found.append(Option(HINTS, house_text("option.hints"), kind=bool))
    paces = [Choice(name=house_text(key), value=pace.value) for pace, key in PACES.items()]
    found.append(Option(PACE, house_text("option.pace"), choices=paces))
    if max(manifest.seats) > 2 or manifest.cooperative:
        kinds = [Choice(name=house_text(key), value=kind.value) for kind, key in TIME_UPS.items()]
        found.append(Option(TIME_UP, house_text("option.time_up"), choices=kinds))
    return [*found, Option(THEME, house_text("option.board_theme"), choices=theme_choices())]


def table_place(interaction: discord.Interaction[Any], texts: Texts) -> Place:
    """Return the place for a table; if there can be none, raises :class:`Refusal` with what would help."""
    channel = interaction.channel
    if interaction.guild_id is None or channel is None or not _can_hold_table(interaction):
        raise Refusal(msg("play.no_channel"))
    missing = lacking(interaction.app_permissions)
    if missing:
        raise Refusal(msg("play.permissions", permissions=texts.permissions(missing)))
    return Place(interaction.guild_id, channel.id)


def _can_hold_table(interaction: discord.Interaction[Any]) -> bool:
    channel = interaction.channel
    return interaction.guild_id is not None and channel is not None and channel.type in TABLE_CHANNELS


def _computers(manifest: Manifest, values: Values) -> list[Level]:
    """Return the levels of the computer players that a host wants, at most one more than the game allows."""
    # A forged number may be of any size.
    count = min(values.get(COMPUTERS, 0), max(manifest.seats))
    return [Level(values.get(LEVEL, USUAL_LEVEL.value))] * count


def _invited(reply: Reply, values: Values) -> list[Person]:
    """Return the people whom the host invites, each once; raises :class:`Refusal` for a bot or the host."""
    found: dict[int, Person] = {}
    for name in OPPONENTS:
        user = values.get(name)
        if user is None:
            continue
        if user.bot:
            raise Refusal(msg("play.invited_bot"))
        if user.id == reply.person.id:
            raise Refusal(msg("play.invited_self"))
        found[user.id] = person_of(user)
    return list(found.values())
