"""The arrangement of a side's masks: its words, its menu, its preview. Rules page, *Set-up*.

In normal form a draft is ``("setup", letters)``, with one more square while a swap is half done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engines.core.contract import Arg, Choice, Field, IllegalAction, Menu, Seat, Widget, Words, msg
from engines.volto.board import MUSTER, Kind, Square, homes, is_square
from engines.volto.notation import SETUP
from engines.volto.state import mask_views, visible_position
from engines.volto.view import View, new_mask


def fold(seat: Seat, words: Words) -> Words:
    """Return an arrangement in normal form; raises :class:`IllegalAction`."""
    letters = ""
    picked: Words = ()
    for word in words[1:] if words[0] == SETUP else words:
        if not is_square(word):
            letters, picked = word, ()
        elif word not in homes(seat):
            raise IllegalAction(msg("error.not_home", square=word, squares=homes(seat)))
        elif not picked:
            picked = (word,)
        else:
            letters, picked = _swapped(seat, letters, picked[0], word), ()
    return (SETUP, letters, *picked) if letters else (SETUP,)


def _as_seen(seat: Seat, letters: str) -> str:
    """Return an arrangement as its seat's picture has it: from the front row on, from left to right."""
    palace, front = letters[: len(letters) // 2], letters[len(letters) // 2 :]
    return front + palace if seat == 0 else front[::-1] + palace[::-1]


def _swapped(seat: Seat, letters: str, one: Square, other: Square) -> str:
    places = [homes(seat).index(square) for square in (one, other)]
    first, second = (letters[place] for place in places)
    if first == second:
        raise IllegalAction(
            msg("error.swap_alike", square=one, other_square=other, kind=msg(f"kind.{first}"))
        )
    order = list(letters)
    order[places[0]], order[places[1]] = second, first
    return "".join(order)


def menu_of(seat: Seat, folded: Words) -> Menu:
    """Return the menu after a draft in normal form."""
    done = len(folded) == 2
    fields: tuple[Field, ...]
    if len(folded) < 2:
        prompt, fields = msg("prompt.setup"), (_shuffle("field.shuffle"),)
    elif done:
        masks = tuple(msg(f"kind.{letter}") for letter in _as_seen(seat, folded[1]))
        prompt = msg("prompt.arranged", masks=masks)
        swap = Field("swap", msg("field.swap"), _masks(seat, folded[1], homes(seat)), Widget.GRID)
        fields = (_shuffle("field.shuffle_again"), swap)
    else:
        _, letters, one = folded
        kinds = dict(zip(homes(seat), letters, strict=True))
        named: dict[str, Arg] = {"square": one, "kind": msg(f"kind.{kinds[one]}")}
        prompt, label = msg("prompt.swap", **named), msg("field.swap_with", **named)
        # Masks alike are not offered: to swap them would change nothing.
        others = [square for square in homes(seat) if kinds[square] != kinds[one]]
        fields = (Field("with", label, _masks(seat, letters, others), Widget.GRID),)
    return Menu("setup", prompt, folded, fields, complete=done, closing=done, keep=True)


def _shuffle(label: str) -> Field:
    return Field("shuffle", msg(label), (), Widget.SHUFFLE, shuffle=tuple(kind.value for kind in MUSTER))


def _as_they_stand(seat: Seat) -> tuple[Square, ...]:
    """Return the ten squares row by row as ``seat`` sees them: its palace is nearest, and below."""
    palace, front = homes(seat)[:5], homes(seat)[5:]
    return front + palace if seat == 0 else front[::-1] + palace[::-1]


def _masks(seat: Seat, letters: str, squares: Sequence[Square]) -> tuple[Choice, ...]:
    kinds = dict(zip(homes(seat), letters, strict=True))
    return tuple(
        Choice(square, msg("choice.square", square=square), msg(f"kind.{kinds[square]}"))
        for square in _as_they_stand(seat)
        if square in squares
    )


def preview(view: View, seat: Seat, letters: str) -> View:
    """Return the view of ``seat`` with its ten masks as ``letters`` have them."""
    kinds = tuple(Kind(sign) for sign in letters)
    part = tuple(new_mask(seat, square) for square in homes(seat))
    others = tuple(mask for mask in view.masks if mask.seat != seat)
    mine = tuple(mask_views(part, kinds, MUSTER, over=False))
    masks = mine + others if seat == 0 else others + mine
    return replace(view, masks=masks, arrangement=letters, position=visible_position(masks, None))
