"""The two drafts of a seat: how they change, and what is left of them when the match goes on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from bot.domain.drafts import Draft, DraftRow
from bot.matches.seat_view import SeatView
from engines.core.contract import Seat, Words

TRAIL = 40
"""How many changes of a draft can be taken back."""


@dataclass(frozen=True, slots=True)
class SeatDrafts:
    """A seat's own draft, and the one for asides, which is shown while it has words."""

    main: Draft = Draft()  # noqa: RUF009 - frozen, and the same for all
    aside: Draft = Draft()  # noqa: RUF009

    shown: Draft = field(init=False, repr=False, compare=False)
    """The draft that the panel shows."""
    revision: int = field(init=False, compare=False)
    """The one number that grows with every change of either."""
    cut: int = field(init=False, compare=False)
    """How many words fell away when the match moved on."""

    def __post_init__(self) -> None:
        # A panel asks for all three, several times.
        object.__setattr__(self, "shown", self.aside if self.aside.words else self.main)
        object.__setattr__(self, "revision", max(self.main.revision, self.aside.revision))
        object.__setattr__(self, "cut", max(self.main.cut, self.aside.cut))

    def put(self, words: Words, *, aside: bool, trail: tuple[Words, ...] | None = None) -> SeatDrafts:
        """Return the drafts with new words in one of them.

        Words in the seat's own draft clear the aside, so that the draft that was changed is shown.
        ``trail``: what Back leads to; ``None``: to what the draft was.
        """
        if trail is None:
            old = self.aside if aside else self.main
            trail = (*old.trail, old.words)[-TRAIL:]
        new = Draft(words, self.revision + 1, trail=trail)
        if aside:
            # The panel has shown the other draft's cut by now.
            return SeatDrafts(replace(self.main, cut=0), new)
        return SeatDrafts(new, Draft((), self.aside.revision))

    def said(self, *, aside: bool) -> SeatDrafts:
        """Return the drafts after a sentence was committed: the draft that it came from is empty."""
        revision = self.revision + 1
        if aside:
            return replace(self, aside=Draft((), revision))
        return replace(self, main=Draft((), revision))

    def cut_to(self, view: SeatView) -> SeatDrafts:
        """Return the drafts, each cut to what the seat may still say."""
        main, aside = self._cut(self.main, view), self._cut(self.aside, view)
        return self if main is self.main and aside is self.aside else SeatDrafts(main, aside)

    def _cut(self, draft: Draft, view: SeatView) -> Draft:
        if not draft.words:
            return draft
        words = view.longest_valid(draft.words).words
        if words == draft.words:
            return draft
        return Draft(words, self.revision + 1, max(0, len(draft.words) - len(words)))

    def changed_rows(self, seat: Seat, before: SeatDrafts) -> list[DraftRow]:
        """Return the drafts that differ from those before, as they are stored."""
        found: list[DraftRow] = []
        if self.main != before.main:
            found.append(DraftRow(seat, aside=False, draft=self.main))
        if self.aside != before.aside:
            found.append(DraftRow(seat, aside=True, draft=self.aside))
        return found


NO_DRAFTS = SeatDrafts()
"""What a seat has before it drafts anything."""


def drafts_by_seat(rows: Iterable[DraftRow]) -> dict[Seat, SeatDrafts]:
    """Return stored drafts by their seats."""
    found: dict[Seat, SeatDrafts] = {}
    for row in rows:
        drafts = found.get(row.seat, NO_DRAFTS)
        found[row.seat] = replace(drafts, aside=row.draft) if row.aside else replace(drafts, main=row.draft)
    return found
