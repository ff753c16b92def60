"""One writer a message, and no belief in what an old nonce brings back."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.gateway.discord_errors import INVALID_FORM
from bot.gateway.edit_order import EditOrder
from bot.pages.page import Page, text_page
from bot.sync.client import MessageClient
from tests.kit.waiting import let_others_run
from tests.ui.surfaces.room import refusal


class Channel:
    """A channel with one message, as Discord has it: an edit must not name a file that was replaced."""

    def __init__(self, shown: Page) -> None:
        self.components = shown.components()
        self.file = 1
        self.nonces: list[str] = []
        self.gone = False
        self.refused = 0

    def get_partial_messageable(self, _: int) -> Channel:
        return self

    def get_partial_message(self, _: int) -> Channel:
        return self

    @property
    def id(self) -> int:
        return 77 + 1_000 * len(set(self.nonces))

    async def send(self, *, view: Any, nonce: str, **_: Any) -> SimpleNamespace:
        if self.nonces and nonce not in self.nonces:
            self.components, self.gone = view.to_components(), False
        self.nonces.append(nonce)
        return SimpleNamespace(id=self.id, components=[SimpleNamespace(to_dict=lambda: self.components[0])])

    async def fetch_message(self, _: int) -> SimpleNamespace:
        attachment, row = self.file, discord.ActionRow({"type": 1, "id": 1, "components": []})
        await let_others_run(5)

        async def edit(**_: Any) -> None:
            await let_others_run(5)
            if attachment != self.file:
                self.refused += 1
                raise refusal(INVALID_FORM)
            self.components = []

        flags = discord.MessageFlags()
        return SimpleNamespace(edit=edit, attachments=[], mentions=[], components=[row], flags=flags)

    async def edit(self, *, view: Any, **_: Any) -> None:
        if self.gone:
            raise refusal(10008, 404)
        self.components = view.to_components()


@pytest.mark.parametrize("gone", [False, True])
async def test_what_an_old_nonce_brings_back_is_not_believed(gone: bool) -> None:
    channel: Any = Channel(text_page("It was posted before a crash, and shows what was then."))
    channel.gone = gone
    page = text_page("It shows what is now.")
    message = await MessageClient(channel).post(5, page, nonce="n")
    assert channel.components == page.components()
    assert message == channel.id
    assert len(set(channel.nonces)) == 1 + gone


async def test_a_new_message_is_not_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    page = text_page("  It is sent as it is.\n")
    channel: Any = Channel(text_page("It is sent as it is."))  # Discord takes the blanks from the ends
    monkeypatch.setattr(channel, "edit", None)
    await MessageClient(channel).post(5, page, nonce="n")


async def test_who_takes_buttons_away_waits_for_who_replaces_a_picture() -> None:
    channel: Any = Channel(text_page("a panel"))
    client = MessageClient(channel)
    stripping = asyncio.create_task(client.strip(5, 6))
    for _ in range(4):
        await let_others_run(3)
        async with client.edits.begin(6) as edit, edit.turn():
            channel.file += 1
    await stripping
    assert channel.refused == 0
    assert len(client.edits) == 0


async def test_who_holds_others_up_overtakes_nobody() -> None:
    order, drawn = EditOrder(), []
    async with order.begin(6) as edit:
        async with order.alone(6):
            drawn.append("stripped")
        async with edit.turn() as newest:
            drawn.append(f"newest: {newest}")
    assert drawn == ["stripped", "newest: True"]
