"""The private panel: a sentence grows word by word, and can be taken back until it is confirmed."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from bot.domain.match import Click, Draft, Panel
from bot.domain.refusals import refusal
from bot.domain.tables import PersonId, Who, person_id
from bot.matches.loaded_table import FoldedDraft, LoadedTable, SeatView
from bot.matches.table_cache import TableCache
from engines.core.contract import ActionError, Field, IllegalAction, Msg, Seat, Words, msg
from engines.core.rng import SEED_BYTES, Rng

TEXT_LIMIT = 400
"""Characters of a typed text that are read."""

_NO_TEXT = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode categories that no notation needs: controls, formats, surrogates, separators of lines."""


Presets = Mapping[tuple[PersonId, str, str], str]
"""The sentences that people kept, by person, game and menu, in the game's notation."""


class _Gone(Exception):  # noqa: N818 - what was clicked is no longer offered
    pass


@dataclass(frozen=True, slots=True)
class Edit:
    """What a draft becomes, and a word of the house about it."""

    draft: FoldedDraft = field(repr=False)
    notes: tuple[Msg, ...] = field(default=(), repr=False)
    trail: tuple[Words, ...] | None = field(default=None, repr=False)
    """What Back leads to from here; ``None``: to what the draft was."""


class Drafts:
    """The use cases of a panel. The game's refusals come back in the panel, and change nothing."""

    def __init__(self, cache: TableCache) -> None:
        self._cache = cache

    async def panel(self, table_id: str, person: Who) -> Panel:
        """Return a person's panel; raises ``Refusal`` if they have no seat."""
        table = await self._cache.get(table_id)
        return build_panel(table, table.seat_of(person_id(person)), self._cache.presets)

    def peek_panel(self, table_id: str, person: Who) -> Panel | None:
        """Return a person's panel from memory alone, with an example; ``None``: no match, or no seat."""
        table = self._cache.peek(table_id)
        if table is None or table.log is None:
            return None
        seat = table.info.seat_of(person_id(person))
        if seat is None:
            return None
        return replace(build_panel(table, seat, self._cache.presets), example=table.seat_view(seat).example)

    async def choose(self, click: Click, person: Who, word: str) -> Panel:
        """Append one of the offered words to the draft; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            menu = view.fold(draft.words).menu
            if menu is None or menu.find(word) is None:
                raise _Gone
            return Edit(_folded(view, (*draft.words, word)))

        return await self._change(click.table_id, click, person, edit)

    async def choose_instead(self, click: Click, person: Who, word: str) -> Panel:
        """Replace the draft's last word by another choice of the same field; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            shown = view.fold(draft.words)
            part = answered_field(view, shown)
            if part is None or all(choice.word != word for choice in part.choices):
                raise _Gone
            # Back leads to where it led from the word that is replaced.
            return Edit(_folded(view, (*shown.words[:-1], word)), trail=draft.trail)

        return await self._change(click.table_id, click, person, edit)

    async def shuffle(self, click: Click, person: Who, field_key: str) -> Panel:
        """Append a random word for a field that the game lets the house shuffle; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            menu = view.fold(draft.words).menu
            part = next((f for f in menu.fields if f.key == field_key), None) if menu else None
            if part is None or not part.shuffle:
                raise _Gone
            drawn = part.drawn(Rng(self._cache.entropy(SEED_BYTES)).stream("shuffle"))
            return Edit(_folded(view, (*draft.words, "".join(drawn))))

        return await self._change(click.table_id, click, person, edit)

    async def back(self, click: Click, person: Who) -> Panel:
        """Take back what was put last: a word, a shuffle, a typed line. Raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            if draft.trail:
                return Edit(view.longest_valid(draft.trail[-1]), trail=draft.trail[:-1])
            # Drafts of older versions, and those that were cut, know no way back: their last word goes.
            return Edit(view.longest_valid(draft.words[:-1]), trail=())

        return await self._change(click.table_id, click, person, edit)

    async def clear(self, click: Click, person: Who) -> Panel:
        """Take the whole draft back; raises ``Refusal``."""

        def edit(view: SeatView, _draft: Draft) -> Edit:
            return Edit(view.fold(()), trail=())

        return await self._change(click.table_id, click, person, edit)

    async def put(self, click: Click, person: Who, words: Words, reason: Msg) -> Panel:
        """Take ``words`` as the draft, for a ``reason`` that the panel says; raises ``Refusal``."""

        def edit(view: SeatView, _draft: Draft) -> Edit:
            return Edit(_folded(view, words))

        panel = await self._change(click.table_id, click, person, edit)
        return replace(panel, hint=reason) if panel.draft == words else panel

    async def use_preset(self, click: Click, person: Who) -> Panel:
        """Take the sentence that the person kept for this menu as the draft; raises ``Refusal``."""
        words = (await self.panel(click.table_id, person)).preset

        def edit(view: SeatView, _draft: Draft) -> Edit:
            if words is None:
                raise _Gone
            return Edit(_folded(view, words))

        return await self._change(click.table_id, click, person, edit)

    async def type_in(self, table_id: str, person: Who, text: str, click: Click | None) -> Panel:
        """Read typed words in the game's notation: the draft's next ones, or else a draft of their own.

        Raises ``Refusal`` for a text that is too long or holds control characters.
        """
        if len(text) > TEXT_LIMIT:
            raise refusal("too_long", n=TEXT_LIMIT)
        if any(unicodedata.category(character) in _NO_TEXT for character in text):
            raise refusal("control")

        def edit(view: SeatView, draft: Draft) -> Edit:
            words = view.game.read(text.strip())
            if not words:
                raise refusal("empty_text")
            return _typed(view, draft.words, words)

        return await self._change(table_id, click, person, edit)

    async def _change(
        self, table_id: str, click: Click | None, person: Who, edit: Callable[[SeatView, Draft], Edit]
    ) -> Panel:
        presets = self._cache.presets

        async def work(table: LoadedTable) -> Panel:
            seat = table.playing_seat(person_id(person))
            drafts, view = table.drafts_of(seat), table.seat_view(seat)
            # A click on an older panel changes nothing: what it meant is not what is shown now.
            if click is not None and click.revision != drafts.revision:
                return build_panel(table, seat, presets, notes=(msg("note.stale"),))
            if view.root is None:
                raise refusal("nothing_asked")
            shown = drafts.shown
            try:
                edited = edit(view, shown)
            except _Gone:
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
    """Return all that a seat's panel shows; raises ``Refusal`` where there is no match."""
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


