"""The base class of games: what most games have in common. A game overrides what it does differently.

The contract itself is :class:`~engines.core.contract.Game`; a game that derives from
:class:`MenuGame` meets it once it has a manifest and the abstract methods. A game that would rather
check sentences itself derives from :class:`BaseGame` and writes its own ``act``.

Checks happen here, changes in the ``on_…`` methods: those may rely on a seat of the match, a running
match, and a sentence that the seat may say. The refusals use these keys of the game's catalogue:
``error.seat``, ``error.over``, ``error.gone``, ``error.not_asked`` and ``error.unfinished``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from engines.core import setups
from engines.core.canonical_json import plain_fields
from engines.core.contract import (
    Arg,
    Fact,
    IllegalAction,
    InvalidAction,
    Manifest,
    Menu,
    Msg,
    Outcome,
    Seat,
    SeatName,
    Setup,
    Step,
    Viewer,
    Words,
    msg,
)
from engines.core.player import walk
from engines.core.rng import Rng


class HasViewer(Protocol):
    """What the base class needs of a view: whose it is."""

    @property
    def viewer(self) -> Viewer:
        """Return the seat that looks, or ``None`` for the public."""
        ...


def fields_of(record: type[Any], value: object) -> dict[str, Any]:
    """Return the fields of the dataclass ``record`` by name, with the values that they have in ``value``.

    ``View(**fields_of(Public, public), …)`` adds to a public record what its viewer knows besides, where
    ``View`` derives from ``Public``; ``Public(**fields_of(Public, view))`` takes the record out of a view.
    """
    return {part.name: getattr(value, part.name) for part in fields(record)}


S = TypeVar("S")
V = TypeVar("V", bound=HasViewer)


class BaseGame(ABC, Generic[S, V]):
    """A game with everything that does not depend on its rules.

    ``manifest`` is set by the game. The others tell narration what to do with facts:

    - ``seat_data``: names of data that are seats, shown as players' names;
    - ``text_data``: names of data that are shown as a text, whose key is name and value:
      the text ``card.lion`` for ``card="lion"``;
    - ``untold``: kinds of facts that have no sentence;
    - ``endings``: kinds of facts that say how the match ended. Boards and panels show the outcome instead;
      the log has them.
    """

    manifest: Manifest
    seat_data: ClassVar[frozenset[str]] = frozenset({"seat"})
    text_data: ClassVar[frozenset[str]] = frozenset()
    untold: ClassVar[frozenset[str]] = frozenset()
    endings: ClassVar[frozenset[str]] = frozenset()

    # --- beginning and ending ---------------------------------------------------------------------

    def start(self, setup: Setup, rng: Rng) -> Step[S]:
        """Begin a match; raises ``ValueError`` for a set-up not in the manifest."""
        setups.check(self.manifest, setup)
        return self.on_start(setups.settled(self.manifest, setup), rng)

    @abstractmethod
    def on_start(self, setup: Setup, rng: Rng) -> Step[S]:
        """Begin a match with a set-up of the manifest, in which forced values of options are applied."""

    def withdraw(self, state: S, seat: Seat, rng: Rng) -> Step[S]:
        """Take a seat out; raises :class:`IllegalAction` once the match is over or the seat is gone."""
        self.check_seat(state, seat)
        self.check_running(state)
        if seat in self.gone(self.view(state, None)):
            raise IllegalAction(msg("error.gone"))
        return self.on_withdraw(state, seat, rng)

    @abstractmethod
    def on_withdraw(self, state: S, seat: Seat, rng: Rng) -> Step[S]:
        """Take a seat out of a running match that it has not left yet."""

    def agree(self, state: S, rng: Rng) -> Step[S]:
        """End the match as an agreed draw; raises :class:`IllegalAction` once it is over."""
        self.check_running(state)
        return self.on_agree(state, rng)

    @abstractmethod
    def on_agree(self, state: S, rng: Rng) -> Step[S]:
        """End a running match as a draw that the players agreed."""

    @abstractmethod
    def outcome(self, view: V) -> Outcome | None:
        """Return how the match ended, or ``None`` while it runs."""

    # --- what a seat may do -----------------------------------------------------------------------

    @abstractmethod
    def waiting(self, view: V) -> frozenset[Seat]:
        """Return the seats that must decide, as far as the viewer can tell; none once the match is over."""

    def may_act(self, view: V) -> bool:
        """Return whether the viewer's seat may say anything now: by default, whether it is pending.

        A game with asides allows more.
        """
        return view.viewer in self.waiting(view)

    def menu(self, view: V, draft: Words = ()) -> Menu | None:
        """Return what the viewer's seat may say after ``draft``; ``None`` if it may say nothing."""
        return self.menu_for(view, draft) if self.may_act(view) else None

    @abstractmethod
    def menu_for(self, view: V, draft: Words) -> Menu:
        """Return the menu of a seat that may act; raises as :meth:`Game.menu` does."""

    @abstractmethod
    def act(self, state: S, seat: Seat, words: Words, rng: Rng) -> Step[S]:
        """Carry out one whole sentence; raises :class:`InvalidAction` or :class:`IllegalAction`."""

    def lapse(self, view: V, rng: Rng) -> Words | None:
        """Return ``None``: by default, the rules say nothing about deadlines."""
        return None

    def player(self, view: V, menu: Menu, rng: Rng) -> Words:
        """Return a sentence of the baseline player, which walks the menu at random."""
        return walk(self, view, menu, rng)

    # --- checks -----------------------------------------------------------------------------------

    def seats(self, state: S) -> Collection[Seat]:
        """Return the seats of this match. A game with several table sizes must override it."""
        if len(self.manifest.seats) != 1:
            raise TypeError(f"{type(self).__name__} has several table sizes: it must override seats()")
        return range(self.manifest.seats[0])

    def gone(self, view: V) -> Collection[Seat]:
        """Return the seats that have left a match that goes on without them."""
        return ()

    def check_seat(self, state: S, seat: Seat) -> None:
        """Raise :class:`IllegalAction` for a seat that this match does not have."""
        if seat not in self.seats(state):
            raise IllegalAction(msg("error.seat"))

    def check_running(self, state: S) -> None:
        """Raise :class:`IllegalAction` once the match is over."""
        if self.outcome(self.view(state, None)) is not None:
            raise IllegalAction(msg("error.over"))

    def refusal(self, view: V) -> Msg:
        """Return why the viewer's seat may say nothing now."""
        if self.outcome(view) is not None:
            return msg("error.over")
        return msg("error.gone" if view.viewer in self.gone(view) else "error.not_asked")

    # --- what a viewer knows ----------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> V:
        """Return all that ``viewer`` knows, built up field by field."""

    def preview(self, view: V, draft: Words) -> V:
        """Return the view unchanged: by default, only the menu shows the draft."""
        return view

    @abstractmethod
    def imagine(self, view: V, rng: Rng) -> S:
        """Return a state that this viewer could not tell from the real one."""

    def narrate(self, fact: Fact) -> Msg | None:
        """Return the text whose key is the fact's kind, with its data as the gaps.

        Data named in ``seat_data`` become players' names, those in ``text_data`` texts. Otherwise only
        strings and numbers fill a gap: a tuple, a flag or ``None`` needs a ``narrate`` of the game's own.
        """
        if fact.kind in self.untold:
            return None
        gaps: list[tuple[str, Arg]] = []
        for name, value in fact.data:
            if not isinstance(value, (int, str)) or isinstance(value, bool):
                continue
            if name in self.text_data:
                gaps.append((name, msg(f"{name}.{value}")))
            elif name in self.seat_data and isinstance(value, int):
                gaps.append((name, SeatName(value)))
            else:
                gaps.append((name, value))
        return Msg(fact.kind, tuple(gaps))

    def retell(self, facts: Sequence[Fact]) -> tuple[Msg, ...]:
        """Return a sentence for each fact that has one, without those in ``endings``."""
        told = (self.narrate(fact) for fact in facts if fact.kind not in self.endings)
        return tuple(message for message in told if message is not None)

    # --- as text and as data ----------------------------------------------------------------------

    def read(self, text: str) -> Words:
        """Return the words of ``text``, which are separated by spaces."""
        return tuple(text.split())

    def write(self, words: Words) -> str:
        """Return ``words`` on one line."""
        return " ".join(words)

    def describe(self, view: V) -> Mapping[str, Any]:
        """Return the fields of the view as plain JSON data (:func:`plain_fields`)."""
        return plain_fields(view)

    def record(self, state: S) -> Mapping[str, Any]:
        """Return the fields of the state as plain JSON data (:func:`plain_fields`)."""
        return plain_fields(state)


class MenuGame(BaseGame[S, V]):
    """A game whose menus judge its sentences: it accepts any draft that the seat's menu calls complete."""

    def act(self, state: S, seat: Seat, words: Words, rng: Rng) -> Step[S]:
        """Carry out one whole sentence; raises :class:`InvalidAction` or :class:`IllegalAction`."""
        self.check_seat(state, seat)
        view = self.view(state, seat)
        # The menu is the judge, so that no seat is offered what is refused, or refused what is offered.
        menu = self.menu(view, words)
        if menu is None:
            raise IllegalAction(self.refusal(view))
        if not menu.complete:
            raise InvalidAction(self.unfinished(menu))
        return self.on_act(state, seat, menu.draft, rng)

    def unfinished(self, menu: Menu) -> Msg:
        """Return the refusal of a beginning that was said as if it were a whole sentence."""
        return msg("error.unfinished")

    @abstractmethod
    def on_act(self, state: S, seat: Seat, words: Words, rng: Rng) -> Step[S]:
        """Carry out a whole sentence in normal form that ``seat`` may say."""
