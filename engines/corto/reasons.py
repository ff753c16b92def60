"""What speaks for a sentence, in the game's terms: the gold that it brings, or what it makes ready."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engines.core.contract import Arg, Msg, Seat, SeatName, Words, msg
from engines.corto import scoring
from engines.corto.board import neighbours, squares_of, strip_of
from engines.corto.cards import ADVENTURES, CARDS, Card, Kind
from engines.corto.imagine import unseen
from engines.corto.menu import Draft, fold
from engines.corto.quests import quest_of
from engines.corto.quests.train import ARMED
from engines.corto.scoring import GoldView
from engines.corto.state import Square
from engines.corto.table import Table
from engines.corto.turn import Progress
from engines.corto.verbs import ADV, DISCARD, DRAW, END, ENOUGH, PLAY, START, TRAIN, playable
from engines.corto.verbs.base import Step
from engines.corto.verbs.objects import aim
from engines.corto.view import View, table_of

SOURCES: tuple[tuple[str, Callable[[GoldView], int]], ...] = (
    ("groups", lambda line: line.largest + line.others),
    ("quests", lambda line: sum(gold for _, gold in line.quests)),
    ("seal", lambda line: line.seal),
    ("corto", lambda line: line.corto),
)
"""Where gold comes from, and how much of a seat's gold that is."""


def reason(view: View, words: Words) -> Msg:
    """Return what speaks for a whole sentence of the viewer's seat, as it sees the match."""
    draft = fold(view, words)
    before, steps = table_of(view), draft.steps
    verbs = [step.verb for step in steps]
    if verbs[0] is START:
        return _start(before, steps[0].square)
    if verbs[0] is DISCARD:
        return _over(draft) or _discard(view, draft)
    if verbs[0] is DRAW:
        return _draw(view, steps)
    if verbs[0] is ENOUGH:
        return msg("reason.enough", n=len(before.hand))
    found = _over(draft) or _turn(view, draft)
    if found is None and verbs[0] is END:
        drawn = [step for step in steps if step.verb is DRAW]
        found = _draw(view, drawn) if drawn else msg("reason.rest", n=len(before.hand))
    return found or msg("reason.ready", n=len(draft.progress.table.hand))


# --- set-up, draws, discards ----------------------------------------------------------------------


def _start(table: Table, square: Square) -> Msg:
    beside = sum(at in table.board for at in neighbours(table.strips, square))
    holder = table.controller(square)
    if holder is not None and table.board[square].markers[holder] == 1:
        return msg("reason.start.denied", player=SeatName(holder), square=square)
    key = "shared" if any(table.board[square].markers) else "free"
    return msg(f"reason.start.{key}", n=beside, square=square)


def _draw(view: View, steps: Sequence[Step]) -> Msg:
    """Speak of the deck that most is drawn from."""
    decks = [step.word for step in steps if step.verb is DRAW]
    deck = max(decks, key=decks.count)
    table, pool = table_of(view), [CARDS[card] for card in unseen(view)[deck]]
    if not pool:
        return msg("reason.draw.known", deck=deck, n=table.deck_sizes[deck])
    bring = sum(_may_stand(table, card) for card in pool)
    return msg("reason.draw", deck=deck, n=bring, all=len(pool))


def _may_stand(table: Table, card: Card) -> bool:
    """Return whether a card is a figurine, or a character with a vacant square of its colour."""
    if card.kind is not Kind.CHARACTER:
        return card.stands
    return any(table.is_free(at) for strip in table.strips_for(card) for at in squares_of(strip))


def _discard(view: View, draft: Draft) -> Msg:
    tossed = len(draft.progress.table.turn.discarded)
    able = playable(Progress.of(table_of(view)))
    if not able:
        return msg("reason.discard.stuck")
    drawn = sum(step.verb is DRAW for step in draft.steps) or draft.progress.draws_after()
    if not tossed and not drawn:
        return msg("reason.discard.pass")
    if not tossed:
        return msg("reason.discard.refill", n=drawn)
    return msg("reason.discard.fresh", n=drawn, tossed=tossed)


