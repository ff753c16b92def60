"""The private panel: a sentence is drafted word by word, and can be changed until it is confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.domain.match import Click, Draft, Panel
from bot.domain.refusals import refusal
from bot.domain.tables import PersonId, Who, person_id
from bot.matches.draft_edits import (
    ChoiceUnavailable,
    DraftEditor,
    Edit,
    Editing,
    answered_field,
    folded,
    reading,
)
from bot.matches.loaded_table import FoldedDraft, LoadedTable, SeatView
from bot.matches.table_cache import TableCache
from engines.core.contract import ActionError, Msg, Seat, Words, msg

Presets = Mapping[tuple[PersonId, str, str], str]
"""Saved sentences by person, game and menu, in the game's notation."""


class Drafts(DraftEditor[Click, Panel]):
    """The use cases of a match's panel."""

    def __init__(self, cache: TableCache) -> None:
        super().__init__(cache.entropy)
        self._cache = cache

    async def panel(self, table_id: str, person: Who) -> Panel:
        """Return a person's panel; raises ``Refusal`` if they have no seat."""
        table = await self._cache.get(table_id)
        return build_panel(table, table.seat_of(person_id(person)), self._cache.presets)

    def peek_panel(self, table_id: str, person: Who) -> Panel | None:
        """Return a person's panel from memory, with an example; ``None``: not loaded, no match or no seat."""
        table = self._cache.peek(table_id)
        if table is None or table.log is None:
            return None
        seat = table.info.seat_of(person_id(person))
        if seat is None:
            return None
        return replace(build_panel(table, seat, self._cache.presets), example=table.seat_view(seat).example)

    async def put(self, click: Click, person: Who, words: Words, reason: Msg) -> Panel:
        """Replace the draft with ``words``, showing ``reason`` as a hint; raises ``Refusal``."""

        def edit(view: SeatView, _draft: Draft) -> Edit:
            return Edit(folded(view, words))

        panel = await self.change(click, person, edit)
        return replace(panel, hint=reason) if panel.draft == words else panel

    async def use_preset(self, click: Click, person: Who) -> Panel:
        """Replace the draft with the person's saved sentence for this menu; raises ``Refusal``."""
        words = (await self.panel(click.table_id, person)).preset

        def edit(view: SeatView, _draft: Draft) -> Edit:
            if words is None:
                raise ChoiceUnavailable
            return Edit(folded(view, words))

        return await self.change(click, person, edit)

    async def type_in(self, table_id: str, person: Who, text: str, click: Click | None) -> Panel:
        """Read typed words in the game's notation into the draft.

        ``click``: the panel they were typed on; ``None``: on none. Raises ``Refusal`` for a text that is too
        long or contains control characters.
        """
        return await self._change(table_id, click, person, reading(text))

    async def change(self, click: Click, person: Who, edit: Editing) -> Panel:
        """Edit the clicked panel's draft and return the panel; raises ``Refusal``."""
        return await self._change(click.table_id, click, person, edit)

    async def _change(self, table_id: str, click: Click | None, person: Who, edit: Editing) -> Panel:
        presets = self._cache.presets

        async def work(table: LoadedTable) -> Panel:
            seat = table.playing_seat(person_id(person))
            drafts, view = table.drafts_of(seat), table.seat_view(seat)
            # A click on a stale panel changes nothing: it was not meant for the current draft.
            if click is not None and click.revision != drafts.revision:
                return build_panel(table, seat, presets, notes=(msg("note.stale"),))
            if view.root is None:
                raise refusal("nothing_asked")
            shown = drafts.shown
            try:
                edited = edit(view, shown)
            except ChoiceUnavailable:
                return build_panel(table, seat, presets, notes=(msg("note.stale"),))
            except ActionError as error:
                return build_panel(table, seat, presets, refused=error.msg)
            words = edited.draft.words
            if words != shown.words:
                aside = drafts.is_aside(edited.draft)
                new = table.with_drafts(seat, drafts.put(words, aside=aside, trail=edited.trail))
                table = await self._cache.commit(table, new)
            return build_panel(table, seat, presets, notes=edited.notes)

        return await self._cache.attempt(table_id, work)


def build_panel(
    table: LoadedTable,
    seat: Seat,
    presets: Presets,
    *,
    notes: tuple[Msg, ...] = (),
    refused: Msg | None = None,
) -> Panel:
    """Build a seat's panel; raises ``Refusal`` if there is no match."""
    view, drafts = table.seat_view(seat), table.drafts_of(seat)
    draft, log = view.fold(drafts.shown.words), view.log
    learned, told = log.news_of(seat)
    if drafts.cut:
        notes = (*notes, msg("note.cut", n=drafts.cut))
    return Panel(
        table=table.row.info,
        seat=seat,
        view=view.view if log.closed else draft.view,
        menu=None if log.closed else draft.menu,
        draft=() if log.closed else draft.words,
        decision=view.decision,
        revision=drafts.revision,
        waiting=() if log.closed else view.waiting,
        learned=learned,
        told=told,
        preset=_preset(table, view, draft, presets),
        answered=answered_field(view, draft),
        notes=notes,
        refusal=refused,
        reveals=draft.menu is not None and draft.menu.reveals,
        draw_offers=log.offers,
        outcome=log.public.outcome,
        clock=table.row.clocks.get(seat) if seat in table.row.asked else None,
        offers_hint=log.closed is None and table.offers_hint(seat),
    )


def _preset(table: LoadedTable, view: SeatView, draft: FoldedDraft, presets: Presets) -> Words | None:
    menu = draft.menu
    if menu is None or not menu.keep:
        return None
    person = table.row.info.chair_at(view.seat).person
    text = presets.get((person.id, table.row.info.setup.game, menu.key)) if person is not None else None
    if text is None:
        return None
    # Saved in another match: here the sentence may be refused or unreadable.
    try:
        whole = view.fold(view.game.read(text))
    except ActionError:
        return None
    complete = whole.menu is not None and whole.menu.complete
    return whole.words if complete and whole.words != draft.words else None
