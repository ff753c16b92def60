"""The controls of a panel: a menu's fields as buttons and selects, within what Discord allows.

A field of up to ten choices that asks for buttons gets them; any other gets a select. More than
25 choices are asked in two steps: a select of the groups, and one of the chosen group's choices.
Which group is in focus is in no draft: it is lost when the panel is drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord
from discord.ui import ActionRow, Button, Select

from bot.domain.match import Panel
from bot.pages.custom_ids import WORD, Action, PanelId, pack_all
from bot.pages.page import LABEL, OPTION, PLACEHOLDER, Block, rows, text
from bot.pages.texts import TableTexts, Texts, shorten
from engines.core.contract import COMPASS, Choice, Field, Menu, Style, Widget

OPTIONS = 25
"""Choices in one select."""

SPAN = 30
"""Characters of a choice's label where a part is named by its first and last."""

BUTTONS = 10
"""Choices up to which a field gets buttons where it asks for them."""

GAP = "·"
"""What a place of a ring shows that no choice lies on."""

PLAIN, CONFIRM = discord.ButtonStyle.secondary, discord.ButtonStyle.success
STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.DANGER: discord.ButtonStyle.danger,
}


@dataclass(frozen=True, slots=True, repr=False)
class Focus:
    """What a person wants to see of a panel: one field of many, one part of its choices."""

    field: str = ""
    part: str = ""


NO_FOCUS = Focus()


@dataclass(frozen=True, slots=True)
class Part:
    """At most 25 choices of a field, and what this part is called."""

    key: str = field(repr=False)
    label: str = field(repr=False)
    choices: tuple[Choice, ...] = field(repr=False)


