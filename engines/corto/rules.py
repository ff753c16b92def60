"""The course of a match: its beginning, sentences, turns, skips, who leaves, and the ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from engines.core.contract import EVERYONE, Event, Fact, Seat, Setup, Step, Words, facts_for
from engines.core.rng import Rng
from engines.corto import events, scoring
from engines.corto.cards import CARDS
from engines.corto.setup import dealt
from engines.corto.state import Cards, Phase, Public, State, TurnView
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress, duty_of
from engines.corto.verbs import KILL, check, could_begin, unplayable
from engines.corto.verbs.base import Step as TurnStep
from engines.corto.verbs.draws import starts
from engines.corto.verbs.objects import aim
from engines.corto.view import View, look, table_of

# --- the beginning --------------------------------------------------------------------------------


def begin(setup: Setup, rng: Rng) -> Step[State]:
    """Set up a match."""
    state = dealt(setup, rng)
    return Step(state, tuple(Event(fact, EVERYONE) for fact in state.public.news))


# --- sentences ------------------------------------------------------------------------------------


@dataclass(slots=True, repr=False)
class _Work:
    """A state being changed, and what has happened so far."""

    state: State
    events: list[Event]

    @property
    def public(self) -> Public:
        return self.state.public

    def change(self, **values: Any) -> None:
        self.state = replace(self.state, public=replace(self.state.public, **values))

    def say(self, fact: Fact) -> None:
        self.events.append(Event(fact, EVERYONE))

    def step(self) -> Step[State]:
        """Return the step: counted, its public facts remembered, all revealed if it is the last."""
        news = facts_for(self.events, None)
        recap = (*self.public.recap, *news)
        begins = [place for place, fact in enumerate(recap) if fact.kind == "turn"]
        if len(begins) > 1:  # the latest turn and the one before it are enough to follow a match
            recap = recap[begins[-2] :]
        self.change(step=self.public.step + 1, news=news, recap=recap)
        over = self.public.phase is Phase.OVER
        return Step(self.state.revealed() if over else self.state, tuple(self.events))


def carry_out(state: State, seat: Seat, steps: Iterable[TurnStep], rng: Rng) -> Step[State]:
    """Carry out a sentence that has been checked against the seat's view."""
    public = state.public
    table = Table.of_state(state, seat, rng.stream("act", public.step))
    progress = Progress.of(table)
    in_turn = progress.duty in (Duty.TURN, Duty.DRAWS)
    for step in steps:
        check(progress, step)
        step.verb.do(progress, step)
    progress.close()
    work = _Work(table.state(), table.events)
    _settle_hands(work, seat, progress)
    if in_turn and progress.over:
        _finish(work, "boards")
    elif in_turn:
        _go_on(work, progress)
    else:
        # First markers and draws are nobody's turn; the table made one up to work with.
        work.change(turn=public.turn)
        if progress.placed:
            _next_place(work)
    return work.step()


def _settle_hands(work: _Work, seat: Seat, progress: Progress) -> None:
    public = work.public
    owed = tuple(progress.owed if one == seat else owes for one, owes in enumerate(public.to_draw))
    if not any(work.state.decks):
        owed = (0,) * len(owed)
    # What a skip has shown of a hand holds no longer once that hand has got a card.
    got = {event.fact["seat"] for event in work.events if event.fact.kind in ("drew", "picked")}
    limited = tuple(None if one in got else cards for one, cards in enumerate(public.limited))
    work.change(to_draw=owed, limited=limited)


def _go_on(work: _Work, progress: Progress) -> None:
    if progress.duty is Duty.DONE:
        work.change(passes=work.public.passes + 1 if progress.passed else 0)
        _next_turn(work)
    else:
        work.change(phase=Phase.DRAWS if progress.duty is Duty.DRAWS else Phase.TURN)


# --- turns ----------------------------------------------------------------------------------------


def _clockwise(public: Public, after: Seat) -> list[Seat]:
    seats = len(public.colours)
    order = [(after + step) % seats for step in range(1, seats + 1)]
    return [seat for seat in order if seat not in public.left]


def _next_place(work: _Work) -> None:
    public = work.public
    place = public.place
    assert place is not None
    seats = len(public.colours)
    rest = [(place + step) % seats for step in range(1, seats - (place - public.first) % seats)]
    following = next((seat for seat in rest if seat not in public.left), None)
    work.change(place=following)
    if following is None:
        _begin_turn(work, _clockwise(public, public.first - 1)[0])


def _begin_turn(work: _Work, seat: Seat) -> None:
    work.change(phase=Phase.TURN, turn=TurnView(seat))
    work.say(events.turn_begins(seat))


def _next_turn(work: _Work) -> None:
    turn = work.public.turn
    assert turn is not None
    for seat in cycle(_clockwise(work.public, turn.seat)):
        if work.public.passes >= len(_clockwise(work.public, seat)):
            _finish(work, "passes")
            return
        if any(work.state.decks):
            _begin_turn(work, seat)
            return
        # Nothing to draw: who has nothing to play either is skipped, which is a pass (a ruling).
        work.change(turn=TurnView(seat))
        table = table_of(look(work.state, seat))
        if any(could_begin(table, card) for card in table.hand):
            _begin_turn(work, seat)
            return
        work.say(events.passed(seat, forced=True))
        work.change(passes=work.public.passes + 1, limited=_limit(work.public, table))


