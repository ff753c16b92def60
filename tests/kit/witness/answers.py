"""What private answers say against what is so: lists of matches, logs, and receipts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engines.core.contract import Event, Fact, facts_for, only
from engines.core.texts import Template, load
from tests.kit.witness.clocks import Clocks
from tests.kit.witness.course import Moment
from tests.kit.witness.promises import PUBLISHED_WITHIN_S
from tests.kit.witness.reading import keys_of, read, read_all, says
from tests.kit.witness.screens import clock_fault, named
from tests.kit.witness.sentences import confirms, receipt_in
from tests.kit.witness.transcript import Finding, MatchRecord, PersonId, Press, Seat, Transcript

RULE = "ARCHITECTURE, What people meet on Discord"

_LINK = re.compile(r"\(https://[^\s()]+/channels/\d+/(\d+)\) · (.+)")
"""An entry of a list: where its link leads, and what is said of the match."""

_TIME = re.compile(r"<t:(-?\d+):")

_NUMBERED = re.compile(r"(\d+)\. (.+)")
"""A line of a log."""

_ASKED = ("games.asked", "games.asked_until")
_CUT = frozenset(("games.more", "log.cut"))
_LAPSED, _UNDONE = (frozenset((key,)) for key in ("clock.lapsed", "undo.undone"))

Line: TypeAlias = "tuple[int, Template | None]"
"""A line of a log: its number, and the text of the game's catalogue; ``None``: a turn was taken back."""


@dataclass(frozen=True, slots=True)
class _Told:
    """An answer about a match, and which of its moments it may be of: some were committed meanwhile."""

    press: Press
    text: str
    record: MatchRecord
    moments: Sequence[Moment]
    then: range
    clocks: Clocks | None
    run: Transcript


def answers(
    record: MatchRecord, moments: Sequence[Moment], clocks: Clocks | None, run: Transcript
) -> Iterator[Finding]:
    """Yield what people were privately told of a match and is not so."""
    times = [moment.at if moment.row is None else moment.row.committed_at for moment in moments]
    for press in run.presses:
        look, answer = _LOOKS.get(press.act), press.answer
        if isinstance(answer, Mapping):
            answer = answer.get("said")
        if look is None or not press.done or not isinstance(answer, str):
            continue
        # What is committed is seen a little later by who looks.
        first = max(0, bisect_left(times, press.at - PUBLISHED_WITHIN_S) - 1)
        then = range(first, bisect_right(times, press.answered_at))
        if not then or press.match not in ("", record.id):
            continue
        for what in look(_Told(press, answer, record, moments, then, clocks, run)):
            text = f"{record.id}: {press.person} at {press.answered_at:.0f}: {what}"
            yield Finding(f"{press.act} wrong", text, RULE)


def _is_cut(told: _Told) -> bool:
    return any(said.key in _CUT for said in read_all(told.text, _CUT))


# --- lists --------------------------------------------------------------------------------------------


def _list(told: _Told) -> Iterator[str]:
    links = list(filter(None, map(_LINK.search, told.text.split("\n"))))
    entries = [link[2] for link in links if told.run.threads.get(int(link[1])) == told.record.id]
    moments = [told.moments[number] for number in told.then]
    if not entries:
        holds_seat = all(moment.seat_of(told.press.person) is not None for moment in moments)
        # Until it has a thread, its link leads to the channel.
        may_be_there = _is_cut(told) or any(int(link[1]) not in told.run.threads for link in links)
        if holds_seat and not may_be_there and not any(moment.over for moment in moments):
            yield "the list lacks it"
        return
    [entry] = entries
    faults = [_fault(entry, told, number) for number in told.then]
    if all(faults):
        yield f"{entry!r}: {faults[-1]}"


def _fault(entry: str, told: _Told, number: int) -> str:
    """Return what an entry says otherwise than it was at a moment; empty: nothing."""
    moment, run = told.moments[number], told.run
    said, seat = read(entry, keys_of("games.")), moment.seat_of(told.press.person)
    if seat is None or said is None:
        return "its reader has no seat" if seat is None else "no text of a list"
    if said.key not in (wanted := _states(moment, seat)):
        return f"{' or '.join(sorted(wanted))} is to be said"
    waiting = moment.public - {seat}
    if said.key == "games.waiting_for" and named(said.gaps["names"], told.record.id, moment, run) != waiting:
        return f"it waits for seats {sorted(waiting)}"
    times = [float(each) for each in _TIME.findall(entry)]
    if said.key != "games.asked_until" or told.clocks is None or told.press.wall is None:
        return ""
    at_wall = (told.press.answered_at, told.press.wall)
    return clock_fault(seat, [(None, times[1])], at_wall, number, moment, told.clocks, run)


