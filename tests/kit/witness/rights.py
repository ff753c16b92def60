"""Permissions by the rules: each row of a log needs someone who had the right to cause it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.kit.witness.clocks import Patience
from tests.kit.witness.course import Moment
from tests.kit.witness.rules import IDLE_CLOSED_AFTER_S, STAND_IN_AFTER
from tests.kit.witness.transcript import (
    DONE,
    LOST,
    Finding,
    MatchRecord,
    PersonId,
    Press,
    Row,
    Seat,
    Transcript,
)

KNOWN_FOR_S = 3_600.0 + 60.0
"""Seconds for which the bot caches that a person is away (ADR 39)."""

_ACTS = {
    "act": ("confirm", "press"),
    "withdraw": ("resign",),
    "offer": ("offer draw",),
    "agree": ("offer draw",),
    "decline": ("decline draw",),
    "claim": ("claim",),
    "back": ("come back",),
    "grant": ("grant", "wait longer"),
    "propose": ("propose", "offer seat"),
    "consent": ("agree",),
    "object": ("object", "refuse seat"),
    "pause": ("agree", "propose"),
    "undo": ("agree", "propose"),
    "close": ("agree", "propose", "end match"),
    "resume": ("resume",),
    "replace": ("take seat",),
    "stand_in": ("let computer play",),
}
"""The act that each kind of row requires."""

_MOTIONS = {"pause": "pause", "undo": "undo", "close": "abandon"}
"""Rows that execute a motion."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A row, and the state before it."""

    record: MatchRecord
    run: Transcript
    before: Moment
    row: Row
    presses: Sequence[Press]
    """The presses that may have caused it."""

    @property
    def presser(self) -> PersonId:
        """Return the person who pressed."""
        return self.presses[0].person

    @property
    def own(self) -> Seat | None:
        """Return the seat of the person who pressed."""
        return self.before.seat_of(self.presser)

    @property
    def present(self) -> bool:
        """Return whether the person who pressed plays."""
        return self.own in self.before.people


def rows(
    record: MatchRecord, moments: Sequence[Moment], run: Transcript, patience: Patience
) -> Iterator[Finding]:
    """Yield the rows that nobody was allowed to cause, and those caused by refused presses."""
    requests: dict[str, list[Press]] = {}
    for press in run.presses:
        if press.request:
            requests.setdefault(press.request, []).append(press)
    for before, now in pairwise(moments):
        assert now.row is not None
        if now.row.committed_at < run.begun_at - patience.row_s:
            continue
        case = _Case(record, run, before, now.row, requests.get(now.row.pressed, ()))
        if why := _wrong(case):
            yield Finding("no right", f"{record.id}: row {now.row.seq}, {now.row.kind}: {why}", "rights")
        if now.row.kind == "replace" and (why := _seat_taken(case, moments)):
            yield Finding("no right", f"{record.id}: row {now.row.seq}, replace: {why}", "ADR 39")
        yield from _in_time(case, patience.row_s)


def _in_time(case: _Case, slop_s: float) -> Iterator[Finding]:
    """Yield rows older than their press, or acknowledged before their commit."""
    if not case.presses:
        return
    name, row = f"{case.record.id}: row {case.row.seq}, {case.row.kind}", case.row
    first = min(press.at for press in case.presses)
    if row.committed_at < first - slop_s:
        yield Finding("before its press", f"{name}: {first - row.committed_at:.1f} s", "ARCHITECTURE 8")
    told = [press.answered_at for press in case.presses if press.outcome == DONE]
    if told and row.committed_at > min(told) + slop_s:
        late = row.committed_at - min(told)
        yield Finding("acknowledged early", f"{name}: {late:.3f} s before its commit", "ARCHITECTURE 8")
    if all(press.outcome not in (DONE, LOST) for press in case.presses):
        yield Finding("refused and done", f"{name}: {case.presses[0].outcome}", "ARCHITECTURE 8")


