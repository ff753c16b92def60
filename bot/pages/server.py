"""The page on which a server's managers choose what may be played there, and end a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import ActionRow, ChannelSelect, RoleSelect, Select

from bot.domain.clocks import Pace
from bot.domain.tables import THREADS_PER_DAY, Opening, ServerRules, TableInfo
from bot.pages.clocks import PACES
from bot.pages.custom_ids import HOUSE, Button, ButtonId, pack
from bot.pages.languages import language_lines, language_rows
from bot.pages.page import OPTION, Block, Page, button, page, rows, text
from bot.pages.texts import Texts, match_link, shorten

OPENINGS = {
    Opening.EVERYBODY: "server.everybody",
    Opening.ROLES: "server.roles",
    Opening.MANAGERS: "server.managers",
}

_WHO = {
    Opening.EVERYBODY: "server.who.everybody",
    Opening.ROLES: "server.who.roles",
    Opening.MANAGERS: "server.who.managers",
}

PACE_NAMES = {
    Pace.LIVE: "server.pace.live",
    Pace.EVENING: "server.pace.evening",
    Pace.DAY: "server.pace.day",
    Pace.SLOW: "server.pace.slow",
    Pace.NONE: "server.pace.none",
}
"""What each pace is called in a sentence."""

_LANGUAGE = ("server.language", "server.language_discord")

MOST = (5, 10, 25, 50, 100, 200)
"""Choices for the maximum of tables at once."""

MOST_THREADS = (5, 10, 20, THREADS_PER_DAY, 80)
"""Choices for the maximum of threads that a member may start per day."""

NO_LIMIT = "none"
MOST_ROLES, MOST_CHANNELS = 5, 25
TABLES = [discord.ChannelType.text, discord.ChannelType.news]


def server_page(rules: ServerRules, here: TableInfo | None, texts: Texts) -> Page:
    """Return the rules of a server, with a select for each; ``here``: the match whose thread this is."""
    paces = tuple(texts.house(PACE_NAMES[pace]) for pace in rules.paces)
    lines = [
        f"### 🏛️ {texts.house('server.title')}",
        _who(rules, texts),
        _where(rules, texts),
        texts.house("server.most", n=rules.most) if rules.most else texts.house("server.no_limit"),
        texts.house("server.threads", n=_threads_per_day(rules)),
        texts.house("server.paces", n=len(paces), paces=paces, pace=texts.house(PACE_NAMES[rules.pace])),
        *language_lines(_LANGUAGE, rules.language, rules.locale, texts),
    ]
    blocks: list[Block] = [text(*lines), ActionRow(_opening(rules, texts))]
    if _by_role(rules):
        blocks.append(ActionRow(_roles(rules, texts)))
    blocks += [ActionRow(select) for select in (
        _channels(rules, texts), _most(rules, texts), _threads(rules, texts), _paces(rules, texts),
        _default(rules, texts),
    )]  # fmt: skip
    blocks += language_rows(Button.SERVER_LANGUAGE, rules.language, texts)
    ending: list[discord.ui.Button[Any]] = []
    if here is not None:
        end = ButtonId(here.id, Button.END_MATCH)
        ending.append(button(texts.house("server.end"), end, discord.ButtonStyle.danger))
    back = button(texts.house("reminders.back"), ButtonId(HOUSE, Button.SETTINGS))
    return page([*blocks, *rows([*ending, back])])


def end_page(table: TableInfo, texts: Texts) -> Page:
    """Return the page that asks for confirmation before a match is ended."""
    sure = button(
        texts.house("server.sure"), ButtonId(table.id, Button.END_FOR_GOOD), discord.ButtonStyle.danger
    )
    return page([text(texts.house("server.ask", match=match_link(table, texts))), *rows([sure])])


def _who(rules: ServerRules, texts: Texts) -> str:
    """Return the line about who can open tables."""
    roles = tuple(f"<@&{role}>" for role in rules.roles)
    if _by_role(rules) and roles:
        return texts.house("server.who.these_roles", n=len(roles), roles=roles)
    return texts.house(_WHO[rules.opening])


def _where(rules: ServerRules, texts: Texts) -> str:
    """Return the line about where tables can be opened."""
    channels = tuple(f"<#{channel}>" for channel in rules.channels)
    if not channels:
        return texts.house("server.everywhere")
    return texts.house("server.where", n=len(channels), channels=channels)


def _by_role(rules: ServerRules) -> bool:
    return rules.opening is Opening.ROLES


def _select(
    which: Button, placeholder: str, options: Sequence[tuple[str, str]], chosen: Sequence[str], most: int = 1
) -> Select[Any]:
    return Select(
        custom_id=pack(ButtonId(HOUSE, which)),
        placeholder=shorten(placeholder, OPTION),
        max_values=most,
        options=[
            discord.SelectOption(label=shorten(label, OPTION), value=value, default=value in chosen)
            for value, label in options
        ],
    )


def _opening(rules: ServerRules, texts: Texts) -> Select[Any]:
    options = [(each.value, texts.house(key)) for each, key in OPENINGS.items()]
    return _select(Button.SERVER_OPENING, texts.house("server.choose_who"), options, [rules.opening.value])


def _roles(rules: ServerRules, texts: Texts) -> RoleSelect[Any]:
    kind = discord.SelectDefaultValueType.role
    return RoleSelect(
        custom_id=pack(ButtonId(HOUSE, Button.SERVER_ROLES)),
        placeholder=texts.house("server.choose_roles"),
        min_values=0,
        max_values=MOST_ROLES,
        default_values=[discord.SelectDefaultValue(id=role, type=kind) for role in rules.roles],
    )


def _channels(rules: ServerRules, texts: Texts) -> ChannelSelect[Any]:
    kind = discord.SelectDefaultValueType.channel
    return ChannelSelect(
        custom_id=pack(ButtonId(HOUSE, Button.SERVER_CHANNELS)),
        placeholder=texts.house("server.choose_channels"),
        channel_types=TABLES,
        min_values=0,
        max_values=MOST_CHANNELS,
        default_values=[discord.SelectDefaultValue(id=channel, type=kind) for channel in rules.channels],
    )


def _most(rules: ServerRules, texts: Texts) -> Select[Any]:
    options = [(NO_LIMIT, texts.house("server.unlimited"))]
    options += [(str(most), texts.house("server.at_most", n=most)) for most in MOST]
    chosen = NO_LIMIT if rules.most is None else str(rules.most)
    return _select(Button.SERVER_MOST, texts.house("server.choose_most"), options, [chosen])


def _threads_per_day(rules: ServerRules) -> int:
    return rules.threads_per_day or THREADS_PER_DAY


def _threads(rules: ServerRules, texts: Texts) -> Select[Any]:
    options = [(str(most), texts.house("server.threads_at_most", n=most)) for most in MOST_THREADS]
    chosen = [str(_threads_per_day(rules))]
    return _select(Button.SERVER_THREADS, texts.house("server.choose_threads"), options, chosen)


def _paces(rules: ServerRules, texts: Texts) -> Select[Any]:
    options = [(pace.value, texts.house(key)) for pace, key in PACES.items()]
    chosen = [pace.value for pace in rules.paces]
    return _select(
        Button.SERVER_PACES, texts.house("server.choose_paces"), options, chosen, most=len(options)
    )


def _default(rules: ServerRules, texts: Texts) -> Select[Any]:
    options = [
        (pace.value, texts.house("server.default", pace=texts.house(PACES[pace]))) for pace in rules.paces
    ]
    return _select(Button.SERVER_PACE, texts.house("server.choose_pace"), options, [rules.pace.value])
