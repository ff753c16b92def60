"""Texts that users see: from the catalogues, with names that are safe to show."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import discord

from bot.domain.match import Told
from bot.domain.names import chair_name, person_name
from bot.domain.refusals import GameRefusal, Refusal
from bot.domain.tables import Chair, Person, TableInfo
from bot.pages.mentions import NO_MENTIONS, CommandMentions
from engines.core.contract import Arg, Choice, Fact, Msg, Outcome, Seat, msg
from engines.core.languages import FALLBACK
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
    skeleton,
    tidy,
)
from engines.core.registry import game, games
from engines.core.texts import drafted, listing, load, story, summary
from renderers.core.registry import renderers_by_game

NAME_LIMIT = 32
"""Maximum characters of a name as it is shown, including a side added to it."""

LABEL_NAMES = (NAME_LIMIT, 16, 8)
"""The same in labels, shorter if the label would be too long, so that no side is cut off."""

MEDALS = ("🥇", "🥈", "🥉")

MATCH_NAME_LIMIT = 78
"""Maximum characters of a match's name: a label takes 100, and has to hold the match's state too."""

_AFTER_TITLE = " · "
_BETWEEN = " – "

_ADDRESS = "https://discord.com/channels/{guild}/{channel}"

_MARKUP = re.compile(r"[\\`*_~|\[\]<]")
"""Characters that begin or end markup anywhere in a line."""

_FULL_WIDTH = {ord(mark): ord(mark) + 0xFEE0 for mark in "\\`*_~|[]<@:"}
"""Look-alikes of Discord's markup characters, which every system's Chinese or Japanese fonts contain."""

_EMOJI = re.compile(
    "\u200d?[\xa9\xae\u203c\u2049\u20e3\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa"
    "\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297"
    "\u3299\ufe0e\ufe0f\U0001f000-\U0001f0ff\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f1e6-\U0001f1ff\U0001f200-\U0001ffff\U000e0020-\U000e007f]+\u200d?"
)
"""Unicode's emoji outside ASCII, with the other symbols of the blocks that are full of them."""

_NUMBERED = re.compile(r"^(\d+)([.)])")
"""The beginning of an item of a numbered list."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Every text in one language."""

    language: str = FALLBACK
    mentions: CommandMentions = field(default=NO_MENTIONS, repr=False)
    """How texts mention commands."""

    def house(self, key: str, **args: Arg) -> str:
        """Return the bot's own text ``key``; raises ``KeyError`` if English lacks it."""
        return self.house_msg(msg(key, **args))

    def house_all(self, keys: Iterable[str]) -> list[str]:
        """Return several of the bot's own texts that take no arguments."""
        return [self.house(key) for key in keys]

    def house_msg(self, message: Msg) -> str:
        """Return a text of the bot's own catalogue."""
        return self.mentions.catalogue.render(message, _nobody, self.language)

    def game(self, key: str, message: Msg) -> str:
        """Return a text of a game's catalogue that names no seat."""
        return load(f"engines.{key}").render(message, _nobody, self.language)

    def picture(self, key: str, message: Msg) -> str:
        """Return a text of the catalogue of a game's renderer."""
        return load(f"renderers.{key}").render(message, _nobody, self.language)

    def refusal(self, refusal: Refusal) -> str:
        """Return the reason for a refusal, by the bot or by a game."""
        if isinstance(refusal, GameRefusal):
            return TableTexts(self, refusal.table).reason(refusal.msg)
        return self.house_msg(_quoted(refusal.msg))

    def name(self, person: Person) -> str:
        """Return a person's name, safe to show."""
        return safe(person_name(person, self.language))

    def listing(self, items: Iterable[str]) -> str:
        """Return ``items`` as a list in a sentence, such as “a, b and c”."""
        return listing(list(items), self.language)

    def permissions(self, names: Iterable[str]) -> str:
        """Return a list of permissions by Discord's names; ``names`` are discord.py's."""
        return self.listing(self.house(f"permission.{name}") for name in names)


def texts_in(language: str, mentions: CommandMentions = NO_MENTIONS) -> Texts:
    """Return texts in a language, or in English if the bot does not speak it."""
    return Texts(language if language in load("bot").languages else FALLBACK, mentions)


