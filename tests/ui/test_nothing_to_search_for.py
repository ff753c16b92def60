"""What a click leaves behind goes at once: nothing of it refers to itself, so no search has to find it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.components import _component_factory

from bot.matches.loaded_table import SeatView
from bot.matches.match_log import MatchLog
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Page, Painting, Push, Upload, button, without_controls
from bot.pages.panel import PanelPage, panel_page, typing_modal
from bot.pages.texts import Texts
from bot.sync.client import MessageClient
from engines.core.registry import game
from engines.core.setups import complete
from tests.ui.positions import KEYS, begun, panel_of


@contextmanager
def unsearched() -> Iterator[None]:
    """Let nothing search for garbage within the block."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def shown(key: str) -> Page:
    return panel_page(PanelPage(panel_of(begun(key, 0), 0), Texts(), Painting(words="board")))


def pushed() -> object:
    return Push("words", (button("Show", ButtonId("match", Button.TURN)),)).view()


@pytest.mark.parametrize(
    "make",
    [
        *(pytest.param(lambda key=key: shown(key).view, id=key) for key in KEYS),
        pytest.param(lambda: without_controls(shown(KEYS[0])).view, id="without controls"),
        pytest.param(lambda: typing_modal(panel_of(begun(KEYS[0], 0), 0), Texts()), id="modal"),
        pytest.param(pushed, id="notification"),
    ],
)
async def test_a_layout_goes_with_its_page(make: Callable[[], object]) -> None:
    with unsearched():
        gone = weakref.ref(make())
        assert gone() is None


async def test_a_message_whose_buttons_are_taken_goes_with_its_edit() -> None:
    gone: list[weakref.ref[object]] = []

    async def edit(*, view: discord.ui.LayoutView, **_: Any) -> None:
        assert not any(isinstance(item, discord.ui.Button) for item in view.walk_children())
        gone.append(weakref.ref(view))

    async def fetch(_: int) -> SimpleNamespace:
        view: Any = shown(KEYS[0]).view
        sent: Any = view.to_components()
        components = [_component_factory(one) for one in sent]
        flags = discord.MessageFlags(components_v2=True)
        return SimpleNamespace(edit=edit, attachments=[], mentions=[], components=components, flags=flags)

    client: Any = SimpleNamespace(get_partial_messageable=lambda _: SimpleNamespace(fetch_message=fetch))
    with unsearched():
        await MessageClient(client).strip(5, 6)
        assert [one() for one in gone] == [None]


async def test_a_picture_goes_once_it_is_sent() -> None:
    with unsearched():
        file = Upload("board.png", b"a picture").file()
        buffer, gone = file.fp, weakref.ref(file.fp)
        # What discord.py does with each file of a request, tried again or not.
        file.reset(seek=True)
        assert buffer.read() == b"a picture"
        file.close()
        buffer.close()
        assert buffer.closed, "it would stay open"
        del file, buffer
        assert gone() is None


@pytest.mark.parametrize("key", KEYS)
def test_what_a_seat_sees_goes_with_its_match(key: str) -> None:
    with unsearched():
        view = SeatView(MatchLog.begin(game(key), complete(game(key).manifest), bytes(32)), 0)
        assert view.fold(()).view == view.view
        gone = weakref.ref(view)
        del view
        assert gone() is None


def test_a_layout_would_be_left_to_the_search() -> None:
    with unsearched():
        view = discord.ui.LayoutView(timeout=None)
        view.add_item(discord.ui.Container(discord.ui.TextDisplay("words")))
        gone = weakref.ref(view)
        del view
        assert gone() is not None, "discord.py cuts it itself"
    gc.collect()
