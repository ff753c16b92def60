"""``bauta texts export|import``: the texts of all packages in files for translators, and back."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from bot.cli import Commands, ExitCode, Parser, file_argument
from bot.cli.texts import csv_file, i18next
from bot.cli.texts.catalogues import (
    Row,
    TextsError,
    exported,
    packages,
    stale,
    translations,
)
from engines.core.languages import FALLBACK, LANGUAGES
from engines.core.texts import Template

FORMATS = {"csv": csv_file, "i18next": i18next}


def add_command(commands: Commands) -> None:
    """Add ``bauta texts``."""
    parser = commands.add_parser(
        "texts",
        help="give all texts to translators, and take their work back",
        description="Exchange texts with translators. It works on the folder that this program runs from.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, run, text in (
        ("export", _export, "write English and a language's translations into a file"),
        ("import", _import, "write a file's translations into the language's catalogues"),
    ):
        action = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        _add_arguments(action)
        action.set_defaults(run=run)


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("language", help="such as de or zh-CN; English is the source")
    parser.add_argument("path", type=file_argument, help="a CSV file, or a folder for i18next")
    parser.add_argument(
        "--format", choices=tuple(FORMATS), default="csv", help="csv (the default), or JSON of i18next 4"
    )


def _export(options: argparse.Namespace) -> int:
    try:
        rows = _rows(options.language)
        FORMATS[options.format].write(options.path, options.language, rows)
    except (TextsError, OSError) as error:
        return _refuse("export", error)
    done = sum(bool(row.translation) for row in rows)
    sys.stdout.write(f"{options.path}: {len(rows)} rows, {done} of them translated\n")
    return ExitCode.OK


def _import(options: argparse.Namespace) -> int:
    try:
        known = _rows(options.language)
        found = FORMATS[options.format].read(options.path, options.language, known)
        made = translations(found, options.language)
    except (TextsError, OSError) as error:
        return _refuse("import", error)
    for package, texts in made.items():
        file = _folder(package) / f"{options.language}.json"
        try:
            file.write_text(_as_json(texts), "utf-8")
        except OSError as error:
            sys.stderr.write(
                f"bauta texts import: {file} cannot be written ({error.strerror}). Run this command in a "
                "checkout of the repository that is yours.\n"
            )
            return ExitCode.FAILED
        sys.stdout.write(f"{file}: {len(texts)} texts\n")
    if changed := stale(found, known):
        sys.stdout.write(f"English has changed since the export: {', '.join(changed)}\n")
    return ExitCode.OK


def _rows(language: str) -> list[Row]:
    if language == FALLBACK:
        raise TextsError(["English is the source: edit locale/en.json."])
    if language not in LANGUAGES:
        raise TextsError([f"Bauta does not know the language {language}, only {', '.join(LANGUAGES)}."])
    return [row for package in packages() for row in exported(package, language)]


def _folder(package: str) -> Path:
    return Path(str(files(package))) / "locale"


def _as_json(texts: Mapping[str, Template]) -> str:
    lines = (f"  {json.dumps(key)}: {json.dumps(text, ensure_ascii=False)}" for key, text in texts.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _refuse(action: str, error: TextsError | OSError) -> int:
    reasons = error.reasons if isinstance(error, TextsError) else [f"{error.filename}: {error.strerror}."]
    sys.stderr.writelines(f"bauta texts {action}: {reason}\n" for reason in reasons)
    return ExitCode.FAILED
