"""The private panel: a sentence grows word by word, and can be taken back until it is said."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.domain.drafts import Draft
from bot.domain.panels import Click, Panel
from bot.matches.loaded_table import LoadedTable, SeatView, no
from bot.matches.table_cache import TableCache, Who, person_id
from engines.core.contract import ActionError, IllegalAction, Menu, Msg, Seat, Words, msg
from engines.core.rng import SEED_BYTES, Rng

TEXT_LIMIT = 400
"""Characters of a typed text that are read."""

_NO_TEXT = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode categories that no notation needs: controls, formats, surrogates, separators of lines."""


class _Gone(Exception):  # noqa: N818 - what was clicked is no longer offered
    pass


@dataclass(frozen=True, slots=True)
class Edit:
    """What a draft becomes, and a word of the house about it."""

    words: Words = field(repr=False)
    notes: tuple[Msg, ...] = field(default=(), repr=False)
    trail: tuple[Words, ...] | None = field(default=None, repr=False)
    """What Back leads to from here; ``None``: to what the draft was."""


class Drafting(TableCache):
    """The use cases of a panel. The game's refusals come back in the panel, and change nothing."""

    async def panel(self, table_id: str, person: Who) -> Panel:
        """Return a person's panel; raises ``Refusal`` if they have no seat."""
        live = await self._get(table_id)
        return self._panel(live, live.seat_of(person_id(person)))

    def loaded(self, table_id: str) -> bool:
        """Return whether a table lies in memory."""
        return table_id in self._cache

    def peek_panel(self, table_id: str, person: Who) -> Panel | None:
        """Return a person's panel from memory alone; ``None``: not loaded, no match, or no seat."""
        live = self._peek(table_id)
        if live is None or live.chronicle is None:
            return None
        seat = live.info.seat_of(person_id(person))
        return None if seat is None else self._panel(live, seat)

    async def choose(self, click: Click, person: Who, word: str) -> Panel:
        """Append one of the offered words to the draft; raises ``Refusal``."""

        def edit(desk: SeatView, draft: Draft) -> Edit:
            menu = desk.menu(draft.words)
            if menu is None or menu.find(word) is None:
                raise _Gone
            return Edit(_normal(desk, (*draft.words, word)))

        return await self._draft(click.table_id, click, person, edit)

    async def shuffle(self, click: Click, person: Who, field_key: str) -> Panel:
        """Append a random word for a field that the game lets the house shuffle; raises ``Refusal``."""

        def edit(desk: SeatView, draft: Draft) -> Edit:
            menu = desk.menu(draft.words)
            parts = next((f.shuffle for f in menu.fields if f.key == field_key), ()) if menu else ()
            if not parts:
                raise _Gone
            drawn = Rng(self._entropy(SEED_BYTES)).stream("shuffle").shuffled(parts)
            return Edit(_normal(desk, (*draft.words, "".join(drawn))))

        return await self._draft(click.table_id, click, person, edit)

    async def back(self, click: Click, person: Who) -> Panel:
        """Take back what was put last: a word, a shuffle, a typed line. Raises ``Refusal``."""
        return await self._draft(click.table_id, click, person, _taken_back)

    async def clear(self, click: Click, person: Who) -> Panel:
        """Take the whole draft back; raises ``Refusal``."""
        return await self._draft(click.table_id, click, person, lambda _desk, _draft: Edit((), trail=()))

    async def use_preset(self, click: Click, person: Who) -> Panel:
        """Take the sentence that the person kept for this menu as the draft; raises ``Refusal``."""
        words = (await self.panel(click.table_id, person)).preset

        def edit(desk: SeatView, _draft: Draft) -> Edit:
            if words is None:
                raise _Gone
            return Edit(_normal(desk, words))

        return await self._draft(click.table_id, click, person, edit)

    async def type_in(self, table_id: str, person: Who, text: str, click: Click | None) -> Panel:
        """Read typed words in the game's notation: the draft's next ones, or else a draft of their own.

        Raises ``Refusal`` for a text that is too long or holds control characters.
        """
        if len(text) > TEXT_LIMIT:
            raise no("too_long", n=TEXT_LIMIT)
        if any(unicodedata.category(character) in _NO_TEXT for character in text):
            raise no("control")

        def edit(desk: SeatView, draft: Draft) -> Edit:
            words = desk.game.read(text.strip())
            if not words:
                raise no("empty_text")
            return _typed(desk, draft.words, words)

        return await self._draft(table_id, click, person, edit)

    # --- parts ------------------------------------------------------------------------------------

    async def _draft(
        self, table_id: str, click: Click | None, person: Who, edit: Callable[[SeatView, Draft], Edit]
    ) -> Panel:
        """Change a person's draft, unless the panel they pressed on is out of date."""

        async def work(live: LoadedTable) -> Panel:
            live.running()
            seat = live.seat_of(person_id(person))
            must_play(live, seat)
            drafts, desk = live.drafts_of(seat), live.desk(seat)
            if click is not None and click.revision != drafts.revision:
                return self._panel(live, seat, notes=(msg("note.stale"),))
            if desk.root is None:
                raise no("nothing_asked")
            try:
                edited = edit(desk, drafts.shown)
            except _Gone:
                return self._panel(live, seat, notes=(msg("note.stale"),))
            except ActionError as error:
                return self._panel(live, seat, refusal=error.msg)
            if edited.words == drafts.shown.words:
                return self._panel(live, seat, notes=edited.notes)
            aside = desk.is_aside(edited.words) if edited.words else bool(drafts.aside.words)
            new = live.with_drafts(seat, drafts.put(edited.words, aside=aside, trail=edited.trail))
            await self._commit(live, new)
            return self._panel(new, seat, notes=edited.notes)

        return await self._attempt(table_id, work)

    def _panel(
        self, live: LoadedTable, seat: Seat, *, notes: tuple[Msg, ...] = (), refusal: Msg | None = None
    ) -> Panel:
        """Return all that a seat's panel shows, from memory alone."""
        desk, drafts = live.desk(seat), live.drafts_of(seat)
        draft = drafts.shown.words
        menu = desk.menu(draft)
        if drafts.cut:
            notes = (*notes, msg("note.cut", n=drafts.cut))
        return Panel(
            table=live.info,
            seat=seat,
            view=desk.game.preview(desk.view, draft) if draft else desk.view,
            menu=menu,
            draft=draft,
            decision=desk.decision,
            revision=drafts.revision,
            waiting=desk.waiting,
            told=live.play.told_since_act(seat),
            preset=self._preset(live, seat, menu),
            notes=notes,
            refusal=refusal,
            reveals=bool(draft) and _reveals(desk, draft),
            draw_offers=live.play.offers,
            outcome=live.play.public.outcome,
        )

    def _preset(self, live: LoadedTable, seat: Seat, menu: Menu | None) -> Words | None:
        """Return the kept sentence of whoever sits there, where it may be said now and is not drafted."""
        person = live.info.chair_at(seat).person
        if menu is None or not menu.keep or person is None:
            return None
        text = self._presets.get((person.id, live.info.game, menu.key))
        if text is None:
            return None
        desk = live.desk(seat)
        try:
            whole = desk.menu(desk.game.read(text))
        except ActionError:
            return None
        if whole is None or not whole.complete or whole.draft == menu.draft:
            return None
        return whole.draft


