"""The witness's verdict on a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tests.kit.witness import answers, calls, clocks, promises, rights, screens, tables
from tests.kit.witness.clocks import Clocks, Patience
from tests.kit.witness.course import Impossible, Moment, course
from tests.kit.witness.transcript import Finding, MatchRecord, PersonId, Row, Transcript


def verdict(run: Transcript, patience: Patience | None = None) -> list[Finding]:
    """Return the findings of a run, each once."""
    patience = patience or Patience()
    found = [finding for record in run.matches for finding in _match(record, run, patience)]
    found += [*promises.settings(run), *promises.once(run), *tables.hosts(run), *tables.rematches(run)]
    found += calls.at_night(run)
    return list(dict.fromkeys(found))


def _match(record: MatchRecord, run: Transcript, patience: Patience) -> Iterator[Finding]:
    yield from promises.rows(record, run)
    yield from promises.drafts(record, run)
    moments: list[Moment] = []
    try:
        moments.extend(_moments(record, run))
    except Impossible as error:
        yield Finding("impossible row", f"{record.id}: {error}")
        return
    yield from rights.rows(record, moments, run, patience)
    yield from calls.goodbyes(record, moments, run)
    reckoned = None
    # The history of clocks is unknown for matches older than the run.
    if record.pace != "none" and record.begun_at >= run.begun_at - patience.row_s:
        reckoned = Clocks(record, moments, run, patience)
        yield from clocks.judged(reckoned, moments, run)
        yield from clocks.shown(reckoned, moments)
        yield from calls.reminders(record, moments, reckoned, run)
        yield from calls.nudges(record, moments, reckoned, run)
    yield from screens.screens(record, moments, reckoned, run)
    yield from answers.answers(record, moments, reckoned, run)


def _moments(record: MatchRecord, run: Transcript) -> Sequence[Moment]:
    return list(course(record, _taker(run)))


def _taker(run: Transcript) -> Callable[[Row], PersonId | None]:
    presses = run.by_request()
    return lambda row: presses[row.pressed].person if row.pressed in presses else None
