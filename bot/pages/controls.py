"""Controls of a panel: a menu's fields as buttons and selects, within what Discord allows.

A field of up to ten choices that asks for buttons gets them; any other gets a select. More than
25 choices are asked in two steps: a select of the groups, and one of the chosen group's choices.
Which group is looked at is in no draft: it is lost when the panel is drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord
from discord.ui import ActionRow, Button, Select

from bot.domain.panels import Panel
from bot.pages.custom_ids import Action, PanelId, pack
from bot.pages.page import LABEL, OPTION, PLACEHOLDER, Block, button, rows, text
from bot.pages.texts import Texts, shorten
from engines.core.contract import COMPASS, Choice, Field, Menu, Style, Widget

OPTIONS = 25
"""Choices in one select."""

SPAN = 30
"""Characters of a choice's label where a part is named by its first and last."""

BUTTONS = 10
"""Choices up to which a field gets buttons where it asks for them."""

GAP = "·"
"""What a place of a ring shows that no choice lies on."""

STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.DANGER: discord.ButtonStyle.danger,
}


@dataclass(frozen=True, slots=True, repr=False)
class Look:
    """Where a person looks in a panel: at one field of many, at one part of its choices."""

    field: str = ""
    part: str = ""


HERE = Look()


@dataclass(frozen=True, slots=True)
class Part:
    """At most 25 choices of a field, and what this part is called."""

    key: str = field(repr=False)
    label: str = field(repr=False)
    choices: tuple[Choice, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Controls:
    """Draws the controls for one panel."""

    panel: Panel
    speech: Texts
    look: Look = HERE

    def blocks(self, budget: int) -> list[Block]:
        """Return the blocks for all fields, in at most ``budget`` components.

        Where buttons for all would be too many, selects take their place; where those are too
        many too, the field is chosen first.
        """
        menu = self.panel.menu
        if menu is None:
            return []
        for attempt in (self._with_buttons, self._with_selects):
            found = attempt(menu)
            if count(found) <= budget:
                return found
        return self._one_field(menu)

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
        """Return the select of fields, and the controls of the one that is looked at."""
        found: list[Block] = []
        asked = [part for part in menu.fields if part.choices]
        for number, some in enumerate(_chunks(asked, OPTIONS)):
            options = [
                discord.SelectOption(
                    label=self._label(part), value=part.key, default=part.key == self.look.field
                )
                for part in some
            ]
            found.append(self._select(Action.FIELD, f"{number}", self.speech.house("panel.field"), options))
        for part in asked:
            if part.key == self.look.field:
                found += self._selects(part)
        return found + self._shuffles(menu)

    def _buttons(self, part: Field, *, titled: bool) -> list[Block]:
        """Return the field's buttons, or nothing where it wants or needs a select."""
        if part.widget is not Widget.BUTTONS or not 0 < len(part.choices) <= BUTTONS:
            return []
        made: list[Button[Any]] = []
        for choice in part.choices:
            place = self._id(Action.WORD, choice.word)
            if not _fits(place):
                return []
            made.append(button(self._button_label(choice), place, STYLES[choice.style]))
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
        made = [self._on_ring(lying.get(place), f"{part.key}.{n}") for n, place in enumerate(COMPASS)]
        side = 3
        thirds = [ActionRow(*made[start : start + side]) for start in range(0, len(made), side)]
        return [text(f"**{self._label(part)}**"), *thirds]

    def _on_ring(self, choice: Choice | None, name: str) -> Button[Any]:
        if choice is None:
            return button(GAP, self._id(Action.NONE, name), disabled=True)
        label = self._button_label(choice)
        return button(label, self._id(Action.WORD, choice.word), STYLES[choice.style])

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
                    default=self._open(part, item),
                )
                for item in some
            ]
            word = part.key if number == 0 else f"{part.key}/{number}"
            found.append(self._select(Action.GROUP, word, self._label(part), options))
        return found + [self._choices(part, item) for item in parts if self._open(part, item)]

    def _parts(self, part: Field) -> list[Part]:
        titles = {
            group.key: shorten(self.speech.at_table(self.panel.table, group.label, plain=True), LABEL)
            for group in part.groups
        }
        grouped = part.groups and len(part.choices) > OPTIONS
        titles[""] = self.speech.house("panel.others") if grouped else self._label(part)
        return parts_of(part, titles, lambda choice: self._choice_label(choice, SPAN))

    def _open(self, part: Field, item: Part) -> bool:
        return self.look == Look(part.key, item.key)

    def _choices(self, part: Field, item: Part) -> ActionRow[Any]:
        options = [
            discord.SelectOption(
                label=self._choice_label(choice, OPTION),
                value=choice.word,
                description=self._detail(choice),
                default=choice.word == part.chosen,
            )
            for choice in item.choices
        ]
        return self._select(Action.PICK, part.key, item.label, options)

    def _shuffles(self, menu: Menu) -> list[Block]:
        made = [
            button(f"🔀 {self._label(part)}", self._id(Action.SHUFFLE, part.key))
            for part in menu.fields
            if part.shuffle
        ]
        return [*rows(made)]

    def _select(
        self, action: Action, word: str, label: str, options: list[discord.SelectOption]
    ) -> ActionRow[Any]:
        return ActionRow(
            Select(
                custom_id=pack(self._id(action, word)),
                placeholder=shorten(label, PLACEHOLDER),
                options=options,
            )
        )

    def _label(self, part: Field) -> str:
        return shorten(self.speech.at_table(self.panel.table, part.label, plain=True), LABEL)

    def _choice_label(self, choice: Choice, limit: int) -> str:
        return shorten(self.speech.at_table(self.panel.table, choice.label, plain=True), limit)

    def _button_label(self, choice: Choice) -> str:
        """Return a choice's label; an eye marks what shows something hidden."""
        return (
            f"👁 {self._choice_label(choice, LABEL - 2)}"
            if choice.reveals
            else self._choice_label(choice, LABEL)
        )

    def _detail(self, choice: Choice) -> str | None:
        said = [self.speech.at_table(self.panel.table, choice.detail, plain=True)] if choice.detail else []
        if choice.reveals:
            said.append(self.speech.house("panel.reveals_choice"))
        return shorten(" · ".join(said), OPTION) if said else None

    def _id(self, action: Action, word: str) -> PanelId:
        panel = self.panel
        return PanelId(panel.table.id, panel.decision, panel.revision, action, word)


def parts_of(part: Field, titles: Mapping[str, str], name: Callable[[Choice], str]) -> list[Part]:
    """Return a field's choices in parts of at most 25: by group, and large groups in several.

    ``titles`` name the groups by key; ``""`` names what has no group.
    """
    if len(part.choices) <= OPTIONS:
        return [Part("", titles[""], part.choices)]
    found: list[Part] = []
    for key in [*(group.key for group in part.groups), ""]:
        inside = [choice for choice in part.choices if _group_of(choice, titles) == key]
        several = len(inside) > OPTIONS
        for number, some in enumerate(_chunks(inside, OPTIONS)):
            span = f"{titles[key]}: {name(some[0])} – {name(some[-1])}"
            found.append(Part(f"{key}/{number}", span if several else titles[key], tuple(some)))
    return found


def _group_of(choice: Choice, titles: Mapping[str, str]) -> str:
    return choice.group if choice.group in titles else ""


def count(blocks: Sequence[Block]) -> int:
    """Return how many components ``blocks`` are, nested ones included."""
    return sum(1 + (len(block.children) if isinstance(block, ActionRow) else 0) for block in blocks)


def _chunks(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _fits(place: PanelId) -> bool:
    try:
        pack(place)
    except ValueError:
        return False
    return True
