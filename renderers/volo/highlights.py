"""What a draft and its menu mark on the lagoon: what may be added, what may fly, where it may land."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from engines.core.contract import Menu, Words
from engines.volo.view import VoloView, geometry
from renderers.volo.layout import HEADINGS, layout, rank

_STEP = 2
"""How far apart birds in a row along their flight are, as :meth:`Layout.lead` measures."""


@dataclass(frozen=True, slots=True, repr=False)
class Highlights:
    """Points and words to be marked; only one stage has marks at a time.

    ``adds``: vacant points for a new bird. ``flyers``: own birds that can fly alone; ``rows``: those
    that can fly in a row only. ``unit``: the chosen birds, lowest first. ``landings``: (point, word)
    for each flight of the unit, on a point that no other flight is marked on. ``others``: (that point,
    landing of another bird of the row, word), for flights broadside. ``drafted``: the last turn of the
    view is the draft's.
    """

    adds: tuple[str, ...] = ()
    flyers: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    unit: tuple[str, ...] = ()
    landings: tuple[tuple[str, str], ...] = ()
    others: tuple[tuple[str, str, str], ...] = ()
    drafted: bool = False

    @property
    def asking(self) -> bool:
        """Return whether the draft is still empty and something may be chosen."""
        return bool(self.adds or self.flyers or self.rows)


def highlights(view: VoloView, draft: Words, menu: Menu | None) -> Highlights:
    """Return the marks for ``draft`` and the next words that ``menu`` offers."""
    if menu is None or view.ending is not None:
        return Highlights()
    words = tuple(dict.fromkeys(choice.word for choice in menu.choices()))
    if not draft:
        board = geometry(view.board)
        own = frozenset(view.birds[view.mover])
        singles = {word for word in words if word in board.axial}
        rows = {name for word in words if ":" in word for name in board.unit(word)}
        flyers = singles & own
        return Highlights(
            adds=tuple(sorted(singles - own, key=rank)),
            flyers=tuple(sorted(flyers, key=rank)),
            rows=tuple(sorted(rows - flyers, key=rank)),
        )
    # Words that name a direction are flights of the unit that the draft names.
    if any(_direction(word) in HEADINGS for word in words):
        return _flights(view, draft[0], words)
    return Highlights(drafted=True)


def _direction(word: str) -> str:
    return word.rstrip("0123456789")


def _flights(view: VoloView, unit: str, words: tuple[str, ...]) -> Highlights:
    """Mark each flight at its leading bird's landing, or at another bird's if that point is marked."""
    board, places = geometry(view.board), layout(view.board)
    taken = {name for birds in view.birds for name in birds}
    found: dict[str, str] = {}
    leader: dict[str, str] = {}
    for word in words:
        ahead = partial(places.lead, _direction(word))
        for name in sorted(board.flight(unit, word)[-1], key=ahead, reverse=True):
            if name not in taken and name not in found:
                found[name] = word
                leader[word] = name
                break
    return Highlights(
        unit=board.unit(unit),
        landings=tuple(sorted(found.items(), key=lambda item: rank(item[0]))),
        others=_other_landings(view, unit, leader, found),
    )


def _other_landings(
    view: VoloView, unit: str, leader: dict[str, str], found: dict[str, str]
) -> tuple[tuple[str, str, str], ...]:
    """Return the landings of a row's other birds, without points that are marked already."""
    board, places = geometry(view.board), layout(view.board)
    birds = board.unit(unit)
    marked = {*found, *(name for names in view.birds for name in names)}
    ties = []
    for word, first in leader.items():
        direction = _direction(word)
        if (
            # In line only the leader's landing is news: the others follow it.
            len(birds) > 1
            and abs(places.lead(direction, birds[0]) - places.lead(direction, birds[1])) == _STEP
        ):
            continue
        for name in board.flight(unit, word)[-1]:
            if name not in marked:
                marked.add(name)
                ties.append((first, name, word))
    return tuple(ties)
