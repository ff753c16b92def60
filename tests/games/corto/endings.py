"""Positions drawn at random about what ruleset 2 changes, and all that might be said there.

Two strips are full or nearly so, with bare characters, guarded ones, and figurines over some of them.
"""

from __future__ import annotations

import random

from tests.games.corto.reference import firsts
from tests.games.corto.reference_world import CARDS, Json, World
from tests.games.corto.scenes import COLOURS

FEWEST = 3
"""Squares of a strip that are occupied where it is not crowded yet."""
STANDING = ("character", "corto", "rasputin")


def ending(stream: random.Random) -> Json:
    """Return a position in which the turn may end the match, as a situation's value."""
    seats, strips = _table(stream)
    full = stream.sample(strips, 2)
    squares = [f"{strip.lower()}{column}" for strip in strips for column in range(1, 8)]
    rows = [square for square in squares if square[0].upper() in full]
    holes = stream.sample(rows, stream.choice((1, 1, 1, 2, 2, 3)))
    others = [square for square in squares if square not in rows and stream.random() < 0.25]
    hand = _hand(stream, strips, full)
    over = stream.sample([*rows, *others, *holes, *holes], 2)
    return {
        **_rest(stream, seats, strips, hand),
        "board": _board(stream, strips, [*(set(rows) - set(holes)), *others], seats, hand),
        "figurines": {
            name: stream.choice((None, f"{strips[0].lower()}0", square, square))
            for name, square in zip(("corto", "rasputin"), over, strict=True)
        },
    }


def under(stream: random.Random) -> Json:
    """Return a position in which figurines go over characters, and objects come with them."""
    seats, strips = _table(stream)
    squares = [f"{strip.lower()}{column}" for strip in strips for column in range(1, 8)]
    hand: list[str] = []
    for kinds in (("corto", "rasputin"), ("object",), ("object", "advantage"), STANDING):
        free = [card for card in _cards(strips, kinds) if card not in hand]
        hand += stream.sample(free, min(1, len(free)))
    spots = [square for square in squares if stream.random() < 0.5]
    return {
        **_rest(stream, seats, strips, hand),
        "board": _board(stream, strips, spots, seats, hand),
        "figurines": {name: stream.choice((None, *spots)) for name in ("corto", "rasputin")},
    }


def _table(stream: random.Random) -> tuple[list[str], list[str]]:
    seats = list(COLOURS[: stream.choice((2, 2, 3, 4))])
    return seats, stream.sample("ABCDEF", stream.choice((3, 4)))


def _cards(strips: list[str], kinds: tuple[str, ...]) -> list[str]:
    return [card for card, data in CARDS.items() if card[0] in strips and data["kind"] in kinds]


def _hand(stream: random.Random, strips: list[str], full: list[str]) -> list[str]:
    """Return four cards, some of which hit and stand on the strips that are nearly full."""
    standing = _cards(strips, STANDING)
    liked = [
        card
        for card in standing
        if CARDS[card]["kind"] == "rasputin"
        or (CARDS[card].get("border") in ("black", "both") and set(CARDS[card]["colours"]) & set(full))
    ]
    found = [*stream.sample(liked, 3), *stream.sample(standing, 1)]
    return list(dict.fromkeys(found))[:4]


def _board(
    stream: random.Random, strips: list[str], spots: list[str], seats: list[str], hand: list[str]
) -> Json:
    """Return characters on squares: bare, with one marker, or with several."""
    pool = [card for card in _cards(strips, ("character",)) if card not in hand]
    stream.shuffle(pool)
    bare = stream.choice((0.1, 0.3, 0.6))
    board: Json = {}
    for square, card in zip(sorted(spots), pool, strict=False):
        markers: dict[str, int] = {}
        for _ in range(0 if stream.random() < bare else stream.choice((1, 1, 2, 3))):
            seat = stream.choice(seats)
            markers[seat] = markers.get(seat, 0) + 1
        board[square] = {"card": card, "markers": markers}
    return board


def _rest(stream: random.Random, seats: list[str], strips: list[str], hand: list[str]) -> Json:
    guards = {stream.choice(seats[1:]): ["C18"]} if "C" in strips and stream.random() < 0.7 else {}
    value: Json = {"seats": seats, "strips": strips, "kept": {}, "hands": {seats[0]: hand}}
    if "C18" not in hand:
        value["kept"] = guards
    if stream.random() < 0.3:
        value["stock"] = {seat: stream.choice((0, 0, 1)) for seat in seats}
    return value


# --- what might be said ---------------------------------------------------------------------------


def plays(world: World, stream: random.Random, most: int) -> list[str]:
    """Return ways to play each card that stands: above all on free squares of crowded strips."""
    found: list[str] = []
    squares = world.squares()
    crowded = {at for at in squares if sum(world.taken(one) for one in squares if one[0] == at[0]) > FEWEST}
    for card in world.hands[world.seat or 0]:
        if CARDS[card]["kind"] not in STANDING:
            continue
        texts = firsts(world, card)
        holes = [text for text in texts if (at := text.split()[2][:2]) in crowded and not world.taken(at)]
        rest = [text for text in texts if text not in holes]
        found += _some(stream, holes, 2 * most) + _some(stream, rest, most)
    return found


def steps(world: World, stream: random.Random, most: int) -> list[str]:
    """Return steps of the card in hand, and what would end the turn or go on with another card."""
    squares = world.squares()
    hand = world.hands[world.seat or 0]
    families = [
        [f"-{square}:{colour}" for square in world.board for colour in world.colours],
        [f"+{square}" for square in world.board],
        [f"use {card} kill {square}" for card in hand for square in world.board],
        [f"play {card} {square}" for card in hand for square in squares],
        [f"{name} {card} {square}" for name in ("corto", "rasputin") for card in hand for square in squares],
    ]
    ends = [
        "end",
        "end enough",
        "discard",
        "draw A",
        "enough",
        "gold",
        "hit train",
        "sail left",
        "sail right",
    ]
    found = [f"kill {square}" for square in squares] + ends
    for family in families:
        found += _some(stream, family, most)
    return found


def objects(world: World, stream: random.Random, most: int) -> list[str]:
    """Return uses of the objects in hand: all on the square that they act from, some of the rest."""
    stood, found = world.turn.stood, list[str]()
    for card in world.hands[world.seat or 0]:
        if CARDS[card]["kind"] == "object":
            effects = ["hit train", *(f"{verb}{square}" for square in world.board for verb in ("+", "kill "))]
            effects += [f"-{square}:{colour}" for square in world.board for colour in world.colours]
            own = [text for text in effects if stood in text]
            texts = own + _some(stream, [text for text in effects if text not in own], most)
            found += [f"use {card} {text}" for text in texts]
    return found


def _some(stream: random.Random, family: list[str], most: int) -> list[str]:
    return family if len(family) <= most else stream.sample(family, most)
