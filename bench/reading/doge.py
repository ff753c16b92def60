"""What the pictures of The Secret of the Doge show, as a reader writes it down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bench.reading.positions import Moment, Play, Slot, computers_words
from engines.core.contract import Words
from engines.doge.view import Card, Clue, Pair, Phase, Section, Source, Subject, View
from renderers.doge.hand_model import ChosenGift, gift_of, given, where
from renderers.doge.highlights import highlights
from renderers.doge.narration import asked, found_by, identity
from renderers.doge.targets import targets
from tests.renderers.looks import Look

LETTERS = "BYRG"
"""Of the seats, as pieces bear them."""

PLAY = Play({"gifts": ("ahead", "asked")}, seats=(4, 3, 4, 2), whims=True)

ASKED: Mapping[str, str] = {
    "viewer": "private",
    "seats": "players",
    "laid_out": "laid_out",
    "turn": "players",
    "die": "die",
    "pawns": "pawns",
    "out": "players",
    "resigned": "players",
    "guesses.seat": "wrong",
    "guesses.pair": "wrong",
    "guesses.right": "wrong",
    "gifts.giver": "piles",
    "gifts.square": "piles",
    "piles": "piles",
    "ghost": "ghost",
    "deck": "deck",
    "owes": "players",
    "result.won": "treasure",
    "own": "identities",
    "faces": "piles",
    "shown": "clues",
    "ahead": "cards",
    "notes": "pencil",
    "sheet": "sure",
    "treasure": "treasure",
    "truth": "identities",
}
SAID: Mapping[str, str] = {
    "can_leave_gifts": "the options",
    "step": "the log",
    "phase": "what is asked",
    "turns": "the log",
    "latest": "the log",
    "gifts.source": "the log",
    "gifts.receiver": "the log",
    "gifts.step": "the log",
    "discards": "the log",
    "drawn": "the log",
    "last_move": "how the last pawn moved",
    "passed": "the log",
    "result.reason": "why it ended",
    "subject": "what is asked",
}


# --- the positions --------------------------------------------------------------------------------


def _in(*phases: Phase, gifts: int = 0) -> Callable[[Moment], bool]:
    """Return what finds moments of these phases, after so many gifts."""
    return lambda moment: moment.view.phase in phases and len(moment.view.gifts) >= gifts


def _haunted(moment: Moment) -> bool:
    return _in(Phase.ROLL, Phase.MOVE, Phase.HAUNT)(moment) and moment.view.ghost is not None


def _refuted(moment: Moment) -> bool:
    view = moment.view
    return view.phase is not Phase.OVER and any(not guess.right for guess in view.guesses)


def _words(moment: Moment) -> Iterator[Words]:
    yield computers_words(moment)


def _guess(moment: Moment) -> Iterator[Words]:
    """Yield a guess at the first pair that the mover holds possible."""
    view = moment.match.view(moment.mover)
    if view.sheet is not None and view.sheet.treasures and moment.mover not in view.out:
        yield "guess", *view.sheet.treasures[0].cards


_AT_TURN = (Phase.ROLL, Phase.MOVE, Phase.CHOOSE)

SLOTS = (
    Slot("public", _in(Phase.MOVE, gifts=1)),
    Slot("public", _haunted),
    Slot("public", _in(Phase.ROLL, Phase.CHOOSE, gifts=8)),
    Slot("public", _refuted),
    Slot("public", _in(Phase.OVER, gifts=4)),
    Slot("mover", _in(Phase.MOVE, gifts=6), _words, key=Subject.BOARD),
    Slot("mover", _in(Phase.SHOW, Phase.GIVE, gifts=5), _words, key=Subject.HAND),
    Slot("mover", _in(*_AT_TURN, gifts=10), _guess, key=Subject.SHEET),
    Slot("other", _in(*_AT_TURN, gifts=6), key=Subject.SHEET),
    Slot("other", _in(*_AT_TURN, gifts=4), key=Subject.CLUE),
)


# --- what a look shows ----------------------------------------------------------------------------


def truth(look: Look, names: Sequence[str]) -> dict[str, Any]:
    """Return the form filled in with all that the picture is meant to show."""
    parts = {Subject.BOARD: _board, Subject.HAND: _hand, Subject.SHEET: _sheet, Subject.CLUE: _clue}
    return {"picture": str(look.key), **_NOTHING, **parts[Subject(look.key)](look, names)}


_NOTHING: Mapping[str, Any] = {
    "private": None,
    "players": {},
    "laid_out": [],
    "pawns": {},
    "ghost": None,
    "deck": None,
    "piles": {},
    "die": None,
    "targets": {},
    "chosen": None,
    "named": [],
    "wrong": {},
    "identities": {},
    "treasure": None,
    "cards": {},
    "of": None,
    "source": None,
    "sure": {},
    "clues": {},
    "pencil": {},
    "newest": None,
    "possible": None,
    "treasures": [],
}


def _board(look: Look, names: Sequence[str]) -> dict[str, Any]:
    view: View = look.view
    marks = highlights(view, look.draft, look.menu)
    framed = targets(view, marks)
    identities = {LETTERS[seat]: identity(view, seat) for seat in range(view.seats)}
    whole = len(marks.named) == 1 or view.truth is not None
    return {
        "private": view.viewer is not None,
        "players": {LETTERS[seat]: _plate(view, seat, names[seat]) for seat in range(view.seats)},
        "laid_out": [card.value for card in view.laid_out],
        "pawns": {LETTERS[seat]: square for seat, square in _pawns(view).items()},
        "ghost": view.ghost,
        "deck": view.deck,
        "piles": {str(square): _pile(view, pile) for square, pile in enumerate(view.piles) if pile},
        "die": None if whole or view.phase is Phase.OVER else view.die,
        "targets": {str(square): " ".join(sign.value for sign in signs) for square, signs in framed.items()},
        "chosen": marks.chosen,
        "named": [_pair(Pair(*pair)) for pair in marks.named],
        "wrong": {LETTERS[guess.seat]: _pair(guess.pair) for guess in view.guesses if not guess.right},
        "identities": {letter: _pair(pair) for letter, pair in identities.items() if pair is not None},
        "treasure": None if view.treasure is None else _pair(view.treasure),
    }


def _plate(view: View, seat: int, name: str) -> dict[str, Any]:
    out = seat in view.out
    return {
        "name": name,
        "cards": None if out else view.cards_in_hand(seat),
        "out": ("left" if seat in view.resigned else "out") if out else None,
        "star": "yes" if seat in asked(view) else None,
    }


def _pawns(view: View) -> dict[int, Any]:
    """Return where pawns stand; the one that has found the treasure stands on its slot."""
    finder = found_by(view)
    return {
        seat: square
        for seat, square in enumerate(view.pawns)
        if square is not None and (finder is None or finder.seat != seat)
    }


def _pile(view: View, pile: Sequence[int]) -> list[str]:
    """Return a pile from its top: each card's owner, and its face where the viewer knows it."""
    known = dict(view.faces) if view.truth is None else dict(enumerate(view.truth.faces))
    cards = (f"{LETTERS[view.gifts[gift].giver]} {known.get(gift, '')}".strip() for gift in pile)
    return [f"{place}. {card}" for place, card in enumerate(cards, 1)]


