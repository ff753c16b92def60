"""What the other seats' guesses tell of the treasure, and that they have not guessed.

Whoever guesses wrong thought that pair the likeliest, by clues that nobody else has seen: so a truth in which
its clues speak for that pair is likelier than one in which they do not, and often half of the pair is right.
And whoever is certain names the treasure at once: so nobody is likely to be. Neither is a proof, as people
overlook things. It serves where a guess is due, and to tell likely truths from others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from engines.core.contract import Seat
from engines.core.rng import Rng
from engines.doge.cards import Pair
from engines.doge.imagine import imagine
from engines.doge.playout import World
from engines.doge.view import Guess, View

UNLIKELY = 0.1
"""How likely a guess counts that its seat's clues do not speak for, or the silence of one that is certain."""

TRUST = 4
"""How much likelier seats are taken to name a pair that is twice as likely to them: by two to the fourth."""


def likely_worlds(view: View, number: int, rng: Rng) -> Iterator[tuple[World, float]]:
    """Yield worlds that the viewer imagines, each with the likelihood of what the others have said in it."""
    for n in range(number):
        world = World.of(imagine(view, rng.child("world", n)))
        yield world, likelihood(world, view)


def likelihood(world: World, view: View) -> float:
    """Return how likely the others have guessed as they did, and else kept quiet, if a world is the truth."""
    viewer = view.viewer
    guesses = (_guessed(world, guess) for guess in view.guesses if guess.seat != viewer)
    return prod(guesses) * prod(_silent(world, (seat for seat in view.still_in if seat != viewer)))


def _guessed(world: World, guess: Guess) -> float:
    numbers = world.clues[guess.seat].treasures(world.knows[guess.seat])
    most = max(numbers.values())
    shares = {pair: (number / most) ** TRUST for pair, number in numbers.items()}
    return max(UNLIKELY, shares[guess.pair] / sum(shares.values()))


def _silent(world: World, seats: Iterable[Seat]) -> Iterator[float]:
    return (UNLIKELY for seat in seats if world.is_certain(seat))


def likeliest_treasure(worlds: Iterable[tuple[World, float]]) -> Pair:
    """Return the treasure that worlds speak for most, the first of equals."""
    found: dict[Pair, float] = {}
    for world, weight in worlds:
        found[world.treasure] = found.get(world.treasure, 0.0) + weight
    return max(found, key=found.__getitem__)
