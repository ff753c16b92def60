"""``make run`` sets up by itself, whatever an earlier try has left; ``make test`` tells all that it finds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
"""The environment outside of make, which may run the suite itself."""

FAKE = f"""#!/bin/sh
case "$1 $2" in
"-m venv") mkdir -p $3/bin && cp "$0" $3/bin/python
    # As Debian's Python does without the package python3-venv.
    if [ -e no-ensurepip ]; then echo "ensurepip is not available"; exit 1; fi
    cp "$0" $3/bin/pip;;
"-m pip") if [ ! -x .venv/bin/pip ]; then echo "No module named pip" >&2; exit 1; fi
    printf '#!/bin/sh\\necho it runs\\n' > .venv/bin/bauta
    for tool in ruff mypy pyrefly; do
        echo 'if [ "$FAULT" = '$tool' ]; then echo '$tool' objects; exit 3; fi' > .venv/bin/$tool
    done
    chmod +x .venv/bin/*;;
"-m pytest") echo "the tests run"; test "$FAULT" != pytest;;
-c*) code="$2"
    if [ "$code" = "import pip" ]; then test ! -e .venv/upgraded; exit; fi
    if [ -e .venv/old ]; then code="import sys; sys.version_info = (3, 10); $code"; fi
    exec {sys.executable} -c "$code";;
esac
"""


class Checkout:
    """A folder with the Makefile, and a Python that makes environments of files alone."""

    def __init__(self, folder: Path, repository: Path) -> None:
        self.folder, self.venv = folder, folder / ".venv"
        shutil.copy(repository / "Makefile", folder)
        (folder / "requirements").mkdir()
        for name in ("requirements/run.txt", "requirements/dev.txt", "pyproject.toml"):
            (folder / name).touch()
        self.python = folder / "python3"
        self.python.write_text(FAKE)
        self.python.chmod(0o755)

    def run(self, target: str = "run", *, fault: str = "") -> tuple[int, str]:
        done = subprocess.run(
            ["make", target, f"PYTHON={self.python}"],
            cwd=self.folder,
            # The suite itself may be run by make.
            env={**OUTSIDE, "FAULT": fault},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout


@pytest.fixture
def checkout(tmp_path: Path, repository: Path) -> Checkout:
    return Checkout(tmp_path, repository)


def test_it_sets_up_once(checkout: Checkout) -> None:
    code, said = checkout.run()
    assert (code, "Setting up" in said, "it runs" in said) == (0, True, True), said
    assert checkout.run() == (0, "it runs\n")


def test_a_set_up_that_failed_is_tried_again(checkout: Checkout) -> None:
    (checkout.folder / "no-ensurepip").touch()
    code, said = checkout.run()
    assert code != 0
    assert "ensurepip is not available" in said
    assert checkout.run()[1] == said, "the second try says the same as the first"
    (checkout.folder / "no-ensurepip").unlink()
    assert checkout.run()[0] == 0


def test_what_an_interrupted_set_up_left_is_made_again(checkout: Checkout) -> None:
    (checkout.venv / "bin").mkdir(parents=True)
    shutil.copy(checkout.python, checkout.venv / "bin" / "python")
    code, said = checkout.run()
    assert code == 0, said


def test_an_environment_whose_python_is_gone_is_made_again(checkout: Checkout) -> None:
    assert checkout.run()[0] == 0
    (checkout.venv / "bin" / "python").unlink()
    (checkout.venv / "bin" / "python").symlink_to("/nowhere/python3.11")
    code, said = checkout.run()
    assert (code, "Setting up" in said) == (0, True), said


def test_an_environment_whose_python_was_upgraded_is_made_again(checkout: Checkout) -> None:
    """Its packages stand in the older one's folder, where the new one does not look."""
    assert checkout.run()[0] == 0
    (checkout.venv / "upgraded").touch()
    code, said = checkout.run()
    assert (code, "Setting up" in said) == (0, True), said


def test_an_environment_of_an_older_python_is_told_in_one_sentence(checkout: Checkout) -> None:
    assert checkout.run()[0] == 0
    (checkout.venv / "old").touch()
    (checkout.venv / "run.stamp").unlink()
    code, said = checkout.run()
    assert code != 0
    first, *rest = said.splitlines()
    assert first == "The Python in .venv is older than 3.11: make clean, then make run again."
    assert len(rest) == 1, "make's own line"


def test_what_tests_need_is_all_that_runs(checkout: Checkout) -> None:
    code, said = checkout.run("test")
    assert (code, said.count("Setting up")) == (0, 1), said
    assert "the tests run" in said
    assert checkout.run() == (0, "it runs\n")


@pytest.mark.parametrize("fault", ["mypy", "pyrefly", "pytest"])
def test_tests_and_types_are_both_told_and_either_fails(fault: str, checkout: Checkout) -> None:
    assert checkout.run("test")[0] == 0
    code, said = checkout.run("test", fault=fault)
    assert code != 0
    tests, _, types = said.partition("the tests run")
    assert "objects" not in tests
    assert (f"{fault} objects" in types) is (fault != "pytest")


def test_a_fault_of_form_is_told_before_any_test_runs(checkout: Checkout) -> None:
    code, said = checkout.run("test", fault="ruff")
    assert code != 0
    assert "ruff objects" in said
    assert "the tests run" not in said
