"""Faults planted in every game that has secrets, at every kind of table: each turns its check red.

In every run at the first table of each game alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest

from engines.core.contract import ActionError, IllegalAction, Seat, Setup, Step, Viewer, Words
from engines.core.match import AnyGame, Entry, EntryKind, Match
from engines.core.rng import Rng
from tests.contract.checks import hidden, menus
from tests.contract.checks.parts import Path, graft, kind, part, parts_apart
from tests.contract.checks.sampling import tables
from tests.contract.checks.secrets import check_revealed
from tests.contract.conftest import GAMES, TABLES, moments_at, name_of, open_at, words_at

Table = tuple[str, Setup]
Act = Callable[[Any, Seat, Words, Rng], Step[Any]]

FEW = 6
"""Moments that are enough to see a fault."""


def first_of_its_game(table: Table) -> bool:
    return table[1] == tables(GAMES[table[0]])[0]


@pytest.fixture(
    params=[pytest.param(t, marks=() if first_of_its_game(t) else pytest.mark.nightly) for t in TABLES],
    ids=[*map(name_of, TABLES)],
)
def table(request: pytest.FixtureRequest) -> Table:
    found: Table = request.param
    return found


# --- acts that take what no menu offers -----------------------------------------------------------


def other_seats_words(game: AnyGame, act: Act) -> Act:
    """Let a seat say what another one may."""

    def broken(state: Any, seat: Seat, words: Words, rng: Rng) -> Step[Any]:
        for who in (seat, *sorted(game.waiting(game.view(state, None)))):
            with suppress(ActionError):
                return act(state, who, words, rng)
        return act(state, seat, words, rng)

    return broken


def words_of_other_moments(game: AnyGame, act: Act) -> Act:
    """Take what is a sentence, but not now."""

    def broken(state: Any, seat: Seat, words: Words, rng: Rng) -> Step[Any]:
        try:
            return act(state, seat, words, rng)
        except IllegalAction:
            return Step(state, ())

    return broken


def one_word_more(game: AnyGame, act: Act) -> Act:
    """Overlook a word after the end of a sentence."""

    def broken(state: Any, seat: Seat, words: Words, rng: Rng) -> Step[Any]:
        try:
            return act(state, seat, words, rng)
        except ActionError:
            return act(state, seat, words[:-1], rng)

    return broken


def any_last_word(game: AnyGame, act: Act) -> Act:
    """Take the last word of a sentence, whatever it is, for the first that is offered there."""

    def broken(state: Any, seat: Seat, words: Words, rng: Rng) -> Step[Any]:
        try:
            return act(state, seat, words, rng)
        except ActionError:
            menu = game.menu(game.view(state, seat), words[:-1])
            if menu is None or not words:
                raise
            for choice in menu.choices():
                try:
                    return act(state, seat, (*menu.draft, choice.word), rng)
                except ActionError:
                    continue
            raise

    return broken


@pytest.mark.parametrize("plant", [other_seats_words, words_of_other_moments, one_word_more, any_last_word])
def test_an_act_that_takes_what_no_menu_offers(
    plant: Callable[[AnyGame, Act], Act], secret_table: Table, rng_at: Rng, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, pool = GAMES[secret_table[0]], words_at(*secret_table)
    moments = moments_at(*secret_table)
    monkeypatch.setattr(type(game), "act", staticmethod(plant(game, game.act)))
    with pytest.raises(AssertionError, match="act says None"):
        menus.check_strange_words(moments, pool, rng_at)


# --- truths that are imagined with less than is hidden --------------------------------------------


def _as_it_is(game: AnyGame, name: Path, patch: pytest.MonkeyPatch) -> None:
    """Let ``imagine`` keep the parts of one kind as they are in truth."""
    view_of, imagine = game.view, game.imagine
    known: dict[int, tuple[Any, Any]] = {}

    def view(state: Any, viewer: Viewer) -> Any:
        found = view_of(state, viewer)
        known[id(found)] = found, state
        return found

    def broken(seen: Any, rng: Rng) -> Any:
        return _with_parts(imagine(seen, rng), known[id(seen)][1], name)

    patch.setattr(type(game), "view", staticmethod(view))
    patch.setattr(type(game), "imagine", staticmethod(broken))


def _always_alike(game: AnyGame, name: Path, patch: pytest.MonkeyPatch) -> None:
    """Let ``imagine`` draw the parts of one kind once for each view."""
    imagine = game.imagine

    def broken(seen: Any, rng: Rng) -> Any:
        return _with_parts(imagine(seen, rng), imagine(seen, Rng(bytes(32))), name)

    patch.setattr(type(game), "imagine", staticmethod(broken))


def _with_parts(state: Any, source: Any, name: Path) -> Any:
    for path in parts_apart(state, source):
        # Where only one of the two has the part at all, they differ further up.
        if kind(path) == name[: len(kind(path))]:
            state = graft(state, path, part(source, path))
    return state


@pytest.mark.parametrize("plant", [_as_it_is, _always_alike])
def test_an_imagine_that_varies_less_than_is_hidden(
    plant: Callable[[AnyGame, Path, pytest.MonkeyPatch], None], secret_table: Table, rng_at: Rng
) -> None:
    game = GAMES[secret_table[0]]
    found, moments = open_at(*secret_table)
    often = [path for (viewer, path), times in found.items() if viewer is None and times >= hidden.OFTEN]
    assert often
    for name in sorted({kind(path) for path in often}):
        watched = hidden.Hidden({(None, path): hidden.OFTEN for path in often if kind(path) == name})
        with pytest.MonkeyPatch.context() as patch:
            plant(game, name, patch)
            with pytest.raises(AssertionError, match="is always imagined"):
                hidden.check_imagine(watched, moments, rng_at)


# --- records that leave a part out ----------------------------------------------------------------


def test_a_record_that_leaves_a_hidden_part_out(secret_table: Table, rng_at: Rng) -> None:
    game = GAMES[secret_table[0]]
    moments, record = moments_at(*secret_table), game.record
    hidden_names = {name for match in moments for name in _hidden_names(match, rng_at)}
    assert hidden_names
    for name in sorted(hidden_names):
        with pytest.MonkeyPatch.context() as patch:
            broken = staticmethod(lambda state, name=name: _without(record(state), name))
            patch.setattr(type(game), "record", broken)
            with pytest.raises(AssertionError, match="the record leaves"):
                hidden.check_records(moments, rng_at)


def _hidden_names(match: Match, rng: Rng) -> Iterator[tuple[str, ...]]:
    """Yield where the record of another truth differs: names, without places in lists."""
    other = match.game.imagine(match.view(None), rng)
    yield from _names_apart(match.game.record(match.state), match.game.record(other))


def _names_apart(one: Any, two: Any, name: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if one == two:
        return
    if isinstance(one, Mapping) and isinstance(two, Mapping) and len(name) < 2:
        for key in one:
            yield from _names_apart(one[key], two[key], (*name, key))
    elif isinstance(one, list) and any(isinstance(item, Mapping) for item in one) and len(name) < 2:
        for item, other in zip(one, two, strict=True):
            yield from _names_apart(item, other, name)
    else:
        yield name


def _without(data: Any, name: tuple[str, ...]) -> Any:
    if isinstance(data, list):
        return [_without(item, name) for item in data]
    if data is None or name[0] not in data:
        return data
    if len(name) == 1:
        return {key: value for key, value in data.items() if key != name[0]}
    return {**data, name[0]: _without(data[name[0]], name[1:])}


# --- secrets that are kept after the end ----------------------------------------------------------


def test_a_secret_that_is_kept_after_the_end(secret_table: Table, rng_at: Rng) -> None:
    game = GAMES[secret_table[0]]
    apart, kept = 0, 0
    for match in moments_at(*secret_table)[:FEW]:
        end = match.apply(Entry(EntryKind.AGREE))
        other = game.agree(game.imagine(match.view(None), rng_at), Rng.of_match(match.seed)).state
        for path in parts_apart(end.state, other):
            apart += 1
            with pytest.MonkeyPatch.context() as patch:
                if _shows_another(game, path, part(other, path), end, patch):
                    kept += 1
                    with pytest.raises(AssertionError, match=r"something stays hidden|can tell"):
                        check_revealed(end, rng_at)
    assert kept or not apart  # at some tables nothing outlives the match that was hidden


def _shows_another(game: AnyGame, path: Path, value: object, end: Match, patch: pytest.MonkeyPatch) -> bool:
    """Let views after the end show something else in the place of one part; whether they show it at all."""
    view_of = game.view
    before = end.view(None)

    def view(state: Any, viewer: Viewer) -> Any:
        return view_of(graft(state, path, value), viewer)

    patch.setattr(type(game), "view", staticmethod(view))
    return bool(end.view(None) != before)
