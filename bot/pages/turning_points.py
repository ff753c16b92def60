"""The private message that shows the turning points of a match that is over, one at a time."""

from __future__ import annotations

from typing import Any

from discord.ui import Button as DiscordButton

from bot.domain.match import TurningPoint, TurningPoints
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import TEXT_LIMIT, UNPAINTED, Page, Painting, button, gallery, page, rows, text
from bot.pages.texts import TableTexts, Texts, match_link, shorten

SENTENCE_LIMIT = 600
"""Maximum characters of each sentence that tells what was played, or what would have been better."""

STEM = "view"


def turning_point_page(
    points: TurningPoints, number: int, texts: Texts, painting: Painting = UNPAINTED
) -> Page:
    """Return the page of turning point ``number``, counted from 0; it must exist."""
    point, table_texts = points.found[number], TableTexts(texts, points.table)
    title = texts.house(
        "turning.title", match=match_link(points.table, texts), n=number + 1, all=len(points.found)
    )
    body = text(
        f"### {title}",
        texts.house("turning.when", n=point.turn),
        # Half a message's limit: the better sentence must not be cut off.
        painting.fenced(TEXT_LIMIT // 2),
        *_comparison(point, texts, table_texts),
    )
    shown = painting.uploads(STEM)
    return page([*map(gallery, shown), body, *rows(_steps(points, number, texts))], shown)


def no_turning_point_page(points: TurningPoints, texts: Texts) -> Page:
    """Return the page of a match in which no turn was clearly worse than what the search found."""
    title = texts.house("turning.none_title", match=match_link(points.table, texts))
    return page([text(f"### {title}", texts.house("turning.none"))])


def _comparison(point: TurningPoint, texts: Texts, table_texts: TableTexts) -> list[str]:
    played, better = (
        [shorten(table_texts.say(each), SENTENCE_LIMIT) for each in told]
        for told in (point.played, point.better)
    )
    reason = [] if point.reason is None else [f"💡 {table_texts.say(point.reason)}"]
    chances = texts.house(
        "turning.chances",
        played=round(100 * point.chance_played),
        better=round(100 * point.chance_better),
    )
    return [
        f"**{texts.house('turning.played')}**",
        *played,
        f"**{texts.house('turning.better')}**",
        *better,
        *reason,
        chances,
    ]


def _steps(points: TurningPoints, number: int, texts: Texts) -> list[DiscordButton[Any]]:
    """Return the buttons, which keep their places at every turning point."""
    match, last = points.table.id, len(points.found) - 1
    return [
        button(
            texts.house("board.before"),
            # There is no turning point before the first to link to.
            ButtonId(match, Button.TURNING_POINT, number - 1)
            if number
            else ButtonId(match, Button.TURNING_POINTS),
            disabled=number == 0,
        ),
        button(
            texts.house("turning.next"),
            ButtonId(match, Button.TURNING_POINT, number + 1),
            disabled=number == last,
        ),
    ]
