"""``/learn <game>``, and what the components of a lesson do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from discord.app_commands import Choice

from bot.domain.lessons import LessonClick, LessonPanel
from bot.domain.refusals import Refusal
from bot.interactions.command_factory import Option, Values, house_text
from bot.interactions.context import Context
from bot.interactions.drawing import Drawing, edited, focus_of
from bot.interactions.play import Play
from bot.interactions.reply import Reply
from bot.pages.controls import NO_FOCUS, Focus
from bot.pages.custom_ids import Action, Button, ButtonId, LessonId
from bot.pages.lessons import course_page, lesson_modal, lesson_page
from bot.pages.panel import PanelPage
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


class LessonPanels:
    """Shows lessons, and carries out clicks on them, wherever they are shown."""

    def __init__(self, context: Context) -> None:
        self._lessons = context.services.lessons
        self._play = Play(context)
        self._drawing = Drawing(context, lesson_page)

    async def learn(self, reply: Reply, values: Values) -> None:
        """Show the lessons of a game; raises :class:`Refusal`."""
        await reply.defer()
        await self._show_course(reply, values[GAME])

    def redrawing(self) -> dict[Button, Callable[[Reply, ButtonId, str | None], Awaitable[None]]]:
        """Return the handlers that change the clicked private message; they get what a select chose."""
        return {
            Button.LEARN: lambda reply, place, _: self._show_course(reply, place.match),
            Button.LESSON: self._open,
        }

    async def first_match(self, reply: Reply, key: str) -> None:
        """Open a match against computer players; raises :class:`Refusal`."""
        if key not in games():
            raise Refusal(msg("error.unknown_game"))
        await self._play.open_first(reply, key)

    async def _show_course(self, reply: Reply, key: str) -> None:
        await reply.show(course_page(await self._lessons.course(key, reply.person), reply.texts))

    async def _open(self, reply: Reply, place: ButtonId, chosen: str | None) -> None:
        course = await self._lessons.course(place.match, reply.person)
        number = int(chosen[:3]) if chosen is not None and chosen.isdecimal() else place.number
        if number is None or not 0 < number <= len(course.lessons):
            raise Refusal(msg("error.stale"))
        lesson = course.lessons[number - 1]
        await self._draw(reply, await self._lessons.panel(lesson.game, lesson.key, reply.person))

    async def type(self, reply: Reply, place: LessonId) -> None:
        """Open the modal to type a turn, from memory: nothing is awaited before it is sent."""
        panel = self._lessons.peek_panel(_click(place), reply.person)
        await reply.open_modal(lesson_modal(panel, reply.texts))

    async def click(self, reply: Reply, place: LessonId, values: list[str]) -> None:
        """Carry out a click on a lesson's component, and redraw the lesson."""
        async with self._drawing.redrawing(reply):
            try:
                panel = await self._carried_out(reply, place, values)
            except Refusal as refusal:
                await self._draw_refusal(reply, place, refusal)
            else:
                await self._draw(reply, panel, focus=focus_of(place, values))

    async def submit_typed(self, reply: Reply, place: LessonId, text: str) -> None:
        """Put what was typed in the modal into the draft, and redraw the lesson."""
        async with self._drawing.redrawing(reply):
            try:
                panel = await self._lessons.type_in(_click(place), reply.person, text)
            except Refusal as refusal:
                await self._draw_refusal(reply, place, refusal)
            else:
                await self._draw(reply, panel)

    async def _carried_out(self, reply: Reply, place: LessonId, values: list[str]) -> LessonPanel:
        click = _click(place)
        if place.action is Action.CONFIRM:
            return await self._lessons.confirm(click, reply.person)
        changed = await edited(self._lessons, click, place, values, reply.person)
        return changed or await self._lessons.panel(place.game, place.lesson, reply.person)

    async def _draw_refusal(self, reply: Reply, place: LessonId, refusal: Refusal) -> None:
        panel = await self._lessons.panel(place.game, place.lesson, reply.person)
        await self._draw(reply, panel, notice=f"⚠️ {reply.texts.refusal(refusal)}")

    async def _draw(
        self, reply: Reply, panel: LessonPanel, *, focus: Focus = NO_FOCUS, notice: str = ""
    ) -> None:
        shown = PanelPage(panel, reply.texts, focus=focus, notice=notice, drawing=reply.mark)
        await self._drawing.draw(reply, shown)


def _click(place: LessonId) -> LessonClick:
    return LessonClick(place.game, place.lesson, place.revision)
