"""Four persons who search for the treasure, two of them in direct messages only; and who saw which card."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from bot.domain.match import RowKind
from bot.matches.match_log import MatchLog
from bot.pages.texts import TableTexts, Texts
from engines.core.contract import Seat, Viewer, msg
from engines.doge import GAME
from engines.doge.components import CRAFTS
from engines.doge.view import Phase, Public
from sandbox.user_sockets import Received
from sandbox.validation.components import walk
from tests.e2e.four import Table
from tests.e2e.kills.books import Chronicles, read
from tests.e2e.kills.secrets import printed, without_examples
from tests.e2e.proofs import is_private
from tests.e2e.stage import Json, Player, Stage, places, resign
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

HOUSE = Texts()
GIFTS = ("show", "give", "ahead")
SHOWN = ("shown", "showed", "given", "gave", "saw")
"""Facts of cards that were shown to one seat alone."""


class Search(Table):
    """A table of the search. Who is ``remote`` plays in direct messages, and never opens the thread."""

    def __init__(self, stage: Stage, people: list[Player], remote: list[Player], **options: str) -> None:
        super().__init__(stage, people, "doge", **options)
        self.remote = remote
        self.said: dict[str, list[str]] = {player.id: [] for player in people}
        self._dms: dict[str, str] = {}

    async def begin(self) -> None:
        for player in self.remote:
            self._dms[player.id] = str((await player.window.dm())["id"])
            await player.window.command(self._dms[player.id], "settings", dms="on")
        await super().begin()

    @property
    def public(self) -> Public:
        """Return what everybody knows, as it is committed."""
        public = self.adviser.match().view(None)
        assert isinstance(public, Public)
        return public

    def at(self, seat: Seat) -> Player:
        """Return who sits in a seat."""
        return next(player for player in self.people if self.adviser.seat(player.id) == seat)

    async def panel(self, player: Player) -> Json:
        """Return the panel of who is asked: below the board, or in the direct message that came for it."""
        if player not in self.remote:
            return await super().panel(player)
        return await eventually(lambda: self._question(player))

    def _question(self, player: Player) -> Json | None:
        """Return the newest panel in the direct messages that asks; the newest of all may be a mere look."""
        mine = (m for m in player.window.seen.values() if m["channel_id"] == self._dms[player.id])
        asking = (m for m in mine if places(m) and HOUSE.house("panel.not_asked") not in text_of(m))
        return max(asking, key=lambda m: int(m["id"]), default=None)

    async def unasked(self, player: Player) -> Json:
        """Return the panel of somebody whether asked or not, where they play."""
        place = self._dms.get(player.id, self.thread)
        outcome = await player.window.command(place, "turn")
        assert outcome.message is not None
        player.panel = outcome.message
        return outcome.message

    async def say(self, player: Player, panel: Json, text: str) -> None:
        self.said[player.id].append(text)
        await super().say(player, panel, text)

    async def round(self, turns: list[Player]) -> None:
        """Let somebody who knows the treasure name it, else those answer who are asked."""
        for player in self.people:
            guess = self.adviser.interruption(player.id)
            if guess:
                await self.say(player, await self.unasked(player), guess)
                return
        await super().round(turns)

    async def answer(self, player: Player) -> None:
        """Answer; whoever has seen a card by it, or has given one, looks at it.

        Who answered does so too: a direct message says that it is done before the answer to the click comes.
        """
        before = self.public
        await super().answer(player)
        after = self.public
        gifts = after.gifts[len(before.gifts) :]
        new = [seat for gift in gifts for seat in (gift.receiver, gift.giver)]
        new += [discard.looker for discard in after.discards[len(before.discards) :]]
        for seat in new if after.phase is not Phase.OVER else ():
            await self.looks(seat)

    async def looks(self, seat: Seat) -> None:
        """Let a seat look at the card that it was just shown."""
        panel = await self.unasked(self.at(seat))
        # What one alone has seen stands right below the title.
        assert text_of(panel).splitlines()[1].startswith("🔎 "), text_of(panel)

    async def leave(self) -> None:
        """Let all resign: who stays alone goes on searching."""
        for player in self.people:
            before = self.public
            if before.phase is not Phase.OVER:
                await resign(player, self._dms.get(player.id, self.thread))
                await eventually(partial(self._has_changed, before))

    def _has_changed(self, before: Public) -> bool:
        return self.public.step > before.step

    async def complete(self, player: Player, words: str) -> list[str]:
        """Return how ``/move`` completes words for somebody, where they play."""
        place = self._dms.get(player.id, self.thread)
        found = await player.window.autocomplete(place, "move", focused="words", words=words)
        return [str(choice["value"]) for choice in found]


# --- who could have seen a card ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of what happened that is not for everybody, and the seats that were told it."""

    text: str
    seats: frozenset[Seat]
    knowing: frozenset[Seat]
    """Those who were told the same, then or at another time."""
    kinds: frozenset[str]
    said: bool
    """Whether it comes of a sentence."""


