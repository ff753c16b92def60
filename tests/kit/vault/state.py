"""The vault game's states, views, and secret words."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.rng import Rng

CARDS = 4
ROUNDS = 2
LETTERS = "bcdfghjklmnprstvwz"
LENGTH = 9


def word(rng: Rng, *labels: str | int) -> str:
    """Return a card: nine letters that are not a word of any language."""
    stream = rng.stream("card", *labels)
    return "".join(stream.choice(LETTERS) for _ in range(LENGTH))


@dataclass(frozen=True, slots=True, repr=False)
class Own:
    """A seat's private part. ``clue``: the word seen in the vault; ``sent``: whose card it sent back."""

    hand: tuple[str, ...]
    laid: str = ""
    notes: tuple[str, ...] = ()
    clue: str = ""
    sent: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Public:
    """The public part. ``ready`` stays false if it is not public who has laid."""

    pledged: bool
    ready: tuple[bool, ...]
    gone: tuple[bool, ...]
    shown: tuple[tuple[str, ...], ...] = ()
    ended: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class State:
    public: Public
    own: tuple[Own, ...]
    vault: str


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """``own``: the viewer's part. The last two fields are known at the end."""

    viewer: int | None
    public: Public
    own: Own | None
    all_own: tuple[Own, ...] | None
    vault: str | None


def waiting(view: View) -> frozenset[int]:
    """Return the seats that have not laid, as far as the viewer knows."""
    public = view.public
    if public.ended:
        return frozenset()
    left = (seat for seat, gone in enumerate(public.gone) if not gone)
    mine = view.viewer if view.own is not None and view.own.laid else None
    return frozenset(seat for seat in left if not public.ready[seat] and seat != mine)
