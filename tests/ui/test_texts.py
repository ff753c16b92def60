"""The house's texts: each one that the code asks for is there, none lies idle, and all can be filled."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.match import LogLine, Told
from bot.domain.refusals import GameRefusal, Refusal
from bot.domain.tables import MatchLine, Status
from bot.pages.board import board_page
from bot.pages.lobby import lobby_page, thread_name
from bot.pages.log import LOG_FILE, log_page
from bot.pages.panel import panel_page
from bot.pages.person import games_page, label_of
from bot.pages.rules import PAGE_LIMIT, rules_page, rules_pages
from bot.pages.texts import TableTexts, Texts, last_lines, safe, shorten
from bot.permissions import NEEDED
from engines.core.contract import Outcome, msg
from engines.core.registry import game
from engines.core.texts import load
from tests.ui.limits import check, sent, walk
from tests.ui.positions import COMMANDS, KEYS, begun, board_of, panel_of, played, table_of

BOT = Path(__file__).parents[2] / "bot"
TEXTS = load("bot").languages["en"]
ENGLISH = Texts()


def literals() -> set[str]:
    """Return every string in the code of ``bot/``."""
    found: set[str] = set()
    for file in sorted(BOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def built() -> set[str]:
    """Return the keys that the code puts together from parts."""
    found = {f"command.{name}" for name in COMMANDS}
    found |= {f"permission.{name}" for name in NEEDED}
    found |= {"option.dms.on", "option.dms.off"}
    return found | {key for key in TEXTS if key.startswith("no.")}


def test_every_text_that_is_asked_for_is_there() -> None:
    families = {key.partition(".")[0] for key in TEXTS}
    asked = {
        text
        for text in literals() - {LOG_FILE}
        if re.fullmatch(r"[a-z]+(\.[a-z_]+)+", text) and text.partition(".")[0] in families
    }
    assert len(asked) > 50
    assert asked <= set(TEXTS)
    assert built() <= set(TEXTS)


def test_no_text_lies_idle() -> None:
    assert set(TEXTS) <= literals() | built()


def test_every_refusal_has_its_text() -> None:
    used = set()
    for file in sorted(BOT.rglob("*.py")):
        used |= {f"no.{key}" for key in re.findall(r'\brefusal\("([a-z_]+)"', file.read_text("utf-8"))}
    assert used
    assert used <= set(TEXTS)


def test_the_catalogue_is_plain_json() -> None:
    data = json.loads((BOT / "locale" / "en.json").read_text("utf-8"))
    for value in data.values():
        assert isinstance(value, str) or set(value) == {"one", "other"}


@pytest.mark.parametrize("key", KEYS)
def test_rules_come_in_leaves(key: str) -> None:
    leaves = rules_pages(key)
    assert 1 <= len(leaves) <= 25
    for number, leaf in enumerate(leaves):
        assert 0 < len(leaf.body) <= PAGE_LIMIT + 8
        assert leaf.body.count("```") % 2 == 0
        check(sent(rules_page(key, number, ENGLISH)))
    first = sent(rules_page(key, 0, ENGLISH))
    assert sent(rules_page(key, 99, ENGLISH)) == first
    source = (Path(__file__).parents[2] / "engines" / key / "RULES.md").read_text("utf-8")
    said = "\n".join(leaf.body for leaf in leaves)
    for line in source.splitlines():
        assert line in said


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("status", list(Status))
def test_a_table_in_every_state(key: str, status: Status) -> None:
    table = table_of(begun(key, 0), status)
    page = lobby_page(table, ENGLISH, [1, 2])
    check(sent(page))
    said = " ".join(item.get("content", "") for item in walk(sent(page)))
    assert ("<@1>" in said) is (status is Status.OPEN)
    assert "@everyone" not in said
    assert len(thread_name(table)) <= 100


@pytest.mark.parametrize("key", KEYS)
def test_boards_from_the_start_to_the_end(key: str) -> None:
    matches = list(played(key, 0, 500))
    for match in [*matches[:-1:10], matches[-1]]:
        board = board_of(match)
        page = board_page(board, ENGLISH, picture=None, words="board")
        check(sent(page))
        said = " ".join(item.get("content", "") for item in walk(sent(page)))
        assert (match.seed.hex() in said) is (match.outcome is not None)
        for seat in board.waiting:
            person = board.table.chair_at(seat).person
            assert person is None or f"<@{person.id}>" in said
    assert matches[-1].outcome is not None


@pytest.mark.parametrize("key", KEYS)
def test_the_end_is_told_once(key: str) -> None:
    match = list(played(key, 0, 500))[-1]
    pages = [board_page(board_of(match), ENGLISH, picture=None)]
    pages += [panel_page(panel_of(match, seat), ENGLISH, picture=None) for seat in range(match.setup.seats)]
    assert match.outcome is not None
    for page in pages:
        said: list[str] = [item.get("content", "") for item in walk(sent(page))]
        lines = [line for text in said for line in text.splitlines()]
        for reason in match.outcome.reasons:
            assert lines.count(TableTexts(ENGLISH, table_of(match)).say(reason)) == 1


@pytest.mark.parametrize(
    ("won", "headline"),
    [(None, "end.draw"), (True, "end.together_won"), (False, "end.together_lost")],
)
def test_who_plays_together_wins_or_loses_together(won: bool | None, headline: str) -> None:
    table = table_of(begun(KEYS[0], 0))
    seats = tuple(range(table.setup.seats))
    outcome = Outcome((seats,), (msg("tagline"),), tuple((seat, 7) for seat in seats), won=won)
    said = TableTexts(ENGLISH, table).result(outcome)
    assert said[0] == f"**{TEXTS[headline]}**"
    assert len(said) == 2 + len(seats)
    assert any("🥇" in line for line in said) is (won is None), "who has played together takes no places"


def test_a_table_says_that_all_play_together(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(begun(KEYS[0], 0), Status.OPEN)
    lines: list[str] = []
    for together in (False, True):
        manifest = replace(game(table.game).manifest, cooperative=together)
        monkeypatch.setattr(type(game(table.game)), "manifest", manifest)
        lines.append(json.dumps(sent(lobby_page(table, ENGLISH))))
    assert [ENGLISH.house("lobby.together") in line for line in lines] == [False, True]


@pytest.mark.parametrize("key", KEYS)
def test_a_log_of_any_length(key: str) -> None:
    match = list(played(key, 0, 500))[-1]
    table = table_of(match, Status.OVER)
    lines = [LogLine(n, 0.0, (fact,)) for n, fact in match.facts(None)]
    page = log_page(table, lines * 3, {"seed": "00"}, ENGLISH)
    check(sent(page))
    assert [upload.filename for upload in page.uploads] == ["log.txt", "replay.json"]
    assert page.uploads[0].data.count(b"\n") + 1 >= len(lines)
    check(sent(log_page(table, [], None, ENGLISH)))


def test_lists_of_matches_of_any_length() -> None:
    table = table_of(begun(KEYS[0], 0))
    lines = [MatchLine(table, 0, n % 2 == 0, 1_000.0 + n) for n in range(200)]
    for some in (lines, lines[:1], []):
        check(sent(games_page(some, ENGLISH)))
    assert len(label_of(lines[0])) <= 100


def test_refusals_speak_with_the_right_voice() -> None:
    table = table_of(begun(KEYS[0], 0))
    assert ENGLISH.refusal(Refusal(msg("error.stale"))) == TEXTS["error.stale"]
    tagline = load(f"engines.{table.game}").languages["en"]["tagline"]
    assert ENGLISH.refusal(GameRefusal(table, msg("tagline"))) == tagline


@pytest.mark.parametrize(
    ("name", "never"),
    [
        ("@everyone", "@everyone"),
        ("<@123456789012345678>", "<@123456789012345678>"),
        ("**bold**", "**"),
        ("a\nb", "\n"),
        ("# head\n## two", "\n"),
        ("`tick`", "`tick"),
        ("||hidden||", "||"),
        ("# head", " #"),
        ("- item", " -"),
        ("> quote", " >"),
        ("x" * 200, "x" * 33),
        ("[a](https://example.org)", " [a]("),
    ],
)
def test_names_do_no_harm(name: str, never: str) -> None:
    assert never not in re.sub(r"\\.", "", f" {safe(name)}")


def test_cutting() -> None:
    assert shorten("abc", 3) == "abc"
    assert shorten("abcd", 3) == "ab…"
    assert last_lines(["aa", "bb", "cc"], 6) == ["bb", "cc"]
    assert last_lines(["aa"], 2) == []


@pytest.mark.parametrize("key", KEYS)
def test_a_line_is_the_same_wherever_a_board_begins(key: str) -> None:
    """A board tells whole acts, from one on: what it says of them is what the whole story says."""
    *_, match = played(key, 0, 24)
    table = table_of(match)
    story = [Told(batch, fact) for batch, fact in match.facts(None)]
    whole = TableTexts(ENGLISH, table).told(story)
    for batch in sorted({told.batch for told in story}):
        late = TableTexts(ENGLISH, table).told([told for told in story if told.batch >= batch])
        assert late == whole[len(whole) - len(late) :]
    # The news are the end of it, as much as there is room for.
    texts = TableTexts(ENGLISH, table)
    for limit in range(0, sum(len(line) + 1 for line in whole) + 40, 37):
        for known in ((), whole[-1:]):
            told = [line for line in whole if line not in known]
            assert texts.news(story, limit, known) == last_lines(told, limit)
