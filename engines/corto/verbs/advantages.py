"""The seven advantages: what each needs, what it asks, and what it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engines.core.contract import Choice, Field, Seat, SeatName, Words, all_but, msg, only
from engines.corto import events
from engines.corto.cards import CARDS, Card, Kind
from engines.corto.names import card_and_id
from engines.corto.notation import Word, WordKind
from engines.corto.state import CardId, Square
from engines.corto.table import Secrets, Table
from engines.corto.turn import Progress
from engines.corto.verbs.base import (
    CardVerb,
    Step,
    Verb,
    among,
    character_choice,
    choice_field,
    marker_choice,
    misplaced,
    refuse,
)

MOVES = 2
"""Markers that a transfer may move."""

_SAID: Mapping[str, tuple[WordKind, ...]] = {
    "swap": (WordKind.SQUARE, WordKind.SQUARE),
    "bribe": (WordKind.OWNED,),
    "pickpocket": (WordKind.COLOUR,),
}
"""The words that follow an advantage, by its effect."""


def opposing_markers(table: Table) -> tuple[tuple[Square, Seat], ...]:
    """Return the markers of opponents on the board: square and owner."""
    return tuple(
        (square, owner)
        for square in table.squares()
        for owner, count in enumerate(table.board[square].markers)
        if count and owner != table.seat
    )


def victims(table: Table) -> tuple[Seat, ...]:
    """Return the opponents who have a card."""
    return tuple(
        seat
        for seat, hand in enumerate(table.backs)
        if hand and seat != table.seat and seat not in table.public.left
    )


class Advantage(CardVerb):
    """``adv A16 a2 e4``, ``adv D18 a3:blue``, ``adv E17 blue``, ``adv C20``: play an advantage."""

    word = "adv"
    kind = Kind.ADVANTAGE
    marks = (("swap", "swap"), ("to", "to"), ("bribe", "hit"))

    def parse_rest(self, card: Card, rest: Sequence[Word]) -> Step | None:
        """Return the step with what the advantage asks for."""
        kinds = _SAID.get(card.effect, ())
        for word, kind in zip(rest, kinds, strict=False):
            if word.kind is not kind or (kind is WordKind.SQUARE and word.other):
                raise misplaced(word)
        if len(rest) > len(kinds):
            raise misplaced(rest[len(kinds)])
        if len(rest) < len(kinds):
            return None
        step = Step(self, card=card.id)
        match card.effect:
            case "swap":
                return replace(step, square=rest[0].one, other=rest[1].one)
            case "bribe":
                return replace(step, square=rest[0].one, colour=rest[0].other)
            case "pickpocket":
                return replace(step, colour=rest[0].one)
            case _:
                return step

    # --- what each needs --------------------------------------------------------------------------

    def has_use(self, table: Table, card: Card) -> bool:
        """Return whether an advantage has the target that it needs."""
        match card.effect:
            case "swap":
                return len(table.board) > 1
            case "transfer":
                return len(table.board) > 1 and bool(table.own_elsewhere())
            case "bribe":
                return bool(opposing_markers(table))
            case "pickpocket":
                return bool(victims(table))
            case _:
                return True

    def check_begun(self, table: Table, card: Card, rest: Sequence[Word]) -> None:
        """Raise unless the advantage has its target, and what is said of it so far is one."""
        if not self.has_use(table, card):
            raise refuse(f"need_{card.effect}", card=card_and_id(card.id))
        if card.effect == "swap" and rest:
            _check_swap(table, rest[0].one, "")

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless the advantage may be played, with what the step says of it."""
        table = progress.table
        card = self.check_card(table, step.card)
        self.check_begun(table, card, ())
        match card.effect:
            case "swap":
                _check_swap(table, step.square, step.other)
            case "bribe":
                legal = tuple((square, table.colours[owner]) for square, owner in opposing_markers(table))
                if (step.square, step.colour) not in legal:
                    words = tuple(f"{square}:{colour}" for square, colour in legal)
                    raise refuse("bribe_none", square=step.square, colour=step.colour, markers=words)
            case "pickpocket":
                colours = tuple(table.colours[seat] for seat in victims(table))
                if step.colour not in colours:
                    raise refuse("pick_whom", colour=step.colour, colours=colours)

    # --- what each does ---------------------------------------------------------------------------

    def reveals(self, table: Table, step: Step) -> bool:
        """Return whether it takes a random card."""
        return CARDS[step.card].effect == "pickpocket"

    def do(self, progress: Progress, step: Step) -> None:
        """Play an advantage: it is discarded or kept in front, then it takes effect."""
        table, card = progress.table, CARDS[step.card]
        kept, transfer = card.effect == "safe-conduct", card.effect == "transfer"
        table.leave_hand(card.id)
        if kept:
            table.kept[table.seat].append(card.id)
        else:
            table.discard(card.id)
        table.tell(events.advantage(table.seat, card.id, kept=kept))
        table.take_up(card.id, adds=MOVES if transfer else 0)
        progress.half = transfer
        match card.effect:
            case "swap":
                _swap(table, step.square, step.other)
            case "refill":
                table.turn = replace(table.turn, refill=True)
            case "drop-in":
                table.turn = replace(table.turn, drop_in=True)
            case "bribe":
                owner = table.colours.index(step.colour)
                # A bribe is no hit: no safe-conduct is spent on it.
                table.send_home(step.square, owner)
                table.tell(events.bribed(table.seat, step.square, owner))
            case "pickpocket":
                _pick(table, table.hidden(), table.colours.index(step.colour))

    # --- what each asks ---------------------------------------------------------------------------

    def card_fields(self, table: Table, card: Card, rest: Sequence[Word]) -> Iterator[Field]:
        """Yield the characters to exchange, the markers to bribe, or the hands to pick from."""
        match card.effect:
            case "swap" if rest:
                others = (at for at in table.squares() if at != rest[0].one)
                yield choice_field("to", (character_choice(table, at, "swap") for at in others))
            case "swap":
                yield choice_field("swap", (character_choice(table, at, "swap") for at in table.squares()))
            case "bribe":
                markers = (
                    marker_choice(table, at, owner, f"{at}:{table.colours[owner]}", at[0].upper())
                    for at, owner in opposing_markers(table)
                )
                yield choice_field("bribe", markers)
            case _:
                found = []
                for seat in victims(table):
                    label = msg("choice.victim", player=SeatName(seat))
                    detail = msg("choice.victim.detail", n=len(table.backs[seat]))
                    found.append(Choice(table.colours[seat], label, detail, reveals=True))
                yield choice_field("victim", found)


