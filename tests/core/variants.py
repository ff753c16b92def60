"""The example game with more to say: a word that reveals, asides, a deadline, groups of choices."""

from __future__ import annotations

from engines.core.contract import (
    Choice,
    Event,
    Field,
    Group,
    Menu,
    Seat,
    Step,
    Words,
    all_but,
    fact,
    msg,
    only,
)
from engines.core.kit import one_word
from engines.core.rng import Rng
from tests.kit.odds.engine.game import Odds
from tests.kit.odds.engine.view import FINGERS, State, View

NUMBERS = tuple(Choice(str(n), msg("fingers", n=n), group="few" if n < 3 else "many") for n in FINGERS)
GROUPS = (Group("few", msg("goal.3")), Group("many", msg("goal.5")))


class Noting(Odds):
    """A seat may ``peek``, which reveals, and ``mark`` a number at any time; neither changes anything."""

    untold = frozenset({"marked"})

    def may_act(self, view: View) -> bool:
        return view.viewer is not None and not view.public.ended

    def menu_for(self, view: View, draft: Words) -> Menu:
        if draft[:1] == ("mark",):
            numbers = Field("number", msg("how_many"), NUMBERS, groups=GROUPS)
            found = one_word(draft[1:], "mark", msg("prompt"), numbers)
            return Menu("mark", found.prompt, draft, found.fields, found.complete, found.closing)
        peek = Choice("peek", msg("prompt"), msg("tagline"), reveals=True)
        duty = Field("duty", msg("how_many"), (*(Choice(str(n), msg("fingers", n=n)) for n in FINGERS), peek))
        note = Field("note", msg("tagline"), (Choice("mark", msg("tagline"), aside=True),))
        if draft:
            return one_word(draft, "show", msg("prompt"), duty)
        fields = (duty, note) if view.viewer in self.waiting(view) else (note,)
        return Menu("show", msg("prompt"), draft, fields, complete=False, closing=False)

    def on_act(self, state: State, seat: Seat, words: Words, rng: Rng) -> Step[State]:
        match words:
            case ("peek",):
                seen, told = fact("opened", n=state.public.goal), fact("ready", seat=seat)
                return Step(state, (Event(seen, only(seat)), Event(told, all_but(seat))))
            case ("mark", number):
                return Step(state, (Event(fact("marked", number=int(number)), only(seat)),))
        return super().on_act(state, seat, words, rng)

    def lapse(self, view: View, rng: Rng) -> Words | None:
        if view.viewer not in self.waiting(view):
            return None
        return (str(rng.stream("lapse").choice(FINGERS)),)


GAME = Noting()
