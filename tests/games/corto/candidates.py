"""Everything that might be said at a table of CORTO, sense and nonsense: a list by brute force."""

from __future__ import annotations

import random

from tests.games.corto.reference import firsts
from tests.games.corto.reference_world import CARDS, World


def candidates(world: World, seat: int, stream: random.Random, most: int) -> list[str]:
    """Return words of one step (of a card with its first effect, where it must have one).

    Of each family of words at most ``most`` are drawn, half of them such as name what is there.
    """
    families = [*_families(world, world.hands[seat]), *_ends(world, world.hands[seat])]
    stranger = stream.choice(sorted(CARDS))
    families += [firsts(world, stranger)[:3], [f"use {stranger}", f"play {stranger}", f"discard {stranger}"]]
    found: list[str] = []
    for family in families:
        found += family if len(family) <= most else stream.sample(family, most)
    return list(dict.fromkeys(found))


def _families(world: World, hand: list[str]) -> list[list[str]]:
    decks = [f"{strip.lower()}0" for strip in world.strips]
    squares = [*world.squares(), *decks]
    absent = next(strip for strip in "abcdef" if strip.upper() not in world.strips)
    adds = [f"+{square}" for square in [*squares, f"{absent}3"]]
    moved = [f"+{square}<{source}" for square in world.board for source in world.board]
    hits = [f"-{square}:{colour}" for square in world.board for colour in ("red", "blue", "yellow", "green")]
    kills = [f"kill {square}" for square in squares]
    few = [f"-{square}:{colour}" for square in squares[::5] for colour in world.colours]
    effects = [adds, moved, hits, kills, few]
    families = [*effects, ["hit train", "sail left", "sail right", "gold", "shot hit train"]]
    families += [[f"shot {text}" for text in family] for family in (hits, kills)]
    families.append([f"move {one}>{other}" for one in world.board for other in world.board])
    for card in hand:
        kind = CARDS[card]["kind"]
        families.append(firsts(world, card))
        if kind == "object":
            families += [[f"use {card} {text}" for text in family] for family in effects]
            families.append([f"use {card}", f"use {card} hit train", f"use {card} end", f"play {card} a1"])
        elif kind == "character":
            families.append([f"play {card} {square}" for square in squares])
        elif kind in ("corto", "rasputin"):
            families.append([f"{kind} {card} {square}" for square in [*decks, f"{absent}2"]])
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