def answered_field(view: SeatView, draft: FoldedDraft) -> Field | None:
    """Return the field that a draft's last word answered, with the choices that may be said instead of it.

    ``None`` where the menu after the draft still shows it, or where the game has folded the word into others.
    """
    if not draft.words or draft.menu is None:
        return None
    *words, word = draft.words
    try:
        before = view.fold(tuple(words))
    except ActionError:
        return None
    fields = before.menu.fields if before.menu is not None and before.words == tuple(words) else ()
    part = next((part for part in fields if any(choice.word == word for choice in part.choices)), None)
    if part is None or any(part.key == other.key or other.chosen == word for other in draft.menu.fields):
        return None
    # An aside has a draft of its own: it is not replaced by what the match asks for, or the other way round.
    choices = tuple(c for c in part.choices if words or c.aside is draft.aside)
    return replace(part, choices=choices, chosen=word) if len(choices) > 1 else None


def _preset(table: LoadedTable, view: SeatView, draft: FoldedDraft, presets: Presets) -> Words | None:
    menu = draft.menu
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


def _folded(view: SeatView, words: Words) -> FoldedDraft:
    folded = view.fold(words)
    if folded.menu is None:
        raise _Gone
    return folded


def _typed(view: SeatView, draft: Words, words: Words) -> Edit:
    # Of two readings that fail, the error of the one that came further helps more.
    try:
        return _appended(view, draft, words)
    except ActionError as error:
        if not draft:
            raise
        first = error
    try:
        return _appended(view, (), words)
    except IllegalAction:
        # It was read as a whole sentence, and is refused as one: that helps more than a misread word.
        raise
    except ActionError:
        raise first from None


def _appended(view: SeatView, draft: Words, words: Words) -> Edit:
    # What follows a word that reveals is for the next sentence: it depends on what is learned.
    try:
        return Edit(_folded(view, (*draft, *words)))
    except ActionError:
        for length in range(1, len(words)):
            try:
                beginning = _folded(view, (*draft, *words[:length]))
            except ActionError:
                continue
            if beginning.menu is not None and beginning.menu.reveals:
                rest = view.game.write(words[length:])
                return Edit(beginning, (msg("note.rest", text=rest),))
        raise
