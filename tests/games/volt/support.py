"""Scenes and rounds to test with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.core.contract import Fact, Seat
from engines.core.match import Match
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.volt import GAME
from engines.volt.activation import activate, run
from engines.volt.arena import arena
from engines.volt.battle import Battle, Won
from engines.volt.modules import MINES
from engines.volt.notation import program_of
from engines.volt.view import DieView, MineView, ProgramView, RobotView

SEED = bytes(32)
SIDES = {2: "NS", 3: "NES", 4: "NESW"}


def die(text: str) -> DieView:
    """Return the die of ``b4E+turbo-1``; on unit I unless another is named."""
    word = text if ":" in text else f"I:{text}"
    return program_of((word,)).dice[0]


class Scene:
    """A battle with robots on given spaces; dice are activated one by one."""

    def __init__(
        self,
        robots: Sequence[str | None],
        arena_key: str = "A",
        *,
        damage: Sequence[int] = (),
        scores: Sequence[int] = (),
        orders: Mapping[Seat, Sequence[str]] | None = None,
        mines: Mapping[str, Seat] | None = None,
        target: int = 5,
    ) -> None:
        count = len(robots)
        hurt = [*damage, *([0] * count)]
        points = [*scores, *([0] * count)]
        on = orders or {}
        self.won: Seat | None = None
        self.battle = Battle(
            arena(arena_key),
            target,
            [
                RobotView(n, SIDES[max(2, count)][n], pos, None, hurt[n], points[n])
                for n, pos in enumerate(robots)
            ],
            [MineView(space, seat) for space, seat in (mines or {}).items()],
            [MINES] * count,
            [()] * count,
            {n: ProgramView((), (), tuple(on.get(n, ())), n + 1) for n in range(count)},
        )

    def do(self, seat: Seat, *dice: str) -> Scene:
        """Activate dice of a seat."""
        for text in dice:
            if self.battle.pos(seat) is not None and self.won is None:
                try:
                    activate(self.battle, seat, die(text))
                except Won as won:
                    self.won = won.seat
        return self

    @property
    def at(self) -> list[str | None]:
        """Return where the robots stand."""
        return [piece.pos for piece in self.battle.pieces]

    @property
    def damage(self) -> list[int]:
        return [piece.damage for piece in self.battle.pieces]

    @property
    def scores(self) -> list[int]:
        return [piece.score for piece in self.battle.pieces]

    def told(self, *kinds: str) -> list[Fact]:
        return [fact for fact in self.battle.facts if fact.kind in kinds]

    def turned_up(self) -> list[tuple[Seat, str]]:
        return [(int(str(f["seat"])), str(f["name"])) for f in self.told("turned_up")]


def order(programs: Sequence[str], robots: Sequence[str | None]) -> list[str]:
    """Return who is activated or skipped, as ``0:I`` and ``-0:I``, in order."""
    battle = Scene(robots).battle
    battle.programs = {
        n: program_of((*text.split(), *(() if "tile" in text else (f"tile:{n + 1}",))))
        for n, text in enumerate(programs)
    }
    battle.orders = [set(battle.programs[n].orders) for n in range(len(robots))]
    run(battle)
    sign = {"die": "", "skipped": "-"}
    return [f"{sign[f.kind]}{f['seat']}:{f['unit']}" for f in battle.facts if f.kind in sign]


def situation(seats: Sequence[Any], arena_key: str = "A", **value: Any) -> Match:
    """Return a match at programming; each seat's data without seat and side."""
    options = value.pop("options", {})
    setup = complete(GAME.manifest, len(seats), options)
    data = [{"seat": n, "side": SIDES[len(seats)][n], **seat} for n, seat in enumerate(seats)]
    state = GAME.situation({"arena": arena_key, "seats": data, **value}, setup, Rng.of_match(SEED))
    return Match.at(GAME, setup, SEED, state)


def act(match: Match, *texts: str) -> Match:
    """Let the seats that are waited for say these sentences, in order of seat."""
    for seat, text in zip(sorted(match.waiting), texts, strict=True):
        match = match.act(seat, GAME.read(text))
    return match


def programs(match: Match, *texts: str) -> Match:
    """Let all seats program; the tile is the seat's number unless one is named."""
    whole = [f"program {text}" + ("" if "tile" in text else f" tile:{n + 1}") for n, text in enumerate(texts)]
    return act(match, *whole)


def facts(match: Match, *kinds: str) -> list[Fact]:
    """Return what all learned in the last step."""
    return [fact for _, fact in match.facts(None, len(match.log)) if fact.kind in kinds]
