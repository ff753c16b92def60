"""Texts for people: from the catalogues, with names that are safe to show."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import discord

from bot.domain.match import Told
from bot.domain.refusals import GameRefusal, Refusal
from bot.domain.tables import Chair, TableInfo
from engines.core.contract import Arg, Choice, Fact, Msg, Outcome, Seat, Words, msg
from engines.core.names import (
    FIRST_STRONG,
    POP,
    Called,
    Phrases,
    Seating,
    beside,
    is_like_any,
    is_like_side,
    isolated,
    phrases_of,
    tidy,
)
from engines.core.registry import game, games
from engines.core.texts import FALLBACK, load, story, summary
from renderers.core.registry import renderers_by_game

NAME_LIMIT = 32
"""Characters of a name that are shown, with the side that is said beside it."""

LABEL_NAMES = (NAME_LIMIT, 16, 8)
"""The same in labels: shorter where the label would be too long, so that no side is cut off."""

MEDALS = ("🥇", "🥈", "🥉")

_MARKUP = re.compile(r"[\\`*_~|\[\]<]")
"""What begins or ends markup anywhere in a line."""

_FULL_WIDTH = {ord(mark): ord(mark) + 0xFEE0 for mark in "\\`*_~|[]<@:"}
"""Look-alikes of what Discord reads as markup. Every system's fonts for Chinese or Japanese have them."""

_EMOJI = re.compile(
    "\u200d?[\xa9\xae\u203c\u2049\u20e3\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa"
    "\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297"
    "\u3299\ufe0e\ufe0f\U0001f000-\U0001f0ff\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f1e6-\U0001f1ff\U0001f200-\U0001ffff\U000e0020-\U000e007f]+\u200d?"
)
"""Unicode's emoji outside ASCII, with the other symbols of the blocks that are full of them."""

_NUMBERED = re.compile(r"^(\d+)([.)])")
"""What begins a numbered list."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Every text in one language."""

    language: str = FALLBACK

    def house(self, key: str, **args: Arg) -> str:
        """Return the house's own text ``key``; raises ``KeyError`` where English lacks it."""
        return self.house_msg(msg(key, **args))

    def house_all(self, keys: Iterable[str]) -> list[str]:
        """Return several of the house's own texts that have no gaps."""
        return [self.house(key) for key in keys]

    def house_msg(self, message: Msg) -> str:
        """Return a text of the house's own catalogue."""
        return load("bot").render(message, _nobody, self.language)

    def game(self, key: str, message: Msg) -> str:
        """Return a text of a game's catalogue that names no seat."""
        return load(f"engines.{key}").render(message, _nobody, self.language)

    def picture(self, key: str, message: Msg) -> str:
        """Return a text of the catalogue of a game's painter."""
        return load(f"renderers.{key}").render(message, _nobody, self.language)

    def refusal(self, refusal: Refusal) -> str:
        """Return why the house or a game said no."""
        if isinstance(refusal, GameRefusal):
            return TableTexts(self, refusal.table).reason(refusal.msg)
        return self.house_msg(_quoted(refusal.msg))

    def listing(self, items: Iterable[str]) -> str:
        """Return ``items`` as one list in a sentence."""
        return self.house("comma").join(items)

    def permissions(self, names: Iterable[str]) -> str:
        """Return permissions as Discord calls them, as one list in a sentence; ``names``: discord.py's."""
        return self.listing(self.house(f"permission.{name}") for name in names)


def title_of(key: str) -> str:
    """Return the title of a game as plain text; of one that is not installed, what its tables call it."""
    found = games().get(key)
    return key if found is None else found.manifest.title


