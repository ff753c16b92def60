"""The controls of a panel: a menu's fields as buttons and selects, within Discord's limits.

A field of up to ten choices that asks for buttons gets them, and one that asks for a grid gets up to 25; any
other gets a select. More than 25 choices take two steps: first the group, then one of its choices. The group
in focus is not part of the draft: it is lost when the panel is redrawn.

If buttons for all fields are too many for one message, the fields get the available room in order, the one in
focus first; the others get selects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import discord
from discord.ui import ActionRow, Button, Select

from bot.domain.match import Panel
from bot.pages.custom_ids import WORD, Action, AnyId, pack_all
from bot.pages.page import LABEL, OPTION, PLACEHOLDER, Block, rows, text
from bot.pages.texts import GameTexts, Texts, plain, shorten, shorten_all
from engines.core.contract import COMPASS, Choice, Field, Menu, Style, Widget

OPTIONS = 25
"""Maximum choices in one select."""

SPAN = 30
"""Maximum characters of each of the two labels that name a part by its first and last choice."""

BUTTONS = 10
"""Maximum choices of a field that gets buttons, if it asks for them."""

PART = "@"
"""The separator between a field's key and the key of one of its parts."""

GAP = "·"
"""The label of a ring's place without a choice."""

PLAIN, CONFIRM = discord.ButtonStyle.secondary, discord.ButtonStyle.success
STYLES = {
    Style.PLAIN: discord.ButtonStyle.secondary,
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.DANGER: discord.ButtonStyle.danger,
}


IdOf: TypeAlias = Callable[[Action, str], AnyId]
"""Builds the id of a panel's component from its action and its word."""


@dataclass(frozen=True, slots=True, repr=False)
class Focus:
    """The part of a panel that a person wants to see: one field of many, one part of its choices."""

    field: str = ""
    part: str = ""
    more: bool = False
    """Whether to show also the buttons that are not needed to play a turn."""


NO_FOCUS = Focus()


@dataclass(frozen=True, slots=True)
class Part:
    """At most 25 choices of a field, under one label."""

    key: str = field(repr=False)
    label: str = field(repr=False)
    choices: tuple[Choice, ...] = field(repr=False)


