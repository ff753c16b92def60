"""Small things that the house writes down beside the matches: jobs, what is shown where, settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from bot.model import DEFAULT_THEME, Panel, Refusal
from engines.core.contract import Msg


class JobKind(Enum):
    """What has to be brought in line with what is committed."""

    LOBBY = "lobby"
    """The table's message."""
    THREAD = "thread"
    """The match's thread: start it."""
    BOARD = "board"
    """The board message at the thread's end."""
    TURN = "turn"
    """The private message of a seat that is asked; ``target`` is the seat."""
    COMPUTER = "computer"
    """A computer player is asked: ``Tables.play_computers``."""
    END = "end"
    """The match is over."""
    FILM = "film"
    """The film of a match that is over: paint it, and add it to the last board."""
    ARCHIVE = "archive"
    """The thread of a match that is long over; due a day after the end."""
    SET_BACK = "set_back"
    """A backup was put back: tell the thread, and take the buttons from what is shown beyond it."""
    FROZEN = "frozen"
    """The match cannot be played on: tell its players."""


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the outbox. A newer commit that asks for the same gives it a new ``revision``."""

    table_id: str
    kind: JobKind
    target: str
    """Empty, or what the kind says."""
    revision: int
    tries: int
    """How often it has failed so far."""

    @property
    def seat(self) -> int:
        """Return the seat that a turn job is for; raises ``ValueError`` for other kinds."""
        return int(self.target)


@dataclass(frozen=True, slots=True)
class Shown:
    """A message of ours on Discord: where it is, and which board it shows."""

    channel_id: int
    message_id: int
    epoch: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person has chosen."""

    dms: bool = False
    """Whether the turn comes as a direct message too."""
    language: str = "en"
    theme: str = DEFAULT_THEME
    """How the pictures are painted that only this person sees."""


class DrawState(Enum):
    """What became of a word about a draw."""

    OFFERED = "offered"
    AGREED = "agreed"
    """All have offered: the match is over."""
    ALREADY = "already"
    """This seat's offer stands already."""
    DECLINED = "declined"
    """The offers are gone."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The last sentence that a person kept for a menu of a game, in the game's notation."""

    game: str
    menu: str
    text: str = field(repr=False)


class StalePanel(Refusal):
    """The panel was out of date: nothing was committed. ``panel`` is how it looks now."""

    def __init__(self, msg: Msg, panel: Panel) -> None:
        super().__init__(msg)
        self.panel = panel
