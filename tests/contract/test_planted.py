"""The checks see what they are there for: each planted fault turns one of them red."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engines.core import registry
from engines.core.contract import (
    EVERYONE,
    Event,
    IllegalAction,
    InvalidAction,
    Msg,
    Seat,
    Step,
    Words,
    msg,
)
from engines.core.match import AnyGame, Match
from engines.core.rng import Rng
from renderers.core.contract import Picture, Table
from tests.contract import planted, planted_knowledge, planted_notes
from tests.contract.checks import hidden, knowledge, menus, notes, pictures, play, secrets
from tests.contract.checks.parts import shuffled_kinds
from tests.contract.checks.sampling import Line, baseline, sample, seed, tables, viewers, wild
from tests.contract.fingerprint import in_fresh_process, lines_to_compare
from tests.kit.samples import some
from tests.kit.vault import GAME as VAULT
from tests.kit.vault.game import Vault

RNG = Rng(seed("planted"))
Check = Callable[[AnyGame], None]


def all_lines(game: AnyGame) -> tuple[Line, ...]:
    """Return matches whose sentences are those of the sound game, played by the broken one."""
    found = []
    for number, setup in enumerate(tables(VAULT) * 2):
        how = wild if number % 2 else baseline
        sound = tuple(how(VAULT, setup, seed("planted", number)))
        found.append(Line(tuple(Match(game, m.setup, m.seed, m.state, m.log, m.batches) for m in sound)))
    return tuple(found)


def open_moments(game: AnyGame) -> Iterator[Match]:
    for line in all_lines(game):
        yield from sample(line, 8, RNG.stream("sample"))


def by_viewer(check: Callable[[Match, Any, Rng], object]) -> Check:
    def run(game: AnyGame) -> None:
        for number, match in enumerate(open_moments(game)):
            for viewer in viewers(match):
                check(match, viewer, RNG.child(number))

    return run


def by_seat(check: Callable[..., object], *more: object) -> Check:
    def run(game: AnyGame) -> None:
        for match in open_moments(game):
            for seat in range(match.setup.seats):
                check(match, seat, *more)

    return run


def by_moment(check: Callable[..., object], *more: object) -> Check:
    def run(game: AnyGame) -> None:
        for match in open_moments(game):
            check(match, *more)

    return run


def starts(game: AnyGame) -> None:
    for setup in tables(game):
        secrets.check_start(game, setup)


def share(game: AnyGame) -> None:
    found = [secrets.twin(m, viewer, RNG) is not None for m in open_moments(game) for viewer in viewers(m)]
    assert sum(found) * 2 >= len(found)


def refusals(game: AnyGame) -> None:
    pool = [entry.words for line in all_lines(game) for entry in line.end.log if entry.words]
    menus.check_strange_words(open_moments(game), pool, RNG)


def every_moment(game: AnyGame) -> None:
    for line in all_lines(game):
        for match in line.moments:
            again = Match.replay(game, match.setup, match.seed, match.log)
            play.check_moment(again)
            play.check_last_sentence(again)


def ends(game: AnyGame) -> None:
    for line in all_lines(game):
        play.check_end(line.end, earlier=line.moments[-2])


def reprs(game: AnyGame) -> None:
    for line in all_lines(game):
        play.check_reprs(line)


def replays(game: AnyGame) -> None:
    for line in all_lines(game):
        play.check_replay(line)


def noting(game: AnyGame) -> None:
    for number, line in enumerate(all_lines(game)):
        notes.check_logged(line)
        notes.check_without_notes(line, RNG.child(number))
    by_seat(notes.check_notes, RNG)(game)


def remembers(game: AnyGame) -> None:
    shuffled = shuffled_kinds(match.state for match in open_moments(VAULT))
    by_seat(knowledge.check_remembers, shuffled, RNG)(game)


def untold(game: AnyGame) -> None:
    for line in all_lines(game):
        again = (Match.replay(game, match.setup, match.seed, match.log) for match in line.moments)
        knowledge.check_untold(Line(tuple(again)))


def records(game: AnyGame) -> None:
    hidden.check_records(open_moments(game), RNG)


def terminates(game: AnyGame) -> None:
    for number, setup in enumerate(tables(game)):
        play.check_terminates(game, setup, seed("planted", number))


def settled(game: AnyGame) -> None:
    play.check_settled(game, seed("planted"))


CHECKS: dict[str, Check] = {
    "twins": by_viewer(secrets.check_twin),
    "choices": by_moment(secrets.check_secret_choices, RNG),
    "starts": starts,
    "share": share,
    "menus": by_seat(menus.check_menus, RNG),
    "refusals": refusals,
    "moments": every_moment,
    "pure": by_moment(play.check_pure, RNG),
    "travel": by_moment(play.check_views_travel),
    "lapse": by_moment(play.check_lapse),
    "withdraw": by_seat(play.check_withdraw),
    "agree": by_moment(play.check_agree),
    "ends": ends,
    "reprs": reprs,
    "replays": replays,
    "terminates": terminates,
    "settled": settled,
    "noting": noting,
    "told alike": by_seat(knowledge.check_told_alike, RNG),
    "remembers": remembers,
    "untold": untold,
    "records": records,
}

FAULTS: list[tuple[type[Vault], str]] = [
    (planted.SeesAll, "twins"),
    (planted.ShowsHalf, "starts"),
    (planted.SlyMenu, "twins"),
    (planted.SlyDescription, "twins"),
    (planted.TellingRefusal, "twins"),
    (planted.LegalByTruth, "twins"),
    (planted.LoudPeek, "twins"),
    (planted.LoudCommit, "choices"),
    (planted.LoudLeave, "twins"),
    (planted.LoudStart, "starts"),
    (planted.Unheeded, "settled"),
    (planted.WrongTwin, "twins"),
    (planted.NoTwin, "share"),
    (planted.Remembers, "pure"),
    (planted.Meddles, "pure"),
    (planted.OpenRepr, "reprs"),
    (planted.Unpicklable, "travel"),
    (planted.DeadEnd, "menus"),
    (planted.Unconfirmed, "menus"),
    (planted.TakesMore, "refusals"),
    (planted.Breaks, "refusals"),
    (planted.LongWords, "menus"),
    (planted.NoLabel, "menus"),
    (planted.NoSentence, "moments"),
    (planted.TellingPreview, "menus"),
    (planted.WrongNotation, "moments"),
    (planted.GoesOn, "ends"),
    (planted.NeverEnds, "terminates"),
    (planted.HidesEnd, "ends"),
    (planted.KeepsWaiting, "withdraw"),
    (planted.LateLapse, "lapse"),
    (planted.DrawnByLot, "agree"),
    (planted.WonAlone, "ends"),
    (planted.Unsettled, "ends"),
    (planted.RankedTogether, "ends"),
    (planted.WonByLeaving, "withdraw"),
    (planted.LegalByTruth, "noting"),
    (planted_knowledge.ShowsLaid, "told alike"),
    (planted_knowledge.ShowsLaidLater, "told alike"),
    (planted_knowledge.ForgetsSent, "remembers"),
    (planted_knowledge.ForgetsLaid, "remembers"),
    (planted_knowledge.SilentLay, "untold"),
    (planted_notes.ToldNote, "noting"),
    (planted_notes.NoteToldBack, "noting"),
    (planted_notes.CountedNote, "noting"),
    (planted_notes.SpentNote, "noting"),
    (planted_notes.RecordedNote, "noting"),
    (planted_notes.RecordedNote, "records"),
    (planted_notes.SeenNote, "noting"),
    (planted_notes.RevealedNote, "noting"),
    (planted_notes.AskingNote, "noting"),
    (planted_notes.MistakenNote, "noting"),
    (planted_notes.FirmNote, "noting"),
]


ERRORS: dict[type[Vault], tuple[type[Exception], ...]] = {
    planted.Breaks: (KeyError,),
    planted.DeadEnd: (IllegalAction,),
    planted.LongWords: (InvalidAction,),
    planted.NoLabel: (KeyError,),
    planted.NoSentence: (KeyError,),
    planted.Unpicklable: (AttributeError,),
    planted_notes.FirmNote: (IndexError,),
    planted.WrongNotation: (InvalidAction,),
}


@pytest.mark.parametrize("name", CHECKS)
def test_the_sound_game_passes(name: str) -> None:
    CHECKS[name](VAULT)


@pytest.mark.parametrize("name", ["moments", "withdraw", "agree", "ends"])
def test_a_sound_game_that_all_play_together_passes(name: str) -> None:
    CHECKS[name](planted.Together())


def test_a_sound_game_whose_options_settle_others_passes() -> None:
    CHECKS["settled"](planted.Settling())


@pytest.mark.parametrize(("broken", "name"), some(FAULTS))
def test_a_planted_fault_is_seen(broken: type[Vault], name: str) -> None:
    # A check speaks in assertions, or lets the error through that the broken game raises.
    with pytest.raises((AssertionError, *ERRORS.get(broken, ()))):
        CHECKS[name](broken())


def test_an_order_that_the_hash_seed_decides_is_seen() -> None:
    runs = {in_fresh_process("tests.contract.planted:UNORDERED", str(number)) for number in range(3)}
    assert len(runs) > 1
    assert in_fresh_process("tests.kit.vault:GAME", "1") == tuple(lines_to_compare(VAULT))


class Painter:
    """Paints the seat and, if it is told to, looks at the truth behind the view, or leaves out full stops."""

    def __init__(self, *, data: bool = False, alt: bool = False, end: str = ".") -> None:
        self.data = data
        self.alt = alt
        self.end = end

    def pictures(self, view: Any) -> tuple[tuple[str, Msg], ...]:
        return (("board", Msg("board")),)

    @property
    def themes(self) -> tuple[str, ...]:
        return ("default",)

    def film(self, views: Sequence[Any], table: Table) -> Picture:
        return self.paint(views[-1], "board", table)

    def paint(self, view: Any, key: str, table: Table, draft: Words = (), menu: object = None) -> Picture:
        data = f"{view.viewer} {draft} {view.truth if self.data else ''}"
        alt = f"The board, {len(table.names)} seats {view.truth if self.alt else ''}{self.end}"
        return Picture(data.encode(), "image/png", 1, 1, alt)

    def warm(self, view: Any, key: str, table: Table, draft: Words = (), menu: object = None) -> None:
        self.paint(view, key, table, draft, menu)

    def text(self, view: Any, table: Table) -> str:
        return f"Round {len(view.public.shown)}"


def _twin_pictures(painter: Painter) -> None:
    game = planted.SlyMenu()
    for match in open_moments(game):
        for viewer in viewers(match):
            other = secrets.twin(match, viewer, RNG)
            if other is not None:
                pictures.check_twin_pictures(painter, match, other, viewer)


def test_a_picture_that_leaks_is_seen() -> None:
    _twin_pictures(Painter())
    with pytest.raises(AssertionError):
        _twin_pictures(Painter(data=True))
    with pytest.raises(AssertionError):
        _twin_pictures(Painter(alt=True))


def test_words_that_are_no_whole_sentences_are_seen() -> None:
    with pytest.raises(AssertionError, match="no whole sentences"):
        _twin_pictures(Painter(end=""))


Act = Callable[[Any, Seat, Words, Rng], Step[Any]]


def telling_refusals(game: AnyGame, act: Act) -> Act:
    """Let a game's refusals depend on the whole truth."""

    def broken(state: Any, seat: Seat, words: Words, rng: Rng) -> Step[Any]:
        try:
            return act(state, seat, words, rng)
        except InvalidAction as error:
            raise InvalidAction(msg("help") if _odd(game, state) else game.manifest.tagline) from error

    return broken


