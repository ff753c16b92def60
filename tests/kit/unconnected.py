"""discord.py's client without a connection; only this module uses its private names."""

from __future__ import annotations

from typing import Any

import discord


async def set_up(client: discord.Client) -> None:
    """Bind a client to the running loop, as a login does."""
    await client._async_setup_hook()  # noqa: SLF001 - else only `login` and `async with` call it
    # Interactions of this client can send nothing.
    client.http._HTTPClient__session = None  # type: ignore[attr-defined] # noqa: SLF001 - only `login` sets it


def state_of(client: discord.Client) -> Any:
    """Return the state from which a client builds its objects, such as interactions."""
    return client._connection  # noqa: SLF001 - it has no public name, and an interaction takes it