class Controls:
    """Builds the controls of one panel."""

    def __init__(
        self,
        panel: Panel,
        texts: Texts,
        game_texts: GameTexts,
        id_of: IdOf,
        focus: Focus = NO_FOCUS,
        drawing: str = "",
        *,
        doors: Sequence[Button[Any]] = (),
    ) -> None:
        """``doors``: buttons that lead elsewhere, at the end of the last row while there is room.

        ``drawing`` makes the selects' custom ids differ from those of the panel's previous drawing.

        A client sends no choice that it shows as chosen already in a select with the same custom id: a choice
        that was refused, or lost with the focus, could not be chosen again.
        """
        self._drawing = drawing
        self._panel = panel
        self._texts = texts
        self._game_texts = game_texts
        self._id_of = id_of
        self._focus = focus
        self._doors = doors
        fields = [*(panel.menu.fields if panel.menu is not None else ())]
        if panel.answered is not None:
            fields.append(panel.answered)
        labels = game_texts.labels([part.label for part in fields], LABEL)
        self._labels = {part.key: label for part, label in zip(fields, labels, strict=True)}

    def blocks(self, budget: int) -> list[Block]:
        """Return the blocks for all fields and the rows at every panel's end: at most ``budget`` components.

        If even selects for all fields are too many, the user chooses the field first. The field that was
        answered last goes below the others, if there is room for it.
        """
        ending = self._ending()
        menu = self._panel.menu
        if menu is None:
            return ending
        budget -= _count(ending)
        found = self._all_fields(menu, budget) or self._one_field(menu)
        answered = self._answered()
        if _count(found) + _count(answered) <= budget:
            found += answered
        return found + ending

    def _ending(self) -> list[Block]:
        panel, menu = self._panel, self._panel.menu
        # On a phone, more than one row of three would push the picture out of sight while it matters most.
        # The button that shows the others redraws the panel, as Refresh does: it is the same button.
        short = menu is not None and bool(panel.draft) and not self._focus.more
        found: dict[Action, str] = {}
        if menu is not None and menu.closing:
            found[Action.CONFIRM] = "panel.confirm"
        if menu is not None and panel.draft:
            found[Action.BACK] = "panel.back"
            # Back does the same for a single word, and a draft that can be confirmed hardly needs Clear.
            if not short or (len(panel.draft) > 1 and not menu.closing):
                found[Action.CLEAR] = "panel.clear"
        elif menu is not None and panel.preset is not None:
            found[Action.PRESET] = "panel.preset"
        if menu is not None and not short:
            found[Action.TYPE] = "panel.type"
            if panel.offers_hint:
                found[Action.HINT] = "panel.hint"
        found[Action.REFRESH] = "panel.more" if short else "panel.refresh"
        labels, ids = self._texts.house_all(found.values()), self._ids([(action, "") for action in found])
        styles = [CONFIRM if action is Action.CONFIRM else PLAIN for action in found]
        return [*rows([*_buttons(labels, ids, styles), *([] if short else self._doors)])]

    def _all_fields(self, menu: Menu, budget: int) -> list[Block]:
        """Return blocks for all fields, each with as few taps as the room allows; or nothing."""
        titled = len(menu.fields) > 1
        forms = [list(self._forms(part, titled=titled)) for part in menu.fields]
        shown = [ways[-1] for ways in forms]
        room = budget - _count(self._shuffles(menu)) - sum(map(_count, shown))
        if room < 0:
            return []
        # A stable sort: all fields but the one in focus keep their order.
        for number in sorted(range(len(forms)), key=lambda n: menu.fields[n].key != self._focus.field):
            least = _count(shown[number])
            shown[number] = next(form for form in forms[number] if _count(form) <= least + room)
            room -= _count(shown[number]) - least
        return [block for form in shown for block in form] + self._shuffles(menu)

    def _forms(self, part: Field, *, titled: bool) -> Iterator[list[Block]]:
        """Yield the possible layouts of a field, from the fewest taps to the fewest components."""
        title = self._title(part, titled=titled)
        if ring := self._ring(part):
            yield ring
        elif made := self._buttons_of(part, part.choices):
            yield [*title, *rows(made)]
        if part.widget is Widget.GRID and part.groups:
            yield [*title, *self._grouped(part)]
        yield self._selects(part)

    def _buttons_of(
        self, part: Field, choices: Sequence[Choice], action: Action = Action.WORD
    ) -> list[Button[Any]]:
        """Return a button for each of ``choices``; none if the field's widget takes none, or fewer."""
        most = {Widget.BUTTONS: BUTTONS, Widget.GRID: OPTIONS}.get(part.widget, 0)
        return self._word_buttons(part, choices, action) if len(choices) <= most else []

    def _grouped(self, part: Field) -> list[Block]:
        """Return a button per group or, once a group is in focus, a select of groups and its choices."""
        parts = self._parts_by_group(part)
        shown = next((item for item in parts if self._in_focus(part, item)), None)
        if shown is None:
            return [*rows(self._part_buttons(part, parts))]
        # On a phone, rows of groups above those of choices would push the picture out of sight.
        return [*self._part_selects(part, parts), *rows(self._word_buttons(part, shown.choices))]

    def _answered(self) -> list[Block]:
        """Return the field that was answered last; of many choices, only those in the chosen one's part."""
        part = self._panel.answered
        if part is None:
            return []
        item = next(
            item for item in self._parts(part) if any(choice.word == part.chosen for choice in item.choices)
        )
        few = replace(part, choices=item.choices)
        # The field's own label may be a question, which has been answered.
        [chosen] = (choice for choice in item.choices if choice.word == part.chosen)
        instead = self._game_texts.label(chosen.label, LABEL)
        title = text(f"**{self._texts.house('panel.instead', choice=plain(instead))}**")
        if ring := self._ring(few, Action.INSTEAD):
            return [title, *ring[1:]]
        if made := self._buttons_of(few, few.choices, Action.INSTEAD):
            return [title, *rows(made)]
        return [self._choices(few, item, Action.INSTEAD)]

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

    def _part_buttons(self, part: Field, parts: Sequence[Part]) -> list[Button[Any]]:
        ids = self._ids([(Action.GROUP, f"{part.key}{PART}{item.key}") for item in parts])
        return _buttons([item.label for item in parts], ids, [PLAIN] * len(parts))

    def _title(self, part: Field, *, titled: bool) -> list[Block]:
        return [text(f"**{self._labels[part.key]}**")] if titled else []

    def _ring(self, part: Field, action: Action = Action.WORD) -> list[Block]:
        """Return the field's buttons around an empty middle; empty if the field is not a ring.

        Places without a choice get disabled buttons, so that all arrows keep their places.
        """
        places = {choice.at for choice in part.choices}
        if part.widget is not Widget.RING or not places <= set(filter(None, COMPASS)):
            return []
        places_of = [choice.at for choice in part.choices]
        buttons = self._word_buttons(part, part.choices, action)
        if len(buttons) < len(places_of):
            return []
        made = dict(zip(places_of, buttons, strict=True))
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
        chosen = [self._choices(part, item) for item in parts if self._in_focus(part, item)]
        return [*self._part_selects(part, parts), *chosen]

    def _part_selects(self, part: Field, parts: Sequence[Part]) -> list[Block]:
        found: list[Block] = []
        for number, some in enumerate(_chunks(parts, OPTIONS)):
            labels = shorten_all([item.label for item in some], OPTION)
            options = [
                discord.SelectOption(
                    label=label, value=f"{PART}{item.key}", default=self._in_focus(part, item)
                )
                for item, label in zip(some, labels, strict=True)
            ]
            word = part.key if number == 0 else f"{part.key}/{number}"
            found.append(self._select(Action.GROUP, word, self._labels[part.key], options))
        return found

    def _parts(self, part: Field) -> list[Part]:
        if len(part.choices) <= OPTIONS:
            return [Part("", self._labels[part.key], part.choices)]
        return self._parts_by_group(part)

    def _parts_by_group(self, part: Field) -> list[Part]:
        texts = self._game_texts
        labels = texts.labels([group.label for group in part.groups], LABEL)
        titles = {group.key: label for group, label in zip(part.groups, labels, strict=True)}
        titles[""] = self._texts.house("panel.others") if part.groups else self._labels[part.key]
        return parts_of(part, titles, lambda choices: texts.choice_labels(choices, SPAN))

    def _in_focus(self, part: Field, item: Part) -> bool:
        if self._focus.field == part.key and self._focus.part:
            return self._focus.part == item.key
        return bool(part.chosen) and any(choice.word == part.chosen for choice in item.choices)

    def _choices(self, part: Field, item: Part, action: Action = Action.PICK) -> ActionRow[Any]:
        labels = self._game_texts.choice_labels(item.choices, OPTION)
        details = self._game_texts.choice_details(item.choices, OPTION)
        options = [
            discord.SelectOption(
                label=label, value=choice.word, description=detail, default=choice.word == part.chosen
            )
            for choice, label, detail in zip(item.choices, labels, details, strict=True)
        ]
        return self._select(action, part.key, item.label, options)

    def _shuffles(self, menu: Menu) -> list[Block]:
        keys = [part.key for part in menu.fields if part.shuffle]
        if not keys:
            return []
        labels, ids = (
            [f"🔀 {self._labels[key]}" for key in keys],
            self._ids([(Action.SHUFFLE, key) for key in keys]),
        )
        return [*rows(_buttons(labels, ids, [PLAIN] * len(keys)))]

    def _word_buttons(
        self, part: Field, choices: Sequence[Choice], action: Action = Action.WORD
    ) -> list[Button[Any]]:
        """Return a button for each of ``choices``; none at all if a word does not fit into a custom id."""
        try:
            ids = self._ids([(action, choice.word) for choice in choices])
        except ValueError:
            return []
        labels = self._game_texts.choice_labels(choices, LABEL, eye="👁 ")
        # Buttons have no selected state: colour marks the chosen one.
        styles = [STYLES[Style.PRIMARY if choice.word == part.chosen else choice.style] for choice in choices]
        return _buttons(labels, ids, styles)

    def _select(
        self, action: Action, word: str, label: str, options: list[discord.SelectOption]
    ) -> ActionRow[Any]:
        # Reading the id ignores everything after the slash.
        own = f"{word}/~{self._drawing}" if self._drawing else word
        (custom_id,) = self._ids([(action, own if len(own) <= WORD else word)])
        return ActionRow(
            Select(custom_id=custom_id, placeholder=shorten(label, PLACEHOLDER), options=options)
        )

    def _ids(self, wanted: Sequence[tuple[Action, str]]) -> list[str]:
        return pack_all([self._id_of(action, word) for action, word in wanted])


def parts_of(
    part: Field, titles: Mapping[str, str], names: Callable[[Sequence[Choice]], list[str]]
) -> list[Part]:
    """Split a field's choices into parts of at most 25: by group, and large groups into several.

    ``titles``: names of the groups by key, with ``""`` for choices without a group. ``names``: names choices.
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
        Button(label=label, custom_id=custom_id, style=style)
        for label, custom_id, style in zip(shorten_all(labels, LABEL), ids, styles, strict=True)
    ]


def _count(blocks: Sequence[Block]) -> int:
    return sum(1 + (len(block.children) if isinstance(block, ActionRow) else 0) for block in blocks)


def _chunks(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
