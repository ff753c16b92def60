"""The search for the fewest touches: what a panel offers, what leads on, and which way is the cheapest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from bench.opening import part_of, seed_of
from bench.touches.aim import Aim, leads
from bench.touches.controls import Step, steps_of
from bench.touches.turns import KINDS, Kind, position
from bench.touches.ways import NoWay, Shown, cheapest
from bot.pages.custom_ids import Action, PanelId, pack
from engines.core.contract import Words
from engines.core.match import Match
from engines.core.registry import game
from engines.core.setups import complete

# --- what a panel offers --------------------------------------------------------------------------


def component(action: Action, word: str = "", *options: str, **more: Any) -> dict[str, Any]:
    """Return a button, or a select of ``options``; what is chosen has a star."""
    found: dict[str, Any] = {"custom_id": pack(PanelId("m", "d", 3, action, word)), **more}
    if options:
        found["options"] = [{"value": o.removesuffix("*"), "default": o.endswith("*")} for o in options]
    return found | {"type": 3 if options else 2}


def panel(*components: dict[str, Any]) -> dict[str, Any]:
    """Return a message with these components."""
    return {"flags": 1 << 15, "components": [{"type": 1, "components": list(components)}]}


def test_steps_are_what_a_client_lets_a_person_touch() -> None:
    shown = panel(
        component(Action.WORD, "c4"),
        component(Action.WORD, "c5", disabled=True),
        component(Action.PICK, "from/~8f", "a1", "b1*"),
        component(Action.CONFIRM),
        {"type": 2, "custom_id": "b1:m:turn"},
    )
    assert list(steps_of(shown)) == [
        Step(Action.WORD, "c4"),
        Step(Action.PICK, "from", "a1"),
        Step(Action.CONFIRM),
    ]


def test_a_button_is_one_touch_and_a_select_two() -> None:
    button, select = Step(Action.WORD, "c4"), Step(Action.PICK, "from", "a1")
    assert (button.touches, button.said) == (1, "c4")
    assert (select.touches, select.said) == (2, "a1")


@pytest.mark.parametrize("step", [Step(Action.GROUP, "add/1", "@g/0"), Step(Action.GROUP, "add@g/0")])
def test_a_part_is_known_by_its_field_and_group_as_a_button_and_in_a_select(step: Step) -> None:
    assert (step.field, step.part) == ("add", "g")


def test_a_step_is_found_again_in_another_drawing_and_match() -> None:
    step = Step(Action.PICK, "from", "a1")
    assert step.is_at(PanelId("other", "e", 9, Action.PICK, "from/~77"))
    assert not step.is_at(PanelId("other", "e", 9, Action.PICK, "to/~77"))


# --- what leads on --------------------------------------------------------------------------------


def begun(key: str, parts: tuple[Words, ...], before: int = 0) -> Aim:
    """Return an aim in a match of a game after some sentences of its computer players."""
    match = Match.start(game(key), complete(game(key).manifest), bytes(32))
    for _ in range(before):
        (match, _) = match.play_on() or (match, 0)
    (seat, *_) = match.waiting
    return Aim(match.game, match.view(seat), parts)


@pytest.mark.parametrize(
    ("draft", "whole", "found"),
    [
        ("", "c4", True),
        ("program I:b3", "program I:b3E II:r4NW tile:1", True),
        ("program I:E tile:1", "program I:b3E II:r4NW tile:1", True),
        ("program II:E", "program I:b3E II:r4NW", False),
        ("program I:r3", "program I:b3E", False),
        ("draw A A", "start a1 draw A A C", True),
        ("draw A C A", "start a1 draw A A C", False),
        ("play A04 +a2", "play A04 a3 +a2<c3", True),
    ],
)
def test_a_draft_leads_on_if_it_is_a_part_of_the_sentence(draft: str, whole: str, found: bool) -> None:
    assert leads(draft.split(), whole.split()) is found


def test_a_form_lacks_a_word_for_each_of_its_fields() -> None:
    aim = begun("volt", (("program", "I:r1S", "II:b2W", "III:r3SE", "tile:1"),), before=6)
    assert aim.left(()) == 7
    assert aim.left(("program", "I:r1S", "II:b2")) == 4
    assert aim.left(("program", "I:r2S")) is None


def test_only_what_leads_on_is_useful_and_parts_only_of_the_field_that_holds_it() -> None:
    aim = begun("volo", (("g3",),))
    offered = [
        Step(Action.WORD, "g3"),
        Step(Action.WORD, "g4"),
        Step(Action.GROUP, "add", "@g/0"),
        Step(Action.GROUP, "add", "@f/0"),
        Step(Action.GROUP, "fly", "@g/0"),
        Step(Action.FIELD, "0", "add"),
        Step(Action.FIELD, "0", "fly"),
        Step(Action.CONFIRM),
        Step(Action.BACK),
    ]
    assert aim.useful(offered, ()) == [offered[0], offered[2], offered[5]]
    assert aim.useful(offered, ("g3",)) == [Step(Action.CONFIRM)]


def test_where_no_part_is_called_as_the_group_each_may_hold_the_word() -> None:
    aim = begun("volo", (("g3",),))
    offered = [Step(Action.GROUP, "add", "@one/0"), Step(Action.GROUP, "add", "@two/0")]
    assert aim.useful(offered, ()) == offered


def test_several_parts_may_be_one_sentence_and_the_longest_comes_first() -> None:
    match = Match.start(game("corto"), complete(game("corto").manifest), bytes(32))
    (seat,) = match.waiting
    deck, *_ = match.view(seat).strips
    first, draw = ("start", f"{deck.lower()}1"), ("draw", deck)
    aim = Aim(match.game, match.view(seat), (first, draw, draw))
    assert aim.targets == (first, (*first, *draw), (*first, *draw, deck))
    # After a draw the menus offer nothing more: two of them can be typed, but not chosen, in one sentence.
    assert (aim.is_longest(first), aim.is_longest((*first, *draw))) == (False, True)
    assert aim.said_by((*first, *draw)) == 2
    assert aim.said_by(draw) == 0


# --- the cheapest way -----------------------------------------------------------------------------

SAY, PICK = Action.WORD, Action.PICK


@dataclass
class Toy:
    """A panel of a form: each word may be said once; ``needs``: the word that must be said before it."""

    words: Mapping[Step, str]
    needs: Mapping[str, str] = field(default_factory=dict)
    early: frozenset[Step] = frozenset()
    draft: frozenset[str] = frozenset()
    taken: list[Step] = field(default_factory=list)

    async def reset(self) -> Shown:
        """Take all back."""
        self.draft = frozenset()
        return self._shown()

    async def take(self, step: Step) -> Shown:
        """Say the step's word; Confirm says all that is drafted."""
        self.taken.append(step)
        if step.action is Action.CONFIRM:
            return Shown((), (), said=len(self.draft))
        self.draft |= {self.words[step]}
        return self._shown()

    def _shown(self) -> Shown:
        every = frozenset(self.words.values())
        open_words = {
            word
            for word in every - self.draft
            if not (needed := self.needs.get(word)) or needed in self.draft
        }
        steps = [step for step, word in self.words.items() if word in open_words]
        done = self.draft == every or (self.draft and self.early)
        confirm = (Step(Action.CONFIRM),) if done else ()
        early = self.early if self.draft != every else frozenset[Step]()
        return Shown(self.draft, (*confirm, *steps), len(every - self.draft), early=early)


