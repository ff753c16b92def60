"""The computer player: draws some dozen programs and takes the best by points and safety.

Random programs are always legal; imagined states use them, too.
"""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import Seat, Words
from engines.core.rng import Rng, Stream
from engines.volt.activation import forecast, run
from engines.volt.answers import Answer, Question
from engines.volt.arena import arena, distance
from engines.volt.battle import Battle, Won
from engines.volt.draft import Basis, Draft, Part, together_fault, use_fault
from engines.volt.modules import MODULES, Use, choices, goes_together, in_order, worded
from engines.volt.notation import COLOURS, program_of
from engines.volt.view import ARROWS, UNITS, Phase, ProgramView, Space, View

PROGRAMS = 40
"""Programs drawn a turn."""
FINALISTS = 5
"""The best of them, which are tried again with the others moving."""
TRIALS = 3
"""Random programs of the others that each finalist meets."""

POINT = 100
WIN = 1_000
LOST = 60
FELL = 70
WOUND = 12
HIT = 15
RIVAL_POINT = 30
STEP = 3
MEND = 10


def sentence(view: View, rng: Rng) -> Words:
    """Return a whole sentence for the viewer's seat, chosen from its own view alone."""
    seat, stream = view.viewer, rng.stream("player")
    assert seat is not None
    if view.phase is Phase.PROGRAM:
        return _program(view, seat, stream)
    question = Question.of(view)
    space = min(question.spaces, key=lambda one: (_to_go(view, one), one), default="")
    hurt = view.robots[seat].damage > 0
    other = (
        question.other
        if question.other and (hurt or not question.decks) and view.phase is Phase.REPAIR
        else ""
    )
    deck = "" if other or not question.decks else stream.choice(question.decks)
    return Answer(question, space, deck, other).words()


def _to_go(view: View, space: Space) -> int:
    places = arena(view.arena).tokens
    return min((distance(space, places[number]) for number in view.tokens), default=0)


def _program(view: View, seat: Seat, stream: Stream) -> Words:
    basis = Basis.of(view)
    drafts = [random_draft(basis, stream) for _ in range(PROGRAMS)]
    programs = [program_of(draft.words()) for draft in drafts]
    alone = [_value(view, seat, {seat: program}, alone=True) for program in programs]
    best = sorted(range(PROGRAMS), key=lambda n: (-alone[n], n))[:FINALISTS]
    others = [_others(view, seat, stream) for _ in range(TRIALS)]
    tile = min(basis.free, default=None)
    # Where tiles are dealt at the reveal, a finalist is tried with the first one.
    own = {n: replace(programs[n], tile=tile or 1) for n in best}
    met = {n: sum(_value(view, seat, {**found, seat: own[n]}) for found in others) for n in best}
    chosen = max(best, key=lambda n: (alone[n] + met[n], -n))
    return replace(drafts[chosen], tile=tile).words()


def _others(view: View, seat: Seat, stream: Stream) -> dict[Seat, ProgramView]:
    # Without modules: the player does not guess what is hidden.
    rivals = [robot.seat for robot in view.robots if not robot.gone and robot.seat != seat]
    found = {}
    for tile, rival in enumerate(stream.shuffled(rivals), 2):
        basis = Basis(arena(view.arena), view.robots[rival].side, (), (), (), False, len(view.robots))
        found[rival] = replace(program_of(random_draft(basis, stream).words()), tile=tile)
    return found


def _value(view: View, seat: Seat, programs: dict[Seat, ProgramView], *, alone: bool = False) -> int:
    battle = Battle.of(view, programs)
    try:
        if alone:
            forecast(battle, seat, programs[seat])
        else:
            run(battle)
    except Won as won:
        return WIN if won.seat == seat else -WIN
    return _worth(view, battle, seat)


def _worth(view: View, battle: Battle, seat: Seat) -> int:
    before, mine = view.robots, battle.pieces[seat]
    rivals = [(before[n], piece) for n, piece in enumerate(battle.pieces) if n != seat and not piece.gone]
    worth = POINT * (mine.score - before[seat].score) - WOUND * (mine.damage - before[seat].damage)
    worth -= RIVAL_POINT * sum(piece.score - old.score for old, piece in rivals)
    worth += HIT * sum(piece.damage - old.damage for old, piece in rivals)
    if mine.pos is None:
        return worth - (FELL if before[seat].damage else LOST)
    return worth + _place(view, battle, seat, mine.pos)


def _place(view: View, battle: Battle, seat: Seat, space: Space) -> int:
    place, mine = arena(view.arena), battle.pieces[seat]
    if any(place.tokens[number] == space for number in view.tokens):
        return WIN if mine.score + 1 >= view.target else POINT
    worth = -STEP * _to_go(view, space)
    if space in place.repair:
        worth += MEND * (1 + mine.damage)
    if space in place.shock:
        worth -= WOUND
    return worth


# --- random programs ---------------------------------------------------------------------------------

_ALL_DICE = tuple(colour for colour in COLOURS.values() for _ in range(2))


def random_draft(basis: Basis, stream: Stream) -> Draft:
    """Return a random program without its tile: now and then with a swap, modules by chance."""
    draft = Draft(basis, _active(basis, stream))
    colours = stream.shuffled(_ALL_DICE)
    for unit in range(len(UNITS)):
        draft = draft.with_part(unit, random_part(draft, unit, colours[unit], stream))
    standing = (name for name in draft.active if MODULES[name].use is Use.STANDING)
    orders = tuple(name for name in standing if stream.chance(2, 3))
    return replace(draft, orders=in_order(orders))


def random_part(draft: Draft, unit: int, colour: str, stream: Stream) -> Part:
    """Return a random die of a colour for a unit of a draft, with modules by chance."""
    part = Part(colour, 1 + stream.below(6))
    arrows = tuple(arrow for arrow in ARROWS if draft.may_point(part, arrow))
    part = replace(part, arrow=stream.choice(arrows))
    return _with_uses(draft, unit, part, stream)


def _active(basis: Basis, stream: Stream) -> tuple[str, ...]:
    if not basis.spare or not stream.chance(1, 4):
        return basis.active
    name = stream.choice(basis.spare)
    kept = [()] + [(other,) for other in basis.active] + [basis.active]
    fitting = [names for names in kept if goes_together((*names, name))]
    return in_order((*fitting[-1], name))


def _with_uses(draft: Draft, unit: int, part: Part, stream: Stream) -> Part:
    for name in draft.active:
        module = MODULES[name]
        if not module.fits(part.colour, part.number) or module.use is Use.ARROW or not stream.chance(1, 2):
            continue
        choice = stream.choice(choices(name, part.number, draft.basis.arena, draft.basis.side))
        uses = tuple(sorted((*part.uses, worded(name, choice))))
        trial = replace(part, uses=uses)
        if not any(use_fault(draft, unit, trial, use) for use in uses) and not together_fault(unit, trial):
            part = trial
    return part
