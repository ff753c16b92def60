"""The engine's deduction against every deal laid out: random evidence, put before a seat as a situation."""

from __future__ import annotations

import random
from collections import Counter

from engines.core import setups
from engines.core.contract import InvalidAction
from engines.core.rng import Rng
from engines.doge import GAME
from engines.doge.deduction import Evidence, Identity, Met, Refuted, SeenFalse, reasons
from engines.doge.sheet import Knowledge
from engines.doge.state import State
from tests.games.doge.reference_sheet import (
    COLOURS,
    CRAFTS,
    INSTITUTIONS,
    Clue,
    Deal,
    Json,
    columns,
    deals,
    deduced,
    fits,
    fitting,
    marks,
    sure,
)
from tests.kit.samples import MORE

TRUE = 0.5
"""How often a piece of evidence is chosen to fit the deal."""


class Case:
    """A seat, the cards laid out, and evidence that may fit no deal; ``value`` is the same as a situation."""

    def __init__(self, stream: random.Random) -> None:
        self.stream, self.seats = stream, stream.choice((2, 3, 4, 4))
        spare = 4 - self.seats
        self.removed = [*stream.sample(INSTITUTIONS, spare), *stream.sample(CRAFTS, spare)]
        self.deal: Deal = stream.choice(deals(self.seats, tuple(self.removed)))
        self.seat = stream.randrange(self.seats)
        self.own = (self.deal[0][self.seat], self.deal[1][self.seat])
        self.clues: list[Clue] = [("own", self.seat, *self.own)]
        self.seen: list[Json] = []
        self.guessed: set[int] = set()
        for _ in range(stream.randrange(9)):
            self.add(stream.choice(("shown", "shown", "ghost", "looked", "guess")))

    @property
    def value(self) -> Json:
        """Return the situation."""
        colours = COLOURS[: self.seats]
        return {
            "seats": colours,
            "removed": self.removed,
            "seat": COLOURS[self.seat],
            "own": list(self.own),
            "seen": self.seen,
        }

    def add(self, kind: str) -> None:
        """Add a piece of evidence, mostly one that fits the deal."""
        while True:
            clue, seen = self.drawn(kind)
            if fits(self.deal, clue) or self.stream.random() > TRUE:
                break
        who = seen.pop("who")
        if kind == "guess" and (who in self.guessed or len(self.guessed) + 1 == self.seats):
            return  # A seat guesses wrong once, and somebody is still in.
        if kind != "guess" and sum(one[:2] == clue[:2] for one in self.clues) == self.seats:
            return  # No more false cards than a seat has.
        self.guessed |= {who} if kind == "guess" else set()
        self.clues.append(clue)
        self.seen.append({"kind": kind, **seen})
        if kind == "guess" and who == self.seat:
            treasure = (self.deal[0][-1], self.deal[1][-1])
            self.clues.append(("treasure", *treasure))
            self.seen.append({"kind": "treasure", "institution": treasure[0], "craft": treasure[1]})

    def drawn(self, kind: str) -> tuple[Clue, Json]:
        """Return a piece of evidence, for the reference and for the situation."""
        institution, craft = (self.stream.choice(cards) for cards in self.deal)
        others = [seat for seat in range(self.seats) if seat != self.seat]
        who = self.stream.choice(others if kind in ("shown", "ghost") else range(self.seats))
        pair = {"institution": institution, "craft": craft}
        card = self.stream.choice((institution, craft))
        if kind == "shown":
            return ("shown", who, institution, craft), {"who": who, "giver": COLOURS[who], **pair}
        if kind == "guess":
            said = {"seat": COLOURS[who], **pair, "right": False}
            return ("wrong", institution, craft), {"who": who, **said}
        key = "giver" if kind == "ghost" else "owner"
        return ("false", who, card), {"who": who, key: COLOURS[who], "card": card}

    def state(self) -> State | None:
        """Return what the engine makes of it, ``None`` if it refuses."""
        setup = setups.complete(GAME.manifest, self.seats)
        try:
            return GAME.situation(self.value, setup, Rng(self.stream.randbytes(32)))
        except InvalidAction:
            return None


def test_sheets_of_random_evidence() -> None:
    seen = Counter[str]()
    for number in range(60 * MORE):
        case = Case(random.Random(f"evidence {number}"))
        state, found = case.state(), deduced(case.seats, case.removed, case.seat, case.clues)
        assert (state is None) == (found["deals"] == 0), case.value
        seen["fits" if state else "refused"] += 1
        if state is None:
            continue
        sheet = GAME.describe(GAME.view(state, case.seat))["sheet"]
        assert sheet["deals"] == found["deals"], case.value
        assert sorted(map(tuple, sheet["treasures"])) == found["treasures"]
        assert {who: sorted(map(tuple, pairs)) for who, pairs in sheet["pairs"].items()} == found["pairs"]
        # A look at one's own card stands in no section.
        entered = columns(case.seats, case.seat, [c for c in case.clues if c[:2] != ("false", case.seat)])
        wanted = marks(found, entered)
        for colour, rows in wanted.items():
            assert {card: sheet["marks"][colour][card] for card in rows} == rows, (colour, case.value)
        true = tuple((str(pair.institution), str(pair.craft)) for pair in (*state.pairs, state.treasure))
        dealt: Deal = (tuple(pair[0] for pair in true), tuple(pair[1] for pair in true))
        assert all(fits(dealt, clue) for clue in case.clues), "what is dealt fits"
    assert min(seen["fits"], seen["refused"]) > 5


def clue_of(piece: Evidence) -> Clue:
    """Return the engine's evidence as the reference's."""
    match piece:
        case Identity(seat, card):
            return ("holds", seat, str(card))
        case Met(giver, pair):
            return ("shown", giver, str(pair.institution), str(pair.craft))
        case SeenFalse(owner, card):
            return ("false", owner, str(card))
        case Refuted(_, pair):
            return ("wrong", str(pair.institution), str(pair.craft))
    return ("treasure", str(piece.pair.institution), str(piece.pair.craft))


def test_a_mark_follows_from_the_clues_that_are_named_and_from_no_fewer() -> None:
    explained = 0
    for number in range(4 * MORE):
        case = Case(random.Random(f"why {number}"))
        state = case.state()
        if state is None:
            continue
        knowledge = Knowledge.of(GAME.view(state, case.seat))
        assert knowledge is not None
        all_clues = [clue_of(piece) for piece in knowledge.evidence()]
        table = deals(case.seats, tuple(case.removed))
        fit = fitting(case.seats, tuple(case.removed), frozenset(case.clues))
        for other in {*range(case.seats)} - {case.seat}:
            for card in (*state.public.crafts, *state.public.institutions):
                named = reasons(knowledge.table, knowledge.evidence(), other, card)
                answer = sure(fit, other, card)
                assert (named is None) == (answer == "")
                if named is None:
                    continue
                needed = [clue_of(piece) for piece in named]
                assert set(needed) <= set(all_clues)
                explained += 1
                assert sure(left(table, needed), other, card) == answer
                for one in needed:
                    fewer = [clue for clue in needed if clue is not one]
                    assert sure(left(table, fewer), other, card) != answer, (card, needed, case.value)
    assert explained > 20


def left(table: tuple[Deal, ...], clues: list[Clue]) -> tuple[Deal, ...]:
    """Return the deals that agree with all clues."""
    return tuple(deal for deal in table if all(fits(deal, clue) for clue in clues))