def title_of(key: str) -> str:
    """Return the title of a game as plain text, or its key if it is not installed."""
    found = games().get(key)
    return key if found is None else found.manifest.title


class GameTexts:
    """The texts of a game. They call a seat by the name on its chair, or by its side without a name."""

    def __init__(self, texts: Texts, key: str, chairs: Iterable[Chair] = ()) -> None:
        self._texts = texts
        self._key = key
        self._language = texts.language
        self._game = game(key)
        named = ((chair.seat, chair_name(self._game, chair, self._language)) for chair in chairs)
        self._names = {seat: name for seat, name in named if seat is not None and name}
        self._called: dict[int, dict[Seat, Called]] = {}
        """Names of the seats, by the maximum characters of each."""
        self._catalogue = load(f"engines.{key}")
        self.title = self._game.manifest.title
        """The title of the game."""

    def drafted(self, preview: Any) -> list[str]:
        """Return what the draft of a preview does; empty if its menu's prompt tells that."""
        return [self.say(message) for message in drafted(self._game, preview)]

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
        """Return the labels of choices; ``eye`` precedes those that reveal something hidden."""
        marked = [(eye if choice.reveals else "", choice.label) for choice in choices]
        return [mark + self.label(label, limit - len(mark)) for mark, label in marked]

    def choice_details(self, choices: Iterable[Choice], limit: int) -> list[str | None]:
        """Return the description below each choice in a select: its detail, and whether it reveals."""
        found: list[str | None] = []
        for choice in choices:
            said = [self.label(choice.detail, limit)] if choice.detail else []
            if choice.reveals:
                said.append(self._texts.house("panel.reveals_choice"))
            found.append(shorten(" · ".join(said), limit) if said else None)
        return found

    def reason(self, message: Msg) -> str:
        """Return the reason for a game's refusal; it shows what was typed literally."""
        return self.say(_quoted(message))

    def seat_name(self, seat: Seat) -> str:
        """Return the name of the player in ``seat``, distinct from the others; without one, the side."""
        called = self._calling(NAME_LIMIT).get(seat)
        return self.side(seat) if called is None else called.isolated(escaped)

    def bare_name(self, seat: Seat) -> str:
        """Return the same for a text that names the side itself."""
        name = self._names.get(seat)
        return self.side(seat) if name is None else safe(name)

    def outsider_name(self, person: Person, seat: Seat | None = None) -> str:
        """Return the name of a person without a seat, with an addition if the name alone could mislead.

        ``seat``: the one that they had; ``None``: none.
        """
        name = person_name(person, self._language)
        shown, others = safe(name), [other for held, other in self._names.items() if held != seat]
        if not is_like_any(name, others) and not is_like_side(name, side_phrases(self._key)):
            return shown
        if seat is None:
            return self._texts.house("motion.outsider", player=shown)
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
        """Return one line per fact worth telling, in order, for the log."""
        told = map(self._game.narrate, facts)
        return [self.say(message) for message in told if message is not None]

    def retold(self, facts: Iterable[Fact]) -> list[str]:
        """Return facts condensed into a few lines by the game, for boards and panels."""
        return [self.say(message) for message in story(self._game, tuple(facts))]

    def summary(self, view: Any) -> list[str]:
        """Return the line about a match's state according to a view; empty if the game has none."""
        found = summary(self._game, view)
        return [] if found is None else [f"-# {self.say(found)}"]

    def result(self, outcome: Outcome, *, with_reasons: bool = True) -> list[str]:
        """Return how a match ended: who won and why; and the ranks if there are scores or many seats."""
        lines = [f"**{self._headline(outcome)}**", *map(self.say, outcome.reasons if with_reasons else ())]
        if outcome.scores or len(outcome.ranks) > 2:
            scores = dict(outcome.scores)
            place = 1
            for tied in outcome.ranks:
                sign = MEDALS[place - 1] if place <= len(MEDALS) else f"{place}."
                # A cooperative game has no ranks.
                before = f"{sign} " if outcome.won is None else ""
                for seat in tied:
                    score = f" · {scores[seat]}" if seat in scores else ""
                    lines.append(f"{before}{self.seat_name(seat)}{score}")
                place += len(tied)  # a tie takes up the places after it too: first, first, third
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
        """Return a viewer's latest news: the last lines that fit, without those in ``known``.

        ``limit``: characters at most. If something is left out, a first line says where to find it.
        """
        found = [line for line in self.retold(item.fact for item in told) if line not in known]
        kept = last_lines(found[-sentences:], limit) or [shorten(line, limit) for line in found[-1:]]
        return [f"-# {self._texts.house('news.earlier')}", *kept] if len(kept) < len(found) else kept


