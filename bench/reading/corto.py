"""What a picture of CORTO shows, as a reader writes it down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bench.reading.positions import Moment, Play, Slot, computers_words
from engines.core.contract import Words
from engines.core.texts import load
from engines.corto.view import CARDS, Border, Card, CharacterView, Phase, View
from renderers.core.captions import Captions
from renderers.core.contract import Table
from renderers.corto.board import is_lit, loot
from renderers.corto.hand_cards import signs_of
from renderers.corto.lane import ASIDE
from renderers.corto.names import card_name
from renderers.corto.narration import acting, last_steps
from renderers.corto.scoring import lines
from renderers.corto.strip_model import marks_of
from tests.renderers.looks import Look

CAPTIONS = Captions(load("renderers.corto"), Table(()))

PLAY = Play({}, seats=(3, 4, 2, 4), whims=True)

ASKED: Mapping[str, str] = {
    "viewer": "private",
    "colours": "players",
    "strips": "decks",
    "board": "characters",
    "corto": "figurines",
    "rasputin": "figurines",
    "stock": "players",
    "seal": "players",
    "corto_gold": "players",
    "kept": "players",
    "hands.deck": "players",
    "hands.card": "hand",
    "decks": "decks",
    "discards": "discards",
    "quests.strip": "quests",
    "quests.pieces": "quests",
    "place": "lit",
    "chosen": "chosen",
    "marks": "marks",
    "gold": "scoring",
    "groups": "groups",
    "left": "players",
    "ranks": "lit",
}
SAID: Mapping[str, str] = {
    "ruleset": "the rules",
    "step": "the log",
    "phase": "what is asked",
    "to_draw": "what is asked",
    "first": "the log",
    "turn": "what is asked",
    "passes": "the log",
    "recap": "the last steps",
    "news": "the last steps",
    "limited": "the log",
    "reason": "why it ended",
    "known_under": "the log",
    "draft": "the words of the draft",
    "final": "what is asked",
}

QUESTS = {"vessel": "vessel", "tile": "tiles", "gold": "gold", "train": "train"}
"""The parts of a form by the pieces that lie below squares."""
SIGNS = {
    "place": "place",
    "go": "place",
    "hit": "aim",
    "kill": "aim",
    "train": "aim",
    "add": "plus",
    "to": "plus",
    "start": "plus",
    "from": "minus",
    "swap": "swap",
    "sail": "sail",
}
"""What a mark looks like, by its kind."""


# --- the positions --------------------------------------------------------------------------------


def _placed(low: int, high: int = 99) -> Callable[[Moment], bool]:
    """Return what finds running matches with so many characters on the board."""
    return lambda moment: moment.view.phase is Phase.TURN and low <= len(moment.view.board) <= high


def _killed(moment: Moment) -> bool:
    return _placed(7)(moment) and any(fact.kind == "killed" for fact in last_steps(moment.view))


def _both_figurines(moment: Moment) -> bool:
    return _placed(7)(moment) and None not in (moment.view.corto, moment.view.rasputin)


def _over(moment: Moment) -> bool:
    return moment.view.phase is Phase.OVER


def _begun(length: int) -> Callable[[Moment], Iterator[Words]]:
    """Return what drafts the beginning of the computer player's sentence, where it marks something."""

    def drafts(moment: Moment) -> Iterator[Words]:
        words = computers_words(moment)[:length]
        assert moment.mover is not None
        if len(words) == length and words[0] != "discard":
            view = moment.match.view(moment.mover)
            if marks_of(moment.match.game.preview(view, words)):
                yield words

    return drafts


SLOTS = (
    Slot("public", lambda moment: moment.view.phase is Phase.START),
    Slot("public", _placed(5, 9)),
    Slot("public", _killed),
    Slot("public", _both_figurines),
    Slot("public", _placed(16)),
    Slot("public", _over),
    Slot("mover", _placed(5), _begun(2)),
    Slot("mover", _placed(7), _begun(3)),
    Slot("mover", _placed(9)),
    Slot("other", _placed(7)),
)


# --- what a look shows ----------------------------------------------------------------------------


def truth(look: Look, names: Sequence[str]) -> dict[str, Any]:
    """Return the form filled in with all that the picture is meant to show."""
    view: View = look.view
    counts = look.key == "scoring"
    private = not counts and view.viewer is not None
    return {
        "private": private,
        "names": None if private else dict(zip(view.colours, names, strict=True)),
        **(_NO_PAGE if counts else _page(view, private=private)),
        "scoring": _scoring(view) if counts else None,
        "groups": _groups(view) if counts else {},
    }


_NO_PAGE: Mapping[str, Any] = {
    "characters": {},
    "figurines": {},
    "decks": {},
    "discards": {},
    "quests": {},
    "players": {},
    "lit": [],
    "hand": {},
    "chosen": None,
    "marks": {},
}


def _page(view: View, *, private: bool) -> dict[str, Any]:
    return {
        "characters": {found.square: _character(view, found, private=private) for found in view.board},
        "figurines": {"corto": view.corto, "rasputin": view.rasputin},
        "decks": dict(zip(view.strips, view.decks, strict=True)),
        "discards": {} if private else _discards(view),
        "quests": _quests(view),
        "players": {one.colour: _player(view, one.seat, private=private) for one in view.players},
        "lit": [] if private else [one.colour for one in view.players if is_lit(view, one.seat)],
        "hand": _hand(view) if private else {},
        "chosen": acting(view) if private else None,
        "marks": _marks(view) if private else {},
    }


