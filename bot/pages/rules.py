"""A game's rules page by page, as long as Discord takes a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import discord
from discord.ui import ActionRow, Select

from bot.pages.custom_ids import Button, ButtonId, pack
from bot.pages.page import OPTION, Page, page, text
from bot.pages.texts import Texts, shorten
from engines.core.texts import rules

PAGE_LIMIT = 3_500
"""Characters of one page."""

MOST_PAGES = 25
"""Pages that one select can name."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """One page of the rules, and the heading that it begins with."""

    title: str
    body: str


def rules_page(game: str, number: int, texts: Texts) -> Page:
    """Return page ``number`` of a game's rules, with a select of all; a number too far shows the first."""
    pages = rules_pages(game)
    number = number if 0 <= number < len(pages) else 0
    blocks = [text(pages[number].body)]
    if len(pages) == 1:
        return page(blocks)
    options = [
        discord.SelectOption(label=shorten(one.title, OPTION), value=str(i), default=i == number)
        for i, one in enumerate(pages)
    ]
    select: Select[discord.ui.LayoutView] = Select(
        custom_id=pack(ButtonId(game, Button.PAGE)),
        placeholder=texts.house("rules.pages"),
        options=options,
    )
    return page([*blocks, ActionRow(select)])


@cache
def rules_pages(game: str) -> tuple[RulesPage, ...]:
    """Return a game's rules in pages: one a heading, long ones in several."""
    pages: list[RulesPage] = []
    for title, lines in _sections(rules(game)):
        pieces = _pieces(_fence_tables(lines))
        for i, piece in enumerate(pieces, 1):
            pages.append(RulesPage(f"{title} ({i}/{len(pieces)})" if len(pieces) > 1 else title, piece))
    if len(pages) <= MOST_PAGES:
        return tuple(pages)
    merged: list[RulesPage] = []
    for one in pages:
        # Neighbours share a page, under the first one's heading, as far as they fit.
        if merged and len(merged[-1].body) + len(one.body) + 1 <= PAGE_LIMIT:
            merged[-1] = RulesPage(merged[-1].title, f"{merged[-1].body}\n{one.body}")
        else:
            merged.append(one)
    return tuple(merged[:MOST_PAGES])


def _sections(source: str) -> list[tuple[str, list[str]]]:
    """Return headings of the first two levels with the lines under each, the heading's own among them."""
    found: list[tuple[str, list[str]]] = []
    for line in source.splitlines():
        if line.startswith(("# ", "## ")) or not found:
            found.append((line.lstrip("# ").strip(), []))
        found[-1][1].append(line)
    return [(title, lines) for title, lines in found if any(line.strip() for line in lines)]


def _fence_tables(lines: list[str]) -> list[str]:
    # Discord shows no tables: between fences they stand as they were written.
    found: list[str] = []
    inside = False
    for line in lines:
        if line.startswith("|") is not inside:
            found.append("```")
            inside = not inside
        found.append(line)
    return [*found, "```"] if inside else found


def _pieces(lines: list[str]) -> list[str]:
    pieces: list[str] = []
    current: list[str] = []
    for line in lines:
        line = line[:PAGE_LIMIT]  # noqa: PLW2901 - no line of a page is anywhere near it
        if sum(len(item) + 1 for item in current) + len(line) > PAGE_LIMIT:
            fenced = current.count("```") % 2 == 1
            pieces.append("\n".join([*current, "```"] if fenced else current))
            current = ["```"] if fenced else []
        current.append(line)
    return [*pieces, "\n".join(current)]
