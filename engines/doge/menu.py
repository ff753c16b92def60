"""What a seat may say next: a function of its view alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engines.core.contract import (
    Arg,
    Choice,
    Field,
    InvalidAction,
    Menu,
    Msg,
    Seat,
    SeatName,
    Style,
    Widget,
    Words,
    msg,
)
from engines.core.kit import in_a_row
from engines.doge.board import CARD_SQUARES, LOCATIONS, SQUARES, Square, Way
from engines.doge.cards import COLOURS, CRAFTS, INSTITUTIONS, Card, Pair
from engines.doge.events import pair_name, square_name
from engines.doge.explain import explanation
from engines.doge.view import Mark, Phase, View
from engines.doge.words import (
    NOTHING,
    Named,
    card_name,
    card_of,
    illegal,
    proposed_square,
    read_false,
    read_gift,
    read_guess,
    read_marks,
    required,
    seat_of,
    square_of,
    unknown,
)

ASIDES = ("guess", "ahead", "mark", "auto")
"""The heads of sentences that are open to a seat whether it is waited for or not."""

NOTES = frozenset({"mark", "auto"})
"""The heads of notes: nobody else can notice them."""

FORMS = frozenset({"show", "give", "ahead", "guess", "mark", "meet", "haunt", "place"})
"""The heads after which something must follow."""

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
        phase = view.public.phase
        is_answer = card_of(head) or seat_of(head) is not None or square_of(head) is not None
        if not is_answer:
            unknown(head)
        if not is_asked(view) or phase not in _IMPLICIT:
            illegal("not_now", word=head)
        head, rest = _IMPLICIT[phase], draft
    if head not in ASIDES and not is_asked(view):
        illegal("out" if view.viewer in view.public.out else "not_asked")
    return _HEADS[head](view, head, rest)


def is_asked(view: View) -> bool:
    """Return whether the match waits for the viewer's seat."""
    return view.viewer in asked(view)


def asked(view: View) -> frozenset[Seat]:
    """Return the seats that must decide: everybody can tell."""
    public = view.public
    if public.phase is Phase.OVER:
        return frozenset()
    if public.phase is Phase.PLACE:
        return frozenset(seat for seat in public.still_in if public.pawns[seat] is None)
    who = public.turn if public.owes is None else public.owes
    return frozenset() if who is None else frozenset({who})


def _whole(key: str, prompt: Msg, *words: str, fields: Iterable[Field] = (), reveals: bool = False) -> Menu:
    return Menu(key, prompt, words, tuple(fields), complete=True, closing=True, reveals=reveals)


def _part(key: str, prompt: Msg, words: Words, *fields: Field) -> Menu:
    return Menu(key, prompt, words, fields, complete=False, closing=False)


# --- the first word -------------------------------------------------------------------------------


def _root(view: View) -> Menu:
    fields = _duties(view) if is_asked(view) else ()
    asides = tuple(
        Choice(head, msg(f"aside.{head}"), aside=True) for head in ASIDES if _may_begin(view, head)
    )
    return _part(
        "turn", _prompt(view), (), *fields, Field("aside", msg("field.aside"), asides, Widget.BUTTONS)
    )


def _prompt(view: View) -> Msg:
    public = view.public
    if not is_asked(view):
        return msg("prompt.out" if view.viewer in public.out else "prompt.wait")
    key, gaps = f"prompt.{public.phase}", dict[str, Arg]()
    if public.phase is Phase.MOVE:
        gaps = {"die": public.die or 0}
    elif public.phase in (Phase.SHOW, Phase.GIVE):
        gaps = {"seat": SeatName(public.turn or 0)}
    elif public.phase is Phase.HAUNT:
        gaps = {"square": square_name(public.ghost or 0)}
    elif public.phase is Phase.CHOOSE and not public.meetable():
        key = "prompt.pile"
    return msg(key, **gaps)


def _duties(view: View) -> tuple[Field, ...]:
    public, phase = view.public, view.public.phase
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
            choices = tuple(_person(seat, "word.meet") for seat in public.meetable()) + _pile(view)
        case Phase.HAUNT:
            choices = tuple(_person(seat, "word.haunt") for seat in public.hauntable())
        case Phase.LAST:
            choices = (Choice("pass", msg("word.pass")),)
        case Phase.SHOW:
            return _gift_fields(view, Named())
        case _:
            return _ghost_fields(view, None, None)
    return (Field("duty", msg("field.duty"), choices, Widget.BUTTONS),)


