"""A turn played on the sandbox's page, touch by touch; what lies out of sight at each is written down."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict, cast

from selenium.webdriver.remote.webelement import WebElement

from bench.touches.controls import Step, matters
from bench.touches.trial import OPEN
from bench.touches.ways import NoWay, Way
from bot.pages.custom_ids import Button, ButtonId, PanelId, parse
from tests.sandbox_web.window import Window

PHONE, DESKTOP = (390, 844), (1280, 800)
"""Widths and heights of screens, in CSS pixels."""

_PANEL = ".message.ephemeral"

CONTROLS = """
const pane = document.querySelector("#scroller").getBoundingClientRect();
const row = document.querySelector(`.message[data-id="${arguments[0]}"]`);
const box = (node) => node.getBoundingClientRect();
const inSight = (node) => Math.min(box(node).bottom, pane.bottom) - Math.max(box(node).top, pane.top);
const picture = row.querySelector("img");
const shown = (node) => ({ above: pane.top - box(node).top, below: box(node).bottom - pane.bottom });
return {
  controls: [...row.querySelectorAll("[data-key]")].map((node) =>
    ({ key: node.dataset.key, label: node.innerText.trim(), disabled: node.disabled, ...shown(node) })),
  picture: picture === null ? 1 : Math.max(0, inSight(picture) / box(picture).height),
  busy: document.querySelectorAll("[aria-busy=true]").length > 0
    || [...row.querySelectorAll("img")].some((img) => !img.complete),
  failed: row.querySelector(".failed") !== null,
  text: row.innerHTML,
};
"""
"""Tells how a message is laid out, given its id: see :class:`Row`."""


class Control(TypedDict):
    """A control of a message; ``above``, ``below``: how many pixels of it lie out of sight, if positive."""

    key: str
    label: str
    disabled: bool
    above: float
    below: float


class Row(TypedDict):
    """A message as it is laid out; ``picture``: how much of its first one is in sight, from 0 to 1."""

    controls: list[Control]
    picture: float
    busy: bool
    failed: bool
    text: str


@dataclass(frozen=True, slots=True)
class Seen:
    """A step as it was taken, and the controls that matter that were out of sight after it."""

    label: str
    touches: int
    scrolled: bool
    """Whether its control had to be scrolled to."""
    hidden: tuple[str, ...]
    picture: float | None
    """How much of the panel's picture was in sight after it, from 0 to 1; ``None`` after the last step."""


@dataclass(slots=True)
class Screen:
    """The window of a person, and where its pictures go."""

    window: Window
    entrance: str
    idle: Callable[[], bool]
    """Whether the bot has shown all that follows from what was done so far."""
    size: tuple[int, int] = PHONE
    folder: Path | None = None
    _match: str = ""
    _pictures: int = 0
    _seen: list[Seen] = field(default_factory=list)

    def play(self, person: str, thread: int, match: str, way: Way) -> list[Seen]:
        """Play a turn from the newest message of a thread on; return its steps as they were seen."""
        self._match = match
        self.window.open("about:blank")
        self.window.open(f"{self.entrance}&person={person}#{thread}", *self.size)
        board = self.window.wait(self._board, "board")
        self._settled(board)
        self._picture("thread")
        for step in way:
            self._take(step)
        # What is offered and shown after the turn is for another one.
        return [*self._seen[:-1], replace(self._seen[-1], hidden=(), picture=None)]

    # --- finding ------------------------------------------------------------------------------------

    def _board(self) -> str | None:
        return self._newest(
            ".message", lambda place: isinstance(place, ButtonId) and place.button is Button.TURN
        )

    def _panel(self) -> str | None:
        return self._newest(_PANEL, lambda place: isinstance(place, PanelId))

    def _new_panel(self, before: str | None) -> str:
        """Return the newest panel once it is another one than before."""
        return self.window.wait(lambda: found if (found := self._panel()) != before else None, "panel")

    def _newest(self, selector: str, fits: Callable[[object], bool]) -> str | None:
        """Return the id of the newest message with a control of the match that fits."""
        rows = self.window.run(
            f"return [...document.querySelectorAll('{selector}')].map((row) => [row.dataset.id,"
            " [...row.querySelectorAll('[data-key]')].map((node) => node.dataset.key)])"
        )
        found = cast("list[tuple[str, list[str]]]", rows)
        return next((name for name, keys in reversed(found) if any(map(fits, self._ours(keys)))), None)

    def _ours(self, keys: Iterable[str]) -> list[object]:
        places = (place for place in map(parse, keys) if isinstance(place, ButtonId | PanelId))
        return [place for place in places if place.match == self._match]

    def _row(self, message: str) -> Row:
        return cast("Row", self.window.focus().execute_script(CONTROLS, message))

    def _settled(self, message: str, before: str = "") -> Row:
        """Return a message once nothing in it is on its way, and it is no longer what it was before."""

        def found() -> Row | None:
            row = self._row(message)
            return None if row["busy"] or row["text"] == before else row

        return self.window.wait(found, "answer")

    # --- touching -----------------------------------------------------------------------------------

    def _take(self, step: Step) -> None:
        last = self._panel()
        message = self.window.wait(self._board if step == OPEN else self._panel, "message")
        row = self._row(message)
        control = next(each for each in row["controls"] if _is(step, each))
        element = self._element(f'.message[data-id="{message}"] [data-key="{control["key"]}"]')
        scrolled = _is_hidden(control)
        if scrolled:
            self.window.focus().execute_script("arguments[0].scrollIntoView({block: 'nearest'})", element)
        element.click()
        label = control["label"]
        if step.value is not None:
            label = f"{label} → {self._pick(step.value)}"
        panel = self._new_panel(last) if step == OPEN else message
        self._settled(panel, row["text"] if panel == message else "")
        # What is posted now moves the panel: a person looks up once all is there.
        self.window.wait(self.idle, "board")
        after = self._settled(panel)
        if after["failed"]:
            raise NoWay("the bot did not answer in time on the page")
        hidden = tuple(each["label"] for each in after["controls"] if _matters(each) and _is_hidden(each))
        self._seen.append(Seen(label, step.touches, scrolled, hidden, after["picture"]))
        self._picture(label)

    def _element(self, selector: str) -> WebElement:
        return self.window.wait(lambda: self.window.all(selector)[0], selector)

    def _pick(self, value: str) -> str:
        """Touch an option of the select that is open; return what it is called."""
        option = self._element(f'.popup [role=option][data-value="{value}"]')
        self._picture("open")
        label = option.text.partition("\n")[0]
        option.click()
        return label

    def _picture(self, label: str) -> None:
        if self.folder is None:
            return
        name = re.sub(r"\W+", "-", label).strip("-")[:40]
        self.folder.mkdir(parents=True, exist_ok=True)
        self.window.focus().save_screenshot(str(self.folder / f"{self._pictures:02}-{name}.png"))
        self._pictures += 1


def _is(step: Step, control: Control) -> bool:
    place = parse(control["key"])
    if step == OPEN:
        return isinstance(place, ButtonId) and place.button is Button.TURN
    return isinstance(place, PanelId) and step.is_at(place)


def _matters(control: Control) -> bool:
    place = parse(control["key"])
    return isinstance(place, PanelId) and matters(place) and not control["disabled"]


def _is_hidden(control: Control) -> bool:
    return max(control["above"], control["below"]) > 1
