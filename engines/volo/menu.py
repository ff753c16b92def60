"""What a seat may say next, as data, in groups small enough to be shown; and what its draft would lead to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from engines.core.contract import Arg, Choice, Field, Group, Menu, Msg, Widget, Words, msg
from engines.volo.board import BOARDS, DIRECTIONS, Board
from engines.volo.judge import check_unit_or_add, judge, landing_of, no_flight, region_choices
from engines.volo.movegen import PASS, Position
from engines.volo.notation import Sentence, parse, rank, spelt
from engines.volo.rules import last_turn
from engines.volo.sides import Turn
from engines.volo.state import State, state_from, view_of
from engines.volo.view import Region, VoloView

PAGE = 15
"""Choices of one group: three rows of buttons, or a row of the board."""

GROUPS = 25
"""Groups that can be shown at once."""


def menu_after(view: VoloView, draft: Words) -> Menu:
    """Return what the seat to move may say after ``draft``.

    Raises ``InvalidAction`` or ``IllegalAction`` where ``draft`` begins no sentence that it may say.
    """
    position = state_from(view).position
    sentence = parse(BOARDS[view.board], draft)
    if not draft:
        return _first_menu(position)
    if sentence.direction and not sentence.region:
        choices = region_choices(position, sentence.points, landing_of(position, sentence))
        if choices:
            prompt = msg("prompt.region", unit=spelt(sentence.unit))
            return _menu(prompt, draft, _region_field(position, choices))
    elif not sentence.direction and not sentence.passing:
        check_unit_or_add(position, sentence)
        if sentence.points & position.own.birds:
            prompt = msg("prompt.landing", unit=spelt(sentence.unit))
            return _menu(prompt, draft, _landing_field(position, sentence))
    return _menu(_announced(position.board, judge(position, sentence), draft), draft)


def _announced(board: Board, turn: Turn, draft: Words) -> Msg:
    """Return what will happen once the turn is confirmed."""
    if not turn.landing:
        return msg("prompt.passes")
    landing = spelt(board.units[turn.landing])
    if not turn.unit:
        return msg("prompt.adds", point=landing)
    named: dict[str, Arg] = {"unit": spelt(draft[0]), "n": turn.unit.bit_count(), "landing": landing}
    return msg("prompt.keeps", region=draft[2], **named) if turn.keep else msg("prompt.flies", **named)


def _menu(prompt: Msg, draft: Words, *fields: Field) -> Menu:
    whole = not fields
    return Menu("turn", prompt, draft, fields, complete=whole, closing=whole)


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
            turn = Turn(sentence.points, landing, draft[1], 0, 0)
            birds = state.position.other.birds
            found = tuple(
                Region(board.names[region & -region], board.listed(region), board.listed(region & birds))
                for region in regions
            )
            return replace(_with(state, view, turn, draft), regions=found)
    elif not sentence.passing and sentence.points & state.position.own.birds:
        check_unit_or_add(state.position, sentence)
        return view
    return _with(state, view, judge(state.position, sentence), draft)


def _with(state: State, view: VoloView, turn: Turn, draft: Words) -> VoloView:
    after = state.position.after(turn)
    own, other = after.other.birds, after.own.birds
    birds = (own, other) if state.mover == 0 else (other, own)
    last = last_turn(state.board, state.mover, turn, draft, state.position)
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


# --- the first word -------------------------------------------------------------------------------


def _first_menu(position: Position) -> Menu:
    board, turns = position.board, position.turns()
    adds = [board.names[turn.landing] for turn in turns if turn.landing and not turn.unit]
    units = dict.fromkeys(board.units[turn.unit] for turn in turns if turn.unit)
    fields: list[Field] = []
    if adds:
        fields.append(
            _paged("add", adds, lambda name, key: Choice(name, msg("choice.add", point=name), group=key))
        )
    if units:
        names = sorted(units, key=lambda name: [rank(end) for end in name.split(":")])
        fields.append(_paged("fly", names, lambda name, key: _unit_choice(position, name, key)))
    if turns[-1] == PASS:
        choice = Choice("pass", msg("choice.pass"), msg("choice.pass.detail"))
        fields.append(Field("pass", msg("field.pass"), (choice,), Widget.BUTTONS))
    return _menu(msg("prompt.pass" if turns == [PASS] else "prompt.turn"), (), *fields)


def _unit_choice(position: Position, name: str, key: str) -> Choice:
    unit = position.board.unit_points[name]
    flock = position.board.flood(unit, position.own.birds).bit_count()
    return Choice(name, msg("choice.unit", unit=spelt(name)), msg("choice.unit.detail", n=flock), key)


# --- the landing ----------------------------------------------------------------------------------


def _landing_field(position: Position, sentence: Sentence) -> Field:
    # Of one flight there is a turn for each region that may be kept; the region is asked afterwards.
    landings = {turn.word: turn.landing for turn in position.turns() if turn.unit == sentence.points}
    if not landings:
        raise no_flight(sentence)
    choices = tuple(_landing_choice(position, sentence, word, landings[word]) for word in landings)
    flown = dict.fromkeys(choice.group for choice in choices)
    groups = tuple(Group(name, msg(f"direction.{name}")) for name in DIRECTIONS if name in flown)
    return Field("landing", msg("field.landing"), choices, Widget.GRID, groups)


def _landing_choice(position: Position, sentence: Sentence, word: str, landing: int) -> Choice:
    board = position.board
    own = position.own.birds & ~sentence.points | landing
    flock = board.flood(landing, own)
    cut = region_choices(position, sentence.points, landing)
    direction = word.rstrip("0123456789")
    key = ".cuts" if cut else ".wins" if flock == own else ""
    detail = msg(f"choice.landing{key}.detail", size=flock.bit_count(), n=len(cut))
    label = msg(f"choice.landing{key}", landing=spelt(board.units[landing]))
    return Choice(word, label, detail, direction)


# --- the region to keep ---------------------------------------------------------------------------


def _region_field(position: Position, regions: Sequence[int]) -> Field:
    board, birds = position.board, position.other.birds
    by_name = {board.names[region & -region]: region for region in regions}

    def choice(name: str, key: str) -> Choice:
        kept = (by_name[name] & birds).bit_count()
        gone = birds.bit_count() - kept
        return Choice(
            name, msg("choice.region", point=name, n=kept), msg("choice.region.detail", n=gone), key
        )

    return _paged("region", list(by_name), choice)


# --- groups ---------------------------------------------------------------------------------------


def _paged(key: str, names: Sequence[str], choice: Callable[[str, str], Choice]) -> Field:
    pages = pages_of(names)
    groups = tuple(_group(page, pages) for page in pages)
    choices = (choice(name, group.key) for group, page in zip(groups, pages, strict=True) for name in page)
    return Field(key, msg(f"field.{key}"), tuple(choices), Widget.GRID, groups)


def pages_of(names: Sequence[str]) -> list[Sequence[str]]:
    """Return ``names``, which are in order, in pages: rows of the board, short ones run together."""
    rows = [list(row) for _, row in groupby(names, lambda name: name[0])]
    pages = [
        page
        for found in _run_together(rows)
        for page in ([found] if len(found) <= PAGE else _run_together(_by_first_bird(found)))
    ]
    return pages if len(pages) <= GROUPS else _split(names, -(-len(names) // GROUPS))


def _by_first_bird(names: Sequence[str]) -> list[Sequence[str]]:
    return [list(same) for _, same in groupby(names, lambda name: name.partition(":")[0])]


def _run_together(parts: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    pages: list[Sequence[str]] = []
    for part in parts:
        if pages and len(pages[-1]) + len(part) <= PAGE:
            pages[-1] = [*pages[-1], *part]
        else:
            pages.append(part)
    return pages


def _group(page: Sequence[str], pages: Sequence[Sequence[str]]) -> Group:
    first, last = page[0], page[-1]
    parted = any(other is not page and {other[0][0], other[-1][0]} & {first[0], last[0]} for other in pages)
    if parted:
        first, last = (name.partition(":")[0] for name in (first, last))
        return Group(page[0], msg("group.from" if first == last else "group.range", first=first, last=last))
    if first[0] == last[0]:
        return Group(page[0][0], msg("group.row", row=first[0]))
    return Group(page[0], msg("group.rows", first=first[0], last=last[0]))


def _split(names: Sequence[str], length: int) -> list[Sequence[str]]:
    return [names[start : start + length] for start in range(0, len(names), length)]
