"""Clocks: deadlines, what happens when one is past, and people who are away. No Discord in here."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clocks.absences import Absences
from bot.clocks.deadlines import Deadlines
from bot.clocks.holidays import Holidays
from bot.clocks.idle import Idle
from bot.clocks.loop import REST, SHORT_REST, ClockLoop
from bot.clocks.outages import Outages
from bot.clocks.reminders import Reminders
from bot.matches import Services
from bot.timekeeping import Timekeeper


@dataclass(frozen=True, slots=True)
class Clocks:
    """One of each, over the same tables."""

    deadlines: Deadlines
    absences: Absences
    reminders: Reminders
    holidays: Holidays
    idle: Idle
    loop: ClockLoop


def build_clocks(services: Services, time: Timekeeper | None = None) -> Clocks:
    """Return the clocks of one bot, whose use cases go by ``time.steady``; ``None``: by real time."""
    time = time or Timekeeper()
    deadlines = Deadlines(services.cache, services.thinkers)
    outages = Outages(services.cache, services.settings, time.steady)
    reminders, holidays = Reminders(services.cache, services.settings), Holidays(services.cache)
    # A time that is moved jumps over deadlines: it is looked at often.
    rest = REST if time.file is None else SHORT_REST
    idle = Idle(services.cache, services.closing)
    sharing = services.cache.store.sharing
    loop = ClockLoop(deadlines, reminders, holidays, idle, outages, rest, sharing)
    return Clocks(deadlines, Absences(services.cache), reminders, holidays, idle, loop)
