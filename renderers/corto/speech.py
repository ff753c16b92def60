"""CORTO in words: the descriptions of its pictures, and the board as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engines.core.contract import Seat, SeatName
from engines.corto.view import ADVENTURES, CARDS, Border, CharacterView, PieceView, QuestView, View
from renderers.core.captions import Voice, description
from renderers.corto.happenings import last_steps
from renderers.corto.layout import SQUARES, square_of
from renderers.corto.ledger import lines
from renderers.corto.looks import controllers
from renderers.corto.story import SEPARATOR, ask_spoken, colour, guide_spoken, said_or, steps
from renderers.corto.strips import ASIDE

TEXT_LIMIT = 1800
_BORDERS = {Border.WHITE: "w", Border.BLACK: "b", Border.BOTH: "m"}


def alt(voice: Voice, view: View, key: str, *, private: bool) -> str:
    """Return the description of a picture: ``private``: that of its viewer's hand."""
    if key == "scoring":
        return description(_scoring(voice, view))
    if key == "groups":
        return description(_groups(voice, view))
    if key.startswith("strip."):
        return description(_closeup(voice, view, key.partition(".")[2]))
    return description(_page(voice, view, private=private))


def _who(voice: Voice, view: View, seat: Seat) -> str:
    return voice.say("who", name=SeatName(seat), colour=colour(voice, view, seat))


# --- pages ----------------------------------------------------------------------------------------


def _page(voice: Voice, view: View, *, private: bool) -> Iterator[str]:
    seat = view.viewer
    if private and seat is not None:
        yield voice.say("alt.own", who=_who(voice, view, seat), ask=guide_spoken(voice, view))
        yield from _choices(voice, view)
        yield from _hand(voice, view, seat)
    else:
        yield voice.say("alt.public", ask=ask_spoken(voice, view))
    yield from _last(voice, view)
    yield from _rest(voice, view)


def _rest(voice: Voice, view: View) -> Iterator[str]:
    """Yield players, figurines, strips, quests, decks: what is longest comes late, where room may lack."""
    for player in view.players:
        yield _player(voice, view, player.seat)
    for name, square in (("corto", view.corto), ("rasputin", view.rasputin)):
        if square is not None:
            yield voice.say("alt.figurine", name=voice.say(f"figurine.{name}"), square=square)
    for strip in view.strips:
        yield _row(voice, view, strip)
    for quest in view.quests:
        told = pieces(voice, view, quest)
        if told:
            yield voice.say("alt.pieces", strip=quest.strip, pieces=", ".join(told))
    decks = " ".join(f"{strip} {count}" for strip, count in zip(view.strips, view.decks, strict=True))
    yield voice.say("alt.decks", decks=decks)


def _choices(voice: Voice, view: View) -> Iterator[str]:
    if view.marks:
        squares = dict.fromkeys(mark.square for mark in view.marks)
        yield voice.say("alt.choices", squares=" ".join(squares))
    if view.final:
        yield voice.say("alt.final")


def _hand(voice: Voice, view: View, seat: Seat) -> Iterator[str]:
    cards = [held.card for held in view.players[seat].hand if held.card is not None]
    told = [voice.say("alt.card", id=card, name=CARDS[card].name) for card in cards]
    yield voice.say("alt.hand", cards=", ".join(told)) if told else voice.say("alt.empty")


def _last(voice: Voice, view: View) -> Iterator[str]:
    told = steps(voice, view, last_steps(view))
    if told:
        yield voice.say("alt.draft" if view.draft else "alt.last", steps=SEPARATOR.join(told))


def _row(voice: Voice, view: View, strip: str) -> str:
    found = [view.at(square_of(strip, column)) for column in SQUARES]
    told = [_character(voice, view, one) for one in found if one is not None]
    if not told:
        return voice.say("alt.bare", strip=strip)
    return voice.say("alt.row", strip=strip, characters=", ".join(told))


