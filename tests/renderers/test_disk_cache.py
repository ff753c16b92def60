"""The disk cache: what it gives is what was painted, and no trouble with it costs a picture."""

from __future__ import annotations

import errno
import logging
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from renderers.core import caches, disk_cache
from renderers.core.caches import SCENES, SPRITES, keep_on_disk
from renderers.core.disk_cache import SUFFIX, DiskCache, key_text, pack, sources, unpack
from renderers.core.registry import renderers_by_game
from tests.kit.samples import FIVE, MORE
from tests.renderers.looks import SAMPLE, named

PACKAGE = "renderers.core"

KEEPING = tuple(name for name in SAMPLE if name.startswith(FIVE))
"""Pictures with sprites that are kept; another painter may have none."""

FEW = KEEPING[:: 1 if MORE > 1 else 4]
"""Pictures of several games; by night of all."""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    _forget()
    keep_on_disk(tmp_path / "art")
    yield tmp_path / "art"
    keep_on_disk(None)
    _forget()


def _forget() -> None:
    for cache in (SCENES, SPRITES):
        cache.clear()


def _images() -> Iterator[Image.Image]:
    gradient = Image.radial_gradient("L").resize((37, 21))
    yield gradient
    yield gradient.convert("RGB")
    yield Image.merge("RGBA", [gradient] * 4)
    yield Image.new("RGBA", (1, 1))
    yield gradient.convert("RGB").quantize(19)


def _never() -> Image.Image:
    raise AssertionError("painted again")


def _same(one: Image.Image, two: Image.Image) -> bool:
    return (one.mode, one.size, one.tobytes(), one.getpalette()) == (
        two.mode,
        two.size,
        two.tobytes(),
        two.getpalette(),
    )


@pytest.mark.parametrize("number", range(5))
def test_an_entry_is_the_image_again(tmp_path: Path, number: int) -> None:
    image = list(_images())[number]
    assert _same(unpack(pack(image)), image)
    assert DiskCache(tmp_path).get(PACKAGE, "x", lambda: image) is image
    assert _same(DiskCache(tmp_path).get(PACKAGE, "x", _never), image)


def test_whatever_happens_to_an_entry_is_seen() -> None:
    data = pack(list(_images())[1])
    for broken in (b"", data[:-1], data[:50], data + b"x", data[1:], b"\0" * len(data)):
        with pytest.raises(ValueError, match="entry"):
            unpack(broken)
    for place in range(0, len(data), 7):
        flipped = bytearray(data)
        flipped[place] ^= 4
        with pytest.raises(ValueError, match="entry"):
            unpack(bytes(flipped))


@pytest.mark.nightly
def test_all_pictures_are_the_same_with_and_without_a_folder(folder: Path) -> None:
    keep_on_disk(None)
    alone = {name: named(name).painted().data for name in KEEPING}
    for _ in range(2):
        _forget()
        keep_on_disk(folder)
        assert {name: named(name).painted().data for name in KEEPING} == alone
    assert len({path.parent for path in folder.rglob("*" + SUFFIX)}) == len(
        {named(name).game for name in KEEPING}
    )


def test_what_was_kept_is_not_painted_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = {name: named(name).painted().data for name in FEW}
    kept = sorted(folder.rglob("*" + SUFFIX))
    assert kept
    _forget()
    keep_on_disk(folder)
    monkeypatch.setattr(tempfile, "mkstemp", lambda **_: pytest.fail("written again"))
    assert {name: named(name).painted().data for name in FEW} == first


@pytest.mark.parametrize("rubbish", [b"", b"rubbish", None])
def test_a_corrupt_folder_costs_one_line_and_no_picture(
    folder: Path, caplog: pytest.LogCaptureFixture, rubbish: bytes | None
) -> None:
    name = next(iter(KEEPING))
    first = named(name).painted().data
    for path in folder.rglob("*" + SUFFIX):
        path.write_bytes(path.read_bytes()[:-9] if rubbish is None else rubbish)
    _forget()
    keep_on_disk(folder)
    assert named(name).painted().data == first
    assert len(caplog.records) == 1
    assert "broken" in caplog.text
    _forget()
    keep_on_disk(folder)
    assert named(name).painted().data == first
    assert len(caplog.records) == 1, "what was broken is written anew"


