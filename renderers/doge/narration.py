"""What is going on, in words: the headline of the board and the line below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from engines.core.contract import Arg, Seat
from engines.doge.view import LOCATIONS, Guess, Pair, Phase, Reason, Square, View, Way
from renderers.core.captions import Captions
from renderers.doge.highlights import Highlights

NameOf: TypeAlias = Callable[[Seat], Arg]
"""How a seat is called: by a name that a face can paint, or by one for plain text."""


def asked(view: View) -> tuple[Seat, ...]:
    """Return the seats that must decide; at the end, who has found the treasure."""
    public = view.public
    if public.phase is Phase.OVER:
        return () if (found := found_by(view)) is None else (found.seat,)
    if public.phase is Phase.PLACE:
        return tuple(seat for seat in public.still_in if public.pawns[seat] is None)
    who = public.turn if public.owes is None else public.owes
    return () if who is None else (who,)


def actors(view: View, marks: Highlights) -> tuple[Seat, ...]:
    """Return the seats that the headline is about: who is asked or guesses, and at a gift whom it is for."""
    public = view.public
    if marks.named and view.viewer is not None:
        return (view.viewer,)
    if public.owes is not None and public.turn is not None:
        return public.turn, public.owes
    return asked(view)


def found_by(view: View) -> Guess | None:
    """Return the guess that found the treasure."""
    return next((guess for guess in view.public.guesses if guess.right), None)


def identity(view: View, seat: Seat) -> Pair | None:
    """Return a seat's pair where the viewer knows it: the own, and all at the end."""
    if view.truth is not None:
        return view.truth.pairs[seat]
    return view.own if seat == view.viewer else None


def headline(captions: Captions, view: View, marks: Highlights, name: NameOf) -> str:
    """Return what is going on, or what a draft asks."""
    if marks.named:
        return captions.text("head.guess" if len(marks.named) == 1 else "head.guessing")
    public = view.public
    if public.phase is Phase.OVER:
        return _ending(captions, view, name)
    gaps: dict[str, Arg] = {}
    if public.turn is not None:
        gaps["name"] = name(public.turn)
    if public.owes is not None:
        gaps["other"] = name(public.owes)
    if public.phase is Phase.CHOOSE and public.turn is not None:
        gaps["n"] = public.pawns[public.turn] or 0
    if public.phase is Phase.HAUNT:
        gaps["square"] = place_name(captions, public.ghost or 0)
    return captions.text(f"head.{public.phase}", **gaps)


def _ending(captions: Captions, view: View, name: NameOf) -> str:
    if (found := found_by(view)) is not None:
        return captions.text("head.found", name=name(found.seat))
    result = view.public.result
    agreed = result is not None and result.reason is Reason.AGREED
    return captions.text("head.agreed" if agreed else "head.lost")


def subline(captions: Captions, view: View, marks: Highlights, name: NameOf) -> str:
    """Return the line below the headline."""
    public = view.public
    if marks.named:
        whole = len(marks.named) == 1
        return pair_name(captions, Pair(*marks.named[0])) if whole else captions.text("sub.guessing")
    if public.phase is Phase.OVER:
        truth = view.truth
        return "" if truth is None else pair_name(captions, truth.treasure)
    gaps: dict[str, Arg] = {"n": public.turns + 1}
    if public.turn is not None:
        gaps["name"] = name(public.turn)
    if public.owes is not None:
        gaps["other"] = name(public.owes)
    key = f"sub.{public.phase}"
    if public.phase is Phase.MOVE:
        squares = public.landings()
        gaps |= {"n": public.die or 0, "cw": squares[Way.CLOCKWISE], "ccw": squares[Way.COUNTER_CLOCKWISE]}
    if public.phase is Phase.CHOOSE:
        pile = public.turn is not None and public.piles[public.pawns[public.turn] or 0]
        key = "sub.pile" if not public.meetable() else "sub.both" if pile else "sub.meet"
    return captions.text(key, **gaps)


def place_name(captions: Captions, square: Square) -> str:
    """Return how a square is called: by its institution, or by its number."""
    if square in LOCATIONS:
        return captions.text(f"card.{LOCATIONS[square]}")
    return captions.text("square", n=square)


def pair_name(captions: Captions, pair: Pair) -> str:
    """Return a pair's names, the institution first."""
    institution, craft = (captions.text(f"card.{card}") for card in pair.cards)
    return captions.text("pair", institution=institution, craft=craft)
