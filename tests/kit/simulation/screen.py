"""The messages of a match, for its audit."""

from __future__ import annotations

from bot.domain.jobs import Call
from bot.domain.match import Board, Panel
from bot.domain.tables import TableInfo
from bot.pages.board import pinged_people
from bot.pages.texts import Texts
from tests.kit.simulation.findings import BELATED, Evidence
from tests.kit.simulation.ledger import PERHAPS
from tests.kit.simulation.messages import Message


def hashes_of(world: Evidence, table: TableInfo) -> list[Message]:
    """Return the messages with the hash of a table's shuffle."""
    found = (one for one in world.discord.all_messages() if one.kind == "hash")
    return [one for one in found if one.match == table.commitment]


class Screen:
    """The messages of a match."""

    def __init__(self, world: Evidence, table: TableInfo) -> None:
        self.world = world
        self.table = table
        self.messages = messages = [one for one in world.discord.all_messages() if one.match == table.id]
        self.tables = [one for one in messages if one.kind == "table"]
        self.boards = [one for one in messages if one.kind == "board"]
        self.calls = [one for one in messages if one.kind == "call"]
        self.panels = [one for one in messages if one.kind == "panel"]
        self.goodbyes = [one for one in messages if one.kind == "goodbye"]
        self.hashes = hashes_of(world, table)
        self.texts = Texts("en")

    def deleted(self, *kinds: str) -> bool:
        """Return whether moderators have deleted messages of these kinds, or the whole thread."""
        gone = self.world.deleted
        thread = (str(self.table.thread_id), "thread")
        return thread in gone or any((self.table.id, kind) in gone for kind in kinds)

    def begun_anew(self) -> bool:
        """Return whether a thread of the match was deleted, so that it continues in another one."""
        gone = (number for number, match in self.world.tables_gone.items() if match == self.table.id)
        threads = (*gone, *(message.id for message in self.tables))
        return any((str(number), "thread") in self.world.deleted for number in threads)

    def overlooks(self, person: int, panel: Panel, board: Board, live: list[Message], sent: bool) -> bool:
        """Return whether the match waits for a person who was not called in its thread.

        ``sent``: whether a direct message has called them since the hand-over, even if it was deleted.
        """
        if live and self._took_a_seat(person, panel.seat, live[-1]):
            return False
        if live and person in pinged_people(board):
            return not any(person in message.pinged for message in live)
        # A deleted message is restored later than its call.
        if live and panel.seat in board.resting and not (sent or self.deleted("board")):
            return self._slept_over(person, panel.seat, live[-1])
        # A failed direct message gives one notice, even if that is deleted.
        place = self.table.thread_id or self.table.place.channel_id
        told = (post.people for post in self.world.ledger.posts if post.message.channel == place)
        by_message = panel.seat in board.written_to and panel.asked and not sent
        return by_message and not any(person in people for people in told)

    def _took_a_seat(self, person: int, seat: int, board: Message) -> bool:
        """Return whether a person has taken their seat since a board was posted."""
        world, match = self.world, self.table.id
        taken = [
            world.ledger.rows[match, seq]
            for (seq,) in world.ask_database(
                f"SELECT seq FROM log WHERE match = '{match}' AND seat = {seat} AND kind = 'replace'"
            )
        ]
        return self.table.person_at(seat) == person and any(at > self._posted(board) for at in taken)

    def _posted(self, message: Message) -> float:
        """Return the true time at which a message was posted."""
        posts = self.world.ledger.posts
        return min((post.at for post in posts if post.message.id == message.id), default=0.0)

    def _slept_over(self, person: int, seat: int, board: Message) -> bool:
        """Return whether a person was not called since a board that was posted in their quiet hours."""
        world, match = self.world, self.table.id
        posts = [post for post in world.ledger.posts if post.message.id >= board.id]
        calls = world.ask_database(f"SELECT target FROM job WHERE match = '{match}' AND kind = 'remind'")
        waits = any(seat in Call.parse(target).seats for (target,) in calls)
        since = self._posted(board)
        # A person who changes the hours may miss the end of the first ones.
        chosen = world.ledger.chosen(person, since, world.ledger.now())
        told = any(post.message.match == match and person in post.people for post in posts)
        return not (told or waits or len(chosen) > 1)

    @property
    def belated(self) -> float:
        """Return by how many seconds deadlines on boards may differ.

        Boards are not edited for short outages, or for small changes of the clock.
        """
        ledger = self.world.ledger
        return BELATED * (len(ledger.outages(PERHAPS)) + len(ledger.sets))

    def live(self, messages: list[Message]) -> list[Message]:
        """Return the messages with buttons."""
        return [one for one in messages if one.custom_ids]
