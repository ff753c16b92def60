"""The Secret of the Doge as a game of the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from engines.core.base import MenuGame
from engines.core.canonical_json import data_hashes
from engines.core.contract import (
    Fact,
    IllegalAction,
    Manifest,
    Menu,
    Msg,
    Option,
    OptionChoice,
    Seat,
    SeatName,
    Step,
    Words,
    msg,
)
from engines.core.optional_methods import Level, Skill
from engines.core.player import walk
from engines.core.rng import Rng
from engines.doge import events, player, reasons, rules, thinking
from engines.doge.components import COLOURS, NIGHTS, Card, Pair, Way
from engines.doge.imagine import imagine
from engines.doge.menu import FORMS, NOTES, menu_after
from engines.doge.rules import Progress, acting
from engines.doge.situation import load
from engines.doge.state import State, look, record
from engines.doge.view import GiftAhead, Phase, Reason, Result, Subject, View, describe
from engines.doge.words import NOTHING, read_marks

GIFTS = Option(
    key="gifts",
    label=msg("option.gifts"),
    choices=(OptionChoice("ahead", msg("option.ahead")), OptionChoice("asked", msg("option.asked"))),
    default="asked",
)

_SUBJECTS = {
    **dict.fromkeys(("mark", "auto"), Subject.SHEET),
    **dict.fromkeys(("show", "give", "ahead"), Subject.HAND),
}
"""The picture that a draft is about, by its first word; the board for any other."""

_SINGLE = {"roll": rules.roll, "look": rules.look, "leave": rules.leave, "pass": rules.pass_last}


class Doge(MenuGame[State, View]):
    """The game: co-operative, with notes that nobody else notices, and situations as data."""

    manifest = Manifest(
        key="doge",
        title="The Secret of the Doge",
        rulesets=("1",),
        seats=(2, 3, 4),
        usual_seats=4,
        seat_labels=tuple(msg(f"colour.{colour}") for colour in COLOURS),
        tagline=msg("tagline"),
        options=(NIGHTS, GIFTS),
        data_hashes=data_hashes("engines.doge", "nights.json"),
        cooperative=True,
    )

    level_names: ClassVar[Mapping[Level, Msg]] = {level: msg(f"level.{level.value}") for level in Level}

    on_start = staticmethod(rules.begin)
    menu_for = staticmethod(menu_after)
    view = staticmethod(look)
    imagine = staticmethod(imagine)
    outcome = staticmethod(events.outcome)
    narrate = staticmethod(events.narrate)
    retell = staticmethod(events.retell)
    reason = staticmethod(reasons.reason)
    describe = staticmethod(describe)
    record = staticmethod(record)
    situation = staticmethod(load)

    def seats(self, state: State) -> range:
        """Return the seats of this match, those that are out too."""
        return range(state.public.seats)

    def gone(self, view: View) -> tuple[Seat, ...]:
        """Return the seats that have resigned. Who has guessed wrong is out, and keeps its sheet."""
        return view.resigned

    def waiting(self, view: View) -> frozenset[Seat]:
        """Return the seats that must decide: everybody can tell."""
        return view.asked

    def may_act(self, view: View) -> bool:
        """Return whether the viewer's seat may say anything: notes are open to all that have not left."""
        return view.viewer is not None and view.phase is not Phase.OVER and view.viewer not in view.resigned

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        owes = state.public.owes
        # The guess is kept as a draft meanwhile: it is not unfinished, it has to wait.
        if words[:1] == ("guess",) and len(words) > 1 and owes is not None and seat not in state.public.out:
            self.check_seat(state, seat)
            self.menu(self.view(state, seat), words)
            raise IllegalAction(msg("error.cards_owed", player=SeatName(owes)))
        return super().act(state, seat, words, rng)

    def unfinished(self, menu: Menu) -> Msg:
        """Return what is missing, by the sentence's first word."""
        head = menu.draft[0] if menu.draft else ""
        return msg(f"error.unfinished.{head}" if head in FORMS else "error.unfinished")

    def on_act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        match words:
            case ("ahead", *gift):
                return Step(rules.leave_gift(state, seat, _gift_ahead(gift)), ())
            case ("auto", answer):
                notes = replace(state.notes[seat], auto=answer == "on")
                return Step(rules.take_note(state, seat, notes), ())
            case ("mark", *marks):
                notes = state.notes[seat]
                said = read_marks(look(state, seat), tuple(marks))
                return Step(rules.take_note(state, seat, replace(notes, marks=said.on(notes.marks))), ())
        progress = acting(state, rng)
        _carry_out(progress, seat, words)
        return progress.step()

    def on_withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        """Take a seat out as after a wrong guess, but without a look at the treasure."""
        progress = acting(state, rng)
        rules.resign(progress, seat)
        return progress.step()

    def on_agree(self, state: State, rng: Rng) -> Step[State]:
        """End the search, neither won nor lost."""
        progress = acting(state, rng)
        rules.finish(progress, Result(None, Reason.AGREED))
        return progress.step()

    def lapse(self, view: View, rng: Rng) -> Words | None:
        """Return what is done by lot at a deadline (rules page, A player who does not answer)."""
        if not view.is_asked:
            return None
        if view.owes is not None and view.own is not None:
            # Not by a walk of the menus, which would favour the proposed square.
            card, square = rules.gift_by_lot(view.false_hand, rng.stream("lot"))
            is_meeting = view.phase is Phase.SHOW
            words = rules.with_true(view.own, card).cards if is_meeting else (card,)
            return ("show" if is_meeting else "give", *(each.value for each in words), str(square))
        return walk(self, view, menu_after(view, ()), rng)

    def player(self, view: View, menu: Menu, rng: Rng) -> Words:
        return player.sentence(view, rng)

    def think(self, view: View, menu: Menu, skill: Skill, rng: Rng) -> Words:
        return thinking.sentence(view, skill, rng)

    def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        """Return a guess of the computer player, where it is time for one."""
        return player.interruption(view) if skill is None else thinking.interruption(view, skill)

    def is_note(self, words: Words) -> bool:
        """Return whether a sentence is a pencil mark, or about what the own sheet shows."""
        return words[:1] != () and words[0] in NOTES

    def can_be_undone(self, facts: Sequence[Fact]) -> bool:
        """Return whether a pawn was placed or moved, a pile left alone, or a last guess passed.

        Rolls and ghost cards are chance, who meets and who looks is shown cards (rules page, *Your turn*),
        and a wrong guess shows the treasure (*Guessing*). A meeting counts even while cards are owed: where
        they were left in advance (*A gift in advance*), they have been shown with it.
        """
        return bool(facts) and all(fact.kind in events.UNDOABLE for fact in facts)

    def preview(self, view: View, draft: Words) -> View:
        """Return the view of a draft: pencil marks on the sheet; else which picture the draft is about."""
        if not draft or view.viewer is None:
            return view
        shown = replace(view, subject=_SUBJECTS.get(draft[0], Subject.BOARD))
        if draft[0] != "mark" or view.notes is None or view.sheet is None:
            return shown
        marks = read_marks(view, draft[1:]).on(view.notes.marks)
        sections = tuple(
            replace(part, pencil=tuple((one.card, one.mark) for one in marks if one.seat == part.seat))
            for part in view.sheet.sections
        )
        notes = replace(view.notes, marks=marks)
        return replace(shown, notes=notes, sheet=replace(view.sheet, sections=sections))


def _carry_out(progress: Progress, seat: Seat, words: Words) -> None:
    match words:
        case ("place", square):
            rules.place(progress, seat, int(square))
        case ("roll" | "look" | "leave" | "pass" as verb,):
            _SINGLE[verb](progress, seat)
        case ("cw" | "ccw" as way,):
            rules.move(progress, seat, Way(way))
        case ("meet" | "haunt" as verb, colour):
            (rules.meet if verb == "meet" else rules.haunt)(progress, COLOURS.index(colour))
        case ("show", institution, craft, square):
            rules.show(progress, seat, Pair(Card(institution), Card(craft)), int(square))
        case ("give", card, square):
            rules.give(progress, seat, Card(card), int(square))
        case ("guess", institution, craft):
            rules.guess(progress, seat, Pair(Card(institution), Card(craft)))
        case _:
            raise ValueError("a sentence that the menus do not know")


def _gift_ahead(words: list[str]) -> GiftAhead | None:
    if words == [NOTHING]:
        return None
    institution, craft, square = words
    return GiftAhead(Pair(Card(institution), Card(craft)), int(square))
