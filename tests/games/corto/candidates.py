"""Everything that might be said at a table of CORTO, sense and nonsense: a list by brute force."""

from __future__ import annotations

import random

from tests.games.corto.reference import firsts
from tests.games.corto.reference_world import CARDS, World

WHOLE = 32
"""Squares of four strips: where a character might be placed is tried in full."""


def candidates(world: World, seat: int, stream: random.Random, most: int) -> list[str]:
    """Return words of one step (of a card with its first effect, where it must have one).

    Of each family of words at most ``most`` are drawn, half of them where the card last played may act;
    fewer, where no card is there to go on with.
    """
    hand = world.hands[seat]
    stranger = stream.choice(sorted(CARDS))
    families = [*_cards(world, hand), *_ends(world, hand), firsts(world, stranger)[:3]]
    families.append([f"use {stranger}", f"play {stranger}", f"discard {stranger}"])
    idle = world.seat != seat or (world.turn.open is None and world.turn.shot is None)
    found: list[str] = []
    for family in families:
        found += _some(world, family, stream, most)
    for family in _steps(world):
        found += _some(world, family, stream, min(most, 1) if idle else most)
    return list(dict.fromkeys(found))


def _some(world: World, family: list[str], stream: random.Random, most: int) -> list[str]:
    if len(family) <= most or (len(family) <= WHOLE and family[0].startswith("play")):
        return family
    stood = world.turn.shot or world.turn.stood
    near = {stood, *world.within(stood, "line"), *world.within(stood, "around")} if stood else set()
    close = [text for text in family if any(square in text for square in near)]
    return [*stream.sample(close, min(len(close), most // 2)), *stream.sample(family, (most + 1) // 2)]


def _effects(world: World) -> list[list[str]]:
    squares = [*world.squares(), *_decks(world)]
    adds = [f"+{square}" for square in [*squares, f"{_absent(world)}3"]]
    moved = [f"+{square}<{source}" for square in world.board for source in world.board]
    hits = [f"-{square}:{colour}" for square in world.board for colour in ("red", "blue", "yellow", "green")]
    kills = [f"kill {square}" for square in squares]
    few = [f"-{square}:{colour}" for square in squares[::5] for colour in world.colours]
    return [adds, moved, hits, kills, few]


def _decks(world: World) -> list[str]:
    return [f"{strip.lower()}0" for strip in world.strips]


def _absent(world: World) -> str:
    return next(strip for strip in "abcdef" if strip.upper() not in world.strips)


def _steps(world: World) -> list[list[str]]:
    effects = _effects(world)
    shots = [[f"shot {text}" for text in family] for family in effects[2:]]
    moves = [f"move {one}>{other}" for one in world.board for other in world.board]
    return [*effects, *shots, moves, ["hit train", "sail left", "sail right", "gold", "shot hit train"]]


def _cards(world: World, hand: list[str]) -> list[list[str]]:
    effects, families = _effects(world), []
    for card in hand:
        kind = CARDS[card]["kind"]
        families.append(firsts(world, card))
        if kind == "object":
            families += [[f"use {card} {text}" for text in family] for family in effects]
            families.append([f"use {card}", f"use {card} hit train", f"use {card} end", f"play {card} a1"])
        elif kind == "character":
            families.append([f"play {card} {square}" for square in [*world.squares(), *_decks(world)]])
        elif kind in ("corto", "rasputin"):
            families.append([f"{kind} {card} {square}" for square in [*_decks(world), f"{_absent(world)}2"]])
        else:
            families.append([f"adv {card}", f"adv {card} a1", f"adv {card} end", f"use {card} +a1"])
    return families


def _ends(world: World, hand: list[str]) -> list[list[str]]:
    draws = [f"draw {strip}" for strip in "ABCDEF"]
    draws += [f"draw {one} {other}" for one in world.strips for other in world.strips]
    one, two = " ".join(hand[:1]), " ".join(hand[1:3])
    discards = [f"discard {card}" for card in hand] + ["discard", f"discard {one} {two}", "discard A01 A01"]
    discards += [f"discard {' '.join(hand)}", f"discard {one} {one}"]
    starts = [f"start {square}" for square in (*(f"{strip.lower()}1" for strip in world.strips), "a2")]
    many = ["draw A A C E", f"draw {' '.join(world.strips[:3])}", f"draw {world.strips[0]} enough"]
    return [draws, discards, starts, many, ["end", "enough", "end enough", "draw"]]
