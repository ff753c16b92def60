"""What the board would show for a draft."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import Words
from engines.volo.board import BOARDS, Board
from engines.volo.judge import check_unit_or_add, judge, landing_of, region_choices
from engines.volo.movegen import Position
from engines.volo.notation import parse
from engines.volo.rules import told
from engines.volo.sides import Turn
from engines.volo.state import State, state_from, view_of
from engines.volo.view import Region, VoloView


def preview(view: VoloView, draft: Words) -> VoloView:
    """Return the view with the drafted turn carried out, still at the same seat's turn, nothing decided.

    Without a landing nothing has moved yet. Without the region that it takes, nothing has flown away
    yet, and the view names the regions. Raises ``InvalidAction`` or ``IllegalAction``.
    """
    if not draft or view.ending is not None:
        return view
    board = BOARDS[view.board]
    state = state_from(view)
    sentence = parse(board, draft)
    if sentence.direction:
        landing = landing_of(state.position, sentence)
        regions = region_choices(state.position, sentence.points, landing)
        if regions and not sentence.region:
            turn = (sentence.points, landing, draft[1], 0, 0)
            return replace(
                _with(state, view, turn, draft), regions=_told_regions(board, state.position, regions)
            )
    elif not sentence.passing and sentence.points & state.position.own.birds:
        check_unit_or_add(state.position, sentence)
        return view
    return _with(state, view, judge(state.position, sentence), draft)


def _with(state: State, view: VoloView, turn: Turn, draft: Words) -> VoloView:
    after = state.position.after(turn)
    own, other = after.other.birds, after.own.birds
    birds = (own, other) if state.mover == 0 else (other, own)
    last = told(state.board, state.mover, turn, draft, state.position)
    drafted = State(
        state.board,
        birds,
        state.mover,
        state.passed,
        state.ply,
        state.history,
        last,
        position=Position.of(state.board, own, other, passed=state.passed),
    )
    return view_of(drafted, view.viewer)


def _told_regions(board: Board, position: Position, regions: tuple[int, ...]) -> tuple[Region, ...]:
    birds = position.other.birds
    return tuple(
        Region(board.names[region & -region], board.listed(region), board.listed(region & birds))
        for region in regions
    )