# --- turns ----------------------------------------------------------------------------------------


def _over(draft: Draft) -> Msg | None:
    """Return how the match ends with this sentence; ``None``: it goes on."""
    progress = draft.progress
    progress.close()  # a discard turn that names no draw
    if not progress.over:
        return None
    table = progress.table
    golds = {line.seat: line.total for line in scoring.gold(table.after(table.public))}
    first = scoring.ranks(table.after(table.public))[0]
    best = max(gold for seat, gold in golds.items() if seat != table.seat)
    key = "lost" if table.seat not in first else "shared" if len(first) > 1 else "won"
    return msg(f"reason.over.{key}", own=golds[table.seat], best=best)


def _turn(view: View, draft: Draft) -> Msg | None:
    """Return what matters most of what a turn does; ``None``: nothing of all that counts."""
    before, after = table_of(view), draft.progress.table
    return (
        _turned_up(before, after, draft.steps[-1]) or _golden(before, after) or _on_the_board(before, after)
    )


def _golden(before: Table, after: Table) -> Msg | None:
    """Return how much gold a turn brings its player, or costs the opponent who loses most."""
    old = {line.seat: line for line in scoring.gold(before.after(before.public))}
    new = {line.seat: line for line in scoring.gold(after.after(after.public))}
    own, gains = after.seat, {seat: new[seat].total - old[seat].total for seat in new}
    rival = min((seat for seat in gains if seat != own), key=lambda seat: gains[seat])
    loser: dict[str, Arg] = {"player": SeatName(rival), "loss": -gains[rival]}
    if gains[own] <= 0:
        return msg("reason.cost", **loser) if gains[rival] < 0 else None
    if gains[rival] < 0:
        return msg("reason.gain_and_cost", gain=gains[own], **loser)
    source = max(SOURCES, key=lambda each: each[1](new[own]) - each[1](old[own]))[0]
    return msg("reason.gain", gain=gains[own], source=source)


def _on_the_board(before: Table, after: Table) -> Msg | None:
    """Return what a turn changes in who controls characters, or will keep control."""
    own = after.seat
    more = _controlled(after, own) - _controlled(before, own)
    if more > 0:
        return msg("reason.control", n=more)
    lost = {seat: _controlled(before, seat) - _controlled(after, seat) for seat in before.public.seats}
    rival = max((seat for seat in lost if seat != own), key=lambda seat: lost[seat])
    if lost[rival] > 0:
        return msg("reason.loosened", player=SeatName(rival), n=lost[rival])
    if len(after.kept[own]) > len(before.kept[own]):
        return msg("reason.guard")
    firmer = sum(_lead(after, at) > _lead(before, at) > 0 for at in before.board)
    return msg("reason.firm", n=firmer) if firmer else None


def _turned_up(before: Table, after: Table, last: Step) -> Msg | None:
    """Return what the last step of a sentence may turn up."""
    if last.verb is PLAY and last.verb.reveals(after, last):
        faces = _unseen_faces(after, strip_of(last.square))
        return msg("reason.tile", square=last.square, n=faces.count("ingot"), all=len(faces))
    if last.verb is TRAIN:
        found = aim(after)
        strip = None if found is None else found.train(after)
        faces = _unseen_faces(after, strip or before.strips[0])
        return msg("reason.train", n=len(faces) - faces.count(ARMED), all=len(faces))
    if last.verb is ADV and last.verb.reveals(after, last):
        return msg("reason.pick", player=SeatName(before.colours.index(last.colour)))
    return None


def _unseen_faces(table: Table, strip: str) -> tuple[str, ...]:
    return quest_of(strip).unseen(ADVENTURES[strip], tuple(table.pieces[strip]))


def _controlled(table: Table, seat: Seat) -> int:
    return sum(found.controller == seat for found in table.board.values())


def _lead(table: Table, square: Square) -> int:
    """Return how many markers more than any other seat the acting one has on a square."""
    found = table.board.get(square)
    if found is None:
        return 0
    others = (count for seat, count in enumerate(found.markers) if seat != table.seat)
    return found.markers[table.seat] - max(others)
