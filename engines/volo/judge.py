"""Whether a seat may say a sentence, and if not, which rule forbids it."""

from __future__ import annotations

from engines.core.contract import Arg, IllegalAction, msg
from engines.volo.movegen import PASS, SUPPLY, Position
from engines.volo.notation import Sentence
from engines.volo.regions import reachable, regions_to_choose
from engines.volo.sides import Turn


def _forbid(key: str, **args: Arg) -> IllegalAction:
    return IllegalAction(msg(f"error.{key}", **args))


def judge(position: Position, sentence: Sentence) -> Turn:
    """Return the turn that a whole sentence means; raises ``IllegalAction`` with the rule that forbids it."""
    if sentence.passing:
        return _pass(position)
    if sentence.direction:
        return _fly(position, sentence)
    check_unit_or_add(position, sentence)
    if sentence.points & position.own.birds:
        raise _forbid("fly_where", unit=sentence.unit)
    return Turn(0, sentence.points, "", 0, 0)


def check_unit_or_add(position: Position, sentence: Sentence) -> None:
    """Raise ``IllegalAction`` unless the first word names own birds, or a point where a bird may be added."""
    board, own, point = position.board, position.own, sentence.points
    if sentence.unit not in board.points or point & own.birds:
        _check_unit(position, sentence)
        return
    name = board.names[point]
    if point & position.other.birds:
        raise _forbid("occupied", point=name)
    if own.birds.bit_count() >= SUPPLY:
        raise _forbid("supply")
    friends = board.ring[point] & own.birds
    if friends:
        raise _forbid("beside", point=name, own_point=board.names[friends & -friends])
    if not point & reachable(board, own.birds, position.other.birds):
        raise _forbid("enclosed", point=name)


def _pass(position: Position) -> Turn:
    turns = position.turns()
    if PASS in turns:
        return PASS
    flight = next((turn for turn in turns if turn.unit), None)
    if flight is not None:
        raise _forbid("pass_flight", flight=f"{position.board.units[flight.unit]}-{flight.word}")
    theirs = reachable(position.board, position.other.birds, position.own.birds)
    adds = sum(turn.landing for turn in turns) & theirs
    raise _forbid("pass_add", point=position.board.names[adds & -adds])


def _check_unit(position: Position, sentence: Sentence) -> None:
    foreign = sentence.points & ~position.own.birds
    if foreign:
        raise _forbid("not_yours", point=position.board.names[foreign & -foreign])


def no_flight(sentence: Sentence) -> IllegalAction:
    """Return the refusal of own birds that can fly nowhere."""
    return _forbid("no_flight", unit=sentence.unit)


def landing_of(position: Position, sentence: Sentence) -> int:
    """Return where a flight lands; raises ``IllegalAction`` with the rule that forbids it."""
    _check_unit(position, sentence)
    board, unit = position.board, sentence.points
    free = position.vacant | unit  # the points that the unit stands on itself count as vacant
    placing = unit
    for steps in range(sentence.steps):
        placing = board.shifted(placing, sentence.direction, 1)
        if placing & ~free:
            raise _blocked(position, placing & ~free, sentence, steps)
    # The flock that is left must come along as a whole, and grow (rules page, Turn).
    birds = position.own.birds
    old, new = board.flood(unit, birds), board.flood(placing, birds & ~unit | placing)
    left = old & ~unit & ~new
    if left:
        raise _forbid("split", point=board.names[left & -left])
    if new.bit_count() <= old.bit_count():
        raise _forbid("growth", n=old.bit_count())
    return placing


def _blocked(position: Position, places: int, sentence: Sentence, steps: int) -> IllegalAction:
    board = position.board
    if places & ~board.full:
        direction = msg(f"direction.{sentence.direction}")
        return _forbid("blocked_edge", unit=sentence.unit, direction=direction, n=steps)
    friends = places & position.own.birds
    hit = friends or places
    whose = "blocked_friend" if friends else "blocked_enemy"
    return _forbid(whose, unit=sentence.unit, point=board.names[hit & -hit])


def _fly(position: Position, sentence: Sentence) -> Turn:
    board = position.board
    landing = landing_of(position, sentence)
    word = f"{sentence.direction}{sentence.steps}"
    choices = region_choices(position, sentence.points, landing)
    if not choices:
        if sentence.region:
            raise _forbid("region_needless")
        return Turn(sentence.points, landing, word, 0, 0)
    # A region is named by its lowest point, which may be vacant.
    names = tuple(board.names[region & -region] for region in choices)
    if not sentence.region:
        raise _forbid("region_needed", points=names)
    for region in choices:
        if region & -region == sentence.region:
            return Turn(sentence.points, landing, word, sentence.region, position.other.birds & ~region)
    raise _forbid("region_choice", point=board.names[sentence.region], points=names)


def region_choices(position: Position, unit: int, landing: int) -> tuple[int, ...]:
    """Return the regions of which the mover must keep one after a flight; none where nothing is cut."""
    return regions_to_choose(
        position.board, position.own.birds & ~unit | landing, landing, position.other.birds
    )
