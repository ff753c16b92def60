"""``bauta doctor`` on this computer: settings, tokens, databases, folders, painters."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from collections import namedtuple
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.doctor import local_checks
from bot.cli.doctor.report import State, fail, ok, written
from bot.config import Config
from bot.store.prepare import check_sqlite
from engines.core.registry import games
from renderers.core.type import use_fonts
from tests.bot.conftest import Room
from tests.e2e.upkeep import lines
from tests.kit.environment import KEPT
from tests.kit.samples import MORE
from tests.renderers.tiny_font import write_font

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Return an empty environment, but for the place of the database."""
    for name in (
        "DISCORD_TOKEN",
        "DISCORD_TOKEN_FILE",
        *(f"BAUTA_{n.upper()}" for n in Config.model_fields),
    ):
        if name not in KEPT:
            monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BAUTA_DATABASE", str(tmp_path / "house.db"))
    return monkeypatch


FOUND = games() if MORE > 1 else {"volo": games()["volo"]}
"""The games whose boards the doctor paints; by day one, since the painters' own tests paint them all."""


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_checks, "games", lambda: FOUND)


class Doctor:
    """Runs the command in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.code = 0

    def __call__(self, *arguments: str) -> dict[str, str]:
        self.code = main(["doctor", *arguments])
        out, err = self._capsys.readouterr()
        assert err == ""
        self.out = out
        return lines(out)


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str]) -> Doctor:
    return Doctor(capsys)


def test_nobody_answers(environment: pytest.MonkeyPatch, doctor: Doctor) -> None:
    environment.setenv("DISCORD_TOKEN", "the.secret.token")
    environment.setenv("BAUTA_API_URL", "http://127.0.0.1:9/api/v10")
    environment.setenv("BAUTA_GATEWAY_URL", "ws://127.0.0.1:9/gateway")
    found = doctor()
    assert doctor.code == 1
    assert found["discord"].startswith("FAIL cannot be reached")
    assert "the.secret.token" not in doctor.out
    found = doctor("--offline")
    assert doctor.code == 0, doctor.out
    assert found["token"] == "ok is set"
    assert "was not asked" in found["discord"]


def test_tokens_that_cannot_be_used(environment: pytest.MonkeyPatch, doctor: Doctor, tmp_path: Path) -> None:
    assert doctor("--offline")["token"].startswith("FAIL there is none")
    assert doctor.code == 1
    environment.setenv("DISCORD_TOKEN", "Bot two.words")
    assert doctor()["token"].startswith("FAIL There is something else")
    assert "two.words" not in doctor.out
    environment.delenv("DISCORD_TOKEN")
    environment.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "no"))
    assert "cannot be read" in doctor("--offline")["token"]


def test_settings_that_cannot_be_used(environment: pytest.MonkeyPatch, doctor: Doctor) -> None:
    environment.setenv("BAUTA_LOG_LEVEL", "LOUD")
    found = doctor("--offline")
    assert doctor.code == 1
    assert "BAUTA_LOG_LEVEL" in found["settings"]
    assert "painter" in found, "what needs no settings is looked at all the same"


def test_a_database_in_trouble(environment: pytest.MonkeyPatch, doctor: Doctor, tmp_path: Path) -> None:
    environment.setenv("DISCORD_TOKEN", "x")
    database = tmp_path / "house.db"
    assert "not there yet" in doctor("--offline")["database"]
    database.write_bytes(b"junk" * 2000)
    assert "is broken" in doctor("--offline")["database"]
    assert doctor.code == 1
    database.unlink()
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.commit()
    assert "another program" in doctor("--offline")["database"]


async def test_a_database_that_is_served_is_only_read(room: Room) -> None:
    await room.begin()
    pulse = room.path.with_name("no.pulse")
    database, lock = local_checks.check_sqlite_file(room.path, pulse)[:2]
    assert database.state is State.OK
    assert "1 running" in database.text
    assert lock.text == "a bot serves it now"
    assert len(local_checks.check_sqlite_file(room.path, pulse)) == 2, "a new database is its user's alone"
    await room.begin()


def test_a_database_that_others_can_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "house.db"
    file.touch(0o644)
    monkeypatch.setattr(local_checks, "_open_to_others", lambda _: True)
    [finding] = local_checks.check_private(file)
    assert "secrets" in finding.text
    file.chmod(stat.S_IRUSR | stat.S_IWUSR)
    assert local_checks.check_private(file) == []


def test_an_old_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    assert local_checks.check_programs().state is State.OK
    monkeypatch.setattr(local_checks, "check_sqlite", lambda: check_sqlite((3, 36, 0)))
    finding = local_checks.check_programs()
    assert finding.state is State.FAIL
    assert "3.36.0 is too old" in finding.text


@pytest.mark.parametrize(
    ("free", "state"), [(10 << 20, State.FAIL), (500 << 20, State.NOTE), (50 << 30, State.OK)]
)
def test_room_on_the_disk(free: int, state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(free, 0, free))
    assert local_checks.check_disk(tmp_path / "not" / "yet" / "house.db").state is state


def test_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert local_checks.check_cache(tmp_path).state is State.OK
    assert local_checks.check_cache(tmp_path / "a" / "b").state is State.OK
    assert not (tmp_path / "a").exists()
    (tmp_path / "a").mkdir(mode=0o755)
    finding = local_checks.check_cache(tmp_path / "a")
    assert finding.state is State.NOTE
    assert "other users" in finding.text
    file = tmp_path / "file"
    file.touch()
    assert local_checks.check_cache(file / "b").state is State.FAIL
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert "it is a link" in local_checks.check_cache(link).text
    monkeypatch.setattr("os.access", lambda *_: False)
    assert local_checks.check_cache(tmp_path).state is State.FAIL


def test_the_fonts(tmp_path: Path) -> None:
    try:
        assert local_checks.check_fonts(None)[0].state is State.OK
        assert local_checks.check_fonts(tmp_path)[0].state is State.NOTE
        write_font(tmp_path / "Tiny.ttf", "花子")
        finding = local_checks.check_fonts(tmp_path)[0]
        assert (finding.state, finding.text[:6]) == (State.OK, "1 more")
        (tmp_path / "broken.otf").write_bytes(b"no font")
        assert "broken.otf" in local_checks.check_fonts(tmp_path)[0].text
    finally:
        use_fonts(None)


@pytest.mark.parametrize("place", ["/proc/nope", "/proc/nope/cache"])
def test_what_cannot_be_made_is_not_promised(place: str) -> None:
    """Its rights would let an administrator write there."""
    assert local_checks.check_cache(Path(place)).state is State.FAIL
    [finding] = local_checks.check_sqlite_file(Path(place), Path(f"{place}.pulse"))
    assert finding.state is State.FAIL
    assert "cannot be made" in finding.text


def test_the_bot_makes_one_folder_for_its_database_and_no_more(tmp_path: Path) -> None:
    pulse = tmp_path / "no.pulse"
    assert local_checks.check_sqlite_file(tmp_path / "a" / "house.db", pulse)[0].state is State.NOTE
    assert local_checks.check_sqlite_file(tmp_path / "a" / "b" / "house.db", pulse)[0].state is State.FAIL
    assert not list(tmp_path.iterdir())


def test_games_without_painters(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [finding.state for finding in local_checks.check_painters()] == [State.OK] * (1 + len(FOUND))
    monkeypatch.setattr(local_checks, "renderers_by_game", dict)
    assert [f.state for f in local_checks.check_painters()] == [State.OK, *[State.FAIL] * len(FOUND)]
    monkeypatch.setattr(local_checks, "games", dict)
    assert [f.state for f in local_checks.check_painters()] == [State.FAIL]

    def fails() -> None:
        raise OSError("a font is gone")

    monkeypatch.setattr(local_checks, "games", fails)
    [finding] = local_checks.check_painters()
    assert "a font is gone" in finding.text


def test_a_report_holds_no_secret_and_no_control_characters() -> None:
    report = written(
        [ok("server", "the\x1b[31m bad\nname"), fail("x", "a tok.en b", "do this\nand that")], "tok.en"
    )
    assert report.splitlines() == [
        "ok    server        the [31m bad name",
        "FAIL  x             a [token] b",
        "                    → do this",
        "                    → and that",
    ]
