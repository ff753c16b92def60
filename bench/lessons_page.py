"""All lessons played on the sandbox's page as on a phone: ``python -m bench.lessons_page volo --shots DIR``.

Somebody new types ``/learn``, presses *Start*, and goes through every lesson by what the panel offers, on a
screen of 390 × 844: first another turn, where turns can be listed, and then the solution, with as few touches
as it takes; at the end *Play your first match*. Printed are the touches of each lesson, and how much of the
panel's picture was in sight at worst. ``--shots DIR`` keeps a picture of each step.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import cast

import discord
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.keys import Keys

from bench.lessons import is_drawn, way_to
from bench.load import Bot
from bench.touches.controls import Step
from bench.touches.page import CONTROLS, PHONE, Row
from bench.touches.ways import NoWay
from bot.pages.custom_ids import Action, Button, ButtonId, PanelId, parse
from bot.pages.texts import Texts
from engines.core.contract import Words
from engines.core.lessons import Lesson, lessons
from engines.core.listing import NotListable, legal
from sandbox.server import Sandbox
from tests.kit.person import Person
from tests.kit.waiting import eventually
from tests.sandbox_web.window import Window, start_browser

CHANNEL = "games"

ANSWER = ".message.ephemeral"

TRIED = 20
"""Turns that miss the aim among which one is looked for that touches lead to."""

STARTING = 120.0
"""Seconds that the bot may take to start."""

CONFIRM = Step(Action.CONFIRM)


@dataclass(slots=True)
class Pupil:
    """Somebody new, who learns a game in a window of a phone's size."""

    window: Window
    game: str
    folder: Path | None
    touches: int = 0
    least: float = 1.0
    """How much of a panel's picture was in sight at worst, from 0 to 1."""
    _pictures: int = field(default=0)

    def begin(self, entrance: str, channel: int) -> None:
        """Open the channel, and ask for the lessons."""
        self.window.open(f"{entrance}&person=alba#{channel}", *PHONE)
        self.window.see("#bot", "online")
        self.window.click("#text")
        self.window.type(f"/learn {self.game}", Keys.ENTER)
        self._settled("")
        self._picture("lessons")

    def learn(self, lesson: Lesson) -> None:
        """Go to a lesson, try another turn, then do it."""
        self.press(Button.LESSON)
        self._picture(f"{lesson.key}-begin")
        if (other := another(lesson)) is not None:
            self._say(lesson, other, "tried")
            while self._has(Action.BACK):
                self._take(Step(Action.BACK))
        self._say(lesson, lesson.solutions[0], "done")

    def press(self, button: Button) -> None:
        """Touch the first control with this button, and wait for the answer."""
        message, row = self._row()
        found = [(each["key"], parse(each["key"])) for each in row["controls"]]
        keys = [key for key, place in found if isinstance(place, ButtonId) and place.button is button]
        if not keys:
            raise NoWay(f"no {button.value} among {[each['label'] for each in row['controls']]}")
        self._touch(message, keys[0], row["text"])

    def finish(self) -> None:
        """Open the first match."""
        self._picture("end")
        self.press(Button.FIRST_MATCH)
        opened = discord.utils.remove_markdown(Texts().house("said.opened"))
        try:
            self.window.wait(lambda: any(opened in said for said in self.window.texts(ANSWER)), "first match")
        except TimeoutException:
            raise NoWay(f"no first match: {opened!r} is not in {self.window.texts(ANSWER)[-2:]}") from None
        self._picture("first-match")

    def _say(self, lesson: Lesson, words: Words, name: str) -> None:
        if is_drawn(lesson):
            self._type(lesson.start.game.write(words))
            self._picture(f"{lesson.key}-typed")
            self._take(CONFIRM)
            self._picture(f"{lesson.key}-{name}")
            return
        for step in way_to(lesson, words):
            self._take(step)
            self._picture(f"{lesson.key}-{name}")

    def _type(self, text: str) -> None:
        """Open the modal, type, and send it."""
        _, row = self._row()
        places = ((each["key"], parse(each["key"])) for each in row["controls"])
        key = next(key for key, place in places if isinstance(place, PanelId) and place.action is Action.TYPE)
        self.window.click(f'[data-key="{key}"]')
        self.window.see("dialog input, dialog textarea").send_keys(text)
        self._picture("modal")
        self.window.click("dialog button[type=submit], dialog .primary")
        self.touches += 2 + len(text)
        self._settled(row["text"])

    def _take(self, step: Step) -> None:
        message, row = self._row()
        found = (parse(each["key"]) for each in row["controls"])
        keys = [each["key"] for each, place in zip(row["controls"], found, strict=True) if _is(step, place)]
        if not keys:
            raise NoWay(f"the page does not offer {step}")
        self._touch(message, keys[0], row["text"], step.value)

    def _touch(self, message: str, key: str, before: str, value: str | None = None) -> None:
        element = self.window.all(f'.message[data-id="{message}"] [data-key="{key}"]')[0]
        self.window.focus().execute_script("arguments[0].scrollIntoView({block: 'nearest'})", element)
        element.click()
        self.touches += 1
        if value is not None:
            self.window.click(f'.popup [role=option][data-value="{value}"]')
            self.touches += 1
        self.least = min(self.least, self._settled(before)["picture"])

    def _has(self, action: Action) -> bool:
        _, row = self._row()
        places = (parse(each["key"]) for each in row["controls"])
        return any(isinstance(place, PanelId) and place.action is action for place in places)

    def _row(self) -> tuple[str, Row]:
        """Return the newest private message, as it is laid out."""
        message = self.window.wait(lambda: self.window.all(ANSWER)[-1], "answer")
        name = str(message.get_attribute("data-id"))
        return name, cast("Row", self.window.focus().execute_script(CONTROLS, name))

    def _settled(self, before: str) -> Row:
        def found() -> Row | None:
            _, row = self._row()
            return None if row["busy"] or row["text"] == before else row

        row = self.window.wait(found, "answer")
        if row["failed"]:
            raise NoWay("the bot did not answer in time on the page")
        return row

    def _picture(self, label: str) -> None:
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"\W+", "-", label)
        self.window.focus().save_screenshot(str(self.folder / f"{self._pictures:02}-{name}.png"))
        self._pictures += 1


