"""The toy's sentences: their shape, their normal form, and what they do to a seat's own part."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import IllegalAction, InvalidAction, Words, msg
from tests.core.toy.state import LETTERS, Own, View, waiting

SWAPS = ("a/b", "a/c", "b/c")


def check_shape(words: Words) -> None:
    """Raise ``InvalidAction`` unless ``words`` is a sentence or the beginning of one."""
    match words:
        case () | ("order",) | ("guess",) | ("mark",) | ("peek",):
            return
        case ("guess" | "mark", number) if number.isascii() and number.isdigit() and number[0] != "0":
            return
        case ("order", order, *swaps) if sorted(order) == list(LETTERS) and all(s in SWAPS for s in swaps):
            return
    raise InvalidAction(msg("no_sentence"))


def check_legal(view: View, words: Words) -> None:
    """Raise ``IllegalAction`` unless the viewer's seat may begin a sentence like that now."""
    public = view.public
    if public.ended:
        raise IllegalAction(msg("over"))
    if view.seat is None or public.gone[view.seat]:
        raise IllegalAction(msg("not_yours"))
    if not words:
        return
    if words[0] == "mark":
        if not public.turn:
            raise IllegalAction(msg("later"))
    elif (words[0] == "order") is not (public.turn == 0) or view.seat not in waiting(public):
        raise IllegalAction(msg("not_now"))
    elif words[0] == "peek" and public.peeked[view.seat]:
        raise IllegalAction(msg("peeked_already"))
    if words[0] in ("guess", "mark") and words[1:] and (len(words[1]) > 3 or int(words[1]) > public.top):
        raise IllegalAction(msg("too_high", top=public.top))


def normal(words: Words) -> Words:
    """Return the draft with its swaps folded into the order."""
    if words[:1] != ("order",) or len(words) < 2:
        return words
    order = words[1]
    for swap in words[2:]:
        order = order.translate(str.maketrans(swap[0] + swap[2], swap[2] + swap[0]))
    return ("order", order)


def complete(words: Words) -> bool:
    return words == ("peek",) or len(words) > 1


def applied(own: Own, words: Words) -> Own:
    """Return the seat's own part after a draft that reveals nothing."""
    if len(words) < 2:
        return own
    verb, value = normal(words)
    if verb == "order":
        return replace(own, order=value)
    if verb == "guess":
        return replace(own, guess=int(value))
    marks = set(own.marks) ^ {int(value)}
    return replace(own, marks=tuple(sorted(marks)))
