"""Time: limits of decisions, reminders and quiet hours, holidays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from zoneinfo import ZoneInfo

MINUTE = 60.0
HOUR = 60 * MINUTE
DAY = 24 * HOUR

REMINDERS = (0.5, 0.1)
"""Fractions of an allowance that are left when the seat's person is reminded."""

HOUR_APART = 60 * MINUTE
"""Seconds between two reminders of the same person, from :attr:`Pace.DAY` on."""

MIN_AFTER_UNDO_S = HOUR
"""Minimum time to decide again after taking a turn back, capped at the allowance."""

STAND_IN_AFTER = 3
"""Missed decisions in a row after which a computer player takes over a seat."""


class Pace(Enum):
    """Time limits of a match, chosen with the table, the same for all players."""

    LIVE = "live"
    EVENING = "evening"
    DAY = "day"
    SLOW = "slow"
    NONE = "none"
    """No time limit."""

    @property
    def allowance(self) -> float:
        """Return the seconds for each decision; raises ``KeyError`` for :attr:`NONE`."""
        return _ALLOWANCES[self]

    @property
    def reserve(self) -> float:
        """Return the seconds that a seat has per match beyond its allowances."""
        return _RESERVES.get(self, 0.0)

    @property
    def over_days(self) -> bool:
        """Return whether decisions may take a day or longer, so that holidays stop the clocks."""
        return self in (Pace.DAY, Pace.SLOW)


_ALLOWANCES = {Pace.LIVE: 10 * MINUTE, Pace.EVENING: HOUR, Pace.DAY: DAY, Pace.SLOW: 3 * DAY}
_RESERVES = {Pace.DAY: 3 * DAY, Pace.SLOW: 7 * DAY}


class TimeUp(Enum):
    """Who acts for a timed-out seat, unless the opponent chooses."""

    PASS = "pass"  # noqa: S105 - a move, not a password
    """The game's pass, if its rules have one; else a computer player."""
    COMPUTER = "computer"
    """A computer player."""


class Nudge(Enum):
    """Whether the waiting players have nudged a seat, at most once per allowance."""

    NONE = 0
    ASKED = 1
    """Requested, not sent yet."""
    SENT = 2


