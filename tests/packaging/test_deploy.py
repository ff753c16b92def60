"""What operators copy: systemd's units and the compose file fit each other, the program and the image."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.store import open_store
from tests.kit.environment import environment
from tests.kit.operators_pages import operators_text
from tests.packaging.recipe import steps
from tests.packaging.test_documents import variables

SERVICES = ("bauta.service", "bauta-backup.service")
UNITS = (*SERVICES, "bauta-backup.timer")
PROGRAM = "/opt/bauta/.venv/bin/bauta"
MOST_EXPOSED = 29
"""Tenths of systemd's level of exposure, of 100."""

STOPPED_S = 8
"""Seconds that the bot takes to stop, at most."""

BEHIND_BARS = (
    "read_only: true",
    "tmpfs: [/tmp]",
    "cap_drop: [ALL]",
    'security_opt: ["no-new-privileges:true"]',
)


@pytest.fixture(scope="module")
def deploy(repository: Path) -> Path:
    return repository / "deploy"


@pytest.fixture(scope="module")
def compose(deploy: Path) -> dict[str, str]:
    """Return the blocks of the compose file by their names: anchors, services, and what else stands there."""
    text = re.sub(r"^ *#.*\n", "", (deploy / "compose.yaml").read_text("utf-8"), flags=re.MULTILINE)
    services = text[text.index("\nservices:") : text.index("\nsecrets:")]
    found = dict(re.findall(r"^(x-\w+): &\w+\n((?: .*\n|\n)+)", text, re.MULTILINE))
    return found | dict(re.findall(r"^  (\w+):\n((?:    .*\n|\n)+)", services + "\n", re.MULTILINE))


def settings(path: Path) -> dict[str, list[str]]:
    """Return what stands in a unit, by key; a key may come more than once."""
    found: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def given(unit: dict[str, list[str]]) -> dict[str, str]:
    """Return the environment that a unit gives."""
    pairs = [pair.partition("=") for line in unit["Environment"] for pair in line.split()]
    return {name: value for name, _, value in pairs}


def systemd_analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``systemd-analyze``; skip where there is none, or one that judges no files."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    command = ["systemd-analyze", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", UNITS)
def test_systemd_understands_the_units(deploy: Path, tmp_path: Path, name: str) -> None:
    for each in UNITS:
        # Of what they name, this computer has nothing.
        text = (deploy / each).read_text("utf-8").replace(PROGRAM, "/bin/true").replace("/opt/bauta", "/tmp")
        (tmp_path / each).write_text(text, "utf-8")
    done = systemd_analyze("verify", "--man=no", str(tmp_path / name))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.parametrize("name", SERVICES)
def test_the_services_can_do_little_harm(deploy: Path, name: str) -> None:
    if "--offline" not in systemd_analyze("--help").stdout:
        pytest.skip("this systemd-analyze judges no files")
    judged = ("security", "--offline=yes", "--no-pager", f"--threshold={MOST_EXPOSED}", str(deploy / name))
    done = systemd_analyze(*judged)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr


@pytest.mark.parametrize("name", SERVICES)
def test_nobody_else_can_read_what_a_service_writes(deploy: Path, name: str) -> None:
    unit = settings(deploy / name)
    assert unit["UMask"] == ["0077"]
    assert unit["StateDirectoryMode"] == ["0700"]
    assert given(unit)["BAUTA_DATABASE"] == f"/var/lib/{unit['StateDirectory'][0].split()[0]}/bauta.db"


def test_the_unit_says_what_the_program_does(deploy: Path, tmp_path: Path) -> None:
    unit = settings(deploy / "bauta.service")
    assert unit["ExecStart"] == [f"{PROGRAM} serve"]
    assert unit["Restart"] == ["on-failure"]
    # Without a token it would start and end for ever.
    values = environment(BAUTA_DATABASE=str(tmp_path / "bauta.db"))
    command = [sys.executable, "-m", "bot", "serve"]
    ended = subprocess.run(command, env=values, capture_output=True, check=False)
    assert unit["RestartPreventExitStatus"] == [str(ended.returncode)]
    assert int(unit["TimeoutStopSec"][0]) > STOPPED_S
    assert unit["CacheDirectoryMode"] == ["0700"]
    assert given(unit)["BAUTA_CACHE"] == f"/var/cache/{unit['CacheDirectory'][0]}"


def test_the_token_is_a_file_and_passwords_are(deploy: Path) -> None:
    unit = settings(deploy / "bauta.service")
    [name] = [value.partition(":")[0] for value in unit["LoadCredential"]]
    assert given(unit)["DISCORD_TOKEN_FILE"] == f"%d/{name}"
    for path in deploy.iterdir():
        text = path.read_text("utf-8")
        assert not re.search(r"DISCORD_TOKEN\b|POSTGRES_PASSWORD\b|postgresql://\w+:", text), path.name


