"""Tables about people and servers."""

from __future__ import annotations

from typing import Any

from bot.domain.clocks import KNOWN_ZONES, Holiday, Pace, Reminding
from bot.domain.lessons import LessonRow
from bot.domain.match import Draft, Preset
from bot.domain.refusals import Act, CountedAct
from bot.domain.tables import Opening, Preferences, ServerRules
from bot.store import codecs
from bot.store.codecs import ANY_ID, COUNT, FLAG, ID, IDS, TEXT, TIME, TRAIL, WORDS, choice, choices, must
from bot.store.schema import EXPORTED, OWNER, Column, Deletion, Export, LeftOut, Table, Topic

ERASED = Deletion(everywhere=True)


def _preferences(quiet_from: int | None, quiet_until: int | None, **others: Any) -> Preferences:
    hours = None if quiet_from is None or quiet_until is None else (quiet_from, quiet_until)
    found = Preferences(**others, quiet=hours)
    must(not found.zone or found.zone in KNOWN_ZONES)
    must(hours is None or bool(found.zone))
    return found


PERSON = Table(
    "person",
    _preferences,
    (
        Column("id", codecs.PERSON, OWNER, in_record=False),
        Column("dms", FLAG, Export("direct_messages")),
        Column("language", TEXT, EXPORTED),
        Column("locale", TEXT, EXPORTED),
        Column("theme", TEXT, EXPORTED),
        Column("always_confirm", FLAG, EXPORTED),
        Column("reminders", choice(Reminding), EXPORTED),
        Column("zone", TEXT, Export("time_zone")),
        Column("quiet_from", COUNT.or_none(), EXPORTED, read=lambda found: found.quiet and found.quiet[0]),
        Column("quiet_until", COUNT.or_none(), EXPORTED, read=lambda found: found.quiet and found.quiet[1]),
        Column("reminded_at", TIME.or_none(), EXPORTED, in_record=False),
        Column("unreached_at", TIME.or_none(), EXPORTED, in_record=False),
    ),
    ("id",),
    ERASED,
    (Topic("settings", where="id = ?"),),
)

DM_CHANNEL: Table[dict[str, Any]] = Table(
    "dm_channel",
    dict,
    (
        Column("person", codecs.PERSON, OWNER),
        Column("account", ID, Export("bot")),
        Column("channel", ID, EXPORTED),
    ),
    ("person", "account"),
    ERASED,
    (Topic("channels_of_direct_messages", "account"),),
)

PRESET = Table(
    "preset",
    Preset,
    (
        Column("person", codecs.PERSON, OWNER, in_record=False),
        Column("game", TEXT, EXPORTED),
        Column("menu", TEXT, EXPORTED),
        Column("text", TEXT, EXPORTED),
    ),
    ("person", "game", "menu"),
    ERASED,
    (Topic("presets", "game, menu"),),
)


def _lesson(game: str, key: str, done: bool, **draft: Any) -> LessonRow:
    return LessonRow(game, key, Draft(**draft), done)


LESSON = Table(
    "lesson",
    _lesson,
    (
        Column("person", codecs.PERSON, OWNER, in_record=False),
        Column("game", TEXT, EXPORTED),
        Column("lesson", TEXT, EXPORTED, "key"),
        Column("words", WORDS, EXPORTED, read="draft.words"),
        Column("revision", COUNT, LeftOut("counts how often the panel changed"), read="draft.revision"),
        Column("trail", TRAIL, Export("earlier"), read="draft.trail"),
        Column("done", FLAG, EXPORTED),
    ),
    ("person", "game", "lesson"),
    ERASED,
    (Topic("lessons", "game, lesson"),),
)

HOLIDAY = Table(
    "holiday",
    Holiday,
    (
        Column("person", codecs.PERSON, OWNER, in_record=False),
        Column("begun", TIME, EXPORTED),
        Column("latest", TIME, EXPORTED),
        Column("ended", TIME.or_none(), EXPORTED),
    ),
    ("person", "begun"),
    ERASED,
    (Topic("holidays", "begun"),),
)

INVITED = "invitations_counted"

COUNTED_ACT = Table(
    "counted_act",
    CountedAct,
    (
        Column("request", TEXT, Export("interaction")),
        Column("act", choice(Act), EXPORTED),
        Column(
            "recipient",
            codecs.PERSON,
            LeftOut("names others; invitations of the person are a topic of their own"),
            disguised=True,
        ),
        Column("person", codecs.PERSON, OWNER, disguised=True),
        Column("guild", ANY_ID, (Export("server"), Export("server", INVITED))),
        Column("match", TEXT, (EXPORTED, Export(topic=INVITED))),
        Column("at", TIME, (EXPORTED, Export(topic=INVITED))),
    ),
    ("request", "act", "recipient"),
    Deletion(kept="counts for a day, under a keyed hash of the id"),
    (
        Topic("counted_acts", "act, at, request"),
        Topic(INVITED, "at, match", where="recipient = ?"),
    ),
)


def _server_rules(paces: tuple[Pace, ...], pace: Pace, **others: Any) -> ServerRules:
    found = ServerRules(**others, pace=pace).with_paces(paces)
    must(found.pace is pace)
    return found


SERVERS_OWN = LeftOut("the server's own")

SERVER = Table(
    "server",
    _server_rules,
    (
        Column("guild", ID, SERVERS_OWN, in_record=False),
        Column("opening", choice(Opening), SERVERS_OWN),
        Column("roles", IDS, SERVERS_OWN),
        Column("channels", IDS, SERVERS_OWN),
        Column("most", COUNT.or_none(), SERVERS_OWN),
        Column("paces", choices(Pace), SERVERS_OWN),
        Column("pace", choice(Pace), SERVERS_OWN),
        Column("threads_per_day", COUNT.or_none(), SERVERS_OWN),
        Column("language", TEXT, SERVERS_OWN),
        Column("locale", TEXT, SERVERS_OWN),
    ),
    ("guild",),
    Deletion(kept="nobody's"),
)

NOTED_TIME = (
    "INSERT INTO person (id, dms, language, {0}) VALUES (?, 0, '', ?)"
    " ON CONFLICT (id) DO UPDATE SET {0} = excluded.{0}"
)
"""Saves a time of a person, also of one without settings."""
