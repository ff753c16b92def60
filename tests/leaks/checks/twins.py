"""Twins: houses that are equal in everything that somebody may know receive that somebody's bytes alike."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bot.workers.painting_pool import PaintingPool
from engines.core.contract import Seat, Viewer, Words, facts_for
from engines.core.match import Match
from engines.core.rng import Rng
from tests.contract.checks.sampling import seed, viewers
from tests.contract.checks.secrets import attempt, random_sentence, twin
from tests.kit.painting import Inline
from tests.kit.samples import MORE
from tests.kit.vault.install import KEY as VAULT
from tests.leaks.checks.inside import logged
from tests.leaks.checks.looking import Script, draft_something, look_around, look_back, script
from tests.leaks.house import House, house
from tests.leaks.wire import Sent

DRAFTING = 8 if MORE > 1 else 1
"""Seats whose drafts are compared with none, at most."""

TRIES = 6
"""Pairs of sentences that are drawn before a moment counts as having no secret choice."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Where twins are played: a game, its table, and how many sentences stand before they part.

    ``until``: they part at the first such moment within ``before`` sentences, all of them of computer players
    or as ``says`` would have it. ``other``: another truth that a viewer cannot tell apart.
    """

    key: str
    number: int = 0
    seats: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    before: int = 3
    dms: bool = True
    computers: int = 0
    until: Callable[[Match], bool] | None = None
    says: Callable[[Match, Seat], Words] = Match.computer
    other: Callable[[Match, Viewer, Rng], Match | None] | None = None


@asynccontextmanager
async def pair(tables: Tables, folder: Path) -> AsyncIterator[tuple[House, House]]:
    """Open two equal houses where some sentences have been said."""
    async with AsyncExitStack() as stack:
        painter: PaintingPool = await stack.enter_async_context(Inline())
        made = []
        for name in ("one", "two"):
            place = folder / f"{name}-{tables.key}-{tables.number}-{tables.before}"
            place.mkdir(exist_ok=True)
            opened = house(
                tables.key, place, tables.number, seats=tables.seats, options=dict(tables.options),
                painter=painter, dms=tables.dms,
            )  # fmt: skip
            made.append(await stack.enter_async_context(opened))
        for each in made:
            await (play_on(each, tables.before) if tables.until is None else _play_until(each, tables))
        one, two = made
        assert one.wire.sent == two.wire.sent, "equal houses are not equal"
        yield one, two


async def play_on(each: House, sentences: int) -> None:
    """Let whoever is asked say what a random player would, through the panel."""
    for number in range(sentences):
        asked = each.asked()
        if not asked:
            return
        rng = Rng(seed("play", each.table.game, number))
        who = rng.stream("seat").choice(asked)
        await each.say(who, random_sentence(each.match, who, rng))
        await each.settle()


async def _play_until(each: House, tables: Tables) -> None:
    """Let whoever is asked say something, up to a certain moment, and show what came."""
    assert tables.until is not None
    for number in range(tables.before):
        if tables.until(each.match):
            await each.settle()
            return
        seat = min(each.asked())
        words = tables.says(each.match, seat)
        await each.services.actions.submit(each.table.id, seat, None, words, f"until {number}")
    raise AssertionError("this moment never came")


async def check_truths(tables: Tables, folder: Path, *, short: bool = False) -> int:
    """Compare all that each viewer reaches in another truth; return how many twins there were."""
    found = 0
    async with pair(tables, folder) as (one, two):
        match = one.match
        for viewer in viewers(match):
            rng = Rng(seed("truth", tables.key, tables.number, str(viewer)))
            other = (tables.other or twin)(match, viewer, rng) if match.waiting else None
            if other is not None:
                found += 1
                plan = script(match, viewer, rng, short=short)
                two.in_another_truth(other.state)
                await _compare_looks(one, two, plan)
                two.in_another_truth(match.state)
    return found


async def _compare_looks(one: House, two: House, plan: Script) -> None:
    with alike(one, two, plan.seat) as compared:
        for each, log in ((one, compared.first), (two, compared.second)):
            with logged(log):
                each.entropy.restart(plan.seat)
                await look_around(each, plan)
                await each.show_again()


@dataclass(slots=True)
class Logs:
    first: list[str]
    second: list[str]


class alike:  # noqa: N801 - reads as what it does
    """Compares what a viewer receives, and what is logged, within the block."""

    def __init__(self, one: House, two: House, viewer: Viewer, *, logs: bool = True) -> None:
        self._pair = one, two
        self._viewer = viewer
        self._compare_logs = logs
        self._since = len(one.wire.sent), len(two.wire.sent)
        self._logs = Logs([], [])

    def __enter__(self) -> Logs:
        return self._logs

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            first, second = (
                each.wire.received(each.reader(self._viewer), since)
                for each, since in zip(self._pair, self._since, strict=True)
            )
            assert_alike(first, second, f"viewer {self._viewer} receives hidden truth")
            if self._compare_logs:
                assert self._logs.first == self._logs.second, "the log tells hidden truth"
                assert not any("incident" in line for line in self._logs.first), (
                    "what is tried breaks the house"
                )


def assert_alike(first: list[Sent], second: list[Sent], why: str) -> None:
    """Compare two lists of what was sent; says where they differ first."""
    for number, (sent, other) in enumerate(zip(first, second, strict=False)):
        same = sent == other  # pytest would print all of it
        assert same, f"{why}: number {number}, {sent.act}: {_difference(sent, other)}"
    assert len(first) == len(second), f"{why}: {len(first)} or {len(second)} things are sent"


def _difference(sent: Sent, other: Sent) -> str:
    if (sent.act, sent.body) == (other.act, other.body):
        return f"files {[file[:2] for file in sent.files]} or {[file[:2] for file in other.files]}"
    texts = sent.act + sent.body, other.act + other.body
    place = next((n for n, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), 0)
    return " or ".join(text[max(0, place - 60) : place + 60] for text in texts)


async def check_choices(tables: Tables, folder: Path) -> int:
    """Let a seat say one thing or another, both alike to a viewer, and compare what that viewer reaches."""
    found = 0
    async with AsyncExitStack() as stack:
        one, two = await stack.enter_async_context(pair(tables, folder))
        match = one.match
        for seat, viewer, words, others in _secret_choices(
            match, Rng(seed("choice", tables.key, tables.number))
        ):
            found += 1
            await _compare_choices((one, two), (words, others), seat, viewer)
            break
    return found


def _secret_choices(match: Match, rng: Rng) -> Iterator[tuple[Seat, Viewer, Words, Words]]:
    """Yield sentences of a seat that leave another viewer with equal views."""
    for seat in range(match.setup.seats):
        for number in range(TRIES):
            one, two = (random_sentence(match, seat, rng.child(seat, number, n)) for n in range(2))
            steps = attempt(match, seat, one), attempt(match, seat, two)
            if one == two or any(isinstance(step, str) for step in steps):
                continue
            for viewer in viewers(match):
                views = [match.game.view(step.state, viewer) for step in steps if not isinstance(step, str)]
                if viewer != seat and views[0] == views[1] and match.game.outcome(views[0]) is None:
                    yield seat, viewer, one, two


async def _compare_choices(
    pair: tuple[House, House], words: tuple[Words, Words], seat: Seat, viewer: Viewer
) -> None:
    one, two = pair
    rng = Rng(seed("after", seat))
    plan = script(one.match, viewer, rng, short=True)
    with alike(one, two, viewer, logs=False):
        for each, said in zip(pair, words, strict=True):
            await draft_something(each, seat, said, rng)
            await each.say(seat, said)
            await each.settle()
            each.entropy.restart(viewer)
            await look_around(each, plan)
            await each.restart()
            await each.settle()
            await look_around(each, plan)


async def check_idle(tables: Tables, folder: Path, *, sentences: int = 4) -> int:
    """Let a seat of one house do something in secret, and go on alike in both.

    Whoever sees no difference receives none; return how many sentences were said after it.
    """
    async with pair(tables, folder) as (one, two):
        rng = Rng(seed("idle", tables.key, tables.number))
        secret = _silent_sentence(one.match, rng)
        if secret is None:
            return 0
        since = len(one.wire.sent)
        await two.say(*secret)
        await two.settle()
        alike_still = {viewer for viewer in viewers(one.match) if viewer != secret[0]}
        for each in (one, two):
            for viewer in sorted(alike_still, key=str):
                await look_back(each, each.reader(viewer))
        for number in range(sentences):
            said = await _go_on(one, two, rng.child(number))
            if not said:
                return number
            alike_still = {v for v in alike_still if one.match.view(v) == two.match.view(v)}
            for viewer in alike_still:
                first, second = (each.wire.received(each.reader(viewer), since) for each in (one, two))
                assert_alike(first, second, f"viewer {viewer} can count what is secret")
        return sentences


async def check_clocks(tables: Tables, folder: Path) -> int:
    """Let a seat of one house decide in secret, and time pass in both: who sees no difference is told none.

    Reminders are sent and those who wait nudge, by direct message and, but for most games by night alone, by
    mention; nothing runs out.
    """
    found = 0
    for number, dms in enumerate((True, False) if MORE > 1 or tables.key == VAULT else (True,)):
        async with pair(replace(tables, number=number, dms=dms), folder) as (one, two):
            rng = Rng(seed("clocks", tables.key, number))
            secret = _silent_sentence(one.match, rng, decides=True) or _silent_sentence(one.match, rng)
            if secret is None:
                continue
            found += 1
            since = len(one.wire.sent)
            await two.say(*secret)
            await two.settle()
            for each in (one, two):
                await each.pass_hours(13)
                for seat in each.people():
                    for name in ("nudge", "grant", "games", "board"):
                        await each.command(each.person_at(seat), name)
                await each.pass_hours(9)
                await each.restart()
                await each.pass_hours(1)
            for viewer in viewers(one.match):
                if viewer != secret[0]:
                    first, second = (each.wire.received(each.reader(viewer), since) for each in (one, two))
                    assert_alike(first, second, f"viewer {viewer} is told by a clock what is secret")
    return found


def _silent_sentence(match: Match, rng: Rng, *, decides: bool = False) -> tuple[Seat, Words] | None:
    """Return a sentence of a seat of which no other viewer learns; ``None``: none was found.

    Best one after which the seat is asked as before, so that both houses go on alike for long; or, if it
    ``decides``, one after which it is asked no more.
    """
    found: list[tuple[Seat, Words]] = []
    for number in range(TRIES * 4):
        for seat in range(match.setup.seats):
            words = random_sentence(match, seat, rng.child(seat, number))
            step = attempt(match, seat, words) if words else ""
            if isinstance(step, str):
                continue
            others = [viewer for viewer in viewers(match) if viewer != seat]
            told = any(facts_for(step.events, viewer) for viewer in others)
            if not told and all(match.game.view(step.state, v) == match.view(v) for v in others):
                found.append((seat, words))
                view = match.game.view(step.state, seat)
                before = match.game.waiting(match.view(seat))
                wanted = (
                    seat not in match.game.waiting(view) if decides else match.game.waiting(view) == before
                )
                if wanted and seat in before:
                    return seat, words
    return found[0] if found and not decides else None


async def _go_on(one: House, two: House, rng: Rng) -> bool:
    """Let a seat that is asked in both houses say the same in both; return whether one could."""
    asked = [seat for seat in one.asked() if seat in two.asked()]
    if not asked:
        return False
    seat = rng.stream("seat").choice(asked)
    words = random_sentence(one.match, seat, rng)
    if isinstance(attempt(two.match, seat, words), str):
        return False
    for each in (one, two):
        await each.say(seat, words)
        await each.settle()
        for viewer in viewers(each.match):
            await each.command(each.reader(viewer), "log")
            await each.command(each.reader(viewer), "turn")
            await look_back(each, each.reader(viewer))
    return True


async def check_drafts(tables: Tables, folder: Path) -> int:
    """Let one seat draft and another house's do nothing: nobody else receives anything of it."""
    async with pair(tables, folder) as (one, two):
        match = one.match
        drawn = [(seat, Rng(seed("draft", tables.key, seat))) for seat in range(match.setup.seats)]
        drafts = [(seat, words, rng) for seat, rng in drawn if (words := random_sentence(match, seat, rng))]
        assert drafts, "nobody has anything to draft"
        for seat, words, rng in drafts[:DRAFTING]:
            before = len(two.wire.sent)
            await draft_something(two, seat, words, rng)
            await two.settle()
            sent = [each.reader for each in two.wire.sent[before:]]
            assert set(sent) <= {two.person_at(seat)}, "others receive something of a draft"
            for viewer in viewers(match):
                if viewer != seat:
                    await _compare_looks(one, two, script(match, viewer, rng.child(str(viewer)), short=True))
            await draft_something(one, seat, words, rng)
    return 1
