"""A search of four, two of them in direct messages only, through the real client; by night to its end.

The bot is killed while somebody chooses which cards to show: the choice is still there, the match is
unchanged, and no other window has seen a trace of a card that it was not shown.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.pages.custom_ids import Action
from engines.doge.view import Phase
from tests.e2e.four import PEOPLE, typed
from tests.e2e.proofs import nothing_private_reached_others, the_log_can_be_replayed
from tests.e2e.searching import Search, who_saw_what
from tests.e2e.stage import EPHEMERAL, Player, Stage, action, draft_behind

TURNS = 6
"""Sentences after which the match is not played on, the bot having been killed."""


@pytest.mark.parametrize("turns", [TURNS, pytest.param(10_000, marks=pytest.mark.nightly)])
async def test_four_search_two_of_them_in_direct_messages(turns: int, tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        people = [await stage.player(name) for name in PEOPLE]
        search = _Search(stage, people, people[2:])
        await search.begin()
        await search.play(lambda: search.killed and search.turns >= turns)
        assert search.killed
        shown = await who_saw_what(search)
        assert shown["shown"] == shown["showed"] > 0
        nothing_private_reached_others(stage)
        # They have pressed nothing there, and asked for nothing there.
        for player in search.remote:
            assert all(
                e.d["channel_id"] != search.thread or not e.d["flags"] & EPHEMERAL
                for e in stage.sandbox.audit(player.window.name)
                if e.t.startswith("MESSAGE_") and "flags" in e.d
            )
        # A panel may be redrawn by its reader in the moment in which its buttons are taken away.
        assert [v for v in stage.sandbox.violations if "REFERENCED_ATTACHMENT_NOT_FOUND" not in v.text] == []
        assert "incident" not in stage.logged()
        await the_log_can_be_replayed(stage, search.thread, "doge")


class _Search(Search):
    killed = False
    turns = 0

    async def answer(self, player: Player) -> None:
        """Answer; the first who chooses what to show does it after a draft that outlived the bot."""
        self.turns += 1
        if not self.killed and self.public.phase is Phase.SHOW:
            self.killed = True
            await self._kill(player)
        await super().answer(player)

    async def _kill(self, giver: Player) -> None:
        before, text = self.adviser.match(), self.adviser.sentence(giver.id)
        self.said[giver.id].append(text)
        await typed(giver, await self.panel(giver), text)
        await self.stage.kill_bot()
        await self.stage.start_bot()
        assert giver.panel is not None
        panel = await giver.touch(action(giver.panel, Action.REFRESH))
        assert await draft_behind(giver.window, panel) == text, "the draft is gone"
        assert self.adviser.match().digest() == before.digest()
        for player in self.people:
            if player is not giver:
                await self.unasked(player)
                await self.complete(player, "")
