"""What a seat may say: words folded into steps, each checked on the table that the seat sees."""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.core.contract import Words
from engines.corto.cards import CARDS, Card
from engines.corto.notation import Kind, Word, parse, with_from
from engines.corto.state import CardId, Cards
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress
from engines.corto.verbs import BARE, BY_WORD, DRAW, GOLD, MOVE, SHORT, SHOT, START, TOSS, verb_of
from engines.corto.verbs.base import Step, misplaced
from engines.corto.verbs.cards import may_be_next
from engines.corto.view import View, table_of

# --- cards that may be played ---------------------------------------------------------------------


def playable(progress: Progress) -> tuple[Card, ...]:
    """Return the cards of the hand that may be played next, in the hand's order."""
    return tuple(card for card in may_be_next(progress) if verb_of(card).has_use(progress.table, card))


def could_begin(table: Table, card: CardId) -> bool:
    """Return whether the acting seat could begin a turn with the card, were it in its hand.

    It depends on public things alone: never an object; a character needs a square and a marker; an
    advantage needs its target. The table is one at the beginning of a turn.
    """
    return verb_of(CARDS[card]).has_use(table, CARDS[card])


def unplayable(table: Table) -> Cards:
    """Return all cards of the decks in play with which the acting seat could not begin, sorted.

    A skip shows that its hand holds nothing else (:attr:`Public.limited`).
    """
    return tuple(sorted(card for card in CARDS if card[0] in table.strips and not could_begin(table, card)))


# --- sentences ------------------------------------------------------------------------------------


def check(progress: Progress, step: Step) -> None:
    """Raise :class:`~engines.core.contract.IllegalAction` unless the step may be done now."""
    step.verb.check_now(progress)
    step.verb.check(progress, step)


@dataclass(slots=True, repr=False)
class Draft:
    """A draft: ``steps`` that are whole and done on the table, and ``open`` words of the next one.

    ``before``: the words before the first that reveals, ``None`` while nothing is revealed.
    """

    progress: Progress
    steps: list[Step] = field(default_factory=list)
    open: list[Word] = field(default_factory=list)
    before: Words | None = None

    @property
    def complete(self) -> bool:
        """Return whether the draft may be said as it stands."""
        return bool(self.steps) and not self.open and not self.progress.half

    @property
    def closing(self) -> bool:
        """Return whether its last word reveals, or ends something."""
        return self.complete and (self.before is not None or self.steps[-1].verb.closing)

    def words(self) -> Words:
        """Return the draft in normal form: ``draw`` is said once, and discarded cards are sorted."""
        found: list[str] = []
        tossed = sorted(step.card for step in self.steps if step.verb is TOSS)
        drawing = False
        for step in self.steps:
            if step.verb is DRAW and not drawing:
                found.append(DRAW.word)
                drawing = True
            found += (tossed.pop(0),) if step.verb is TOSS else step.words()
        return (*found, *(word.text for word in self.open))

    def add(self, text: str) -> None:
        """Add the next word; raises :class:`~engines.core.contract.ActionError`."""
        before = self.words() if self.before is None else self.before
        for word in self._spelt_out(parse(text)):
            self._add(word)
        if self.progress.revealed and self.before is None:
            self.before = before

    def _spelt_out(self, word: Word) -> tuple[Word, ...]:
        if self.open:
            shooting = self.open[0].text == SHOT.word and len(self.open) == 1
            return SHOT.spell_out(word)[1:] if shooting and word.kind in (*SHOT.short, Kind.KILL) else (word,)
        duty, card = self.progress.duty, self.progress.table.card_in_hand()
        match word.kind:
            case Kind.CARD if duty is not Duty.TOSS:
                return verb_of(CARDS[word.text]).spell_out(word)
            case Kind.DECK if not self.steps or self.steps[-1].verb is not DRAW:
                return DRAW.spell_out(word)
            case Kind.SQUARE if duty is Duty.START:
                return START.spell_out(word)
            case Kind.SQUARE if card is not None and card.effect == "transfer":
                return MOVE.spell_out(word)
            case Kind.ADD if self.progress.table.turn.gold:
                # Corto pays his friends before he adds markers, since those may change who controls them.
                return GOLD.spell_out(word)
        return SHORT[word.kind].spell_out(word) if word.kind in SHORT else (word,)

    def _add(self, word: Word) -> None:
        self.open = _joined(self.open, word)
        step = _step_of(self.open)
        if step is None:
            return
        table = self.progress.table
        # Checked on what the seat sees, before anything is revealed: a refusal tells nothing hidden.
        check(self.progress, step)
        if step.verb.asks_origin(table, step):
            return
        turned = step.verb.reveals(table, step)
        if not turned or step.verb is DRAW:  # a draw changes what may follow, whatever its face
            step.verb.do(self.progress, step)
        if turned:
            self.progress.revealed = True
            self.progress.half = False
        self.steps.append(step)
        self.open = []


def _joined(words: list[Word], word: Word) -> list[Word]:
    # ``<c2`` and the second square of a move join the word before: buttons say them one by one.
    if words and words[-1].kind in (Kind.SQUARE, Kind.ADD):
        last = words[-1]
        if word.kind is Kind.FROM and not last.other:
            return [*words[:-1], with_from(last, word.one)]
        if word.kind is Kind.SQUARE and words[0].text == MOVE.word and not word.other and not last.other:
            return [*words[:-1], parse(f"{last.one}>{word.one}")]
    return [*words, word]


def _step_of(words: list[Word]) -> Step | None:
    first = words[0]
    if first.kind is Kind.VERB:
        return BY_WORD[first.text].parse(words)
    if len(words) > 1:
        raise misplaced(words[-1])
    if first.kind not in BARE:
        raise misplaced(first)
    return BARE[first.kind].parse(words)


def fold(view: View, words: Words) -> Draft:
    """Return the draft of words for the view's seat; raises :class:`~engines.core.contract.ActionError`."""
    draft = Draft(Progress.of(table_of(view)))
    for word in words:
        draft.add(word)
    # A menu after these words would be empty, or they would be refused later: better say now what forbids it.
    if draft.open:
        verb = BY_WORD.get(draft.open[0].text)
        if verb is not None:  # without a verb, the step is whole but for where its marker comes from
            verb.check_now(draft.progress)
            verb.check_open(draft.progress, draft.open)
    return draft
