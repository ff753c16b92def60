"""CORTO as a game of the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from engines.core import data_files
from engines.core.base import BaseGame
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
    Setup,
    Step,
    Viewer,
    Words,
    msg,
)
from engines.core.kit import in_a_row
from engines.core.optional_methods import Judgement
from engines.core.rng import Rng
from engines.core.skill import Level, Skill
from engines.corto import events, notation, player, reasons, retelling, rules, thinking
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
        data_hashes=data_files.hashes("engines.corto", "adventures.json", "cards.json"),
    )

    level_names: ClassVar[Mapping[Level, Msg]] = {level: msg(f"level.{level.value}") for level in Level}
    """Three who travel with Corto, by how far they see."""

    def seats(self, state: State) -> range:
        """Return the seats of this match, those that have left too."""
        return state.public.seats

    def gone(self, view: View) -> tuple[Seat, ...]:
        """Return the seats that have left the match."""
        return view.left

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        """Begin a match."""
        return rules.begin(setup, rng)

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
        raise InvalidAction(msg("error.unfinished", words=notation.write(draft.words())))

    def on_withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        """Take a seat out of the match."""
        return rules.withdraw(state, seat)

    def on_agree(self, state: State, rng: Rng) -> Step[State]:
        """End the match as a draw."""
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

    def reason(self, view: View, words: Words) -> Msg:
        """Return what speaks for a whole sentence of the viewer's seat."""
        return reasons.reason(view, words)

    def judge(self, view: View, menu: Menu, words: Words, skill: Skill, rng: Rng) -> Judgement:
        """Return how good a sentence of the viewer's seat was beside the best turn that a search finds."""
        return thinking.judgement(view, words, skill, rng)

    def view(self, state: State, viewer: Viewer) -> View:
        """Return all that ``viewer`` knows."""
        return look(state, viewer)

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return the seats that must or may decide."""
        return frozenset(view.asked)

    def menu_for(self, view: View, draft: Words) -> Menu:
        """Return what the viewer's seat may say after ``draft``; raises :class:`ActionError`."""
        return menu_after(view, draft)

    def preview(self, view: View, draft: Words) -> View:
        """Return the view of ``draft``, up to the first word that reveals."""
        return preview_of(view, draft) if self.may_act(view) else view

    def narrate(self, fact: Fact) -> Msg | None:
        """Return one sentence for a fact."""
        return events.narrate(fact)

    def retell(self, facts: Sequence[Fact]) -> tuple[Msg, ...]:
        """Return few sentences for facts in a row."""
        return retelling.retell(facts)

    def summary(self, view: View) -> Msg | None:
        """Return what gold everybody would have if the match ended now, once there is any to have."""
        if view.ranks is not None or view.phase is Phase.START:
            return None
        row = [msg("gold.seat", seat=SeatName(line.seat), n=line.total) for line in view.gold]
        return msg("gold.now", row=in_a_row(row))

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        """Return whether markers were put or cards played or discarded, and nothing was drawn or turned up.

        Draws (rules page, *Your turn*), Pickpocket (*Advantages*), tiles and carriages (*The quests*) show
        what was hidden. So does the next turn, once the decks are empty: who has no card to play would be
        skipped (*Rulings*). Before the first turn nobody can be.
        """
        kinds = {fact.kind for fact in facts}
        return bool(kinds) and (kinds <= events.UNDOABLE or kinds == events.LAST_START)

    def outcome(self, view: View) -> Outcome | None:
        """Return how the match ended, or ``None`` while it runs."""
        if view.ranks is None or view.reason is None:
            return None
        scores = tuple((line.seat, line.total) for line in view.gold)
        return Outcome(view.ranks, (msg(f"end.{view.reason}"),), scores)

    def imagine(self, view: View, rng: Rng) -> State:
        """Return a state that this viewer could not tell from the real one."""
        return imagine(view, rng)

    def read(self, text: str) -> Words:
        """Return the words of ``text``; raises :class:`InvalidAction`."""
        return notation.read(text)

    def describe(self, view: View) -> Mapping[str, Any]:
        """Return the view as plain JSON data."""
        return describe(view)

    def record(self, state: State) -> Mapping[str, Any]:
        """Return the whole truth as plain JSON data."""
        return record(state)

    def situation(self, value: Mapping[str, Any], setup: Setup, rng: Rng) -> State:
        """Return the state that ``value`` describes; raises :class:`InvalidAction`."""
        return load(value, setup, rng)
