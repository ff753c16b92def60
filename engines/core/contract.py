"""The contract between a game and the house, which is whatever runs its matches.

A game is pure: standard library only, no clock, no global random, no files but its own data.
Everything outside ``engines/`` sees *views*, *menus*, *facts* and *outcomes*; a state never
leaves its engine except to be handed back to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from engines.core.rng import Rng, Stream

Seat: TypeAlias = int
"""A place at the table, counted from 0."""

Viewer: TypeAlias = Seat | None
"""Who looks: a seat, or ``None`` for the public."""

Words: TypeAlias = tuple[str, ...]
"""A sentence, or the beginning of one: what a seat decides, in short words."""

S = TypeVar("S")
V = TypeVar("V")
S_co = TypeVar("S_co", covariant=True)


# --- errors ---------------------------------------------------------------------------------------


class ActionError(ValueError):
    """A refused sentence. ``msg`` says why, in words that depend on the seat's view alone."""

    kind = "refused"

    def __init__(self, msg: Msg) -> None:
        super().__init__(msg.key)
        self.msg = msg


class InvalidAction(ActionError):  # noqa: N818 - the usual term of game engines
    """Not a sentence of this game at all."""

    kind = "invalid"


class IllegalAction(ActionError):  # noqa: N818
    """A sentence, but not one that this seat may say now."""

    kind = "illegal"


# --- texts ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatName:
    """A seat inside a message: shown as the name of its player."""

    seat: Seat


Arg: TypeAlias = "str | int | SeatName | Msg | tuple[Arg, ...]"
"""What fills a gap: a word, a number, a player, a text, or a list of these, such as “a, b and c”."""


@dataclass(frozen=True, slots=True)
class Msg:
    """One translatable text: a key of the game's catalogue and what fills its gaps.

    Build it with :func:`msg`. The house renders it in a language with :mod:`engines.core.texts`.
    """

    key: str
    args: tuple[tuple[str, Arg], ...] = ()


def msg(key: str, **args: Arg) -> Msg:
    """Return the message ``key`` with its gaps filled by ``args``."""
    return Msg(key, tuple(args.items()))


# --- what happened --------------------------------------------------------------------------------

FactValue: TypeAlias = "str | int | bool | tuple[FactValue, ...] | None"


@dataclass(frozen=True, slots=True)
class Audience:
    """Who learns of an event: named seats, or everybody but named seats. There is no default."""

    seats: frozenset[Seat]
    everyone_else: bool

    def includes(self, viewer: Viewer) -> bool:
        """Return whether ``viewer`` learns of it; the public counts as everybody."""
        # The public is no seat: it learns what everyone else learns.
        return (viewer in self.seats) is not self.everyone_else


EVERYONE = Audience(frozenset(), everyone_else=True)


@cache
def only(*seats: Seat) -> Audience:
    """Return the audience of exactly these seats."""
    return Audience(frozenset(seats), everyone_else=False)


@cache
def all_but(*seats: Seat) -> Audience:
    """Return the audience of everybody except these seats, including the public."""
    return Audience(frozenset(seats), everyone_else=True)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened, in the form in which its audience learns of it."""

    kind: str
    data: tuple[tuple[str, FactValue], ...] = ()

    def __getitem__(self, name: str) -> FactValue:
        """Return the datum ``name``; raises ``KeyError`` if there is none."""
        for key, value in self.data:
            if key == name:
                return value
        raise KeyError(name)

    def get(self, name: str) -> FactValue:
        """Return the datum ``name``, or ``None``."""
        return dict(self.data).get(name)


def fact(kind: str, **data: FactValue) -> Fact:
    """Return the fact ``kind`` with its data."""
    return Fact(kind, tuple(data.items()))


@dataclass(frozen=True, slots=True)
class Event:
    """A fact and its audience. Seats that learn the same in another form get an event of their own."""

    fact: Fact
    audience: Audience


@dataclass(frozen=True, slots=True)
class Step(Generic[S_co]):
    """The result of an act: the new state and what happened, in order."""

    state: S_co = field(repr=False)
    events: tuple[Event, ...]


def facts_for(events: Iterable[Event], viewer: Viewer) -> tuple[Fact, ...]:
    """Return the facts that ``viewer`` learns from ``events``, in order."""
    return tuple(event.fact for event in events if event.audience.includes(viewer))


# --- what a seat may do ---------------------------------------------------------------------------


class Widget(Enum):
    """How a field is best presented; a hint, never a rule."""

    BUTTONS = "buttons"
    SELECT = "select"
    SHUFFLE = "shuffle"
    RING = "ring"
    """Directions: buttons around an empty middle, each where its choice says (``Choice.at``)."""
    GRID = "grid"
    """One button per choice, in rows of five; more than 25 choices are behind one button per group."""


class Style(Enum):
    """How a choice's button looks; a hint, never a rule."""

    PLAIN = "plain"
    PRIMARY = "primary"
    DANGER = "danger"