def test_a_folder_that_is_a_file_costs_one_line_and_no_picture(
    tmp_path: Path, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    for name in KEEPING[:2]:
        first = named(name).painted().data
        _forget()
        keep_on_disk(tmp_path / "file")
        assert named(name).painted().data == first
        keep_on_disk(folder)
    messages = [record.getMessage() for record in caplog.records]
    assert all("picture cache cannot be" in message for message in messages)
    assert len(messages) == 2 * len(set(messages))


def test_a_folder_is_its_users_alone_or_unused(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    name = next(iter(KEEPING))

    def kept(folder: Path) -> bool:
        _forget()
        keep_on_disk(folder)
        assert named(name).painted().data
        keep_on_disk(None)
        return any(folder.rglob("*" + SUFFIX))

    caplog.set_level(logging.INFO)
    new = tmp_path / "above" / "new"
    assert kept(new)
    assert all(path.stat().st_mode & 0o077 == 0 for path in [new, *new.rglob("*")])
    assert caplog.records == []
    new.chmod(0o755)
    assert kept(new)
    assert disk_cache.privacy_fault(new) is None
    assert "made private" in caplog.text
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    (shared / "letter.txt").write_text("mine")
    assert not kept(shared)
    assert shared.stat().st_mode & 0o777 == 0o755, "others may need what else is there"
    assert "holds other things" in caplog.text


def test_a_folder_that_others_could_exchange_is_unused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, linked = tmp_path / "mine", tmp_path / "linked"
    assert DiskCache(mine).make_private()
    linked.symlink_to(mine)
    assert not DiskCache(linked).make_private()
    assert "it is a link" in caplog.text
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert not DiskCache(mine).make_private()
    assert "another user" in caplog.text


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder_costs_one_line(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder.chmod(0o500)
    assert named(next(iter(KEEPING))).painted().data
    folder.chmod(0o700)
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(errno.EROFS, marks=pytest.mark.nightly),
        errno.ENOSPC,
        pytest.param(errno.EACCES, marks=pytest.mark.nightly),
    ],
)
def test_a_disk_that_takes_nothing_costs_one_line(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fdopen", refuse)
    pictures = [named(name).painted() for name in FEW]
    assert all(picture.data for picture in pictures)
    assert [os.strerror(number) in record.getMessage() for record in caplog.records] == [True]
    assert not [path for path in folder.rglob("*") if path.is_file()], "something half written is left"


def test_an_entry_is_kept_by_sources_theme_and_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = DiskCache(tmp_path)
    assert len({one.path(PACKAGE, name) for name in ("a", "b")}) == 2
    assert len({sources(f"renderers.{key}") for key in renderers_by_game()}) == len(renderers_by_game())
    before = one.path(PACKAGE, "a")
    sources.cache_clear()
    monkeypatch.setattr(disk_cache, "version", lambda _: "another")
    assert one.path(PACKAGE, "a") != before
    sources.cache_clear()


def test_a_changed_drawing_is_another_generation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "easel" / "data"
    data.mkdir(parents=True)
    (tmp_path / "easel" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    seen = []
    for text in ("[1]", "[2]", "[1]"):
        (data / "shapes.json").write_text(text)
        sources.cache_clear()
        seen.append(sources("easel"))
    sources.cache_clear()
    assert seen[0] == seen[2] != seen[1]


def test_plain_text_tells_values_apart() -> None:
    values = [1, 1.5, "1", "1.0", None, "None", (1,), ((1,),), (1, 1), "(1)", Image.Transpose.ROTATE_90]
    assert len({key_text(value) for value in values}) == len(values)
    assert key_text((1, True)) == key_text((1.0, 1)), "equal arguments are one entry"
    with pytest.raises(TypeError):
        key_text(object())


def test_a_painter_whose_arguments_say_not_all_stays_in_memory(folder: Path) -> None:
    @caches.sprite
    def dot(size: int) -> Image.Image:
        return Image.new("RGBA", (size, size))

    assert dot(3) is dot(3)
    assert not list(folder.rglob("*" + SUFFIX))


def test_old_generations_are_thrown_away_and_nothing_else(tmp_path: Path) -> None:
    old, new, foreign = tmp_path / ("0" * 24), tmp_path / ("1" * 24), tmp_path / "holiday"
    for path in (old, new, foreign):
        path.mkdir()
        (path / f"a{SUFFIX}").write_text("")
    past = time.time() - disk_cache.MAX_UNUSED_S - 10
    os.utime(old, (past, past))
    os.utime(foreign, (past, past))
    DiskCache(tmp_path).prune()
    assert [path.exists() for path in (old, new, foreign)] == [False, True, True]


def _used(path: Path, ago: float) -> None:
    moment = time.time() - ago
    os.utime(path, (moment, moment))


def test_what_was_used_longest_ago_makes_room(tmp_path: Path) -> None:
    one = DiskCache(tmp_path)
    image = Image.new("L", (9, 9))
    size = len(pack(image))
    paths = [one.path(PACKAGE, name) for name in "abcdef"]
    for ago, name in enumerate("abcdef"):
        one.get(PACKAGE, name, lambda: image)
        _used(one.path(PACKAGE, name), 60.0 * (10 - ago))
    older = tmp_path / ("0" * 24)
    older.mkdir()
    left = older / "tmphalf"
    left.write_bytes(bytes(size))
    _used(left, 3_600)
    foreign = tmp_path / "holiday"
    foreign.mkdir()
    (foreign / f"a{SUFFIX}").write_bytes(bytes(100 * size))
    one.prune()
    assert all(path.exists() for path in [*paths, left]), "there is room enough"
    DiskCache(tmp_path).get(PACKAGE, "a", _never)
    DiskCache(tmp_path, size_limit=3 * size + 1).prune()
    assert not left.exists()
    assert [path.exists() for path in paths] == [True, False, False, False, True, True]
    assert (foreign / f"a{SUFFIX}").exists()


def test_a_process_that_writes_on_and_on_stays_within_its_room(tmp_path: Path) -> None:
    image = Image.new("L", (9, 9))
    size = len(pack(image))
    one = DiskCache(tmp_path, size_limit=16 * size)
    taken = []
    for number in range(80):
        assert one.get(PACKAGE, str(number), lambda: image) is image
        _used(one.path(PACKAGE, str(number)), 100 - number)
        taken.append(sum(path.stat().st_size for path in tmp_path.rglob("*" + SUFFIX)))
    assert max(taken) <= 16 * size * 9 / 8 + size
    assert taken[-1] >= 15 * size
    DiskCache(tmp_path).get(PACKAGE, "79", _never)


def test_a_generation_that_is_only_read_is_used(tmp_path: Path) -> None:
    one = DiskCache(tmp_path)
    image = Image.new("L", (9, 9))
    one.get(PACKAGE, "a", lambda: image)
    path = one.path(PACKAGE, "a")
    _used(path.parent, disk_cache.MAX_UNUSED_S + 10)
    DiskCache(tmp_path).get(PACKAGE, "a", _never)
    one.prune()
    assert path.exists()


@pytest.mark.parametrize("name", ["volto_board", "corto_board", "corto_private", "corto_groups"])
def test_nothing_of_a_finished_picture_or_a_name_is_on_the_disk(folder: Path, name: str) -> None:
    look = named(name)
    look.painted()
    before = sorted(folder.rglob("*"))
    from renderers.core.contract import Table

    look.painted(Table(("Zacharias", "Wilhelmina", "Ottokar", "Ludmilla")))
    assert sorted(folder.rglob("*")) == before


@pytest.mark.nightly
def test_the_log_says_once_what_happened_however_many_pictures(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: bytes) -> Image.Image:
        raise OSError(errno.EIO, "bad sector")

    for name in KEEPING:
        named(name).painted()
    _forget()
    monkeypatch.setattr(disk_cache, "unpack", refuse)
    with caplog.at_level(logging.INFO):
        for name in KEEPING:
            named(name).painted()
    assert [record.getMessage().count("bad sector") for record in caplog.records] == [1]
