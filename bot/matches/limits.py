"""All limits on what one person, one channel and one match may have or do, and admission, which applies them.

They keep people from flooding a channel, pinging somebody again and again, or monopolising the bot. Whether a
person may create a table or a thread is checked in the transaction that writes the table, so that concurrent
requests or processes cannot get around a limit.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from bot.domain.clocks import Pace
from bot.domain.match import LogRow, RowKind
from bot.domain.refusals import DAY_S, HOUR_S, Act, CountedAct, refusal
from bot.domain.tables import (
    MEMBER,
    THREADS_PER_DAY,
    Opener,
    Opening,
    Person,
    PersonId,
    Place,
    ServerRules,
    is_former,
)
from bot.store import Reader, Transaction
from engines.core.contract import Seat

UNLIMITED = 1 << 30

QUESTIONS = frozenset({RowKind.PROPOSE, RowKind.OFFER})
"""Log rows that ask the other players something."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The maximum of each. An hour and a day are sliding windows that end now."""

    # --- existing tables: counted in the database
    opened: int = 5
    """Tables opened by one person that wait for players."""
    seats: int = 30
    """Tables, open or running, with a seat of one person."""
    waiting: int = 20
    """Tables in one channel that wait for players."""
    channel: int = 200
    """Tables in one channel, open or running. Discord allows a server a thousand threads."""
    open_for_s: float = DAY_S
    """Seconds without a change after which an open table closes."""

    # --- acts of one person: counted in the database, across restarts and processes
    tables_per_hour: int = 20
    """Tables that one person opens or reopens."""
    joins_per_hour: int = 20
    """Tables that one person joins: each join edits a message in other people's channels."""
    threads_per_day: int = THREADS_PER_DAY
    """Threads that one person creates on one server; its managers may set another number."""
    moves_per_day: int = 4
    """Moves of one match to another channel by one person."""
    invitations_per_hour: int = 8
    """Invitations of one person by one other person."""
    invitations_received_per_hour: int = 20
    """Invitations of one person by all others."""
    exports_per_hour: int = 5
    """Data exports of one person."""

    # --- pings caused by other people's acts: the last one is stored with the shown messages
    host_called_every_s: float = 900.0
    """Minimum seconds between two pings of a host with the same news of a table: it can start, or is full."""

    # --- questions to the other players of a match: counted in its log
    questions_per_hour: int = 10
    """Proposals and draw offers by one seat in one match: each pings the others."""

    # --- work of one interaction
    typed_characters: int = 400
    """Characters of a typed turn."""
    menus_per_completion: int = 80
    """Menus computed per completion: the event loop does this at every keystroke."""

    # --- concurrency: counted in memory, per process
    interactions_at_once: int = 16
    """Pending interactions of one person; further ones are refused at once."""
    slow_work_at_once: int = 8
    """Pending private pictures, pasts, lists and exports of one person; they are made one by one."""

    def check_question(self, rows: Iterable[LogRow], seat: Seat, now: float) -> None:
        """Raise ``Refusal`` if a seat may not ask the other players of its match anything more for now."""
        asked = [
            row.at for row in rows if row.seat == seat and row.kind in QUESTIONS and row.at > now - HOUR_S
        ]
        most = self.questions_per_hour
        if len(asked) >= most:
            raise refusal("limit_questions", n=most, when=int(asked[-most] + HOUR_S) + 1)


LIMITS = Limits()

NO_LIMITS = Limits(
    opened=UNLIMITED,
    seats=UNLIMITED,
    waiting=UNLIMITED,
    channel=UNLIMITED,
    tables_per_hour=UNLIMITED,
    joins_per_hour=UNLIMITED,
    threads_per_day=UNLIMITED,
    moves_per_day=UNLIMITED,
)
"""For benchmarks, which fill one channel with a few people's matches."""


DISGUISE_KEY = "counted_acts_key"
"""Key of the stored secret from which pseudonymous ids are made: the acts of people who deleted their data
stay counted under these for a day."""


class Creation(Enum):
    """How a table or a thread is created."""

    OPEN = "open"
    """With /play, *Play your first match* or *Rematch*."""
    REOPEN = "reopen"
    JOIN = "join"
    """A chair at a table that was already admitted."""
    START = "start"
    """The thread of a match that begins: its table was already admitted."""
    MOVE = "move"


