"""What is shown when masks are taken, against a slow reading of the rules page; and what it leaves open."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from engines.core.contract import EVERYONE, Fact, Step, Viewer, facts_for
from engines.volto import GAME, events, game, imagine, rules, state
from engines.volto.beliefs import Reading, Weights, beliefs
from engines.volto.board import KINDS, Kind, Square, fits_after
from engines.volto.candidates import Kinds
from engines.volto.rulesets import FIRST, RULESETS
from engines.volto.state import State
from engines.volto.view import Mask, MaskView, Ply, Public, View
from tests.games.volto.reference import FILES, VIEWERS, Table, Told, Truths
from tests.games.volto.support import MOON, RNG, SUN
from tests.kit.samples import MORE

WHOLE, SMALL, TINY = 50 * MORE, 6 * MORE, 6 * MORE
"""Matches: with all masks, with five a side, and with four a side for who knows neither side."""

FEW = 6
"""Matches in which a planted bug is found."""

LONGEST = {10: 60, 5: 30, 4: 30}
"""Moves of a match, by how many masks a side has."""

LASTING = {10: 0.5, 5: 0.9, 4: 0.9}
"""How often a move is drawn that does not end the match, likewise."""

UNREAD = Reading(setup=0.0, moves=0.0, deeds=0.0)


# --- matches by both ------------------------------------------------------------------------------


def begun(dice: random.Random, masks: str, ruleset: str) -> tuple[State, Table]:
    """Return a position of a side's ``masks`` on both sides, all on the rows next to their palace."""
    symbols: dict[str, str] = {}
    for seat, rows in enumerate(("12", "76") if len(masks) == 10 else ("34", "54")):
        free = [file + row for row in rows for file in FILES if f"0{file + row}" not in symbols]
        squares = sorted(dice.sample(free, len(masks)))
        names = (f"{seat}{square}" for square in squares)
        symbols |= dict(zip(names, dice.sample(masks, len(masks)), strict=True))
    table = Table(ruleset, symbols, dice.randrange(2))
    return GAME.position(table.position(), ruleset), table


