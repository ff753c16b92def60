"""A turn that is taken back: the match stands as before it, and all that was seen of it counts on."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.domain import replay_file
from bot.domain.match import LogRow, RowKind, chain_of
from bot.matches.match_log import STEPS_BACK, MatchLog
from engines.core.contract import Seat, Words
from engines.core.match import EntryKind, is_note
from engines.core.optional_methods import Undoing
from engines.core.registry import game, games
from engines.core.rng import Rng, commitment
from engines.core.setups import complete
from tests.bot.conftest import Room
from tests.contract.checks.notes import notes_of
from tests.contract.checks.sampling import baseline, seed, tables, viewers, wild
from tests.kit.samples import MORE, some
from tests.kit.steps import at_most

MOST = 110
"""Rows of a match that are played."""

EVERY = 1 if MORE > 1 else 5
"""Of every so many turns, one is taken back."""


UNDOING = [key for key, each in games().items() if isinstance(each, Undoing)]


# --- the log of every game --------------------------------------------------------------------------


def undone(log: MatchLog, request: str = "undo", at: float = 9.0) -> MatchLog:
    """Return the log with its last public turn taken back."""
    seat = next(seat for seat in range(log.match.setup.seats) if log.undoable(seat) is not None)
    return log.write(RowKind.UNDO, seat, (str(log.undoable(seat)),), request, at)


def can_undo(log: MatchLog) -> bool:
    return any(log.undoable(seat) is not None for seat in range(log.match.setup.seats))


def logs_of(key: str, number: int) -> Iterator[tuple[MatchLog, MatchLog]]:
    """Yield a match before and after each of its rows."""
    setups = tables(game(key))
    setup = setups[number % len(setups)]
    match = list((wild, baseline)[number % 2](game(key), setup, seed("undo", number)))[-1]
    log = MatchLog.begin(game(key), setup, match.seed)
    for row, entry in enumerate(match.log[:MOST]):
        before, log = log, log.write(RowKind(entry.kind.value), entry.seat, entry.words, f"{row}", float(row))
        yield before, log


def told(log: MatchLog) -> dict[Any, Any]:
    found = {viewer: [each for _, each in log.told(viewer)] for viewer in viewers(log.match)}
    return {**found, "news": [log.news_of(seat) for seat in range(log.match.setup.seats)]}


@pytest.mark.parametrize("key", UNDOING)
@pytest.mark.parametrize("number", range(MORE))
def test_all_is_as_it_was(key: str, number: int) -> None:
    found = 0
    for before, log in logs_of(key, number):
        if log.public is before.public:
            continue  # a step in secret
        row = log.rows[-1]
        for seat in range(log.match.setup.seats):
            assert log.undoable(seat) in ((None, row.seq) if seat == row.seat else (None,))
        if not can_undo(log):
            continue
        found += 1
        if found % EVERY:
            continue
        back = undone(log)
        # A step that the public has not noticed falls only where the turn before it is taken back.
        assert len(back.headers) == len(back.match.batches) == len(before.headers)
        assert all(back.match.view(each) == before.match.view(each) for each in viewers(before.match))
        assert told(back) == told(before)
        assert back.digest == before.match.digest() == back.rows[-1].digest
        assert (back.headers, back.lapses) == (before.headers, before.lapses)
        assert (back.public.version, back.public.turn) == (log.public.version + 1, before.public.turn)
        assert (back.public.view, back.public.waiting) == (before.public.view, before.public.waiting)
        assert back.undone == ((back.public.version, row.seat),)
        assert back.rows[-1].chain == back.rows[-1].chained(chain_of(log.rows))
        check_hand_over(log, back)
        assert MatchLog.replay(log.match.game, log.match.setup, log.match.seed, back.rows) == back
        # It may be said again, and is another answer.
        assert row.seat is not None
        assert back.sentences(row.seat) == log.sentences(row.seat)
        again = back.write(row.kind, row.seat, row.words, "again", 10.0)
        assert again.match == log.match
        assert again.public.version == back.public.version + 1
    # A computer player of CORTO says its turn in one sentence, draws and all.
    assert found or number % 2


def check_hand_over(log: MatchLog, back: MatchLog) -> None:
    entered = back.public.waiting - log.public.waiting
    posted = back.public.epoch > log.public.epoch
    assert posted is bool(entered)
    assert back.epoch_at(log.public.version) == log.public.epoch
    assert back.epoch_at(back.public.version) == back.public.epoch
    assert back.entered_since(log.public.epoch) == entered
    assert back.public.before is None or not posted or back.public.before == log.public.begun


def rows_to_the_end(key: str) -> MatchLog:
    """Return a match that ended, in which some turns were taken back and said again."""
    match = list(wild(game(key), complete(game(key).manifest), seed("to the end")))[-1]
    log = MatchLog.begin(game(key), match.setup, match.seed)
    for number, entry in enumerate(match.log):
        log = log.write(RowKind(entry.kind.value), entry.seat, entry.words, f"{number}", float(number))
        if number % 3 and can_undo(log) and log.undoable(entry.seat or 0) == len(log.rows):
            log = undone(log, f"undo {number}")
            log = log.write(RowKind(entry.kind.value), entry.seat, entry.words, f"again {number}", 0.0)
    assert log.match == match
    return log


@pytest.mark.parametrize("key", some(UNDOING))
async def test_a_replay_file_holds_what_stands(key: str, room: Room) -> None:
    log = rows_to_the_end(key)
    assert log.undone
    info = await room.begin(key)
    row = (await room.services.cache.get(info.id)).row
    info = replace(row.info, setup=log.match.setup, commitment=commitment(log.match.seed))
    row = replace(row, info=info, part=None)
    written = replay_file.written(row, log.match.seed, log.match, log.rows)
    assert all(entry["kind"] in {kind.value for kind in EntryKind} for entry in written["log"])
    said = [entry for entry in log.match.log if not is_note(log.match.game, entry.words)]
    assert len(written["log"]) == len(said)
    assert len(log.match.log) == len(log.rows) - 2 * len(log.undone)
    moments = replay_file.replayed(replay_file.parsed(json.dumps(written).encode()))
    assert moments[-1].digest() == log.digest
    assert moments[-1].outcome == log.public.outcome


def volo(moves: int) -> MatchLog:
    log = MatchLog.begin(game("volo"), complete(game("volo").manifest), seed("volo"))
    for number in range(moves):
        seat = min(log.match.waiting)
        log = log.write(RowKind.ACT, seat, log.match.computer(seat), f"{number}", float(number))
    return log


def test_turns_are_taken_back_one_after_the_other() -> None:
    log, views = volo(0), []
    for number in range(STEPS_BACK + 2):
        views.append(log.public.view)
        seat = min(log.match.waiting)
        log = log.write(RowKind.ACT, seat, log.match.computer(seat), f"{number}", float(number))
    versions = [log.public.version]
    for number in range(STEPS_BACK):
        log = undone(log, f"undo {number}")
        assert log.public.view == views[-1 - number]
        versions.append(log.public.version)
    assert versions == list(range(versions[0], versions[0] + STEPS_BACK + 1))
    assert not can_undo(log), "what lies further back stands"
    assert MatchLog.replay(log.match.game, log.match.setup, log.match.seed, log.rows) == log
    seat = min(log.match.waiting)
    log = log.write(RowKind.ACT, seat, log.match.computer(seat), "on", 0.0)
    assert log.undoable(seat) == len(log.rows)


def test_what_was_taken_back_stays_so_where_rules_for_it_change(monkeypatch: pytest.MonkeyPatch) -> None:
    log = undone(volo(5))
    monkeypatch.setattr("engines.volo.events.UNDOABLE", frozenset[str]())
    again = MatchLog.replay(log.match.game, log.match.setup, log.match.seed, log.rows)
    assert (again.match, again.public, again.headers) == (log.match, log.public, log.headers)


def test_nothing_else_can_be_taken_back() -> None:
    log = volo(4)
    last, other = len(log.rows), 1 - (log.rows[-1].seat or 0)
    for seat, words in (
        (1 - other, (str(last - 2),)),
        (1 - other, (str(last + 1),)),
        (1 - other, ()),
        (1 - other, ("x",)),
        (other, (str(last),)),
        (other, (str(last - 1),)),
        (None, (str(last),)),
    ):
        with pytest.raises(ValueError, match=r"back|int"):
            log.write(RowKind.UNDO, seat, words, "undo", 0.0)
    rows = (*log.rows, LogRow(last + 1, RowKind.UNDO, 0, ("99",), log.digest, "undo", 0.0))
    with pytest.raises(KeyError):
        MatchLog.replay(log.match.game, log.match.setup, log.match.seed, rows)


def test_what_the_house_writes_stands_and_is_not_in_the_way() -> None:
    log = volo(4)
    seat = log.rows[-1].seat
    assert seat is not None
    log = log.write(RowKind.STAND_IN, 1 - seat, (), "away", 0.0)
    log = log.write(RowKind.GRANT, 1 - seat, (), "grant", 0.0).write(RowKind.OFFER, seat, (), "offer", 0.0)
    assert log.undoable(seat) == 4
    back = undone(log)
    assert (back.people, back.offers) == (frozenset({seat}), ())
    assert back.public.version == log.public.version + 1
    assert back.public.epoch == back.public.version
    assert MatchLog.replay(log.match.game, log.match.setup, log.match.seed, back.rows) == back


def test_of_a_match_that_is_over_nothing_is_taken_back() -> None:
    log = volo(4)
    ended = log.write(RowKind.WITHDRAW, 0, (), "left", 0.0)
    assert can_undo(log)
    assert not can_undo(ended)


def test_a_sentence_of_the_house_is_taken_back_too() -> None:
    log = volo(4)
    seat = min(log.match.waiting)
    lapsed = log.write(RowKind.LAPSE, seat, log.match.computer(seat), "lapse", 0.0)
    assert lapsed.lapsed_since(0) == (seat,)
    back = undone(lapsed)
    assert (back.lapsed_since(0), back.unseen_lapses, back.undone_since(0)) == ((), (), (seat,))


def test_it_takes_little_and_leaves_nothing_behind() -> None:
    log = volo(60)
    assert len(log.earlier) == STEPS_BACK
    assert all(each.earlier == () for each in log.earlier), "all that ever was would stay in memory"
    # However long a match is, nothing is played again.
    with at_most(2_500):
        undone(log)


# --- what is secret, and notes ----------------------------------------------------------------------


def doge_moved() -> tuple[MatchLog, Seat]:
    """Return a match in which a seat has just gone where nobody is, and who that was."""
    setup = complete(game("doge").manifest, 4, {"gifts": "ahead"})
    for number in itertools.count():
        log = MatchLog.begin(game("doge"), setup, seed("doge", number))
        for step in range(40):
            seat = min(log.match.waiting)
            log = log.write(RowKind.ACT, seat, log.match.computer(seat), f"{step}", float(step))
            if can_undo(log) and log.rows[-1].words[0] in ("cw", "ccw"):
                return log, seat
    raise AssertionError


def ahead(log: MatchLog, seat: Seat) -> Words:
    """Return a gift that a seat may leave in advance: a secret that nobody notices."""
    menu = log.match.menu(seat, ("ahead",))
    words: Words = ("ahead",)
    while menu is not None and not menu.complete:
        words = (*words, menu.choices()[-1].word)
        menu = log.match.menu(seat, words)
    return words


def test_what_nobody_has_noticed_falls_and_tells_nothing() -> None:
    moved, seat = doge_moved()
    other = (seat + 1) % 4
    secret = moved.write(RowKind.ACT, other, ahead(moved, other), "ahead", 50.0)
    own = secret.write(RowKind.ACT, seat, ahead(secret, seat), "own", 51.0)
    assert secret.public is own.public is moved.public
    # Whether anybody has done anything in secret changes nothing of what is offered.
    assert [own.undoable(each) for each in range(4)] == [moved.undoable(each) for each in range(4)]
    back, plain = undone(own), undone(moved)
    assert back.public == plain.public
    assert back.headers == plain.headers
    assert [back.match.view(each) for each in viewers(back.match)] == [
        plain.match.view(each) for each in viewers(plain.match)
    ]
    assert back.undone_rows == {len(moved.rows), len(moved.rows) + 1, len(moved.rows) + 2}
    assert back.sentences(other) == own.sentences(other)


def test_notes_are_kept() -> None:
    moved, seat = doge_moved()
    words = next(found for found in notes_of(moved.match, seat, Rng(bytes(32))) if found[0] == "mark")
    noted = moved.write(RowKind.ACT, seat, words, "note", 50.0)
    assert noted.only_notes_since(moved)
    both = noted.write(RowKind.ACT, (seat + 1) % 4, ahead(noted, (seat + 1) % 4), "ahead", 51.0)
    back = undone(both)
    before = undone(moved)
    assert back.match.view(seat).notes == noted.match.view(seat).notes != moved.match.view(seat).notes
    assert back.digest == before.digest
    assert len(back.headers) == len(back.match.batches) == len(before.headers) + 1
    assert back.headers[-1].row == len(noted.rows)
    assert MatchLog.replay(back.match.game, back.match.setup, back.match.seed, back.rows) == back
    assert not back.only_notes_since(both)
    # The turn before it may be taken back too, and the note is still there.
    if can_undo(back):
        assert undone(back, "more").match.view(seat).notes == noted.match.view(seat).notes
