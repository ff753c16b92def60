"""A client that is not connected, and an adapter that answers what it asks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import discord
import pytest
from discord.webhook.async_ import async_context

from bot.app import Bauta
from tests.kit.painting import Inline
from tests.kit.services import services_on
from tests.kit.unconnected import set_up
from tests.ui.fakes import FakeAdapter


@pytest.fixture
def adapter() -> Iterator[FakeAdapter]:
    fake = FakeAdapter()
    token = async_context.set(fake)  # type: ignore[arg-type]
    yield fake
    async_context.reset(token)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Bauta]:
    """A whole bot over an empty database; it is not connected either."""
    async with services_on(tmp_path / "bauta.db") as services, Inline() as painter:
        client = Bauta(services, painter, asyncio.Event(), "")
        await set_up(client)
        yield client


@pytest.fixture
async def client() -> discord.Client:
    client = discord.Client(intents=discord.Intents.none())
    await set_up(client)
    return client
