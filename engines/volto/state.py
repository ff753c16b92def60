"""The state of a match, which never leaves the engine; and each viewer's view, built field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engines.core.base import fields_of
from engines.core.contract import Seat, Viewer
from engines.volto.board import MUSTER, SEATS, Kind, Square, homes
from engines.volto.candidates import Fits, Kinds, possible
from engines.volto.notation import board_text, letter
from engines.volto.view import Mask, MaskView, Phase, Public, View, public_data


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """A match: the public part, each seat's symbols in the order of its masks, and what nobody sees.

    ``standings`` are the true positions since the last capture, the present one last.
    """

    public: Public
    own: tuple[tuple[Kind, ...], tuple[Kind, ...]]
    standings: tuple[str, ...] = ()

    def kinds(self) -> Iterator[tuple[Mask, Kind]]:
        """Return every mask with its true symbol."""
        return zip(self.public.masks, self.own[0] + self.own[1], strict=True)

    def mat(self) -> dict[Square, tuple[Seat, Kind]]:
        """Return who and what stands where."""
        return {mask.track[-1]: (mask.seat, kind) for mask, kind in self.kinds() if not mask.gone}


def position_text(state: State) -> str:
    """Return the true position of ``state`` on one line."""
    letters = {mask.track[-1]: letter(mask.seat, kind) for mask, kind in state.kinds() if not mask.gone}
    return board_text(letters, state.public.to_move)


def look(state: State, viewer: Viewer) -> View:
    """Return all that ``viewer`` knows of ``state``."""
    public = state.public
    over = public.phase is Phase.OVER
    musters = (_muster(state.own[0]), _muster(state.own[1]))
    masks: list[MaskView] = []
    for seat in SEATS:
        part = tuple(mask for mask in public.masks if mask.seat == seat)
        # A side knows its own masks; of the others everybody knows what was shown, until the end shows all.
        known = state.own[seat] if over or viewer == seat else tuple(mask.shown for mask in part)
        masks += mask_views(part, known, musters[seat], over=over)
    return View(
        **fields_of(Public, public) | {"masks": tuple(masks)},
        viewer=viewer,
        kinds=musters,
        arrangement=_arrangement(masks, viewer),
        position=visible_position(masks, public.to_move),
    )


def mask_views(
    part: tuple[Mask, ...], known: tuple[Kind | None, ...], muster: Kinds, *, over: bool
) -> Iterator[MaskView]:
    """Yield a side's masks for a viewer who has the symbols ``known`` of them (``None``: has not)."""
    allowed: Fits = possible(tuple(mask.fits for mask in part), muster) if None in known else ()
    for index, (mask, kind) in enumerate(zip(part, known, strict=True)):
        yield MaskView(  # not by fields_of(): a view has twenty masks
            mask.id,
            mask.seat,
            mask.track,
            mask.fits,
            mask.gone,
            mask.shown,
            kind=kind,
            revealed=over or mask.shown is not None,
            may_be=allowed[index] if kind is None else (kind,),
        )


def _muster(kinds: Kinds) -> Kinds:
    # Sorted, since their order is the secret; before the set-up a side has the masks that every side has.
    return tuple(sorted(kinds, key=MUSTER.index)) if kinds else MUSTER


def _arrangement(masks: Iterable[MaskView], viewer: Viewer) -> str | None:
    if viewer is None:
        return None
    own = {mask.track[0]: mask.kind for mask in masks if mask.seat == viewer}
    kinds = [own.get(square) for square in homes(viewer)]
    return None if None in kinds else "".join(kind for kind in kinds if kind is not None)


def visible_position(masks: Iterable[MaskView], turn: Seat | None) -> str:
    """Return the position as far as the masks' symbols are known to the viewer."""
    return board_text(
        {mask.square: letter(mask.seat, mask.kind) for mask in masks if mask.square is not None}, turn
    )


def record(state: State) -> dict[str, Any]:
    """Return the whole state as plain JSON data, for digests."""
    public = state.public
    return {
        **public_data(public),
        "turn": public.to_move,
        "masks": [
            {
                "id": mask.id,
                "seat": mask.seat,
                "kind": kind.value,
                "square": mask.square,
                "shown": mask.shown is not None,
                "track": list(mask.track),
            }
            for mask, kind in state.kinds()
        ],
        "standings": list(state.standings),
    }
