"""Answers: acknowledged first, private always, and never a traceback to anybody."""

from __future__ import annotations

import asyncio
import re
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.refusals import Refusal
from bot.gateway.discord_errors import ALREADY_ACKNOWLEDGED
from bot.gateway.edit_order import EditOrder
from bot.gateway.rest_health import ApiPaused
from bot.interactions import reply
from bot.interactions.context import Context
from bot.interactions.panel import Panels
from bot.interactions.reply import MAX_DIRECT_BYTES, Reply, SeenInteractions, guarded
from bot.pages.custom_ids import Action, PanelId
from bot.pages.page import Upload, page, text, text_page
from bot.pages.texts import Texts
from bot.runtime.background import BackgroundTasks
from bot.store import StoreError
from engines.core.contract import msg
from tests.kit.waiting import eventually, for_ever
from tests.ui.fakes import FakeAdapter, pressed
from tests.ui.positions import KEYS, begun, panel_of

ENGLISH = Texts()
EPHEMERAL = 1 << 6


def trouble(code: int, status: int = 400) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(response, {"code": code, "message": ""})


async def test_a_refusal_is_said(client: discord.Client, adapter: FakeAdapter) -> None:
    async def handler(reply: Reply) -> None:
        await reply.defer()
        raise Refusal(msg("error.stale"))

    await guarded(Reply(pressed(client, 1)), handler)
    assert adapter.bodies[0] == {"flags": EPHEMERAL}
    assert adapter.said() == ENGLISH.house("error.stale")


@pytest.mark.parametrize("held", [True, False])
async def test_a_fault_gets_a_number_and_says_nothing_else(
    client: discord.Client, adapter: FakeAdapter, caplog: pytest.LogCaptureFixture, *, held: bool
) -> None:
    async def handler(reply: Reply) -> None:
        if held:
            await reply.defer_edit()
        raise ZeroDivisionError("a secret of the match")

    await guarded(Reply(pressed(client, 1)), handler)
    said = adapter.said()
    number = re.search(r"`([0-9a-f]{6})`", said)
    assert number is not None
    assert "secret" not in said
    assert "ZeroDivision" not in said
    assert number[1] in caplog.text
    assert adapter.bodies[-1]["flags"] & EPHEMERAL


@pytest.mark.parametrize(("flags", "direct"), [(EPHEMERAL, False), (0, True), (0, False)])
async def test_a_message_that_others_read_is_never_answered_into(
    client: discord.Client, adapter: FakeAdapter, *, flags: int, direct: bool
) -> None:
    reply = Reply(pressed(client, 1))
    assert reply.interaction.message is not None
    reply.interaction.message.flags.value = flags
    if not direct:
        reply.interaction.channel = SimpleNamespace(type=discord.ChannelType.public_thread)  # type: ignore[assignment]
    await reply.defer_edit()
    await reply.defer_edit()  # a click is acknowledged once
    private = bool(flags) or direct
    assert adapter.bodies == [{} if private else {"flags": EPHEMERAL}]
    assert (reply.target == reply.interaction.message.id) is private


async def test_a_redrawing_that_is_quick_and_light_is_one_request(
    client: discord.Client, adapter: FakeAdapter
) -> None:
    reply = Reply(pressed(client, 1))
    async with reply.redrawing(600.0):
        await reply.show(text_page("drawn"))
    assert (adapter.asked, adapter.said()) == (1, "drawn")


async def test_a_redrawing_that_takes_longer_is_acknowledged_first(
    client: discord.Client, adapter: FakeAdapter
) -> None:
    reply = Reply(pressed(client, 1))
    async with reply.redrawing(0.001):
        await eventually(lambda: adapter.asked)
        assert adapter.bodies == [{}]
        await reply.show(text_page("drawn"))
    assert (adapter.asked, adapter.said()) == (2, "drawn")


async def test_a_redrawing_that_is_heavy_or_comes_to_nothing_is_acknowledged_first(
    client: discord.Client, adapter: FakeAdapter
) -> None:
    heavy = page([text("drawn")], [Upload("board.png", bytes(MAX_DIRECT_BYTES + 1))])
    for number, drawn in enumerate((heavy, None)):
        reply = Reply(pressed(client, number))
        async with reply.redrawing(600.0):
            if drawn is not None:
                await reply.show(drawn)
        assert adapter.bodies[0] == {}
        assert adapter.asked == (2 if drawn is not None else 1)
        adapter.asked, adapter.bodies = 0, []


async def test_an_answer_that_comes_too_late_changes_nothing(
    client: discord.Client, adapter: FakeAdapter, caplog: pytest.LogCaptureFixture
) -> None:
    done = []

    async def handler(reply: Reply) -> None:
        await reply.defer()
        done.append(reply.id)

    adapter.trouble = trouble(10062, 404)
    await guarded(Reply(pressed(client, 1)), handler)
    assert done == []
    assert adapter.asked == 1
    assert "incident" not in caplog.text


async def test_an_acknowledgement_whose_answer_was_lost_counts(
    client: discord.Client, adapter: FakeAdapter
) -> None:
    async def handler(reply: Reply) -> None:
        await reply.defer()
        await reply.say("here")

    adapter.trouble = trouble(ALREADY_ACKNOWLEDGED)
    await guarded(Reply(pressed(client, 1)), handler)
    assert adapter.said() == "here"


async def test_a_database_that_takes_nothing_is_said_in_plain_words(
    client: discord.Client, adapter: FakeAdapter, caplog: pytest.LogCaptureFixture
) -> None:
    async def handler(reply: Reply) -> None:
        await reply.defer()
        raise StoreError("There is no room left for the database /srv/bauta.db.")

    await guarded(Reply(pressed(client, 1)), handler)
    assert adapter.said() == ENGLISH.house("error.records")
    assert "There is no room left" in caplog.text
    assert "Traceback" not in caplog.text


