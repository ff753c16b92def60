"""The table's message: what is played, who sits, and the buttons to sit down."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.domain.people import PersonId
from bot.domain.tables import Status, TableInfo
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Block, Page, button, page, rows, text
from bot.pages.texts import Texts, mention, safe
from engines.core.contract import msg
from engines.core.registry import game

HELP_KEY = "help"
"""The key of every game's one-screen *how to play*."""

HELP_LIMIT = 2_200

MARKER = 900
"""The component id that marks a table's message."""


def lobby_page(table: TableInfo, speech: Texts, invited: Sequence[PersonId] = ()) -> Page:
    """Return the page of a table; ``invited`` are asked to sit down while it is open."""
    opened = table.status is Status.OPEN
    lines = [*_head(table, speech), "", *_seats(table, speech), "", _state(table, speech)]
    if opened and invited:
        names = speech.listing(mention(person) for person in invited)
        lines.append(speech.house("lobby.invited", names=names))
    blocks: list[Block] = [text(*lines)]
    if opened:
        blocks.append(text(how_to_play(table.game, speech)))
    return page([*blocks, *_buttons(table, speech)], marker=MARKER)


def how_to_play(key: str, speech: Texts) -> str:
    """Return a game's one-screen introduction."""
    return speech.game(key, msg(HELP_KEY))[:HELP_LIMIT]


def _head(table: TableInfo, speech: Texts) -> list[str]:
    manifest = game(table.game).manifest
    lines = [f"## {manifest.title}", f"*{speech.game(table.game, manifest.tagline)}*"]
    chosen = dict(table.setup.options)
    for option in manifest.options:
        label = next((c.label for c in option.choices if c.key == chosen.get(option.key)), None)
        if label is not None:
            lines.append(f"-# {speech.game(table.game, option.label)}: {speech.game(table.game, label)}")
    return lines


def _seats(table: TableInfo, speech: Texts) -> list[str]:
    lines = [speech.house("lobby.seats", taken=len(table.chairs), seats=table.setup.seats)]
    for chair in table.chairs:
        sign = "🎭" if chair.person is not None else "🤖"
        host = chair.person is not None and chair.person.id == table.host.id
        tail = f" · {speech.house('lobby.host')}" if host and table.status is Status.OPEN else ""
        side = f" · {speech.side(table, chair.seat)}" if chair.seat is not None else ""
        lines.append(f"{sign} {safe(chair.name)}{side}{tail}")
    return lines


def _state(table: TableInfo, speech: Texts) -> str:
    thread = f"<#{table.thread_id or table.place.channel_id}>"
    match table.status:
        case Status.OPEN:
            return speech.house("lobby.open")
        case Status.RUNNING:
            begun = speech.house("lobby.running", thread=thread)
            return f"{begun}\n-# {speech.house('lobby.commitment', commitment=table.commitment)}"
        case Status.OVER:
            return speech.house("lobby.over", thread=thread)
        case Status.CLOSED:
            return speech.house("lobby.closed")
        case Status.FROZEN:
            return speech.house("board.frozen")


def _buttons(table: TableInfo, speech: Texts) -> list[Block]:
    if table.status is Status.CLOSED:
        return []
    match = table.id
    rules = button(speech.house("board.rules"), ButtonId(match, Button.RULES))
    if table.status is not Status.OPEN:
        return [*rows([rules])]
    made = [
        button(speech.house("lobby.join"), ButtonId(match, Button.JOIN), discord.ButtonStyle.success),
        button(speech.house("lobby.leave"), ButtonId(match, Button.LEAVE)),
        button(speech.house("lobby.computer"), ButtonId(match, Button.COMPUTER)),
        button(speech.house("lobby.start"), ButtonId(match, Button.START), discord.ButtonStyle.primary),
        rules,
    ]
    return [*rows(made)]


def thread_name(table: TableInfo) -> str:
    """Return the name of a match's thread: the game and who plays, at most 100 characters."""
    title = game(table.game).manifest.title
    names = " – ".join(chair.name for chair in sorted(table.chairs, key=lambda chair: chair.seat or 0))
    return " ".join(f"{title}: {names}".split())[:100]
