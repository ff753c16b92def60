"""A Discord as its people meet it: what they can do, and what their windows show.

Both implementations are brought to this one interface, so that a script is written once. Ids are texts and
messages are JSON as in Discord's API, whoever made them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.nightly.referee.house import House

Json = dict[str, Any]

PEOPLE = ("Alba", "Bruno", "Clara")
TABLES = "games"
DM = "dm"


@dataclass(frozen=True, slots=True)
class Answer:
    """How an act was answered.

    ``message``: the id of the message that the answer stands in, or ``None``. ``modal``: the form that it
    opened. ``refused``: the client or Discord itself did not let the person do it. ``opened``: what
    belongs to the modal, for whoever submits it.
    """

    message: str | None = None
    modal: Json | None = None
    refused: bool = False
    opened: Any = field(default=None, repr=False, compare=False)


class World(Protocol):
    """One Discord with three people, a server, a channel of tables, and the bot in it."""

    name: str
    house: House

    async def command(self, who: str, place: str, name: str, **options: Any) -> Answer:
        """Send a slash command in a channel (by id), in ``TABLES`` or in ``DM``."""
        ...

    async def complete(
        self, who: str, place: str, name: str, option: str, typed: str, **filled: Any
    ) -> list[Json]:
        """Return the completions of an option."""
        ...

    async def press(self, who: str, message: str, custom_id: str) -> Answer:
        """Press a button of a message."""
        ...

    async def select(self, who: str, message: str, custom_id: str, values: Sequence[str]) -> Answer:
        """Choose in a select of a message."""
        ...

    async def submit(self, who: str, opened: Answer, values: Json) -> Answer:
        """Submit the modal that an answer opened; ``values`` by the inputs' custom ids."""
        ...

    async def settle(self) -> None:
        """Wait until the bot has answered everything and shown all that is due."""
        ...

    async def window(self, who: str) -> list[Json]:
        """Return every message that a person can see now, own private ones included."""
        ...

    async def file(self, who: str, attachment: Json) -> bytes:
        """Return what an attachment of a visible message holds."""
        ...

    def person_id(self, who: str) -> str:
        """Return a person's id; the bot is called ``bot``."""
        ...

    async def channels(self) -> dict[str, str]:
        """Return the names of all channels, threads and direct messages by id."""
        ...

    async def permit(self, bits: int) -> None:
        """Give the bot exactly these permissions in the server."""
        ...

    async def close_dms(self, who: str) -> None:
        """Let a person take no direct messages from the bot any more."""
        ...

    async def archived_after(self, thread: str) -> int:
        """Return after how many minutes without a message a thread is archived."""
        ...

    async def user(self, who: str) -> Any:
        """Return a person as an option of a command takes them."""
        ...
