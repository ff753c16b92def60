"""What a seat may say: drafts in normal form, and what is wrong with all others.

Everything here stands on a :class:`Ground`, which the seat's own view holds whole: so no error
tells more than that view does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engines.core.contract import IllegalAction, InvalidAction, Msg, Seat, Words, msg
from engines.volto.board import MUSTER, Kind, Owners, Square, homes, is_square, rival, targets
from engines.volto.notation import SETUP, check_arrangement
from engines.volto.record import Phase
from engines.volto.rules import moves
from engines.volto.state import State
from engines.volto.view import View


@dataclass(frozen=True, slots=True, repr=False)
class Ground:
    """What a seat's next decision depends on. ``own``: its symbols by square, in order of the mat."""

    seat: Seat
    phase: Phase
    asked: bool
    own: Mapping[Square, Kind]
    owners: Owners

    @classmethod
    def of_state(cls, state: State, seat: Seat) -> Ground:
        """Return the ground of ``seat``, from the public part and its own part alone."""
        public = state.public
        part = (mask for mask in public.masks if mask.seat == seat)
        own = {mask.square: kind for mask, kind in zip(part, state.own[seat], strict=True) if mask.square}
        asked = _asked(public.phase, seat, public.arranged(), public.turn)
        return cls(seat, public.phase, asked, _sorted(own), public.owners())

    @classmethod
    def of_view(cls, view: View, seat: Seat) -> Ground:
        """Return the ground of the viewer's seat."""
        own = {s: mask.kind for s, mask in view.standing().items() if mask.seat == seat and mask.kind}
        asked = _asked(view.phase, seat, view.arranged, view.turn)
        return cls(seat, view.phase, asked, _sorted(own), view.owners())

    def moves(self) -> Iterable[tuple[Square, Square]]:
        """Return all legal moves of the seat, if it is asked for one."""
        return moves(self.seat, self.own, self.owners) if self.asked and self.phase is Phase.PLAY else ()

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


def fold(ground: Ground, words: Words) -> Words:
    """Return a draft in normal form.

    ``("setup", letters)``, with one more square while a swap is half done; or one or two squares.
    Raises :class:`InvalidAction` for what begins no sentence of the game, and
    :class:`IllegalAction` for what begins none that the seat may say now.
    """
    setup = _check_form(words)
    if not ground.asked:
        raise IllegalAction(msg(_why_not(ground)))
    if not words:
        return ()
    if setup is not (ground.phase is Phase.SETUP):
        raise IllegalAction(msg("error.move_in_setup" if not setup else "error.setup_in_play"))
    return _fold_setup(ground.seat, words) if setup else _fold_move(ground, words)


def whole(ground: Ground, words: Words) -> Words:
    """Return a whole sentence in normal form; raises as :func:`fold`, for unfinished ones too."""
    folded = fold(ground, words)
    if is_whole(folded):
        return folded
    if ground.phase is Phase.SETUP:
        raise InvalidAction(msg("error.setup_unfinished" if len(folded) < 2 else "error.swap_unfinished"))
    if not folded:
        raise InvalidAction(msg("error.move_unfinished"))
    raise InvalidAction(
        msg("error.target_missing", origin=folded[0], targets=_listed(ground.targets(folded[0])))
    )


def is_whole(folded: Words) -> bool:
    """Return whether a draft in normal form is a whole sentence: two words, of either form."""
    return len(folded) == 2


def _check_form(words: Words) -> bool:
    """Return whether the words begin an arrangement, and not a move; raises :class:`InvalidAction`."""
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


def _why_not(ground: Ground) -> str:
    if ground.phase is Phase.OVER:
        return "error.over"
    return "error.arranged" if ground.phase is Phase.SETUP else "error.not_your_turn"


def _fold_setup(seat: Seat, words: Words) -> Words:
    letters = ""
    picked: Words = ()
    for word in words[1:] if words[0] == SETUP else words:
        if not is_square(word):
            letters, picked = word, ()
        elif word not in homes(seat):
            raise IllegalAction(msg("error.not_home", square=word, homes=_listed(homes(seat))))
        elif not picked:
            picked = (word,)
        else:
            letters, picked = swapped(seat, letters, picked[0], word), ()
    return (SETUP, letters, *picked) if letters else (SETUP,)


def swapped(seat: Seat, letters: str, one: Square, other: Square) -> str:
    """Return the arrangement with two masks swapped; raises :class:`IllegalAction` for masks alike."""
    places = [homes(seat).index(square) for square in (one, other)]
    first, second = (letters[place] for place in places)
    if first == second:
        raise IllegalAction(msg("error.swap_alike", one=one, other=other, kind=msg(f"kind.{first}")))
    order = list(letters)
    order[places[0]], order[places[1]] = second, first
    return "".join(order)


def _fold_move(ground: Ground, words: Words) -> Words:
    origin = words[0]
    if origin not in ground.own:
        key = "error.rival_mask" if ground.owners.get(origin) == rival(ground.seat) else "error.no_mask"
        raise IllegalAction(msg(key, square=origin, movable=_listed(movable(ground))))
    named: dict[str, Msg | str] = {"kind": msg(f"kind.{ground.own[origin].value}"), "origin": origin}
    found = ground.targets(origin)
    if not found:
        raise IllegalAction(msg("error.stuck", movable=_listed(movable(ground)), **named))
    if len(words) == 2 and words[1] not in found:
        how = msg(f"moves.{ground.own[origin].value}")
        raise IllegalAction(msg("error.target", target=words[1], how=how, targets=_listed(found), **named))
    return words


def movable(ground: Ground) -> tuple[Square, ...]:
    """Return the squares of the seat's own masks that can move, each once."""
    return tuple(dict.fromkeys(origin for origin, _ in ground.moves()))


def _listed(squares: Iterable[Square]) -> str:
    return ", ".join(squares)
