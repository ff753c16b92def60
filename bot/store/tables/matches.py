"""Tables about tables and their matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from bot.domain.clocks import Clock, Nudge, Pace, TimeUp
from bot.domain.match import Draft, DraftRow, LogRow, RowKind
from bot.domain.tables import Chair, FirstJoin, FormerHolder, Person, SeatOffer, Status, TableRow
from bot.store import codecs
from bot.store.codecs import (
    BYTES,
    COUNT,
    FLAG,
    ID,
    NAME,
    PAIRS,
    REMAINING,
    SECONDS,
    TEXT,
    TIME,
    TRAIL,
    WHOLE,
    WORDS,
    Codec,
    choice,
    must,
)
from bot.store.schema import (
    COUNTS_SECRETS,
    EXPORTED,
    OWNER,
    SECRET,
    Column,
    Deletion,
    Export,
    LeftOut,
    Table,
    Topic,
)
from engines.core.optional_methods import Level
from engines.core.rng import SEED_BYTES

THE_OTHERS_TOO = "the match is the others' too"
HOW_IT_IS_PLAYED = LeftOut("how the table is played, which its message tells")
THE_HOUSES = LeftOut("the bot's own")
A_PLACE = LeftOut("the place in a list")
THE_SEAT = LeftOut("says which seat's: the seats are exported")

MAX_THEME_CHARS = 32


def _theme(value: Any) -> str:
    theme = TEXT.decode(value)
    must(1 <= len(theme) <= MAX_THEME_CHARS and theme.isprintable())
    return theme


def _key(value: Any) -> bytes:
    key = BYTES.decode(value)
    must(len(key) == SEED_BYTES)
    return key


def _seats(value: Any) -> int:
    seats = COUNT.decode(value)
    must(seats > 0)
    return seats


KEY = Codec("BLOB", _key)
SEATS = Topic("seats", "opened_at, id", "match JOIN chair ON chair.match = match.id")
SHOWN_STATUS = "CASE closed WHEN 1 THEN 'closed' ELSE status END"


def _closed_without_result(row: TableRow) -> bool:
    return row.info.status is Status.CLOSED and row.info.begun


def _stored_status(row: TableRow) -> Status:
    return Status.OVER if _closed_without_result(row) else row.info.status


def _match(**values: Any) -> dict[str, Any]:
    """Check values against each other, and put ``closed`` into the status."""
    status = values["status"]
    if values["closed"]:
        must(status is Status.OVER)
        # A match that was closed without a result keeps its seed.
        status = Status.CLOSED
    seed, part = values["seed"], values["part"]
    must(seed is not None or status in (Status.OPEN, Status.CLOSED))
    must(seed is None or status is not Status.OPEN)
    must(part is None or bool(values["commitment"]))
    values["status"] = status
    return values


MATCH: Table[Any] = Table(
    "match",
    _match,
    (
        Column("id", TEXT, (Export("match"), Export("match", "hosted")), read="info.id"),
        Column("game", TEXT, EXPORTED, read="info.setup.game", fixed=True),
        Column("ruleset", TEXT, EXPORTED, read="info.setup.ruleset"),
        Column("seats", Codec("INTEGER", _seats), HOW_IT_IS_PLAYED, read="info.setup.seats"),
        Column("options", PAIRS, EXPORTED, read="info.setup.options", fixed=True),
        Column("data_hashes", PAIRS, HOW_IT_IS_PLAYED),
        Column("status", choice(Status), Export(sql=SHOWN_STATUS), read=_stored_status),
        Column("seed", KEY.or_none(), SECRET),
        Column("commitment", TEXT, HOW_IT_IS_PLAYED, read="info.commitment"),
        Column(
            "host",
            codecs.PERSON,
            OWNER,
            read="info.host.id",
            role=True,
            # The pseudonym's id is a chair's number, counted from 1: no Discord account has an id so small.
            replacement="CASE host WHEN :person THEN coalesce("
            "(SELECT ord + 1 FROM chair WHERE match = :match AND person = :person), 1) ELSE host END",
        ),
        Column(
            "host_name",
            NAME,
            Export("name", "hosted"),
            read="info.host.name",
            replacement="CASE host WHEN :person THEN :name ELSE host_name END",
        ),
        Column("opened_at", TIME, EXPORTED, fixed=True),
        Column("started_at", TIME.or_none(), EXPORTED),
        Column("changed_at", TIME, COUNTS_SECRETS),
        Column("ended_at", TIME.or_none(), EXPORTED),
        Column("guild", ID, Export("server"), read="info.place.guild_id", fixed=True),
        Column("channel", ID, EXPORTED, read="info.place.channel_id"),
        Column("thread", ID.or_none(), EXPORTED, read="info.thread_id"),
        Column("rematch_of", TEXT.or_none(), HOW_IT_IS_PLAYED, read="info.rematch_of", fixed=True),
        Column("theme", Codec("TEXT", _theme), HOW_IT_IS_PLAYED, read="info.theme", fixed=True),
        Column("version", COUNT, COUNTS_SECRETS, written=False, replacement="version + 1"),
        Column("pace", choice(Pace), Export(after="asked_at"), read="info.pace", fixed=True),
        Column("time_up", choice(TimeUp), HOW_IT_IS_PLAYED, read="info.time_up", fixed=True),
        Column("closed", FLAG, Export("status", sql=SHOWN_STATUS), read=_closed_without_result),
        Column("hints", FLAG, Export(after="pace"), read="info.hints", fixed=True),
        Column("part", KEY.or_none(), SECRET, fixed=True),
        Column("start_id", TEXT, Export(topic="hosted"), read="info.start_id"),
        Column("restore_id", TEXT, THE_HOUSES, written=False),
    ),
    ("id",),
    Deletion(replaced="TRUE", kept=THE_OTHERS_TOO),
    (
        SEATS,
        Topic("hosted", "opened_at, id", where="host = ?"),
    ),
    grows=True,
)


class Sitting(NamedTuple):
    """A chair as stored: with its clock, and with what is secret about its seat."""

    chair: Chair
    person: int | None
    asked: bool
    """Whether the seat is pending."""
    asked_at: float | None
    """Since when; ``None``: not pending, or stored by a version that noted no time."""
    clock: Clock
    """:data:`NO_CLOCK` if there is none."""


NO_CLOCK = Clock(cast("float", None))
"""What is stored for a chair without a clock: no reserve."""


def sittings(row: TableRow) -> list[Sitting]:
    """Return the chairs of a table as they are stored."""
    asked, clocks = row.asked_since, row.clocks
    found: list[Sitting] = []
    for chair in row.info.chairs:
        person, seat = None if chair.person is None else chair.person.id, chair.seat
        if seat is None:
            found.append(Sitting(chair, person, False, None, NO_CLOCK))
        else:
            clock = clocks.get(seat, NO_CLOCK)
            found.append(Sitting(chair, person, seat in asked, asked.get(seat), clock))
    return found


CHAIR_ATTRIBUTES = (
    "order", "person", "name", "seat", "withdrawn", "stand_in", "muted", "away", "level", "join_id",
)  # fmt: skip


def chair_of(values: Mapping[str, Any]) -> Chair:
    """Return the chair in some values of a row; raises ``KeyError`` if one is missing."""
    found = {name: values[name] for name in CHAIR_ATTRIBUTES}
    if found["person"] is not None:
        found["person"] = Person(found["person"], found["name"])
    return Chair(**found)


def _sitting(
    *,
    asked: bool,
    asked_at: float | None,
    until: float | None,
    deadline: float | None,
    reserve: float | None,
    overdue: bool,
    missed: int,
    remind_at: float | None,
    reminded: int,
    nudge: Nudge,
    stopped_at: float | None,
    **chair: Any,
) -> Sitting:
    clock = NO_CLOCK
    if reserve is not None:
        must((until is None) is (deadline is None))
        clock = Clock(reserve, until, deadline, missed, overdue, remind_at, reminded, nudge, stopped_at)
    must(chair["seat"] is not None or (reserve is None and not asked))
    if (person := chair["person"]) is not None:
        chair["person"] = Person(person, chair["name"])
    return Sitting(Chair(**chair), person, asked, asked_at, clock)


def _of_clock(name: str, codec: Codec[Any], export: Export, attribute: str = "") -> Column:
    """Return a column that stores an attribute of the chair's clock."""
    path = ".".join(("clock", attribute or name))
    return Column(name, codec, export, attribute, read=path)


