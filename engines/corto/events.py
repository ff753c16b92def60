"""The small events of CORTO, each step of a turn: as facts, drawn on the board, and as sentences.

Facts are built here alone, so that engine, texts and renderers agree on their data. Squares are ``"e4"``,
cards ``"A04"``; ``seat`` is whose turn or step it is, ``owner`` whose marker.
"""

from __future__ import annotations

from collections.abc import Callable

from engines.core.contract import Arg, Fact, Msg, Seat, SeatName, fact, msg
from engines.core.kit import number_of, texts_of
from engines.corto.names import adventure_name, card_name, cards_and_ids
from engines.corto.state import CardId, Square

UNDOABLE = frozenset(
    {
        *("started", "played", "added", "removed", "killed", "spared", "used", "travelled", "earned"),
        *("advantage", "swapped", "moved", "bribed", "sailed", "aces", "leopard", "train"),
        *("discarded", "ended_turn"),
    }
)
"""The facts of steps that may be taken back: what is on the board or was in the seat's own hand."""

LAST_START = frozenset({"started", "turn"})
"""The facts of the last first marker, with which the first turn begins."""


def began(strips: tuple[str, ...], starts: tuple[CardId, ...], first: Seat) -> Fact:
    """The set-up: strips from the top, the character on column 1 of each, who begins."""
    return fact("began", strips=strips, starts=starts, first=first)


def started(seat: Seat, square: Square) -> Fact:
    """A seat's first marker, on a starting character."""
    return fact("started", seat=seat, square=square)


def drew(seat: Seat, deck: str, card: CardId | None) -> Fact:
    """A draw; the face is for the drawer's eyes, ``None`` for all others."""
    return fact("drew", seat=seat, deck=deck, card=card)


def turn_begins(seat: Seat) -> Fact:
    """A seat's turn begins."""
    return fact("turn", seat=seat)


def played(seat: Seat, card: CardId, square: Square) -> Fact:
    """A character is placed."""
    return fact("played", seat=seat, card=card, square=square)


def added(seat: Seat, square: Square, origin: Square | None) -> Fact:
    """A marker is put on a character, from the stock or (``origin``) from another one."""
    return fact("added", seat=seat, square=square, origin=origin)


def removed(seat: Seat, square: Square, owner: Seat, by: CardId | None) -> Fact:
    """A hit takes a marker; ``by`` the card that hits, ``None``: an armed carriage."""
    return fact("removed", seat=seat, square=square, owner=owner, by=by)


def killed(seat: Seat, square: Square, card: CardId, by: CardId | None) -> Fact:
    """A character is killed, or eliminated by Rasputin; it goes under the seat's seal."""
    return fact("killed", seat=seat, square=square, card=card, by=by)


def spared(seat: Seat, square: Square, protector: Seat, card: CardId) -> Fact:
    """A hit is spent on a safe-conduct, which is discarded."""
    return fact("spared", seat=seat, square=square, protector=protector, card=card)


def used(seat: Seat, card: CardId, square: Square) -> Fact:
    """An object is used from a square, and discarded."""
    return fact("used", seat=seat, card=card, square=square)


def travelled(
    seat: Seat, card: CardId, figurine: str, origin: Square | None, target: Square, deck: Square | None
) -> Fact:
    """A figurine moves; ``deck``: the deck square on which it appeared, on its first entry."""
    return fact("travelled", seat=seat, card=card, figurine=figurine, origin=origin, target=target, deck=deck)


def earned(seat: Seat, earner: Seat, square: Square) -> Fact:
    """Corto's friend on a square earns 1 gold for who controls it."""
    return fact("earned", seat=seat, earner=earner, square=square)


def advantage(seat: Seat, card: CardId, *, kept: bool) -> Fact:
    """An advantage is played, and discarded or kept in front."""
    return fact("advantage", seat=seat, card=card, kept=kept)


def swapped(seat: Seat, first: Square, second: Square) -> Fact:
    """Two characters exchange their squares."""
    return fact("swapped", seat=seat, first=first, second=second)


def moved(seat: Seat, origin: Square, target: Square) -> Fact:
    """One of the seat's markers goes from one character to another."""
    return fact("moved", seat=seat, origin=origin, target=target)


