"""What may be touched on a panel, told by its custom ids: the same step is found again in another drawing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bot.pages.custom_ids import Action, PanelId, parse
from tests.e2e.stage import components_of

Json = dict[str, Any]

DRAWING = "/~"
"""What stands in a select's word before the mark of one drawing."""

PART = "@"
"""What stands before the key of a part of a field's choices."""

PRESS, PICK = 1, 2
"""Touches of a button; of a select, which is opened first."""

HELP = frozenset({Action.REFRESH, Action.TYPE, Action.BACK, Action.CLEAR, Action.NONE})
"""What says nothing by itself: a turn can be played without."""


@dataclass(frozen=True, slots=True)
class Step:
    """A button that is pressed, or a choice of a select; ``value`` is ``None`` for a button."""

    action: Action
    word: str = ""
    value: str | None = None

    @property
    def touches(self) -> int:
        """Return how often a finger touches the screen for it."""
        return PRESS if self.value is None else PICK

    @property
    def said(self) -> str:
        """Return the word of the game that it says, if it says one."""
        return self.word if self.value is None else self.value

    @property
    def field(self) -> str:
        """Return the key of the field whose choices it shows in part."""
        return self.word.partition("/")[0].partition(PART)[0]

    @property
    def part(self) -> str:
        """Return the key of the group of choices that it shows, if it shows one."""
        key = self.word.partition(PART)[2] if self.value is None else self.value.removeprefix(PART)
        return key.rpartition("/")[0]

    def is_at(self, place: PanelId) -> bool:
        """Return whether a component of a panel is the one of this step, whatever the drawing."""
        return (place.action, undrawn(place.word)) == (self.action, self.word)


def undrawn(word: str) -> str:
    """Return the word of a component without the mark of its drawing."""
    return word.partition(DRAWING)[0]


def steps_of(panel: Json) -> Iterator[Step]:
    """Yield all that a client lets a person touch: no disabled button, and nothing that is chosen already."""
    for item in components_of(panel):
        place = parse(item["custom_id"])
        if not isinstance(place, PanelId) or item.get("disabled"):
            continue
        word = undrawn(place.word)
        if "options" not in item:
            yield Step(place.action, word)
            continue
        for option in item["options"]:
            if not option["default"]:
                yield Step(place.action, word, option["value"])


def matters(place: PanelId) -> bool:
    """Return whether a component is one that a turn is played by."""
    return place.action not in HELP
