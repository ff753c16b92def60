"""What a panel's controls do to a draft: the same in a match and in a lesson."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeAlias, TypeVar

from bot.domain.match import Draft, DraftPanel
from bot.domain.refusals import refusal
from bot.domain.tables import Who
from bot.matches.limits import LIMITS
from bot.matches.loaded_table import FoldedDraft, SeatView
from engines.core.contract import ActionError, Field, IllegalAction, Msg, Words, msg
from engines.core.names import as_read
from engines.core.rng import SEED_BYTES, Rng

_NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories that no notation needs: controls, surrogates, separators of lines."""

PlaceT = TypeVar("PlaceT")
"""Where a click came from."""

PanelT = TypeVar("PanelT", bound=DraftPanel)


class Gone(Exception):  # noqa: N818 - what was clicked is no longer offered
    """What was clicked is not offered any more."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What a draft becomes, and a word of the house about it."""

    draft: FoldedDraft = field(repr=False)
    notes: tuple[Msg, ...] = field(default=(), repr=False)
    trail: tuple[Words, ...] | None = field(default=None, repr=False)
    """What Back leads to from here; ``None``: to what the draft was."""


Editing: TypeAlias = Callable[[SeatView, Draft], Edit]
"""Edits the draft that is shown; raises :class:`Gone`, ``ActionError`` and ``Refusal``."""


class DraftEditor(ABC, Generic[PlaceT, PanelT]):
    """The use cases of a panel's controls. The game's refusals come back in the panel, and change nothing."""

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self._entropy = entropy

    @abstractmethod
    async def change(self, click: PlaceT, person: Who, edit: Editing) -> PanelT:
        """Edit the draft that a click was on, and return the panel; raises ``Refusal``."""

    async def choose(self, click: PlaceT, person: Who, word: str) -> PanelT:
        """Append one of the offered words to the draft; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            menu = view.fold(draft.words).menu
            if menu is None or menu.find(word) is None:
                raise Gone
            return Edit(folded(view, (*draft.words, word)))

        return await self.change(click, person, edit)

    async def choose_instead(self, click: PlaceT, person: Who, word: str) -> PanelT:
        """Replace the draft's last word by another choice of the same field; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            shown = view.fold(draft.words)
            part = answered_field(view, shown)
            if part is None or all(choice.word != word for choice in part.choices):
                raise Gone
            # Back leads to where it led from the word that is replaced.
            return Edit(folded(view, (*shown.words[:-1], word)), trail=draft.trail)

        return await self.change(click, person, edit)

    async def shuffle(self, click: PlaceT, person: Who, field_key: str) -> PanelT:
        """Append a random word for a field that the game lets the house shuffle; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            menu = view.fold(draft.words).menu
            part = next((f for f in menu.fields if f.key == field_key), None) if menu else None
            if part is None or not part.shuffle:
                raise Gone
            drawn = part.drawn(Rng(self._entropy(SEED_BYTES)).stream("shuffle"))
            return Edit(folded(view, (*draft.words, "".join(drawn))))

        return await self.change(click, person, edit)

    async def back(self, click: PlaceT, person: Who) -> PanelT:
        """Take back what was put last: a word, a shuffle, a typed line. Raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            if draft.trail:
                return Edit(view.longest_valid(draft.trail[-1]), trail=draft.trail[:-1])
            # Drafts of older versions, and those that were cut, know no way back: their last word goes.
            return Edit(view.longest_valid(draft.words[:-1]), trail=())

        return await self.change(click, person, edit)

    async def clear(self, click: PlaceT, person: Who) -> PanelT:
        """Take the whole draft back; raises ``Refusal``."""

        def edit(view: SeatView, _draft: Draft) -> Edit:
            return Edit(view.fold(()), trail=())

        return await self.change(click, person, edit)


def reading(text: str) -> Editing:
    """Return what typed words do: the draft's next ones, or else a draft of their own.

    Full-width and other compatible forms count as plain ones (NFKC); what has no width counts for nothing.
    Raises ``Refusal`` for a text that is too long or holds control characters.
    """
    most = LIMITS.typed_characters
    # Of 400 characters NFKC can make 7,200.
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


def folded(view: SeatView, words: Words) -> FoldedDraft:
    """Return ``words`` folded; raises :class:`Gone` where nothing is asked any more, and ``ActionError``."""
    folded = view.fold(words)
    if folded.menu is None:
        raise Gone
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
        return Edit(folded(view, (*draft, *words)))
    except ActionError:
        for length in range(1, len(words)):
            try:
                beginning = folded(view, (*draft, *words[:length]))
            except ActionError:
                continue
            if beginning.menu is not None and beginning.menu.reveals:
                rest = view.game.write(words[length:])
                return Edit(beginning, (msg("note.rest", text=rest),))
        raise
