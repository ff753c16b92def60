"""How the house says things: catalogues, names that are safe to show, lists, times."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from unicodedata import category

import discord

from bot.domain.match import Told
from bot.domain.refusals import GameRefusal, Refusal
from bot.domain.tables import TableInfo
from engines.core.contract import Arg, Fact, Msg, Seat, msg
from engines.core.optional_methods import story
from engines.core.registry import game
from engines.core.texts import FALLBACK, load

NAME_LIMIT = 32
"""Characters of a name that are shown."""


_MARKUP = re.compile(r"[\\`*_~|\[\]<]")
"""What begins or ends markup anywhere in a line."""

_NUMBERED = re.compile(r"^(\d+)([.)])")
"""What begins a numbered list."""

_JOINERS = "\u200c\u200d"
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Says everything in one language."""

    language: str = FALLBACK

    def house(self, key: str, **args: Arg) -> str:
        """Return the house's own text ``key``; raises ``KeyError`` where English lacks it."""
        return self.house_msg(msg(key, **args))

    def house_msg(self, message: Msg) -> str:
        """Return a text of the house's own catalogue."""
        return load("bot").render(message, _nobody, self.language)

    def game(self, key: str, message: Msg) -> str:
        """Return a text of a game's catalogue that names no seat."""
        return load(f"engines.{key}").render(message, _nobody, self.language)

    def picture(self, key: str, message: Msg) -> str:
        """Return a text of the catalogue of a game's painter."""
        return load(f"renderers.{key}").render(message, _nobody, self.language)

    def at_table(self, table: TableInfo, message: Msg, *, plain: bool = False) -> str:
        """Return a text of the table's game. ``plain``: for a label, where nothing is marked up."""

        def name_of(seat: Seat) -> str:
            return self.seat_name(table, seat, plain=plain)

        return load(f"engines.{table.game}").render(message, name_of, self.language)

    def seat_name(self, table: TableInfo, seat: Seat, *, plain: bool = False) -> str:
        """Return the name of who sits in ``seat``, or the name of the side before anybody does."""
        try:
            name = table.chair_at(seat).name
        except KeyError:
            return self.side(table, seat)
        return shorten(name, NAME_LIMIT) if plain else safe(name)

    def side(self, table: TableInfo, seat: Seat) -> str:
        """Return what the game calls the side of ``seat``."""
        labels = game(table.game).manifest.seat_labels
        if seat >= len(labels):
            return self.house("seat", n=seat + 1)
        return self.game(table.game, labels[seat])

    def narration(self, table: TableInfo, facts: Iterable[Fact]) -> list[str]:
        """Return the sentences for ``facts``, in order, without those that are not worth telling."""
        return [self.at_table(table, message) for message in story(game(table.game), tuple(facts))]

    def told(self, table: TableInfo, told: Iterable[Told]) -> list[str]:
        """Return the sentences for what a viewer was told, each batch by itself.

        So a line is the same on every board that tells it, wherever that board begins.
        """
        batches = groupby(told, key=lambda item: item.batch)
        return [line for _, some in batches for line in self.narration(table, (item.fact for item in some))]

    def refusal(self, refusal: Refusal) -> str:
        """Return why the house or a game said no."""
        if isinstance(refusal, GameRefusal):
            return self.reason(refusal.table, refusal.msg)
        return self.house_msg(_quoted(refusal.msg))

    def reason(self, table: TableInfo, message: Msg) -> str:
        """Return why the table's game said no; what was typed stands in it as it was typed."""
        return self.at_table(table, _quoted(message))

    def listing(self, items: Iterable[str]) -> str:
        """Return ``items`` as one list in a sentence."""
        return self.house("comma").join(items)


def safe(name: str) -> str:
    """Return a name so that it shows as it is: no markup, no mention, no link, one line, not too long."""
    line = shorten(" ".join(name.split()), NAME_LIMIT)
    escaped = _NUMBERED.sub(r"\1\\\2", plain(line))
    return f"\\{escaped}" if escaped.startswith(("#", "-", "+", ">")) else escaped


def plain(text: str) -> str:
    """Return what somebody wrote so that it shows as it is within a line: no markup, no mention, no link."""
    # discord.py's escape_markdown leaves links alone, and of several masked ones all but the first.
    escaped = _MARKUP.sub(r"\\\g<0>", text)
    return discord.utils.escape_mentions(escaped).replace("://", ":\u200b//")


def _quoted(message: Msg) -> Msg:
    """Return a message whose texts show as they are: they may be what somebody typed, or a name."""
    return Msg(message.key, tuple((name, _quoted_arg(value)) for name, value in message.args))


def _quoted_arg(value: Arg) -> Arg:
    if isinstance(value, Msg):
        return _quoted(value)
    return plain(value) if isinstance(value, str) else value


def shown_name(name: str) -> str:
    """Return what of a name can be shown: one line without controls; empty where nothing would be seen.

    Unicode's controls, formats (those that turn the direction of the text after them), surrogates
    and line separators are left out, but for the two joiners that scripts and emoji need.
    """
    kept = "".join(c for c in " ".join(name.split()) if c in _JOINERS or category(c) not in _UNSEEN)
    kept = shorten(kept.strip(), NAME_LIMIT)
    return kept if any(c not in _BLANK and not category(c).startswith(("M", "Z", "C")) for c in kept) else ""


def shorten(text: str, limit: int) -> str:
    """Return ``text`` with at most ``limit`` characters; a cut is shown."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def mention(person_id: int) -> str:
    """Return the markup that mentions a person."""
    return f"<@{person_id}>"


def language_of(locale: str | discord.Locale | None) -> str:
    """Return our name of a Discord locale's language: its first part."""
    return str(locale or FALLBACK).partition("-")[0]


def tail(lines: list[str], limit: int) -> list[str]:
    """Return the last of ``lines`` that fit into ``limit`` characters, line ends included."""
    kept: list[str] = []
    for line in reversed(lines):
        limit -= len(line) + 1
        if limit < 0:
            break
        kept.append(line)
    return kept[::-1]


def unsaid(lines: list[str], others: list[str]) -> list[str]:
    """Return those of ``lines`` that are not among ``others``, which stand on the same page."""
    return [line for line in lines if line not in others]


def _nobody(seat: Seat) -> str:
    raise KeyError(f"a text that names seat {seat} needs a table")
