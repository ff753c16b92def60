"""Sentences that are filled in as forms: gifts, guesses, notes. Their fields stand side by side."""

from __future__ import annotations

from collections.abc import Iterable

from engines.core.contract import Arg, Choice, Field, InvalidAction, Menu, Msg, SeatName, Widget, Words, msg
from engines.doge.components import CARD_SQUARES, COLOURS, CRAFTS, INSTITUTIONS, Card, Pair, Square
from engines.doge.events import pair_name, square_name
from engines.doge.sheet import explanation
from engines.doge.view import Mark, Phase, View
from engines.doge.words import (
    NOTHING,
    Named,
    card_name,
    illegal,
    proposed_square,
    read_false,
    read_gift,
    read_guess,
    read_marks,
    unknown,
)


def whole(key: str, prompt: Msg, *words: str, fields: Iterable[Field] = (), reveals: bool = False) -> Menu:
    """Return the menu of a draft that may be said as it stands."""
    return Menu(key, prompt, words, tuple(fields), complete=True, closing=True, reveals=reveals)


def part(key: str, prompt: Msg, words: Words, *fields: Field) -> Menu:
    """Return the menu of a draft to which something is missing."""
    return Menu(key, prompt, words, fields, complete=False, closing=False)


# --- gifts ----------------------------------------------------------------------------------------


def show(view: View, head: str, rest: Words) -> Menu:
    """Return the menu of the two cards for the active player; raises :class:`ActionError`."""
    if view.phase is not Phase.SHOW:
        illegal("not_now", word=head)
    return _gift_menu(view, read_gift(view, rest), (head,))


def _gift_menu(view: View, named: Named, head: Words) -> Menu:
    is_ahead = head == ("ahead",)
    if named.pair is None:
        return part(
            head[0], _gift_question(view, named, head[0]), named.words(*head), *gift_fields(view, named)
        )
    square = proposed_square(view) if named.square is None else named.square
    said = Named(named.institution, named.craft, square)
    gaps: dict[str, Arg] = {"pair": pair_name(named.pair), "square": square_name(square)}
    prompt = (
        msg("prompt.leaves", **gaps)
        if is_ahead
        else msg("prompt.shows", player=SeatName(view.active), **gaps)
    )
    fields = (*gift_fields(view, said), _piles(view, square))
    return whole(head[0], prompt, *said.words(*head), fields=fields)


def _gift_question(view: View, named: Named, head: str) -> Msg:
    """Return which cards are asked for: both, or the false one that goes with the true one."""
    true = named.institution or named.craft
    if true is not None:
        return msg(
            "prompt.false_craft" if true in INSTITUTIONS else "prompt.false_institution", card=card_name(true)
        )
    return msg("prompt.ahead") if head == "ahead" else msg("prompt.show", player=SeatName(view.active))


def gift_fields(view: View, named: Named) -> tuple[Field, ...]:
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
        Field("false", msg("field.false"), tuple(map(_card, false_cards)), Widget.GRID, chosen=false),
    )


def _card(card: Card) -> Choice:
    return Choice(
        card.value, msg("choice.craft" if card in CRAFTS else "choice.institution", card=card_name(card))
    )


def _piles(view: View, chosen: Square) -> Field:
    heights = {square: len(view.piles[square]) for square in CARD_SQUARES}
    choices = tuple(
        Choice(
            str(square),
            # The field says that they are squares: on a phone, two such short ones stand side by side.
            msg("choice.pile" if height else "choice.no_pile", square=square, n=height),
        )
        for square, height in heights.items()
    )
    return Field("square", msg("field.pile"), choices, Widget.BUTTONS, chosen=str(chosen))


def give(view: View, head: str, rest: Words) -> Menu:
    """Return the menu of the false card for the ghost; raises :class:`ActionError`."""
    if view.phase is not Phase.GIVE:
        illegal("not_now", word=head)
    card, square = read_false(view, rest)
    seat = SeatName(view.active)
    if card is None:
        words = (head,) if square is None else (head, str(square))
        return part(head, msg("prompt.give", player=seat), words, *ghost_fields(view, None, square))
    square = proposed_square(view) if square is None else square
    prompt = msg("prompt.gives", player=seat, card=card_name(card), square=square_name(square))
    return whole(head, prompt, head, card.value, str(square), fields=ghost_fields(view, card, square))


def ghost_fields(view: View, card: Card | None, square: Square | None) -> tuple[Field, ...]:
    """Return the fields of a false card and, once it is said, of its square."""
    cards = tuple(map(_card, view.false_hand))
    found = Field("false", msg("field.false"), cards, Widget.GRID, chosen="" if card is None else card.value)
    return (found,) if square is None or card is None else (found, _piles(view, square))


