"""What a window shows, ordered by channel, and kept up with what the window receives."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from bot.pages.board import MARKER as BOARD_MARKER
from bot.pages.board import VERSION_MARKER
from bot.pages.custom_ids import Button, ButtonId, PanelId, parse
from sandbox.model import Json
from sandbox.validation.components import walk
from tests.e2e.stage import EPHEMERAL, components_of
from tests.kit.person import Person

CONTAINER, TEXT = 17, 10


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as it stands, taken apart once."""

    message: Json
    buttons: frozenset[Button]
    """Its public buttons."""
    matches: frozenset[str]
    """The matches that its controls belong to."""
    panel: PanelId | None
    """Its first control, where it is a panel."""
    epoch: int | None
    """The epoch of the board that it shows; ``None``: it is no board."""
    version: int
    """The version that it shows; 0: it is no board, or has only arrived."""
    lines: tuple[str, ...]
    alts: tuple[str, ...]

    @property
    def id(self) -> str:
        return str(self.message["id"])


def taken_apart(message: Json) -> Shown:
    ids = [parse(item["custom_id"]) for item in components_of(message)]
    # A panel has buttons of boards too.
    is_panel = any(isinstance(each, PanelId) for each in ids)
    items = list(walk(message["components"]))
    markers = [item.get("id", 0) for item in items if item["type"] == CONTAINER]
    return Shown(
        message,
        frozenset(each.button for each in ids if isinstance(each, ButtonId) and not is_panel),
        frozenset(each.match for each in ids if isinstance(each, ButtonId | PanelId)),
        next((each for each in ids if isinstance(each, PanelId)), None),
        next((mark - BOARD_MARKER for mark in markers if mark > BOARD_MARKER), None),
        max((item.get("id", 0) - VERSION_MARKER for item in items if item["type"] == TEXT), default=0),
        tuple(line for item in items if item["type"] == TEXT for line in item["content"].splitlines()),
        tuple(media["description"] or "" for item in items for media in item.get("items", ())),
    )


class Eye:
    """Looks at one window."""

    def __init__(self, window: Person) -> None:
        self.window = window
        self._at = 0
        self._channels: dict[str, dict[str, Shown]] = {}

    def messages(self, channel: str) -> list[Shown]:
        """Return what stands in a channel for everybody there, the oldest first."""
        self._catch_up()
        found = self._channels.get(channel, {})
        return [found[key] for key in sorted(found, key=int)]

    def board(self, thread: str) -> Shown | None:
        """Return the newest board of a thread that has its buttons."""
        return next((each for each in reversed(self.messages(thread)) if Button.TURN in each.buttons), None)

    def table(self, channel: str, match: str) -> Shown | None:
        """Return the message of a table that can be joined."""
        open_tables = (each for each in self.messages(channel) if Button.JOIN in each.buttons)
        return next((each for each in open_tables if match in each.matches), None)

    def _catch_up(self) -> None:
        received = self.window.received
        for event in received[self._at :]:
            if event.t in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and not event.d["flags"] & EPHEMERAL:
                self._channels.setdefault(event.d["channel_id"], {})[event.d["id"]] = taken_apart(event.d)
            elif event.t == "MESSAGE_DELETE":
                self._channels.get(event.d["channel_id"], {}).pop(event.d["id"], None)
        self._at = len(received)


def repeated(items: list[str]) -> list[str]:
    """Return what is there more than once."""
    return [item for item, count in Counter(items).items() if count > 1]
