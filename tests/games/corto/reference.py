"""A second, slow CORTO, written from the rules page alone; it shares no code with ``engines.corto``.

:func:`say` answers for any words of any seat: the world after them, or :class:`Refused`.
"""

from __future__ import annotations

from tests.games.corto import reference_cards as cards
from tests.games.corto import reference_effects as effects
from tests.games.corto.reference_count import finish
from tests.games.corto.reference_world import CARDS, FULL_HAND, Refused, Turn, World, must

__all__ = ["Refused", "World", "able", "at_deadline", "say", "withdraw"]


def say(world: World, seat: int, text: str, fate: str | None = None) -> World:
    """Return the world after the words of a seat; raises :class:`Refused`. ``fate``: see :class:`World`."""
    after = world.copy()
    after.fate, after.revealed = fate, False
    words = text.split()
    while words:
        must(not after.revealed or words[0] in ("draw", "enough"), "something was revealed")
        try:
            _step(after, seat, words.pop(0), words)
        except IndexError:
            raise Refused("unfinished") from None
    must(after.turn.open is None or not after.turn.open.owes, "unfinished")
    return after


def _step(world: World, seat: int, verb: str, rest: list[str]) -> None:
    must(world.phase != "over" and seat not in world.gone, "over")
    if verb == "start":
        _start(world, seat, rest.pop(0))
        return
    if verb == "draw" and world.to_draw[seat] and world.has_started(seat):
        _first_draws(world, seat, _decks(rest))
        return
    must(world.phase != "start" and world.seat == seat and not world.to_draw[seat], "not now")
    if verb in ("draw", "enough"):
        must(world.phase == "draws", "not now")
        _draws(world, seat, verb, rest)
        return
    must(world.phase == "turn", "not now")
    if world.turn.owed:
        must(verb == "kill" and rest[0] in world.turn.owed, "a square must be freed first")
        world.turn.owed = frozenset()
    if verb == "end":
        _end(world, seat)
    elif verb == "discard":
        _discard(world, seat, rest)
    else:
        _go_on(world, seat, verb, rest)


def _go_on(world: World, seat: int, verb: str, rest: list[str]) -> None:
    """Carry out a card, or a step after it; an armed carriage's hit comes at once or never."""
    if verb == "shot":
        word = rest.pop(0)
        effects.step_shot(world, seat, *(("kill", rest.pop(0)) if word == "kill" else ("-", word[1:])))
        world.turn.shot = None
        return
    world.turn.shot = None
    if verb in cards.VERBS:
        left = world.turn.open
        must(left is None or not left.owes, "the card before is not finished")
        cards.card(world, seat, verb, rest)
    else:
        effects.step(world, seat, verb, rest)


# --- set-up ---------------------------------------------------------------------------------------


def _start(world: World, seat: int, square: str) -> None:
    must(world.phase == "start" and world.place == seat, "not now")
    must(square in world.board, "nobody there")
    world.board[square][1][seat] += 1
    world.stock[seat] -= 1
    _set_up(world)


def _set_up(world: World) -> None:
    """Ask the next seat for its first marker, clockwise from the first; after the last one play begins."""
    order = [seat for seat in _clockwise(world, world.first - 1) if seat in world.here()]
    bare = [seat for seat in order if not world.marked(seat)]
    world.place = bare[0] if bare else None
    if not bare:
        give(world, order[0])


def _first_draws(world: World, seat: int, decks: list[str]) -> None:
    must(decks and len(decks) <= world.to_draw[seat], "too many draws")
    for deck in decks:
        _draw(world, seat, deck)
        world.to_draw[seat] -= 1


def _decks(rest: list[str]) -> list[str]:
    found = []
    while rest and len(rest[0]) == 1:
        found.append(rest.pop(0))
    return found


# --- the end of a turn ----------------------------------------------------------------------------


def _draw(world: World, seat: int, deck: str) -> None:
    must(world.decks.get(deck), "no card there")
    world.hands[seat].append(world.decks[deck].pop(0))
    world.revealed = True


def _end(world: World, seat: int) -> None:
    turn = world.turn
    must(turn.played, "no card played")
    must(turn.open is None or not turn.open.owes, "the card before is not finished")
    _close(world, seat, 4 if turn.refill else 2)
    _advance(world, seat, passed=False)


