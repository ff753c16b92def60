"""What becomes of each column of the database at an export and at a deletion, and why.

A new column belongs to two lists: to ``EXPORTED`` or ``LEFT_OUT``, and to ``ERASED``, ``REPLACED`` or
``KEPT``. A new table needs a line in ``ROWS``, and a row about Zoë from ``furnished``, in
``test_personal_columns.py``, which tries all of it.
"""

from __future__ import annotations

from collections.abc import Mapping

EXPORTED: Mapping[str, str] = {
    "settings": """
        person.dms=direct_messages person.language person.theme person.always_confirm
        person.reminders person.zone=time_zone person.quiet_from person.quiet_until
        person.reminded_at person.unreached_at
    """,
    "channels_of_direct_messages": "dm_channel.account=bot dm_channel.channel",
    "presets": "preset.game preset.menu preset.text",
    "lessons": """
        lesson.game lesson.lesson lesson.words lesson.trail=earlier lesson.done
    """,
    "seats": """
        match.id=match match.game match.ruleset match.options match.status match.closed=status
        match.opened_at match.started_at match.ended_at match.guild=server match.channel
        match.thread match.pace match.hints chair.match chair.ord=chair chair.name chair.seat
        chair.withdrawn=resigned chair.asked chair.asked_at chair.until=allowance_until
        chair.deadline chair.reserve chair.overdue chair.missed=decisions_missed
        chair.stand_in=stood_in_for chair.remind_at chair.reminded=reminders_sent chair.nudged
        chair.muted=reminders_muted chair.away=on_holiday chair.stopped_at=clock_stopped_at
        chair.join_id
    """,
    "hosted": "match.host_name=name match.start_id",
    "first_joins": "first_join.match first_join.interaction",
    "holidays": "holiday.begun holiday.latest holiday.ended",
    "seats_given_away": """
        former_holder.match former_holder.seat former_holder.name former_holder.at
    """,
    "seats_offered": """
        seat_offer.match seat_offer.seat seat_offer.name seat_offer.agreed
    """,
    "invitations": "invitation.match invitation.name",
    "sentences": "log.match log.kind log.words log.request=interaction log.at",
    "drafts": "draft.match draft.aside draft.words draft.trail=earlier",
    "counted_acts": """
        counted_act.request=interaction counted_act.act counted_act.guild=server counted_act.match
        counted_act.at
    """,
    "requests": """
        request.id=interaction request.match request.act request.answer request.at
    """,
    "direct_messages": "shown.match shown.channel shown.message",
}
"""By theme of the export: the columns in it, and how they are called there if not as in the database."""

WHOSE = """
    person.id dm_channel.person preset.person lesson.person chair.person match.host holiday.person
    former_holder.person seat_offer.person invitation.person request.person first_join.person
    counted_act.person
"""
"""Whose rows these are: the export says it once, at its top."""

LEFT_OUT: Mapping[str, str] = {
    "what is secret, or tells it to who tries": "match.seed match.part log.digest log.chain shown.digest",
    "counts what others do in secret": """
        log.seq match.version match.changed_at shown.version shown.table_version shown.epoch
        shown.since job.revision job.version
    """,
    "what the clocks of all had left, others' too": "log.remaining",
    "which seat's: the seats are exported": "log.seat draft.seat shown.surface",
    "counts how often the panel changed": "draft.revision draft.cut draft.confirmed lesson.revision",
    "how the table is played, which its message tells": """
        match.seats match.theme match.time_up match.data_hashes match.commitment match.rematch_of
    """,
    "the level of a computer player": "chair.level",
    "the place in a list": "invitation.ord first_join.ord former_holder.rowid",
    "work that is under way": "job.match job.kind job.target job.due job.tries job.error",
    "names nobody": """
        retired.message retired.at lease.match lease.holder lease.until migration.number
        migration.at
    """,
    "the server's own": """
        server.guild server.opening server.roles server.channels server.most server.paces
        server.pace server.threads_per_day
    """,
    "the bot's own": "house.key house.value match.restore_id log.restore_id",
    "names others: invitations of the person are exported without": "counted_act.recipient",
    "made by a deletion, and found by no name": "held_seat.match held_seat.key held_seat.mark",
}
"""Why a column is not exported."""

