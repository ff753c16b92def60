"""A table before its match: open, join, leave, add computer players, start, rematch.

The bot draws its part of the shuffle when a table opens. Nobody can join before the part's hash is posted,
and only the host's *Start* begins a match: see ``docs/adr/0048``.
"""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from bot.domain.clocks import Pace, TimeUp
from bot.domain.jobs import JobKind, NewJob
from bot.domain.refusals import Act, refusal
from bot.domain.surfaces import HASH
from bot.domain.tables import (
    DEFAULT_THEME,
    MEMBER,
    Chair,
    FirstJoin,
    HandledRequest,
    Opener,
    Person,
    PersonId,
    Place,
    RequestId,
    Status,
    TableInfo,
    TableRow,
    is_former,
    joined_first,
    without_marks,
)
from bot.matches.chairs import free_seats, numbered, resized, seated, with_computer
from bot.matches.clocks import with_holidays
from bot.matches.limits import Admission, AdmissionRequest, Creation
from bot.matches.loaded_table import LoadedTable
from bot.matches.match_log import MatchLog
from bot.matches.settings import theme_name
from bot.matches.table_cache import TableCache
from bot.store import Conflict, Transaction
from engines.core import setups
from engines.core.contract import Manifest, Setup
from engines.core.match import AnyGame
from engines.core.names import isolated
from engines.core.optional_methods import Level
from engines.core.rng import SEED_BYTES, Rng, commitment, mixed_seed, part_hash
from engines.core.setups import filled

USUAL_LEVEL = Level.MIDDLE
"""The default level of computer players."""

ID_BYTES = 5
"""Bytes of a table's id, eight letters and digits."""


