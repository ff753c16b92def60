"""The search over any game's menus, on the two games of the kit: it must do what skill can do there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engines.core.contract import Field, Menu, Outcome, Seat, Words, msg
from engines.core.match import AnyGame, Match
from engines.core.menu_model import MenuModel, worth_of
from engines.core.rng import Rng
from engines.core.search import Search
from engines.core.setups import complete
from tests.core.variants import GAME as NOTING
from tests.core.variants import Noting
from tests.kit.odds.engine import GAME as ODDS
from tests.kit.odds.engine.view import State
from tests.kit.samples import MORE
from tests.kit.vault import GAME as VAULT

RNG = Rng(bytes(32))
PLAYOUTS = 40

MATCHES = 24 if MORE > 1 else 12
"""Matches of a search against the walk of everybody else."""


def begun(game: AnyGame, number: int = 0, seats: int = 2) -> Match:
    return Match.start(game, complete(game.manifest, seats, {}), bytes([number]) * 32)


def searched(match: Match, seat: Seat, playouts: int = PLAYOUTS) -> Words:
    model = MenuModel(match.game, match.view(seat), Rng(match.seed).child("search", seat, len(match.log)))
    search = Search(model, model.imagine)
    search.run(playouts)
    return search.ranking()[0][0]


def points(game: AnyGame, matches: int, seats: int = 2) -> float:
    """Return the share of points of a search against the walk of everybody else, from every seat."""
    total = 0.0
    for number in range(matches):
        match = begun(game, number, seats)
        mine = number % seats
        while waiting := match.waiting:
            seat = min(one for one in waiting if one in game.waiting(match.view(one)))
            match = match.act(seat, searched(match, seat) if seat == mine else match.computer(seat))
        total += worth_of(match.outcome, seats)[mine]
    return total / matches


def test_it_beats_the_walk_by_what_there_is_to_know_of_odds() -> None:
    # Two of three numbers are odd: who draws shows one more often, and an odd one meets them evenly.
    assert points(ODDS, MATCHES) > 0.65


def test_it_keeps_its_best_card_of_the_vault() -> None:
    assert points(VAULT, MATCHES) > 0.7


def test_it_plays_at_a_larger_table() -> None:
    assert points(VAULT, MATCHES // 2, seats=3) > 0.65


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_answers_what_it_cannot_see(seat: Seat) -> None:
    model = model_of(ODDS, seat)
    world = model.imagine(0)
    assert model.mover(world) == seat
    after = model.after(world, ("2",))
    # The other has shown something too: the round is over, and the next one begins with the same seat.
    assert [len(one.state.public.rounds) for one in (world, after)] == [0, 1]
    assert model.mover(after) == seat


def test_the_same_playout_goes_on_alike_and_another_does_not() -> None:
    model = model_of(ODDS)
    rounds = [model.after(model.imagine(number), ("2",)).state.public.rounds for number in (*range(12), 0)]
    assert rounds[0] == rounds[-1]
    assert len(set(rounds)) > 1


def test_asides_and_notes_are_left_alone() -> None:
    found = [words for words, _ in moves(model_of(NOTING))]
    assert found == [("1",), ("2",), ("3",), ("peek",)]
    found = [words for words, _ in moves(model_of(VAULT))]
    assert {words[0] for words in found} == {"lay", "peek"}


class Ordering(Noting):
    """A game with far too many sentences to list: the orders of six things."""

    def menu_for(self, view: Any, draft: Words) -> Menu:
        parts = () if draft else (Field("order", msg("prompt"), (), shuffle=tuple("abcdef")),)
        return Menu("order", msg("prompt"), draft, parts, complete=bool(draft), closing=bool(draft))


def test_where_sentences_are_too_many_it_looks_at_a_sample_always_the_same() -> None:
    model = model_of(Ordering(), width=20)
    found, again = moves(model), model.moves(model.imagine(5))
    assert found == again
    assert 15 < len(found) <= 20
    assert len(moves(model_of(ODDS, width=2))) == 2


def test_what_a_game_knows_leads_the_search() -> None:
    def likely(view: Any, found: Sequence[Words]) -> Sequence[float]:
        return [6.0 if words == ("2",) else 1.0 for words in found]

    def worth(state: State) -> Sequence[float]:
        even, _ = state.public.rounds[0]
        return (1.0, 0.0) if even == 3 else (0.25, 0.75)

    model = model_of(ODDS, likely=likely, worth=worth)
    assert dict(moves(model)) == {("1",): 0.125, ("2",): 0.75, ("3",): 0.125}
    search = Search(model, model.imagine)
    search.run(200)
    assert search.ranking()[0][0] == ("3",)
    assert all(node.mean in (0.25, 1.0) for _, node in search.ranking() if node.visits == 1)


def test_an_outcome_is_worth_its_ranks() -> None:
    assert worth_of(None, 3) == [0.5] * 3
    assert worth_of(Outcome(((1,), (0, 2)), ()), 3) == [0.25, 1.0, 0.25]
    assert worth_of(Outcome(((0, 1),), ()), 2) == [0.5, 0.5]
    assert worth_of(Outcome(((0, 1),), (), won=False), 2) == [0.0, 0.0]


def model_of(game: AnyGame, seat: Seat = 0, **more: Any) -> MenuModel:
    return MenuModel(game, begun(game).view(seat), RNG, **more)


def moves(model: MenuModel) -> Sequence[tuple[Words, float]]:
    return model.moves(model.imagine(0))
