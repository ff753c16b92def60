"""The state of a match, which never leaves the engine; and each viewer's view, built field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engines.core.contract import Seat, Viewer
from engines.volto.board import MUSTER, SEATS, Kind, Owners, Square, fits_at, homes
from engines.volto.candidates import Fits, Kinds, possible
from engines.volto.notation import board_text, letter
from engines.volto.rulesets import Ruleset
from engines.volto.view import MaskView, Phase, Ply, Result, View, ply_data, result_data


@dataclass(frozen=True, slots=True, repr=False)
class Mask:
    """The public part of one mask: which it is, where it was set up and went, what was shown of it.

    ``id`` is the seat and the square of its set-up, so it tells nothing of the symbol. ``track``
    begins with that square. ``fits``: the symbols that its own track allows. A mask that is ``gone`` and
    of which nothing was ``shown`` has left unseen.
    """

    id: str
    seat: Seat
    track: tuple[Square, ...]
    fits: tuple[Kind, ...]
    gone: bool = False
    shown: Kind | None = None

    @property
    def square(self) -> Square | None:
        """Return where the mask stands, ``None`` once it has left the mat."""
        return None if self.gone else self.track[-1]


def new_mask(seat: Seat, square: Square) -> Mask:
    """Return a mask of which nobody but its owner knows more than where it stands."""
    return Mask(f"{seat}{square}", seat, (square,), fits_at(seat, square))


@dataclass(frozen=True, slots=True, repr=False)
class Public:
    """What everybody knows.

    ``step`` counts the acts that all may know of. ``masks`` are those of the seats that have
    arranged theirs, in order of seat. ``turn`` is the side to move: after the last move the other
    side's, in the set-up nobody's. ``quiet``: plies since the last capture.
    """

    ruleset: Ruleset
    step: int
    phase: Phase
    masks: tuple[Mask, ...]
    first: Seat | None = None
    turn: Seat | None = None
    plies: tuple[Ply, ...] = ()
    quiet: int = 0
    result: Result | None = None

    def arranged(self) -> tuple[Seat, ...]:
        """Return the seats whose masks are set up."""
        return tuple(seat for seat in SEATS if any(mask.seat == seat for mask in self.masks))

    def owners(self) -> Owners:
        """Return whose mask stands where."""
        return {mask.track[-1]: mask.seat for mask in self.masks if not mask.gone}


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
    return board_text(letters, state.public.turn)


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
        viewer=viewer,
        ruleset=public.ruleset,
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
        position=visible_position(masks, public.turn),
        result=public.result,
    )


def mask_views(
    part: tuple[Mask, ...], known: tuple[Kind | None, ...], muster: Kinds, *, over: bool
) -> Iterator[MaskView]:
    """Yield a side's masks for a viewer who has the symbols ``known`` of them (``None``: has not)."""
    allowed: Fits = possible(tuple(mask.fits for mask in part), muster) if None in known else ()
    for index, (mask, kind) in enumerate(zip(part, known, strict=True)):
        revealed = over or mask.shown is not None
        fits, may_be = (mask.fits, allowed[index]) if kind is None else ((kind,), (kind,))
        yield MaskView(mask.id, mask.seat, mask.square, kind, revealed, mask.track, fits, may_be)


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
        **public.ruleset.data,
        "step": public.step,
        "phase": public.phase.value,
        "first": public.first,
        "turn": public.turn,
        "quiet": public.quiet,
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
        "plies": [ply_data(ply) for ply in public.plies],
        "standings": list(state.standings),
        "result": result_data(public.result),
    }
