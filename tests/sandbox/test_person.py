"""A person's window: a refused connection leaves no session open."""

from __future__ import annotations

import gc

import aiohttp
import pytest

from tests.kit.person import Person


async def test_whoever_finds_no_sandbox_leaves_no_session_open(unused_tcp_port: int) -> None:
    with pytest.raises(aiohttp.ClientError):
        await Person.connect(f"http://127.0.0.1:{unused_tcp_port}/?key=none", "Alba")
    # Collecting an open session warns, and warnings are errors.
    gc.collect()
