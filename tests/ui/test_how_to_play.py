"""The table's message, and what stands behind its *How to play*: words and two pictures of nobody's match."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.app import Bauta
from bot.domain.tables import DEFAULT_THEME, Person, Preferences, Status
from bot.interactions.buttons import Buttons
from bot.interactions.panel import Panels
from bot.interactions.reply import Reply, guarded
from bot.pages.custom_ids import HOUSE, Button, ButtonId, pack
from bot.pages.how_to_play import HELP_KEY, help_page, how_to_play_page, welcome_page
from bot.pages.lobby import lobby_page
from bot.pages.page import Page
from bot.pages.person import settings_page
from bot.pages.texts import Texts
from bot.sync.pictures import Pictures
from bot.workers import painter
from bot.workers.painter import (
    DEMONSTRATED,
    DEMONSTRATION_ACTS,
    DemonstrationRequest,
    brush,
    demonstration,
    theme_names,
)
from engines.core.contract import Option, OptionChoice, msg
from engines.core.lessons import has_lessons
from engines.core.registry import game
from engines.core.setups import usual_seats
from renderers.core.contract import Picture, Table
from tests.kit.painting import Inline
from tests.kit.samples import FIVE
from tests.ui.fakes import FakeAdapter, pressed
from tests.ui.limits import BUTTON, SELECT, TEXT, check, sent, walk
from tests.ui.positions import KEYS, PAINTED, begun, table_of

ENGLISH = Texts()
ANNA = Person(7, "Anna")
PICTURE = Picture(b"x", "image/png", 1, 1, "a board")


def said(page: Page) -> str:
    return "\n".join(item["content"] for item in walk(sent(page)) if item["type"] == TEXT)


def ids(page: Page) -> list[str]:
    return [item["custom_id"] for item in walk(sent(page)) if item["type"] in (BUTTON, SELECT)]


# --- the table's message --------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_a_table_is_short_and_leads_to_the_introduction(key: str) -> None:
    for status in (Status.OPEN, Status.RUNNING, Status.OVER):
        page = lobby_page(table_of(begun(key, 0), status), ENGLISH)
        assert len(said(page)) <= 700
        assert ENGLISH.game(key, msg(HELP_KEY)) not in said(page)
        assert pack(ButtonId(key, Button.HOW_TO_PLAY)) in ids(page)


def option(key: str, *choices: OptionChoice) -> Option:
    return Option(key, msg("tagline"), choices, choices[0].key)


def test_a_table_names_the_values_that_will_apply(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(begun(KEYS[0], 0), Status.OPEN)
    low, high = OptionChoice("one", msg("tagline")), OptionChoice("two", msg(HELP_KEY))
    quick = OptionChoice("quick", msg("tagline"), (("first", "one"),))
    options = (option("first", high, low), option("second", high, low), option("pace", low, quick))
    manifest = replace(game(KEYS[0]).manifest, options=options)
    monkeypatch.setattr(type(game(KEYS[0])), "manifest", manifest)
    one, two = (ENGLISH.game(KEYS[0], msg(key)) for key in ("tagline", HELP_KEY))
    slow = replace(table.setup, options=(("first", "two"), ("second", "two"), ("pace", "one")))
    lines = said(lobby_page(replace(table, setup=slow), ENGLISH))
    # Options with one value share a line; each is called as the tagline here.
    assert f"-# {one} and {one}: {two}\n-# {one}: {one}" in lines
    fast = replace(slow, options=(("first", "two"), ("second", "two"), ("pace", "quick")))
    lines = said(lobby_page(replace(table, setup=fast), ENGLISH))
    assert f"-# {one} and {one}: {one}\n-# {one}: {two}" in lines


# --- the introduction -----------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_an_introduction_has_words_and_two_pictures(key: str) -> None:
    bare = how_to_play_page(key, ENGLISH)
    check(sent(bare))
    assert ENGLISH.game(key, msg(HELP_KEY)) in said(bare)
    assert not bare.uploads
    taught = [pack(ButtonId(key, Button.LEARN))] if has_lessons(key) else []
    assert ids(bare) == [*taught, pack(ButtonId(key, Button.PAGE, 0))]
    page = how_to_play_page(key, ENGLISH, board=PICTURE, seat=PICTURE)
    check(sent(page))
    assert [each.filename for each in page.uploads] == ["example1.png", "example2.png"]
    side = ENGLISH.game(key, game(key).manifest.seat_labels[DEMONSTRATED])
    assert ENGLISH.house("how.seat", side=side) in said(page)


@pytest.mark.parametrize("key", KEYS)
def test_the_demonstration_is_in_its_middle_and_always_the_same(key: str) -> None:
    match = demonstration(key)
    if match.outcome is not None and key not in FIVE:
        pytest.skip("matches of this game are too short to have a middle")
    assert match.outcome is None
    assert len(match.log) >= DEMONSTRATION_ACTS
    assert DEMONSTRATED in match.game.waiting(match.view(DEMONSTRATED))
    assert match.menu(DEMONSTRATED) is not None
    demonstration.cache_clear()
    assert demonstration(key).digest() == match.digest()


@pytest.mark.parametrize("key", PAINTED)
def test_its_pictures_are_of_its_viewers(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match, seen = demonstration(key), []

    class Painter:
        def pictures(self, view: object) -> tuple[tuple[str, None], ...]:
            return (("main", None), ("other", None))

        def paint(self, *given: object) -> Picture:
            seen.append(given)
            return PICTURE

    monkeypatch.setattr(painter, "renderer", lambda _: Painter())
    table = Table(("Sun", "Moon"))
    for viewer in (None, DEMONSTRATED):
        assert brush(pickle.dumps(DemonstrationRequest(key, viewer, table))) == PICTURE
    assert seen == [
        (match.view(None), "main", table, (), None),
        (match.view(DEMONSTRATED), "main", table, (), match.menu(DEMONSTRATED)),
    ]


@pytest.mark.parametrize("broken", [False, True])
async def test_pictures_come_through_the_pool_or_are_left_out(broken: bool) -> None:
    asked: list[DemonstrationRequest] = []

    def paint(packed: bytes) -> Picture:
        asked.append(pickle.loads(packed))
        if broken:
            raise RuntimeError
        return PICTURE

    key = PAINTED[0]
    async with Inline(paint_with=paint) as painter:
        found = await Pictures(painter).demonstration(key, ENGLISH, "nothing")
    assert found == ((None, None) if broken else (PICTURE, PICTURE))
    assert {each.viewer for each in asked} == {None, DEMONSTRATED}
    sides = game(key).manifest.seat_labels[: usual_seats(game(key).manifest)]
    names = tuple(ENGLISH.game(key, side) for side in sides)
    assert {each.table for each in asked} == {Table(names, "en", DEFAULT_THEME)}


# --- what is pressed ------------------------------------------------------------------------------


async def press(house: Bauta, adapter: FakeAdapter, number: int, place: ButtonId, *values: str) -> str:
    adapter.bodies.clear()
    await guarded(Reply(pressed(house, number)), lambda reply: house.buttons.press(reply, place, [*values]))
    return adapter.said()


async def test_an_introduction_is_shown_to_who_presses(
    house: Bauta, adapter: FakeAdapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    themes: list[str] = []

    async def pictures(*given: str) -> tuple[None, None]:
        themes.append(given[-1])
        return None, None

    monkeypatch.setattr(house.context.pictures, "demonstration", pictures)
    await house.services.settings.set_theme(ANNA, "clear")
    key = KEYS[0]
    assert ENGLISH.game(key, msg(HELP_KEY)) in await press(
        house, adapter, 1, ButtonId(key, Button.HOW_TO_PLAY)
    )
    assert themes == ["clear"], "the pictures are in the reader's theme"
    gone = ButtonId("nothing", Button.HOW_TO_PLAY)
    assert await press(house, adapter, 2, gone) == ENGLISH.house("error.unknown_game")


async def test_settings_are_changed_by_buttons(house: Bauta, adapter: FakeAdapter) -> None:
    settings = house.services.settings
    switch = ButtonId(HOUSE, Button.DMS, 1)
    for number in (1, 2):
        # A second tap on the same button switches nothing back.
        assert ENGLISH.house("settings.dms_on") in await press(house, adapter, number, switch)
        assert (await settings.preferences(ANNA)).dms
    off = replace(switch, number=0)
    assert ENGLISH.house("settings.dms_off") in await press(house, adapter, 3, off)
    theme = ButtonId(HOUSE, Button.THEME)
    await press(house, adapter, 4, theme, "clear")
    assert await settings.preferences(ANNA) == Preferences(dms=False, theme="clear")
    assert await press(house, adapter, 5, theme, "plaid") == ENGLISH.house("no.unknown_theme")
    for number, odd in enumerate(
        (theme, replace(switch, number=None), replace(switch, number=7), replace(switch, match="m")), 6
    ):
        assert await press(house, adapter, number, odd) == ENGLISH.house("error.stale")
    assert await settings.preferences(ANNA) == Preferences(dms=False, theme="clear")


@pytest.mark.parametrize("dms", [True, False])
@pytest.mark.parametrize("theme", [*theme_names(), "gone"])
def test_settings_have_a_control_each(dms: bool, theme: str) -> None:
    page = settings_page(Preferences(dms=dms, theme=theme), "en-GB", ENGLISH)
    check(sent(page))
    switches = [ButtonId(HOUSE, Button.DMS, int(not dms)), ButtonId(HOUSE, Button.CONFIRMING, 0)]
    rest = [ButtonId(HOUSE, Button.REMINDERS), ButtonId(HOUSE, Button.THEME)]
    assert ids(page) == [pack(each) for each in (*switches, *rest)]
    [select] = [item for item in walk(sent(page)) if item["type"] == SELECT]
    chosen = [option["value"] for option in select["options"] if option.get("default")]
    assert chosen == [theme if theme in theme_names() else DEFAULT_THEME]


@pytest.mark.parametrize("make", [help_page, welcome_page])
def test_help_and_welcome_introduce_each_game(make: Callable[[Texts], Page]) -> None:
    page = make(ENGLISH)
    check(sent(page))
    assert page.push is None, "nobody is notified"
    for key in KEYS:
        manifest = game(key).manifest
        assert f"**{manifest.title}** · {ENGLISH.game(key, manifest.tagline)}" in said(page).splitlines()
    assert ids(page) == [pack(ButtonId(key, Button.HOW_TO_PLAY)) for key in KEYS]
    assert re.search(r"(?<!\w)/play\b", said(page))


def test_a_button_without_a_handler_or_with_two_is_found_at_the_start(house: Bauta) -> None:
    panels = Panels(house.context)
    for pages in ((panels,), (panels, panels)):
        with pytest.raises(ValueError, match="one handler"):
            Buttons(*pages)
