"""The kit's pieces, each by itself, and a small game of cards made of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from engines.core.base import MenuGame
from engines.core.canonical_json import canonical
from engines.core.contract import (
    Choice,
    Event,
    Field,
    IllegalAction,
    InvalidAction,
    Manifest,
    Menu,
    Msg,
    Outcome,
    Seat,
    SeatName,
    Setup,
    Step,
    Viewer,
    Words,
    fact,
    msg,
    only,
)
from engines.core.kit import (
    Cards,
    CardsView,
    SecretChoice,
    one_word,
    seat_choices,
    seat_of,
    word_by_word,
)
from engines.core.match import Match
from engines.core.player import walk
from engines.core.rng import Rng

RNG = Rng(bytes(32))

# --- one word ---------------------------------------------------------------------------------------

CHOICES = (Choice("fold", msg("fold")), Choice("draw", msg("draw"), reveals=True))
FIELD = Field("what", msg("what"), CHOICES)


def test_a_sentence_of_one_word_is_asked_and_confirmed() -> None:
    asked = one_word((), "turn", msg("prompt"), FIELD)
    assert (asked.fields, asked.complete, asked.closing) == ((FIELD,), False, False)
    done = one_word(("fold",), "turn", msg("prompt"), FIELD)
    assert (done.fields, done.complete, done.closing, done.reveals) == ((), True, True, False)
    assert one_word(("draw",), "turn", msg("prompt"), FIELD).reveals


@pytest.mark.parametrize(
    ("draft", "kind", "key"),
    [
        (("raise",), IllegalAction, "error.not_now"),
        (("dance",), InvalidAction, "error.word"),
        (("fold", "fold"), InvalidAction, "error.word"),
    ],
)
def test_any_other_word_is_refused(draft: Words, kind: type[IllegalAction | InvalidAction], key: str) -> None:
    with pytest.raises(kind) as caught:
        one_word(draft, "turn", msg("prompt"), FIELD, words=("fold", "draw", "raise"))
    assert caught.value.msg == msg(key, word=" ".join(draft))


# --- word by word -----------------------------------------------------------------------------------


def card_then_target(said: Words) -> tuple[Msg, Field | None]:
    """Ask for a card, and for a player if it is the lion."""
    if not said:
        return msg("prompt"), Field(
            "card", msg("card"), (Choice("fox", msg("fox")), Choice("lion", msg("lion")))
        )
    if said == ("lion",):
        return msg("whom"), Field("target", msg("target"), seat_choices((0, 2)))
    return msg(f"ready.{said[0]}"), None


def asked(*draft: str) -> Menu:
    return word_by_word(draft, "turn", card_then_target, words=("fox", "lion", "owl", "2"))


def test_a_question_may_follow_from_the_word_before() -> None:
    assert [choice.word for choice in asked().choices()] == ["fox", "lion"]
    assert [choice.label for choice in asked("lion").choices()] == [
        msg("choice.seat", seat=SeatName(seat)) for seat in (0, 2)
    ]
    assert [asked(*draft).complete for draft in ((), ("lion",), ("lion", "3"), ("fox",))] == [
        False,
        False,
        True,
        True,
    ]
    assert (asked("lion", "3").prompt, asked("fox").prompt) == (msg("ready.lion"), msg("ready.fox"))
    assert seat_of("3") == 2


@pytest.mark.parametrize(
    ("draft", "kind", "key", "word"),
    [
        (("owl",), IllegalAction, "error.not_now", "owl"),
        (("lion", "2"), IllegalAction, "error.not_now", "2"),
        (("lion", "9"), InvalidAction, "error.word", "lion 9"),
        (("fox", "3"), InvalidAction, "error.word", "fox 3"),
    ],
)
def test_any_other_words_are_refused(
    draft: Words, kind: type[IllegalAction | InvalidAction], key: str, word: str
) -> None:
    with pytest.raises(kind) as caught:
        asked(*draft)
    assert caught.value.msg == msg(key, word=word)


# --- a choice of all at once, in secret --------------------------------------------------------------


def test_a_secret_choice_is_complete_with_the_last_seat() -> None:
    choice = SecretChoice[int].of((0, 1, 2))
    half = choice.commit(2, 7).commit(0, 5)
    assert (choice.is_complete, half.is_complete, half.commit(1, 5).is_complete) == (False, False, True)
    assert half.view(None).waiting == {1}
    assert not SecretChoice[int].of(()).is_complete
    with pytest.raises(ValueError, match="nothing to choose"):
        half.commit(0, 6)
    with pytest.raises(ValueError, match="nothing to choose"):
        choice.commit(3, 6)


def test_a_secret_choice_tells_who_is_ready_and_ones_own() -> None:
    one, other = (SecretChoice[int].of((0, 1)).commit(0, value) for value in (3, 4))
    assert one.view(None) == other.view(None)
    assert one.view(1) == other.view(1)
    assert (one.view(0).own, one.view(1).own, one.view(None).own) == (3, None, None)


def test_the_order_of_secret_choices_leaves_no_trace() -> None:
    choice = SecretChoice[int].of((0, 1))
    assert choice.commit(0, 1).commit(1, 2) == choice.commit(1, 2).commit(0, 1)


def test_a_seat_that_leaves_takes_its_choice_along() -> None:
    half = SecretChoice[int].of((0, 1, 2)).commit(0, 5).commit(1, 6)
    assert half.without(2).is_complete
    assert half.without(0).values == {1: 6}
    assert half.without(0).view(None).waiting == {2}


def test_secret_choices_are_imagined_from_what_they_may_be() -> None:
    half = SecretChoice[int].of((0, 1, 2)).commit(0, 5).commit(1, 6)
    drawn = [half.view(0).imagine(0, lambda seat: (seat, seat + 5), RNG.child(n)) for n in range(20)]
    assert {choice.values[0] for choice in drawn} == {5}
    assert {choice.values[1] for choice in drawn} == {1, 6}
    assert all(choice.view(0) == half.view(0) for choice in drawn)


# --- hands and a deck --------------------------------------------------------------------------------

PACK = tuple(range(1, 10))
EACH = 2


def test_cards_are_dealt_drawn_and_played() -> None:
    cards = Cards.deal(PACK, 2, EACH, RNG.stream("deal"))
    assert sorted((*cards.deck, *cards.hands[0], *cards.hands[1])) == list(PACK)
    after, drawn = cards.draw(1, 3)
    assert (drawn, after.hands[1], after.deck) == (cards.deck[:3], cards.hands[1] + drawn, cards.deck[3:])
    assert after.draw(0, 9)[1] == after.deck
    assert after.play(1, *drawn).hands == cards.hands
    with pytest.raises(ValueError, match="not in"):
        cards.play(0, cards.hands[1][0])
    with pytest.raises(ValueError, match="not enough"):
        Cards.deal(PACK, 5, EACH, RNG.stream("deal"))


def test_a_deck_needs_no_hands() -> None:
    cards, card = Cards.deal(PACK, 0, 0, RNG.stream("deal")).turn_up()
    view = cards.view(0)
    assert (view.deck, view.hand, cards.deck.count(card)) == (len(PACK) - 1, (), 0)
    assert view.imagine(0, PACK, (card,), RNG).view(0) == view


def test_a_forgotten_card_is_noticed() -> None:
    view = Cards.deal(PACK, 2, EACH, RNG.stream("deal")).view(0)
    with pytest.raises(ValueError, match="6 cards are unseen, not 7"):
        view.imagine(0, PACK[1:], (), RNG)


def test_a_card_that_was_seen_stays_where_it_is() -> None:
    cards = Cards.deal(PACK, 3, EACH, RNG.stream("deal"))
    view, seen = cards.view(0), cards.hands[1][1]
    drawn = [view.imagine(0, PACK, (), RNG.child(n), {1: (seen,)}) for n in range(20)]
    assert all(seen in one.hands[1] and one.view(0) == view for one in drawn)
    assert len({one.hands for one in drawn}) > 10
    with pytest.raises(ValueError, match="unseen"):
        view.imagine(0, PACK, (), RNG, {1: tuple(PACK)})


# --- a game of both ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class State:
    cards: Cards[int]
    shown: tuple[int, ...] = ()
    ended: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class View:
    viewer: Viewer
    cards: CardsView[int]
    shown: tuple[int, ...]
    ended: str


class HighCard(MenuGame[State, View]):
    """One after the other shows a card, and may draw before: the highest wins."""

    manifest = Manifest(
        "high", "High Card", ("1",), (2, 3), tuple(msg(f"seat.{n}") for n in range(3)), msg("t")
    )

    def seats(self, state: State) -> range:
        return range(len(state.cards.hands))

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        cards = Cards.deal(PACK, setup.seats, EACH, rng.stream("deal"))
        return Step(State(cards), ())

    def view(self, state: State, viewer: Viewer) -> View:
        return View(viewer, state.cards.view(viewer, over=bool(state.ended)), state.shown, state.ended)

    def waiting(self, view: View) -> frozenset[Seat]:
        return frozenset() if view.ended else frozenset({len(view.shown)})

    def menu_for(self, view: View, draft: Words) -> Menu:
        cards = tuple(Choice(str(card), msg("card", n=card)) for card in view.cards.hand)
        draw = (Choice("draw", msg("draw"), reveals=True),) if view.cards.deck else ()
        words = ("draw", *map(str, PACK))
        return one_word(draft, "turn", msg("prompt"), Field("turn", msg("turn"), (*draw, *cards)), words)

    def on_act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        if words == ("draw",):
            cards, drawn = state.cards.draw(seat)
            return Step(replace(state, cards=cards), (Event(fact("drew", card=drawn[0]), only(seat)),))
        card = int(words[0])
        shown = (*state.shown, card)
        ended = "high" if len(shown) == len(self.seats(state)) else ""
        return Step(State(state.cards.play(seat, card), shown, ended), ())

    def on_withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        return Step(replace(state, ended="left"), ())

    def on_agree(self, state: State, rng: Rng) -> Step[State]:
        return Step(replace(state, ended="agreed"), ())

    def outcome(self, view: View) -> Outcome | None:
        seats = tuple(range(len(view.cards.counts)))
        return Outcome((seats,), (msg(view.ended),)) if view.ended else None

    def imagine(self, view: View, rng: Rng) -> State:
        cards = view.cards.imagine(view.viewer, PACK, view.shown, rng)
        return State(cards, view.shown, view.ended)


GAME = HighCard()


@pytest.mark.parametrize("seats", [2, 3])
def test_every_view_of_cards_has_other_truths_until_the_end(seats: int) -> None:
    match = Match.start(GAME, Setup("high", "1", seats), bytes(32))
    while match.waiting:
        for viewer in (*range(seats), None):
            view = match.view(viewer)
            drawn = [GAME.imagine(view, RNG.child(n)) for n in range(10)]
            assert all(GAME.view(state, viewer) == view for state in drawn)
            assert len({canonical(GAME.record(state)) for state in drawn}) > 1
        seat = min(match.waiting)
        menu = match.menu(seat)
        assert menu is not None
        match = match.act(seat, walk(GAME, match.view(seat), menu, RNG.child("walk", len(match.log))))
    assert all(GAME.imagine(match.view(viewer), RNG) == match.state for viewer in (0, 1, None))
