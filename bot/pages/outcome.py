"""How a match ended, in words."""

from __future__ import annotations

from bot.pages.texts import TableTexts, Texts
from engines.core.contract import Outcome

MEDALS = ("🥇", "🥈", "🥉")


def result_lines(outcome: Outcome, texts: Texts, table_texts: TableTexts) -> list[str]:
    """Return the lines that tell how a match ended: who won, why, and the ranks where there are several."""
    if outcome.drawn:
        headline = texts.house("end.draw")
    else:
        winners = texts.listing(table_texts.seat_name(seat) for seat in outcome.ranks[0])
        headline = texts.house("end.won", n=len(outcome.ranks[0]), names=winners)
    lines = [f"**{headline}**", *(table_texts.say(reason) for reason in outcome.reasons)]
    if outcome.scores or len(outcome.ranks) > 2:
        lines += _ranks(outcome, table_texts)
    return lines


def _ranks(outcome: Outcome, table_texts: TableTexts) -> list[str]:
    scores = dict(outcome.scores)
    lines: list[str] = []
    place = 1
    for tied in outcome.ranks:
        sign = MEDALS[place - 1] if place <= len(MEDALS) else f"{place}."
        for seat in tied:
            score = f" · {scores[seat]}" if seat in scores else ""
            lines.append(f"{sign} {table_texts.seat_name(seat)}{score}")
        place += len(tied)
    return lines