class GameTexts:
    """The texts of a game. A seat is called as who sits on its chair, or as its side where there is none."""

    def __init__(self, texts: Texts, key: str, chairs: Iterable[Chair] = ()) -> None:
        self._texts = texts
        self._key = key
        self._language = texts.language
        self._names = {chair.seat: chair.name for chair in chairs if chair.seat is not None}
        self._called: dict[int, dict[Seat, Called]] = {}
        """What seats are called, by the characters that they are given."""
        self._game = game(key)
        self._catalogue = load(f"engines.{key}")
        self.title = self._game.manifest.title
        """The title of the game."""

    def notation(self, words: Words) -> str:
        """Return a sentence, or the beginning of one, as players type it."""
        return self._game.write(words)

    def say(self, message: Msg) -> str:
        """Return a text of the game, with markup."""
        return self._catalogue.render(message, self.seat_name, self._language)

    def label(self, message: Msg, limit: int) -> str:
        """Return a text of the game for a label: no markup, at most ``limit`` characters."""
        said = ""
        for most in LABEL_NAMES:
            said = self._catalogue.render(message, partial(self._label_name, most), self._language)
            if len(said) <= limit:
                return said
        return shorten(said, limit)

    def _label_name(self, most: int, seat: Seat) -> str:
        called = self._calling(most).get(seat)
        return self.side(seat) if called is None else called.isolated()

    def labels(self, messages: Iterable[Msg], limit: int) -> list[str]:
        """Return several texts of the game for labels."""
        return [self.label(message, limit) for message in messages]

    def choice_labels(self, choices: Iterable[Choice], limit: int, *, eye: str = "") -> list[str]:
        """Return the labels of choices; ``eye`` stands before those that show something hidden."""
        marked = [(eye if choice.reveals else "", choice.label) for choice in choices]
        return [mark + self.label(label, limit - len(mark)) for mark, label in marked]

    def choice_details(self, choices: Iterable[Choice], limit: int) -> list[str | None]:
        """Return what is said below each choice in a select: what it brings, and whether it reveals."""
        found: list[str | None] = []
        for choice in choices:
            said = [self.label(choice.detail, limit)] if choice.detail else []
            if choice.reveals:
                said.append(self._texts.house("panel.reveals_choice"))
            found.append(shorten(" · ".join(said), limit) if said else None)
        return found

    def reason(self, message: Msg) -> str:
        """Return why the game said no; what was typed stands in it as it was typed."""
        return self.say(_quoted(message))

    def seat_name(self, seat: Seat) -> str:
        """Return the name of who sits in ``seat``, told apart from others; before anybody does, the side."""
        called = self._calling(NAME_LIMIT).get(seat)
        return self.side(seat) if called is None else called.isolated(escaped)

    def bare_name(self, seat: Seat) -> str:
        """Return the same for a text that says the side itself."""
        name = self._names.get(seat)
        return self.side(seat) if name is None else safe(name)

    def outsider_name(self, name: str, seat: Seat | None = None) -> str:
        """Return the name of somebody who has no seat; if it could mislead, with what tells them apart.

        ``seat``: the one that they had; ``None``: none.
        """
        shown, others = safe(name), [other for held, other in self._names.items() if held != seat]
        if not is_like_any(name, others) and not is_like_side(name, side_phrases(self._key)):
            return shown
        if seat is None:
            return self._texts.house("motion.outsider", name=shown)
        return shown + beside(self.side(seat))

    def _calling(self, most: int) -> dict[Seat, Called]:
        found = self._called.get(most)
        if found is None:
            seats = sorted(self._names)
            names = tuple(self._names[seat] for seat in seats)
            seating = Seating(names, tuple(map(self.side, seats)), side_phrases(self._key))
            called = seating.called(partial(fit, most))
            found = self._called[most] = dict(zip(seats, called, strict=True))
        return found

    def side(self, seat: Seat) -> str:
        """Return what the game calls the side of a seat."""
        labels = self._game.manifest.seat_labels
        if seat >= len(labels):
            return self._texts.house("seat", n=seat + 1)
        return self._catalogue.render(labels[seat], _nobody, self._language)

    def narration(self, facts: Iterable[Fact]) -> list[str]:
        """Return a sentence for each fact that is worth one, in order: for the log."""
        told = map(self._game.narrate, facts)
        return [self.say(message) for message in told if message is not None]

    def retold(self, facts: Iterable[Fact]) -> list[str]:
        """Return what facts come to, in the game's few sentences: for boards and panels."""
        return [self.say(message) for message in story(self._game, tuple(facts))]

    def summary(self, view: Any) -> list[str]:
        """Return the line that says how a match stands, as a view has it; none where there is none."""
        found = summary(self._game, view)
        return [] if found is None else [f"-# {self.say(found)}"]

    def result(self, outcome: Outcome) -> list[str]:
        """Return the lines that say how a match ended: who won and why; the ranks where there are many."""
        lines = [f"**{self._headline(outcome)}**", *map(self.say, outcome.reasons)]
        if outcome.scores or len(outcome.ranks) > 2:
            scores = dict(outcome.scores)
            place = 1
            for tied in outcome.ranks:
                sign = MEDALS[place - 1] if place <= len(MEDALS) else f"{place}."
                # Who has played together takes no places.
                before = f"{sign} " if outcome.won is None else ""
                for seat in tied:
                    score = f" · {scores[seat]}" if seat in scores else ""
                    lines.append(f"{before}{self.seat_name(seat)}{score}")
                place += len(tied)  # who ties takes the places after it too: first, first, third
        return lines

    def _headline(self, outcome: Outcome) -> str:
        if outcome.won is not None:
            return self._texts.house("end.together_won" if outcome.won else "end.together_lost")
        if outcome.drawn:
            return self._texts.house("end.draw")
        winners = outcome.ranks[0]
        names = self._texts.listing(map(self.seat_name, winners))
        return self._texts.house("end.won", n=len(winners), names=names)

    def news(self, told: Iterable[Told], limit: int, sentences: int, known: Container[str] = ()) -> list[str]:
        """Return what a viewer was told, in few sentences: the last that fit, but for the known.

        ``limit``: characters at most. Where something is left out, a line before them says where it stands.
        """
        found = [line for line in self.retold(item.fact for item in told) if line not in known]
        kept = last_lines(found[-sentences:], limit) or [shorten(line, limit) for line in found[-1:]]
        return [f"-# {self._texts.house('news.earlier')}", *kept] if len(kept) < len(found) else kept


