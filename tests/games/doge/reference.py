"""The second, slow The Secret of the Doge: it shares no code with ``engines.doge``, only the rules page.

:func:`say` answers for any words of any seat: the world after them, or :class:`Refused`. It is told the
face of the die, and :func:`withdraw` what was given by lot.
"""

from __future__ import annotations

from typing import Any

from tests.games.doge.reference_sheet import COLOURS, CRAFTS, INSTITUTIONS
from tests.games.doge.reference_world import (
    DIE,
    LOCATIONS,
    SQUARES,
    Card,
    Refused,
    World,
    choices,
    gifts,
    must,
)

__all__ = ["Refused", "World", "asides", "duties", "guesses", "legal", "say", "withdraw"]

MARKS = ["X", "0", "?", "-"]
VERBS = {
    "place": 1,
    "roll": 0,
    "cw": 0,
    "ccw": 0,
    "meet": 1,
    "look": 0,
    "leave": 0,
    "haunt": 1,
    "show": 3,
    "give": 2,
    "guess": 2,
    "pass": 0,
    "auto": 1,
    "mark": 3,
}
"""The words that begin a sentence, and how many follow; ``ahead`` has one or three."""


# --- sentences ------------------------------------------------------------------------------------


def say(world: World, seat: int, text: str, die: int | None = None) -> World:
    """Return the world after the words of a seat; raises :class:`Refused`."""
    words = text.split()
    must(words, "nothing said")
    verb, rest = words[0], words[1:]
    must(verb == "ahead" or verb in VERBS, "not a word")
    must(len(rest) in ((1, 3) if verb == "ahead" else (VERBS[verb],)), "not a sentence")
    must(seat in range(world.seats), "no such seat")
    must(world.phase != "over", "over")
    must(seat not in world.resigned, "resigned")
    after = world.copy()
    if verb in ASIDES:
        ASIDES[verb](after, seat, *rest)
        return after
    must(seat in world.asked(), "not asked")
    if verb == "place":
        _place(after, seat, rest[0])
    elif verb == "roll":
        must(world.phase == "roll", "no roll now")
        assert die in DIE
        after.phase, after.die, after.rolled = "move", die, True
    elif verb in ("cw", "ccw"):
        must(world.phase == "move", "no move now")
        _move(after, seat, 1 if verb == "cw" else -1)
    elif verb in ("show", "give"):
        must(world.owes and world.owes[0] == verb, "owes nothing of that kind")
        _hand_over(after, seat, rest)
    elif verb == "pass":
        must(world.phase == "last", "no last guess now")
        after.queue.pop(0)
        _ask_next(after)
    else:
        must(world.phase in ("choose", "haunt") and text.split() in choices(world), "not to be chosen")
        _choose(after, words)
    return after


def _place(world: World, seat: int, word: str) -> None:
    must(world.phase == "place" and world.pawns[seat] is None, "placed already")
    must(word in [str(square) for square in range(SQUARES)], "no square")
    must(int(word) not in world.pawns, "occupied")
    world.pawns[seat] = int(word)
    _begin(world)


def _begin(world: World) -> None:
    """Let the first turn begin once everybody has placed a pawn."""
    if not world.asked():
        world.phase, world.turn = "roll", world.clockwise(world.first)[0]


def _move(world: World, seat: int, way: int) -> None:
    start = world.pawns[seat]
    assert start is not None
    assert world.die is not None
    square = (start + way * world.die) % SQUARES
    world.pawns[seat] = square
    if square in LOCATIONS and not world.at(square):
        _summon(world)
        return
    world.phase = "choose"
    _settle(world)


def _summon(world: World) -> None:
    if not world.deck:
        _lose(world, "ghost")
        return
    world.drawn.append(world.deck.pop(0))
    world.phase = "haunt"
    _settle(world)


def _settle(world: World) -> None:
    """Carry out a choice with one answer; with none the turn is over."""
    found = choices(world)
    if not found:
        _end_turn(world)
    elif len(found) == 1:
        _choose(world, found[0])


def _choose(world: World, words: list[str]) -> None:
    verb = words[0]
    if verb in ("meet", "haunt"):
        _owe(world, "show" if verb == "meet" else "give", COLOURS.index(words[1]))
        return
    if verb == "look":
        assert world.turn is not None
        square = world.pawns[world.turn]
        assert square is not None
        card = world.piles[square].pop(0)
        card.known.add(world.turn)
        world.discards.append(card)
        own = card.owner == world.turn
        world.clues[world.turn].append(("own false", card.face) if own else ("false", card.owner, card.face))
    _end_turn(world)


# --- gifts ----------------------------------------------------------------------------------------


def _owe(world: World, kind: str, giver: int) -> None:
    """Ask for cards, or use the gift that was left in advance."""
    world.phase, world.owes = "owes", (kind, giver)
    gift, world.ahead[giver] = world.ahead[giver], None
    if gift is None:
        return
    institution, craft, square = gift
    false = craft if institution in world.deal[giver] else institution
    words = [institution, craft, str(square)] if kind == "show" else [false, str(square)]
    if words in gifts(world, giver, kind):
        _hand_over(world, giver, words)


def _hand_over(world: World, giver: int, words: list[str]) -> None:
    assert world.owes is not None
    assert world.turn is not None
    kind, cards, square = world.owes[0], words[:-1], words[-1]
    must(words in gifts(world, giver, kind), "not a legal gift")
    (face,) = [card for card in cards if card not in world.deal[giver]]
    world.hands[giver].remove(face)
    card = Card(giver, face, {giver})
    world.piles.setdefault(int(square), []).append(card)
    if kind == "give":
        card.known.add(world.turn)
        world.clues[world.turn].append(("false", giver, face))
    else:
        world.clues[world.turn].append(("shown", giver, *cards))
    if face in (world.ahead[giver] or ()):
        world.ahead[giver] = None  # It was left while these cards were owed, and is not legal any more.
    world.owes = None
    _end_turn(world)


