"""Lessons: one small aim each, on a real position, as data beside a game's rules.

``engines/<game>/lessons.json`` lists them; ``docs/adding-a-game.md`` describes its format. Their texts are
the game's, under ``lesson.<key>.``. The game's own engine judges sentences in a lesson. A lesson's seed is
public, and reveals nothing about any match.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from engines.core import registry, setups
from engines.core.contract import Fact, FactValue, Msg, Seat, Setup, Words, msg
from engines.core.match import AnyGame, Match
from engines.core.optional_methods import Positional, Situational
from engines.core.rng import SEED_BYTES, Rng

FILE = "lessons.json"

_FIELDS = frozenset(
    "key seat seats options seed position situation said solutions goal answers".split()  # noqa: SIM905
)
_CONDITIONS = frozenset({"say", "like", "facts", "without"})


@dataclass(frozen=True, slots=True)
class FactPattern:
    """A kind of fact, and data that it must have."""

    kind: str
    data: Mapping[str, FactValue] = field(default_factory=dict)

    def fits(self, fact: Fact) -> bool:
        """Return whether a fact is of the kind, and has all the data."""
        return fact.kind == self.kind and all(fact.get(name) == value for name, value in self.data.items())


@dataclass(frozen=True, slots=True)
class Condition:
    """What is required of a sentence; all of it must hold. An empty condition always holds."""

    say: frozenset[str] = frozenset()
    """Sentences in the game's notation, of which it must be one."""
    like: str = ""
    """A regular expression that its whole notation must fit."""
    facts: tuple[FactPattern, ...] = ()
    """What its seat must learn from it."""
    without: tuple[FactPattern, ...] = ()
    """What its seat must not learn from it."""

    def holds(self, said: str, facts: Iterable[Fact]) -> bool:
        """Return whether a sentence fits from which its seat has learned ``facts``."""
        learned = tuple(facts)
        return (
            (not self.say or said in self.say)
            and (not self.like or re.fullmatch(self.like, said) is not None)
            and all(any(pattern.fits(each) for each in learned) for pattern in self.facts)
            and not any(pattern.fits(each) for each in learned for pattern in self.without)
        )

    @property
    def always(self) -> bool:
        """Return whether it requires nothing."""
        return self == Condition()


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to a sentence that misses the aim, if it fits ``condition``."""

    condition: Condition
    word: Msg


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a sentence in a lesson. ``after`` is the match after it."""

    reached: bool
    word: Msg
    facts: tuple[Fact, ...] = field(repr=False)
    """What the seat has learned from it."""
    after: Match = field(repr=False)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson: where it begins, its aim, and the replies to what is tried."""

    key: str
    seat: Seat
    start: Match = field(repr=False)
    solutions: tuple[Words, ...]
    """Sentences that reach the aim, the shortest to say first; there may be others."""
    goal: Condition = field(repr=False)
    answers: tuple[Answer, ...] = field(repr=False)
    """In order: the first that fits is used, and the last one always fits."""

    @property
    def game(self) -> str:
        """Return the key of the game."""
        return self.start.setup.game

    @property
    def title(self) -> Msg:
        """Return the lesson's name."""
        return self._text("title")

    @property
    def story(self) -> Msg:
        """Return what the learner must know for it."""
        return self._text("story")

    @property
    def aim(self) -> Msg:
        """Return what is to be done."""
        return self._text("aim")

    @property
    def praise(self) -> Msg:
        """Return the reply to a solution: what was learned."""
        return self._text("praise")

    def texts(self) -> tuple[Msg, ...]:
        """Return all texts, each once."""
        said = (answer.word for answer in self.answers)
        return tuple(dict.fromkeys((self.title, self.story, self.aim, self.praise, *said)))

    def judge(self, words: Words) -> Verdict:
        """Judge a whole sentence of the learner; raises ``ActionError`` as a match does."""
        after = self.start.act(self.seat, words)
        facts = tuple(fact for _, fact in after.facts(self.seat, since=len(self.start.batches)))
        said = self.start.game.write(words)
        reached = self.goal.holds(said, facts)
        word = self.praise if reached else self._answer(said, facts)
        return Verdict(reached, word, facts, after)

    def _answer(self, said: str, facts: tuple[Fact, ...]) -> Msg:
        return next(answer.word for answer in self.answers if answer.condition.holds(said, facts))

    def _text(self, name: str) -> Msg:
        return msg(f"lesson.{self.key}.{name}")


def has_lessons(key: str) -> bool:
    """Return whether a game has lessons."""
    return (files(f"engines.{key}") / FILE).is_file()


@cache
def lessons(key: str) -> tuple[Lesson, ...]:
    """Return the lessons of a game in their order; an empty tuple if it has none.

    Raises ``ValueError`` and ``ActionError`` for an invalid lesson: the tests of the game detect that.
    """
    if not has_lessons(key):
        return ()
    listed = json.loads((files(f"engines.{key}") / FILE).read_text("utf-8"))
    return tuple(read(registry.game(key), each) for each in listed)


def read(game: AnyGame, data: Mapping[str, Any]) -> Lesson:
    """Return the lesson that ``data`` describes; raises ``ValueError`` and ``ActionError`` if invalid."""
    _only(data, _FIELDS)
    key, seat = data["key"], data.get("seat", 0)
    answers = tuple(
        Answer(_condition(each["if"]) if "if" in each else Condition(), msg(f"lesson.{key}.{each['word']}"))
        for each in data["answers"]
    )
    if [answer.condition.always for answer in answers] != [*[False] * (len(answers) - 1), True]:
        raise ValueError(f"{key}: the last answer, and no other, fits always")
    start = _start(game, data)
    for speaker, said in data.get("said", ()):
        start = start.act(speaker, game.read(said))
    solutions = tuple(game.read(said) for said in data["solutions"])
    return Lesson(key, seat, start, solutions, _condition(data["goal"]), answers)


def _start(game: AnyGame, data: Mapping[str, Any]) -> Match:
    """Return the match at a lesson's position, before the sentences that lead into it."""
    setup = setups.complete(game.manifest, data.get("seats"), data.get("options"))
    seed = bytes.fromhex(data["seed"]) if "seed" in data else bytes(SEED_BYTES)
    if "position" not in data and "situation" not in data:
        return Match.start(game, setup, seed)
    return Match.at(game, setup, seed, _state(game, data, setup, Rng.of_match(seed)))


def _state(game: AnyGame, data: Mapping[str, Any], setup: Setup, rng: Rng) -> Any:
    if "position" in data and isinstance(game, Positional):
        # Long ones are written row by row.
        return game.position("".join(data["position"]))
    if "situation" in data and isinstance(game, Situational):
        return game.situation(data["situation"], setup, rng)
    raise ValueError(f"{data['key']}: {game.manifest.key} cannot begin there")


def _condition(data: Mapping[str, Any]) -> Condition:
    _only(data, _CONDITIONS)
    facts, without = (_patterns(data.get(name, {})) for name in ("facts", "without"))
    return Condition(frozenset(data.get("say", ())), data.get("like", ""), facts, without)


def _patterns(wanted: Mapping[str, Mapping[str, Any]]) -> tuple[FactPattern, ...]:
    return tuple(
        FactPattern(kind, {name: _value(value) for name, value in data.items()})
        for kind, data in wanted.items()
    )


def _value(value: Any) -> FactValue:
    return tuple(map(_value, value)) if isinstance(value, list) else value


def _only(data: Mapping[str, Any], known: frozenset[str]) -> None:
    if unknown := sorted(set(data) - known):
        raise ValueError(f"a lesson has no {unknown[0]!r}")
