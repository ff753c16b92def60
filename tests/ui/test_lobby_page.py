"""A table's message before the match: its seats, one line on who may start it, and buttons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.tables import Chair, Person, Status, TableInfo
from bot.pages.custom_ids import Button, ButtonId, parse
from bot.pages.lobby import lobby_page, thread_name
from bot.pages.texts import Texts, match_name, safe
from engines.core.registry import games
from tests.ui.limits import check, sent, walk
from tests.ui.positions import NAMES, begun, table_of
from tests.ui.surfaces.test_surfaces import CROWD

ENGLISH = Texts()
SEAT_BUTTONS = (Button.ADD_SEAT, Button.REMOVE_SEAT)


def waiting(key: str, seats: int, *sitting: str) -> TableInfo:
    """Return an open table at which some sit: who is called \"computer\" is one."""
    table = table_of(begun(key, 0), Status.OPEN)
    chairs = tuple(
        Chair(n, None if name == "computer" else Person(100 + n, name), name)
        for n, name in enumerate(sitting)
    )
    return replace(table, chairs=chairs, setup=replace(table.setup, seats=seats), thread_id=None)


def said(table: TableInfo, *invited: int) -> str:
    return "\n".join(item.get("content", "") for item in walk(sent(lobby_page(table, ENGLISH, invited))))


def buttons(table: TableInfo, *invited: int) -> dict[Button, tuple[int | None, bool]]:
    """Return, by button, the number that it carries and whether it can be pressed."""
    items = [item for item in walk(sent(lobby_page(table, ENGLISH, invited))) if "custom_id" in item]
    places: list[tuple[Any, bool]] = [(parse(item["custom_id"]), not item.get("disabled")) for item in items]
    assert all(isinstance(place, ButtonId) for place, _ in places)
    return {place.button: (place.number, can_be_pressed) for place, can_be_pressed in places}


@pytest.mark.parametrize(
    ("sitting", "key", "n"),
    [
        (["Anna"], "lobby.open", 2),
        (["Anna", "Ben"], "lobby.enough", 2),
        (["Anna", "computer"], "lobby.enough", 2),
        (["Anna", "Ben", "computer"], "lobby.enough", 3),
        (["Anna", "Ben", "Clara", "computer"], "lobby.full", 4),
    ],
)
def test_one_line_says_who_may_start_and_when(sitting: list[str], key: str, n: int) -> None:
    table = waiting(CROWD, 4, *sitting)
    lines = {
        one: ENGLISH.house(one, host=safe("Anna"), n=n)
        for one in ("lobby.open", "lobby.enough", "lobby.full")
    }
    shown = said(replace(table, host=Person(100, "Anna")))
    assert [one for one, line in lines.items() if line in shown] == [key]
    check(sent(lobby_page(table, ENGLISH)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_has_a_line(seats: int) -> None:
    table = waiting(CROWD, seats, "Anna")
    lines = said(table, 200).splitlines()
    assert f"**Seats taken: 1 of {seats}**" in lines
    assert sum(line.startswith("🎭") for line in lines) == 1
    assert [line for line in lines if line.startswith("✉️")] == ["✉️ <@200> · invited"]
    assert lines.count("◻️ free") == seats - 2


@pytest.mark.parametrize(
    ("seats", "sitting", "invited", "add", "remove"),
    [
        (4, 1, 0, None, 3),
        (3, 1, 0, 4, 2),
        (2, 1, 0, 3, None),
        (3, 2, 0, 4, 2),
        (3, 3, 0, 4, None),
        (4, 3, 0, None, 3),
        (3, 2, 1, 4, None),
        (4, 1, 3, None, None),
        (2, 2, 0, 3, None),
    ],
)
def test_a_seat_button_can_be_pressed_where_it_does_something(
    seats: int, sitting: int, invited: int, add: int | None, remove: int | None
) -> None:
    found = buttons(waiting(CROWD, seats, *NAMES[:sitting]), *range(200, 200 + invited))
    assert [found[button][0] if found[button][1] else None for button in SEAT_BUTTONS] == [add, remove]
    # Nor can a computer sit down where every seat is taken.
    assert found[Button.COMPUTER][1] is (sitting < seats)
    assert found[Button.START][1]


@pytest.mark.parametrize("key", sorted(games()))
def test_seats_are_added_only_while_a_game_has_larger_tables(key: str) -> None:
    sizes = games()[key].manifest.seats
    assert set(SEAT_BUTTONS) <= set(buttons(waiting(key, sizes[0], "Anna"))) or len(sizes) == 1
    if len(sizes) == 1:
        assert not set(SEAT_BUTTONS) & set(buttons(waiting(key, sizes[0], "Anna")))
    for status in (Status.RUNNING, Status.OVER, Status.CLOSED):
        table = replace(waiting(key, sizes[-1], "Anna"), status=status)
        assert not set(SEAT_BUTTONS) & set(buttons(table))
        assert "free" not in said(table).splitlines()[-1]
        assert "◻️" not in said(table)


def test_a_table_that_closed_says_why() -> None:
    closed = replace(waiting(CROWD, 4, "Anna", "Ben"), status=Status.CLOSED)
    for host, key in ((Person(100, "Anna"), "lobby.expired"), (Person(300, "Clara"), "lobby.no_host")):
        table = replace(closed, host=host)
        assert [one for one in ("lobby.expired", "lobby.no_host") if ENGLISH.house(one) in said(table)] == [
            key
        ]
        assert list(buttons(table)) == [Button.REOPEN]
        check(sent(lobby_page(table, ENGLISH)))


def test_the_threads_of_a_series_have_names_of_their_own() -> None:
    table = table_of(begun("volo", 0))
    name = match_name(table, ENGLISH)
    assert [thread_name(table, before, ENGLISH) for before in range(3)] == [
        name,
        f"{name} · rematch",
        f"{name} · rematch 2",
    ]
    long = replace(table, chairs=tuple(replace(chair, name="W" * 32) for chair in table.chairs))
    assert len(thread_name(long, 999, ENGLISH)) <= 100