class TableTexts(GameTexts):
    """The texts of a table's game, with the names of its players."""

    def __init__(self, texts: Texts, table: TableInfo) -> None:
        super().__init__(texts, table.game, table.chairs)


def match_name(table: TableInfo, texts: Texts, number: int = 0) -> str:
    """Return the name of a match as plain text, for labels and threads: the game, and who plays, by seat.

    ``number`` tells it from others of the same name in one list: see :func:`match_numbers`.
    """
    return _match_name(table, texts, number)


def match_heading(table: TableInfo, texts: Texts) -> str:
    """Return the name of a match as markup that shows it literally."""
    return _match_name(table, texts, 0, show=escaped)


def match_link(table: TableInfo, texts: Texts, number: int = 0) -> str:
    """Return the name of a match as markup that leads to its thread, or to its channel while it has none."""
    channel = table.thread_id or table.place.channel_id
    # If a table's row is broken, even its place may be unknown.
    if not (table.place.guild_id and channel):
        return _match_name(table, texts, number, show=escaped)
    address = _ADDRESS.format(guild=table.place.guild_id, channel=channel)
    return masked_link(_match_name(table, texts, number, kept=link_text), address)


def match_numbers(tables: Iterable[TableInfo], texts: Texts) -> Mapping[str, int]:
    """Number the matches of a list that have the same name, from the oldest on, and return that by id.

    Names are the same if they differ only in case, marks and signs. Matches with a unique name have 0.
    """
    # The ids of threads grow with time.
    ordered = sorted(tables, key=lambda table: (table.thread_id is None, table.thread_id or 0, table.id))
    names = {table.id: skeleton(match_name(table, texts)) for table in ordered}
    together, counted, found = Counter(names.values()), Counter[str](), dict[str, int]()
    for table_id, name in names.items():
        counted[name] += 1
        found[table_id] = counted[name] if together[name] > 1 else 0
    return found


def _match_name(
    table: TableInfo,
    texts: Texts,
    number: int,
    *,
    kept: Callable[[str], str] = str,
    show: Callable[[str], str] = str,
) -> str:
    """Return the name of a match; ``kept`` filters names, and ``show`` makes markup of the result."""
    key, tail = table.game, f" ({number})" if number else ""
    title = shorten(title_of(key), NAME_LIMIT)
    # Before the match, chairs have no seats and keep their order.
    chairs = sorted(table.chairs, key=lambda chair: chair.seat or 0)
    people = tuple(map(kept, chair_names(table, texts, chairs)))
    if all(chair.seat is not None for chair in chairs):
        seating = Seating(people, _sides_of(texts, table), side_phrases(key))
    else:
        seats = tuple(texts.house("seat", n=chair.order + 1) for chair in chairs)
        seating = Seating(people, seats, None)
    marks = len(isolated("-")) - 1
    taken = len(title) + len(_AFTER_TITLE) + len(_BETWEEN) * (len(people) - 1) + marks * len(people)
    called = _called_within(seating, MATCH_NAME_LIMIT - taken)
    names = _BETWEEN.join(name.isolated(show) for name in called)
    return show(kept(title)) + (f"{_AFTER_TITLE}{names}" if names else "") + tail


def chair_names(table: TableInfo, texts: Texts, chairs: Iterable[Chair]) -> tuple[str, ...]:
    """Return the names on some of a table's chairs, as they are: not yet safe to show."""
    found = games().get(table.game)
    return tuple(chair_name(found, chair, texts.language) for chair in chairs)


