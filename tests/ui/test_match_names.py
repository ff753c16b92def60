"""A match has one name, wherever it stands; matches of the same name are told apart where they are listed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.domain.match import Board, Moment, Panel
from bot.domain.tables import Chair, MatchLine, Person, Place, Status, TableInfo
from bot.pages import texts
from bot.pages.board import board_page
from bot.pages.lobby import lobby_page
from bot.pages.log import log_page
from bot.pages.moment import moment_page
from bot.pages.page import Page
from bot.pages.panel import PanelPage, panel_page
from bot.pages.person import games_page, match_labels
from bot.pages.privacy import blocked_page
from bot.pages.questions import draw_page
from bot.pages.texts import MATCH_NAME_LIMIT, Texts, match_numbers
from engines.core.registry import game
from engines.core.texts import forms, load
from tests.kit.reading import without_isolates
from tests.ui.limits import Json, check, sent, walk
from tests.ui.positions import KEYS, PAINTED, begun, board_of, panel_of, table_of

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "engines", "renderers")
ENGLISH = Texts()
DAY = 86_400.0


def match_name(table: TableInfo, number: int = 0) -> str:
    return without_isolates(texts.match_name(table, ENGLISH, number))


def match_heading(table: TableInfo) -> str:
    return without_isolates(texts.match_heading(table, ENGLISH))


def match_link(table: TableInfo, number: int = 0) -> str:
    return without_isolates(texts.match_link(table, ENGLISH, number))


def of(table: TableInfo, *names: str, **changes: Any) -> TableInfo:
    """Return the table with people of these names."""
    chairs = tuple(Chair(n, Person(100 + n, name), name, seat=n) for n, name in enumerate(names))
    return replace(table, chairs=chairs, **changes)


def line(table: TableInfo, *, asked: bool = False, since: float = DAY) -> MatchLine:
    return MatchLine(table, 0, asked, since)


@pytest.fixture
def table() -> TableInfo:
    # A short title, and sides called by colours.
    return of(table_of(begun("corto", 0)), "Anna", "Ben")


ASCII = {0xFEE0 + code: code for code in range(0x21, 0x7F)}
"""Characters by their full-width forms."""


def plain(text: str) -> str:
    """Return markup as it reads: of a link its text, and what is escaped, parted or replaced as it was."""
    shown = re.sub(r"(?<!\\)\[([^\[\]]+)\]\(https://discord\.com/channels/\d+/\d+\)", r"\1", text)
    return re.sub(r"\\(.)", r"\1", without_isolates(shown)).replace("\u200b", "").translate(ASCII)


def read(page: Page) -> str:
    """Return all that a page says as it reads: its texts, its labels, and its notification."""
    items = list(walk(sent(page)))
    said = [item.get("content", "") for item in items]
    said += [option["label"] for item in items for option in item.get("options", [])]
    return plain("\n".join([*said, "" if page.push is None else page.push.words]))


@pytest.mark.parametrize("key", KEYS)
def test_the_name_says_which_game_and_who_plays(key: str) -> None:
    table = of(table_of(begun(key, 0)), "Anna", "Ben")
    assert match_name(table) == match_heading(table) == f"{game(key).manifest.title} · Anna – Ben"
    assert match_link(table) == f"[{match_name(table)}](https://discord.com/channels/1/77)"


def test_the_name_is_that_of_the_seats_whoever_sat_down_first(table: TableInfo) -> None:
    turned = tuple(replace(chair, seat=1 - chair.order) for chair in table.chairs)
    assert match_name(replace(table, chairs=turned)).endswith(" · Ben – Anna")


def test_before_it_begins_a_match_is_called_by_who_sits_there(table: TableInfo) -> None:
    title = game(table.game).manifest.title
    waiting = tuple(replace(chair, seat=None) for chair in table.chairs[:1])
    assert match_name(replace(table, chairs=waiting)) == f"{title} · Anna"
    assert match_name(replace(table, chairs=())) == title


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_nobody_is_left_out_of_a_long_name(table: TableInfo, seats: int) -> None:
    long = of(table, *(f"{n}{'x' * 40}" for n in range(seats - 1)), "Ben")
    name = match_name(long)
    assert len(name) <= MATCH_NAME_LIMIT
    assert re.findall(r"(?:· |– )(\d|Ben)", name) == [*map(str, range(seats - 1)), "Ben"]
    assert plain(match_heading(long)) == plain(match_link(long)) == name


@pytest.mark.parametrize(
    "name",
    ["[clan] Anna", "Anna]", "x](https://example.org)", "**x** __y__ ||z||", "~~a~~ `b`", "# x", "@everyone",
     "<@7>", "<#7>", "a\\", "\\*", "https://a.b", ":fox:", "<:fox:8>"],
)  # fmt: skip
def test_a_name_acts_as_no_markup(table: TableInfo, name: str) -> None:
    table = of(table, name, "Ben")
    shown, _, address = match_link(table)[1:].rpartition("](")
    assert address == "https://discord.com/channels/1/77)"
    # Discord reads no escapes in there: a backslash would be seen.
    assert not re.search(r"[\\\[\]*_~`|<@:]", shown), "it would end or style the link"
    assert plain(match_link(table)) == plain(match_heading(table)) == match_name(table)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("🦊 Anna", "Anna"),
        ("An🦊na", "Anna"),
        ("Anna 🦊 Fox", "Anna Fox"),
        ("1\ufe0f\u20e3 Anna", "1 Anna"),
        ("👩\u200d👩\u200d👧 Anna", "Anna"),
        ("🇮🇹 Anna 👍🏽", "Anna"),
        ("Anna ♥\ufe0f", "Anna"),
        ("Anna ™", "Anna"),
        ("🦊", "Red"),
        ("🦊" * 40, "Red"),
        ("Ⓐⓝⓝⓐ", "Ⓐⓝⓝⓐ"),
        ("क्\u200dष", "क्\u200dष"),
        ("安娜", "安娜"),
    ],
)
def test_emoji_are_left_out_of_a_link(table: TableInfo, name: str, shown: str) -> None:
    """Discord makes no link of a text with emoji in it."""
    title = game(table.game).manifest.title
    assert match_link(of(table, name, "Ben")).startswith(f"[{title} · {shown} – Ben](")
    assert match_name(of(table, name, "Ben")).startswith(f"{title} · {name[:1]}")


def test_a_game_that_is_gone_is_called_as_its_tables_call_it(table: TableInfo) -> None:
    gone = replace(table, setup=replace(table.setup, game="old_game"))
    assert match_name(gone) == "old_game · Anna – Ben"
    assert match_link(gone).startswith("[old\uff3fgame · Anna – Ben](")
    assert match_heading(gone) == r"old\_game · Anna – Ben"


JOINED = re.compile(r"""['"]\s*[bfru]*['"]""", re.IGNORECASE)
"""Where one literal ends and the next begins: Python joins them."""


