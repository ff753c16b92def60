"""Panels as they are sent, and what can be touched on them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from bot.domain.match import Panel
from bot.pages.controls import Focus
from bot.pages.custom_ids import Action, PanelId, parse
from bot.pages.page import Page, Painting
from bot.pages.panel import PanelPage, panel_page
from bot.pages.texts import Texts
from engines.core.contract import Words
from engines.core.match import Match
from engines.core.rng import Rng
from tests.kit.samples import MORE
from tests.ui.limits import sent, walk
from tests.ui.positions import drafts, panel_of, played

ENGLISH = Texts()

EVERY = 3 if MORE > 1 else 6
"""Sentences between two positions of a match."""


def page_of(panel: Panel, focus: Focus | None = None) -> Page:
    return panel_page(PanelPage(panel, ENGLISH, Painting(words="board"), focus or Focus()))


def seats_asked(match: Match) -> list[int]:
    return sorted(match.waiting)


def positions(key: str) -> Iterator[tuple[Match, int, Words]]:
    for number in range(min(2, MORE)):
        for step, match in enumerate(played(key, number, 40)):
            for seat in seats_asked(match)[:1] if step % EVERY == 0 else ():
                for draft in drafts(match, seat, Rng(match.seed).child("walk", step)):
                    yield match, seat, draft


def pressed(match: Match, seat: int, draft: Words) -> dict[str, int]:
    """Return what each word costs at a seat's panel."""
    return touches_by_word(panel_of(match, seat, draft))


def places(page: Page) -> list[PanelId]:
    ids = [parse(item["custom_id"]) for item in walk(sent(page)) if "custom_id" in item]
    assert all(place is not None for place in ids)
    return [place for place in ids if isinstance(place, PanelId)]


def looks(panel: Panel) -> list[Focus]:
    """Return every place that a person can look at in a panel, by following its selects."""
    found = [Focus()]
    queue = deque(found)
    while queue:
        for look, _, _ in moves(panel, queue.popleft()):
            if look is not None and look not in found:
                found.append(look)
                queue.append(look)
    return found


def moves(panel: Panel, focus: Focus) -> Iterator[tuple[Focus | None, str, int]]:
    """Yield what a control leads to, another look or a word, and what it costs.

    A button is one touch; a select is opened first.
    """
    for item in walk(sent(page_of(panel, focus))):
        place = parse(item.get("custom_id"))
        if not isinstance(place, PanelId):
            continue
        values = [option["value"] for option in item.get("options", [])]
        if place.action is Action.WORD:
            yield None, place.word, 1
        elif place.action is Action.PICK:
            yield from ((None, value, 2) for value in values)
        elif place.action is Action.GROUP and not values:
            field, _, part = place.word.partition("@")
            yield Focus(field, part), "", 1
        elif place.action is Action.GROUP:
            yield from ((Focus(place.word.partition("/")[0], value[1:]), "", 2) for value in values)
        elif place.action is Action.FIELD:
            yield from ((Focus(field=value), "", 2) for value in values)


def touches_by_word(panel: Panel) -> dict[str, int]:
    """Return how many touches each word costs at least, from the open panel."""
    cost: dict[str, int] = {}
    looks_at = {Focus(): 0}
    queue = [(0, Focus())]
    while queue:
        queue.sort(key=lambda item: item[0])
        spent, focus = queue.pop(0)
        for following, word, touches in moves(panel, focus):
            total = spent + touches
            if following is None:
                cost[word] = min(total, cost.get(word, total))
            elif total < looks_at.get(following, total + 1):
                looks_at[following] = total
                queue.append((total, following))
    return cost
