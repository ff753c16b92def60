"""From the first chair to the first move: open, join, leave, fill up, start, once more."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from bot.domain.jobs import JobKind, NewJob
from bot.domain.people import DEFAULT_THEME, Person, Place
from bot.domain.requests import HandledRequest
from bot.domain.tables import Chair, Status, TableInfo, TableRow
from bot.matches.loaded_table import LoadedTable, no
from bot.matches.match_log import MatchLog
from bot.matches.table_cache import RequestId, TableCache, theme_name
from bot.store.protocol import Conflict
from engines.core import texts
from engines.core.contract import Manifest, Setup, msg
from engines.core.match import AnyGame
from engines.core.rng import SEED_BYTES, Rng, commitment

ID_BYTES = 5
"""Bytes of a table's id: eight letters and digits."""


class Lobby(TableCache):
    """The use cases of a table before its match. Each happens once for an interaction."""

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
        computers: int = 0,
        theme: str = DEFAULT_THEME,
    ) -> TableInfo:
        """Open a table; the host sits, and the chairs of those invited are kept free for them.

        ``seats`` ``None``: the smallest table that holds all. ``theme``: how the public pictures are
        painted; a game that has none of that name has its default one. Raises ``Refusal``.
        """
        known = self._game(game)
        guests = tuple({p.id: p for p in invited if p.id != host.id}.values())
        setup = _setup(known.manifest, options, seats, 1 + len(guests) + max(0, computers))
        chairs = _with_computers((Chair(0, host, host.name),), computers)
        info = TableInfo("", setup, host, place, Status.OPEN, chairs, "", None, rematch_of, theme_name(theme))
        now = self._clock()
        row = TableRow(info, known.manifest.data_hashes, opened_at=now, changed_at=now, invited=guests)
        return await self._create(row, str(request_id))

    async def _create(self, row: TableRow, request: str) -> TableInfo:
        async with self._store.read() as reader:
            done = await reader.request(request)
        if done is not None:
            return await self._opened(done, row)
        new = LoadedTable(replace(row, info=replace(row.info, id=await self._free_id())))
        host = row.info.host.id
        note = HandledRequest(request, new.id, host, "open")
        try:
            if new.info.full:
                return (await self._settle(LoadedTable(new.row), self._begun(new), request=note)).info
            job = NewJob(new.id, JobKind.LOBBY, due=self._clock())
            return (await self._commit(None, new, jobs=[job], request=note)).info
        except Conflict:
            async with self._store.read() as reader:
                done = await reader.request(request)
            if done is None:
                raise no("busy") from None
            return await self._opened(done, row)

    async def _opened(self, done: HandledRequest, row: TableRow) -> TableInfo:
        """Return the table that this very request opened before; raises ``Refusal``."""
        if (done.person, done.act) != (row.info.host.id, "open"):
            raise no("request")
        return (await self._get(done.table_id)).info

    async def _free_id(self) -> str:
        async with self._store.read() as reader:
            while True:
                table_id = base64.b32encode(self._entropy(ID_BYTES)).decode().lower()
                if await reader.table(table_id) is None:
                    return table_id

    async def invited(self, table_id: str) -> tuple[Person, ...]:
        """Return whose chairs are kept free; raises ``Refusal``."""
        return (await self._get(table_id)).row.invited

    async def join(self, table_id: str, person: Person, request_id: RequestId) -> TableInfo:
        """Take a chair; the match begins when all are taken. Raises ``Refusal``."""

        def seated(live: LoadedTable) -> LoadedTable:
            _must_be_open(live)
            if live.chair_of(person.id) is not None:
                raise no("already_joined")
            if live.info.full:
                raise no("full")
            others = tuple(guest for guest in live.row.invited if guest.id != person.id)
            if _free(live) <= len(others):
                raise no("reserved")
            chairs = _numbered((*live.info.chairs, Chair(0, person, person.name)))
            return replace(live, row=_row(live, chairs, others))

        return await self._change(table_id, person, request_id, "join", seated)

    async def leave(self, table_id: str, person: Person, request_id: RequestId) -> TableInfo:
        """Give a chair back, or decline an invitation. The next person becomes host. Raises ``Refusal``."""

        def gone(live: LoadedTable) -> LoadedTable:
            _must_be_open(live)
            if live.chair_of(person.id) is None:
                others = tuple(guest for guest in live.row.invited if guest.id != person.id)
                if others == live.row.invited:
                    raise no("not_joined")
                return replace(live, row=replace(live.row, invited=others))
            chairs = _numbered(
                tuple(c for c in live.info.chairs if c.person is None or c.person.id != person.id)
            )
            left = replace(live, row=_row(live, chairs, live.row.invited))
            people = left.people()
            if not people:
                return left.with_info(status=Status.CLOSED)
            return left if person.id != live.info.host.id else left.with_info(host=people[0])

        return await self._change(table_id, person, request_id, "leave", gone)

    async def add_computer(self, table_id: str, person: Person, request_id: RequestId) -> TableInfo:
        """Seat a computer player, on the last kept chair where no other is free. Raises ``Refusal``."""

        def seated(live: LoadedTable) -> LoadedTable:
            _must_be_open(live)
            _must_be_host(live, person)
            if live.info.full:
                raise no("full")
            invited = live.row.invited
            if _free(live) <= len(invited):
                invited = invited[:-1]
            return replace(live, row=_row(live, _with_computers(live.info.chairs, 1), invited))

        return await self._change(table_id, person, request_id, "add_computer", seated)

    async def start(self, table_id: str, person: Person, request_id: RequestId) -> TableInfo:
        """Begin with those who sit, if the game has a table of that size. Raises ``Refusal``."""

        def begun(live: LoadedTable) -> LoadedTable:
            _must_be_open(live)
            _must_be_host(live, person)
            sizes = self._game(live.info.game).manifest.seats
            count = len(live.info.chairs)
            if count not in sizes:
                raise no("not_enough", n=min((size for size in sizes if size > count), default=max(sizes)))
            return live.with_info(setup=replace(live.info.setup, seats=count))

        return await self._change(table_id, person, request_id, "start", begun)

    async def give_up(self, table_id: str) -> None:
        """Close an open table that can be shown nowhere; others stay as they are. Raises ``Refusal``."""

        async def work(live: LoadedTable) -> None:
            if live.info.status is Status.OPEN:
                await self._commit(live, live.with_info(status=Status.CLOSED))

        await self._attempt(table_id, work)

    async def rematch(self, table_id: str, person: Person, request_id: RequestId, place: Place) -> TableInfo:
        """Open a table for the same again, or join the one that another player has opened for it.

        Raises ``Refusal``.
        """
        async with self._locked(table_id) as live:
            if live.info.status is not Status.OVER:
                raise no("not_over")
            if live.chair_of(person.id) is None:
                raise no("not_seated")
            async with self._store.read() as reader:
                again = await reader.rematch_of(table_id)
            if again is None:
                setup = live.info.setup
                computers = sum(1 for chair in live.info.chairs if chair.person is None)
                return await self.open(
                    setup.game, dict(setup.options), setup.seats, person, place, request_id,
                    rematch_of=table_id, computers=computers, theme=live.info.theme,
                )  # fmt: skip
        table = await self._get(again)
        if table.chair_of(person.id) is not None:
            return table.info
        return await self.join(again, person, request_id)

    # --- parts ------------------------------------------------------------------------------------

    def _game(self, key: str) -> AnyGame:
        game = self._games.get(key)
        if game is None:
            raise no("unknown_game")
        return game

    async def _change(
        self,
        table_id: str,
        person: Person,
        request_id: RequestId,
        act: str,
        change: Callable[[LoadedTable], LoadedTable],
    ) -> TableInfo:
        """Carry out one change of an open table, once, and begin the match where it is due."""
        request = str(request_id)

        async def work(live: LoadedTable) -> TableInfo:
            if await self._repeated(request, table_id, person.id, act) is not None:
                return live.info
            new = change(live)
            note = HandledRequest(request, table_id, person.id, act)
            if act == "start" or (new.info.full and new.info.status is Status.OPEN):
                return (await self._settle(live, self._begun(new), request=note)).info
            job = NewJob(table_id, JobKind.LOBBY, due=self._clock())
            return (await self._commit(live, new, jobs=[job], request=note)).info

        return await self._attempt(table_id, work)

    def _begun(self, live: LoadedTable) -> LoadedTable:
        """Return the table with its match: the seed is drawn now, and the seats from the seed."""
        seed = self._entropy(SEED_BYTES)
        seats = Rng(seed).child("seating").stream("seats").shuffled(range(len(live.info.chairs)))
        chairs = tuple(replace(c, seat=seat) for c, seat in zip(live.info.chairs, seats, strict=True))
        live = live.with_info(chairs=chairs, commitment=commitment(seed), status=Status.RUNNING)
        chronicle = MatchLog.begin(self._game(live.info.game), live.info.setup, seed)
        return replace(
            live, row=replace(live.row, seed=seed, invited=(), started_at=self._clock()), chronicle=chronicle
        )


