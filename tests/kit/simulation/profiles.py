"""Profiles: one kind of trouble each. Seeds use those of their storage in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.domain.clocks import HOUR, Pace
from tests.kit.simulation.faults import CALM, MANY, SOME
from tests.kit.simulation.loop import BUSY, QUICK, USUAL
from tests.kit.simulation.plan import GAMES, REAL, Plan

_REAL = (*GAMES, REAL, REAL, REAL)

_EVERYWHERE: Mapping[str, Sequence[Any]] = {
    "people": (2, 2, 3, 4),
    "acts": (6, 12, 20),
    "tables": (1, 1, 2, 3),
    "games": (GAMES,) * 9 + (_REAL,),
    "haste": (0.1, 1.0, 1.0),
    "resizing": (False, False, False, True),
    "by_message": (0.0, 0.0, 0.5, 1.0),
    "resigning": (0.0, 0.0, 0.3),
    "pauses": (QUICK, USUAL, BUSY),
    "faults": (CALM, SOME, MANY),
}
"""Acts of people and basic faults of Discord and the disk, the same in all profiles."""

_READING: Mapping[str, Sequence[Any]] = {"reading": (0.0, 0.1, 0.3)}

_DAYS: Mapping[str, Sequence[Any]] = {
    "pace": (Pace.EVENING, Pace.DAY, Pace.DAY, Pace.SLOW),
    "days": (True,),
    "games": (GAMES, GAMES, _REAL),
    "takebacks": (0.0, 0.3),
}
_CLOCKS: Mapping[str, Sequence[Any]] = {"pace": (Pace.LIVE, Pace.LIVE, Pace.EVENING)}
_AN_HOUR: Mapping[str, Sequence[Any]] = {"longest": (HOUR, HOUR, 100.0)}
_TWO: Mapping[str, Sequence[Any]] = {"processes": (2,), "tables": (1, 2, 3)}


@dataclass(frozen=True, slots=True)
class Profile:
    """A kind of trouble. ``trouble``: by field of the plan, the values to choose from at random."""

    name: str
    about: str
    trouble: Mapping[str, Sequence[Any]]

    def plan(self, seed: int) -> Plan:
        """Return the plan of a seed."""
        chance = Random(f"plan {self.name} {seed}")
        fields = {**_EVERYWHERE, **self.trouble, **_READING}
        chosen = {name: chance.choice(values) for name, values in fields.items()}
        return Plan(**chosen)


_CALM = Profile(
    "calm", "Nothing fails, and nobody is in a hurry.", {"faults": (CALM,), "pauses": (QUICK, USUAL)}
)
_KILLS = Profile(
    "kills",
    "The house is killed anywhere: also when a message is on its way, or a commit is not answered yet.",
    {"kills": (0, 1, 2, 4), "mid_post": (0, 1, 3), "after_commit": (1, 1, 3)},
)
_LIVE = Profile(
    "live",
    "Clocks of minutes run out, and now and then the house is killed.",
    {**_CLOCKS, "pace": (Pace.LIVE,), "kills": (0, 0, 1, 2), "after_commit": (0, 0, 1)},
)
_DAYS_LONG = Profile(
    "days",
    "Matches last for days: holidays, pauses, undo, nudges, seats handed on, a house that is gone for hours.",
    {**_DAYS, "kills": (0, 1, 2, 4), "mid_post": (0, 0, 1), "leavers": (0, 0, 0, 1),
     "down": ((4.0,), (4.0, 100.0, 2_000.0), (4.0, 20_000.0, 200_000.0))},
)  # fmt: skip

SQLITE: tuple[Profile, ...] = (
    _CALM,
    Profile(
        "crowd",
        "All act in the same instant: units share commits, and some units fail, and some commits.",
        {"people": (4, 5, 6), "acts": (12, 20), "tables": (2, 3, 4), "beat": (3.0, 6.0), "haste": (0.3,),
         "pauses": (USUAL, BUSY), "faults": (CALM, CALM, SOME), "doubles": (0.06, 0.3),
         "bad_units": (0.2, 0.4), "bad_commits": (0.0, 0.01, 0.03), "cancelled": (0.0, 0.02, 0.05),
         "kills": (0, 0, 1), "after_commit": (0, 0, 1)},
    ),
    _KILLS,
    _LIVE,
    _DAYS_LONG,
    Profile("rest", "Discord's REST API is away for up to an hour, and its gateway is there.",
            {**_CLOCKS, **_AN_HOUR, "rest_outages": (1, 2), "kills": (0, 0, 1)}),
    Profile("gateway", "The gateway is away for up to an hour; then its session goes on, or another begins.",
            {**_CLOCKS, **_AN_HOUR, "gateway_outages": (1, 2, 3), "deletions": (0, 2), "kills": (0, 0, 1)}),
    Profile("clock set", "The machine's clock is set, by seconds or by days, forward or back.",
            {**_DAYS, "clock_sets": (1, 2), "kills": (0, 0, 1)}),
    Profile("moderators", "Moderators delete messages and threads.",
            {"deletions": (1, 3, 5), "kills": (0, 0, 1), "mid_post": (0, 0, 1)}),
    Profile("frozen", "The process stands still for up to an hour, and goes on as if nothing had been.",
            {**_CLOCKS, "freezes": (1, 2, 3), "longest": (HOUR, HOUR, 30.0), "kills": (0, 0, 1)}),
)  # fmt: skip
"""With a database in a file."""

POSTGRESQL: tuple[Profile, ...] = (
    _CALM,
    Profile("leases", "Two processes stand still for seconds: leases are lost, renewed too late, and expire.",
            {**_TWO, "freezes": (3, 6, 10), "pauses": (USUAL, BUSY), "haste": (0.3, 1.0)}),
    _KILLS,
    Profile("held locks", "Two processes wait for a third program's locks, and statements are given up.",
            {**_TWO, "holds": (2, 4), "acts": (12, 20), "haste": (0.3, 1.0)}),
    _LIVE,
    Profile("stale", "Two processes hear late of each other's commits, not at all, or of several at once.",
            {**_TWO, "lost_news": (0.3, 1.0), "late_news": (0.3, 0.7), "acts": (12, 20), "haste": (0.2,)}),
    _DAYS_LONG,
    Profile("shards", "One of two processes is dead or frozen for up to an hour, and the other goes on.",
            {**_TWO, **_CLOCKS, **_AN_HOUR, "losses": (0, 1, 2), "freezes": (0, 1, 2)}),
    Profile("cuts", "Connections to the database end, before a statement or before its answer.",
            {"cuts": (0.003, 0.006), "kills": (0, 0, 1)}),
    Profile("shared cuts", "Two processes lose connections and are killed, one or both.",
            {**_TWO, "cuts": (0.003, 0.006), "kills": (0, 1, 2), "losses": (0, 1, 2), "mid_post": (0, 0, 1)}),
)  # fmt: skip
"""With PostgreSQL; half of them have two processes."""


def profile_of(seed: int, profiles: Sequence[Profile], name: str | None = None) -> Profile:
    """Return the profile with this name, by default that of the seed; raises ``KeyError``."""
    if name is None:
        return profiles[seed % len(profiles)]
    return {each.name: each for each in profiles}[name]


def plan_of(seed: int, profile: str | None = None, profiles: Sequence[Profile] = SQLITE) -> Plan:
    """Return the plan of a seed, by its own profile or a named one; raises ``KeyError``."""
    return profile_of(seed, profiles, profile).plan(seed)
