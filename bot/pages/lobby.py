"""The table's message: what is played, who sits, and the buttons to sit down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from bot.domain.tables import PersonId, Status, TableInfo
from bot.pages.clocks import pace_lines
from bot.pages.company import LEVELS
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Page, button, page, rows, text
from bot.pages.push import table_words
from bot.pages.shuffle import shuffle_lines
from bot.pages.texts import TableTexts, Texts, escaped, mention, safe, title_of
from engines.core.contract import Manifest
from engines.core.registry import game, games
from engines.core.setups import settled

MARKER = 900
"""The component id that marks a table's message."""

FULL_MARKER = 902
"""The same for the message that asks the host of a full table to press Start."""


def lobby_page(
    table: TableInfo,
    texts: Texts,
    invited: Sequence[PersonId] = (),
    pinged: Sequence[PersonId] | None = None,
) -> Page:
    """Return the page of a table; ``invited`` are asked to sit down while it is open.

    ``pinged``: those of them whom its arrival notifies, if not all.
    """
    opened = table.status is Status.OPEN
    if table.status is Status.FROZEN or table.game not in games():
        # Its game may be gone, its chairs broken: what is left is said.
        names = texts.listing(safe(chair.name) for chair in table.chairs)
        title = f"## {escaped(title_of(table.game))}"
        return page([text(title, names, "", _state(table, texts))], marker=MARKER)
    proof = shuffle_lines(table, texts) or _seed_hash(table, texts)
    lines = [*_head(table, texts), "", *_seats(table, texts), "", _state(table, texts), *proof]
    if opened and invited:
        names = texts.listing(mention(person) for person in invited)
        lines.append(texts.house("lobby.invited", names=names))
    return page(
        [text(*lines), *rows(_buttons(table, texts))],
        marker=MARKER,
        words=table_words(table, texts, (invited if pinged is None else pinged) if opened else ()),
        buttons=_buttons(table, texts),
    )


def full_page(table: TableInfo, texts: Texts) -> Page:
    """Return the message that asks the host of a full table to press Start: it pings them."""
    words = texts.house("lobby.call", host=mention(table.host.id), game=title_of(table.game))
    start = ButtonId(table.id, Button.START)
    first, again = (button(texts.house("lobby.start"), start, discord.ButtonStyle.primary) for _ in range(2))
    return page([text(words), *rows([first])], marker=FULL_MARKER, words=words, buttons=[again])


def _head(table: TableInfo, texts: Texts) -> list[str]:
    manifest = game(table.game).manifest
    lines = [f"## {manifest.title}", f"*{texts.game(table.game, manifest.tagline)}*"]
    if manifest.cooperative:
        lines.append(f"-# {texts.house('lobby.together')}")
    hints = [f"-# {texts.house('lobby.hints')}"] if table.hints else []
    return [*lines, *_options(table, manifest, texts), *pace_lines(table, texts), *hints]


def _options(table: TableInfo, manifest: Manifest, texts: Texts) -> list[str]:
    """Return a line for each value that will apply, with the options that have it."""
    applies = dict(settled(manifest, table.setup).options)
    by_value: dict[str, list[str]] = {}
    for option in manifest.options:
        label = next((c.label for c in option.choices if c.key == applies.get(option.key)), None)
        if label is not None:
            value = texts.game(table.game, label)
            by_value.setdefault(value, []).append(texts.game(table.game, option.label))
    return [f"-# {texts.listing(options)}: {value}" for value, options in by_value.items()]


def _seats(table: TableInfo, texts: Texts) -> list[str]:
    table_texts = TableTexts(texts, table)
    lines = [texts.house("lobby.seats", taken=len(table.chairs), seats=table.setup.seats)]
    for chair in table.chairs:
        sign = "🎭" if chair.person is not None else "🤖"
        host = chair.person is not None and chair.person.id == table.host.id
        tail = f" · {texts.house('lobby.host')}" if host and table.status is Status.OPEN else ""
        level = f" · {texts.house(LEVELS[chair.level])}" if chair.level is not None else ""
        side = f" · {table_texts.side(chair.seat)}" if chair.seat is not None else ""
        lines.append(f"{sign} {safe(chair.name)}{level}{side}{tail}")
    return lines


def _state(table: TableInfo, texts: Texts) -> str:
    thread = f"<#{table.thread_id or table.place.channel_id}>"
    match table.status:
        case Status.OPEN:
            key = "lobby.full" if table.full else "lobby.open"
            return texts.house(key, host=safe(table.host.name))
        case Status.RUNNING:
            return texts.house("lobby.running", thread=thread)
        case Status.OVER:
            return texts.house("lobby.over", thread=thread)
        case Status.CLOSED if table.begun:
            return texts.house("lobby.ended", thread=thread)
        case Status.CLOSED:
            return texts.house("lobby.expired")
        case Status.FROZEN:
            return texts.house("board.frozen")


def _seed_hash(table: TableInfo, texts: Texts) -> list[str]:
    """Return the hash of a whole seed, which earlier versions drew at the start."""
    return [f"-# {texts.house('lobby.commitment', commitment=table.commitment)}"] if table.begun else []


def _buttons(table: TableInfo, texts: Texts) -> list[discord.ui.Button[Any]]:
    if table.expired:
        reopen = ButtonId(table.id, Button.REOPEN)
        return [button(texts.house("lobby.reopen"), reopen, discord.ButtonStyle.success)]
    if table.status is Status.CLOSED and not table.begun:
        return []
    match = table.id
    how = button(texts.house("how.button"), ButtonId(table.game, Button.HOW_TO_PLAY))
    if table.status is not Status.OPEN:
        return [how, button(texts.house("board.rules"), ButtonId(match, Button.RULES))]
    return [
        button(texts.house("lobby.join"), ButtonId(match, Button.JOIN), discord.ButtonStyle.success),
        button(texts.house("lobby.leave"), ButtonId(match, Button.LEAVE)),
        button(texts.house("lobby.computer"), ButtonId(match, Button.COMPUTER)),
        button(texts.house("lobby.start"), ButtonId(match, Button.START), discord.ButtonStyle.primary),
        how,
    ]