def _limit(public: Public, table: Table) -> tuple[Cards | None, ...]:
    # A skip tells that the hand holds nothing playable; with what earlier skips told, it may tell more.
    known, shown = public.limited[table.seat], unplayable(table)
    both = shown if known is None else tuple(card for card in known if card in shown)
    return tuple(both if seat == table.seat else cards for seat, cards in enumerate(public.limited))


# --- the ends -------------------------------------------------------------------------------------


def _finish(work: _Work, reason: str) -> None:
    _over(work, scoring.ranks(work.public), reason)


def _over(work: _Work, ranks: tuple[tuple[Seat, ...], ...], reason: str) -> None:
    seats = len(work.public.colours)
    work.change(phase=Phase.OVER, turn=None, place=None, ranks=ranks, reason=reason)
    work.change(to_draw=(0,) * seats, limited=(None,) * seats)
    work.say(events.ended(ranks, reason))


def agree(state: State) -> Step[State]:
    """End the match as a draw."""
    work = _Work(state, [])
    _over(work, (tuple(state.public.seats),), "agreed")
    return work.step()


def withdraw(state: State, seat: Seat) -> Step[State]:
    """Take a seat out: its hand goes under its decks, its markers stay; of two, the other wins."""
    # Told before the seat is gone: afterwards nothing is asked of it any more.
    public = state.public
    duty = duty_of(public, seat)
    in_turn = public.turn is not None and public.turn.seat == seat
    work = _Work(_under_the_decks(state, seat), [])
    owed = tuple(0 if one == seat else owes for one, owes in enumerate(public.to_draw))
    work.change(left=(*public.left, seat), to_draw=owed, passes=_passes_without(public, seat))
    work.say(events.withdrawn(seat))
    staying = _clockwise(work.public, seat)
    if len(staying) == 1:
        _finish(work, "withdrawn")
    elif duty is Duty.START:
        _next_place(work)
    # The player may have left in the middle of the turn: two full strips end the match all the same.
    elif in_turn and table_of(look(state, None), seat).two_are_full():
        _finish(work, "boards")
    elif in_turn:
        _next_turn(work)
    return work.step()


def _passes_without(public: Public, seat: Seat) -> int:
    if public.turn is None:
        return public.passes
    # Only passes of those who stay count towards the end: was one of the latest passes the leaver's?
    before = _clockwise(public, public.turn.seat)[-2::-1]
    return public.passes - (seat in before[: public.passes])


def _under_the_decks(state: State, seat: Seat) -> State:
    strips, hand = state.public.strips, state.hands[seat]
    decks = tuple(
        (*deck, *(card for card in hand if CARDS[card].deck == strip))
        for strip, deck in zip(strips, state.decks, strict=True)
    )
    # Who knew a card of this hand still knows where it is.
    knows = [
        set(hand) if viewer == seat else set(hand).intersection(seen)
        for viewer, seen in enumerate(state.seen)
    ]
    return replace(
        state,
        decks=decks,
        hands=tuple(() if one == seat else cards for one, cards in enumerate(state.hands)),
        seen=tuple(tuple(card for card in seen if card not in hand) for seen in state.seen),
        under=tuple(tuple(sorted({*under, *knows[viewer]})) for viewer, under in enumerate(state.under)),
    )


# --- the deadline ---------------------------------------------------------------------------------


def lapse(view: View) -> Words | None:
    """Return what is said for the viewer's seat at a deadline; ``None`` where nothing is asked of it.

    A draft is never played for its player.
    """
    if view.viewer is None or view.viewer not in view.asked:
        return None
    table = table_of(view)
    progress = Progress.of(table)
    match progress.duty:
        case Duty.START:
            return ("start", starts(table)[0], *_fullest_draws(table, progress.owed))
        case Duty.HAND:
            return _fullest_draws(table, progress.owed)
        case Duty.DRAWS:
            return _fullest_draws(table, table.turn.draws)
        case Duty.TURN:
            freed = _freed(progress)
            begin = "end" if table.turn.played else "discard"
            return (*freed, begin, *_fullest_draws(table, progress.draws_after()))
        case _:
            return None


def _freed(progress: Progress) -> Words:
    """Let the card in hand free a square, where it must: the topmost, of those in a strip the leftmost."""
    if not progress.table.turn.must_free:
        return ()
    found = aim(progress.table)
    assert found is not None
    step = TurnStep(KILL, square=found.kills(progress.table)[0])
    KILL.do(progress, step)
    return step.words()


def _fullest_draws(table: Table, number: int) -> Words:
    found: list[str] = []
    for _ in range(number):
        deck = table.fullest_deck()
        if deck is None:
            break
        table.deck_sizes[deck] -= 1
        found.append(deck)
    return ("draw", *found) if found else ()
