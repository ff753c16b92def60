"""What the board would show for a draft, as far as its seat can tell; and what its next word may point at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engines.core.contract import Field, Words, facts_for
from engines.corto import aims, scoring
from engines.corto.board import square_at, strip_of
from engines.corto.draft import Draft, fold
from engines.corto.menu import is_asked, menu_after
from engines.corto.notation import Kind, parse
from engines.corto.table import Table
from engines.corto.tables import public_after, public_of
from engines.corto.view import Mark, PlayerView, View

_MARKS = {
    "start": "start",
    "place": "place",
    "go": "go",
    "from": "from",
    "to": "to",
    "swap": "swap",
    "kill": "kill",
    "bribe": "hit",
}
"""What squares mean that a field of the menu offers."""


def preview_of(view: View, words: Words) -> View:
    """Return the view of a draft, up to the first word that reveals; raises :class:`ActionError`."""
    if not is_asked(view):
        return view
    draft = fold(view, words)
    if draft.before is not None:
        return replace(preview_of(view, draft.before), final=True)
    shown = _after(view, draft) if words else view
    menu = menu_after(view, words)
    marks = () if menu is None else tuple(_marks(draft.course.table, menu.fields))
    return replace(shown, chosen=_chosen(draft), marks=marks)


def _after(view: View, draft: Draft) -> View:
    """Return the view with what the draft's steps have changed."""
    table = draft.course.table
    public = public_after(public_of(view), table)
    public = replace(public, turn=table.turn if view.turn is not None else None)
    found = tuple(
        _player(player, table, public.kept[player.seat], mine=player.seat == view.viewer)
        for player in view.players
    )
    return replace(
        view,
        board=public.board,
        corto=public.corto,
        rasputin=public.rasputin,
        players=found,
        discards=public.discards,
        quests=public.quests,
        gold=scoring.gold(public),
        groups=scoring.groups(public),
        turn=public.turn,
        draft=facts_for(table.events, view.viewer),
    )


def _player(player: PlayerView, table: Table, kept: tuple[str, ...], *, mine: bool) -> PlayerView:
    seat = player.seat
    left = set(table.hand)
    hand = tuple(card for card in player.hand if card.card in left) if mine else player.hand
    return replace(
        player,
        stock=table.stock[seat],
        hand=hand,
        seal=tuple(table.seal[seat]),
        corto_gold=table.corto_gold[seat],
        kept=kept,
    )


def _chosen(draft: Draft) -> str | None:
    """Return the card that the draft has taken up last, while it is not finished."""
    opened = next((word.text for word in draft.open if word.kind is Kind.CARD), None)
    return opened or (draft.course.table.turn.card if draft.steps else None)


def _marks(table: Table, fields: tuple[Field, ...]) -> Iterator[Mark]:
    """Yield what the choices of a menu point at, each once."""
    found: dict[Mark, None] = {}
    for part in fields:
        for choice in part.choices:
            word = parse(choice.word)
            match word.kind:
                case Kind.ADD:
                    found[Mark(word.one, "add")] = None
                case Kind.TAKE | Kind.SHOT_TAKE:
                    found[Mark(word.one, "hit")] = None
                case Kind.KILL | Kind.SHOT_KILL:
                    found[Mark(word.one, "kill")] = None
                case Kind.SQUARE | Kind.FROM | Kind.OWNED:
                    found[Mark(word.one, _MARKS[part.key])] = None
                case Kind.TRAIN:
                    found.update(dict.fromkeys(_train(table)))
                case Kind.SIDE:
                    strip = strip_of(table.turn.origin or "")
                    found[Mark(square_at(strip, aims.sides(table)[word.one]), "sail")] = None
                case _:
                    pass
    yield from found


def _train(table: Table) -> Iterator[Mark]:
    """Yield the square of the train that the card in hand may hit."""
    aim = aims.aim(table)
    strip = None if aim is None else aims.train_of(table, aim)
    target = None if strip is None else aims.target_of(table, strip)
    if target is not None:
        yield Mark(target, "train")
