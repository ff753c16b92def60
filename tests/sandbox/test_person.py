"""A person of the sandbox: whoever cannot come in leaves nothing open."""

from __future__ import annotations

import gc

import aiohttp
import pytest

from tests.kit.person import Person


async def test_whoever_finds_no_sandbox_leaves_no_session_open(unused_tcp_port: int) -> None:
    with pytest.raises(aiohttp.ClientError):
        await Person.connect(f"http://127.0.0.1:{unused_tcp_port}/?key=none", "Alba")
    # A session that is left open is warned of once it is collected, and warnings are errors.
    gc.collect()
