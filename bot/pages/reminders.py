"""Reminders: the messages themselves, and the page on which people set them up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord.ui import ActionRow, Select

from bot.domain.clocks import ZONES, Holiday, Reminding, city, region_of
from bot.domain.jobs import Call
from bot.domain.match import Board
from bot.domain.tables import MatchLine, PersonId, Preferences
from bot.pages.clocks import clock_lines, moment
from bot.pages.custom_ids import HOUSE, Button, ButtonId, pack
from bot.pages.page import OPTION, Block, Page, button, page, rows, text
from bot.pages.push import unmarked
from bot.pages.texts import TableTexts, Texts, match_heading, match_link, match_numbers, mention, shorten
from engines.core.contract import Seat

MARKER = 990
"""The component id that marks a reminder. Its button's number says which one it is."""

LISTED = 15
"""Maximum matches in one reminder."""

NO_QUIET = "none"
"""The choice of no quiet hours."""

REMINDINGS = {
    Reminding.TURNS: "reminders.turns",
    Reminding.MESSAGE: "reminders.message",
    Reminding.MENTION: "reminders.mention",
    Reminding.NONE: "reminders.none",
}
"""How reminders come, for labels."""

_HOW = {
    Reminding.TURNS: "reminders.how.turns",
    Reminding.MESSAGE: "reminders.how.message",
    Reminding.MENTION: "reminders.how.mention",
    Reminding.NONE: "reminders.how.none",
}
"""The same as sentences."""


def mark_of(match: str, call: Call) -> str:
    """Return the custom id by which the message of a call is found again."""
    return pack(ButtonId(match, Button.MUTE, call.number))


def mention_page(board: Board, people: Mapping[Seat, PersonId], call: Call, texts: Texts) -> Page:
    """Return the thread's message that reminds some people of their turn."""
    names = texts.listing(map(mention, people.values()))
    key = "reminder.nudge" if call.nudge else "reminder.waits"
    words = texts.house(key, n=len(people), names=names, match=match_heading(board.table, texts))
    lines = clock_lines(board, texts, TableTexts(texts, board.table))
    return page(
        [text(f"⏰ {words}", *lines), *rows(_buttons(board.table.id, call, texts))],
        marker=MARKER,
        words=unmarked(words),
        buttons=_buttons(board.table.id, call, texts),
    )


def answer_page(board: Board, people: Sequence[PersonId], call: Call, texts: Texts) -> Page:
    """Return the thread's message that reminds some people of an open question."""
    names = texts.listing(map(mention, people))
    heading = match_heading(board.table, texts)
    words = texts.house("reminder.question", n=len(people), names=names, match=heading)
    return page(
        [text(f"⏰ {words}"), *rows(_buttons(board.table.id, call, texts))],
        marker=MARKER,
        words=unmarked(words),
        buttons=_buttons(board.table.id, call, texts),
    )


def list_page(match: str, lines: Sequence[MatchLine], call: Call, texts: Texts) -> Page:
    """Return the direct message that reminds somebody of all matches that wait for them."""
    number = match_numbers((line.table for line in lines), texts)
    title = texts.house("reminder.nudged" if call.nudge else "reminder.list", n=len(lines))
    said = [_line(line, number[line.table.id], texts) for line in lines[:LISTED]]
    more = [texts.house("games.more", n=len(lines) - LISTED)] if len(lines) > LISTED else []
    return page(
        [text(f"⏰ {title}", *said, *more), *rows(_buttons(match, call, texts, several=len(lines) > 1))],
        marker=MARKER,
        words=unmarked(title),
        buttons=_buttons(match, call, texts, several=len(lines) > 1),
    )


def _line(line: MatchLine, number: int, texts: Texts) -> str:
    name = match_link(line.table, texts, number)
    if line.deadline is None:
        return f"- {name}"
    return "- " + texts.house("reminder.until", match=name, when=moment(line.deadline))


def _buttons(match: str, call: Call, texts: Texts, *, several: bool = False) -> list[discord.ui.Button[Any]]:
    turn = ButtonId(match, Button.TURN)
    label = texts.house("reminder.first" if several else "board.panel")
    return [
        button(label, turn, discord.ButtonStyle.primary),
        button(texts.house("reminder.mute"), ButtonId(match, Button.MUTE, call.number)),
    ]


