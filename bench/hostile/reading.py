"""What answers and messages may say: to whom, without unmeant mentions, without garbage's markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bench.hostile.garbage import MARK
from bench.hostile.house import House
from bench.hostile.payloads import (
    CHANNEL,
    COMPLETION,
    EPHEMERAL,
    FOREIGN_CHANNEL,
    MODAL,
    SUBCOMMAND,
    Json,
    walk,
)
from bench.hostile.rules import May, read_id
from bench.hostile.wire import (
    CHOICES,
    DEFER_UPDATE,
    MESSAGE,
    OPEN_MODAL,
    PRIVATE_DEFER,
    UPDATE,
    Exchange,
    Sent,
    is_private,
    place_of_dm,
)
from bot.matches.loaded_table import LoadedTable
from bot.pages.custom_ids import Button, ButtonId, PanelId, parse
from engines.core.contract import ActionError, Viewer, Words
from engines.core.match import Match
from sandbox.errors import ApiError
from sandbox.validation.forms import form
from sandbox.validation.messages import Upload, read_draft
from sandbox.validation.modals import read_modal

_CODE = re.compile(r"\\[^\w\s]|```[\s\S]*?```|(?<!`)(`+)(?!`)([\s\S]+?)(?<!`)\1(?!`)")
_MENTION = re.compile(
    r"@everyone|@here|<@[!&]?\d+>|<#\d+>|</[^>\n]+:\d+>|<a?:\w+:\d+>|<id:\w+>|<t:-?\d+(?::\w)?>"
)
_MARKUP = re.compile(
    rf"(?:\*\*|__|\|\||~~|`)\s?{MARK}|\[{MARK}\]\(|^\s*(?:#+|-#|>+|-|\d+\.) {MARK}|://{MARK}", re.MULTILINE
)
_FORBIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\u2028\u2029]")
_ISOLATED = re.compile("\u2068([^\u2066-\u2069\n]*)\u2069")
"""A name that turns nothing around it: the only place where such characters belong."""
_FENCE = re.compile(r"[^\n]```|```[^\n]")
"""A fence that does not stand on a line of its own: it came from within."""
_STAMP = re.compile(r"<t:\d{10,}:[fR]>")


_SILENT = frozenset({Button.ADD_SEAT, Button.REMOVE_SEAT})
"""Buttons that are answered by the message on which they stand: the outbox edits it."""


def _is_silent(payload: Json) -> bool:
    place = read_id(payload["data"].get("custom_id"))
    return isinstance(place, ButtonId) and place.button in _SILENT


def check_answer(exchange: Exchange) -> list[str]:
    """Return what is wrong with how an interaction was answered."""
    payload, acks = exchange.payload, exchange.acks
    if not exchange.arrived:
        return ["an answer to nothing"] if acks else []
    if len(acks) != 1:
        return [f"{len(acks)} acknowledgements"]
    kind, data = acks[0]["type"], acks[0].get("data") or {}
    faults = []
    if (kind == CHOICES) is not (payload["type"] == COMPLETION):
        faults.append(f"answer {kind} to an interaction of type {payload['type']}")
    if kind in (MESSAGE, PRIVATE_DEFER) and not data.get("flags", 0) & EPHEMERAL:
        faults.append("a public answer")
    is_silent = kind == DEFER_UPDATE and _is_silent(payload)
    if kind in (DEFER_UPDATE, UPDATE) and not is_private(payload) and not is_silent:
        faults.append("an answer that changes a message which others see, or none")
    if kind in (PRIVATE_DEFER, DEFER_UPDATE) and not exchange.edits and not is_silent:
        faults.append("acknowledged and never answered")
    if kind == OPEN_MODAL and payload["type"] == MODAL:
        faults.append("a modal to a modal")
    return faults


def check_sent(house: House, asked: dict[str, May]) -> list[str]:
    """Return what is wrong with the requests that were sent since the last delivery."""
    faults: list[str] = []
    for sent in house.wire.sent:
        reader = asked[sent.act].person if sent.act in asked else place_of_dm(sent.place)
        body = sent.body.get("data") or {} if sent.path == "callback" else sent.body
        faults += _mentions(house, sent, body)
        faults += _refused(sent, body)
        faults += [f"{fault}: {text!r}"[:600] for text in _texts(body) for fault in _unwanted(text)]
        marked = [item["content"] for item in walk(body.get("components")) if "content" in item]
        people = _meant(house)
        faults += [
            f"{fault} in {text!r}"[:900] for text in marked for fault in _rendered(house, text, people)
        ]
        faults += _strange_ids(house, body, reader)
    if asked:
        faults += _views(
            house,
            {may.person for may in asked.values()} | {place_of_dm(sent.place) for sent in house.wire.sent},
        )
    return faults


def _mentions(house: House, sent: Sent, body: Json) -> list[str]:
    """Return what is wrong with whom a request lets Discord call."""
    writes = "components" in body and sent.path != "thread" and "title" not in body
    if not writes:
        return []
    given = body.get("allowed_mentions")
    if given is None:
        return [f"{sent.path} without allowed_mentions"]
    users = {int(number) for number in given.get("users", [])}
    seated = {person for person, lines in house.services.cache.lists._lines.items() if lines}
    named = {int(n) for text in _texts(body) for n in re.findall(r"<@(\d+)>", text)}
    if given.get("parse") or given.get("roles") or not users <= named or (sent.act and users):
        return [f"{sent.path} may mention {given}"]
    return [] if users <= seated | house.invited else [f"{sent.path} calls strangers: {users - seated}"]


def _refused(sent: Sent, body: Json) -> list[str]:
    """Return what Discord would refuse in a body, by the sandbox's own readers."""
    if "components" not in body:
        return []
    names = [one.get("filename", "x") for one in body.get("attachments", [])]
    files = {i: Upload(name, "image/png", b"x") for i, name in enumerate(names)}
    if "title" not in body:  # attachments that a message has already are as good as new ones
        attached = [{"id": i, "filename": name} for i, name in enumerate(names)]
        # What pings is posted in words; every edit lays a message out.
        laid_out = 0 if sent.path == "post" else 1 << 15
        body = {**body, "flags": body.get("flags", 0) | laid_out, "attachments": attached}
    opened = form(body)
    try:
        read_modal(opened) if "title" in body else read_draft(opened, files)
        opened.errors.check()
    except ApiError as error:
        return [f"Discord refuses {sent.path}: {error.body()}"[:900]]
    return []


