"""What verbs have in common: a step, how it is said and refused, how menus show it; cards that are played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from engines.core.contract import (
    Arg,
    Choice,
    Field,
    Group,
    IllegalAction,
    InvalidAction,
    Msg,
    SeatName,
    Widget,
    Words,
    msg,
)
from engines.corto.cards import CARDS, Card, Kind
from engines.corto.names import card_and_id, card_name, card_rule, deeds
from engines.corto.notation import Word, WordKind, parse
from engines.corto.state import CardId, Square
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress

# --- refusals -------------------------------------------------------------------------------------


def refuse(key: str, **args: Arg) -> IllegalAction:
    """Return the refusal ``error.<key>``."""
    return IllegalAction(msg(f"error.{key}", **args))


def not_in_hand(card: CardId, hand: Iterable[CardId]) -> IllegalAction:
    """Return the refusal of a card that its player does not hold."""
    return among("not_in_hand", "cards", hand, card=card)


def misplaced(word: Word) -> InvalidAction:
    """Return the refusal of a word that cannot stand where it does."""
    return InvalidAction(msg("error.misplaced", word=word.text))


def among(key: str, name: str, found: Iterable[str], **args: Arg) -> IllegalAction:
    """Return the refusal ``error.<key>`` with a list, as the gap ``name``, of what is allowed or there.

    ``n`` is how many that are: none is told otherwise.
    """
    words = tuple(found)
    return refuse(key, **{**args, "n": len(words), name: words})


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
    may be said. ``closing``: nothing has to follow. ``effect``: it is what a card in hand may do first;
    ``frees``: what it does may free a square. ``marks``: what words of these kinds, or of fields with these
    keys, point at on a preview.
    """

    word: ClassVar[str] = ""
    bare: ClassVar[WordKind | None] = None
    said: ClassVar[tuple[WordKind, ...]] = ()
    short: ClassVar[tuple[WordKind, ...]] = ()
    duties: ClassVar[frozenset[Duty]] = frozenset({Duty.TURN})
    closing: ClassVar[bool] = False
    effect: ClassVar[bool] = False
    frees: ClassVar[bool] = False
    marks: ClassVar[tuple[tuple[WordKind | str, str], ...]] = ()

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
            assert progress.table.turn.card is not None
            raise refuse("half", card=card_and_id(progress.table.turn.card))
        if progress.table.turn.must_free and not self.frees:
            assert progress.table.turn.card is not None
            raise refuse("must_free", card=card_and_id(progress.table.turn.card))

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


def choice_field(key: str, choices: Iterable[Choice], widget: Widget = Widget.BUTTONS) -> Field:
    """Return a field, with the groups that its choices name where they are many."""
    found = tuple(choices)
    label = msg(f"field.{key}")
    if len(found) <= SHOWN:
        return Field(
            key,
            label,
            tuple(replace(choice, group="") if choice.group else choice for choice in found),
            widget,
        )
    names = dict.fromkeys(choice.group for choice in found)
    groups = (
        Group(name, msg("group.train") if name == "train" else msg("group", place=name)) for name in names
    )
    return Field(key, label, found, widget, tuple(groups))


def card_choice(card: Card) -> Choice:
    """Return the choice of a card in hand."""
    label = msg("choice.card", card=card_name(card.id), id=card.id)
    return Choice(card.id, label, card_rule(card))


def play_choice(card: Card) -> Choice:
    """Return the choice of a card to play: no picture says what an advantage does, so its label does."""
    found = card_choice(card)
    if card.kind is not Kind.ADVANTAGE:
        return found
    return replace(found, label=msg("choice.advantage", card=card_name(card.id), **deeds(card)), detail=None)


def name_at(table: Table, square: Square) -> Msg:
    """Return the name of the character on a square."""
    return card_name(table.board[square].card)


def square_choice(table: Table, square: Square, *, reveals: bool = False) -> Choice:
    """Return the choice of a square, whoever stands there: it is called by its name alone."""
    detail = None
    if square in table.board:
        detail = _standing(table, square)
    return Choice(
        square,
        msg("choice.square", square=square),
        msg("choice.reveals") if reveals else detail,
        square[0].upper(),
        reveals=reveals,
    )


def _standing(table: Table, square: Square) -> Msg:
    markers = _markers(table, square)
    key = "choice.standing" if markers else "choice.standing.bare"
    return msg(key, card=name_at(table, square), markers=markers)


def character_choice(
    table: Table, square: Square, key: str, word: str = "", *, reveals: bool = False
) -> Choice:
    """Return the choice of the character on a square, whose label is ``choice.<key>``."""
    return Choice(
        word or square,
        msg(f"choice.{key}", square=square, card=name_at(table, square)),
        msg("choice.reveals") if reveals else markers_at(table, square),
        square[0].upper(),
        reveals=reveals,
    )


