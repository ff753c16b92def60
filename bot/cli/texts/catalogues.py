"""Catalogues as rows, one for each form of a text, and rows as catalogues, if nothing is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engines.core.languages import FALLBACK, LANGUAGES
from engines.core.registry import games
from engines.core.text_notes import notes
from engines.core.texts import CHOSEN_BY, OTHER, Template, load
from renderers.core.registry import renderers_by_game

FormPath: TypeAlias = tuple[str, ...]
"""What leads to a form of a text: plural categories, and values of arguments as ``piece=guard``."""

Translations: TypeAlias = Mapping[str, Mapping[str, Template]]
"""Texts by package and key."""

COUNT = "n"
"""The argument that chooses between plural forms."""

_GAP = re.compile(r"\{(\w+)\}")


class TextsError(Exception):
    """What is wrong with a file of texts, a sentence for each fault."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


@dataclass(frozen=True, slots=True)
class Row:
    """One form of a text: English, and its translation; empty without one."""

    package: str
    key: str
    path: FormPath
    english: str = field(repr=False)
    translation: str = field(repr=False)
    note: str = field(default="", repr=False)

    @property
    def form(self) -> str:
        """Return the path as one word, such as ``piece=guard/one``; empty for a plain text."""
        return "/".join(self.path)

    @property
    def name(self) -> str:
        """Return what messages call the row."""
        return f"{self.package} {self.key}" + (f" ({self.form})" if self.path else "")


def packages() -> list[str]:
    """Return the names of all packages that have texts."""
    engines = [f"engines.{key}" for key in games()]
    painters = [f"renderers.{key}" for key in renderers_by_game()]
    return ["bot", *engines, "renderers.core", *painters]


def exported(package: str, language: str) -> Iterator[Row]:
    """Yield every form that a language needs of a package's texts, with what is translated already."""
    catalogue, noted = load(package).languages, notes(package)
    for key, english in catalogue[FALLBACK].items():
        gaps = sorted(gaps_of(english) & set(noted.gaps))
        limit = noted.limit(key)
        parts = [noted.of(key), f"At most {limit} characters." if limit else ""]
        parts += [f"{{{gap}}}: {noted.gaps[gap]}." for gap in gaps]
        note = " ".join(part for part in parts if part)
        translated = catalogue.get(language, {}).get(key)
        filled = {} if translated is None else dict(forms_by_path(translated))
        for path in filled or paths(english, language):
            yield Row(package, key, path, _english(english, path), filled.get(path, ""), note)


def forms_by_path(template: Template, path: FormPath = ()) -> Iterator[tuple[FormPath, str]]:
    """Yield every form of a text with what leads to it."""
    if isinstance(template, str):
        yield path, template
        return
    chooser = template.get(CHOSEN_BY)
    for value, form in template.items():
        if value != CHOSEN_BY:
            yield from forms_by_path(form, (*path, f"{chooser}={value}" if chooser else value))


def gaps_of(template: Template) -> frozenset[str]:
    """Return the gaps of a text, those that choose a form included."""
    found = {gap for _, form in forms_by_path(template) for gap in _GAP.findall(form)}
    return frozenset(found | {chooser for path, _ in forms_by_path(template) for chooser in _choosers(path)})


def _choosers(path: FormPath) -> set[str]:
    return {step.partition("=")[0] if "=" in step else COUNT for step in path}


def paths(english: Template, language: str) -> list[FormPath]:
    """Return the paths of the forms that a language needs of an English text."""
    if isinstance(english, str):
        return [()]
    chooser = english.get(CHOSEN_BY)
    if chooser:
        parts = {f"{chooser}={value}": form for value, form in english.items() if value != CHOSEN_BY}
    else:
        parts = {name: english.get(name, english[OTHER]) for name in LANGUAGES[language].categories}
    return [(step, *path) for step, form in parts.items() for path in paths(form, language)]


def _english(english: Template, path: FormPath) -> str:
    """Return the English form that is nearest to a path."""
    if isinstance(english, str):
        return english
    chooser, _, value = (path[0] if path else OTHER).rpartition("=")
    last = [*english.values()][-1]
    if chooser != english.get(CHOSEN_BY, ""):
        return _english(english.get(OTHER, last), path)
    return _english(english[value] if value in english else english.get(OTHER, last), path[1:])


def translations(rows: Iterable[Row], language: str) -> Translations:
    """Return the catalogues that rows make; raises :class:`TextsError` with everything that is wrong.

    A text without a row keeps the translation that it has. One whose rows are all empty is left out: English
    stands in for it.
    """
    wrong: list[str] = []
    found: dict[str, dict[str, dict[FormPath, str]]] = {}
    for row in rows:
        filled = found.setdefault(row.package, {}).setdefault(row.key, {})
        if row.path in filled:
            wrong.append(f"{row.name} stands twice.")
        filled[row.path] = row.translation
    made: dict[str, Mapping[str, Template]] = {}
    for package, texts in found.items():
        if package in packages():
            made[package] = _catalogue(package, texts, language, wrong)
        else:
            wrong.append(f"There is no package {package}.")
    if wrong:
        raise TextsError(wrong)
    return made


