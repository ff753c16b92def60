"""The events of VOLT, each step of each die: facts, the sentences told of them, and how a match ends.

Facts are built here alone, so that engine, texts and renderers agree on their data. Spaces are ``"d2"``,
arrows ``"NE"``, modules ``"shield"``; ``by`` is the seat whose die or module causes it, ``None`` for plates.
"""

from __future__ import annotations

from collections.abc import Callable

from engines.core.contract import Arg, Fact, FactValue, Msg, Outcome, Seat, SeatName, fact, msg
from engines.core.kit import number_of, texts_of
from engines.volt.modules import use_text
from engines.volt.view import Arrow, Space, View

# --- facts ----------------------------------------------------------------------------------------


UNDOABLE = frozenset({"done"})
"""The facts of steps that may be taken back: an answer that nobody has seen yet."""


def placed(seat: Seat, space: Space) -> Fact:
    """A robot enters the board, at the start or rebooted."""
    return fact("placed", seat=seat, space=space)


def done(seat: Seat, tile: int | None) -> Fact:
    """A seat has answered; in ``race`` a program also takes a tile."""
    return fact("done", seat=seat, tile=tile)


def token_laid(number: int, space: Space) -> Fact:
    """A victory-point token is placed."""
    return fact("token_laid", number=number, space=space)


def drew(seat: Seat, deck: str, name: str | None) -> Fact:
    """A seat draws a module; the name is for its own eyes, ``None`` for all others."""
    return fact("drew", seat=seat, deck=deck, name=name)


def round_begins(number: int) -> Fact:
    """Programming begins."""
    return fact("round", number=number)


def revealed(seat: Seat, dice: tuple[str, ...], tile: int) -> Fact:
    """A program is revealed; ``dice`` as ``"I:b3E"``, without modules."""
    return fact("revealed", seat=seat, dice=dice, tile=tile)


def die(seat: Seat, unit: str, colour: str, number: int, arrow: Arrow, uses: tuple[str, ...] = ()) -> Fact:
    """A die is activated with its modules; all facts until the next one belong to it."""
    return fact("die", seat=seat, unit=unit, colour=colour, number=number, arrow=arrow, uses=uses)


def skipped(seat: Seat, unit: str) -> Fact:
    """A die whose robot is off the board is passed over."""
    return fact("skipped", seat=seat, unit=unit)


def turned_up(seat: Seat, name: str) -> Fact:
    """A module turns face up."""
    return fact("turned_up", seat=seat, name=name)


def took_effect(seat: Seat, name: str) -> Fact:
    """A module that lies face up already is used: ``"anchor"``, ``"shield"`` and so on."""
    return fact("took_effect", seat=seat, name=name)


def moved(seat: Seat, origin: Space, target: Space) -> Fact:
    """A robot moves one space by its own die."""
    return fact("moved", seat=seat, origin=origin, target=target)


def pushed(seat: Seat, origin: Space, target: Space, by: Seat) -> Fact:
    """A robot is pushed one space; the front one of a chain first."""
    return fact("pushed", seat=seat, origin=origin, target=target, by=by)


def pulled(seat: Seat, origin: Space, target: Space, by: Seat) -> Fact:
    """A robot is pulled one space."""
    return fact("pulled", seat=seat, origin=origin, target=target, by=by)


def leapt(seat: Seat, origin: Space, target: Space) -> Fact:
    """A robot leaps (Jump Jets, Recall)."""
    return fact("leapt", seat=seat, origin=origin, target=target)


def blocked(seat: Seat, space: Space, arrow: Arrow, why: str, who: Seat) -> Fact:
    """A robot on ``space`` cannot go on in that direction.

    ``why`` is what stops it: ``"wall"``, ``"pillar"``, ``"rim"``, ``"corner"``, ``"anchor"`` or ``"pit"``,
    the Pit Clamps; ``who`` stands there, or has that module: the robot itself, or one that it would push.
    """
    return fact("blocked", seat=seat, space=space, arrow=arrow, why=why, who=who)


def shot(
    seat: Seat, origin: Space, target: Space, arrow: Arrow, hit: Seat | None, *, reflected: bool
) -> Fact:
    """A beam from ``origin`` to ``target``, the last space that it crosses or the robot's hit."""
    return fact("shot", seat=seat, origin=origin, target=target, arrow=arrow, hit=hit, reflected=reflected)


def blast(seat: Seat, space: Space, what: str) -> Fact:
    """A ``"bomb"``, ``"wave"`` or ``"core"`` goes off around a space."""
    return fact("blast", seat=seat, space=space, what=what)