# --- by kind of row -------------------------------------------------------------------------------------


def _wrong(case: _Case) -> str:
    """Return why nobody was allowed to cause a row; empty: it is valid."""
    row = case.row
    if not case.presses:
        return _house(case)
    acts = {press.act for press in case.presses}
    if not acts & {*_ACTS.get(row.kind, ())}:
        return f"it came of {sorted(acts)}"
    if row.kind in _MOTIONS and not (row.kind == "close" and row.words == ("server",)):
        return _carried(case)
    check = _BY_KIND.get(row.kind)
    return "" if check is None else check(case)


def _house(case: _Case) -> str:
    """Return why the bot was not allowed to cause a row by itself."""
    row, before, head = case.row, case.before, case.row.request.partition(":")[0]
    seat = row.seat
    match head, row.kind:
        case (("computer" | "interrupt"), "act"):
            return "" if seat not in before.people else "a computer plays for somebody who is there"
        case "lapse", "lapse":
            if before.between_two:
                return "it is up to the other what becomes of it"
            return "" if seat in before.asked & before.people else "nobody is asked there"
        case "time_up", "time_up":
            if not before.between_two:
                return "nobody is asked about it"
            return "" if seat in before.asked - before.late else "nobody is asked there, or it was said"
        case "stand_in", "stand_in":
            missed = before.missed.get(-1 if seat is None else seat, 0)
            return "" if missed >= STAND_IN_AFTER else f"only {missed} decisions were made for it"
        case "gone", ("stand_in" | "time_up"):
            return "" if _was_away(case) else "its person is there"
        case "close", "close":
            return _closed(case)
    return f"nobody has pressed for it: {row.request}"


def _was_away(case: _Case) -> bool:
    person = None if case.row.seat is None else case.before.holders[case.row.seat]
    spans = () if person is None else case.run.absences.get(person, ())
    return any(
        begun <= case.row.committed_at and case.row.at <= ended + KNOWN_FOR_S for begun, ended in spans
    )


def _closed(case: _Case) -> str:
    if case.row.words == ("idle",):
        rows = [row.at for row in case.record.rows if row.seq < case.row.seq and row.request.isdecimal()]
        last = max(rows, default=case.record.begun_at)
        return "" if case.row.at - last >= IDLE_CLOSED_AFTER_S - 1 else "somebody has played lately"
    ended = any(press.act == "end match" and press.match == case.record.id for press in case.run.presses)
    return "" if case.row.words == ("server",) and ended else "nobody has asked for it"


def _acted(case: _Case) -> str:
    return "" if case.own == case.row.seat and case.present else "it is not their seat"


def _withdrawn(case: _Case) -> str:
    return "" if case.own == case.row.seat and case.own not in case.before.gone else "it is not their seat"


def _offered(case: _Case) -> str:
    before = case.before
    playing = {seat for seat in before.holders if seat not in before.gone}
    if not playing <= before.people:
        return "computers agree to no draw"
    return _acted(case) if case.row.seat not in before.offers else "it has offered already"


def _agreed(case: _Case) -> str:
    before = case.before
    playing = {seat for seat in before.holders if seat not in before.gone}
    return "" if playing <= before.offers else f"only {sorted(before.offers)} have offered"


def _declined(case: _Case) -> str:
    return _acted(case) if case.before.offers else "nobody has offered"


def _about_late(case: _Case) -> str:
    """Rows about a timed-out seat, for which another player chooses."""
    if not case.present or case.own == case.row.seat:
        return "they do not play, or it is their own"
    return "" if case.row.seat in case.before.late else "its time is not up"


def _granted(case: _Case) -> str:
    if case.presses[0].act == "wait longer":
        return _about_late(case)
    if not case.present or case.own == case.row.seat:
        return "they do not play, or it is their own"
    return "" if case.row.seat in case.before.public else "the match does not wait for it"


