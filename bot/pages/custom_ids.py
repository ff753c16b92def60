"""Custom ids: what a button, a select or a modal sends back to us. They contain nothing secret.

A button outside panels is version, match and the button's name: ``b1:<match>:<button>[:<number>]``.
The number's meaning depends on the button: the page to turn to, or the state to switch to.
A panel's component is version, match, decision, draft revision, action and at most one word:
``b1:<match>:<decision>:<revision>:<action>[:<word>]``. The seat is never part of it: it follows from
the user who pressed. A select's values are the choices: words of the game, or places to look at.
A lesson's component names game and lesson: ``l1:<game>:<lesson>:<revision>:<action>[:<word>]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from bot.domain.lessons import DOT, practice_id

LIMIT = 100
"""Characters that Discord allows in a custom id."""

# Messages with these ids stay for years: a new format needs a new version.
VERSION = "b1"

LESSON_VERSION = "l1"

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
WORD = 60
"""Maximum characters of the word in a custom id."""

_WORD = re.compile(rf"\S{{1,{WORD}}}")


class Button(Enum):
    """The buttons of public messages, and of private answers without a panel.

    A new one needs a handler in a ``buttons`` of ``bot/interactions``, and a line in ``POSTED`` of
    ``tests/ui/test_ids.py``. Posted messages keep these names: they never change.
    """

    JOIN = "join"
    LEAVE = "leave"
    COMPUTER = "computer"
    """Seats a computer player, or opens the page for choosing its level."""
    SEAT_COMPUTER = "seat_computer"
    """Its number says which level."""
    ADD_SEAT = "add_seat"
    """Its number is the new number of seats, as is that of :attr:`REMOVE_SEAT`."""
    REMOVE_SEAT = "remove_seat"
    START = "start"
    RULES = "rules"
    PAGE = "page"
    TURN = "turn"
    LOG = "log"
    LOOK = "look"
    """Shows every picture that a seat can look at; panels have it too."""
    BEFORE = "before"
    """Shows the match one step back from the present, in a private message of its own."""
    MOMENT = "moment"
    """Switches that message to another moment: its number says after how many turns."""
    PRESENT = "present"
    """Switches that message to the present."""
    TURNING_POINTS = "turning_points"
    """Shows the first turning point of a match that is over, in a private message of its own."""
    TURNING_POINT = "turning_point"
    """Switches that message to another turning point: its number says which, from 0."""
    ACCEPT = "accept"
    DECLINE = "decline"
    RESIGN = "resign"
    REMATCH = "rematch"
    EXPORT = "export"
    DELETE = "delete"
    """Asks for confirmation."""
    DELETE_ALL = "delete_all"
    REOPEN = "reopen"
    NEXT = "next"
    """Leads from a match's panel to that of the next match that waits for the user."""
    OPEN = "open"
    """A select whose values are matches; its id names none."""
    HOW_TO_PLAY = "how"
    """Its id names a game instead of a match, as does that of :attr:`PAGE`."""
    DMS = "dms"
    """Its number is 1 to switch direct messages on, 0 to switch them off."""
    CONFIRMING = "confirming"
    """Its number is 1 to make every turn wait for Confirm, else 0."""
    THEME = "theme"
    LANGUAGE = "language"
    CLAIM = "claim"
    LET_COMPUTER_PLAY = "stand_in"
    WAIT = "wait"
    I_AM_BACK = "back"
    """Takes the user's seat back from the computer player that stands in."""
    AGREE = "agree"
    """Agrees to a motion."""
    OBJECT = "object"
    TAKE_SEAT = "take_seat"
    REFUSE_SEAT = "refuse_seat"
    MUTE = "mute"
    """Switches the reminders of a match off or on again; its number tells one reminder from another."""
    SERVER = "server"
    """Leads from the settings to the page of a server's rules."""
    SERVER_OPENING = "server_opening"
    SERVER_ROLES = "server_roles"
    SERVER_CHANNELS = "server_channels"
    SERVER_MOST = "server_most"
    SERVER_THREADS = "server_threads"
    SERVER_PACES = "server_paces"
    SERVER_PACE = "server_pace"
    SERVER_LANGUAGE = "server_language"
    END_MATCH = "end_match"
    """Asks for confirmation before a match of the server ends without a result."""
    END_FOR_GOOD = "end_for_good"
    SETTINGS = "settings"
    REMINDERS = "reminders"
    """Leads from the settings to the page about reminders, as :attr:`SETTINGS` leads back."""
    REMINDING = "reminding"
    REGION = "region"
    CITY = "city"
    QUIET_FROM = "quiet_from"
    QUIET_UNTIL = "quiet_until"
    LEARN = "learn"
    """Shows the lessons of a game; its id names the game instead of a match, as do the next two."""
    LESSON = "lesson"
    """Opens the lesson with its number, or the one chosen in a select."""
    FIRST_MATCH = "first_match"
    """Opens a match against computer players, after the lessons."""
    HOLIDAY = "holiday"
    """Its number is 1 to begin a holiday, 0 to end it."""


