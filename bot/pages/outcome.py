"""How a match ended, in words."""

from __future__ import annotations

from bot.domain.tables import TableInfo
from bot.pages.texts import Texts
from engines.core.contract import Outcome

MEDALS = ("🥇", "🥈", "🥉")


def verdict(table: TableInfo, outcome: Outcome, speech: Texts) -> list[str]:
    """Return the lines that tell how a match ended: who won, why, and the ranks where there are several."""
    lines = [_headline(table, outcome, speech)]
    lines += [speech.at_table(table, reason) for reason in outcome.reasons]
    if outcome.scores or len(outcome.ranks) > 2:
        lines += _ranks(table, outcome, speech)
    return lines


def _headline(table: TableInfo, outcome: Outcome, speech: Texts) -> str:
    if outcome.drawn:
        return f"**{speech.house('end.draw')}**"
    winners = speech.listing(speech.seat_name(table, seat) for seat in outcome.ranks[0])
    return "**" + speech.house("end.won", n=len(outcome.ranks[0]), names=winners) + "**"


def _ranks(table: TableInfo, outcome: Outcome, speech: Texts) -> list[str]:
    scores = dict(outcome.scores)
    lines: list[str] = []
    place = 1
    for tied in outcome.ranks:
        sign = MEDALS[place - 1] if place <= len(MEDALS) else f"{place}."
        for seat in tied:
            score = f" · {scores[seat]}" if seat in scores else ""
            lines.append(f"{sign} {speech.seat_name(table, seat)}{score}")
        place += len(tied)
    return lines
