"""One line of words on a page: who must do what, and the last steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from engines.core.contract import Fact, Seat
from engines.corto.view import CARDS, Phase, View
from renderers.core.type import ELLIPSIS, Face, Weight, sans
from renderers.core.voice import Voice
from renderers.corto.happenings import last_steps, seat_of, text_of

_NAME = sans(32, Weight.BOLD)
_ROOM = 420
"""Pixels for a player's name in the head."""
SEPARATOR = " · "

NameOf: TypeAlias = Callable[[Seat], str]


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
        placing = [seat for seat in view.asked if not _has_begun(view, seat)]
        if len(placing) == 1:
            return voice.say("ask.start", name=name_of(placing[0]))
        return voice.say("ask.start_draw", name=join(voice, [name_of(seat) for seat in view.asked]))
    if view.turn is None:
        return ""
    name = name_of(view.turn.seat)
    if view.phase is Phase.DRAWS:
        return voice.say("ask.draws", name=name, n=view.turn.draws)
    if view.turn.shot:
        return voice.say("ask.shot", name=name)
    return voice.say("ask.more" if view.turn.played else "ask.turn", name=name)


def _has_begun(view: View, seat: Seat) -> bool:
    """Return whether a seat's first marker lies on a character."""
    return any(found.markers[seat] for found in view.board)


def _ended(voice: Voice, view: View, winners: tuple[Seat, ...], name_of: NameOf) -> str:
    gold = view.gold[winners[0]].total if view.gold else 0
    names = join(voice, [name_of(seat) for seat in winners])
    key = "ask.won" if len(winners) == 1 else "ask.tied"
    return voice.say(key, name=names, gold=gold, reason=voice.say(f"reason.{view.reason}"))


def guide(voice: Voice, view: View) -> str:
    """Return what a private page asks its viewer: for a card, where to, whom, or to wait; to be painted."""
    return _guided(voice, view) or ask(voice, view)


def guide_spoken(voice: Voice, view: View) -> str:
    """Return the same for a description."""
    return _guided(voice, view) or ask_spoken(voice, view)


def _guided(voice: Voice, view: View) -> str:
    """Return what the viewer is asked; nothing if it is not."""
    seat = view.viewer
    if seat is None or seat not in view.asked:
        return ""
    kinds = tuple(dict.fromkeys(mark.kind for mark in view.marks))
    card = view.chosen if view.chosen is not None else None if view.turn is None else view.turn.card
    if kinds:
        whats = join(voice, [voice.say(f"guide.{kind}") for kind in kinds], "list.or")
        name = "" if card is None else f"{card} {CARDS[card].name}"
        return voice.say("guide.card", card=name, what=whats) if name else voice.say("guide.bare", what=whats)
    if view.phase is Phase.START:
        return voice.say("guide.draws", n=view.players[seat].to_draw)
    if view.turn is None or view.turn.seat != seat:
        return ""
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
        tell = _TOLD.get(fact.kind)
        if tell is not None and not _goes_without_saying(before, fact):
            found.append(tell(voice, view, fact))
        before = fact
    return found


def _goes_without_saying(before: Fact | None, fact: Fact) -> bool:
    """Return whether a fact is the marker from the stock on a character that was just placed."""
    if before is None or before.kind != "played" or fact.kind != "added":
        return False
    return fact["square"] == before["square"] and fact.get("origin") is None


def colour(voice: Voice, view: View, seat: Seat) -> str:
    """Return the colour of a seat's markers in words."""
    return voice.say(f"colour.{view.players[seat].colour}")


# --- a few words for each fact --------------------------------------------------------------------


def _card(fact: Fact) -> str:
    return CARDS[text_of(fact, "card")].name


def _played(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say("step.at", card=_card(fact), square=text_of(fact, "square"))


def _added(voice: Voice, view: View, fact: Fact) -> str:
    origin = fact.get("origin")
    if origin is None:
        return voice.say("step.added", square=text_of(fact, "square"))
    return voice.say("step.moved", origin=str(origin), target=text_of(fact, "square"))


def _removed(voice: Voice, view: View, fact: Fact) -> str:
    owner = colour(voice, view, seat_of(fact, "owner"))
    return voice.say("step.removed", square=text_of(fact, "square"), colour=owner)


def _killed(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say("step.killed", card=_card(fact), square=text_of(fact, "square"))


def _spared(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say("step.spared", square=text_of(fact, "square"), card=_card(fact))


def _named(voice: Voice, view: View, fact: Fact) -> str:
    return _card(fact)


def _travelled(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say("step.at", card=_card(fact), square=text_of(fact, "target"))


def _earned(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say("step.earned", colour=colour(voice, view, seat_of(fact, "earner")))


def _swapped(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say("step.swapped", first=text_of(fact, "first"), second=text_of(fact, "second"))


def _moved(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say("step.moved", origin=text_of(fact, "origin"), target=text_of(fact, "target"))


def _picked(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say("step.picked", colour=colour(voice, view, seat_of(fact, "victim")))


def _discarded(voice: Voice, view: View, fact: Fact) -> str:
    cards = fact["cards"]
    assert isinstance(cards, tuple)
    return voice.say("step.discarded", n=len(cards))


def _sailed(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say("step.sailed", column=str(fact["target"]))


def _tile(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say(f"step.{text_of(fact, 'what')}")


def _carriage(voice: Voice, view: View, fact: Fact) -> str:
    gold = Seat(str(fact["gold"]))
    return voice.say("step.carriage", gold=gold) if gold else voice.say("step.armed")


def _drew(voice: Voice, view: View, fact: Fact) -> str:
    return voice.say("step.drew", deck=text_of(fact, "deck"))


def _fixed(key: str) -> Callable[[Voice, View, Fact], str]:
    return lambda voice, view, fact: voice.say(key)


_TOLD: dict[str, Callable[[Voice, View, Fact], str]] = {
    "played": _played,
    "started": _added,
    "added": _added,
    "removed": _removed,
    "killed": _killed,
    "spared": _spared,
    "used": _named,
    "travelled": _travelled,
    "earned": _earned,
    "advantage": _named,
    "swapped": _swapped,
    "moved": _moved,
    "bribed": _removed,
    "picked": _picked,
    "discarded": _discarded,
    "passed": _fixed("step.passed"),
    "sailed": _sailed,
    "aces": _fixed("step.aces"),
    "tile": _tile,
    "leopard": _fixed("step.leopard"),
    "carriage": _carriage,
    "train_left": _fixed("step.train_left"),
    "drew": _drew,
    "withdrawn": _fixed("step.withdrawn"),
}
