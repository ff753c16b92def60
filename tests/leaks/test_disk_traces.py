"""The picture cache on disk: whoever lists it, with all its times, learns nothing of what one seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.core.match import Match
from engines.core.registry import game
from engines.core.rng import Rng
from engines.core.setups import complete
from renderers.core.caches import SCENES, SPRITES, WORDS, for_everybody, keep_on_disk
from renderers.core.contract import Table
from renderers.core.registry import renderer
from renderers.corto.page import BANDS
from tests.contract.checks.sampling import baseline, seed
from tests.contract.checks.secrets import keeps_secrets, twin
from tests.kit.vault.install import KEY as VAULT

SENTENCES = 5
"""How far the matches are played before anybody looks."""


@pytest.fixture(autouse=True)
def _no_cache_afterwards() -> Iterator[None]:
    yield
    keep_on_disk(None)
    _forget()


def _forget() -> None:
    """Make this process a fresh one, as far as pictures go."""
    for cache in (SCENES, SPRITES, WORDS, BANDS):
        cache.clear()


def _paint(match: Match, *, public: bool) -> None:
    painter, seats = renderer(match.setup.game), range(match.setup.seats)
    table = Table(tuple(f"Player {seat}" for seat in seats))
    for viewer in (None,) if public else seats:
        view, menu = match.view(viewer), None if viewer is None else match.menu(viewer)
        for name, _ in painter.pictures(view):
            painter.paint(view, name, table, (), menu)


def _listing(folder: Path) -> dict[str, tuple[int, ...]]:
    """Return all that anybody could learn of a folder without opening its files."""
    found: dict[str, tuple[int, ...]] = {}
    for path in sorted([folder, *folder.rglob("*")]):
        status = path.stat()
        # To list a folder is to read it, here too.
        read = 0 if path.is_dir() else status.st_atime_ns
        times = (status.st_mtime_ns, status.st_ctime_ns, read)
        found[str(path.relative_to(folder))] = (status.st_ino, status.st_size, status.st_mode, *times)
    return found


def _played(key: str) -> Match:
    setup = complete(game(key).manifest, min(game(key).manifest.seats))
    matches = baseline(game(key), setup, seed("traces", key))
    return next(match for number, match in enumerate(matches) if number == SENTENCES)


@pytest.mark.parametrize(
    "key",
    [
        "corto",
        VAULT,
        *(pytest.param(key, marks=pytest.mark.nightly) for key in ("doge", "volo", "volt", "volto")),
    ],
)
def test_private_pictures_leave_no_trace(key: str, tmp_path: Path) -> None:
    match = _played(key)
    other = twin(match, None, Rng(bytes(32)))
    assert other or not keeps_secrets(match.game), "no twin, nothing compared"
    # With a cache to read from: nothing in it moves.
    _forget()
    keep_on_disk(tmp_path / "public")
    _paint(match, public=True)
    _forget()
    before = _listing(tmp_path / "public")
    assert len(before) > 1 or key == VAULT, "nothing is kept"
    _paint(match, public=False)
    assert _listing(tmp_path / "public") == before
    # With an empty one, in another truth: nothing is made, and what is left in memory changes nothing of what
    # the public picture makes.
    _forget()
    keep_on_disk(tmp_path / "private")
    _paint(other or match, public=False)
    assert set(_listing(tmp_path / "private")) == {"."}
    _paint(match, public=True)
    assert set(_listing(tmp_path / "private")) == set(before)


def test_a_hand_that_leaves_traces_is_seen(tmp_path: Path) -> None:
    match = _played("volto")
    _forget()
    keep_on_disk(tmp_path / "cache")
    with for_everybody():
        _paint(match, public=False)
    assert len(_listing(tmp_path / "cache")) > 10
