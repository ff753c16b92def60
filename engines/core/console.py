"""The engine console: one match, driven by requests. It does no input or output itself.

docs/notation.md describes every command.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from engines.core import listing
from engines.core.canonical_json import canonical
from engines.core.contract import ActionError, Seat, Setup, Viewer
from engines.core.match import AnyGame, Entry, EntryKind, Match
from engines.core.optional_methods import Positional, Situational
from engines.core.request import Refusal, Request
from engines.core.rng import SEED_BYTES, Rng, commitment
from engines.core.setups import as_before, complete
from engines.core.texts import Catalogue
from engines.core.to_json import Plain

Answer: TypeAlias = dict[str, Any]

ZEROS = bytes(SEED_BYTES)


class Console:
    """Answers requests one at a time, about the one match that it holds.

    ``catalogues`` finds a game's texts by its key; ``draw`` returns a seed if a request has none.
    """

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        catalogues: Callable[[str], Catalogue],
        draw: Callable[[], bytes],
    ) -> None:
        self._games = games
        self._catalogues = catalogues
        self._draw = draw
        self._match: Match | None = None

    def answer(self, line: bytes) -> str:
        """Return the answer to one line, as one line of JSON without a line break. Raises no ``Exception``.

        A refused request leaves the match as it was.
        """
        before = self._match  # matches are immutable: putting it back undoes all that a command did
        try:
            return _line({"ok": True, **self._answer(Request.parse(line))})
        except Refusal as refusal:
            kind, text = refusal.kind, refusal.text
        except listing.NotListable as error:
            kind, text = "unlistable", str(error)
        except Exception as error:  # a mistake in a game must not end the console
            kind, text = "internal", f"the engine failed with {type(error).__name__}; nothing has changed"
        self._match = before
        return _line({"ok": False, "error": {"kind": kind, "text": text}})

    def _answer(self, request: Request) -> Answer:
        name = request.text("cmd")
        found = COMMANDS.get(name)
        if found is None:
            raise Refusal("request", f"there is no command {name!r}; the commands: {', '.join(COMMANDS)}")
        command, fields = found
        request.only(fields)
        return command(self, request)

    # --- which game, which match ------------------------------------------------------------------

    def _game(self, request: Request) -> AnyGame:
        key = request.text("game")
        if key not in self._games:
            known = ", ".join(self._games) or "none are installed"
            raise Refusal("request", f"there is no game {key!r}; the games: {known}")
        return self._games[key]

    def _plain_for(self, game: AnyGame) -> Plain:
        return Plain(game, self._catalogues(game.manifest.key))

    @property
    def _to_json(self) -> Plain:
        return self._plain_for(self._playing.game)

    @contextmanager
    def _refusals_as_text(self, game: AnyGame) -> Iterator[None]:
        try:
            yield
        except ActionError as error:
            raise Refusal(error.kind, self._plain_for(game).text(error.msg)) from error

    @property
    def _playing(self) -> Match:
        if self._match is None:
            raise Refusal("request", 'there is no match yet: begin one with "new"')
        return self._match

    def _seat(self, request: Request) -> Seat:
        return request.seat(self._playing.setup.seats)

    def _viewer(self, request: Request, *, needed: bool = True) -> Viewer:
        return request.viewer(self._playing.setup.seats, needed=needed)

    def _setup(self, game: AnyGame, request: Request, default_seats: int | None = None) -> Setup:
        asked, manifest = request.optional_number("seats"), game.manifest
        seats = default_seats if asked is None else asked
        # A client that is older than an option still gets the matches that it knows.
        options = {**as_before(manifest), **request.options()}
        try:
            return complete(manifest, seats, options, request.optional_text("ruleset"))
        except ValueError as error:
            raise error if isinstance(error, Refusal) else Refusal("request", str(error)) from error

    # --- commands: beginning ----------------------------------------------------------------------

    def games(self, _request: Request) -> Answer:
        """Return the manifests of all games."""
        return {"games": [self._plain_for(game).manifest() for game in self._games.values()]}

    def new(self, request: Request) -> Answer:
        """Begin a match."""
        game = self._game(request)
        setup = self._setup(game, request)
        seed = request.seed(ZEROS) if "seed" in request.fields else self._draw()
        self._match = Match.start(game, setup, seed)
        return {"new": _beginning(self._match)}

    def position(self, request: Request) -> Answer:
        """Begin at a position given on one line."""
        game = self._game(request)
        if not isinstance(game, Positional):
            raise Refusal("request", f"{game.manifest.key} has no positions on one line")
        setup = self._setup(game, request)
        with self._refusals_as_text(game):
            state = game.position(request.short_text("text"), setup.ruleset)
        self._match = Match.at(game, setup, request.seed(ZEROS), state)
        return {"position": game.position_text(state)}

    def situation(self, request: Request) -> Answer:
        """Begin at a situation given as data."""
        game = self._game(request)
        if not isinstance(game, Situational):
            raise Refusal("request", f"{game.manifest.key} has no situations")
        value = request.mapping("value")
        listed = value.get("seats")
        setup = self._setup(game, request, len(listed) if isinstance(listed, list) else None)
        seed = request.seed(ZEROS)
        with self._refusals_as_text(game):
            state = game.situation(value, setup, Rng.of_match(seed))
        self._match = Match.at(game, setup, seed, state)
        return {"situation": _beginning(self._match)}

    # --- commands: looking ------------------------------------------------------------------------

    def waiting(self, request: Request) -> Answer:
        """Return the seats that must decide, as the public or a seat can tell."""
        match = self._playing
        return {"waiting": sorted(match.game.waiting(match.view(self._viewer(request, needed=False))))}

    def view(self, request: Request) -> Answer:
        """Return what a seat or the public knows."""
        match = self._playing
        return {"view": _canonical_data(match.game.describe(match.view(self._viewer(request))))}

    def menu(self, request: Request) -> Answer:
        """Return what a seat may say after a draft, or null."""
        match = self._playing
        seat = self._seat(request)
        with self._refusals_as_text(match.game):
            draft = request.words("draft", match.game) if "draft" in request.fields else ()
            menu = match.menu(seat, draft)
            return {"menu": None if menu is None else self._to_json.menu(menu)}

    def legal(self, request: Request) -> Answer:
        """Return all whole sentences of a seat."""
        match = self._playing
        view = match.view(self._seat(request))
        found = listing.legal(match.game, view, request.number("limit", listing.LIMIT))
        return {"legal": [match.game.write(words) for words in found]}

    def events(self, request: Request) -> Answer:
        """Return the facts that a seat or the public learned, from a batch on."""
        facts = self._playing.facts(self._viewer(request), request.number("since", 0))
        return {"events": self._to_json.facts(facts)}

    def outcome(self, _request: Request) -> Answer:
        """Return how the match ended, or null."""
        return {"outcome": self._to_json.outcome(self._playing.outcome)}

    def state(self, _request: Request) -> Answer:
        """Return the whole truth, its digest, and its position if there is one."""
        match = self._playing
        answer: Answer = {
            "state": _canonical_data(match.game.record(match.state)),
            "digest": match.digest(),
        }
        if isinstance(match.game, Positional):
            answer["position"] = match.game.position_text(match.state)
        return answer

    def perft(self, request: Request) -> Answer:
        """Count the lines of play of a depth."""
        match = self._playing
        depth = request.number("depth")
        return {"perft": listing.perft(match.game, match.state, depth, Rng.of_match(match.seed))}

    # --- commands: playing ------------------------------------------------------------------------

    def act(self, request: Request) -> Answer:
        """Carry out one sentence of a seat."""
        seat = self._seat(request)
        game = self._playing.game
        with self._refusals_as_text(game):
            return {"act": self._carry_out(Entry(EntryKind.ACT, seat, request.words("words", game)), seat)}

    def withdraw(self, request: Request) -> Answer:
        """Take a seat out of the match."""
        seat = self._seat(request)
        with self._refusals_as_text(self._playing.game):
            return {"withdraw": self._carry_out(Entry(EntryKind.WITHDRAW, seat), seat)}

    def agree(self, _request: Request) -> Answer:
        """End the match as a draw."""
        with self._refusals_as_text(self._playing.game):
            return {"agree": self._carry_out(Entry(EntryKind.AGREE), None)}

    def lapse(self, request: Request) -> Answer:
        """Return the sentence that the rules prescribe for a seat at a deadline, or null."""
        words = self._playing.lapse(self._seat(request))
        return {"lapse": None if words is None else self._playing.game.write(words)}

    def random(self, request: Request) -> Answer:
        """Let the computer player decide for all seats; return sentences and seats."""
        match = self._playing
        played: list[tuple[str, Seat]] = []
        for _ in range(request.number("moves")):
            following = match.play_on()
            if following is None:
                break
            match, seat = following
            played.append((match.game.write(match.log[-1].words), seat))
        self._match = match
        return {"random": [text for text, _ in played], "seats": [seat for _, seat in played]}

    def _carry_out(self, entry: Entry, viewer: Viewer) -> Answer:
        self._match = match = self._playing.apply(entry)
        batch = len(match.log)
        return {
            "batch": batch,
            "events": self._to_json.facts(match.facts(viewer, batch)),
            "waiting": sorted(match.waiting),
            "over": match.outcome is not None,
        }


COMMANDS: Mapping[str, tuple[Callable[[Console, Request], Answer], tuple[str, ...]]] = {
    "games": (Console.games, ()),
    "new": (Console.new, ("game", "ruleset", "seats", "options", "seed")),
    "position": (Console.position, ("game", "text", "ruleset", "seats", "options", "seed")),
    "situation": (Console.situation, ("game", "value", "ruleset", "seats", "options", "seed")),
    "waiting": (Console.waiting, ("seat",)),
    "view": (Console.view, ("seat",)),
    "menu": (Console.menu, ("seat", "draft")),
    "legal": (Console.legal, ("seat", "limit")),
    "act": (Console.act, ("seat", "words")),
    "withdraw": (Console.withdraw, ("seat",)),
    "agree": (Console.agree, ()),
    "lapse": (Console.lapse, ("seat",)),
    "events": (Console.events, ("seat", "since")),
    "outcome": (Console.outcome, ()),
    "state": (Console.state, ()),
    "perft": (Console.perft, ("depth",)),
    "random": (Console.random, ("moves",)),
}


def _beginning(match: Match) -> Answer:
    setup = match.setup
    return {
        "game": setup.game,
        "ruleset": setup.ruleset,
        "seats": setup.seats,
        "options": dict(setup.options),
        "seed": match.seed.hex(),
        "commitment": commitment(match.seed),
    }


def _canonical_data(data: Mapping[str, Any]) -> Any:
    return json.loads(canonical(data))


def _line(answer: Answer) -> str:
    return json.dumps(answer, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
