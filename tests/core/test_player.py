"""The baseline player: it always finds a sentence, where there is one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from engines.core import registry
from engines.core.contract import Choice, Field, Menu, Words, msg
from engines.core.match import AnyGame, Match
from engines.core.player import PATIENCE, walk
from engines.core.rng import Rng
from engines.core.setups import complete
from tests.core.variants import GAME, Noting
from tests.kit.odds.engine.view import View

START = Match.start(GAME, complete(GAME.manifest), bytes(32))
VIEW = START.view(0)
NOTE = START.act(0, ("2",)).view(0)


class Tree(Noting):
    """Menus from a table: the words that follow each draft; a word with ``!`` reveals."""

    def __init__(self, tree: Mapping[Words, str], whole: set[Words], closing: set[Words]) -> None:
        self.tree = tree
        self.whole = whole
        self.closing = closing

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        words = self.tree.get(draft, "").split()
        choices = tuple(Choice(word, msg("prompt"), reveals=word.endswith("!")) for word in words)
        fields = (Field("word", msg("prompt"), choices),) if choices else ()
        whole = draft in self.whole or draft in self.closing
        reveals = "".join(draft).endswith("!")
        return Menu("tree", msg("prompt"), draft, fields, whole, draft in self.closing, reveals=reveals)


def walks(game: AnyGame, number: int = 200, *, view: Any = VIEW, asides: bool = False) -> Counter[Words]:
    menu = game.menu(view)
    assert menu is not None
    return Counter(walk(game, view, menu, Rng(bytes(32)).child(i), asides=asides) for i in range(number))


def test_every_sentence_is_found_in_time() -> None:
    assert set(walks(GAME, 400)) == {("peek",), ("1",), ("2",), ("3",)}


def test_asides_are_left_alone_unless_asked_for() -> None:
    found = walks(GAME, 400, asides=True)
    marks = sum(number for words, number in found.items() if words[0] == "mark")
    assert 50 < marks < 150
    with pytest.raises(ValueError, match="no sentence"):
        walks(GAME, 1, view=NOTE)
    assert {words[0] for words in walks(GAME, 20, view=NOTE, asides=True)} == {"mark"}


def test_shuffles_are_drawn_and_swaps_fold() -> None:
    volto = registry.game("volto")
    match = Match.start(volto, complete(volto.manifest), bytes(32))
    found = walks(volto, 100, view=match.view(0))
    assert len(found) > 50
    assert {words[0] for words in found} == {"setup"}
    # However often two masks were swapped on the way, one arrangement is left.
    assert {len(words) for words in found} == {2}


class Dealing(Noting):
    """A menu that draws two of three."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        deal = Field("deal", msg("prompt"), (), shuffle=("a", "b", "c"), take=2)
        fields = () if draft else (deal,)
        return Menu("deal", msg("prompt"), draft, fields, complete=bool(draft), closing=bool(draft))


def test_as_many_are_drawn_as_are_taken() -> None:
    assert set(walks(Dealing())) == {(word,) for word in ("ab", "ac", "ba", "bc", "ca", "cb")}


def test_it_steps_back_out_of_dead_ends() -> None:
    tree: dict[tuple[str, ...], str] = {(): "a b c", ("a",): "x y", ("b",): "z", ("b", "z"): "w"}
    assert set(walks(Tree(tree, {("c",)}, set()), 50)) == {("c",)}


def test_it_says_so_where_there_is_no_sentence() -> None:
    with pytest.raises(ValueError, match="no sentence"):
        walks(Tree({(): "a b", ("a",): "x"}, set(), set()), 1)


def test_it_stops_where_the_house_would_confirm_by_chance() -> None:
    found = walks(Tree({(): "a", ("a",): "b", ("a", "b"): "c"}, {("a", "b", "c")}, {("a",)}))
    assert set(found) == {("a",), ("a", "b", "c")}
    assert 60 < found["a",] < 140


def test_it_goes_on_where_a_draft_is_merely_complete() -> None:
    assert set(walks(Tree({(): "a", ("a",): "b"}, {("a",), ("a", "b")}, set()))) == {("a", "b")}


def test_a_word_that_reveals_is_the_last() -> None:
    assert set(walks(Tree({(): "a!", ("a!",): "b"}, {("a!",), ("a!", "b")}, set()))) == {("a!",)}


class Endless(Tree):
    """Menus without an end: another word is always possible."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = Menu("tree", msg("prompt"), draft, (), complete=len(draft) > 2, closing=False)
        choice = Choice("a", msg("prompt"))
        return Menu(
            found.key, found.prompt, draft, (Field("a", msg("prompt"), (choice,)),), found.complete, False
        )


def test_it_loses_patience_with_endless_menus() -> None:
    (words,) = walks(Endless({}, set(), set()), 5)
    assert len(words) == PATIENCE


class Hopeless(Endless):
    """Menus without an end, and nothing is ever complete."""

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        found = super().menu(view, draft)
        assert found is not None
        return Menu(found.key, found.prompt, draft, found.fields, complete=False, closing=False)


def test_it_gives_up_on_hopeless_menus() -> None:
    with pytest.raises(ValueError, match="on and on"):
        walks(Hopeless({}, set(), set()), 1)


def test_it_goes_on_from_a_draft() -> None:
    menu = GAME.menu(VIEW, ("mark",))
    assert menu is not None
    assert walk(GAME, VIEW, menu, Rng(bytes(32)))[0] == "mark"


def test_the_same_randomness_gives_the_same_sentence() -> None:
    assert walks(GAME, 50) == walks(GAME, 50)
