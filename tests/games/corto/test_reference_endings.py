"""What ruleset 2 changes, against the reference: the turn that ends the match, and objects under figurines.

A failure names the scene: ``stream(seed)`` of it draws the same position and the same line of play.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from engines.core.rng import Rng
from engines.corto import GAME
from engines.corto.cards import Card, Kind
from engines.corto.state import Square
from engines.corto.table import Table
from engines.corto.turn import Progress
from engines.corto.verbs import characters, ending, objects
from tests.games.corto import endings, reference
from tests.games.corto.compare import Pair, world_of
from tests.games.corto.positions import SEED, of
from tests.kit.samples import MORE

RULESETS = ("2", "2", "2", "1")
"""By which the drawn positions are played, in turn."""


ACTS = 0.2
"""How often a card acts that need not."""


def pair(seed: str, draw: Callable[[random.Random], Any], ruleset: str) -> tuple[Pair, random.Random]:
    """Return a drawn position, twice, and the stream that drew it."""
    stream = random.Random(seed)
    state = of(draw(stream), ruleset)
    return Pair(state, world_of(state), Rng(SEED).child(seed), trail=[seed]), stream


def go(found: Pair, stream: random.Random, texts: list[str]) -> bool:
    """Compare all that is said and go on with something that both take; return whether there is any.

    What must free a square is preferred.
    """
    seat = found.world.seat
    assert seat is not None
    taken = found.try_all(seat, texts)
    bound = [text for text, (_, world) in taken.items() if world.turn.owed]
    found.seen["bound"] += len(bound)
    choices = bound or list(taken)
    if choices:
        found.go(seat, stream.choice(choices), taken)
    return bool(choices)


def compare_ending(number: int) -> Counter[str]:
    """Compare a turn of up to four cards in a position near the end; return what was seen."""
    found, stream = pair(f"ending {number}", endings.ending, RULESETS[number % len(RULESETS)])
    for _ in range(3):
        if not go(found, stream, endings.plays(found.world, stream, 5)):
            break
        owed = found.world.turn.owed
        if owed:
            compare_bound(found)
        # Most cards that need not act do not: a turn has to come to its second one.
        acts = found.world.turn.open and stream.random() < ACTS
        if (owed or acts) and not go(found, stream, endings.steps(found.world, stream, 3)):
            break
        if found.world.phase != "turn" or found.world.seat != 0:
            break
    return found.seen


def compare_bound(found: Pair) -> None:
    """Compare what is offered where a square must be freed, what happens at a deadline, and who leaves."""
    world, seat = found.world, found.world.seat
    assert seat is not None
    view = GAME.view(found.state, seat)
    menu = GAME.menu(view)
    assert menu is not None
    offered = {choice.word for choice in menu.choices()}
    assert offered == {f"kill:{square}" for square in world.turn.owed}, found.trail
    said = GAME.lapse(view, found.rng)
    assert said is not None
    assert " ".join(said[:2]) == reference.at_deadline(world), found.trail
    late = GAME.act(found.state, seat, said, found.rng).state
    assert late.public.turn is not None
    assert late.public.turn.seat != seat, found.trail
    for other in world.here():
        state = GAME.withdraw(found.state, other, found.rng).state
        left = reference.withdraw(world, other)
        for strip, deck in left.decks.items() if left.phase != "over" else ():
            deck[:] = GAME.record(state)["decks"][strip]
        found.same(state, left, f"{world.colours[other]} withdraws")
    found.seen["forced"] += 1


def compare_under(number: int) -> Counter[str]:
    """Compare the objects that come with a figurine, or with a character; return what was seen."""
    found, stream = pair(f"under {number}", endings.under, RULESETS[number % len(RULESETS)])
    for _ in range(2):
        if not go(found, stream, endings.plays(found.world, stream, 3)):
            break
        if found.world.revealed or found.world.turn.owed:
            break
        seat = found.world.seat
        assert seat is not None
        taken = found.try_all(seat, endings.objects(found.world, stream, 6))
        stood, actor = found.world.turn.stood, found.world.turn.actor
        own = [text for text in taken if stood in text]
        found.seen[f"own square: {actor in found.world.figures}"] += len(own)
    return found.seen


@pytest.mark.parametrize("part", range(4))
def test_turns_that_would_end_the_match(part: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(20 * MORE):
        seen += compare_ending(4 * number + part)
    assert seen["positions"] > 45 * MORE
    assert bool(seen["forced"]) == (RULESETS[part] == "2"), seen


@pytest.mark.parametrize("part", range(4))
def test_objects_on_the_square_of_a_figurine(part: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(20 * MORE):
        seen += compare_under(4 * number + part)
    assert seen["positions"] > 45 * MORE
    assert not seen["own square: False"]
    assert bool(seen["own square: True"]) == (RULESETS[part] == "2"), seen


# --- planted mistakes -----------------------------------------------------------------------------

Plant = Callable[[pytest.MonkeyPatch], None]


def guards_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    """Who a safe-conduct would guard counts as gone."""
    right = objects.freed_by

    def wrong(table: Table, card: Card) -> tuple[Square, ...]:
        bare = table.copy()
        bare.kept = [[] for _ in bare.kept]
        return right(bare, card)

    for module in (objects, ending):
        patch.setattr(module, "freed_by", wrong)


def figurines_go_too(patch: pytest.MonkeyPatch) -> None:
    """A square counts as free once its character is gone, even if a figurine still stands on it."""
    patch.setattr(objects, "_would_be_free", lambda table, square: True)


def any_marker_will_do(patch: pytest.MonkeyPatch) -> None:
    """Where a marker has to be moved, it is not asked whether that one makes a kill possible."""
    patch.setattr(ending, "freeing_origins", lambda table, card, square: table.own_elsewhere(square))
    patch.setattr(characters, "freeing_origins", lambda table, card, square: table.own_elsewhere(square))


def nothing_is_owed(patch: pytest.MonkeyPatch) -> None:
    """The action is promised, and need not be done."""
    right = Table.take_up

    def wrong(table: Table, card: str, **values: Any) -> None:
        values["must_free"] = False
        right(table, card, **values)

    patch.setattr(Table, "take_up", wrong)


def a_half_turn_may_end(patch: pytest.MonkeyPatch) -> None:
    """Menus go on as if no square had to be freed."""
    patch.setattr(Progress, "bound", property(lambda progress: progress.half))


def one_strip_is_enough(patch: pytest.MonkeyPatch) -> None:
    """Killing anybody is thought to free a square, in a strip that is not full too."""
    patch.setattr(objects, "_would_be_free", lambda table, square: square not in table.figurines.values())


def characters_hit_themselves(patch: pytest.MonkeyPatch) -> None:
    """An object reaches its own square with a character, too."""
    patch.setattr(objects, "_comes_with_figurine", lambda table: True)


def cannons_miss_it(patch: pytest.MonkeyPatch) -> None:
    """An object with long range does not reach the square of its figurine."""
    right = objects.squares_in_reach

    def wrong(table: Table, card: Card) -> tuple[Square, ...]:
        squares = right(table, card)
        far = card.kind is Kind.OBJECT and card.long_range
        return tuple(at for at in squares if at != table.turn.origin) if far else squares

    patch.setattr(objects, "squares_in_reach", wrong)


PLANTED: dict[Plant, Callable[[int], object]] = {
    guards_are_forgotten: compare_ending,
    figurines_go_too: compare_ending,
    any_marker_will_do: compare_ending,
    nothing_is_owed: compare_ending,
    a_half_turn_may_end: compare_ending,
    one_strip_is_enough: compare_ending,
    characters_hit_themselves: compare_under,
    cannons_miss_it: compare_under,
}
FEW = 400
"""Positions within which each mistake must be seen."""


def compare_few(compare: Callable[[int], object]) -> None:
    for number in range(FEW):
        compare(number)


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_mistake_is_seen(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        compare_few(PLANTED[plant])
