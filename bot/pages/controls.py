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

from bot.domain.panels import Panel
from bot.pages.custom_ids import Action, PanelId, pack
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

    def __init__(self, panel: Panel, texts: Texts, table_texts: TableTexts, focus: Focus = NO_FOCUS) -> None:
        self._panel = panel
        self._texts = texts
        self._table_texts = table_texts
        self._focus = focus

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
        for attempt in (self._with_buttons, self._with_selects):
            found = attempt(menu)
            if _count(found) <= budget:
                return found + ending
        return self._one_field(menu) + ending

    def _ending(self) -> list[Block]:
        panel = self._panel
        found: list[tuple[str, Action]] = []
        if panel.menu is not None:
            if panel.menu.closing:
                found.append(("panel.confirm", Action.CONFIRM))
            if panel.draft:
                found += [("panel.back", Action.BACK), ("panel.clear", Action.CLEAR)]
            elif panel.preset is not None:
                found.append(("panel.preset", Action.PRESET))
            found.append(("panel.type", Action.TYPE))
        found.append(("panel.refresh", Action.REFRESH))
        return [
            *rows(
                self._button(
                    self._texts.house(label), action, style=CONFIRM if action is Action.CONFIRM else PLAIN
                )
                for label, action in found
            )
        ]

    def _with_buttons(self, menu: Menu) -> list[Block]:
        found: list[Block] = []
        for part in menu.fields:
            titled = len(menu.fields) > 1
            found += self._ring(part) or self._buttons(part, titled=titled) or self._selects(part)
        return found + self._shuffles(menu)

    def _with_selects(self, menu: Menu) -> list[Block]:
        found: list[Block] = [block for part in menu.fields for block in self._selects(part)]
        return found + self._shuffles(menu)

    def _one_field(self, menu: Menu) -> list[Block]:
        found: list[Block] = []
        fields = [part for part in menu.fields if part.choices]
        for number, some in enumerate(_chunks(fields, OPTIONS)):
            options = [
                discord.SelectOption(
                    label=self._label(part), value=part.key, default=part.key == self._focus.field
                )
                for part in some
            ]
            found.append(self._select(Action.FIELD, f"{number}", self._texts.house("panel.field"), options))
        for part in fields:
            if part.key == self._focus.field:
                found += self._selects(part)
        return found + self._shuffles(menu)

    def _buttons(self, part: Field, *, titled: bool) -> list[Block]:
        if part.widget is not Widget.BUTTONS or not 0 < len(part.choices) <= BUTTONS:
            return []
        try:
            made = [self._word_button(choice) for choice in part.choices]
        except ValueError:  # a word that fits into no custom id
            return []
        title: list[Block] = [text(f"**{self._label(part)}**")] if titled else []
        return [*title, *rows(made)]

    def _ring(self, part: Field) -> list[Block]:
        """Return the field's buttons around an empty middle, or nothing where it is no ring.

        Places that no choice lies on are there, and cannot be pressed: so all arrows stay where they are.
        """
        places = {choice.at for choice in part.choices}
        if part.widget is not Widget.RING or not places <= set(filter(None, COMPASS)):
            return []
        lying = {choice.at: choice for choice in part.choices}
        made = [
            self._word_button(lying[place])
            if place in lying
            else self._button(GAP, Action.NONE, f"{part.key}.{number}", disabled=True)
            for number, place in enumerate(COMPASS)
        ]
        return [text(f"**{self._label(part)}**"), *(ActionRow(*some) for some in _chunks(made, 3))]

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
            found.append(self._select(Action.GROUP, word, self._label(part), options))
        return found + [self._choices(part, item) for item in parts if self._in_focus(part, item)]

    def _parts(self, part: Field) -> list[Part]:
        titles = {group.key: self._table_texts.label(group.label, LABEL) for group in part.groups}
        grouped = part.groups and len(part.choices) > OPTIONS
        titles[""] = self._texts.house("panel.others") if grouped else self._label(part)
        return parts_of(part, titles, lambda choice: self._table_texts.label(choice.label, SPAN))

    def _in_focus(self, part: Field, item: Part) -> bool:
        return self._focus == Focus(part.key, item.key)

    def _choices(self, part: Field, item: Part) -> ActionRow[Any]:
        options = [
            discord.SelectOption(
                label=self._table_texts.label(choice.label, OPTION),
                value=choice.word,
                description=self._detail(choice),
                default=choice.word == part.chosen,
            )
            for choice in item.choices
        ]
        return self._select(Action.PICK, part.key, item.label, options)

    def _detail(self, choice: Choice) -> str | None:
        said = [self._table_texts.label(choice.detail, OPTION)] if choice.detail else []
        if choice.reveals:
            said.append(self._texts.house("panel.reveals_choice"))
        return shorten(" · ".join(said), OPTION) if said else None

    def _shuffles(self, menu: Menu) -> list[Block]:
        shuffled = (part for part in menu.fields if part.shuffle)
        return [*rows(self._button(f"🔀 {self._label(part)}", Action.SHUFFLE, part.key) for part in shuffled)]

    def _label(self, part: Field) -> str:
        return self._table_texts.label(part.label, LABEL)

    def _word_button(self, choice: Choice) -> Button[Any]:
        """Return the button of a choice; an eye marks what shows something hidden."""
        eye = "👁 " if choice.reveals else ""
        label = eye + self._table_texts.label(choice.label, LABEL - len(eye))
        return self._button(label, Action.WORD, choice.word, style=STYLES[choice.style])

    def _button(
        self,
        label: str,
        action: Action,
        word: str = "",
        *,
        style: discord.ButtonStyle = PLAIN,
        disabled: bool = False,
    ) -> Button[Any]:
        return Button(label=label[:LABEL], custom_id=self._id(action, word), style=style, disabled=disabled)

    def _select(
        self, action: Action, word: str, label: str, options: list[discord.SelectOption]
    ) -> ActionRow[Any]:
        placeholder = shorten(label, PLACEHOLDER)
        return ActionRow(Select(custom_id=self._id(action, word), placeholder=placeholder, options=options))

    def _id(self, action: Action, word: str) -> str:
        panel = self._panel
        return pack(PanelId(panel.table.id, panel.decision, panel.revision, action, word))


def parts_of(part: Field, titles: Mapping[str, str], name: Callable[[Choice], str]) -> list[Part]:
    """Return a field's choices in parts of at most 25: by group, and large groups in several.

    ``titles`` name the groups by key; ``""`` names what has no group.
    """
    if len(part.choices) <= OPTIONS:
        return [Part("", titles[""], part.choices)]
    found: list[Part] = []
    for key in [*(group.key for group in part.groups), ""]:
        inside = [c for c in part.choices if (c.group if c.group in titles else "") == key]
        several = len(inside) > OPTIONS
        for number, some in enumerate(_chunks(inside, OPTIONS)):
            span = f"{titles[key]}: {name(some[0])} – {name(some[-1])}"
            found.append(Part(f"{key}/{number}", span if several else titles[key], tuple(some)))
    return found


def _count(blocks: Sequence[Block]) -> int:
    return sum(1 + (len(block.children) if isinstance(block, ActionRow) else 0) for block in blocks)


def _chunks(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
