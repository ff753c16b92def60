"""Write, read, verify and replay the public files of finished matches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.domain.match import LogRow, RowKind
from bot.domain.tables import TableRow
from engines.core.contract import ActionError, Outcome, Setup
from engines.core.match import MAX_SENTENCE_CHARS, AnyGame, Entry, EntryKind, Match, is_note
from engines.core.registry import game, games
from engines.core.rng import commitment, mixed_seed, part_hash

FORMAT = "bauta-replay-2"

FORMATS = ("bauta-replay-1", FORMAT)
"""Supported formats. The first one has neither parts nor restores."""

SIZE_LIMIT = 4 << 20
"""Maximum bytes of a file: no match comes close. Parsed JSON takes some thirty times as much memory."""

ROWS_LIMIT = 10_000
"""Maximum rows of a replay: each is played, and its state kept and hashed."""


IDS_LIMIT = 100
"""Maximum ids mixed into a seed: a table has far fewer chairs."""

_SEED = re.compile(r"[0-9a-f]{64}")


class ReplayError(Exception):
    """A file cannot be replayed. The message gives the reason in one line."""


def written(row: TableRow, seed: bytes, match: Match, log: Iterable[LogRow]) -> dict[str, Any]:
    """Return the JSON data needed to replay a match and verify its seed.

    It contains no names, no notes, which are private to their seats, and no turns that were taken back. Texts
    are keys of the game's catalogue.
    """
    info, setup, labels = row.info, row.info.setup, match.game.manifest.seat_labels
    seats = [
        {"seat": seat, "label": labels[seat].key, "computer": info.chair_at(seat).person is None}
        for seat in range(setup.seats)
    ]
    rows = [
        {
            "kind": entry.value,
            "seat": each.seat,
            "sentence": match.game.write(each.words) if entry is EntryKind.ACT else None,
            "digest": each.digest,
            **({"restore": each.restore_id} if each.restore_id else {}),
        }
        for each in _standing(match.game, log)
        if (entry := each.kind.entry) is not None
    ]
    # In matches that predate parts, the commitment is of the whole seed.
    mixed = {} if row.part is None else {"part": row.part.hex(), "ids": [*info.join_ids, info.start_id]}
    return {
        "format": FORMAT,
        "game": setup.game,
        "ruleset": setup.ruleset,
        "data": dict(row.data_hashes),
        "options": dict(setup.options),
        "seed": seed.hex(),
        "commitment": info.commitment,
        **mixed,
        "seats": seats,
        "seating": [chair.seat for chair in info.chairs],
        "log": rows,
        "outcome": as_json(match.outcome),
        "theme": info.theme,
    }


def _standing(game: AnyGame, log: Iterable[LogRow]) -> list[LogRow]:
    """Return the rows that the engine plays, without notes and turns taken back."""
    found: list[LogRow] = []
    for row in log:
        if row.kind is RowKind.UNDO:
            while found and found[-1].seq >= row.takes_back:
                found.pop()
        elif row.kind.entry is not None and not is_note(game, row.words):
            found.append(row)
    return found


def parsed(data: bytes) -> Mapping[str, Any]:
    """Return the JSON object of a replay file; raises :class:`ReplayError`."""
    if len(data) > SIZE_LIMIT:
        raise ReplayError(f"the file is larger than {SIZE_LIMIT >> 20} MiB")
    try:
        found = json.loads(data)
    # A few thousand brackets are valid JSON, but too deep for the parser.
    except (ValueError, RecursionError):
        raise ReplayError("the file is not JSON") from None
    if not isinstance(found, dict) or found.get("format") not in FORMATS:
        raise ReplayError(f"the file is not a replay of the format {' or '.join(FORMATS)}")
    return found


def replayed(data: Mapping[str, Any]) -> list[Match]:
    """Return a match at its start and after each row of a replay's log.

    The returned matches have no logs, which would fill the memory for a long match.
    Raises :class:`ReplayError` for an unknown game, ruleset or data, a part or seed that does not match its
    commitment, ids that do not yield the seed, a refused row, and a digest or outcome that differs.
    """
    played = _game(data)
    match = _begun(played, data)
    rows = _part(data, "log", list)
    if len(rows) > ROWS_LIMIT:
        raise ReplayError(f"the log has more than {ROWS_LIMIT} rows")
    moments = [match]
    for number, row in enumerate(rows, 1):
        match = _next(match, number, row)
        moments.append(match)
    if as_json(match.outcome) != data.get("outcome"):
        raise ReplayError("the match ends otherwise than the file says")
    return moments


def public_views(moments: list[Match]) -> list[Any]:
    """Return what the public saw: one view for each change."""
    views: list[Any] = []
    for match in moments:
        view = match.view(None)
        # Secret steps change nothing for the public.
        if not views or view != views[-1]:
            views.append(view)
    return views


def theme_of(data: Mapping[str, Any], themes: Sequence[str]) -> str:
    """Return which of ``themes`` a match was shown in; the first if the file names none of them."""
    named = data.get("theme")
    return named if isinstance(named, str) and named in themes else themes[0]


def as_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """Return an outcome in the format of replay files."""
    if outcome is None:
        return None
    found = {
        "ranks": [list(rank) for rank in outcome.ranks],
        "reasons": [reason.key for reason in outcome.reasons],
        "scores": {str(seat): score for seat, score in outcome.scores},
    }
    # Omitted if the ranks imply it, so that files of earlier versions still match.
    return found if outcome.won is None else {**found, "won": outcome.won}


def _part(data: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    value = data.get(name)
    if not isinstance(value, kind):
        raise ReplayError(f"{name!r} is missing or not what it should be")
    return value


def _game(data: Mapping[str, Any]) -> AnyGame:
    key = _part(data, "game", str)
    try:
        found = game(key)
    except KeyError:
        raise ReplayError(f"there is no game {key[:40]!r} here, only {', '.join(games())}") from None
    if not found.manifest.has_data(_part(data, "data", dict).items()):
        raise ReplayError("the game's data differ from those that the match was played with")
    return found


def _begun(played: AnyGame, data: Mapping[str, Any]) -> Match:
    seed = _part(data, "seed", str)
    if not _SEED.fullmatch(seed):
        raise ReplayError("the seed is not 64 hexadecimal digits")
    _check_seed(data, bytes.fromhex(seed))
    manifest, ruleset = played.manifest, _part(data, "ruleset", str)
    if ruleset not in manifest.rulesets:
        known = " or ".join(manifest.rulesets)
        raise ReplayError(f"{manifest.title} does not offer ruleset {ruleset[:40]!r} here, only {known}")
    options = _part(data, "options", dict)
    if not all(isinstance(value, str) for value in options.values()):
        raise ReplayError("'options' is missing or not what it should be")
    setup = Setup(manifest.key, ruleset, len(_part(data, "seats", list)), tuple(options.items()))
    try:
        return Match.start(played, setup, bytes.fromhex(seed))
    except (ValueError, KeyError):
        raise ReplayError(f"{manifest.title} does not offer this set-up") from None


def _check_seed(data: Mapping[str, Any], seed: bytes) -> None:
    if "part" not in data:
        if commitment(seed) != data.get("commitment"):
            raise ReplayError("the seed is not the one that was promised at the start")
        return
    part, ids = _part(data, "part", str), _part(data, "ids", list)
    if not _SEED.fullmatch(part):
        raise ReplayError("the house's part is not 64 hexadecimal digits")
    if len(ids) > IDS_LIMIT or not all(isinstance(each, str) for each in ids):
        raise ReplayError("'ids' is missing or not what it should be")
    if part_hash(bytes.fromhex(part)) != data.get("commitment"):
        raise ReplayError("the house's part is not the one whose hash was published")
    if mixed_seed(bytes.fromhex(part), ids) != seed:
        raise ReplayError("the seed is not the one that the house's part and the ids give")


def _next(match: Match, number: int, row: object) -> Match:
    if not isinstance(row, dict):
        raise ReplayError(f"row {number} is not a row")
    try:
        after = match.apply(_entry(match, row))
    except ActionError as error:
        raise ReplayError(f"row {number} is refused ({error.msg.key})") from None
    except (ValueError, KeyError, TypeError, IndexError):
        raise ReplayError(f"row {number} is not a row") from None
    after = Match.at(match.game, match.setup, match.seed, after.state)
    if row.get("digest") != after.digest():
        raise ReplayError(f"after row {number} the match differs from the one that was played")
    return after


def _entry(match: Match, row: Mapping[str, Any]) -> Entry:
    kind, seat, restore_id = EntryKind(row["kind"]), row["seat"], row.get("restore", "")
    if not isinstance(restore_id, str):
        raise TypeError("no restore")
    if kind is EntryKind.AGREE:
        return Entry(kind, restore_id=restore_id)
    # A bool is an int for isinstance.
    if type(seat) is not int or not 0 <= seat < match.setup.seats:
        raise ValueError("no seat")
    if kind is not EntryKind.ACT:
        return Entry(kind, seat, restore_id=restore_id)
    sentence = row["sentence"]
    if not isinstance(sentence, str) or len(sentence) > MAX_SENTENCE_CHARS:
        raise ValueError("no sentence")
    return Entry(kind, seat, match.game.read(sentence), restore_id)
