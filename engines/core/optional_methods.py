"""What some games can do beside the contract: positions and situations, a summary, turns taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

from engines.core.contract import Fact, Menu, Msg, Setup, Words
from engines.core.rng import Rng
from engines.core.skill import Level, Skill

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
    """Games whose states can be given as readable data, as docs/notation.md says."""

    def situation(self, value: Mapping[str, Any], setup: Setup, rng: Rng) -> S_co:
        """Return the state that ``value`` describes; hidden parts that it leaves out are dealt from ``rng``.

        Raises :class:`InvalidAction` for anything that describes no state.
        """
        ...


@runtime_checkable
class Summarizing(Protocol[V_contra]):
    """Games of which a line says how a match stands: its points, as far as somebody knows them."""

    def summary(self, view: V_contra) -> Msg | None:
        """Return how a match that runs stands, as the viewer knows it; ``None``: there is nothing to say.

        The house shows what the public's view says beside the public board.
        """
        ...


@runtime_checkable
class Thinking(Protocol[V_contra]):
    """Games with computer players of several levels, which look ahead."""

    level_names: Mapping[Level, Msg]
    """What the levels are called in the game's world."""

    def think(self, view: V_contra, menu: Menu, skill: Skill, rng: Rng) -> Words:
        """Return a whole sentence for the viewer's seat; the same for the same view, skill and ``rng``.

        ``menu`` is the seat's first menu. It takes as long as the level's budget says: some playouts.
        """
        ...

    def reason(self, view: V_contra, words: Words) -> Msg:
        """Return what speaks for a whole sentence of the viewer's seat, in the game's terms.

        Hints say it beside what :meth:`think` has come to. It is a function of what the seat sees.
        """
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """How good a sentence seems beside the best one, by what its seat saw when it was said.

    ``played`` and ``best`` are chances of winning, from 0 to 1; ``better`` is the best sentence found, the
    one that was said where none is better.
    """

    played: float
    best: float
    better: Words = field(repr=False)


@runtime_checkable
class Judging(Protocol[V_contra]):
    """Games whose search can say afterwards, honestly, where a match could have turned."""

    def judge(self, view: V_contra, menu: Menu, words: Words, skill: Skill, rng: Rng) -> Judgement:
        """Return how good ``words`` were, which the viewer's seat has said when it saw ``view``.

        ``menu`` is the first menu that it had. The same for the same arguments.
        """
        ...


@runtime_checkable
class Undoing(Protocol):
    """Games of which some steps may be taken back, if all agree."""

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        """Return whether a step may be taken back of which the public has learned ``facts``.

        It may where such a step never lets chance decide, and never shows anybody what was hidden: of what
        its seat alone knew, at most what it has shown by its own choice, and all others see alike. What the
        public knows decides, so that neither an offer nor a refusal tells of a secret: a kind of step that
        now and then shows somebody something in secret is never undone.
        """
        ...