CHAIR = Table(
    "chair",
    _sitting,
    (
        Column("match", TEXT, Export("match"), in_record=False),
        Column("person", codecs.PERSON.or_none(), OWNER, role=True, replacement="ord + 1"),
        Column("name", NAME, EXPORTED, read="chair.name", replacement=":name"),
        Column("ord", COUNT, Export("chair"), "order", read="chair.order"),
        Column("seat", COUNT.or_none(), EXPORTED, read="chair.seat"),
        Column("withdrawn", FLAG, Export("resigned"), read="chair.withdrawn"),
        Column("asked", FLAG, EXPORTED),
        Column("asked_at", TIME.or_none(), EXPORTED),
        _of_clock("until", TIME.or_none(), Export("allowance_until")),
        _of_clock("deadline", TIME.or_none(), EXPORTED),
        _of_clock("reserve", SECONDS.or_none(), EXPORTED),
        _of_clock("overdue", FLAG, EXPORTED),
        _of_clock("missed", COUNT, Export("decisions_missed")),
        Column("stand_in", FLAG, Export("stood_in_for"), read="chair.stand_in"),
        _of_clock("remind_at", TIME.or_none(), EXPORTED),
        _of_clock("reminded", COUNT, Export("reminders_sent")),
        _of_clock("nudged", choice(Nudge, "INTEGER"), EXPORTED, "nudge"),
        Column("muted", FLAG, Export("reminders_muted"), read="chair.muted"),
        Column("away", FLAG, Export("on_holiday"), read="chair.away"),
        _of_clock("stopped_at", TIME.or_none(), Export("clock_stopped_at")),
        Column("level", choice(Level).or_none(), LeftOut("a computer player's"), read="chair.level"),
        Column("join_id", TEXT, EXPORTED, read="chair.join_id"),
    ),
    ("match", "ord"),
    Deletion(replaced="person = :person", kept=THE_OTHERS_TOO),
    (SEATS,),
    grows=True,
)

