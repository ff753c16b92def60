"""Where a person stands in the database: what is asked about them, and what takes them out of a table."""

from __future__ import annotations

ABOUT_PERSON = {
    "settings": """
        SELECT json_object(
            'direct_messages', dms, 'language', language, 'theme', theme, 'always_confirm', always_confirm,
            'reminders', reminders, 'time_zone', zone, 'quiet_from', quiet_from, 'quiet_until', quiet_until,
            'reminded_at', reminded_at, 'unreached_at', unreached_at
        )
        FROM person WHERE id = ?""",
    "presets": """
        SELECT json_object('game', game, 'menu', menu, 'text', text)
        FROM preset WHERE person = ? ORDER BY game, menu""",
    "lessons": """
        SELECT json_object('game', game, 'lesson', lesson, 'words', words, 'earlier', trail, 'done', done)
        FROM lesson WHERE person = ? ORDER BY game, lesson""",
    "seats": """
        SELECT json_object('match', id, 'game', game, 'ruleset', ruleset, 'options', options,
            'status', CASE closed WHEN 1 THEN 'closed' ELSE status END,
            'opened_at', opened_at, 'started_at', started_at, 'ended_at', ended_at,
            'server', guild, 'channel', channel, 'thread', thread,
            'name', name, 'seat', seat, 'resigned', withdrawn, 'asked_at', asked_at,
            'pace', pace, 'hints', hints, 'deadline', deadline, 'reserve', reserve, 'stood_in_for', stand_in,
            'reminders_muted', muted, 'on_holiday', away)
        FROM match JOIN chair ON chair.match = match.id WHERE person = ? ORDER BY opened_at, id""",
    "hosted": """
        SELECT json_object('match', id, 'name', host_name)
        FROM match WHERE host = ? ORDER BY opened_at, id""",
    "holidays": """
        SELECT json_object('begun', begun, 'latest', latest, 'ended', ended)
        FROM holiday WHERE person = ? ORDER BY begun""",
    "seats_given_away": """
        SELECT json_object('match', match, 'seat', seat, 'name', name, 'at', at)
        FROM former_holder WHERE person = ? ORDER BY at, match""",
    "seats_offered": """
        SELECT json_object('match', match, 'seat', seat, 'name', name)
        FROM seat_offer WHERE person = ? ORDER BY match""",
    "invitations": """
        SELECT json_object('match', match, 'name', name)
        FROM invitation WHERE person = ? ORDER BY match""",
    "sentences": """
        SELECT json_object('match', log.match, 'kind', kind, 'words', words, 'interaction', request, 'at', at)
        FROM log JOIN chair ON chair.match = log.match AND chair.seat = log.seat
        WHERE chair.person = ? ORDER BY at, log.match, seq""",
    "drafts": """
        SELECT json_object('match', draft.match, 'aside', aside, 'words', words, 'earlier', trail)
        FROM draft JOIN chair ON chair.match = draft.match AND chair.seat = draft.seat
        WHERE chair.person = ?""",
    "requests": """
        SELECT json_object('interaction', id, 'match', match, 'act', act, 'answer', answer, 'at', at)
        FROM request WHERE person = ? ORDER BY at, id""",
    "direct_messages": """
        SELECT json_object('match', shown.match, 'channel', channel, 'message', message)
        FROM shown JOIN chair ON chair.match = shown.match
            AND surface IN ('dm:' || chair.seat, 'goodbye:' || chair.seat)
        WHERE chair.person = ? AND message <> 0""",
}
"""What is asked about a person, by theme; each row is one JSON object.

No seed, no digest and no row's number is asked for: the numbers count what others do in secret.
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
            SELECT kind || seat FROM chair, (SELECT 'dm:' AS kind UNION SELECT 'goodbye:')
            WHERE match = :match AND person = :person)""",
    "DELETE FROM invitation WHERE match = :match AND person = :person",
    "DELETE FROM request WHERE match = :match AND person = :person",
    "UPDATE job SET error = '' WHERE match = :match",
    "DELETE FROM seat_offer WHERE match = :match AND person = :person",
    "UPDATE former_holder SET person = seat + 1, name = :name WHERE match = :match AND person = :person",
    "UPDATE chair SET person = ord + 1, name = :name WHERE match = :match AND person = :person",
)
"""What puts a pseudonym in a person's place at one table, and drops what only they had there, in this order.

The pseudonym's id is the number of the chair, from 1 on: no account of Discord has one so small.
"""
