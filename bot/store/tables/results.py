"""Tables of results: how matches ended. Rows are written once, with the end of their match."""

from __future__ import annotations

from bot.domain.results import Ending, EndingKind, Fate, SeatResult
from bot.store import codecs
from bot.store.codecs import ANY_ID, COUNT, FLAG, TEXT, TIME, WHOLE, choice
from bot.store.schema import EXPORTED, OWNER, Column, Deletion, Export, Table, Topic
from bot.store.tables.matches import THE_OTHERS_TOO
from engines.core.optional_methods import Level

RESULTS = Topic("results", "ended_at, ending.match", "ending JOIN result ON result.match = ending.match")

ENDING = Table(
    "ending",
    Ending,
    (
        Column("match", TEXT, EXPORTED),
        Column("guild", ANY_ID, Export("server")),
        Column("game", TEXT, EXPORTED),
        Column("seats", COUNT, EXPORTED),
        Column("people", COUNT, EXPORTED),
        Column("rated", FLAG, EXPORTED),
        Column("kind", choice(EndingKind), EXPORTED),
        Column("ended_at", TIME, EXPORTED),
    ),
    ("match",),
    Deletion(kept=THE_OTHERS_TOO),
    (RESULTS,),
    grows=True,
)

RESULT = Table(
    "result",
    SeatResult,
    (
        Column("match", TEXT, EXPORTED, in_record=False),
        Column("seat", COUNT, EXPORTED),
        Column("person", codecs.PERSON.or_none(), OWNER, role=True, replacement="seat + 1"),
        Column("level", choice(Level).or_none(), EXPORTED),
        Column("place", COUNT, EXPORTED),
        Column("tied", FLAG, EXPORTED),
        Column("score", WHOLE.or_none(), EXPORTED),
        Column("fate", choice(Fate), EXPORTED),
        Column("sentences", COUNT, EXPORTED),
    ),
    ("match", "seat"),
    Deletion(replaced="person = :person", kept=THE_OTHERS_TOO),
    (RESULTS,),
    grows=True,
)
