"""What a seat may say next, as data; and what the board would show for what it has drafted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engines.core.contract import Field, Menu, Msg, Words, facts_for, msg
from engines.corto import scoring
from engines.corto.cards import CARDS
from engines.corto.legality import Draft, fold, playable
from engines.corto.notation import Kind, parse
from engines.corto.state import CardId
from engines.corto.turn import Duty, Progress, duty_of
from engines.corto.verbs import BARE, BY_WORD, MARKED
from engines.corto.verbs.actions import add_fields, hit_fields
from engines.corto.verbs.advantages import move_fields
from engines.corto.verbs.base import card_choice, field
from engines.corto.verbs.cards import MOST_CARDS
from engines.corto.verbs.characters import sail_fields
from engines.corto.verbs.draws import draw_fields, end_field, toss_fields
from engines.corto.view import Mark, View


def menu_after(view: View, words: Words) -> Menu:
    """Return the menu after a draft, for a seat that is asked; raises :class:`ActionError`."""
    draft = fold(view, words)
    return Menu(
        key=duty_of(view, draft.progress.table.seat).value,
        prompt=_prompt(draft),
        draft=draft.words(),
        fields=tuple(_fields(draft)),
        complete=draft.complete,
        closing=draft.closing,
        reveals=draft.before is not None,
    )


# --- prompts --------------------------------------------------------------------------------------


def _prompt(draft: Draft) -> Msg:
    progress, turn = draft.progress, draft.progress.table.turn
    if draft.before is not None:
        return msg("prompt.reveals")
    if draft.open:
        return _open_prompt(draft)
    if progress.half:
        return msg("prompt.half", card=_name(turn.card))
    match progress.duty:
        case Duty.TURN if turn.card is not None:
            return msg("prompt.card", card=_name(turn.card))
        case Duty.TURN if turn.played:
            return msg("prompt.turn_more", n=MOST_CARDS - len(turn.played))
        case Duty.HAND:
            return msg("prompt.hand", n=progress.owed)
        case Duty.DRAWS:
            return msg("prompt.draws" if turn.played else "prompt.draws_all", n=turn.draws)
        case duty:
            return msg(f"prompt.{duty.value}")


def _open_prompt(draft: Draft) -> Msg:
    last = draft.open[-1]
    if last.kind is Kind.CARD:
        card = CARDS[last.text]
        return msg(f"prompt.card.{card.effect or card.kind.value}", card=card.name)
    if last.kind in (Kind.SQUARE, Kind.ADD) and draft.open[0].text not in ("move", "adv"):
        return msg("prompt.from", square=last.one)
    return msg("prompt.go_on")


def _name(card: CardId | None) -> str:
    return "" if card is None else CARDS[card].name


# --- fields ---------------------------------------------------------------------------------------


def _fields(draft: Draft) -> Iterator[Field]:
    progress = draft.progress
    if draft.before is not None:
        return  # no choice may depend on what is turned up
    if draft.open:
        first = draft.open[0]
        verb = BY_WORD[first.text] if first.kind is Kind.VERB else BARE[first.kind]
        yield from verb.fields(progress, draft.open)
        return
    match progress.duty:
        case Duty.START:
            yield from BY_WORD["start"].fields(progress, ())
        case Duty.TURN:
            yield from _turn_fields(progress)
        case Duty.TOSS:
            yield from toss_fields(progress)
        case Duty.HAND | Duty.DRAWS:
            yield from draw_fields(progress)


def _turn_fields(progress: Progress) -> Iterator[Field]:
    table = progress.table
    card = table.card_in_hand()
    yield from hit_fields(table, shot=True)
    if card is not None and card.effect == "transfer":
        yield from move_fields(table)
    elif card is not None:
        yield from add_fields(table)
        yield from hit_fields(table)
        yield from sail_fields(table)
    if progress.half:
        return
    cards = playable(progress)
    if cards:
        yield field("hand", map(card_choice, cards))
    yield end_field(progress)


# --- the preview ----------------------------------------------------------------------------------


def preview_of(view: View, words: Words) -> View:
    """Return the view of a draft of a seat that is asked, up to the first word that reveals.

    Raises :class:`ActionError`.
    """
    draft = fold(view, words)
    if draft.before is not None:
        # Nobody may see what a word turns up before it is confirmed: the preview stops just before it.
        return replace(preview_of(view, draft.before), final=True)
    shown = _after(view, draft) if words else view
    taken_up = draft.progress.table.turn.card if draft.steps else None
    chosen = next((word.text for word in draft.open if word.kind is Kind.CARD), taken_up)
    return replace(shown, chosen=chosen, marks=tuple(_marks(draft)))


def _after(view: View, draft: Draft) -> View:
    table = draft.progress.table
    shown = table.after(view)
    # Cards that are played are gone from the hand; a preview draws none.
    left = set(table.hand)
    return replace(
        shown,
        turn=None if view.turn is None else table.turn,
        hands=tuple(
            tuple(card for card in hand if card.card in left) if seat == view.viewer else hand
            for seat, hand in enumerate(view.hands)
        ),
        gold=scoring.gold(shown),
        groups=scoring.groups(shown),
        draft=facts_for(table.events, view.viewer),
    )


def _marks(draft: Draft) -> Iterator[Mark]:
    found: dict[Mark, None] = {}
    for part in _fields(draft):
        for choice in part.choices:
            word = parse(choice.word)
            verb, kind = MARKED.get(word.kind) or MARKED.get(part.key) or (None, "")
            square = None if verb is None else verb.square_of(draft.progress.table, word)
            if square is not None:
                found[Mark(square, kind)] = None
    yield from found
