"""The Secret of the Doge: moments of one match at each table size, and some that few matches come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engines.core.match import Match
from engines.doge.view import CARDS, COLOURS, Gift, PawnMove, Phase, Source, Way
from tests.renderers.looks.base import Look, at_situation, look, start

FOUR = (
    "place 1/place 8/place 0/place 2/roll/cw/show biennale favro 9/roll/ccw/give peril 5/roll/"
    "cw/roll/ccw/leave/roll/ccw/look/roll/ccw/roll/cw/give favro 3/roll/cw/roll/ccw/roll/"
    "cw/look/roll/cw/show comune favro 9/roll/cw/show peril ascia 5/roll/ccw/roll/cw/"
    "show sovrintendenza remer 9/roll/ccw/roll/ccw/roll/cw/roll/ccw/leave/roll/ccw/meet red/"
    "show sovrintendenza remer 3/roll/ccw/roll/ccw/meet red/show comune ascia 7/roll/ccw/leave/"
    "roll/cw/roll/ccw/leave/roll/cw/show biennale remer 1/roll/ccw/look/roll/cw/meet red/"
    "show sovrintendenza impiraressa 9/roll/cw/roll/ccw/look/roll/ccw/roll/cw/look/roll/cw"
)
THREE = (
    "place 3/place 5/place 9/roll/cw/roll/cw/roll/ccw/show peril remer 1/roll/ccw/roll/ccw/"
    "roll/ccw/show comune ascia 1/roll/ccw/roll/cw/show comune favro 7/roll/ccw/haunt red/"
    "give marina 9/roll/cw/look/roll/cw/show sovrintendenza favro 9/roll/ccw/roll/cw/roll/cw/"
    "show sovrintendenza remer 3/roll/cw/look/roll/cw/look/roll/cw/roll/ccw/roll/ccw"
)
TWO = (
    "place 3/place 5/roll/cw/roll/cw/show comune ascia 1/roll/ccw/roll/ccw/"
    "give sovrintendenza 5/roll/ccw/roll/ccw/roll/ccw/roll/ccw/roll/cw"
)
WRITTEN = {4: FOUR, 3: THREE, 2: TWO}
"""A match at each table size, each sentence of the first seat that is waited for."""


def doge(seats: int, acts: int, *more: str, gifts: str = "asked") -> Match:
    """Return a match after so many acts of the written one, and some more; ``2:pass`` is said by seat 2."""
    match = start("doge", seats, gifts=gifts)
    for said in (*WRITTEN[seats].split("/")[:acts], *more):
        seat, _, text = said.rpartition(":")
        match = match.act(int(seat or min(match.waiting)), match.game.read(text))
    return match


WRONG = "0:guess marina favro"
RIGHT = "1:guess marina corder"


def last_guesses() -> Look:
    """Return a look at the last guesses: few matches come to them."""
    view = doge(4, 80, WRONG).view(None)
    # Each seat has given all of its eight false cards; where they are does not matter here.
    gifts = tuple(Gift(Source.MEETING, seat, (seat + 1) % 4, 3, 0) for seat in range(4) for _ in range(8))
    return Look("doge", replace(view, phase=Phase.LAST, turn=2, die=None, gifts=gifts, passed=(1,)))


def crowd() -> Look:
    """Return a look at all pawns on one square and at as many cards as can lie on the others."""
    view = doge(4, 69).view(2)
    gifts = tuple(Gift(Source.MEETING, n % 4, (n + 1) % 4, 3, 0) for n in range(32))
    piles = [tuple(range(n * 32 // 5, (n + 1) * 32 // 5)) for n in range(5)]
    faces = tuple((n, CARDS[n * 7 % 10]) for n in range(32) if n % 4 == 2 or n % 5 == 0)
    shown = replace(
        view,
        pawns=(5,) * 4,
        ghost=2,
        gifts=gifts,
        piles=tuple(piles[square // 2] if square % 2 else () for square in range(10)),
        turn=1,
        phase=Phase.CHOOSE,
        last_move=PawnMove(1, 1, 5, Way.CLOCKWISE, 4),
        faces=faces,
    )
    return Look("doge", shown)


# --- private pictures -----------------------------------------------------------------------------

SOME = (
    "ghost blue comune 3/shown blue sovrintendenza favro 7/shown yellow marina remer 1/"
    "shown green peril favro 5/looked green comune 9/shown green sovrintendenza impiraressa 9/"
    "looked yellow ascia 1/shown green peril remer 5/ghost green favro 1/shown blue peril ascia 7"
)
"""What Red has seen, in its order."""
SIXTEEN = (
    f"{SOME}/looked blue impiraressa 3/shown blue marina ascia 9/shown yellow marina impiraressa 1/"
    "looked green marina 5/looked blue peril 7/shown green biennale impiraressa 5"
)
LONG = (
    f"{SIXTEEN}/shown yellow comune favro 3/looked yellow sovrintendenza 9/shown yellow biennale favro 5/"
    "shown yellow peril favro 1/looked yellow corder 7/shown green comune impiraressa 3/"
    "looked blue biennale 9/shown blue sovrintendenza corder 1"
)


def evidence(text: str) -> Match:
    """Return a match of four in which Red has seen so much: what, of whom, which cards, their square."""
    seen = []
    for line in text.split("/"):
        kind, who, *cards, square = line.split()
        named = {"kind": kind, "owner" if kind == "looked" else "giver": who, "square": int(square)}
        names = ("institution", "craft") if kind == "shown" else ("card",)
        seen.append({**named, **dict(zip(names, cards, strict=True))})
    value = {"seats": list(COLOURS), "seat": "red", "own": ["biennale", "corder"], "seen": seen}
    return at_situation("doge", value)


def noted(match: Match, *sentences: str) -> Match:
    """Return a match after notes of Red."""
    for text in sentences:
        match = match.act(2, match.game.read(text))
    return match


def ahead() -> Look:
    """Return a look at the hand of Red, who has left a gift in advance."""
    return look(noted(doge(4, 69, gifts="ahead"), "ahead marina ascia 5"), 2, key="hand")


UNAIDED = ("mark yellow remer X comune ?", "mark green favro ? blue ascia X favro 0", "auto off")

LOOKS: Mapping[str, Callable[[], Look]] = {
    "board": lambda: look(doge(4, 75, WRONG), None),
    "private": lambda: look(doge(4, 75, WRONG), 3),
    "placing": lambda: look(doge(4, 2), 2, "place", "5"),
    "moving": lambda: look(doge(4, 69), 1, "ccw"),
    "choosing": lambda: look(doge(4, 58), None),
    "haunting": lambda: look(doge(3, 24), None),
    "showing": lambda: look(doge(4, 77), 2, "show", "sovrintendenza", "impiraressa", "9"),
    "giving": lambda: look(doge(3, 25), 2, "give", "marina", "9"),
    "guess": lambda: look(doge(4, 80), 3, "guess", "marina", "corder"),
    "guessing": lambda: look(doge(4, 80), 3, "guess", "marina"),
    "knowing": lambda: look(doge(4, 75, WRONG), 0),
    "sheet": lambda: look(doge(4, 75), 3, key="sheet"),
    "sheet_full": lambda: look(evidence(SIXTEEN), 2, "mark", "yellow", "remer", "?", key="sheet"),
    "sheet_long": lambda: look(evidence(LONG), 2, key="sheet"),
    "sheet_unaided": lambda: look(noted(evidence(SOME), *UNAIDED), 2, key="sheet"),
    "sheet_guess": lambda: look(evidence(SOME), 2, "guess", "marina", "favro", key="sheet"),
    "sheet_two": lambda: look(doge(2, 13), 0, key="sheet"),
    "sheet_end": lambda: look(doge(4, 80, WRONG, RIGHT), 3, key="sheet"),
    "hand": lambda: look(doge(4, 77), 2, "show", "sovrintendenza", "impiraressa", "9", key="hand"),
    "hand_ahead": ahead,
    "hand_two": lambda: look(doge(2, 13), 0, key="hand"),
    "clue": lambda: look(doge(4, 80), 1, key="clue"),
    "clue_ghost": lambda: look(evidence("ghost blue comune 3"), 2, key="clue"),
    "clue_looked": lambda: look(evidence("looked yellow ascia 1"), 2, key="clue"),
    "last": last_guesses,
    "found": lambda: look(doge(4, 80, WRONG, RIGHT), None),
    "lost": lambda: look(doge(3, 51), None),
    "two": lambda: look(doge(2, 13), None),
    "crowd": crowd,
}
