"""What one interaction may change, told before it is delivered: by who sends it and what stands then."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from bench.hostile.payloads import COMMAND, COMPONENT, MODAL, Json
from bench.hostile.wire import reader
from bot.domain.refusals import Refusal
from bot.domain.tables import Status
from bot.matches import Services
from bot.matches.loaded_table import LoadedTable
from bot.pages.custom_ids import HOUSE, LIMIT, Action, Button, ButtonId, PanelId
from engines.core.contract import ActionError, Seat, Words

EVERY = "*"
"""Stands for every match in which the person has a seat."""

_DRAFTING = (
    Action.WORD,
    Action.PICK,
    Action.INSTEAD,
    Action.SHUFFLE,
    Action.PRESET,
    Action.BACK,
    Action.CLEAR,
    Action.HINT,
)
MANAGES = 1 << 5 | 1 << 3
"""The permissions to manage a server, the second of which brings all others."""

_SETTINGS = (Button.DMS, Button.CONFIRMING, Button.THEME)
_LOBBY = {
    Button.JOIN: {"chair+", "invitation-"},
    Button.LEAVE: {"chair-", "invitation-", "close"},
    Button.COMPUTER: {"computer", "invitation-"},
    Button.SEAT_COMPUTER: {"computer", "invitation-"},
    Button.ADD_SEAT: {"seats"},
    Button.REMOVE_SEAT: {"seats"},
    Button.START: {"begin", "invitation-"},
}


_ID = re.compile(
    r"b1:([\w.-]{1,40}):(?:([a-z_]+)(?::(0|[1-9][0-9]{0,8}))?|([\w.-]{1,40}):(0|[1-9][0-9]{0,8}):([a-z])(?::([^\s]{1,60}))?)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class May:
    """What an interaction may change; the default is nothing."""

    number: str
    person: int = 0
    match: str = ""
    seat: Seat | None = None
    does: frozenset[str] = frozenset()
    """Names of changes, kinds of log rows among them."""
    words: Words | None = field(default=None, repr=False)
    """The sentence that an ``act`` must be."""


async def may(services: Services, payload: Json) -> May:
    """Return what a new interaction may change."""
    nothing = May(str(payload.get("id")))
    person, data = reader(payload), payload.get("data")
    who = (payload.get("member") or {}).get("user") if "guild_id" in payload else payload.get("user")
    if not person or not who or who.get("bot") or not isinstance(data, dict):
        return nothing
    nothing = May(nothing.number, person)
    if payload["type"] == COMMAND:
        return _by_command(nothing, data)
    place = read_id(data.get("custom_id"))
    if payload["type"] not in (COMPONENT, MODAL) or place is None:
        return nothing
    if isinstance(place, ButtonId) and place.match == HOUSE:
        does = frozenset(["person"] if place.button in _SETTINGS else [])
        return May(nothing.number, person, EVERY, None, does)
    try:
        live = await services.cache.get(place.match)
    except Refusal:
        return nothing
    if isinstance(place, PanelId):
        found = _by_panel(nothing, live, place, payload["type"])
        waits = (await services.settings.preferences(person)).always_confirm
        return found if waits or payload["type"] != COMPONENT else _at_once(found, live, place, data)
    if payload["type"] != COMPONENT:
        return nothing
    if place.button is Button.END_FOR_GOOD:
        ends = live.info.status is Status.RUNNING and _manages(payload, live.info.place.guild_id)
        return May(nothing.number, person, live.id, None, frozenset({"close"} if ends else ()))
    return _by_button(nothing, live, place)


def _manages(payload: Json, guild: int) -> bool:
    """Return whether who pressed manages a server, by what Discord says of them there."""
    permissions = str((payload.get("member") or {}).get("permissions", ""))
    here = str(payload.get("guild_id")) == str(guild)
    return here and permissions.isdecimal() and bool(int(permissions) & MANAGES)


def read_id(text: Any) -> ButtonId | PanelId | None:
    """Return what a custom id says, read in another way than the bot's."""
    found = _ID.fullmatch(text) if isinstance(text, str) and len(text) <= LIMIT else None
    if found is None:
        return None
    match, button, number, decision, revision, action, word = found.groups()
    if button in {one.value for one in Button}:
        return ButtonId(match, Button(button), None if number is None else int(number))
    if action in {one.value for one in Action} and (word is None or word.isprintable()):
        return PanelId(match, decision, int(revision), Action(action), word or "")
    return None


