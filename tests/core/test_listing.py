"""Listing sentences and counting lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.core import listing
from engines.core.contract import Choice, Field, Menu, Words, msg
from engines.core.rng import Rng
from tests.core.test_player import NOTE, START, VIEW, Tree
from tests.core.variants import GAME, Noting
from tests.kit.odds.engine.view import View

RNG = Rng(bytes(32))


def test_sentences_come_in_the_order_of_the_menus_shorter_ones_first() -> None:
    tree = Tree({(): "a b", ("a",): "x y"}, {("a",), ("a", "x"), ("a", "y"), ("b",)}, set())
    assert list(listing.sentences(tree, VIEW)) == [("a",), ("a", "x"), ("a", "y"), ("b",)]


class Folding(Noting):
    """Menus that fold: words in any order make the same draft."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        left = tuple(Choice(word, msg("prompt")) for word in "abc" if word not in draft)
        fields = (Field("word", msg("prompt"), left),) if left else ()
        return Menu("fold", msg("prompt"), tuple(sorted(draft)), fields, complete=True, closing=True)


def test_each_normal_form_comes_once() -> None:
    found = list(listing.sentences(Folding(), VIEW))
    assert len(found) == len(set(found)) == 8


def test_asides_are_listed_and_not_counted() -> None:
    assert listing.legal(GAME, NOTE) == tuple(("mark", str(n)) for n in (1, 2, 3))
    assert listing.perft(GAME, START.state, 1, RNG) == 4


def test_lines_of_play_are_counted() -> None:
    # After fingers seat 1 has its 4 sentences; after a peek seat 0 has its own again.
    assert [listing.perft(GAME, START.state, depth, RNG) for depth in (0, 1, 2)] == [1, 4, 3 * 4 + 4]


def test_limits_are_told() -> None:
    assert len(listing.legal(GAME, VIEW, 7)) == 7
    with pytest.raises(listing.NotListable, match="more than 6"):
        listing.legal(GAME, VIEW, 6)
    with pytest.raises(listing.NotListable, match="more than 0"):
        listing.legal(GAME, VIEW, 0)


class Barren(Folding):
    """Menus that lead on for ever and are never complete."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        part = Field("word", msg("prompt"), (Choice("a", msg("prompt")), Choice("b", msg("prompt"))))
        return Menu("barren", msg("prompt"), draft, (part,), complete=False, closing=False)


def test_barren_menus_are_given_up() -> None:
    with pytest.raises(listing.NotListable, match="beginnings"):
        listing.legal(Barren(), VIEW, 10)


class Shuffling(Folding):
    """A menu whose word is an order of many things."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        part = Field("order", msg("prompt"), (), shuffle=("a", "b"))
        return Menu("order", msg("prompt"), draft, (part,), complete=False, closing=False)


def test_orders_are_too_many_to_list() -> None:
    with pytest.raises(listing.NotListable, match="too many"):
        listing.legal(Shuffling(), VIEW)
    with pytest.raises(listing.NotListable, match="too many"):
        listing.perft(Shuffling(), START.state, 1, RNG)


class Dealing(Folding):
    """A menu with a shortcut that draws some of many things, and a word that could be drawn."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        word = Field("word", msg("prompt"), (Choice("a", msg("prompt")),))
        deal = Field("deal", msg("prompt"), (), shuffle=("a", "b", "c"), take=2)
        fields = () if draft else (word, deal)
        return Menu("deal", msg("prompt"), draft, fields, complete=bool(draft), closing=bool(draft))


def test_a_shortcut_stands_in_no_list() -> None:
    assert listing.legal(Dealing(), VIEW) == (("a",),)


class Lists(Noting):
    """A game that lists itself."""

    def legal(self, view: View) -> Iterator[Words] | None:
        return iter([("1",), ("2",)]) if view.viewer == 0 else None


def test_a_games_own_list_is_taken() -> None:
    game = Lists()
    assert listing.legal(game, VIEW) == (("1",), ("2",))
    with pytest.raises(listing.NotListable, match="does not list"):
        listing.legal(game, START.view(1))


def test_perft_counts_with_a_games_own_list_and_refuses_where_it_has_none() -> None:
    game = Lists()
    assert listing.perft(game, START.state, 1, RNG) == 2
    with pytest.raises(listing.NotListable):
        listing.perft(game, START.state, 2, RNG)


def test_a_seat_without_a_menu_has_no_sentence() -> None:
    over = GAME.agree(START.state, RNG).state
    assert listing.legal(GAME, GAME.view(over, 0)) == ()
    assert listing.perft(GAME, over, 1, RNG) == 0
