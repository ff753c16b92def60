"""Listing sentences and counting lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.core import listing
from engines.core.contract import Choice, Field, Menu, Words, msg
from engines.core.rng import Rng
from tests.core.test_player import NOTE, VIEW, Tree
from tests.core.toy import GAME
from tests.core.toy.game import Toy
from tests.core.toy.state import View

RNG = Rng(bytes(32))


def test_sentences_come_in_the_order_of_the_menus_shorter_ones_first() -> None:
    tree = Tree({(): "a b", ("a",): "x y"}, {("a",), ("a", "x"), ("a", "y"), ("b",)}, set())
    assert list(listing.sentences(tree, VIEW)) == [("a",), ("a", "x"), ("a", "y"), ("b",)]


class Folding(Toy):
    """Menus that fold: words in any order make the same draft."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        left = tuple(Choice(word, msg("guess")) for word in "abc" if word not in draft)
        fields = (Field("word", msg("guess"), left),) if left else ()
        return Menu("fold", msg("prompt"), tuple(sorted(draft)), fields, complete=True, closing=True)


def test_each_normal_form_comes_once() -> None:
    found = list(listing.sentences(Folding(), VIEW))
    assert len(found) == len(set(found)) == 8


def test_asides_are_listed_and_not_counted() -> None:
    assert len(listing.legal(GAME, NOTE)) == 6
    assert listing.perft(GAME, GAME.position("2 6 4"), 1, RNG) == 7


def test_limits_are_told() -> None:
    assert len(listing.legal(GAME, VIEW, 13)) == 13
    with pytest.raises(listing.NotListable, match="more than 12"):
        listing.legal(GAME, VIEW, 12)
    with pytest.raises(listing.NotListable, match="more than 0"):
        listing.legal(GAME, VIEW, 0)


class Barren(Folding):
    """Menus that lead on for ever and are never complete."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        part = Field("word", msg("guess"), (Choice("a", msg("guess")), Choice("b", msg("guess"))))
        return Menu("barren", msg("prompt"), draft, (part,), complete=False, closing=False)


def test_barren_menus_are_given_up() -> None:
    with pytest.raises(listing.NotListable, match="beginnings"):
        listing.legal(Barren(), VIEW, 10)


class Lists(Toy):
    """A game that lists itself."""

    def legal(self, view: View) -> Iterator[Words] | None:
        return iter([("guess", "1"), ("guess", "2")]) if view.seat == 0 else None


def test_a_games_own_list_is_taken() -> None:
    game = Lists()
    assert listing.legal(game, VIEW) == (("guess", "1"), ("guess", "2"))
    with pytest.raises(listing.NotListable, match="does not list"):
        listing.legal(game, game.view(game.position("2 6 4"), 1))


def test_perft_counts_with_a_games_own_list_and_refuses_where_it_has_none() -> None:
    game = Lists()
    assert listing.perft(game, game.position("2 6 4"), 1, RNG) == 2
    with pytest.raises(listing.NotListable):
        listing.perft(game, game.position("2 6 4"), 2, RNG)


def test_a_seat_without_a_menu_has_no_sentence() -> None:
    over = GAME.agree(GAME.position("2 6 4"), RNG).state
    assert listing.legal(GAME, GAME.view(over, 0)) == ()
    assert listing.perft(GAME, over, 1, RNG) == 0