COMPASS = ("NW", "N", "NE", "W", "", "E", "SW", "S", "SE")
"""The places of a ring, row by row; the middle has no choice."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible next word.

    ``word`` has at most 60 characters and no space. ``reveals``: the word lets its seat learn something
    hidden, so it ends the sentence and cannot be taken back once confirmed. ``aside``: the word begins a
    sentence that the seat may say whether it is pending or not. ``group`` is the key of one of the
    field's groups, if there are many choices. ``at``: its place in a ring, :data:`COMPASS`.
    """

    word: str
    label: Msg
    detail: Msg | None = None
    group: str = ""
    reveals: bool = False
    aside: bool = False
    style: Style = Style.PLAIN
    at: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A named part of a field's choices: shown first if there are more than 25."""

    key: str
    label: Msg


@dataclass(frozen=True, slots=True)
class Field:
    """A question with its possible next words.

    A menu of several fields offers them side by side: any of them may be answered next.
    A field with ``shuffle`` has no choices: the next word is a random order of ``shuffle``, which the
    house draws with its own randomness and joins without gaps. ``take``: how many of them are drawn
    (0: all). Such a word is a shortcut for what can be typed too, and is not listed.
    ``chosen``: the word among its choices that the draft holds already, shown as the field's value.
    """

    key: str
    label: Msg
    choices: tuple[Choice, ...]
    widget: Widget = Widget.SELECT
    groups: tuple[Group, ...] = ()
    shuffle: tuple[str, ...] = ()
    chosen: str = ""
    take: int = 0

    def drawn(self, stream: Stream) -> tuple[str, ...]:
        """Return the parts of a word drawn from ``shuffle``."""
        order = tuple(stream.shuffled(self.shuffle))
        return order[: self.take] if self.take else order


@dataclass(frozen=True, slots=True)
class Menu:
    """What may be said next.

    ``prompt``: the next question; for a draft to be confirmed, what it does, which panels show nowhere else
    unless the game tells its drafts itself (:class:`~engines.core.optional_methods.Telling`).
    ``draft`` is the given draft in normal form: a game may fold words into earlier ones (a swap
    into the arrangement that it changes), so this is the draft to store.
    ``complete``: :meth:`Game.act` accepts the draft as it is. ``closing``: the house offers
    to confirm it (always complete then). ``keep``: the sentence is worth keeping for the person's
    next match, and the last one kept under (game, ``key``) is offered here. ``reveals``: the draft's
    last word lets its seat learn something hidden, as its choice said.
    """

    key: str
    prompt: Msg
    draft: Words
    fields: tuple[Field, ...]
    complete: bool
    closing: bool
    keep: bool = False
    reveals: bool = False

    def choices(self) -> tuple[Choice, ...]:
        """Return the choices of all fields."""
        return tuple(choice for part in self.fields for choice in part.choices)

    def find(self, word: str) -> Choice | None:
        """Return the choice of that word, or ``None``."""
        return next((choice for choice in self.choices() if choice.word == word), None)


