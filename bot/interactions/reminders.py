"""Reminders and holidays: settings and commands. All answers are private."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.domain.clocks import Reminding
from bot.domain.refusals import Refusal
from bot.interactions.context import Context
from bot.interactions.reply import Reply
from bot.pages.custom_ids import HOUSE, Button, ButtonId
from bot.pages.reminders import NO_QUIET, holiday_page, reminders_page
from engines.core.contract import msg

Redraw = Callable[[Reply, ButtonId, "str | None"], Awaitable[None]]


class ReminderPages:
    """Pages about reminders, and their controls."""

    def __init__(self, context: Context) -> None:
        self._settings = context.services.settings
        self._reminders = context.clocks.reminders
        self._holidays = context.clocks.holidays
        self._clock = context.services.cache.clock

    def redrawing(self) -> dict[Button, Redraw]:
        """Return the handlers that change the clicked private message."""
        return {
            Button.REMINDERS: lambda reply, _, __: self.show(reply),
            Button.REMINDING: self._choose,
            Button.REGION: self._choose,
            Button.CITY: self._choose,
            Button.QUIET_FROM: self._choose,
            Button.QUIET_UNTIL: self._choose,
            Button.HOLIDAY: self._switch_holiday,
        }

    async def show(self, reply: Reply, region: str = "") -> None:
        """Show the asker's reminder settings."""
        chosen = await self._settings.preferences(reply.person)
        holiday, _ = await self._holidays.of(reply.person)
        await reply.show(reminders_page(chosen, holiday, reply.texts, now=self._clock(), region=region))

    async def holiday(self, reply: Reply) -> None:
        """Show whether the asker is on holiday."""
        await reply.show(holiday_page(*await self._holidays.of(reply.person), reply.texts))

    async def nudge(self, reply: Reply, match: str) -> None:
        """Nudge the players for whom a match waits."""
        await self._reminders.nudge(match, reply.person, reply.id)
        await reply.say(reply.texts.house("said.nudged"))

    async def mute(self, reply: Reply, match: str) -> None:
        """Switch the reminders of a match off, or on again."""
        muted = await self._reminders.mute(match, reply.person)
        await reply.say(reply.texts.house("said.muted" if muted else "said.unmuted"))

    async def _choose(self, reply: Reply, place: ButtonId, chosen: str | None) -> None:
        if place.match != HOUSE or chosen is None:
            raise Refusal(msg("error.stale"))
        person, region = reply.person, ""
        try:
            match place.button:
                case Button.REMINDING:
                    await self._settings.set_reminders(person, Reminding(chosen))
                case Button.CITY:
                    await self._settings.set_zone(person, chosen)
                case Button.REGION:
                    region = chosen
                case Button.QUIET_FROM:
                    begin = None if chosen == NO_QUIET else int(chosen[:2])
                    await self._settings.set_quiet(person, begin=begin)
                case _:
                    await self._settings.set_quiet(person, end=int(chosen[:2]))
        except ValueError:
            raise Refusal(msg("error.stale")) from None
        await self.show(reply, region)

    async def _switch_holiday(self, reply: Reply, place: ButtonId, _: str | None) -> None:
        if place.match != HOUSE or place.number not in (0, 1):
            raise Refusal(msg("error.stale"))
        if place.number:
            await self._holidays.begin(reply.person)
        else:
            await self._holidays.end(reply.person)
        await self.holiday(reply)