def markers_at(table: Table, square: Square) -> Msg:
    """Return whose markers are on a character."""
    found = _markers(table, square)
    return msg("choice.markers", markers=found) if found else msg("choice.bare")


def _markers(table: Table, square: Square) -> tuple[Msg, ...]:
    return tuple(
        msg("choice.marker", owner=SeatName(seat), n=count)
        for seat, count in enumerate(table.board[square].markers)
        if count
    )


def origin_field(table: Table, origins: Iterable[Square], *, reveals: bool = False) -> Field:
    """Return the field of the characters from which a marker may come."""
    return choice_field(
        "from", (character_choice(table, at, "from", f"<{at}", reveals=reveals) for at in origins)
    )


def marker_choice(table: Table, square: Square, owner: int, word: str, group: str) -> Choice:
    """Return the choice of somebody's marker on a character."""
    label = msg("choice.take", square=square, card=name_at(table, square), owner=SeatName(owner))
    return Choice(word, label, markers_at(table, square), group)


# --- cards ----------------------------------------------------------------------------------------

MOST_CARDS = 4
"""Cards that a seat may play in a turn."""

WORDS: Mapping[Kind, str] = {
    Kind.CHARACTER: "play",
    Kind.OBJECT: "use",
    Kind.ADVANTAGE: "adv",
    Kind.CORTO: "corto",
    Kind.RASPUTIN: "rasputin",
}
"""The word that plays a card of each kind."""


class CardVerb(Verb, ABC):
    """Plays a card of one kind: ``word``, the card, and what :meth:`parse_rest` makes of the rest."""

    kind: ClassVar[Kind]

    # --- words ------------------------------------------------------------------------------------

    def parse(self, words: Sequence[Word]) -> Step | None:
        """Return the step that words are, ``None`` while they only begin it; raises InvalidAction."""
        if len(words) == 1:
            return None
        if words[1].kind is not WordKind.CARD:
            raise misplaced(words[1])
        return self.parse_rest(CARDS[words[1].one], words[2:])

    def parse_rest(self, card: Card, rest: Sequence[Word]) -> Step | None:
        """Return the step with a card and the words after it: here one square."""
        if not rest:
            return None
        place = rest[0]
        if len(rest) > 1 or place.kind is not WordKind.SQUARE or place.other:
            raise misplaced(rest[-1])
        return Step(self, card=card.id, square=place.one)

    def write(self, step: Step) -> Words:
        """Return the word, the card, and what is said of it."""
        if step.square and step.colour:
            return (self.word, step.card, f"{step.square}:{step.colour}")
        return tuple(word for word in (self.word, step.card, step.placed, step.other, step.colour) if word)

    # --- rules ------------------------------------------------------------------------------------

    def check_card(self, table: Table, card: CardId) -> Card:
        """Return the face of a card that may be played now with this verb; raises for the others."""
        face = CARDS[card]
        if card not in table.hand:
            raise not_in_hand(card, table.hand)
        if face.kind is not self.kind:
            raise refuse("wrong_verb", card=card_and_id(card), words=f"{WORDS[face.kind]} {card}")
        if len(table.turn.played) >= MOST_CARDS:
            raise refuse("four_cards", n=MOST_CARDS)
        return face

    @abstractmethod
    def has_use(self, table: Table, card: Card) -> bool:
        """Return whether a card of this verb's kind can do what it must, were it in hand."""

    def check_begun(self, table: Table, card: Card, rest: Sequence[Word]) -> None:
        """Raise unless the card, with the words after it, has somewhere to go."""

    # --- what is asked ----------------------------------------------------------------------------

    def check_open(self, progress: Progress, words: Sequence[Word]) -> None:
        """Raise where no card, or not this one, can be played."""
        if len(words) > 1:
            card = self.check_card(progress.table, words[1].one)
            self.check_begun(progress.table, card, words[2:])
        elif not self._cards(progress):
            raise refuse(f"none_to_{self.word}")

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield the cards of this kind, or what is asked of the one that is taken up."""
        if len(words) == 1:
            yield choice_field("hand", map(play_choice, self._cards(progress)))
        else:
            yield from self.card_fields(progress.table, CARDS[words[1].text], words[2:])

    def card_fields(self, table: Table, card: Card, rest: Sequence[Word]) -> Iterator[Field]:
        """Yield what is asked of a card that is taken up."""
        yield from ()

    def _cards(self, progress: Progress) -> list[Card]:
        return [
            card
            for card in may_be_next(progress)
            if card.kind is self.kind and self.has_use(progress.table, card)
        ]


def may_be_next(progress: Progress) -> list[Card]:
    """Return the cards of the hand while another may be played at all."""
    table = progress.table
    if progress.duty is not Duty.TURN or progress.revealed or progress.bound:
        return []
    return [CARDS[card] for card in table.hand] if len(table.turn.played) < MOST_CARDS else []
