"""When and how people want to be reminded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from zoneinfo import ZoneInfo


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
