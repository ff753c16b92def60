"""A choice that several seats make at once: everybody sees who is ready, nobody what the others chose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from engines.core.contract import Seat, Viewer
from engines.core.rng import Rng

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class SecretChoice(Generic[T]):
    """The part of the state. ``asked`` is public; ``made`` holds each choice, in the order of the seats.

    A choice of nobody (``SecretChoice()``) is what a game has while none is open, and once it is over.
    """

    asked: frozenset[Seat] = frozenset()
    made: tuple[tuple[Seat, T], ...] = ()

    @classmethod
    def of(cls, seats: Iterable[Seat]) -> SecretChoice[T]:
        """Return a choice that ``seats`` have to make, as in ``SecretChoice[int].of(seats)``."""
        return cls(frozenset(seats))

    @property
    def is_complete(self) -> bool:
        """Return whether everybody asked has chosen; false where nobody is asked."""
        return bool(self.asked) and self.asked == self.values.keys()

    @property
    def values(self) -> Mapping[Seat, T]:
        """Return what each seat has chosen so far: for whoever resolves the choice."""
        return dict(self.made)

    def commit(self, seat: Seat, value: T) -> SecretChoice[T]:
        """Return the choice with that of ``seat``; raises ``ValueError`` if it is not waited for."""
        if seat not in self.asked or seat in self.values:
            raise ValueError("this seat has nothing to choose")
        # In the order of the seats: equal choices are equal states, whoever was first.
        return replace(self, made=tuple(sorted((*self.made, (seat, value)), key=lambda pair: pair[0])))

    def without(self, seat: Seat) -> SecretChoice[T]:
        """Return the choice without a seat that leaves, its own choice forgotten.

        The others may be complete then: a game that goes on must resolve it.
        """
        return SecretChoice(self.asked - {seat}, tuple(pair for pair in self.made if pair[0] != seat))

    def view(self, viewer: Viewer) -> SecretChoiceView[T]:
        """Return what ``viewer`` knows: who is asked, who is ready, its own choice."""
        own = None if viewer is None else self.values.get(viewer)
        return SecretChoiceView(self.asked, frozenset(self.values), own)


@dataclass(frozen=True, slots=True, repr=False)
class SecretChoiceView(Generic[T]):
    """The part of a view. ``own`` is ``None`` for the public and for who has not chosen."""

    asked: frozenset[Seat] = frozenset()
    ready: frozenset[Seat] = frozenset()
    own: T | None = None

    @property
    def waiting(self) -> frozenset[Seat]:
        """Return who must still choose."""
        return self.asked - self.ready

    def imagine(self, viewer: Viewer, options: Callable[[Seat], Sequence[T]], rng: Rng) -> SecretChoice[T]:
        """Return a choice that ``viewer`` could not tell from the real one.

        ``options`` are all that a seat may have chosen, as far as the viewer can tell; never none.
        """
        made = tuple(
            (seat, self.own)
            if seat == viewer and self.own is not None
            else (seat, rng.stream("secret choice", seat).choice(options(seat)))
            for seat in sorted(self.ready)
        )
        return SecretChoice(self.asked, made)
