"""Replay files of matches that were played without the bot."""

from __future__ import annotations

from typing import Any

from bot.domain import replay_file
from engines.core.match import EntryKind, Match
from engines.core.rng import commitment


def replay_of(match: Match) -> dict[str, Any]:
    """Return the replay file of a match, as the bot writes it."""
    manifest, rows = match.game.manifest, []
    again = Match.start(match.game, match.setup, match.seed)
    for entry in match.log:
        again = again.apply(entry)
        sentence = match.game.write(entry.words) if entry.kind is EntryKind.ACT else None
        rows.append(
            {"kind": entry.kind.value, "seat": entry.seat, "sentence": sentence, "digest": again.digest()}
        )
    return {
        "format": replay_file.FORMAT,
        "game": manifest.key,
        "ruleset": match.setup.ruleset,
        "data": dict(manifest.data_hashes),
        "options": dict(match.setup.options),
        "seed": match.seed.hex(),
        "commitment": commitment(match.seed),
        "seats": [{"seat": seat} for seat in range(match.setup.seats)],
        "log": rows,
        "outcome": replay_file.as_json(match.outcome),
    }
