"""Themes: each has a name for people, private pictures are in their reader's, public ones in the table's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.app import Bauta
from bot.domain.refusals import Refusal
from bot.domain.tables import DEFAULT_THEME, Person, Place, Preferences
from bot.interactions.command_factory import Translator, theme_choices
from bot.interactions.command_tree import command_payload
from bot.interactions.play import Play
from bot.interactions.reply import Reply, guarded
from bot.pages.person import settings_page
from bot.pages.texts import Texts
from bot.sync.pictures import Pictures
from bot.workers.painter import CHOICES, PaintRequest, known_theme, theme_label, theme_names
from bot.workers.painting_pool import Wanted
from engines.core import texts
from engines.core.registry import game
from renderers.core.contract import Picture, Table
from renderers.core.registry import renderer, renderers_by_game
from renderers.core.theme import DEFAULT
from tests.ui.fakes import USER, FakeAdapter, pressed
from tests.ui.limits import check, sent, walk
from tests.ui.positions import KEYS, PAINTED, begun, board_of, panel_of

ENGLISH = Texts()
ANNA = Person(int(str(USER["id"])), "Anna")
PICTURE = Picture(b"x", "image/png", 1, 1, "a board")


class Sketches:
    """Notes which themes are asked for, and paints nothing."""

    def __init__(self) -> None:
        self.themes: list[str] = []

    async def paint(self, request: PaintRequest, wanted: Wanted | None = None) -> Picture:
        assert wanted is None or wanted()
        self.themes.append(request.table.theme)
        return PICTURE

    async def film(self, replay: Mapping[str, Any], table: Table) -> Picture:
        assert replay
        self.themes.append(table.theme)
        return PICTURE


@pytest.fixture
def sketches() -> Sketches:
    return Sketches()


@pytest.fixture
def pictures(sketches: Sketches) -> Pictures:
    painter: Any = sketches
    return Pictures(painter)


def test_every_theme_of_every_game_has_a_name_for_people() -> None:
    assert theme_names()[0] == DEFAULT == DEFAULT_THEME
    had = {name for painter in renderers_by_game().values() for name in painter.themes}
    assert set(theme_names()) == had
    assert len(had) <= CHOICES
    labels = [theme_label(name, "en") for name in theme_names()]
    assert len(set(labels)) == len(labels)
    for name, label in zip(theme_names(), labels, strict=True):
        assert label.casefold() != name
        assert len(label) <= 100
    assert known_theme("clear") == "clear"


@pytest.mark.parametrize(
    "name", ["", "plaid", "Clear", "default ", "x" * 5_000, "../locale", "renderers.core"]
)
def test_a_theme_that_nobody_has_is_refused(name: str) -> None:
    with pytest.raises(Refusal, match=r"no\.unknown_theme") as refusal:
        known_theme(name)
    assert "theme" in ENGLISH.refusal(refusal.value)
    assert theme_label(name, "en") == theme_label(DEFAULT, "en"), "a theme that is gone"


async def test_a_theme_has_its_name_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    english = texts.load("renderers.core").languages["en"]
    italian = texts.Catalogue({"en": english, "it": {"theme.clear": "Chiaro"}})
    load = texts.load
    for module in ("bot.workers.painter", "bot.interactions.command_factory"):
        monkeypatch.setattr(
            f"{module}.load", lambda name: italian if name == "renderers.core" else load(name)
        )
    assert theme_label("clear", "it") == "Chiaro"
    assert theme_label("default", "it") == english["theme.default"]
    [clear] = [choice for choice in theme_choices() if choice.value == "clear"]
    payload = await clear.get_translated_payload(Translator())
    assert payload["name_localizations"] == {"it": "Chiaro"}


def test_a_theme_of_one_game_is_named_in_that_games_own_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    painters: Any = {PAINTED[0]: SimpleNamespace(themes=("default", "dusk", "nameless"))}
    monkeypatch.setattr("bot.workers.painter.renderers_by_game", lambda: painters)
    own = texts.Catalogue({"en": {"theme.dusk": "Dusk"}})
    load = texts.load
    monkeypatch.setattr(
        "bot.workers.painter.load", lambda name: load(name) if name == "renderers.core" else own
    )
    assert theme_names() == ("default", "dusk", "nameless")
    assert theme_label("dusk", "en") == "Dusk"
    assert theme_label("nameless", "en") == "nameless"
    assert [str(choice.name) for choice in theme_choices()][1:] == ["Dusk", "nameless"]


@pytest.mark.parametrize("key", PAINTED)
async def test_who_sees_which_theme(key: str, pictures: Pictures, sketches: Sketches) -> None:
    match = begun(key, 1)
    panel, board = panel_of(match, 0), board_of(match)
    await pictures.panel(panel, ENGLISH, "clear")
    await pictures.all_of(panel.table, panel.view, ENGLISH, "clear")
    await pictures.board(board, ENGLISH, "clear")
    assert set(sketches.themes) == {"clear"}
    sketches.themes.clear()
    await pictures.board(board, ENGLISH)
    await pictures.film(board.table, {"game": key}, ENGLISH)
    assert sketches.themes == ["default", "default"]
    sketches.themes.clear()
    ours = replace(board, table=replace(board.table, theme="clear", id="other"))
    await pictures.board(ours, ENGLISH)
    await pictures.film(ours.table, {"game": key}, ENGLISH)
    await pictures.panel(replace(panel, table=ours.table), ENGLISH, DEFAULT)
    assert sketches.themes == ["clear", "clear", "default"]


@pytest.mark.parametrize("key", PAINTED)
async def test_a_theme_that_a_game_does_not_have_is_its_default(
    key: str, pictures: Pictures, sketches: Sketches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(renderer(key)), "themes", (DEFAULT,))
    match = begun(key, 1)
    board = board_of(match)
    await pictures.panel(panel_of(match, 0), ENGLISH, "clear")
    await pictures.board(replace(board, table=replace(board.table, theme="clear")), ENGLISH)
    assert sketches.themes == [DEFAULT, DEFAULT]


@pytest.mark.parametrize("dms", [True, False])
def test_the_settings_say_what_is_chosen(dms: bool) -> None:
    for name in theme_names():
        page = settings_page(Preferences(dms=dms, theme=name), "en-GB", ENGLISH)
        check(sent(page))
        said = "\n".join(item["content"] for item in walk(sent(page)) if "content" in item)
        assert ENGLISH.house("settings.dms_on" if dms else "settings.dms_off") in said
        assert theme_label(name, "en") in said


# --- the commands ---------------------------------------------------------------------------------


async def test_both_commands_offer_the_themes(house: Bauta) -> None:
    payload = {item["name"]: item for item in await command_payload(house.tree)}
    places = [payload["settings"], *payload["play"]["options"]]
    assert len(places) == 1 + len(KEYS)
    for command in places:
        [option] = [option for option in command["options"] if option["name"] == "theme"]
        assert [choice["value"] for choice in option["choices"]] == list(theme_names())
        assert [choice["name"] for choice in option["choices"]] == [
            theme_label(name, "en") for name in theme_names()
        ]


async def test_a_theme_is_set_by_command_and_an_unknown_one_changes_nothing(
    house: Bauta, adapter: FakeAdapter
) -> None:
    async def say(number: int, **values: str) -> str:
        adapter.bodies.clear()
        await guarded(Reply(pressed(house, number)), lambda reply: house.commands.settings(reply, values))
        return adapter.said()

    assert theme_label("default", "en") in await say(1)
    assert theme_label("clear", "en") in await say(2, theme="clear")
    assert await house.services.settings.preferences(ANNA) == Preferences(theme="clear")
    assert await say(3, theme="plaid", dms="on") == ENGLISH.house("no.unknown_theme")
    assert await house.services.settings.preferences(ANNA) == Preferences(theme="clear")
    assert theme_label("clear", "en") in await say(4, dms="on")
    assert await house.services.settings.preferences(ANNA) == Preferences(dms=True, theme="clear")


async def test_a_table_with_an_unknown_theme_is_not_opened(
    house: Bauta, adapter: FakeAdapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.interactions.play.table_place", lambda *_: Place(1, 2))
    play, manifest = Play(house.context), game(PAINTED[0]).manifest
    await guarded(Reply(pressed(house, 1)), lambda reply: play.open(reply, manifest, {"theme": "plaid"}))
    assert adapter.said() == ENGLISH.house("no.unknown_theme")
    assert await house.services.queries.matches(ANNA) == []
    await guarded(Reply(pressed(house, 2)), lambda reply: play.open(reply, manifest, {"theme": "clear"}))
    [line] = await house.services.queries.matches(ANNA)
    assert line.table.theme == "clear"