class Action(Enum):
    """What the components of a panel do."""

    WORD = "w"
    """A button that adds its word to the draft."""
    PICK = "s"
    """A select whose values are words; the id's word begins with the field's key."""
    GROUP = "g"
    """A select whose values are parts of one field's choices; the id's word begins with the field's key.

    Or a button for one part: the id's word is the field's key, an ``@`` and the part's key.
    """
    FIELD = "f"
    """A select whose values are fields.

    What follows a slash in a select's word only tells it from other selects.
    """
    SHUFFLE = "x"
    """A button that makes the bot choose at random; the id's word is the field's key."""
    INSTEAD = "i"
    """A button that replaces the draft's last word with its own.

    Or a select whose values are such words; the id's word begins with the field's key.
    """
    PRESET = "p"
    BACK = "b"
    CLEAR = "c"
    REFRESH = "r"
    HINT = "h"
    """Fills in a computer player's sentence."""
    TYPE = "t"
    """The button that opens the modal, and the modal itself."""
    CONFIRM = "y"
    NONE = "n"
    """A disabled button that fills a gap."""


HOUSE = "house"
"""Replaces the match in the id of a button that is about none."""


@dataclass(frozen=True, slots=True)
class ButtonId:
    """A button outside a panel."""

    match: str
    button: Button
    number: int | None = None


@dataclass(frozen=True, slots=True)
class PanelId:
    """A component of a panel, or the modal that it opened."""

    match: str
    """The id of the match: of a practice match, in a lesson."""
    decision: str
    """The id of the seat's decision; empty in a lesson."""
    revision: int
    action: Action
    word: str = field(default="", repr=False)


AnyId: TypeAlias = ButtonId | PanelId


def pack(parts: AnyId) -> str:
    """Return the custom id; raises ``ValueError`` if it cannot be parsed back or is too long."""
    if isinstance(parts, ButtonId):
        tail = "" if parts.number is None else f":{parts.number}"
        text = f"{VERSION}:{parts.match}:{parts.button.value}{tail}"
    else:
        is_lesson = DOT in parts.match
        version, match = (LESSON_VERSION if is_lesson else VERSION), parts.match.replace(DOT, ":", 1)
        decision = "" if is_lesson else f":{parts.decision}"
        tail = f":{parts.word}" if parts.word else ""
        text = f"{version}:{match}{decision}:{parts.revision}:{parts.action.value}{tail}"
    # A button whose id cannot be read back would do nothing.
    if parse(text) != parts:
        raise ValueError("these parts make no custom id")
    return text


def pack_all(parts: Iterable[AnyId]) -> list[str]:
    """Return the custom ids of several components; raises as :func:`pack`."""
    return [pack(each) for each in parts]


def parse(text: object) -> AnyId | None:
    """Return the parts of a custom id; ``None`` for anything that :func:`pack` would not have written."""
    if not isinstance(text, str) or len(text) > LIMIT:
        return None
    # A word may contain colons; nothing before it may.
    parts = text.split(":", 5)
    if len(parts) < 3 or not _NAME.fullmatch(parts[1]):
        return None
    if parts[0] == LESSON_VERSION:
        return _component(parts)
    if parts[0] != VERSION:
        return None
    return _button(parts) if len(parts) <= 4 else _component(parts)


def _button(parts: list[str]) -> ButtonId | None:
    number = _number(parts[3]) if len(parts) == 4 else None
    if len(parts) == 4 and number is None:
        return None
    try:
        return ButtonId(parts[1], Button(parts[2]), number)
    except ValueError:
        return None


def _number(text: str) -> int | None:
    # We never write leading zeros.
    return int(text) if _NUMBER.fullmatch(text) and str(int(text)) == text else None


def _component(parts: list[str]) -> PanelId | None:
    revision = _number(parts[3]) if len(parts) > 4 else None
    if revision is None or not _NAME.fullmatch(parts[2]):
        return None
    word = parts[5] if len(parts) == 6 else ""
    # Nor do we write an empty word after a colon.
    if len(parts) == 6 and not (word.isprintable() and _WORD.fullmatch(word)):
        return None
    # Only the id of a practice match has a dot, which is written as a colon.
    if DOT in parts[1]:
        return None
    is_lesson = parts[0] == LESSON_VERSION
    match, decision = (practice_id(parts[1], parts[2]), "") if is_lesson else (parts[1], parts[2])
    try:
        return PanelId(match, decision, revision, Action(parts[4]), word)
    except ValueError:
        return None
