"""A second, slow set-up of VOLT, written from the rules page alone; it shares no code with ``engines.volt``.

It knows what nobody may: the decks in their order. :func:`say` answers for any words of any seat.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

DECKS = ("red", "blue", "yellow")

STARTS = {
    "A": {"N": "c1 e1 g1", "E": "i3 i5 i7", "S": "c9 e9 g9", "W": "a3 a5 a7"},
    "B": {"N": "c1 e1 g1", "E": "i3 i5 i7", "S": "c9 e9 g9", "W": "a3 a5 a7"},
    "C": {"N": "d1 e1 f1", "E": "i4 i5 i6", "S": "d9 e9 f9", "W": "a4 a5 a6"},
    "D": {"N": "d1 e1 f1", "E": "i4 i5 i6", "S": "d9 e9 f9", "W": "a4 a5 a6"},
}
"""Read off the drawings."""

QUESTIONS = {
    ("1", False): ("space and deck", "other deck"),
    ("2", False): ("deck", "other deck", "space"),
    ("1", True): ("space",),
    ("2", True): ("space",),
}
"""What everyone is asked at once, one after the other: by ruleset, and whether it is training."""


class Refused(Exception):  # noqa: N818 - no fault
    """Words that a seat cannot say now."""


@dataclass
class World:
    """A match before the first programs. ``said``: answers that wait; ``told``: what all just learned."""

    ruleset: str
    arena: str
    sides: list[str]
    tiles: list[int]
    decks: dict[str, list[str]]
    training: bool
    hands: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    spaces: dict[int, str] = field(default_factory=dict)
    said: dict[int, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    asked: int = 0
    gone: list[int] = field(default_factory=list)

    @property
    def playing(self) -> list[int]:
        return [seat for seat in range(len(self.sides)) if seat not in self.gone]

    @property
    def over(self) -> bool:
        """Return whether one alone is left."""
        return len(self.playing) == 1

    @property
    def question(self) -> str:
        """Return what everyone is asked now; empty once programs are next, or the match is over."""
        found = QUESTIONS[self.ruleset, self.training]
        return "" if self.over or self.asked == len(found) else found[self.asked]

    @property
    def waiting(self) -> set[int]:
        """Return who has not answered."""
        return {seat for seat in self.playing if seat not in self.said} if self.question else set()

    @property
    def first_round(self) -> bool:
        """Return whether the first round's preparation has begun: all that comes before it is set-up."""
        found = QUESTIONS[self.ruleset, self.training]
        return self.asked >= len(found) - (self.ruleset == "2")


def sentences(world: World, seat: int) -> set[str]:
    """Return all that a seat may say."""
    if seat not in world.waiting:
        return set()
    spaces = STARTS[world.arena][world.sides[seat]].split()
    if world.question == "space":
        return {f"start {space}" for space in spaces}
    if world.question == "deck":
        return {f"draw {deck}" for deck in DECKS}
    if world.question == "space and deck":
        return {f"start {space} draw {deck}" for space in spaces for deck in DECKS}
    [(first, _)] = world.hands[seat]
    return {f"draw {deck}" for deck in DECKS if deck != first}


def say(world: World, seat: int, text: str) -> World:
    """Return the world after the words of a seat; raises :class:`Refused`."""
    if text not in sentences(world, seat):
        raise Refused
    after = deepcopy(world)
    after.said[seat] = text
    after.told = []
    _carry_out(after)
    return after


def leave(world: World, seat: int) -> World:
    """Return the world after a seat has left: its modules go under their decks."""
    after = deepcopy(world)
    after.gone.append(seat)
    after.told = []
    for deck, name in after.hands.pop(seat, []):
        after.decks[deck].append(name)
    after.spaces.pop(seat, None)
    after.said.pop(seat, None)
    _carry_out(after)
    return after


def _carry_out(world: World) -> None:
    """Carry out all answers in the order of the number tiles, once all are in."""
    if not world.question or world.waiting:
        return
    for seat in sorted(world.playing, key=lambda each: world.tiles[each]):
        words = world.said[seat].split()
        if "start" in words:
            world.spaces[seat] = words[words.index("start") + 1]
            world.told.append(f"{seat} on {world.spaces[seat]}")
        if "draw" in words:
            deck = words[words.index("draw") + 1]
            world.hands.setdefault(seat, []).append((deck, world.decks[deck].pop(0)))
            world.told.append(f"{seat} draws {deck}")
    world.said.clear()
    world.asked += 1
