"""What stands in a sandbox's threads and direct messages, noted as it comes: nobody has to look for it."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass

from bench.crowd import as_json
from bench.matches import Position, position
from bot.pages.custom_ids import Button
from bot.pages.texts import Texts
from sandbox.model import DM, Channel, Message
from sandbox.server import Sandbox
from tests.e2e.stage import places, press_id
from tests.kit.components import text_of

AWAY = Texts().house("error.records")
"""What people read while the database cannot be used."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A board as it came: on the monotonic clock, and what it shows."""

    at: float
    position: Position


class Boards:
    """The boards of all matches, and the panels in direct messages."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._records = sandbox.records
        self.threads: dict[str, int] = {}
        """By match: where it is played."""
        self.newest: dict[int, Message] = {}
        """By thread: its board."""
        self.sights: defaultdict[str, list[Sight]] = defaultdict(list)
        """By match: all boards as they came."""
        self.panels: dict[tuple[int, str], int] = {}
        """By person and match: the message with their panel in direct messages."""
        self.away = 0
        """How often somebody was told that the database cannot be used."""
        sandbox.state.listeners.append(self._hear)

    def _hear(self, message: Message) -> None:
        channel = self._records.channels[message.channel_id]
        if message.only_for is not None:
            self.away += AWAY in text_of(as_json(message))
        elif channel.kind == DM:
            self._note_panel(channel, message)
        elif channel.thread is not None and (found := position(message)) is not None:
            match = press_id(as_json(message), Button.TURN).split(":")[1]
            self.threads[match] = channel.id
            before = self.newest.get(channel.id)
            if before is None or before.id <= message.id:
                self.newest[channel.id] = message
                self.sights[match].append(Sight(time.monotonic(), found))

    def _note_panel(self, channel: Channel, message: Message) -> None:
        [person] = [each for each in channel.recipients if each != self._records.bot.id]
        panel = places(as_json(message))
        if panel:
            self.panels[person, panel[0].match] = message.id
        else:
            self.panels = {key: each for key, each in self.panels.items() if each != message.id}
