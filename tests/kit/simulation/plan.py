"""The plan of a run: people and faults. Drawn from a seed by :mod:`~.profiles`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias

from bot.domain.clocks import Pace
from tests.kit.simulation.faults import CALM, Faults
from tests.kit.simulation.loop import QUICK, Pauses

Play: TypeAlias = tuple[str, dict[str, str], int]
"""A game's key, its options, and the number of players."""

GAMES: tuple[Play, ...] = (
    ("odds", {}, 2), ("odds", {}, 2), ("vault", {"pledges": "open"}, 2), ("vault", {}, 2), ("vault", {}, 3),
    ("vault", {"pledges": "open"}, 3),
)  # fmt: skip
REAL: Play = ("volo", {"board": "small"}, 2)
"""Turns can be taken back in real games only."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a run. The defaults are a quiet run: two people play, and nothing fails.

    Counts are for the whole run, shares are from 0 to 1, and times in seconds.
    """

    # --- people
    people: int = 2
    acts: int = 6
    """Per person."""
    tables: int = 1
    games: tuple[Play, ...] = GAMES
    haste: float = 1.0
    """Factor for people's pauses between two acts."""
    beat: float = 0.0
    """People act only at multiples of it, and so simultaneously; 0: at any time."""
    doubles: float = 0.06
    """The share of clicks that Discord delivers twice."""
    resizing: bool = False
    """Whether people add and remove seats, and tables open with the default number."""
    by_message: float = 0.0
    """The share of people who play by direct messages from the start."""
    takebacks: float = 0.0
    """The share of turns that people ask to take back as soon as they have played them."""
    reading: float = 0.0
    """The share of acts after which people read their list of matches, or a log."""
    resigning: float = 0.0
    """The share of people who resign running matches at the end."""
    leavers: int = 0
    """The number of people who leave the server."""
    deletions: int = 0
    """The number of messages and threads that moderators delete."""

    # --- clocks
    pace: Pace = Pace.NONE
    """The pace of all tables; with a pace, people are sometimes away."""
    days: bool = False
    """Whether the run takes hours or days, with all acts about time."""
    clock_sets: int = 0
    """How often the machine's clock is set."""

    # --- Discord
    faults: Faults = CALM
    rest_outages: int = 0
    """How often Discord's REST API fails while its gateway works."""
    gateway_outages: int = 0
    """How often the gateway fails while the REST API works."""

    # --- the house's processes
    pauses: Pauses = QUICK
    kills: int = 0
    mid_post: int = 0
    """Kills right after a message was sent, which may be posted after the restart."""
    after_commit: int = 0
    """Kills right after a commit, before its acknowledgement."""
    down: tuple[float, ...] = (4.0,)
    """Maximum downtimes of a killed bot, one of which applies to each kill."""
    freezes: int = 0
    """How often a process is frozen."""
    longest: float = 20.0
    """The maximum time for which Discord fails, a process is frozen, or one of two is down."""

    # --- the database
    bad_units: float = 0.0
    """The share of groups with a failing unit."""
    bad_commits: float = 0.0
    """The share of groups whose ``COMMIT`` fails."""
    cancelled: float = 0.0
    """The share of groups during whose ``COMMIT`` a request is cancelled."""
    cuts: float = 0.0
    """The share of statements whose connection ends. None in runs with clocks, which stop while writing
    is impossible: the exact time is not known outside of the bot."""
    holds: int = 0
    """How often another program holds locks on the bot's tables. None in runs with clocks, too."""

    # --- several processes
    processes: int = 1
    """The number of processes, if the database can be shared."""
    losses: int = 0
    """How often one of them is killed while the other continues."""
    lost_news: float = 0.0
    """The share of lost notifications of the other's commits."""
    late_news: float = 0.0
    """The share of notifications that arrive late and merged."""

    @property
    def spell(self) -> float:
        """Return the seconds in which faults of the run happen, about as long as people act."""
        return 30.0 if self.pace is Pace.NONE else 2.0 * self.pace.allowance

    def written(self) -> str:
        """Return the differences from a quiet run as JSON, for :func:`read`."""
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
