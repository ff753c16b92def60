"""What the components of a private panel do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.domain.panels import Click, Panel, StalePanel
from bot.domain.people import Person
from bot.domain.refusals import Refusal
from bot.interactions.context import Context
from bot.interactions.reply import Reply
from bot.pages.controls import HERE, Look
from bot.pages.custom_ids import Action, PanelId
from bot.pages.page import bare
from bot.pages.panel import typing
from engines.core.contract import msg
from engines.core.registry import game


class Panels:
    """Carries out clicks on panels, wherever the panel stands."""

    def __init__(self, context: Context) -> None:
        self._context = context
        services = context.services
        self._simple: dict[Action, Callable[[Click, Person], Awaitable[Panel]]] = {
            Action.BACK: services.drafts.back,
            Action.CLEAR: services.drafts.clear,
            Action.PRESET: services.drafts.use_preset,
        }

    async def open(self, ask: Reply, match: str) -> None:
        """Show the asker's panel of a match in the message that the ask holds."""
        await self.draw(ask, await self._context.services.drafts.panel(match, ask.person))

    async def type(self, ask: Reply, place: PanelId) -> None:
        """Open the modal to type a turn, from memory: nothing is awaited before it is sent."""
        panel = self._context.services.drafts.peek_panel(place.match, ask.person)
        if panel is None and self._context.services.queries.loaded(place.match):
            await ask.say(ask.speech.house("error.stale"))
        elif panel is None:
            self.load(ask, place.match)
            await ask.say(ask.speech.house("error.one_moment"))
        else:
            await ask.open(typing(panel, ask.speech))

    def load(self, ask: Reply, match: str) -> None:
        """Bring a match into memory without anybody waiting for it."""
        self._context.background.spawn(self._load(match, ask.person), "loading a match")

    async def _load(self, match: str, person: Person) -> None:
        try:
            await self._context.services.drafts.panel(match, person)
        except Refusal:
            return  # the next press says so to the person

    async def click(self, ask: Reply, place: PanelId, values: list[str]) -> None:
        """Carry out a click on a panel's component, and draw the panel anew."""
        await ask.hold_message()
        try:
            await self._carry_out(ask, place, values)
        except StalePanel as stale:
            await self.draw(ask, stale.panel, lead=f"⚠️ {ask.speech.refusal(stale)}")
        except Refusal as refusal:
            panel = await self._context.services.drafts.panel(place.match, ask.person)
            await self.draw(ask, panel, lead=f"⚠️ {ask.speech.refusal(refusal)}")

    async def submit_typed(self, ask: Reply, place: PanelId, text: str) -> None:
        """Take what was typed into the modal."""
        await ask.hold_message()
        click = Click(place.match, place.decision, place.revision)
        await self.take_typed(ask, place.match, text, click)

    async def take_typed(self, ask: Reply, match: str, text: str, click: Click | None) -> None:
        """Take typed words into the asker's draft, and draw the panel; a refusal stands in it."""
        try:
            panel = await self._context.services.drafts.type_in(match, ask.person, text, click)
        except Refusal as refusal:
            panel = await self._context.services.drafts.panel(match, ask.person)
            await self.draw(ask, panel, lead=f"⚠️ {ask.speech.refusal(refusal)}")
        else:
            await self.draw(ask, panel)

    async def _carry_out(self, ask: Reply, place: PanelId, values: list[str]) -> None:
        services = self._context.services
        click = Click(place.match, place.decision, place.revision)
        match place.action:
            case Action.CONFIRM:
                await self._confirm(ask, click)
            case Action.WORD:
                await self.draw(ask, await services.drafts.choose(click, ask.person, place.word))
            case Action.PICK:
                await self.draw(ask, await services.drafts.choose(click, ask.person, _value(values)))
            case Action.SHUFFLE:
                await self.draw(ask, await services.drafts.shuffle(click, ask.person, place.word))
            case Action.GROUP | Action.FIELD | Action.REFRESH | Action.TYPE | Action.NONE:
                panel = await services.drafts.panel(place.match, ask.person)
                await self.draw(ask, panel, look=_look(place, values))
            case _:
                await self.draw(ask, await self._simple[place.action](click, ask.person))

    async def _confirm(self, ask: Reply, click: Click) -> None:
        receipt = await self._context.services.actions.confirm(click, ask.person, ask.id)
        said = game(receipt.table.game).write(receipt.words)
        panel = await self._context.services.drafts.panel(click.table_id, ask.person)
        # The reconciler takes the buttons from a turn in direct messages once it is said: whichever
        # of the two comes last, they stay away. Who is asked again goes on in the same message.
        done = ask.lasts and not panel.asked
        await self.draw(ask, panel, lead="✅ " + ask.speech.house("panel.done", words=said), done=done)

    async def draw(
        self, ask: Reply, panel: Panel, *, look: Look = HERE, lead: str = "", done: bool = False
    ) -> None:
        """Show ``panel`` in the message that the ask holds, unless a newer one overtakes it there.

        ``done``: nothing more is said in this message, and it is shown without controls.
        """
        trouble = self._context.problems.get(panel.table.id)
        if trouble is not None:
            lead = f"{lead}\n🔧 {trouble.said(ask.speech)}".strip()
            self._context.look_after(panel.table.id)
        async with self._context.latest.ticket(ask.place) as ticket:
            settings = await self._context.services.settings.preferences(ask.person)
            page = await self._context.pictures.panel(
                panel, ask.speech, settings.theme, look=look, lead=lead, wanted=lambda: ticket.newest
            )
            async with ticket.turn() as newest:
                if newest:
                    await ask.show(bare(page) if done else page)


def _value(values: list[str]) -> str:
    if len(values) != 1:
        raise Refusal(msg("error.stale"))
    return values[0]


def _look(place: PanelId, values: list[str]) -> Look:
    """Return where the person wants to look; anywhere that does not exist shows nothing more."""
    value = values[0] if values else ""
    if place.action is Action.FIELD:
        return Look(field=value)
    if place.action is Action.GROUP and value.startswith("@"):
        return Look(field=place.word.partition("/")[0], part=value[1:])
    return HERE
