"""The vault with notes that somebody can notice: each must turn the checks of notes red."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.core.base import BaseGame
from engines.core.contract import EVERYONE, Event, Menu, Step, Viewer, Words, fact, msg, only
from engines.core.rng import Rng
from tests.kit.vault.game import Vault
from tests.kit.vault.state import State, View, word


class _NoteOtherwise(Vault):
    """Does something else after a note."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        return self.noted(step.state, seat, rng) if self.is_note(words) else step

    def noted(self, state: State, seat: int, rng: Rng) -> Step[State]:
        return Step(state, ())


class ToldNote(_NoteOtherwise):
    """Everybody learns that somebody has noted something down."""

    def noted(self, state: State, seat: int, rng: Rng) -> Step[State]:
        return Step(state, (Event(fact("ready", seat=seat), EVERYONE),))


class NoteToldBack(_NoteOtherwise):
    """The noting seat learns something by it."""

    def noted(self, state: State, seat: int, rng: Rng) -> Step[State]:
        return Step(state, (Event(fact("returned"), only(seat)),))


class CountedNote(_NoteOtherwise):
    """A note is a step, and what is drawn by the number of steps is drawn otherwise."""

    def noted(self, state: State, seat: int, rng: Rng) -> Step[State]:
        return Step(replace(state, vault=word(rng, "vault", state.vault)), ())


class SpentNote(_NoteOtherwise):
    """Who notes something down may send no card back."""

    def noted(self, state: State, seat: int, rng: Rng) -> Step[State]:
        own = replace(state.own[seat], sent=seat)
        return Step(replace(state, own=(*state.own[:seat], own, *state.own[seat + 1 :])), ())


class RecordedNote(Vault):
    """Notes are in the record."""

    def record(self, state: State) -> Mapping[str, Any]:
        return BaseGame.record(self, state)


class SeenNote(Vault):
    """Everybody sees that somebody has noted something down."""

    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        return replace(seen, vault="noted" if any(own.notes for own in state.own) else seen.vault)


class RevealedNote(Vault):
    """Notes are shown after the end."""

    def view(self, state: State, viewer: Viewer) -> View:
        seen = super().view(state, viewer)
        return seen if seen.all_own is None else replace(seen, all_own=state.own)


class AskingNote(Vault):
    """Who has noted something down is asked something else."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        noted = view.own is not None and view.own.notes
        return replace(found, prompt=msg("tagline")) if found is not None and noted else found


class MistakenNote(Vault):
    """Something else counts as a note."""

    def is_note(self, words: Words) -> bool:
        return words[:1] in (("note",), ("sort",))


class FirmNote(Vault):
    """It asks for the first word of whatever it is given."""

    def is_note(self, words: Words) -> bool:
        return words[0] == "note"