def _pair(pair: Pair) -> str:
    return " ".join(card.value for card in pair.cards)


def _hand(look: Look, _names: Sequence[str]) -> dict[str, Any]:
    view: View = look.view
    assert view.viewer is not None
    assert view.own is not None
    gift = gift_of(view, look.draft)
    in_play = (*view.crafts, *view.institutions, *view.laid_out)
    return {
        "of": LETTERS[view.viewer],
        "identities": {LETTERS[view.viewer]: _pair(view.own)},
        "cards": {card.value: _held(view, view.own, gift, card) for card in in_play},
    }


def _held(view: View, own: Pair, gift: ChosenGift | None, card: Card) -> str:
    away = given(view)
    if card in away:
        return "discarded" if away[card] is None else f"given {away[card]}"
    if card in view.laid_out:
        return "laid out"
    is_true = card in own.cards
    ticked = gift is not None and card in gift.cards
    what = "" if gift is None or not ticked else "stays" if is_true else _to(gift.square)
    return f"{'true' if is_true else 'false'} {what}".strip()


def _to(square: int | None) -> str:
    return "chosen" if square is None else f"to {square}"


def _sheet(look: Look, names: Sequence[str]) -> dict[str, Any]:
    view: View = look.view
    assert view.viewer is not None
    assert view.own is not None
    assert view.sheet is not None
    treasures, newest = view.sheet.treasures, view.newest_clue
    sections = {LETTERS[section.seat]: section for section in view.sheet.sections}
    focus = highlights(view, look.draft, look.menu).named
    return {
        "of": LETTERS[view.viewer],
        "identities": {LETTERS[view.viewer]: _pair(view.own)},
        "laid_out": [card.value for card in view.laid_out],
        "players": {
            letter: {
                "name": names[section.seat],
                "out": "out" if section.seat in view.out else None,
            }
            for letter, section in sections.items()
        },
        "sure": {letter: _sure(view, section) for letter, section in sections.items()},
        "clues": {
            letter: [_column(*one) for one in enumerate(section.clues, 1)]
            for letter, section in sections.items()
        },
        "pencil": {
            letter: {card.value: mark.value for card, mark in section.pencil if card not in view.laid_out}
            for letter, section in sections.items()
        },
        "newest": None if newest is None else LETTERS[newest[0]],
        "possible": None if treasures is None else len(treasures),
        "treasures": [_pair(pair) for pair in treasures or ()],
        "named": [_pair(Pair(*focus[0]))] if len(focus) == 1 else [],
        "treasure": None if view.treasure is None else _pair(view.treasure),
    }


