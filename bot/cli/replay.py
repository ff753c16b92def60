"""``bauta replay FILE --out PICTURE``: checks a finished match and makes a film of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.cli import Commands, ExitCode, file_argument
from bot.domain.replay_file import SIZE_LIMIT, ReplayError, parsed, public_views, replayed, theme_of
from engines.core.match import Match
from engines.core.texts import load
from renderers.core.contract import Picture, Table
from renderers.core.registry import renderer
from renderers.core.type import use_fonts


def add_command(commands: Commands) -> None:
    """Add ``bauta replay``."""
    parser = commands.add_parser(
        "replay",
        help="make a moving picture of a match that is over",
        description="Play a replay file again, check it against its digests, and make a film of it.",
    )
    parser.add_argument(
        "file", type=file_argument, help="the replay file that /log gives once a match is over"
    )
    parser.add_argument("--out", type=file_argument, required=True, help="where to write the animated WebP")
    parser.add_argument(
        "--theme", help="the theme to paint in; left out: the one that the match was shown in"
    )
    parser.add_argument(
        "--name", action="append", default=[], help="a player's name, seat by seat; the replay names nobody"
    )
    parser.add_argument(
        "--fonts", type=file_argument, help="a folder of further fonts for names, such as BAUTA_FONTS names"
    )
    parser.set_defaults(run=_replay)


def _replay(options: argparse.Namespace) -> int:
    try:
        data = parsed(_read(options.file))
        moments = replayed(data)
        use_fonts(options.fonts)
        picture = _film(data, moments, options.theme, options.name)
        _write(options.out, picture.data)
    except ReplayError as error:
        sys.stderr.write(f"bauta replay: {error}\n")
        return ExitCode.FAILED
    size = f"{picture.width} × {picture.height} pixels, {len(picture.data) / 1024:.0f} KiB"
    sys.stdout.write(f"{options.out}: {len(moments) - 1} rows, {size}\n{picture.alt}\n")
    if "part" in data:
        ids = ", ".join(data["ids"])
        sys.stdout.write(
            f"shuffle hash {data['commitment']}\nmade of the ids {ids}: compare both on Discord\n"
        )
    return 0


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            # One byte over the limit is enough to see that the file is too large.
            return file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise ReplayError(f"{path} cannot be read: {error.strerror or type(error).__name__}") from None


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ReplayError(f"{path} cannot be written: {error.strerror or type(error).__name__}") from None


def _film(data: Mapping[str, Any], moments: list[Match], theme: str | None, names: list[str]) -> Picture:
    manifest = moments[0].game.manifest
    try:
        painter = renderer(manifest.key)
    except KeyError:
        raise ReplayError(f"nobody here can paint {manifest.title}") from None
    theme = theme or theme_of(data, painter.themes)
    if theme not in painter.themes:
        raise ReplayError(f"there is no theme {theme[:40]!r}, only {', '.join(painter.themes)}")
    texts = load(f"engines.{manifest.key}")
    sides = [texts.render(label, str) for label in manifest.seat_labels]
    seats = range(moments[0].setup.seats)
    table = Table(tuple(names[seat] if seat < len(names) else sides[seat] for seat in seats), theme=theme)
    return painter.film(public_views(moments), table)
