"""What happens in a run: drawn from its seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from bot.domain.clocks import Pace
from tests.kit.simulation.faults import Faults
from tests.kit.simulation.loop import BUSY, QUICK, USUAL, Pauses

GAMES: tuple[tuple[str, dict[str, str], int], ...] = (
    ("odds", {}, 2), ("odds", {}, 2), ("vault", {"pledges": "open"}, 2), ("vault", {}, 2), ("vault", {}, 3),
    ("vault", {"pledges": "open"}, 3),
)  # fmt: skip
REAL: tuple[str, dict[str, str], int] = ("volo", {"board": "small"}, 2)


def plan_of(seed: int) -> Plan:
    """Return the plan of a seed."""
    return Plan.of(*chances(seed))


def chances(seed: int) -> tuple[Random, Random, Random, Random, Random]:
    """Return what a seed draws from: the first goes on into the run."""
    names = ("clocks", "processes", "rest", "seats")
    clocks, processes, rest, seats = (Random(f"{name} {seed}") for name in names)
    return Random(f"bauta {seed}"), clocks, processes, rest, seats


@dataclass(frozen=True, slots=True)
class Plan:
    """What happens in a run, as its seed has it."""

    people: int
    acts: int
    tables: int
    kills: int
    mid_post: int
    """Kills just when a message has been sent: it may be posted after the restart."""
    haste: float
    """How long people wait between two acts, of the usual time."""
    deletions: int
    faults: Faults
    pauses: Pauses
    games: tuple[tuple[str, dict[str, str], int], ...]
    cuts: float
    """How many statements meet the end of their connection, where there is a wire to the database. None where
    there are clocks: these stop for a minute then, which the ledger would have to know."""
    processes: int
    """How many share the database, where it can be shared."""
    pace: Pace = Pace.NONE
    """That of all tables; where there is one, people are away for a while now and then."""
    days: bool = False
    """The run is over hours or days, and people do all that can be done about time."""
    outages: tuple[float, ...] = (4.0,)
    """The longest that a killed house is gone, in seconds: one of these each time."""
    clock_sets: int = 0
    """How often the machine's clock is set."""
    rest_outages: int = 0
    """How often Discord's REST API is away while its gateway is there."""
    leavers: int = 0
    """How many people leave the server."""
    resizing: bool = False
    """Whether people add and remove seats, and tables open with as many as is usual."""

    @classmethod
    def of(cls, chance: Random, clocks: Random, processes: Random, rest: Random, seats: Random) -> Plan:
        """Return the plan of a seed: a third of the runs know no faults, so that what is found is plain.

        ``clocks`` decides about paces alone, ``processes`` about how many there are, ``rest`` about a REST
        API that is away, ``seats`` about tables that grow: the others of their seeds go as they did without.
        """
        rough = chance.choice((0.0, 0.5, 1.0))
        faults = Faults(
            lost_before=0.04 * rough, lost_after=0.05 * rough, error_before=0.03 * rough,
            error_after=0.04 * rough, limited=0.04 * rough, slow=0.03 * rough,
            late=chance.choice((0.2, 0.7, 1.0)),
        )  # fmt: skip
        games = GAMES if chance.random() < 0.93 else (*GAMES, REAL, REAL, REAL)
        plan = cls(
            people=chance.choice((2, 2, 3, 4)),
            acts=chance.choice((6, 12, 20)),
            tables=chance.choice((1, 1, 2, 3)),
            kills=chance.choice((0, 0, 1, 1, 2, 4)),
            mid_post=chance.choice((0, 0, 1, 3)),
            haste=chance.choice((0.1, 1.0, 1.0)),
            deletions=chance.choice((0, 0, 0, 1, 3)),
            faults=faults,
            pauses=chance.choice((QUICK, USUAL, BUSY)),
            games=games,
            cuts=0.006 * rough,
            processes=processes.choice((1, 1, 2)),
            resizing=seats.random() < 0.25,
        )
        which = clocks.random()
        if which < 0.35:
            return replace(plan, pace=Pace.LIVE, cuts=0.0, rest_outages=rest.choice((0, 0, 0, 1)))
        if which < 0.65:
            return replace(plan._over_days(clocks), rest_outages=rest.choice((0, 0, 1, 2)))
        return plan

    def _over_days(self, chance: Random) -> Plan:
        """Return the plan of a run over hours or days."""
        return replace(
            self,
            days=True,
            cuts=0.0,
            pace=chance.choice((Pace.EVENING, Pace.DAY, Pace.DAY, Pace.SLOW)),
            outages=chance.choice(((4.0,), (4.0, 100.0, 2_000.0), (4.0, 20_000.0, 200_000.0))),
            clock_sets=chance.choice((0, 0, 0, 1, 2)),
            leavers=chance.choice((0, 0, 0, 1)),
            # Turns can be taken back in real games alone.
            games=chance.choice((GAMES, GAMES, (*GAMES, REAL, REAL, REAL))),
        )