class Controls:
    """Builds the controls of one panel."""

    def __init__(
        self,
        panel: Panel,
        texts: Texts,
        table_texts: TableTexts,
        focus: Focus = NO_FOCUS,
        drawing: str = "",
    ) -> None:
        """``drawing`` tells the selects of one drawing of a panel from those of the drawing before it.

        A client sends no choice that it shows as chosen in a select of the same custom id: what was refused,
        or looked at and lost with the focus, could not be chosen again.
        """
        self._drawing = drawing
        self._panel = panel
        self._texts = texts
        self._table_texts = table_texts
        self._focus = focus
        fields = panel.menu.fields if panel.menu is not None else ()
        labels = table_texts.labels([part.label for part in fields], LABEL)
        self._labels = {part.key: label for part, label in zip(fields, labels, strict=True)}

    def blocks(self, budget: int) -> list[Block]:
        """Return the blocks for all fields, and the rows that every panel ends with.

        They are at most ``budget`` components: where buttons for all fields would be too many, selects
        take their place; where those are too many too, the field is chosen first.
        """
        ending = self._ending()
        menu = self._panel.menu
        if menu is None:
            return ending
        budget -= _count(ending)
        for with_buttons in (True, False):
            found = self._all_fields(menu, with_buttons=with_buttons)
            if _count(found) <= budget:
                return found + ending
        return self._one_field(menu) + ending

    def _ending(self) -> list[Block]:
        panel = self._panel
        found: dict[Action, str] = {}
        if panel.menu is not None:
            if panel.menu.closing:
                found[Action.CONFIRM] = "panel.confirm"
            if panel.draft:
                found |= {Action.BACK: "panel.back", Action.CLEAR: "panel.clear"}
            elif panel.preset is not None:
                found[Action.PRESET] = "panel.preset"
            found[Action.TYPE] = "panel.type"
        found[Action.REFRESH] = "panel.refresh"
        labels, ids = self._texts.house_all(found.values()), self._ids([(action, "") for action in found])
        styles = [CONFIRM if action is Action.CONFIRM else PLAIN for action in found]
        return [*rows(_buttons(labels, ids, styles))]

    def _all_fields(self, menu: Menu, *, with_buttons: bool) -> list[Block]:
        found: list[Block] = []
        titled = len(menu.fields) > 1
        for part in menu.fields:
            pressed = with_buttons and (self._ring(part) or self._word_rows(part, titled=titled))
            found += pressed or self._selects(part)
        return found + self._shuffles(menu)

    def _one_field(self, menu: Menu) -> list[Block]:
        found: list[Block] = []
        fields = [part for part in menu.fields if part.choices]
        for number, some in enumerate(_chunks(fields, OPTIONS)):
            options = [
                discord.SelectOption(
                    label=self._labels[part.key], value=part.key, default=part.key == self._focus.field
                )
                for part in some
            ]
            found.append(self._select(Action.FIELD, f"{number}", self._texts.house("panel.field"), options))
        for part in fields:
            if part.key == self._focus.field:
                found += self._selects(part)
        return found + self._shuffles(menu)

    def _word_rows(self, part: Field, *, titled: bool) -> list[Block]:
        if part.widget is not Widget.BUTTONS or not 0 < len(part.choices) <= BUTTONS:
            return []
        try:
            made = self._word_buttons(part)
        except ValueError:  # a word that fits into no custom id
            return []
        title: list[Block] = [text(f"**{self._labels[part.key]}**")] if titled else []
        return [*title, *rows(made)]

    def _ring(self, part: Field) -> list[Block]:
        """Return the field's buttons around an empty middle, or nothing where it is no ring.

        Places that no choice lies on are there, and cannot be pressed: so all arrows stay where they are.
        """
        places = {choice.at for choice in part.choices}
        if part.widget is not Widget.RING or not places <= set(filter(None, COMPASS)):
            return []
        places_of = [choice.at for choice in part.choices]
        made = dict(zip(places_of, self._word_buttons(part), strict=True))
        gaps = [(place, number) for number, place in enumerate(COMPASS) if place not in made]
        ids = self._ids([(Action.NONE, f"{part.key}.{number}") for _, number in gaps])
        for (place, _), custom_id in zip(gaps, ids, strict=True):
            made[place] = Button(label=GAP, custom_id=custom_id, style=PLAIN, disabled=True)
        ring = [made[place] for place in COMPASS]
        return [text(f"**{self._labels[part.key]}**"), *(ActionRow(*some) for some in _chunks(ring, 3))]

    def _selects(self, part: Field) -> list[Block]:
        if not part.choices:
            return []
        parts = self._parts(part)
        if len(parts) == 1:
            return [self._choices(part, parts[0])]
        found: list[Block] = []
        for number, some in enumerate(_chunks(parts, OPTIONS)):
            options = [
                discord.SelectOption(
                    label=shorten(item.label, OPTION),
                    value=f"@{item.key}",
                    default=self._in_focus(part, item),
                )
                for item in some
            ]
            word = part.key if number == 0 else f"{part.key}/{number}"
            found.append(self._select(Action.GROUP, word, self._labels[part.key], options))
        return found + [self._choices(part, item) for item in parts if self._in_focus(part, item)]

    def _parts(self, part: Field) -> list[Part]:
        if len(part.choices) <= OPTIONS:
            return [Part("", self._labels[part.key], part.choices)]
        texts = self._table_texts
        labels = texts.labels([group.label for group in part.groups], LABEL)
        titles = {group.key: label for group, label in zip(part.groups, labels, strict=True)}
        titles[""] = self._texts.house("panel.others") if part.groups else self._labels[part.key]
        return parts_of(part, titles, lambda choices: texts.choice_labels(choices, SPAN))

    def _in_focus(self, part: Field, item: Part) -> bool:
        return self._focus == Focus(part.key, item.key)

    def _choices(self, part: Field, item: Part) -> ActionRow[Any]:
        labels = self._table_texts.choice_labels(item.choices, OPTION)
        details = self._table_texts.choice_details(item.choices, OPTION)
        options = [
            discord.SelectOption(
                label=label, value=choice.word, description=detail, default=choice.word == part.chosen
            )
            for choice, label, detail in zip(item.choices, labels, details, strict=True)
        ]
        return self._select(Action.PICK, part.key, item.label, options)

    def _shuffles(self, menu: Menu) -> list[Block]:
        keys = [part.key for part in menu.fields if part.shuffle]
        if not keys:
            return []
        labels, ids = (
            [f"🔀 {self._labels[key]}" for key in keys],
            self._ids([(Action.SHUFFLE, key) for key in keys]),
        )
        return [*rows(_buttons(labels, ids, [PLAIN] * len(keys)))]

    def _word_buttons(self, part: Field) -> list[Button[Any]]:
        labels = self._table_texts.choice_labels(part.choices, LABEL, eye="👁 ")
        ids = self._ids([(Action.WORD, choice.word) for choice in part.choices])
        # A button has no mark of its own for what is chosen: it is the one in colour.
        styles = [
            STYLES[Style.PRIMARY if choice.word == part.chosen else choice.style] for choice in part.choices
        ]
        return _buttons(labels, ids, styles)

    def _select(
        self, action: Action, word: str, label: str, options: list[discord.SelectOption]
    ) -> ActionRow[Any]:
        # Read back, it stands behind the number of a part, which nobody asks for.
        own = f"{word}/~{self._drawing}" if self._drawing else word
        (custom_id,) = self._ids([(action, own if len(own) <= WORD else word)])
        return ActionRow(Select(custom_id=custom_id, placeholder=label[:PLACEHOLDER], options=options))

    def _ids(self, wanted: Sequence[tuple[Action, str]]) -> list[str]:
        panel = self._panel
        match, decision, revision = panel.table.id, panel.decision, panel.revision
        return pack_all([PanelId(match, decision, revision, action, word) for action, word in wanted])


def parts_of(
    part: Field, titles: Mapping[str, str], names: Callable[[Sequence[Choice]], list[str]]
) -> list[Part]:
    """Return a field's choices in parts of at most 25: by group, and large groups in several.

    ``titles`` name the groups by key; ``""`` names what has no group. ``names`` names choices.
    """
    found: list[Part] = []
    for key in [*(group.key for group in part.groups), ""]:
        inside = [c for c in part.choices if (c.group if c.group in titles else "") == key]
        several = len(inside) > OPTIONS
        for number, some in enumerate(_chunks(inside, OPTIONS)):
            label = f"{titles[key]}: {' – '.join(names([some[0], some[-1]]))}" if several else titles[key]
            found.append(Part(f"{key}/{number}", label, tuple(some)))
    return found


def _buttons(
    labels: Sequence[str], ids: Sequence[str], styles: Sequence[discord.ButtonStyle]
) -> list[Button[Any]]:
    return [
        Button(label=label[:LABEL], custom_id=custom_id, style=style)
        for label, custom_id, style in zip(labels, ids, styles, strict=True)
    ]


def _count(blocks: Sequence[Block]) -> int:
    return sum(1 + (len(block.children) if isinstance(block, ActionRow) else 0) for block in blocks)


def _chunks(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
