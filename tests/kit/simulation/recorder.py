"""Records a run for the witness: requests, responses and commits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Protocol

from bot.domain.refusals import Refusal
from tests.kit.simulation.database import Database
from tests.kit.simulation.discord import Discord
from tests.kit.simulation.ledger import Ledger
from tests.kit.simulation.loop import SeededLoop
from tests.kit.witness.reading import SEATED, chair_name
from tests.kit.witness.transcript import (
    DONE,
    LOST,
    Chosen,
    ClockShown,
    Holiday,
    MatchRecord,
    PersonId,
    Post,
    Press,
    Row,
    Screen,
    Seat,
    Transcript,
)

_MATCHES = (
    "SELECT id, game, ruleset, seats, options, seed, pace, guild, started_at FROM match"
    " WHERE seed IS NOT NULL AND started_at IS NOT NULL"
)
_TABLES = (
    "SELECT match.id, count(chair.ord) - count(chair.person) FROM match"
    " LEFT JOIN chair ON chair.match = match.id GROUP BY match.id"
)
_ROWS = "SELECT seq, kind, seat, words, request, at, restore_id FROM log WHERE match = '{}' ORDER BY seq"
_CALLED = "SELECT match, person, name FROM chair WHERE person IS NOT NULL"
_CLOCKS = (
    "SELECT match, seat, reserve, until, deadline, stopped_at FROM chair JOIN match ON match.id = chair.match"
    " WHERE status = 'running' AND pace <> 'none' AND person IS NOT NULL AND reserve IS NOT NULL"
)

_MATCH_ACTS = {
    "lobby.add_computer": "add computer",
    "lobby.start": "start",
    "lobby.leave": "leave",
    "lobby.rematch": "rematch",
    "actions.resign": "resign",
    "actions.offer_draw": "offer draw",
    "actions.decline_draw": "decline draw",
    "absences.claim": "claim",
    "absences.let_computer_play": "let computer play",
    "absences.wait_longer": "wait longer",
    "absences.come_back": "come back",
    "motions.propose": "propose",
    "motions.answer": "answer",
    "motions.resume": "resume",
    "motions.grant": "grant",
    "motions.offer_seat": "offer seat",
    "motions.take_seat": "take seat",
    "motions.refuse_seat": "refuse seat",
    "reminders.nudge": "nudge",
    "reminders.mute": "muted",
}
"""Acts by use case; arguments: the match, then the person."""

_OWN_ACTS = {
    "settings.set_dms": "direct messages",
    "settings.set_reminders": "reminders",
    "settings.set_zone": "zone",
    "settings.set_quiet": "quiet hours",
    "holidays.begin": "holiday",
    "holidays.end": "holiday",
}
"""Acts by use case; argument: the person."""

_DRAFT_ACTS = {
    "drafts.panel": "look",
    "drafts.choose": "draft",
    "drafts.back": "draft",
    "drafts.shuffle": "draft",
}
"""Acts on a draft by use case."""

_READS = {"read_list": "list", "read_log": "log"}
"""By what a house tells whom: what somebody reads."""

_OPEN = "lobby.open"

_CONFIRM, _PRESS = "actions.confirm", "client.on_interaction"
_WATCHED = {*_MATCH_ACTS, *_OWN_ACTS, *_DRAFT_ACTS, *_READS, _OPEN, _CONFIRM, _PRESS}
_ON_THE_WAY = {"services", "client", "clocks"} | {each.partition(".")[0] for each in _WATCHED}


class Stage(Protocol):
    """The recorded world."""

    ledger: Ledger
    database: Database
    discord: Discord
    loop: SeededLoop

    deleted: set[tuple[str, str]]

    def wall(self) -> float: ...


class Recorder:
    """Records presses as they happen, and reads the rest from the database. All times are the ledger's."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._presses: list[Press] = []
        self._holders: dict[str, dict[Seat, PersonId | None]] = {}
        self._clocks: dict[str, list[ClockShown]] = {}
        self._latest: dict[tuple[str, Seat], tuple[Any, ...]] = {}
        self._version: object = None
        self._begun: dict[str, float] = {}
        """When matches were first seen to have begun."""
        self._threads: dict[int, str] = {}
        self._begun_at = stage.ledger.now()
        self.kills: list[float] = []
        self._screens: list[Screen] = []

    # --- presses ------------------------------------------------------------------------------------

    def watched(self, house: Any) -> Any:
        """Return a bot whose calls of use cases are recorded."""
        return _Watched(house, "", self)

    async def call(self, name: str, work: Callable[..., Any], given: tuple[Any, ...], named: Any) -> Any:
        """Execute a use case, and record it."""
        place = len(self._presses)
        self._presses.append(_press(name, given, named, self._stage.ledger.now()))
        outcome, answer = LOST, None
        try:
            answer = await work(*given, **named)
            outcome = DONE
        except Refusal as refused:
            outcome = refused.msg.key
            raise
        finally:
            # Killed meanwhile: this runs only at the end of the run, and there was no response.
            if outcome != LOST:
                at = self._stage.ledger.now()
                if name == _PRESS:
                    click = self._stage.discord.clicks[given[0].token]
                    answer = (click.answer or click.message).text()
                press = _answered(self._presses[place], outcome, answer, at)
                self._presses[place] = replace(press, wall=self._stage.wall())
        return answer

    # --- the database -------------------------------------------------------------------------------

    def committed(self) -> None:
        """Read the database if it has changed."""
        database, version = self._stage.database, self._stage.database.version()
        if version == self._version:
            return
        self._version = version
        for match, thread in database.ask("SELECT id, thread FROM match WHERE seed IS NOT NULL"):
            if thread is not None:
                self._threads[thread] = match
            if match not in self._holders:
                chairs = database.ask(f"SELECT seat, person FROM chair WHERE match = '{match}'")
                self._begun[match] = self._stage.ledger.now()
                self._holders[match] = {seat: person for seat, person in chairs if seat is not None}
        now, wall = self._stage.ledger.now(), self._stage.wall()
        for match, seat, *values in database.ask(_CLOCKS):
            if seat is None or self._latest.get((match, seat)) == tuple(values):
                continue
            self._latest[match, seat] = tuple(values)
            reserve, until, deadline, stopped = values
            zero = wall if stopped is None else stopped
            shown = ClockShown(
                now,
                seat,
                reserve,
                None if until is None else until - zero,
                None if deadline is None else deadline - zero,
                stopped is not None,
            )
            self._clocks.setdefault(match, []).append(shown)

    def look(self) -> None:
        """Record all screens at a moment at which the bot is idle."""
        discord = self._stage.discord
        now, wall = self._stage.ledger.now(), self._stage.wall()
        for message in discord.all_messages():
            if message.kind in ("board", "panel"):
                self._screens.append(
                    Screen(
                        now,
                        wall,
                        message.match,
                        message.kind,
                        discord.channels[message.channel].person,
                        message.text(),
                        message.alts(),
                        tuple(message.custom_ids),
                        message.late or message.came_late,
                    )
                )

    def transcript(self, kept: dict[tuple[str, PersonId, str], Any]) -> Transcript:
        """Return the recorded run."""
        ledger, ask = self._stage.ledger, self._stage.database.ask
        now = ledger.now()
        people = {person for (person,) in ask("SELECT DISTINCT person FROM holiday")}
        return Transcript(
            matches=tuple(self._match(each) for each in ask(_MATCHES) if each[0] in self._holders),
            presses=tuple(self._presses),
            outages=tuple(ledger.outages(0.0)),
            troubles=tuple(self._stage.discord.troubles),
            slow_writes=tuple(self._stage.loop.slow_writes),
            kills=tuple(self.kills),
            clock_sets=tuple(ledger.sets),
            holidays=tuple(
                Holiday(each, *span) for each in sorted(people) for span in ledger.holidays([each])
            ),
            absences=self._stage.discord.members.absences(),
            tables=dict(ask(_TABLES)),
            kept=kept,
            chosen=tuple(self._chosen()),
            mutes=tuple(ledger.mutes()),
            posts=tuple(self._posts()),
            screens=tuple(self._screens),
            names={match: self._names(match) for match in self._holders},
            called=self._called(),
            threads=dict(self._threads),
            deleted=frozenset(self._stage.deleted),
            closed_dms=frozenset(self._stage.discord.closed_dms),
            begun_at=self._begun_at,
            ended_at=now,
            is_settled=True,
        )

    def _chosen(self) -> Iterable[Chosen]:
        for at, person, each in self._stage.ledger.all_chosen():
            yield Chosen(at, person, each.dms, each.reminders.value, each.zone, each.quiet)

    def _posts(self) -> Iterable[Post]:
        ledger = self._stage.ledger
        ahead = None if ledger.sets else self._stage.wall() - ledger.now()
        for each in ledger.posts:
            message = each.message
            place = self._stage.discord.channels.get(message.channel)
            private = place is not None and place.person is not None
            wall = None if ahead is None else each.at + ahead
            yield Post(each.at, message.match, message.kind, each.people, private, message.came_late, wall)

    def _names(self, match: str) -> dict[Seat, str]:
        rows = self._stage.database.ask(SEATED.format(match))
        return {seat: chair_name(*stored) for seat, *stored in rows}

    def _called(self) -> dict[tuple[str, PersonId], str]:
        ask = self._stage.database.ask
        rows = [*ask("SELECT match, person, name FROM former_holder"), *ask(_CALLED)]
        return {(match, person): chair_name(name, person, None, "") for match, person, name in rows}

    def _match(self, row: tuple[Any, ...]) -> MatchRecord:
        match, game, ruleset, seats, options, seed, pace, guild, started = row
        return MatchRecord(
            id=match,
            game=game,
            ruleset=ruleset,
            seats=seats,
            options=tuple((key, value) for key, value in json.loads(options)),
            seed=bytes(seed),
            pace=pace,
            guild=guild,
            begun_at=self._true(started, self._begun[match]),
            holders=self._holders[match],
            rows=tuple(self._rows(match, self._stage.database.ask(_ROWS.format(match)))),
            clocks=tuple(self._clocks.get(match, ())),
        )

    def _rows(self, match: str, rows: Iterable[tuple[Any, ...]]) -> Iterable[Row]:
        for seq, kind, seat, words, request, at, restore_id in rows:
            committed = self._stage.ledger.rows.get((match, seq), self._stage.ledger.now())
            said = json.loads(words) if isinstance(words, str) else words
            yield Row(seq, kind, seat, tuple(said), request, self._true(at, committed), committed, restore_id)

    def _true(self, wall: float, until: float | None) -> float:
        ledger = self._stage.ledger
        return ledger.true_time(wall, ledger.now() if until is None else until)


