"""A client that is not connected, and an adapter that answers what it asks."""

from __future__ import annotations

from collections.abc import Iterator

import discord
import pytest
from discord.webhook.async_ import async_context

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
    await client._async_setup_hook()
    client.http._HTTPClient__session = None  # type: ignore[attr-defined]
    return client