def _texts(body: Any) -> list[str]:
    """Return every text in a body that somebody reads."""
    if isinstance(body, dict):
        return [text for key, value in body.items() if key != "custom_id" for text in _texts(value)]
    if isinstance(body, list):
        return [text for value in body for text in _texts(value)]
    return [body] if isinstance(body, str) else []


def _unwanted(text: str) -> list[str]:
    rest = _ISOLATED.sub(r"\1", text)
    return ["a control character or one that turns the text's direction"] if _FORBIDDEN.search(rest) else []


def _meant(house: House) -> set[int]:
    """Return who may be named by a mention: who sits at some table, or is invited to one."""
    return {person for person, lines in house.services.cache.lists._lines.items() if lines} | house.invited


def _rendered(house: House, text: str, people: set[int]) -> list[str]:
    """Return what Discord would render in a text that nobody meant: mentions, and markup of garbage."""
    plain = _CODE.sub("·", text)
    places = {CHANNEL, FOREIGN_CHANNEL, *house.wire.threads}
    meant = {f"<@{person}>" for person in people} | {f"<#{place}>" for place in places}
    meant |= set(_own_commands(house.wire.commands))
    found = [one for one in _MENTION.findall(plain) if one not in meant and not _STAMP.fullmatch(one)]
    found += _MARKUP.findall(plain)
    found += _FENCE.findall(text)
    return [f"{one!r} is rendered" for one in found]


def _own_commands(listed: list[Json]) -> Iterator[str]:
    """Yield the mentions of the bot's own commands, by names and ids as Discord lists them."""
    for command in listed:
        subcommands = [one["name"] for one in command.get("options", []) if one["type"] == SUBCOMMAND]
        paths = [f" {one}" for one in subcommands] or [""]
        yield from (f"</{command['name']}{path}:{command['id']}>" for path in paths)


def _strange_ids(house: House, body: Json, reader: int) -> list[str]:
    """Return the custom ids that are not for their reader: panels in public, or of another seat."""
    faults: list[str] = []
    for item in [*walk(body.get("components")), body]:
        place = parse(item.get("custom_id"))
        if not isinstance(place, PanelId):
            continue
        if not reader:
            faults.append(f"a panel in public: {item['custom_id']}")
            continue
        if not any(_owns(live, reader, place) for live in house.lately):
            faults.append(f"a panel of another seat: {item['custom_id']}")
    return faults


def _owns(live: LoadedTable, reader: int, place: PanelId) -> bool:
    seat = live.info.seat_of(reader) if live.id == place.match and live.log is not None else None
    return seat is not None and live.seat_view(seat).decision == place.decision


def _views(house: House, readers: set[int]) -> list[str]:
    """Return whether a view was painted that no reader of these answers may see."""
    for request in house.brush.asked:
        if not any(_may_see(live, reader, request) for live in house.lately for reader in readers):
            return ["a view was painted that its reader may not see"]
    return []


def _may_see(live: LoadedTable, reader: int, request: Any) -> bool:
    if live.log is None or live.info.game != request.game:
        return False
    if request.view == live.log.public.view:
        return True
    seat = live.info.seat_of(reader)
    if seat is not None:
        view = live.seat_view(seat)
        drafts = ((), request.draft, live.drafts_of(seat).shown.words)
        if any(_shows(view, draft, request) for draft in drafts):
            return True
    return not request.draft and _has_seen(live.log.match, seat, request.view)


def _has_seen(match: Match, viewer: Viewer, view: Any) -> bool:
    """Return whether a viewer has seen this at any time: whoever steps back sees it again."""
    past = Match.start(match.game, match.setup, match.seed)
    for entry in match.log:
        if past.view(viewer) == view:
            return True
        past = past.apply(entry)
    return bool(past.view(viewer) == view)


def _shows(view: Any, draft: Words, request: Any) -> bool:
    try:
        return bool(request.view == (view.game.preview(view.view, draft) if draft else view.view))
    except ActionError:
        return False