def test_every_masked_link_is_made_by_one_function() -> None:
    """Elsewhere, in code or in a catalogue, a name would stand in it as it is."""
    found = []
    for path in sorted(each for top in PACKAGES for each in (ROOT / top).rglob("*")):
        if path.suffix == ".py":
            text = path.read_text("utf-8")
            if "](" not in JOINED.sub("", text):
                continue  # to parse all files would take seconds
            nodes = ast.walk(ast.parse(text))
            parts = [str(node.value) for node in nodes if isinstance(node, ast.Constant)]
            found += [path.relative_to(ROOT).as_posix() for part in parts if "](" in part]
        elif path.suffix in (".json", ".md"):
            found += [path.relative_to(ROOT).as_posix()] * path.read_text("utf-8").count("](")
    assert found == ["bot/pages/texts.py"]


def test_a_table_without_a_thread_leads_to_its_channel_and_a_broken_one_nowhere(table: TableInfo) -> None:
    assert match_link(replace(table, thread_id=None)).endswith("](https://discord.com/channels/1/2)")
    assert match_link(replace(table, thread_id=None, place=Place(0, 0))) == match_heading(table)


def test_a_match_of_a_game_that_is_gone_has_a_name(table: TableInfo) -> None:
    gone = replace(table, setup=replace(table.setup, game="gone" * 40))
    assert len(match_name(gone)) <= MATCH_NAME_LIMIT
    assert match_name(gone).endswith(" · Anna – Ben")


