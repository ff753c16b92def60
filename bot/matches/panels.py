"""A seat's private panel, built from memory alone."""

from __future__ import annotations

from collections.abc import Mapping

from bot.domain.panels import Panel
from bot.domain.people import PersonId
from bot.matches.loaded_table import LoadedTable
from bot.matches.seat_view import FoldedDraft
from engines.core.contract import ActionError, Msg, Seat, Words, msg

Presets = Mapping[tuple[PersonId, str, str], str]
"""The sentences that people kept, by person, game and menu, in the game's notation."""


def build_panel(
    table: LoadedTable,
    seat: Seat,
    presets: Presets,
    *,
    notes: tuple[Msg, ...] = (),
    refused: Msg | None = None,
) -> Panel:
    """Return all that a seat's panel shows; raises ``Refusal`` where there is no match."""
    view, drafts = table.seat_view(seat), table.drafts_of(seat)
    draft, log = view.fold(drafts.shown.words), view.log
    learned, told = log.news_of(seat)
    if drafts.cut:
        notes = (*notes, msg("note.cut", n=drafts.cut))
    return Panel(
        table=table.row.info,
        seat=seat,
        view=draft.view,
        menu=draft.menu,
        draft=draft.words,
        decision=view.decision,
        revision=drafts.revision,
        waiting=view.waiting,
        learned=learned,
        told=told,
        preset=_preset(table, draft, presets),
        notes=notes,
        refusal=refused,
        reveals=draft.menu is not None and draft.menu.reveals,
        draw_offers=log.offers,
        outcome=log.public.outcome,
    )


def _preset(table: LoadedTable, draft: FoldedDraft, presets: Presets) -> Words | None:
    menu, view = draft.menu, draft.seat_view
    if menu is None or not menu.keep:
        return None
    person = table.row.info.chair_at(view.seat).person
    text = presets.get((person.id, table.row.info.setup.game, menu.key)) if person is not None else None
    if text is None:
        return None
    # Kept in another match: here the sentence may be refused, or not be read at all.
    try:
        whole = view.fold(view.game.read(text))
    except ActionError:
        return None
    complete = whole.menu is not None and whole.menu.complete
    return whole.words if complete and whole.words != draft.words else None
