"""discord.py's own memory of views stays empty, however many panels are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord.webhook.async_ import async_context

from bot.model import Panel
from bot.ui.asking import Ask
from bot.ui.pages import note
from bot.ui.panel import panel_page, typing
from bot.ui.speech import Speech
from tests.ui.positions import KEYS, begun, panel_of

USER = {"id": "7", "username": "anna", "discriminator": "0", "avatar": None, "global_name": "Anna"}
CHANNEL = {"id": "5", "type": 1, "recipients": [USER], "last_message_id": None}


class FakeAdapter:
    """Answers what discord.py asks for an interaction, and counts."""

    def __init__(self) -> None:
        self.asked = 0

    def message(self, payload: dict[str, Any] | None) -> dict[str, Any]:
        self.asked += 1
        return {
            "id": "9",
            "channel_id": "5",
            "author": USER,
            "content": "",
            "timestamp": "2026-01-01T00:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "pinned": False,
            "type": 0,
            "flags": 1 << 15,
            "components": (payload or {}).get("components", []),
        }

    async def create_interaction_response(
        self, interaction_id: int, token: str, *, params: Any, **_: Any
    ) -> Any:
        message = self.message((params.payload or {}).get("data"))
        return {
            "interaction": {"id": str(interaction_id), "type": 3, "response_message_id": "9"},
            "resource": {"type": params.payload["type"], "message": message},
        }

    async def edit_original_interaction_response(self, *_: Any, payload: Any = None, **__: Any) -> Any:
        return self.message(payload)


@pytest.fixture
def adapter() -> Iterator[FakeAdapter]:
    fake = FakeAdapter()
    token = async_context.set(fake)  # type: ignore[arg-type]
    yield fake
    async_context.reset(token)


@pytest.fixture
async def client() -> discord.Client:
    client = discord.Client(intents=discord.Intents.none())
    await client._async_setup_hook()
    client.http._HTTPClient__session = None  # type: ignore[attr-defined]
    return client


def pressed(client: discord.Client, number: int) -> discord.Interaction:
    data: Any = {
        "id": str(1_000 + number),
        "application_id": "3",
        "type": 3,
        "token": "t",
        "version": 1,
        "attachment_size_limit": 1 << 20,
        "channel": CHANNEL,
        "user": USER,
        "data": {"custom_id": "x", "component_type": 2},
        "message": FakeAdapter().message(None),
    }
    return discord.Interaction(data=data, state=client._connection)


def held(client: discord.Client) -> int:
    store = client._connection._view_store
    return (
        len(store._views) + len(store._synced_message_views) + len(store._modals) + len(store._dynamic_items)
    )


async def test_a_thousand_panels_leave_nothing_behind(client: discord.Client, adapter: FakeAdapter) -> None:
    panels: list[Panel] = [panel_of(begun(key, 0), 0) for key in KEYS]
    speech = Speech()
    for number in range(1_000):
        ask = Ask(pressed(client, number))
        await ask.hold_message()
        await ask.show(panel_page(panels[number % len(panels)], speech, picture=None, words="board"))
    assert adapter.asked == 2_000
    assert held(client) == 0


async def test_answers_and_modals_leave_nothing_behind(client: discord.Client, adapter: FakeAdapter) -> None:
    await Ask(pressed(client, 1)).say("a word")
    await Ask(pressed(client, 2)).open(typing(panel_of(begun(KEYS[0], 0), 0), Speech()))
    held_ask = Ask(pressed(client, 3))
    await held_ask.hold()
    await held_ask.show(note("a page"))
    assert adapter.asked == 4
    assert held(client) == 0


async def test_the_count_would_see_a_view_that_is_kept(client: discord.Client, adapter: FakeAdapter) -> None:
    page = panel_page(panel_of(begun(KEYS[0], 0), 0), Speech(), picture=None)
    view = discord.ui.LayoutView(timeout=None)
    for item in page.view.children:
        view.add_item(item)
    await pressed(client, 1).edit_original_response(view=view)
    assert adapter.asked == 1
    assert held(client) > 0