def ahead(view: View, head: str, rest: Words) -> Menu:
    """Return the menu of a gift in advance, or of taking it back; raises :class:`ActionError`."""
    if not view.can_leave_gifts:
        illegal("no_gifts_ahead")
    _check_still_in(view)
    if rest == (NOTHING,):
        if view.ahead is None:
            illegal("nothing_ahead")
        return whole(head, msg("prompt.takes_back"), head, NOTHING)
    if not view.false_hand:
        illegal("no_false_card")
    menu = _gift_menu(view, read_gift(view, rest), (head,))
    if rest or view.ahead is None:
        return menu
    back = Choice(NOTHING, msg("word.take_back", pair=pair_name(view.ahead.pair)))
    field = Field("back", msg("field.back"), (back,), Widget.BUTTONS)
    return part(head, menu.prompt, menu.draft, *menu.fields, field)


# --- guesses --------------------------------------------------------------------------------------


def guess(view: View, head: str, rest: Words) -> Menu:
    """Return the menu of a guess; while cards are owed, of one that waits. Raises :class:`ActionError`."""
    _check_still_in(view)
    if not view.turns:
        illegal("too_early")
    named = read_guess(view, rest)
    waits = view.owes is not None
    if len(rest) > 2 and not waits:
        # A guess cannot be taken back: it is not picked out of a line that names more.
        unknown(rest[2])
    # The card that makes the pair whole ends the sentence, unless the guess has to wait.
    by_institution, by_craft = named.craft is not None, named.institution is not None
    fields = (
        _named_cards(
            "institution", view.institutions, named.institution, reveals=by_institution and not waits
        ),
        _named_cards("craft", view.crafts, named.craft, reveals=by_craft and not waits),
    )
    words = named.words(head)
    # The draft outlives the wait: nothing has to be said again.
    if view.owes is not None:
        return part(head, msg("prompt.guess_waits", player=SeatName(view.owes)), words, *fields)
    if named.pair is None:
        return part(head, _guess_question(named), words, *fields)
    return whole(head, _stakes(view, named.pair), *words, reveals=True)


def _guess_question(named: Named) -> Msg:
    """Return what is left to name."""
    if named.institution is not None:
        return msg("prompt.guess_craft", card=card_name(named.institution))
    if named.craft is not None:
        return msg("prompt.guess_institution", card=card_name(named.craft))
    return msg("prompt.guess")


def _named_cards(key: str, cards: tuple[Card, ...], chosen: Card | None, *, reveals: bool = False) -> Field:
    choices = tuple(Choice(card.value, card_name(card), reveals=reveals) for card in cards)
    return Field(
        key, msg(f"field.{key}"), choices, Widget.GRID, chosen="" if chosen is None else chosen.value
    )


def _stakes(view: View, pair: Pair) -> Msg:
    """Return what is at stake; for a pair that the seat can know to be wrong, that it is.

    It says no more: whoever confirms a guess confirms this sentence, and it must stand while others guess.
    """
    named = pair_name(pair)
    refuted = next((guess.seat for guess in view.guesses if guess.pair == pair), None)
    if refuted is not None:
        return msg("prompt.refuted", pair=named, player=SeatName(refuted))
    if view.own is not None and set(view.own.cards) & set(pair.cards):
        return msg("prompt.own_card", pair=named)
    treasures = None if view.sheet is None else view.sheet.treasures
    if treasures is not None and pair not in treasures:
        return msg("prompt.impossible", pair=named)
    return msg("prompt.stakes", pair=named)


def _check_still_in(view: View) -> None:
    if view.viewer in view.out:
        illegal("out")


# --- notes ----------------------------------------------------------------------------------------


def auto(view: View, head: str, rest: Words) -> Menu:
    """Return the menu of the help on the own sheet; raises :class:`ActionError`."""
    is_on = view.notes is not None and view.notes.auto
    if len(rest) > 1 or (rest and rest[0] not in ("on", "off")):
        raise InvalidAction(msg("error.auto", word=" ".join(rest)[:40]))
    # Whoever opens it wants it otherwise.
    word = rest[0] if rest else ("off" if is_on else "on")
    return whole(head, msg(f"prompt.auto_{word}"), head, word)


def mark(view: View, head: str, rest: Words) -> Menu:
    """Return the menu of pencil marks, which also says why a mark stands; raises :class:`ActionError`."""
    said = read_marks(view, rest)
    others = [seat for seat in range(view.seats) if seat != view.viewer]
    seats = tuple(Choice(COLOURS[seat], msg("name", player=SeatName(seat))) for seat in others)
    section = "" if said.seat is None else COLOURS[said.seat]
    fields = [Field("seat", msg("field.section"), seats, Widget.BUTTONS, chosen=section)]
    prompt = msg("prompt.mark")
    if said.seat is not None:
        cards = (*view.crafts, *view.institutions)
        fields.append(_named_cards("card", cards, said.card))
        prompt = msg("prompt.mark_more" if said.is_open else "prompt.mark_card", player=SeatName(said.seat))
    if said.seat is not None and said.card is not None:
        signs = (*(mark.value for mark in Mark), NOTHING)
        choices = tuple(Choice(sign, msg(f"mark.{sign}")) for sign in signs)
        fields.append(Field("mark", msg("field.mark"), choices, Widget.BUTTONS))
        prompt = explanation(view, said.seat, said.card)
    if said.is_whole:
        return whole(head, prompt, *said.words(), fields=fields)
    return part(head, prompt, said.words(), *fields)
