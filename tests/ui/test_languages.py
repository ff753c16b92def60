"""Public texts have the server's language, private ones the person's: chosen, or as Discord says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bench.hostile.house import DATABASE, house_in
from bot.app import Bauta
from bot.domain.names import person_name
from bot.domain.tables import MOST_CHAIRS, Chair, FormerHolder, Person, Preferences, ServerRules, Status
from bot.interactions.command_tree import command_payload
from bot.interactions.intake import Intake
from bot.interactions.reply import Reply
from bot.matches.settings import Languages
from bot.pages.board import board_page
from bot.pages.custom_ids import HOUSE, Button, ButtonId, pack
from bot.pages.languages import AS_DISCORD, languages
from bot.pages.lobby import lobby_page
from bot.pages.page import Page
from bot.pages.person import settings_page
from bot.pages.server import server_page
from bot.pages.texts import Texts, match_name, painted_names
from bot.store import StoreError
from engines.core.registry import games
from engines.core.texts import load
from sandbox.validation.commands import read_command
from sandbox.validation.forms import form
from tests.kit.prepared import made
from tests.kit.reading import without_isolates
from tests.kit.samples import FIVE
from tests.kit.second_language import GERMAN, NAME, bracketed, speak_it
from tests.ui.limits import sent, walk
from tests.ui.positions import begun, board_of, table_of
from tests.ui.surfaces.room import ANNA, Room, entered
from tests.ui.test_several_matches import ALBA, text_of
from tests.ui.test_several_matches import Room as Players

ENGLISH = Texts()


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot speak two languages."""
    speak_it(monkeypatch)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with entered(tmp_path) as found:
        await found.begin()
        yield found


def words(page: Page) -> str:
    return "\n".join(item["content"] for item in walk(sent(page)) if "content" in item)


def shown(room: Room, where: int | None) -> str:
    """Return the texts of the newest message in a channel or thread."""
    return words([page for channel, page in room.notes.messages.values() if channel == where][-1])


def controls(page: Page) -> dict[str, Any]:
    """Return the selects of a page, by their buttons."""
    found = [item for item in walk(sent(page)) if "options" in item]
    return {item["custom_id"].split(":")[2]: item for item in found}


async def board(room: Room) -> str:
    """Bring the board up to date as after a public change, and return its texts."""
    await room.services.outbox.mark_stale([room.table.id])
    await room.new_surfaces().board.update(room.table.id)
    return shown(room, (await room.services.queries.table(room.table.id)).thread_id)


@pytest.mark.usefixtures("two")
async def test_a_board_follows_its_server_and_a_panel_its_person(room: Room) -> None:
    guild, surfaces = room.table.place.guild_id, room.new_surfaces()
    assert "⟦" not in await board(room)
    await room.services.servers.change(guild, lambda rules: replace(rules, language=GERMAN))
    assert "⟦" in await board(room)
    await surfaces.lobby.update(room.table.id)
    assert "⟦" in shown(room, room.table.place.channel_id)
    seat, person = await room.asked_by_message()
    await surfaces.direct_messages.update(room.table.id, seat, with_board=True)
    assert "⟦" not in shown(room, person.id + 9_000)
    await room.services.settings.set_language(person, GERMAN)
    await room.services.servers.change(guild, lambda rules: replace(rules, language="en"))
    assert "⟦" not in await board(room)
    await room.services.outbox.mark_stale([room.table.id])
    await room.new_surfaces().direct_messages.update(room.table.id, seat, with_board=True)
    page = [page for channel, page in room.notes.messages.values() if channel == person.id + 9_000][-1]
    assert "⟦" in words(page)


@pytest.mark.usefixtures("two")
async def test_a_server_that_chose_nothing_follows_discord(room: Room) -> None:
    guild = room.table.place.guild_id
    room.client.get_guild = lambda _: SimpleNamespace(preferred_locale=discord.Locale.german)
    assert "⟦" in await board(room), "its locale was never stored"
    await room.services.languages.note_server_locale(guild, "en-GB")
    assert "⟦" not in await board(room)
    await room.services.languages.note_server_locale(guild, "de")
    room.client.get_guild = lambda _: None
    assert "⟦" in await board(room), "each process knows it"
    await room.services.servers.change(guild, lambda rules: replace(rules, language="en"))
    assert "⟦" not in await board(room)


def interaction(locale: str, guild_locale: str | None = None, person: Person = ANNA) -> Any:
    return SimpleNamespace(
        id=1,
        type=discord.InteractionType.component,
        user=SimpleNamespace(id=person.id, bot=False),
        guild_id=None if guild_locale is None else 1,
        guild_locale=guild_locale,
        locale=locale,
        extras={},
    )


