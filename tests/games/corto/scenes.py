"""Positions of CORTO drawn at random, as data: loose and crowded, unreachable ones too."""

from __future__ import annotations

import random

from tests.games.corto.reference_world import CARDS, Json

COLOURS = ("red", "blue", "yellow", "green")
THEMES = {"": "", "train": "E", "guard": "C", "exchange": "A", "ending": "", "lonely": "", "trick": "C"}
"""What a position may be about, and the strip that it needs."""
KINDS = ("character", "object", "corto", "rasputin", "advantage")


def scene(stream: random.Random) -> Json:
    """Return a position at the beginning of a turn, as a situation's value."""
    seats: list[str] = list(COLOURS[: stream.choice((2, 2, 3, 4))])
    strips = stream.sample("ABCDEF", 4 if len(seats) > 2 else stream.choice((3, 4)))
    theme = stream.choice(sorted(THEMES))
    if THEMES[theme] not in ("", *strips):
        strips[stream.randrange(len(strips))] = THEMES[theme]
    squares = [f"{strip.lower()}{column}" for strip in strips for column in range(1, 8)]
    used: set[str] = set()
    kept = {}
    if "C" in strips and (theme == "guard" or stream.random() < 0.4):
        kept = {stream.choice(seats[theme == "guard" :]): ["C18"]}
        used.add("C18")
    hand = _hand(stream, strips, used, theme)
    used.update(hand)
    board = _board(stream, strips, _spots(stream, squares, strips, theme), seats, used)
    value: Json = {
        "seats": seats,
        "strips": strips,
        "board": board,
        "figurines": {name: _spot(stream, strips) for name in ("corto", "rasputin")},
        "kept": kept,
        "quests": {strip: _quest(stream, strip, seats) for strip in strips},
        "seal": {seat: stream.randrange(2) for seat in seats},
        "corto_gold": {seat: stream.randrange(3) for seat in seats},
        "hands": {seats[0]: hand},
        "turn": seats[0],
        "first": stream.choice(seats),
    }
    if theme == "ending":
        holes = [square for square in squares if square not in board and _crowded(square, board)]
        for name in stream.sample(("corto", "rasputin"), min(2, len(holes))):
            value["figurines"][name] = holes.pop(stream.randrange(len(holes)))
    elif stream.random() < 0.3:
        value["figurines"]["rasputin"] = value["figurines"]["corto"]
    if stream.random() < 0.2:
        value["stock"] = {seat: stream.randrange(3) for seat in seats}
    if theme == "trick" or stream.random() < 0.3:
        _empty_decks(stream, value, used)
    return value


def beginning(stream: random.Random) -> Json:
    """Return the beginning of a match."""
    seats: list[str] = list(COLOURS[: stream.choice((2, 3, 4))])
    strips = stream.sample("ABCDEF", 4 if len(seats) > 2 else 3)
    return {"seats": seats, "strips": strips, "first": stream.choice(seats)}


def _favoured(card: Json, theme: str) -> bool:
    """Return whether a card is one that a theme is about."""
    black = card.get("border") in ("black", "both")
    if theme == "train":
        return card["kind"] in ("corto", "rasputin") or (black and "E" in card.get("colours", "E"))
    if theme in ("ending", "lonely"):
        return card["kind"] in ("character", "corto", "rasputin")[: 3 if theme == "ending" else 1]
    if theme == "trick":
        return card["kind"] in ("advantage", "character")
    if theme == "exchange":
        return card.get("effect") == "swap" or card["kind"] in ("character", "object")
    return theme == "guard" and (black or card["kind"] == "rasputin")


def _hand(stream: random.Random, strips: list[str], used: set[str], theme: str) -> list[str]:
    """Return cards of every kind more evenly than the decks hold them, or those of a theme."""
    if theme and stream.random() < 0.8:
        liked = [
            card
            for card, data in CARDS.items()
            if card[0] in strips and card not in used and _favoured(data, theme)
        ]
        tricks = [card for card in liked if "effect" in CARDS[card]]
        return list(dict.fromkeys([*stream.sample(tricks, min(2, len(tricks))), *stream.sample(liked, 4)]))[
            :4
        ]
    found: list[str] = []
    wanted = [stream.choice(("character", "character", "corto", "rasputin")), *stream.choices(KINDS, k=3)]
    for kind in wanted[: stream.choice((4, 4, 4, 3, 2))]:
        free = [
            card
            for card, data in CARDS.items()
            if card[0] in strips and data["kind"] == kind and card not in used and card not in found
        ]
        found += stream.sample(free, min(1, len(free)))
    return found


