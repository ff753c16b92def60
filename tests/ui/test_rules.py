"""Rules on a phone: paragraphs that flow, tables as lists, pages that turn, and not a word lost."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from bot.app import Bauta
from bot.domain.tables import Person, Place
from bot.interactions.reply import Reply, guarded
from bot.pages.custom_ids import Button, ButtonId, pack, parse
from bot.pages.markdown import Kind, flow, joined
from bot.pages.rules import MOST_PAGES, PAGE_LIMIT, SHORT, rules_page, rules_pages, which_rules_page
from bot.pages.texts import Texts
from tests.kit.samples import FIVE
from tests.ui.fakes import FakeAdapter, pressed
from tests.ui.limits import BUTTON, SELECT, Json, check, sent, walk
from tests.ui.positions import KEYS

ENGLISH = Texts()

ENGINES = Path(__file__).parents[2] / "engines"

TITLED = 80
"""Characters of the heading that a page begins with where the one before it was cut."""


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def buttons(page: list[Json]) -> list[Json]:
    return [item for item in walk(page) if item["type"] == BUTTON]


# --- how Markdown is laid out ---------------------------------------------------------------------


def laid_out(text: str) -> str:
    return joined(flow(text.strip().splitlines()))


def test_paragraphs_flow() -> None:
    text = """
## The end
A line that is
broken by hand.

Another
paragraph.
- one
  item
- two
1. three

#### Deep
"""
    assert laid_out(text) == (
        "## The end\nA line that is broken by hand.\n\nAnother paragraph."
        "\n- one item\n- two\n1. three\n\n**Deep**"
    )


def test_lists_keep_their_depth() -> None:
    assert laid_out("- one\n  - deep\n    down\n* two") == "- one\n  - deep down\n* two"


def test_a_table_becomes_a_list_with_labels() -> None:
    text = """
Before.

| mask | how many | takes |
|---|--:|:-:|
| Noble | 3 | yes |
| Lady | 2 | |

