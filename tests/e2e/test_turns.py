"""A match of four whose turns are made of steps, through the real client; by night to the treasure count.

The bot is killed in the middle of a turn, with two steps taken and nothing drawn: the draft is still there,
and no other window has seen a trace of it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.core.contract import Words
from engines.core.match import Match
from engines.core.texts import load
from engines.corto.names import card_name
from engines.corto.view import CARDS, Phase
from tests.e2e.four import PEOPLE, Table, typed
from tests.e2e.proofs import nothing_private_reached_others, the_log_can_be_replayed
from tests.e2e.stage import Player, Stage, draft_behind

KEY = "corto"
STEPS = 2
"""Steps of the draft that outlives the bot."""


TURNS = 4
"""Turns after which the match is not played on, the bot having been killed."""


@pytest.mark.parametrize("turns", [TURNS, pytest.param(10_000, marks=pytest.mark.nightly)])
async def test_four_take_turns_of_steps(turns: int, tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        match = _Match(stage, [await stage.player(name) for name in PEOPLE], KEY)
        await match.begin()
        await match.play(lambda: match.killed and match.turns >= turns)
        assert match.killed
        nothing_private_reached_others(stage)
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()
        await the_log_can_be_replayed(stage, match.thread, KEY)


class _Match(Table):
    killed = False
    turns = 0

    async def answer(self, player: Player) -> None:
        """Say what a good player would say; once, after a draft that outlived the bot."""
        self.turns += 1
        match = self.adviser.match()
        seat = self.adviser.seat(player.id)
        if not self.killed and match.view(None).phase is Phase.TURN:
            draft = _two_steps(match, seat)
            if draft:
                await self._kill(player, match, draft)
                self.killed = True
        await super().answer(player)

    async def _kill(self, player: Player, match: Match, draft: Words) -> None:
        text = match.game.write(draft)
        others = [other for other in self.people if other is not player]
        seen = {other.id: len(other.window.received) for other in others}
        await typed(player, await player.open(self.thread), text)
        await self.stage.kill_bot()
        await self.stage.start_bot()
        assert await draft_behind(player.window, await player.open(self.thread)) == text, "the draft is gone"
        secrets = [word for word in draft if word in CARDS]
        names = load("engines.corto").languages["en"]
        assert secrets
        for other in others:
            await other.open(self.thread)
            told = json.dumps(other.window.received[seen[other.id] :], default=str)
            assert not any(card in told or str(names[card_name(card).key]) in told for card in secrets)
        assert self.adviser.match().digest() == match.digest()


def _two_steps(match: Match, seat: int) -> Words:
    """Return a draft of two whole steps that reveal nothing and end nothing; ``()`` where there is none."""
    found: list[Words] = [()]
    for _ in range(STEPS):
        found = [longer for draft in found[:8] for longer in _one_more(match, seat, draft)]
    return found[0] if found else ()


def _one_more(match: Match, seat: int, draft: Words) -> list[Words]:
    """Return drafts of one more whole step."""
    found: list[Words] = []
    front = [draft]
    for _ in range(3):
        menus = [menu for words in front if (menu := match.menu(seat, words)) is not None]
        front = []
        for menu in menus:
            for choice in menu.choices()[:12]:
                after = None if choice.reveals else match.menu(seat, (*menu.draft, choice.word))
                if after is None or after.closing:
                    continue
                (found if after.complete else front).append(after.draft)
        if found:
            break
    return found