# --- swap -----------------------------------------------------------------------------------------


def _check_swap(table: Table, one: Square, other: Square) -> None:
    for square in (one, other):
        if square and square not in table.board:
            raise among("nobody", "squares", table.squares(), square=square)
    if one == other:
        raise refuse("swap_same", square=one)


def _swap(table: Table, one: Square, other: Square) -> None:
    board, origin = table.board, table.turn.origin
    # Ruling: objects act from where the character of this turn stands now. Was it killed since, or is it a
    # figurine, which no swap moves, the origin stays where it is.
    carried = origin in (one, other) and board[origin].card == table.last_standing() if origin else False
    board[one], board[other] = replace(board[other], square=one), replace(board[one], square=other)
    if carried:
        table.turn = replace(table.turn, origin=other if origin == one else one)
    table.tell(events.swapped(table.seat, one, other))


# --- pickpocket -----------------------------------------------------------------------------------


def _pick(table: Table, secrets: Secrets, victim: Seat) -> None:
    thief, hand = table.seat, secrets.hands[victim]
    card = hand.pop(secrets.stream.below(len(hand)))
    deck = CARDS[card].deck
    lose_sight(table, secrets, victim, deck, card)
    secrets.hands[thief].append(card)
    # The faces are for these two alone; who sees a hand change sees only which deck's back moved.
    table.backs[victim].remove(deck)
    table.backs[thief].append(deck)
    table.backs[thief].sort()
    secrets.seen[thief].discard(card)
    secrets.seen[victim].add(card)
    table.tell(events.picked(thief, victim, deck, card), only(thief, victim))
    table.tell(events.picked(thief, victim, deck, None), all_but(thief, victim))
    # The victim draws from the deck that the card came from; is that empty, from the fullest.
    source = deck if table.deck_sizes[deck] else table.fullest_deck()
    if source is not None:
        table.draw(victim, source)


def lose_sight(table: Table, secrets: Secrets, victim: Seat, deck: str, card: CardId) -> None:
    """Let the others forget what they can no longer place: they see only the back of what was taken.

    Who knew the victim's only card of that deck sees where it goes. Called before the backs change.
    """
    if table.backs[victim].count(deck) == 1:
        return
    # All backs of one deck look alike: any of the victim's cards of this deck may be the one that went.
    mine = {other for other in (*secrets.hands[victim], card) if CARDS[other].deck == deck}
    for viewer, seen in enumerate(secrets.seen):
        if viewer != table.seat:
            seen.difference_update(mine)


# --- transfer -------------------------------------------------------------------------------------


def move_fields(table: Table) -> Iterator[Field]:
    """Yield the markers that a transfer may move."""
    # With a single character in play there is nowhere to move to.
    origins = table.own_elsewhere() if len(table.board) > 1 else ()
    yield choice_field("from", (character_choice(table, square, "move_from") for square in origins))


class Move(Verb):
    """``move a1>b2``: a transfer moves a marker of one's own to another character."""

    word = "move"
    said = (WordKind.SQUARE, WordKind.PATH)
    short = (WordKind.PATH,)
    effect = True
    marks = (("from", "from"), ("to", "to"))

    def step_of(self, word: Word) -> Step | None:
        """Return the step of a path; a square is its beginning."""
        return Step(self, square=word.one, other=word.other) if word.kind is WordKind.PATH else None

    def write(self, step: Step) -> Words:
        """Return ``move a1>b2``."""
        return (self.word, f"{step.square}>{step.other}")

    def check_open(self, progress: Progress, words: Sequence[Word]) -> None:
        """Raise unless a marker may be moved, or that from the square named."""
        table = progress.table
        square = words[1].one if len(words) > 1 else next(iter(table.own_elsewhere()), "")
        self.check(progress, Step(self, square=square))

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless that marker may be moved; ``other`` may be left out."""
        table, card = progress.table, progress.table.card_in_hand()
        if card is None or card.effect != "transfer" or not table.turn.adds:
            raise refuse("no_moves")
        if step.square not in table.own_elsewhere():
            raise among("marker_from", "squares", table.own_elsewhere(), origin=step.square)
        legal = tuple(square for square in table.squares() if square != step.square)
        if step.other and step.other not in legal:
            raise refuse("move_to", square=step.other, squares=legal)

    def do(self, progress: Progress, step: Step) -> None:
        """Move the marker."""
        table = progress.table
        table.change_markers(step.square, table.seat, -1)
        table.change_markers(step.other, table.seat, 1)
        table.tell(events.moved(table.seat, step.square, step.other))
        table.turn = replace(table.turn, adds=table.turn.adds - 1)
        table.tidy()
        progress.half = False

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield the markers, or where the one that is named may go."""
        table = progress.table
        if len(words) == 1:
            yield from move_fields(table)
        else:
            others = (at for at in table.squares() if at != words[1].one)
            yield choice_field("to", (character_choice(table, at, "move_to") for at in others))


ADV, MOVE = Advantage(), Move()
