"""Discord's limits of a message, checked on the data that is sent, from what Discord documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bot.pages.page import Page
from tests.kit.reading import without_isolates

Json = dict[str, Any]

BUTTON, SELECT, TEXT, ROW = 2, 3, 10, 1
ROLE_SELECT, CHANNEL_SELECT = 6, 8


def sent(page: Page) -> list[Json]:
    """Return a page's components as they are sent."""
    view: Any = page.view
    found: list[Json] = view.to_components()
    return found


def told(page: Page) -> str:
    """Return all that is sent of a page as text, without what isolates names."""
    return without_isolates(json.dumps(sent(page), ensure_ascii=False))


def walk(components: list[Json]) -> Iterator[Json]:
    """Yield all components, nested ones included."""
    for item in components:
        yield item
        yield from walk(item.get("components", []))


def check(components: list[Json]) -> None:
    """Fail if Discord would refuse these components."""
    everything = list(walk(components))
    assert len(everything) <= 40
    assert sum(len(item["content"]) for item in everything if item["type"] == TEXT) <= 4_000
    assert all(item["content"].strip() for item in everything if item["type"] == TEXT)
    ids = [item["custom_id"] for item in everything if "custom_id" in item]
    assert len(set(ids)) == len(ids)
    assert all(1 <= len(custom_id) <= 100 for custom_id in ids)
    numbers = [item["id"] for item in everything if "id" in item]
    assert len(set(numbers)) == len(numbers)
    for item in everything:
        if item["type"] == ROW:
            _check_row(item["components"])
        elif item["type"] == BUTTON:
            assert 1 <= len(item["label"].strip()) <= len(item["label"]) <= 80
        elif item["type"] == SELECT:
            _check_select(item)


def _check_row(items: list[Json]) -> None:
    kinds = {item["type"] for item in items}
    assert kinds in ({BUTTON}, {SELECT}, {ROLE_SELECT}, {CHANNEL_SELECT})
    assert 1 <= len(items) <= (5 if kinds == {BUTTON} else 1)


def _check_select(item: Json) -> None:
    options = item["options"]
    assert 1 <= len(options) <= 25
    assert len(item.get("placeholder") or "") <= 150
    values = [option["value"] for option in options]
    assert len(set(values)) == len(values)
    for option in options:
        for key in ("label", "value"):
            assert 1 <= len(option[key].strip()) <= len(option[key]) <= 100
        assert len(option.get("description") or "") <= 100