After.
"""
    assert laid_out(text) == (
        "Before.\n\n**Mask**\n- **Noble** · how many: 3 · takes: yes\n- **Lady** · how many: 2\n\nAfter."
    )


def test_a_table_of_two_columns_needs_no_labels() -> None:
    assert (
        laid_out("| | |\n|---|---|\n| `c4` | add |\n| `a\\|b` | - |") == "- **`c4`** · add\n- **`a|b`** · -"
    )
    assert (
        laid_out("| what | written |\n|---|---|\n| end | `end` |") == "**What · written**\n- **end** · `end`"
    )


def test_what_is_fenced_stays_as_it_is() -> None:
    drawing = "```\n. o .\n\n| o |\n# .\n```"
    assert laid_out(f"So:\n{drawing}\n- one") == f"So:\n\n{drawing}\n\n- one"
    assert [part.kind for part in flow(drawing.splitlines())] == [Kind.CODE]


# --- the pages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_no_word_of_the_rules_is_lost(key: str) -> None:
    source = (ENGINES / key / "RULES.md").read_text("utf-8")
    said = words("\n".join(leaf.body for leaf in rules_pages(key)))
    assert Counter(words(source)) <= Counter(said)
    # In this order: labels of tables, and headings of cut pages, stand between them.
    found = iter(said)
    for line in source.splitlines():
        if not line.startswith("|"):
            assert all(word in found for word in words(line)), line


@pytest.mark.parametrize("key", KEYS)
def test_rules_come_in_pages(key: str) -> None:
    pages = rules_pages(key)
    assert (2 if key in FIVE else 1) <= len(pages) <= MOST_PAGES
    assert len({page.title for page in pages}) == len(pages)
    for number, page in enumerate(pages):
        assert 0 < len(page.body) <= PAGE_LIMIT + TITLED
        assert page.body.startswith("#"), "a page says what it is about"
        check(sent(rules_page(key, number, ENGLISH)))
    assert sent(rules_page(key, 99, ENGLISH)) == sent(rules_page(key, 0, ENGLISH))
    assert all(len(one.body) + len(other.body) >= SHORT for one, other in pairwise(pages)), (
        "two pages fit into one"
    )


@pytest.mark.parametrize("key", KEYS)
def test_nothing_of_the_rules_is_raw(key: str) -> None:
    for page in rules_pages(key):
        lines = page.body.splitlines()
        assert not [line for line in lines if line.startswith("|") or "****" in line]
        assert not page.body.endswith(":")
        assert not lines[-1].startswith("#")
        for line, following in pairwise(lines):
            # A paragraph is followed by a list or by a blank line: no line is broken by hand.
            assert line.startswith(("#", "**")) or not re.match(r"(?!\d+\.)\w", following) or not line


@pytest.mark.parametrize("key", KEYS)
def test_pages_turn(key: str) -> None:
    last = len(rules_pages(key)) - 1
    if not last:
        assert buttons(sent(rules_page(key, 0, ENGLISH))) == [], "there is nothing to turn"
        return
    seen = [0]
    while True:
        back, following = buttons(sent(rules_page(key, seen[-1], ENGLISH)))
        assert (back["label"], following["label"]) == tuple(
            ENGLISH.house(key) for key in ("rules.back", "rules.next")
        )
        assert back.get("disabled", False) is (seen[-1] == 0)
        if following.get("disabled", False):
            break
        place = parse(following["custom_id"])
        assert isinstance(place, ButtonId)
        assert place.number is not None
        assert (place.match, place.button) == (key, Button.PAGE)
        seen.append(place.number)
    assert seen == list(range(last + 1))
    [select] = [item for item in walk(sent(rules_page(key, last, ENGLISH))) if item["type"] == SELECT]
    assert [option["value"] for option in select["options"] if option.get("default")] == [str(last)]
    assert select["custom_id"] == f"b1:{key}:page", "as in messages that were posted long ago"


def test_the_games_are_offered() -> None:
    page = sent(which_rules_page(ENGLISH))
    check(page)
    assert [item["custom_id"] for item in buttons(page)] == [
        pack(ButtonId(key, Button.PAGE, 0)) for key in KEYS
    ]


# --- what is answered -----------------------------------------------------------------------------


async def press(house: Bauta, adapter: FakeAdapter, number: int, place: ButtonId, values: list[str]) -> str:
    adapter.bodies.clear()
    await guarded(Reply(pressed(house, number)), lambda reply: house.buttons.press(reply, place, values))
    return adapter.said()


async def test_a_page_is_turned_by_button_and_by_select(house: Bauta, adapter: FakeAdapter) -> None:
    key = next(key for key in KEYS if len(rules_pages(key)) > 1)
    second = rules_pages(key)[1].body
    assert second in await press(house, adapter, 1, ButtonId(key, Button.PAGE, 1), [])
    assert second in await press(house, adapter, 2, ButtonId(key, Button.PAGE), ["1"])
    # What is chosen counts, wherever the select stands.
    assert second in await press(house, adapter, 3, ButtonId(key, Button.PAGE, 0), ["1"])
    stale = ENGLISH.house("error.stale")
    assert await press(house, adapter, 4, ButtonId(key, Button.PAGE), []) == stale
    assert await press(house, adapter, 5, ButtonId(key, Button.PAGE), ["x"]) == stale
    assert await press(house, adapter, 6, ButtonId("nothing", Button.PAGE, 1), []) == stale


async def test_rules_without_a_game_offer_all(house: Bauta, adapter: FakeAdapter) -> None:
    async def say(number: int, **values: str) -> str:
        adapter.bodies.clear()
        await guarded(Reply(pressed(house, number)), lambda reply: house.commands.rules(reply, values))
        return adapter.said()

    assert ENGLISH.house("rules.which") in await say(1)
    assert rules_pages(KEYS[0])[0].body in await say(2, game=KEYS[0])
    assert await say(3, game="nothing") == ENGLISH.house("error.unknown_game")
    # In a match's thread they are those of its game.
    key = KEYS[-1]
    table = await house.services.lobby.open(key, {}, None, Person(7, "Anna"), Place(1, 2), 4)
    await house.services.outbox.bind_thread(table.id, 5)
    assert rules_pages(key)[0].body in await say(5)
    assert rules_pages(KEYS[0])[0].body in await say(6, game=KEYS[0])
