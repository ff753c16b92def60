"""Computer players of The Secret of the Doge: one forgets, one deduces, one plays the match on.

None of them knows more than its view. Those that deduce also count what the next round promises the others.
The best one imagines truths that fit its view, and believes those the more in which the others' guesses, and
their silence, are likely: so it names the treasure where it has to guess. What partners may know in such
truths says which gift helps most, and how often the match is won from there says where to go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import prod
from typing import TypeVar

from engines.core.contract import Words
from engines.core.optional_methods import Level, Skill
from engines.core.rng import Rng, Stream
from engines.doge import outlook, player
from engines.doge.components import CARD_SQUARES, COLOURS, SQUARES, Card, Pair, Square, Way
from engines.doge.deduction import Met, SeenFalse
from engines.doge.imagine import imagine
from engines.doge.outlook import Board
from engines.doge.player import DEFEAT, Mind, gift, named
from engines.doge.playout import World
from engines.doge.rules import with_true
from engines.doge.sheet import Knowledge
from engines.doge.view import Guess, Phase, View

T = TypeVar("T")

BUDGETS = {Level.BEST: 1_000}
"""Playouts for a decision: a thousand of them take two seconds at most. The other levels play nothing on."""

MEMORY = 4
"""Clues that the first level remembers, the latest ones. Its own cards and wrong guesses it never forgets."""

FEELING = 0.3
"""How likely a treasure must seem to the first level for a guess."""

OVERLOOKS = (1, 4)
"""How often the first level does not compare what it may do, and does anything that does not lose at once."""

EQUAL = 0.05
"""Bits by which turns may differ that are as good: nobody meets the same match again."""

ALIKE = 0.01
"""The same for where to begin and where to lay a gift: there promises differ by little."""

PLAIN = 1.5
"""Bits by which a turn is so much worse than another that playing on would not change it."""

EXPERIENCE = 16.0
"""Playouts that a bit counts as much as: few of them may not overrule what usually pays, a thousand may."""

UNLIKELY = 0.1
"""How likely a guess counts that its seat's clues do not speak for, or the silence of one that is certain."""

TRUST = 4
"""How much likelier seats are taken to name a pair that is twice as likely to them: by two to the fourth."""


def sentence(view: View, skill: Skill, rng: Rng) -> Words:
    """Return a whole sentence for the viewer's seat, which is asked."""
    guess = interruption(view, skill)
    if guess is not None:
        return guess
    if skill.level is Level.BEST and _must_guess(view):
        return named(likeliest_treasure(likely_worlds(view, skill.playouts(BUDGETS), rng)))
    match view.phase:
        case Phase.PLACE if skill.level is not Level.FIRST:
            return _placed(view, rng)
        case Phase.MOVE | Phase.CHOOSE | Phase.HAUNT:
            return _chosen(view, skill, rng)
        case Phase.SHOW | Phase.GIVE:
            stream = rng.stream("gift")
            return gift(view, stream.choice(_gifts(view, skill, rng)), _pile(view, skill, stream))
        case Phase.LAST if skill.level is Level.FIRST:
            return named(_felt(view)[0])
    return player.sentence(view, rng)


def interruption(view: View, skill: Skill) -> Words | None:
    """Return a guess where it is time for one, in turn or out of turn; else ``None``.

    Whoever waits may still guess later, and knows more by then. So the deducing levels guess only if they are
    certain, or if their turn would lose the match; the best one then takes its time over it, in
    :func:`sentence`. Gifts are never left in advance: whoever is asked knows for whom a gift is.
    """
    if skill.level is Level.MIDDLE:
        return player.interruption(view)
    if not player.may_guess(view):
        return None
    if skill.level is Level.BEST:
        pair, chance = Mind.of(view).best_guess()
        return named(pair) if chance == 1 else None
    pair, chance = _felt(view)
    return named(pair) if chance >= FEELING or player.is_lost(Mind.of(view)) else None


