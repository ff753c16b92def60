"""A new game made of the guide's example: ``python -m tests.kit.scaffold KEY``, or ``make game KEY=…``.

It copies Odds and Evens under another key and title into the packages of engines, painters, looks and
tests. Then it paints the approved pictures, and all tests are green; it runs none of the others. ``bot/``
stays as it is.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from keyword import iskeyword
from pathlib import Path

from tests.kit import odds
from tests.kit.odds.looks import LOOKS

RUN = """\
Nothing is tested yet but that both looks are painted as approved. All tests of the game, in about a minute:
.venv/bin/python -m pytest tests -k "{key} or boundaries" -m "nightly or not nightly"
`make test` runs what concerns all games at once, too."""

EXAMPLE = Path(odds.__path__[0])
ROOT = Path(__file__).parents[2]


def targets(key: str) -> dict[str, str]:
    """Return where each part of the example belongs in a tree, for a game called ``key``."""
    return {
        "engine": f"engines/{key}",
        "renderer": f"renderers/{key}",
        "looks.py": f"tests/renderers/looks/{key}.py",
        "games": f"tests/games/{key}",
        "golden.py": f"tests/golden/test_{key}.py",
        "golden.txt": f"tests/golden/{key}_goal.txt",
    }


def add_game(tree: Path, key: str, title: str) -> None:
    """Copy the example as the game ``key`` into the packages below ``tree``.

    Raises ``ValueError`` for a key that is no word of lower-case letters and digits, or a title that cannot
    stand in code as it is, and ``FileExistsError`` for a key that is taken.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*", key) or iskeyword(key):
        raise ValueError(f"{key!r} is no key: lower-case letters and digits, beginning with a letter")
    if not title.isprintable() or set(title) & set('"\\{}'):
        raise ValueError(f"{title!r} is no title: no quotation marks, backslashes or braces")
    for target in targets(key).values():
        if (tree / target).exists():
            raise FileExistsError(f"{target} is there already")
    for part, target in targets(key).items():
        source = EXAMPLE / part
        paths = [path for path in source.rglob("*.*") if path.suffix in {".py", ".json", ".md"}]
        for path in paths or [source]:
            copy = tree / target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(renamed(path.read_text("utf-8"), key, title), "utf-8")
    code = [target for target in targets(key).values() if not target.endswith(".txt")]
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or "ruff"
    # Imports are in alphabetical order: in that of other names now.
    subprocess.run([ruff, "check", "--quiet", "--select", "I", "--fix", *code], cwd=tree, check=True)
    subprocess.run([ruff, "format", "--quiet", *code], cwd=tree, check=True)


def renamed(text: str, key: str, title: str) -> str:
    """Return a text of the example with the key, the title and the module names of another game."""
    for old, new in (
        (f"{odds.__name__}.engine", f"engines.{key}"),
        (f"{odds.__name__}.renderer", f"renderers.{key}"),
        ("Odds and Evens", title),
        ('"odds"', f'"{key}"'),
        ("Odds", key.capitalize()),
    ):
        text = text.replace(old, new)
    return text


def paint(tree: Path, key: str) -> None:
    """Write the approved pictures of a new game."""
    environment = {**os.environ, "BAUTA_REMASTER": "1"}
    test = "tests/renderers/test_golden.py::test_pictures_look_as_approved"
    command = [sys.executable, "-m", "pytest", "-q", *(f"{test}[{key}_{name}]" for name in LOOKS)]
    subprocess.run(command, cwd=tree, env=environment, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Make a game and paint it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("key", help="lower-case letters and digits: the packages' and the subcommand's name")
    parser.add_argument("--title", help="what players call it; the key, capitalized, by default")
    arguments = parser.parse_args()
    key: str = arguments.key
    try:
        add_game(ROOT, key, arguments.title or key.capitalize())
    except (ValueError, FileExistsError) as error:
        parser.error(str(error))
    paint(ROOT, key)
    print("\n".join(("Made:", *targets(key).values(), "", RUN.format(key=key))))


if __name__ == "__main__":
    main()