async def test_an_answer_that_is_stuck_holds_up_no_later_one(
    client: discord.Client, adapter: FakeAdapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    latest, stuck = EditOrder(), asyncio.Event()
    answer = adapter.edit_original_interaction_response

    async def edit(*arguments: Any, **options: Any) -> Any:
        if not stuck.is_set():
            stuck.set()
            await for_ever()
        return await answer(*arguments, **options)

    monkeypatch.setattr(adapter, "edit_original_interaction_response", edit)
    monkeypatch.setattr(reply, "SEND_TIMEOUT_S", 0.05)

    async def handler(reply: Reply) -> None:
        await reply.defer_edit()
        async with latest.begin("panel") as edit, edit.turn():
            await reply.show(text_page("drawn"))

    first = asyncio.create_task(guarded(Reply(pressed(client, 1)), handler))
    await stuck.wait()
    await guarded(Reply(pressed(client, 2)), handler)
    await first
    said = adapter.said()
    assert said.count("drawn") == 1
    assert re.search(r"`[0-9a-f]{6}`", said)


@pytest.mark.parametrize("redraws", [True, False])
async def test_an_answer_comes_after_a_short_pause_of_discords(
    client: discord.Client, adapter: FakeAdapter, caplog: pytest.LogCaptureFixture, *, redraws: bool
) -> None:
    async def handler(reply: Reply) -> None:
        await reply.defer_edit()
        adapter.trouble = ApiPaused(0.01)
        await (reply.show(text_page("drawn")) if redraws else reply.say("drawn"))

    await guarded(Reply(pressed(client, 1)), handler)
    assert adapter.said() == "drawn\ndrawn", "asked twice, since the first was not heard"
    assert "incident" not in caplog.text


async def test_an_answer_does_not_wait_for_the_end_of_a_long_ban(
    client: discord.Client, adapter: FakeAdapter, caplog: pytest.LogCaptureFixture
) -> None:
    async def handler(reply: Reply) -> None:
        await reply.defer_edit()
        adapter.trouble = ApiPaused(3_600)
        await reply.show(text_page("drawn"))

    async with asyncio.timeout(60):
        await guarded(Reply(pressed(client, 1)), handler)
    assert "incident" in caplog.text


async def test_a_connection_that_is_gone_ends_nothing(
    client: discord.Client, adapter: FakeAdapter, caplog: pytest.LogCaptureFixture
) -> None:
    async def handler(_: Reply) -> None:
        adapter.trouble = OSError("gone")
        raise ValueError("x")

    await guarded(Reply(pressed(client, 1)), handler)
    assert "no answer could be given (OSError)" in caplog.text


def test_each_interaction_is_new_once() -> None:
    once = SeenInteractions()
    assert [once.is_new(number) for number in (1, 2, 1, 2, 3)] == [True, True, False, False, True]
    assert all(once.is_new(number) for number in range(10, 5_000))
    assert once.is_new(10), "the oldest are forgotten"


def test_an_interaction_that_cannot_be_answered_any_more_is_not_new() -> None:
    seen, second = SeenInteractions(), 1_000 << 22
    now = 1_200_000_000_000_000_000
    assert seen.is_new(now)
    assert seen.is_new(now - 899 * second)
    assert not seen.is_new(now - 901 * second), "it may have been handled, and that be forgotten"
    assert not seen.is_new(now - 10**6 * second)
    assert seen.is_new(now + 10**6 * second)
    assert not seen.is_new(now + 1)


class Memory:
    """Use cases of a match that is, or is not, in memory."""

    def __init__(self, *, loaded: bool, panel: Any) -> None:
        self._loaded = loaded
        self._panel = panel
        self.asked: list[str] = []
        self.back = self.clear = self.use_preset = None

    def loaded(self, _: str) -> bool:
        return self._loaded

    def peek_panel(self, *_: Any) -> Any:
        return self._panel

    async def panel(self, match: str, *_: Any) -> Any:
        self.asked.append(match)


@pytest.mark.parametrize(
    ("loaded", "seated", "said"),
    [(False, False, "error.one_moment"), (True, False, "error.stale"), (True, True, "")],
)
async def test_a_modal_opens_from_memory_alone(
    client: discord.Client, adapter: FakeAdapter, *, loaded: bool, seated: bool, said: str
) -> None:
    panel = panel_of(begun(KEYS[0], 0), 0) if seated else None
    memory = Memory(loaded=loaded, panel=panel)
    services: Any = SimpleNamespace(drafts=memory, queries=memory, lessons=None)
    pictures: Any = None
    clocks: Any = None
    background = BackgroundTasks()
    context = Context(services, clocks, pictures, background, {}, lambda _: None)
    place = PanelId("abcd2345", "abcdefgh", 0, Action.TYPE)
    await guarded(Reply(pressed(client, 1)), lambda reply: Panels(context).type(reply, place))
    await asyncio.sleep(0)
    assert adapter.asked == 1
    assert adapter.said() == (ENGLISH.house(said) if said else "")
    assert ("title" in adapter.bodies[0]) is seated
    assert memory.asked == ([] if loaded else ["abcd2345"])
    await background.close()


async def test_of_several_redrawings_only_the_newest_lands() -> None:
    latest = EditOrder()
    landed: list[int] = []

    async def draw(number: int, seconds: float) -> None:
        async with latest.begin("message") as edit:
            await asyncio.sleep(seconds)
            async with edit.turn() as newest:
                if newest:
                    landed.append(number)

    await asyncio.gather(draw(1, 0.05), draw(2, 0.02), draw(3, 0.03))
    assert landed == [3]
    await draw(4, 0)
    assert landed == [3, 4]
    assert len(latest) == 0
