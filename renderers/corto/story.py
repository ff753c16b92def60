"""One line of words on a page: who must do what, and the last steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from engines.core.contract import Arg, Fact, Seat
from engines.core.texts import FALLBACK
from engines.corto.view import CARDS, Phase, View
from renderers.core.captions import Voice
from renderers.core.type import ELLIPSIS, Face, Weight, sans
from renderers.corto.happenings import last_steps, seat_of, text_of

_NAME = sans(32, Weight.BOLD)
_ROOM = 420
"""Pixels for a player's name in the head."""
SEPARATOR = " · "

NameOf: TypeAlias = Callable[[Seat], str]
CardId: TypeAlias = str


def ask(voice: Voice, view: View) -> str:
    """Return who must do what, or how the match ended, to be painted."""
    return _asked(voice, view, lambda seat: voice.painted(seat, _NAME, _ROOM))


def ask_spoken(voice: Voice, view: View) -> str:
    """Return the same for a description."""
    return _asked(voice, view, voice.spoken)


def _asked(voice: Voice, view: View, name_of: NameOf) -> str:
    if view.ranks is not None:
        return _ended(voice, view, view.ranks[0], name_of)
    if view.phase is Phase.START:
        if view.place is not None:
            return voice.say("ask.start", name=name_of(view.place))
        return voice.say("ask.start_draw", name=join(voice, [name_of(seat) for seat in view.asked]))
    if view.turn is None:
        return ""
    name = name_of(view.turn.seat)
    if view.phase is Phase.DRAWS:
        return voice.say("ask.draws", name=name, n=view.turn.draws)
    if view.turn.shot:
        return voice.say("ask.shot", name=name)
    return voice.say("ask.more" if view.turn.played else "ask.turn", name=name)


def _ended(voice: Voice, view: View, winners: tuple[Seat, ...], name_of: NameOf) -> str:
    gold = view.gold[winners[0]].total if view.gold else 0
    names = join(voice, [name_of(seat) for seat in winners])
    key = "ask.won" if len(winners) == 1 else "ask.tied"
    return voice.say(key, name=names, gold=gold, reason=voice.say(f"reason.{view.reason}"))


def guide(voice: Voice, view: View) -> str:
    """Return what a private page asks its viewer: for a card, where to, whom, or to wait; to be painted."""
    return _guided(voice, view) or ask(voice, view)


def acting(view: View) -> CardId | None:
    """Return the card that the viewer has taken up, or has played and not finished."""
    if view.chosen is not None or view.turn is None or view.turn.seat != view.viewer:
        return view.chosen
    return view.turn.card


def guide_spoken(voice: Voice, view: View) -> str:
    """Return the same for a description."""
    return _guided(voice, view) or ask_spoken(voice, view)


def _guided(voice: Voice, view: View) -> str:
    """Return what the viewer is asked; nothing if it is not."""
    seat = view.viewer
    if seat is None or seat not in view.asked:
        return ""
    kinds = tuple(dict.fromkeys(mark.kind for mark in view.marks))
    card = acting(view)
    if view.final:
        return voice.say("guide.final")
    if view.place == seat:
        return voice.say("guide.begin")
    if kinds:
        whats = join(voice, [voice.say(f"guide.{kind}") for kind in kinds], "list.or")
        name = "" if card is None else f"{card} {CARDS[card].name}"
        return voice.say("guide.card", card=name, what=whats) if name else voice.say("guide.bare", what=whats)
    if view.turn is None or view.turn.seat != seat:
        owed = view.players[seat].to_draw
        return voice.say("guide.draws", n=owed) if owed else ""
    if view.phase is Phase.DRAWS:
        return voice.say("guide.draws", n=view.turn.draws)
    return voice.say("guide.more" if view.turn.played else "guide.turn")


def join(voice: Voice, items: Sequence[str], key: str = "list.and") -> str:
    """Return a list in words: commas, and a word before the last."""
    if len(items) < 2:
        return "".join(items)
    return voice.say(key, first=", ".join(items[:-1]), last=items[-1])


def story(voice: Voice, view: View, width: int, face: Face) -> str:
    """Return the last steps in short words, as many of the latest as ``width`` pixels hold."""
    told = steps(voice, view, last_steps(view))
    while told and face.width(_line(told)) > width:
        told = [ELLIPSIS, *told[2:]] if told[0] == ELLIPSIS else [ELLIPSIS, *told[1:]]
        if told == [ELLIPSIS]:
            return ""
    return _line(told)


def _line(told: Sequence[str]) -> str:
    return SEPARATOR.join(told).replace(ELLIPSIS + SEPARATOR, ELLIPSIS + " ")


def steps(voice: Voice, view: View, facts: Iterable[Fact]) -> list[str]:
    """Return the steps worth a few words, in their order."""
    found: list[str] = []
    before: Fact | None = None
    for fact in facts:
        told = "" if _goes_without_saying(before, fact) else _told(voice, view, fact)
        found += [told] if told else []
        before = fact
    return found


def _goes_without_saying(before: Fact | None, fact: Fact) -> bool:
    """Return whether a fact is the marker from the stock on a character that was just placed."""
    if before is None or before.kind != "played" or fact.kind != "added":
        return False
    return fact["square"] == before["square"] and fact.get("origin") is None


def said_or(voice: Voice, key: str, other: str, **args: Arg) -> str:
    """Return a text that the catalogue has, else ``other``: data may have quests that it does not know."""
    return voice.say(key, **args) if key in voice.catalogue.languages[FALLBACK] else other


def colour(voice: Voice, view: View, seat: Seat) -> str:
    """Return the colour of a seat's markers in words."""
    return voice.say(f"colour.{view.players[seat].colour}")


# --- a few words for each fact --------------------------------------------------------------------

_KEYS = {
    "played": "at",
    "started": "started",
    "added": "added",
    "removed": "removed",
    "bribed": "removed",
    "killed": "killed",
    "spared": "spared",
    "used": "card",
    "advantage": "card",
    "travelled": "went",
    "earned": "earned",
    "swapped": "swapped",
    "moved": "moved",
    "picked": "picked",
    "discarded": "discarded",
    "passed": "passed",
    "sailed": "sailed",
    "aces": "aces",
    "tile": "tile",
    "leopard": "leopard",
    "carriage": "carriage",
    "train_left": "train_left",
    "drew": "drew",
    "withdrawn": "withdrawn",
}
"""Facts that are told, by the key of their words."""
_SEATS = frozenset({"owner", "earner", "victim"})
"""Data that are seats, told by the colour of their markers."""


def _told(voice: Voice, view: View, fact: Fact) -> str:
    """Return a fact in a few words; nothing for one that needs none."""
    if fact.kind not in _KEYS or fact.get("cards") == ():
        return ""
    args: dict[str, Arg] = {"who": colour(voice, view, seat_of(fact))} if "seat" in dict(fact.data) else {}
    for name, value in fact.data:
        if name == "card" and value in CARDS:
            args[name] = CARDS[str(value)].name
        elif name in _SEATS:
            args[name] = colour(voice, view, seat_of(fact, name))
        elif isinstance(value, tuple):
            args["n"] = len(value)
        elif value is not None:
            args[name] = str(value)
    return voice.say(f"step.{_key(fact)}", **args)


def _key(fact: Fact) -> str:
    """Return the key of a fact's words: of some there are two kinds."""
    if fact.kind == "added" and fact.get("origin") is not None:
        return "replaced"
    if fact.kind == "tile":
        return text_of(fact, "what")
    if fact.kind == "carriage" and not fact["gold"]:
        return "armed"
    return _KEYS[fact.kind]