def _person(seat: Seat, key: str) -> Choice:
    # The gift may have been left in advance, and then it is seen at once.
    return Choice(COLOURS[seat], msg(key, seat=SeatName(seat)), reveals=True)


def _pile(view: View) -> tuple[Choice, ...]:
    public = view.public
    pile = public.piles[public.pawns[public.turn or 0] or 0]
    if not pile:
        return ()
    owner = SeatName(public.gifts[pile[0]].giver)
    look = Choice("look", msg("word.look", seat=owner), reveals=True)
    return (look,) if public.meetable() else (look, Choice("leave", msg("word.leave")))


def _way(view: View, way: Way) -> Choice:
    square = view.public.landings()[way]
    label = msg(f"word.{way}", square=square_name(square), awaits=_awaits(view, square))
    return Choice(way, label, reveals=_reveals(view, square))


def _awaits(view: View, square: Square) -> Msg:
    """Return what a landing brings, as everybody can tell."""
    public = view.public
    others = [seat for seat in public.pawns_at(square) if seat != view.viewer]
    meetings = [msg("name", seat=SeatName(seat)) for seat in others if public.false_cards(seat)]
    if meetings:
        key = "awaits.meeting_or_pile" if public.piles[square] else "awaits.meeting"
        return msg(key, names=in_a_row(meetings))
    if public.piles[square]:
        return msg("awaits.pile", n=len(public.piles[square]))
    if square in LOCATIONS and not others:
        return msg("awaits.ghost", n=public.deck) if public.deck else msg("awaits.defeat")
    return msg("awaits.nothing")


def _reveals(view: View, square: Square) -> bool:
    """Return whether a landing shows at once what was hidden: a ghost card, or a gift left in advance."""
    public = view.public
    others = [seat for seat in public.pawns_at(square) if seat != view.viewer]
    if square in LOCATIONS and not others:
        return True
    return len([seat for seat in others if public.false_cards(seat)]) == 1 and not public.piles[square]


def _may_begin(view: View, head: str) -> bool:
    if head in NOTES:
        return True
    if view.viewer in view.public.out:
        return False
    if head == "ahead":
        return view.public.can_leave_gifts and bool(view.false_hand)
    return view.public.turns > 0 and view.public.owes is None


# --- sentences of one or two words ----------------------------------------------------------------


def _single(view: View, head: str, rest: Words) -> Menu:
    """Return the menu of ``roll``, ``cw``, ``ccw``, ``look``, ``leave`` or ``pass``."""
    if rest:
        unknown(rest[0])
    choice = _root(view).find(head)
    if choice is None:
        illegal("not_now", word=head)
    return _whole(head, _prompt(view), head, reveals=choice.reveals)


def _place(view: View, head: str, rest: Words) -> Menu:
    if view.public.phase is not Phase.PLACE:
        illegal("not_now", word=head)
    if not rest:
        return _part("turn", _prompt(view), (head,), _squares(view))
    square = required(square_of, rest[-1])
    for word in rest:
        required(square_of, word)
    if view.public.pawns_at(square):
        illegal("occupied", square=square_name(square))
    fields = () if _is_last_pawn(view) else (_squares(view, square),)
    return _whole("turn", _prompt(view), head, str(square), fields=fields, reveals=_is_last_pawn(view))


def _is_last_pawn(view: View) -> bool:
    # With the last pawn it is drawn who begins.
    return len(asked(view)) == 1


def _squares(view: View, chosen: Square | None = None) -> Field:
    choices = tuple(
        Choice(str(square), square_name(square), reveals=_is_last_pawn(view))
        for square in SQUARES
        if not view.public.pawns_at(square)
    )
    return Field("square", msg("field.square"), choices, chosen="" if chosen is None else str(chosen))


def _meet(view: View, head: str, rest: Words) -> Menu:
    """Return the menu of ``meet`` or ``haunt``."""
    public = view.public
    if public.phase is not (Phase.CHOOSE if head == "meet" else Phase.HAUNT):
        illegal("not_now", word=head)
    others = public.meetable() if head == "meet" else public.hauntable()
    if not rest:
        if not others:
            illegal("not_now", word=head)
        choices = tuple(_person(seat, f"word.{head}") for seat in others)
        return _part("turn", _prompt(view), (head,), Field("who", msg("field.who"), choices, Widget.BUTTONS))
    seat = required(seat_of, rest[0])
    if len(rest) > 1:
        unknown(rest[1])
    if seat not in others:
        illegal(f"{head}_whom", colour=msg(f"colour.{COLOURS[seat]}"))
    return _whole("turn", _prompt(view), head, COLOURS[seat], reveals=True)


