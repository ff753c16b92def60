"""What people were told is done must be so, and stay so: after crashes, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.kit.witness.transcript import DONE, FOR_EVER, Finding, MatchRecord, Press, Transcript

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
"""By act: the request of the row that it writes, or how that begins."""

KEPT = ("direct messages", "reminders", "zone", "quiet hours", "holiday", "muted")
"""What people choose, and stays as they have chosen it."""


def rows(record: MatchRecord, run: Transcript) -> Iterator[Finding]:
    """Yield what was acknowledged in a match and is not in its log."""
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
    """Return whether a sentence that somebody read as confirmed is in the log, in those words."""
    said = press.answer
    if any(row.request == press.request for row in record.rows):
        return any(row.request == press.request and row.words == said["words"] for row in record.rows)
    seat_rows = (
        row for row in record.rows if row.seat == said["seat"] and row.committed_at <= press.answered_at
    )
    return any(row.words == said["words"] for row in seat_rows)


def settings(run: Transcript) -> Iterator[Finding]:
    """Yield what people have chosen and were told is kept, and that is otherwise in the end."""
    groups: dict[tuple[str, int, str], list[Press]] = {}
    for press in run.presses:
        if press.act in KEPT:
            groups.setdefault((press.act, press.person, press.match), []).append(press)
    for (act, person, match), presses in groups.items():
        wanted = _last_told(presses)
        found = run.kept.get((act, person, match))
        if wanted is not None and found is not None and found != wanted.given["value"]:
            text = f"{person}: {act} is {found!r}, told {wanted.given['value']!r}"
            yield Finding("settings lost", text, "/settings")


def _last_told(presses: Sequence[Press]) -> Press | None:
    """Return the last press of which it is known that it was the last to count; ``None``: it is not."""
    last = max(presses, key=lambda press: press.at)
    others = [press for press in presses if press is not last]
    overlaps = any(press.answered_at > last.at or press.answered_at == FOR_EVER for press in others)
    return None if last.outcome != DONE or overlaps else last


def _said(press: Press) -> str:
    return f"{press.person} was told that {press.act!r} ({press.request}) is done, at {press.answered_at:.1f}"
