"""The table of CORTO as the reference sees it: squares, control, and a position as plain lists and dicts.

Written from the rules page alone; of the engine it knows nothing but the JSON of its views and its card file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import engines.corto
from tests.kit.copied import copied

Json = dict[str, Any]

_FILE = Path(engines.corto.__file__).parent / "data" / "cards-2.json"
CARDS: dict[str, Json] = {card["id"]: card for card in json.loads(_FILE.read_text("utf-8"))}
FULL_HAND = 4


class Refused(Exception):  # noqa: N818
    """The rules do not allow the step."""


def must(holds: object, why: str) -> None:
    """Raise :class:`Refused` unless something holds."""
    if not holds:
        raise Refused(why)


@dataclass
class Open:
    """The card last played, as far as it is not finished.

    ``reach``: squares that it may act on; ``strip``: the one that it acts from. ``adds``, ``hits``,
    ``moves``: how many are left; ``either``: an add takes the hit away, and the other way round.
    ``any_owner``: hits may take one's own markers. ``sail``, ``gold``, ``eliminate``: still
    possible. ``owes``: it has done nothing yet, but must. ``train``: squares on which it may hit the train.
    """

    reach: set[str]
    strip: str
    adds: int = 0
    hits: int = 0
    moves: int = 0
    either: bool = False
    any_owner: bool = False
    sail: bool = False
    gold: bool = False
    eliminate: bool = False
    owes: bool = False
    train: set[str] = field(default_factory=set)


@dataclass
class Turn:
    """What has happened in a turn.

    ``actor``: the character or figurine last played; ``stood``: the square where it stands or last stood.
    ``draws``: how many are left; ``forced``: they are not optional. ``owed``: characters one of which the
    card last played must kill before anything else.
    """

    played: int = 0
    actors: int = 0
    actor: str | None = None
    stood: str = ""
    open: Open | None = None
    shot: str | None = None
    drop_in: bool = False
    refill: bool = False
    draws: int = 0
    forced: bool = False
    owed: frozenset[str] = frozenset()


@dataclass
class World:
    """Everything, hidden or not. Characters are ``[card, [markers by seat]]``, seats are numbers.

    ``ruleset``: the one that is played by. ``tiles``: faces by square; ``carriages``: faces, the top one
    first. ``passed``: who has passed, in a row until now. ``fate``: the card that PICKPOCKET takes, told by
    who compares.
    """

    colours: list[str]
    strips: list[str]
    board: dict[str, tuple[str, list[int]]]
    figures: dict[str, str | None]
    stock: list[int]
    seal: list[list[str]]
    earned: list[int]
    kept: list[list[str]]
    hands: list[list[str]]
    decks: dict[str, list[str]]
    discards: dict[str, list[str]]
    quests: Json
    tiles: dict[str, str]
    carriages: list[str]
    phase: str
    first: int
    seat: int | None
    place: int | None
    to_draw: list[int]
    passed: list[int]
    gone: list[int]
    turn: Turn
    ruleset: int
    ranks: list[list[str]] | None = None
    reason: str | None = None
    fate: str | None = None
    revealed: bool = False

    def copy(self) -> World:
        """Return a copy that shares nothing that changes."""
        card = self.turn.open
        return replace(
            self,
            board={square: (found, list(markers)) for square, (found, markers) in self.board.items()},
            figures=dict(self.figures),
            stock=list(self.stock),
            seal=[list(pile) for pile in self.seal],
            earned=list(self.earned),
            kept=[list(pile) for pile in self.kept],
            hands=[list(hand) for hand in self.hands],
            decks={strip: list(deck) for strip, deck in self.decks.items()},
            discards={strip: list(pile) for strip, pile in self.discards.items()},
            quests=copied(self.quests),
            tiles=dict(self.tiles),
            carriages=list(self.carriages),
            to_draw=list(self.to_draw),
            passed=list(self.passed),
            gone=list(self.gone),
            turn=replace(self.turn, open=card and replace(card)),
        )

    # --- squares ----------------------------------------------------------------------------------

    def squares(self) -> list[str]:
        """Return the squares of all strips, decks left out."""
        return [f"{strip.lower()}{column}" for strip in self.strips for column in range(1, 8)]

    def where(self, square: str) -> tuple[int, int]:
        """Return row and column; refuses what is not on the table."""
        must(square[0].upper() in self.strips, "no such strip")
        return self.strips.index(square[0].upper()), int(square[1])

    def within(self, square: str, rule: str) -> set[str]:
        """Return the squares ``"beside"``, ``"around"`` (itself too) or in ``"line"`` with a square."""
        row, column = self.where(square)
        found = set()
        for other in self.squares():
            down, across = (abs(a - b) for a, b in zip(self.where(other), (row, column), strict=True))
            near = {"beside": down + across == 1, "around": max(down, across) <= 1}
            near["line"] = (down == 0) != (across == 0)
            if near[rule]:
                found.add(other)
        return found

    def steps(self, origin: str | None, target: str) -> int:
        """Return the orthogonal steps to a square; from beside the table, from the deck of its row."""
        row, column = self.where(target)
        if origin is None:
            return column
        down, across = self.where(origin)
        return abs(row - down) + abs(column - across)

    def taken(self, square: str) -> bool:
        """Return whether a character or figurine is on a square."""
        return square in self.board or square in self.figures.values()

    def touched(self, square: str) -> bool:
        """Return whether a square shares an edge with a character or figurine."""
        return any(self.steps(other, square) == 1 for other in [*self.board, *self.figures.values()] if other)

    def full(self) -> int:
        """Return how many strips have all squares occupied."""
        return sum(
            all(self.taken(square) for square in self.squares() if square[0].upper() == strip)
            for strip in self.strips
        )

    # --- seats ------------------------------------------------------------------------------------

    def controller(self, square: str) -> int | None:
        """Return who has the strict majority of the markers on a square's character."""
        if square not in self.board:
            return None
        counts = self.board[square][1]
        for seat, count in enumerate(counts):
            if all(count > other for number, other in enumerate(counts) if number != seat):
                return seat
        return None

    def here(self) -> list[int]:
        """Return the seats that have not left."""
        return [seat for seat in range(len(self.colours)) if seat not in self.gone]

    def marked(self, seat: int) -> bool:
        """Return whether a seat has a marker in play."""
        return any(markers[seat] for _, markers in self.board.values())

    def has_started(self, seat: int) -> bool:
        """Return whether a seat has put its first marker; that marker may have been hit since."""
        if self.place is None:
            return True
        order = [(self.first + turn) % len(self.colours) for turn in range(len(self.colours))]
        return order.index(seat) < order.index(self.place)

    def asked(self) -> list[int]:
        """Return the seats that may decide something."""
        if self.phase == "over":
            return []
        drawing = [seat for seat in self.here() if self.to_draw[seat] and self.has_started(seat)]
        return sorted({*drawing, *(seat for seat in (self.seat, self.place) if seat is not None)})

    def colour(self, word: str) -> int:
        """Return the seat of a colour; refuses one that is not at the table."""
        must(word in self.colours, "no such colour")
        return self.colours.index(word)

    def discard(self, card: str) -> None:
        """Put a card on the discards of its adventure."""
        self.discards[card[0]].append(card)