ERASED = """
    person.* dm_channel.* preset.* lesson.* holiday.* seat_offer.* invitation.* draft.* request.*
"""
"""Tables whose rows about a person are deleted."""

REPLACED = """
    match.host match.host_name chair.person chair.name former_holder.person former_holder.name
    shown.channel shown.message job.error job.target counted_act.person first_join.person
"""
"""Columns that hold something else afterwards: a pseudonym, or nothing."""

KEPT: Mapping[str, str] = {
    "the match is the others' too": """
        match.id match.game match.ruleset match.seats match.options match.data_hashes match.status
        match.seed match.commitment match.guild match.channel match.thread match.rematch_of
        match.opened_at match.started_at match.changed_at match.ended_at match.theme match.pace
        match.time_up match.closed match.hints match.part match.start_id match.restore_id chair.match
        chair.join_id chair.ord chair.seat chair.withdrawn
        chair.asked chair.asked_at chair.stand_in chair.reserve chair.until chair.deadline
        chair.missed chair.overdue chair.remind_at chair.reminded chair.nudged chair.muted
        chair.away chair.stopped_at chair.level former_holder.match former_holder.seat
        former_holder.at former_holder.rowid
    """,
    "what was decided stays, without a name": """
        log.match log.seq log.kind log.seat log.words log.digest log.request log.at log.chain
        log.remaining log.restore_id
    """,
    "says that the match has changed": "match.version",
    "what the bot shows, without where it wrote to them": """
        shown.match shown.surface shown.epoch shown.version shown.since shown.table_version
        shown.digest
    """,
    "work for the others": """
        job.match job.kind job.due job.tries job.revision job.version
    """,
    "knows them again until the match ends, and names nobody": "held_seat.match held_seat.key held_seat.mark",
    "counts until the match begins, under a keyed hash of the id": """
        first_join.match first_join.ord first_join.interaction
    """,
    "counts for a day, under a keyed hash of the id": """
        counted_act.request counted_act.act counted_act.guild counted_act.match counted_act.at
        counted_act.recipient
    """,
    "nobody's": """
        retired.message retired.at lease.match lease.holder lease.until migration.number
        migration.at server.guild server.opening server.roles server.channels server.most
        server.paces server.pace server.threads_per_day house.key house.value
    """,
}
"""Why a column stays as it is."""

ROWS: Mapping[str, str] = {
    "match": "id = :over",
    "chair": "match = :over AND person = :zoe",
    "log": "match = :over AND seq = 1",
    "draft": "match = :over AND seat = :seat AND aside = 0",
    "shown": "match = :over AND surface = :dm",
    "request": "person = :zoe AND match = :over",
    "job": "match = :over AND kind = 'remind'",
    "former_holder": "match = :given AND person = :zoe",
    "seat_offer": "match = :given AND person = :zoe",
    "held_seat": "match = :running",
    "invitation": "match = :open AND person = :zoe",
    "first_join": "match = :left AND person = :zoe",
    "counted_act": "request = '5554'",
    "person": "id = :zoe",
    "dm_channel": "person = :zoe",
    "preset": "person = :zoe",
    "lesson": "person = :zoe",
    "holiday": "person = :zoe",
    "retired": "message = 5553",
    "server": "guild = 1",
    "house": "key = 'some key'",
    "lease": "match = :over",
    "migration": "number = 11",
}
"""By table: the row that is looked at."""

KEYS = """
    match.id chair.match chair.ord chair.seat log.match log.seq log.seat draft.match draft.seat
    draft.aside shown.match shown.surface request.match job.match former_holder.match
    seat_offer.match held_seat.match held_seat.key invitation.match invitation.ord lease.match
    first_join.match first_join.ord counted_act.request
    match.rematch_of migration.number former_holder.rowid job.revision job.kind server.guild
    house.key retired.message lease.until migration.at
"""
"""What holds rows together, or is the database's own: it is found in the export, and not changed."""

ONLY_POSTGRESQL = {"lease", "migration"}

OTHERWISE: Mapping[str, object] = {
    "match.status": "frozen",
    "match.pace": "slow",
    "match.time_up": "computer",
    "chair.level": "best",
    "log.kind": "lapse",
    "person.reminders": "none",
    "server.opening": "roles",
    "server.pace": "slow",
    "counted_act.act": "invitation",
    "match.options": '[["rounds", "2"]]',
}
"""Another value, where not any will do."""
