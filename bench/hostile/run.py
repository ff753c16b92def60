"""One run: so many interactions, watched."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.hostile.house import house_in
from bench.hostile.script import Script
from bench.hostile.watch import Broken, Watch

SHOWN = 3_000
"""Characters of a failing payload that are printed."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run has seen."""

    seed: int
    interactions: int
    kinds: Counter[str]
    written: Counter[str]
    unreadable: int
    """Payloads that discord.py itself could not read."""
    slowest: float
    """Seconds from delivery to acknowledgement, at most."""
    census: dict[str, int]


async def attack(seed: int, count: int, progress: Callable[[int, Watch], None] | None = None) -> Report:
    """Deliver at least ``count`` interactions; raises :class:`Broken` with the seed and the failing one."""
    with tempfile.TemporaryDirectory() as folder:
        async with house_in(Path(folder), seed) as house:
            watch, script = Watch(house), Script(house, Random(seed))
            await watch.begin()
            kinds: Counter[str] = Counter()
            done = 0
            try:
                while done < count:
                    step = await script.next()
                    try:
                        allowed = await watch.before(step.payloads)
                        exchanges = await house.deliver(*step.payloads)
                        await watch.after(exchanges, allowed, replayed=step.replayed)
                    except Broken as error:
                        raise Broken(_failure(seed, done, step.what, step.payloads, error)) from None
                    done += len(step.payloads)
                    kinds[step.what] += len(step.payloads)
                    if progress is not None:
                        progress(done, watch)
                await watch.audit()
            finally:
                watch.end()
            return Report(seed, done, kinds, watch.counts, house.refused, watch.slowest, watch.census())


def _failure(seed: int, done: int, what: str, payloads: list[dict[str, object]], error: Broken) -> str:
    shown = "\n".join(json.dumps(payload, default=str)[:SHOWN] for payload in payloads)
    return f"seed {seed}, interaction {done} ({what}): {error}\n{shown}"