def _states(moment: Moment, seat: Seat) -> set[str]:
    """Return what a list may say of a match to one of its players."""
    if moment.over:
        return {"games.closed" if moment.closed else "games.over"}
    waiting = "games.waiting_for" if moment.public - {seat} else "games.waiting"
    # A computer player that stands in has decided, or is about to.
    if seat in moment.stood_in:
        return {*_ASKED, waiting}
    return {*_ASKED} if seat in moment.asked else {waiting}


# --- logs ---------------------------------------------------------------------------------------------


def _log(told: _Told) -> Iterator[str]:
    """Yield how a log differs from what its reader may know, whichever moment it is of."""
    found = [
        (int(line[1]), line[2])
        for each in told.text.split("\n")
        if (line := _NUMBERED.fullmatch(each)) and read(line[2], _LAPSED) is None
    ]
    differences = []
    for number in told.then:
        wanted = _lines(told.moments[: number + 1], told.press.person)
        wanted = wanted[len(wanted) - len(found) :] if _is_cut(told) else wanted
        differences.append(_difference(found, wanted))
    if all(differences):
        yield differences[-1]


def _difference(found: Sequence[tuple[int, str]], wanted: Sequence[Line]) -> str:
    numbers, expected = [number for number, _ in found], [number for number, _ in wanted]
    if numbers != expected:
        return f"its log has the lines {numbers}, and they are {expected}"
    for (number, line), (_, text) in zip(found, wanted, strict=True):
        if not (says(line, text) if text is not None else read(line, _UNDONE)):
            return f"line {number} of its log is {line!r}, and {text!r} is to be said"
    return ""


def _lines(moments: Sequence[Moment], person: PersonId) -> list[Line]:
    """Return the lines of a log as its reader may know it."""
    moment, rows = moments[-1], list[tuple[int, Iterable[Fact] | None]]()
    match, seat = moment.match, moment.seat_of(person)
    texts = load(f"engines.{match.setup.game}").languages["en"]
    for seq, batch in zip((0, *(each.row.seq for each in moment.standing)), match.batches, strict=True):
        everything = _everything(batch)
        if facts := everything if match.outcome is not None else facts_for(batch, seat):
            rows.append((seq, facts))
    rows += [(each.row.seq, None) for each in moments if each.row is not None and each.row.kind == "undo"]
    found: list[Line] = []
    for number, (_, told) in enumerate(sorted(rows, key=lambda row: row[0]), 1):
        said = [] if told is None else filter(None, map(match.game.narrate, told))
        found += [(number, None)] if told is None else [(number, texts[each.key]) for each in said]
    return found


def _everything(batch: Sequence[Event]) -> dict[Fact, None]:
    """Return all facts of a batch; of two forms of one, the form that the seats learned that it is about."""
    told: dict[Fact, None] = {}
    for event in batch:
        about = event.audience.seats if event.audience.everyone_else else frozenset[Seat]()
        if not about or all(other.audience != only(*about) for other in batch):
            told[event.fact] = None
    return told


# --- receipts -----------------------------------------------------------------------------------------


def _receipt(told: _Told) -> Iterator[str]:
    """Yield a receipt that does not tell what came of its reader's act."""
    lines = receipt_in(told.text)
    if not lines:
        return
    moments = told.moments[: told.then.stop]
    acts = [each for each in moments if each.row is not None and each.row.kind == "act"]
    # A second press on the same button tells the same.
    own = [each for each in acts if each.row is not None and each.row.pressed == told.press.request] or acts
    if not any(_confirms(lines, each, told.press.person) for each in own):
        yield f"it confirms {lines[0]!r}, which nobody has done"


def _confirms(lines: Sequence[str], moment: Moment, person: PersonId) -> bool:
    seat, match = moment.seat_of(person), moment.match
    mine = moment.row is not None and seat is not None and moment.row.seat == seat
    return mine and seat is not None and confirms(lines, match.game, match.batches[-1], seat)


_LOOKS = {"list": _list, "log": _log, "press": _receipt, "confirm": _receipt}
"""By act: how its answer is read."""