def bribed(seat: Seat, square: Square, owner: Seat) -> Fact:
    """An opponent's marker goes home, by bribery."""
    return fact("bribed", seat=seat, square=square, owner=owner)


def picked(seat: Seat, victim: Seat, deck: str, card: CardId | None) -> Fact:
    """A card is taken from a hand; its face is for these two, ``None`` for all others."""
    return fact("picked", seat=seat, victim=victim, deck=deck, card=card)


def discarded(seat: Seat, cards: tuple[CardId, ...]) -> Fact:
    """A discard turn; without cards, it may be a pass."""
    return fact("discarded", seat=seat, cards=cards)


def passed(seat: Seat, *, forced: bool) -> Fact:
    """A pass; ``forced``: the seat has nothing to play and nothing to draw, and is skipped."""
    return fact("passed", seat=seat, forced=forced)


def sailed(seat: Seat, strip: str, origin: int, target: int) -> Fact:
    """The vessel sails a column."""
    return fact("sailed", seat=seat, strip=strip, origin=origin, target=target)


def aces_taken(seat: Seat, strip: str, holder: Seat | None) -> Fact:
    """A seat takes the four aces, from the side or from their holder."""
    return fact("aces", seat=seat, strip=strip, holder=holder)


def tile_taken(seat: Seat, square: Square, what: str) -> Fact:
    """A seat takes and reveals a tile: ``"ingot"`` or ``"crow"``."""
    return fact("tile", seat=seat, square=square, what=what)


def leopard_taken(seat: Seat, strip: str, left: int) -> Fact:
    """A seat takes a leopard; ``left`` after it."""
    return fact("leopard", seat=seat, strip=strip, left=left)


def train_moved(strip: str, origin: int, target: int) -> Fact:
    """The train moves a column."""
    return fact("train", strip=strip, origin=origin, target=target)


def carriage_taken(seat: Seat, square: Square, gold: int, left: int) -> Fact:
    """A carriage is hit and revealed: ``gold`` 0 is an armed one; ``left`` after it."""
    return fact("carriage", seat=seat, square=square, gold=gold, left=left)


def train_left(strip: str) -> Fact:
    """No carriage is left; the train goes."""
    return fact("train_left", strip=strip)


def ended_turn(seat: Seat) -> Fact:
    """A seat has played its cards."""
    return fact("ended_turn", seat=seat)


def withdrawn(seat: Seat) -> Fact:
    """A seat has left the match; its hand lies under its decks."""
    return fact("withdrawn", seat=seat)


def ended(ranks: tuple[tuple[Seat, ...], ...], reason: str) -> Fact:
    """The match is over; ``reason`` as in the view."""
    return fact("ended", ranks=ranks, reason=reason)


# --- as sentences ---------------------------------------------------------------------------------

_SEATS = ("owner", "earner", "protector", "victim", "holder")
_CARDS = ("card", "by")
_ADVENTURES = ("strip", "deck")
_BY_COLUMN = ("sailed", "train")


def narrate(fact: Fact) -> Msg | None:
    """Return the sentence for ``fact``; ``None`` for a kind of fact that is not CORTO's."""
    if fact.kind in _SPECIAL:
        return _SPECIAL[fact.kind](fact)
    if fact.kind not in _PLAIN:
        return None
    return told(fact.kind, fact, *_PLAIN[fact.kind])


_PLAIN: dict[str, tuple[str, ...]] = {
    "started": ("seat", "square"),
    "turn": ("seat",),
    "played": ("seat", "card", "square"),
    "spared": ("seat", "square", "protector", "card"),
    "used": ("seat", "card", "square"),
    "earned": ("earner", "square"),
    "swapped": ("seat", "first", "second"),
    "moved": ("seat", "origin", "target"),
    "bribed": ("seat", "square", "owner"),
    "sailed": ("seat", "strip", "origin", "target"),
    "leopard": ("seat", "strip", "left"),
    "train": ("strip", "origin", "target"),
    "train_left": ("strip",),
    "ended_turn": ("seat",),
    "withdrawn": ("seat",),
}