def _character(view: View, found: CharacterView, *, private: bool) -> str:
    """Return a character's name, what its frame shows, and its markers."""
    card = CARDS[found.card]
    assert card.border is not None
    signs = (card.border.value, *("friend" * card.friend,), *("far" * card.long_range,), *card.colours[1:])
    held = zip(view.colours, found.markers, strict=True)
    markers = " ".join(f"{colour} {count}" for colour, count in held if count)
    return "; ".join(
        ("" if private else card_name(CAPTIONS, card.id), " ".join(filter(None, signs)), markers)
    )


def _discards(view: View) -> dict[str, int]:
    return {strip: len(cards) for strip, cards in zip(view.strips, view.discards, strict=True) if cards}


def _quests(view: View) -> dict[str, Any]:
    """Return the quests' pieces that nobody holds, and who holds the aces."""
    found: dict[str, Any] = {}
    for quest in view.quests:
        for piece in quest.pieces:
            if piece.column is not None:
                found.setdefault(QUESTS[piece.kind], []).append(f"{quest.strip.lower()}{piece.column}")
            if piece.kind == "train":
                found |= {"heading": piece.heading, "carriages": piece.number}
            elif piece.kind == "aces":
                found["aces"] = "beside" if piece.holder is None else view.colours[piece.holder]
            elif piece.column is None and piece.holder is None and piece.kind not in ASIDE:
                found[f"{piece.kind}s"] = found.get(f"{piece.kind}s", 0) + 1
    return found


def _player(view: View, seat: int, *, private: bool) -> dict[str, Any]:
    player = view.players[seat]
    if private and seat != view.viewer:
        return {"stock": None if player.gone else player.stock}
    found: dict[str, Any] = {"stock": player.stock}
    if not private:
        found["won"] = {item.kind: item.number for item in loot(view, seat)}
        found["hand"] = [held.deck for held in player.hand]
        found["left"] = player.gone
    return found


def _hand(view: View) -> dict[str, str]:
    assert view.viewer is not None
    taken = acting(view)
    held = [one.card for one in view.players[view.viewer].hand if one.card is not None]
    shown = held if taken is None or taken in held else [*held, taken][:4]
    return {card: _card(CARDS[card], in_play=card not in held) for card in shown}


def _card(card: Card, *, in_play: bool) -> str:
    """Return a card's kind (an own one's, whatever it is, once it is in play), its name and its signs."""
    kind = (
        "in play" if in_play else "figurine" if card.kind.value in ("corto", "rasputin") else card.kind.value
    )
    names = {"bubble": "friend", "boots": "walk", "wheel": "ride"}
    signs = [names.get(sign, sign).removeprefix("=") for sign in signs_of(card) if sign != card.effect]
    return "; ".join((card_name(CAPTIONS, card.id), kind, " ".join((*signs, *card.colours[1:]))))


def _marks(view: View) -> dict[str, str]:
    """Return what is marked on each square."""
    found: dict[str, set[str]] = {}
    for mark in marks_of(view):
        found.setdefault(mark.square, set()).add(SIGNS[mark.kind])
    return {square: " ".join(sorted(signs)) for square, signs in found.items()}


def _scoring(view: View) -> dict[str, Any]:
    assert view.ranks is not None
    return {
        "won": [view.colours[seat] for seat in view.ranks[0]],
        "stock": {one.colour: one.stock for one in view.players},
        "total": {view.colours[gold.seat]: gold.total for gold in view.gold},
        **{line.label: _by_colour(view, line.gold) for line in lines(CAPTIONS, view)},
    }


def _by_colour(view: View, gold: Sequence[int]) -> dict[str, int]:
    return {colour: count for colour, count in zip(view.colours, gold, strict=True) if count}


def _groups(view: View) -> dict[str, int]:
    return {f"{view.colours[one.seat]} {' '.join(one.squares)}": one.gold for one in view.groups}


# --- one way to write it --------------------------------------------------------------------------


def normal(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form with characters and cards taken apart: name without spaces, kind, signs, markers."""
    found = dict(form)
    for part, change in (("characters", _character_parts), ("hand", _card_parts)):
        if isinstance(texts := found.get(part), Mapping):
            found[part] = {key: change(str(text)) for key, text in texts.items()}
    if isinstance(marks := found.get("marks"), Mapping):
        found["marks"] = {square: str(signs).split() for square, signs in marks.items()}
    return found


_BORDERS = frozenset(border.value for border in Border)


def _parts(text: str) -> list[str]:
    return [*(part.strip().lower() for part in text.split(";")), "", "", ""][:3]


def _character_parts(text: str) -> dict[str, Any]:
    # Where no name is shown, a reader may well leave out its place.
    unnamed = text.partition(" ")[0].rstrip(";") in _BORDERS
    name, signs, markers = _parts(f"; {text}" if unnamed else text)
    name = name.replace(" ", "")
    border, *others = signs.split() or [""]
    words = markers.split()
    return {
        "name": name,
        "border": border,
        "signs": others,
        "markers": dict(zip(words[::2], words[1::2], strict=False)),
    }


def _card_parts(text: str) -> dict[str, Any]:
    name, kind, signs = _parts(text)
    name = name.replace(" ", "")
    return {"name": name, "kind": kind, "signs": Counter(signs.split())}