def read(view: Json, truth: Json) -> World:
    """Return the world of a described view at the beginning of a turn (or match), and the hidden truth."""
    colours, strips = view["seats"], view["strips"]

    def by_seat(key: str) -> list[Any]:
        return [copied(view[key][colour]) for colour in colours]

    face_down = sorted(view["quests"]["C"]["face_down"]) if "C" in strips else []
    return World(
        colours=list(colours),
        strips=list(strips),
        board={
            square: (entry["card"], [entry["markers"].get(colour, 0) for colour in colours])
            for square, entry in view["board"].items()
        },
        figures=dict(view["figurines"]),
        stock=by_seat("stock"),
        seal=by_seat("sealed"),
        earned=by_seat("corto_gold"),
        kept=by_seat("kept"),
        hands=[list(truth["hands"][colour]) for colour in colours],
        decks={strip: list(truth["decks"][strip]) for strip in strips},
        discards={strip: list(view["discards"][strip]) for strip in strips},
        quests=copied(view["quests"]),
        tiles=dict(zip(face_down, truth["faces"].get("C", []), strict=True)),
        carriages=list(truth["faces"].get("E", [])),
        phase=view["phase"],
        first=colours.index(view["first"]),
        seat=None if view["turn"] is None else colours.index(view["turn"]["seat"]),
        place=None if view["place"] is None else colours.index(view["place"]),
        to_draw=by_seat("to_draw"),
        passed=[],
        gone=[colours.index(colour) for colour in view["gone"]],
        turn=Turn(),
        ruleset=int(view.get("ruleset", 1)),
    )