async def who_saw_what(search: Search) -> Counter[str]:
    """Check that nobody received what only others were shown; return how many cards of a kind were shown.

    Everything counts that reached a window before the match was over: messages, alt texts, custom ids,
    modals, completions. Whoever was shown a card must have received it, or nothing would be proved.
    """
    books = await read(search.stage.database)
    [(match, row)] = books.tables.items()
    log = Chronicles().of(books, match)
    until = row.ended_at if row.ended_at is not None else float("inf")
    windows = {
        search.adviser.seat(player.id): _Window(search.stage.sandbox.audit(player.window.name), until)
        for player in search.people
    }
    lines = list(_lines(log, TableTexts(HOUSE, row.info)))
    for line in lines:
        for seat, window in windows.items():
            if seat not in line.knowing:
                assert not window.has(line.text), f"seat {seat} was told: {line.text}"
    gifts = [line for line in lines if line.kinds & set(SHOWN)]
    for line in gifts:
        # Who resigns gives by lot, and nobody looks at it any more.
        for seat in line.seats if line.said else ():
            assert windows[seat].has(line.text), f"seat {seat} was not told: {line.text}"
    _no_sentence_of_others(search, log, windows)
    _no_picture_of_others(search, until)
    _nothing_public(search, until, log)
    return Counter(kind for line in gifts for kind in line.kinds)


class _Window:
    """What a person's windows received before the end, to search in."""

    def __init__(self, entries: list[Received], until: float) -> None:
        texts = (json.dumps(e.d, ensure_ascii=False) for e in entries if e.at < until)
        self._whole = "\n".join(map(without_examples, texts))

    def has(self, text: str) -> bool:
        return json.dumps(text, ensure_ascii=False)[1:-1] in self._whole

    def around(self, text: str) -> str:
        """Return a text with what stands before and after it, where it stands first."""
        before, found, after = self._whole.partition(json.dumps(text, ensure_ascii=False)[1:-1])
        return before[-200:] + found + after[:200]


def _lines(log: MatchLog, texts: TableTexts) -> Iterator[Line]:
    seats = range(log.match.setup.seats)

    def told(viewer: Viewer, row: int) -> dict[str, frozenset[str]]:
        found = [told for header, told in log.told(viewer) if header.row == row]
        facts = [each.fact for each in found]
        return dict.fromkeys(texts.retold(facts), frozenset(fact.kind for fact in facts))

    ever = {seat: {line for header in log.headers for line in told(seat, header.row)} for seat in seats}
    for header in log.headers:
        public, each = told(None, header.row), {seat: told(seat, header.row) for seat in seats}
        for text in sorted(set().union(*each.values()) - set(public)):
            having = frozenset(seat for seat in seats if text in each[seat])
            # Two who have guessed wrong have both seen the treasure, each at another time.
            knowing = frozenset(seat for seat in seats if text in ever[seat])
            # Of the facts of a batch, those that the public has too are not what the line tells.
            kinds = each[min(having)][text].intersection(SHOWN)
            said = header.row > 0 and log.rows[header.row - 1].kind is RowKind.ACT
            yield Line(text, having, knowing, kinds, said)


def _no_sentence_of_others(search: Search, log: MatchLog, windows: dict[Seat, _Window]) -> None:
    """No draft, log line, completion or modal of one seat's gift stands in another's window."""
    examples = printed("doge")
    for row in log.rows:
        text = GAME.write(row.words)
        if row.kind is not RowKind.ACT or row.words[0] not in GIFTS or text in examples:
            continue
        for seat, window in windows.items():
            typed_too = any(text in said for said in search.said[search.at(seat).id])
            assert seat == row.seat or typed_too or not window.has(text), (
                f"seat {seat} received what seat {row.seat} typed: {window.around(text)}"
            )


def _no_picture_of_others(search: Search, until: float) -> None:
    """What describes a private picture of cards was received by one person alone."""
    alts = {player.id: set(_card_alts(search, player, until)) for player in search.people}
    for one, mine in alts.items():
        for other, theirs in alts.items():
            assert one == other or not mine & theirs, "two persons were shown the same private picture"


def _card_alts(search: Search, player: Player, until: float) -> Iterator[str]:
    for entry in search.stage.sandbox.audit(player.window.name):
        if entry.t.startswith("MESSAGE_") and entry.at < until and is_private(player.window, entry.d):
            for item in walk(entry.d["components"]):
                for media in item.get("items", ()):
                    alt = media["description"] or ""
                    if _crafts(alt):
                        yield alt


def _nothing_public(search: Search, until: float, log: MatchLog) -> None:
    """No craft is named in public but by guesses; institutions are places of the board too."""
    named = {craft for guess in log.public.view.guesses for craft in _crafts(guess.pair.craft)}
    window, rules = search.people[0].window, HOUSE.game("doge", msg("help"))
    for entry in search.stage.sandbox.audit(window.name):
        if entry.t.startswith("MESSAGE_") and entry.at < until and not is_private(window, entry.d):
            text = json.dumps(entry.d, ensure_ascii=False)
            assert not _crafts(text.replace(json.dumps(rules, ensure_ascii=False)[1:-1], "")) - named, text
    for request in search.stage.sandbox.requests:
        assert not _crafts(request.path), request.path


def _crafts(text: str) -> set[str]:
    """Return the crafts that a text names, by word or by name."""
    names = {card.value: HOUSE.game("doge", msg(f"card.{card}")) for card in CRAFTS}
    return {word for word, name in names.items() if name in text or re.search(rf"\b{word}\b", text)}
