"""What some games can do beyond the contract: positions, notes, summaries, and players of several levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol, TypeVar, runtime_checkable

from engines.core.contract import Fact, Game, Menu, Msg, Setup, Words
from engines.core.rng import Rng


class Level(Enum):
    """The three computer players that a game has; each game gives them names of its own world."""

    FIRST = "first"
    """Makes the mistakes that people make, and never nonsense."""
    MIDDLE = "middle"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class Skill:
    """A level, and the share of its budget that is used: less under load."""

    level: Level
    effort: float = 1.0

    def playouts(self, budgets: Mapping[Level, int]) -> int:
        """Return the number of playouts, from the budget of each level; at least one."""
        return max(1, round(budgets[self.level] * self.effort))


S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)
V_contra = TypeVar("V_contra", contravariant=True)


@runtime_checkable
class Positional(Protocol[S]):
    """Games whose states can be written on one line."""

    def position(self, text: str, ruleset: str | None = None) -> S:
        """Return the state that ``text`` describes; raises :class:`InvalidAction`.

        ``ruleset`` is one of the manifest's, and the newest if it is left out.
        """
        ...

    def position_text(self, state: S) -> str:
        """Return the position of ``state`` on one line."""
        ...


@runtime_checkable
class Situational(Protocol[S_co]):
    """Games whose states can be given as readable data, as docs/notation.md describes."""

    def situation(self, value: Mapping[str, Any], setup: Setup, rng: Rng) -> S_co:
        """Return the state that ``value`` describes; hidden parts that it leaves out are dealt from ``rng``.

        Raises :class:`InvalidAction` for anything that describes no state.
        """
        ...


@runtime_checkable
class Summarizing(Protocol[V_contra]):
    """Games with a line on how a match stands: its points, as far as the viewer knows them."""

    def summary(self, view: V_contra) -> Msg | None:
        """Return how a running match stands, as far as the viewer knows; ``None``: there is nothing to show.

        The house shows the public's summary beside the public board.
        """
        ...


@runtime_checkable
class Telling(Protocol[V_contra]):
    """Games whose sentences have so many steps that a menu's prompt cannot say what they do."""

    def tell(self, preview: V_contra) -> tuple[Msg, ...]:
        """Return what the draft of a preview does, as the story would tell it, in few sentences.

        It ends before the first word that reveals, as the preview does: the menu's prompt tells the rest.
        """
        ...


@runtime_checkable
class Thinking(Protocol[V_contra]):
    """Games with computer players of several levels, which look ahead."""

    level_names: Mapping[Level, Msg]
    """What the levels are called in the game's world."""

    def think(self, view: V_contra, menu: Menu, skill: Skill, rng: Rng) -> Words:
        """Return a whole sentence for the viewer's seat; the same for the same view, skill and ``rng``.

        ``menu`` is the seat's first menu. It takes as many playouts as the level's budget allows.
        """
        ...

    def reason(self, view: V_contra, words: Words) -> Msg:
        """Return the reason for a whole sentence of the viewer's seat, in the game's terms.

        Hints show it beside the result of :meth:`think`. It depends only on what the seat sees.
        """
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """How good a sentence seems compared with the best one, by what its seat saw when it was said.

    ``played`` and ``best`` are chances of winning, from 0 to 1; ``better`` is the best sentence found, or
    the one that was said if none is better.
    """

    played: float
    best: float
    better: Words = field(repr=False)


@runtime_checkable
class Judging(Protocol[V_contra]):
    """Games whose search can say afterwards, honestly, where a match could have turned."""

    def judge(self, view: V_contra, menu: Menu, words: Words, skill: Skill, rng: Rng) -> Judgement:
        """Judge ``words``, which the viewer's seat said when it saw ``view``.

        ``menu`` is the first menu that it had. Equal arguments give equal results.
        """
        ...


@runtime_checkable
class Undoing(Protocol):
    """Games of which some steps may be taken back, if all agree."""

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        """Return whether a step may be taken back from which the public has learned ``facts``.

        It may if such a step never involves chance, and never reveals anything hidden, except what only its
        seat knew, chose to show, and showed to all others alike. Only public knowledge decides, so that
        neither an offer nor a refusal gives away a secret: a kind of step that sometimes shows somebody
        something in secret is never undone.
        """
        ...


@runtime_checkable
class Enumerable(Protocol[V_contra]):
    """Games that list whole sentences faster than a walk of their menus does."""

    def legal(self, view: V_contra) -> Iterator[Words] | None:
        """Return all whole sentences of the viewer's seat, each once; ``None``: too many to list here."""
        ...


@runtime_checkable
class Interrupting(Protocol[V_contra]):
    """Games whose computer players may say something unasked."""

    def interrupt(self, view: V_contra, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        """Return an aside of the viewer's seat, chosen by a computer player; ``None``: it keeps quiet.

        ``menu`` is the seat's first menu; without ``skill`` the player without levels decides.
        The sentence is whole, begins with an aside, and is no note. Called whenever the seat's view has
        changed, before any pending seat decides.
        """
        ...


@runtime_checkable
class TakesNotes(Protocol):
    """Games in which a seat may take notes for itself, which nobody else can notice.

    A note is an aside. Its step has no events and changes nothing but fields of the state that are
    called ``notes``. A seat's view holds its own notes; no other view does, even after the end, and
    ``record`` omits them: they are in no digest and no replay file. A note changes no first menu, no
    draw and nothing that follows.
    """

    def is_note(self, words: Words) -> bool:
        """Return whether ``words``, any words at all, are a note if they are a sentence."""
        ...


@runtime_checkable
class Storyteller(Protocol):
    """Games whose turns have too many small facts for a sentence each."""

    def retell(self, facts: Sequence[Fact]) -> tuple[Msg, ...]:
        """Return what one viewer has learned from consecutive acts, in order, in few sentences.

        They reveal no more than the facts do, and may omit what the board shows at a glance, and how the
        match ended, which is shown beside them: the log has every fact.
        """
        ...


def decide(game: Game[Any, Any], view: Any, menu: Menu, skill: Skill | None, rng: Rng) -> Words:
    """Return a whole sentence for the seat that sees ``view`` and has the first menu ``menu``.

    ``skill``: how well it thinks; if ``None``, or if the game has no levels, it decides at once, without
    looking far ahead.
    """
    if skill is not None and isinstance(game, Thinking):
        return game.think(view, menu, skill, rng)
    return game.player(view, menu, rng)


def interrupt(game: Game[Any, Any], view: Any, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
    """Return what a seat says unasked; ``None``: it keeps quiet."""
    return game.interrupt(view, menu, skill, rng) if isinstance(game, Interrupting) else None
