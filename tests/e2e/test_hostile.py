"""The house under attack: whatever arrives, nothing happens that the rules do not allow; see bench/hostile.

``HOSTILE_SEED`` runs another attack than the usual one; a failure prints its seed and the interaction.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import pytest

from bench.hostile.payloads import ROLE
from bench.hostile.run import attack
from bench.hostile.watch import Broken
from bot.app import Bauta
from bot.interactions.panel import Panels
from bot.interactions.reply import Reply, SeenInteractions
from bot.matches.actions import Actions
from bot.matches.drafts import build_panel
from bot.pages import custom_ids, texts
from bot.pages.mentions import CommandMentions

SEED = int(os.environ.get("HOSTILE_SEED", "2026"))
COUNT = 2_000
FEW = 300
PLANTED = 16_000
"""Interactions within which a planted bug must be found; most need some hundred, and chance decides."""


@pytest.mark.parametrize("count", [FEW, pytest.param(COUNT, marks=pytest.mark.nightly)])
async def test_nothing_gives_way(count: int) -> None:
    report = await attack(SEED, count)
    assert report.interactions >= count
    # The attack was one: matches went on meanwhile, and most of what was delivered reached the bot.
    assert report.written["log"] > count // 70
    assert report.written["draft"] > count // 35
    assert report.written["opened"] > 1
    assert report.unreadable < report.interactions / 4


def trusting_the_id(patch: pytest.MonkeyPatch) -> None:
    """Let a decision's id say who confirms, and not who pressed."""
    press, confirm, pressed = Panels.click, Actions.confirm, ContextVar("pressed", default="")

    async def noting(self: Panels, reply: Any, place: Any, values: Any) -> None:
        pressed.set(place.decision)
        await press(self, reply, place, values)

    async def trusting(self: Actions, click: Any, person: Any, request: Any) -> Any:
        live = await self._cache.get(click.table_id)
        for chair in live.info.chairs:
            if chair.person is not None and chair.seat is not None and live.log is not None:
                person = chair.person if live.seat_view(chair.seat).decision == pressed.get() else person
        return await confirm(self, click, person, request)

    patch.setattr(Panels, "click", noting)
    patch.setattr(Actions, "confirm", trusting)


def mentioning_anybody(patch: pytest.MonkeyPatch) -> None:
    """Leave out the client's default of whom messages call."""
    begin = Bauta.__init__

    def careless(self: Bauta, *given: Any) -> None:
        begin(self, *given)
        self._connection.allowed_mentions = None

    patch.setattr(Bauta, "__init__", careless)


def mentioning_other_commands(patch: pytest.MonkeyPatch) -> None:
    """Mention commands by ids that are not theirs."""
    learn = CommandMentions.learn

    def confused(self: CommandMentions, listed: list[Any]) -> None:
        learn(self, [{**each, "id": int(each["id"]) + 1} for each in listed])

    patch.setattr(CommandMentions, "learn", confused)


def letting_mentions_through(patch: pytest.MonkeyPatch) -> None:
    """Show a mention of a command that a player has written as one."""
    plain = texts.plain
    patch.setattr(texts, "plain", lambda text: re.sub(r"\\?<(/\w+:)", r"<\1", plain(text)))


def stumbling_over_numbers(patch: pytest.MonkeyPatch) -> None:
    """Take more for a number than can be read as one."""
    patch.setattr(custom_ids, "_NUMBER", re.compile(r"[A-Za-z0-9_.-]{1,40}", re.ASCII))


def forgetting(patch: pytest.MonkeyPatch) -> None:
    """Take what is delivered twice for two interactions."""
    patch.setattr(SeenInteractions, "is_new", lambda self, number: True)


def answering_in_public(patch: pytest.MonkeyPatch) -> None:
    """Put answers into whatever message was clicked."""
    patch.setattr(Reply, "_in_private", True)


def showing_the_other_side(patch: pytest.MonkeyPatch) -> None:
    """Draw the panel of the seat that was asked first, whoever looks."""
    panel = build_panel

    def shown(live: Any, seat: int, *given: Any, **more: Any) -> Any:
        return panel(live, min(live.row.asked, default=seat), *given, **more)

    patch.setattr("bot.matches.drafts.build_panel", shown)


def keeping_everything(patch: pytest.MonkeyPatch) -> None:
    """Keep a note of every interaction for ever."""
    patch.setattr("bot.interactions.reply.REMEMBERED", 10**9)


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (trusting_the_id, "nobody was entitled|another seat"),
        (mentioning_anybody, "without allowed_mentions"),
        (mentioning_other_commands, r"</\w+:\d{1,2}>' is rendered"),
        (letting_mentions_through, rf"</play:{ROLE}>' is rendered"),
        pytest.param(stumbling_over_numbers, "ValueError", marks=pytest.mark.nightly),
        # It takes some ten thousand interactions.
        pytest.param(
            forgetting,
            "nobody was entitled|Ignoring exception in autocomplete",
            marks=pytest.mark.nightly,
        ),
        (answering_in_public, "which others see"),
        (showing_the_other_side, "another seat|may not see"),
    ],
)
async def test_a_planted_bug_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Broken, match=rf"seed {SEED}, interaction \d+[\s\S]*({said})"):
        await attack(SEED, PLANTED)


@pytest.mark.nightly
async def test_what_grows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    keeping_everything(monkeypatch)
    with pytest.raises(Broken, match="once holds"):
        await attack(SEED, COUNT + 900)
