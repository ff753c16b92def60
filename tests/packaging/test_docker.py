"""The image's recipe, and its steps on this computer: what it copies is enough to install and to run."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import time
from importlib.metadata import distributions
from pathlib import Path

import pytest

from bot.config import Config
from tests.kit.environment import environment
from tests.packaging.recipe import Ignore, Step, copied, stages, steps


@pytest.fixture(scope="module")
def recipe(repository: Path) -> list[list[Step]]:
    return stages(steps((repository / "Dockerfile").read_text("utf-8")))


@pytest.fixture(scope="module")
def final(recipe: list[list[Step]]) -> list[Step]:
    return recipe[-1]


def only(stage: list[Step], word: str) -> Step:
    [step] = [step for step in stage if step.word == word]
    return step


def variables_of(stage: list[Step]) -> dict[str, str]:
    pairs = " ".join(step.rest for step in stage if step.word == "ENV").split()
    return {name: value for name, _, value in (pair.partition("=") for pair in pairs)}


def test_two_stages_of_one_slim_python(recipe: list[list[Step]]) -> None:
    bases = [stage[0].rest.split()[0] for stage in recipe]
    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert bases[0].startswith("python:3.")
    assert "-slim-" in bases[0]


DIGEST = "sha256:" + "5e" * 32


def pin(repository: Path, folder: Path, said: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run ``make pin`` on a copy in ``folder``; ``said`` is what docker says of the image it is asked for."""
    for name in ("Makefile", "Dockerfile"):
        if not (folder / name).exists():
            shutil.copy(repository / name, folder)
    docker = folder / "bin" / "docker"
    docker.parent.mkdir(exist_ok=True)
    docker.write_text(
        f'#!/bin/sh\nfor last; do :; done\necho "$last" >> {folder}/asked\necho "{said}"\nexit {code}\n'
    )
    docker.chmod(0o700)
    # The suite may be run by make itself, which tells the makes below it how to go on.
    values = {name: value for name, value in environment().items() if not name.startswith("MAKE")}
    values["PATH"] = f"{docker.parent}:{values['PATH']}"
    command = ["make", "--silent", "pin"]
    return subprocess.run(command, cwd=folder, env=values, capture_output=True, text=True, check=False)


def test_the_base_can_be_pinned_and_pinned_again(repository: Path, tmp_path: Path) -> None:
    [before, *_] = stages(steps((repository / "Dockerfile").read_text("utf-8")))
    image = before[0].rest.split()[0].partition("@")[0]
    for digest in (DIGEST, DIGEST.replace("5e", "7a")):
        done = pin(repository, tmp_path, digest)
        assert (done.returncode, done.stdout) == (0, f"{image}@{digest}\n"), done.stderr
        pinned = stages(steps((tmp_path / "Dockerfile").read_text("utf-8")))
        assert {stage[0].rest.split()[0] for stage in pinned} == {f"{image}@{digest}"}
    assert (tmp_path / "asked").read_text().split() == [image, image]


@pytest.mark.parametrize(("said", "code"), [(DIGEST, 1), ("", 0), ("sha256:5e", 0), ("no such image", 0)])
def test_without_a_digest_the_recipe_stays(repository: Path, tmp_path: Path, said: str, code: int) -> None:
    assert pin(repository, tmp_path, said, code).returncode != 0
    assert (tmp_path / "Dockerfile").read_text() == (repository / "Dockerfile").read_text("utf-8")


def test_everything_installed_has_its_hash(recipe: list[list[Step]]) -> None:
    installs = [step.rest for step in recipe[0] if step.word == "RUN" and "pip install" in step.rest]
    assert installs
    own = "--no-deps --no-build-isolation ."
    assert all("--require-hashes -r requirements/$LOCK.txt" in one or own in one for one in installs)
    assert not any("pip" in step.rest or "apt" in step.rest for step in recipe[1] if step.word == "RUN")


def test_what_is_copied_exists_and_is_let_in(recipe: list[list[Step]], repository: Path) -> None:
    ignore = Ignore((repository / ".dockerignore").read_text("utf-8"))
    sources = list(copied(recipe[0]))
    assert sources
    assert list(copied(recipe[1])) == []
    for source in sources:
        assert (repository / source).exists(), source
        assert not ignore.hides(source), source


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        "var/bauta.db",
        "bot/x.db",
        "bot/x.db-wal",
        "bot/__pycache__/a.pyc",
        ".env",
        "token",
        "tests/conftest.py",
    ],
)
def test_what_is_secret_or_needless_stays_outside(repository: Path, path: str) -> None:
    assert Ignore((repository / ".dockerignore").read_text("utf-8")).hides(path)


