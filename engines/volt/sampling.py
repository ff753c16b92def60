"""Programs drawn at random, always legal: what computer players and imagined truths are made of."""

from __future__ import annotations

from dataclasses import replace

from engines.core.rng import Stream
from engines.volt.draft import Draft, Ground, Part
from engines.volt.modules import MODULES, Use, choices, goes_together, in_order, worded
from engines.volt.notation import COLOURS
from engines.volt.program_errors import together_fault, use_fault
from engines.volt.view import ARROWS, UNITS

_DICE = tuple(colour for colour in COLOURS.values() for _ in range(2))


def random_draft(ground: Ground, stream: Stream) -> Draft:
    """Return a random program without its tile: now and then with a swap, modules by chance."""
    draft = Draft(ground, _active(ground, stream))
    colours = stream.shuffled(_DICE)
    for unit in range(len(UNITS)):
        part = Part(colours[unit], 1 + stream.below(6))
        arrows = tuple(arrow for arrow in ARROWS if draft.may_point(part, arrow))
        part = replace(part, arrow=stream.choice(arrows))
        draft = draft.with_part(unit, _with_uses(draft, unit, part, stream))
    standing = (name for name in draft.active if MODULES[name].use is Use.STANDING)
    orders = tuple(name for name in standing if stream.chance(2, 3))
    return replace(draft, orders=in_order(orders))


def _active(ground: Ground, stream: Stream) -> tuple[str, ...]:
    """Return the modules that shall be active: in one of four cases after a swap."""
    if not ground.spare or not stream.chance(1, 4):
        return ground.active
    name = stream.choice(ground.spare)
    kept = [()] + [(other,) for other in ground.active] + [ground.active]
    fitting = [names for names in kept if goes_together((*names, name))]
    return in_order((*fitting[-1], name))


def _with_uses(draft: Draft, unit: int, part: Part, stream: Stream) -> Part:
    for name in draft.active:
        module = MODULES[name]
        if not module.fits(part.colour, part.number) or module.use is Use.ARROW or not stream.chance(1, 2):
            continue
        choice = stream.choice(choices(name, part.number, draft.ground.arena, draft.ground.side))
        uses = tuple(sorted((*part.uses, worded(name, choice))))
        trial = replace(part, uses=uses)
        if not any(use_fault(draft, unit, trial, use) for use in uses) and not together_fault(unit, trial):
            part = trial
    return part
