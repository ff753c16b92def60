"""A game's rules page by page, laid out for a phone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import discord
from discord.ui import ActionRow, Select

from bot.pages.custom_ids import Button, ButtonId, pack
from bot.pages.how_to_play import game_buttons
from bot.pages.markdown import Kind, Part, flow, joined
from bot.pages.page import OPTION, Page, button, page, rows, text
from bot.pages.texts import Texts, shorten
from engines.core.texts import rules

PAGE_LIMIT = 2_500
"""Maximum characters of one page: two or three screens of a phone."""

SHORT = 1_500
"""Characters up to which neighbouring sections share a page: nobody likes to turn a page for two lines."""

MOST_PAGES = 25
"""Maximum pages that one select can list."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """One page of the rules, and the headings on it."""

    title: str
    body: str


def which_rules_page(texts: Texts) -> Page:
    """Return the page that asks which game's rules to show."""
    return page([text(texts.house("rules.which")), *rows(game_buttons(Button.PAGE, 0))])


def rules_page(game: str, number: int, texts: Texts) -> Page:
    """Return page ``number`` of a game's rules, with links to the others; the first if out of range."""
    pages = rules_pages(game)
    number = number if 0 <= number < len(pages) else 0
    if len(pages) == 1:
        return page([text(pages[0].body)])
    said = texts.house("rules.page", number=number + 1, pages=len(pages))
    options = [
        discord.SelectOption(label=shorten(one.title, OPTION), value=str(i), default=i == number)
        for i, one in enumerate(pages)
    ]
    select: Select[discord.ui.LayoutView] = Select(
        custom_id=pack(ButtonId(game, Button.PAGE)),
        placeholder=texts.house("rules.pages"),
        options=options,
    )
    turning = rows(_turning(game, number, len(pages) - 1, texts))
    return page([text(pages[number].body, f"-# {said}"), *turning, ActionRow(select)])


def _turning(game: str, number: int, last: int, texts: Texts) -> list[discord.ui.Button[Any]]:
    # Both are always there, so that they stay in place under the thumb.
    steps = (
        (texts.house("rules.back"), max(number - 1, 0)),
        (texts.house("rules.next"), min(number + 1, last)),
    )
    return [button(label, ButtonId(game, Button.PAGE, to), disabled=to == number) for label, to in steps]


@cache
def rules_pages(game: str) -> tuple[RulesPage, ...]:
    """Return a game's rules in pages: one per heading, with short ones merged and long ones split."""
    pages: list[RulesPage] = []
    for section in _sections(flow(rules(game).splitlines())):
        pieces = _pieces(section)
        title = section[0].text.lstrip("# ")
        for i, piece in enumerate(pieces, 1):
            said = f"{title} ({i}/{len(pieces)})" if len(pieces) > 1 else title
            pages.append(RulesPage(said, piece if i == 1 else f"## {said}\n{piece}"))
    pages = _merged(pages, SHORT)
    return tuple(pages if len(pages) <= MOST_PAGES else _merged(pages, PAGE_LIMIT)[:MOST_PAGES])


def _merged(pages: Iterable[RulesPage], limit: int) -> list[RulesPage]:
    """Merge neighbouring pages, with all their titles, while they fit into ``limit`` characters."""
    merged: list[RulesPage] = []
    for one in pages:
        if merged and len(merged[-1].body) + len(one.body) < limit:
            last = merged.pop()
            one = RulesPage(f"{last.title} · {one.title}", f"{last.body}\n{one.body}")  # noqa: PLW2901
        merged.append(one)
    return merged


def _sections(parts: Sequence[Part]) -> list[list[Part]]:
    """Split parts into sections, each from one heading of the first two levels to the next."""
    found: list[list[Part]] = []
    for part in parts:
        if not found or (part.kind is Kind.HEADING and part.text.startswith(("# ", "## "))):
            found.append([])
        found[-1].append(part)
    return found


def _pieces(section: Sequence[Part]) -> list[str]:
    """Split a section between paragraphs, before a heading if one is near."""
    pieces: list[list[Part]] = [[]]
    for part in section:
        current = pieces[-1]
        if current and len(joined([*current, part])) > PAGE_LIMIT:
            cut = _cut(current)
            pieces[-1:] = [current[:cut], current[cut:]]
        pieces[-1].append(part)
    return [joined(piece) for piece in pieces]


def _cut(parts: Sequence[Part]) -> int:
    """Return how many of ``parts`` fill a page: up to a heading in its second half, or all."""
    for i in reversed(range(1, len(parts))):
        begins = parts[i].kind is Kind.HEADING and parts[i - 1].kind is not Kind.HEADING
        if begins and len(joined(parts[:i])) > PAGE_LIMIT // 2:
            return i
    return len(parts)
