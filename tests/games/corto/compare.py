"""The engine beside the reference: both are told the same words, and must agree on every one."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from engines.core.contract import ActionError
from engines.core.rng import Rng
from engines.corto import GAME
from engines.corto.state import State
from tests.games.corto import reference
from tests.games.corto.candidates import candidates
from tests.games.corto.reference_count import count, groups
from tests.games.corto.reference_world import Json, World, read

WEIGHTS = {
    **dict.fromkeys(("end", "discard", "enough", "draw"), 1),
    **dict.fromkeys(("play", "use", "corto", "rasputin", "adv"), 4),
    **dict.fromkeys(("hit", "shot", "move"), 20),
}
"""How gladly a line of play goes on with a verb; 8 for what a card does."""


def world_of(state: State) -> World:
    """Return the reference's world of a state at the beginning of a turn or a match."""
    return read(dict(GAME.describe(GAME.view(state, None))), dict(GAME.record(state)))


def told(state: State) -> Json:
    """Return what the engine says of a state, as far as the rules page speaks of it."""
    truth, view = dict(GAME.record(state)), dict(GAME.describe(GAME.view(state, None)))
    keys = (
        "phase",
        "board",
        "figurines",
        "stock",
        "sealed",
        "corto_gold",
        "kept",
        "hands",
        "decks",
        "to_draw",
    )
    found = {key: truth[key] for key in (*keys, "discards", "place", "passes", "gone", "ranks", "reason")}
    found["turn"] = truth["turn"] and truth["turn"]["seat"]
    found["quests"] = {strip: _sorted(quest) for strip, quest in view["quests"].items()}
    found["faces"] = [truth["faces"].get(strip, []) for strip in "CE"]
    found["gold"] = view["gold"]
    found["groups"] = sorted((one["seat"], sorted(one["squares"])) for one in view["groups"])
    found["asked"] = sorted(view["asked"])
    return found


def expected(world: World) -> Json:
    """Return the same of the reference's world."""
    name = world.colours.__getitem__

    def by_seat(values: list[Any]) -> Json:
        return dict(zip(world.colours, values, strict=True))

    return {
        "phase": world.phase,
        "board": {
            square: {"card": card, "markers": {name(seat): n for seat, n in enumerate(markers) if n}}
            for square, (card, markers) in world.board.items()
        },
        "figurines": world.figures,
        "stock": by_seat(world.stock),
        "sealed": by_seat(world.seal),
        "corto_gold": by_seat(world.earned),
        "kept": by_seat(world.kept),
        "hands": by_seat(world.hands),
        "decks": world.decks,
        "to_draw": by_seat(world.to_draw),
        "discards": world.discards,
        "place": None if world.place is None else name(world.place),
        "passes": sum(seat in world.here() for seat in world.passed),
        "gone": [name(seat) for seat in world.gone],
        "ranks": world.ranks,
        "reason": world.reason,
        "turn": None if world.seat is None else name(world.seat),
        "quests": {strip: _sorted(quest) for strip, quest in world.quests.items()},
        "faces": [[world.tiles[square] for square in sorted(world.tiles)], world.carriages],
        "gold": {name(seat): count(world, seat) for seat in range(len(world.colours))},
        "groups": sorted(
            (name(seat), sorted(group))
            for seat in range(len(world.colours))
            for group in groups(world, seat)
            if len(group) > 1
        ),
        "asked": sorted(map(name, world.asked())),
    }


def _unordered(found: Json) -> None:
    """Forget the order of what was hidden: once all is over nothing hangs on it."""
    found["hands"] = {colour: sorted(hand) for colour, hand in found["hands"].items()}
    found["decks"] = {strip: sorted(deck) for strip, deck in found["decks"].items()}
    found["faces"] = [sorted(faces) for faces in found["faces"]]


def _sorted(quest: Json) -> Json:
    """Return a quest whose piles have no order."""
    found = dict(quest)
    for key in ("taken", "carriages"):
        if key in found:
            found[key] = {colour: sorted(pile) for colour, pile in found[key].items()}
    if "lost" in found:
        found["lost"] = sorted(found["lost"])
    return found


NEAR = 0.3
"""How often a line of play prefers words that name the square of the character last played."""
OTHERS = 0.1
"""How often a seat that may not speak is tried too."""


@dataclass(frozen=True)
class Manner:
    """How a line of play goes on: how probable a pass and, after each step, a withdrawal are.

    ``player``: the computer player decides.
    """

    player: bool = False
    passing: float = 0.0
    leaving: float = 0.0

    def choose(self, stream: random.Random, texts: list[str], square: str) -> str:
        """Return one of the texts: what cards do more often than cards, and these more often than ends.

        Words that name ``square`` are preferred now and then.
        """
        kinds: dict[str, list[str]] = {}
        for text in texts:
            kinds.setdefault(_kind(text), []).append(text)
        if stream.random() < self.passing:
            for text in ("discard", "enough", "end"):
                if text in texts:
                    return text
        if square and stream.random() < NEAR:
            kinds = {
                kind: near
                for kind, family in kinds.items()
                if (near := [text for text in family if square in text])
            } or kinds
        weights = [WEIGHTS.get(kind, 8) for kind in kinds]
        return stream.choice(kinds[stream.choices(list(kinds), weights)[0]])


