"""A move: what it depends on, its words, its menu, its preview. Rules page, *Turn*."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engines.core.contract import (
    Arg,
    Choice,
    Field,
    IllegalAction,
    InvalidAction,
    Menu,
    Seat,
    Widget,
    Words,
    msg,
)
from engines.volto.board import Kind, Owners, Square, moves, palace, rival, targets
from engines.volto.state import State, visible_position
from engines.volto.view import Phase, View


@dataclass(frozen=True, slots=True, repr=False)
class Basis:
    """What a seat's next decision depends on. ``own``: its symbols by square, in order of the mat."""

    seat: Seat
    phase: Phase
    asked: bool
    own: Mapping[Square, Kind]
    owners: Owners

    @classmethod
    def of_state(cls, state: State, seat: Seat) -> Basis:
        """Return what ``seat`` goes by, from the public part and its own part alone."""
        public = state.public
        part = (mask for mask in public.masks if mask.seat == seat)
        own = {mask.square: kind for mask, kind in zip(part, state.own[seat], strict=True) if mask.square}
        asked = _asked(public.phase, seat, public.arranged, public.turn)
        return cls(seat, public.phase, asked, _sorted(own), public.owners())

    @classmethod
    def of_view(cls, view: View) -> Basis:
        """Return the basis of the viewer's seat, which is not the public's."""
        seat = view.viewer
        assert seat is not None
        own = {s: mask.kind for s, mask in view.standing().items() if mask.seat == seat and mask.kind}
        asked = _asked(view.phase, seat, view.arranged, view.turn)
        return cls(seat, view.phase, asked, _sorted(own), view.owners())

    def moves(self) -> Iterable[tuple[Square, Square]]:
        """Return all legal moves of the seat, if it is asked for one."""
        return moves(self.seat, self.own, self.owners) if self.asked and self.phase is Phase.PLAY else ()

    def movable(self) -> tuple[Square, ...]:
        """Return the squares of the seat's own masks that can move, each once."""
        return tuple(dict.fromkeys(origin for origin, _ in self.moves()))

    def targets(self, origin: Square) -> tuple[Square, ...]:
        """Return where the seat's own mask on ``origin`` may go."""
        return targets(self.own[origin], self.seat, origin, self.owners)


def _asked(phase: Phase, seat: Seat, arranged: tuple[Seat, ...], turn: Seat | None) -> bool:
    if phase is Phase.SETUP:
        return seat not in arranged
    return phase is Phase.PLAY and seat == turn


def _sorted(own: Mapping[Square, Kind]) -> dict[Square, Kind]:
    return {square: own[square] for square in sorted(own, key=lambda square: (square[1], square[0]))}


# --- drafts and sentences -------------------------------------------------------------------------


def fold(basis: Basis, words: Words) -> Words:
    """Return the words of a move, which need no folding; raises :class:`IllegalAction`."""
    origin = words[0]
    if origin not in basis.own:
        key = "error.rival_mask" if basis.owners.get(origin) == rival(basis.seat) else "error.no_mask"
        raise IllegalAction(msg(key, square=origin, **_movable(basis)))
    named: dict[str, Arg] = {"kind": msg(f"kind.{basis.own[origin].value}"), "origin": origin}
    found = basis.targets(origin)
    if not found:
        raise IllegalAction(msg("error.stuck", **named, **_movable(basis)))
    if len(words) == 2 and words[1] not in found:
        why = "own" if words[1] in basis.own else basis.own[origin].value
        raise IllegalAction(msg(f"error.target.{why}", target=words[1], targets=found, **named))
    return words


def _movable(basis: Basis) -> dict[str, Arg]:
    squares = basis.movable()
    return {"squares": squares, "n": len(squares)}


def unfinished(basis: Basis, folded: Words) -> InvalidAction:
    """Return the refusal of the beginning of a move as a whole one."""
    if not folded:
        return InvalidAction(msg("error.move_unfinished"))
    found = basis.targets(folded[0])
    return InvalidAction(msg("error.target_missing", origin=folded[0], targets=found))


def menu_of(basis: Basis, folded: Words) -> Menu:
    """Return the menu after a draft in normal form."""
    if not folded:
        masks = tuple(
            Choice(square, msg("choice.square", square=square), msg(f"kind.{basis.own[square].value}"))
            for square in basis.movable()
        )
        fields: tuple[Field, ...] = (Field("from", msg("field.from"), masks, Widget.GRID),)
        return Menu("move", msg("prompt.move"), folded, fields, complete=False, closing=False)
    origin = folded[0]
    named: dict[str, Arg] = {"square": origin, "kind": msg(f"kind.{basis.own[origin].value}")}
    if len(folded) < 2:
        found = tuple(target_choice(basis, origin, target) for target in basis.targets(origin))
        fields = (Field("to", msg("field.to"), found, Widget.BUTTONS),)
        return Menu("move", msg("prompt.target", **named), folded, fields, complete=False, closing=False)
    captures = folded[1] in basis.owners
    prompt = msg("prompt.capture" if captures else "prompt.moved", target=folded[1], **named)
    return Menu("move", prompt, folded, (), complete=True, closing=True, reveals=captures)


def target_choice(basis: Basis, origin: Square, target: Square) -> Choice:
    """Return the choice of a square to go to; a capture reveals what is taken."""
    if target in basis.owners:
        # What was taken is shown to all, so the word cannot be taken back (rules page, Turn).
        return Choice(target, msg("choice.takes", square=target), reveals=True)
    wins = basis.own[origin] is Kind.CANDIDATE and target in palace(rival(basis.seat))
    return Choice(target, msg("choice.palace" if wins else "choice.square", square=target))


def preview(view: View, origin: Square, target: Square) -> View:
    """Return the view with the mask on ``origin`` gone to the empty square ``target``, by its own seat."""
    masks = tuple(
        replace(mask, track=(*mask.track, target)) if mask.square == origin else mask for mask in view.masks
    )
    return replace(view, masks=masks, position=visible_position(masks, view.turn))
