"""What a match adds to a thread: ``python -m bench.hand_overs``, one whole match a game between two persons.

They say what a computer player would say in their place, each sentence cut where the panel first offers
Confirm, as people send it who confirm as soon as they can; and wait until all that follows is shown. They use
the panel's *Type* and *Confirm*, over the sandbox's interactions. Counted: sentences; turns (sentences of one
seat in a row) and rounds, where the game counts them; messages of the bot in the thread and how often one of
them was edited after it was laid out; mentions on people's phones, and how many of these somebody was newly
asked by; direct messages.
A hand-over is one message: so many are allowed as there are turns, or rounds where a game has them, and one
for the end. The exit status is 1 where there are more, or more mentions than people newly asked.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from bench.opening import opening, part_of, people_of
from bench.structure import table as aligned
from bot.domain.jobs import JobKind
from bot.pages.custom_ids import Action
from bot.store.checks import open_read_only
from engines.core.contract import Seat, Words
from engines.core.match import Match
from engines.core.registry import game, games
from sandbox.model import DM
from sandbox.server import Sandbox
from tests.e2e.adviser import Adviser
from tests.e2e.four import confirm, typed
from tests.e2e.stage import Player, Stage, places
from tests.kit.waiting import eventually

OPTIONS: dict[str, dict[str, str]] = {"volo": {"board": "small"}}
"""Options of shorter matches that make the same messages a turn."""

SENTENCES = 2_000
"""Sentences after which a match counts as one that does not end."""

_EDIT = re.compile(r"^/channels/(\d+)/messages/(\d+)$")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a match: who said it in which round, and who was asked before and after it."""

    seat: Seat
    round: int
    before: frozenset[Seat]
    after: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class Thread:
    """What the bot did in a thread, and what phones showed of it."""

    messages: int
    edits: int
    mentions: int
    direct: int


@dataclass(frozen=True, slots=True)
class Counted:
    """The figures of one match."""

    game: str
    said: Sequence[Said] = field(repr=False)
    thread: Thread
    first: frozenset[Seat] = frozenset()
    """Who was asked when it began."""

    @property
    def turns(self) -> int:
        """Return how often another seat than the one before said something, the first included."""
        return _turns(self.said)

    @property
    def rounds(self) -> int:
        """Return in how many rounds something was said; 0 where the game counts none."""
        return len({one.round for one in self.said} - {0})

    @property
    def asked(self) -> int:
        """Return how often somebody was asked who was not asked before."""
        return len(self.first) + sum(len(one.after - one.before) for one in self.said)

    @property
    def allowed(self) -> int:
        """Return how many messages there may be: one a round or a turn outside of rounds, one for the end."""
        outside = [one for one in self.said if not one.round]
        return _turns(outside) + self.rounds + 1

    @property
    def kept(self) -> bool:
        """Return whether there are no more messages and mentions than there may be."""
        return self.thread.messages <= self.allowed and self.thread.mentions <= self.asked


def _turns(said: Sequence[Said]) -> int:
    return sum(one.seat != other.seat for one, other in pairwise(said)) + bool(said)


def edits_in(paths: Iterable[str], messages: Sequence[int], channel: int) -> int:
    """Return how often ``messages`` of a channel were edited while they were its newest, once laid out.

    ``paths`` are those of all edits, in order: a message arrives in words and is laid out by its first edit,
    and loses its buttons by its last, when a newer one is there.
    """
    found = Counter(
        int(match[2]) for match in map(_EDIT.match, paths) if match is not None and int(match[1]) == channel
    )
    newest = max(messages, default=0)
    return sum(max(0, found[message] - 1 - (message != newest)) for message in messages)


def seen_in(sandbox: Sandbox, channel: int) -> Thread:
    """Return what the bot has done in a thread, and in direct messages."""
    records = sandbox.records
    posted = [m.id for m in records.history(channel, records.bot.id) if m.author_id == records.bot.id]
    paths = [each.path for each in sandbox.requests if each.method == "PATCH" and each.status == 200]
    pushed = [note for person in records.people() for note in sandbox.notifications(str(person.id))]
    direct = {place.id for place in records.channels.values() if place.kind == DM}
    return Thread(
        len(posted),
        edits_in(paths, posted, channel),
        sum(note.channel_id == channel for note in pushed),
        sum(note.channel_id in direct for note in pushed),
    )


def first_whole(match: Match, seat: Seat, words: Words) -> Words:
    """Return the beginning of a sentence after which the panel first offers Confirm; else all of it."""
    for end in range(1, len(words)):
        menu = match.menu(seat, words[:end])
        if menu is not None and menu.closing:
            return words[:end]
    return words