ASKED = (
    "asked", "asked_at", "reserve", "until", "deadline", "missed", "overdue", "remind_at", "reminded",
    "nudged", "stopped_at",
)  # fmt: skip
"""The columns of a chair that change with every turn."""

INVITATION = Table(
    "invitation",
    Person,
    (
        Column("match", TEXT, EXPORTED, in_record=False),
        Column("ord", COUNT, A_PLACE, in_record=False),
        Column("person", codecs.PERSON, OWNER, "id", role=True),
        Column("name", NAME, EXPORTED),
    ),
    ("match", "ord"),
    Deletion(at_match="person = :person"),
    (Topic("invitations", "match"),),
)

FIRST_JOIN = Table(
    "first_join",
    FirstJoin,
    (
        Column("match", TEXT, EXPORTED, in_record=False),
        Column("ord", COUNT, A_PLACE, in_record=False),
        Column("person", WHOLE, OWNER, role=True),
        Column("interaction", TEXT, EXPORTED, "id"),
    ),
    ("match", "ord"),
    Deletion(
        at_match="person = :person",
        kept="until the match begins, the row counts for the shuffle, under a keyed hash of the id",
    ),
    (Topic("first_joins", "match"),),
)

FORMER_HOLDER = Table(
    "former_holder",
    lambda seat, person, name, at: FormerHolder(seat, Person(person, name), at),
    (
        Column("match", TEXT, EXPORTED, in_record=False),
        Column("seat", COUNT, EXPORTED),
        Column("person", codecs.PERSON, OWNER, read="person.id", role=True, replacement="seat + 1"),
        Column("name", NAME, EXPORTED, read="person.name", replacement=":name"),
        Column("at", TIME, EXPORTED),
        # SQLite numbers rows anyway.
        Column("rowid", COUNT, A_PLACE, in_record=False, only_postgresql=True),
    ),
    ("match", "seat", "at"),
    Deletion(replaced="person = :person", kept=THE_OTHERS_TOO),
    (Topic("seats_given_away", "at, match"),),
)