def test_it_runs_as_a_user_of_its_own(final: list[Step]) -> None:
    user = only(final, "USER").rest
    assert user not in ("", "root", "0")
    made = next(step.rest for step in final if step.word == "RUN")
    assert f"useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin {user}" in made
    assert final.index(only(final, "USER")) < final.index(only(final, "ENTRYPOINT"))


def test_what_lasts_is_in_the_volume(final: list[Step]) -> None:
    volume = only(final, "VOLUME").rest
    values = variables_of(final)
    assert values["BAUTA_DATABASE"].startswith(f"{volume}/")
    assert values["BAUTA_CACHE"].startswith(f"{volume}/")
    assert f"--owner=bauta --group=bauta --mode=0700 {volume}" in next(
        s.rest for s in final if s.word == "RUN"
    )


def test_it_holds_no_token_and_opens_no_port(recipe: list[list[Step]]) -> None:
    every = [step for stage in recipe for step in stage]
    assert not any(step.word == "EXPOSE" for step in every)
    # What an argument says can be read in the image: this one names a file.
    assert [step.rest for step in every if step.word == "ARG"] == ["LOCK=run"]
    assert not any("DISCORD_TOKEN" in step.rest for step in every)


def test_it_stops_as_it_is_told(final: list[Step]) -> None:
    """``serve`` stops in good order on this signal: tests/e2e/test_start.py sends it."""
    assert only(final, "STOPSIGNAL").rest == "SIGTERM"
    assert only(final, "ENTRYPOINT").command == ["bauta"]
    assert only(final, "CMD").command == ["serve"]


@pytest.fixture(scope="module")
def installed(recipe: list[list[Step]], repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with Bauta installed from nothing but what the image's recipe copies."""
    ignore = Ignore((repository / ".dockerignore").read_text("utf-8"))
    context, target = tmp_path_factory.mktemp("context"), tmp_path_factory.mktemp("target")
    for source in copied(recipe[0]):
        paths = [repository / source] if (repository / source).is_file() else (repository / source).rglob("*")
        for path in paths:
            where = path.relative_to(repository).as_posix()
            if path.is_file() and not ignore.hides(where):
                (context / where).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, context / where)
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target"]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", *options]
    subprocess.run([*command, str(target), str(context)], check=True, capture_output=True)
    return target


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of the installed copy, as the container would."""
    values = environment(
        PYTHONPATH=str(installed), BAUTA_DATABASE=str(folder / "bauta.db"), DISCORD_TOKEN="a.test.token"
    )
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        env=values,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_installed_copy_is_whole(installed: Path, repository: Path) -> None:
    """Texts, migrations, rules, palettes, fonts: whatever lies beside the modules is installed with them."""
    modules = {path.relative_to(installed) for path in installed.rglob("*.py")}
    houses = {path.parts[0] for path in modules if len(path.parts) > 1}
    assert {"bot", "engines", "renderers", "sandbox"} <= houses
    ignore = Ignore((repository / ".dockerignore").read_text("utf-8"))
    ours = {
        path.relative_to(repository)
        for house in houses
        for path in (repository / house).rglob("*")
        if path.is_file() and not ignore.hides(path.relative_to(repository).as_posix())
    }
    assert {path for path in ours if not (installed / path).is_file()} == set()
    for kind in (".sql", ".json", ".md", ".html", ".js", ".css"):
        assert any(path.suffix == kind for path in ours), kind


@pytest.mark.nightly
def test_the_doctor_paints_everything_from_it(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "bot", "doctor", "--offline")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAIL" not in done.stdout


def test_it_is_installed_under_a_name_that_is_ours(installed: Path) -> None:
    """On the package index, ``bauta`` is somebody else's: only the command is called so."""
    [found] = distributions(path=[str(installed)])
    assert found.name == "bauta-house"
    commands = {(each.group, each.name, each.value) for each in found.entry_points}
    assert commands == {("console_scripts", "bauta", "bot.__main__:main")}
    assert (installed / "bin" / "bauta").exists()


def test_the_health_check_is_a_command_that_means_something(
    final: list[Step], installed: Path, tmp_path: Path
) -> None:
    step = only(final, "HEALTHCHECK")
    assert step.command[:2] == ["python", "-m"]
    module = step.command[2]
    assert importlib.util.find_spec(module) is not None
    assert run(installed, tmp_path, module).returncode == 1
    now = time.time()
    beat = {"at": now, "pid": 1, "online": True, "since": now, "overdue": 0}
    Config(database=tmp_path / "bauta.db").pulse().write_text(json.dumps(beat))
    assert run(installed, tmp_path, module).returncode == 0