def round_of(match: Match) -> int:
    """Return the number of the round that everybody sees; 0 where there are none."""
    return int(getattr(match.view(None), "round", 0))


def next_seat(match: Match) -> Seat | None:
    """Return the first seat that is asked by its own view; ``None``: nobody is."""
    seats = range(match.setup.seats)
    return next((seat for seat in seats if seat in match.game.waiting(match.view(seat))), None)


async def whole_match(folder: Path, key: str, seed: int, most: int = SENTENCES) -> Counted:
    """Let two persons play a match to its end, or until so many sentences are said; return its figures."""
    stage = Stage(folder, limit_windows=1.0)
    async with opening(stage.database, stage.sandbox) as house:
        people = people_of(stage.sandbox)
        table_id = await house.begin(game(key), people, part_of(seed, key), OPTIONS.get(key, {}))
        seats = [await house.person(table_id, seat) for seat in range(len(people))]
    async with stage:
        by_id = {int(player.id): player for player in (stage.alba, stage.bruno)}
        adviser, said = Adviser(stage.database), list[Said]()
        (thread,) = await eventually(stage.sandbox.records.threads)
        match = adviser.match()
        first = match.waiting
        while (seat := next_seat(match)) is not None and len(said) < most:
            # A person reads the board before anything is said.
            await eventually(lambda: all_is_shown(stage.database))
            player = by_id[seats[seat]]
            goes_on = bool(said) and said[-1].seat == seat
            await say(player, str(thread.id), match, first_whole(match, seat, match.computer(seat)), goes_on)
            before, match = match, adviser.match()
            said.append(Said(seat, round_of(before), before.waiting, match.waiting))
        await eventually(lambda: all_is_shown(stage.database))
        return Counted(key, said, seen_in(stage.sandbox, thread.id), first)


def all_is_shown(database: Path) -> bool:
    """Return whether nothing is due in the outbox but the film, which takes long and adds no message."""
    with closing(open_read_only(database)) as connection:
        [(due,)] = connection.execute(
            "SELECT count(*) FROM job WHERE due <= ? AND kind <> ?", (time.time(), JobKind.FILM.value)
        )
    return bool(due == 0)


async def say(player: Player, thread: str, match: Match, words: Words, goes_on: bool) -> None:
    """Type a sentence into a person's panel and confirm it; ``goes_on``: in the one of the last sentence."""
    panel = player.panel if goes_on else None
    if panel is None or not any(place.action is Action.TYPE for place in places(panel)):
        panel = await player.open(thread)
    await typed(player, panel, match.game.write(words))
    await confirm(player)


HEAD = [
    "", "sentences", "turns", "rounds", "messages", "allowed", "edits", "mentions", "asked", "direct", "",
]  # fmt: skip


def row(counted: Counted) -> list[str]:
    """Return the figures of a match, as the table shows them."""
    thread = counted.thread
    figures = (
        len(counted.said),
        counted.turns,
        counted.rounds,
        thread.messages,
        counted.allowed,
        thread.edits,
        thread.mentions,
        counted.asked,
        thread.direct,
    )
    return [counted.game, *map(str, figures), "" if counted.kept else "MISSED"]


async def measure(keys: Sequence[str], seed: int, most: int) -> bool:
    """Play a match of each game and print the figures; return whether all are kept."""
    found: list[Counted] = []
    for key in keys:
        with tempfile.TemporaryDirectory() as folder:
            found.append(await whole_match(Path(folder), key, seed, most))
        print(aligned([HEAD, row(found[-1])]), flush=True)
    if len(found) > 1:
        print(aligned([HEAD, *map(row, found)]))
    return all(counted.kept for counted in found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.hand_overs", description=(__doc__ or "").partition("\n\n")[0]
    )
    parser.add_argument("games", nargs="*", default=[*games()], help="all, if none is named")
    parser.add_argument("--seed", type=int, default=1, help="of the matches")
    parser.add_argument("--sentences", type=int, default=SENTENCES, help="after which a match is left")
    options = parser.parse_args(arguments)
    if unknown := set(options.games) - set(games()):
        parser.error(f"there is no game {min(unknown)}")
    # Nothing is painted ahead: a match's figures do not depend on it.
    os.environ["BAUTA_WARM_UP"] = "false"
    return 0 if asyncio.run(measure(options.games, options.seed, options.sentences)) else 1


if __name__ == "__main__":
    sys.exit(main())
