"""The witness itself: what it may know, and that it reckons as the rules say, by examples."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.match import Match
from engines.core.registry import game
from engines.core.setups import complete
from engines.core.texts import load
from tests.kit.simulation.house import games_installed
from tests.kit.witness import MatchRecord, Press, Row, Transcript, verdict
from tests.kit.witness.clocks import Clocks, Patience
from tests.kit.witness.course import Impossible, course
from tests.kit.witness.reading import read
from tests.kit.witness.screens import screens
from tests.kit.witness.sentences import confirms, drafts_in, receipt_in
from tests.kit.witness.spans import after, covered
from tests.kit.witness.transcript import DONE, Chosen, ClockShown, Screen

WITNESS = Path(__file__).parents[1] / "kit" / "witness"
ANNA, BEN, CLARA = 1, 2, 3
DAY_S = 86_400.0


@pytest.fixture(autouse=True)
def _games() -> Iterator[None]:
    with games_installed():
        yield


def test_it_knows_nothing_of_the_houses_code() -> None:
    imported = {
        name
        for path in WITNESS.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _imports(node)
    }
    ours = {name for name in imported if name.split(".")[0] in ("bot", "sandbox", "renderers", "tests")}
    assert {name for name in ours if not name.startswith("tests.kit.witness")} == set()


def _imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [each.name for each in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def odds(*rows: Row, pace: str = "day", holders: Mapping[int, int | None] | None = None) -> MatchRecord:
    """Return a match of two who show fingers at the same time."""
    return MatchRecord(
        "m", "odds", "1", 2, (("goal", "3"),), bytes(32), pace, 10, 0.0, holders or {0: ANNA, 1: BEN}, rows
    )


def row(seq: int, kind: str, seat: int | None, at: float, *words: str, request: str = "") -> Row:
    return Row(seq, kind, seat, words, request or f"{seq}", at, at)


def press(person: int, act: str, request: str, at: float, **given: object) -> Press:
    return Press(at, person, act, "m", request, given, at + 1.0, DONE)


def clocks_of(record: MatchRecord, run: Transcript) -> Clocks:
    return Clocks(record, list(course(record, lambda _: None)), run, Patience())


# --- time -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spans", "seconds", "found"),
    [
        ([], 10.0, 110.0),
        ([(90.0, 95.0)], 10.0, 110.0),
        ([(90.0, 105.0)], 10.0, 115.0),
        ([(104.0, 107.0), (105.0, 108.0)], 10.0, 114.0),
        ([(110.0, 120.0)], 10.0, 110.0),
        ([(200.0, 300.0)], 10.0, 110.0),
    ],
)
def test_a_time_comes_later_by_what_does_not_count(
    spans: list[tuple[float, float]], seconds: float, found: float
) -> None:
    assert after(spans, 100.0, seconds) == found
    assert found - 100.0 - covered(spans, 100.0, found) == seconds


def test_a_decision_that_takes_longer_than_its_allowance_costs_reserve() -> None:
    late = row(1, "act", 0, 2 * DAY_S, "1")
    both = row(2, "act", 1, 2.5 * DAY_S, "1")
    clocks = clocks_of(odds(late, both), Transcript((), ()))
    assert clocks.after[0][0].total_s == 4 * DAY_S
    assert clocks.after[2][0].reserve_s == 2 * DAY_S
    assert clocks.after[2][1].reserve_s == 1.5 * DAY_S
    assert clocks.after[2][1].total_s == 2.5 * DAY_S, "another allowance, and what is left"


def test_an_outage_is_nobodys_time_and_neither_is_a_pause() -> None:
    rows: tuple[Row, ...] = (row(1, "pause", None, 0.5 * DAY_S), row(2, "resume", None, 1.5 * DAY_S))
    rows = (*rows, row(3, "act", 0, 3 * DAY_S, "1"))
    run = Transcript((), (), outages=((1.0 * DAY_S, 2.0 * DAY_S),))
    clocks = clocks_of(odds(*rows), run)
    left = clocks.left(0, clocks.after[2][0], 3 * DAY_S)
    assert left.total_s == (4 - 1.5) * DAY_S, "the two overlap for half a day"


def test_more_time_comes_on_top_and_from_now_on_where_time_is_up() -> None:
    early = clocks_of(odds(row(1, "grant", 0, 0.5 * DAY_S)), Transcript((), ()))
    assert early.after[1][0].total_s == 4.5 * DAY_S
    late = clocks_of(odds(row(1, "grant", 0, 5 * DAY_S)), Transcript((), ()))
    assert late.after[1][0].total_s == DAY_S


# --- what must not be -------------------------------------------------------------------------------------


def kinds(*records: MatchRecord, **known: object) -> set[str]:
    run = Transcript(records, (), ended_at=records[0].rows[-1].committed_at + 1.0 if records[0].rows else 1.0)
    return {found.kind for found in verdict(replace(run, **known))}  # type: ignore[arg-type]


PRESSES = (press(ANNA, "confirm", "1", 9.5), press(BEN, "confirm", "2", 19.5))


def test_a_match_as_it_should_be_is_no_finding() -> None:
    rows = (row(1, "act", 0, 10.0, "1"), row(2, "act", 1, 20.0, "2"))
    said = tuple(
        replace(each, answer={"seat": seat, "words": (str(seat + 1),)}) for seat, each in enumerate(PRESSES)
    )
    assert kinds(odds(*rows), presses=said) == set()


@pytest.mark.parametrize(
    ("late_s", "found"), [(-60.0, {"judged early"}), (0.5, set()), (60.0, {"judged late"})]
)
def test_a_seat_is_judged_at_its_deadline(late_s: float, found: set[str]) -> None:
    at = 600.0 + late_s
    lapse = row(1, "lapse", 0, at, "1", request="lapse:m:0:0")
    record = odds(lapse, pace="live", holders={0: ANNA, 1: None})
    assert kinds(record, chosen=(Chosen(0.0, ANNA, reminders="none"),)) == found


def test_a_seat_that_nobody_judges_is_found() -> None:
    record = odds(row(1, "offer", 0, 900.0), pace="live", holders={0: ANNA, 1: None})
    assert "not judged" in kinds(record)


def test_whoever_claims_a_seat_that_is_not_late_has_no_right_to() -> None:
    claim = row(1, "claim", 1, 10.0, request="claim:7")
    assert "no right" in kinds(odds(claim), presses=(press(ANNA, "claim", "7", 9.0),))


def test_a_clock_that_the_database_has_otherwise_is_found() -> None:
    shown = ClockShown(10.0, 0, 3 * DAY_S, DAY_S - 10.0 + 900.0, 4 * DAY_S - 10.0 + 900.0, stopped=False)
    assert kinds(replace(odds(), clocks=(shown,)), ended_at=20.0) == {"clock wrong"}


def test_what_was_acknowledged_is_in_the_log() -> None:
    consent = press(BEN, "agree", "5", 9.0)
    assert kinds(odds(row(1, "propose", 0, 8.0, "pause", request="propose:4")), presses=(
        press(ANNA, "propose", "4", 7.9, kind="pause"), consent,
    )) == {"acknowledged and lost"}  # fmt: skip


def test_a_draft_that_is_gone_after_a_crash_is_found() -> None:
    chosen = replace(press(ANNA, "draft", "", 5.0), answer={"seat": 0, "words": ("1",)})
    looked = replace(press(ANNA, "look", "", 50.0), answer={"seat": 0, "words": ()})
    assert kinds(odds(), presses=(chosen, looked), ended_at=60.0) == {"draft lost"}
    same = replace(looked, answer={"seat": 0, "words": ("1",)})
    assert kinds(odds(), presses=(chosen, same), ended_at=60.0) == set()


def test_a_row_that_cannot_follow_is_impossible() -> None:
    with pytest.raises(Impossible):
        list(course(odds(row(1, "consent", 0, 1.0)), lambda _: None))


# --- boards ---------------------------------------------------------------------------------------------


def test_a_board_tells_the_motion_that_stands() -> None:
    record = odds(row(1, "propose", 0, 1.0, "pause"))
    moments = list(course(record, lambda _: None))

    def is_told(line: str) -> bool:
        screen = Screen(9.0, 9.0, "m", "board", None, line, (), ("b1:m:turn",), late=False)
        found = screens(record, moments, None, Transcript((record,), (), screens=(screen,)))
        return not any("stands, and it says otherwise" in each.text for each in found)

    assert is_told("🗳️ \u2068Anna\u2069 asks for a pause. Everyone must agree.")
    assert not is_told("🗳️ \u2068Anna\u2069 asks to call off the match. Everyone must agree.")
    assert not is_told("")


# --- reading ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "key", "gap"),
    [
        ("➡️ \u2068Ben\u2069 (Even), it’s your turn.", "board.waiting", ("names", "\u2068Ben\u2069 (Even)")),
        ("⌛ \u2068Ben\u2069 ran out of time.", "clock.up", ("names", "\u2068Ben\u2069")),
        ("-# ⏳ due <t:17:f> (<t:17:R>)", "clock.due", ("until", "<t:17:f> (<t:17:R>)")),
        ("**\u2068Ben\u2069 wins.**", "end.won", ("names", "\u2068Ben\u2069")),
    ],
)
def test_a_sentence_is_known_by_its_pattern(line: str, key: str, gap: tuple[str, str]) -> None:
    said = read(line)
    assert said is not None
    assert said.key == key
    assert said.gaps[gap[0]] == gap[1]


def test_a_deadline_with_a_reserve_has_two_times() -> None:
    said = read("⏳ due <t:17:f> (<t:17:R>), then on reserve until <t:40:f> (<t:40:R>)")
    assert said is not None
    assert (said.time("until"), said.time("deadline")) == (17.0, 40.0)


def test_what_no_text_says_is_nothing() -> None:
    assert read("Thirty swans over Burano") is None


# --- sentences in a game's words --------------------------------------------------------------------------


def test_a_draft_is_known_by_the_question_that_follows_it() -> None:
    rules = game("vault")
    view = Match.start(rules, complete(rules.manifest, 2), bytes(32)).view(0)
    hand = view.own.hand
    for draft in ((), ("lay",), ("lay", hand[1]), ("sort", "".join(reversed(hand)))):
        menu = rules.menu(view, draft)
        assert menu is not None
        question = load("tests.kit.vault").render(menu.prompt, str)
        assert list(drafts_in(f"### Vault\n**{question}**", rules, view)) == [draft]
    assert not list(drafts_in("### Vault\n**You do this: lay nothing**", rules, view))


def test_a_receipt_is_held_against_what_its_seat_has_learned_with_others() -> None:
    rules = game("odds")
    match = Match.start(rules, complete(rules.manifest, 2), bytes(32)).act(0, ("1",)).act(1, ("3",))
    told = ("\u2068Ben\u2069 is ready.", "1 and 3 fingers: the round is \u2068Anna\u2069's.")

    def confirmed(*lines: str) -> bool:
        return confirms(receipt_in("\n".join(("### A match", *lines))), rules, match.batches[-1], 1)

    assert confirmed(f"✅ {told[0]}", told[1], "**How many fingers do you show?**")
    assert not confirmed(f"✅ {told[1]}", told[0])
    assert not confirmed(f"✅ {told[0]}", told[1].replace("3", "2"))
    assert not confirmed(f"✅ {told[0]}")
    assert not confirmed("✅ Confirmed.")
    assert not confirmed("✅ Confirmed.", *told)
    assert receipt_in("\n".join(told)) == ()