def _sure(view: View, section: Section) -> dict[str, str]:
    sure = section.sure or ()
    return {card.value: mark.value for card, mark in sure if card not in view.laid_out}


def _column(place: int, clue: Clue) -> str:
    """Return a clue with its place among those of its section, its source, and its cards."""
    return f"{place}. {clue.source} {' '.join(sorted(card.value for card in clue.cards))}"


def _clue(look: Look, _names: Sequence[str]) -> dict[str, Any]:
    view: View = look.view
    assert view.newest_clue is not None
    seat, newest = view.newest_clue
    treasures = None if view.sheet is None else view.sheet.treasures
    face = "true or false" if newest.source is Source.MEETING else "false"
    return {
        "of": LETTERS[seat],
        "source": newest.source.value,
        "cards": {card.value: f"{face} {_lies(view, newest)}" for card in newest.cards},
        "possible": None if treasures is None else len(treasures),
    }


def _lies(view: View, clue: Clue) -> str:
    """Return where the false card of a clue lies."""
    square = None if clue.source is Source.LOOK else where(view, clue.gift)
    return "discarded" if square is None else str(square)


# --- one way to write it --------------------------------------------------------------------------


def normal(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form with pairs of cards, and signs, in one order."""
    found = dict(form)
    for part in ("wrong", "identities", "targets"):
        if isinstance(pairs := found.get(part), Mapping):
            found[part] = {key: _in_order(value) for key, value in pairs.items()}
    for part in ("named", "treasures"):
        if isinstance(listed := found.get(part), list):
            found[part] = [_in_order(pair) for pair in listed]
    found["treasure"] = _in_order(found.get("treasure"))
    if isinstance(clues := found.get("clues"), Mapping):
        found["clues"] = {
            letter: [_in_order(clue) for clue in listed] if isinstance(listed, list) else listed
            for letter, listed in clues.items()
        }
    return found


def _in_order(words: Any) -> Any:
    """Return words in the order of the alphabet; numbers, which come first, stay first."""
    return " ".join(sorted(words.lower().split())) if isinstance(words, str) else words
