"""A person's settings, reminders and holidays: pages and commands. All answers are private."""

from __future__ import annotations

from collections.abc import Mapping

from bot.domain.clocks import Reminding
from bot.domain.refusals import Refusal
from bot.interactions.buttons import Handler, new_message, same_message
from bot.interactions.context import Context
from bot.interactions.reply import Reply
from bot.interactions.server import may_manage
from bot.pages.custom_ids import HOUSE, Button, ButtonId
from bot.pages.languages import AS_DISCORD
from bot.pages.person import settings_page
from bot.pages.reminders import NO_QUIET, holiday_page, reminders_page
from bot.workers.painter import known_theme
from engines.core.contract import msg


class SettingsPages:
    """Pages about a person's own settings, and their controls."""

    def __init__(self, context: Context) -> None:
        self._settings = context.services.settings
        self._reminders = context.clocks.reminders
        self._holidays = context.clocks.holidays
        self._clock = context.services.cache.clock

    def buttons(self) -> Mapping[Button, Handler]:
        """Return the handlers of its buttons."""
        return {
            Button.SETTINGS: same_message(lambda reply, _, __: self.show_settings(reply)),
            Button.DMS: same_message(self._switch_dms),
            Button.CONFIRMING: same_message(self._switch_confirming),
            Button.THEME: same_message(self._choose_theme),
            Button.LANGUAGE: same_message(self._choose_language),
            Button.REMINDERS: same_message(lambda reply, _, __: self.show_reminders(reply)),
            Button.REMINDING: same_message(self._change_reminders),
            Button.REGION: same_message(self._change_reminders),
            Button.CITY: same_message(self._change_reminders),
            Button.QUIET_FROM: same_message(self._change_reminders),
            Button.QUIET_UNTIL: same_message(self._change_reminders),
            Button.HOLIDAY: same_message(self._switch_holiday),
            Button.MUTE: new_message(self.mute),
        }

    async def show_settings(self, reply: Reply) -> None:
        """Show the asker's settings."""
        preferences = await self._settings.preferences(reply.person)
        page = settings_page(preferences, reply.locale, reply.texts, manages=may_manage(reply.interaction))
        await reply.show(page)

    async def show_reminders(self, reply: Reply, region: str = "") -> None:
        """Show the asker's reminder settings."""
        chosen = await self._settings.preferences(reply.person)
        holiday, _ = await self._holidays.of(reply.person)
        await reply.show(reminders_page(chosen, holiday, reply.texts, now=self._clock(), region=region))

    async def show_holiday(self, reply: Reply) -> None:
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

    async def _switch_dms(self, reply: Reply, place: ButtonId, _: list[str]) -> None:
        if place.match != HOUSE or place.number not in (0, 1):
            raise Refusal(msg("error.stale"))
        await self._settings.set_dms(reply.person, bool(place.number))
        await self.show_settings(reply)

    async def _switch_confirming(self, reply: Reply, place: ButtonId, _: list[str]) -> None:
        if place.match != HOUSE or place.number not in (0, 1):
            raise Refusal(msg("error.stale"))
        await self._settings.set_always_confirm(reply.person, bool(place.number))
        await self.show_settings(reply)

    async def _choose_theme(self, reply: Reply, place: ButtonId, values: list[str]) -> None:
        if place.match != HOUSE or not values:
            raise Refusal(msg("error.stale"))
        await self._settings.set_theme(reply.person, known_theme(values[0]))
        await self.show_settings(reply)

    async def _choose_language(self, reply: Reply, place: ButtonId, values: list[str]) -> None:
        if place.match != HOUSE or not values:
            raise Refusal(msg("error.stale"))
        chosen = "" if values[0] == AS_DISCORD else values[0]
        await self._settings.set_language(reply.person, chosen)
        reply.speak(chosen)
        await self.show_settings(reply)

    async def _change_reminders(self, reply: Reply, place: ButtonId, values: list[str]) -> None:
        if place.match != HOUSE or not values:
            raise Refusal(msg("error.stale"))
        person, region, chosen = reply.person, "", values[0]
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
        await self.show_reminders(reply, region)

    async def _switch_holiday(self, reply: Reply, place: ButtonId, _: list[str]) -> None:
        if place.match != HOUSE or place.number not in (0, 1):
            raise Refusal(msg("error.stale"))
        if place.number:
            await self._holidays.begin(reply.person)
        else:
            await self._holidays.end(reply.person)
        await self.show_holiday(reply)
