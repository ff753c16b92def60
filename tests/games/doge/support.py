"""Positions to test with: a truth that is given, a board that reads like a sentence, and lines of play.

Unless a test says otherwise the people of the rulebook sit there: Dario is red (Biennale, Corder), Leo
yellow (Comune, Remer), Marta green, Francesco blue. With three seats green is missing, with two red too,
and their cards lie face up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engines.core.contract import ActionError, Fact, Msg, Seat, Viewer
from engines.core.match import Entry, EntryKind, Match
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.core.texts import load
from engines.doge import GAME
from engines.doge.components import GHOST_CARDS, LOCATIONS, PRINTED, Card, Pair, in_order
from engines.doge.rules import empty
from engines.doge.state import State, replace_at
from engines.doge.view import COLOURS as COLOURS
from engines.doge.view import Discard, Gift, GiftAhead, Guess, Notes, Phase, Public, Section, Sheet, Source
from engines.doge.view import View as View

SEED = bytes(32)
BLUE, YELLOW, RED, GREEN = range(4)
EVERYBODY: tuple[Viewer, ...] = (None, BLUE, YELLOW, RED, GREEN)

DEAL = ("sovrintendenza favro", "comune remer", "biennale corder", "marina impiraressa")
"""The pairs of blue, yellow, red and green."""

TREASURE = "peril ascia"

SPENT: Mapping[str, str] = dict.fromkeys(COLOURS, "")
"""Nobody has a false card left."""

LOCATION_OF = {card: square for square, card in LOCATIONS.items()}
"""The main location of each institution."""


def pair(text: str) -> Pair:
    """Return a pair from its two words, the institution first."""
    institution, craft = text.split()
    return Pair(Card(institution), Card(craft))


def seat_of(colour: str) -> Seat:
    """Return the seat of a colour."""
    return COLOURS.index(colour)


# --- positions ------------------------------------------------------------------------------------


def at(
    pawns: str,
    *,
    turn: str = "blue",
    die: int | None = None,
    told: Sequence[str] = (),
    left: Mapping[str, str] | None = None,
    ghosts: str | None = None,
    ahead: Mapping[str, str] | None = None,
    gifts: str = "ahead",
    deal: Sequence[str] = DEAL,
    treasure: str = TREASURE,
) -> Match:
    """Return a match in which somebody is to roll, or, with ``die``, has rolled.

    ``pawns``: the square of each seat in order, ``0123``; ``-`` for a seat that is out. The number of signs
    is the number of seats.
    ``told``: what has happened before, in order: ``green shows red comune 7`` (the false card and its
    square; the true one follows), ``blue gives red remer 5`` (through the ghost), ``red looks 5``,
    ``blue guesses marina favro``.
    ``left``: the only false cards that a seat still has; the others are shown, looked at and discarded.
    ``ghosts``: the ghost deck from the top.
    ``ahead``: gifts left in advance, ``{"red": "biennale favro 7"}``.
    """
    seats = len(pawns)
    pairs = tuple(map(pair, deal[:seats]))
    laid_out = in_order(frozenset(card for text in deal[seats:] for card in pair(text).cards))
    setup = complete(GAME.manifest, seats, {"gifts": gifts})
    public = empty(setup, laid_out)
    deck, drawn = _ghosts(seats, ghosts)
    public = replace(
        public,
        phase=Phase.ROLL if die is None else Phase.MOVE,
        turn=seat_of(turn),
        turns=1,
        die=die,
        pawns=tuple(None if sign == "-" else int(sign) for sign in pawns),
        out=tuple(seat for seat, sign in enumerate(pawns) if sign == "-"),
        deck=len(deck),
        drawn=drawn,
        ghost=drawn[-1] if drawn else None,
    )
    found = tuple(_gift(text) for text in map((ahead or {}).get, COLOURS[:seats]))
    state = State(public, pairs, pair(treasure), (), deck, found, (Notes(),) * seats)
    for text in told:
        state = _after(state, text)
    for text in _spent(state, left or {}):
        state = _after(state, text)
    return Match.at(GAME, setup, SEED, state)


def _ghosts(seats: int, names: str | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a ghost deck, and what was drawn of it: together two cards of each location, or fewer."""
    both, most = [*LOCATIONS, *LOCATIONS], GHOST_CARDS[PRINTED][seats]
    if names is None:
        return tuple(both[:most]), ()
    deck = tuple(LOCATION_OF[Card(name)] for name in names.split())
    drawn = tuple((Counter(both) - Counter(deck)).elements())
    return deck, drawn[: most - len(deck)]


