"""``/learn <game>``, the list of a game's lessons, and the match that follows them."""

from __future__ import annotations

from collections.abc import Mapping

from discord.app_commands import Choice

from bot.domain.lessons import practice_id
from bot.domain.refusals import Refusal
from bot.interactions.buttons import Handler, new_message, same_message
from bot.interactions.command_factory import Option, Values, house_text
from bot.interactions.context import Context
from bot.interactions.panel import Panels
from bot.interactions.play import Play
from bot.interactions.reply import Reply
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.lessons import course_page
from engines.core.contract import msg
from engines.core.lessons import has_lessons
from engines.core.registry import games

GAME = "game"


def learn_option(most: int) -> Option:
    """Return the option of ``/learn``: the games that have lessons, at most ``most``."""
    taught = [
        Choice(name=each.manifest.title, value=key) for key, each in games().items() if has_lessons(key)
    ]
    return Option(GAME, house_text("option.learn"), required=True, choices=taught[:most])


class Courses:
    """Shows lists of lessons and what they lead to; a lesson itself is a panel."""

    def __init__(self, context: Context, panels: Panels) -> None:
        self._lessons = context.services.lessons
        self._panels = panels
        self._play = Play(context)

    async def learn(self, reply: Reply, values: Values) -> None:
        """Show the lessons of a game; raises :class:`Refusal`."""
        await reply.defer()
        await self._show_course(reply, values[GAME])

    def buttons(self) -> Mapping[Button, Handler]:
        """Return the handlers of its buttons."""
        return {
            Button.LEARN: same_message(lambda reply, place, _: self._show_course(reply, place.match)),
            Button.LESSON: same_message(self._open),
            Button.FIRST_MATCH: new_message(self._first_match),
        }

    async def _first_match(self, reply: Reply, key: str) -> None:
        """Open a match against computer players; raises :class:`Refusal`."""
        if key not in games():
            raise Refusal(msg("error.unknown_game"))
        await self._play.open_first(reply, key)

    async def _show_course(self, reply: Reply, key: str) -> None:
        await reply.show(course_page(await self._lessons.course(key, reply.person), reply.texts))

    async def _open(self, reply: Reply, place: ButtonId, values: list[str]) -> None:
        chosen = values[0] if values else None
        course = await self._lessons.course(place.match, reply.person)
        number = int(chosen[:3]) if chosen is not None and chosen.isdecimal() else place.number
        if number is None or not 0 < number <= len(course.lessons):
            raise Refusal(msg("error.stale"))
        lesson = course.lessons[number - 1]
        await self._panels.open(reply, practice_id(lesson.game, lesson.key))
