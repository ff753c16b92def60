"""What must hold of any match that was played through the real client."""

from __future__ import annotations

import json
from itertools import permutations

from engines.core.contract import Setup
from engines.core.match import Entry, EntryKind, Match
from engines.core.registry import game
from engines.core.rng import mixed_seed, part_hash
from tests.e2e.stage import EPHEMERAL, TABLES, Json, Stage
from tests.kit.components import files
from tests.kit.person import Person
from tests.kit.reading import text_of

DM = 1
"""The type of a channel between the bot and one person."""


def is_private(window: Person, message: Json) -> bool:
    """Return whether a message that a window received is for its person alone."""
    channel = window.channels.get(message.get("channel_id", ""), {})
    return bool(message.get("flags", 0) & EPHEMERAL) or channel.get("type") == DM


def nothing_private_reached_others(stage: Stage) -> None:
    """Compare what all windows received: no private message and no picture of it is in two."""
    private: dict[str, set[str]] = {}
    addresses: dict[str, set[str]] = {}
    for name in stage.people:
        window = stage.people[name].window
        messages = [entry.d for entry in stage.sandbox.audit(name) if entry.t.startswith("MESSAGE_")]
        mine = [message for message in messages if is_private(window, message)]
        private[name] = {message["id"] for message in mine}
        addresses[name] = {file["url"].partition("?")[0] for message in mine for file in files(message)}
        assert private[name]
        assert addresses[name]
    for one, other in permutations(stage.people, 2):
        received = json.dumps([entry.d for entry in stage.sandbox.audit(other)])
        assert not any(message in received for message in private[one])
        assert not any(address in received for address in addresses[one])


async def the_log_can_be_replayed(stage: Stage, thread: str, key: str) -> None:
    """Fetch the replay file from the log, and play it again: same outcome, the seed as promised."""
    outcome = await stage.bruno.window.command(thread, "log")
    assert outcome.message is not None
    [file] = [f for f in files(outcome.message) if f["filename"] == "replay.json"]
    replay = json.loads(await stage.bruno.window.fetch(file["url"]))
    seed = bytes.fromhex(replay["seed"])
    channel = await stage.alba.window.messages(TABLES)
    [table] = [m for m in channel if m["id"] == thread]
    part = bytes.fromhex(replay["part"])
    assert part_hash(part) == replay["commitment"]
    assert mixed_seed(part, replay["ids"]) == seed
    # The hash was published above the table, and nobody has touched it since.
    published = [m for m in channel if replay["commitment"] in text_of(m) and m["id"] != thread]
    assert [(int(m["id"]) < int(thread), m["edited_timestamp"]) for m in published] == [(True, None)]
    for proof in (replay["commitment"], *replay["ids"]):
        assert proof in text_of(table)
    said = text_of(await stage.alba.board(thread))
    for proof in (replay["seed"], replay["commitment"], replay["part"], *replay["ids"]):
        assert proof in said
    setup = Setup(key, replay["ruleset"], len(replay["seats"]), tuple(replay["options"].items()))
    entries = [
        Entry(EntryKind(row["kind"]), row["seat"], game(key).read(row["sentence"]) if row["sentence"] else ())
        for row in replay["log"]
    ]
    match = Match.replay(game(key), setup, seed, entries)
    assert match.outcome is not None
    assert [list(rank) for rank in match.outcome.ranks] == replay["outcome"]["ranks"]
    assert match.digest() == replay["log"][-1]["digest"]
    assert text_of(table)
