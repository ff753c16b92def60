"""The menus of the vault game, computed from a seat's view only."""

from __future__ import annotations

from engines.core.contract import (
    Choice,
    Field,
    IllegalAction,
    InvalidAction,
    Menu,
    SeatName,
    Style,
    Widget,
    Words,
    msg,
)
from tests.kit.vault.state import LETTERS, Own, View, waiting


def menu(view: View, draft: Words) -> Menu:
    check(view, draft)
    whole = draft == ("peek",) or len(draft) == 2
    fields = () if whole or view.own is None else _fields(view, view.own, draft)
    key = "sort" if draft[:1] == ("sort",) else "turn"
    peeks = draft == ("peek",)
    prompt = msg("prompt.said", words=" ".join(draft)) if draft else msg("prompt")
    return Menu(key, prompt, draft, fields, whole, whole, keep=key == "sort", reveals=peeks)


def _fields(view: View, own: Own, draft: Words) -> tuple[Field, ...]:
    match draft:
        case ():
            return _first(view, own)
        case ("return",):
            others = (seat for seat, gone in enumerate(view.public.gone) if not gone and seat != view.viewer)
            return (Field("whose", msg("whose"), tuple(_seat(seat) for seat in others)),)
        case ("sort",):
            return (Field("order", msg("order"), (), Widget.SHUFFLE, shuffle=own.hand),)
    cards = tuple(Choice(card, msg("card", word=card)) for card in own.hand)
    return (Field("card", msg("which"), cards, Widget.BUTTONS),)


def _seat(seat: int) -> Choice:
    return Choice(str(seat), msg("who", seat=SeatName(seat)))


def _first(view: View, own: Own) -> tuple[Field, ...]:
    duty = []
    if view.viewer in waiting(view):
        duty.append(Choice("lay", msg("lay"), style=Style.PRIMARY))
        if not own.clue:
            duty.append(Choice("peek", msg("peek"), reveals=True))
    asides = [Choice(head, msg(head), aside=True) for head in ("note", "sort")]
    if own.sent is None:
        asides.append(Choice("return", msg("return"), aside=True))
    found = (Field("duty", msg("duty"), tuple(duty), Widget.BUTTONS),) if duty else ()
    return (*found, Field("aside", msg("aside"), tuple(asides), Widget.BUTTONS))


def check(view: View, words: Words) -> None:
    """Raise ``InvalidAction`` or ``IllegalAction`` unless the viewer's seat can start like this."""
    check_shape(words)
    own = view.own
    if view.public.ended:
        raise IllegalAction(msg("error.over"))
    if own is None or view.viewer is None or view.public.gone[view.viewer]:
        raise IllegalAction(msg("not_now"))
    head, value = words[:1], words[1:]
    done = view.viewer not in waiting(view)
    if (head == ("lay",) and done) or (head == ("peek",) and (done or own.clue)):
        raise IllegalAction(msg("not_now"))
    if head == ("return",):
        _check_return(view, own, value)
    if head in (("lay",), ("note",)) and value and value[0] not in own.hand:
        raise IllegalAction(msg("not_yours", word=value[0]))
    if head == ("sort",) and value and not _is_order(value[0], own.hand):
        raise IllegalAction(msg("not_now"))


def _check_return(view: View, own: Own, value: Words) -> None:
    gone = view.public.gone
    unfit = value and (int(value[0]) >= len(gone) or int(value[0]) == view.viewer or gone[int(value[0])])
    if own.sent is not None or unfit:
        raise IllegalAction(msg("not_now"))


def check_shape(words: Words) -> None:
    match words:
        case () | ("lay" | "peek" | "return" | "note" | "sort",):
            return
        case ("return", seat) if seat in ("0", "1", "2"):
            return
        case ("lay" | "note" | "sort", card) if set(card) <= set(LETTERS):
            return
    raise InvalidAction(msg("no_sentence"))


def _is_order(text: str, hand: tuple[str, ...]) -> bool:
    return sorted(cut(text)) == sorted(hand)


def cut(text: str) -> tuple[str, ...]:
    """Return the cards of a sorted hand."""
    return tuple(text[i : i + 9] for i in range(0, len(text), 9))
