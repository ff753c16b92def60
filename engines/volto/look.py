"""Views, built up field by field for one viewer; and the view of a draft."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engines.core.contract import Seat, Viewer
from engines.volto.board import MUSTER, SEATS, Kind, Square, homes
from engines.volto.candidates import Fits, Kinds, possible
from engines.volto.notation import board_text, letter
from engines.volto.record import Phase
from engines.volto.rules import new_mask
from engines.volto.state import Mask, State
from engines.volto.view import MaskView, View


def look(state: State, viewer: Viewer) -> View:
    """Return all that ``viewer`` knows of ``state``."""
    public = state.public
    over = public.phase is Phase.OVER
    musters = (_muster(state.own[0]), _muster(state.own[1]))
    masks: list[MaskView] = []
    for seat in SEATS:
        part = tuple(mask for mask in public.masks if mask.seat == seat)
        known = state.own[seat] if over or viewer == seat else tuple(mask.shown for mask in part)
        masks += _masks(part, known, musters[seat], over=over)
    return View(
        viewer=viewer,
        step=public.step,
        phase=public.phase,
        arranged=public.arranged(),
        first=public.first,
        turn=public.turn if public.phase is Phase.PLAY else None,
        masks=tuple(masks),
        kinds=musters,
        plies=public.plies,
        quiet=public.quiet,
        arrangement=_arrangement(masks, viewer),
        position=_position(masks, public.turn),
        result=public.result,
    )


def _masks(
    part: tuple[Mask, ...], known: tuple[Kind | None, ...], muster: Kinds, *, over: bool
) -> Iterable[MaskView]:
    allowed: Fits = possible(tuple(mask.fits for mask in part), muster) if None in known else ()
    for index, (mask, kind) in enumerate(zip(part, known, strict=True)):
        revealed = over or mask.shown is not None
        fits, may_be = (mask.fits, allowed[index]) if kind is None else ((kind,), (kind,))
        yield MaskView(mask.id, mask.seat, mask.square, kind, revealed, mask.track, fits, may_be)


def _muster(kinds: Kinds) -> Kinds:
    """Return the symbols of a side without their order, which is its secret.

    A side that has arranged nothing yet has the masks that every side has.
    """
    return tuple(sorted(kinds, key=MUSTER.index)) if kinds else MUSTER


def _arrangement(masks: Iterable[MaskView], viewer: Viewer) -> str | None:
    """Return the letters of the viewer's own arrangement; ``None`` where none was made."""
    if viewer is None:
        return None
    own = {mask.track[0]: mask.kind for mask in masks if mask.seat == viewer}
    kinds = [own.get(square) for square in homes(viewer)]
    return None if None in kinds else "".join(kind for kind in kinds if kind is not None)


def _position(masks: Iterable[MaskView], turn: Seat | None) -> str:
    return board_text(
        {mask.square: letter(mask.seat, mask.kind) for mask in masks if mask.square is not None}, turn
    )


def with_arrangement(view: View, seat: Seat, letters: str) -> View:
    """Return the view of ``seat`` with its ten masks as ``letters`` have them."""
    kinds = tuple(Kind(sign) for sign in letters)
    part = tuple(new_mask(seat, square) for square in homes(seat))
    others = tuple(mask for mask in view.masks if mask.seat != seat)
    mine = tuple(_masks(part, kinds, MUSTER, over=False))
    masks = mine + others if seat == 0 else others + mine
    return replace(view, masks=masks, arrangement=letters, position=_position(masks, None))


def with_move(view: View, origin: Square, target: Square) -> View:
    """Return the view with the mask on ``origin`` gone to the empty square ``target``, by its own seat."""
    masks = tuple(
        replace(mask, square=target, track=(*mask.track, target)) if mask.square == origin else mask
        for mask in view.masks
    )
    return replace(view, masks=masks, position=_position(masks, view.turn))
