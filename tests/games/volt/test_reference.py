"""The set-up beside the reference: after each sentence both must agree on all that anybody can see or say."""

from __future__ import annotations

import random
from itertools import product

import pytest

from engines.core.contract import ActionError
from engines.core.match import Entry, EntryKind, Match
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.volt import GAME
from engines.volt.state import State
from engines.volt.view import DECKS, Phase
from tests.games.volt import reference
from tests.games.volt.reference import STARTS, World
from tests.kit.samples import MORE, some

TABLES = list(product("12", ("off", "on"), "ABCD", (2, 3, 4)))
"""Ruleset, training, arena, seats. Training is always in arena A."""

MATCHES = 12 * MORE
"""At each of them."""

EVERYTHING = [
    *(f"draw {deck}" for deck in DECKS),
    *(f"start {space}" for side in STARTS["A"].values() for space in side.split()),
    *(f"start {space} draw {deck}" for space, deck in product(("d1", "c1", "e9", "i5"), DECKS)),
    *("start e5", "start", "draw", "pass", "repair", "start c1 pass"),
    "program I:b3E II:r4NW III:b2N tile:1",
]
"""What somebody could try to say in a set-up."""


def world_of(match: Match) -> World:
    """Return the reference's world of a match at its start: what chance has decided is read off the state."""
    state: State = match.state
    public = state.public
    return World(
        ruleset=match.setup.ruleset,
        arena=public.arena,
        sides=[robot.side for robot in public.robots],
        tiles=[tile or 0 for tile in public.tiles],
        decks={deck: list(cards) for deck, cards in zip(DECKS, state.decks, strict=True)},
        training=public.training,
    )


def compare(ruleset: str, training: str, arena: str, seats: int, number: int) -> int:
    """Play the set-up of a match in both; return the number of positions that were compared."""
    stream = random.Random(f"{ruleset} {training} {arena} {seats} {number}")
    options = {"training": training, "arena": arena, "tiles": stream.choice(("race", "draw"))}
    match = Match.start(GAME, complete(GAME.manifest, seats, options, ruleset), stream.randbytes(32))
    world, positions = world_of(match), 1
    tokens = match.view(None).tokens
    agree(match, world, stream)
    while world.question:
        if stream.random() < 0.03:
            seat = stream.choice(world.playing)
            match, world = match.apply(Entry(EntryKind.WITHDRAW, seat)), reference.leave(world, seat)
        else:
            seat = stream.choice(sorted(world.waiting))
            text = stream.choice(sorted(reference.sentences(world, seat)))
            match, world = match.act(seat, GAME.read(text)), reference.say(world, seat, text)
        agree(match, world, stream)
        assert match.view(None).tokens == tokens, "three lie there already"
        positions += 1
    return positions


def agree(match: Match, world: World, stream: random.Random) -> None:
    """Check all that a position shows and allows."""
    view, state = match.view(None), match.state
    assert (match.outcome is not None) is world.over
    if not world.over:
        assert view.round == world.first_round
        assert (view.phase is Phase.PROGRAM) is not bool(world.question)
    if world.question:
        assert match.waiting == world.waiting
    assert {robot.seat: robot.pos for robot in view.robots if robot.pos} == world.spaces
    assert [robot.seat for robot in view.robots if robot.gone] == sorted(world.gone)
    assert not any(robot.damage or robot.score or robot.lost for robot in view.robots)
    # The end shows which cards the decks hold, and drops their order.
    cards = sorted if world.over else list
    assert list(map(list, state.decks)) == [cards(world.decks[deck]) for deck in DECKS]
    told = {"placed": "{seat} on {space}", "drew": "{seat} draws {deck}"}
    news = [fact for _, fact in match.facts(None, len(match.log)) if fact.kind in told]
    assert [told[fact.kind].format(**dict(fact.data)) for fact in news] == world.told
    for seat in range(len(world.sides)):
        agree_on_hands(match, world, seat)
        if world.question:
            agree_on_words(match, world, seat, stream)


def agree_on_hands(match: Match, world: World, viewer: int) -> None:
    """Check whose modules a seat sees, and whose by their decks alone."""
    view = match.view(viewer)
    for seat, modules in enumerate(view.modules):
        hand = sorted(world.hands.get(seat, []))
        seen = sorted((card.deck, card.name or "") for card in modules.active)
        is_known = seat == viewer or world.over
        assert seen == [(deck, name if is_known else "") for deck, name in hand]
        assert not modules.spare
        assert not any(card.face_up for card in modules.active)


def agree_on_words(match: Match, world: World, seat: int, stream: random.Random) -> None:
    """Check what a seat may say, and that it may not say anything else."""
    offered = reference.sentences(world, seat)
    found = GAME.legal(match.view(seat))
    assert found is not None
    assert {GAME.write(words) for words in found} == offered
    for text in stream.sample(EVERYTHING, 4):
        try:
            GAME.act(match.state, seat, GAME.read(text), Rng.of_match(match.seed))
            assert text in offered, f"seat {seat} said {text!r}"
        except ActionError:
            assert text not in offered, f"seat {seat} could not say {text!r}"


@pytest.mark.parametrize(("ruleset", "training", "arena", "seats"), some(TABLES, 5))
def test_the_set_up_is_as_the_rules_page_says(ruleset: str, training: str, arena: str, seats: int) -> None:
    positions = sum(compare(ruleset, training, arena, seats, number) for number in range(MATCHES))
    assert positions > MATCHES * seats