def told(key: str, fact: Fact, *names: str, **more: Arg) -> Msg:
    """Return the text ``key`` of facts, its gaps filled with the data called ``names`` and with ``more``."""
    gaps: dict[str, Arg] = {}
    for name in names:
        value = fact[name]
        if name == "seat":
            gaps["player"] = SeatName(number_of(value))
        elif name in _SEATS:
            gaps[name] = SeatName(number_of(value))
        elif fact.kind in _BY_COLUMN and name in ("origin", "target"):
            gaps[f"{name}_column"] = number_of(value)
        elif name in _CARDS:
            gaps[name] = card_name(str(value))
        elif name in _ADVENTURES:
            gaps["adventure"] = adventure_name(str(value))
        else:
            gaps[name] = value if isinstance(value, int) else str(value)
    return msg(f"fact.{key}", **gaps, **more)


def _known_to(key: str, fact: Fact, *names: str) -> Msg:
    """Return the sentence of a card that changes hands: ``<key>_own`` for who knows its face."""
    if fact["card"] is None:
        return told(key, fact, *names, "deck")
    return told(f"{key}_own", fact, *names, "card", "deck", id=str(fact["card"]))


def _began(fact: Fact) -> Msg:
    pairs = zip(texts_of(fact["strips"]), texts_of(fact["starts"]), strict=True)
    strips = tuple(
        msg("fact.began.strip", adventure=adventure_name(strip), card=card_name(start))
        for strip, start in pairs
    )
    return msg("fact.began", strips=strips, player=SeatName(number_of(fact["first"])))


def _hit(fact: Fact) -> Msg:
    names = ("seat", "square", "owner" if fact.kind == "removed" else "card")
    if fact["by"] is None:  # an armed carriage
        return told(f"{fact.kind}_shot", fact, *names)
    return told(fact.kind, fact, *names, "by")


def _travelled(fact: Fact) -> Msg:
    figurine = msg(f"figurine.{fact['figurine']}")
    if fact["deck"] is not None:
        return told("appeared", fact, "seat", "target", figurine=figurine, origin=str(fact["deck"]))
    if fact["origin"] == fact["target"]:
        return told("stayed", fact, "seat", "target", figurine=figurine)
    return told("travelled", fact, "seat", "origin", "target", figurine=figurine)


def _discarded(fact: Fact) -> Msg:
    cards = texts_of(fact["cards"])
    if not cards:
        return told("discarded_none", fact, "seat")
    return told("discarded", fact, "seat", cards=cards_and_ids(cards))


def _ended(fact: Fact) -> Msg:
    ranks = fact["ranks"]
    first = ranks[0] if isinstance(ranks, tuple) else ()
    winners = tuple(SeatName(number_of(seat)) for seat in first) if isinstance(first, tuple) else ()
    return msg(f"ended.{fact['reason']}", winners=winners, n=len(winners))


_SPECIAL: dict[str, Callable[[Fact], Msg]] = {
    "began": _began,
    "drew": lambda fact: _known_to("drew", fact, "seat"),
    "added": lambda fact: (
        told("added", fact, "seat", "square")
        if fact["origin"] is None
        else told("added_from", fact, "seat", "square", "origin")
    ),
    "removed": _hit,
    "killed": _hit,
    "travelled": _travelled,
    "advantage": lambda fact: told("advantage_kept" if fact["kept"] else "advantage", fact, "seat", "card"),
    "picked": lambda fact: _known_to("picked", fact, "seat", "victim"),
    "discarded": _discarded,
    "passed": lambda fact: told("skipped" if fact["forced"] else "passed", fact, "seat"),
    "aces": lambda fact: (
        told("aces", fact, "seat", "strip")
        if fact["holder"] is None
        else told("aces_from", fact, "seat", "strip", "holder")
    ),
    "tile": lambda fact: told(f"tile.{fact['what']}", fact, "seat", "square"),
    "carriage": lambda fact: (
        told("carriage", fact, "seat", "square", "gold", n=number_of(fact["left"]))
        if fact["gold"]
        else told("carriage_armed", fact, "seat", "square", n=number_of(fact["left"]))
    ),
    "ended": _ended,
}