def _is(step: Step, place: object) -> bool:
    return isinstance(place, PanelId) and step.is_at(place)


def another(lesson: Lesson) -> Words | None:
    """Return the first turn that misses the aim and that touches lead to; ``None`` where none is listed."""
    match = lesson.start
    try:
        found = legal(match.game, match.view(lesson.seat))
    except NotListable:
        return None
    wrong = (words for words in found if not lesson.judge(words).reached)
    return next((words for words in islice(wrong, TRIED) if _is_touched(lesson, words)), None)


def _is_touched(lesson: Lesson, words: Words) -> bool:
    try:
        return bool(way_to(lesson, words))
    except NoWay:
        return False


@contextmanager
def phone(folder: Path) -> Iterator[Window]:
    """Run a browser with one window."""
    driver = start_browser(folder / "profile")
    try:
        yield Window(driver, driver.current_window_handle)
    finally:
        driver.quit()


def learn(window: Window, sandbox: Sandbox, key: str, shots: Path | None) -> bool:
    """Learn a game; print what it took, and return whether all of it could be done."""
    pupil = Pupil(window, key, None if shots is None else shots / key)
    [channel] = [each.id for each in sandbox.records.channels.values() if each.name == CHANNEL]
    try:
        pupil.begin(sandbox.entrance, channel)
        for lesson in lessons(key):
            before = pupil.touches
            pupil.learn(lesson)
            print(f"{key:5} {lesson.key:12} {pupil.touches - before:3} touches, another turn included")
        pupil.finish()
    except (NoWay, TimeoutException) as error:
        print(f"{key}: {error}")
        return False
    print(f"{key:5} {'all':12} {pupil.touches:3} touches · picture {pupil.least:.0%} at worst")
    return True


async def run(keys: Sequence[str], shots: Path | None, folder: Path) -> bool:
    """Learn games one after the other; return whether all could be."""
    sandbox = Sandbox()
    await sandbox.start()
    bot = await Bot.start(sandbox, folder)
    person = await Person.connect(sandbox.entrance, "Alba")
    try:
        await eventually(lambda: person.bot.get("online") and person.commands, STARTING)
        with phone(folder) as window:
            done = [await asyncio.to_thread(learn, window, sandbox, key, shots) for key in keys]
    finally:
        await person.close()
        await bot.stop()
        await sandbox.stop()
    return all(done)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the lessons; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.lessons_page")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--shots", type=Path, help="a folder for a picture of each step")
    options = parser.parse_args(arguments)
    os.environ["BAUTA_WARM_UP"] = "false"
    with tempfile.TemporaryDirectory() as folder:
        return 0 if asyncio.run(run(options.games, options.shots, Path(folder))) else 1


if __name__ == "__main__":
    sys.exit(main())