class TableTexts(GameTexts):
    """The texts of a table's game, with the names of those who sit there."""

    def __init__(self, texts: Texts, table: TableInfo) -> None:
        super().__init__(texts, table.game, table.chairs)


def marked_seats(texts: Texts, table: TableInfo) -> frozenset[Seat]:
    """Return the seats of a match beside whose names texts say the side."""
    seating = Seating(table.names(), sides_of(texts, table), side_phrases(table.game))
    return seating.marked(partial(fit, NAME_LIMIT))


def sides_of(texts: Texts, table: TableInfo) -> tuple[str, ...]:
    """Return what the sides of a match's seats are called, by seat; of a game that is gone, by number."""
    seats = range(len(table.chairs))
    if table.game not in games():
        return tuple(texts.house("seat", n=seat + 1) for seat in seats)
    return tuple(map(GameTexts(texts, table.game).side, seats))


@cache
def side_phrases(key: str) -> Phrases:
    """Return what the sides of a game are called, by it, by its painter and by the house, in any language."""
    catalogues, said, most = [], [], 2
    if (found := games().get(key)) is not None:
        engine, most = load(f"engines.{key}"), max(found.manifest.seats)
        catalogues = [engine, *([load(f"renderers.{key}")] if key in renderers_by_game() else [])]
        for language in engine.languages:
            said += [engine.render(label, _nobody, language) for label in found.manifest.seat_labels]
    for language in load("bot").languages:
        said += [Texts(language).house("seat", n=n) for n in range(1, most + 1)]
    return phrases_of(tuple(catalogues), *said)


def safe(name: str) -> str:
    """Return a name so that it shows as it is: no markup, no mention, no link, one line, not too long.

    It is isolated: its direction and that of the text around it are two.
    """
    return isolated(escaped(shorten(tidy(name), NAME_LIMIT)))


def escaped(line: str) -> str:
    """Return a line, or its beginning, as markup that shows it as it is."""
    found = _NUMBERED.sub(r"\1\\\2", plain(line))
    return f"\\{found}" if found.startswith(("#", "-", "+", ">")) else found


def fit(limit: int, name: str, side: str) -> Called | None:
    """Return a name of at most ``limit`` characters, with what is said of its side; ``None``: no room."""
    tail = beside(side)
    room = limit - len(tail)
    return Called(shorten(name, room), tail) if room > 1 else None


def plain(text: str) -> str:
    """Return what somebody wrote so that it shows as it is within a line: no markup, no mention, no link."""
    # discord.py's escape_markdown leaves links alone, and of several masked ones all but the first.
    escaped = _MARKUP.sub(r"\\\g<0>", text)
    return discord.utils.escape_mentions(escaped).replace("://", ":\u200b//")


def masked_link(words: str, address: str) -> str:
    """Link ``words`` to ``address``. No other code builds a link with a text of its own."""
    return f"[{link_text(words)}]({address})"


def link_text(words: str) -> str:
    """Rewrite ``words`` for the text of a link; the result is empty if nothing is left.

    Discord reads no escapes there, and makes no link of a text with emoji, mentions or addresses: marks
    become their full-width forms, and emoji are left out.
    """
    return " ".join(_EMOJI.sub("", words).translate(_FULL_WIDTH).split())


def _quoted(message: Msg) -> Msg:
    # A text in it may be a name, or what somebody typed: it must not act as markup.
    def quoted(value: Arg) -> Arg:
        if isinstance(value, Msg):
            return _quoted(value)
        return plain(value) if isinstance(value, str) else value

    return Msg(message.key, tuple((name, quoted(value)) for name, value in message.args))


def shown_name(name: str) -> str:
    """Return what of a name can be shown: see :func:`tidy`; empty where nothing would be seen."""
    return tidy(shorten(tidy(name), NAME_LIMIT))


def shorten(text: str, limit: int) -> str:
    """Return ``text`` with at most ``limit`` characters; a cut is shown, and leaves no isolate open."""
    if len(text) <= limit:
        return text
    for room in range(limit - 1, -1, -1):
        cut = text[:room].rstrip().removesuffix(FIRST_STRONG).rstrip() + "…"
        closed = cut + POP * (cut.count(FIRST_STRONG) - cut.count(POP))
        if len(closed) <= limit:
            return closed
    return ""


def mention(person_id: int) -> str:
    """Return the markup that mentions a person."""
    return f"<@{person_id}>"


def language_of(locale: str | discord.Locale | None) -> str:
    """Return our name of a Discord locale's language: its first part."""
    return str(locale or FALLBACK).partition("-")[0]


def last_lines(lines: list[str], limit: int) -> list[str]:
    """Return the last of ``lines`` that fit into ``limit`` characters, line ends included."""
    kept: list[str] = []
    for line in reversed(lines):
        limit -= len(line) + 1
        if limit < 0:
            break
        kept.append(line)
    return kept[::-1]


def _nobody(seat: Seat) -> str:
    raise KeyError(f"a text that names seat {seat} needs a table")
