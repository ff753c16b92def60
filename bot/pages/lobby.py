"""The table's message: the game, the players, and the buttons to join; and the choice of computer players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import discord

from bot.domain.tables import Person, PersonId, Status, TableInfo
from bot.pages.clocks import pace_lines
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Page, button, page, rows, text
from bot.pages.push import table_words
from bot.pages.shuffle import shuffle_lines
from bot.pages.texts import (
    TableTexts,
    Texts,
    chair_names,
    escaped,
    match_name,
    mention,
    safe,
    shorten,
    title_of,
)
from engines.core.contract import Manifest
from engines.core.match import AnyGame
from engines.core.optional_methods import Level, Thinking
from engines.core.registry import game, games
from engines.core.setups import fewer_seats, more_seats, seats_for, settled

MARKER = 900
"""The component id that marks a table's message."""

CALL_MARKER = 902
"""The same for the message that tells the host that the match can start."""

THREAD_NAME = 100
"""Maximum characters of a thread's name."""

LEVELS = {Level.FIRST: "level.first", Level.MIDDLE: "level.middle", Level.BEST: "level.best"}
"""The text about the difficulty of each level."""

DETAILS = {
    Level.FIRST: "level.first.detail",
    Level.MIDDLE: "level.middle.detail",
    Level.BEST: "level.best.detail",
}
"""The text about how each level plays."""

BY_NUMBER = tuple(Level)
"""Levels by the number of :attr:`Button.SEAT_COMPUTER`."""


def lobby_page(
    table: TableInfo,
    texts: Texts,
    invited: Sequence[PersonId] = (),
    pinged: Sequence[PersonId] | None = None,
) -> Page:
    """Return the page of a table; ``invited`` are asked to join while it is open.

    ``pinged``: those of them whom the message notifies; ``None``: all.
    """
    opened = table.status is Status.OPEN
    if table.status is Status.FROZEN or table.game not in games():
        # Its game may be gone, its chairs broken: show what is left.
        names = texts.listing(map(safe, chair_names(table, texts, table.chairs)))
        title = f"## {escaped(title_of(table.game))}"
        return page([text(title, names, "", _state(table, texts))], marker=MARKER)
    proof = shuffle_lines(table, texts) or _seed_hash(table, texts)
    seats = [*_seats(table, texts), *(_vacant(table, texts, invited) if opened else ())]
    lines = [*_head(table, texts), "", *seats, "", _state(table, texts), *proof]
    return page(
        [text(*lines), *rows(_buttons(table, texts)), *rows(_seat_buttons(table, texts, invited))],
        marker=MARKER,
        words=table_words(table, texts, (invited if pinged is None else pinged) if opened else ()),
        buttons=[*_buttons(table, texts), *_seat_buttons(table, texts, invited)],
    )


def invitation_receipt(unpinged: Iterable[Person], texts: Texts) -> str:
    """Return a line that names the invited people who are not pinged; empty if there are none."""
    mentions = [mention(person.id) for person in unpinged]
    names = texts.listing(mentions)
    return texts.house("said.unpinged", n=len(mentions), names=names) if mentions else ""


def call_page(table: TableInfo, texts: Texts) -> Page:
    """Return the message that pings the host because the match can start."""
    words = texts.house(
        "lobby.call",
        host=mention(table.host.id),
        game=title_of(table.game),
        taken=len(table.chairs),
        seats=table.setup.seats,
    )
    start = ButtonId(table.id, Button.START)
    first, again = (button(texts.house("lobby.start"), start, discord.ButtonStyle.primary) for _ in range(2))
    return page([text(words), *rows([first])], marker=CALL_MARKER, words=words, buttons=[again])


def thread_name(table: TableInfo, before: int, texts: Texts) -> str:
    """Return the name of a match's thread; ``before``: how many matches led to it by rematches."""
    name = match_name(table, texts)
    return shorten(texts.house("thread.rematch", match=name, n=before), THREAD_NAME) if before else name


def has_levels(found: AnyGame) -> bool:
    """Return whether a game's computer players have levels to choose from."""
    return isinstance(found, Thinking)


def level_name(key: str, level: Level, texts: Texts) -> str:
    """Return the name of a level in a game's world; raises ``KeyError`` if the game has no levels."""
    found = game(key)
    if not isinstance(found, Thinking):
        raise KeyError(key)
    return texts.game(key, found.level_names[level])


