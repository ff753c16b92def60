"""A set of pictures with its form, the truth in a folder of its own, and how answers to it are scored."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from PIL import Image

from bench.reading import games
from bench.reading.positions import Position, choose, play
from bench.reading.scoring import Misreading, Score, UnreadableAnswerError, compare, facts_of, load
from renderers.core.contract import Table
from tests.renderers.looks import Look

SIZES: Mapping[str, tuple[int, int]] = {"desktop": (550, 350), "phone": (330, 10_000)}
"""The most pixels that a chat gives a picture, by where it is read; a phone bounds the width alone."""

POSITIONS = 10
"""In a set, if no fewer are asked for."""

BOUND = 0.98
"""The least share of facts that must be read right in every set."""

THEMES = ("default", "clear")
NAMES = ("Alba", "Bruno", "Chiara", "Dante")


class UsedFolderError(ValueError):
    """A folder that has been painted into: answers beside new pictures would be to old ones."""


def truth_folder(folder: Path) -> Path:
    """Return where the truth of the pictures in ``folder`` is: beside it, never in it."""
    whole = folder.resolve()
    return whole.with_name(f"{whole.name}-truth")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which sets are painted: each of these games, in each theme, at each size, of so many positions.

    ``density``: how many pixels a screen has for each pixel of a size, each way; a phone of today has 3.
    """

    games: Sequence[str]
    themes: Sequence[str] = THEMES
    sizes: Sequence[str] = tuple(SIZES)
    positions: int = POSITIONS
    density: int = 1


def paint(folder: Path, seed: int, choice: Choice) -> None:
    """Paint sets of pictures with their forms; all of them or none.

    Raises :class:`UsedFolderError`, :class:`~bench.reading.positions.NoPositionError`.
    """
    sets = list(product(choice.games, choice.themes, choice.sizes))
    for one in sets:
        for place in (folder, truth_folder(folder)):
            if (place / "-".join(one)).exists():
                raise UsedFolderError(f"{place / '-'.join(one)} is there already; choose another folder")
    # Every set has matches of its own: who has read one of them knows nothing of the next.
    dice = [random.Random(f"{seed} {' '.join(one)}") for one in sets]
    found = [
        choose(games.SHEETS[key].slots, play(key, games.SHEETS[key].play, f"{seed} {theme} {size}"), one)
        for (key, theme, size), one in zip(sets, dice, strict=True)
    ]
    for one, positions, rolled in zip(sets, found, dice, strict=True):
        _paint_set(folder, positions[: choice.positions], one, rolled, choice.density)


def _paint_set(
    folder: Path,
    positions: Sequence[Position],
    which: tuple[str, str, str],
    dice: random.Random,
    density: int,
) -> None:
    key, theme, size = which
    name = "-".join(which)
    pictures, truths = folder / name, truth_folder(folder) / name
    pictures.mkdir(parents=True)
    truths.mkdir(parents=True)
    (pictures / "FORM.md").write_text(games.form(key), "utf-8")
    for number, position in enumerate(positions, 1):
        seats = tuple(dice.sample(NAMES, position.seats))
        shown(position.look, seats, theme, size, density).save(pictures / f"{number:02}.png", "PNG")
        text = json.dumps(games.SHEETS[key].truth(position.look, seats), indent=1)
        (truths / f"{number:02}.json").write_text(text + "\n", "utf-8")
    print(f"{name}: {len(positions)} pictures")


def shown(look: Look, names: Sequence[str], theme: str, size: str, density: int = 1) -> Image.Image:
    """Return a look as a chat shows it on a screen of some density: painted, encoded, decoded, made small."""
    with Image.open(io.BytesIO(look.paint(Table(tuple(names), theme=theme)).data)) as image:
        whole = image.convert("RGB")
    share = min(1.0, *(density * most / now for most, now in zip(SIZES[size], whole.size, strict=True)))
    fitted = round(whole.width * share), round(whole.height * share)
    small = whole.resize(fitted, Image.Resampling.LANCZOS)
    small.info.clear()
    return small


def score(folder: Path) -> bool:
    """Print how every set of a folder was read; return whether all were read well enough.

    Raises ``FileNotFoundError`` where there is no truth to compare with.
    """
    sets = sorted(path for path in truth_folder(folder).glob("*") if path.is_dir())
    if not sets:
        raise FileNotFoundError(f"no truth for {folder}: looked into {truth_folder(folder)}")
    results = [_score_set(folder / truths.name, truths) for truths in sets]
    return all(result.share >= BOUND for result in results)


def _score_set(answers: Path, truths: Path) -> Score:
    total, lines = Score(), list[str]()
    for path in sorted(truths.glob("*.json")):
        one, errors = _score_one(answers / path.name, path, truths.name.partition("-")[0], lines)
        total += one
        lines += [f"  {path.stem}  {error.fact}: read {error.read}, true {error.true}" for error in errors]
    print(
        f"{truths.name}: {total.facts} facts, {total.right} right, {total.wrong} wrong, "
        f"{total.missing} missing, {100 * total.share:.1f} % right"
    )
    for line in lines:
        print(line)
    return total


def _score_one(answer: Path, truth: Path, key: str, lines: list[str]) -> tuple[Score, list[Misreading]]:
    """Compare one answer; of an answer that cannot be read, every fact is missing, and a line says so."""
    normal = games.SHEETS[key].normal
    true = facts_of(load(truth), normal)
    try:
        read = facts_of(load(answer), normal)
    except (OSError, UnreadableAnswerError) as error:
        why = error if isinstance(error, UnreadableAnswerError) else f"no answer {answer.name}"
        lines.append(f"  {truth.stem}  {why}")
        return Score(len(true), missing=len(true)), []
    return compare(read, true)
