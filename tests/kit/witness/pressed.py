"""People's requests in a recorded run, by custom ids and commands, and the bot's responses.

Custom ids are parsed here, and responses are read by the catalogue's patterns: see :mod:`reading`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.kit.witness.journal import COMMAND, COMPLETION, MODAL, Asked, Journal, Json
from tests.kit.witness.reading import keys_of, read, read_all
from tests.kit.witness.sentences import RECEIPT, draft_lines, receipt_in
from tests.kit.witness.transcript import DONE, FOR_EVER, LOST, PersonId, Press, Seat

Act: TypeAlias = tuple[str, str, dict[str, Any]]
"""The act of a press, its match, and the chosen values."""

_BUTTONS = {
    "accept": "offer draw",
    "decline": "decline draw",
    "resign": "resign",
    "rematch": "rematch",
    "claim": "claim",
    "stand_in": "let computer play",
    "wait": "wait longer",
    "back": "come back",
    "agree": "agree",
    "object": "object",
    "take_seat": "take seat",
    "refuse_seat": "refuse seat",
    "end_for_good": "end match",
    "mute": "muted",
    "turn": "look",
    "computer": "add computer",
    "seat_computer": "add computer",
    "start": "start",
    "leave": "leave",
}
"""The act of each button, by name."""

_COMMANDS = {
    "draw": "offer draw",
    "grant": "grant",
    "replace": "offer seat",
    "nudge": "nudge",
    "move": "draft",
    "turn": "look",
}

_READS = {"games": "list", "log": "log"}
"""Commands that only read: the act of each in a press."""

_MOTIONS = {"pause": "pause", "undo": "undo", "abandon": "abandon"}
"""Commands that propose a motion."""

_AT_COMPONENTS = {"y": "confirm", "r": "look", "f": "look", "g": "look"}
"""The act of a panel's component, by action. All other actions change the draft; some may commit it."""

_SAYS_AT_ONCE = ("w", "s")
"""Actions that commit the completed sentence, if the person's settings say so."""

_TYPE = "t"
"""The action that opens or submits a modal."""

_SAID = {
    "resign": ("said.resigned",),
    "claim": ("said.claimed",),
    "let computer play": ("said.stand_in",),
    "wait longer": ("said.waiting",),
    "come back": ("said.back",),
    "offer draw": ("draw.offered", "draw.agreed", "draw.already"),
    "decline draw": ("draw.declined",),
    "propose": ("said.proposed", "said.carried"),
    "agree": ("said.agreed", "said.carried"),
    "object": ("said.objected",),
    "resume": ("said.resumed",),
    "grant": ("said.granted",),
    "offer seat": ("said.seat_offered", "said.proposed"),
    "take seat": ("said.seat_taken",),
    "refuse seat": ("said.seat_refused",),
    "end match": ("said.match_ended",),
    "nudge": ("said.nudged",),
    "muted": ("said.muted", "said.unmuted"),
    "rematch": ("said.rematch",),
    "open": ("said.opened",),
    "add computer": ("said.computer",),
    "start": ("said.begins",),
    "leave": ("said.left", "said.left_hostless", "said.closed", "said.uninvited"),
}
"""By act: the texts that confirm it."""

_AT_PANEL, _DRAFTS, _CONFIRMING = ("confirm", "press"), ("look", "draft"), ("confirm", "press", "draft")

_PANEL = frozenset(("panel.not_asked", "panel.stand_in"))

_MARKS = (RECEIPT, "⚠️", "🔧")
"""The prefixes of a panel's line with the outcome of a press."""

_SHOWN = ("direct messages", "reminders", "zone", "quiet hours", "holiday")
"""Acts whose response is a page with the current settings."""

_UNKNOWN = ("error.incident", "error.records", "error.stopping", "error.stopped", "error.one_moment")
"""Texts after which the outcome of a press is unknown."""


