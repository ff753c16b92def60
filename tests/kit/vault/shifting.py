"""The vault with asides whose meaning and legality change with the actions of others."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import Field, IllegalAction, Menu, Step, Words, msg
from engines.core.rng import Rng
from tests.kit.vault.game import Vault
from tests.kit.vault.state import State, View


class Shifting(Vault):
    """Sending a card back means something else in each round, and must wait while only one seat is asked.

    Laying a card means something else after each card that is seen to be laid.
    Drafts are kept in the meantime: their menu exists and is incomplete, though no new draft can be started.
    """

    def menu_for(self, view: View, draft: Words) -> Menu:
        found = super().menu_for(view, draft)
        if draft[:1] == ("lay",) and found.complete:
            return replace(found, prompt=msg("ready", seat=sum(view.public.ready)))
        if not draft and _held(view):
            return replace(found, fields=tuple(map(_without_return, found.fields)))
        if draft[:1] != ("return",) or not found.complete:
            return found
        if _held(view):
            return replace(found, prompt=msg("not_now"), complete=False, closing=False)
        return replace(found, prompt=msg("ready", seat=len(view.public.shown)))

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        step = super().act(state, seat, words, rng)
        if words[:1] == ("return",) and _held(self.view(state, seat)):
            raise IllegalAction(msg("not_now"))
        return step


def _without_return(part: Field) -> Field:
    return replace(part, choices=tuple(choice for choice in part.choices if choice.word != "return"))


def _held(view: View) -> bool:
    public = view.public
    left = [ready for ready, gone in zip(public.ready, public.gone, strict=True) if not gone]
    return public.pledged and left.count(False) == 1


GAME = Shifting()