@dataclass
class Pair:
    """One match, twice; ``seen`` counts what was compared, and ``line`` leads here from ``anchor``."""

    state: State
    world: World
    rng: Rng
    trail: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    anchor: State | None = None
    line: list[str] = field(default_factory=list)
    speaker: int | None = None

    def same(self, state: State, world: World, text: str) -> None:
        """Raise ``AssertionError`` where the two differ, with what differs."""
        one, two = told(state), expected(world)
        if world.phase == "over":
            _unordered(one)
            _unordered(two)
        assert one.keys() == two.keys()
        wrong = {key: (one[key], two[key]) for key in one if one[key] != two[key]}
        assert not wrong, f"{text!r} after {self.trail}: engine, reference: {wrong}"

    def try_all(self, seat: int, words: list[str]) -> dict[str, tuple[State, World]]:
        """Tell both each of the words; return where those lead that both take."""
        found = {}
        for text in words:
            self.seen["words"] += 1
            one, two = self.engine(seat, text), self.reference(seat, text)
            if one is not None:
                two = self.reference(seat, text, GAME.record(one)["hands"][self.world.colours[seat]][-1:])
            why = f"{text!r} of {self.world.colours[seat]} after {self.trail}"
            assert (one is None) == (two is None), (
                f"{why}: taken by the {'reference' if one is None else 'engine'}"
            )
            if one is not None and two is not None:
                self.same(one, two, text)
                found[text] = (one, two)
        self.seen["positions"] += 1
        self.seen["taken"] += len(found)
        return found

    def engine(self, seat: int, text: str) -> State | None:
        """Return the state after words, ``None`` if they are refused."""
        try:
            step = GAME.act(self.state, seat, GAME.read(text), self.rng)
        except ActionError:
            return None
        self.seen.update(f"fact {event.fact.kind}" for event in step.events)
        return step.state

    def reference(self, seat: int, text: str, fate: list[str] | None = None) -> World | None:
        """Return the reference's world after words, ``None`` if they are refused."""
        try:
            return reference.say(self.world, seat, text, fate[0] if fate else None)
        except reference.Refused as why:
            self.seen[f"no: {why}"] += 1
            return None

    def walk(self, stream: random.Random, steps: int, most: int, manner: Manner) -> None:
        """Compare here and along a line of play; ``most``: how many words of each family to try."""
        self.same(self.state, self.world, "the beginning")
        for _ in range(steps):
            world = self.world
            if world.phase == "over":
                self.seen[f"over: {world.reason}"] += 1
                return
            seat = stream.choice(world.asked())
            found = self.try_all(seat, candidates(world, seat, stream, most))
            if stream.random() < OTHERS:
                other = stream.choice([one for one in world.here() if one != seat])
                self.try_all(other, candidates(world, other, stream, 1))
            if stream.random() < manner.leaving:
                self.withdraw(stream.choice(world.here()))
            elif manner.player:
                text = self.players_words(seat)
                self.go(seat, text, self.try_all(seat, [text]))
            elif found:
                self.go(seat, manner.choose(stream, list(found), self.square(stream)), found)

    def square(self, stream: random.Random) -> str:
        """Return where something may happen: at the character last played, or at the train."""
        train = self.world.quests.get("E", {}).get("train")
        return stream.choice((self.world.turn.stood, f"e{train}" if train else ""))

    def follow(self, stream: random.Random, *lines: str) -> None:
        """Compare along a given line of play of one seat; everything of it must be taken."""
        for text in lines:
            seat = self.world.asked()[0]
            found = self.try_all(seat, [*candidates(self.world, seat, stream, 10), text])
            assert text in found, text
            self.go(seat, text, found)
        seat = self.world.asked()[0]
        self.try_all(seat, candidates(self.world, seat, stream, 40))

    def players_words(self, seat: int) -> str:
        """Return what the computer player says."""
        view = GAME.view(self.state, seat)
        menu = GAME.menu(view)
        assert menu is not None
        return GAME.write(GAME.player(view, menu, self.rng.child(len(self.trail))))

    def withdraw(self, seat: int) -> None:
        """Take a seat out of both; its cards lie under their decks in any order."""
        state, world = GAME.withdraw(self.state, seat, self.rng).state, reference.withdraw(self.world, seat)
        for strip, deck in world.decks.items() if world.phase != "over" else ():
            kept, bottom = self.world.decks[strip], GAME.record(state)["decks"][strip]
            bottom = bottom[len(kept) :]
            assert sorted(bottom) == sorted(deck[len(kept) :])
            deck[len(kept) :] = bottom
        self.same(state, world, f"{world.colours[seat]} withdraws")
        self.state, self.world, self.anchor, self.line = state, world, None, []
        self.trail.append(f"{world.colours[seat]} withdraws")
        self.seen["withdrawals"] += 1

    def go(self, seat: int, text: str, found: dict[str, tuple[State, World]]) -> None:
        """Take a step; all steps of a turn in one line must lead to the same."""
        if seat != self.speaker:
            self.anchor, self.line, self.speaker = None, [], seat
        before = self.state
        self.state, self.world = found[text]
        self.trail.append(f"{self.world.colours[seat]}: {text}")
        self.seen[_kind(text)] += 1
        self.anchor, self.line = self.anchor or before, [*self.line, text]
        if self.world.revealed or {"end", "discard", "enough"} & set(text.split()):
            whole = GAME.act(self.anchor, seat, GAME.read(" ".join(self.line)), self.rng).state
            if "adv E17" not in text:
                self.same(whole, self.world, " ".join(self.line))
            self.anchor, self.line = None, []


def _kind(text: str) -> str:
    """Return the verb of a text, or the sign that it begins with."""
    return text.split(maxsplit=1)[0] if text[0].isalpha() else text[0]
