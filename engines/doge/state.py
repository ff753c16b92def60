"""The whole truth of a match, and what each viewer knows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.core.base import fields_of
from engines.core.canonical_json import plain_fields
from engines.core.contract import Seat, Viewer
from engines.doge.components import Card, Pair, Square, pair_of
from engines.doge.sheet import Knowledge, sheet_of
from engines.doge.view import GiftAhead, Notes, Phase, Public, Source, Subject, Truth, View


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """All of a match.

    ``pairs`` are the seats' identities; ``faces`` the cards of the gifts, by their numbers; ``ghosts`` the
    ghost deck from the top; ``ahead`` the gifts that seats left in advance. What a seat was shown follows
    from these: a meeting's two cards are the gift and the giver's true card of the other kind.
    ``notes`` are the seats' own, and no part of the match.
    """

    public: Public
    pairs: tuple[Pair, ...]
    treasure: Pair
    faces: tuple[Card, ...]
    ghosts: tuple[Square, ...]
    ahead: tuple[GiftAhead | None, ...]
    notes: tuple[Notes, ...]

    def shown_with(self, gift: int) -> Pair:
        """Return the two cards of a meeting: the false one, and the true one of the other kind."""
        face = self.faces[gift]
        return pair_of(face, self.pairs[self.public.gifts[gift].giver].other_kind(face))

    def false_hand(self, seat: Seat) -> tuple[Card, ...]:
        """Return the false cards that a seat has left, in the order of the sheet."""
        given = {self.faces[n] for n, gift in enumerate(self.public.gifts) if gift.giver == seat}
        gone = given.union(self.pairs[seat].cards)
        return tuple(c for c in (*self.public.crafts, *self.public.institutions) if c not in gone)


def look(state: State, viewer: Viewer) -> View:
    """Return all that ``viewer`` knows."""
    public = state.public
    over = public.phase is Phase.OVER
    truth = Truth(state.pairs, state.treasure, state.faces, state.ghosts, state.ahead) if over else None
    shared = fields_of(Public, public)
    if viewer is None:
        found = state.treasure if over else None
        return View(**shared, viewer=None, treasure=found, truth=truth, subject=Subject.BOARD)
    faces = tuple((n, state.faces[n]) for n in _known_faces(public, viewer))
    shown = tuple((n, state.shown_with(n)) for n in _shown(public, viewer))
    guessed = any(guess.seat == viewer and not guess.right for guess in public.guesses)
    treasure = state.treasure if over or guessed else None
    knowledge = Knowledge(viewer, public, state.pairs[viewer], faces, shown, treasure if guessed else None)
    notes = state.notes[viewer]
    return View(
        **shared,
        viewer=viewer,
        own=state.pairs[viewer],
        faces=faces,
        shown=shown,
        ahead=state.ahead[viewer],
        notes=notes,
        sheet=sheet_of(knowledge, notes),
        treasure=treasure,
        truth=truth,
        subject=_subject(public, viewer),
    )


def _known_faces(public: Public, viewer: Seat) -> list[int]:
    looked = {discard.gift for discard in public.discards if discard.looker == viewer}
    return [
        n
        for n, gift in enumerate(public.gifts)
        if n in looked or gift.giver == viewer or (gift.receiver == viewer and gift.source is Source.GHOST)
    ]


def _shown(public: Public, viewer: Seat) -> list[int]:
    return [
        n for n, gift in enumerate(public.gifts) if gift.receiver == viewer and gift.source is Source.MEETING
    ]


def _subject(public: Public, viewer: Seat) -> Subject:
    if public.owes == viewer:
        return Subject.HAND
    # A clue comes in one's own turn: once that is over, it is the first thing to look at.
    news = [gift.step for gift in public.gifts if gift.receiver == viewer]
    news += [discard.step for discard in public.discards if discard.looker == viewer]
    is_new = bool(news) and max(news) > public.latest[viewer] and public.turn != viewer
    return Subject.CLUE if is_new and public.phase is not Phase.OVER else Subject.BOARD


def record(state: State) -> dict[str, Any]:
    """Return the whole truth as plain JSON data; notes are left out."""
    data = plain_fields(state)
    del data["notes"]
    return data


def replace_at(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """Return ``values`` with the one at ``place`` exchanged."""
    return (*values[:place], value, *values[place + 1 :])