async def spoken(found: Languages, heard: Any) -> str:
    """Return the language in which an interaction is answered."""
    said: list[str] = []

    async def handle() -> None:
        said.append(Reply(heard).texts.language)

    await Intake(languages=found).handle(heard, handle())
    return said[0]


@pytest.mark.usefixtures("two")
async def test_an_answer_has_the_language_that_its_person_chose(room: Room) -> None:
    known, settings = room.services.languages, room.services.settings
    assert await spoken(known, interaction("en-US")) == "en"
    assert await spoken(known, interaction("de")) == GERMAN
    assert await spoken(known, interaction("fr")) == "en", "the bot does not speak it"
    await settings.set_language(ANNA, GERMAN)
    assert await spoken(known, interaction("en-US")) == GERMAN
    await settings.set_language(ANNA, "en")
    assert await spoken(known, interaction("de")) == "en"
    await settings.set_language(ANNA, "")
    assert await spoken(known, interaction("de")) == GERMAN


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize("error", [StoreError("away"), None])
async def test_without_a_database_an_answer_has_discords_language(
    error: StoreError | None, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: object) -> Preferences:
        if error is None:
            await asyncio.Event().wait()
        raise error or StoreError("late")

    monkeypatch.setattr("bot.interactions.intake.LANGUAGE_TIMEOUT_S", 0.01)
    monkeypatch.setattr(room.services.settings, "preferences", fail)
    known = room.services.languages
    monkeypatch.setattr(known, "note_locale", fail_quietly)
    assert await spoken(known, interaction("de")) == GERMAN


async def fail_quietly(*_: object) -> None:
    raise StoreError("away")


@pytest.mark.usefixtures("two")
async def test_a_locale_is_stored_of_those_who_sit_somewhere_alone(room: Room) -> None:
    stranger = Person(77, "Dora")
    await spoken(room.services.languages, interaction("de", "de"))
    await spoken(room.services.languages, interaction("de", person=stranger))
    assert (await room.services.settings.preferences(ANNA)).spoken == GERMAN
    assert (await room.services.servers.rules(1)).spoken == GERMAN
    assert (await room.services.settings.preferences(stranger)).locale == ""
    exported = json.dumps(await room.services.privacy.export(ANNA))
    assert '"locale": "de"' in exported
    assert "de" not in json.dumps(await room.services.privacy.export(stranger))
    await spoken(room.services.languages, interaction("en-GB", "en-GB"))
    assert (await room.services.settings.preferences(ANNA)).spoken == "en"
    assert (await room.services.servers.rules(1)).spoken == "en"