# --- settings ---------------------------------------------------------------------------------------


def reminders_page(
    chosen: Preferences, holiday: Holiday | None, texts: Texts, *, now: float, region: str = ""
) -> Page:
    """Return a person's reminder settings, with a select for each.

    ``region``: the region whose cities are listed; empty: that of the chosen city.
    """
    lines = [f"### ⏰ {texts.house('reminders.title')}", texts.house(_HOW[chosen.reminders])]
    if chosen.quiet is None:
        lines.append(f"🌙 {texts.house('reminders.no_quiet')}")
    else:
        begin, end = chosen.quiet
        hours = {"begin": f"{begin:02}:00", "end": f"{end:02}:00", "city": city(chosen.zone)}
        lines.append(f"🌙 {texts.house('reminders.quiet', **hours)}")
        if (free := chosen.free_from(now)) > now:
            lines.append(f"-# {texts.house('reminders.quiet_now', when=f'<t:{int(free)}:t>')}")
    lines.append(f"-# {texts.house('reminders.clocks')}")
    if holiday is not None:
        lines.append(f"🏖️ {texts.house('holiday.on', until=moment(holiday.latest))}")
    shown = region if region in ZONES else region_of(chosen.zone)
    blocks: list[Block] = [text(*lines)]
    blocks += [ActionRow(select) for select in (
        _how(chosen, texts), _regions(shown, texts), _cities(chosen, shown, texts)
    )]  # fmt: skip
    if chosen.zone:
        blocks += [ActionRow(select) for select in (
            _hours(chosen, Button.QUIET_FROM, texts), _hours(chosen, Button.QUIET_UNTIL, texts)
        )]  # fmt: skip
    back = button(texts.house("reminders.back"), ButtonId(HOUSE, Button.SETTINGS))
    return page([*blocks, *rows([back])])


def _select(which: Button, placeholder: str, options: Sequence[tuple[str, str]], chosen: str) -> Select[Any]:
    return Select(
        custom_id=pack(ButtonId(HOUSE, which)),
        placeholder=shorten(placeholder, OPTION),
        options=[
            discord.SelectOption(label=shorten(label, OPTION), value=value, default=value == chosen)
            for value, label in options
        ],
    )


def _how(chosen: Preferences, texts: Texts) -> Select[Any]:
    options = [(each.value, texts.house(key)) for each, key in REMINDINGS.items()]
    return _select(Button.REMINDING, texts.house("reminders.title"), options, chosen.reminders.value)


def _regions(shown: str, texts: Texts) -> Select[Any]:
    options = [(region, texts.house(f"region.{region}")) for region in ZONES]
    return _select(Button.REGION, texts.house("reminders.region"), options, shown)


def _cities(chosen: Preferences, shown: str, texts: Texts) -> Select[Any]:
    options = [(zone, city(zone)) for zone in ZONES[shown]]
    return _select(Button.CITY, texts.house("reminders.city"), options, chosen.zone)


def _hours(chosen: Preferences, which: Button, texts: Texts) -> Select[Any]:
    begin = which is Button.QUIET_FROM
    key = "reminders.from" if begin else "reminders.until"
    none = [(NO_QUIET, texts.house("reminders.never"))] if begin else []
    options = [*none, *((str(hour), texts.house(key, hour=f"{hour:02}:00")) for hour in range(24))]
    value = NO_QUIET if chosen.quiet is None else str(chosen.quiet[0 if begin else 1])
    return _select(which, texts.house("reminders.hours"), options, value)


def holiday_page(holiday: Holiday | None, left: float, texts: Texts) -> Page:
    """Return the page of a person's holiday; ``left``: seconds of holiday that they still have."""
    days = int(left // 86_400)
    if holiday is None:
        said = texts.house("holiday.off", n=days)
        switch = button(texts.house("holiday.begin"), ButtonId(HOUSE, Button.HOLIDAY, 1), disabled=not days)
    else:
        said = texts.house("holiday.on", until=moment(holiday.latest))
        switch = button(
            texts.house("holiday.end"), ButtonId(HOUSE, Button.HOLIDAY, 0), discord.ButtonStyle.success
        )
    return page(
        [text(f"### 🏖️ {texts.house('holiday.title')}", said, texts.house("holiday.what")), *rows([switch])]
    )