@dataclass(frozen=True, slots=True)
class Known:
    """Facts of the database that a press does not contain."""

    threads: Mapping[int, str]
    """The match of each thread."""
    requests: Mapping[str, str]
    """By interaction: the match in which it has written a row."""
    kinds: Mapping[str, str]
    """By interaction: the kind of its row."""
    opened: Mapping[str, str]
    """By interaction: the table that it opened."""
    games: Mapping[str, str]
    seats: Mapping[tuple[str, PersonId], Seat]


@dataclass(slots=True)
class Read:
    """The presses of a journal, and the number of unreadable responses."""

    presses: list[Press] = field(default_factory=list)
    unread: int = 0


def presses_of(journal: Journal, known: Known) -> Read:
    """Return the presses of a journal."""
    found = Read()
    for asked in journal.asked.values():
        for act in _acts(asked, known):
            press = _answered(asked, act, known)
            found.presses.append(press)
            found.unread += press.outcome == LOST and press.act not in _QUIET and _has_words(asked)
    return found


_QUIET = ("press", "look", "draft")
"""Acts whose responses reveal little, such as a panel without a question."""


def _has_words(asked: Asked) -> bool:
    return any(each.text.strip() for each in asked.answers)


# --- presses --------------------------------------------------------------------------------------------


def _acts(asked: Asked, known: Known) -> Iterator[Act]:
    if asked.kind == COMPLETION:
        return
    if asked.kind == COMMAND:
        yield from _command(asked, known)
        return
    version, _, rest = asked.custom_id.partition(":")
    match, *parts = rest.split(":", 4)
    if version != "b1" or not parts:
        return
    if len(parts) > 2:
        yield from _at_panel(asked, match, parts[2])
    elif match == "house":
        yield from _chosen(asked, parts)
    elif parts[0] == "first_match":
        yield "open", "", {}
    elif parts[0] == "next":
        yield "look", "", {}
    elif parts[0] in _BUTTONS:
        yield _BUTTONS[parts[0]], match, {}


def _at_panel(asked: Asked, match: str, action: str) -> Iterator[Act]:
    """Yield the presses and choices on a panel."""
    if action == _TYPE and asked.kind != MODAL:
        return  # the modal opens, and nothing has happened
    chosen = [":".join(asked.custom_id.split(":")[4:]), *asked.data.get("values", ())]
    yield _AT_COMPONENTS.get(action, "draft"), match, {"at": " ".join(chosen)}


def _chosen(asked: Asked, parts: list[str]) -> Iterator[Act]:
    """Yield the choices on a page of settings."""
    name, values = parts[0], asked.data.get("values") or [""]
    if name in ("dms", "holiday"):
        yield "direct messages" if name == "dms" else name, "", {"value": parts[1:] not in ([], ["0"])}
    elif name in ("reminding", "city"):
        yield "reminders" if name == "reminding" else "zone", "", {"value": values[0]}
    elif name in ("quiet_from", "quiet_until"):
        yield "quiet hours", "", {"part": name, "hour": values[0]}


def _command(asked: Asked, known: Known) -> Iterator[Act]:
    options = dict(_options(asked.data))
    number = str(asked.id)
    match = str(options.get("match") or known.threads.get(asked.channel) or known.requests.get(number, ""))
    if asked.command.startswith("play "):
        yield "open", "", {"computers": options.get("computers", 0)}
    elif asked.command == "settings" and "dms" in options:
        yield "direct messages", "", {"value": options["dms"] == "on"}
    elif asked.command == "pause" and _ends_pause(asked, known):
        yield "resume", match, {}
    elif asked.command in _READS:
        yield _READS[asked.command], "" if asked.command == "games" else match, {}
    elif asked.command in _MOTIONS:
        yield "propose", match, {"kind": _MOTIONS[asked.command]}
    elif asked.command in _COMMANDS:
        given = {"to": int(options["player"])} if asked.command == "replace" else {}
        yield _COMMANDS[asked.command], match, given