def _character(voice: Voice, view: View, found: CharacterView) -> str:
    held = [
        voice.say("alt.marker", colour=colour(voice, view, seat), n=count)
        for seat, count in enumerate(found.markers)
        if count
    ]
    markers = f" ({' '.join(held)})" if held else ""
    return voice.say("alt.character", column=found.square, name=CARDS[found.card].name, markers=markers)


def _player(voice: Voice, view: View, seat: Seat) -> str:
    player = view.players[seat]
    who = _who(voice, view, seat)
    if player.gone:
        return voice.say("alt.player_gone", who=who)
    gold = next((one.total for one in view.gold if one.seat == seat), 0)
    return voice.say("alt.player", who=who, stock=player.stock, gold=gold, n=len(player.hand))


def pieces(voice: Voice, view: View, quest: QuestView) -> list[str]:
    """Return the pieces of a quest that are on the board, and who holds the aces."""
    told: list[str] = []
    loose: Counter[str] = Counter()
    for piece in quest.pieces:
        if piece.kind == "aces":
            told.append(_aces(voice, view, piece))
        elif piece.column is not None:
            told.append(_at(voice, piece))
        elif piece.holder is None and piece.kind not in ASIDE:
            loose[piece.kind] += 1
    return told + [
        said_or(voice, f"piece.{kind}", f"{count} {kind}", n=count) for kind, count in loose.items()
    ]


def _at(voice: Voice, piece: PieceView) -> str:
    other = f"{piece.kind} {piece.column}"
    return said_or(voice, f"piece.{piece.kind}", other, column=piece.column or 0, n=piece.number)


def _aces(voice: Voice, view: View, piece: PieceView) -> str:
    if piece.holder is None:
        return voice.say("piece.aces")
    return voice.say("piece.aces_held", colour=colour(voice, view, piece.holder))


# --- other pictures -------------------------------------------------------------------------------


def _closeup(voice: Voice, view: View, strip: str) -> Iterator[str]:
    yield voice.say("alt.strip", name=ADVENTURES[strip].name)
    yield _row(voice, view, strip)
    for quest in view.quests:
        told = pieces(voice, view, quest)
        if quest.strip == strip and told:
            yield voice.say("alt.pieces", strip=strip, pieces=", ".join(told))
    yield ADVENTURES[strip].text
    number = view.strips.index(strip)
    counts = voice.say("closeup.counts", deck=view.decks[number], discards=len(view.discards[number]))
    yield f"{counts}."


def _totals(voice: Voice, view: View) -> Iterator[str]:
    """Yield each seat's gold with the lines that it is made of, best seats first."""
    found = lines(voice, view)
    for gold in sorted(view.gold, key=lambda one: -one.total):
        parts = [
            voice.say("alt.part", label=line.label, gold=line.gold[gold.seat])
            for line in found
            if line.gold[gold.seat]
        ]
        told = f": {', '.join(parts)}" if parts else ""
        yield voice.say("alt.total", who=_who(voice, view, gold.seat), gold=gold.total, parts=told)


def _scoring(voice: Voice, view: View) -> Iterator[str]:
    yield voice.say("alt.scoring", ask=ask_spoken(voice, view))
    yield from _totals(voice, view)


def _groups(voice: Voice, view: View) -> Iterator[str]:
    yield voice.say("alt.groups")
    yield from _totals(voice, view)
    held = controllers(view)
    for player in view.players:
        squares = [square for square, seat in held.items() if seat == player.seat]
        if squares:
            yield voice.say("alt.controls", who=_who(voice, view, player.seat), squares=" ".join(squares))


# --- the board as text ----------------------------------------------------------------------------


def plain(voice: Voice, view: View) -> str:
    """Return the board in letters, then what the picture would say, as much as there is room for."""
    rows = [_line(view, strip, deck) for strip, deck in zip(view.strips, view.decks, strict=True)]
    drawn = "\n".join([*rows, voice.say("text.legend")])
    told = description(_page(voice, view, private=view.viewer is not None), TEXT_LIMIT - len(drawn) - 2)
    return f"{drawn}\n\n{told}"


def _line(view: View, strip: str, deck: int) -> str:
    """Return a strip in letters: its deck, then a sign for each square."""
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
