"""What speaks for a sentence, by what its seat has seen: what a clue tells, how sure a guess is."""

from __future__ import annotations

from engines.core.contract import Arg, Msg, Seat, SeatName, Words, msg
from engines.doge.components import COLOURS, LOCATIONS, Card, Pair, Square, Way
from engines.doge.deduction import DealSet, Evidence, Met, SeenFalse
from engines.doge.events import pair_name
from engines.doge.outlook import is_near
from engines.doge.player import Mind, is_lost
from engines.doge.view import Phase, View


def reason(view: View, words: Words) -> Msg:
    """Return what speaks for a whole sentence of the viewer's seat."""
    mind = Mind.of(view)
    match words:
        case ("place" | "cw" | "ccw" | "meet" | "haunt" | "look" | "leave", *_):
            return _step(mind, words)
        case ("show", institution, craft, _):
            pair = Pair(Card(institution), Card(craft))
            return _given(mind, Met(mind.seat, pair), pair.cards)
        case ("give", card, _):
            return _given(mind, SeenFalse(mind.seat, Card(card)), ())
        case ("guess", institution, craft):
            return _guess(mind, Pair(Card(institution), Card(craft)))
        case ("ahead", *gift):
            return msg("reason.ahead" if len(gift) > 1 else "reason.ahead.back")
        case ("roll" | "pass" as verb,):
            return msg(f"reason.{verb}")
    return msg("reason.note")


def _step(mind: Mind, words: Words) -> Msg:
    """Return what speaks for a step on the board: what its seat learns by it."""
    view = mind.view
    match words:
        case ("place", square):
            return _place(mind, int(square))
        case ("cw" | "ccw" as way,):
            return _go(mind, view.landings()[Way(way)])
        case ("meet", colour):
            return _meeting(mind, COLOURS.index(colour))
        case ("haunt", colour):
            return _haunting(mind, COLOURS.index(colour))
        case ("look",):
            return _top_card(mind, view.square_of(mind.seat))
    told = mind.top_card(view.square_of(mind.seat))
    return msg("reason.leave" if told else "reason.leave.useless")


# --- where to go ----------------------------------------------------------------------------------


def _place(mind: Mind, square: Square) -> Msg:
    near = _near(mind, square)
    return msg("reason.place", n=near) if near else msg("reason.place.far")


def _go(mind: Mind, square: Square) -> Msg:
    view = mind.view
    others = [seat for seat in view.pawns_at(square) if seat != mind.seat]
    meetable = [seat for seat in others if view.false_cards(seat)]
    if meetable:
        other = max(meetable, key=mind.meeting)
        if not view.piles[square] or mind.meeting(other) >= mind.top_card(square):
            return _meeting(mind, other)
    if view.piles[square]:
        return _top_card(mind, square)
    if _is_lone(mind, square):
        return _ghost(mind)
    if any(_is_lone(mind, each) for each in view.landings().values()):
        return msg("reason.nothing.safe")
    near = _near(mind, square) if view.false_cards(mind.seat) else 0
    return msg("reason.nothing.near", n=near) if near else msg("reason.nothing")


def _near(mind: Mind, square: Square) -> int:
    """Return how many other pawns can come to a square with one roll."""
    others = (place for seat, place in enumerate(mind.view.pawns) if seat != mind.seat)
    return sum(place is not None and is_near(place, square) for place in others)


def _is_lone(mind: Mind, square: Square) -> bool:
    """Return whether this seat would summon the ghost there."""
    view = mind.view
    others = [seat for seat in view.pawns_at(square) if seat != mind.seat]
    return square in LOCATIONS and not others and not view.piles[square]


def _ghost(mind: Mind) -> Msg:
    view = mind.view
    if not view.deck:
        return msg("reason.defeat")
    if all(_is_lone(mind, square) for square in view.landings().values()):
        return msg("reason.ghost.either", n=view.deck - 1)
    return msg("reason.ghost", n=view.deck - 1)


# --- what a clue tells ----------------------------------------------------------------------------


def _meeting(mind: Mind, other: Seat) -> Msg:
    pairs = len(mind.table.pairs_of(other, mind.deals))
    return msg("reason.meet" if pairs > 1 else "reason.meet.known", player=SeatName(other), n=pairs)


def _haunting(mind: Mind, other: Seat) -> Msg:
    pairs = len(mind.table.pairs_of(other, mind.deals))
    return msg("reason.haunt" if pairs > 1 else "reason.haunt.known", player=SeatName(other), n=pairs)


def _top_card(mind: Mind, square: Square) -> Msg:
    view = mind.view
    number = view.piles[square][0]
    owner = view.gifts[number].giver
    if owner == mind.seat:
        return msg("reason.look.own")
    shown = dict(mind.view.shown).get(number)
    if not mind.top_card(square):
        return msg("reason.look.useless", player=SeatName(owner))
    if shown is not None:
        return msg("reason.look.shown", player=SeatName(owner), pair=pair_name(shown))
    return msg("reason.look", player=SeatName(owner), n=len(mind.table.pairs_of(owner, mind.deals)))


# --- what to show ---------------------------------------------------------------------------------


def _given(mind: Mind, shown: Evidence, cards: tuple[Card, ...]) -> Msg:
    """Return what a gift tells its receiver, by all that this seat has shown it."""
    receiver = mind.view.active
    before = mind.table.fitting_all(mind.told(receiver))
    after = before & mind.table.fitting(shown)
    who: dict[str, Arg] = {"player": SeatName(receiver)}
    for card in cards:
        if mind.table.verdict(mind.seat, card, after) and not mind.table.verdict(mind.seat, card, before):
            return msg("reason.show.proves", card=msg(f"card.{card}"), **who)
    left, were = _open_pairs(mind, after), _open_pairs(mind, before)
    if left == were:
        return msg("reason.show.nothing", n=left, **who)
    return msg("reason.show", n=left, before=were, **who)


def _open_pairs(mind: Mind, deals: DealSet) -> int:
    return len(mind.table.pairs_of(mind.seat, deals))


# --- the treasure ---------------------------------------------------------------------------------


def _guess(mind: Mind, pair: Pair) -> Msg:
    fitting = (mind.deals & mind.table.with_pair(mind.table.treasure, pair)).bit_count()
    deals = mind.deals.bit_count()
    if fitting in (0, deals):
        return msg("reason.guess.sure" if fitting else "reason.guess.impossible")
    # Rounded, but never to certain: it is neither sure nor impossible.
    percent = min(99, max(1, round(100 * fitting / deals)))
    key = "last" if mind.view.phase is Phase.LAST else "lost" if is_lost(mind) else "chance"
    return msg(f"reason.guess.{key}", percent=percent)
