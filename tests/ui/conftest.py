"""A client that is not connected, and an adapter that answers what it asks."""

from __future__ import annotations

from collections.abc import Iterator

import discord
import pytest
from discord.webhook.async_ import async_context

from tests.kit.unconnected import set_up
from tests.ui.fakes import FakeAdapter


@pytest.fixture
def adapter() -> Iterator[FakeAdapter]:
    fake = FakeAdapter()
    token = async_context.set(fake)  # type: ignore[arg-type]
    yield fake
    async_context.reset(token)


@pytest.fixture
async def client() -> discord.Client:
    client = discord.Client(intents=discord.Intents.none())
    await set_up(client)
    return client
