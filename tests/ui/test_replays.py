"""Replay files: checked against all that they claim, and made into films."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.__main__ import main
from bot.cli import ExitCode
from bot.domain import replay_file
from bot.domain.replay_file import ReplayError, parsed, public_views, replayed
from bot.workers.painting_pool import PaintingPool
from engines.core.contract import Outcome, msg
from engines.core.match import Entry, EntryKind, Match
from engines.core.registry import game
from renderers.core import film as films
from renderers.core.contract import ALT_LIMIT, Picture, Table
from renderers.core.registry import renderer
from tests.kit.replays import replay_of
from tests.kit.samples import FIVE, MORE
from tests.ui.positions import KEYS, PAINTED, played

ACTS = 14 if MORE > 1 else 6
TABLE = Table(("Anna", "Ben"))


@cache
def finished(key: str) -> Match:
    """Return a match that is left after some turns, by as many as it takes to end it."""
    *_, match = played(key, 5, ACTS)
    for seat in range(match.setup.seats):
        match = match.apply(Entry(EntryKind.WITHDRAW, seat)) if match.outcome is None else match
    return match


@cache
def text_of(key: str) -> str:
    """Return the replay of that match as a file holds it."""
    return json.dumps(replay_of(finished(key)))


def file_of(folder: Path, replay: object) -> Path:
    path = folder / "replay.json"
    path.write_text(json.dumps(replay), "utf-8")
    return path


@pytest.mark.parametrize("key", KEYS)
def test_a_replay_is_the_match_again(key: str) -> None:
    match = finished(key)
    moments = replayed(parsed(json.dumps(replay_of(match)).encode()))
    assert len(moments) == len(match.log) + 1
    assert moments[-1].digest() == match.digest()
    views = public_views(moments)
    assert views[-1] == match.view(None)
    assert all(one != two for one, two in pairwise(views))


def test_a_replay_says_whether_all_have_won_only_where_they_played_together() -> None:
    alone = Outcome(((0,), (1,)), (msg("end"),), ((0, 3), (1, 2)))
    assert replay_file.as_json(alone) == {
        "ranks": [[0], [1]],
        "reasons": ["end"],
        "scores": {"0": 3, "1": 2},
    }
    together = replay_file.as_json(Outcome(((0, 1),), (msg("end"),), won=False))
    assert together == {"ranks": [[0, 1]], "reasons": ["end"], "scores": {}, "won": False}


def _without(part: str) -> Callable[[dict[str, Any]], None]:
    def change(replay: dict[str, Any]) -> None:
        del replay[part]

    return change


def _with(part: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(replay: dict[str, Any]) -> None:
        replay[part] = value

    return change


def _row(number: int, part: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(replay: dict[str, Any]) -> None:
        replay["log"][number][part] = value

    return change


BROKEN: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (_with("format", "bauta-replay-9"), "not a replay of the format"),
    (_without("format"), "not a replay of the format"),
    (_with("game", "no such game"), "no game 'no such game'"),
    (_with("game", 3), "'game' is missing"),
    (_with("ruleset", "from the future"), r" does not offer ruleset 'from the future' here, only [ or0-9]+$"),
    (_with("data", {"cards.json": "0" * 64}), "data differ"),
    (_with("options", {"speed": "fast"}), "does not offer this set-up"),
    (_with("options", {"speed": 3}), "'options' is missing"),
    (_with("seed", "12"), "64 hexadecimal"),
    (_with("seed", "ab" * 32), "promised"),
    (_with("seats", []), "does not offer this set-up"),
    (_with("log", {}), "'log' is missing"),
    (_with("log", ["c4"]), "row 1 is not a row"),
    (_with("outcome", None), "ends otherwise"),
    (_row(3, "digest", "0" * 64), "after row 4 the match differs"),
    (_row(2, "seat", 7), "row 3 is not a row"),
    (_row(2, "seat", True), "row 3 is not a row"),
    (_row(2, "kind", "cheat"), "row 3 is not a row"),
    (_row(2, "sentence", "no move at all"), "row 3 is refused"),
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
@pytest.mark.parametrize("key", PAINTED)
def test_whatever_is_wrong_with_a_replay_is_said(key: str, number: int) -> None:
    change, said = BROKEN[number]
    replay = json.loads(text_of(key))
    change(replay)
    with pytest.raises(ReplayError, match=said):
        replayed(parsed(json.dumps(replay).encode()))


@pytest.mark.parametrize("key", [key for key in KEYS if game(key).manifest.data_hashes])
def test_data_that_were_added_since_are_none_that_a_match_needs(key: str) -> None:
    replay = replay_of(finished(key))
    (name, own), *others = replay["data"].items()
    assert replayed({**replay, "data": dict(others)})[-1].digest() == finished(key).digest()
    for data in ({name: own[::-1]}, {"other.json": own}, {**replay["data"], "other.json": own}):
        with pytest.raises(ReplayError, match="data differ"):
            replayed({**replay, "data": data})


@pytest.mark.parametrize("key", [key for key in KEYS if game(key).manifest.earlier_data])
def test_a_replay_of_a_match_that_began_with_earlier_data_is_played(key: str) -> None:
    replay, earlier = replay_of(finished(key)), dict(game(key).manifest.earlier_data)
    assert not earlier.items() & replay["data"].items()
    assert replayed({**replay, "data": earlier})[-1].digest() == finished(key).digest()
    name = next(iter(earlier))
    with pytest.raises(ReplayError, match="data differ"):
        replayed({**replay, "data": {**earlier, name: "0" * 64}})


def test_a_row_too_few_or_too_many_is_seen() -> None:
    replay = replay_of(finished(PAINTED[0]))
    with pytest.raises(ReplayError, match="ends otherwise"):
        replayed({**replay, "log": replay["log"][:-1]})
    with pytest.raises(ReplayError, match=f"row {len(replay['log']) + 1} is refused"):
        replayed({**replay, "log": [*replay["log"], replay["log"][-1]]})


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[]", b"3", b'{"format"', b"[" * 200_000])
def test_what_is_no_replay_is_refused(data: bytes) -> None:
    with pytest.raises(ReplayError):
        parsed(data)


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(ReplayError, match="larger"):
        parsed(b" " * (replay_file.SIZE_LIMIT + 1))


# --- films ----------------------------------------------------------------------------------------


def check_film(picture: Picture, frames: int, still: int = 0) -> None:
    """Check what every film promises. ``still``: frames that look like the one before them and prolong it."""
    assert picture.media_type == "image/webp"
    assert picture.suffix == "webp"
    assert len(picture.data) <= films.LIMIT
    assert 0 < len(picture.alt) <= ALT_LIMIT
    with Image.open(io.BytesIO(picture.data)) as image:
        assert image.size == (picture.width, picture.height)
        assert picture.width == films.WIDTH
        assert getattr(image, "n_frames", 1) == frames - still
        assert image.info["loop"] == 0
        stays = []
        for number in range(frames - still):
            image.seek(number)
            image.load()
            stays.append(image.info["duration"])
    if still:
        assert sum(stays) == films.FIRST_MS + films.FRAME_MS * (frames - 2) + films.LAST_MS
    else:
        assert stays[-1] == films.LAST_MS
        assert all(stay == films.FRAME_MS for stay in stays[1:-1])


@pytest.mark.parametrize("key", PAINTED)
def test_a_film_shows_every_change_and_the_end(key: str) -> None:
    moments = replayed(replay_of(finished(key)))
    views = public_views(moments)
    picture = renderer(key).film(views, TABLE)
    boards = [] if key in FIVE else [renderer(key).paint(view, "board", TABLE).data for view in views]
    still = sum(one == other for one, other in pairwise(boards))
    check_film(picture, len(views), still)
    last = renderer(key).paint(views[-1], "board", TABLE)
    assert picture.alt == last.alt
    with Image.open(io.BytesIO(picture.data)) as image, Image.open(io.BytesIO(last.data)) as board:
        image.seek(len(views) - still - 1)
        wanted = films.frame(board).tobytes()
        far = sum(abs(a - b) for a, b in zip(image.convert("RGB").tobytes(), wanted, strict=True))
    assert far / len(wanted) < 6, "the last frame is another picture"
    if MORE > 1 or key == "volo":
        assert renderer(key).film(views, TABLE).data == picture.data


def test_a_match_without_a_turn_is_a_film_of_one_frame() -> None:
    match = next(played(PAINTED[0], 1, 0))
    picture = renderer(PAINTED[0]).film([match.view(None)], TABLE)
    assert _frames(picture.data) == 1
    assert picture.width == films.WIDTH
    with pytest.raises(ValueError, match="frames"):
        renderer(PAINTED[0]).film([], TABLE)


def _noise(number: int) -> Image.Image:
    return Image.frombytes("RGB", (160, 160), Random(number).randbytes(3 * 160 * 160))


def test_a_film_that_is_too_large_loses_quality_then_frames() -> None:
    frames = [_noise(number) for number in range(12)]
    whole = films.film(frames)
    assert _frames(whole) == 12
    coarse = films.film(frames, len(whole) - 1)
    assert len(coarse) < len(whole)
    assert _frames(coarse) == 12
    short = films.film(frames, len(whole) // 8)
    assert len(short) <= len(whole) // 8
    assert 2 <= _frames(short) < 12
    with pytest.raises(ValueError, match="do not fit"):
        films.film(frames, 100)


def _frames(data: bytes) -> int:
    with Image.open(io.BytesIO(data)) as image:
        return int(getattr(image, "n_frames", 1))


def test_frames_are_spread_evenly_from_first_to_last() -> None:
    assert films.spread(range(5), 9) == [0, 1, 2, 3, 4]
    assert films.spread(range(100), 4) == [0, 33, 66, 99]
    assert films.spread(range(7), 2) == [0, 6]


async def test_a_film_comes_from_a_process() -> None:
    replay = replay_of(finished(PAINTED[0]))
    async with PaintingPool(workers=1) as painter:
        picture = await painter.film(replay, TABLE)
        assert picture == renderer(PAINTED[0]).film(public_views(replayed(replay)), TABLE)


async def test_a_replay_that_is_not_sound_has_no_film(caplog: pytest.LogCaptureFixture) -> None:
    async with PaintingPool(workers=1) as painter:
        assert await painter.film({**replay_of(finished(PAINTED[0])), "log": ["x"]}, TABLE) is None
    assert [record.getMessage().partition(":")[2] for record in caplog.records] == [" ReplayError"]


# --- the command ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", PAINTED)
def test_the_command_makes_a_film(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "film.webp"
    file = file_of(tmp_path, replay_of(finished(key)))
    assert main(["replay", str(file), "--out", str(out), "--name", "Anna"]) == 0
    with Image.open(out) as image:
        assert image.format == "WEBP"
        assert image.width == films.WIDTH
    said = capsys.readouterr().out
    assert f"{len(finished(key).log)} rows" in said
    assert "Anna" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda replay: {**replay, "game": "no such game"}, "no game"),
        (lambda replay: {**replay, "ruleset": "0"}, "does not offer"),
        (lambda _: [1], "not a replay"),
    ],
)
def test_the_command_says_what_is_wrong_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Any], Any], said: str
) -> None:
    file = file_of(tmp_path, change(replay_of(finished(PAINTED[0]))))
    out = tmp_path / "film.webp"
    assert main(["replay", str(file), "--out", str(out)]) == ExitCode.FAILED
    assert not out.exists()
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_the_command_paints_in_the_theme_that_the_match_was_shown_in(tmp_path: Path) -> None:
    replay = replay_of(finished(PAINTED[0]))

    def film(theme: object, *more: str) -> bytes:
        out = tmp_path / "film.webp"
        file = file_of(tmp_path, {**replay, "theme": theme})
        assert main(["replay", str(file), "--out", str(out), *more]) == 0
        return out.read_bytes()

    default, clear = film("default"), film("clear")
    assert default != clear
    assert [film(none) for none in ("plaid", None, ["clear"])] == [default] * 3
    assert film("clear", "--theme", "default") == default


def test_the_command_needs_files_that_are_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none.json"), "--out", str(tmp_path / "x.webp")]) == ExitCode.FAILED
    assert "cannot be read: No such file" in capsys.readouterr().err
    file = file_of(tmp_path, replay_of(finished(PAINTED[0])))
    assert main(["replay", str(file), "--out", str(tmp_path / "no" / "x.webp")]) == ExitCode.FAILED
    assert "cannot be written: No such file" in capsys.readouterr().err
    assert (
        main(["replay", str(file), "--out", str(tmp_path / "x.webp"), "--theme", "plaid"]) == ExitCode.FAILED
    )
    assert "no theme 'plaid'" in capsys.readouterr().err
