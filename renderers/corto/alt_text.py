"""Alt texts of CORTO's pictures, and the board as plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engines.core.contract import Seat, SeatName, msg
from engines.corto.view import CARDS, Border, CharacterView, QuestView, View
from renderers.core.captions import Captions, description, plain_text
from renderers.corto.lane import ASIDE
from renderers.corto.layout import SQUARES, square_of
from renderers.corto.names import adventure_name, card_name, quest_rule
from renderers.corto.narration import (
    SEPARATOR,
    asked,
    colour,
    guide,
    last_steps,
    steps,
    text_or,
)
from renderers.corto.scoring import lines
from renderers.corto.strip_model import controllers

_BORDERS = {Border.WHITE: "w", Border.BLACK: "b", Border.BOTH: "m"}


def alt(captions: Captions, view: View, key: str, *, private: bool) -> str:
    """Return the alt text of a picture; ``private``: of the viewer's hand."""
    if key == "scoring":
        return description((captions.text("alt.scoring"), asked(captions, view), *_totals(captions, view)))
    if key == "groups":
        return description(_groups(captions, view))
    if key.startswith("strip."):
        return description(_closeup(captions, view, key.partition(".")[2]))
    return description(_page(captions, view, private=private))


def _who(captions: Captions, view: View, seat: Seat) -> str:
    return captions.text_with_side("who", player=SeatName(seat), colour=colour(captions, view, seat))


# --- pages ----------------------------------------------------------------------------------------


def _page(captions: Captions, view: View, *, private: bool) -> Iterator[str]:
    seat = view.viewer
    if private and seat is not None:
        yield captions.text("alt.own", player=_who(captions, view, seat))
        yield guide(captions, view)
        if view.marks:
            squares = dict.fromkeys(mark.square for mark in view.marks)
            yield captions.text("alt.choices", squares=tuple(squares))
        if view.final:
            yield captions.text("alt.final")
        cards = [held.card for held in view.players[seat].hand if held.card is not None]
        held = tuple(captions.text("alt.card", id=card, card=card_name(captions, card)) for card in cards)
        yield captions.text("alt.hand", cards=held) if held else captions.text("alt.empty")
    else:
        yield captions.text("alt.public")
        yield asked(captions, view)
    told = steps(captions, view, last_steps(view))
    if told:
        yield captions.text("alt.draft" if view.draft else "alt.last", steps=SEPARATOR.join(told))
    yield from _rest(captions, view)


def _rest(captions: Captions, view: View) -> Iterator[str]:
    """Yield players, figurines, strips, quests, decks: the longest last, since a description is cut off."""
    for player in view.players:
        who = _who(captions, view, player.seat)
        if player.gone:
            yield captions.text("alt.player_gone", player=who)
            continue
        gold = next((one.total for one in view.gold if one.seat == player.seat), 0)
        yield captions.text("alt.player", player=who, stock=player.stock, gold=gold, n=len(player.hand))
    for name, square in (("corto", view.corto), ("rasputin", view.rasputin)):
        if square is not None:
            yield captions.text(f"alt.{name}", square=square)
    for strip in view.strips:
        yield _row(captions, view, strip)
    for quest in view.quests:
        told = pieces(captions, view, quest)
        if told:
            yield captions.text("alt.pieces", strip=quest.strip, pieces=told)
    decks = zip(view.strips, view.decks, strict=True)
    yield captions.text(
        "alt.decks", decks=tuple(msg("alt.deck", deck=deck, n=count) for deck, count in decks)
    )


def _row(captions: Captions, view: View, strip: str) -> str:
    found = (view.at(square_of(strip, column)) for column in SQUARES)
    told = tuple(_character(captions, view, each) for each in found if each is not None)
    return (
        captions.text("alt.row", strip=strip, characters=told)
        if told
        else captions.text("alt.bare", strip=strip)
    )


