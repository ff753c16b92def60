"""Words folded into steps, on the table that a seat sees; what is begun and not yet whole stays open."""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.core.contract import Words
from engines.corto import aims, playing
from engines.corto.course import Course, Duty
from engines.corto.dispatch import check, do, reveals
from engines.corto.files import CARDS
from engines.corto.grammar import SHORT, SHOTS, joined, step_of
from engines.corto.notation import Kind, Word, parse
from engines.corto.openings import check_open
from engines.corto.steps import Step, Verb
from engines.corto.tables import public_of, table_of_view
from engines.corto.view import View

CLOSING = frozenset({Verb.START, Verb.END, Verb.DISCARD, Verb.TOSS, Verb.DRAW, Verb.ENOUGH})


@dataclass(slots=True, repr=False)
class Draft:
    """A draft: ``steps`` that are whole and done on the course's table, and ``open`` words of the next one.

    ``before``: the words before the first that reveals, ``None`` while nothing is revealed.
    """

    course: Course
    steps: list[Step] = field(default_factory=list)
    open: list[Word] = field(default_factory=list)
    before: Words | None = None

    @property
    def complete(self) -> bool:
        """Return whether the draft may be said as it stands."""
        return bool(self.steps) and not self.open and not self.course.half

    @property
    def closing(self) -> bool:
        """Return whether its last word reveals, or ends something."""
        return self.complete and (self.before is not None or self.steps[-1].verb in CLOSING)

    def words(self) -> Words:
        """Return the draft in normal form."""
        found: list[str] = []
        tossed = sorted(step.card for step in self.steps if step.verb is Verb.TOSS)
        drawing = False
        for step in self.steps:
            if step.verb is Verb.DRAW and not drawing:
                found.append("draw")
                drawing = True
            found += (tossed.pop(0),) if step.verb is Verb.TOSS else step.words()
        return (*found, *(word.text for word in self.open))

    def take(self, text: str) -> None:
        """Take the next word; raises :class:`~engines.core.contract.ActionError`."""
        before = self.words() if self.before is None else self.before
        for word in self._spelt_out(parse(text)):
            self._take(word)
        if self.course.revealed and self.before is None:
            self.before = before

    # --- words ------------------------------------------------------------------------------------

    def _spelt_out(self, word: Word) -> tuple[Word, ...]:
        """Return a single word as the words that it is short for."""
        if self.open:
            return SHOTS[word.kind](word)[1:] if self._shoots(word) else (word,)
        if word.kind is Kind.CARD and self.course.duty is not Duty.TOSS:
            return (parse(playing.verb_of(CARDS[word.text])), word)
        if word.kind is Kind.DECK:
            return (word,) if self._drawing() else (parse("draw"), word)
        if word.kind is Kind.SQUARE:
            return self._square(word)
        if word.kind is Kind.ADD and self.course.table.turn.gold:
            return (parse("gold"), word)
        short = SHORT.get(word.kind)
        return (word,) if short is None else short(word)

    def _square(self, word: Word) -> tuple[Word, ...]:
        """Return what a square alone means: where to start, or whose marker to move."""
        if self.course.duty is Duty.START:
            return (parse("start"), word)
        card = aims.card_in_hand(self.course.table)
        return (parse("move"), word) if card is not None and card.effect == "transfer" else (word,)

    def _shoots(self, word: Word) -> bool:
        return self.open[0].text == "shot" and len(self.open) == 1 and word.kind in SHOTS

    def _drawing(self) -> bool:
        return bool(self.steps) and self.steps[-1].verb is Verb.DRAW

    def _take(self, word: Word) -> None:
        self.open = joined(self.open, word)
        step = step_of(self.open)
        if step is None:
            return
        check(self.course, step)
        if self._asks_origin(step):
            return
        turned = reveals(self.course, step)
        if not turned or step.verb is Verb.DRAW:
            do(self.course, step)
        if turned:
            self.course.revealed = True
            self.course.half = False
        self.steps.append(step)
        self.open = []

    def _asks_origin(self, step: Step) -> bool:
        """Return whether the step waits to hear where its marker comes from."""
        if step.verb not in (Verb.PLAY, Verb.ADD) or step.origin:
            return False
        return playing.asks_origin(self.course.table, step.square)


def fold(view: View, words: Words) -> Draft:
    """Return the draft of words for the view's seat; raises :class:`~engines.core.contract.ActionError`."""
    draft = Draft(Course.of(public_of(view), table_of_view(view)))
    for word in words:
        draft.take(word)
    if draft.open:
        check_open(draft.course, draft.open)
    return draft
