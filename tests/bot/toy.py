"""A small game for the house's tests: secrets laid at once, words that reveal, asides, sizes, options.

Everybody lays an order of three letters, secretly and at the same time. Then, in turns: ``draw n``
shows the mover n cards (and the turn goes on), ``call low`` or ``call high`` ends the turn. After two
rounds the highest hand wins. ``mark x`` and ``mark y`` are asides: private marks; once somebody has
called high, nobody may mark y any more, so that a draft can fall away. With the option ``pledges`` set to
``open``, everybody learns who has laid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from engines.core.contract import (
    EVERYONE,
    Choice,
    Event,
    Field,
    IllegalAction,
    InvalidAction,
    Manifest,
    Menu,
    Msg,
    Option,
    OptionChoice,
    Outcome,
    Seat,
    Setup,
    Step,
    Viewer,
    Words,
    fact,
    msg,
    only,
)
from engines.core.player import walk
from engines.core.rng import Rng

ROUNDS = 2
LETTERS = ("a", "b", "c")
ORDERS = tuple("".join(letters) for letters in permutations(LETTERS))


@dataclass(frozen=True, repr=False)
class State:
    seats: int
    open_pledges: bool
    deck: tuple[int, ...]
    laid: tuple[str, ...]
    hands: tuple[tuple[int, ...], ...]
    marks: tuple[str, ...]
    calls: tuple[tuple[Seat, str], ...] = ()
    gone: tuple[Seat, ...] = ()
    agreed: bool = False
    step: int = 0


@dataclass(frozen=True, repr=False)
class View:
    viewer: Viewer
    seats: int
    laid: tuple[str, ...] | None
    mine: str
    ready: tuple[Seat, ...]
    hand: tuple[int, ...]
    mark: str
    calls: tuple[tuple[Seat, str], ...]
    gone: tuple[Seat, ...]
    agreed: bool
    totals: tuple[int, ...] | None

    @property
    def over(self) -> bool:
        return self.totals is not None


def _choice(word: str, *, reveals: bool = False, aside: bool = False) -> Choice:
    return Choice(word, msg(f"word.{word}"), reveals=reveals, aside=aside)


class ToyGame:
    def __init__(self, ruleset: str = "1", *, biased: bool = False) -> None:
        self._ruleset = ruleset
        self._biased = biased

    @property
    def manifest(self) -> Manifest:
        choices = (OptionChoice("secret", msg("secret")), OptionChoice("open", msg("open")))
        return Manifest(
            "toy",
            "Toy",
            self._ruleset,
            (2, 3),
            tuple(msg(f"seat.{n}") for n in range(3)),
            msg("tagline"),
            (Option("pledges", msg("pledges"), choices, "secret"),),
            (("cards", "00ff"),),
        )

    def start(self, setup: Setup, rng: Rng) -> Step[State]:
        deck = rng.stream(0, "deck").shuffled(range(1, 60))
        if self._biased:
            deck = tuple(reversed(deck))
        n = setup.seats
        state = State(n, setup.option("pledges") == "open", deck, ("",) * n, ((),) * n, ("",) * n)
        return Step(state, (Event(fact("begun"), EVERYONE),))

    def act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        menu = self.menu(self.view(state, seat), words)
        if menu is None or not menu.complete:
            raise IllegalAction(msg("error.whole"))
        if words[0] == "mark":
            marks = _with(state.marks, seat, words[1])
            return Step(replace(state, marks=marks), (Event(fact("marked", x=words[1]), only(seat)),))
        if words[0] == "lay":
            return self._lay(state, seat, words[1])
        if words[0] == "draw":
            count = int(words[1])
            cards, deck = state.deck[:count], state.deck[count:]
            hands = _with(state.hands, seat, (*state.hands[seat], *cards))
            new = replace(state, deck=deck, hands=hands, step=state.step + 1)
            return Step(
                new,
                (
                    Event(fact("drew", seat=seat, cards=cards), only(seat)),
                    Event(fact("somebody_drew", seat=seat, n=count), EVERYONE),
                ),
            )
        new = replace(state, calls=(*state.calls, (seat, words[1])), step=state.step + 1)
        return Step(new, (Event(fact("called", seat=seat, word=words[1]), EVERYONE), *_end(new)))

    def _lay(self, state: State, seat: Seat, order: str) -> Step[State]:
        new = replace(state, laid=_with(state.laid, seat, order))
        events = [Event(fact("laid", order=order), only(seat))]
        if state.open_pledges:
            events.append(Event(fact("ready", seat=seat), EVERYONE))
        if all(new.laid[s] for s in range(new.seats) if s not in new.gone):
            events.append(Event(fact("all_laid", orders=new.laid), EVERYONE))
            new = replace(new, step=new.step + 1)
        return Step(new, tuple(events))

    def withdraw(self, state: State, seat: Seat, rng: Rng) -> Step[State]:
        if self.outcome(self.view(state, None)) is not None:
            raise IllegalAction(msg("error.over"))
        new = replace(state, gone=(*state.gone, seat), step=state.step + 1)
        return Step(new, (Event(fact("left", seat=seat), EVERYONE), *_end(new)))

    def agree(self, state: State, rng: Rng) -> Step[State]:
        if self.outcome(self.view(state, None)) is not None:
            raise IllegalAction(msg("error.over"))
        new = replace(state, agreed=True, step=state.step + 1)
        return Step(new, (Event(fact("agreed"), EVERYONE), *_end(new)))

    def lapse(self, view: View, rng: Rng) -> Words | None:
        return None

    def player(self, view: View, menu: Menu, rng: Rng) -> Words:
        return walk(self, view, menu, rng)

    def view(self, state: State, viewer: Viewer) -> View:
        all_laid = all(state.laid[s] for s in range(state.seats) if s not in state.gone)
        ready = tuple(s for s in range(state.seats) if state.laid[s] and (state.open_pledges or s == viewer))
        over = _over(state)
        return View(
            viewer=viewer,
            seats=state.seats,
            laid=state.laid if all_laid else None,
            mine="" if viewer is None else state.laid[viewer],
            ready=ready,
            hand=() if viewer is None else state.hands[viewer],
            mark="" if viewer is None else state.marks[viewer],
            calls=state.calls,
            gone=state.gone,
            agreed=state.agreed,
            totals=tuple(sum(hand) for hand in state.hands) if over else None,
        )

    def waiting(self, view: View) -> frozenset[Seat]:
        if view.over:
            return frozenset()
        left = [s for s in range(view.seats) if s not in view.gone]
        if view.laid is None:
            return frozenset(s for s in left if s not in view.ready)
        return frozenset((left[len(view.calls) % len(left)],))

    def menu(self, view: View, draft: Words = ()) -> Menu | None:
        if view.viewer is None or view.over or view.viewer in view.gone:
            return None
        asked = view.viewer in self.waiting(view)
        laying = view.laid is None
        if not draft:
            return self._root(asked=asked, laying=laying)
        head, rest = draft[0], draft[1:]
        legal: dict[str, tuple[str, ...]] = {
            "mark": ("x",) if any(word == "high" for _, word in view.calls) else ("x", "y")
        }
        if asked and laying:
            legal = {**legal, "lay": ORDERS}
        elif asked:
            legal = {**legal, "draw": ("1", "2", "3"), "call": ("low", "high")}
        if head not in ("mark", "lay", "draw", "call") or len(rest) > 1:
            raise InvalidAction(msg("error.word"))
        if head not in legal:
            raise IllegalAction(msg("error.now"))
        if rest and rest[0] not in legal[head]:
            raise IllegalAction(msg("error.which"))
        key = "lay" if head == "lay" else "turn"
        if rest:
            keep, draws = head == "lay", head == "draw"
            return Menu(key, msg("confirm"), draft, (), complete=True, closing=True, keep=keep, reveals=draws)
        choices = tuple(_choice(word, reveals=head == "draw") for word in legal[head])
        shuffle = Field("random", msg("random"), (), shuffle=LETTERS)
        fields: tuple[Field, ...] = (Field(head, msg(head), choices),)
        if head == "lay":
            fields = (*fields, shuffle)
        return Menu(key, msg(head), draft, fields, complete=False, closing=False, keep=head == "lay")

    def _root(self, *, asked: bool, laying: bool) -> Menu:
        choices = [_choice("mark", aside=True)]
        if asked:
            choices += [_choice("lay")] if laying else [_choice("draw"), _choice("call")]
        key = "lay" if laying else "turn"
        first = Field("first", msg("first"), tuple(choices))
        return Menu(key, msg("what"), (), (first,), complete=False, closing=False, keep=laying and asked)

    def preview(self, view: View, draft: Words) -> View:
        return replace(view, mine=draft[1]) if len(draft) == 2 and draft[0] == "lay" else view

    def narrate(self, fact: Any) -> Msg | None:
        return msg(f"fact.{fact.kind}")

    def outcome(self, view: View) -> Outcome | None:
        if view.totals is None:
            return None
        if view.agreed:
            return Outcome((tuple(range(view.seats)),), (msg("agreed"),))
        totals = {s: -1 if s in view.gone else view.totals[s] for s in range(view.seats)}
        values = sorted(set(totals.values()), reverse=True)
        ranks = tuple(tuple(s for s in range(view.seats) if totals[s] == value) for value in values)
        return Outcome(ranks, (msg("highest"),), tuple(totals.items()))

    def imagine(self, view: View, rng: Rng) -> State:
        raise NotImplementedError

    def read(self, text: str) -> Words:
        words = tuple(text.lower().split())
        if any(not word.isalnum() for word in words):
            raise InvalidAction(msg("error.word"))
        return words

    def write(self, words: Words) -> str:
        return " ".join(words)

    def describe(self, view: View) -> Mapping[str, Any]:
        return {"calls": [list(call) for call in view.calls]}

    def record(self, state: State) -> Mapping[str, Any]:
        return {
            "deck": list(state.deck),
            "laid": list(state.laid),
            "hands": [list(hand) for hand in state.hands],
            "marks": list(state.marks),
            "calls": [list(call) for call in state.calls],
            "gone": list(state.gone),
            "agreed": state.agreed,
            "step": state.step,
        }


def _with(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _over(state: State) -> bool:
    left = state.seats - len(state.gone)
    return state.agreed or left < 2 or len(state.calls) >= ROUNDS * left


def _end(state: State) -> tuple[Event, ...]:
    return (Event(fact("over", hands=state.hands), EVERYONE),) if _over(state) else ()