def _must_guess(view: View) -> bool:
    """Return whether it is the last guess, or the turn would lose the match."""
    return view.phase is Phase.LAST or (player.may_guess(view) and player.is_lost(Mind.of(view)))


# --- what the first level has in mind -------------------------------------------------------------


def _forgetful(view: View) -> Mind:
    """Return the mind of a seat that remembers its latest clues only."""
    mind, knowledge = Mind.of(view), Knowledge.of(view)
    evidence = [] if knowledge is None else knowledge.evidence()
    clues = [piece for piece in evidence if isinstance(piece, Met | SeenFalse)]
    others = [piece for piece in evidence if not isinstance(piece, Met | SeenFalse)]
    return replace(mind, deals=mind.table.fitting_all([*others, *clues[-MEMORY:]]))


def _felt(view: View) -> tuple[Pair, float]:
    """Return the possible treasure that is likeliest by what is remembered, and how likely it seems."""
    mind, remembered = Mind.of(view), _forgetful(view).deals
    sizes = {
        pair: (remembered & mind.table.with_pair(mind.table.treasure, pair)).bit_count()
        for pair in mind.table.pairs_of(mind.table.treasure, mind.deals)
    }
    best = max(sizes, key=sizes.__getitem__)
    return best, sizes[best] / remembered.bit_count()


# --- where to go, and whom to ask -----------------------------------------------------------------


def _chosen(view: View, skill: Skill, rng: Rng) -> Words:
    """Return which way to go, whom to meet, what to look at, or whom the ghost asks."""
    stream = rng.stream("chosen")
    worth = player.options(_forgetful(view)) if skill.level is Level.FIRST else _options(Mind.of(view))
    if skill.level is Level.FIRST and stream.chance(*OVERLOOKS):
        return stream.choice([words for words, each in worth.items() if each > -DEFEAT / 2])
    if skill.level is Level.BEST:
        wins = _played_on(view, {words: worth[words] for words in _best(worth, PLAIN)}, skill, rng)
        return max(wins, key=wins.__getitem__)
    return stream.choice(_best(worth, EQUAL))


def _options(mind: Mind) -> Mapping[Words, float]:
    """Return what may be chosen, each with its worth; of a way also what all seats may find afterwards."""
    view = mind.view
    if view.phase is not Phase.MOVE:
        return player.options(mind)
    board = Board.of(view)
    return {
        (way.value,): mind.found_at(square) + outlook.ROUND * board.with_pawn(mind.seat, square).promise()
        for way, square in view.landings().items()
    }


def _placed(view: View, rng: Rng) -> Words:
    """Return an opening square from which all that stand there already may meet soon."""
    assert view.viewer is not None  # the public places nothing
    board = Board.of(view)
    free = [square for square in SQUARES if not view.pawns_at(square)]
    promises = {square: board.with_pawn(view.viewer, square).promise() for square in free}
    return ("place", str(rng.stream("place").choice(_best(promises, ALIKE))))


def _best(worth: Mapping[T, float], margin: float) -> list[T]:
    """Return what is worth no less than the best by more than a margin."""
    least = max(worth.values()) - margin
    return [each for each, found in worth.items() if found >= least]