def _ends_pause(asked: Asked, known: Known) -> bool:
    """Return whether ``/pause`` meant the end of a pause, which depends on the match."""
    lines = (line for answer in asked.answers for line in answer.text.split("\n"))
    is_said = any(read(line, frozenset(("said.resumed",))) for line in lines)
    return is_said or known.kinds.get(str(asked.id)) == "resume"


def _options(data: Json) -> Iterator[tuple[str, Any]]:
    for option in data.get("options", ()):
        if "value" in option:
            yield option["name"], option["value"]
        yield from _options(option)


# --- responses ------------------------------------------------------------------------------------------


def _answered(asked: Asked, act: Act, known: Known) -> Press:
    name, match, given = act
    outcome, answer, at = LOST, None, FOR_EVER
    for each in asked.answers:
        match = match or (each.match if name == "look" else "")
        if name in _CONFIRMING and receipt_in(each.text):
            outcome, answer = _confirmed(each.text, match, asked, known)
        else:
            outcome, answer = _outcome(name, each.text, match, asked, known)
        if outcome != LOST:
            at = each.at
            break
    if name == "draft" and _may_have_said(asked, outcome, answer):
        name = "press"
    if name == "muted" and outcome == DONE:
        given = {"value": answer == "said.muted"}
    return Press(asked.at, asked.person, name, match, str(asked.id), given, at, outcome, answer)


def _may_have_said(asked: Asked, outcome: str, answer: Any) -> bool:
    """Return whether a choice may have committed the sentence that it completed."""
    if outcome == LOST:
        return asked.custom_id.split(":")[4:5] in ([each] for each in _SAYS_AT_ONCE)
    return outcome == DONE and "said" in answer


def _confirmed(text: str, match: str, asked: Asked, known: Known) -> tuple[str, Any]:
    seat = known.seats.get((match, asked.person))
    return (LOST, None) if seat is None else (DONE, {"seat": seat, "said": text})


def _outcome(name: str, text: str, match: str, asked: Asked, known: Known) -> tuple[str, Any]:
    """Return the outcome of a press by its response, and the response as plain data."""
    wanted, refused, unknown = _SAID.get(name, ()), "", False
    at_panel = name in _AT_PANEL or name in _DRAFTS
    for line in filter(None, text.split("\n")):
        if at_panel and not line.startswith(_MARKS):
            continue
        said = read(line, frozenset(wanted) | keys_of("no.", "error."))
        key = "" if said is None else said.key
        if said is not None and key in wanted:
            return DONE, _answer(name, said.key, asked, known)
        if key in _UNKNOWN:
            unknown = True
        elif key.startswith(("no.", "error.")):
            refused = refused or key
        elif line.startswith("⚠️"):
            refused = refused or "refused by the game"
    if not refused and not unknown and text.strip():
        if name in _SHOWN or name in _READS.values():
            return DONE, None if name in _SHOWN else text
        drafted = _drafted(text, match, asked, known) if name in _DRAFTS else None
        if drafted is not None:
            return DONE, drafted
    return (LOST, None) if unknown or not refused else (refused, None)


def _answer(name: str, key: str, asked: Asked, known: Known) -> Any:
    if name == "offer draw":
        return "already" if key == "draw.already" else None
    if name == "open":
        return known.opened.get(str(asked.id))
    return key if name == "muted" else None


def _drafted(text: str, match: str, asked: Asked, known: Known) -> Json | None:
    """Return the seat of a panel, and the lines that show its draft; ``None``: unknown."""
    said, seat = {each.key for each in read_all(text, _PANEL)}, known.seats.get((match, asked.person))
    key = known.games.get(match)
    if said or seat is None or key is None or not _is_panel(text):
        return None
    return {"seat": seat, "shown": draft_lines(text, key)}


def _is_panel(text: str) -> bool:
    return text.lstrip("\n").startswith("###") or "\n### " in text
