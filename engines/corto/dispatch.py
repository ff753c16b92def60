"""Each step's rules, by its verb: what is checked, and what is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.corto import acting, advantages, duties, playing
from engines.corto.cards import Kind
from engines.corto.course import Course
from engines.corto.files import CARDS
from engines.corto.steps import Step, Verb
from engines.corto.table import Table

_STARTS_CARD = (Verb.PLAY, Verb.USE, Verb.CORTO, Verb.RASPUTIN, Verb.ADV)


def check(course: Course, step: Step) -> None:
    """Raise :class:`~engines.core.contract.IllegalAction` unless the step may be done now."""
    course.check_verb(step.verb, shot=step.shot)
    _CHECKS[step.verb](course, step)


def reveals(course: Course, step: Step) -> bool:
    """Return whether a step reveals something hidden."""
    if step.verb is Verb.PLAY:
        return playing.turns_up(course.table, step)
    if step.verb is Verb.ADV:
        return CARDS[step.card].effect == "pickpocket"
    return step.verb in (Verb.TRAIN, Verb.DRAW)


def do(course: Course, step: Step) -> None:
    """Carry out a step that :func:`check` has let through.

    Raises :class:`~engines.corto.table.Reveals` where the table does not know what it turns up; draws go on
    without their faces.
    """
    _DEEDS[step.verb](course, step)
    if step.verb in _STARTS_CARD:
        card = CARDS[step.card]
        course.half = card.kind is Kind.OBJECT or card.effect == "transfer"
    else:
        course.half = course.half and step.shot


_Deed = Callable[[Course, Step], None]


def _at_table(deed: Callable[[Table, Step], None]) -> _Deed:
    return lambda course, step: deed(course.table, step)


_CHECKS: Mapping[Verb, _Deed] = {
    Verb.START: duties.check_start,
    Verb.PLAY: _at_table(playing.check_character),
    Verb.USE: _at_table(playing.check_object),
    Verb.CORTO: _at_table(playing.check_figurine),
    Verb.RASPUTIN: _at_table(playing.check_figurine),
    Verb.ADV: _at_table(advantages.check_advantage),
    Verb.ADD: _at_table(acting.check_add),
    Verb.TAKE: _at_table(acting.check_take),
    Verb.KILL: _at_table(acting.check_kill),
    Verb.TRAIN: _at_table(acting.check_train),
    Verb.SAIL: _at_table(acting.check_sail),
    Verb.GOLD: _at_table(acting.check_gold),
    Verb.MOVE: _at_table(advantages.check_move),
    Verb.END: duties.check_end,
    Verb.DISCARD: duties.check_discard,
    Verb.TOSS: duties.check_toss,
    Verb.DRAW: duties.check_draw,
    Verb.ENOUGH: duties.check_enough,
}

_DEEDS: Mapping[Verb, _Deed] = {
    Verb.START: duties.do_start,
    Verb.PLAY: _at_table(playing.do_character),
    Verb.USE: _at_table(playing.do_object),
    Verb.CORTO: _at_table(playing.do_figurine),
    Verb.RASPUTIN: _at_table(playing.do_figurine),
    Verb.ADV: _at_table(advantages.do_advantage),
    Verb.ADD: _at_table(acting.do_add),
    Verb.TAKE: _at_table(acting.do_hit),
    Verb.KILL: _at_table(acting.do_hit),
    Verb.TRAIN: _at_table(acting.do_hit),
    Verb.SAIL: _at_table(acting.do_sail),
    Verb.GOLD: _at_table(acting.do_gold),
    Verb.MOVE: _at_table(advantages.do_move),
    Verb.END: duties.do_end,
    Verb.DISCARD: duties.do_discard,
    Verb.TOSS: duties.do_toss,
    Verb.DRAW: duties.do_draw,
    Verb.ENOUGH: duties.do_enough,
}