# --- everywhere -----------------------------------------------------------------------------------


def panel_at(key: str, table: TableInfo) -> Panel:
    return replace(panel_of(begun(key, 0), 0), table=table)


def board_at(key: str, table: TableInfo) -> Board:
    return replace(board_of(begun(key, 0)), table=table, draw_offers=(0,))


PAGES: dict[str, Callable[[str, TableInfo], Page]] = {
    "board": lambda key, table: board_page(board_at(key, table), ENGLISH),
    "board in private": lambda key, table: board_page(board_at(key, table), ENGLISH, current=False),
    "panel": lambda key, table: panel_page(PanelPage(panel_at(key, table), ENGLISH, notifies=True)),
    "log": lambda _, table: log_page(table, [], None, ENGLISH),
    "moment": lambda key, table: moment_page(Moment(table, 0, begun(key, 0).view(0), 0, 0, 1, ()), ENGLISH),
    "offer": lambda key, table: draw_page(board_at(key, table), ENGLISH),
    "games": lambda _, table: games_page([line(table)], ENGLISH),
    "privacy": lambda _, table: blocked_page([table], ENGLISH),
}
"""Every page that names a match; what answers alone say is in ``test_several_matches``."""

PUBLIC = {"board", "offer"}
"""What stands in the match's own thread."""


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("kind", PAGES)
def test_a_match_has_one_name_everywhere(key: str, kind: str) -> None:
    table = of(table_of(begun(key, 0)), "Anna *b*", "B[en]")
    page = PAGES[kind](key, table)
    check(sent(page))
    assert match_name(table) in read(page)
    raw = "\n".join(item.get("content", "") for item in walk(sent(page)))
    assert (match_link(table) in without_isolates(raw)) is (kind not in PUBLIC)


@pytest.mark.parametrize("key", KEYS)
def test_notifications_call_it_so_too(key: str) -> None:
    table = of(table_of(begun(key, 0)), "Anna *b*", "B[en]")
    for kind in ("board", "panel", "offer"):
        push = PAGES[kind](key, table).push
        assert push is not None
        assert match_name(table) in without_isolates(push.words)


def test_no_other_text_of_the_house_names_a_match_by_its_game() -> None:
    texts = load("bot").languages["en"]
    said = {key: " ".join(forms(text)) for key, text in texts.items()}
    # Who is invited is asked to a game: the match is still to be made.
    assert {key for key, text in said.items() if "{title}" in text} == {"push.invited", "push.rematch"}
    assert {key for key, text in said.items() if "{match}" in text} == {
        "push.turn", "push.offer", "push.overdue", "push.seat_offer",
        "motion.ask.pause", "motion.ask.undo", "motion.ask.abandon", "motion.ask.replace", "thread.rematch",
        "push.panel", "panel.title", "log.title", "resign.ask",
        "goodbye.over", "reminder.waits", "reminder.question", "reminder.nudge", "reminder.until",
        "server.ask", "dm.off", "moment.start",
        "moment.after", "moment.now", "turning.title", "turning.none_title",
    }  # fmt: skip


@pytest.mark.parametrize("status", [Status.RUNNING, Status.OVER])
def test_the_tables_message_names_it_by_its_thread(table: TableInfo, status: Status) -> None:
    assert "<#77>" in read(lobby_page(replace(table, status=status), ENGLISH))


@pytest.mark.parametrize("key", PAINTED)
def test_text_and_picture_call_a_side_by_the_same_word(key: str) -> None:
    engine, painter = load(f"engines.{key}").languages, load(f"renderers.{key}").languages
    for language in set(engine) & set(painter):
        for seat, label in enumerate(game(key).manifest.seat_labels):
            assert engine[language][label.key] == painter[language][f"seat.{seat}"]


# --- in lists -------------------------------------------------------------------------------------