class Lobby:
    """The use cases of a table before its match. Each takes effect once per request."""

    def __init__(self, cache: TableCache, admission: Admission) -> None:
        self._cache = cache
        self._admission = admission
        self._limits = admission.limits

    async def open(
        self,
        game: str,
        options: Mapping[str, str],
        seats: int | None,
        host: Person,
        place: Place,
        request_id: RequestId,
        rematch_of: str | None = None,
        invited: Sequence[Person] = (),
        computers: Sequence[Level] = (),
        hints: bool = False,
        theme: str = DEFAULT_THEME,
        pace: Pace | None = None,
        former_pace: Pace | None = None,
        time_up: TimeUp = TimeUp.PASS,
        opener: Opener = MEMBER,
    ) -> TableInfo:
        """Open a table; the host takes a chair, and chairs are kept for the invited.

        ``seats`` ``None``: the game's usual size, or the smallest that fits all. ``computers``: the level of
        each computer player. ``theme``: of the public pictures; a game without that theme uses its default.
        ``pace``: the host's choice, else ``former_pace`` if the server still allows it, else the server's
        default. Raises ``Refusal``.
        """
        known = self._game(game)
        guests = tuple({p.id: p for p in invited if p.id != host.id}.values())
        setup = _setup(known.manifest, options, seats, 1 + len(guests) + len(computers))
        chairs: tuple[Chair, ...] = (Chair(0, host, host.name, join_id=str(request_id)),)
        for level in computers:
            chairs = with_computer(chairs, known, level)
        part = self._cache.entropy(SEED_BYTES)
        async with self._cache.store.read() as reader:
            pace = await self._admission.pace(reader, place, opener, pace, former_pace)
        info = TableInfo(
            "", setup, host, place, Status.OPEN, chairs, commitment=part_hash(part), thread_id=None,
            rematch_of=rematch_of, theme=theme_name(theme), pace=pace, time_up=time_up, hints=hints,
        )  # fmt: skip
        now = self._cache.clock()
        row = TableRow(
            info, known.manifest.data_hashes, opened_at=now, changed_at=now, part=part,
            first_joins=(FirstJoin(host.id, str(request_id)),), invited=guests,
        )  # fmt: skip
        return await self._create(row, str(request_id), opener)

    async def _create(self, row: TableRow, request: str, opener: Opener) -> TableInfo:
        table_id = ""
        async with self._cache.store.read() as reader:
            done = await reader.request(request)
            while done is None and (not table_id or await reader.table(table_id) is not None):
                table_id = base64.b32encode(self._cache.entropy(ID_BYTES)).decode().lower()
        if done is not None:
            return await self._opened(done, row)
        new = LoadedTable(replace(row, info=replace(row.info, id=table_id)))
        host = row.info.host.id
        note = HandledRequest(request, new.id, host, "open")
        admit = self._admit(new, Creation.OPEN, request, opener, [person.id for person in row.invited])
        try:
            return (await self._cache.commit(None, new, jobs=self._jobs(new), request=note, admit=admit)).info
        except Conflict:
            # The same interaction was delivered twice at once, and the other delivery won.
            async with self._cache.store.read() as reader:
                done = await reader.request(request)
            if done is None:
                raise refusal("busy") from None
            return await self._opened(done, row)

    def _admit(
        self,
        table: LoadedTable,
        way: Creation,
        request: str,
        opener: Opener = MEMBER,
        invited: Sequence[PersonId] = (),
    ) -> Callable[[Transaction], Awaitable[None]]:
        """Return the admission check of a table or its match's thread, to run in the writing transaction."""
        acts = (Act.THREAD if way is Creation.START else Act.TABLE,)
        host, place = table.info.host.id, table.info.place
        wish = AdmissionRequest(way, request, host, place, opener, table.id, tuple(invited), acts)
        return partial(self._admission.admit, wish=wish, now=self._cache.clock())

    async def _opened(self, done: HandledRequest, row: TableRow) -> TableInfo:
        if (done.person, done.act) != (row.info.host.id, "open"):
            raise refusal("request")
        return (await self._cache.get(done.table_id)).info

    async def join(self, table_id: str, person: Person, request_id: RequestId) -> TableInfo:
        """Take a chair, once the hash of the bot's part is posted. Raises ``Refusal``."""
        async with self._cache.store.read() as reader:
            # A repeated request has its seat already.
            if await reader.request(str(request_id)) is None:
                await self._admission.check_seat(reader, person.id)

        def joined(table: LoadedTable) -> LoadedTable:
            _must_be_open(table)
            if table.chair_of(person.id) is not None:
                raise refusal("already_joined")
            if table.info.full:
                raise refusal("full")
            others = tuple(guest for guest in table.row.invited if guest.id != person.id)
            # All free chairs are kept for others.
            if free_seats(table) <= len(others):
                raise refusal("reserved")
            joins, first = joined_first(table.row, person, str(request_id))
            chair = Chair(0, person, person.name, join_id=first)
            row = seated(table, numbered((*table.info.chairs, chair)), others)
            return replace(table, row=replace(row, first_joins=joins))

        return await self._change(table_id, person, request_id, "join", joined)

    async def leave(self, table_id: str, person: Person, request_id: RequestId) -> TableInfo:
        """Give a chair back, or decline an invitation; raises ``Refusal``.

        If the host leaves, the next person who may open a table becomes host. If nobody may, the table
        closes; people still seated can reopen it, if they may.
        """

        def gone(table: LoadedTable) -> LoadedTable:
            _must_be_open(table)
            if table.chair_of(person.id) is None:
                others = tuple(guest for guest in table.row.invited if guest.id != person.id)
                if others == table.row.invited:
                    raise refusal("not_joined")
                return replace(table, row=replace(table.row, invited=others))
            chairs = numbered(
                tuple(c for c in table.info.chairs if c.person is None or c.person.id != person.id)
            )
            left = replace(table, row=seated(table, chairs, table.row.invited))
            return left if left.people() else _closed(left)

        return await self._change(table_id, person, request_id, "leave", gone)

    async def check_company(self, table_id: str, person: Person) -> TableInfo:
        """Return the table if a person may seat a computer player there; raises ``Refusal`` otherwise."""
        table = await self._cache.get(table_id)
        _must_have_room(table, person)
        return table.info

    async def add_computer(
        self, table_id: str, person: Person, request_id: RequestId, level: Level = USUAL_LEVEL
    ) -> TableInfo:
        """Seat a computer player, on the last kept chair if no other is free. Raises ``Refusal``."""

        def added(table: LoadedTable) -> LoadedTable:
            _must_have_room(table, person)
            invited = table.row.invited
            if free_seats(table) <= len(invited):
                # Every free chair is kept for somebody: drop the latest invitation.
                invited = invited[:-1]
            chairs = with_computer(table.info.chairs, self._game(table.info.game), level)
            return replace(table, row=seated(table, chairs, invited))

        return await self._change(table_id, person, request_id, "add_computer", added)

    async def add_seat(self, table_id: str, person: Person, request_id: RequestId, seats: int) -> TableInfo:
        """Add a seat, up to ``seats``, the size that the host was offered. Raises ``Refusal``."""
        return await self._resize(table_id, person, request_id, "add_seat", seats)

    async def remove_seat(
        self, table_id: str, person: Person, request_id: RequestId, seats: int
    ) -> TableInfo:
        """Remove a free seat, down to ``seats``, the size that the host was offered. Raises ``Refusal``."""
        return await self._resize(table_id, person, request_id, "remove_seat", seats)

    async def _resize(
        self, table_id: str, person: Person, request_id: RequestId, act: str, seats: int
    ) -> TableInfo:
        def changed(table: LoadedTable) -> LoadedTable:
            _must_be_open(table)
            _must_be_host(table, person)
            manifest = self._game(table.info.game).manifest
            return resized(table, manifest, seats, larger=act == "add_seat")

        return await self._change(table_id, person, request_id, act, changed)

    async def start(self, table_id: str, person: Person, request_id: RequestId) -> TableInfo:
        """Begin the match with everybody seated, if the game supports that number. Raises ``Refusal``.

        Nothing else begins a match: the id of this interaction is the last one mixed into the seed.
        """

        def begun(table: LoadedTable) -> LoadedTable:
            _must_be_open(table)
            _must_be_host(table, person)
            manifest, taken = self._game(table.info.game).manifest, len(table.info.chairs)
            needed = setups.seats_for(manifest, taken)
            if needed != taken:
                raise refusal("not_enough", n=max(manifest.seats) if needed is None else needed)
            # Drop free seats: the seed does not depend on them.
            setup = replace(table.info.setup, seats=taken)
            return self._begun(table.with_info(setup=setup), str(request_id))

        return await self._change(table_id, person, request_id, "start", begun)

    async def give_up(self, table_id: str) -> None:
        """Close a table that cannot be shown anywhere; does nothing unless it is open. Raises ``Refusal``."""

        async def work(table: LoadedTable) -> None:
            if table.info.status is Status.OPEN:
                await self._cache.commit(table, _closed(table))

        await self._cache.attempt(table_id, work)

    async def expire(self, table_id: str) -> None:
        """Close an open table that has not changed for too long; else do nothing. Raises ``Refusal``."""

        async def work(table: LoadedTable) -> None:
            now = self._cache.clock()
            # The table may have changed since this became due.
            if table.info.status is Status.OPEN and table.row.changed_at + self._limits.open_for_s <= now:
                job = NewJob(table_id, JobKind.LOBBY, due=now)
                await self._cache.commit(table, _closed(table), jobs=[job])

        await self._cache.attempt(table_id, work)

    async def reopen(
        self, table_id: str, person: Person, request_id: RequestId, opener: Opener = MEMBER
    ) -> TableInfo:
        """Reopen an expired table with everybody seated there; the person becomes its host.

        Raises ``Refusal``.
        """
        request = str(request_id)

        async def work(table: LoadedTable) -> TableInfo:
            if await self._cache.handled(request, table_id, person.id, "reopen") is not None:
                return table.info
            if table.info.status is not Status.CLOSED or table.info.begun:
                _must_be_open(table)
                return table.info
            if table.chair_of(person.id) is None:
                raise refusal("not_reopened")
            row = replace(table.row, changed_at=self._cache.clock())
            new = replace(table, row=row).with_info(status=Status.OPEN, host=person)
            note = HandledRequest(request, table_id, person.id, "reopen")
            allowed = self._admit(new, Creation.REOPEN, request, opener)

            async def admit(unit: Transaction) -> None:
                await allowed(unit)
                former = new.info.rematch_of
                if former is not None and await unit.rematch_of(former) is not None:
                    raise refusal("rematch_open")

            jobs = self._jobs(new)
            return (await self._cache.commit(table, new, jobs=jobs, request=note, admit=admit)).info

        return await self._cache.attempt(table_id, work)

    async def rematch(
        self,
        table_id: str,
        person: Person,
        request_id: RequestId,
        place: Place,
        opener: Opener = MEMBER,
    ) -> TableInfo:
        """Open a table for a rematch, or join the one that another player has opened for it.

        Each acceptance, including the first, counts as a *Join* for the shuffle. Raises ``Refusal``.
        """
        async with self._cache.locked(table_id) as table:
            if table.info.status is not Status.OVER:
                raise refusal("not_over")
            if table.chair_of(person.id) is None:
                raise refusal("not_seated")
            async with self._cache.store.read() as reader:
                again = await reader.rematch_of(table_id)
            # Under the old table's lock, so that two players do not open one each.
            if again is None:
                setup = filled(self._game(table.info.game).manifest, table.info.setup)
                computers = [c.level or USUAL_LEVEL for c in table.info.chairs if c.person is None]
                people = [chair.person for chair in table.info.chairs if chair.person is not None]
                # Keep no seat for people who have deleted their data.
                others = [each for each in people if not is_former(each.id)]
                return await self.open(
                    setup.game, dict(setup.options), setup.seats, person, place, request_id,
                    invited=others, rematch_of=table_id, computers=computers, theme=table.info.theme,
                    former_pace=table.info.pace, time_up=table.info.time_up, hints=table.info.hints,
                    opener=opener,
                )  # fmt: skip
        table = await self._cache.get(again)
        if table.chair_of(person.id) is not None:
            return table.info
        return await self.join(again, person, request_id)

    def _game(self, key: str) -> AnyGame:
        game = self._cache.games.get(key)
        if game is None:
            raise refusal("unknown_game")
        return game

    async def _change(
        self,
        table_id: str,
        person: Person,
        request_id: RequestId,
        act: str,
        change: Callable[[LoadedTable], LoadedTable],
    ) -> TableInfo:
        request = str(request_id)

        async def work(table: LoadedTable) -> TableInfo:
            if await self._cache.handled(request, table_id, person.id, act) is not None:
                return table.info
            new = change(table)
            if act in ("join", "start"):
                await self._must_show_hash(table)
            note = HandledRequest(request, table_id, person.id, act)
            if act == "start":
                admit = self._admit(new, Creation.START, request)
                new = await with_holidays(self._cache.store, new)
                return (await self._cache.settle(table, new, request=note, admit=admit)).info
            new, check = await self._with_host(new)
            if act == "join":
                acts = (Act.JOIN,)
                wish = AdmissionRequest(
                    Creation.JOIN, request, person.id, table.info.place, match=table_id, acts=acts
                )
                check = partial(self._admission.admit, wish=wish, now=self._cache.clock())
            new = replace(new, row=replace(new.row, changed_at=self._cache.clock()))
            jobs = self._jobs(new)
            return (await self._cache.commit(table, new, jobs=jobs, request=note, admit=check)).info

        return await self._cache.attempt(table_id, work)

    async def _with_host(
        self, table: LoadedTable
    ) -> tuple[LoadedTable, Callable[[Transaction], Awaitable[None]] | None]:
        """Return an open table with its next host if the host has left, or closed if nobody may be host.

        Also return a check to repeat this in the transaction: if two hosts leave at once, both tables may
        have chosen the same person.
        """
        info, people = table.info, table.people()
        if info.status is not Status.OPEN or any(person.id == info.host.id for person in people):
            return table, None
        async with self._cache.store.read() as reader:
            host = await self._admission.next_host(reader, info.place, people)

        async def check(unit: Transaction) -> None:
            if await self._admission.next_host(unit, info.place, people) != host:
                raise Conflict("somebody else is to be host")

        # A closed table keeps the former host's name, so that its message can say why.
        return _closed(table) if host is None else table.with_info(host=host), check

    async def _must_show_hash(self, table: LoadedTable) -> None:
        """Refuse an act that counts for the shuffle before its hash was posted; raises ``Refusal``."""
        if table.row.part is None:
            return
        async with self._cache.store.read() as reader:
            shown = await reader.shown(table.id, HASH)
        if shown is None:
            raise refusal("hash_pending")

    def _jobs(self, table: LoadedTable) -> list[NewJob]:
        """Return the jobs after a change of a table: show it, and expire it later if it is open."""
        now = self._cache.clock()
        jobs = [NewJob(table.id, JobKind.LOBBY, due=now)]
        if table.info.status is Status.OPEN:
            jobs.append(NewJob(table.id, JobKind.EXPIRE, due=now + self._limits.open_for_s))
        return jobs

    def _begun(self, table: LoadedTable, start_id: str) -> LoadedTable:
        part = table.row.part
        if part is None:
            # The table was opened by an earlier version, which drew the whole seed at the start.
            seed = self._cache.entropy(SEED_BYTES)
            table = table.with_info(commitment=commitment(seed))
        else:
            seed = mixed_seed(part, (*table.info.join_ids, start_id))
            table = table.with_info(start_id=start_id)
        # Seats are derived from the seed, so verifying the seed at the end verifies them too.
        seats = Rng(seed).child("seating").stream("seats").shuffled(range(len(table.info.chairs)))
        chairs = tuple(replace(c, seat=seat) for c, seat in zip(table.info.chairs, seats, strict=True))
        game = self._game(table.info.game)
        # The table may have been opened by an earlier version: its match uses the current ruleset.
        setup = replace(table.info.setup, ruleset=game.manifest.ruleset)
        table = table.with_info(chairs=chairs, status=Status.RUNNING, setup=setup)
        log = MatchLog.begin(game, setup, seed, table.info.seats_of_people())
        row = replace(
            table.row, data_hashes=game.manifest.data_hashes, seed=seed, first_joins=(), invited=(),
            started_at=self._cache.clock(),
        )  # fmt: skip
        return replace(table, row=row, log=log)


