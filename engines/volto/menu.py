"""What a seat may say next, as data."""

from __future__ import annotations

from engines.core.contract import Arg, Choice, Field, Menu, Seat, Widget, Words, msg
from engines.volto.board import MUSTER, Kind, Square, homes, palace, rival
from engines.volto.look import with_arrangement, with_move
from engines.volto.record import Phase
from engines.volto.sentences import Ground, fold, is_whole, movable
from engines.volto.view import View

_SHUFFLE = tuple(kind.value for kind in MUSTER)


def menu_after(view: View, draft: Words) -> Menu | None:
    """Return the menu after ``draft``, ``None`` if nothing is asked; raises as :func:`sentences.fold`."""
    if view.viewer is None:
        return None
    ground = Ground.of_view(view, view.viewer)
    if not ground.asked:
        return None
    folded = fold(ground, draft)
    if ground.phase is Phase.SETUP:
        return _setup_menu(ground.seat, folded)
    return _move_menu(ground, folded)


def preview_of(view: View, draft: Words) -> View:
    """Return the view of ``draft``; raises as :func:`sentences.fold`.

    A capture reveals something, so it is not shown: the board stays as it is.
    """
    if view.viewer is None or not draft:
        return view
    ground = Ground.of_view(view, view.viewer)
    folded = fold(ground, draft)
    if len(folded) < 2:
        return view
    if ground.phase is Phase.SETUP:
        return with_arrangement(view, ground.seat, folded[1])
    return view if folded[1] in ground.owners else with_move(view, folded[0], folded[1])


# --- the set-up -----------------------------------------------------------------------------------


def _setup_menu(seat: Seat, folded: Words) -> Menu:
    done = is_whole(folded)
    fields: tuple[Field, ...]
    if len(folded) < 2:
        prompt, fields = msg("prompt.setup"), (_shuffle("field.shuffle"),)
    elif done:
        prompt = msg("prompt.arranged", letters=folded[1])
        fields = (_shuffle("field.shuffle_again"), _swap(seat, folded[1]))
    else:
        prompt = msg("prompt.swap", square=folded[2])
        fields = (_swap_with(seat, folded[1], folded[2]),)
    return Menu("setup", prompt, folded, fields, complete=done, closing=done, keep=True)


def _shuffle(label: str) -> Field:
    return Field("shuffle", msg(label), (), Widget.SHUFFLE, shuffle=_SHUFFLE)


def _swap(seat: Seat, letters: str) -> Field:
    return Field("swap", msg("field.swap"), tuple(_placed(seat, letters, square) for square in homes(seat)))


def _swap_with(seat: Seat, letters: str, one: Square) -> Field:
    mine = letters[homes(seat).index(one)]
    others = (square for square, sign in zip(homes(seat), letters, strict=True) if sign != mine)
    choices = tuple(_placed(seat, letters, square) for square in others)
    return Field("with", msg("field.swap_with", square=one, kind=msg(f"kind.{mine}")), choices)


def _placed(seat: Seat, letters: str, square: Square) -> Choice:
    sign = letters[homes(seat).index(square)]
    return Choice(square, msg("choice.mask", square=square, kind=msg(f"kind.{sign}")))


# --- a move ---------------------------------------------------------------------------------------


def _move_menu(ground: Ground, folded: Words) -> Menu:
    if not folded:
        return Menu("move", msg("prompt.move"), folded, (_origins(ground),), complete=False, closing=False)
    named: dict[str, Arg] = {"square": folded[0], "kind": msg(f"kind.{ground.own[folded[0]].value}")}
    if not is_whole(folded):
        prompt = msg("prompt.target", **named)
        return Menu("move", prompt, folded, (_targets(ground, folded[0]),), complete=False, closing=False)
    captures = folded[1] in ground.owners
    prompt = msg("prompt.capture" if captures else "prompt.moved", target=folded[1], **named)
    return Menu("move", prompt, folded, (), complete=True, closing=True, reveals=captures)


def _origins(ground: Ground) -> Field:
    choices = tuple(
        Choice(square, msg("choice.mask", square=square, kind=msg(f"kind.{ground.own[square].value}")))
        for square in movable(ground)
    )
    return Field("from", msg("field.from"), choices)


def _targets(ground: Ground, origin: Square) -> Field:
    return Field(
        "to",
        msg("field.to"),
        tuple(_target(ground, origin, target) for target in ground.targets(origin)),
        Widget.BUTTONS,
    )


def _target(ground: Ground, origin: Square, target: Square) -> Choice:
    label = msg("choice.square", square=target)
    if target in ground.owners:
        return Choice(target, label, msg("choice.takes"), reveals=True)
    if ground.own[origin] is Kind.CANDIDATE and target in palace(rival(ground.seat)):
        return Choice(target, label, msg("choice.palace"))
    return Choice(target, label)
