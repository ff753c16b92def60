"""What a seat may say next: a function of its view alone. Forms have a file of their own."""

from __future__ import annotations

from collections.abc import Callable

from engines.core.contract import (
    Arg,
    Choice,
    Field,
    Menu,
    Msg,
    Seat,
    SeatName,
    Style,
    Widget,
    Words,
    msg,
)
from engines.doge import forms
from engines.doge.components import COLOURS, LOCATIONS, SQUARES, Square, Way
from engines.doge.events import square_name
from engines.doge.forms import ghost_fields, gift_fields, part, whole
from engines.doge.view import Phase, View
from engines.doge.words import (
    Named,
    card_of,
    illegal,
    pawn_square,
    required,
    seat_of,
    unknown,
)

ASIDES = ("guess", "ahead", "mark", "auto")
"""The heads of sentences that are open to a seat whether it is waited for or not."""

NOTES = frozenset({"mark", "auto"})
"""The heads of notes: nobody else can notice them."""

FORMS = frozenset({"show", "give", "ahead", "guess", "mark", "meet", "haunt", "place"})
"""The heads after which something must follow."""

_ARROWS = {Way.CLOCKWISE: "↻", Way.COUNTER_CLOCKWISE: "↺"}

_IMPLICIT = {
    Phase.PLACE: "place",
    Phase.CHOOSE: "meet",
    Phase.HAUNT: "haunt",
    Phase.SHOW: "show",
    Phase.GIVE: "give",
}
"""The head that a first word without one belongs to."""


def menu_after(view: View, draft: Words) -> Menu:
    """Return the menu of a seat that may act; raises :class:`ActionError` where nothing begins like that."""
    if not draft:
        return _root(view)
    head, rest = draft[0], draft[1:]
    if head not in _HEADS:
        phase = view.phase
        is_answer = card_of(head) or seat_of(head) is not None or head.isdecimal()
        if not is_answer:
            unknown(head)
        if not view.is_asked or phase not in _IMPLICIT:
            illegal("not_now", word=head[:40])
        head, rest = _IMPLICIT[phase], draft
    if head not in ASIDES and not view.is_asked:
        illegal("out" if view.viewer in view.out else "not_asked")
    return _HEADS[head](view, head, rest)


# --- the first word -------------------------------------------------------------------------------


def _root(view: View) -> Menu:
    fields = _duties(view) if view.is_asked else ()
    asides = tuple(
        Choice(head, msg(f"aside.{head}"), aside=True) for head in ASIDES if _may_begin(view, head)
    )
    return part(
        "turn", _prompt(view), (), *fields, Field("aside", msg("field.aside"), asides, Widget.BUTTONS)
    )


def _prompt(view: View) -> Msg:
    if not view.is_asked:
        return msg("prompt.out" if view.viewer in view.out else "prompt.wait")
    key, gaps = f"prompt.{view.phase}", dict[str, Arg]()
    if view.phase is Phase.MOVE:
        gaps = {"die": view.die or 0}
    elif view.phase in (Phase.SHOW, Phase.GIVE):
        gaps = {"player": SeatName(view.active)}
    elif view.phase is Phase.HAUNT:
        gaps = {"square": square_name(view.ghost or 0)}
    elif view.phase is Phase.CHOOSE and not view.meetable():
        key = "prompt.pile"
    elif view.phase is Phase.CHOOSE and view.piles[view.square_of(view.active)]:
        key = "prompt.choose_or_pile"
    return msg(key, **gaps)


def _duties(view: View) -> tuple[Field, ...]:
    phase = view.phase
    match phase:
        case Phase.PLACE:
            return (_squares(view),)
        case Phase.ROLL:
            choices: tuple[Choice, ...] = (
                Choice("roll", msg("word.roll"), reveals=True, style=Style.PRIMARY),
            )
        case Phase.MOVE:
            choices = tuple(_way(view, way) for way in Way)
        case Phase.CHOOSE:
            choices = tuple(_person(seat, "word.meet") for seat in view.meetable()) + _pile(view)
        case Phase.HAUNT:
            choices = tuple(_person(seat, "word.haunt") for seat in view.hauntable())
        case Phase.LAST:
            choices = (Choice("pass", msg("word.pass")),)
        case Phase.SHOW:
            return gift_fields(view, Named())
        case _:
            return ghost_fields(view, None, None)
    return (Field("duty", msg("field.duty"), choices, Widget.BUTTONS),)


def _person(seat: Seat, key: str) -> Choice:
    # The gift may have been left in advance, and then it is seen at once.
    return Choice(COLOURS[seat], msg(key, player=SeatName(seat)), reveals=True)


def _pile(view: View) -> tuple[Choice, ...]:
    pile = view.piles[view.square_of(view.active)]
    if not pile:
        return ()
    owner = SeatName(view.gifts[pile[0]].giver)
    look = Choice("look", msg("word.look", player=owner), reveals=True)
    return (look,) if view.meetable() else (look, Choice("leave", msg("word.leave")))