def _called_within(seating: Seating, room: int) -> tuple[Called, ...]:
    """Return all names in ``room`` characters together: long ones are cut, so that nobody is left out."""

    def called(limit: int) -> tuple[Called, ...]:
        return seating.called(partial(fit, limit))

    def is_too_long(names: Iterable[Called]) -> bool:
        return sum(len(str(one)) for one in names) > room

    longest = called(NAME_LIMIT)
    if not is_too_long(longest):
        return longest
    # Names too long at one limit are too long at all larger ones.
    limits = range(2, NAME_LIMIT)
    return called(max(2, 1 + bisect_left(limits, True, key=lambda limit: is_too_long(called(limit)))))


def painted_names(texts: Texts, table: TableInfo) -> tuple[tuple[str, ...], frozenset[Seat]]:
    """Return the names of a match's seats for pictures, and the seats whose names appear with their side."""
    chairs = [table.chair_at(seat) for seat in range(len(table.chairs))]
    names, sides = chair_names(table, texts, chairs), _sides_of(texts, table)
    marked = Seating(names, sides, side_phrases(table.game)).marked(partial(fit, NAME_LIMIT))
    return tuple(name or side for name, side in zip(names, sides, strict=True)), marked


def _sides_of(texts: Texts, table: TableInfo) -> tuple[str, ...]:
    """Return the names of a match's sides, by seat; numbered if the game is not installed."""
    seats, key = range(len(table.chairs)), table.game
    if key not in games():
        return tuple(texts.house("seat", n=seat + 1) for seat in seats)
    return tuple(map(GameTexts(texts, key).side, seats))


@cache
def side_phrases(key: str) -> Phrases:
    """Return all names of a game's sides, by the game, its renderer and the bot, in every language."""
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
    """Return a name that is shown literally: no markup, no mention, no link, one line, not too long.

    It is isolated: its text direction and that of its surroundings do not affect each other.
    """
    return isolated(escaped(shorten(tidy(name), NAME_LIMIT)))


def escaped(line: str) -> str:
    """Return a line, or its beginning, as markup that shows it literally."""
    found = _NUMBERED.sub(r"\1\\\2", plain(line))
    return f"\\{found}" if found.startswith(("#", "-", "+", ">")) else found


def fit(limit: int, name: str, side: str) -> Called | None:
    """Return a name with its side added, in at most ``limit`` characters; ``None`` if there is no room."""
    tail = beside(side)
    room = limit - len(tail)
    return Called(shorten(name, room), tail) if room > 1 else None


def plain(text: str) -> str:
    """Return text by users so that a line shows it literally: no markup, no mention, no link."""
    # discord.py's escape_markdown escapes no bare link, and of several masked links only the first.
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
    # An argument may be a name, or what somebody typed: it must not act as markup.
    def quoted(value: Arg) -> Arg:
        if isinstance(value, Msg):
            return _quoted(value)
        if isinstance(value, tuple):
            return tuple(map(quoted, value))
        return plain(value) if isinstance(value, str) else value

    return Msg(message.key, tuple((name, quoted(value)) for name, value in message.args))


def shown_name(name: str) -> str:
    """Return a name as it can be shown (see :func:`tidy`); empty if nothing of it is visible."""
    return tidy(shorten(tidy(name), NAME_LIMIT))


def shorten(text: str, limit: int) -> str:
    """Cut ``text`` to ``limit`` characters, marked by an ellipsis; no isolate is left open."""
    if len(text) <= limit:
        return text
    for room in range(limit - 1, -1, -1):
        cut = text[:room].rstrip().removesuffix(FIRST_STRONG).rstrip() + "…"
        closed = cut + POP * (cut.count(FIRST_STRONG) - cut.count(POP))
        if len(closed) <= limit:
            return closed
    return ""


def shorten_all(texts: Iterable[str], limit: int) -> list[str]:
    """Cut each of ``texts`` to ``limit`` characters."""
    return [shorten(each, limit) for each in texts]


def mention(person_id: int) -> str:
    """Return the markup that mentions a person."""
    return f"<@{person_id}>"


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
