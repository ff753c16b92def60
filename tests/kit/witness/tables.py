"""Tables before and after a match: their hosts, and the pace of rematches."""

from __future__ import annotations

from collections.abc import Iterator

from tests.kit.witness.transcript import LOST, Finding, PersonId, Press, Transcript

_OPENS = ("open", "rematch")
_HOST_ACTS = ("start", "add computer")
"""Acts that only a table's host may do."""


def hosts(run: Transcript) -> Iterator[Finding]:
    """Yield the host's acts that another person did before the opener had left."""
    openers = _openers(run)
    for press in run.presses:
        opener = openers.get(press.match)
        if press.act not in _HOST_ACTS or not press.done or opener in (None, press.person):
            continue
        leaves = (each for each in run.presses if each.act == "leave" and each.match == press.match)
        # A press without a response may have been executed.
        if not any(each.person == opener and (each.done or each.outcome == LOST) for each in leaves):
            text = f"{press.match}: {press.person} did {press.act!r} at the table of {opener}"
            yield Finding("no right", text, "ADR 49")


def _openers(run: Transcript) -> dict[str, PersonId]:
    """Return who opened each table, if that is certain."""
    presses = [press for press in run.presses if press.act in _OPENS]
    doubtful = {press.match for press in presses if press.act == "rematch" and press.outcome == LOST}
    found: dict[str, Press] = {}
    for press in presses:
        if press.done and press.match not in doubtful - {""}:
            first = found.setdefault(press.answer, press)
            if press.answered_at < first.answered_at:
                found[press.answer] = press
    return {table: press.person for table, press in found.items()}


def rematches(run: Transcript) -> Iterator[Finding]:
    """Yield the rematches at a pace that differs from the former match."""
    paces = {record.id: record.pace for record in run.matches}
    for press in run.presses:
        if press.act != "rematch" or not press.done or not {press.match, press.answer} <= paces.keys():
            continue
        if paces[press.match] != paces[press.answer]:
            before, after = paces[press.match], paces[press.answer]
            text = f"{press.answer} is played at {after}, {press.match} was at {before}"
            yield Finding("another pace", text, "ARCHITECTURE, Lobby")