def damaged(seat: Seat, by: Seat | None, amount: int, total: int) -> Fact:
    """A robot takes damage; ``total`` after it."""
    return fact("damaged", seat=seat, by=by, amount=amount, total=total)


def destroyed(seat: Seat, space: Space, cause: str, by: Seat | None, arrow: Arrow | None = None) -> Fact:
    """A robot is destroyed on ``space``; ``cause`` is ``"damage"`` or ``"fall"``.

    A fall over an open edge is from ``space`` along ``arrow``; a pit is the space itself, without arrow.
    """
    return fact("destroyed", seat=seat, space=space, cause=cause, by=by, arrow=arrow)


def scored(seat: Seat, why: str, total: int) -> Fact:
    """A point; ``why`` is ``"kill"`` or ``"token"``."""
    return fact("scored", seat=seat, why=why, total=total)


def token_taken(seat: Seat, number: int, space: Space) -> Fact:
    """A robot takes the token on its space."""
    return fact("token_taken", seat=seat, number=number, space=space)


def mine_laid(seat: Seat, space: Space) -> Fact:
    """A mine is laid."""
    return fact("mine_laid", seat=seat, space=space)


def mine_hit(seat: Seat, space: Space, victim: Seat) -> Fact:
    """A mine of ``seat`` goes off under ``victim``."""
    return fact("mine_hit", seat=seat, space=space, victim=victim)


def repaired(seat: Seat, amount: int, total: int) -> Fact:
    """Damage comes off; ``total`` after it."""
    return fact("repaired", seat=seat, amount=amount, total=total)


def swapped(
    seat: Seat, decks_in: tuple[str, ...], decks_out: tuple[str, ...], shown: tuple[str, ...] = ()
) -> Fact:
    """Backs change at the reveal, by decks alone; ``shown``: names put away that lay face up."""
    return fact("swapped", seat=seat, decks_in=decks_in, decks_out=decks_out, shown=shown)


def withdrawn(seat: Seat) -> Fact:
    """A seat has left the match."""
    return fact("withdrawn", seat=seat)


def began(arena: str, sides: tuple[str, ...], tiles: tuple[int, ...]) -> Fact:
    """The match begins: the arena, the side and the number tile of each seat."""
    return fact("began", arena=arena, sides=sides, tiles=tiles)


def drew_nothing(seat: Seat, deck: str) -> Fact:
    """A deck held no module that the seat does not own already."""
    return fact("drew_nothing", seat=seat, deck=deck)


def tokens_shuffled() -> Fact:
    """No token of the supply fits; the collected ones are shuffled in."""
    return fact("tokens_shuffled")


def mended(seat: Seat) -> Fact:
    """A robot destroyed by damage gives its damage back."""
    return fact("mended", seat=seat)


def dud(seat: Seat, space: Space) -> Fact:
    """A bomb falls into a pit."""
    return fact("dud", seat=seat, space=space)


def stayed(seat: Seat, space: Space) -> Fact:
    """A robot stays where it is: a Recall to a taken space, a leap that lands nowhere."""
    return fact("stayed", seat=seat, space=space)


def ended(ranks: tuple[tuple[Seat, ...], ...], reason: str) -> Fact:
    """The match is over; ``reason`` as in the view."""
    return fact("ended", ranks=ranks, reason=reason)


# --- sentences ------------------------------------------------------------------------------------

_PLAYERS = {"seat": "player", "by": "by_player", "hit": "hit_player", "victim": "hit_player"}
"""The gaps of data that are seats, shown as their players' names."""

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
    "token_taken": ("seat", "number", "space"),
    "mine_laid": ("seat", "space"),
    "mine_hit": ("seat", "space", "victim"),
    "withdrawn": ("seat",),
}
"""The facts that have one text each, and the data that it names."""


def narrate(fact: Fact) -> Msg | None:
    """Return the sentence for ``fact``; ``None`` for a kind of fact that is not VOLT's."""
    if fact.kind in _VARIED:
        return _VARIED[fact.kind](fact)
    if fact.kind not in _PLAIN:
        return None
    return _told(fact.kind, fact, *_PLAIN[fact.kind])


def _told(key: str, fact: Fact, *names: str, **more: Arg) -> Msg:
    gaps: dict[str, Arg] = {}
    for name in names:
        value = fact[name]
        if name in _PLAYERS:
            gaps[_PLAYERS[name]] = SeatName(number_of(value))
        elif name in ("deck", "arrow"):
            gaps[name] = msg(f"{name}.{value}")
        elif name == "name":
            gaps["module"] = msg(f"module.{value}")
        else:
            gaps[name] = value if isinstance(value, int) else str(value)
    return msg(f"fact.{key}", **gaps, **more)


