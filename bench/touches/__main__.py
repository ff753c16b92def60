"""How many touches a turn takes: ``python -m bench.touches``, played on the sandbox's page as on a phone.

Each kind of turn is looked for in matches of known seeds, and played by whatever controls the panel offers: a
person without a browser tries out which way to its words takes the fewest touches, and the page of a phone
(390 × 844) plays that way in the same position. Touches are counted from the thread's newest message to the
receipt: a button is one, a select two, for it is opened first; *Open your panel* and Confirm count too. The
table shows the most that any seed took, how often a control had to be scrolled to, after how many steps a
control that matters lay out of sight, and how little of the panel's picture was in sight at worst. The exit
status is 1 where a bound is missed.
``--shots DIR`` keeps a picture of each step, ``--desktop`` plays all on a screen of 1280 × 800 too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from selenium.common.exceptions import TimeoutException
from selenium.webdriver import Chrome

from bench.load import Bot
from bench.opening import Opening, opening, part_of, people_of, seed_of
from bench.structure import table as aligned
from bench.touches.page import DESKTOP, PHONE, Screen, Seen
from bench.touches.trial import Table, Trial
from bench.touches.turns import KINDS, Kind, Position, position
from bench.touches.ways import NoWay, Way
from engines.core.registry import game
from sandbox.server import Sandbox
from tests.e2e.stage import Player
from tests.kit.person import Person, PersonError
from tests.kit.waiting import eventually
from tests.sandbox_web.window import Window, start_browser

WAITS = 20.0
"""Seconds that an answer is waited for."""

BEHIND = 900.0
"""Seconds until all boards must be there."""


@dataclass(frozen=True, slots=True)
class Case:
    """A position with a match for the trial, and one for each screen."""

    position: Position
    number: int
    person: int
    tables: tuple[str, ...]


@dataclass(slots=True)
class Measured:
    """What the turns of one kind took."""

    kind: Kind
    touches: list[int] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        """Return whether it was played, each time with no more touches than it may take."""
        return bool(self.touches) and not self.troubles and max(self.touches) <= self.kind.most

    def row(self) -> list[str]:
        """Return its figures, as the table shows them."""
        scrolled, hidden = sum(one.scrolled for one in self.seen), sum(bool(one.hidden) for one in self.seen)
        most = str(max(self.touches)) if self.touches else "–"
        picture = min((one.picture for one in self.seen if one.picture is not None), default=0.0)
        steps = len(self.seen)
        figures = [most, str(self.kind.most), f"{scrolled}/{steps}", f"{hidden}/{steps}", f"{picture:.0%}"]
        return [game(self.kind.game).manifest.title, self.kind.name, *figures, "" if self.kept else "MISSED"]


HEAD = ["", "", "touches", "at most", "scrolled", "hidden", "picture", ""]


async def cases(house: Opening, sandbox: Sandbox, kind: Kind, seeds: int, copies: int) -> list[Case]:
    """Begin the matches of a kind of turn, and play them up to it."""
    people, found = people_of(sandbox), list[Case]()
    for number in range(1, seeds + 1):
        part = part_of(number, kind.game)
        at = position(kind, seed_of(part, game(kind.game)))
        if at is None:
            continue
        tables: list[str] = []
        for _ in range(copies):
            tables.append(await house.begin(game(kind.game), people, part, dict(kind.options)))
            for seat, words in at.before:
                await house.say(tables[-1], seat, words)
        found.append(Case(at, number, await house.person(tables[0], at.seat), tuple(tables)))
    return found


@dataclass(slots=True)
class Bench:
    """A sandbox with the bot, its people, and a browser."""

    sandbox: Sandbox
    bot: Bot
    players: Mapping[int, Player]
    window: Window
    screens: Sequence[tuple[int, int]]
    shots: Path | None

    async def measure(self, kind: Kind, found: Iterable[Case]) -> Measured:
        """Play the turns of a kind; print each."""
        measured = Measured(kind)
        for case in found:
            try:
                await self._measure(case, measured)
            except (NoWay, PersonError, TimeoutError, TimeoutException) as error:
                measured.troubles.append(f"seed {case.number} was not played: {error}")
        if not measured.touches and not measured.troubles:
            measured.troubles.append("no match came to such a turn")
        for trouble in measured.troubles:
            print(f"{kind.game}, {kind.name}: {trouble}", flush=True)
        return measured

    async def _measure(self, case: Case, measured: Measured) -> None:
        tables = [Table(self.bot.database, name) for name in case.tables]
        way = await Trial(tables[0], case.position, self.players[case.person]).play()
        said = tables[0].match().log
        for table, size in zip(tables[1:], self.screens, strict=True):
            seen = await asyncio.to_thread(self._play, case, table, size, way)
            if table.match().log != said:
                raise NoWay("the page has said something else")
            if size != PHONE:
                continue
            touches = sum(step.touches for step in seen)
            print(f"{case.position.kind.game}, {case.position.kind.name}: {touches} touches", flush=True)
            for line in told(seen):
                print(f"    {line}", flush=True)
            measured.touches.append(touches)
            measured.seen += seen

    def _play(self, case: Case, table: Table, size: tuple[int, int], way: Way) -> list[Seen]:
        kind = case.position.kind
        folder = None
        if self.shots is not None:
            name = f"{kind.game}-{kind.name.replace(', ', '-').replace(' ', '-')}-{case.number}"
            folder = self.shots / ("phone" if size == PHONE else "desktop") / name
        thread = table.thread()
        assert thread is not None
        screen = Screen(self.window, self.sandbox.entrance, lambda: not self.bot.jobs(), size, folder)
        return screen.play(str(case.person), thread, table.id, way)


def told(seen: Iterable[Seen]) -> Iterator[str]:
    """Yield a line for each step."""
    for step in seen:
        marks = " (scrolled to)" if step.scrolled else ""
        hidden = f"; out of sight then: {', '.join(step.hidden)}" if step.hidden else ""
        picture = "" if step.picture is None else f" · picture {step.picture:.0%}"
        yield f"{step.touches}  {' '.join(step.label.split())}{marks}{picture}{hidden}"


@contextmanager
def browser(profile: Path) -> Iterator[Chrome]:
    """Run a browser."""
    driver = start_browser(profile)
    try:
        yield driver
    finally:
        driver.quit()


async def run(options: argparse.Namespace, folder: Path) -> bool:
    """Measure all kinds of turns that are asked for; return whether all bounds are kept."""
    kinds = [kind for kind in KINDS if kind.game in options.games]
    screens = [PHONE, DESKTOP] if options.desktop else [PHONE]
    sandbox = Sandbox()
    await sandbox.start()
    database = folder / "bauta.db"
    async with opening(database, sandbox) as house:
        found = [await cases(house, sandbox, kind, options.seeds, 1 + len(screens)) for kind in kinds]
    bot = await Bot.start(sandbox, folder)
    players = {
        person.id: Player(await Person.connect(sandbox.entrance, person.id))
        for person in sandbox.records.people()
    }
    try:
        for player in players.values():
            player.window.patience = WAITS
        tables = [Table(database, name) for some in found for case in some for name in case.tables]
        await eventually(lambda: all(table.thread() for table in tables) and not bot.jobs(), BEHIND)
        with browser(folder / "profile") as driver:
            window = Window(driver, driver.current_window_handle)
            bench = Bench(sandbox, bot, players, window, screens, options.shots)
            measured = [await bench.measure(kind, some) for kind, some in zip(kinds, found, strict=True)]
    finally:
        for player in players.values():
            await player.window.close()
        await bot.stop()
        await sandbox.stop()
    print(aligned([HEAD, *(each.row() for each in measured)]))
    return all(each.kept for each in measured)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    keys = list(dict.fromkeys(kind.game for kind in KINDS))
    parser = argparse.ArgumentParser(
        prog="python -m bench.touches", description=(__doc__ or "").partition("\n\n")[0]
    )
    parser.add_argument("games", nargs="*", default=keys, help="all, if none is named")
    parser.add_argument("--seeds", type=int, default=2, help="positions of each kind of turn")
    parser.add_argument("--shots", type=Path, help="a folder for a picture of each step")
    parser.add_argument("--desktop", action="store_true", help="play on a large screen too")
    options = parser.parse_args(arguments)
    if unknown := set(options.games) - set(keys):
        parser.error(f"there is no game {min(unknown)}")
    if shutil.which("chromedriver") is None:
        parser.error("chromium or chromedriver is not installed")
    os.environ["BAUTA_WARM_UP"] = "false"
    with tempfile.TemporaryDirectory() as folder:
        return 0 if asyncio.run(run(options, Path(folder))) else 1


if __name__ == "__main__":
    sys.exit(main())
