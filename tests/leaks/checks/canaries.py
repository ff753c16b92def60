"""Canaries: every secret of the vault is a word like no other, searched for in all that anybody receives."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from engines.core.contract import Viewer
from engines.core.rng import Rng
from tests.contract.checks.sampling import seed, viewers
from tests.contract.checks.secrets import random_sentence
from tests.kit.vault.install import KEY
from tests.leaks.checks.looking import look_around, script
from tests.leaks.house import House, house
from tests.leaks.hunt import traces
from tests.leaks.knowledge import Knowledge, seeds
from tests.leaks.wire import Sent

NAMES = re.compile(r"(board|film|view[0-9]?|log|replay)\.(png|webp|txt|json)")
"""What files are called, whatever is in them."""

SENTENCES = 30
"""Sentences within which a match of the vault ends, or is left alone."""


async def check_canaries(
    folder: Path,
    *,
    pledges: str = "secret",
    seats: int = 3,
    between: Callable[[House], Awaitable[None]] | None = None,
) -> int:
    """Play the vault to its end, everybody trying everything; return how many things were searched."""
    async with house(KEY, folder, 7, seats=seats, options={"pledges": pledges}, dms=True) as each:
        knowledge, since = Knowledge.of(each.match), 0
        seed_now = each.match.seed
        search(each, knowledge, 0, seed_now)
        for number in range(SENTENCES):
            rng = Rng(seed("canary", number))
            for viewer in viewers(each.match):
                if number % 4 == 0:
                    await look_around(each, script(each.match, viewer, rng.child(str(viewer)), short=True))
            if between is not None:
                await between(each)
            since = search(each, knowledge, since, seed_now)
            seat = rng.stream("seat").choice(each.asked())
            await each.say(seat, random_sentence(each.match, seat, rng))
            await each.settle()
            knowledge.update(each.match)
            if each.match.outcome is not None:
                break
            since = search(each, knowledge, since, seed_now)
        return len(each.wire.sent)


def _check_manners(sent: Sent, each: House) -> None:
    """Files have constant names; nobody is called but in public, and only who is at the table."""
    for name, _, _ in sent.files:
        assert NAMES.fullmatch(name), f"a file is called {name}"
    body = json.loads(sent.body)
    if "components" in body and not sent.act.startswith("answer 9"):
        mentions = body.get("allowed_mentions") or {}
        assert mentions.get("parse") == [], "a message may call anybody"
        called = set(mentions.get("users", ()))
        # An edit notifies nobody, but whom it does not name is mentioned no more.
        public = sent.reader is None
        seated = {each.person_at(seat) for seat in each.people()} if public else set()
        assert called <= seated, "somebody is called who is not meant"


def search(each: House, knowledge: Knowledge, since: int, key: bytes) -> int:
    """Search what was sent for what its reader must not know; return how much has been searched."""
    readers: dict[int | None, Viewer] = {None: None, **{each.reader(v): v for v in viewers(each.match)}}
    part = each.live.row.part
    assert part is not None
    for sent in each.wire.sent[since:]:
        hidden = [*knowledge.hidden_from(readers[sent.reader]), *seeds(key), *seeds(part)]
        found = [trace for blob in sent.blobs() for trace in traces(blob, hidden)]
        assert not found, f"viewer {readers[sent.reader]} finds in {sent.act}: {found}"
        _check_manners(sent, each)
    return len(each.wire.sent)