# --- the ends of turns and of the match -----------------------------------------------------------


def _end_turn(world: World) -> None:
    assert world.turn is not None
    world.die = None
    if not any(world.false(seat) for seat in world.still_in()):
        world.phase, world.queue = "last", world.clockwise(world.turn)
        return
    world.phase = "roll"
    world.turn = world.clockwise(world.turn + 1)[0]


def _ask_next(world: World) -> None:
    """Ask the next for a last guess; after the last one the match is lost."""
    world.queue = [seat for seat in world.queue if seat not in world.out]
    if not world.queue:
        _lose(world, "cards")


def _lose(world: World, why: str) -> None:
    world.phase, world.result, world.queue, world.owes = "over", why, [], None


def _go_out(world: World, seat: int) -> None:
    """Take a player out: the pawn leaves the board, the hand leaves unseen."""
    asked = world.asked()
    world.out.append(seat)
    world.pawns[seat], world.hands[seat], world.ahead[seat] = None, [], None
    if not world.still_in():
        _lose(world, "out")
    elif world.phase == "place":
        _begin(world)
    elif world.phase == "last":
        _ask_next(world)
    elif world.turn == seat:
        assert asked == [seat]
        _end_turn(world)
    elif world.phase in ("choose", "haunt"):
        _settle(world)


def withdraw(world: World, seat: int, lot: str = "") -> World:
    """Return the world without a seat that resigns. ``lot``: what cards still owed were given by lot."""
    must(world.phase != "over", "over")
    must(seat not in world.resigned, "resigned")
    after = world.copy()
    if after.owes and seat in (after.owes[1], after.turn):
        must(lot.split()[:1] == [after.owes[0]], "cards are owed")
        _hand_over(after, after.owes[1], lot.split()[1:])
    after.resigned.append(seat)
    if seat not in after.out:
        _go_out(after, seat)
    return after


# --- asides ---------------------------------------------------------------------------------------


def _guess(world: World, seat: int, institution: str, craft: str) -> None:
    must(institution in INSTITUTIONS and craft in CRAFTS, "no pair")
    must(not {institution, craft} & set(world.removed), "not in play")
    must(seat not in world.out, "out")
    must(world.rolled, "before the first roll")
    must(world.owes is None, "cards are owed")
    right = (institution, craft) == world.deal[-1]
    world.guesses.append((seat, institution, craft, right))
    if right:
        world.pawns[seat] = None  # the pawn goes to that slot
        world.phase, world.result, world.queue = "over", "won", []
        return
    for other in range(world.seats):
        world.clues[other].append(("wrong", institution, craft))
    world.clues[seat].append(("treasure", *world.deal[-1]))
    _go_out(world, seat)


def _auto(world: World, seat: int, word: str) -> None:
    must(word in ("on", "off"), "on or off")
    world.auto[seat] = word == "on"


def _mark(world: World, seat: int, colour: str, card: str, mark: str) -> None:
    must(colour in COLOURS[: world.seats] and colour != COLOURS[seat], "no such section")
    must(card in [*INSTITUTIONS, *CRAFTS] and card not in world.removed, "no such row")
    must(mark in MARKS, "no mark")
    world.pencil[seat][colour, card] = mark
    if mark == "-":
        del world.pencil[seat][colour, card]


def _ahead(world: World, seat: int, *words: str) -> None:
    must(world.gifts, "not in this match")
    must(seat not in world.out, "out")
    if words == ("-",):
        must(world.ahead[seat], "nothing to take back")
        world.ahead[seat] = None
        return
    must(list(words) in gifts(world, seat, "show"), "not a legal gift")
    world.ahead[seat] = (words[0], words[1], int(words[2]))


ASIDES: dict[str, Any] = {"guess": _guess, "auto": _auto, "mark": _mark, "ahead": _ahead}


# --- what may be said -----------------------------------------------------------------------------


def duties(world: World, seat: int) -> list[str]:
    """Return every sentence that answers what a seat is asked."""
    if seat not in world.asked():
        return []
    if world.phase == "place":
        found = [["place", str(square)] for square in range(SQUARES) if square not in world.pawns]
    elif world.phase in ("choose", "haunt"):
        found = choices(world)
    elif world.owes:
        found = [[world.owes[0], *words] for words in gifts(world, seat, world.owes[0])]
    else:
        found = {"roll": [["roll"]], "move": [["cw"], ["ccw"]], "last": [["pass"]]}[world.phase]
    return [" ".join(words) for words in found]


def guesses(world: World, seat: int) -> list[str]:
    """Return every guess of a seat."""
    if world.phase == "over" or seat in world.out or not world.rolled or world.owes:
        return []
    pairs = [(one, two) for one in INSTITUTIONS for two in CRAFTS]
    return [" ".join(["guess", *pair]) for pair in pairs if not set(pair) & set(world.removed)]


def asides(world: World, seat: int) -> list[str]:
    """Return every aside of a seat that nobody else notices, ``mark`` excepted."""
    if world.phase == "over" or seat in world.resigned:
        return []
    found = ["auto on", "auto off"]
    if world.gifts and seat not in world.out:
        found += [" ".join(["ahead", *words]) for words in gifts(world, seat, "show")]
        found += ["ahead -"] if world.ahead[seat] else []
    return found


def legal(world: World, seat: int) -> list[str]:
    """Return every sentence of a seat, ``mark`` excepted."""
    return [*duties(world, seat), *guesses(world, seat), *asides(world, seat)]