async def test_while_there_is_one_language_nothing_is_read_or_stored(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert languages() == ("en",)
    monkeypatch.setattr(room.services.settings, "preferences", fail_quietly)
    monkeypatch.setattr(room.services.servers, "rules", fail_quietly)
    known = room.services.languages
    assert await spoken(known, interaction("de", "de")) == "en"
    await known.note_locale(ANNA.id, "de")
    await known.note_server_locale(1, "de")
    assert await known.of_server(1, "de") == GERMAN, "what English stands for"


def test_with_one_language_none_can_be_chosen() -> None:
    page = settings_page(Preferences(), "de", ENGLISH)
    assert Button.LANGUAGE.value not in controls(page)
    assert "🌐" not in words(page)
    page = server_page(ServerRules(), None, ENGLISH)
    assert Button.SERVER_LANGUAGE.value not in controls(page)
    assert "🌐" not in words(page)


@pytest.mark.usefixtures("two")
async def test_a_person_chooses_a_language_in_the_settings(tmp_path: Path) -> None:
    made(tmp_path / DATABASE)
    async with house_in(tmp_path, 1) as house:
        people = Players(house)
        match = await people.begin()
        await people.pass_to(match, ALBA)
        page = people.shown(await people.send(people.command(ALBA, "settings")))
        assert "⟦Y" not in text_of(page)
        for values, speaks in ([GERMAN], True), ([AS_DISCORD], False), (["xx"], False), ([GERMAN], True):
            press = people.pressed(ALBA, pack(ButtonId(HOUSE, Button.LANGUAGE)), page, values)
            answered = people.shown(await people.send(press))
            assert ("⟦Y" in text_of(answered)) is speaks
            assert ("⟦" in text_of(await people.turn(ALBA))) is speaks
        assert "⟦" not in "".join(map(text_of, house.wire.public()))


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(("chosen", "now"), [("", AS_DISCORD), ("en", "en"), ("fr", AS_DISCORD)])
def test_with_two_languages_one_is_chosen(chosen: str, now: str) -> None:
    for page, which in (
        (settings_page(Preferences(language=chosen), "de", ENGLISH), Button.LANGUAGE),
        (server_page(ServerRules(language=chosen, locale="de"), None, ENGLISH), Button.SERVER_LANGUAGE),
    ):
        options = controls(page)[which.value]["options"]
        assert [option["value"] for option in options] == [AS_DISCORD, GERMAN, "en"]
        assert [option["label"] for option in options][1:] == [NAME, "English"]
        assert [option["value"] for option in options if option.get("default")] == [now]
        if not chosen:
            assert f"**{NAME}**, as" in words(page)


@pytest.mark.usefixtures("two")
def test_a_language_that_the_bot_does_not_speak_is_not_called_discords() -> None:
    assert "Your language: **English**." in words(settings_page(Preferences(), "fr", ENGLISH))
    assert "Your language: **English**, as" in words(settings_page(Preferences(), "en-GB", ENGLISH))


@pytest.mark.usefixtures("two")
def test_names_that_nobody_chose_are_said_in_the_readers_language() -> None:
    match = begun("corto", 0)
    info = table_of(match)
    former = Person(1, "")
    info = replace(
        info,
        chairs=(Chair(0, former, "", seat=0), *info.chairs[1:]),
        host=former,
        former=(FormerHolder(1, former, 0.0),),
        status=Status.OVER,
    )
    found = replace(board_of(match), table=info)
    for texts, left, computer in (
        (ENGLISH, "Former player", "Automa 1"),
        (Texts(GERMAN), "⟦Former player⟧", "⟦Automa 1⟧"),
    ):
        names, _ = painted_names(texts, info)
        assert (names[0], names[-1]) == (left, computer)
        said = without_isolates(words(lobby_page(info, texts)) + words(board_page(found, texts)))
        for name in (left, computer):
            assert name.strip("⟦⟧") in said
            assert name in without_isolates(match_name(info, texts))


@pytest.mark.parametrize(("stored", "number"), [("1", 1), ("12", 12), ("Automa 3", 3), ("Magpie", 1)])
def test_names_of_computers_that_earlier_versions_stored_are_read(stored: str, number: int) -> None:
    assert Chair(0, None, stored).computer_number == number


def parts(items: list[Any]) -> Iterator[Any]:
    """Yield commands and their options, nested ones included."""
    for item in items:
        yield item
        yield from parts(item.get("options", []))


def registered(command: Any) -> Any:
    """Return a command as the sandbox registers it: it counts and refuses as Discord does."""
    reader = form(command)
    made = read_command(reader)
    assert reader.errors.tree() == {}
    return made


@pytest.mark.usefixtures("two")
async def test_commands_are_sent_in_both_languages(house: Bauta) -> None:
    payload = await command_payload(house.tree)
    described = [each for each in parts(payload) if "description" in each]
    for item in described:
        assert item["description_localizations"]["de"].startswith(f"⟦{item['description']}"[:90])
        assert not item.get("name_localizations"), "names stay as they are"
    choices = [choice for each in described for choice in each.get("choices", [])]
    names = {each["name"] for each in choices if each.get("name_localizations")}
    assert {"live (ten minutes a turn)", "easy", "always"} <= names
    untranslated = {each["name"] for each in choices} - names
    titles = {game.manifest.title for game in games().values()}
    assert {name for name in untranslated if not name.isdecimal()} <= titles
    [turn] = [made for made in map(registered, payload) if made["name"] == "turn"]
    assert turn["description_localizations"]["de"].startswith("⟦")


async def test_commands_fit_a_longer_language(house: Bauta, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord counts the longest translation of each text."""
    speak_it(monkeypatch)

    def longer(text: str) -> str:
        return text + "~" * (len(text) * 2 // 5)

    for package in ("bot", *(f"engines.{key}" for key in games())):
        found: Any = load(package).languages
        monkeypatch.setitem(
            found, GERMAN, {key: bracketed(text, longer) for key, text in found["en"].items()}
        )
    for command in await command_payload(house.tree):
        # What a further game may need is not known here: in English it must fit too (test_commands.py).
        known = [each for each in command.get("options", []) if each["name"] not in {*games()} - {*FIVE}]
        registered(command | {"options": known})


def test_only_people_who_deleted_their_data_are_called_former_players() -> None:
    """In a lesson, the pupil has no name either: seats are called by their sides."""
    pupil, former = Person(MOST_CHAIRS, ""), Person(1, "")
    assert (person_name(pupil), person_name(former)) == ("", Texts().house("former.name"))
