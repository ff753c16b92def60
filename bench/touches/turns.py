"""The kinds of turns that are measured: how many touches each may take, and where it can be played."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from bench.hand_overs import next_seat
from bench.matches import Sentence, lasting
from bench.touches.aim import Parts
from engines.core.contract import ActionError, Seat, Words
from engines.core.match import Match
from engines.core.player import walk
from engines.core.registry import game
from engines.core.rng import Rng
from engines.core.setups import complete

SENTENCES = 80
"""Sentences of a match among which a kind of turn is looked for."""

WALKS = 60
"""Sentences of a seat among which one of a form is looked for."""

Finder = Callable[[Match, Seat], Parts | None]
"""Returns what a seat that is asked says in a turn of a kind; ``None``: it cannot play one now."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of turn: its game, its name, the touches that it may take at most, and how it is found.

    ``beforehand``: how many of its first parts are said before anything is measured.
    """

    game: str
    name: str
    most: int
    find: Finder = field(repr=False)
    options: tuple[tuple[str, str], ...] = ()
    beforehand: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """A match up to a turn that is to be measured: what was said before, whose turn it is, and its parts."""

    kind: Kind
    seed: bytes = field(repr=False)
    before: tuple[Sentence, ...] = field(repr=False)
    seat: Seat
    parts: Parts


def position(kind: Kind, seed: bytes) -> Position | None:
    """Play a match until a turn of a kind can be played; ``None``: not within so many sentences."""
    played = game(kind.game)
    match = Match.start(played, complete(played.manifest, None, dict(kind.options)), seed)
    before: list[Sentence] = []
    while len(before) < SENTENCES and (seat := next_seat(match)) is not None:
        parts = kind.find(match, seat)
        if parts is not None:
            said, parts = parts[: kind.beforehand], parts[kind.beforehand :]
            before += [(seat, tuple(chain.from_iterable(said)))] if said else []
            return Position(kind, seed, tuple(before), seat, parts)
        words, match = lasting(match, seat)
        before.append((seat, words))
    return None


def _sentences(match: Match, seat: Seat) -> Iterator[Words]:
    """Yield sentences that a seat may say: its computer player's first, then walks of its menu."""
    yield match.computer(seat)
    view, menu = match.view(seat), match.menu(seat)
    assert menu is not None
    for number in range(WALKS):
        yield walk(match.game, view, menu, Rng(match.seed).child("touches", len(match.log), number))


def _fields(match: Match, seat: Seat, draft: Words = ()) -> dict[str, list[str]]:
    """Return the words that a seat may say next, by the keys of their fields."""
    menu = match.menu(seat, draft)
    fields = () if menu is None else menu.fields
    return {part.key: [choice.word for choice in part.choices] for part in fields}


def _middle(words: list[str]) -> str:
    return words[len(words) // 2]


# --- VOLTO, Volo, VOLT ----------------------------------------------------------------------------


def volto_move(match: Match, seat: Seat) -> Parts | None:
    """Return a move from square to square."""
    words = match.computer(seat)
    return None if words[0] == "setup" else (words,)


def volo_add(match: Match, seat: Seat) -> Parts | None:
    """Return a bird added in the middle of what is possible, once both have birds."""
    adds = _fields(match, seat).get("add", [])
    return ((_middle(adds),),) if len(match.log) > 1 and adds else None


_MODULES = re.compile(r"\+.*$")


def volt_program(match: Match, seat: Seat) -> Parts | None:
    """Return a program of three units and a number tile, no module named."""
    words = match.computer(seat)
    if words[0] != "program":
        return None
    bare = tuple(_MODULES.sub("", word) for word in words if not word.startswith(("order:", "swap:")))
    try:
        match.act(seat, bare)
    except ActionError:
        return None  # such as an arrow that only a module allows
    return (bare,)


# --- CORTO ----------------------------------------------------------------------------------------


_CHARACTER = re.compile(r"play (\S+) (\S+) (\+[^ <]+|-\S+|kill \S+|hit train) end")


def corto_set_up(match: Match, seat: Seat) -> Parts | None:
    """Return the first marker and four draws from two decks."""
    starts = _fields(match, seat).get("start", [])
    if not starts:
        return None
    start = ("start", _middle(starts))
    after = match.act(seat, start)
    return (start, *_draws(after, seat, 4))


def _draws(match: Match, seat: Seat, cards: int) -> Parts:
    """Return draws of a seat that owes them, one a part, from two decks in turn."""
    decks = _fields(match, seat)["deck"]
    return tuple(("draw", decks[number % min(len(decks), 2)]) for number in range(cards))


def corto_turn(match: Match, seat: Seat) -> Parts | None:
    """Return a turn of one character with its action, and two draws."""
    if "hand" not in _fields(match, seat):
        return None
    texts = map(match.game.write, _sentences(match, seat))
    found = next(filter(None, map(_CHARACTER.match, texts)), None)
    if found is None:
        return None
    card, square, action = found.groups()
    parts = (("play", card, square), tuple(action.split()), ("end",))
    after = match.act(seat, tuple(chain.from_iterable(parts)))
    turn = after.view(seat).turn
    owes_two = turn is not None and turn.seat == seat and turn.draws == 2
    return (*parts, *_draws(after, seat, 2)) if owes_two else None


# --- The Secret of the Doge -----------------------------------------------------------------------


def doge_meeting(match: Match, seat: Seat) -> Parts | None:
    """Return a throw, and the way that meets somebody who is asked for a gift."""
    if "roll" not in _fields(match, seat).get("duty", []):
        return None
    rolled = match.act(seat, ("roll",))
    for way in _fields(rolled, seat).get("duty", []):
        if rolled.act(seat, (way,)).view(None).phase == "show":
            return (("roll",), (str(way),))
    return None


def doge_gift(match: Match, seat: Seat) -> Parts | None:
    """Return the two cards of a gift, on the square that is proposed."""
    view, fields = match.view(seat), _fields(match, seat)
    if view.phase != "show" or "true" not in fields:
        return None
    true = fields["true"][0]
    false = _fields(match, seat, ("show", true))["false"][0]
    menu = match.menu(seat, ("show", true, false))
    return None if menu is None else (menu.draft,)


KINDS = (
    Kind("volto", "a move", 4, volto_move),
    Kind("volo", "a bird added", 4, volo_add),
    Kind("volt", "a program without modules", 9, volt_program),
    Kind("volt", "a program in training", 9, volt_program, (("training", "on"),)),
    Kind("corto", "the set-up", 6, corto_set_up),
    Kind("corto", "a character, its action, two draws", 8, corto_turn),
    Kind("corto", "two draws", 3, corto_turn, beforehand=3),
    Kind("doge", "a turn with a meeting", 5, doge_meeting),
    Kind("doge", "a gift", 4, doge_gift),
)
"""What is measured. *Two draws*: one touch each, and one to open the panel."""
