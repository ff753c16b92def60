"""The private panel: a sentence is drafted word by word, and can be changed until it is confirmed."""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias, TypeVar

from bot.domain.lessons import lesson_at
from bot.domain.match import Click, Draft, Panel
from bot.domain.refusals import refusal
from bot.domain.tables import PersonId, Who, person_id
from bot.matches.limits import LIMITS
from bot.matches.loaded_table import FoldedDraft, LoadedTable, SeatView
from bot.matches.practice import PracticeMatches
from bot.matches.table_cache import TableCache
from engines.core.contract import ActionError, Field, IllegalAction, Msg, Seat, Words, msg
from engines.core.names import as_read
from engines.core.rng import SEED_BYTES, Rng

T = TypeVar("T")

Presets: TypeAlias = Mapping[tuple[PersonId, str, str], str]
"""Saved sentences by person, game and menu, in the game's notation."""

_NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories that no notation needs: controls, surrogates, line and paragraph separators."""


class ChoiceUnavailable(Exception):  # noqa: N818 - what was clicked is no longer offered
    """The clicked choice is no longer offered."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The draft after an edit, and notes to show with it."""

    draft: FoldedDraft = field(repr=False)
    notes: tuple[Msg, ...] = field(default=(), repr=False)
    trail: tuple[Words, ...] | None = field(default=None, repr=False)
    """The drafts that Back leads to from here, the latest last; ``None``: the previous draft is added."""


Editing: TypeAlias = Callable[[SeatView, Draft], Edit]
"""Edits the shown draft; raises :class:`ChoiceUnavailable`, ``ActionError`` or ``Refusal``."""


class Tables(Protocol):
    """Where the tables of panels are kept: the cache of matches, or a person's practice matches."""

    @property
    def presets(self) -> Presets:
        """Return the sentences that panels may offer."""

    async def get(self, table_id: str) -> LoadedTable:
        """Return a table; raises ``Refusal``."""

    async def attempt(self, table_id: str, work: Callable[[LoadedTable], Awaitable[T]]) -> T:
        """Do ``work`` on a table under its lock; raises what ``work`` raises, and ``Refusal``."""

    async def commit(self, old: LoadedTable, new: LoadedTable) -> LoadedTable:
        """Store what was changed of a table."""


