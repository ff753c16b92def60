"""What a draft and its menu mark on the board: chosen squares, and where the chosen mask may go."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.contract import Menu, Words
from engines.volto.view import SQUARES, Phase, View


@dataclass(frozen=True, slots=True, repr=False)
class Highlights:
    """Squares to be marked.

    ``ready``: could be chosen next. ``chosen``: is chosen. ``move``: a whole move. ``quiet`` and
    ``captures``: where the chosen mask may go, or what the whole move captures.
    """

    ready: tuple[str, ...] = ()
    chosen: str | None = None
    move: tuple[str, str] | None = None
    quiet: tuple[str, ...] = ()
    captures: tuple[str, ...] = ()


def highlights(view: View, draft: Words, menu: Menu | None) -> Highlights:
    """Return the marks for ``draft`` and the next words that ``menu`` offers."""
    if menu is None or view.phase is Phase.OVER:
        return Highlights()
    offered = tuple(sorted({choice.word for choice in menu.choices()} & set(SQUARES)))
    squares = [word for word in draft if word in SQUARES]
    if view.phase is Phase.SETUP:
        # Words of the set-up come in pairs: two masks that change places.
        if len(squares) % 2:
            return Highlights(ready=offered, chosen=squares[-1])
        return Highlights()
    if not squares:
        return Highlights(ready=offered)
    held = view.standing()
    if len(squares) >= 2:
        origin, target = squares[:2]
        # A capture is not carried out on the preview: it would reveal the taken mask.
        if origin in held:
            return Highlights(chosen=origin, move=(origin, target), captures=(target,))
        return Highlights(chosen=target, move=(origin, target))
    return Highlights(
        chosen=squares[0],
        quiet=tuple(square for square in offered if square not in held),
        captures=tuple(square for square in offered if square in held),
    )