def namesakes(table: TableInfo) -> Iterator[TableInfo]:
    """Yield three matches of the same name, the newest first, and one of another."""
    for thread in (93, 92, 91):
        yield replace(table, id=f"t{thread}", thread_id=thread)
    yield of(table, "Anna", "Clara", id="other", thread_id=90)


def test_matches_of_the_same_name_are_numbered_the_oldest_first(table: TableInfo) -> None:
    found = list(namesakes(table))
    assert match_numbers(found, ENGLISH) == {"t91": 1, "t92": 2, "t93": 3, "other": 0}
    assert match_numbers(reversed(found), ENGLISH) == match_numbers(found, ENGLISH)
    assert match_numbers(found[2:], ENGLISH) == {"t91": 0, "other": 0}
    unbegun = replace(table, id="new", thread_id=None)
    assert match_numbers([unbegun, *found], ENGLISH)["new"] == 4


def test_a_list_tells_them_apart_in_every_place(table: TableInfo) -> None:
    found = list(namesakes(table))
    lines = [line(each) for each in found]
    labels = [without_isolates(label.rpartition(" · ")[0]) for label in match_labels(lines, ENGLISH)]
    name = match_name(table)
    assert labels == [f"{name} (3)", f"{name} (2)", f"{name} (1)", match_name(found[-1])]
    page = games_page(lines, ENGLISH)
    assert [without_isolates(option["label"]) for option in select_of(page)["options"]] == labels
    listed = [entry for entry in read(page).splitlines() if entry.startswith("⏳ ")]
    assert [entry.removeprefix("⏳ ").rpartition(" · ")[0] for entry in listed] == labels
    blocked = read(blocked_page(found, ENGLISH)).splitlines()
    assert [entry.removeprefix("- ") for entry in blocked if entry.startswith("- ")] == labels


@pytest.mark.parametrize("key", KEYS)
def test_a_number_is_never_cut_off(table: TableInfo, key: str) -> None:
    long = of(replace(table, setup=replace(table.setup, game=key)), "x" * 40, "y" * 40)
    lines = [line(replace(long, id=f"t{n}"), asked=True) for n in range(200)]
    labels = match_labels(lines, ENGLISH)
    assert len(set(labels)) == len(labels)
    assert all(len(label) <= 100 and label.endswith(" · your turn") for label in labels)


def select_of(page: Page) -> Json:
    [found] = [item for item in walk(sent(page)) if "options" in item]
    return found


def test_a_list_says_what_is_over_and_whose_turn_it_is(table: TableInfo) -> None:
    lines = [
        line(replace(table, id="a", thread_id=1), asked=True),
        replace(line(replace(table, id="b", thread_id=2)), waiting=(1,)),
        line(replace(table, id="c", thread_id=3)),
        line(replace(table, id="d", thread_id=None, status=Status.OPEN)),
        line(replace(table, id="e", thread_id=5, status=Status.FROZEN)),
        line(replace(table, id="f", thread_id=6, status=Status.OVER)),
    ]
    labels = match_labels(lines, ENGLISH)
    assert [label.rpartition(" · ")[2] for label in labels] == [
        "your turn", "running", "running", "not started", "frozen", "over",
    ]  # fmt: skip
    assert [label.startswith("➡️ ") for label in labels] == [True] + [False] * 5
    page = games_page(lines, ENGLISH)
    said = [entry.rpartition(" · ")[2] for entry in read(page).splitlines() if " · " in entry][:6]
    when = f"<t:{int(DAY)}:R>"
    assert said == [
        f"**your turn** since <t:{int(DAY)}:f>",
        f"waiting for Ben, last changed {when}",
        f"waiting for others, last changed {when}",
        f"not started, last changed {when}",
        f"frozen, last changed {when}",
        f"ended {when}",
    ]
    options = select_of(page)["options"]
    # What has no board cannot be opened.
    assert [option["value"] for option in options] == ["a", "b", "c", "f"]
    assert [option["description"] for option in options] == ["your turn", "running", "running", "over"]


def test_a_list_of_nothing_that_can_be_opened_has_no_select(table: TableInfo) -> None:
    page = games_page([line(replace(table, status=Status.OPEN))], ENGLISH)
    assert [item for item in walk(sent(page)) if "options" in item] == []
