"""A house with a running match."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.ui.surfaces.room import Room, entered


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with entered(tmp_path) as room:
        await room.begin()
        yield room