def _catalogue(
    package: str, texts: Mapping[str, Mapping[FormPath, str]], language: str, wrong: list[str]
) -> Mapping[str, Template]:
    """Return the texts of a package in the order of English; add what is wrong with them to ``wrong``."""
    languages = load(package).languages
    english, before = languages[FALLBACK], languages.get(language, {})
    wrong += [f"There is no text {package} {key}." for key in texts if key not in english]
    made: dict[str, Template] = {}
    for key in english:
        if key not in texts and key in before:
            made[key] = before[key]
        filled = {path: form for path, form in texts.get(key, {}).items() if path or form}
        if not any(filled.values()):
            continue
        faults = [f"{package} {key}{fault}" for fault in _faults(english[key], filled, language)]
        wrong += faults
        if not faults:
            made[key] = _nested(filled)
    return made


def _faults(english: Template, filled: Mapping[FormPath, str], language: str) -> Iterator[str]:
    """Yield what is wrong with the forms of a text, each as the end of a sentence."""
    yield from (f" ({'/'.join(path)}): this form is empty." for path, form in filled.items() if not form)
    yield from _faults_of_shape([*filled], english, language)
    required = frozenset.intersection(*(_filled_gaps(path, form) for path, form in forms_by_path(english)))
    for path, form in filled.items():
        place = f" ({'/'.join(path)})" if path else ""
        own = frozenset(_GAP.findall(form))
        for gap in sorted(own - gaps_of(english)):
            yield f"{place}: English has no gap {{{gap}}}."
        for gap in sorted(required - _filled_gaps(path, form)) if form else ():
            yield f"{place}: the gap {{{gap}}} is missing."
        if re.search(r"[{}]", _GAP.sub("", form)):
            yield f"{place}: a brace stands alone."


def _filled_gaps(path: FormPath, form: str) -> frozenset[str]:
    return frozenset(_GAP.findall(form)) | _choosers(path)


def _faults_of_shape(given: Sequence[FormPath], english: Template, language: str) -> Iterator[str]:
    """Yield what is wrong with how the forms of a text are chosen."""
    if () in given:
        if len(given) > 1:
            yield ": a text has either forms or none."
        return
    choosers = {step.rpartition("=")[0] for step in (path[0] for path in given)}
    if len(choosers) > 1:
        yield ": one argument chooses between forms that stand beside each other."
        return
    chooser, steps = choosers.pop(), dict.fromkeys(path[0] for path in given)
    if (chooser or COUNT) not in gaps_of(english):
        yield f": English has no gap {{{chooser or COUNT}}} that could choose a form."
    elif chooser and f"{chooser}={OTHER}" not in steps:
        yield from (
            f": the form {step} is missing." for step in _needed(english, chooser) if step not in steps
        )
    elif not chooser and set(steps) != set(LANGUAGES[language].categories):
        needed, has = ", ".join(LANGUAGES[language].categories), ", ".join(steps)
        yield f": {language} needs the forms {needed}; the file has {has}."
    for step in steps:
        yield from _faults_of_shape([path[1:] for path in given if path[0] == step], english, language)


def _needed(english: Template, chooser: str) -> list[str]:
    """Return the forms that a text needs without one for all other values of an argument."""
    steps = {step for path, _ in forms_by_path(english) for step in path if step.startswith(f"{chooser}=")}
    other = f"{chooser}={OTHER}"
    # English need not have it either if it has a form for every value.
    return sorted(steps) if steps and other not in steps else [other]


def _nested(filled: Mapping[FormPath, str]) -> Template:
    if () in filled:
        return filled[()]
    steps = dict.fromkeys(path[0] for path in filled)
    parts = {
        step: _nested({path[1:]: form for path, form in filled.items() if path[0] == step}) for step in steps
    }
    chooser = next(iter(steps)).rpartition("=")[0]
    named = {step.rpartition("=")[2]: part for step, part in parts.items()}
    return {CHOSEN_BY: chooser, **named} if chooser else named


def stale(found: Iterable[Row], known: Iterable[Row]) -> list[str]:
    """Return the names of translated rows whose English is no longer what the translator read."""
    now = {(row.package, row.key, row.path): row.english for row in known}
    return [
        row.name
        for row in found
        if row.translation
        and row.english
        and row.english != now.get((row.package, row.key, row.path), row.english)
    ]
