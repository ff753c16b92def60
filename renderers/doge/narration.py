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
    if view.phase is Phase.OVER:
        return () if (found := found_by(view)) is None else (found.seat,)
    if view.phase is Phase.PLACE:
        return tuple(seat for seat in view.still_in if view.pawns[seat] is None)
    who = view.turn if view.owes is None else view.owes
    return () if who is None else (who,)


def actors(view: View, marks: Highlights) -> tuple[Seat, ...]:
    """Return the seats that the headline is about: who is asked or guesses, and at a gift whom it is for."""
    if marks.named and view.viewer is not None:
        return (view.viewer,)
    if view.owes is not None and view.turn is not None:
        return view.turn, view.owes
    return asked(view)


def found_by(view: View) -> Guess | None:
    """Return the guess that found the treasure."""
    return next((guess for guess in view.guesses if guess.right), None)


def identity(view: View, seat: Seat) -> Pair | None:
    """Return a seat's pair where the viewer knows it: the own, and all at the end."""
    if view.truth is not None:
        return view.truth.pairs[seat]
    return view.own if seat == view.viewer else None


def headline(captions: Captions, view: View, marks: Highlights, name: NameOf) -> str:
    """Return what is going on, or what a draft asks."""
    if marks.named:
        return captions.text("head.guess" if len(marks.named) == 1 else "head.guessing")
    if view.phase is Phase.OVER:
        return _ending(captions, view, name)
    gaps: dict[str, Arg] = {}
    if view.turn is not None:
        gaps["player"] = name(view.turn)
    if view.owes is not None:
        gaps["other"] = name(view.owes)
    if view.phase is Phase.CHOOSE and view.turn is not None:
        gaps["n"] = view.pawns[view.turn] or 0
    if view.phase is Phase.HAUNT:
        gaps["square"] = place_name(captions, view.ghost or 0)
    return captions.text(f"head.{view.phase}", **gaps)


def _ending(captions: Captions, view: View, name: NameOf) -> str:
    if (found := found_by(view)) is not None:
        return captions.text("head.found", player=name(found.seat))
    result = view.result
    agreed = result is not None and result.reason is Reason.AGREED
    return captions.text("head.agreed" if agreed else "head.lost")


def subline(captions: Captions, view: View, marks: Highlights, name: NameOf) -> str:
    """Return the line below the headline."""
    if marks.named:
        whole = len(marks.named) == 1
        return pair_name(captions, Pair(*marks.named[0])) if whole else captions.text("sub.guessing")
    if view.phase is Phase.OVER:
        truth = view.truth
        return "" if truth is None else pair_name(captions, truth.treasure)
    gaps: dict[str, Arg] = {"n": view.turns + 1}
    if view.turn is not None:
        gaps["player"] = name(view.turn)
    if view.owes is not None:
        gaps["other"] = name(view.owes)
    key = f"sub.{view.phase}"
    if view.phase is Phase.MOVE:
        squares = view.landings()
        gaps |= {"n": view.die or 0, "cw": squares[Way.CLOCKWISE], "ccw": squares[Way.COUNTER_CLOCKWISE]}
    if view.phase is Phase.CHOOSE:
        key = f"sub.{_choice(view)}"
    return captions.text(key, **gaps)


def news(captions: Captions, view: View, marks: Highlights, name: NameOf) -> str:
    """Return what the headline and the line below it say, as one sentence for a description."""
    if marks.named:
        if len(marks.named) > 1:
            return captions.text("news.guessing")
        return captions.text("news.guess", pair=pair_name(captions, Pair(*marks.named[0])))
    gaps: dict[str, Arg] = {"turn": view.turns + 1}
    if view.turn is not None:
        gaps |= {"player": name(view.turn), "square": view.pawns[view.turn] or 0}
    if view.owes is not None:
        gaps["other"] = name(view.owes)
    match view.phase:
        case Phase.OVER:
            return _end(captions, view, name)
        case Phase.MOVE:
            cw, ccw = (view.landings()[way] for way in (Way.CLOCKWISE, Way.COUNTER_CLOCKWISE))
            return captions.text("news.move", **gaps, n=view.die or 0, cw=cw, ccw=ccw)
        case Phase.CHOOSE:
            return captions.text(f"news.{_choice(view)}", **gaps)
        case Phase.HAUNT:
            return captions.text("news.haunt", **{**gaps, "square": place_name(captions, view.ghost or 0)})
        case phase:
            return captions.text(f"news.{phase}", **gaps)


def _end(captions: Captions, view: View, name: NameOf) -> str:
    found, truth = found_by(view), view.truth
    pair = "" if truth is None else pair_name(captions, truth.treasure)
    if found is not None:
        return captions.text("news.found", player=name(found.seat), pair=pair)
    agreed = view.result is not None and view.result.reason is Reason.AGREED
    return captions.text("news.agreed" if agreed else "news.lost", pair=pair)


def _choice(view: View) -> str:
    """Return what the active player chooses: whom to meet, whether to look at the pile, or either."""
    if not view.meetable():
        return "pile"
    return "both" if view.turn is not None and view.piles[view.pawns[view.turn] or 0] else "meet"


def place_name(captions: Captions, square: Square) -> str:
    """Return how a square is called: by its institution, or by its number."""
    if square in LOCATIONS:
        return captions.text(f"card.{LOCATIONS[square]}")
    return captions.text("square", n=square)


def pair_name(captions: Captions, pair: Pair) -> str:
    """Return a pair's names, the institution first."""
    institution, craft = (captions.text(f"card.{card}") for card in pair.cards)
    return captions.text("pair", institution=institution, craft=craft)
