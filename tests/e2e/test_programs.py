"""A match of four in which all program at once, through the real client, with modules; by night to its end.

Four persons answer by touch or by typing, each round in another order; the bot is killed while two seats
are done and two are not, one of them with dice typed and not yet said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from engines.core.rng import Rng, Stream
from engines.volt.view import UNITS, Phase, View
from tests.e2e.four import PEOPLE, Table, confirm, typed
from tests.e2e.proofs import nothing_private_reached_others, the_log_can_be_replayed
from tests.e2e.stage import Json, Player, Stage, asked, choices, draft_behind, places
from tests.kit.reading import text_of
from tests.kit.samples import MORE

KEY = "volt"
KILLED = 2 if MORE > 1 else 1
"""The round in which the bot is killed."""
SECRET = "program I:b6W II:r6S III:b1W"
TOLD = ("I · blue 6 W", "Unit I: blue 6 W. Unit II: red 6 S. Unit III: blue 1 W.")
"""The secret in words, as its panel has it on a button and beneath its picture."""


ROUNDS = 2 if MORE > 1 else 1
"""Rounds of all four after which the match is not played on; in any four everybody answers at every place."""


@pytest.mark.parametrize("rounds", [ROUNDS, pytest.param(10_000, marks=pytest.mark.nightly)])
async def test_four_program_at_once(rounds: int, tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        match = _Match(stage, [await stage.player(name) for name in PEOPLE])
        await match.begin()
        await match.play(lambda: match.killed and match.rounds >= rounds)
        assert match.killed
        everywhere = min(rounds, len(PEOPLE))
        assert all(len(taken) >= everywhere for taken in match.places.values()), match.places
        nothing_private_reached_others(stage)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        await the_log_can_be_replayed(stage, match.thread, KEY)


class _Match(Table):
    """An arena with modules; who answers when changes from round to round."""

    def __init__(self, stage: Stage, people: list[Player]) -> None:
        super().__init__(stage, people, KEY, arena="A")
        self.rng = Rng(bytes(32)).stream(KEY)
        self.killed = False
        self.rounds = 0
        self.places: dict[str, set[int]] = {player.id: set() for player in people}
        """At which places each person has answered, where all four were asked."""
        self._orders = _orders(self.rng)

    async def round(self, turns: list[Player]) -> None:
        """Let all answer, in another order each time that all four are asked."""
        if len(turns) == len(PEOPLE):
            self.rounds += 1
            turns = [turns[place] for place in next(self._orders)]
            for place, player in enumerate(turns):
                self.places[player.id].add(place)
        for player in turns:
            if len(turns) == len(PEOPLE) and player is turns[2]:
                await self._kill_once(turns)
            await self.answer(player)

    async def answer(self, player: Player) -> None:
        """Say what a good player says, or a program of chance touch by touch."""
        if not _programs(await player.open(self.thread)) or not self.rng.chance(1, 4):
            await super().answer(player)
            return
        await _touched(player, self.rng)
        await confirm(player)

    def _view(self) -> View:
        view: View = self.adviser.match().view(None)
        return view

    async def _kill_once(self, turns: list[Player]) -> None:
        """Kill the bot while two are done and two are not; the third has typed its dice."""
        view = self._view()
        if self.killed or view.phase is not Phase.PROGRAM or view.round < KILLED:
            return
        self.killed = True
        assert len(view.done) == 2
        waiting, others = turns[2], [player for player in turns if player is not turns[2]]
        seen = {player.id: len(player.window.received) for player in others}
        await typed(waiting, await waiting.open(self.thread), SECRET)
        await self.stage.kill_bot()
        await self.stage.start_bot()
        assert self._view().done == view.done
        panel = await waiting.open(self.thread)
        assert await draft_behind(waiting.window, panel) == SECRET, "the draft is gone"
        assert all(words in text_of(panel) for words in TOLD)
        ids = {player.id for player in turns[2:]}
        await waiting.board(self.thread, lambda board: set(asked(board)) == ids)
        for player in others:
            await draft_behind(player.window, await player.open(self.thread))
            events = player.window.received[seen[player.id] :]
            told = json.dumps([event.d for event in events], ensure_ascii=False)
            assert not any(secret in told for secret in ("b6W", *TOLD))


def _orders(rng: Stream) -> Iterator[tuple[int, ...]]:
    """Yield every order of four again and again; any four in a row put everybody at every place."""
    while True:
        for start in rng.shuffled([order for order in permutations(range(4)) if order[0] == 0]):
            for turn in range(4):
                yield (*start[turn:], *start[:turn])


def _programs(panel: Json) -> bool:
    """Return whether a panel asks for a program: it has a button for a die of the first unit."""
    return any(place.word.startswith(f"{UNITS[0]}:") for place in places(panel))


async def _touched(player: Player, rng: Stream) -> None:
    """Give a whole program by touch: die and arrow of each unit, a module if one fits, a tile."""
    for unit in range(3):
        for _ in ("die", "arrow"):
            await _touch_one(player, rng, f"{UNITS[unit]}:")
    if any(place.word.partition("/")[0] == "modules" for place, _ in choices(player.panel or {})):
        await _touch_one(player, rng, "modules")
    await _touch_one(player, rng, "tile:")


async def _touch_one(player: Player, rng: Stream, start: str) -> None:
    """Touch one of the components whose word begins so."""
    ways = [way for way in choices(player.panel or {}) if way[0].word.startswith(start)]
    await player.touch(*rng.choice(ways))