class _Watched:
    """A proxy for a part of the bot."""

    def __init__(self, part: Any, name: str, recorder: Recorder) -> None:
        self._part = part
        self._name = name
        self._recorder = recorder

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        path = f"{self._name}.{name}" if self._name else name
        if path in _WATCHED:
            recorder = self._recorder

            async def call(*given: Any, **named: Any) -> Any:
                return await recorder.call(path, found, given, named)

            return call
        return _Watched(found, name, self._recorder) if name in _ON_THE_WAY else found


def _id(person: Any) -> PersonId:
    return int(getattr(person, "id", person))


def _press(name: str, given: tuple[Any, ...], named: dict[str, Any], at: float) -> Press:
    if name == _PRESS:
        [interaction] = given
        custom_id = str(interaction.data["custom_id"])
        match = custom_id.split(":")[1]
        number = str(interaction.id)
        return Press(at, interaction.user.id, "press", match, number, {"custom_id": custom_id})
    if name == _CONFIRM:
        click, person, request = given
        return Press(at, _id(person), "confirm", click.table_id, str(request), {"revision": click.revision})
    if name in _READS:
        *place, person = given
        return Press(at, _id(person), _READS[name], *place)
    if name in _OWN_ACTS:
        person, *rest = given
        return Press(at, _id(person), _OWN_ACTS[name], given={"value": _chosen(name, rest)})
    if name == _OPEN:
        _, _, _, person, _, request = given
        return Press(
            at, _id(person), "open", "", str(request), {"computers": len(named.get("computers", ()))}
        )
    if name in _DRAFT_ACTS:
        place, person, *_ = given
        return Press(at, _id(person), _DRAFT_ACTS[name], getattr(place, "table_id", place))
    return _press_in_match(name, given, named, at)


