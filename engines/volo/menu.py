"""What a seat may say next, as data: choices with labels, in groups small enough to be shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from engines.core.contract import Choice, Field, Group, Menu, Msg, Widget, Words, msg
from engines.volo.board import BOARDS, DIRECTIONS
from engines.volo.judge import check_unit_or_add, judge, landing_of, no_flight, region_choices
from engines.volo.movegen import PASS, Position
from engines.volo.notation import Sentence, parse, rank, write
from engines.volo.state import state_from
from engines.volo.view import VoloView

PAGE = 25
"""Choices, or groups, that can be shown at once."""


def menu(view: VoloView, draft: Words) -> Menu | None:
    """Return what the viewer's seat may say after ``draft``, ``None`` if nothing is asked of it.

    Raises ``InvalidAction`` or ``IllegalAction`` where ``draft`` begins no sentence that it may say.
    """
    if view.ending is not None or view.viewer != view.mover:
        return None
    position = state_from(view).position
    sentence = parse(BOARDS[view.board], draft)
    if not draft:
        return _first_menu(position)
    if sentence.direction and not sentence.region:
        choices = region_choices(position, sentence.points, landing_of(position, sentence))
        if choices:
            prompt = msg("prompt.region", flight=write(draft))
            return _menu(prompt, draft, _region_field(position, choices))
    elif not sentence.direction and not sentence.passing:
        check_unit_or_add(position, sentence)
        if sentence.points & position.own.birds:
            prompt = msg("prompt.landing", unit=sentence.unit)
            return _menu(prompt, draft, _landing_field(position, sentence))
    judge(position, sentence)
    return _menu(msg("prompt.confirm", turn=write(draft)), draft)


def _menu(prompt: Msg, draft: Words, *fields: Field) -> Menu:
    whole = not fields
    return Menu("turn", prompt, draft, fields, complete=whole, closing=whole)


# --- the first word -------------------------------------------------------------------------------


def _first_menu(position: Position) -> Menu:
    board, turns = position.board, position.turns()
    adds = [board.names[turn[1]] for turn in turns if turn[1] and not turn[0]]
    units = dict.fromkeys(board.units[turn[0]] for turn in turns if turn[0])
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
    return _menu(msg("prompt.turn" if len(turns) > 1 else "prompt.pass"), (), *fields)


def _unit_choice(position: Position, name: str, key: str) -> Choice:
    unit = position.board.unit_points[name]
    flock = position.board.flood(unit, position.own.birds).bit_count()
    first, _, last = name.partition(":")
    label = (
        msg("choice.row", first=first, last=last, n=unit.bit_count())
        if last
        else msg("choice.bird", point=first)
    )
    return Choice(name, label, msg("choice.unit.detail", n=flock), key)


# --- the landing ----------------------------------------------------------------------------------


def _landing_field(position: Position, sentence: Sentence) -> Field:
    """Return the landings of a unit; raises ``IllegalAction`` if it has none."""
    # Of one flight there is a turn for each region that may be kept.
    landings = {turn[2]: turn[1] for turn in position.turns() if turn[0] == sentence.points}
    if not landings:
        raise no_flight(sentence)
    choices = tuple(_landing_choice(position, sentence, word, landings[word]) for word in landings)
    flown = dict.fromkeys(choice.group for choice in choices)
    groups = tuple(Group(name, msg(f"direction.{name}")) for name in DIRECTIONS if name in flown)
    return Field("landing", msg("field.landing", unit=sentence.unit), choices, groups=groups)


def _landing_choice(position: Position, sentence: Sentence, word: str, landing: int) -> Choice:
    board = position.board
    own = position.own.birds & ~sentence.points | landing
    flock = board.flood(landing, own)
    cut = region_choices(position, sentence.points, landing)
    direction = word.rstrip("0123456789")
    label = msg(
        "choice.landing",
        direction=direction,
        steps=word[len(direction) :],
        place=board.units[landing].replace(":", "–"),
    )
    if cut:
        detail = msg("choice.landing.cuts", n=flock.bit_count(), regions=len(cut))
    elif flock == own:
        detail = msg("choice.landing.wins", n=flock.bit_count())
    else:
        detail = msg("choice.landing.detail", n=flock.bit_count())
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
    """Return a field whose choices, in order, are grouped by row letter, at most a page in a group."""
    pages = pages_of(names)
    groups = tuple(_group(page, pages) for page in pages)
    choices = (choice(name, group.key) for group, page in zip(groups, pages, strict=True) for name in page)
    return Field(key, msg(f"field.{key}"), tuple(choices), groups=groups)


def pages_of(names: Sequence[str]) -> list[Sequence[str]]:
    """Return ``names``, which are in order, in pages: by row letter, or run together if too many."""
    pages = [page for _, row in groupby(names, lambda name: name[0]) for page in _split(list(row), PAGE)]
    return pages if len(pages) <= PAGE else _split(names, max(PAGE, -(-len(names) // PAGE)))


def _group(page: Sequence[str], pages: Sequence[Sequence[str]]) -> Group:
    letters = {page[0][0], page[-1][0]}
    if len(letters) == 1 and sum(1 for other in pages if {other[0][0], other[-1][0]} & letters) == 1:
        return Group(page[0][0], msg("group.row", row=page[0][0]))
    first, last = (name.partition(":")[0] for name in (page[0], page[-1]))
    if len(letters) == 1:
        return Group(page[0], msg("group.part", row=page[0][0], first=first, last=last))
    return Group(page[0], msg("group.range", first=first, last=last))


def _split(names: Sequence[str], size: int) -> list[Sequence[str]]:
    """Return ``names`` in as few pages of at most ``size`` as there can be, all about as long."""
    pages = -(-len(names) // size)
    length = -(-len(names) // pages)
    return [names[start : start + length] for start in range(0, len(names), length)]
