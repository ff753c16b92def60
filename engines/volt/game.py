"""VOLT as a game of the house."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
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
    Option,
    OptionChoice,
    Seat,
    Step,
    Words,
    msg,
)
from engines.core.optional_methods import Judgement, Level, Skill
from engines.core.rng import Rng
from engines.volt import (
    answers,
    events,
    notation,
    player,
    program,
    program_menu,
    reasons,
    retelling,
    rules,
    thinking,
)
from engines.volt.arena import arenas
from engines.volt.draft import unfinished
from engines.volt.imagine import imagine
from engines.volt.rulesets import RULESETS
from engines.volt.situation import load
from engines.volt.state import State, look, record
from engines.volt.view import Phase, View, describe

TRAINING_ARENA = "A"


def _option(key: str, *choices: str, before: str | None = None, **settles: Mapping[str, str]) -> Option:
    found = tuple(
        OptionChoice(choice, msg(f"option.{key}.{choice}"), tuple(settles.get(choice, {}).items()))
        for choice in choices
    )
    return Option(key, msg(f"option.{key}"), found, default=choices[0], before=before)


class Volt(BaseGame[State, View]):
    """The game: :class:`~engines.core.contract.Game`, with situations as data."""

    manifest = Manifest(
        key="volt",
        title="VOLT",
        rulesets=tuple(RULESETS),
        seats=(2, 3, 4),
        usual_seats=4,
        seat_labels=tuple(msg(f"seat.{seat}") for seat in range(4)),
        tagline=msg("tagline"),
        options=(
            _option("arena", "random", *arenas()),
            _option("training", "off", "on", on={"arena": TRAINING_ARENA}),
            _option("tiles", "race", "draw"),
        ),
        data_hashes=data_hashes("engines.volt", "arenas.json", "modules.json"),
    )

    level_names: ClassVar[Mapping[Level, Msg]] = {level: msg(f"level.{level.value}") for level in Level}

    on_start = staticmethod(rules.begin)
    on_withdraw = staticmethod(rules.withdraw)
    on_agree = staticmethod(rules.agree)
    view = staticmethod(look)
    imagine = staticmethod(imagine)
    outcome = staticmethod(events.outcome)
    narrate = staticmethod(events.narrate)
    retell = staticmethod(retelling.retell)
    reason = staticmethod(reasons.reason)
    read = staticmethod(notation.read)
    describe = staticmethod(describe)
    record = staticmethod(record)
    situation = staticmethod(load)

    def seats(self, state: State) -> Collection[Seat]:
        """Return the seats of this match, those that have left too."""
        return state.public.seats

    def gone(self, view: View) -> Collection[Seat]:
        return view.left

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return the seats that are asked and have not answered."""
        return frozenset(view.asked) - frozenset(view.done)

    def refusal(self, view: View) -> Msg:
        return msg("error.done") if view.viewer in view.done else super().refusal(view)

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        """Take a seat's answer; the last one carries all out. Raises :class:`ActionError`."""
        self.check_seat(state, seat)
        if not words:
            raise InvalidAction(msg("error.unreadable", word=""))
        for word in words:
            notation.parse(word)
        view = self.view(state, seat)
        if not self.may_act(view):
            raise IllegalAction(self.refusal(view))
        if view.phase is Phase.PROGRAM:
            draft = program.fold(view, words)
            if not draft.complete:
                raise InvalidAction(unfinished(draft))
            return rules.answer(state, seat, draft.words(), rng)
        answer = answers.fold(view, words)
        if not answer.complete:
            raise InvalidAction(answers.unfinished(answer))
        return rules.answer(state, seat, answer.words(), rng)

    def menu_for(self, view: View, draft: Words) -> Menu:
        menu_after = program_menu.menu_after if view.phase is Phase.PROGRAM else answers.menu_after
        return menu_after(view, draft)

    def preview(self, view: View, draft: Words) -> View:
        """Return the view of ``draft``: its program, and where that leads if nobody else moves."""
        if not draft or view.phase is not Phase.PROGRAM or not self.may_act(view):
            return view
        return program.preview(view, draft)

    def player(self, view: View, menu: Menu, rng: Rng) -> Words:
        """Return the best of some dozen sentences, as the viewer's seat can tell."""
        return player.sentence(view, rng)

    def think(self, view: View, menu: Menu, skill: Skill, rng: Rng) -> Words:
        """Return the sentence of a computer player in the viewer's seat, which looks ahead for a round."""
        return thinking.sentence(view, skill, rng)

    def judge(self, view: View, menu: Menu, words: Words, skill: Skill, rng: Rng) -> Judgement:
        """Return how good a sentence of the viewer's seat was beside the best one."""
        return thinking.judgement(view, words, skill, rng)

    def legal(self, view: View) -> Iterator[Words] | None:
        """Return all answers of the viewer's seat; ``None``: programs are too many to list."""
        if not self.may_act(view):
            return iter(())
        return None if view.phase is Phase.PROGRAM else answers.sentences(answers.Question.of(view))

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        """Return whether a seat has answered, and others are asked still (rules page, *What is secret*).

        The last answer carries all of them out: it shows programs, draws tokens and modules.
        """
        return bool(facts) and all(fact.kind in events.UNDOABLE for fact in facts)