def _character(captions: Captions, view: View, found: CharacterView) -> str:
    markers = tuple(
        msg("alt.marker", colour=colour(captions, view, seat), n=count)
        for seat, count in enumerate(found.markers)
        if count
    )
    key = "alt.character" if markers else "alt.character.bare"
    return captions.text(key, square=found.square, card=card_name(captions, found.card), markers=markers)


def pieces(captions: Captions, view: View, quest: QuestView) -> tuple[str, ...]:
    """Return the pieces of a quest that are on the board, and who holds the aces."""
    told: list[str] = []
    loose: Counter[str] = Counter()
    for piece in quest.pieces:
        if piece.kind == "aces" and piece.holder is not None:
            told.append(captions.text("piece.aces_held", colour=colour(captions, view, piece.holder)))
        elif piece.kind == "aces":
            told.append(captions.text("piece.aces"))
        elif piece.column is not None:
            text, other = f"piece.{piece.kind}", f"{piece.kind} {piece.column}"
            told.append(text_or(captions, text, other, column=piece.column, n=piece.number))
        elif piece.holder is None and piece.kind not in ASIDE:
            loose[piece.kind] += 1
    told += (text_or(captions, f"piece.{kind}", f"{count} {kind}", n=count) for kind, count in loose.items())
    return tuple(told)


# --- other pictures -------------------------------------------------------------------------------


def _closeup(captions: Captions, view: View, strip: str) -> Iterator[str]:
    yield captions.text("alt.strip", adventure=adventure_name(captions, strip))
    yield _row(captions, view, strip)
    for quest in view.quests:
        told = pieces(captions, view, quest)
        if quest.strip == strip and told:
            yield captions.text("alt.pieces", strip=strip, pieces=told)
    yield quest_rule(captions, strip)
    # The numbers come last: what a description cuts off first.
    number = view.strips.index(strip)
    yield captions.text("alt.counts", undrawn=view.decks[number], discards=len(view.discards[number]))


def _totals(captions: Captions, view: View) -> Iterator[str]:
    found = lines(captions, view)
    for gold in sorted(view.gold, key=lambda one: -one.total):
        parts = tuple(
            captions.text("alt.part", label=line.label, gold=line.gold[gold.seat])
            for line in found
            if line.gold[gold.seat]
        )
        key = "alt.total" if parts else "alt.total.none"
        yield captions.text(key, player=_who(captions, view, gold.seat), gold=gold.total, parts=parts)


def _groups(captions: Captions, view: View) -> Iterator[str]:
    yield captions.text("alt.groups")
    yield from _totals(captions, view)
    held = controllers(view)
    for player in view.players:
        squares = [square for square, seat in held.items() if seat == player.seat]
        if squares:
            who = _who(captions, view, player.seat)
            yield captions.text("alt.controls", player=who, squares=tuple(squares))


# --- the board as text ----------------------------------------------------------------------------


def plain(captions: Captions, view: View) -> str:
    """Return the board as plain text, then as much of the alt text as fits."""
    rows = [_line(view, strip, deck) for strip, deck in zip(view.strips, view.decks, strict=True)]
    told = _page(captions, view, private=view.viewer is not None)
    return plain_text([*rows, captions.text("text.legend")], told)


def _line(view: View, strip: str, deck: int) -> str:
    cells = []
    for column in (0, *SQUARES):
        square = square_of(strip, column)
        signs = [_sign(view, view.at(square))] if column else [f"{strip}{deck}"]
        signs += ["C"] if view.corto == square else []
        signs += ["R"] if view.rasputin == square else []
        cells.append("".join(signs))
    return " ".join(cell.ljust(7) for cell in cells).rstrip()


def _sign(view: View, found: CharacterView | None) -> str:
    if found is None:
        return "."
    card = CARDS[found.card]
    markers = "".join(
        f"{view.players[seat].colour[0]}{count}" for seat, count in enumerate(found.markers) if count
    )
    return _BORDERS[card.border or Border.BOTH] + ("*" if card.long_range else "") + markers
