"""All that a person can look at and try without saying anything for good."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.pages.custom_ids import Action, Button, ButtonId, PanelId, pack, parse
from engines.core.contract import ActionError, Seat, Viewer, Words
from engines.core.match import Match
from engines.core.rng import Rng, Stream
from tests.contract.checks.secrets import attempts, prefixes, random_sentence
from tests.leaks.house import House, ids_in

LOOKS: tuple[tuple[str, dict[str, str | bool]], ...] = (
    ("turn", {}),
    ("hand", {}),
    ("board", {}),
    ("board", {"text": True}),
    ("log", {}),
    ("games", {}),
    ("settings", {}),
)
TOUCHES = 4
"""Controls of a panel that are pressed in a row."""

CLOSING = (Action.REFRESH, Action.BACK, Action.REFRESH, Action.TYPE, Action.CLEAR, Action.PRESET)
"""Refresh, which is *More* where something is drafted, stands before what only that shows."""


@dataclass(frozen=True, slots=True)
class Script:
    """What somebody tries: made once from the match as it is, carried out alike in every house."""

    seat: Viewer
    typed: tuple[str, ...] = field(repr=False)
    """Sentences for ``/move``: legal ones, cut, mixed up, another seat's."""
    begun: tuple[str, ...] = field(repr=False)
    """Beginnings that are to be completed."""
    rng: Rng


def script(match: Match, seat: Viewer, rng: Rng, *, short: bool = False) -> Script:
    """Return what a viewer tries; ``short``: less of it."""
    asker = 0 if seat is None else seat
    tried = [*attempts(match, asker, rng), ("nonsense",)]
    sentence = random_sentence(match, asker, rng.child("complete"))
    texts = [text for words in prefixes(sentence) if (text := _written(match, words))]
    lines = dict.fromkeys(text for words in tried if (text := _written(match, words)))
    return Script(seat, tuple(lines)[: 5 if short else 12], ("", *(text[:-1] for text in texts), *texts), rng)


def _written(match: Match, words: Words) -> str:
    """Return words as they are typed; empty where they can be written in no way."""
    if words == ("nonsense",):
        return "no such words"
    try:
        return match.game.write(words)
    except ActionError:
        return ""


async def look_around(house: House, plan: Script) -> None:
    """Let the viewer of ``plan`` look at everything and try everything that commits nothing."""
    who = house.reader(plan.seat)
    for name, options in LOOKS:
        await house.command(who, name, **options)
    for text in plan.begun:
        await house.complete(who, "move", "words", text)
    await house.complete(who, "log", "match", "")
    for text in plan.typed:
        await house.command(who, "move", words=text)
    for button in (Button.TURN, Button.RULES, Button.LOG, Button.DECLINE):
        await house.press(who, house.board_id(), pack(ButtonId(house.table.id, button)))
    await look_back(house, who)
    if plan.seat is not None:
        await _try_panel(house, plan.seat, plan.rng)


async def look_back(house: House, who: int) -> None:
    """Let somebody step back through the last turns, all that there are, and to the present again."""
    match = house.table.id
    await house.press(who, house.board_id(), pack(ButtonId(match, Button.BEFORE)))
    assert who in house.wire.readers.values(), "the answer is in no private message"
    message = house.newest(who)
    places = [parse(custom_id) for custom_id in ids_in(house.wire.messages[message])]
    numbers = [place.number for place in places if isinstance(place, ButtonId) and place.number is not None]
    if not numbers:
        return  # the answer went where it should not: whoever reads it there sees it
    for number in range(max(numbers)):
        await house.press(who, message, pack(ButtonId(match, Button.MOMENT, number)))
    await house.press(who, message, pack(ButtonId(match, Button.PRESENT)))


async def _try_panel(house: House, seat: Seat, rng: Rng) -> None:
    """Press a panel's controls: some at random, then each that ends or takes back; then out-of-date ones."""
    who, stream = house.person_at(seat), rng.stream("touches")
    panel = await house.open(who)
    stale = house.places(panel)
    await house.press(who, house.board_id(), pack(stale[-1][0]))  # a panel's button where everybody reads
    for _ in range(TOUCHES):
        touch = _drawn(house.places(panel), stream)
        if touch is None:
            break
        await house.press(who, panel, pack(touch[0]), *touch[1])
    for action in CLOSING:
        for place, _ in house.places(panel):
            if place.action is action:
                await house.press(who, panel, pack(place))
                break
    for place, values in stale[:3]:
        await house.press(who, panel, pack(place), *values[:1])
        await house.submit(
            who, panel, pack(PanelId(place.match, place.decision, place.revision, Action.TYPE)), "x"
        )
    confirm = PanelId(house.table.id, stale[0][0].decision, 10**6, Action.CONFIRM)
    await house.press(who, panel, pack(confirm))


def _drawn(places: list[tuple[PanelId, list[str]]], stream: Stream) -> tuple[PanelId, list[str]] | None:
    """Return a control that leads on, with what is chosen in it."""
    ways = [(p, v) for p, v in places if p.action in (Action.WORD, Action.SHUFFLE, Action.PICK, Action.GROUP)]
    if not ways:
        return None
    place, values = stream.choice(ways)
    return place, [stream.choice(values)] if values else []


async def draft_something(house: House, seat: Seat, words: Words, rng: Rng) -> None:
    """Let a seat's person work at its panel, type a sentence into the draft, and say nothing."""
    await _try_panel(house, seat, rng)
    who = house.person_at(seat)
    await house.command(who, "move", words=house.game.write(words))
    await house.complete(who, "move", "words", house.game.write(words)[:1])