def _began(fact: Fact) -> Msg:
    sides, tiles = texts_of(fact["sides"]), texts_of(fact["tiles"])
    robots = tuple(
        msg("fact.began.robot", player=SeatName(seat), side=msg(f"side.{side}"), tile=tile)
        for seat, (side, tile) in enumerate(zip(sides, tiles, strict=True))
    )
    return msg("fact.began", arena=msg(f"arena.{fact['arena']}"), robots=robots)


def _die(fact: Fact) -> Msg:
    modules = tuple(map(use_text, texts_of(fact["uses"])))
    colour = msg(f"colour.{fact['colour']}")
    if not modules:
        return _told("die", fact, "seat", "unit", "number", "arrow", colour=colour)
    return _told("die_with", fact, "seat", "unit", "number", "arrow", colour=colour, modules=modules)


def obstacle(fact: Fact) -> Msg:
    """Return what stops the robot of a ``blocked`` fact: a wall, another robot's Anchor and so on."""
    key, player = f"stop.{fact['why']}", SeatName(number_of(fact["who"]))
    return msg(f"{key}.own") if fact["who"] == fact["seat"] else msg(key, player=player)


def _shot(fact: Fact) -> Msg:
    kind = "reflected" if fact["reflected"] else "shot"
    if fact["hit"] is None:
        return _told(f"{kind}_miss", fact, "seat", "target", "arrow")
    return _told(kind, fact, "seat", "hit", "target", "arrow")


def _destroyed(fact: Fact) -> Msg:
    key = "destroyed" if fact["cause"] == "damage" else ("fell" if fact["arrow"] is None else "fell_out")
    if fact["by"] is None:
        return _told(key, fact, "seat", "space")
    return _told(f"{key}_by", fact, "seat", "space", "by")


def _swapped(fact: Fact) -> Msg:
    # The decks of all cards are public; names only of those that lay face up when they were put away.
    into, out = _texts("deck", fact["decks_in"]), _texts("deck", fact["decks_out"])
    modules = _texts("module", fact["shown"])
    key = "both" if into and out else "in" if into else "out"
    shown = ".shown" if modules else ""
    return _told(f"swapped.{key}{shown}", fact, "seat", decks_in=into, decks_out=out, modules=modules)


def _texts(kind: str, names: FactValue) -> tuple[Arg, ...]:
    return tuple(msg(f"{kind}.{name}") for name in texts_of(names))


def _ended(fact: Fact) -> Msg:
    ranks = fact["ranks"]
    first = ranks[0] if isinstance(ranks, tuple) else ()
    seats = first if isinstance(first, tuple) else ()
    if fact["reason"] == "agreed":
        return msg("ended.agreed")
    players = tuple(SeatName(number_of(seat)) for seat in seats)
    return msg(f"ended.{fact['reason']}", players=players, n=len(players))


_VARIED: dict[str, Callable[[Fact], Msg]] = {
    "began": _began,
    "done": lambda f: (
        _told("done", f, "seat") if f["tile"] is None else _told("done_tile", f, "seat", "tile")
    ),
    "drew": lambda f: (
        _told("drew", f, "seat", "deck")
        if f["name"] is None
        else _told("drew_own", f, "seat", "deck", "name")
    ),
    "revealed": lambda f: _told("revealed", f, "seat", "tile", dice=texts_of(f["dice"])),
    "die": _die,
    "blocked": lambda f: _told("blocked", f, "seat", "space", "arrow", obstacle=obstacle(f)),
    "shot": _shot,
    "blast": lambda f: _told(f"blast.{f['what']}", f, "seat", "space"),
    "damaged": lambda f: _told("damaged", f, "seat", "total", n=number_of(f["amount"])),
    "destroyed": _destroyed,
    "scored": lambda f: _told(f"scored.{f['why']}", f, "seat", n=number_of(f["total"])),
    "repaired": lambda f: (
        _told("repaired", f, "seat", "total", n=number_of(f["amount"]))
        if f["amount"]
        else _told("repaired_none", f, "seat")
    ),
    "swapped": _swapped,
    "ended": _ended,
}
"""The facts whose text depends on their data."""

TOLD = frozenset(_PLAIN) | frozenset(_VARIED)
"""The kinds of facts that have a text."""


def outcome(view: View) -> Outcome | None:
    """Return the outcome; ``None`` while the match runs."""
    if view.ranks is None or view.reason is None:
        return None
    scores = tuple((robot.seat, robot.score) for robot in view.robots)
    return Outcome(view.ranks, (msg(f"end.{view.reason}"),), scores)
