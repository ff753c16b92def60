"""What a seat may say: its words folded into steps, each checked on the table that the seat sees.

What it may say next, as data; what it is asked, never what is chosen already; and what the board would show
for what it has drafted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from engines.core.contract import Field, Menu, Msg, SeatName, Words, facts_for, msg
from engines.corto import scoring
from engines.corto.cards import CARDS, Card, Kind
from engines.corto.names import card_name, cards_and_ids, deeds
from engines.corto.notation import Word, WordKind, parse, with_from
from engines.corto.state import CardId
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress, duty_of
from engines.corto.verbs import (
    BARE,
    BY_WORD,
    DRAW,
    END,
    GOLD,
    MARKED,
    MOVE,
    SHORT,
    SHOT,
    START,
    TOSS,
    check,
    playable,
    verb_of,
)
from engines.corto.verbs.actions import add_fields, hit_fields
from engines.corto.verbs.advantages import move_fields
from engines.corto.verbs.base import MOST_CARDS, Step, choice_field, misplaced, play_choice
from engines.corto.verbs.characters import has_marker, sail_fields
from engines.corto.verbs.draws import draw_fields, end_field, toss_fields
from engines.corto.view import Mark, View, table_of

# --- words folded into steps ----------------------------------------------------------------------


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
            if word.kind is WordKind.DECKS:
                return tuple(map(parse, word.one))
            shooting = self.open[0].text == SHOT.word and len(self.open) == 1
            return (
                SHOT.spell_out(word)[1:]
                if shooting and word.kind in (*SHOT.short, WordKind.KILL)
                else (word,)
            )
        duty, card = self.progress.duty, self.progress.table.card_in_hand()
        match word.kind:
            case WordKind.CARD if duty is not Duty.TOSS:
                return verb_of(CARDS[word.text]).spell_out(word)
            case WordKind.DECK | WordKind.DECKS:
                return (*self._before_draws(), *map(parse, word.one))
            case WordKind.SQUARE if duty is Duty.START:
                return START.spell_out(word)
            case WordKind.SQUARE if card is not None and card.effect == "transfer":
                return MOVE.spell_out(word)
            case WordKind.ADD if self.progress.table.turn.gold:
                # Corto pays his friends before he adds markers, since those may change who controls them.
                return GOLD.spell_out(word)
        return SHORT[word.kind].spell_out(word) if word.kind in SHORT else (word,)

    def _before_draws(self) -> Iterator[Word]:
        # A draw ends the cards of a turn of play by itself; draws in a row say their verb once.
        if self.progress.duty is Duty.TURN and self.progress.table.turn.played:
            yield parse(END.word)
        if not self.steps or self.steps[-1].verb is not DRAW:
            yield parse(DRAW.word)

    def _add(self, word: Word) -> None:
        self.open = _joined(self.open, word)
        first = self.open[0]
        verb = BY_WORD[first.text] if first.kind is WordKind.VERB else BARE.get(first.kind)
        if verb is None or (first.kind is not WordKind.VERB and len(self.open) > 1):
            raise misplaced(self.open[-1])
        step = verb.parse(self.open)
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
    if words and words[-1].kind in (WordKind.SQUARE, WordKind.ADD):
        last = words[-1]
        if word.kind is WordKind.FROM and not last.other:
            return [*words[:-1], with_from(last, word.one)]
        if word.kind is WordKind.SQUARE and words[0].text == MOVE.word and not word.other and not last.other:
            return [*words[:-1], parse(f"{last.one}>{word.one}")]
    return [*words, word]


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


# --- menus ----------------------------------------------------------------------------------------


def menu_after(view: View, draft: Words) -> Menu:
    """Return the menu after a draft, for a seat that is asked; raises :class:`ActionError`."""
    folded = fold(view, draft)
    fields = tuple(_fields(folded))
    return Menu(
        key=duty_of(view, folded.progress.table.seat).value,
        prompt=prompt(folded.progress, folded.steps, folded.open, {part.key for part in fields}),
        draft=folded.words(),
        fields=fields,
        complete=folded.complete,
        closing=folded.closing,
        reveals=folded.before is not None,
    )


# --- fields ---------------------------------------------------------------------------------------


def _fields(draft: Draft) -> Iterator[Field]:
    progress = draft.progress
    if draft.before is not None:
        return  # no choice may depend on what is turned up
    if draft.open:
        first = draft.open[0]
        verb = BY_WORD[first.text] if first.kind is WordKind.VERB else BARE[first.kind]
        yield from verb.fields(progress, draft.open)
        return
    match progress.duty:
        case Duty.START:
            yield from BY_WORD["start"].fields(progress, ())
        case Duty.TURN:
            yield from _turn_fields(progress)
        case Duty.TOSS:
            yield from toss_fields(progress)
        case Duty.HAND | Duty.DRAWS:
            yield from draw_fields(progress)


def _turn_fields(progress: Progress) -> Iterator[Field]:
    table = progress.table
    card = table.card_in_hand()
    yield from hit_fields(table, shot=True)
    if card is not None and card.effect == "transfer":
        yield from move_fields(table)
    elif card is not None:
        yield from add_fields(table)
        yield from hit_fields(table)
        yield from sail_fields(table)
    if progress.bound:
        return
    cards = playable(progress)
    if cards:
        yield choice_field("hand", map(play_choice, cards))
    yield end_field(progress)


# --- the preview ----------------------------------------------------------------------------------


def preview_of(view: View, words: Words) -> View:
    """Return the view of a draft of a seat that is asked, up to the first word that reveals.

    Raises :class:`ActionError`.
    """
    draft = fold(view, words)
    if draft.before is not None:
        # Nobody may see what a word turns up before it is confirmed: the preview stops just before it.
        return replace(preview_of(view, draft.before), final=True)
    shown = _after(view, draft) if words else view
    taken_up = draft.progress.table.turn.card if draft.steps else None
    chosen = next((word.text for word in draft.open if word.kind is WordKind.CARD), taken_up)
    return replace(shown, chosen=chosen, marks=tuple(_marks(draft)))


def _after(view: View, draft: Draft) -> View:
    table = draft.progress.table
    shown = table.after(view)
    # Cards that are played are gone from the hand; a preview draws none.
    left = set(table.hand)
    return replace(
        shown,
        turn=None if view.turn is None else table.turn,
        hands=tuple(
            tuple(card for card in hand if card.card in left) if seat == view.viewer else hand
            for seat, hand in enumerate(view.hands)
        ),
        gold=scoring.gold(shown),
        groups=scoring.groups(shown),
        draft=facts_for(table.events, view.viewer),
    )


def _marks(draft: Draft) -> Iterator[Mark]:
    found: dict[Mark, None] = {}
    for part in _fields(draft):
        for choice in part.choices:
            word = parse(choice.word)
            verb, kind = MARKED.get(word.kind) or MARKED.get(part.key) or (None, "")
            square = None if verb is None else verb.square_of(draft.progress.table, word)
            if square is not None:
                found[Mark(square, kind)] = None
    yield from found


# --- prompts --------------------------------------------------------------------------------------

_ACTIONS = frozenset({"shot", "add", "hit", "sail", "from"})
"""The fields of what the card in hand may do."""


def prompt(progress: Progress, steps: Sequence[Step], begun: Sequence[Word], fields: Collection[str]) -> Msg:
    """Return what is asked after ``steps``, the last of which may reveal, and the words ``begun``.

    ``fields``: the keys of the fields that are offered.
    """
    if progress.revealed:
        return _revealing_prompt(progress.table, steps)
    if begun:
        return _begun_prompt(begun)
    turn = progress.table.turn
    match progress.duty:
        case Duty.TURN:
            return _turn_prompt(progress, fields)
        case Duty.TOSS:
            return _toss_prompt(progress, [step.card for step in steps if step.verb is TOSS])
        case Duty.HAND:
            return msg("prompt.hand", n=progress.owed)
        case Duty.DRAWS:
            return msg("prompt.draws" if turn.played else "prompt.draws_all", n=turn.draws)
        case duty:
            return msg(f"prompt.{duty.value}")


def _revealing_prompt(table: Table, steps: Sequence[Step]) -> Msg:
    """Return what the last step does, or the draws in a row at the end."""
    last = steps[-1]
    if last.verb is DRAW:
        decks = tuple(step.word for step in steps if step.verb is DRAW)
        return msg("prompt.reveals_draws", decks=decks, n=len(decks))
    if not last.card:
        return msg("prompt.reveals_train")
    card = card_name(last.card)
    if last.colour:
        opponent = SeatName(table.colours.index(last.colour))
        return msg("prompt.reveals_pick", card=card, opponent=opponent)
    return msg("prompt.reveals_tile", card=card, square=last.square)


def _begun_prompt(begun: Sequence[Word]) -> Msg:
    last = begun[-1]
    if last.kind is WordKind.CARD:
        card = CARDS[last.text]
        return msg(f"prompt.card.{card.effect or card.kind.value}", card=card_name(card.id), **deeds(card))
    if last.kind in (WordKind.SQUARE, WordKind.ADD) and begun[0].text not in ("move", "adv"):
        return msg("prompt.from", square=last.one)
    if last.kind is WordKind.SQUARE:
        return msg(f"prompt.{begun[0].text}", square=last.one)
    return msg("prompt.go_on")


def _turn_prompt(progress: Progress, fields: Collection[str]) -> Msg:
    turn = progress.table.turn
    card = progress.table.card_in_hand()
    if turn.must_free and card is not None:
        return msg("prompt.must_free", card=card_name(card.id))
    if progress.half and card is not None:
        return msg(f"prompt.half.{card.kind.value}", card=card_name(card.id), **deeds(card))
    if not _ACTIONS.isdisjoint(fields):
        if card is None:
            return msg("prompt.shot")
        return msg("prompt.card" if "hand" in fields else "prompt.card_last", card=card_name(card.id))
    if "hand" in fields:
        left = MOST_CARDS - len(turn.played)
        return msg("prompt.turn_more", n=left) if turn.played else msg("prompt.turn")
    if turn.played:
        return msg("prompt.turn_end")
    hand = sorted((CARDS[card] for card in progress.table.hand), key=lambda card: _TELLING.index(card.kind))
    return msg("prompt.nothing", why=_why_not(progress.table, hand[0]) if hand else "no_card")


_TELLING = (Kind.CORTO, Kind.RASPUTIN, Kind.CHARACTER, Kind.ADVANTAGE, Kind.OBJECT)
"""The kinds of cards by how much is said with why they cannot be played: objects follow characters."""


def _why_not(table: Table, card: Card) -> str:
    """Return why no turn can begin with a card."""
    match card.kind:
        case Kind.OBJECT:
            return "object"
        case Kind.ADVANTAGE:
            return card.effect
        case _ if not table.strips_for(card):
            return "no_strip"
        case _:
            return "no_room" if has_marker(table) else "no_marker"


def _toss_prompt(progress: Progress, tossed: Sequence[CardId]) -> Msg:
    draws = progress.draws_after()
    if not tossed:
        return msg("prompt.toss")
    return msg("prompt.tossed", cards=cards_and_ids(tuple(sorted(tossed))), n=draws)
