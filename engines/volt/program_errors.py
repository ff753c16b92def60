"""What is wrong with a program, each fault with its own message.

All that is asked here stands in the seat's own view, so no message tells more than that view does.
"""

from __future__ import annotations

from engines.core.contract import IllegalAction, Msg, msg
from engines.volt.draft import DICE, Draft, Part, listed, named
from engines.volt.modules import ACTIVE, MODULES, Use, choices, goes_together, name_of
from engines.volt.notation import COLOURS
from engines.volt.view import UNITS


def check(draft: Draft) -> None:
    """Raise :class:`IllegalAction` for the first thing that is wrong with a draft."""
    fault = _swap_fault(draft) or _dice_fault(draft)
    for unit, part in enumerate(draft.parts):
        fault = fault or _part_fault(draft, unit, part)
    fault = fault or _order_fault(draft) or _tile_fault(draft)
    if fault is not None:
        raise IllegalAction(fault)


def _swap_fault(draft: Draft) -> Msg | None:
    if goes_together(draft.active):
        return None
    return msg("error.swap_many" if len(draft.active) > ACTIVE else "error.swap_colours")


def _dice_fault(draft: Draft) -> Msg | None:
    for colour in COLOURS.values():
        if sum(part.colour == colour for part in draft.parts) > DICE:
            return msg("error.dice", colour=msg(f"colour.{colour}"))
    return None


def _part_fault(draft: Draft, unit: int, part: Part) -> Msg | None:
    if not draft.may_point(part, part.arrow):
        key = "error.diagonal_number" if "diagonal" in draft.active else "error.diagonal"
        return msg(key, unit=UNITS[unit], arrow=part.arrow)
    for use in part.uses:
        fault = use_fault(draft, unit, part, use)
        if fault is not None:
            return fault
    return together_fault(unit, part)


def use_fault(draft: Draft, unit: int, part: Part, use: str) -> Msg | None:
    """Return what is wrong with one use of a module on a unit, ``None`` where nothing is."""
    name, _, choice = use.partition("-")
    module = MODULES[name]
    where: dict[str, Msg | str] = {"unit": UNITS[unit], "module": named(name)}
    if module.use is Use.ARROW:
        return msg("error.use_arrow", **where)
    if module.use is Use.STANDING:
        return msg("error.use_standing", word=f"order:{name}", **where)
    if name not in draft.active:
        return msg("error.use_inactive", **where)
    if not part.colour:
        return msg("error.use_no_die", **where)
    if not module.fits(part.colour, part.number):
        span = str(module.low) if module.low == module.high else f"{module.low}–{module.high}"
        return msg("error.use_misfit", colour=msg(f"colour.{module.die}"), span=span, **where)
    return _choice_fault(draft, part, name, choice, where)


def _choice_fault(
    draft: Draft, part: Part, name: str, choice: str, where: dict[str, Msg | str]
) -> Msg | None:
    possible = choices(name, part.number, draft.ground.arena, draft.ground.side)
    if choice in possible:
        return None
    if possible == ("",):
        return msg("error.use_no_choice", word=name, **where)
    return msg("error.use_choice", words=listed(tuple(f"{name}-{one}" for one in possible)), **where)


def together_fault(unit: int, part: Part) -> Msg | None:
    """Return what is wrong with the uses on a unit together, ``None`` where nothing is."""
    names = [name_of(use) for use in part.uses]
    if len(set(names)) < len(names):
        return msg("error.use_twice", unit=UNITS[unit])
    kinds = [MODULES[name].use for name in names]
    if kinds.count(Use.INSTEAD) > 1:
        return msg("error.two_insteads", unit=UNITS[unit])
    if Use.INSTEAD in kinds and Use.MODIFIER in kinds:
        return msg("error.instead_modifier", unit=UNITS[unit])
    return None


def _order_fault(draft: Draft) -> Msg | None:
    for name in draft.orders:
        if MODULES[name].use is not Use.STANDING:
            return msg("error.order_die", module=named(name))
        if name not in draft.active:
            return msg("error.order_inactive", module=named(name))
    return None


def _tile_fault(draft: Draft) -> Msg | None:
    tile, ground = draft.tile, draft.ground
    if tile is None:
        return None
    if not ground.tiled:
        return msg("error.tiles_dealt")
    if tile in ground.free:
        return None
    key = "error.tile_gone" if 1 <= tile <= ground.playing else "error.tile_unknown"
    return msg(key, tile=tile, tiles=listed(ground.free))


def unfinished(draft: Draft) -> Msg:
    """Return what a draft lacks to be a whole program."""
    for unit, part in enumerate(draft.parts):
        if not part.colour:
            return msg("error.unit_empty", unit=UNITS[unit])
        if not part.arrow:
            return msg("error.unit_no_arrow", unit=UNITS[unit])
    return msg("error.no_tile", tiles=listed(draft.ground.free))