def _discard(world: World, seat: int, rest: list[str]) -> None:
    must(not world.turn.played, "cards are played")
    thrown = 0
    while rest and rest[0] in CARDS:
        card = rest.pop(0)
        must(card in world.hands[seat], "not in hand")
        world.hands[seat].remove(card)
        world.discard(card)
        thrown += 1
    _close(world, seat, FULL_HAND)
    world.turn.forced = True
    _advance(world, seat, passed=not thrown)


def _close(world: World, seat: int, most: int) -> None:
    """Let the four aces change hands, look for the end of the match, and count the draws."""
    world.turn.open = world.turn.shot = None
    if "B" in world.strips:
        held = [world.controller(square) for square in world.squares() if square[0] == "b"]
        own = held.count(seat)
        if own >= 2 and all(own > held.count(other) for other in range(len(world.colours)) if other != seat):
            world.quests["B"]["holder"] = world.colours[seat]
    if world.full() >= 2:
        finish(world, "boards")
        return
    there = sum(map(len, world.decks.values()))
    world.turn.draws = min(most, FULL_HAND - len(world.hands[seat]), there)
    world.phase = "draws"


def _draws(world: World, seat: int, verb: str, rest: list[str]) -> None:
    turn = world.turn
    if verb == "enough":
        must(not turn.forced, "drawing is not optional")
        turn.draws = 0
    else:
        decks = _decks(rest)
        must(decks and len(decks) <= turn.draws, "too many draws")
        for deck in decks:
            _draw(world, seat, deck)
            turn.draws -= 1
    _advance(world, seat, passed=False)


def _advance(world: World, seat: int, *, passed: bool) -> None:
    """Give the turn to the next seat, unless there is something to draw."""
    if world.phase == "over" or (world.turn.draws and any(world.decks.values())):
        return
    world.passed = [*world.passed, seat] if passed else []
    give(world, _next(world, seat))


def give(world: World, seat: int) -> None:
    """Let a seat's turn begin; it is skipped if all decks are empty and it has nothing to begin with."""
    if set(world.here()) <= set(world.passed):
        finish(world, "passes")
        return
    world.phase, world.seat, world.turn = "turn", seat, Turn()
    if not any(world.decks.values()) and not able(world, seat):
        world.passed.append(seat)
        give(world, _next(world, seat))


def _next(world: World, seat: int) -> int:
    return next(other for other in _clockwise(world, seat) if other not in world.gone)


def _clockwise(world: World, seat: int) -> list[int]:
    """Return all seats, from the one after a seat."""
    return [(seat + number) % len(world.colours) for number in range(1, len(world.colours) + 1)]


def able(world: World, seat: int) -> bool:
    """Return whether a seat holds a card that could be the first of a turn, by trying."""
    for card in world.hands[seat]:
        for text in firsts(world, card):
            try:
                say(world, seat, text)
            except Refused:
                continue
            return True
    return False


def firsts(world: World, card: str) -> list[str]:
    """Return all that might be said with a card at the beginning of a turn."""
    squares, data = world.squares(), CARDS[card]
    if data["kind"] == "character":
        sources = ["", *(f"<{square}" for square in world.board)][
            : 2 if world.stock[world.seat or 0] else None
        ]
        return [f"play {card} {square}{source}" for square in squares for source in sources]
    if data["kind"] in ("corto", "rasputin"):
        return [f"{data['kind']} {card} {square}" for square in squares]
    if data["kind"] == "object":
        return []
    many = {
        "swap": [f" {one} {other}" for one in world.board for other in world.board],
        "transfer": [f" move {one}>{other}" for one in world.board for other in world.board],
        "bribe": [f" {square}:{colour}" for square in world.board for colour in world.colours],
        "pickpocket": [f" {colour}" for colour in world.colours],
    }
    return [f"adv {card}{rest}" for rest in many.get(data["effect"], [""])]


def at_deadline(world: World) -> str | None:
    """Return what the rules let happen first where a square must be freed: the topmost goes, the leftmost."""
    return next((f"kill {square}" for square in world.squares() if square in world.turn.owed), None)


def withdraw(world: World, seat: int) -> World:
    """Return the world without a seat."""
    after = world.copy()
    after.gone.append(seat)
    for card in after.hands[seat]:
        after.decks[card[0]].append(card)
    after.hands[seat] = []
    after.to_draw[seat] = 0
    if len(after.here()) == 1:
        finish(after, "withdrawn")
    elif after.phase == "start":
        _set_up(after)
    elif after.seat == seat and after.full() >= 2:
        finish(after, "boards")
    elif after.seat == seat:
        give(after, _next(after, seat))
    return after