def _back(case: _Case) -> str:
    before, seat = case.before, case.row.seat
    mine = case.own == seat and seat not in before.gone
    return "" if mine and seat in before.stood_in else "no computer keeps their seat"


def _proposed(case: _Case) -> str:
    before, kind = case.before, case.row.words[0]
    if before.motion is not None:
        return "something else stands proposed"
    if kind == "pause" and (before.paused or case.record.pace == "none"):
        return "there is nothing to pause"
    if kind == "undo" and not _may_undo(case):
        return "their last turn cannot be taken back"
    if kind == "replace" and not {int(case.row.words[1])} <= before.late | before.stood_in:
        return "its time is not up"
    return _acted(case)


def _may_undo(case: _Case) -> bool:
    last = case.before.undoable[-1:]
    return any(each.row.seq in last and each.row.seat == case.row.seat for each in case.before.standing)


def _consented(case: _Case) -> str:
    mine = case.own == case.row.seat and case.own in case.before.to_agree
    return "" if mine else "they have not to answer"


def _objected(case: _Case) -> str:
    motion = case.before.motion
    if motion is None:
        return "nothing is proposed"
    if {press.act for press in case.presses} == {"refuse seat"}:
        mine = _is_offered(case) or (motion.about is not None and case.own == motion.about)
        return "" if motion.kind == "replace" and mine else "no seat is offered to them"
    return _acted(case)


def _is_offered(case: _Case) -> bool:
    offers = (p for p in case.run.presses if p.act == "offer seat" and p.match == case.record.id)
    return any(press.given.get("to") == case.presser for press in offers)


def _resumed(case: _Case) -> str:
    return "" if case.present and case.before.paused else "they do not play, or there is no pause"


def _carried(case: _Case) -> str:
    before, motion = case.before, case.before.motion
    if motion is None or motion.kind != _MOTIONS[case.row.kind]:
        return "nobody has proposed it"
    if case.row.kind == "undo" and motion.by != case.row.seat:
        return "somebody else has asked for it"
    return f"{sorted(before.to_agree)} have not agreed" if before.to_agree else ""


_BY_KIND = {
    "act": _acted,
    "withdraw": _withdrawn,
    "offer": _offered,
    "agree": _agreed,
    "decline": _declined,
    "claim": _about_late,
    "stand_in": _about_late,
    "grant": _granted,
    "back": _back,
    "propose": _proposed,
    "consent": _consented,
    "object": _objected,
    "resume": _resumed,
}


# --- seats with a new holder ----------------------------------------------------------------------------


def _seat_taken(case: _Case, moments: Sequence[Moment]) -> str:
    """Return why a person may not take a seat: it was not offered to them, or they have held one."""
    if not case.presses:
        return ""
    person, seat = case.presser, case.row.seat
    until = case.row.committed_at
    earlier = [moment for moment in moments if moment.at <= until and moment.row is not case.row]
    seq = case.row.seq
    if any(person in m.holders.values() for m in earlier if m.row is None or m.row.seq < seq):
        return "they have held a seat in this match"
    offers = [
        press
        for press in case.run.presses
        if press.act == "offer seat" and press.match == case.record.id and press.given.get("to") == person
        if press.at <= until and press.outcome in (DONE, LOST)
    ]
    if not any(_offers(press, seat, moments) for press in offers):
        return "nobody who may has offered it to them"
    motion = case.before.motion
    if motion is not None and motion.kind == "replace" and motion.about == seat and case.before.to_agree:
        return "not all have agreed"
    return ""


def _offers(press: Press, seat: Seat | None, moments: Sequence[Moment]) -> bool:
    """Return whether a press may have offered a seat: the person's own, or a timed-out one."""
    during = [m for m in moments if m.at <= press.answered_at]
    since = [m for m in during if m.at <= press.at][-1:]
    for moment in (*since, *(m for m in during if m.at > press.at)):
        own = moment.seat_of(press.person)
        if own is not None and (own == seat or seat in moment.late | moment.stood_in):
            return True
    return False
