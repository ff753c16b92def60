"""Facts of a round by kind: strides, shots, losses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engines.core.contract import Fact, Seat
from engines.volt.view import Space
from renderers.volt.public_data import along

_STEPS = ("moved", "pushed", "pulled", "leapt")


@dataclass(frozen=True, slots=True)
class Stride:
    """A robot went from one space to another; ``own``: by its own die."""

    seat: Seat
    origin: Space
    target: Space
    own: bool


@dataclass(frozen=True, slots=True)
class Shot:
    """A beam from a robot's space to the last one that it crosses; ``hit``: a robot stands there."""

    seat: Seat
    origin: Space
    target: Space
    arrow: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Loss:
    """A robot was destroyed on a space; ``arrow``: along which it left over an open edge, else ``""``."""

    seat: Seat
    space: Space
    arrow: str


@dataclass(frozen=True, slots=True)
class Traces:
    """All traces of some facts, in their order."""

    strides: tuple[Stride, ...]
    shots: tuple[Shot, ...]
    blasts: tuple[Space, ...]
    lost: tuple[Loss, ...]


def number(fact: Fact, name: str) -> int:
    """Return a datum that is a number."""
    value = fact[name]
    assert isinstance(value, int)
    return value


def word(fact: Fact, name: str) -> str:
    """Return a datum that is text."""
    value = fact[name]
    assert isinstance(value, str)
    return value


def stride(fact: Fact) -> Stride | None:
    """Return the stride that a fact describes, if any."""
    if fact.kind not in _STEPS:
        return None
    own = fact.kind in ("moved", "leapt")
    return Stride(number(fact, "seat"), word(fact, "origin"), word(fact, "target"), own)


def shot(fact: Fact) -> Shot | None:
    """Return the shot that a fact describes, if any."""
    if fact.kind != "shot":
        return None
    return Shot(
        number(fact, "seat"),
        word(fact, "origin"),
        word(fact, "target"),
        word(fact, "arrow"),
        fact.get("hit") is not None,
    )


def loss(fact: Fact) -> Loss | None:
    """Return the loss that a fact describes, if any."""
    if fact.kind != "destroyed":
        return None
    arrow = fact.get("arrow")
    return Loss(number(fact, "seat"), word(fact, "space"), str(arrow) if arrow else "")


def runs(strides: Iterable[Stride]) -> tuple[Stride, ...]:
    """Return strides; consecutive ones along a line are joined."""
    found: list[Stride] = []
    for step in strides:
        last = found[-1] if found else None
        if (
            last is not None
            and (last.seat, last.target, last.own) == (step.seat, step.origin, step.own)
            and along(last.origin, last.target)[0] == along(step.origin, step.target)[0] != ""
        ):
            found[-1] = Stride(step.seat, last.origin, step.target, step.own)
        else:
            found.append(step)
    return tuple(found)


def traces(facts: Iterable[Fact]) -> Traces:
    """Return the traces of facts."""
    found = tuple(facts)
    return Traces(
        runs(step for step in map(stride, found) if step is not None),
        tuple(beam for beam in map(shot, found) if beam is not None),
        tuple(
            dict.fromkeys(
                word(fact, "space")
                for fact in found
                if fact.kind in ("blast", "mine_hit") and fact.get("space")
            )
        ),
        tuple(one for one in map(loss, found) if one is not None),
    )
