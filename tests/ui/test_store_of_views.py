"""discord.py's own memory of views stays empty, however many panels are drawn."""

from __future__ import annotations

import discord

from bot.domain.match import Panel
from bot.interactions.reply import Reply
from bot.pages.page import Painting, text_page
from bot.pages.panel import PanelPage, panel_page, typing_modal
from bot.pages.texts import Texts
from tests.kit.samples import MORE
from tests.kit.unconnected import state_of
from tests.ui.fakes import FakeAdapter, pressed
from tests.ui.positions import KEYS, begun, panel_of

PANELS = 1_000 if MORE > 1 else 200


def held(client: discord.Client) -> int:
    store = state_of(client)._view_store  # noqa: SLF001 - discord.py tells of views that last, of no others
    modals, items = store._modals, store._dynamic_items  # noqa: SLF001 - as above
    return len(store._views) + len(store._synced_message_views) + len(modals) + len(items)  # noqa: SLF001 - as above


async def test_hundreds_of_panels_leave_nothing_behind(client: discord.Client, adapter: FakeAdapter) -> None:
    panels: list[Panel] = [panel_of(begun(key, 0), 0) for key in KEYS]
    texts = Texts()
    for number in range(PANELS):
        ask = Reply(pressed(client, number))
        await ask.defer_edit()
        await ask.show(panel_page(PanelPage(panels[number % len(panels)], texts, Painting(words="board"))))
    assert adapter.asked == 2 * PANELS
    assert held(client) == 0


async def test_answers_and_modals_leave_nothing_behind(client: discord.Client, adapter: FakeAdapter) -> None:
    await Reply(pressed(client, 1)).say("a word")
    await Reply(pressed(client, 2)).open_modal(typing_modal(panel_of(begun(KEYS[0], 0), 0), Texts()))
    held_ask = Reply(pressed(client, 3))
    await held_ask.defer()
    await held_ask.show(text_page("a page"))
    assert adapter.asked == 4
    assert held(client) == 0


async def test_the_count_would_see_a_view_that_is_kept(client: discord.Client, adapter: FakeAdapter) -> None:
    page = panel_page(PanelPage(panel_of(begun(KEYS[0], 0), 0), Texts()))
    view = discord.ui.LayoutView(timeout=None)
    for item in page.view.children:
        view.add_item(item)
    await pressed(client, 1).edit_original_response(view=view)
    assert adapter.asked == 1
    assert held(client) > 0
