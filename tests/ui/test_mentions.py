"""Texts mention commands: a click on one makes it, and what shows no mentions names it in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from bot.app import Bauta
from bot.domain.tables import Preferences, ServerRules
from bot.interactions.command_tree import Registration, command_payload
from bot.pages.custom_ids import HOUSE, Button, ButtonId
from bot.pages.how_to_play import help_page, welcome_page
from bot.pages.lobby import lobby_page
from bot.pages.mentions import COMMAND, CommandMentions, without_mentions
from bot.pages.page import Page, button, notice_page
from bot.pages.panel import PanelPage, panel_page
from bot.pages.person import games_page, settings_page
from bot.pages.privacy import blocked_page, privacy_page
from bot.pages.server import server_page
from bot.pages.texts import Texts
from bot.runtime.heartbeat import Conditions
from engines.core.contract import msg
from engines.core.registry import games
from engines.core.texts import forms, load, rules
from renderers.core.registry import renderers_by_game
from tests.ui.limits import check, sent, walk
from tests.ui.positions import begun, panel_of, table_of
from tests.ui.test_commands import COMMANDS

MENTION = re.compile(r"</[^:>]+:\d+>")

LISTED: list[dict[str, Any]] = [
    {"id": "70", "name": "play", "type": 1, "options": [{"type": 1, "name": "volo", "options": []}]},
    {"id": "71", "name": "turn", "type": 1, "options": [{"type": 3, "name": "match"}]},
    *({"id": str(80 + n), "name": name} for n, name in enumerate(sorted(COMMANDS - {"play", "turn"}))),
]
"""Commands as Discord lists them."""


@pytest.fixture
def mentions() -> CommandMentions:
    found = CommandMentions()
    found.learn(LISTED)
    return found


@pytest.fixture
def texts(mentions: CommandMentions) -> Texts:
    return Texts(mentions=mentions)


def test_every_command_that_a_text_names_exists() -> None:
    packages = [
        "bot",
        *(f"engines.{key}" for key in games()),
        *(f"renderers.{key}" for key in renderers_by_game()),
    ]
    said = [
        (f"{package} {key}", text)
        for package in packages
        for catalogue in load(package).languages.values()
        for key, template in catalogue.items()
        for text in forms(template)
    ]
    said += [(f"rules of {key}", rules(key)) for key in games()]
    named = [(where, found[2]) for where, text in said for found in COMMAND.finditer(text)]
    assert len(named) > 40
    assert [each for each in named if each[1] not in COMMANDS] == []


def test_a_command_is_a_mention_once_its_id_is_known(texts: Texts) -> None:
    plain = Texts()
    assert re.search(r" /turn\b", plain.house("error.stale"))
    assert " </turn:71>" in texts.house("error.stale")
    assert "`" not in texts.house("dm.first"), "no mention works within code"
    assert "`" not in plain.house("dm.first")
    assert " </turn:71> reopens" in texts.house("dm.first")
    one, many = (texts.house("no.server_most", n=n) for n in (1, 2))
    assert MENTION.search(one)
    assert MENTION.search(many)
    assert without_mentions(texts.house("dm.first")) == plain.house("dm.first")


def test_a_command_with_subcommands_is_mentioned_by_these_alone(mentions: CommandMentions) -> None:
    assert mentions.of("play volo") == "</play volo:70>"
    assert mentions.of("play") == "/play"
    assert "with /play" in Texts(mentions=mentions).house("no.closed")


def test_no_name_becomes_a_mention(texts: Texts) -> None:
    for name in ("/turn", "`/turn`", "{/turn}"):
        assert name in texts.house("motion.outsider", player=name)
    assert "/turn" in texts.house_msg(msg("no.option_value", value="/turn", option="x"))
    assert not MENTION.search(texts.house("no.option_value", value="/turn", option="x"))


@pytest.mark.parametrize(
    "listed",
    [None, 7, [7], {"message": "well"}, [{"id": "1"}], [{"name": "turn"}], [{"id": "x", "name": "turn"}]],
)
def test_a_list_is_read_or_not_at_all(listed: Any, mentions: CommandMentions) -> None:
    with pytest.raises((LookupError, TypeError, ValueError, AttributeError)):
        mentions.learn(listed)
    assert mentions.of("turn") == "</turn:71>", "what was known stays"


def test_what_is_no_slash_command_is_not_mentioned(mentions: CommandMentions) -> None:
    mentions.learn([{"id": "5", "name": "turn", "type": 4}])
    assert mentions.of("turn") == "/turn"


PAGES: dict[str, Callable[[Texts], Page]] = {
    "help": help_page,
    "welcome": welcome_page,
    "privacy": privacy_page,
    "no matches": lambda texts: games_page([], texts),
    "settings": lambda texts: settings_page(Preferences(), "en-GB", texts, manages=True),
    "server": lambda texts: server_page(ServerRules(), table_of(begun("volo", 0)), texts),
    "blocked": lambda texts: blocked_page([table_of(begun("volo", 0))], texts),
    "table": lambda texts: lobby_page(table_of(begun("volo", 0)), texts),
    "panel": lambda texts: panel_page(
        PanelPage(panel_of(begun("volo", 0), 0), texts, notice=texts.house("dm.first"), notifies=True)
    ),
    "notice": lambda texts: notice_page(texts.house("no.server_channels")),
}


@pytest.mark.parametrize("kind", PAGES)
def test_labels_and_notifications_show_no_mention(kind: str, texts: Texts) -> None:
    page = PAGES[kind](texts)
    check(sent(page))
    for item in walk(sent(page)):
        shown = {key: value for key, value in item.items() if key not in ("content", "components")}
        assert not MENTION.search(str(shown)), shown
    assert page.push is None or not MENTION.search(page.push.words)
    if kind in ("help", "notice", "panel"):
        assert MENTION.search(str(sent(page)))


def test_a_button_names_a_command_plainly(texts: Texts) -> None:
    made = button(texts.house("error.unknown_match"), ButtonId(HOUSE, Button.SETTINGS))
    assert "/games lists your matches" in str(made.label)


class Answers:
    """What Discord answers to requests about commands, and what it was sent."""

    def __init__(self, listed: Any, sent: Any = None) -> None:
        self.listed, self.sent = listed, sent
        self.methods: list[str] = []

    async def request(self, route: Any, **_: Any) -> Any:
        self.methods.append(route.method)
        found = self.listed if route.method == "GET" else self.sent
        if isinstance(found, Exception):
            raise found
        return found


async def test_a_process_that_registers_nothing_learns_the_ids(
    house: Bauta, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, mentions = house.tree, house.surfaces.shown.mentions
    monkeypatch.setattr(house.http, "request", Answers(OSError("away")).request)
    await tree.learn_mentions()
    assert mentions.of("turn") == "/turn"
    answers = Answers(LISTED)
    monkeypatch.setattr(house.http, "request", answers.request)
    await tree.learn_mentions()
    assert answers.methods == ["GET"]
    assert mentions.of("turn") == "</turn:71>"


async def test_what_is_registered_is_known_at_once(house: Bauta, monkeypatch: pytest.MonkeyPatch) -> None:
    tree, mentions = house.tree, house.surfaces.shown.mentions
    payload = await command_payload(tree)
    answered = [{**item, "id": str(500 + n)} for n, item in enumerate(payload)]
    answers = Answers([], answered)
    monkeypatch.setattr(house.http, "request", answers.request)
    await tree.register(house.services, Registration(Conditions()))
    assert answers.methods == ["GET", "PUT"]
    assert re.fullmatch(r"</turn:5\d\d>", mentions.of("turn"))
    assert {mentions.of(f"play {key}").partition(":")[0] for key in games()} == {
        f"</play {key}" for key in games()
    }