def _press_in_match(name: str, given: tuple[Any, ...], named: dict[str, Any], at: float) -> Press:
    match, person, *rest = given
    act, chosen, request = _MATCH_ACTS[name], dict[str, Any](), ""
    if name == "motions.propose":
        chosen["kind"] = rest[0].value
    if name == "motions.offer_seat":
        chosen["to"] = rest[0].id
    if name == "motions.answer":
        act = "agree" if named["agrees"] else "object"
    if rest:
        # For a rematch, the place is the last argument.
        request = str(rest[0] if act == "rematch" else rest[-1])
    return Press(at, _id(person), act, match, request, chosen)


def _chosen(name: str, rest: list[Any]) -> Any:
    match name, rest:
        case "holidays.begin", _:
            return True
        case "holidays.end", _:
            return False
        case "settings.set_quiet", []:
            return None
        case "settings.set_quiet", [begin, end]:
            return (begin, end)
        case _, [value]:
            return getattr(value, "value", value)
    raise AssertionError(name)


def _answered(press: Press, outcome: str, answer: Any, at: float) -> Press:
    """Return a press with its response as plain data."""
    if press.act == "confirm" and outcome == DONE:
        answer = {"seat": answer.seat, "words": answer.words}
    elif press.act in ("look", "draft") and outcome == DONE:
        answer = {"seat": answer.seat, "words": answer.draft}
    elif press.act in ("open", "rematch") and outcome == DONE:
        answer = answer.id
    elif press.act in ("add computer", "start", "leave"):
        answer = None
    elif press.act == "muted" and outcome == DONE:
        press = replace(press, given={"value": answer})
    return replace(press, outcome=outcome, answer=getattr(answer, "value", answer), answered_at=at)
