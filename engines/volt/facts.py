"""The small events of VOLT, each step of each die: told in words, drawn as an action replay.

Facts are built here alone, so that engine, texts and renderers agree on their data. Spaces are ``"d2"``,
arrows ``"NE"``, modules ``"shield"``; ``by`` is the seat whose die or module causes it, ``None`` for plates.
"""

from __future__ import annotations

from engines.core.contract import Fact, Seat, fact
from engines.volt.view import Arrow, Space


def placed(seat: Seat, space: Space) -> Fact:
    """Return: a robot enters the board, at the start or rebooted."""
    return fact("placed", seat=seat, space=space)


def done(seat: Seat, tile: int | None) -> Fact:
    """Return: a seat has answered; in ``race`` a program also takes a tile."""
    return fact("done", seat=seat, tile=tile)


def token_laid(number: int, space: Space) -> Fact:
    """Return: a victory-point token is placed."""
    return fact("token_laid", number=number, space=space)


def drew(seat: Seat, deck: str, name: str | None) -> Fact:
    """Return: a seat draws a module; the name is for its own eyes, ``None`` for all others."""
    return fact("drew", seat=seat, deck=deck, name=name)


def round_begins(number: int) -> Fact:
    """Return: programming begins."""
    return fact("round", number=number)


def revealed(seat: Seat, dice: tuple[str, ...], tile: int) -> Fact:
    """Return: a program is revealed; ``dice`` as ``"I:b3E"``, without modules."""
    return fact("revealed", seat=seat, dice=dice, tile=tile)


def die(seat: Seat, unit: str, colour: str, number: int, arrow: Arrow, uses: tuple[str, ...] = ()) -> Fact:
    """Return: a die is activated with its modules; all facts until the next one belong to it."""
    return fact("die", seat=seat, unit=unit, colour=colour, number=number, arrow=arrow, uses=uses)


def skipped(seat: Seat, unit: str) -> Fact:
    """Return: a die whose robot is off the board is passed over."""
    return fact("skipped", seat=seat, unit=unit)


def turned_up(seat: Seat, name: str) -> Fact:
    """Return: a module turns face up."""
    return fact("turned_up", seat=seat, name=name)


def took_effect(seat: Seat, name: str) -> Fact:
    """Return: a module that lies face up already is used: ``"anchor"``, ``"shield"`` and so on."""
    return fact("took_effect", seat=seat, name=name)


def moved(seat: Seat, origin: Space, target: Space) -> Fact:
    """Return: a robot moves one space by its own die."""
    return fact("moved", seat=seat, origin=origin, target=target)


def pushed(seat: Seat, origin: Space, target: Space, by: Seat) -> Fact:
    """Return: a robot is pushed one space; the front one of a chain first."""
    return fact("pushed", seat=seat, origin=origin, target=target, by=by)


def pulled(seat: Seat, origin: Space, target: Space, by: Seat) -> Fact:
    """Return: a robot is pulled one space."""
    return fact("pulled", seat=seat, origin=origin, target=target, by=by)


def leapt(seat: Seat, origin: Space, target: Space) -> Fact:
    """Return: a robot leaps (Jump Jets, Recall)."""
    return fact("leapt", seat=seat, origin=origin, target=target)


def blocked(seat: Seat, space: Space, arrow: Arrow) -> Fact:
    """Return: a robot on ``space`` cannot go on in that direction."""
    return fact("blocked", seat=seat, space=space, arrow=arrow)


def shot(
    seat: Seat, origin: Space, target: Space, arrow: Arrow, hit: Seat | None, *, reflected: bool
) -> Fact:
    """Return: a beam from ``origin`` to ``target``, the last space that it crosses or the robot's hit."""
    return fact("shot", seat=seat, origin=origin, target=target, arrow=arrow, hit=hit, reflected=reflected)


def blast(seat: Seat, space: Space, what: str) -> Fact:
    """Return: a ``"bomb"``, ``"wave"`` or ``"core"`` goes off around a space."""
    return fact("blast", seat=seat, space=space, what=what)


def damaged(seat: Seat, by: Seat | None, amount: int, total: int) -> Fact:
    """Return: a robot takes damage; ``total`` after it."""
    return fact("damaged", seat=seat, by=by, amount=amount, total=total)


def destroyed(seat: Seat, space: Space, cause: str, by: Seat | None, arrow: Arrow | None = None) -> Fact:
    """Return: a robot is destroyed on ``space``; ``cause`` is ``"damage"`` or ``"fall"``.

    A fall over an open edge is from ``space`` along ``arrow``; a pit is the space itself, without arrow.
    """
    return fact("destroyed", seat=seat, space=space, cause=cause, by=by, arrow=arrow)


def scored(seat: Seat, why: str, total: int) -> Fact:
    """Return: a point; ``why`` is ``"kill"`` or ``"token"``."""
    return fact("scored", seat=seat, why=why, total=total)


def token_taken(seat: Seat, number: int, space: Space) -> Fact:
    """Return: a robot takes the token on its space."""
    return fact("token_taken", seat=seat, number=number, space=space)


def mine_laid(seat: Seat, space: Space) -> Fact:
    """Return: a mine is laid."""
    return fact("mine_laid", seat=seat, space=space)


def mine_hit(seat: Seat, space: Space, victim: Seat) -> Fact:
    """Return: a mine of ``seat`` goes off under ``victim``."""
    return fact("mine_hit", seat=seat, space=space, victim=victim)


def repaired(seat: Seat, amount: int, total: int) -> Fact:
    """Return: damage comes off; ``total`` after it."""
    return fact("repaired", seat=seat, amount=amount, total=total)


def swapped(
    seat: Seat, decks_in: tuple[str, ...], decks_out: tuple[str, ...], shown: tuple[str, ...] = ()
) -> Fact:
    """Return: backs change at the reveal, by decks alone; ``shown``: names put away that lay face up."""
    return fact("swapped", seat=seat, decks_in=decks_in, decks_out=decks_out, shown=shown)


def withdrawn(seat: Seat) -> Fact:
    """Return: a seat has left the match."""
    return fact("withdrawn", seat=seat)


def began(arena: str, sides: tuple[str, ...], tiles: tuple[int, ...]) -> Fact:
    """Return: the set-up: the arena, the side and the number tile of each seat."""
    return fact("began", arena=arena, sides=sides, tiles=tiles)


def drew_nothing(seat: Seat, deck: str) -> Fact:
    """Return: a deck held no module that the seat does not own already."""
    return fact("drew_nothing", seat=seat, deck=deck)


def tokens_shuffled() -> Fact:
    """Return: no token of the supply fits; the collected ones are shuffled in."""
    return fact("tokens_shuffled")


def mended(seat: Seat) -> Fact:
    """Return: a robot destroyed by damage gives its damage back."""
    return fact("mended", seat=seat)


def dud(seat: Seat, space: Space) -> Fact:
    """Return: a bomb falls into a pit."""
    return fact("dud", seat=seat, space=space)


def stayed(seat: Seat, space: Space) -> Fact:
    """Return: a robot stays where it is: a Recall to a taken space, a leap that lands nowhere."""
    return fact("stayed", seat=seat, space=space)


def ended(ranks: tuple[tuple[Seat, ...], ...], reason: str) -> Fact:
    """Return: the match is over; ``reason`` as in the view."""
    return fact("ended", ranks=ranks, reason=reason)