def drawn(dice: random.Random, table: Table) -> tuple[str, str]:
    """Return a move; what takes something is often chosen, and a Lady oftener; few are to end the match."""
    moves = list(table.moves())
    if dice.random() < LASTING[len(table.symbols) // 2]:
        moves = [move for move in moves if not table.move(*move).over] or moves
    captures = [move for move in moves if move[1] in table.where]
    ladies = [move for move in captures if table.symbols[table.where[move[1]]] == "L"]
    spared = [move for move in moves if table.symbols[table.where[move[0]]] != "C"]
    for some, often in ((ladies, 0.5), (captures, 0.3), (spared, 0.9)):
        if some and dice.random() < often:
            return dice.choice(some)
    return dice.choice(moves)


def played(kind: str, number: int, masks: str, ruleset: str) -> Iterator[tuple[Step[State], Table]]:
    """Yield a match after each move, played by the engine and by the reference."""
    dice = random.Random(f"{kind} {number}")
    now, table = begun(dice, masks, ruleset)
    yield Step(now, ()), table
    for _ in range(LONGEST[len(masks)]):
        if table.over:
            return
        move = drawn(dice, table)
        step = GAME.act(now, table.mover, move, RNG)
        now, table = step.state, table.move(*move)
        yield step, table


def as_told(found: Fact) -> Told | None:
    """Return a fact as the reference tells it; ``None``: how the match ended, which others test."""
    data = dict(found.data)
    move = tuple(str(data[name]) for name in ("seat", "origin", "target") if name in data)
    if found.kind in ("moved", "captured"):
        return (*move, *((str(data["symbol"]),) if "symbol" in data else ()))
    if found.kind in ("lady_taken", "left_unseen", "left_in_secret"):
        return (*move, "L", str(data.get("capturer", "?")))
    if found.kind == "unseen_was":
        return ("was", f"{data['seat']} on {data['square']}", str(data["symbol"]))
    return None


def compare(step: Step[State], table: Table, viewer: Viewer) -> None:
    """Compare what a viewer sees and is told."""
    view = GAME.view(step.state, viewer)
    seen = {one.id: (one.square, one.kind and one.kind.value, one.revealed) for one in view.masks}
    assert seen == table.sees(viewer)
    assert (view.result is not None) is table.over
    assert view.position == table.position(viewer)
    assert [gone.id for gone in view.gone] == table.gone
    if step.events:
        told = [said for one in facts_for(step.events, viewer) if (said := as_told(one)) is not None]
        # The reference names masks, and the engine the square where one was lost.
        lost = {ply.mask: f"{ply.seat} on {ply.target}" for ply in view.plies}
        assert told == [(w[0], lost[w[1]], w[2]) if w[0] == "was" else w for w in table.told[viewer]]


def positions(matches: int) -> Iterator[tuple[Step[State], Table]]:
    """Yield the positions of whole matches by the newest ruleset, and of a few by the first one."""
    for ruleset, number in (("2", matches), ("1", matches // 5)):
        for each in range(number):
            yield from played("whole", each, "NNNAAALLCS", ruleset)


def check_views(matches: int) -> tuple[int, int, int]:
    """Compare all positions for all viewers; how many there were, with unseen masks, at the end."""
    found = unseen = ends = 0
    for step, table in positions(matches):
        for viewer in VIEWERS:
            compare(step, table, viewer)
        found += 1
        unseen += bool(set(table.gone) - table.seen)
        ends += table.over
    return found, unseen, ends


def test_the_reference_sees_the_same() -> None:
    found, unseen, ends = check_views(WHOLE)
    assert found >= 2_000
    assert unseen >= 300, "hardly anything has left unseen"
    assert ends >= 30


# --- what is left open ----------------------------------------------------------------------------


def followed(kind: str, number: int, masks: str, viewer: Viewer) -> Iterator[tuple[State, Table, Truths]]:
    """Yield a match in which a mask has left unseen, with all that may be true for a viewer."""
    truths: Truths | None = None
    before: Table | None = None
    for step, table in played(kind, number, masks, "2"):
        if truths is None or before is None:
            truths = Truths.of(table, viewer)
        elif not table.over:
            [move] = [tuple(w[1:3]) for w in table.told[None]]
            truths = truths.after((move[0], move[1]), table)
        before = table
        if not table.over and set(table.gone) - table.seen:
            yield step.state, table, truths


def check_matching(kind: str, number: int, masks: str, viewer: Viewer) -> tuple[int, int]:
    """Compare what masks may be with all ways that are left.

    Return how many positions there were, and in how many of them nobody else knows what has left unseen.
    """
    found = doubtful = 0
    for now, table, truths in followed(kind, number, masks, viewer):
        view = GAME.view(now, viewer)
        for one in view.masks:
            assert set(one.may_be) == truths.may_be(one.id)
        _check_beliefs(view, now, truths)
        _check_imagined(view, truths, table)
        found += 1
        doubtful += any(len(one.may_be) > 1 for one in view.unseen)
    return found, doubtful


def _check_beliefs(view: View, now: State, truths: Truths) -> None:
    """Beliefs of who reads nothing count all ways alike; and nobody's go by what its own view holds."""
    for seat in (SUN, MOON):
        if seat == view.viewer:
            continue
        shares = beliefs(view, UNREAD)[seat].shares()
        names = [one.id for one in view.masks if one.seat == seat]
        for name, share in zip(names, shares, strict=True):
            assert share == pytest.approx([truths.share(name, kind) for kind in KINDS])
        assert beliefs(GAME.view(now, seat), UNREAD)[seat].shares() == shares


def _check_imagined(view: View, truths: Truths, real: Table) -> None:
    left = {frozenset(table.symbols.items()) for table in truths.strict()}
    assert frozenset(real.symbols.items()) in left
    draws = 3 if len(left) > 3 else 25
    found = set()
    for number in range(draws):
        other = GAME.imagine(view, RNG.child("imagined", number))
        found.add(frozenset((mask.id, kind.value) for mask, kind in other.kinds()))
        assert GAME.view(other, view.viewer) == view
    assert found <= left
    assert len(left) > 3 or found == left


@pytest.mark.parametrize("masks", ["CLLNA", "CLLNS"])
def test_what_masks_may_be_is_what_some_truth_has(masks: str) -> None:
    found = [check_matching("small", number, masks, number % 2) for number in range(SMALL)]
    assert sum(positions for positions, _ in found) >= 100
    # A Noble and the Soldier may be taken for each other, if both go straight ahead.
    assert (sum(doubtful for _, doubtful in found) >= 10) is ("S" in masks)


def test_what_the_public_may_think_is_what_some_truth_has() -> None:
    found = [check_matching("tiny", number, "CLLN", None) for number in range(TINY)]
    assert sum(positions for positions, _ in found) >= 20


# --- planted bugs ---------------------------------------------------------------------------------


def check_small() -> None:
    for number in range(FEW):
        check_matching("small", number, "CLLNS", number % 2)


def check_some_views() -> None:
    check_views(FEW)


def shown_as_before(patch: pytest.MonkeyPatch) -> None:
    """Show the capturer of a Lady by the newest ruleset, too."""
    patch.setitem(RULESETS, "2", FIRST)


def hidden_for_its_owner(patch: pytest.MonkeyPatch) -> None:
    """Keep what has left unseen from its owner, too."""
    honest = state.look

    def planted(now: State, viewer: Viewer) -> View:
        seen = honest(now, None)
        return seen if any(mask.seat == viewer for mask in seen.unseen) else honest(now, viewer)

    patch.setattr(game.Volto, "view", staticmethod(planted))


def told_to_all(patch: pytest.MonkeyPatch) -> None:
    """Tell everybody what only its owner learns."""
    patch.setattr(events, "only", lambda *_: EVERYONE)


def not_told_at_the_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rules, "unseen_before", lambda _: ())


def perhaps_the_candidate(patch: pytest.MonkeyPatch) -> None:
    """Think that a Candidate may have left with a Lady, though the match goes on."""

    def planted(fits: Kinds, seat: int, origin: Square, target: Square, taken: Kind | None) -> Kinds:
        return fits_after(fits, seat, origin, target, None if taken is None else Kind.NOBLE)

    patch.setattr(rules, "fits_after", planted)


def not_counted(patch: pytest.MonkeyPatch) -> None:
    """Forget how a mask went that has left unseen."""
    honest = rules.mask_after

    def planted(mask: Mask, ply: Ply) -> Mask:
        after = honest(mask, ply)
        return replace(after, fits=KINDS) if after.gone and after.shown is None else after

    patch.setattr(rules, "mask_after", planted)


def read_from_the_owners_view(patch: pytest.MonkeyPatch) -> None:
    """Let a player take its rival to know what it knows itself of a mask that has left unseen."""
    honest = Reading.weights

    def planted(self: Reading, mask: MaskView, done: Sequence[Weights]) -> Weights:
        if mask.gone and mask.shown is None and mask.kind is not None:
            mask = replace(mask, fits=(mask.kind,))
        return honest(self, mask, done)

    patch.setattr(Reading, "weights", planted)


def imagined_as_shown(patch: pytest.MonkeyPatch) -> None:
    """Imagine a match by the first ruleset."""
    patch.setattr(imagine, "Public", lambda _, *more: Public(FIRST, *more))


PLANTED: list[tuple[Callable[[pytest.MonkeyPatch], None], Callable[[], None]]] = [
    (shown_as_before, check_some_views),
    (hidden_for_its_owner, check_some_views),
    (told_to_all, check_some_views),
    (not_told_at_the_end, check_some_views),
    (perhaps_the_candidate, check_small),
    (not_counted, check_small),
    (read_from_the_owners_view, check_small),
    (imagined_as_shown, check_small),
]


@pytest.mark.parametrize(("plant", "check"), PLANTED, ids=lambda item: getattr(item, "__name__", ""))
def test_a_planted_bug_is_caught(
    plant: Callable[[pytest.MonkeyPatch], None], check: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises((AssertionError, ValueError)):
        check()
