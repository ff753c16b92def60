"""Everything acknowledged must be done, and stay done, also after crashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.kit.witness.rules import DAY_S, HOLIDAY_DAYS
from tests.kit.witness.transcript import DONE, FOR_EVER, LOST, Finding, MatchRecord, Press, Transcript

_ROWS = {
    "resign": "{}",
    "claim": "claim:{}",
    "let computer play": "stand_in:{}",
    "wait longer": "grant:{}",
    "come back": "back:{}",
    "offer draw": "offer:{}",
    "decline draw": "decline:{}",
    "propose": "propose:{}",
    "agree": "consent:{}",
    "object": "object:{}",
    "resume": "resume:{}",
    "grant": "grant:{}:",
    "take seat": "replace:{}",
}
"""By act: the request of its row, or a prefix of it."""

PUBLISHED_WITHIN_S = 10.0
"""Seconds within which a commit is visible, because commits may be acknowledged late."""

KEPT = ("direct messages", "reminders", "zone", "quiet hours", "holiday", "muted")
"""Settings that stay as people have chosen them."""


def rows(record: MatchRecord, run: Transcript) -> Iterator[Finding]:
    """Yield acknowledged acts that are missing in the match's log."""
    requests = {row.request for row in record.rows}
    for press in run.presses:
        if press.match != record.id or not press.done or press.answer == "already":
            continue
        form = _ROWS.get(press.act)
        if form is not None and not _written(form.format(press.request), requests):
            yield Finding("acknowledged and lost", f"{record.id}: {_said(press)}", "ARCHITECTURE, Storage")
        if press.act == "confirm" and not _confirmed(press, record):
            yield Finding("acknowledged and lost", f"{record.id}: {_said(press)}", "ARCHITECTURE, Storage")


def _written(request: str, requests: set[str]) -> bool:
    if request.endswith(":"):
        return any(each.startswith(request) for each in requests)
    return request in requests


def _confirmed(press: Press, record: MatchRecord) -> bool:
    """Return whether an acknowledged sentence is in the log, with the same words if the answer has them."""
    said, words = press.answer, press.answer.get("words")
    rows = [row for row in record.rows if row.request == press.request] or [
        row for row in record.rows if row.seat == said["seat"] and row.committed_at <= press.answered_at
    ]
    return any(words in (None, row.words) for row in rows)


_AT_PANEL = ("look", "draft", "confirm", "press", "resign")

_ENDS_DRAFT = ("act", "lapse", "undo", "withdraw", "replace")
"""Rows of a seat that change or remove its draft."""


def drafts(record: MatchRecord, run: Transcript) -> Iterator[Finding]:
    """Yield drafts that differ from those last shown to their person, though nothing has happened since."""
    presses: dict[int, list[Press]] = {}
    for press in run.presses:
        if press.match == record.id and press.act in _AT_PANEL:
            presses.setdefault(press.person, []).append(press)
    for mine in presses.values():
        yield from _drafts_of(record, sorted(mine, key=lambda press: press.at))


def _drafts_of(record: MatchRecord, presses: Sequence[Press]) -> Iterator[Finding]:
    # What an empty draft looks like depends on the match.
    known: tuple[str, ...] | None = None if any("shown" in _panel(press) for press in presses) else ()
    since, busy_until = record.begun_at, 0.0
    for press in presses:
        if press.at < busy_until or (press.outcome == LOST and press.act != "look"):
            known = None
        busy_until = max(busy_until, 0.0 if press.outcome == LOST else press.answered_at)
        if press.act == "look" and press.done:
            found = _draft(press)
            after = since - PUBLISHED_WITHIN_S
            rows = [row for row in record.rows if after <= row.committed_at <= press.answered_at]
            ended = any(row.seat == press.answer["seat"] and row.kind in _ENDS_DRAFT for row in rows)
            # After acts of others, the invalid end of a draft is folded away.
            cut = known is not None and ("shown" in press.answer or found == known[: len(found)])
            kept = known is None or found == known or (rows and cut)
            if not kept and not (ended and not found):
                text = f"{record.id}: {press.person} had drafted {known}, and finds {found}"
                yield Finding("draft lost", text, "ARCHITECTURE, Storage")
            known, since = found, press.at
        elif press.act == "draft" and press.done:
            known, since = _draft(press), press.at
        elif press.act != "look" and press.done:
            known = None


def _panel(press: Press) -> Mapping[str, Any]:
    return press.answer if press.done and press.act in ("look", "draft") else {}


def _draft(press: Press) -> tuple[str, ...]:
    """Return the words of the draft that a panel holds or, as read from it, the lines that show it."""
    return tuple(press.answer["shown"] if "shown" in press.answer else press.answer["words"])


def once(run: Transcript) -> Iterator[Finding]:
    """Yield acts that were done more often than pressed: Discord may deliver a press twice."""
    requests: dict[str, set[str]] = {}
    for press in run.presses:
        act = "open" if press.act == "rematch" else press.act
        table = press.match if act == "add computer" else ""
        requests.setdefault(f"{act} {table}", set()).add(press.request)
    opened = len(requests.get("open ", ()))
    if len(run.tables) > opened:
        yield Finding(
            "done twice", f"{len(run.tables)} tables for {opened} requests", "ARCHITECTURE, Storage"
        )
    for press in run.presses:
        if press.act != "open" or not press.done or press.answer not in run.tables:
            continue
        most = press.given["computers"] + len(requests.get(f"add computer {press.answer}", ()))
        if (found := run.tables[press.answer]) > most:
            text = f"{press.answer} has {found} computer players, {most} were asked for"
            yield Finding("done twice", text, "ARCHITECTURE, Storage")


def settings(run: Transcript) -> Iterator[Finding]:
    """Yield acknowledged settings that differ at the end."""
    groups: dict[tuple[str, int, str], list[Press]] = {}
    for press in run.presses:
        if press.act in KEPT:
            groups.setdefault((press.act, press.person, press.match), []).append(press)
    for (act, person, match), presses in groups.items():
        wanted = _last_told(presses)
        if wanted is not None and act == "holiday" and run.ended_at > wanted.at + HOLIDAY_DAYS * DAY_S:
            continue  # it has ended automatically
        found = run.kept.get((act, person, match))
        if wanted is not None and found is not None and found != wanted.given["value"]:
            text = f"{person}: {act} is {found!r}, told {wanted.given['value']!r}"
            yield Finding("settings lost", text, "/settings")


def _last_told(presses: Sequence[Press]) -> Press | None:
    """Return the press that certainly was the last to take effect; ``None``: unknown."""
    last = max(presses, key=lambda press: press.at)
    others = [press for press in presses if press is not last]
    overlaps = any(press.answered_at > last.at or press.answered_at == FOR_EVER for press in others)
    return None if last.outcome != DONE or overlaps else last


def _said(press: Press) -> str:
    return f"{press.person} was told that {press.act!r} ({press.request}) is done, at {press.answered_at:.1f}"