def _way(view: View, way: Way) -> Choice:
    square = view.landings()[way]
    return Choice(way, _landing(view, square, "word.", arrow=_ARROWS[way]), reveals=_reveals(view, square))


def _landing(view: View, square: Square, key: str, **gaps: Arg) -> Msg:
    """Return the text of a landing by what it brings, as everybody can tell; its key begins with ``key``."""
    gaps["square"] = square_name(square)
    others = [seat for seat in view.pawns_at(square) if seat != view.viewer]
    players = tuple(SeatName(seat) for seat in others if view.false_cards(seat))
    if players:
        found = "meeting_or_pile" if view.piles[square] else "meeting"
        return msg(f"{key}{found}", players=players, n=len(players), **gaps)
    if view.piles[square]:
        return msg(f"{key}pile", n=len(view.piles[square]), **gaps)
    if square not in LOCATIONS or others:
        return msg(f"{key}nothing", **gaps)
    return msg(f"{key}ghost", n=view.deck, **gaps) if view.deck else msg(f"{key}defeat", **gaps)


def _reveals(view: View, square: Square) -> bool:
    """Return whether a landing shows at once what was hidden: a ghost card, or a gift left in advance."""
    others = [seat for seat in view.pawns_at(square) if seat != view.viewer]
    if square in LOCATIONS and not others:
        return True
    return len([seat for seat in others if view.false_cards(seat)]) == 1 and not view.piles[square]


def _may_begin(view: View, head: str) -> bool:
    if head in NOTES:
        return True
    if view.viewer in view.out:
        return False
    if head == "ahead":
        return view.can_leave_gifts and bool(view.false_hand)
    return view.turns > 0 and view.owes is None


# --- sentences of one or two words ----------------------------------------------------------------


def _single(view: View, head: str, rest: Words) -> Menu:
    """Return the menu of ``roll``, ``cw``, ``ccw``, ``look``, ``leave`` or ``pass``."""
    if rest:
        unknown(rest[0])
    choice = _root(view).find(head)
    if choice is None:
        illegal("not_now", word=head)
    return whole(head, _said(view, head), head, reveals=choice.reveals)


def _said(view: View, head: str) -> Msg:
    """Return what a sentence of one word will do."""
    if head in tuple(Way):
        return _landing(view, view.landings()[Way(head)], "prompt.goes.")
    if head == "look":
        pile = view.piles[view.square_of(view.active)]
        return msg("prompt.look.said", player=SeatName(view.gifts[pile[0]].giver))
    return msg(f"prompt.{head}.said")


def _place(view: View, head: str, rest: Words) -> Menu:
    if view.phase is not Phase.PLACE:
        illegal("not_now", word=head)
    if not rest:
        return part("turn", _prompt(view), (head,), _squares(view))
    square = [pawn_square(word) for word in rest][-1]
    if view.pawns_at(square):
        illegal("occupied", square=square_name(square))
    fields = () if _is_last_pawn(view) else (_squares(view, square),)
    prompt = msg("prompt.placed", square=square_name(square))
    return whole("turn", prompt, head, str(square), fields=fields, reveals=_is_last_pawn(view))


def _is_last_pawn(view: View) -> bool:
    # With the last pawn it is drawn who begins.
    return len(view.asked) == 1


def _squares(view: View, chosen: Square | None = None) -> Field:
    choices = tuple(
        Choice(str(square), square_name(square), reveals=_is_last_pawn(view))
        for square in SQUARES
        if not view.pawns_at(square)
    )
    word = "" if chosen is None else str(chosen)
    return Field("square", msg("field.square"), choices, Widget.BUTTONS, chosen=word)


def _meet(view: View, head: str, rest: Words) -> Menu:
    """Return the menu of ``meet`` or ``haunt``."""
    if view.phase is not (Phase.CHOOSE if head == "meet" else Phase.HAUNT):
        illegal("not_now", word=head)
    others = view.meetable() if head == "meet" else view.hauntable()
    if not rest:
        if not others:
            illegal("not_now", word=head)
        choices = tuple(_person(seat, f"word.{head}") for seat in others)
        return part("turn", _prompt(view), (head,), Field("who", msg("field.who"), choices, Widget.BUTTONS))
    seat = required(seat_of, rest[0])
    if len(rest) > 1:
        unknown(rest[1])
    if seat not in others:
        illegal(f"{head}_whom", colour=msg(f"colour.{COLOURS[seat]}"))
    return whole("turn", msg(f"prompt.{head}.said", player=SeatName(seat)), head, COLOURS[seat], reveals=True)


_HEADS: dict[str, Callable[[View, str, Words], Menu]] = {
    **dict.fromkeys(("roll", "cw", "ccw", "look", "leave", "pass"), _single),
    "place": _place,
    "meet": _meet,
    "haunt": _meet,
    "show": forms.show,
    "give": forms.give,
    "ahead": forms.ahead,
    "guess": forms.guess,
    "auto": forms.auto,
    "mark": forms.mark,
}
