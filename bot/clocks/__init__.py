"""Clocks: deadlines, what happens when one is past, and people who are away. No Discord in here."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clocks.absences import Absences
from bot.clocks.deadlines import Deadlines
from bot.clocks.holidays import Holidays
from bot.clocks.idle import Idle
from bot.clocks.loop import REST_S, SHARED_REST_S, SHORT_REST_S, ClockLoop
from bot.clocks.outages import SAVE_INTERVAL_S, Outages
from bot.clocks.reminders import Reminders
from bot.matches import Services
from bot.timekeeping import Timekeeper


@dataclass(frozen=True, slots=True)
class Clocks:
    """One of each, over the same tables."""

    outages: Outages
    deadlines: Deadlines
    absences: Absences
    reminders: Reminders
    holidays: Holidays
    idle: Idle
    loop: ClockLoop


def build_clocks(services: Services, time: Timekeeper | None = None) -> Clocks:
    """Return the clocks of one bot, whose use cases go by ``time.steady``; ``None``: by real time."""
    time = time or Timekeeper()
    cache = services.cache
    # A time that is moved jumps over deadlines: it is looked at often. Other processes move deadlines too.
    rest = REST_S if cache.store.sharing is None else SHARED_REST_S
    rest = rest if time.file is None else SHORT_REST_S
    outages = Outages(cache, time.steady, min(rest, SAVE_INTERVAL_S))
    deadlines = Deadlines(cache, services.thinkers, outages)
    reminders, holidays = Reminders(cache, services.settings, outages), Holidays(cache)
    idle = Idle(cache, services.closing, outages)
    loop = ClockLoop(deadlines, reminders, holidays, idle, outages, rest)
    return Clocks(outages, deadlines, Absences(cache), reminders, holidays, idle, loop)
