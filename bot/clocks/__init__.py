"""Clocks: deadlines, timeouts, reminders and absences, independent of Discord."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clocks.absences import Absences, Holidays
from bot.clocks.deadlines import Deadlines, Idle
from bot.clocks.loop import CHECK_INTERVAL_S, SHARED_REST_S, SHORT_REST_S, ClockLoop
from bot.clocks.outages import SAVE_INTERVAL_S, Outages
from bot.clocks.reminders import Reminders
from bot.matches import Services
from bot.runtime.timekeeping import Timekeeper


@dataclass(frozen=True, slots=True)
class Clocks:
    """All clock services of one bot."""

    outages: Outages
    deadlines: Deadlines
    absences: Absences
    reminders: Reminders
    holidays: Holidays
    idle: Idle
    loop: ClockLoop


def build_clocks(services: Services, time: Timekeeper | None = None) -> Clocks:
    """Build the clocks of one bot, which use ``time.steady``; ``None``: real time."""
    time = time or Timekeeper()
    cache = services.cache
    # Poll more often if the time may be moved past deadlines, or if other processes move deadlines.
    rest = CHECK_INTERVAL_S if cache.store.sharing is None else SHARED_REST_S
    rest = rest if time.file is None else SHORT_REST_S
    outages = Outages(cache, time.steady, min(rest, SAVE_INTERVAL_S))
    deadlines = Deadlines(cache, services.thinkers, outages)
    reminders, holidays = Reminders(cache, services.settings, outages), Holidays(cache)
    idle = Idle(cache, services.closing, outages)
    loop = ClockLoop(deadlines, reminders, holidays, idle, outages, rest)
    return Clocks(outages, deadlines, Absences(cache), reminders, holidays, idle, loop)
