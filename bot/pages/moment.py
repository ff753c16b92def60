"""The private message for stepping back through the last turns of a match."""

from __future__ import annotations

from typing import Any

from discord.ui import Button as DiscordButton

from bot.domain.match import Moment
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import TEXT_LIMIT, UNPAINTED, Page, Painting, button, gallery, page, rows, text
from bot.pages.texts import TableTexts, Texts, match_link

NEWS_LIMIT = 1_200
"""Maximum characters about what happened in one turn."""

SENTENCES = 6
"""Maximum sentences of it."""

STEM = "view"


def moment_page(moment: Moment, texts: Texts, painting: Painting = UNPAINTED) -> Page:
    """Return the page of a moment.

    Its three buttons keep their places, so that several steps can be tapped without looking.
    """
    table_texts = TableTexts(texts, moment.table)
    result = [] if moment.outcome is None else table_texts.result(moment.outcome)
    body = text(
        f"### {_title(moment, texts)}",
        *_whose_eyes(moment, texts),
        texts.house("moment.oldest", n=moment.newest - moment.oldest) if moment.older_asked else "",
        # Half a message's limit: the news below must not be cut off.
        painting.fenced(TEXT_LIMIT // 2),
        *table_texts.news(moment.told, NEWS_LIMIT, SENTENCES, result),
        *result,
    )
    shown = painting.uploads(STEM)
    return page([*map(gallery, shown), body, *rows(_steps(moment, texts))], shown)


def _title(moment: Moment, texts: Texts) -> str:
    match = match_link(moment.table, texts)
    if moment.present:
        return texts.house("moment.now", match=match)
    if moment.number == 0:
        return texts.house("moment.start", match=match)
    return texts.house("moment.after", match=match, n=moment.number)


def _whose_eyes(moment: Moment, texts: Texts) -> list[str]:
    if moment.present:
        return []
    return [texts.house("moment.public" if moment.seat is None else "moment.own")]


def _steps(moment: Moment, texts: Texts) -> list[DiscordButton[Any]]:
    match, number = moment.table.id, moment.number
    back = number > moment.oldest
    return [
        button(
            texts.house("board.before"),
            # There is no moment before the first to link to.
            ButtonId(match, Button.MOMENT, number - 1) if back else ButtonId(match, Button.BEFORE),
            disabled=not back,
        ),
        button(
            texts.house("moment.after_button"),
            ButtonId(match, Button.MOMENT, number + 1),
            disabled=moment.present,
        ),
        button(texts.house("moment.now_button"), ButtonId(match, Button.PRESENT), disabled=moment.present),
    ]
