"""The treasure count of the reference, line by line, and who wins."""

from __future__ import annotations

from tests.games.corto.reference_world import Json, Turn, World


def groups(world: World, seat: int) -> list[set[str]]:
    """Return the connected characters under a seat's control, the lonely ones too."""
    left = {square for square in world.board if world.controller(square) == seat}
    found = []
    while left:
        group = {left.pop()}
        while near := {square for square in left if any(world.steps(one, square) == 1 for one in group)}:
            group |= near
            left -= near
        found.append(group)
    return found


def count(world: World, seat: int) -> dict[str, int]:
    """Return a seat's gold: the lines of the count, and their sum."""
    sizes = sorted((len(group) for group in groups(world, seat) if len(group) > 1), reverse=True)
    lines = {
        "largest": 2 * sum(sizes[:1]),
        "others": sum(sizes[1:]),
        "seal": len(world.seal[seat]),
        "corto": world.earned[seat],
    }
    for strip in world.strips:
        lines[f"quest {strip}"] = _quest(world, strip, world.quests[strip], seat)
    lines["total"] = sum(lines.values())
    return lines


def _quest(world: World, strip: str, quest: Json, seat: int) -> int:
    own = world.colours[seat]
    if strip == "A":
        return 5 * (world.controller(f"a{quest['vessel']}") == seat)
    if strip == "B":
        return 4 * int(quest["holder"] == own)
    if strip == "C":
        tiles = quest["taken"].get(own, [])
        return int(max(0, 3 * tiles.count("ingot") - tiles.count("crow")))
    if strip == "D":
        counts = {colour: int(quest["leopards"].get(colour, 0)) for colour in world.colours}
        alone = all(counts[own] > number for colour, number in counts.items() if colour != own)
        return counts[own] + 2 * alone
    if strip == "E":
        return int(sum(quest["carriages"].get(own, [])))
    return sum(2 * (world.controller(f"f{column}") == seat) for column in range(4, 8))


def finish(world: World, reason: str) -> None:
    """End the match: rank the seats, those that left last."""
    worth = {seat: (count(world, seat)["total"], world.stock[seat]) for seat in world.here()}
    order = sorted(set(worth.values()), reverse=True)
    ranks = [[world.colours[seat] for seat in worth if worth[seat] == value] for value in order]
    world.ranks = ranks + [[world.colours[seat]] for seat in reversed(world.gone)]
    world.phase, world.reason = "over", reason
    world.seat = world.place = None
    world.turn = Turn()
    world.to_draw = [0] * len(world.colours)
