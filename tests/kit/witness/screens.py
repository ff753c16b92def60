"""Boards and panels compared with the truth, at moments at which the bot is idle."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from engines.core.match import Entry, EntryKind, is_note
from tests.kit.witness.clocks import Clocks
from tests.kit.witness.course import Moment
from tests.kit.witness.looks import look, looks_in
from tests.kit.witness.reading import Said, read_all
from tests.kit.witness.rules import SHOWN_FROM_S
from tests.kit.witness.sentences import draft_lines, drafts_in
from tests.kit.witness.transcript import Finding, MatchRecord, Screen, Seat, Transcript

RULE = "ARCHITECTURE 8"

_UNTIL = frozenset(("clock.due", "clock.due_then_reserve"))

_DRAFT = re.compile(r"`(.+)`")
ISOLATE, POP = "\u2068", "\u2069"
"""The delimiters around a name."""

_SAYS_WORD = "w"
"""The action of a button for a word, in a panel's custom id."""


def screens(
    record: MatchRecord, moments: Sequence[Moment], clocks: Clocks | None, run: Transcript
) -> Iterator[Finding]:
    """Yield what a match's boards and panels show wrongly."""
    times = [moment.at if moment.row is None else moment.row.committed_at for moment in moments]
    for screen in run.screens:
        number = bisect_right(times, screen.at) - 1
        if screen.match != record.id or not screen.live or screen.late or number < 0:
            continue
        if (record.id, screen.kind) in run.deleted or (record.id, "thread") in run.deleted:
            continue
        moment = moments[number]
        found: Iterable[str] = ()
        if screen.kind == "board":
            found = [*_board(screen, moment, run), *_times(screen, number, moment, clocks, run)]
        elif screen.kind == "panel":
            found = _panel(screen, moments[: number + 1])
        for what in found:
            where = f"{record.id}: {screen.kind} at {screen.at:.0f}"
            yield Finding(f"{screen.kind} wrong", f"{where}: {what}", RULE)


# --- boards ---------------------------------------------------------------------------------------------


def _board(screen: Screen, moment: Moment, run: Transcript) -> Iterator[str]:
    read = list(read_all(screen.text))
    said = {each.key: each for each in read}
    for key, seats in _stated(moment).items():
        yield from _names(screen, said.get(key), seats, moment, run, key)
    if ("clock.paused" in said) != (moment.paused and not moment.over):
        yield f"paused is {moment.paused}, and it says otherwise"
    for why in ("server", "agreed", "idle"):
        if (f"closed.{why}" in said) != (moment.closed == why):
            yield f"closed by {moment.closed or 'nobody'}, and it says otherwise"
    proposed = _proposed(moment)
    if {key for key in said if key.startswith("motion.open.")} != proposed:
        yield f"{moment.motion} stands, and it says otherwise"
    if moment.closed:
        return
    bold = {each.key: each for each in read if each.is_bold}
    yield from _outcome(bold, moment)
    outcome = moment.match.outcome
    if outcome is not None and "end.won" in bold:
        yield from _names(screen, bold["end.won"], frozenset(outcome.ranks[0]), moment, run, "end.won")
    # A picture that was replaced by text shows nothing to compare.
    shown = [each for alt in screen.alts for each in looks_in(alt)]
    if shown and look(moment.match.view(None)) not in shown:
        yield "its picture shows something else"
    if run.has_digests:
        yield from _film(screen, moment)


def _proposed(moment: Moment) -> set[str]:
    """Return the texts about a motion that a board has."""
    if moment.motion is None or moment.over:
        return set()
    # Once all have agreed, the seat is offered: the motion stands until it is taken.
    is_agreed = moment.motion.kind == "replace" and not moment.to_agree
    return {"motion.open.offered" if is_agreed else f"motion.open.{moment.motion.kind}"}


def _stated(moment: Moment) -> dict[str, frozenset[Seat]]:
    """Return the seats that each text names, by its key; texts about no seats are absent."""
    if moment.over:
        return {"board.waiting": frozenset(), "clock.up": frozenset(), "board.draw_offered": frozenset()}
    people = {seat for seat, person in moment.holders.items() if person is not None}
    return {
        "board.waiting": moment.public,
        "clock.up": moment.late,
        "clock.stand_in": moment.stood_in & people,
        "board.draw_offered": moment.offers,
    }


def _names(
    screen: Screen, said: Said | None, seats: frozenset[Seat], moment: Moment, run: Transcript, key: str
) -> Iterator[str]:
    found = named("" if said is None else said.gaps.get("names", ""), screen.match, moment, run)
    if found != seats:
        yield f"{key} names seats {sorted(found)}, and they are {sorted(seats)}"


def named(names: str, match: str, moment: Moment, run: Transcript) -> frozenset[Seat]:
    """Return the seats whose people are among names."""
    seats_called = run.names.get(match, {})
    called = {
        seat: seats_called.get(seat)
        if person is None
        else run.called.get((match, person), seats_called.get(seat))
        for seat, person in moment.holders.items()
    }
    return frozenset(
        seat
        for seat, person in moment.holders.items()
        if f"<@{person}>" in names or _is_called(called[seat], names)
    )


def _is_called(name: str | None, names: str) -> bool:
    """Return whether a name is among names; one may be the prefix of another."""
    isolated = names.split(ISOLATE)[1:]
    return name is not None and (
        name in (each.partition(POP)[0] for each in isolated) or (not isolated and name in names)
    )


