"""The house's texts: each one that the code asks for is there, none lies idle, and all can be filled."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.clocks import ZONES
from bot.domain.match import LogLine, Told
from bot.domain.refusals import GameRefusal, Refusal
from bot.domain.tables import MatchLine, Status
from bot.gateway.permissions import NEEDED
from bot.pages.board import BoardPictures, board_page
from bot.pages.lobby import lobby_page
from bot.pages.log import LOG_FILE, log_page
from bot.pages.page import Painting
from bot.pages.panel import PanelPage, panel_page
from bot.pages.person import games_page, match_labels
from bot.pages.texts import TableTexts, Texts, last_lines, match_name, safe, shorten
from engines.core.contract import Outcome, msg
from engines.core.match import Entry, EntryKind, Match
from engines.core.optional_methods import Summarizing
from engines.core.registry import game
from engines.core.texts import forms, load, summary
from tests.kit.samples import FIVE, MORE
from tests.ui.limits import check, sent, walk
from tests.ui.positions import KEYS, begun, board_of, panel_of, played, table_of
from tests.ui.test_commands import COMMANDS

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
    found |= {"option.dms.on", "option.dms.off", "option.confirm.always", "option.confirm.final"}
    found |= {f"region.{region}" for region in ZONES}
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


def test_quotation_marks_are_curly() -> None:
    assert [key for key, text in TEXTS.items() if re.search("['\"]", "".join(forms(text)))] == []


def test_texts_use_contractions_where_they_are_no_policy() -> None:
    full = re.compile(
        r"\b(?:cannot|(?:i|you|they) (?:am|are)|(?:it|there) is|(?:is|are|do|does|did|has) not)\b"
    )
    found = {key for key, text in TEXTS.items() if full.search(" ".join(forms(text)).lower())}
    assert "privacy.ask" in found
    assert {key.partition(".")[0] for key in found} == {"privacy"}


def test_the_catalogue_is_plain_json() -> None:
    data = json.loads((BOT / "locale" / "en.json").read_text("utf-8"))
    for value in data.values():
        assert isinstance(value, str) or set(value) == {"one", "other"}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("status", list(Status))
def test_a_table_in_every_state(key: str, status: Status) -> None:
    table = table_of(begun(key, 0), status)
    page = lobby_page(table, ENGLISH, [1, 2])
    check(sent(page))
    said = " ".join(item.get("content", "") for item in walk(sent(page)))
    assert ("<@1>" in said) is (status is Status.OPEN)
    assert "@everyone" not in said
    assert len(match_name(table, ENGLISH)) <= 100


def whole(key: str) -> list[Match]:
    """Return the moments of a match to its end; by day all leave after some sentences."""
    moments = list(played(key, 0, 500 if MORE > 1 else 60))
    for seat in range(moments[-1].setup.seats):
        if moments[-1].outcome is None:
            moments.append(moments[-1].apply(Entry(EntryKind.WITHDRAW, seat)))
    return moments


@pytest.mark.parametrize("key", KEYS)
def test_boards_from_the_start_to_the_end(key: str) -> None:
    matches = whole(key)
    for match in [*matches[:-1:10], matches[-1]]:
        board = board_of(match)
        page = board_page(board, ENGLISH, BoardPictures(Painting(words="board")))
        check(sent(page))
        said = " ".join(item.get("content", "") for item in walk(sent(page)))
        assert (match.seed.hex() in said) is (match.outcome is not None)
        for seat in board.waiting:
            person = board.table.chair_at(seat).person
            assert person is None or f"<@{person.id}>" in said
    assert matches[-1].outcome is not None


@pytest.mark.parametrize("key", KEYS)
def test_a_board_says_how_the_match_stands(key: str) -> None:
    said = set()
    for match in list(played(key, 0, 60))[::10]:
        board = board_of(match)
        found = summary(match.game, board.view)
        page = board_page(board, ENGLISH)
        lines = [line for item in walk(sent(page)) for line in item.get("content", "").splitlines()]
        if found is not None:
            assert lines.count(f"-# {TableTexts(ENGLISH, board.table).say(found)}") == 1
        said.add(found is not None)
    if key == "corto":
        assert said == {True, False}
    assert (True in said) is isinstance(game(key), Summarizing)


@pytest.mark.parametrize("key", KEYS)
def test_the_end_is_told_once(key: str) -> None:
    match = whole(key)[-1]
    pages = [board_page(board_of(match), ENGLISH)]
    pages += [panel_page(PanelPage(panel_of(match, seat), ENGLISH)) for seat in range(match.setup.seats)]
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
    match = whole(key)[-1]
    table = table_of(match, Status.OVER)
    lines = [LogLine(n, 0.0, (fact,)) for n, fact in match.facts(None)]
    page = log_page(table, lines * 3, {"seed": "00"}, ENGLISH)
    check(sent(page))
    assert [upload.filename for upload in page.uploads] == ["log.txt", "replay.json"]
    assert page.uploads[0].data.count(b"\n") + 1 >= len(lines)
    check(sent(log_page(table, [], None, ENGLISH)))


def test_lists_of_matches_of_any_length() -> None:
    table = table_of(begun(KEYS[0], 0))
    lines = [MatchLine(replace(table, id=f"t{n}"), 0, n % 2 == 0, 1_000.0 + n) for n in range(200)]
    for some in (lines, lines[:1], []):
        check(sent(games_page(some, ENGLISH)))
    assert all(0 < len(label) <= 100 for label in match_labels(lines, ENGLISH))


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
def test_news_are_the_last_sentences_and_say_where_the_others_stand(key: str) -> None:
    *_, match = played(key, 0, 24)
    texts = TableTexts(ENGLISH, table_of(match))
    story = [Told(batch, fact) for batch, fact in match.facts(None)]
    whole = texts.retold(told.fact for told in story)
    earlier = f"-# {TEXTS['news.earlier']}"
    assert texts.news(story, 10**6, len(whole)) == whole
    for sentences in range(1, len(whole)):
        assert texts.news(story, 10**6, sentences) == [earlier, *whole[-sentences:]]
        known = whole[-1]
        others = [line for line in whole if line != known]
        assert texts.news(story, 10**6, len(whole), {known}) == others
    for limit in range(len(whole[-1]) + 1, sum(len(line) + 1 for line in whole), 97):
        assert texts.news(story, limit, len(whole)) == [earlier, *last_lines(whole, limit)]
    # Of a sentence that is too long, the beginning is better than nothing.
    assert texts.news(story, 9, 6)[-1] == shorten(whole[-1], 9)


@pytest.mark.parametrize("key", KEYS)
def test_news_do_not_say_how_a_match_ended(key: str) -> None:
    *_, match = played(key, 0, 500)
    outcome = match.outcome
    assert outcome is not None
    end = [fact for _, fact in match.facts(None, len(match.log))]
    texts = TableTexts(ENGLISH, table_of(match))
    result, news = texts.result(outcome), texts.retold(end)
    words = {line.strip("*. ") for line in result[: 1 + len(outcome.reasons)]}
    assert not any(each in line for each in words for line in news)
    reasons = [texts.say(reason) for reason in outcome.reasons]
    assert not any(result[0].strip("*. ") in reason for reason in reasons), "the headline says it"


def test_an_agreed_draw_is_said_once() -> None:
    for key in KEYS:
        start = begun(key, 0)
        match = start.apply(Entry(EntryKind.AGREE, None, ()))
        assert match.outcome is not None
        board = replace(board_of(match), told=tuple(Told(1, fact) for _, fact in match.facts(None, 1)))
        shown = walk(sent(board_page(board, ENGLISH)))
        said = "\n".join(item.get("content", "") for item in shown)
        assert said.lower().count("a draw") <= 1
        assert said.lower().count("agree") == 1, said
        assert said.count("Seed: ") == 1


@pytest.mark.parametrize("key", KEYS)
def test_a_panel_tells_three_sentences_and_none_once_something_is_drafted(key: str) -> None:
    seen = 0
    for match in list(played(key, 0, 24))[8:]:
        seat = min(match.waiting, default=None)
        if seat is None:
            break
        panel = panel_of(match, seat)
        news = TableTexts(ENGLISH, panel.table).news(panel.told, 900, 3)
        told, drafted = (
            "\n".join(item.get("content", "") for item in walk(sent(panel_page(PanelPage(each, ENGLISH)))))
            for each in (panel, replace(panel, draft=match.computer(seat)))
        )
        for line in news:
            seen += 1
            assert line in told
            assert line not in drafted
        earlier = TableTexts(ENGLISH, panel.table).retold(each.fact for each in panel.told)[:-3]
        assert not any(line in told for line in earlier if line not in news)
    assert seen > 3 or key not in FIVE
