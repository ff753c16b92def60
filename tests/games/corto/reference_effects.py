"""What the cards of the reference do: markers, hits, quests, and the steps after a card."""

from __future__ import annotations

from tests.games.corto.reference_world import CARDS, Open, World, must


def control_of_own(world: World, seat: int, square: str) -> list[int]:
    """Return the markers on a square's character, which holds one of the seat's; else refuses."""
    must(square in world.board, "nobody there")
    markers = world.board[square][1]
    must(markers[seat], "no own marker there")
    return markers


def add(world: World, seat: int, place: str) -> None:
    """Put a marker on ``a3``, from stock, or on ``a3<c2`` from c2."""
    square, _, source = place.partition("<")
    must(square in world.board, "nobody there")
    if world.stock[seat]:
        must(not source, "there are markers in stock")
        world.stock[seat] -= 1
    else:
        must(source and source != square, "no marker in stock, and none from another character")
        control_of_own(world, seat, source)[seat] -= 1
    world.board[square][1][seat] += 1


def spared(world: World, seat: int, square: str) -> bool:
    """Spend the safe-conduct of an opponent who controls a square's character; return whether it was."""
    owner = world.controller(square)
    if owner in (None, seat) or not world.kept[owner or 0]:
        return False
    world.discard(world.kept[owner or 0].pop(0))
    return True


def hit(world: World, seat: int, target: str, *, any_owner: bool) -> None:
    """Take a marker off: ``a3:red``."""
    square, _, colour = target.partition(":")
    owner = world.colour(colour)
    must(any_owner or owner != seat, "an own marker")
    markers = control_of_own(world, owner, square)
    if not spared(world, seat, square):
        markers[owner] -= 1
        world.stock[owner] += 1


def kill(world: World, seat: int, square: str, strip: str) -> None:
    """Kill a character without markers, from a strip."""
    must(square in world.board, "nobody there")
    must(not any(world.board[square][1]), "it has markers")
    _seal(world, seat, square, strip)


def eliminate(world: World, seat: int, square: str, strip: str) -> None:
    """Eliminate a character, as Rasputin."""
    must(square in world.board, "nobody there")
    if not spared(world, seat, square):
        for owner, number in enumerate(world.board[square][1]):
            world.stock[owner] += number
        _seal(world, seat, square, strip)


def _seal(world: World, seat: int, square: str, strip: str) -> None:
    world.seal[seat].append(world.board.pop(square)[0])
    if strip == "D":
        held, own = world.quests["D"]["leopards"], world.colours[seat]
        if sum(held.values()) < 6:
            held[own] = held.get(own, 0) + 1


def hit_train(world: World, seat: int, squares: set[str]) -> None:
    """Take the top carriage, if the train is on one of the squares."""
    must("E" in world.strips, "no train")
    train = world.quests["E"]
    must(train["train"] is not None, "the train has left")
    square = f"e{train['train']}"
    must(square in squares, "the train is out of reach")
    face = world.carriages.pop(0)
    train["left"] -= 1
    world.revealed = True
    if face == "armed":
        train["lost"].append(face)
        world.turn.shot = square
    else:
        train["carriages"].setdefault(world.colours[seat], []).append(int(face))
    if not world.carriages:
        train["train"] = train["heading"] = None


def placed(world: World, seat: int, square: str) -> None:
    """Let the quests see a character placed on a square, after its marker."""
    if square in world.tiles:
        taken = world.quests["C"]["taken"].setdefault(world.colours[seat], [])
        taken.append(world.tiles.pop(square))
        del world.quests["C"]["face_down"][square]
        world.revealed = True
    train = world.quests.get("E")
    if square[0] == "e" and train and train["train"] is not None:
        train["train"] += 1 if train["heading"] == "right" else -1
        train["heading"] = {1: "right", 7: "left"}.get(train["train"], train["heading"])


# --- steps of the card last played ----------------------------------------------------------------


def step(world: World, seat: int, verb: str, rest: list[str]) -> None:
    """Carry out a step of the card last played; takes the words that belong to it off ``rest``."""
    if verb == "gold":
        step_gold(world)
    elif verb == "sail":
        step_sail(world, rest.pop(0))
    elif verb == "move":
        step_move(world, seat, rest.pop(0))
    elif verb in ("kill", "hit"):
        step_hit(world, seat, verb, rest.pop(0))
    elif verb[0] == "+":
        step_add(world, seat, verb[1:])
    else:
        must(verb[0] == "-", "no word of the game")
        step_hit(world, seat, "-", verb[1:])


def _open(world: World) -> Open:
    must(world.turn.open, "no card to go on with")
    assert world.turn.open is not None
    return world.turn.open


def _acted(card: Open) -> None:
    card.sail = card.owes = False
    if card.either:
        card.adds = card.hits = 0


def step_add(world: World, seat: int, place: str) -> None:
    """Carry out ``+a2`` or ``+a2<c3``; Corto's gold comes first, said or not."""
    card = _open(world)
    must(card.adds, "nothing to add")
    must(place[:2] in card.reach, "out of reach")
    if card.gold:
        step_gold(world)
    add(world, seat, place)
    card.adds -= 1
    _acted(card)


def step_hit(world: World, seat: int, verb: str, target: str) -> None:
    """Carry out ``-a5:red``, ``kill a5`` or ``hit train``."""
    card = _open(world)
    if verb == "kill" and card.eliminate:
        must(target in card.reach, "out of reach")
        eliminate(world, seat, target, card.strip)
        card.eliminate = False
        return
    must(card.hits, "no hits")
    card.hits -= 1
    if verb == "hit":
        must(target == "train", "hit what?")
        hit_train(world, seat, card.train)
    else:
        must(target[:2] in card.reach, "out of reach")
        if verb == "kill":
            kill(world, seat, target, card.strip)
        else:
            hit(world, seat, target, any_owner=card.any_owner)
    _acted(card)


def step_shot(world: World, seat: int, verb: str, target: str) -> None:
    """Carry out ``shot -a5:red`` or ``shot kill a5``."""
    origin = world.turn.shot
    must(origin, "no armed carriage")
    assert origin is not None
    must(target[:2] in {origin, *world.within(origin, "beside")}, "out of reach")
    if verb == "kill":
        kill(world, seat, target, "E")
    else:
        hit(world, seat, target, any_owner=True)


def step_sail(world: World, side: str) -> None:
    """Carry out ``sail left``."""
    card = _open(world)
    must(card.sail, "nothing to sail")
    column = world.quests["A"]["vessel"] + {"left": -1, "right": 1}[side]
    must(1 <= column <= 7, "off the board")
    world.quests["A"]["vessel"] = column
    card.sail = False


def step_gold(world: World) -> None:
    """Carry out ``gold``: each friend in Corto's area earns for who controls it."""
    card = _open(world)
    must(card.gold, "no gold to earn")
    for square in card.reach & set(world.board):
        owner = world.controller(square)
        if CARDS[world.board[square][0]]["friend"] and owner is not None:
            world.earned[owner] += 1
    card.gold = False


def step_move(world: World, seat: int, path: str) -> None:
    """Carry out ``move a1>b2``."""
    card = _open(world)
    must(card.moves, "nothing to move")
    source, _, target = path.partition(">")
    must(target in world.board and source != target, "nobody there")
    control_of_own(world, seat, source)[seat] -= 1
    world.board[target][1][seat] += 1
    card.moves -= 1
    card.owes = False