@dataclass(frozen=True, slots=True)
class Remaining:
    """Time left on a clock at one moment, in seconds; stored with a turn that may be taken back."""

    reserve: float
    allowance: float | None = None
    """Left of the allowance, negative after its end; ``None``: the seat was not publicly pending."""
    total: float | None = None
    """Left until the deadline; ``None`` if ``allowance`` is."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a person's seat. All times are Unix times, all spans seconds.

    ``until`` and ``deadline`` are set while the seat is publicly pending: they change only with public
    events, even if the seat has already decided in secret.
    """

    reserve: float
    """Left for decisions that take longer than their allowance."""
    until: float | None = None
    """End of the allowance, after which the reserve is used."""
    deadline: float | None = None
    """When the reserve is used up as well."""
    missed: int = 0
    """Decisions in a row that the seat missed."""
    overdue: bool = False
    """The deadline has expired, and the waiting player may choose what happens."""
    remind_at: float | None = None
    """When the seat's person is reminded next; ``None``: never."""
    reminded: int = 0
    """Number of this allowance's reminders that are past, sent or not."""
    nudge: Nudge = Nudge.NONE
    stopped_at: float | None = None
    """Since when the clock is stopped; ``None``: it runs."""

    def begun(self, pace: Pace, now: float) -> Clock:
        """Return the clock started for a decision that is pending from ``now`` on."""
        until = now + pace.allowance
        begun = replace(self, until=until, deadline=until + self.reserve, overdue=False, stopped_at=None)
        return begun.with_reminders(pace)

    def answered(self, now: float) -> Clock:
        """Return the clock after a decision, with time beyond the allowance taken from the reserve."""
        left = self.reserve if self.deadline is None else max(0.0, min(self.reserve, self.deadline - now))
        return replace(self, reserve=left, overdue=False)

    def ran_out(self) -> Clock:
        """Return the clock after its deadline, if no decision is made for the seat."""
        return replace(self, overdue=True, remind_at=None)

    def off(self) -> Clock:
        """Return the clock of a seat that is no longer publicly pending."""
        if self.deadline is None:
            return self
        return Clock(self.reserve, missed=self.missed)

    def given(self, pace: Pace, now: float) -> Clock:
        """Return the clock with another allowance, which begins ``now`` if its time is up."""
        if self.until is None or self.deadline is None:
            return self
        late = max(0.0, now - self.deadline)
        by = pace.allowance + late
        longer = replace(self, until=self.until + by, deadline=self.deadline + by, overdue=False)
        return longer.with_reminders(pace)

    # --- turns that are taken back --------------------------------------------------------------------

    def remaining(self, now: float) -> Remaining:
        """Return the time left."""
        clock = self.going(now)
        if clock.until is None or clock.deadline is None:
            return Remaining(clock.reserve)
        return Remaining(clock.reserve, clock.until - now, clock.deadline - now)

    def restored(self, kept: Remaining, pace: Pace, now: float) -> Clock:
        """Return the clock reset to an earlier moment of the same decision."""
        if kept.allowance is None or kept.total is None:
            return replace(self, reserve=kept.reserve).begun(pace, now)
        if kept.total > 0:
            return self._resumed(kept.reserve, kept.allowance, kept.total, pace, now)
        # It was late, or had decided in secret, which must not cost its reserve.
        least = _min_after_undo(pace)
        return self._resumed(kept.reserve, least, least, pace, now)

    def charged(self, kept: Remaining, pace: Pace, now: float) -> Clock:
        """Return the clock of a seat that takes back an earlier decision and decides again.

        It gets the lesser of what was left then and what is left now. Both are public, so that secret acts
        show in neither.
        """
        if kept.allowance is None or kept.total is None:
            return self.answered(now).begun(pace, now)
        left = self.remaining(now)
        allowance, total = kept.allowance, kept.total
        if left.allowance is not None and left.total is not None:
            allowance, total = min(allowance, left.allowance), min(total, left.total)
        reserve = max(0.0, total - max(0.0, allowance))
        allowance = max(0.0, allowance, _min_after_undo(pace) - reserve)
        return self._resumed(reserve, allowance, allowance + reserve, pace, now)

    def _resumed(self, reserve: float, allowance: float, total: float, pace: Pace, now: float) -> Clock:
        until, deadline = now + allowance, now + total
        clock = replace(self, reserve=reserve, until=until, deadline=deadline, overdue=False, stopped_at=None)
        return clock.with_reminders(pace).told(pace, now)

    def counted(self, *, missed: bool) -> Clock:
        """Return the clock after a decision, by the seat's person or ``missed`` by them."""
        count = self.missed + 1 if missed else 0
        return self if count == self.missed else replace(self, missed=count)

    # --- reminders ------------------------------------------------------------------------------------

    def with_reminders(self, pace: Pace) -> Clock:
        """Return the clock with all reminders of its allowance pending."""
        return replace(self, reminded=0, nudge=Nudge.NONE, remind_at=self._reminder(pace, 0))

    def told(self, pace: Pace, now: float) -> Clock:
        """Return the clock after its due reminders were sent or skipped."""
        over = self.reminded
        while (at := self._reminder(pace, over)) is not None and at <= now:
            over += 1
        nudge = Nudge.SENT if self.nudge is Nudge.ASKED else self.nudge
        return replace(self, reminded=over, remind_at=self._reminder(pace, over), nudge=nudge)

    def held_back(self, until: float) -> Clock:
        """Return the clock with its next reminder postponed, or dropped if that would be too late."""
        late = self.deadline is None or until >= self.deadline
        return replace(self, remind_at=None if late else until)

    def nudged(self, now: float) -> Clock:
        """Return the clock after the waiting players nudged its person."""
        return replace(self, nudge=Nudge.ASKED, remind_at=now)

    def _reminder(self, pace: Pace, number: int) -> float | None:
        """Return when a reminder is due; ``None``: there is no reminder of that number."""
        if self.until is None or number >= len(REMINDERS):
            return None
        return self.until - pace.allowance * REMINDERS[number]

    # --- stopping -------------------------------------------------------------------------------------

    def stopped(self, now: float) -> Clock:
        """Return the clock stopped."""
        return self if self.deadline is None or self.stopped_at is not None else replace(self, stopped_at=now)

    def going(self, now: float) -> Clock:
        """Return the clock resumed, with the time it had left when it was stopped."""
        if self.stopped_at is None:
            return self
        by = max(0.0, now - self.stopped_at)
        until, deadline, remind_at = (
            None if at is None else at + by for at in (self.until, self.deadline, self.remind_at)
        )
        return replace(self, until=until, deadline=deadline, remind_at=remind_at, stopped_at=None)


def _min_after_undo(pace: Pace) -> float:
    return min(MIN_AFTER_UNDO_S, pace.allowance)


YEAR = 365 * DAY

HOLIDAY_PER_YEAR_S = 30 * DAY
"""Maximum seconds of holiday per year."""


@dataclass(frozen=True, slots=True)
class Holiday:
    """One holiday of one person. All times are Unix times."""

    begun: float
    latest: float
    """When it ends automatically, its time being used up."""
    ended: float | None
    """``None``: it is still on."""


def holiday_left(holidays: Iterable[Holiday], now: float) -> float:
    """Return a person's remaining seconds of holiday in the year that ends now."""
    since = now - YEAR
    used = sum(
        max(0.0, (min(now, each.latest) if each.ended is None else each.ended) - max(since, each.begun))
        for each in holidays
    )
    return max(0.0, HOLIDAY_PER_YEAR_S - used)