def _outcome(keys: Iterable[str], moment: Moment) -> Iterator[str]:
    outcome, keys = moment.match.outcome, set(keys)
    ends = {"end.won", "end.draw", "end.together_won", "end.together_lost"}
    if outcome is None:
        if keys & ends:
            yield "it says how the match ended, and it goes on"
        return
    drawn = len(outcome.ranks) == 1
    wanted = "end.draw" if drawn else "end.won"
    if outcome.won is not None:
        wanted = "end.together_won" if outcome.won else "end.together_lost"
    if wanted not in keys:
        yield f"{wanted} is to be said"


def _film(screen: Screen, moment: Moment) -> Iterator[str]:
    """Yield errors of the film, which must show all rows except those taken back."""
    films = [alt for alt in screen.alts if alt.startswith("film ")]
    if moment.match.outcome is None:
        if films:
            yield "a film of a match that goes on"
        return
    if films and look(film_of(moment)) not in looks_in(films[0]):
        yield "its film shows something else"
    elif not films:
        yield "it has no film"


def film_of(moment: Moment) -> list[list[object]]:
    """Return the content of a match's film: kind, seat and sentence of each row not taken back."""
    rules = moment.match.game

    def sentence(entry: Entry) -> str | None:
        return rules.write(entry.words) if entry.kind is EntryKind.ACT else None

    played = (each.entry for each in moment.standing if not is_note(rules, each.entry.words))
    return [[each.kind.value, each.seat, sentence(each)] for each in played]


# --- times ----------------------------------------------------------------------------------------------


def _times(
    screen: Screen, number: int, moment: Moment, clocks: Clocks | None, run: Transcript
) -> Iterator[str]:
    """Yield the deadlines on a board that differ from the computed ones."""
    if clocks is None or moment.over:
        return
    said = read_all(screen.text, _UNTIL)
    shown = {(each.time("until"), each.time("deadline") or each.time("until")) for each in said}
    for seat in clocks.after[number]:
        fault = clock_fault(seat, shown, (screen.at, screen.wall), number, moment, clocks, run)
        if fault:
            yield fault


def clock_fault(
    seat: Seat,
    shown: Iterable[tuple[float | None, float | None]],
    at_wall: tuple[float, float],
    number: int,
    moment: Moment,
    clocks: Clocks,
    run: Transcript,
) -> str:
    """Return how a seat's clock differs from all pairs that are shown: until when, and at the latest.

    ``None`` in a pair: that is not shown. Empty: a pair fits, or no clock runs.
    """
    (at, wall), clock = at_wall, clocks.after[number].get(seat)
    left = None if clock is None else clocks.left(seat, clock, at)
    if clock is None or left is None or left.total_s is None or left.allowance_s is None:
        return ""
    if seat in moment.late or any(begun <= at < ended for begun, ended in clocks.idle(seat)):
        return ""  # it stands still
    slop = clocks.slop(seat, clocks.record.begun_at, at) + clocks.drift_s(at) + 1.0
    more, less = slop + clocks.made_up_s(clocks.record.begun_at, at), slop + clocks.owed_s(at)
    # Short outages edit no board.
    less += sum(min(SHOWN_FROM_S, ended - begun) for begun, ended in run.outages if ended > clock.since)
    until, deadline = wall + left.allowance_s, wall + left.total_s
    if any(_near(until, one, less, more) and _near(deadline, other, less, more) for one, other in shown):
        return ""
    times = sorted(shown, key=str)
    return f"seat {seat} has until {until:.0f}, {deadline:.0f} at the latest; it shows {times}"


def _near(ours: float, theirs: float | None, less: float, more: float) -> bool:
    return theirs is None or ours - less <= theirs <= ours + more


# --- panels ---------------------------------------------------------------------------------------------


def _panel(screen: Screen, moments: Sequence[Moment]) -> Iterator[str]:
    """Yield what a panel in a direct message offers or shows wrongly."""
    moment = moments[-1]
    seat = None if screen.person is None else moment.seat_of(screen.person)
    if seat is None:
        yield "its reader has no seat"
        return
    if seat not in moment.asked:
        return  # whether its buttons should be gone, the audit says
    rules, words, looks = moment.match.game, set[str](), set[str]()
    for each in _since_asked(moments, seat):
        view = each.match.view(seat)
        for draft in drafts_in(screen.text, rules, view):
            menu = rules.menu(view, draft)
            words |= {choice.word for choice in menu.choices()} if menu is not None else set()
            looks.add(look(rules.preview(view, draft)))
    if not looks:
        yield f"it shows no draft that can be said: {draft_lines(screen.text, rules.manifest.key)}"
    offered = {word for each in screen.custom_ids if (word := _word(each))}
    if offered - words:
        yield f"it offers {sorted(offered - words)}, and {sorted(words)} can be said"
    shown = [each for alt in screen.alts for each in looks_in(alt)]
    if shown and not looks & {*shown}:
        yield "its picture shows something else"


def _since_asked(moments: Sequence[Moment], seat: Seat) -> Iterator[Moment]:
    """Yield the moments since a seat was asked: neither others' acts nor its own change the panel.

    A seat that is asked again after acting continues in the same panel (ADR 32).
    """
    for before, moment in zip(reversed([None, *moments[:-1]]), reversed(moments), strict=True):
        yield moment
        row = moment.row
        anew = row is not None and row.seat == seat and row.kind in ("lapse", "undo", "replace", "back")
        if before is None or anew or seat not in before.asked:
            return


def _word(custom_id: str) -> str:
    parts = custom_id.split(":", 5)
    return parts[5] if len(parts) == 6 and parts[4] == _SAYS_WORD else ""
