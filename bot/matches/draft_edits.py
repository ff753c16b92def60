"""The edits that a panel's controls make to a draft, in matches and in lessons."""

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
"""Unicode categories that no notation needs: controls, surrogates, line and paragraph separators."""

PlaceT = TypeVar("PlaceT")
"""Identifies the panel that was clicked."""

PanelT = TypeVar("PanelT", bound=DraftPanel)


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


class DraftEditor(ABC, Generic[PlaceT, PanelT]):
    """The use cases of a panel's controls. The game's refusals come back in the panel and change nothing."""

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self._entropy = entropy

    @abstractmethod
    async def change(self, click: PlaceT, person: Who, edit: Editing) -> PanelT:
        """Edit the clicked panel's draft and return the panel; raises ``Refusal``."""

    async def choose(self, click: PlaceT, person: Who, word: str) -> PanelT:
        """Append an offered word to the draft; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            menu = view.fold(draft.words).menu
            if menu is None or menu.find(word) is None:
                raise ChoiceUnavailable
            return Edit(folded(view, (*draft.words, word)))

        return await self.change(click, person, edit)

    async def choose_instead(self, click: PlaceT, person: Who, word: str) -> PanelT:
        """Replace the draft's last word with another choice of the same field; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            shown = view.fold(draft.words)
            part = answered_field(view, shown)
            if part is None or all(choice.word != word for choice in part.choices):
                raise ChoiceUnavailable
            # Back leads to where it did before the replacement.
            return Edit(folded(view, (*shown.words[:-1], word)), trail=draft.trail)

        return await self.change(click, person, edit)

    async def shuffle(self, click: PlaceT, person: Who, field_key: str) -> PanelT:
        """Append a random word for a field that the game allows to be shuffled; raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            menu = view.fold(draft.words).menu
            part = next((f for f in menu.fields if f.key == field_key), None) if menu else None
            if part is None or not part.shuffle:
                raise ChoiceUnavailable
            drawn = part.drawn(Rng(self._entropy(SEED_BYTES)).stream("shuffle"))
            return Edit(folded(view, (*draft.words, "".join(drawn))))

        return await self.change(click, person, edit)

    async def back(self, click: PlaceT, person: Who) -> PanelT:
        """Undo the last edit: a word, a shuffle, a typed line. Raises ``Refusal``."""

        def edit(view: SeatView, draft: Draft) -> Edit:
            if draft.trail:
                return Edit(view.longest_valid(draft.trail[-1]), trail=draft.trail[:-1])
            # Drafts from older versions, and cut ones, have no trail: remove the last word.
            return Edit(view.longest_valid(draft.words[:-1]), trail=())

        return await self.change(click, person, edit)

    async def clear(self, click: PlaceT, person: Who) -> PanelT:
        """Clear the draft; raises ``Refusal``."""

        def edit(view: SeatView, _draft: Draft) -> Edit:
            return Edit(view.fold(()), trail=())

        return await self.change(click, person, edit)


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
                return Edit(beginning, (msg("note.rest", text=rest),))
        raise