def company_page(table: TableInfo, texts: Texts, notice: str = "") -> Page:
    """Return the page on which the host chooses a computer player, while chairs are free."""
    lines = [
        f"**{level_name(table.game, level, texts)}** · {texts.house(key)}: {texts.house(DETAILS[level])}"
        for level, key in LEVELS.items()
    ]
    heading = texts.house("company.title")
    if table.full:
        return page([text(f"### {heading}", notice)])
    seats = texts.house("lobby.seats", taken=len(table.chairs), seats=table.setup.seats)
    buttons = [
        button(level_name(table.game, level, texts), ButtonId(table.id, Button.SEAT_COMPUTER, number))
        for number, level in enumerate(BY_NUMBER)
    ]
    return page([text(f"### {heading}", notice, *lines, seats), *rows(buttons)])


def can_start(table: TableInfo) -> bool:
    """Return whether the game of an open table, which must be installed, allows the current player count."""
    taken = len(table.chairs)
    return seats_for(game(table.game).manifest, taken) == taken


def _head(table: TableInfo, texts: Texts) -> list[str]:
    manifest = game(table.game).manifest
    lines = [f"## {manifest.title}", f"*{texts.game(table.game, manifest.tagline)}*"]
    if manifest.cooperative:
        lines.append(f"-# {texts.house('lobby.together')}")
    hints = [f"-# {texts.house('lobby.hints')}"] if table.hints else []
    return [*lines, *_options(table, manifest, texts), *pace_lines(table, texts), *hints]


def _options(table: TableInfo, manifest: Manifest, texts: Texts) -> list[str]:
    """Return a line per value that will apply, with the options that have it."""
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
    names = chair_names(table, texts, table.chairs)
    for chair, name in zip(table.chairs, names, strict=True):
        sign = "🎭" if chair.person is not None else "🤖"
        host = chair.person is not None and chair.person.id == table.host.id
        tail = f" · {texts.house('lobby.host')}" if host and table.status is Status.OPEN else ""
        level = f" · {texts.house(LEVELS[chair.level])}" if chair.level is not None else ""
        side = f" · {table_texts.side(chair.seat)}" if chair.seat is not None else ""
        lines.append(f"{sign} {safe(name)}{level}{side}{tail}")
    return lines


def _vacant(table: TableInfo, texts: Texts, invited: Sequence[PersonId]) -> list[str]:
    """Return a line for each seat that is reserved for a guest, or free."""
    kept = [f"✉️ {texts.house('lobby.invited', player=mention(person))}" for person in invited]
    free = table.setup.seats - len(table.chairs) - len(kept)
    return [*kept, *[f"◻️ {texts.house('lobby.free')}"] * free]


def _state(table: TableInfo, texts: Texts) -> str:
    thread = f"<#{table.thread_id or table.place.channel_id}>"
    match table.status:
        case Status.OPEN:
            return _open_state(table, texts)
        case Status.RUNNING:
            return texts.house("lobby.running", thread=thread)
        case Status.OVER:
            return texts.house("lobby.over", thread=thread)
        case Status.CLOSED if table.begun:
            return texts.house("lobby.ended", thread=thread)
        case Status.CLOSED if table.hostless:
            return texts.house("lobby.no_host")
        case Status.CLOSED:
            return texts.house("lobby.expired")
        case Status.FROZEN:
            return texts.house("board.frozen")


def _open_state(table: TableInfo, texts: Texts) -> str:
    """Return the line about who may start the match, and when."""
    host, manifest = texts.name(table.host), game(table.game).manifest
    if table.full:
        return texts.house("lobby.full", host=host)
    if can_start(table):
        return texts.house("lobby.enough", host=host, n=len(table.chairs))
    needed = seats_for(manifest, len(table.chairs)) or table.setup.seats
    return texts.house("lobby.open", host=host, n=needed)


def _seed_hash(table: TableInfo, texts: Texts) -> list[str]:
    """Return the line with the hash of a whole seed, which earlier versions drew at the start."""
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
        button(texts.house("lobby.computer"), ButtonId(match, Button.COMPUTER), disabled=table.full),
        button(texts.house("lobby.start"), ButtonId(match, Button.START), discord.ButtonStyle.primary),
        how,
    ]


def _seat_buttons(
    table: TableInfo, texts: Texts, invited: Sequence[PersonId]
) -> list[discord.ui.Button[Any]]:
    """Return the buttons that add and remove a seat, if a game has tables of several sizes.

    One that can do nothing now is disabled. Each id contains the new size, so a second tap changes nothing.
    """
    manifest, seats = game(table.game).manifest, table.setup.seats
    if table.status is not Status.OPEN or len(manifest.seats) == 1:
        return []
    more, fewer = more_seats(manifest, seats), fewer_seats(manifest, seats)
    add, remove = ButtonId(table.id, Button.ADD_SEAT, more), ButtonId(table.id, Button.REMOVE_SEAT, fewer)
    is_free = fewer is not None and fewer >= len(table.chairs) + len(invited)
    return [
        button(texts.house("lobby.add_seat"), add, disabled=more is None),
        button(texts.house("lobby.remove_seat"), remove, disabled=not is_free),
    ]
