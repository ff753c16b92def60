"""A step being built: the parts of the next state, and the events on the way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engines.core.contract import EVERYONE, Event, Fact, Seat, Step, all_but, only
from engines.core.rng import Rng
from engines.volt import events
from engines.volt.modules import in_order
from engines.volt.state import Own, State
from engines.volt.view import DECKS, Public


class StepBuilder:
    """The parts of the next state while a step is carried out, and the events on the way."""

    def __init__(self, state: State, rng: Rng) -> None:
        self.public: Public = state.public
        self.own: list[Own] = list(state.own)
        self.decks: dict[str, list[str]] = {
            deck: list(cards) for deck, cards in zip(DECKS, state.decks, strict=True)
        }
        self.rng = rng
        self.events: list[Event] = []
        self._recap = False

    def step(self) -> Step[State]:
        """Return the state as it is now, and all events so far."""
        red, blue, yellow = (tuple(self.decks[deck]) for deck in DECKS)
        return Step(State(self.public, tuple(self.own), (red, blue, yellow)), tuple(self.events))

    # --- telling ----------------------------------------------------------------------------------

    def begin_recap(self) -> None:
        """Start the recap of a round anew: what is told from now on belongs to it."""
        self.change(recap=(), news=())
        self.go_on_with_recap()

    def go_on_with_recap(self) -> None:
        """Let what is told from now on belong to the round's recap."""
        self._recap = True

    def end_recap(self) -> None:
        """Let what is told from now on be news."""
        self._recap = False

    def say(self, fact: Fact) -> None:
        """Tell everybody; the views keep it, so that equal views were told the same."""
        self.events.append(Event(fact, EVERYONE))
        self._keep(fact)

    def tell_done(self, seat: Seat, tile: int | None) -> None:
        """Tell that a seat has answered; unlike what :meth:`say` tells, the view does not keep it."""
        self.events.append(Event(events.done(seat, tile), EVERYONE))

    def _keep(self, fact: Fact) -> None:
        if self._recap:
            self.change(recap=(*self.public.recap, fact))
        else:
            self.change(news=(*self.public.news, fact))

    def say_all(self, told: list[Fact]) -> None:
        """Tell everybody several things, in order."""
        for fact in told:
            self.say(fact)

    # --- changing ---------------------------------------------------------------------------------

    def change(self, **fields: Any) -> None:
        """Replace fields of the public part."""
        self.public = replace(self.public, **fields)

    def change_robot(self, seat: Seat, **fields: Any) -> None:
        """Replace fields of a robot."""
        robots = list(self.public.robots)
        robots[seat] = replace(robots[seat], **fields)
        self.change(robots=tuple(robots))

    def change_own(self, seat: Seat, **fields: Any) -> None:
        """Replace fields of a seat's own part."""
        self.own[seat] = replace(self.own[seat], **fields)

    def draw(self, seat: Seat, deck: str, *, active: bool = False) -> None:
        """Draw a module for a seat.

        The deck is gone through once at most, and may give nothing.
        """
        cards, own = self.decks[deck], self.own[seat]
        for _ in range(len(cards)):
            name = cards.pop(0)
            # A name that the seat owns goes under its deck, unseen by others (rules page, Round, phase 2).
            if name in own.names:
                cards.append(name)
                continue
            place = "active" if active else "spare"
            self.change_own(seat, **{place: in_order((*getattr(own, place), name))})
            public = events.drew(seat, deck, None)
            self.events.append(Event(events.drew(seat, deck, name), only(seat)))
            self.events.append(Event(public, all_but(seat)))
            self._keep(public)
            return
        self.say(events.drew_nothing(seat, deck))