def loud_acts(game: AnyGame, act: Act) -> Act:
    """Let a game tell everybody about the whole truth."""

    def broken(state: Any, seat: Seat, words: Words, rng: Rng) -> Step[Any]:
        step = act(state, seat, words, rng)
        if not step.events:
            return step
        kind = step.events[0].fact
        more = replace(kind, data=(*kind.data, ("leak", _odd(game, step.state))))
        return Step(step.state, (*step.events, Event(more, EVERYONE)))

    return broken


def _odd(game: AnyGame, state: Any) -> int:
    return hashlib.sha256(secrets.truth(game, state).encode()).digest()[0] % 2


QUICK = ("doge", "volto")
"""Games whose leaks are looked for in every run: those of the others take several times as long."""

MATCHES = 5
"""Matches in which moments with a secret are looked for: one of a small game has few."""

LEAKY = [pytest.param(key, marks=() if key in QUICK else pytest.mark.nightly) for key in registry.games()]


@pytest.mark.parametrize("plant", [telling_refusals, loud_acts])
@pytest.mark.parametrize("key", LEAKY)
def test_a_leak_in_a_real_game_is_seen(
    key: str, plant: Callable[[AnyGame, Act], Act], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = registry.games()[key]
    moments: list[Match] = []
    for number in range(MATCHES):
        line = Line(tuple(baseline(game, tables(game)[0], seed("planted", key, number))))
        moments += sample(line, 12, RNG.stream("real"))
        if sum(map(secrets.has_secrets, moments)) >= 12:
            break
    if not any(map(secrets.has_secrets, moments)):
        pytest.skip("this game has no secrets")
    _check_secrets(moments)
    monkeypatch.setattr(type(game), "act", staticmethod(plant(game, game.act)))
    with pytest.raises(AssertionError):
        _check_secrets(moments)


def _check_secrets(moments: list[Match]) -> None:
    for match in moments:
        for viewer in viewers(match):
            secrets.check_twin(match, viewer, RNG)
        secrets.check_secret_choices(match, RNG)
