"""Statements of tests' own, over whichever database a store has."""

from __future__ import annotations

from typing import Any

from bot.store import Store


async def ask(store: Store, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Return the rows that answer a question."""
    async with store.transaction() as unit:
        return [tuple(row) for row in await unit._all(sql, *values)]  # noqa: SLF001 - nobody else asks so


async def change(store: Store, sql: str, *values: object) -> None:
    """Make a change."""
    async with store.transaction() as unit:
        await unit._do(sql, *values)  # noqa: SLF001 - the same
