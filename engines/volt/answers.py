"""The short answers: a start space, a deck, a repair. Folded and checked from the seat's own view alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engines.core.contract import Choice, Field, IllegalAction, InvalidAction, Menu, Msg, Widget, Words, msg
from engines.volt.notation import PROGRAM_KINDS, Kind, Word, parse
from engines.volt.view import DECKS, Phase, Space, View


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is asked: a space of ``spaces``, then a deck of ``decks`` or the word ``other``."""

    spaces: tuple[Space, ...] = ()
    decks: tuple[str, ...] = ()
    other: str = ""

    @classmethod
    def of(cls, view: View) -> Question:
        """Return what the phase asks of the viewer's seat."""
        if view.phase is Phase.START:
            return cls(view.choices, () if view.training else DECKS)
        left = tuple(deck for deck, cards in zip(DECKS, view.decks, strict=True) if cards)
        if view.phase is Phase.SECOND:
            seat = view.viewer
            first = () if seat is None else tuple(card.deck for card in view.modules[seat].active)
            return cls((), tuple(deck for deck in DECKS if deck not in first))
        if view.phase is Phase.REPAIR:
            return cls((), left, Kind.REPAIR.value)
        owed = view.viewer is not None and view.robots[view.viewer].lost is not None
        decks = left if owed and not view.training else ()
        return cls(view.choices, decks, Kind.PASS.value if decks else "")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer being built; each part may be missing."""

    question: Question
    space: Space = ""
    deck: str = ""
    other: str = ""

    @property
    def complete(self) -> bool:
        """Return whether it is a whole sentence."""
        if self.question.spaces and not self.space:
            return False
        return bool(self.deck or self.other) or not self.question.decks

    def words(self) -> Words:
        """Return the normal form."""
        start = ("start", self.space) if self.space else ()
        draw = ("draw", self.deck) if self.deck else ()
        return (*start, *draw, *((self.other,) if self.other else ()))


def fold(view: View, words: Words) -> Answer:
    """Return the answer of words; raises :class:`InvalidAction` or :class:`IllegalAction`."""
    question = Question.of(view)
    answer = Answer(question)
    before: Kind | None = None
    for word in map(parse, words):
        if word.kind in PROGRAM_KINDS:
            raise IllegalAction(asked(question))
        if before is Kind.START and word.kind is not Kind.SPACE:
            raise InvalidAction(msg("error.start_space"))
        if before is Kind.DRAW and word.kind is not Kind.DECK:
            raise InvalidAction(msg("error.draw_deck"))
        before = word.kind
        answer = _fold_word(answer, word)
    return answer


def _fold_word(answer: Answer, word: Word) -> Answer:
    question, said = answer.question, word.text
    if word.kind in (Kind.START, Kind.SPACE):
        if not question.spaces:
            raise IllegalAction(asked(question))
        if word.kind is Kind.START:
            return answer
        if said not in question.spaces:
            raise IllegalAction(msg("error.space", space=said, spaces=question.spaces))
        return replace(answer, space=said)
    if word.kind in (Kind.DRAW, Kind.DECK):
        if not question.decks:
            raise IllegalAction(asked(question))
        if word.kind is Kind.DRAW:
            return answer
        if said not in question.decks:
            raise IllegalAction(msg("error.deck", deck=msg(f"deck.{said}"), decks=question.decks))
        return replace(answer, deck=said, other="")
    if said != question.other:
        raise IllegalAction(asked(question))
    return replace(answer, deck="", other=said)


def menu_after(view: View, words: Words) -> Menu:
    """Return what may follow ``words``; raises as :func:`fold`."""
    answer = fold(view, words)
    question, phase = answer.question, view.phase
    fields: list[Field] = []
    if question.spaces:
        spaces = tuple(Choice(space, msg("choice.space", space=space)) for space in question.spaces)
        fields.append(Field("space", msg("field.space"), spaces, Widget.BUTTONS, chosen=answer.space))
    if question.decks:
        decks = tuple(Choice(deck, msg(f"choice.deck.{deck}")) for deck in question.decks)
        other = (Choice(question.other, msg(f"choice.{question.other}")),) if question.other else ()
        label, chosen = msg(f"field.deck.{phase.value}"), answer.deck or answer.other
        fields.append(Field("deck", label, (*other, *decks), Widget.BUTTONS, chosen=chosen))
    prompt = _prompt(view, answer)
    return Menu(phase.value, prompt, answer.words(), tuple(fields), answer.complete, answer.complete)


def _prompt(view: View, answer: Answer) -> Msg:
    """Return what is asked, or what a complete answer does."""
    if answer.complete:
        return _told(answer)
    # No robot comes back in the first round: there it enters the arena.
    phase = Phase.START if view.round == 1 and view.phase is Phase.REBOOT else view.phase
    question = answer.question
    wants_space = bool(question.spaces) and not answer.space
    wants_deck = bool(question.decks) and not (answer.deck or answer.other)
    if phase in (Phase.SECOND, Phase.REPAIR) or (wants_space and wants_deck):
        return msg(f"prompt.{phase.value}")
    return msg(f"prompt.{phase.value}_space" if wants_space else f"prompt.{phase.value}_deck")


def _told(answer: Answer) -> Msg:
    """Return what a complete answer does."""
    space, deck = answer.space, msg(f"deck.{answer.deck}") if answer.deck else None
    if not space:
        if deck is not None:
            return msg("prompt.draws", deck=deck)
        return msg("prompt.repairs" if answer.other == Kind.REPAIR.value else "prompt.passes")
    if deck is not None:
        return msg("prompt.enters_draws", space=space, deck=deck)
    return msg("prompt.enters_passes" if answer.other else "prompt.enters", space=space)


def asked(question: Question) -> Msg:
    """Return the refusal of an answer to another question: it says what is asked."""
    parts = ("space" if question.spaces else "", "deck" if question.decks else "", question.other)
    return msg(f"error.asked.{'_'.join(part for part in parts if part)}")


def unfinished(answer: Answer) -> Msg:
    """Return what an answer lacks."""
    if answer.question.spaces and not answer.space:
        return msg("error.space_missing", spaces=answer.question.spaces)
    return asked(answer.question)


def sentences(question: Question) -> Iterator[Words]:
    """Yield all whole answers."""
    for space in question.spaces or ("",):
        for deck in question.decks:
            yield Answer(question, space, deck).words()
        if question.other or not question.decks:
            yield Answer(question, space, other=question.other).words()