def must_play(live: LoadedTable, seat: Seat) -> None:
    """Raise ``Refusal`` if the seat has left the match."""
    if live.info.chair_at(seat).withdrawn:
        raise no("withdrawn")


def _taken_back(desk: SeatView, draft: Draft) -> Edit:
    """Return the draft before its last change; where that is not known, without its last word."""
    if not draft.trail:
        return Edit(desk.fit(draft.words[:-1]), trail=())
    return Edit(desk.fit(draft.trail[-1]), trail=draft.trail[:-1])


def _normal(desk: SeatView, words: Words) -> Words:
    """Return a draft in the game's normal form; raises ``ActionError`` where it begins no sentence."""
    menu = desk.menu(words)
    if menu is None:
        raise _Gone
    return menu.draft


def _typed(desk: SeatView, draft: Words, words: Words) -> Edit:
    """Return the draft with typed words; raises ``ActionError``, of the reading that came further."""
    try:
        return _appended(desk, draft, words)
    except ActionError as error:
        if not draft:
            raise
        first = error
    try:
        return _appended(desk, (), words)
    except IllegalAction:
        raise
    except ActionError:
        raise first from None


def _appended(desk: SeatView, draft: Words, words: Words) -> Edit:
    """Return the draft with words after it; what follows a word that reveals is for the next sentence."""
    try:
        return Edit(_normal(desk, (*draft, *words)))
    except ActionError:
        for length in range(1, len(words)):
            beginning = (*draft, *words[:length])
            if _reveals(desk, beginning):
                rest = desk.game.write(words[length:])
                return Edit(_normal(desk, beginning), (msg("note.rest", text=rest),))
        raise


def _reveals(desk: SeatView, words: Words) -> bool:
    """Return whether the last of ``words`` that a menu offers reveals something.

    What a typed line says after it, such as further draws, is offered by no menu. ``False`` where the words
    begin no sentence.
    """
    try:
        desk.menu(words)
        for length in range(len(words), 0, -1):
            before = desk.menu(words[: length - 1])
            choice = before.find(words[length - 1]) if before is not None else None
            if choice is not None:
                return choice.reveals
    except ActionError:
        return False
    return False
