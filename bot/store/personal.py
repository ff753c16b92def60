"""Personal data in the database: the queries to export it, and the changes to remove it from a table."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

SCRUB = "scrub"
"""Key in ``house``: the database files may still hold deleted data."""


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and the column names shown in the export."""

    names: tuple[str, ...]
    sql: str


def _question(names: str, sql: str) -> Question:
    return Question(tuple(names.split()), sql)


ABOUT_PERSON = {
    "settings": _question(
        "direct_messages language theme always_confirm reminders time_zone quiet_from quiet_until"
        " reminded_at unreached_at",
        """
        SELECT dms, language, theme, always_confirm, reminders, zone, quiet_from, quiet_until,
            reminded_at, unreached_at
        FROM person WHERE id = ?""",
    ),
    "channels_of_direct_messages": _question(
        "bot channel", "SELECT account, channel FROM dm_channel WHERE person = ? ORDER BY account"
    ),
    "presets": _question(
        "game menu text",
        "SELECT game, menu, text FROM preset WHERE person = ? ORDER BY game, menu",
    ),
    "lessons": _question(
        "game lesson words earlier done",
        "SELECT game, lesson, words, trail, done FROM lesson WHERE person = ? ORDER BY game, lesson",
    ),
    "seats": _question(
        "match game ruleset options status opened_at started_at ended_at server channel thread name chair"
        " seat resigned asked asked_at pace hints allowance_until deadline reserve overdue decisions_missed"
        " stood_in_for remind_at reminders_sent nudged reminders_muted on_holiday clock_stopped_at join_id",
        """
        SELECT id, game, ruleset, options, CASE closed WHEN 1 THEN 'closed' ELSE status END,
            opened_at, started_at, ended_at, guild, channel, thread, name, ord, seat, withdrawn, asked,
            asked_at, pace, hints, until, deadline, reserve, overdue, missed, stand_in, remind_at, reminded,
            nudged, muted, away, stopped_at, join_id
        FROM match JOIN chair ON chair.match = match.id WHERE person = ? ORDER BY opened_at, id""",
    ),
    "hosted": _question(
        "match name start_id",
        "SELECT id, host_name, start_id FROM match WHERE host = ? ORDER BY opened_at, id",
    ),
    "first_joins": _question(
        "match interaction", "SELECT match, interaction FROM first_join WHERE person = ? ORDER BY match"
    ),
    "holidays": _question(
        "begun latest ended", "SELECT begun, latest, ended FROM holiday WHERE person = ? ORDER BY begun"
    ),
    "seats_given_away": _question(
        "match seat name at",
        "SELECT match, seat, name, at FROM former_holder WHERE person = ? ORDER BY at, match",
    ),
    "seats_offered": _question(
        "match seat name agreed",
        "SELECT match, seat, name, agreed FROM seat_offer WHERE person = ? ORDER BY match",
    ),
    "invitations": _question(
        "match name", "SELECT match, name FROM invitation WHERE person = ? ORDER BY match"
    ),
    "sentences": _question(
        "match kind words interaction at",
        """
        SELECT log.match, kind, CASE kind WHEN 'undo' THEN '[]' ELSE words END, request, log.at
        FROM (
            SELECT match, seat, person, count AS number, count
            FROM (SELECT match, seat, person,
                (SELECT count(*) FROM former_holder AS f WHERE f.match = chair.match AND f.seat = chair.seat)
                AS count FROM chair) AS now
            UNION ALL
            SELECT match, seat, person,
                (SELECT count(*) FROM former_holder AS f
                    WHERE f.match = h.match AND f.seat = h.seat AND f.at < h.at),
                1
            FROM former_holder AS h
        ) AS held JOIN log ON log.match = held.match AND log.seat = held.seat
        WHERE held.person = ? AND (held.count = 0 OR held.number = (
            SELECT count(*) FROM log AS passed WHERE passed.match = log.match AND passed.seat = log.seat
                AND passed.kind = 'replace' AND passed.seq <= log.seq))
        ORDER BY log.at, log.match, log.seq""",
    ),
    "drafts": _question(
        "match aside words earlier",
        """
        SELECT draft.match, aside, words, trail
        FROM draft JOIN chair ON chair.match = draft.match AND chair.seat = draft.seat
        WHERE chair.person = ? ORDER BY draft.match, aside""",
    ),
    "counted_acts": _question(
        "interaction act server match at",
        """
        SELECT request, act, guild, match, at
        FROM counted_act WHERE person = ? ORDER BY act, at, request""",
    ),
    "invitations_counted": _question(
        "server match at",
        "SELECT guild, match, at FROM counted_act WHERE recipient = ? ORDER BY at, match",
    ),
    "requests": _question(
        "interaction match act answer at",
        "SELECT id, match, act, answer, at FROM request WHERE person = ? ORDER BY at, id",
    ),
    "direct_messages": _question(
        "match channel message",
        """
        SELECT shown.match, channel, message
        FROM shown JOIN chair ON chair.match = shown.match
            AND surface IN ('dm:' || chair.seat, 'goodbye:' || chair.seat)
        WHERE chair.person = ? AND message <> 0 ORDER BY shown.match, surface""",
    ),
}
"""Queries of all data about a person, by topic.

If a seat was handed on, each holder's sentences are those between two of its *replace* rows.

Seeds, digests and row numbers are left out: the numbers count what others do in secret, and the words of an
*undo* row are one. ``tests/bot/column_fates.py`` checks that every column is covered.
"""

OUT_OF_TABLE = (
    """
    UPDATE match SET version = version + 1,
        host_name = CASE host WHEN :person THEN :name ELSE host_name END,
        host = CASE host WHEN :person THEN
            coalesce((SELECT ord + 1 FROM chair WHERE match = :match AND person = :person), 1)
            ELSE host END
    WHERE id = :match""",
    """
    DELETE FROM draft WHERE match = :match
        AND seat IN (SELECT seat FROM chair WHERE match = :match AND person = :person)""",
    """
    UPDATE shown SET channel = 0, message = 0 WHERE match = :match
        AND surface IN (
            SELECT kind || seat FROM chair, (SELECT 'dm:' AS kind UNION SELECT 'goodbye:') AS kinds
            WHERE match = :match AND person = :person)""",
    "DELETE FROM invitation WHERE match = :match AND person = :person",
    "DELETE FROM first_join WHERE match = :match AND person = :person",
    "DELETE FROM request WHERE match = :match AND person = :person",
    # Jobs name people in their targets: direct messages to delete, and calls (see ``domain/calls``).
    "DELETE FROM job WHERE match = :match AND kind = 'forget' AND target = CAST(:person AS TEXT)",
    """
    UPDATE job SET error = '', target = CASE kind WHEN 'remind'
        THEN replace(target, CAST(:person AS TEXT), '0') ELSE target END
    WHERE match = :match""",
    "DELETE FROM seat_offer WHERE match = :match AND person = :person",
    "UPDATE former_holder SET person = seat + 1, name = :name WHERE match = :match AND person = :person",
    "UPDATE chair SET person = ord + 1, name = :name WHERE match = :match AND person = :person",
)
"""Statements that replace a person with a pseudonym at one table and delete their private data, in order.

The pseudonym's id is the chair's number, counted from 1: no Discord account has an id so small.
"""


def mark_of(key: bytes, person: int) -> bytes:
    """Return the hash by which a match recognises a person who has deleted their data.

    The key prevents trying all Discord ids against it.
    """
    return hmac.digest(key, str(person).encode(), hashlib.sha256)
