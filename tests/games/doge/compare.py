"""The engine beside the reference: both are told the same words, and must agree on every one."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from engines.core.contract import ActionError, Step, facts_for
from engines.core.rng import Rng
from engines.doge import GAME
from engines.doge.state import State
from engines.doge.view import Gift, Source, View
from tests.games.doge import reference
from tests.games.doge.compare_told import differences, hearsay, words_of
from tests.games.doge.reference_sheet import COLOURS, fits
from tests.games.doge.reference_world import CARD_SHAPED, World
from tests.games.doge.words import ALIKE, NOTATION, vocabulary

NOTES = ("auto", "mark")
QUIET = (*NOTES, "ahead")
"""Asides that nobody else can notice."""


@dataclass(frozen=True)
class Manner:
    """How a line of play goes on: how probable are a guess, an aside and a withdrawal at each step.

    ``player``: the computer player decides. ``seeking``: pawns go where somebody can be met, and shun
    the ghost, so that cards run out. ``tries``: sentences that are tried at each position.
    """

    player: float = 0.0
    seeking: float = 0.0
    guessing: float = 0.0
    asides: float = 0.2
    leaving: float = 0.0
    tries: int = 6


@dataclass
class Duo:
    """One match, twice; ``seen`` counts what was compared."""

    state: State
    world: World
    rng: Rng
    trail: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    def same(self, state: State, world: World, text: str) -> None:
        """Raise ``AssertionError`` where the two differ, with what differs."""
        wrong = differences(state, world)
        assert not wrong, f"{text!r} after {self.trail}: engine, reference: {wrong}"
        self.seen["positions"] += 1

    def try_words(self, seat: int, text: str) -> tuple[State, World] | None:
        """Tell both the words; return where they lead, or ``None`` if both refuse them."""
        step = self.engine(seat, text)
        one = None if step is None else step.state
        try:
            two = reference.say(*self.chance(seat, self.normal(seat, text, one), one))
            why = ""
        except reference.Refused as refusal:
            two, why = None, str(refusal)
        self.seen[f"no: {why}" if why else "taken"] += 1
        taken = "refused" if one is None else "taken"
        assert (one is None) == (two is None), (
            f"{text!r} of {COLOURS[seat]} is {taken} by the engine, {why!r}; after {self.trail}"
        )
        return None if step is None or two is None else self.both(step, two, text)

    def both(self, step: Step[State], world: World, text: str) -> tuple[State, World]:
        """Return the two after something that both take; compare what everybody hears of it."""
        wrong = hearsay(self.world, world, step.events)
        assert not wrong, f"{text!r} after {self.trail}: hears, should, may: {wrong}"
        self.seen.update(f"fact {event.fact.kind}" for event in step.events)
        return step.state, world

    def normal(self, seat: int, text: str, after: State | None) -> str:
        """Return words in the notation of the rules page, if the engine has taken them.

        It takes them in other orders too, and proposes a square; the notation itself it leaves alone.
        """
        menu = None if after is None else GAME.menu(GAME.view(self.state, seat), GAME.read(text))
        normal = text if menu is None else GAME.write(menu.draft)
        assert normal == text or text not in NOTATION, f"{text!r} became {normal!r}"
        return normal

    def chance(self, seat: int, text: str, after: State | None) -> tuple[World, int, str, int]:
        """Return what :func:`reference.say` needs: what the engine drew is told to the reference."""
        world, die = self.world, 1
        if after is not None and world.phase == "place" and after.public.turn is not None:
            world.first = after.public.turn
        if after is not None and after.public.die is not None:
            die = after.public.die
        return world, seat, text, die

    def engine(self, seat: int, text: str) -> Step[State] | None:
        """Return what words lead to in the engine, ``None`` if they are refused."""
        try:
            step = GAME.act(self.state, seat, GAME.read(text), self.rng)
        except ActionError as refusal:
            self.seen[f"{refusal.kind} {refusal.msg.key}"] += 1
            return None
        if text.split(maxsplit=1)[0] in QUIET:
            self.unnoticed(seat, step)
        if text.split(maxsplit=1)[0] in NOTES:
            assert GAME.record(step.state) == GAME.record(self.state), "notes are in no digest"
        return step

    def unnoticed(self, seat: int, step: Step[State]) -> None:
        """Raise ``AssertionError`` if anybody else could notice an aside of a seat's own."""
        for other in (None, *range(self.world.seats)):
            if other != seat:
                assert not facts_for(step.events, other)
                assert GAME.view(step.state, other) == GAME.view(self.state, other)

    def gift_stays_secret(self, seat: int) -> None:
        """Raise ``AssertionError`` if a third seat could tell one gift from another."""
        assert self.world.owes is not None
        square = CARD_SHAPED[len(self.trail) % 5]
        lines = [text for text in reference.duties(self.world, seat) if text.endswith(f" {square}")]
        steps = [GAME.act(self.state, seat, GAME.read(text), self.rng) for text in lines]
        for other in (None, *range(self.world.seats)):
            if other not in (seat, self.world.turn):
                for step in steps[1:]:
                    assert GAME.view(step.state, other) == GAME.view(steps[0].state, other)
                    assert facts_for(step.events, other) == facts_for(steps[0].events, other)
        self.seen["gifts compared"] += len(lines)

    def twin(self, stream: random.Random, seat: int, words: list[str]) -> None:
        """Raise ``AssertionError`` if a seat could tell an imagined truth from the real one by a refusal."""
        view = GAME.view(self.state, seat)
        twin = GAME.imagine(view, self.rng.child("twin", len(self.trail), seat))
        assert GAME.view(twin, seat) == view
        pairs = [words_of(pair) for pair in (*twin.pairs, twin.treasure)]
        dealt = tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
        assert all(fits(dealt, clue) for clue in self.world.clues[seat]), self.trail
        given = [(gift.giver, face) for gift, face in zip(twin.public.gifts, twin.faces, strict=True)]
        assert len(set(given)) == len(given), "a card is given once"
        assert not any(face in pairs[giver] for giver, face in given), "no true card is ever given"
        for text in stream.sample(words, 8):
            refusals = [self.refusal(state, seat, text) for state in (self.state, twin)]
            assert refusals[0] == refusals[1], f"{text!r} of {COLOURS[seat]} after {self.trail}: {refusals}"
        self.seen["twins"] += twin.pairs != self.state.pairs

    def refusal(self, state: State, seat: int, text: str) -> object:
        """Return why words are refused, ``None`` where they are taken."""
        try:
            GAME.act(state, seat, GAME.read(text), self.rng)
        except ActionError as refusal:
            return refusal.kind, refusal.msg
        return None

    def menus(self, seat: int) -> None:
        """Raise ``AssertionError`` if the engine's menus offer more or less than the reference allows."""
        offered = offers(GAME.view(self.state, seat))
        wanted = set(reference.legal(self.world, seat))
        # The menu offers what ``auto`` is not: the reference takes both.
        where = f"menus of {COLOURS[seat]} after {self.trail}"
        assert not {text for text in offered ^ wanted if not text.startswith("auto")}, where
        assert {text for text in offered if text.startswith("auto")} <= wanted, where
        self.seen["menus"] += 1

    def try_withdrawal(self, seat: int) -> tuple[State, World] | None:
        """Take a seat out of both; what the engine gave by lot is told to the reference."""
        self.seen["withdrawals"] += 1
        step: Step[State] | None
        world: World | None
        try:
            step = GAME.withdraw(self.state, seat, self.rng)
        except ActionError:
            step = None
        state = None if step is None else step.state
        lot = ""
        if state is not None and len(state.faces) > len(self.state.faces):
            lot = gift_words(state, state.public.gifts[-1])
            self.seen["given by lot"] += 1
        if state is not None and self.world.phase == "place" and state.public.turn is not None:
            self.world.first = state.public.turn
        try:
            world = reference.withdraw(self.world, seat, lot)
        except reference.Refused:
            world = None
        name = f"{COLOURS[seat]} withdraws {lot}".strip()
        assert (state is None) == (world is None), f"{name}, after {self.trail}: one of them refuses"
        if step is None or world is None:
            return None
        self.same(step.state, world, name)
        return self.both(step, world, name)

    def withdraw(self, seat: int) -> None:
        """Take a seat out of both for good, if it has not left before."""
        found = self.try_withdrawal(seat)
        if found is not None:
            self.trail.append(f"{COLOURS[seat]} withdraws")
            self.state, self.world = found

    def go(self, seat: int, text: str) -> None:
        """Let both take words that are legal, and compare all that follows."""
        found = self.try_words(seat, text)
        assert found is not None, f"{text!r} of {COLOURS[seat]} after {self.trail}: refused by both"
        self.same(*found, text)
        self.state, self.world = found
        self.trail.append(f"{seat} {text}")
        self.seen[f"said {text.split(maxsplit=1)[0]}"] += 1

    def walk(self, stream: random.Random, manner: Manner) -> None:
        """Compare along a whole match."""
        self.same(self.state, self.world, "the beginning")
        words = vocabulary(self.world.seats)
        while self.world.phase != "over":
            self.look_around(stream, words, manner.tries)
            # Cards are rarely owed when somebody leaves, unless one waits for it.
            if stream.random() < manner.leaving * (3 if self.world.owes else 1):
                self.withdraw(stream.randrange(self.world.seats))
                continue
            self.go(*self.next_words(stream, manner))
        self.seen[f"over: {self.world.result}"] += 1
        self.look_around(stream, words, manner.tries)

    def look_around(self, stream: random.Random, words: list[str], tries: int) -> None:
        """Try words of anybody, legal ones of who is asked, and now and then all menus of a seat."""
        world = self.world
        for _ in range(tries):
            self.try_words(stream.randrange(world.seats), stream.choice(words))
        for seat in world.asked():
            self.answers(stream, seat, 1 + tries // 3)
        many = {"haunt": 1.0, "choose": 0.2, "owes": 0.1, "last": 0.2}.get(world.phase, 0.02)
        if stream.random() < many:
            self.interruptions(stream)
        # A ghost deck longer than the game's cannot be imagined.
        if tries and len(world.drawn) + len(world.deck) <= 10 and stream.random() < 0.1:
            self.twin(stream, stream.randrange(world.seats), words)
        if tries and stream.random() < 0.02:
            self.menus(stream.randrange(world.seats))
        if tries and world.owes and stream.random() < 0.3:
            self.gift_stays_secret(world.owes[1])

    def answers(self, stream: random.Random, seat: int, tries: int) -> None:
        """Try sentences of a seat that is asked: some that are legal, and some of the same kind."""
        options = reference.legal(self.world, seat)
        for text in stream.sample(options, min(len(options), tries)):
            found = self.try_words(seat, text)
            assert found is not None, f"{text!r} of {seat} after {self.trail}"
            if stream.random() < 0.3:
                self.same(*found, text)
        verb = stream.choice(reference.duties(self.world, seat)).split()[0]
        for text in stream.sample(ALIKE[verb], min(len(ALIKE[verb]), tries)):
            self.try_words(seat, text)
        if self.world.phase in ("choose", "haunt"):
            for text in ("look", "leave", *ALIKE["meet"], *ALIKE["haunt"]):
                self.try_words(seat, text)

    def by_lot(self, seat: int) -> None:
        """Raise ``AssertionError`` unless what happens at a deadline answers what the seat is asked."""
        words = GAME.lapse(GAME.view(self.state, seat), self.rng.child("lapse", len(self.trail)))
        text = "" if words is None else GAME.write(words)
        assert text in (reference.duties(self.world, seat) or [""]), (text, self.trail)

    def interruptions(self, stream: random.Random) -> None:
        """Let each seat guess, or leave, in the middle of another's turn."""
        for seat in range(self.world.seats):
            if options := reference.guesses(self.world, seat):
                text = stream.choice(options)
                found = self.try_words(seat, text)
                assert found is not None, f"{text!r} of {seat} after {self.trail}"
                self.same(*found, text)
            self.try_withdrawal(seat)
            self.by_lot(seat)

    def next_words(self, stream: random.Random, manner: Manner) -> tuple[int, str]:
        """Return what is said next: a guess or an aside of anybody, or a duty of who is asked."""
        world = self.world
        seat = stream.choice(world.asked())
        for chance, of in ((manner.guessing, reference.guesses), (manner.asides, reference.asides)):
            other = stream.randrange(world.seats)
            if stream.random() < chance and (options := of(world, other)):
                return other, stream.choice(options)
        if stream.random() < manner.player:
            return self.computer(seat)
        if stream.random() < manner.seeking:
            return seat, stream.choice(wanted(world, seat))
        return seat, stream.choice(reference.duties(world, seat))

    def computer(self, seat: int) -> tuple[int, str]:
        """Return what a computer player says: whoever guesses, else the seat that is asked."""
        rng = self.rng.child(len(self.trail))
        for other in range(self.world.seats):
            view = GAME.view(self.state, other)
            menu = GAME.menu(view)
            words = None if menu is None else GAME.interrupt(view, menu, None, rng)
            if words is not None:
                assert GAME.write(words) in reference.guesses(self.world, other)
                self.seen["interrupts"] += 1
                return other, GAME.write(words)
        view = GAME.view(self.state, seat)
        menu = GAME.menu(view)
        assert menu is not None
        return seat, GAME.write(GAME.player(view, menu, rng))


def wanted(world: World, seat: int) -> list[str]:
    """Return the duties that make hands smaller and leave the ghost alone, or all where none does."""
    found = reference.duties(world, seat)
    if world.phase == "move":
        after = {text: reference.say(world, seat, text) for text in found}
        found = [text for text in found if after[text].drawn == world.drawn and not after[text].result]
        found = [
            text for text in found if after[text].phase != "roll" or after[text].clues != world.clues
        ] or found
    elif world.phase == "choose":
        found = [text for text in found if text.startswith("meet")]
    return found or reference.duties(world, seat)


def offers(view: View) -> set[str]:
    """Return all whole sentences that a seat's menus lead to, without pencil marks."""
    first = GAME.menu(view)
    found, seen, drafts = set(), set(), [] if first is None else [first.draft]
    while drafts:
        menu = GAME.menu(view, drafts.pop())
        assert menu is not None
        if menu.complete:
            found.add(GAME.write(menu.draft))
        if menu.draft not in seen:
            seen.add(menu.draft)
            drafts += [(*menu.draft, choice.word) for choice in menu.choices() if choice.word != "mark"]
    return found


def gift_words(state: State, gift: Gift) -> str:
    """Return the words with which the latest gift was given."""
    if gift.source is Source.GHOST:
        return f"give {state.faces[-1]} {gift.square}"
    return f"show {' '.join(words_of(state.shown_with(len(state.faces) - 1)))} {gift.square}"
