from __future__ import annotations

from engines.core.contract import Choice, Field, Group, Menu, Style, Widget, Words, msg
from tests.core.toy.sentences import SWAPS, check_legal, check_shape, complete, normal
from tests.core.toy.state import LETTERS, View, waiting

GROUPS = (Group("low", msg("group_low")), Group("high", msg("group_high")))


def menu(view: View, draft: Words) -> Menu | None:
    if view.seat is None or view.public.ended or view.public.gone[view.seat]:
        return None
    check_shape(draft)
    check_legal(view, draft)
    draft = normal(draft)
    done = complete(draft)
    fields = _fields(view, view.seat, draft)
    if not fields and not done:
        return None
    keep, peeks = draft[:1] == ("order",), draft == ("peek",)
    return Menu(_key(view), msg("prompt"), draft, fields, done, done, keep=keep, reveals=peeks)


def _key(view: View) -> str:
    return "guess" if view.public.turn else "order"


def _fields(view: View, seat: int, draft: Words) -> tuple[Field, ...]:
    match draft:
        case ():
            return _first(view, seat)
        case ("order",):
            return (Field("order", msg("draw_order"), (), Widget.SHUFFLE, shuffle=LETTERS),)
        case ("order", _):
            swaps = tuple(Choice(swap, msg("swap", a=swap[0], b=swap[2])) for swap in SWAPS)
            return (Field("swap", msg("swaps"), swaps, Widget.BUTTONS),)
        case ("guess" | "mark",):
            return (_numbers(view.public.top),)
    return ()


def _first(view: View, seat: int) -> tuple[Field, ...]:
    public = view.public
    fields = []
    if seat in waiting(public):
        verbs = [Choice("guess", msg("guess"), style=Style.PRIMARY)]
        if not public.peeked[seat]:
            verbs.append(Choice("peek", msg("peek"), msg("peek_detail"), reveals=True))
        duty = tuple(verbs) if public.turn else (Choice("order", msg("order")),)
        fields.append(Field("duty", msg("duty"), duty, Widget.BUTTONS))
    if public.turn:
        fields.append(Field("note", msg("note"), (Choice("mark", msg("mark"), aside=True),), Widget.BUTTONS))
    return tuple(fields)


def _numbers(top: int) -> Field:
    choices = tuple(
        Choice(str(number), msg("number", n=number), group="low" if number <= top // 2 else "high")
        for number in range(1, top + 1)
    )
    return Field("number", msg("which"), choices, groups=GROUPS)