def test_every_setting_is_one(deploy: Path) -> None:
    texts = [path.read_text("utf-8") for path in deploy.iterdir()]
    named = {name for text in texts for name in re.findall(r"\b(?:BAUTA|DISCORD)_[A-Z_]+\b", text)}
    assert len(named) > 4
    assert named <= set(variables())


def test_a_backup_is_made_and_old_ones_go(deploy: Path, tmp_path: Path) -> None:
    """The service's own lines are run, with this folder in the place of the machine's."""
    unit = settings(deploy / "bauta-backup.service")
    (tmp_path / "bauta").mkdir()
    kept = tmp_path / unit["StateDirectory"][0].split()[1]
    kept.mkdir()
    asyncio.run(_prepare(tmp_path / "bauta" / "bauta.db"))
    old, recent, other = kept / "bauta-old.db", kept / "bauta-recent.db", kept / "mine.db"
    for path, days in ((old, 16), (recent, 13), (other, 99)):
        path.touch()
        then = time.time() - days * 86_400
        os.utime(path, (then, then))
    values = environment(BAUTA_DATABASE=str(tmp_path / "bauta" / "bauta.db"))
    for line in unit["ExecStart"] + unit["ExecStartPost"]:
        here = line.replace("%%", "%").replace("/var/lib", str(tmp_path))
        command = shlex.split(here.replace(PROGRAM, f"{shlex.quote(sys.executable)} -m bot"))
        subprocess.run(command, env=values, check=True, capture_output=True)
    assert not old.exists()
    assert recent.exists()
    assert other.exists()
    [made] = set(kept.iterdir()) - {recent, other}
    assert made.read_bytes().startswith(b"SQLite format 3")
    assert made.stat().st_mode & 0o077 == 0


async def _prepare(database: Path) -> None:
    await (await open_store(database)).close()


def test_the_containers_are_shut_in(compose: dict[str, str], deploy: Path) -> None:
    assert {"bauta", "low", "high", "db"} <= compose.keys()
    assert all(each in compose["x-bauta"] for each in BEHIND_BARS)
    assert "<<: *bauta" in compose["x-shard"]
    for name, made_of in (("bauta", "*bauta"), ("low", "*shard"), ("high", "*shard")):
        assert f"<<: {made_of}" in compose[name], name
        assert re.search(r'volumes: \["\w+:/var/lib/bauta"\]', compose[name]), name
        assert "ports:" not in compose[name], name
    stop = settings(deploy / "bauta.service")["TimeoutStopSec"][0]
    assert f"stop_grace_period: {stop}s" in compose["x-bauta"]


def test_no_two_kinds_of_house_run_at_once(compose: dict[str, str]) -> None:
    """With one token, a house with SQLite beside one with PostgreSQL would answer every other click."""
    assert "profiles: [sqlite]" in compose["bauta"]
    assert all("profiles: [postgresql]" in compose[name] for name in ("x-shard", "db"))


def test_the_health_check_is_the_images(compose: dict[str, str], repository: Path) -> None:
    [image] = [s for s in steps((repository / "Dockerfile").read_text("utf-8")) if s.word == "HEALTHCHECK"]
    said = compose["x-bauta"]
    for option, value in re.findall(r"--([\w-]+)=(\w+)", image.rest):
        assert f"{option.replace('-', '_')}: {value}\n" in said, option
    assert f"test: [CMD, {', '.join(image.command)}]" in said


def test_compose_understands_the_file(deploy: Path) -> None:
    compose = next((tool for tool in (["docker", "compose"], ["docker-compose"]) if _runs(tool)), None)
    if compose is None:
        pytest.skip("neither docker compose nor docker-compose is installed")
    for profile, services in (("sqlite", {"bauta"}), ("postgresql", {"low", "high", "db"})):
        command = [*compose, "-f", str(deploy / "compose.yaml"), "--profile", profile, "config", "--services"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert services <= set(done.stdout.split())


def _runs(tool: list[str]) -> bool:
    if shutil.which(tool[0]) is None:
        return False
    done = subprocess.run([*tool, "version"], capture_output=True, check=False)
    return done.returncode == 0


def test_the_documents_name_the_files_and_quote_none(deploy: Path, repository: Path) -> None:
    pages = operators_text(repository)
    for path in deploy.iterdir():
        assert f"](../deploy/{path.name})" in pages, path.name
    assert not re.search(r"^```(?:ini|ya?ml)", pages, re.MULTILINE)
