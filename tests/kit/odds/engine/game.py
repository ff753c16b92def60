"""The rules behind the contract."""

from __future__ import annotations

from dataclasses import replace

from engines.core.base import MenuGame
from engines.core.contract import (
    EVERYONE,
    Choice,
    Event,
    Field,
    Manifest,
    Menu,
    Msg,
    Option,
    OptionChoice,
    Outcome,
    Seat,
    Setup,
    Step,
    Viewer,
    Widget,
    Words,
    fact,
    msg,
)
from engines.core.kit import SecretChoice, word_by_word
from engines.core.rng import Rng
from tests.kit.odds.engine.view import FINGERS, SEATS, Public, State, View


class Odds(MenuGame[State, View]):
    """The game."""

    manifest = Manifest(
        key="odds",
        title="Odds and Evens",
        rulesets=("1",),
        seats=(len(SEATS),),
        seat_labels=(msg("side.even"), msg("side.odd")),
        tagline=msg("tagline"),
        options=(
            Option("goal", msg("goal"), tuple(OptionChoice(n, msg(f"goal.{n}")) for n in ("3", "5")), "3"),
        ),
    )
    seat_data = frozenset({"seat", "winner"})
    endings = frozenset({"over.goal", "over.left", "over.agreed"})

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        """Ask both for fingers."""
        goal = int(setup.option("goal"))
        return Step(State(Public(goal), SecretChoice.of(SEATS)), (Event(fact("opened", n=goal), EVERYONE),))

    def view(self, state: State, viewer: Viewer) -> View:
        """Return the public part, and the viewer's own fingers."""
        return View(viewer, state.public, state.fingers.view(viewer))

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return who has not decided."""
        return view.fingers.waiting

    def menu_for(self, view: View, draft: Words) -> Menu:
        """Ask for a number of fingers."""
        choices = tuple(Choice(str(number), msg("fingers", n=number)) for number in FINGERS)
        field = Field("fingers", msg("how_many"), choices, Widget.BUTTONS)

        def ask(said: Words) -> tuple[Msg, Field | None]:
            return (msg("prompt.shows", n=int(said[0])), None) if said else (msg("prompt"), field)

        return word_by_word(draft, "show", ask)

    def preview(self, view: View, draft: Words) -> View:
        """Return the view with the drafted fingers behind the back."""
        return replace(view, fingers=replace(view.fingers, own=int(draft[0]))) if draft else view

    def on_act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        """Put fingers behind the back; the second seat's decision shows both."""
        fingers = state.fingers.commit(seat, int(words[0]))
        ready = Event(fact("ready", seat=seat), EVERYONE)
        if not fingers.is_complete:
            return Step(replace(state, fingers=fingers), (ready,))
        even, odd = (fingers.values[seat] for seat in SEATS)
        public = replace(state.public, rounds=(*state.public.rounds, (even, odd)))
        shown = Event(fact("round", even=even, odd=odd, winner=(even + odd) % 2), EVERYONE)
        if max(public.scores()) == public.goal:
            return _over(public, "goal", ready, shown)
        return Step(State(public, SecretChoice.of(SEATS)), (ready, shown))

    def on_withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        """End the match: the other seat wins."""
        return _over(replace(state.public, left=seat), "left")

    def on_agree(self, state: State, rng: Rng) -> Step[State]:
        """End the match as a draw."""
        return _over(state.public, "agreed")

    def outcome(self, view: View) -> Outcome | None:
        """Return the winner, or both as equals after an agreement."""
        public, scores = view.public, view.public.scores()
        if not public.ended:
            return None
        winner = scores.index(max(scores)) if public.left is None else 1 - public.left
        ranks = (SEATS,) if public.ended == "agreed" else ((winner,), (1 - winner,))
        return Outcome(ranks, (msg(f"over.{public.ended}"),), tuple(enumerate(scores)))

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a truth with any fingers behind a back that the viewer cannot look behind."""
        return State(view.public, view.fingers.imagine(view.viewer, lambda _: FINGERS, rng))


def _over(public: Public, why: str, *events: Event) -> Step[State]:
    """End the match: fingers that were not shown are forgotten, so that nothing stays hidden."""
    ended = Event(fact(f"over.{why}"), EVERYONE)
    return Step(State(replace(public, ended=why), SecretChoice()), (*events, ended))


GAME = Odds()
