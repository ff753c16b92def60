"""People who play in threads and direct messages, press again what got no answer, and note what was said."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from random import Random

from bench.crowd import PATIENCE_S, Crowd, Table, Turn, as_json
from bench.shards.boards import Boards
from bot.pages.custom_ids import Action, PanelId, pack, parse
from bot.pages.panel import TYPED
from sandbox import user_actions
from sandbox.errors import InputError
from sandbox.model import DM, Interaction, Message, User
from sandbox.server import Sandbox
from sandbox.validation.components import BUTTON, walk
from tests.e2e.kills.people import RECEIPT, Record, Saying
from tests.kit.components import field, text_of

POLL = 0.05

DIRECT = 0.2
"""How many turns are begun in direct messages, as long as some wait there."""


@dataclass(frozen=True, slots=True)
class Click:
    """A click that was acknowledged."""

    at: float
    seconds: float
    direct: bool
    """Whether it was in direct messages."""


class Witnesses(Crowd):
    """A crowd that knows what it was told: a sentence counts as said once the panel says so."""

    def __init__(
        self,
        sandbox: Sandbox,
        people: Sequence[User],
        tables: Sequence[Table],
        rng: Random,
        at_once: int,
        boards: Boards,
    ) -> None:
        super().__init__(sandbox, people, tables, rng, at_once)
        self._boards = boards
        self._channels = sandbox.records.channels
        self.record = Record()
        self.clicks: list[Click] = []
        self.dead: list[float] = []
        """When clicks began that nobody acknowledged."""
        self._doubts: dict[int, Saying] = {}
        """By person: what they have confirmed, and do not know yet whether it is said."""
        self._last: dict[int, Saying] = {}
        """By person: what they have confirmed last."""
        self.confirms: dict[str, float] = {}
        """By press of Confirm: when it was acknowledged."""
        self._awaited: dict[str, asyncio.Future[None]] = {}

    async def confirmed_in(self, matches: Collection[str]) -> None:
        """Wait until Confirm is acknowledged in one of these matches."""
        heard = asyncio.get_running_loop().create_future()
        self._awaited = dict.fromkeys(matches, heard)
        try:
            await heard
        finally:
            self._awaited = {}

    def _look_for_boards(self) -> None:
        found = self._boards.threads
        self._threads = {match: found[match] for match in self._tables if match in found}

    def _board(self, thread: int) -> Message | None:
        return self._boards.newest.get(thread)

    def _new_turn(self) -> Turn | None:
        free = [key for key in self._boards.panels if key[0] not in self._turns]
        if not free or self._rng.random() >= DIRECT:
            return super()._new_turn()
        person, match = self._rng.choice(free)
        turn = self._turns[person] = Turn(match, self._people[str(person)])
        return turn

    async def _go_on(self, turn: Turn) -> bool:
        turn.panel = turn.panel or self._boards.panels.get((turn.person.id, turn.match), 0)
        doubt = self._doubts.get(turn.person.id)
        try:
            if doubt is None:
                return await super()._go_on(turn)
            panel = self._state.records.find(turn.panel)
            if panel is not None and self._reads(panel, doubt):
                self._tell(turn, doubt)
                return False
            if panel is None or not _offers(panel, doubt.confirm):
                del self._doubts[turn.person.id]
                return False
            await self._confirm(turn, panel, doubt)
        except InputError:
            self._doubts.pop(turn.person.id, None)
            raise
        return not turn.said

    async def _touch(self, turn: Turn, panel: Message, custom_id: str, values: list[str] | None) -> None:
        place = parse(custom_id)
        if not isinstance(place, PanelId) or place.action is not Action.CONFIRM:
            await super()._touch(turn, panel, custom_id, values)
            return
        # The modal of *Type…* is prefilled with the draft in notation.
        typing = pack(replace(place, action=Action.TYPE))
        asked = user_actions.forge(self._state, turn.person, panel.id, typing, BUTTON, None)
        await asked.settled.wait()
        modal = self._state.records.modals.get(asked.id)
        if modal is None:
            return  # a process that has just taken the match over loads it first
        saying = self._saying(turn, str(field(modal, TYPED)["value"]), custom_id)
        self._doubts[turn.person.id] = saying
        await self._confirm(turn, panel, saying)

    def _saying(self, turn: Turn, text: str, custom_id: str) -> Saying:
        """Return what somebody says: the same as before, where nobody told them what had become of it."""
        last = self._last.get(turn.person.id)
        if last is not None and last.told is None and last.text == text and _same(last.confirm, custom_id):
            last.confirm = custom_id
            return last
        saying = Saying(turn.match, turn.person.id, text, time.monotonic(), {}, custom_id, 0)
        self._last[turn.person.id] = saying
        self.record.sayings.append(saying)
        return saying

    async def _confirm(self, turn: Turn, panel: Message, saying: Saying) -> None:
        self.confirmed += 1
        acts = await self._pressed(turn.person, panel, saying.confirm, None)
        saying.presses += [str(act.id) for act in acts]
        end = time.monotonic() + (0.0 if all(act.dead for act in acts) else PATIENCE_S)
        while not (told := self._reads(panel, saying)) and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(POLL)
        if told:
            self._tell(turn, saying)

    def _reads(self, panel: Message, saying: Saying) -> bool:
        """Return whether a panel says now that a sentence is said."""
        now = self._state.records.find(panel.id)
        return now is not None and RECEIPT.search(text_of(as_json(now))) is not None

    def _tell(self, turn: Turn, saying: Saying) -> None:
        saying.told = time.monotonic()
        turn.said = True
        del self._doubts[turn.person.id]

    async def _acknowledged(self, act: Interaction) -> None:
        begun = time.monotonic()
        await super()._acknowledged(act)
        if act.dead:
            self.dead.append(begun)
            return
        now = time.monotonic()
        self.clicks.append(Click(begun, now - begun, self._channels[act.channel_id].kind == DM))
        pressed = parse(act.data["custom_id"])
        if isinstance(pressed, PanelId) and pressed.action is Action.CONFIRM:
            self.confirms[str(act.id)] = now
            heard = self._awaited.get(pressed.match)
            if heard is not None and not heard.done():
                heard.set_result(None)


def _same(confirm: str, other: str) -> bool:
    """Return whether two buttons confirm at one decision, of which the bot takes one sentence."""
    first, second = parse(confirm), parse(other)
    assert isinstance(first, PanelId)
    assert isinstance(second, PanelId)
    return (first.match, first.decision) == (second.match, second.decision)


def _offers(panel: Message, custom_id: str) -> bool:
    return any(item.get("custom_id") == custom_id for item in walk(panel.components))