def _played_on(view: View, worth: Mapping[Words, float], skill: Skill, rng: Rng) -> Mapping[Words, float]:
    """Return for each turn how many playouts are won, and what it seemed worth before, counted as such.

    All turns meet the same worlds and the same dice; a likely world counts more than an unlikely one.
    """
    if len(worth) == 1:
        return worth
    wins, weights = dict.fromkeys(worth, 0.0), 0.0
    number = max(1, skill.playouts(BUDGETS) // len(worth))
    for n, (world, weight) in enumerate(likely_worlds(view, number, rng)):
        weights += weight
        for words in worth:
            played = world.copy()
            _carry_out(played, view.active, words, view)
            wins[words] += weight * played.play_on((view.active + 1) % view.seats, rng.stream("dice", n))
    return {words: number * wins[words] / weights + EXPERIENCE * each for words, each in worth.items()}


def _carry_out(world: World, seat: int, words: Words, view: View) -> None:
    match words:
        case ("meet", colour):
            world.meet(seat, COLOURS.index(colour))
        case ("haunt", colour):
            world.haunt(seat, COLOURS.index(colour))
        case ("look",):
            world.look(seat)
        case ("cw" | "ccw" as way,):
            world.go(seat, view.landings()[Way(way)])


# --- what to show ---------------------------------------------------------------------------------


def _gifts(view: View, skill: Skill, rng: Rng) -> list[Card]:
    """Return the false cards that are as good as any to give."""
    if skill.level is Level.FIRST:
        return list(view.false_hand)
    if skill.level is Level.MIDDLE:
        mind, receiver = Mind.of(view), view.active
        open_left = {card: -mind.left_open(receiver, card) for card in view.false_hand}
        return _best(open_left, EQUAL)
    doubts, weights = dict.fromkeys(view.false_hand, 0.0), 0.0
    for world, weight in likely_worlds(view, skill.playouts(BUDGETS), rng):
        weights += weight
        for card in view.false_hand:
            doubts[card] -= weight * _doubt(world, view, card)
    return _best({card: doubts[card] / weights for card in view.false_hand}, EQUAL / 2)


def _doubt(world: World, view: View, card: Card) -> float:
    """Return how uncertain the treasure is to the receiver once it has been given a card."""
    assert view.viewer is not None  # the public owes nothing
    assert view.own is not None
    receiver, giver = view.active, view.viewer
    clues = world.clues[receiver]
    if view.phase is Phase.GIVE:
        told = clues.false[giver][card]
    else:
        told = clues.met[giver][with_true(view.own, card)]
    return clues.doubt(world.knows[receiver] & told)


def _pile(view: View, skill: Skill, stream: Stream) -> Square:
    """Return a card square for a gift, where somebody will find it who otherwise finds nothing.

    The first level takes one of the lowest piles.
    """
    heights = {square: len(view.piles[square]) for square in CARD_SQUARES}
    if skill.level is Level.FIRST:
        return stream.choice(_best({square: -float(height) for square, height in heights.items()}, 0.0))
    board = Board.of(view)
    worth = {square: board.gift_worth(square, height) for square, height in heights.items()}
    return stream.choice(_best(worth, ALIKE))


def likely_worlds(view: View, number: int, rng: Rng) -> Iterator[tuple[World, float]]:
    """Yield worlds that the viewer imagines, each with the likelihood of what the others have said in it."""
    for n in range(number):
        world = World.of(imagine(view, rng.child("world", n)))
        yield world, likelihood(world, view)


def likelihood(world: World, view: View) -> float:
    """Return how likely the others have guessed as they did, and else kept quiet, if a world is the truth.

    A seat that guesses wrong thought that pair the likeliest, by clues that nobody else has seen: so a truth
    in which its clues speak for that pair is likelier, and often half of the pair is right. A seat that is
    certain names the treasure at once: so nobody is likely to be. Neither is proof: people overlook things.
    """
    viewer = view.viewer
    silent = (UNLIKELY for seat in view.still_in if seat != viewer and world.is_certain(seat))
    guesses = (_guessed(world, guess) for guess in view.guesses if guess.seat != viewer)
    return prod(guesses) * prod(silent)


def _guessed(world: World, guess: Guess) -> float:
    numbers = world.clues[guess.seat].treasures(world.knows[guess.seat])
    most = max(numbers.values())
    shares = {pair: (number / most) ** TRUST for pair, number in numbers.items()}
    return max(UNLIKELY, shares[guess.pair] / sum(shares.values()))


def likeliest_treasure(worlds: Iterable[tuple[World, float]]) -> Pair:
    """Return the treasure that worlds speak for most, the first of equals."""
    found: dict[Pair, float] = {}
    for world, weight in worlds:
        found[world.treasure] = found.get(world.treasure, 0.0) + weight
    return max(found, key=found.__getitem__)
