"""The words that are to be said, and how many of them a draft still lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, TypeAlias

from bench.touches.controls import Step
from bot.pages.custom_ids import Action
from engines.core.contract import ActionError, Choice, Menu, Words
from engines.core.match import AnyGame

Parts: TypeAlias = tuple[Words, ...]
"""What a seat says in a turn, in the smallest pieces that may be sentences: several may be one sentence."""


@dataclass(slots=True)
class Aim:
    """A turn that is to be said from a view on; it lasts until something is committed."""

    game: AnyGame
    view: Any = field(repr=False)
    parts: Parts
    _left: dict[tuple[Words, Words], int | None] = field(default_factory=dict)
    _menus: dict[Words, Menu | None] = field(default_factory=dict)
    _targets: tuple[Words, ...] | None = None

    @property
    def targets(self) -> tuple[Words, ...]:
        """Return the drafts that say one part of the turn, the first two, and so on."""
        if self._targets is None:
            words = list(accumulate(self.parts))
            self._targets = tuple(self.normal(each) or each for each in words)
        return self._targets

    def normal(self, words: Words) -> Words | None:
        """Return a draft as the game keeps it; ``None`` where it is none."""
        menu = self._menu(words)
        return None if menu is None else menu.draft

    def said_by(self, words: Words) -> int:
        """Return how many parts a sentence says; 0 for a sentence that is not of this turn."""
        return self.targets.index(words) + 1 if words in self.targets else 0

    def left(self, draft: Words) -> int | None:
        """Return how many words lead to as much of the turn as menus lead to; ``None``: to nothing."""
        found = (self._left_to(target, draft) for target in reversed(self.targets))
        return next((words for words in found if words is not None), None)

    def is_longest(self, draft: Words) -> bool:
        """Return whether a draft says as much of the turn as can be said in one sentence."""
        return draft in self.targets and self.left(draft) == 0

    def _left_to(self, target: Words, draft: Words) -> int | None:
        if draft == target:
            return 0
        if (target, draft) not in self._left:
            following = (self._left_to(target, after) for _, after in self._steps(target, draft))
            fewest = min((words for words in following if words is not None), default=None)
            self._left[target, draft] = None if fewest is None else 1 + fewest
        return self._left[target, draft]

    def _steps(self, target: Words, draft: Words) -> Iterator[tuple[str, Words]]:
        menu = self._menu(draft)
        for choice in () if menu is None else menu.choices():
            after = self.normal((*draft, choice.word))
            # Only what grows: a draft that only changes comes to no end.
            if after is not None and _length(after) > _length(draft) and leads(after, target):
                yield choice.word, after

    def useful(self, steps: Iterable[Step], draft: Words) -> list[Step]:
        """Return the steps that lead on from a draft: those that say a word, show others, or confirm."""
        menu = self._menu(draft)
        fields = () if menu is None else menu.fields
        wanted = {part.key: [c for c in part.choices if self._leads_on(draft, c.word)] for part in fields}
        offered = list(steps)
        return [step for step in offered if self._is_useful(step, offered, draft, wanted)]

    def _is_useful(
        self, step: Step, offered: Sequence[Step], draft: Words, wanted: Mapping[str, Sequence[Choice]]
    ) -> bool:
        match step.action:
            case Action.WORD | Action.PICK:
                return self._leads_on(draft, step.said)
            case Action.CONFIRM:
                return draft in self.targets
            case Action.FIELD:
                return bool(wanted.get(step.said))
            case Action.GROUP:
                groups = {choice.group for choice in wanted.get(step.field, ())}
                parts = {
                    each.part for each in offered if (each.action, each.field) == (step.action, step.field)
                }
                # A part without a group may hold any choice, and so may all where none is named as its group.
                return bool(groups) and (step.part in groups | {""} or not groups & parts)
            case _:
                return False

    def _leads_on(self, draft: Words, word: str) -> bool:
        after = self.normal((*draft, word))
        return after is not None and _length(after) > _length(draft) and self.left(after) is not None

    def _menu(self, draft: Words) -> Menu | None:
        if draft not in self._menus:
            try:
                self._menus[draft] = self.game.menu(self.view, draft)
            except ActionError:
                self._menus[draft] = None
        return self._menus[draft]


def leads(draft: Sequence[str], target: Sequence[str]) -> bool:
    """Return whether a draft may be the beginning of a sentence, or a form that is filled in in part.

    Each of its words is one of the sentence's, or lacks some of its letters (``I:b3`` of ``I:b3E``), in the
    same order.
    """
    words = iter(target)
    return all(any(_is_of(word, whole) for whole in words) for word in draft)


def _is_of(word: str, whole: str) -> bool:
    head, colon, tail = word.partition(":")
    other_head, other_colon, other_tail = whole.partition(":")
    if not colon and not other_colon:
        return word == whole or whole.startswith(word)
    letters = iter(other_tail)
    return head == other_head and colon == other_colon and all(letter in letters for letter in tail)


def _length(draft: Words) -> int:
    return sum(map(len, draft))
