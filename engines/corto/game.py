"""CORTO as a game of the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from engines.core.base import BaseGame
from engines.core.canonical_json import data_hashes
from engines.core.contract import (
    Fact,
    IllegalAction,
    InvalidAction,
    Manifest,
    Menu,
    Msg,
    Outcome,
    Seat,
    SeatName,
    Step,
    Words,
    msg,
)
from engines.core.optional_methods import Judgement, Level, Skill
from engines.core.rng import Rng
from engines.corto import events, notation, player, reasons, retelling, rules, thinking
from engines.corto.cards import ADVENTURES_FILE, CARDS_FILE, EARLIER_FILES
from engines.corto.imagine import imagine
from engines.corto.menu import fold, menu_after, preview_of
from engines.corto.rulesets import RULESETS
from engines.corto.setup import OPTIONS
from engines.corto.situation import load
from engines.corto.state import Phase, State
from engines.corto.view import View, describe, look, record


class Corto(BaseGame[State, View]):
    """The game, with situations as data."""

    manifest = Manifest(
        key="corto",
        title="CORTO",
        rulesets=tuple(RULESETS),
        seats=(2, 3, 4),
        usual_seats=4,
        seat_labels=tuple(msg(f"seat.{seat}") for seat in range(4)),
        tagline=msg("tagline"),
        options=OPTIONS,
        data_hashes=data_hashes("engines.corto", ADVENTURES_FILE, CARDS_FILE),
        earlier_data=data_hashes("engines.corto", *EARLIER_FILES),
    )

    level_names: ClassVar[Mapping[Level, Msg]] = {level: msg(f"level.{level.value}") for level in Level}
    """Three who travel with Corto, by how far they see."""

    on_start = staticmethod(rules.begin)
    menu_for = staticmethod(menu_after)
    view = staticmethod(look)
    imagine = staticmethod(imagine)
    narrate = staticmethod(events.narrate)
    retell = staticmethod(retelling.retell)
    reason = staticmethod(reasons.reason)
    read = staticmethod(notation.read)
    describe = staticmethod(describe)
    record = staticmethod(record)
    situation = staticmethod(load)

    def seats(self, state: State) -> range:
        """Return the seats of this match, those that have left too."""
        return state.public.seats

    def gone(self, view: View) -> tuple[Seat, ...]:
        return view.left

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        """Carry out a seat's steps, up to what they turn up or to the end; raises :class:`ActionError`."""
        self.check_seat(state, seat)
        if not words:
            raise InvalidAction(msg("error.empty"))
        for word in words:
            notation.parse(word)
        view = look(state, seat)
        if not self.may_act(view):
            raise IllegalAction(self.refusal(view))
        draft = fold(view, words)
        if draft.complete:
            return rules.carry_out(state, seat, draft.steps, rng)
        if draft.progress.half:
            raise InvalidAction(msg("error.unfinished_card"))
        raise InvalidAction(msg("error.unfinished"))

    def on_withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        return rules.withdraw(state, seat)

    def on_agree(self, state: State, rng: Rng) -> Step[State]:
        return rules.agree(state)

    def lapse(self, view: View, rng: Rng) -> Words | None:
        """Return what the rules let happen: a start, no card, draws from the fullest decks."""
        return rules.lapse(view)

    def player(self, view: View, menu: Menu, rng: Rng) -> Words:
        """Return the best of a few dozen turns by present gold, as the viewer's seat can tell."""
        return player.sentence(view, rng)

    def think(self, view: View, menu: Menu, skill: Skill, rng: Rng) -> Words:
        """Return the sentence of a computer player that searches the turns open to the viewer's seat."""
        return thinking.sentence(view, skill, rng)

    def judge(self, view: View, menu: Menu, words: Words, skill: Skill, rng: Rng) -> Judgement:
        """Return how good a sentence of the viewer's seat was beside the best turn that a search finds."""
        return thinking.judgement(view, words, skill, rng)

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return the seats that must or may decide."""
        return frozenset(view.asked)

    def preview(self, view: View, draft: Words) -> View:
        return preview_of(view, draft) if self.may_act(view) else view

    def tell(self, preview: View) -> tuple[Msg, ...]:
        """Return the drafted turn so far, as boards will tell it."""
        return retelling.retell(preview.draft)

    def summary(self, view: View) -> Msg | None:
        """Return what gold everybody would have if the match ended now, once there is any to have."""
        if view.ranks is not None or view.phase is Phase.START:
            return None
        scores = [msg("gold.player", player=SeatName(line.seat), n=line.total) for line in view.gold]
        return msg("gold.now", scores=tuple(scores))

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        """Return whether markers were put or cards played or discarded, and nothing was drawn or turned up.

        Draws (rules page, *Your turn*), Pickpocket (*Advantages*), tiles and carriages (*The quests*) show
        what was hidden. So does the next turn, once the decks are empty: who has no card to play would be
        skipped (*Rulings*). Before the first turn nobody can be.
        """
        kinds = {fact.kind for fact in facts}
        return bool(kinds) and (kinds <= events.UNDOABLE or kinds == events.LAST_START)

    def outcome(self, view: View) -> Outcome | None:
        if view.ranks is None or view.reason is None:
            return None
        scores = tuple((line.seat, line.total) for line in view.gold)
        return Outcome(view.ranks, (msg(f"end.{view.reason}"),), scores)
