"""What all verbs have in common: a step, how it is said and refused, and how menus show its choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from engines.core.contract import (
    Arg,
    Choice,
    Field,
    Group,
    IllegalAction,
    InvalidAction,
    SeatName,
    Widget,
    Words,
    msg,
)
from engines.corto.cards import CARDS, Card
from engines.corto.notation import Kind, Word, parse
from engines.corto.state import CardId, Square
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress

# --- refusals -------------------------------------------------------------------------------------


def refuse(key: str, **args: Arg) -> IllegalAction:
    """Return the refusal ``error.<key>``."""
    return IllegalAction(msg(f"error.{key}", **args))


def misplaced(word: Word) -> InvalidAction:
    """Return the refusal of a word that cannot stand where it does."""
    return InvalidAction(msg("error.misplaced", word=word.text))


def listed(words: Iterable[str]) -> str:
    """Return squares, cards or colours as a refusal names them."""
    return ", ".join(words) or "–"


def named(card: CardId) -> str:
    """Return a card as texts name it: ``Lamp keeper (A04)``."""
    return f"{CARDS[card].name} ({card})"


# --- steps ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """What a seat does next, one whole thing. A sentence is a few of them.

    What a verb does not have is left at its default. ``square``: where it happens, or the first of two;
    ``other``: the second. ``origin``: where a marker comes from. ``colour``: whose marker, or whose hand.
    ``word``: a side or a deck. ``shot``: the hit is an armed carriage's.
    """

    verb: Verb
    card: CardId = ""
    square: Square = ""
    other: Square = ""
    origin: Square = ""
    colour: str = ""
    word: str = ""
    shot: bool = False

    @property
    def placed(self) -> str:
        """Return the square, with the one that the marker comes from."""
        return f"{self.square}<{self.origin}" if self.origin else self.square

    def words(self) -> Words:
        """Return the step in words; of draws and discarded cards, the letter or the card alone."""
        return self.verb.write(self)


class Verb:
    """The rules of a verb. This one has no object and does nothing.

    ``word`` begins a step; what begins without one has ``bare``, its word's kind. ``said``: the kinds of the
    one word that follows. ``short``: kinds of single words that stand for a whole step. ``duties``: when it
    may be said. ``closing``: nothing has to follow. ``effect``: it is what a card in hand may do first.
    ``marks``: what words of these kinds, or of fields with these keys, point at on a preview.
    """

    word: ClassVar[str] = ""
    bare: ClassVar[Kind | None] = None
    said: ClassVar[tuple[Kind, ...]] = ()
    short: ClassVar[tuple[Kind, ...]] = ()
    duties: ClassVar[frozenset[Duty]] = frozenset({Duty.TURN})
    closing: ClassVar[bool] = False
    effect: ClassVar[bool] = False
    marks: ClassVar[tuple[tuple[Kind | str, str], ...]] = ()

    # --- words ------------------------------------------------------------------------------------

    def parse(self, words: Sequence[Word]) -> Step | None:
        """Return the step that words are, ``None`` while they only begin it; raises InvalidAction."""
        rest = words[1:]
        if not self.said:
            if rest:
                raise misplaced(rest[0])
            return Step(self)
        if not rest:
            return None
        if len(rest) > 1 or rest[0].kind not in self.said:
            raise misplaced(rest[-1])
        return self.step_of(rest[0])

    def step_of(self, word: Word) -> Step | None:
        """Return the step of the one word that is said, ``None`` while it is incomplete."""
        return Step(self, square=word.one, origin=word.other)

    def write(self, step: Step) -> Words:
        """Return a step in words."""
        return (self.word,)

    def spell_out(self, word: Word) -> tuple[Word, ...]:
        """Return the words for which a single word is short."""
        return (parse(self.word), word)

    # --- rules ------------------------------------------------------------------------------------

    def check_now(self, progress: Progress) -> None:
        """Raise :class:`~engines.core.contract.IllegalAction` unless such a step may come next at all."""
        # Draws in a row are one word and were all named in advance: the rest must wait for what is revealed.
        drawing = Duty.DRAWS in self.duties
        if progress.revealed and (progress.duty is Duty.DONE or not drawing):
            raise refuse("after_reveal")
        if progress.duty not in self.duties:
            raise refuse("after_reveal" if progress.revealed else f"duty_{progress.duty.value}")
        if progress.half and not self.effect:
            card = progress.table.turn.card
            raise refuse("half", card="" if card is None else named(card))

    def check(self, progress: Progress, step: Step) -> None:
        """Raise :class:`~engines.core.contract.IllegalAction` unless the step may be done now."""

    def asks_origin(self, table: Table, step: Step) -> bool:
        """Return whether the step is to say yet where its marker comes from."""
        return False

    def reveals(self, table: Table, step: Step) -> bool:
        """Return whether the step reveals something hidden."""
        return False

    def do(self, progress: Progress, step: Step) -> None:
        """Carry out a step that has been checked.

        Raises :class:`~engines.corto.table.Reveals` where the table does not know what it turns up; draws go
        on without their faces.
        """

    # --- what is asked ----------------------------------------------------------------------------

    def check_open(self, progress: Progress, words: Sequence[Word]) -> None:
        """Raise :class:`~engines.core.contract.IllegalAction` where no step begins with these words."""

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield what goes on with words that begin a step."""
        yield from ()

    def square_of(self, table: Table, word: Word) -> Square | None:
        """Return the square at which a word points."""
        return word.one


# --- what menus show ------------------------------------------------------------------------------

SHOWN = 25
"""Choices that a field shows at once; more are asked in groups."""


def field(key: str, choices: Iterable[Choice]) -> Field:
    """Return a field, with the groups that its choices name where they are many."""
    found = tuple(choices)
    label = msg(f"field.{key}")
    if len(found) <= SHOWN:
        return Field(
            key,
            label,
            tuple(replace(choice, group="") if choice.group else choice for choice in found),
            Widget.BUTTONS,
        )
    names = dict.fromkeys(choice.group for choice in found)
    groups = (
        Group(name, msg("group.train") if name == "train" else msg("group", name=name)) for name in names
    )
    return Field(key, label, found, Widget.BUTTONS, tuple(groups))


def card_choice(card: Card) -> Choice:
    """Return the choice of a card in hand."""
    label = msg("choice.card", card=card.name, id=card.id)
    return Choice(card.id, label, msg("choice.card.detail", text=card.text))


def name_at(table: Table, square: Square) -> str:
    """Return the name of the character on a square."""
    return CARDS[table.board[square].card].name


def square_choice(table: Table, square: Square, key: str, word: str = "", *, reveals: bool = False) -> Choice:
    """Return the choice of a square, whose label is ``choice.<key>``; who stands there is named."""
    who = name_at(table, square) if square in table.board else ""
    detail = msg("choice.reveals") if reveals else msg("choice.who", card=who) if who else None
    return Choice(
        word or square, msg(f"choice.{key}", square=square), detail, square[0].upper(), reveals=reveals
    )


def origin_field(table: Table, square: Square, *, reveals: bool = False) -> Field:
    """Return the field of the characters from which a marker for ``square`` may come."""
    return field(
        "from",
        (square_choice(table, at, "from", f"<{at}", reveals=reveals) for at in table.own_elsewhere(square)),
    )


def marker_choice(table: Table, square: Square, owner: int, word: str, group: str) -> Choice:
    """Return the choice of somebody's marker on a character."""
    label = msg("choice.take", square=square, owner=SeatName(owner))
    detail = msg("choice.take.detail", colour=table.colours[owner], card=name_at(table, square))
    return Choice(word, label, detail, group)