def _gift(text: str | None) -> GiftAhead | None:
    if text is None:
        return None
    cards, square = text.rsplit(maxsplit=1)
    return GiftAhead(pair(cards), int(square))


def _spent(state: State, left: Mapping[str, str]) -> list[str]:
    """Return how all false cards but those left came to be discarded: by the next seat."""
    assert not (left and state.public.piles[9]), "these cards pass over square 9"
    lines: list[str] = []
    for colour, cards in left.items():
        giver = seat_of(colour)
        other = COLOURS[(giver + 1) % state.public.seats]
        gone = [card for card in state.false_hand(giver) if card.value not in cards.split()]
        for card in gone:
            lines += [f"{colour} shows {other} {card} 9", f"{other} looks 9"]
    return lines


def _after(state: State, text: str) -> State:
    colour, verb, *rest = text.split()
    seat, public = seat_of(colour), state.public
    public = replace(public, step=public.step + 1)
    match verb:
        case "shows" | "gives":
            other, card, square = rest
            source = Source.MEETING if verb == "shows" else Source.GHOST
            gift = Gift(source, seat, seat_of(other), int(square), public.step)
            pile = (*public.piles[int(square)], len(public.gifts))
            piles = replace_at(public.piles, int(square), pile)
            public = replace(public, gifts=(*public.gifts, gift), piles=piles)
            state = replace(state, faces=(*state.faces, Card(card)))
        case "looks":
            place = int(rest[0])
            number, *others = public.piles[place]
            discard = Discard(number, seat, place, public.step)
            piles = replace_at(public.piles, place, tuple(others))
            public = replace(public, piles=piles, discards=(*public.discards, discard))
        case _:
            guess = Guess(seat, pair(" ".join(rest)), right=False)
            out = public.out if seat in public.out else (*public.out, seat)
            pawns = replace_at(public.pawns, seat, None)
            public = replace(public, guesses=(*public.guesses, guess), out=out, pawns=pawns)
    return replace(state, public=public)


def start(seats: int = 4, gifts: str = "ahead", seed: bytes = SEED, nights: str = PRINTED) -> Match:
    """Return a match from its beginning."""
    options = {"gifts": gifts, "nights": nights}
    return Match.start(GAME, complete(GAME.manifest, seats, options), seed)


# --- lines of play --------------------------------------------------------------------------------


def play(match: Match, *lines: str) -> Match:
    """Return the match after sentences, each with its colour: ``red show biennale favro 7``.

    ``blue roll 3`` rolls a three; ``blue resigns`` leaves for good.
    """
    for line in lines:
        colour, *words = line.split()
        seat = seat_of(colour)
        if words == ["resigns"]:
            match = match.apply(Entry(EntryKind.WITHDRAW, seat))
        elif words[0] == "roll" and len(words) > 1:
            match = _rolled(match, seat, int(words[1]))
        else:
            match = match.act(seat, tuple(words))
    return match


def _rolled(match: Match, seat: Seat, die: int) -> Match:
    """Return the match after a roll of ``die``: rolled under the first seed that gives it."""
    for number in range(1000):
        found = replace(match, seed=number.to_bytes(32)).act(seat, ("roll",))
        if found.view(None).die == die:
            return replace(found, seed=match.seed)
    raise AssertionError(f"the die shows no {die}")


