"""Whole matches: nothing is lost, nothing is made, all come to an end, computer players play."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator

import pytest

from engines.core.contract import facts_for
from engines.core.match import Match
from engines.core.player import walk
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.corto import GAME
from engines.corto.cards import CARDS
from engines.corto.state import MARKERS, State
from engines.corto.view import HAND, Phase
from tests.kit.samples import some

NAMED: tuple[dict[str, str], ...] = (
    {},
    {"adventure1": "C", "adventure2": "E", "adventure3": "A"},
    {"adventure1": "B", "adventure2": "D"},
)


def seed(*labels: object) -> bytes:
    return hashlib.sha256(repr(labels).encode()).digest()


def random_match(number: int) -> Iterator[Match]:
    """Yield the moments of a match of random walks."""
    setup = complete(GAME.manifest, 2 + number % 3, NAMED[number % len(NAMED)])
    match = Match.start(GAME, setup, seed("corto", number))
    yield match
    while match.waiting:
        seat = max(match.waiting) if number % 2 else min(match.waiting)
        view = match.view(seat)
        menu = GAME.menu(view)
        assert menu is not None
        match = match.act(seat, walk(GAME, view, menu, Rng(seed(number, len(match.log)))))
        yield match


def cards_of(state: State) -> Counter[str]:
    public = state.public
    found: Counter[str] = Counter(character.card for character in public.board)
    for pile in (*state.decks, *state.hands, *public.discards, *public.seal, *public.kept):
        found.update(pile)
    return found


@pytest.mark.parametrize("number", some(range(9), 4))
def test_cards_markers_and_pieces_are_kept(number: int) -> None:
    pieces: dict[str, int] = {}
    moments = list(random_match(number))
    for match in moments:
        state = match.state
        public = state.public
        cards = {card for card in CARDS if card[0] in public.strips}
        assert cards_of(state) == Counter(cards)
        for seat in public.seats:
            on_board = sum(character.markers[seat] for character in public.board)
            assert public.stock[seat] + on_board == MARKERS
            assert public.stock[seat] >= 0
            assert len(state.hands[seat]) <= HAND
        squares = [character.square for character in public.board]
        assert len(squares) == len(set(squares))
        assert all(square[1] != "0" for square in squares)
        for quest, faces in zip(public.quests, state.faces, strict=True):
            kinds = [piece for piece in quest.pieces if piece.kind not in ("train", "tile", "vessel")]
            assert pieces.setdefault(quest.strip, len(kinds) + len(faces)) == len(kinds) + len(faces)
    assert moments[-1].state.public.phase is Phase.OVER


@pytest.mark.parametrize("number", some(range(6), 5))
def test_turns_go_round_and_four_cards_are_the_most(number: int) -> None:
    last: int | None = None
    for match in random_match(number):
        for fact in facts_for(match.batches[-1], None):
            if fact.kind in ("turn", "passed"):
                seat = fact["seat"]
                assert isinstance(seat, int)
                if fact.kind == "turn" and last is not None:
                    assert seat == (last + 1) % match.setup.seats
                if fact.kind == "turn" or fact["forced"]:
                    last = seat
        turn = match.state.public.turn
        assert turn is None or len(turn.played) <= 4


def test_all_public_facts_of_two_turns_are_remembered() -> None:
    *_, match = (moment for _, moment in zip(range(40), random_match(1), strict=False))
    public = match.state.public
    assert [fact for fact in public.recap if fact.kind == "turn"] != []
    assert public.recap[-len(public.news) :] == public.news
    assert sum(fact.kind == "turn" for fact in public.recap) <= 2
    assert all(fact.get("card") is None for fact in public.recap if fact.kind in ("drew", "picked"))


@pytest.mark.parametrize("seats", some([3, 2, 4]))
def test_computer_players_finish_matches(seats: int) -> None:
    match = Match.start(GAME, complete(GAME.manifest, seats), seed("players", seats))
    while match.waiting:
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
    assert match.outcome is not None
    assert match.batches


def test_a_computer_player_finds_better_turns_than_a_random_one() -> None:
    gold = {"player": 0, "random": 0}
    for number in range(4):
        match = Match.start(GAME, complete(GAME.manifest, 2), seed("duel", number))
        while match.waiting:
            seat = min(match.waiting)
            view = match.view(seat)
            menu = GAME.menu(view)
            assert menu is not None
            thinks = seat == number % 2
            words = (
                match.computer(seat) if thinks else walk(GAME, view, menu, Rng(seed(number, len(match.log))))
            )
            match = match.act(seat, words)
        for line in match.view(None).gold:
            gold["player" if line.seat == number % 2 else "random"] += line.total
    assert gold["player"] > gold["random"]