def _closed(table: LoadedTable) -> LoadedTable:
    """Close an open table and forget the marks of people who deleted their data: it may never begin."""
    joins = without_marks(table.row.first_joins)
    return replace(table, row=replace(table.row, first_joins=joins)).with_info(status=Status.CLOSED)


def _must_be_open(table: LoadedTable) -> None:
    status = table.info.status
    if status is not Status.OPEN:
        raise refusal({Status.CLOSED: "closed", Status.OVER: "over"}.get(status, "started"))


def _must_be_host(table: LoadedTable, person: Person) -> None:
    if table.info.host.id != person.id:
        raise refusal("not_host", host=isolated(table.info.host.name))


def _must_have_room(table: LoadedTable, host: Person) -> None:
    _must_be_open(table)
    _must_be_host(table, host)
    if table.info.full:
        raise refusal("full")


def _setup(manifest: Manifest, options: Mapping[str, str], seats: int | None, people: int) -> Setup:
    unknown = sorted(set(options) - {option.key for option in manifest.options})
    if unknown:
        raise refusal("unknown_option", option=unknown[0])
    # In the manifest's order, so that equal set-ups compare equal.
    chosen: list[tuple[str, str]] = []
    for option in manifest.options:
        value = options.get(option.key, option.default)
        if value not in {choice.key for choice in option.choices}:
            raise refusal("option_value", option=option.key, value=value)
        chosen.append((option.key, value))
    if seats is None:
        seats = setups.usual_seats(manifest, people)
    if seats not in manifest.seats:
        raise refusal("seats", n=seats)
    if people > seats:
        raise refusal("too_many", n=seats)
    return Setup(manifest.key, manifest.ruleset, seats, tuple(chosen))