class Drafts:
    """The use cases of a panel's controls, in matches and in lessons.

    The game's refusals come back in the panel and change nothing.
    """

    def __init__(self, cache: TableCache, practice: PracticeMatches) -> None:
        self._cache = cache
        self._practice = practice
        self._entropy = cache.entropy

    async def panel(self, table_id: str, person: Who) -> Panel:
        """Return a person's panel; raises ``Refusal`` if they have no seat."""
        tables = self._tables(table_id, person)
        table = await tables.get(table_id)
        return build_panel(table, table.seat_of(person_id(person)), tables.presets)

    def peek_panel(self, click: Click, person: Who) -> Panel | None:
        """Return a person's panel from memory, with an example; ``None``: not loaded, no match or no seat."""
        is_practice = lesson_at(click.table_id) is not None
        table = self._practice.peek(click, person) if is_practice else self._cache.peek(click.table_id)
        if table is None or table.log is None:
            return None
        seat = table.info.seat_of(person_id(person))
        if seat is None:
            return None
        presets = {} if is_practice else self._cache.presets
        return replace(build_panel(table, seat, presets), example=table.seat_view(seat).example)

    async def choose(self, click: Click, person: Who, word: str) -> Panel:
        """Append an offered word to the draft; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            menu = view.fold(draft.words).menu
            if menu is None or menu.find(word) is None:
                raise ChoiceUnavailable
            return Edit(folded(view, (*draft.words, word)))

        return await self._change(click.table_id, click, person, edit)

    async def choose_instead(self, click: Click, person: Who, word: str) -> Panel:
        """Replace the draft's last word with another choice of the same field; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            shown = view.fold(draft.words)
            part = answered_field(view, shown)
            if part is None or all(choice.word != word for choice in part.choices):
                raise ChoiceUnavailable
            # Back leads to where it did before the replacement.
            return Edit(folded(view, (*shown.words[:-1], word)), trail=draft.trail)

        return await self._change(click.table_id, click, person, edit)

    async def shuffle(self, click: Click, person: Who, field_key: str) -> Panel:
        """Append a random word for a field that the game allows to be shuffled; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            menu = view.fold(draft.words).menu
            part = next((f for f in menu.fields if f.key == field_key), None) if menu else None
            if part is None or not part.shuffle:
                raise ChoiceUnavailable
            drawn = part.drawn(Rng(self._entropy(SEED_BYTES)).stream("shuffle"))
            return Edit(folded(view, (*draft.words, "".join(drawn))))

        return await self._change(click.table_id, click, person, edit)

    async def back(self, click: Click, person: Who) -> Panel:
        """Undo the last edit: a word, a shuffle, a typed line. Raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            if draft.trail:
                return Edit(view.longest_valid(draft.trail[-1]), trail=draft.trail[:-1])
            # Drafts from older versions, and cut ones, have no trail: remove the last word.
            return Edit(view.longest_valid(draft.words[:-1]), trail=())

        return await self._change(click.table_id, click, person, edit)

    async def clear(self, click: Click, person: Who) -> Panel:
        """Clear the draft; raises ``Refusal``."""

        def edit(view: SeatView, _draft: Draft) -> Edit:
            return Edit(view.fold(()), trail=())

        return await self._change(click.table_id, click, person, edit)

    async def put(self, click: Click, person: Who, words: Words, reason: Msg) -> Panel:
        """Replace the draft with ``words``, showing ``reason`` as a hint; raises ``Refusal``."""

        def edit(view: SeatView, _draft: Draft) -> Edit:
            return Edit(folded(view, words))

        panel = await self._change(click.table_id, click, person, edit)
        return replace(panel, hint=reason) if panel.draft == words else panel

    async def use_preset(self, click: Click, person: Who) -> Panel:
        """Replace the draft with the person's saved sentence for this menu; raises ``Refusal``."""
        words = (await self.panel(click.table_id, person)).preset

        def edit(view: SeatView, _draft: Draft) -> Edit:
            if words is None:
                raise ChoiceUnavailable
            return Edit(folded(view, words))

        return await self._change(click.table_id, click, person, edit)

    async def type_in(self, table_id: str, person: Who, text: str, click: Click | None) -> Panel:
        """Read typed words in the game's notation into the draft.

        ``click``: the panel they were typed on; ``None``: on none. Raises ``Refusal`` for a text that is too
        long or contains control characters.
        """
        return await self._change(table_id, click, person, reading(text))

    async def _change(self, table_id: str, click: Click | None, person: Who, edit: Editing) -> Panel:
        tables = self._tables(table_id, person)
        presets = tables.presets

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
                table = await tables.commit(table, new)
            return build_panel(table, seat, presets, notes=edited.notes)

        return await tables.attempt(table_id, work)

    def _tables(self, table_id: str, person: Who) -> Tables:
        return self._cache if lesson_at(table_id) is None else self._practice.of(person_id(person))


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
    is_closed = log.closed is not None
    if drafts.cut:
        notes = (*notes, msg("note.cut", n=drafts.cut))
    return Panel(
        table=table.row.info,
        seat=seat,
        view=view.view if is_closed else draft.view,
        menu=None if is_closed else draft.menu,
        draft=() if is_closed else draft.words,
        decision=view.decision,
        revision=drafts.revision,
        waiting=() if is_closed else view.waiting,
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
        offers_hint=not is_closed and table.offers_hint(seat),
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


def reading(text: str) -> Editing:
    """Return the edit for typed words: they continue the draft, or else replace it.

    Full-width and other compatible forms count as plain ones (NFKC); zero-width characters are ignored.
    Raises ``Refusal`` for a text that is too long or contains control characters.
    """
    most = LIMITS.typed_characters
    # NFKC can turn 400 characters into 7,200.
    if len(text) > most or len(text := as_read(text)) > most:
        raise refusal("too_long", n=most)
    if any(unicodedata.category(character) in _NO_TEXT for character in text):
        raise refusal("control")

    def edit(view: SeatView, draft: Draft) -> Edit:
        words = view.game.read(text.strip())
        if not words:
            raise refusal("empty_text")
        return _typed(view, draft.words, words)

    return edit


def answered_field(view: SeatView, draft: FoldedDraft) -> Field | None:
    """Return the field that a draft's last word answered, with the choices that may replace the word.

    ``None`` if the menu after the draft still shows the field, or the game has merged the word into others.
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
    # Asides have their own draft: an aside cannot replace an answer to the match, or vice versa.
    choices = tuple(c for c in part.choices if words or c.aside is draft.aside)
    return replace(part, choices=choices, chosen=word) if len(choices) > 1 else None


def folded(view: SeatView, words: Words) -> FoldedDraft:
    """Fold ``words``; raises ``ActionError`` or, if the seat has nothing to say, ``ChoiceUnavailable``."""
    folded = view.fold(words)
    if folded.menu is None:
        raise ChoiceUnavailable
    return folded


def _typed(view: SeatView, draft: Words, words: Words) -> Edit:
    # If both readings fail, raise the more helpful error, usually that of the longer draft.
    try:
        return _appended(view, draft, words)
    except ActionError as error:
        if not draft:
            raise
        first = error
    try:
        return _appended(view, (), words)
    except IllegalAction:
        # It was read as a complete sentence but refused: that helps more than a misread word.
        raise
    except ActionError:
        raise first from None


def _appended(view: SeatView, draft: Words, words: Words) -> Edit:
    # Words after a revealing word belong to the next sentence, which depends on what is revealed.
    try:
        return Edit(folded(view, (*draft, *words)))
    except ActionError:
        for length in range(1, len(words)):
            try:
                beginning = folded(view, (*draft, *words[:length]))
            except ActionError:
                continue
            if beginning.menu is not None and beginning.menu.reveals:
                rest = view.game.write(words[length:])
                return Edit(beginning, (msg("note.rest", rest=rest),))
        raise
