"""Tables about the bot's own work: what it shows, what it has to do, and what it has handled."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from bot.domain.jobs import Job, JobKind, QueuedJob, Shown, ShownRow
from bot.domain.surfaces import DM, GOODBYE
from bot.domain.tables import HandledRequest, Status
from bot.store import codecs
from bot.store.codecs import ANY_ID, COUNT, ID, TEXT, TIME, WHOLE, Codec, choice, must
from bot.store.errors import BrokenRecord
from bot.store.schema import (
    COUNTS_SECRETS,
    EXPORTED,
    NOBODYS,
    OWNER,
    SECRET,
    Column,
    Deletion,
    Export,
    LeftOut,
    SqlRow,
    Table,
    Topic,
)

REQUEST = Table(
    "request",
    HandledRequest,
    (
        Column("id", TEXT, Export("interaction")),
        Column("match", TEXT, EXPORTED, "table_id"),
        Column("person", codecs.PERSON, OWNER),
        Column("act", TEXT, EXPORTED),
        Column("answer", TEXT, EXPORTED),
        Column("at", TIME, EXPORTED, in_record=False),
    ),
    ("id",),
    Deletion(at_match="person = :person", everywhere=True),
    (Topic("requests", "at, id"),),
    grows=True,
)


def _version(value: object) -> int:
    # Jobs of a broken table are done too: they notify its players.
    with suppress(Exception):
        return COUNT.decode(value)
    return 0


def _job(**values: Any) -> Job:
    job = Job(**values)
    must(job.kind not in (JobKind.TURN, JobKind.GOODBYE) or job.seat >= 0)
    return job


UNDER_WAY = LeftOut("work under way")

JOB = Table(
    "job",
    _job,
    (
        Column("revision", WHOLE, COUNTS_SECRETS),
        Column("match", TEXT, UNDER_WAY, "table_id"),
        Column("kind", choice(JobKind), UNDER_WAY),
        Column(
            "target",
            TEXT,
            UNDER_WAY,
            # A `Call` names people.
            replacement="CASE kind WHEN 'remind' THEN replace(target, CAST(:person AS TEXT), '0')"
            " ELSE target END",
        ),
        Column("due", TIME, UNDER_WAY, in_record=False),
        Column("tries", Codec("INTEGER", lambda value: max(0, value)), UNDER_WAY),
        Column("error", TEXT, UNDER_WAY, in_record=False, replacement="''"),
        Column("version", Codec("INTEGER", _version), COUNTS_SECRETS),
    ),
    ("revision",),
    Deletion(
        # A direct message to delete is the person's own.
        at_match="kind = 'forget' AND target = CAST(:person AS TEXT)",
        replaced="TRUE",
        kept="work for the others",
    ),
)


def queued_job(row: SqlRow) -> QueuedJob:
    """Return a job from its own fields, its time, and its table's channel, host and status.

    Raises :class:`BrokenRecord`.
    """
    *own, due, channel, host, status = row
    job = JOB.decode(tuple(own))
    is_open, is_live = status == Status.OPEN.value, status == Status.RUNNING.value
    try:
        return QueuedJob(job, float(due), channel or 0, host or 0, is_open=is_open, is_live=is_live)
    except (TypeError, ValueError) as error:
        raise BrokenRecord(f"job: {type(error).__name__}") from None


def _shown(
    channel: int, message: int, epoch: int, version: int, since: int, table_version: int, digest: str
) -> ShownRow:
    # Message 0: the message is gone, but the versions it showed are kept (`drop_shown`).
    noted = None
    if message:
        must(channel > 0 and message > 0)
        noted = Shown(channel, message, epoch, version, table_version, digest)
    return ShownRow(noted, epoch=epoch, version=version, since=since, digest=digest)


SHOWN = Table(
    "shown",
    _shown,
    (
        Column("match", TEXT, EXPORTED, in_record=False),
        Column("surface", TEXT, LeftOut("says which seat's: the seats are exported"), in_record=False),
        Column("channel", ANY_ID, EXPORTED, replacement="0"),
        Column("message", ANY_ID, EXPORTED, replacement="0"),
        Column("epoch", WHOLE, COUNTS_SECRETS),
        Column("version", WHOLE, COUNTS_SECRETS),
        Column("since", WHOLE, COUNTS_SECRETS),
        Column("table_version", WHOLE, COUNTS_SECRETS),
        Column("digest", TEXT, SECRET),
    ),
    ("match", "surface"),
    Deletion(
        replaced="surface IN (SELECT kind || seat"  # noqa: S608 - our own text
        f" FROM chair, (SELECT '{DM}' AS kind UNION SELECT '{GOODBYE}') AS kinds"
        " WHERE match = :match AND person = :person)",
        kept="what the bot shows, except where it wrote to the person",
    ),
    (
        Topic(
            "direct_messages",
            "shown.match, surface",
            "shown JOIN chair ON chair.match = shown.match"
            f" AND surface IN ('{DM}' || chair.seat, '{GOODBYE}' || chair.seat)",
            "chair.person = ? AND message <> 0",
        ),
    ),
    grows=True,
)

KEPT_BY_NOBODY = Deletion(kept="about nobody")

RETIRED: Table[dict[str, Any]] = Table(
    "retired",
    dict,
    (Column("message", ID, NOBODYS), Column("at", TIME, NOBODYS)),
    ("message",),
    KEPT_BY_NOBODY,
)

HOUSE: Table[dict[str, Any]] = Table(
    "house",
    dict,
    (Column("key", TEXT, NOBODYS), Column("value", TEXT, NOBODYS)),
    ("key",),
    KEPT_BY_NOBODY,
)

POSTGRESQLS_TIME: Codec[object] = Codec("TIMESTAMPTZ", lambda value: value)

LEASE: Table[dict[str, Any]] = Table(
    "lease",
    dict,
    (
        Column("match", TEXT, NOBODYS),
        Column("holder", TEXT, NOBODYS),
        Column("until", POSTGRESQLS_TIME, NOBODYS),
    ),
    ("match",),
    KEPT_BY_NOBODY,
    only_postgresql=True,
)

MIGRATION: Table[dict[str, Any]] = Table(
    "migration",
    dict,
    (Column("number", WHOLE, NOBODYS), Column("at", POSTGRESQLS_TIME, NOBODYS)),
    ("number",),
    KEPT_BY_NOBODY,
    only_postgresql=True,
)

CLOCK_CHANGES = (
    "UPDATE holiday SET begun = begun + ?1, latest = latest + ?1 WHERE ended IS NULL",
    "UPDATE person SET reminded_at = reminded_at + ?1, unreached_at = unreached_at + ?1",
    "UPDATE counted_act SET at = at + ?1",
    "UPDATE request SET at = at + ?1",
    "UPDATE retired SET at = at + ?1",
)
"""Moves what counts from a moment on by the seconds by which the machine's clock was set."""
