"""Objects: used with the character or figurine that was played before."""

from __future__ import annotations

from collections.abc import Sequence

from engines.corto import events
from engines.corto.cards import CARDS, Card, Kind
from engines.corto.notation import Word
from engines.corto.table import Table
from engines.corto.turn import Progress
from engines.corto.verbs.base import Step, misplaced, named, refuse
from engines.corto.verbs.cards import CardVerb
from engines.corto.verbs.targets import adds_to, bare_on, markers_on, squares_in_reach, train_in


class Use(CardVerb):
    """``use A15``: discard an object, and have its adds or hits in hand."""

    word = "use"
    kind = Kind.OBJECT

    def parse_rest(self, card: Card, rest: Sequence[Word]) -> Step:
        """Return the step; no word follows."""
        if rest:
            raise misplaced(rest[0])
        return Step(self, card=card.id)

    def has_use(self, table: Table, card: Card) -> bool:
        """Return whether an object played now has anything to add to or to hit."""
        # It acts from the last character or figurine of this turn: without one there is no origin.
        origin = table.turn.origin
        if card.border is None or origin is None:
            return False
        squares = squares_in_reach(table, card)
        if card.border.adds:
            return bool(adds_to(table, squares))
        return bool(
            markers_on(table, squares, own=True)
            or bare_on(table, squares)
            or train_in(table, origin, squares) is not None
        )

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless the object may be used, and has a target."""
        table = progress.table
        card = self.check_card(table, step.card)
        origin = table.turn.origin
        if origin is None:
            raise refuse("object_first", card=named(card.id))
        if not self.has_use(table, card):
            raise refuse("object_target", card=named(card.id), square=origin)

    def do(self, progress: Progress, step: Step) -> None:
        """Discard the object; its first add or hit must follow."""
        table, card = progress.table, CARDS[step.card]
        origin = table.turn.origin
        assert card.border is not None
        assert origin is not None
        table.leave_hand(card.id)
        table.discard(card.id)
        table.tell(events.used(table.seat, card.id, origin))
        adds = card.power if card.border.adds else 0
        table.take_up(card.id, adds=adds, hits=card.power - adds)
        progress.half = True


USE = Use()