def current_holiday(holidays: Iterable[Holiday]) -> Holiday | None:
    """Return the holiday that is still on, if any."""
    return next((each for each in holidays if each.ended is None), None)


class Reminding(Enum):
    """How a person is reminded of a pending decision."""

    TURNS = "turns"
    """The way their turns are announced: by direct message or in the match's thread."""
    MESSAGE = "message"
    """By direct message."""
    MENTION = "mention"
    """By a mention in the match's thread."""
    NONE = "none"
    """Not at all."""


ZONES: dict[str, tuple[str, ...]] = {
    "europe": (
        "Atlantic/Azores", "Atlantic/Reykjavik", "Europe/Lisbon", "Europe/Dublin", "Europe/London",
        "Europe/Madrid", "Europe/Paris", "Europe/Brussels", "Europe/Amsterdam", "Europe/Zurich",
        "Europe/Rome", "Europe/Berlin", "Europe/Copenhagen", "Europe/Oslo", "Europe/Stockholm",
        "Europe/Vienna", "Europe/Prague", "Europe/Budapest", "Europe/Warsaw", "Europe/Athens",
        "Europe/Bucharest", "Europe/Helsinki", "Europe/Kyiv", "Europe/Istanbul", "Europe/Moscow",
    ),
    "america": (
        "Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Vancouver",
        "America/Phoenix", "America/Denver", "America/Edmonton", "America/Chicago", "America/Winnipeg",
        "America/Mexico_City", "America/Costa_Rica", "America/New_York", "America/Toronto",
        "America/Havana", "America/Bogota", "America/Lima", "America/Caracas", "America/La_Paz",
        "America/Halifax", "America/Santiago", "America/Puerto_Rico", "America/St_Johns",
        "America/Sao_Paulo", "America/Montevideo", "America/Argentina/Buenos_Aires",
    ),
    "africa": (
        "Africa/Dakar", "Africa/Abidjan", "Africa/Accra", "Africa/Casablanca", "Africa/Algiers",
        "Africa/Tunis", "Africa/Lagos", "Africa/Luanda", "Africa/Kinshasa", "Africa/Tripoli",
        "Africa/Cairo", "Africa/Khartoum", "Africa/Johannesburg", "Africa/Maputo", "Africa/Harare",
        "Africa/Nairobi", "Africa/Addis_Ababa", "Africa/Dar_es_Salaam", "Indian/Mauritius",
    ),
    "asia": (
        "Asia/Jerusalem", "Asia/Baghdad", "Asia/Riyadh", "Asia/Tehran", "Asia/Dubai", "Asia/Baku",
        "Asia/Kabul", "Asia/Karachi", "Asia/Tashkent", "Asia/Kolkata", "Asia/Colombo", "Asia/Kathmandu",
        "Asia/Dhaka", "Asia/Yangon", "Asia/Bangkok", "Asia/Ho_Chi_Minh", "Asia/Jakarta",
        "Asia/Singapore", "Asia/Shanghai", "Asia/Hong_Kong", "Asia/Taipei", "Asia/Manila", "Asia/Seoul",
        "Asia/Tokyo", "Asia/Vladivostok",
    ),
    "pacific": (
        "Australia/Perth", "Australia/Darwin", "Australia/Adelaide", "Australia/Brisbane",
        "Australia/Sydney", "Australia/Melbourne", "Australia/Hobart", "Australia/Lord_Howe",
        "Pacific/Guam", "Pacific/Port_Moresby", "Pacific/Noumea", "Pacific/Auckland", "Pacific/Chatham",
        "Pacific/Fiji", "Pacific/Tongatapu", "Pacific/Apia", "Pacific/Tahiti",
    ),
}  # fmt: skip
"""Cities to choose a time zone by, per region, from west to east."""


KNOWN_ZONES = frozenset(zone for zones in ZONES.values() for zone in zones)


def region_of(zone: str) -> str:
    """Return the region of a zone; the first region for a zone that is not listed."""
    return next((region for region, zones in ZONES.items() if zone in zones), next(iter(ZONES)))


def city(zone: str) -> str:
    """Return the name of a zone's city."""
    return zone.rpartition("/")[2].replace("_", " ")


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours of the day, 0 to 23 in a person's time zone, without reminders."""

    zone: str
    begin: int
    end: int
    """The first hour that is not quiet; equal to ``begin``: no quiet hours."""

    def free_from(self, at: float) -> float:
        """Return the first Unix time from ``at`` on outside the quiet hours."""
        zone = ZoneInfo(self.zone)
        here = datetime.fromtimestamp(at, zone)
        if (here.hour - self.begin) % 24 >= (self.end - self.begin) % 24:
            return at
        end = here.replace(hour=self.end, minute=0, second=0, microsecond=0, fold=0)
        if end.replace(tzinfo=None) <= here.replace(tzinfo=None):
            end += timedelta(days=1)
        # With daylight saving, an hour may be skipped or repeated, so the end is taken on its own day.
        return max(at, end.timestamp())
