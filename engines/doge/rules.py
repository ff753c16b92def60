"""What each sentence does to a match (rules page, Set-up, Turn, Guess, Loss).

All functions rely on a sentence that the menus have taken. They change a :class:`Progress`, which
gathers what happens in one act.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from engines.core.contract import EVERYONE, Audience, Event, FactValue, Seat, Setup, Step, fact, only
from engines.core.rng import Rng, Stream
from engines.doge.components import (
    CARD_SQUARES,
    CRAFTS,
    DIE,
    GHOST_CARDS,
    INSTITUTIONS,
    LOCATIONS,
    SQUARES,
    Card,
    Pair,
    Square,
    Way,
    in_order,
    landing,
)
from engines.doge.state import State, replace_at
from engines.doge.view import (
    Discard,
    Gift,
    GiftAhead,
    Guess,
    Notes,
    PawnMove,
    Phase,
    Public,
    Reason,
    Result,
    Source,
)


@dataclass(slots=True, repr=False)
class Progress:
    """A match in the course of one act: the state so far, and what has happened."""

    state: State
    rng: Rng
    events: list[Event] = field(default_factory=list)

    @property
    def public(self) -> Public:
        """Return the public part of the state so far."""
        return self.state.public

    def tell(self, audience: Audience, kind: str, **data: FactValue) -> None:
        """Let an audience know of something."""
        words = {name: _plain(value) for name, value in data.items()}
        self.events.append(Event(fact(kind, **words), audience))

    def change(self, **changes: Any) -> None:
        """Change the public part of the state."""
        self.state = replace(self.state, public=replace(self.state.public, **changes))

    def step(self) -> Step[State]:
        """Return the state and the events."""
        return Step(self.state, tuple(self.events))


def _plain(value: FactValue) -> FactValue:
    # A card's word, and no longer the card.
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return str(value) if isinstance(value, str) else value


def acting(state: State, rng: Rng) -> Progress:
    """Return the progress of an act that everybody sees: it is counted."""
    progress = Progress(state, rng)
    progress.change(step=state.public.step + 1)
    return progress


# --- set-up ---------------------------------------------------------------------------------------


def begin(setup: Setup, rng: Rng) -> Step[State]:
    """Deal the identities and shuffle the ghost deck (rules page, Set-up)."""
    seats, spare = setup.seats, 4 - setup.seats
    institutions = rng.stream("institutions").shuffled(INSTITUTIONS)
    crafts = rng.stream("crafts").shuffled(CRAFTS)
    # The first are laid out, the last is left over.
    pairs = tuple(Pair(i, c) for i, c in zip(institutions[spare:], crafts[spare:], strict=True))
    laid_out = in_order(frozenset((*institutions[:spare], *crafts[:spare])))
    ghosts = rng.stream("ghosts").shuffled([*LOCATIONS, *LOCATIONS])[: ghost_cards(setup)]
    public = empty(setup, laid_out)
    none: tuple[None, ...] = (None,) * seats
    state = State(public, pairs[:-1], pairs[-1], (), ghosts, none, (Notes(),) * seats)
    progress = Progress(state, rng)
    # Nobody can be kept from talking about clues: it is said, once.
    progress.tell(EVERYONE, "silence")
    if laid_out:
        progress.tell(EVERYONE, "laid_out", cards=tuple(laid_out))
    for seat, pair in enumerate(state.pairs):
        progress.tell(only(seat), "identity", institution=pair.institution, craft=pair.craft)
    return progress.step()


def ghost_cards(setup: Setup) -> int:
    """Return how many cards the ghost deck has at the start."""
    return GHOST_CARDS[setup.option("nights")][setup.seats]


def empty(setup: Setup, laid_out: tuple[Card, ...]) -> Public:
    """Return what everybody knows before the first pawn is placed."""
    seats = setup.seats
    return Public(
        seats=seats,
        can_leave_gifts=setup.option("gifts") == "ahead",
        laid_out=laid_out,
        step=0,
        phase=Phase.PLACE,
        turn=None,
        turns=0,
        latest=(-1,) * seats,
        die=None,
        pawns=(None,) * seats,
        out=(),
        resigned=(),
        guesses=(),
        gifts=(),
        piles=((),) * len(SQUARES),
        discards=(),
        ghost=None,
        deck=ghost_cards(setup),
        drawn=(),
        last_move=None,
        owes=None,
        passed=(),
        result=None,
    )


def place(progress: Progress, seat: Seat, square: Square) -> None:
    """Place a pawn at the start; nothing triggers there."""
    progress.change(pawns=replace_at(progress.public.pawns, seat, square))
    progress.tell(EVERYONE, "placed", seat=seat, square=square)
    _begin_turns(progress)


def _begin_turns(progress: Progress) -> None:
    public = progress.public
    if all(public.pawns[seat] is not None for seat in public.still_in):
        first = progress.rng.stream("first").choice(public.still_in)
        progress.change(phase=Phase.ROLL, turn=first)
        progress.tell(EVERYONE, "first", seat=first)


# --- a turn ---------------------------------------------------------------------------------------


def roll(progress: Progress, seat: Seat) -> None:
    """Roll the die."""
    public = progress.public
    die = progress.rng.stream("die", public.step).choice(DIE)
    latest = replace_at(public.latest, seat, public.step)
    progress.change(phase=Phase.MOVE, die=die, turns=public.turns + 1, latest=latest)
    progress.tell(EVERYONE, "rolled", seat=seat, die=die)


def move(progress: Progress, seat: Seat, way: Way) -> None:
    """Move the active pawn, and see what awaits it."""
    public = progress.public
    origin, steps = public.square_of(seat), public.die or 0
    target = landing(origin, way, steps)
    last_move = PawnMove(seat, origin, target, way, steps)
    progress.change(pawns=replace_at(public.pawns, seat, target), last_move=last_move)
    progress.tell(EVERYONE, "moved", seat=seat, way=way, square=target)
    public = progress.public
    if public.meetable() or public.piles[target]:
        progress.change(phase=Phase.CHOOSE)
        _settle_choice(progress)
    elif target in LOCATIONS and public.pawns_at(target) == (seat,):
        _summon(progress, seat)
    else:
        end_turn(progress)


def _settle_choice(progress: Progress) -> None:
    """Carry out a choice that has one answer left, and drop one that has none."""
    public = progress.public
    if public.phase is Phase.CHOOSE:
        others, answer = public.meetable(), meet
        if public.piles[public.square_of(public.active)]:
            return
    else:
        others, answer = public.hauntable(), haunt
    if not others:
        end_turn(progress)
    elif len(others) == 1:
        answer(progress, others[0])


def meet(progress: Progress, other: Seat) -> None:
    """Meet a player, who owes two cards now, or has left them in advance."""
    seat = progress.public.active
    progress.tell(EVERYONE, "met", seat=seat, other=other)
    progress.change(phase=Phase.SHOW, owes=other)
    gift = progress.state.ahead[other]
    if gift is not None:
        _use_up(progress, other)
        show(progress, other, gift.pair, gift.square)


def look(progress: Progress, seat: Seat) -> None:
    """Look at the top card of the pile, and discard it."""
    public = progress.public
    square = public.square_of(seat)
    number, *rest = public.piles[square]
    owner = public.gifts[number].giver
    discards = (*public.discards, Discard(number, seat, square, public.step))
    progress.change(piles=replace_at(public.piles, square, tuple(rest)), discards=discards)
    progress.tell(EVERYONE, "looked", seat=seat, owner=owner, square=square)
    progress.tell(only(seat), "saw", owner=owner, card=progress.state.faces[number])
    end_turn(progress)


def leave(progress: Progress, seat: Seat) -> None:
    """Leave the pile alone."""
    progress.tell(EVERYONE, "left_pile", seat=seat)
    end_turn(progress)


def _summon(progress: Progress, seat: Seat) -> None:
    public = progress.public
    if not public.deck:
        progress.tell(EVERYONE, "summoned", seat=seat)
        finish(progress, Result(won=False, reason=Reason.GHOST))
        return
    place, *rest = progress.state.ghosts
    progress.state = replace(progress.state, ghosts=tuple(rest))
    progress.change(phase=Phase.HAUNT, ghost=place, deck=public.deck - 1, drawn=(*public.drawn, place))
    progress.tell(EVERYONE, "ghost", seat=seat, square=place, deck=public.deck - 1)
    _settle_choice(progress)


def haunt(progress: Progress, other: Seat) -> None:
    """Let the ghost ask a player for a false card, which may have been left in advance."""
    seat = progress.public.active
    progress.tell(EVERYONE, "haunted", seat=seat, other=other)
    progress.change(phase=Phase.GIVE, owes=other)
    gift = progress.state.ahead[other]
    if gift is not None:
        _use_up(progress, other)
        give(progress, other, _false_of(progress.state, other, gift.pair), gift.square)


def show(progress: Progress, seat: Seat, pair: Pair, square: Square) -> None:
    """Show two cards to the active player, and put the false one face down on a square."""
    receiver = progress.public.active
    face = _false_of(progress.state, seat, pair)
    institution, craft = pair.cards
    progress.tell(only(receiver), "shown", seat=seat, institution=institution, craft=craft)
    progress.tell(only(seat), "showed", seat=receiver, institution=institution, craft=craft, card=face)
    _lay(progress, Gift(Source.MEETING, seat, receiver, square, progress.public.step), face)


def give(progress: Progress, seat: Seat, card: Card, square: Square) -> None:
    """Show the active player one false card through the ghost, and put it face down on a square."""
    receiver = progress.public.active
    progress.tell(only(receiver), "given", seat=seat, card=card)
    progress.tell(only(seat), "gave", seat=receiver, card=card)
    _lay(progress, Gift(Source.GHOST, seat, receiver, square, progress.public.step), card)


def _lay(progress: Progress, gift: Gift, face: Card) -> None:
    public, number = progress.public, len(progress.public.gifts)
    # At the bottom of the pile.
    pile = (*public.piles[gift.square], number)
    progress.state = replace(progress.state, faces=(*progress.state.faces, face))
    progress.change(gifts=(*public.gifts, gift), piles=replace_at(public.piles, gift.square, pile), owes=None)
    progress.tell(EVERYONE, "laid", seat=gift.giver, square=gift.square)
    left = progress.state.ahead[gift.giver]
    # A false card is given once: what was left in advance with it can never be used.
    if left is not None and face in left.pair.cards:
        _use_up(progress, gift.giver)
    end_turn(progress)


def _use_up(progress: Progress, seat: Seat) -> None:
    progress.state = replace(progress.state, ahead=replace_at(progress.state.ahead, seat, None))


def _false_of(state: State, seat: Seat, pair: Pair) -> Card:
    return next(card for card in pair.cards if card not in state.pairs[seat].cards)


def end_turn(progress: Progress) -> None:
    """Pass the turn on; or, where no player still in has a false card, ask for the last guesses."""
    public = progress.public
    last = public.active
    progress.change(die=None, owes=None)
    if not any(public.false_cards(seat) for seat in public.still_in):
        progress.tell(EVERYONE, "last_guesses")
        progress.change(phase=Phase.LAST)
        _ask_last(progress, last)
        return
    following = next(seat for seat in _round(public, last + 1) if seat in public.still_in)
    progress.change(phase=Phase.ROLL, turn=following)


def _ask_last(progress: Progress, start: Seat) -> None:
    public = progress.public
    left = [seat for seat in _round(public, start) if seat in public.still_in and seat not in public.passed]
    if left:
        progress.change(turn=left[0])
    else:
        finish(progress, Result(won=False, reason=Reason.CARDS))


def _round(public: Public, start: Seat) -> Iterator[Seat]:
    """Yield the seats once round, clockwise."""
    return ((start + n) % public.seats for n in range(public.seats))


def pass_last(progress: Progress, seat: Seat) -> None:
    """Let the last guess pass."""
    progress.change(passed=(*progress.public.passed, seat))
    progress.tell(EVERYONE, "passed", seat=seat)
    _ask_last(progress, seat)


# --- guesses and leaving ---------------------------------------------------------------------------


def guess(progress: Progress, seat: Seat, pair: Pair) -> None:
    """Name the treasure: all win, or the guesser is out (rules page, Guess)."""
    public, right = progress.public, pair == progress.state.treasure
    # The pawn goes from the ring to the slot of its guess.
    pawns = replace_at(public.pawns, seat, None)
    progress.change(guesses=(*public.guesses, Guess(seat, pair, right)), pawns=pawns)
    institution, craft = pair.cards
    progress.tell(EVERYONE, "right" if right else "wrong", seat=seat, institution=institution, craft=craft)
    if right:
        finish(progress, Result(won=True, reason=Reason.FOUND))
        return
    found = progress.state.treasure
    progress.tell(only(seat), "treasure", institution=found.institution, craft=found.craft)
    _go_on_without(progress, seat)


def resign(progress: Progress, seat: Seat) -> None:
    """Take a seat out for good; cards that it owes or is owed are given by lot first."""
    public = progress.public
    if public.owes is not None and seat in (public.owes, public.turn):
        _give_by_lot(progress, public.owes)
    public = progress.public
    progress.change(resigned=(*public.resigned, seat))
    progress.tell(EVERYONE, "resigned", seat=seat)
    # The last card given may have ended the match; and who has guessed wrong is out already.
    if public.phase is not Phase.OVER and seat not in public.out:
        _go_on_without(progress, seat)


def _give_by_lot(progress: Progress, seat: Seat) -> None:
    state = progress.state
    card, square = gift_by_lot(state.false_hand(seat), progress.rng.stream("lot", progress.public.step))
    if progress.public.phase is Phase.SHOW:
        show(progress, seat, with_true(state.pairs[seat], card), square)
    else:
        give(progress, seat, card, square)


def gift_by_lot(cards: Sequence[Card], stream: Stream) -> tuple[Card, Square]:
    """Return one of some false cards and a square for it, each choice as likely as any other."""
    return stream.choice(list(product(cards, CARD_SQUARES)))


def with_true(own: Pair, false: Card) -> Pair:
    """Return the pair of a false card and the true one of the other kind."""
    return Pair(own.institution, false) if false in CRAFTS else Pair(false, own.craft)


def _go_on_without(progress: Progress, seat: Seat) -> None:
    public = progress.public
    progress.change(out=(*public.out, seat), pawns=replace_at(public.pawns, seat, None))
    _use_up(progress, seat)
    if not progress.public.still_in:
        finish(progress, Result(won=False, reason=Reason.OUT))
    elif public.phase is Phase.PLACE:
        _begin_turns(progress)
    elif seat == public.turn:
        if public.phase is Phase.LAST:
            _ask_last(progress, seat)
        else:
            end_turn(progress)
    elif public.phase in (Phase.CHOOSE, Phase.HAUNT):
        _settle_choice(progress)


# --- the end --------------------------------------------------------------------------------------


def finish(progress: Progress, result: Result) -> None:
    """End the match and reveal all."""
    state = progress.state
    progress.change(phase=Phase.OVER, turn=None, die=None, owes=None, result=result)
    institution, craft = state.treasure.cards
    progress.tell(EVERYONE, "end", reason=result.reason, institution=institution, craft=craft)
    for seat, pair in enumerate(state.pairs):
        progress.tell(EVERYONE, "was", seat=seat, institution=pair.institution, craft=pair.craft)


# --- what only one seat notices ----------------------------------------------------------------------


def leave_gift(state: State, seat: Seat, gift: GiftAhead | None) -> State:
    """Return the state with the gift that a seat leaves in advance; ``None`` takes it back."""
    return replace(state, ahead=replace_at(state.ahead, seat, gift))


def take_note(state: State, seat: Seat, notes: Notes) -> State:
    """Return the state with a seat's notes changed."""
    return replace(state, notes=replace_at(state.notes, seat, notes))
