"""Situations: a state at programming, given as data. docs/notation.md says what one holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from engines.core.contract import InvalidAction, Seat, Setup, msg
from engines.core.rng import Rng
from engines.volt.arena import SIDES, SPACES, arena, arenas
from engines.volt.battle import LIMIT
from engines.volt.modules import COPIES, MINES, MODULES, cards, deck_of, goes_together, in_order
from engines.volt.preparation import NUMBERS, TOKENS
from engines.volt.resolution import LAST_ROUND
from engines.volt.rules import TARGET, TRAINING_TARGET, empty
from engines.volt.state import Own, State
from engines.volt.view import DECKS, Lost, MineView, Phase, RobotView

_KEYS = {"arena", "target", "seats", "mines", "tokens", "round"}
_SEAT_KEYS = {"seat", "side", "pos", "lost", "damage", "score", "active", "spare", "face_up", "mines"}


def load(value: Mapping[str, Any], setup: Setup, rng: Rng) -> State:
    """Return the state that ``value`` describes; the decks are dealt from ``rng``.

    Raises :class:`InvalidAction` for anything that describes no state.
    """
    _only(value, _KEYS, "situation")
    reader = _Reader(value, setup)
    return reader.state(rng)


def _refuse(field: str, value: object) -> NoReturn:
    text = "".join(sign if sign.isprintable() else " " for sign in repr(value))
    shown = text if len(text) <= 60 else text[:57] + "..."
    raise InvalidAction(msg("error.situation_value", field=field, value=shown))


def _only(value: Mapping[str, Any], keys: set[str], what: str) -> None:
    for key in value:
        if key not in keys:
            _refuse(what, key)


def _number(what: str, value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        _refuse(what, value)
    return value


def _list(what: str, value: object) -> list[Any]:
    if not isinstance(value, list):
        _refuse(what, value)
    return value


class _Reader:
    """Reads a situation field by field."""

    def __init__(self, value: Mapping[str, Any], setup: Setup) -> None:
        self._value = value
        self._setup = setup
        self._training = setup.option("training") == "on"
        key = value.get("arena")
        if not isinstance(key, str) or key not in arenas() or setup.option("arena") not in ("random", key):
            _refuse("arena", key)
        self._arena = arena(key)
        self._standable = frozenset(SPACES) - self._arena.solid - self._arena.pits
        self._seats = self._read_seats()
        self._mines = self._read_mines()

    def state(self, rng: Rng) -> State:
        value, setup = self._value, self._setup
        sides = tuple(seat["side"] for seat in self._seats)
        tiles = tuple(range(1, setup.seats + 1))
        public = empty(setup, self._arena.key, sides, tiles)
        target = _number("target", value.get("target", TRAINING_TARGET if self._training else TARGET), 1, 99)
        own = tuple(self._own(seat) for seat in range(setup.seats))
        tokens = self._tokens()
        supply = tuple(3 - (number in tokens) for number in NUMBERS)
        face_up = tuple(self._face_up(seat, own[seat]) for seat in range(setup.seats))
        public = replace(
            public,
            target=target,
            round=_number("round", value.get("round", 1), 1, LAST_ROUND),
            phase=Phase.PROGRAM,
            robots=tuple(self._robot(seat, target) for seat in range(setup.seats)),
            face_up=face_up,
            listed=face_up,
            mines_left=tuple(self._mines_left(seat) for seat in range(setup.seats)),
            free=() if public.draw_tiles else tiles,
            tokens=tokens,
            supply=(supply[0], supply[1], supply[2], supply[3], supply[4], supply[5]),
            mines=self._mines,
        )
        self._check_spaces(public.robots)
        return State(public, own, self._decks(own, rng))

    def _read_seats(self) -> list[dict[str, Any]]:
        found = _list("seats", self._value.get("seats"))
        if len(found) != self._setup.seats:
            _refuse("seats", len(found))
        by_seat: dict[int, dict[str, Any]] = {}
        for data in found:
            if not isinstance(data, dict):
                _refuse("seats", data)
            _only(data, _SEAT_KEYS, "seats")
            seat = _number("seat", data.get("seat"), 0, self._setup.seats - 1)
            if seat in by_seat:
                _refuse("seat", seat)
            if data.get("side") not in SIDES or any(data["side"] == one["side"] for one in by_seat.values()):
                _refuse("side", data.get("side"))
            by_seat[seat] = data
        return [by_seat[seat] for seat in range(self._setup.seats)]

    def _robot(self, seat: Seat, target: int) -> RobotView:
        data = self._seats[seat]
        pos, lost = data.get("pos"), data.get("lost")
        # In this order: a value of another type may have no hash to look it up by.
        if pos is not None and not (isinstance(pos, str) and pos in self._standable):
            _refuse("pos", pos)
        if lost is not None and (lost not in [one.value for one in Lost] or pos is not None):
            _refuse("lost", lost)
        most = LIMIT if lost == Lost.DAMAGE.value else LIMIT - 1
        damage = _number("damage", data.get("damage", 0), 0, most)
        score = _number("score", data.get("score", 0), 0, target - 1)
        why = Lost(lost) if lost is not None else None
        return RobotView(seat, data["side"], pos, why, damage, score)

    def _check_spaces(self, robots: tuple[RobotView, ...]) -> None:
        standing = [robot.pos for robot in robots if robot.pos is not None]
        for pos, count in Counter(standing).items():
            if count > 1:
                _refuse("pos", pos)
        for mine in self._mines:
            if mine.space in standing:
                _refuse("mines", mine.space)

    # --- mines, tokens ------------------------------------------------------------------------------

    def _read_mines(self) -> tuple[MineView, ...]:
        found: dict[str, Seat] = {}
        for data in _list("mines", self._value.get("mines", [])):
            if not isinstance(data, dict):
                _refuse("mines", data)
            _only(data, {"space", "seat"}, "mines")
            space = data.get("space")
            if not isinstance(space, str) or space not in self._arena.plain or space in found:
                _refuse("mines", space)
            found[space] = _number("mines", data.get("seat"), 0, self._setup.seats - 1)
        return tuple(MineView(space, found[space]) for space in sorted(found))

    def _mines_left(self, seat: Seat) -> int:
        laid = sum(mine.seat == seat for mine in self._mines)
        if laid > MINES:
            _refuse("mines", laid)
        return _number("mines", self._seats[seat].get("mines", MINES - laid), 0, MINES - laid)

    def _tokens(self) -> tuple[int, ...]:
        found = _list("tokens", self._value.get("tokens", []))
        numbers = [_number("tokens", number, NUMBERS[0], NUMBERS[-1]) for number in found]
        if len(set(numbers)) < len(numbers) or len(numbers) > TOKENS:
            _refuse("tokens", found)
        return tuple(sorted(numbers))

    # --- modules ------------------------------------------------------------------------------------

    def _names(self, seat: Seat, key: str) -> tuple[str, ...]:
        found = _list(key, self._seats[seat].get(key, []))
        for name in found:
            if not isinstance(name, str) or name not in MODULES or self._training:
                _refuse(key, name)
        if len(set(found)) < len(found):
            _refuse(key, found)
        return in_order(tuple(found))

    def _own(self, seat: Seat) -> Own:
        active, spare = self._names(seat, "active"), self._names(seat, "spare")
        if not goes_together(active):
            _refuse("active", list(active))
        for name in spare:
            if name in active:
                _refuse("spare", name)
        return Own(active, spare)

    def _face_up(self, seat: Seat, own: Own) -> tuple[str, ...]:
        names = self._names(seat, "face_up")
        for name in names:
            if name not in own.active:
                _refuse("face_up", name)
        return names

    def _decks(
        self, own: tuple[Own, ...], rng: Rng
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        held = Counter(name for part in own for name in part.names)
        for name, count in held.items():
            if count > COPIES:
                _refuse("active", name)
        found: list[tuple[str, ...]] = []
        for deck in DECKS:
            left = Counter(() if self._training else cards(deck))
            left.subtract({name: count for name, count in held.items() if deck_of(name) == deck})
            found.append(rng.stream(0, "deck", deck).shuffled(tuple(sorted(left.elements()))))
        return found[0], found[1], found[2]