# --- the match ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """One value of an option. ``settles``: the values it forces on others, by key (``setups.settled``)."""

    key: str
    label: Msg
    settles: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """Something that the host chooses before the match.

    ``before``: for an option that a later version added, the value that means *as before*; a set-up without
    the option gets it (``setups.filled``).
    """

    key: str
    label: Msg
    choices: tuple[OptionChoice, ...]
    default: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the house knows of a game before a match.

    ``rulesets`` are those still supported, the newest first: a match ends by the one it began with.
    ``seats`` are the table sizes, every option for each of them; a table opens with the published one,
    ``usual_seats`` (``None``: the largest). ``seat_labels`` name the sides: each seat's colour or house.
    ``data_hashes``: SHA-256 of each data file; ``earlier_data``: of files that earlier matches began with and
    that mean the same, so that these matches can be played on. ``cooperative``: all win or lose together
    (:attr:`Outcome.won`). ``combinatorial``: there is neither chance nor a secret; all follows from the
    sentences.
    """

    key: str
    title: str
    rulesets: tuple[str, ...]
    seats: tuple[int, ...]
    seat_labels: tuple[Msg, ...]
    tagline: Msg
    options: tuple[Option, ...] = ()
    data_hashes: tuple[tuple[str, str], ...] = ()
    cooperative: bool = False
    combinatorial: bool = False
    usual_seats: int | None = None
    earlier_data: tuple[tuple[str, str], ...] = ()

    @property
    def ruleset(self) -> str:
        """Return the ruleset that new matches begin with."""
        return self.rulesets[0]

    def has_data(self, hashes: Iterable[tuple[str, str]]) -> bool:
        """Return whether a match that began with these data files can be played on."""
        known = (*self.data_hashes, *self.earlier_data)
        return all(each in known for each in hashes)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match begins with, besides its seed. ``options``, in manifest order, may lack later ones."""

    game: str
    ruleset: str
    seats: int
    options: tuple[tuple[str, str], ...] = ()

    def option(self, key: str) -> str:
        """Return the value of option ``key``; raises ``KeyError``."""
        return dict(self.options)[key]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. ``ranks``: best first, ties share a rank; never empty.

    ``reasons``: why, a sentence each, but not who has won: that is shown before them.
    ``won``: whether all have won together; ``None``: the ranks say who has won. A co-operative match
    that is won or lost has one rank, which all share.
    """

    ranks: tuple[tuple[Seat, ...], ...]
    reasons: tuple[Msg, ...]
    scores: tuple[tuple[Seat, int], ...] = ()
    won: bool | None = None

    @property
    def drawn(self) -> bool:
        """Return whether nobody has won or lost: all share the first rank, and not by playing together."""
        return self.won is None and len(self.ranks) == 1


class Game(Protocol[S, V]):
    """A game. States and views are frozen; every method is a pure function."""

    @property
    def manifest(self) -> Manifest:
        """Return what the house knows of the game before a match."""
        ...

    def start(self, setup: Setup, rng: Rng) -> Step[S]:
        """Begin a match. ``rng`` is the match's; raises ``ValueError`` for a set-up not in the manifest."""
        ...

    def act(self, state: S, seat: Seat, words: Words, rng: Rng) -> Step[S]:
        """Carry out one whole sentence; raises :class:`InvalidAction` or :class:`IllegalAction`."""
        ...

    def withdraw(self, state: S, seat: Seat, rng: Rng) -> Step[S]:
        """Take a seat out of the match for good; raises :class:`IllegalAction` once the match is over."""
        ...

    def agree(self, state: S, rng: Rng) -> Step[S]:
        """End the match as a draw that the players agreed; raises :class:`IllegalAction` once it is over."""
        ...

    def lapse(self, view: V, rng: Rng) -> Words | None:
        """Return the sentence that the rules prescribe for the viewer's seat at a deadline, or ``None``."""
        ...

    def player(self, view: V, menu: Menu, rng: Rng) -> Words:
        """Return a whole sentence for the viewer's seat, chosen by a computer player."""
        ...

    def view(self, state: S, viewer: Viewer) -> V:
        """Return all that ``viewer`` knows, built up field by field.

        Once the match is over, that is the whole truth for every viewer: nothing stays hidden.
        """
        ...

    def waiting(self, view: V) -> frozenset[Seat]:
        """Return the seats that must decide, as far as the viewer can tell; empty when the match is over."""
        ...

    def menu(self, view: V, draft: Words = ()) -> Menu | None:
        """Return what the viewer's seat may say after ``draft``.

        ``None``: it may say nothing (the public, for one).
        Raises :class:`InvalidAction` or :class:`IllegalAction` if ``draft`` begins no sentence
        that it may say now.
        """
        ...

    def preview(self, view: V, draft: Words) -> V:
        """Return the view as it would be for ``draft``, up to the first word that reveals."""
        ...

    def narrate(self, fact: Fact) -> Msg | None:
        """Return one sentence for a fact; ``None``: it has none."""
        ...

    def outcome(self, view: V) -> Outcome | None:
        """Return how the match ended, or ``None`` while it runs."""
        ...

    def imagine(self, view: V, rng: Rng) -> S:
        """Return a state that this viewer could not tell from the real one."""
        ...

    def read(self, text: str) -> Words:
        """Return the sentence or draft that ``text`` denotes; raises :class:`InvalidAction`."""
        ...

    def write(self, words: Words) -> str:
        """Return ``words`` in the game's notation: ``read(write(words)) == words``."""
        ...

    def describe(self, view: V) -> Mapping[str, Any]:
        """Return the view as plain JSON data for the console; the same for equal views."""
        ...

    def record(self, state: S) -> Mapping[str, Any]:
        """Return the whole truth as plain JSON data: the input of digests."""
        ...