SEAT_OFFER = Table(
    "seat_offer",
    lambda seat, person, name, agreed: SeatOffer(seat, Person(person, name), agreed),
    (
        Column("match", TEXT, EXPORTED, in_record=False),
        Column("seat", COUNT, EXPORTED),
        Column("person", codecs.PERSON, OWNER, read="person.id", role=True),
        Column("name", NAME, EXPORTED, read="person.name"),
        Column("agreed", FLAG, EXPORTED),
    ),
    ("match",),
    Deletion(at_match="person = :person", everywhere=True),
    (Topic("seats_offered", "match"),),
)

MADE_BY_A_DELETION = LeftOut("made by a deletion, and found by no name")

HELD_SEAT: Table[dict[str, Any]] = Table(
    "held_seat",
    dict,
    (
        Column("match", TEXT, MADE_BY_A_DELETION),
        Column("key", KEY, MADE_BY_A_DELETION),
        Column("mark", KEY, MADE_BY_A_DELETION),
    ),
    ("match", "key"),
    Deletion(kept="recognises them until the match ends, and names nobody"),
)

LOG = Table(
    "log",
    LogRow,
    (
        Column("match", TEXT, EXPORTED, in_record=False),
        Column("seq", WHOLE, COUNTS_SECRETS),
        Column("kind", choice(RowKind), EXPORTED),
        Column("seat", COUNT.or_none(), THE_SEAT),
        # The number of a row counts what others do in secret.
        Column("words", WORDS, Export(sql="CASE kind WHEN 'undo' THEN '[]' ELSE words END")),
        Column("digest", TEXT, SECRET),
        Column("request", TEXT, Export("interaction")),
        Column("at", TIME, EXPORTED),
        Column("chain", TEXT, SECRET),
        Column("remaining", REMAINING, LeftOut("what was left on everybody's clock")),
        Column("restore_id", TEXT, THE_HOUSES),
    ),
    ("match", "seq"),
    Deletion(kept="what was decided stays, without a name"),
    (
        Topic(
            "sentences",
            "log.at, log.match, log.seq",
            """(
                SELECT match, seat, person, count AS number, count
                FROM (SELECT match, seat, person, (SELECT count(*) FROM former_holder AS f
                    WHERE f.match = chair.match AND f.seat = chair.seat) AS count FROM chair) AS now
                UNION ALL
                SELECT match, seat, person, (SELECT count(*) FROM former_holder AS f
                    WHERE f.match = h.match AND f.seat = h.seat AND f.at < h.at), 1
                FROM former_holder AS h
            ) AS held JOIN log ON log.match = held.match AND log.seat = held.seat""",
            # Of a seat that was handed on, each holder's rows are those between two of its *replace* rows.
            """held.person = ? AND (held.count = 0 OR held.number = (
                SELECT count(*) FROM log AS passed WHERE passed.match = log.match AND passed.seat = log.seat
                    AND passed.kind = 'replace' AND passed.seq <= log.seq))""",
        ),
    ),
    grows=True,
)


def _draft(seat: int, aside: bool, **draft: Any) -> DraftRow:
    return DraftRow(seat, aside, Draft(**draft))


COUNTS_CHANGES = LeftOut("counts how often the panel changed")

DRAFT = Table(
    "draft",
    _draft,
    (
        Column("match", TEXT, EXPORTED, in_record=False),
        Column("seat", COUNT, THE_SEAT),
        Column("aside", FLAG, EXPORTED),
        Column("words", WORDS, EXPORTED, read="draft.words"),
        Column("revision", COUNT, COUNTS_CHANGES, read="draft.revision"),
        Column("cut", COUNT, COUNTS_CHANGES, read="draft.cut"),
        Column("trail", TRAIL, Export("earlier"), read="draft.trail"),
        Column("confirmed", COUNT.or_none(), COUNTS_CHANGES, read="draft.confirmed"),
    ),
    ("match", "seat", "aside"),
    Deletion(at_match="seat IN (SELECT seat FROM chair WHERE match = :match AND person = :person)"),
    (
        Topic(
            "drafts",
            "draft.match, aside",
            "draft JOIN chair ON chair.match = draft.match AND chair.seat = draft.seat",
            "chair.person = ?",
        ),
    ),
    grows=True,
)
