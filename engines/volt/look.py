"""Views, built up field by field for one viewer; and the view of a draft."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from engines.core.contract import Seat, Viewer
from engines.volt.activation import forecast
from engines.volt.arena import arena
from engines.volt.modules import deck_of
from engines.volt.notation import program_of, swapped_in
from engines.volt.preparation import free_starts
from engines.volt.state import Own, Public, State, by_deck, hidden
from engines.volt.table import Table, Won
from engines.volt.view import (
    DECKS,
    CardView,
    Forecast,
    ModulesView,
    Phase,
    ProgramView,
    Space,
    View,
)


def look(state: State, viewer: Viewer) -> View:
    """Return all that ``viewer`` knows of ``state``."""
    public = state.public
    own = None if viewer is None else state.own[viewer]
    red, blue, yellow = (len(cards) for cards in state.decks)
    committed = own is not None and public.phase is Phase.PROGRAM and bool(own.answer)
    return View(
        viewer=viewer,
        arena=public.arena,
        target=public.target,
        training=public.training,
        draw_tiles=public.draw_tiles,
        step=public.step,
        round=public.round,
        phase=public.phase,
        robots=public.robots,
        modules=tuple(_modules(public, seat, state.own[seat], viewer) for seat in public.seats),
        asked=public.asked,
        done=public.done,
        tiles=public.tiles,
        taken=public.taken,
        free=public.free,
        tokens=public.tokens,
        supply=public.supply,
        decks=(red, blue, yellow),
        mines=public.mines,
        revealed=public.revealed,
        recap=public.recap,
        news=public.news,
        own=program_of(own.answer) if own is not None and committed else None,
        answer=() if own is None else own.answer,
        choices=() if viewer is None else choices_of(public, viewer),
        forecast=None,
        ranks=public.ranks,
        reason=public.reason,
        last=None if own is None else own.program,
        left=public.left,
    )


def _modules(public: Public, seat: Seat, own: Own, viewer: Viewer) -> ModulesView:
    """Return a seat's modules: names for itself and where they lie face up, else backs."""
    face_up = public.face_up[seat]
    known = viewer == seat or public.phase is Phase.OVER
    down = hidden(own, face_up)
    active = [CardView(deck_of(name), name, face_up=True) for name in face_up]
    active += _cards(down, known=known)
    return ModulesView(
        active=tuple(sorted(active, key=_place)),
        spare=tuple(_cards(own.spare, known=known)),
        listed=public.listed[seat],
        mines=public.mines_left[seat],
    )


def _cards(names: tuple[str, ...], *, known: bool) -> list[CardView]:
    """Return cards that lie face down: names, or as many backs of each deck."""
    if known:
        return [CardView(deck_of(name), name, face_up=False) for name in names]
    counts = zip(DECKS, by_deck(names), strict=True)
    return [CardView(deck, None, face_up=False) for deck, count in counts for _ in range(count)]


def _place(card: CardView) -> tuple[int, bool, str]:
    """Sort by what the public sees: deck, face-up names, backs; the owner's names break ties of backs."""
    return DECKS.index(card.deck), not card.face_up, card.name or ""


def choices_of(public: Public, seat: Seat) -> tuple[Space, ...]:
    """Return the spaces that a seat may name now; an only one is taken unasked."""
    if seat not in public.asked or seat in public.done:
        return ()
    if public.phase is Phase.START:
        return arena(public.arena).start[public.robots[seat].side]
    if public.phase is not Phase.REBOOT:
        return ()
    free = free_starts(public, seat)
    return free if len(free) > 1 else ()


def table_of_view(view: View, programs: dict[Seat, ProgramView]) -> Table:
    """Return a table as the viewer sees it, with programs as they are thought to be."""
    return Table(
        arena(view.arena),
        view.target,
        view.robots,
        view.mines,
        tuple(modules.mines for modules in view.modules),
        tuple(tuple(c.name for c in modules.active if c.face_up and c.name) for modules in view.modules),
        programs,
    )


def with_program(view: View, seat: Seat, program: ProgramView) -> View:
    """Return the view with a drafted program, and where it leads if nobody else moves."""
    table = table_of_view(view, {seat: program})
    _, went = swapped_in(program.swaps)
    table.face_up[seat] -= went
    with suppress(Won):
        forecast(table, seat, program)
    return replace(view, own=program, forecast=Forecast(tuple(table.facts)))
