from __future__ import annotations

from dataclasses import dataclass

LETTERS = ("a", "b", "c")
ROUNDS = 4


@dataclass(frozen=True, slots=True, repr=False)
class Own:
    """A seat's private part. Nothing chosen yet: no order, guess 0."""

    order: str = ""
    guess: int = 0
    marks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Public:
    """What everybody knows. ``turn`` 0 is the arranging; ``ended`` is why the match is over, or empty."""

    top: int
    ready: tuple[bool, ...]
    peeked: tuple[bool, ...]
    gone: tuple[bool, ...]
    turn: int = 0
    die: int = 0
    said: tuple[tuple[int, ...], ...] = ()
    ended: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class State:
    public: Public
    own: tuple[Own, ...]
    hidden: int


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """``own``: the viewer's part; ``parity``: what it peeked. The last two are known at the end."""

    seat: int | None
    public: Public
    own: Own | None
    parity: int | None
    all_own: tuple[Own, ...] | None
    hidden: int | None


def waiting(public: Public) -> frozenset[int]:
    if public.ended:
        return frozenset()
    asked = zip(public.ready, public.gone, strict=True)
    return frozenset(seat for seat, (ready, gone) in enumerate(asked) if not ready and not gone)
