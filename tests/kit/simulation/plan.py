"""What happens in a run: how many people, which trouble. Drawn from a seed by :mod:`~.profiles`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias

from bot.domain.clocks import Pace
from tests.kit.simulation.faults import CALM, Faults
from tests.kit.simulation.loop import QUICK, Pauses

Play: TypeAlias = tuple[str, dict[str, str], int]
"""A game's key, its options, and how many play it."""

GAMES: tuple[Play, ...] = (
    ("odds", {}, 2), ("odds", {}, 2), ("vault", {"pledges": "open"}, 2), ("vault", {}, 2), ("vault", {}, 3),
    ("vault", {"pledges": "open"}, 3),
)  # fmt: skip
REAL: Play = ("volo", {"board": "small"}, 2)
"""Turns can be taken back in real games alone."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What happens in a run. The defaults are a quiet evening: two people play, and nothing fails.

    Counts are of what happens in the whole run, shares of one, and times in seconds.
    """

    # --- people
    people: int = 2
    acts: int = 6
    """Of each of them."""
    tables: int = 1
    games: tuple[Play, ...] = GAMES
    haste: float = 1.0
    """How long people wait between two acts, of the usual time."""
    beat: float = 0.0
    """People act only at the multiples of it, and so in the same instant; 0: whenever they like."""
    doubles: float = 0.06
    """The share of clicks that Discord delivers twice."""
    resizing: bool = False
    """Whether people add and remove seats, and tables open with as many as is usual."""
    by_message: float = 0.0
    """The share of people who play by direct messages from the start."""
    takebacks: float = 0.0
    """The share of turns that people ask to take back as soon as they have played them."""
    reading: float = 0.0
    """The share of acts after which people read their list of matches, or a log."""
    resigning: float = 0.0
    """The share of people who resign what is still on when they have had enough."""
    leavers: int = 0
    """How many people leave the server."""
    deletions: int = 0
    """How many messages and threads moderators delete."""

    # --- clocks
    pace: Pace = Pace.NONE
    """That of all tables; where there is one, people are away for a while now and then."""
    days: bool = False
    """The run is over hours or days, and people do all that can be done about time."""
    clock_sets: int = 0
    """How often the machine's clock is set."""

    # --- Discord
    faults: Faults = CALM
    rest_outages: int = 0
    """How often Discord's REST API is away while its gateway is there."""
    gateway_outages: int = 0
    """How often the gateway is away while the REST API is there."""

    # --- the house's processes
    pauses: Pauses = QUICK
    kills: int = 0
    mid_post: int = 0
    """Kills just when a message has been sent: it may be posted after the restart."""
    after_commit: int = 0
    """Kills just when something is committed: nobody has been told."""
    down: tuple[float, ...] = (4.0,)
    """The longest that a killed house is gone: one of these each time."""
    freezes: int = 0
    """How often a process stands still."""
    longest: float = 20.0
    """For how long Discord is away, a process stands still, or one of two is gone, at most."""

    # --- the database
    bad_units: float = 0.0
    """The share of groups of which one unit fails."""
    bad_commits: float = 0.0
    """The share of groups whose ``COMMIT`` fails."""
    cancelled: float = 0.0
    """The share of groups during whose ``COMMIT`` somebody's request is cancelled."""
    cuts: float = 0.0
    """The share of statements that meet the end of their connection. None where there are clocks: these stop
    for as long as nothing can be written, which nobody outside knows to the second."""
    holds: int = 0
    """How often another program holds locks on what the house writes. None where there are clocks, too."""

    # --- several processes
    processes: int = 1
    """How many share the database, where it can be shared."""
    losses: int = 0
    """How often one of them is killed while the other goes on."""
    lost_news: float = 0.0
    """The share of notifications of the other's commits that are lost."""
    late_news: float = 0.0
    """The share of them that are heard late, and several in one."""

    @property
    def spell(self) -> float:
        """Return the seconds within which trouble of the whole run befalls it: people act that long or so."""
        return 30.0 if self.pace is Pace.NONE else 2.0 * self.pace.allowance

    def written(self) -> str:
        """Return it as :func:`read` takes it: what differs from a quiet evening, as JSON."""
        mine, quiet = _plain(self), _plain(Plan())
        return json.dumps({name: value for name, value in mine.items() if value != quiet[name]})


def _plain(plan: Plan) -> dict[str, Any]:
    return {**asdict(plan), "pace": plan.pace.value}


def read(text: str) -> Plan:
    """Return the plan that :meth:`Plan.written` wrote; raises ``ValueError`` for anything else."""
    found = json.loads(text)
    if not isinstance(found, dict) or (unknown := set(found) - {each.name for each in fields(Plan)}):
        raise ValueError(f"no plan: {sorted(unknown) if isinstance(found, dict) else text}")
    return Plan(**{name: _READERS.get(name, _same)(value) for name, value in found.items()})


def _same(value: Any) -> Any:
    return value


def _games(found: list[tuple[str, Mapping[str, str], int]]) -> tuple[Play, ...]:
    return tuple((key, dict(options), seats) for key, options, seats in found)


_READERS: Mapping[str, Any] = {
    "games": _games,
    "pace": Pace,
    "faults": lambda found: Faults(**found),
    "pauses": lambda found: tuple(map(tuple, found)),
    "down": tuple,
}
