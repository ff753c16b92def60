"""What the rules let happen when time is out. A draft is never played for its player."""

from __future__ import annotations

from engines.core.contract import Words
from engines.corto.course import Course, Duty, starts
from engines.corto.effects import fullest
from engines.corto.table import Table
from engines.corto.tables import public_of, table_of_view
from engines.corto.view import View


def sentence(view: View) -> Words | None:
    """Return what is said for the viewer's seat at a deadline; ``None`` where nothing is asked of it."""
    if view.viewer is None or view.viewer not in view.asked:
        return None
    table = table_of_view(view)
    course = Course.of(public_of(view), table)
    match course.duty:
        case Duty.START:
            return ("start", starts(table)[0], *_draws(table, course.owed))
        case Duty.HAND:
            return _draws(table, course.owed)
        case Duty.DRAWS:
            return _draws(table, table.turn.draws)
        case Duty.TURN:
            begin = "end" if table.turn.played else "discard"
            return (begin, *_draws(table, course.draws_after()))
        case _:
            return None


def _draws(table: Table, number: int) -> Words:
    """Return that many draws from the fullest decks, as they are then, of equals the topmost."""
    found: list[str] = []
    for _ in range(number):
        deck = fullest(table)
        if deck is None:
            break
        table.deck_sizes[deck] -= 1
        found.append(deck)
    return ("draw", *found) if found else ()
