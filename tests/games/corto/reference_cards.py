"""The cards of the reference: where they may be played, and what they open."""

from __future__ import annotations

from tests.games.corto.reference_effects import add, control_of_own, placed, step
from tests.games.corto.reference_world import CARDS, FULL_HAND, Json, Open, Refused, World, must

VERBS = ("play", "use", "corto", "rasputin", "adv")


def card(world: World, seat: int, verb: str, rest: list[str]) -> None:
    """Carry out a card; takes the words that belong to it off ``rest``."""
    name = rest.pop(0)
    if verb == "play":
        play(world, seat, name, rest.pop(0))
    elif verb == "use":
        use(world, seat, name)
    elif verb == "adv":
        advantage(world, seat, name, rest)
    else:
        figurine(world, seat, verb, name, rest.pop(0))


def take(world: World, seat: int, card: str, kind: str) -> Json:
    """Take a card of a kind out of the hand; what was left of the card before is waived."""
    must(card in world.hands[seat], "not in hand")
    must(CARDS[card]["kind"] == kind, "another kind of card")
    must(world.turn.played < 4, "four cards are the most")
    world.hands[seat].remove(card)
    world.turn.played += 1
    world.turn.open = world.turn.shot = None
    return CARDS[card]


def reach_of(world: World, square: str, data: Json) -> set[str]:
    """Return the squares that a character or object acts on, its own left out."""
    return world.within(square, "line" if data["long_range"] else "beside")


def only_actor(world: World, seat: int, before: int) -> None:
    """Judge a character or figurine that stands, its action still to come, by the ending turn's rule.

    ``before``: how many strips were full before it was played.
    """
    world.turn.actors += 1
    if world.turn.actors == 1 or (before < 2 and world.full() < 2):
        return
    must(world.ruleset >= 2, "only a single one in the ending turn")
    world.turn.owed = frozenset(square for square in world.board if _frees(world, seat, square))
    must(world.turn.owed, "only a single one in the ending turn, and its action frees no square")


def _frees(world: World, seat: int, square: str) -> bool:
    """Try whether the card last played frees a square by killing who stands there."""
    trial = world.copy()
    try:
        step(trial, seat, "kill", [square])
    except Refused:
        return False
    return not trial.taken(square) and trial.full() < 2


def play(world: World, seat: int, card: str, place: str) -> None:
    """Carry out ``play A04 a3`` or ``play A04 a3<c2``."""
    data = take(world, seat, card, "character")
    square = place[:2]
    strip = square[0].upper()
    world.where(square)
    must(square in world.squares() and strip in data["colours"], "not on this strip")
    must(not world.taken(square), "occupied")
    free = [one for one in world.squares() if one[0] == square[0] and not world.taken(one)]
    lonely = not any(world.touched(one) for one in free)
    must(world.touched(square) or world.turn.drop_in or (lonely and square == free[0]), "beside nobody")

    before = world.full()
    world.board[square] = (card, [0] * len(world.colours))
    add(world, seat, place)
    turn = world.turn
    turn.drop_in = False
    turn.actor, turn.stood = card, square
    placed(world, seat, square)
    border = data["border"]
    turn.open = Open(
        reach=reach_of(world, square, data),
        strip=strip,
        adds=int(border in ("white", "both")),
        hits=int(border in ("black", "both")),
        either=border == "both",
        sail=strip == "A",
        train={square, *reach_of(world, square, data)},
    )
    only_actor(world, seat, before)


def use(world: World, seat: int, card: str) -> None:
    """Carry out ``use A15``; something must come of it."""
    must(world.turn.actor, "no character or figurine played")
    data = take(world, seat, card, "object")
    world.discard(card)
    square, white = world.turn.stood, data["border"] == "white"
    reach = reach_of(world, square, data)
    if world.ruleset >= 2 and world.turn.actor in world.figures:
        reach = {square, *reach}
    world.turn.open = Open(
        reach=reach,
        strip=square[0].upper(),
        adds=data["power"] if white else 0,
        hits=0 if white else data["power"],
        any_owner=True,
        owes=True,
        train={square, *reach_of(world, square, data)},
    )


def figurine(world: World, seat: int, name: str, card: str, square: str) -> None:
    """Carry out ``corto C19 c2`` or ``rasputin A19 b2``."""
    data = take(world, seat, card, name)
    must(world.steps(world.figures[name], square) <= data["steps"], "too far")
    world.discard(card)
    before = world.full()
    world.figures[name] = square
    world.turn.actor, world.turn.stood = name, square
    world.turn.open = Open(
        reach=world.within(square, "around"),
        strip=square[0].upper(),
        adds=2 * (name == "corto"),
        gold=name == "corto",
        eliminate=name == "rasputin",
    )
    only_actor(world, seat, before)


# --- advantages -----------------------------------------------------------------------------------


def advantage(world: World, seat: int, card: str, rest: list[str]) -> None:
    """Carry out ``adv …``; takes what belongs to it off the words that follow."""
    data = take(world, seat, card, "advantage")
    effect = data["effect"]
    if effect == "safe-conduct":
        world.kept[seat].append(card)
        return
    world.discard(card)
    if effect == "swap":
        must(len(rest) >= 2, "two squares")
        _swap(world, rest.pop(0), rest.pop(0))
    elif effect == "bribe":
        must(rest, "a marker")
        square, _, colour = rest.pop(0).partition(":")
        owner = world.colour(colour)
        must(owner != seat, "an own marker")
        control_of_own(world, owner, square)[owner] -= 1
        world.stock[owner] += 1
    elif effect == "pickpocket":
        must(rest, "an opponent")
        _pick(world, seat, world.colour(rest.pop(0)))
    elif effect == "transfer":
        world.turn.open = Open(reach=set(), strip="", moves=2, owes=True)
    else:
        must(effect in ("refill", "drop-in"), "an effect unknown to the page")
        world.turn.refill |= effect == "refill"
        world.turn.drop_in |= effect == "drop-in"


def _swap(world: World, one: str, other: str) -> None:
    must(one != other and one in world.board and other in world.board, "two characters")
    actor = world.turn.actor
    for here, there in ((one, other), (other, one)):
        if world.board[here][0] == actor:
            world.turn.stood = there
            break
    world.board[one], world.board[other] = world.board[other], world.board[one]


def _pick(world: World, seat: int, victim: int) -> None:
    must(victim != seat and world.hands[victim], "an opponent with a card")
    card = world.fate if world.fate in world.hands[victim] else world.hands[victim][0]
    assert card is not None
    world.hands[victim].remove(card)
    world.hands[seat].append(card)
    world.revealed = True
    deck = card[0]
    if not world.decks[deck]:
        most = max(len(pile) for pile in world.decks.values())
        deck = next(strip for strip in world.strips if len(world.decks[strip]) == most)
    if world.decks[deck]:
        world.hands[victim].append(world.decks[deck].pop(0))
    must(len(world.hands[seat]) <= FULL_HAND, "never more than four cards")
