"""What players agree on, and what they do about one who is away: commands, and buttons that answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from bot.domain.match import MotionKind
from bot.domain.refusals import Refusal
from bot.domain.tables import Person
from bot.interactions.buttons import Handler, new_message
from bot.interactions.context import Context
from bot.interactions.reply import Reply, person_of
from bot.pages.custom_ids import Button
from engines.core.contract import msg


class MotionAnswers:
    """Carries out motions and decisions about absent players. The interaction was deferred before."""

    def __init__(self, context: Context) -> None:
        self._motions = context.services.motions
        self._queries = context.services.queries
        self._absences = context.clocks.absences

    def buttons(self) -> Mapping[Button, Handler]:
        """Return the handlers of the questions' buttons."""
        absences = self._absences
        claim = partial(self._settle, absences.claim, "said.claimed")
        computer = partial(self._settle, absences.let_computer_play, "said.stand_in")
        return {
            Button.AGREE: new_message(self._agree),
            Button.OBJECT: new_message(self._object),
            Button.TAKE_SEAT: new_message(self._take_seat),
            Button.REFUSE_SEAT: new_message(self._refuse_seat),
            Button.CLAIM: new_message(claim),
            Button.LET_COMPUTER_PLAY: new_message(computer),
            Button.WAIT: new_message(partial(self._settle, absences.wait_longer, "said.waiting")),
            Button.I_AM_BACK: new_message(partial(self._settle, absences.come_back, "said.back")),
        }

    async def pause(self, reply: Reply, match: str) -> None:
        """Propose a pause, or end the current one."""
        board = await self._queries.board(match)
        if board.paused:
            await self._motions.resume(match, reply.person, reply.id)
            await reply.say(reply.texts.house("said.resumed"))
            return
        await self._propose(reply, match, MotionKind.PAUSE)

    async def undo(self, reply: Reply, match: str) -> None:
        """Propose that the asker's last turn is taken back."""
        await self._propose(reply, match, MotionKind.UNDO)

    async def abandon(self, reply: Reply, match: str) -> None:
        """Propose to give a match up."""
        await self._propose(reply, match, MotionKind.ABANDON)

    async def grant(self, reply: Reply, match: str) -> None:
        """Give more time to the players for whom the match waits."""
        await self._motions.grant(match, reply.person, reply.id)
        await reply.say(reply.texts.house("said.granted"))

    async def replace(self, reply: Reply, match: str, user: object) -> None:
        """Offer the asker's seat to somebody, or propose to offer one whose time is up."""
        if getattr(user, "bot", False):
            raise Refusal(msg("play.invited_bot"))
        newcomer = person_of(user)  # type: ignore[arg-type]  # a user, as its option says
        offered = await self._motions.offer_seat(match, reply.person, newcomer, reply.id)
        await reply.say(reply.texts.house("said.seat_offered" if offered else "said.proposed"))

    async def _propose(self, reply: Reply, match: str, kind: MotionKind) -> None:
        carried = await self._motions.propose(match, reply.person, kind, reply.id)
        await reply.say(reply.texts.house("said.carried" if carried else "said.proposed"))

    async def _agree(self, reply: Reply, match: str) -> None:
        carried = await self._motions.answer(match, reply.person, reply.id, agrees=True)
        await reply.say(reply.texts.house("said.carried" if carried else "said.agreed"))

    async def _object(self, reply: Reply, match: str) -> None:
        await self._motions.answer(match, reply.person, reply.id, agrees=False)
        await reply.say(reply.texts.house("said.objected"))

    async def _take_seat(self, reply: Reply, match: str) -> None:
        await self._motions.take_seat(match, reply.person, reply.id)
        await reply.say(reply.texts.house("said.seat_taken"))

    async def _refuse_seat(self, reply: Reply, match: str) -> None:
        await self._motions.refuse_seat(match, reply.person, reply.id)
        await reply.say(reply.texts.house("said.seat_refused"))

    async def _settle(
        self, act: Callable[[str, Person, int], Awaitable[None]], said: str, reply: Reply, match: str
    ) -> None:
        await act(match, reply.person, reply.id)
        await reply.say(reply.texts.house(said))
