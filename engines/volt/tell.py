"""Facts and outcomes as sentences."""

from __future__ import annotations

from collections.abc import Callable

from engines.core.contract import Arg, Fact, FactValue, Msg, Outcome, Seat, SeatName, msg
from engines.volt.modules import name_of
from engines.volt.view import View

_SEATS = ("seat", "by", "hit", "victim")
_MODULES = ("name",)


def narrate(fact: Fact) -> Msg | None:
    """Return the sentence for ``fact``; ``None`` for a kind of fact that is not VOLT's."""
    if fact.kind in _SPECIAL:
        return _SPECIAL[fact.kind](fact)
    if fact.kind not in _PLAIN:
        return None
    return _told(fact.kind, fact, *_PLAIN[fact.kind])


_PLAIN: dict[str, tuple[str, ...]] = {
    "placed": ("seat", "space"),
    "token_laid": ("number", "space"),
    "tokens_shuffled": (),
    "drew_nothing": ("seat", "deck"),
    "round": ("number",),
    "skipped": ("seat", "unit"),
    "turned_up": ("seat", "name"),
    "took_effect": ("seat", "name"),
    "moved": ("seat", "origin", "target"),
    "pushed": ("seat", "origin", "target", "by"),
    "pulled": ("seat", "origin", "target", "by"),
    "leapt": ("seat", "origin", "target"),
    "stayed": ("seat", "space"),
    "dud": ("seat", "space"),
    "mended": ("seat",),
    "scored": (),
    "token_taken": ("seat", "number", "space"),
    "mine_laid": ("seat", "space"),
    "mine_hit": ("seat", "space", "victim"),
    "withdrawn": ("seat",),
}


def _told(key: str, fact: Fact, *names: str, **more: Arg) -> Msg:
    return msg(f"fact.{key}", **{name: _argument(name, fact[name]) for name in names}, **more)


def _argument(name: str, value: FactValue) -> Arg:
    if name in _SEATS:
        return SeatName(_seat(value))
    if name in _MODULES:
        return msg(f"module.{value}")
    if name == "deck":
        return msg(f"deck.{value}")
    if name == "arrow":
        return msg(f"arrow.{value}")
    return value if isinstance(value, int) else str(value)


def _seat(value: FactValue) -> Seat:
    return value if isinstance(value, int) else 0


def _texts(value: FactValue) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, tuple) else ()


def _row(parts: list[Msg]) -> Msg:
    """Return texts in a row, with commas between."""
    row = parts[0]
    for part in parts[1:]:
        row = msg("list", first=row, second=part)
    return row


def _began(fact: Fact) -> Msg:
    sides, tiles = _texts(fact["sides"]), _texts(fact["tiles"])
    seats = [
        msg("fact.began.seat", seat=SeatName(seat), side=msg(f"side.{side}"), tile=tile)
        for seat, (side, tile) in enumerate(zip(sides, tiles, strict=True))
    ]
    return msg("fact.began", arena=msg(f"arena.{fact['arena']}"), seats=_row(seats))


def _done(fact: Fact) -> Msg:
    return _told("done", fact, "seat") if fact["tile"] is None else _told("done_tile", fact, "seat", "tile")


def _drew(fact: Fact) -> Msg:
    if fact["name"] is None:
        return _told("drew", fact, "seat", "deck")
    return _told("drew_own", fact, "seat", "deck", "name")


def _revealed(fact: Fact) -> Msg:
    return _told("revealed", fact, "seat", "tile", dice=", ".join(_texts(fact["dice"])))


def _die(fact: Fact) -> Msg:
    uses = _texts(fact["uses"])
    colour = msg(f"colour.{fact['colour']}")
    if not uses:
        return _told("die", fact, "seat", "unit", "number", "arrow", colour=colour)
    used = _row([_use(use) for use in uses])
    return _told("die_with", fact, "seat", "unit", "number", "arrow", colour=colour, uses=used)


def _use(use: str) -> Msg:
    name, _, choice = use.partition("-")
    if not choice:
        return msg(f"module.{name_of(use)}")
    said = msg(f"turn.{choice}") if choice in ("left", "right") else choice
    return msg(f"use.{name}", module=msg(f"module.{name}"), choice=said)


def _blocked(fact: Fact) -> Msg:
    return _told("blocked", fact, "seat", "space", "arrow")


def _shot(fact: Fact) -> Msg:
    kind = "reflected" if fact["reflected"] else "shot"
    if fact["hit"] is None:
        return _told(f"{kind}_miss", fact, "seat", "target", "arrow")
    return _told(kind, fact, "seat", "hit", "target", "arrow")


def _blast(fact: Fact) -> Msg:
    return _told(f"blast.{fact['what']}", fact, "seat", "space")


def _damaged(fact: Fact) -> Msg:
    return _told("damaged", fact, "seat", "total", n=_seat(fact["amount"]))


def _destroyed(fact: Fact) -> Msg:
    key = "destroyed" if fact["cause"] == "damage" else ("fell" if fact["arrow"] is None else "fell_out")
    if fact["by"] is None:
        return _told(key, fact, "seat", "space")
    return _told(f"{key}_by", fact, "seat", "space", "by")


def _scored(fact: Fact) -> Msg:
    return _told(f"scored.{fact['why']}", fact, "seat", n=_seat(fact["total"]))


def _repaired(fact: Fact) -> Msg:
    if not fact["amount"]:
        return _told("repaired_none", fact, "seat")
    return _told("repaired", fact, "seat", "total", n=_seat(fact["amount"]))


def _swapped(fact: Fact) -> Msg:
    """Name the decks of what came and went; names that lay face up are seen as they go."""
    parts: list[Msg] = []
    came, went = _texts(fact["decks_in"]), _texts(fact["decks_out"])
    if came:
        parts.append(msg("fact.swapped.in", decks=_row([msg(f"deck.{deck}") for deck in came])))
    if went:
        parts.append(msg("fact.swapped.out", decks=_row([msg(f"deck.{deck}") for deck in went])))
    shown = _texts(fact["shown"])
    if shown:
        parts.append(msg("fact.swapped.shown", names=_row([msg(f"module.{name}") for name in shown])))
    return _told("swapped", fact, "seat", what=_row(parts))


def _ended(fact: Fact) -> Msg:
    ranks = fact["ranks"]
    first = ranks[0] if isinstance(ranks, tuple) else ()
    seats = first if isinstance(first, tuple) else ()
    return end(str(fact["reason"]), tuple(_seat(seat) for seat in seats))


def end(reason: str, first: tuple[Seat, ...]) -> Msg:
    """Return why the match is over and who won."""
    if reason == "agreed":
        return msg("end.agreed")
    return msg(f"end.{reason}", winner=_row([msg("name", seat=SeatName(seat)) for seat in first]))


_SPECIAL: dict[str, Callable[[Fact], Msg]] = {
    "began": _began,
    "done": _done,
    "drew": _drew,
    "revealed": _revealed,
    "die": _die,
    "blocked": _blocked,
    "shot": _shot,
    "blast": _blast,
    "damaged": _damaged,
    "destroyed": _destroyed,
    "scored": _scored,
    "repaired": _repaired,
    "swapped": _swapped,
    "ended": _ended,
}


def outcome(view: View) -> Outcome | None:
    """Return the outcome; ``None`` while the match runs."""
    if view.ranks is None or view.reason is None:
        return None
    scores = tuple((robot.seat, robot.score) for robot in view.robots)
    return Outcome(view.ranks, (end(view.reason, view.ranks[0]),), scores)