def _crowded(square: str, board: Json) -> bool:
    return sum(other[0] == square[0] for other in board) >= 5


def _spots(stream: random.Random, squares: list[str], strips: list[str], theme: str) -> list[str]:
    """Return occupied squares: a share of all, with a strip or two crowded or full."""
    share = 0.06 if theme == "lonely" else stream.choice((0.1, 0.3, 0.5, 0.8))
    crowded = stream.sample(strips, {"ending": 2, "lonely": 0}.get(theme, stream.choice((0, 0, 1, 2))))
    holes = stream.choice((0, 1, 1, 2))
    found = [square for square in squares if stream.random() < share]
    for strip in crowded:
        row = [square for square in squares if square[0].upper() == strip]
        empty = stream.sample(row, stream.choice((0, holes)))
        found = [square for square in found if square not in row] + [one for one in row if one not in empty]
    return found


def _board(
    stream: random.Random, strips: list[str], spots: list[str], seats: list[str], used: set[str]
) -> Json:
    cards = [
        card
        for card, data in CARDS.items()
        if card[0] in strips and data["kind"] == "character" and card not in used
    ]
    stream.shuffle(cards)
    board: Json = {square: {"card": card, "markers": {}} for square, card in zip(spots, cards, strict=False)}
    if not board:
        return board
    most = stream.choice((3, 6, 13))
    bare = stream.sample(sorted(board), len(board) // 4)
    for seat in seats:
        for _ in range(stream.choice((0, most, stream.randint(0, most)))):
            square = stream.choice(sorted(board))
            if square not in bare:
                markers = board[square]["markers"]
                markers[seat] = markers.get(seat, 0) + 1
    return board


def _spot(stream: random.Random, strips: list[str]) -> str | None:
    strip, column = stream.choice(strips).lower(), stream.randrange(8)
    return stream.choice((None, f"{strip}0", f"{strip}{column}", f"{strip}{column}"))


def _quest(stream: random.Random, strip: str, seats: list[str]) -> Json:
    if strip == "A":
        return {"vessel": stream.randint(1, 7)}
    if strip == "B":
        return {"holder": stream.choice((None, *seats))}
    if strip == "C":
        faces = stream.sample(["ingot"] * 3 + ["crow"] * 3, 6)
        down = stream.sample([f"c{column}" for column in range(2, 8)], stream.randint(0, 6))
        taken: Json = {}
        for face in faces[len(down) :]:
            taken.setdefault(stream.choice(seats), []).append(face)
        return {"taken": taken, "face_down": dict(zip(down, faces, strict=False))}
    if strip == "D":
        counts = [stream.choice((0, 1, 3)) for _ in seats]
        return {
            "leopards": {
                seat: count
                for number, (seat, count) in enumerate(zip(seats, counts, strict=True))
                if count and sum(counts[: number + 1]) <= 6
            }
        }
    if strip == "E":
        return _train(stream, seats)
    return {}


def _train(stream: random.Random, seats: list[str]) -> Json:
    faces = stream.sample(["1"] * 3 + ["2"] * 3 + ["armed"] * 3, 9)
    left = stream.choice((9, 6, 3, 1, 1, 0))
    if stream.random() < 0.6:
        faces.sort()
        faces.sort(key=lambda face: face != "armed")
    carriages: Json = {}
    lost = []
    for face in faces[left:]:
        if face == "armed":
            lost.append(face)
        else:
            carriages.setdefault(stream.choice(seats), []).append(int(face))
    column = stream.randint(1, 7)
    heading = {1: "right", 7: "left"}.get(column, stream.choice(("left", "right")))
    train: Json = {"carriages": carriages, "left": left, "train": column if left else None, "lost": lost}
    return train | ({"heading": heading, "faces": faces[:left]} if left else {})


def _empty_decks(stream: random.Random, value: Json, used: set[str]) -> None:
    """Leave nothing, or a few cards, in some of the decks or all; the rest is discarded."""
    lying = used | {entry["card"] for entry in value["board"].values()}
    emptied = stream.choice((value["strips"], stream.sample(value["strips"], 2)))
    value["decks"] = {}
    for strip in emptied:
        free = [card for card in CARDS if card[0] == strip and card not in lying]
        value["decks"][strip] = stream.sample(free, stream.choice((0, 0, 0, 1, 2)))
        lying.update(value["decks"][strip])
    for seat in value["seats"][1:]:
        free = [card for card in CARDS if card[0] in value["strips"] and card not in lying]
        value["hands"][seat] = stream.sample(free, min(len(free), stream.randrange(4)))
        lying.update(value["hands"][seat])