async def test_a_button_is_taken_rather_than_a_select_that_says_the_same() -> None:
    toy = Toy({Step(PICK, "f", "a"): "a", Step(SAY, "a"): "a"})
    way, shown = await cheapest(toy)
    assert (way, shown.said) == ((Step(SAY, "a"), Step(Action.CONFIRM)), 1)


class Opening(Toy):
    """A panel on which the button for b is there only once a is said."""

    def _shown(self) -> Shown:
        shown = super()._shown()
        steps = tuple(step for step in shown.steps if step != Step(SAY, "b") or "a" in self.draft)
        return Shown(shown.key, steps, shown.least)


async def test_an_order_that_opens_a_cheaper_control_is_found() -> None:
    way, _ = await cheapest(Opening({Step(PICK, "f", "b"): "b", Step(SAY, "a"): "a", Step(SAY, "b"): "b"}))
    assert way == (Step(SAY, "a"), Step(SAY, "b"), Step(Action.CONFIRM))


async def test_what_needs_another_word_comes_after_it() -> None:
    toy = Toy({Step(SAY, "b"): "b", Step(SAY, "a"): "a"}, needs={"b": "a"})
    way, _ = await cheapest(toy)
    assert [step.said for step in way[:2]] == ["a", "b"]


async def test_a_part_is_confirmed_alone_only_where_the_rest_cannot_be_said() -> None:
    confirm = Step(Action.CONFIRM)
    words = {Step(SAY, "a"): "a", Step(PICK, "f", "b"): "b"}
    way, shown = await cheapest(Toy(words, early=frozenset({confirm})))
    assert shown.said == 2
    way, shown = await cheapest(Toy(words, needs={"b": "never"}, early=frozenset({confirm})))
    assert (way, shown.said) == ((Step(SAY, "a"), confirm), 1)


async def test_a_panel_that_leads_nowhere_is_no_way() -> None:
    with pytest.raises(NoWay):
        await cheapest(Toy({Step(SAY, "a"): "a"}, needs={"a": "never"}))


async def test_a_long_search_ends_with_some_way() -> None:
    words = {Step(PICK, "f", str(number)): str(number) for number in range(12)}
    toy = Toy(words)
    way, shown = await cheapest(toy, tries=20)
    assert shown.said == len(way) - 1 == 12
    assert len(toy.taken) < 60


# --- positions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.game}-{kind.name}")
def test_each_kind_of_turn_is_found_and_may_be_said(kind: Kind) -> None:
    found = position(kind, seed_of(part_of(1, kind.game), game(kind.game)))
    assert found is not None
    match = Match.start(
        game(kind.game), complete(game(kind.game).manifest, None, dict(kind.options)), found.seed
    )
    for seat, words in (*found.before, *((found.seat, words) for words in found.parts)):
        match = match.act(seat, words)
