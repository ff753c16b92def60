"""What a strip shows, as plain data: the cache key of its picture, and all that the picture depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engines.core.contract import Seat
from engines.corto.view import CharacterView, Mark, Phase, PieceView, Square, View
from renderers.core.captions import Captions
from renderers.corto.layout import SQUARES, square_of
from renderers.corto.names import card_name
from renderers.corto.narration import Prints, prints


@dataclass(frozen=True, slots=True)
class Chip:
    """The markers of a seat on a character; ``control``: a strict majority; ``change`` by the last steps."""

    colour: str
    number: int
    control: bool
    change: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """A column of a strip. ``figurines``: those that stand there; ``marks``: kinds of marks.

    ``name``: what the character is called in the table's language. ``fresh``: the character was played last;
    ``sound``: lettered over it.
    """

    column: int
    card: str | None = None
    name: str = ""
    chips: tuple[Chip, ...] = ()
    figurines: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    fresh: bool = False
    sound: str = ""


@dataclass(frozen=True, slots=True)
class StripModel:
    """A strip: its squares, its deck and discard, the pieces of its quest.

    ``holders``: colour of who holds a piece, beside its kind and number, for pieces that are drawn in the
    lane although they are held. ``draw``: a card may be drawn from this deck. ``asking``: squares are
    marked, on this strip or another.
    """

    strip: str
    cells: tuple[Cell, ...]
    deck: int
    discards: int
    pieces: tuple[PieceView, ...]
    holder: str = ""
    draw: bool = False
    asking: bool = False

    def near(self, columns: frozenset[int]) -> StripModel:
        """Return the strip with nothing but what can be seen in some columns: they, and those beside them."""
        seen = {column + side for column in columns for side in (-1, 0, 1)}
        near = replace(
            self,
            cells=tuple(cell if cell.column in seen else Cell(cell.column) for cell in self.cells),
            pieces=tuple(piece for piece in self.pieces if (piece.column or 0) in seen),
        )
        return near if 0 in columns else replace(near, deck=0, discards=0, holder="", draw=False)

    def square(self, column: int) -> Square:
        """Return the name of the square in a column."""
        return square_of(self.strip, column)


def strip_models(view: View, captions: Captions) -> tuple[StripModel, ...]:
    """Return what the strips show, from the top."""
    done, asking = prints(view), bool(marks_of(view))
    found: list[StripModel] = []
    for strip, deck, discards in zip(view.strips, view.decks, view.discards, strict=True):
        pieces = next((quest.pieces for quest in view.quests if quest.strip == strip), ())
        held = next((piece.holder for piece in pieces if piece.kind == "aces"), None)
        model = StripModel(
            strip,
            tuple(_cell(view, captions, done, square_of(strip, column), column) for column in (0, *SQUARES)),
            deck,
            len(discards),
            tuple(piece for piece in pieces if piece.holder is None or piece.kind == "aces"),
            "" if held is None else view.players[held].colour,
            draws(view) and deck > 0,
            asking,
        )
        found.append(model)
    return tuple(found)


def marks_of(view: View) -> tuple[Mark, ...]:
    """Return the marks of a view, also for a first marker, before any draft."""
    if view.marks or view.place is None or view.place != view.viewer:
        return view.marks
    return tuple(Mark(found.square, "start") for found in view.board)


def draws(view: View) -> bool:
    """Return whether the viewer is asked for a deck to draw from."""
    seat = view.viewer
    if seat is None or seat not in view.asked or seat == view.place:
        return False
    if view.turn is not None and view.turn.seat == seat:
        return view.phase is Phase.DRAWS and view.turn.draws > 0
    return view.players[seat].to_draw > 0 and not view.marks


def _cell(view: View, captions: Captions, done: Prints, square: Square, column: int) -> Cell:
    found = view.at(square)
    return Cell(
        column,
        None if found is None else found.card,
        "" if found is None else card_name(captions, found.card),
        () if found is None else _chips(view, done, found),
        tuple(name for name in ("corto", "rasputin") if getattr(view, name) == square),
        tuple(dict.fromkeys(mark.kind for mark in marks_of(view) if mark.square == square)),
        done.fresh == square,
        done.sound[0] if done.sound is not None and done.sound[1] == square else "",
    )


def _chips(view: View, done: Prints, found: CharacterView) -> tuple[Chip, ...]:
    """Return a character's markers, the largest number first; a seat without markers left is omitted."""
    changes: dict[Seat, int] = {seat: by for name, seat, by in done.deltas if name == found.square}
    # A seat whose last marker has just gone is shown once more, by the change alone.
    seats = sorted(
        (seat for seat, count in enumerate(found.markers) if count or changes.get(seat)),
        key=lambda seat: (-found.markers[seat], seat),
    )
    return tuple(
        Chip(
            view.players[seat].colour,
            found.markers[seat],
            seat == found.controller,
            changes.get(seat, 0),
        )
        for seat in seats
    )


def controllers(view: View) -> dict[Square, Seat]:
    """Return the controlling seat of each character that has one."""
    return {found.square: seat for found in view.board if (seat := found.controller) is not None}