@dataclass(frozen=True, slots=True)
class AdmissionRequest:
    """A request for admission: who wants to create what, and where."""

    way: Creation
    request: str
    person: PersonId
    place: Place
    opener: Opener = MEMBER
    match: str = ""
    invited: tuple[PersonId, ...] = ()
    acts: tuple[Act, ...] = ()
    """The acts to count, besides the invitations."""


class Admission:
    """Decides whether to admit a request, and counts admitted acts."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits

    async def admit(self, unit: Transaction, wish: AdmissionRequest, now: float) -> None:
        """Admit a request and count it; raises ``Refusal``. Call it before the unit writes any of it."""
        rules = await unit.server_rules(wish.place.guild_id)
        if wish.way not in {Creation.JOIN, Creation.START}:
            await self._check_server(unit, rules, wish)
            await self._check_tables(unit, wish)
        for act in wish.acts:
            await self._check_act(unit, act, wish, rules, now)
        acts = [self._counted(wish, act, now) for act in wish.acts]
        # In a rematch, people who deleted their data appear as pseudonyms, which ping nobody.
        for recipient in [each for each in wish.invited if not is_former(each)]:
            await self._check_inviter(unit, wish.person, recipient, now)
            # If others have used up a person's invitations, their seat is kept but they are not pinged.
            if not await self._is_invited_too_often(unit, recipient, now):
                acts.append(self._counted(wish, Act.INVITATION, now, recipient))
        if acts:
            await unit.count_acts(acts, now - DAY_S)

    async def pace(
        self, reader: Reader, place: Place, opener: Opener, named: Pace | None, former: Pace | None = None
    ) -> Pace:
        """Return the pace for a new table; raises ``Refusal`` for a forbidden one.

        ``named``: the host's choice. ``former``: the pace of the match before a rematch, used if still
        allowed. Otherwise the server's default.
        """
        rules = await reader.server_rules(place.guild_id)
        if named is not None and not opener.manages and named not in rules.paces:
            raise refusal("server_pace")
        if named is None and former is not None and (opener.manages or former in rules.paces):
            named = former
        return rules.pace if named is None else named

    async def check_seat(self, reader: Reader, person: PersonId) -> None:
        """Raise ``Refusal`` if a person may not sit down at another table."""
        if (await reader.count_tables(person, 0)).seats >= self.limits.seats:
            raise refusal("limit_seats", n=self.limits.seats)

    async def next_host(self, reader: Reader, place: Place, people: Iterable[Person]) -> Person | None:
        """Choose a table's new host after the old one has left; ``None``: nobody may be.

        Their roles are unknown, since they pressed nothing: unless everybody may open tables here, none of
        them becomes host. A person who may open no more tables is skipped.
        """
        if (await reader.server_rules(place.guild_id)).opening is not Opening.EVERYBODY:
            return None
        for person in people:
            if (await reader.count_tables(person.id, place.channel_id)).opened < self.limits.opened:
                return person
        return None

    async def invite(self, unit: Transaction, invitation: CountedAct) -> None:
        """Count an invitation to a seat; raises ``Refusal``."""
        await self._check_inviter(unit, invitation.person, invitation.recipient, invitation.at)
        if await self._is_invited_too_often(unit, invitation.recipient, invitation.at):
            # The refusal names no time: that would reveal when others invited this person.
            raise refusal("limit_invited")
        await unit.count_acts([invitation], invitation.at - DAY_S)

    async def _check_inviter(
        self, unit: Transaction, person: PersonId, recipient: PersonId, now: float
    ) -> None:
        """Raise ``Refusal`` if one person may not invite another again for now."""
        given = await unit.counted_acts(await ids_of(unit, person), Act.INVITATION, now - HOUR_S)
        theirs = await ids_of(unit, recipient)
        own = [act for act in given if act.recipient in theirs]
        most = self.limits.invitations_per_hour
        if len(own) >= most:
            raise refusal("limit_invitations", n=most, when=_free_at(own, most, HOUR_S))

    async def _is_invited_too_often(self, unit: Transaction, recipient: PersonId, now: float) -> bool:
        received = await unit.count_invitations_to(await ids_of(unit, recipient), now - HOUR_S)
        return received >= self.limits.invitations_received_per_hour

    async def admit_export(self, unit: Transaction, person: PersonId, request: str, now: float) -> None:
        """Count a person's export of their data; raises ``Refusal`` for one too many."""
        done = await unit.counted_acts(await ids_of(unit, person), Act.EXPORT, now - HOUR_S)
        most = self.limits.exports_per_hour
        if len(done) >= most:
            raise refusal("limit_exports", n=most, when=_free_at(done, most, HOUR_S))
        await unit.count_acts([CountedAct(request, Act.EXPORT, person, now)], now - DAY_S)

    async def _check_server(self, unit: Transaction, rules: ServerRules, wish: AdmissionRequest) -> None:
        if wish.opener.manages:
            return
        if rules.opening is Opening.MANAGERS:
            raise refusal("server_managers")
        if rules.opening is Opening.ROLES and not wish.opener.roles & set(rules.roles):
            raise refusal("server_roles")
        if rules.channels and wish.place.channel_id not in rules.channels:
            raise refusal("server_channels")
        # A moving match is already included in the count.
        if rules.most is None or wish.way is Creation.MOVE:
            return
        if await unit.count_on_server(wish.place.guild_id) >= rules.most:
            raise refusal("server_most", n=rules.most)

    async def _check_tables(self, unit: Transaction, wish: AdmissionRequest) -> None:
        count, limits = await unit.count_tables(wish.person, wish.place.channel_id), self.limits
        if count.channel >= limits.channel:
            raise refusal("limit_channel", n=limits.channel)
        if wish.way is Creation.MOVE:
            return
        if count.opened >= limits.opened:
            raise refusal("limit_opened", n=limits.opened)
        if count.seats >= limits.seats:
            raise refusal("limit_seats", n=limits.seats)
        if count.waiting >= limits.waiting:
            raise refusal("limit_waiting", n=limits.waiting)

    async def _check_act(
        self, unit: Transaction, act: Act, wish: AdmissionRequest, rules: ServerRules, now: float
    ) -> None:
        limits, window = self.limits, DAY_S
        match act:
            case Act.THREAD:
                most = rules.threads_per_day or limits.threads_per_day
            case Act.MOVE:
                most = limits.moves_per_day
            case Act.JOIN:
                most, window = limits.joins_per_hour, HOUR_S
            case _:
                most, window = limits.tables_per_hour, HOUR_S
        if most == UNLIMITED:
            return
        done = await unit.counted_acts(await ids_of(unit, wish.person), act, now - window)
        if act is Act.THREAD:
            done = [each for each in done if each.guild == wish.place.guild_id]
        elif act is Act.MOVE:
            done = [each for each in done if each.match == wish.match]
        if len(done) >= most:
            raise refusal(
                {
                    Act.THREAD: "limit_threads",
                    Act.MOVE: "limit_moves",
                    Act.JOIN: "limit_joins",
                    Act.TABLE: "limit_tables",
                }[act],
                n=most,
                when=_free_at(done, most, window),
            )

    def _counted(self, wish: AdmissionRequest, act: Act, now: float, recipient: PersonId = 0) -> CountedAct:
        return CountedAct(wish.request, act, wish.person, now, wish.place.guild_id, wish.match, recipient)


async def ids_of(unit: Reader, person: PersonId) -> list[PersonId]:
    """Return the ids under which a person's acts are counted: their own, and the one after a deletion."""
    key = await unit.value(DISGUISE_KEY)
    return [person] if key is None else [person, _disguise(key, person)]


async def disguise(unit: Transaction, person: PersonId) -> None:
    """Replace a person's id in their counted acts, so that deleting their data does not reset the counts."""
    key = await unit.value(DISGUISE_KEY)
    if key is None:
        key = secrets.token_hex(32)
        await unit.set_value(DISGUISE_KEY, key)
    await unit.disguise_acts(person, _disguise(key, person))


def _disguise(key: str, person: PersonId) -> PersonId:
    digest = hmac.new(bytes.fromhex(key), str(person).encode(), hashlib.sha256).digest()
    # Negative, so it cannot collide with a Discord account.
    return -(int.from_bytes(digest[:8]) >> 2) - 1


def _free_at(done: Iterable[CountedAct], most: int, window: float) -> int:
    """Return the Unix time when one more act is allowed; ``done``: the latest first."""
    return int([act.at for act in done][most - 1] + window) + 1
