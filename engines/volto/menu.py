"""What a seat may say: drafts in normal form, what is wrong with all others, and what may follow.

Everything here stands on a :class:`~engines.volto.moves.Basis`, which the seat's own view holds whole:
so no error tells more than that view does.
"""

from __future__ import annotations

from engines.core.contract import IllegalAction, InvalidAction, Menu, Words, msg
from engines.volto import arrangement, moves
from engines.volto.board import MUSTER, is_square
from engines.volto.moves import Basis
from engines.volto.notation import SETUP, check_arrangement
from engines.volto.view import Phase, View


def fold(basis: Basis, words: Words) -> Words:
    """Return a draft in normal form.

    ``("setup", letters)``, with one more square while a swap is half done; or one or two squares.
    Raises :class:`InvalidAction` for what begins no sentence of the game, and
    :class:`IllegalAction` for what begins none that the seat may say now.
    """
    # The form is judged first, so that this error does not depend on whose turn it is.
    setup = _is_arrangement(words)
    if not basis.asked:
        why = {Phase.OVER: "error.over", Phase.SETUP: "error.arranged"}
        raise IllegalAction(msg(why.get(basis.phase, "error.not_your_turn")))
    if not words:
        return ()
    if setup is not (basis.phase is Phase.SETUP):
        raise IllegalAction(msg("error.move_in_setup" if not setup else "error.setup_in_play"))
    return arrangement.fold(basis.seat, words) if setup else moves.fold(basis, words)


def whole(basis: Basis, words: Words) -> Words:
    """Return a whole sentence in normal form: two words. Raises as :func:`fold`, for unfinished ones too."""
    folded = fold(basis, words)
    if len(folded) == 2:
        return folded
    if basis.phase is Phase.SETUP:
        raise InvalidAction(msg("error.setup_unfinished" if len(folded) < 2 else "error.swap_unfinished"))
    raise moves.unfinished(basis, folded)


def _is_arrangement(words: Words) -> bool:
    if all(is_square(word) for word in words):
        if len(words) > 2:
            raise InvalidAction(msg("error.unreadable"))
        return False
    rest = words[1:] if words[0] == SETUP else words
    if rest and is_square(rest[0]):
        raise InvalidAction(msg("error.setup_unfinished"))
    for word in rest:
        if not is_square(word):
            if words[0] != SETUP and len(word) != len(MUSTER):
                raise InvalidAction(msg("error.unreadable"))
            check_arrangement(word)
    return True


def menu_after(view: View, draft: Words) -> Menu:
    """Return the menu after ``draft`` of a seat that is asked; raises as :func:`fold`."""
    basis = Basis.of_view(view)
    folded = fold(basis, draft)
    if basis.phase is Phase.SETUP:
        return arrangement.menu_of(basis.seat, folded)
    return moves.menu_of(basis, folded)


def preview(view: View, draft: Words) -> View:
    """Return the view of ``draft``: masks arranged, or moved to an empty square; raises as :func:`fold`."""
    if view.viewer is None or not draft:
        return view
    basis = Basis.of_view(view)
    folded = fold(basis, draft)
    if len(folded) < 2:
        return view
    if basis.phase is Phase.SETUP:
        return arrangement.preview(view, basis.seat, folded[1])
    # A capture reveals something, so it is not shown: the mat stays as it is.
    return view if folded[1] in basis.owners else moves.preview(view, folded[0], folded[1])
