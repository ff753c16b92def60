"""When and how people want to be reminded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from zoneinfo import ZoneInfo


class Reminding(Enum):
    """How a person is reminded of a decision that is due."""

    TURNS = "turns"
    """As their turns come: by direct message or in the match's thread."""
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
"""The cities by which people say what time it is where they live, by region; from west to east."""


KNOWN_ZONES = frozenset(zone for zones in ZONES.values() for zone in zones)


def region_of(zone: str) -> str:
    """Return the region in which a city stands; the first one for a zone that is none of ours."""
    return next((region for region, zones in ZONES.items() if zone in zones), next(iter(ZONES)))


def city(zone: str) -> str:
    """Return the name of a zone's city."""
    return zone.rpartition("/")[2].replace("_", " ")


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours of the day, 0 to 23 by a person's own clock, in which nobody reminds them."""

    zone: str
    begin: int
    end: int
    """The first hour that is not quiet any more; the same as ``begin``: none is quiet."""

    def free_from(self, at: float) -> float:
        """Return the first Unix time from ``at`` on that is not in them."""
        zone = ZoneInfo(self.zone)
        here = datetime.fromtimestamp(at, zone)
        if (here.hour - self.begin) % 24 >= (self.end - self.begin) % 24:
            return at
        end = here.replace(hour=self.end, minute=0, second=0, microsecond=0, fold=0)
        if end.replace(tzinfo=None) <= here.replace(tzinfo=None):
            end += timedelta(days=1)
        # Where clocks are set, an hour may be missing, or come twice: the end is a time of its own day.
        return max(at, end.timestamp())