def _by_command(nothing: May, data: Json) -> May:
    does = {
        "play": {"open", "chair+", "computer", "invitation+"},
        "move": {"draft"},
        "draw": {"offer", "agree"},
        "settings": {"person"},
    }.get(str(data.get("name")), set())
    return May(nothing.number, nothing.person, EVERY, None, frozenset(does))


def _by_button(nothing: May, live: LoadedTable, place: ButtonId) -> May:
    person, button, status = nothing.person, place.button, live.info.status
    host, sits = live.info.host.id == person, live.chair_of(person) is not None
    does: set[str] = set()
    if button in _LOBBY and status is Status.OPEN:
        of_host = set(_LOBBY) - {Button.JOIN, Button.LEAVE}
        fits = host if button in of_host else not sits if button is Button.JOIN else True
        does = _LOBBY[button] if fits else set()
    elif button is Button.REOPEN and live.info.expired and sits:
        does = {"reopen"}
    elif button is Button.REMATCH and status is Status.OVER and sits:
        does = {"open", "chair+", "computer", "invitation+"}
        return May(nothing.number, person, EVERY, None, frozenset(does))
    elif status is Status.RUNNING and sits and not _withdrawn(live, person):
        rows = {Button.ACCEPT: {"offer", "agree"}, Button.DECLINE: {"decline"}, Button.RESIGN: {"withdraw"}}
        does = rows.get(button, set())
    return May(nothing.number, person, live.id, live.info.seat_of(person), frozenset(does))


def _by_panel(nothing: May, live: LoadedTable, place: PanelId, kind: int) -> May:
    seat = live.info.seat_of(nothing.person) if live.info.status is Status.RUNNING else None
    if seat is None or _withdrawn(live, nothing.person):
        return nothing
    drafts, view = live.drafts_of(seat), live.seat_view(seat)
    does: set[str] = set()
    if drafts.revision != place.revision:
        return nothing
    if kind == MODAL:
        does = {"draft"} if place.action is Action.TYPE else set()
    elif place.action is Action.CONFIRM:
        does = {"act"} if is_whole(view, drafts.shown.words) else set()
    elif place.action in _DRAFTING:
        does = {"draft"}
    return May(nothing.number, nothing.person, live.id, seat, frozenset(does), drafts.shown.words)


def _at_once(found: May, live: LoadedTable, place: PanelId, data: Json) -> May:
    """Return what a choice may change where its person wants no Confirm: it may be a whole sentence."""
    if found.seat is None or found.words is None or place.action not in (Action.WORD, Action.PICK):
        return found
    chosen = data.get("values")
    values = [one for one in chosen if isinstance(one, str)] if isinstance(chosen, list) else []
    if len(values) > 1:
        return found
    words = (*found.words, *(values or [place.word]))
    view = live.seat_view(found.seat)
    if not is_whole(view, words):
        return found
    menu = view.game.menu(view.view, words)
    return replace(found, does=frozenset({"draft", "act"}), words=menu.draft if menu else words)


def is_whole(view: Any, words: Words) -> bool:
    """Return whether a seat's own menu takes ``words`` as a whole sentence."""
    try:
        menu = view.game.menu(view.view, words)
    except ActionError:
        return False
    return menu is not None and menu.complete


def _withdrawn(live: LoadedTable, person: int) -> bool:
    chair = live.chair_of(person)
    return chair is not None and chair.withdrawn