# --- gifts ----------------------------------------------------------------------------------------


def _show(view: View, head: str, rest: Words) -> Menu:
    if view.public.phase is not Phase.SHOW:
        illegal("not_now", word=head)
    return _gift_menu(view, read_gift(view, rest), (head,))


def _gift_menu(view: View, named: Named, head: Words) -> Menu:
    if named.pair is None:
        prompt = _prompt(view) if head == ("show",) else msg("prompt.ahead")
        return _part(head[0], prompt, named.words(*head), *_gift_fields(view, named))
    square = proposed_square(view) if named.square is None else named.square
    whole = Named(named.institution, named.craft, square)
    seat = SeatName(view.public.turn or 0)
    gaps: dict[str, Arg] = {"pair": pair_name(named.pair), "square": square_name(square)}
    prompt = msg("prompt.shows", seat=seat, **gaps) if head == ("show",) else msg("prompt.leaves", **gaps)
    fields = (*_gift_fields(view, whole), _piles(view, square))
    return _whole(head[0], prompt, *whole.words(*head), fields=fields)


def _gift_fields(view: View, named: Named) -> tuple[Field, ...]:
    """Return the fields of the true and of the false card; those that go with the other, if one is said."""
    own = view.own
    if own is None:
        return ()
    said = {named.institution, named.craft}
    false_cards = view.false_hand
    trues = [card for card in own.cards if any((card in CRAFTS) is not (f in CRAFTS) for f in false_cards)]
    true = next((card.value for card in trues if card in said), "")
    if true:
        false_cards = tuple(card for card in false_cards if (card in CRAFTS) is (Card(true) in INSTITUTIONS))
    false = next((card.value for card in false_cards if card in said), "")
    return (
        Field("true", msg("field.true"), tuple(map(_card, trues)), Widget.BUTTONS, chosen=true),
        Field("false", msg("field.false"), tuple(map(_card, false_cards)), chosen=false),
    )


def _card(card: Card) -> Choice:
    return Choice(card.value, card_name(card))


def _piles(view: View, chosen: Square) -> Field:
    choices = tuple(
        Choice(str(square), square_name(square), detail=msg("detail.pile", n=len(view.public.piles[square])))
        for square in CARD_SQUARES
    )
    return Field("square", msg("field.pile"), choices, chosen=str(chosen))


def _give(view: View, head: str, rest: Words) -> Menu:
    if view.public.phase is not Phase.GIVE:
        illegal("not_now", word=head)
    card, square = read_false(view, rest)
    if card is None:
        words = (head,) if square is None else (head, str(square))
        return _part(head, _prompt(view), words, *_ghost_fields(view, None, square))
    square = proposed_square(view) if square is None else square
    seat = SeatName(view.public.turn or 0)
    prompt = msg("prompt.gives", seat=seat, card=card_name(card), square=square_name(square))
    return _whole(head, prompt, head, card.value, str(square), fields=_ghost_fields(view, card, square))


def _ghost_fields(view: View, card: Card | None, square: Square | None) -> tuple[Field, ...]:
    cards = tuple(map(_card, view.false_hand))
    found = Field("false", msg("field.false"), cards, chosen="" if card is None else card.value)
    return (found,) if square is None or card is None else (found, _piles(view, square))


def _ahead(view: View, head: str, rest: Words) -> Menu:
    if not view.public.can_leave_gifts:
        illegal("no_gifts_ahead")
    _check_still_in(view)
    if rest == (NOTHING,):
        if view.ahead is None:
            illegal("nothing_ahead")
        return _whole(head, msg("prompt.takes_back"), head, NOTHING)
    if not view.false_hand:
        illegal("no_false_card")
    menu = _gift_menu(view, read_gift(view, rest), (head,))
    if rest or view.ahead is None:
        return menu
    back = Choice(NOTHING, msg("word.take_back", pair=pair_name(view.ahead.pair)))
    field = Field("back", msg("field.back"), (back,), Widget.BUTTONS)
    return _part(head, menu.prompt, menu.draft, *menu.fields, field)