def _must_be_open(live: LoadedTable) -> None:
    status = live.info.status
    if status is not Status.OPEN:
        raise no({Status.CLOSED: "closed", Status.OVER: "over"}.get(status, "started"))


def _must_be_host(live: LoadedTable, person: Person) -> None:
    if live.info.host.id != person.id:
        raise no("not_host", name=live.info.host.name)


def _free(live: LoadedTable) -> int:
    return live.info.setup.seats - len(live.info.chairs)


def _row(live: LoadedTable, chairs: tuple[Chair, ...], invited: tuple[Person, ...]) -> TableRow:
    return replace(live.row, info=replace(live.info, chairs=chairs), invited=invited)


def _numbered(chairs: tuple[Chair, ...]) -> tuple[Chair, ...]:
    return tuple(replace(chair, order=order) for order, chair in enumerate(chairs))


def _with_computers(chairs: tuple[Chair, ...], count: int) -> tuple[Chair, ...]:
    for _ in range(count):
        taken = {chair.name for chair in chairs if chair.person is None}
        names = (_computer_name(number) for number in range(1, len(chairs) + 2))
        name = next(name for name in names if name not in taken)
        chairs = (*chairs, Chair(len(chairs), None, name))
    return chairs


def _computer_name(number: int) -> str:
    return texts.load("bot").render(msg("computer.name", n=number), str)


def _setup(manifest: Manifest, options: Mapping[str, str], seats: int | None, people: int) -> Setup:
    """Return the set-up with all options, in the manifest's order; raises ``Refusal``."""
    unknown = sorted(set(options) - {option.key for option in manifest.options})
    if unknown:
        raise no("unknown_option", option=unknown[0])
    chosen: list[tuple[str, str]] = []
    for option in manifest.options:
        value = options.get(option.key, option.default)
        if value not in {choice.key for choice in option.choices}:
            raise no("option_value", option=option.key, value=value)
        chosen.append((option.key, value))
    if seats is None:
        seats = min((size for size in manifest.seats if size >= people), default=max(manifest.seats))
    if seats not in manifest.seats:
        raise no("seats", n=seats)
    if people > seats:
        raise no("too_many", n=seats)
    return Setup(manifest.key, manifest.ruleset, seats, tuple(chosen))
