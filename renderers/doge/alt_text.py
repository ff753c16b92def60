"""The alt text of the board, and the board as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.contract import Seat, SeatName, msg
from engines.doge.view import LOCATIONS, Phase, Square, View
from renderers.core.captions import Captions, description, plain_text
from renderers.doge.emblems import LETTERS
from renderers.doge.highlights import Highlights, awaits
from renderers.doge.layout import CARD_SQUARES, SPOTS
from renderers.doge.narration import identity, news, pair_name, place_name


def alt(captions: Captions, view: View, marks: Highlights) -> str:
    """Return the alt text of the board."""
    piles = tuple(_pile(captions, view, square) for square in CARD_SQUARES if view.piles[square])
    told = [captions.text("board.piles", piles=piles)] if piles else []
    return description((*_news(captions, view, marks), *_standing(captions, view), *told))


def plain(captions: Captions, view: View) -> str:
    """Return the board as plain text: a line for each square, then what is told of it."""
    lines = [_line(captions, view, square) for square in sorted(SPOTS)]
    return plain_text(lines, (*_news(captions, view, Highlights()), *_standing(captions, view)))


def _who(captions: Captions, seat: Seat) -> str:
    return captions.text_with_side("who", player=SeatName(seat), side=captions.seat_name(seat))


def _news(captions: Captions, view: View, marks: Highlights) -> Iterator[str]:
    """Yield what is going on, what may be chosen, and what a draft names."""
    yield news(captions, view, marks, lambda seat: _who(captions, seat))
    if view.result is not None:
        yield captions.text(f"reason.{view.result.reason}")
    for way, square in marks.landings:
        found = "_or_".join(awaits(view, square)) or "nothing"
        yield captions.text(f"board.{way}", square=_place(captions, square), awaits=found)
    if marks.chosen is not None and marks.gift is not None:
        card = captions.text(f"card.{marks.gift}")
        yield captions.text("board.gift", card=card, square=_place(captions, marks.chosen))
    elif marks.chosen is not None:
        yield captions.text("board.chosen", square=_place(captions, marks.chosen))
    elif view.phase is Phase.PLACE and marks.targets:
        yield captions.text("board.free", squares=tuple(marks.targets))


def _place(captions: Captions, square: Square) -> str:
    """Return a square's name with its number."""
    name = place_name(captions, square)
    return captions.text("place", n=square, location=name) if square in LOCATIONS else name


def _standing(captions: Captions, view: View) -> Iterator[str]:
    """Yield where everybody is, then what else lies open, the most telling first."""
    for seat in range(view.seats):
        yield from _player(captions, view, seat)
    where = "" if view.ghost is None else _place(captions, view.ghost)
    yield captions.text("board.ghost" if where else "board.deck", n=view.deck, square=where)
    for guess in view.guesses:
        if not guess.right:
            yield captions.text(
                "board.refuted", player=captions.seat_name(guess.seat), pair=pair_name(captions, guess.pair)
            )
    if view.treasure is not None:
        yield captions.text("board.treasure", pair=pair_name(captions, view.treasure))
    last = view.last_move
    if last is not None:
        yield captions.text(
            "board.last",
            player=captions.seat_name(last.seat),
            origin=last.origin,
            target=last.target,
            way=last.way.value,
        )
    if view.discards:
        owners = tuple(LETTERS[view.gifts[discard.gift].giver] for discard in view.discards)
        yield captions.text("board.discards", owners=owners)
    if view.laid_out:
        cards = tuple(msg(f"card.{card}") for card in view.laid_out)
        yield captions.text("board.laid_out", cards=cards)


def _player(captions: Captions, view: View, seat: Seat) -> Iterator[str]:
    """Yield where a player is, how many cards it holds, and its identity if the viewer knows it."""
    who, place = _who(captions, seat), view.pawns[seat]
    if seat in view.out:
        yield captions.text("board.resigned" if seat in view.resigned else "board.out", player=who)
    elif any(guess.right and guess.seat == seat for guess in view.guesses):
        yield captions.text("board.found", player=who)
    elif place is None:
        yield captions.text("board.waits", player=who)
    else:
        yield captions.text(
            "board.stands", player=who, square=_place(captions, place), n=view.cards_in_hand(seat)
        )
    pair = identity(view, seat)
    if pair is not None:
        yield captions.text("board.identity", pair=pair_name(captions, pair))


# --- squares --------------------------------------------------------------------------------------


def _pile(captions: Captions, view: View, square: Square) -> str:
    """Return a card square's number and its pile from the top: owners' letters, and faces that are known."""
    known = dict(view.faces) if view.truth is None else dict(enumerate(view.truth.faces))
    cards = []
    for gift in view.piles[square]:
        letter = LETTERS[view.gifts[gift].giver]
        card = captions.text(f"card.{known[gift]}") if gift in known else ""
        cards.append(captions.text("known", letter=letter, card=card) if card else letter)
    return f"{square} {' '.join(cards)}"


def _line(captions: Captions, view: View, square: Square) -> str:
    """Return a square as a line of plain text: number, name, pawns, ghost, pile."""
    parts = [captions.text("text.place", n=square, place=place_name(captions, square))]
    pawns = " ".join(LETTERS[seat] for seat in view.pawns_at(square))
    if pawns:
        parts.append(captions.text("text.pawns", pawns=pawns))
    if square == view.ghost:
        parts.append(captions.text("text.ghost"))
    if view.piles[square]:
        parts.append(captions.text("text.pile", pile=_pile(captions, view, square).partition(" ")[2]))
    return ", ".join(parts)