# --- guesses --------------------------------------------------------------------------------------


def _guess(view: View, head: str, rest: Words) -> Menu:
    public = view.public
    _check_still_in(view)
    if not public.turns:
        illegal("too_early")
    named = read_guess(view, rest)
    waits = public.owes is not None
    fields = (
        _named_cards(
            "institution", public.institutions, named.institution, reveals=bool(named.craft) > waits
        ),
        _named_cards("craft", public.crafts, named.craft, reveals=bool(named.institution) > waits),
    )
    words = named.words(head)
    # The draft outlives the wait: nothing has to be said again.
    if public.owes is not None:
        return _part(head, msg("prompt.guess_waits", seat=SeatName(public.owes)), words, *fields)
    if named.pair is None:
        return _part(head, msg("prompt.guess"), words, *fields)
    return _whole(head, _stakes(view, named.pair), *words, reveals=True)


def _named_cards(key: str, cards: tuple[Card, ...], chosen: Card | None, *, reveals: bool = False) -> Field:
    choices = tuple(Choice(card.value, card_name(card), reveals=reveals) for card in cards)
    return Field(key, msg(f"field.{key}"), choices, chosen="" if chosen is None else chosen.value)


def _stakes(view: View, pair: Pair) -> Msg:
    """Return what is at stake; for a pair that the seat can know to be wrong, that it is.

    It says no more: whoever confirms a guess confirms this sentence, and it must stand while others guess.
    """
    named = pair_name(pair)
    refuted = next((guess.seat for guess in view.public.guesses if guess.pair == pair), None)
    if refuted is not None:
        return msg("prompt.refuted", pair=named, seat=SeatName(refuted))
    if view.own is not None and set(view.own.cards) & set(pair.cards):
        return msg("prompt.own_card", pair=named)
    treasures = None if view.sheet is None else view.sheet.treasures
    if treasures is not None and pair not in treasures:
        return msg("prompt.impossible", pair=named)
    return msg("prompt.stakes", pair=named)


def _check_still_in(view: View) -> None:
    if view.viewer in view.public.out:
        illegal("out")


# --- notes ----------------------------------------------------------------------------------------


def _auto(view: View, head: str, rest: Words) -> Menu:
    is_on = view.notes is not None and view.notes.auto
    if len(rest) > 1 or (rest and rest[0] not in ("on", "off")):
        raise InvalidAction(msg("error.auto", word=" ".join(rest)[:40]))
    # Whoever opens it wants it otherwise.
    word = rest[0] if rest else ("off" if is_on else "on")
    return _whole(head, msg(f"prompt.auto_{word}"), head, word)


def _mark(view: View, head: str, rest: Words) -> Menu:
    said = read_marks(view, rest)
    others = [seat for seat in range(view.public.seats) if seat != view.viewer]
    seats = tuple(Choice(COLOURS[seat], msg("name", seat=SeatName(seat))) for seat in others)
    fields = [
        Field("seat", msg("field.section"), seats, chosen="" if said.seat is None else COLOURS[said.seat])
    ]
    prompt = msg("prompt.mark")
    if said.seat is not None:
        cards = (*view.public.crafts, *view.public.institutions)
        fields.append(_named_cards("card", cards, said.card))
        prompt = msg("prompt.mark_card", seat=SeatName(said.seat))
    if said.seat is not None and said.card is not None:
        signs = (*(mark.value for mark in Mark), NOTHING)
        choices = tuple(Choice(sign, msg(f"mark.{sign}")) for sign in signs)
        fields.append(Field("mark", msg("field.mark"), choices, Widget.BUTTONS))
        prompt = explanation(view, said.seat, said.card)
    if said.is_whole:
        return _whole(head, prompt, *said.words(), fields=fields)
    return _part(head, prompt, said.words(), *fields)


_HEADS: dict[str, Callable[[View, str, Words], Menu]] = {
    **dict.fromkeys(("roll", "cw", "ccw", "look", "leave", "pass"), _single),
    "place": _place,
    "meet": _meet,
    "haunt": _meet,
    "show": _show,
    "give": _give,
    "ahead": _ahead,
    "guess": _guess,
    "auto": _auto,
    "mark": _mark,
}