def refusal(match: Match, line: str) -> str:
    """Return the key of the refusal of a sentence, and see that its text can be told."""
    colour, *words = line.split()
    with pytest.raises(ActionError) as caught:
        match.act(seat_of(colour), tuple(words))
    assert english(caught.value.msg)
    return caught.value.msg.key.removeprefix("error.")


def english(text: Msg) -> str:
    """Return a text in English; seats are called by their colours."""
    return load("engines.doge").render(text, lambda seat: COLOURS[seat].capitalize())


# --- what is to be seen ---------------------------------------------------------------------------


def public(match: Match) -> Public:
    """Return what everybody knows."""
    found: Public = match.view(None)
    return found


def asked(match: Match) -> str:
    """Return the phase, and who is asked: ``show yellow``."""
    return " ".join([public(match).phase, *(COLOURS[seat] for seat in sorted(match.waiting))])


def view(match: Match, colour: str) -> View:
    """Return what a seat knows."""
    found: View = match.view(seat_of(colour))
    return found


def piles(match: Match) -> dict[int, str]:
    """Return the owners of the cards in each pile from the top: ``{7: "red green"}``."""
    table = public(match)
    return {
        square: " ".join(COLOURS[table.gifts[number].giver] for number in pile)
        for square, pile in enumerate(table.piles)
        if pile
    }


def hands(match: Match) -> list[int]:
    """Return how many false cards each seat has left, as everybody can tell."""
    return [public(match).false_cards(seat) for seat in range(match.setup.seats)]


def offered(match: Match, colour: str, *draft: str) -> str:
    """Return the words that a seat may say next to what it is asked, asides left out."""
    menu = match.menu(seat_of(colour), draft)
    assert menu is not None
    return " ".join(choice.word for choice in menu.choices() if not choice.aside)


def asides(match: Match, colour: str) -> str:
    """Return the first words of the asides that are open to a seat."""
    menu = match.menu(seat_of(colour))
    assert menu is not None
    return " ".join(choice.word for choice in menu.choices() if choice.aside)


def prompt(match: Match, colour: str, *draft: str) -> str:
    """Return what a seat is asked after a draft, in English."""
    menu = match.menu(seat_of(colour), draft)
    assert menu is not None
    return english(menu.prompt)


def facts(match: Match, viewer: Viewer) -> list[Fact]:
    """Return what a viewer learned in the last step."""
    return [fact for _, fact in match.facts(viewer, len(match.log))]


def story(match: Match, colour: str = "") -> list[str]:
    """Return what a seat, or the public, was told of the last step, in English."""
    return [english(GAME.narrate(fact)) for fact in facts(match, seat_of(colour) if colour else None)]


def sheet(match: Match, viewer: str) -> Sheet:
    """Return a seat's clue sheet."""
    found = view(match, viewer).sheet
    assert found is not None
    return found


def section(match: Match, viewer: str, about: str) -> Section:
    """Return the part of a seat's sheet about another seat."""
    return next(part for part in sheet(match, viewer).sections if part.seat == seat_of(about))


def left_over(match: Match, viewer: str) -> tuple[int, int]:
    """Return how many deals and how many treasures are possible by a seat's sheet."""
    found = sheet(match, viewer)
    assert found.deals is not None
    assert found.treasures is not None
    return found.deals, len(found.treasures)


def marks(match: Match, viewer: str) -> dict[str, str]:
    """Return a sheet as its rows: of each card, the marks in the sections of the others, ``.`` for none."""
    parts: list[Any] = list(GAME.describe(view(match, viewer))["sheet"]["marks"].values())
    return {card.value: " ".join(part[card.value] or "." for part in parts) for card in Card}


def twins(match: Match, viewer: Viewer, number: int = 8) -> list[Match]:
    """Return matches that a viewer cannot tell from this one."""
    found = [GAME.imagine(match.view(viewer), Rng(SEED).child("twin", n)) for n in range(number)]
    return [Match.at(GAME, match.setup, match.seed, state) for state in found]
