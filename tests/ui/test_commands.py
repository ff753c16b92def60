"""The slash commands as they are sent to Discord: complete, within its limits, ready for translation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.app import Bauta
from bot.interactions.command_factory import Translator, game_text, house_text
from bot.interactions.command_tree import command_payload
from engines.core import texts
from engines.core.registry import games

README = Path(__file__).parents[2] / "README.md"

NAME = re.compile(r"[-_a-z0-9]{1,32}")

COMMANDS = frozenset(
    [
        "play",
        "turn",
        "hand",
        "board",
        "move",
        "games",
        "rules",
        "log",
        "resign",
        "draw",
        "nudge",
        "holiday",
        "grant",
        "pause",
        "undo",
        "abandon",
        "replace",
        "learn",
        "help",
        "settings",
        "privacy",
    ]
)
"""The slash commands."""


@pytest.fixture
async def payload(house: Bauta) -> list[dict[str, Any]]:
    return await command_payload(house.tree)


def find(payload: list[dict[str, Any]], *path: str) -> dict[str, Any]:
    [found] = [item for item in payload if item["name"] == path[0]]
    return find(found.get("options", []), *path[1:]) if len(path) > 1 else found


def test_all_commands_are_there(payload: list[dict[str, Any]]) -> None:
    assert {item["name"] for item in payload} == COMMANDS


def test_the_readme_lists_them() -> None:
    rows = [line for line in README.read_text("utf-8").splitlines() if line.startswith("| `/")]
    assert {name for row in rows for name in re.findall(r"`/([a-z]+)", row.split("|")[1])} == COMMANDS


def test_discord_takes_them(payload: list[dict[str, Any]]) -> None:
    assert len(payload) <= 100
    for command in payload:
        assert size(command) <= 8_000
        check(command)


def size(item: dict[str, Any]) -> int:
    """Return the characters that Discord counts for a command: names, descriptions, values."""
    own = len(item["name"]) + len(item.get("description", "")) + len(str(item.get("value", "")))
    return own + sum(size(part) for part in (*item.get("options", []), *item.get("choices", [])))


def check(item: dict[str, Any]) -> None:
    assert NAME.fullmatch(item["name"])
    assert 1 <= len(item["description"]) <= 100
    assert item["description"] != "…"
    options = item.get("options", [])
    assert len(options) <= 25
    assert len({option["name"] for option in options}) == len(options)
    required = [option.get("required", False) for option in options]
    assert required == sorted(required, reverse=True)
    for option in options:
        check(option)
    choices = item.get("choices", [])
    assert len(choices) <= 25
    assert not (choices and item.get("autocomplete"))
    for choice in choices:
        assert 1 <= len(choice["name"]) <= 100
        assert len(str(choice["value"])) <= 100


def test_play_has_a_subcommand_for_every_game(payload: list[dict[str, Any]]) -> None:
    play = find(payload, "play")
    assert [item["name"] for item in play["options"]] == list(games())
    for key, game in games().items():
        subcommand = find(payload, "play", key)
        for option in game.manifest.options:
            declared = find(payload, "play", key, option.key)
            assert [c["value"] for c in declared["choices"]] == [c.key for c in option.choices]
        names = [option["name"] for option in subcommand["options"]]
        assert names.count("opponent") == 1
        assert ("players" in names) is (len(game.manifest.seats) > 1)
        assert find(payload, "play", key, "computers")["max_value"] == max(game.manifest.seats) - 1


def test_where_commands_work(payload: list[dict[str, Any]]) -> None:
    for command in payload:
        assert command["contexts"] == ([0] if command["name"] == "play" else [0, 1])
        assert command["integration_types"] == [0]


def test_what_is_completed(payload: list[dict[str, Any]]) -> None:
    completed = {
        (command["name"], option["name"])
        for command in payload
        for option in command.get("options", [])
        if option.get("autocomplete")
    }
    matches = {"turn", "hand", "board", "move", "log", "resign", "draw", "nudge", "grant", "pause"}
    matches |= {"abandon", "replace", "undo"}
    assert completed == {("move", "words"), *((name, "match") for name in matches)}


async def test_another_language_is_a_file_away(monkeypatch: pytest.MonkeyPatch) -> None:
    translator: Any = Translator()
    key, game = next(iter(games().items()))
    tagline = game.manifest.tagline
    catalogues: dict[str, Any] = {
        "bot": {
            "en": texts.load("bot").languages["en"],
            "it": {"command.turn": "Il tuo pannello", "name.turn": "turno"},
        },
        f"engines.{key}": {"en": {tagline.key: "x"}, "it": {tagline.key: "Un duello"}},
    }
    monkeypatch.setattr(
        "bot.interactions.command_factory.load", lambda package: texts.Catalogue(catalogues[package])
    )
    italian, french = discord.Locale.italian, discord.Locale.french
    assert await translator.translate(house_text("command.turn"), italian, None) == "Il tuo pannello"
    assert await translator.translate(game_text(key, tagline), italian, None) == "Un duello"
    assert await translator.translate(house_text("command.turn"), french, None) is None
    assert await translator.translate(house_text("command.help"), italian, None) is None
    assert (
        await translator.translate(house_text("command.turn"), discord.Locale.british_english, None) is None
    )
