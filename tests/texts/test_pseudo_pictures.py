"""The pseudo-language on pictures: nothing English is left or cut, and the fonts have every letter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PIL import ImageDraw

from renderers.core.caches import WORDS
from renderers.core.captions import TEXT_LIMIT
from renderers.core.contract import ALT_LIMIT, Table
from renderers.core.fonts import has
from renderers.core.registry import renderer
from tests.kit.painted_once import painted_anew
from tests.kit.pseudo import CODE, installed, left_over
from tests.kit.samples import MORE, some
from tests.renderers.looks import LOOKS, SAMPLE, TABLE, Look, named
from tests.texts.test_pseudo import ALLOWED
from tests.ui.positions import PAINTED

OTHER = Table(TABLE.names, language=CODE)

NAMES = frozenset(TABLE.names)

Written = list[tuple[str, Any]]


@pytest.fixture(autouse=True, scope="module")
def pseudo_language() -> Iterator[None]:
    with installed():
        yield


@contextmanager
def writing() -> Iterator[Written]:
    """Yield what is written on pictures meanwhile, each text with its font."""
    found: Written = []
    write = ImageDraw.ImageDraw.text

    def noted(self: Any, xy: Any, text: str, *args: Any, **more: Any) -> None:
        found.append((text, more["font"]))
        write(self, xy, text, *args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ImageDraw.ImageDraw, "text", noted)
        WORDS.clear()
        yield found


def looks(key: str) -> list[str]:
    return [name for name in LOOKS if name.partition("_")[0] == key][:: 1 if MORE > 1 else 6]


def written(look: Look, table: Table) -> tuple[Written, str]:
    with writing() as found:
        alt = look.painted(table).alt
    return found, alt


def cut(shown: Written) -> list[str]:
    """Return the texts that are cut, but for those with a name: it has no limit."""
    found = (said.removesuffix("…") for said, _ in shown if said.endswith("…"))
    return [said for said in found if not any(name.startswith(said) or name in said for name in NAMES)]


def faults(name: str) -> set[str]:
    look = named(name)
    shown, alt = written(look, OTHER)
    text = renderer(look.game).text(look.view, OTHER)
    assert len(alt) <= ALT_LIMIT
    assert len(text) <= TEXT_LIMIT
    found: set[str] = set()
    for said in (*(said for said, _ in shown), alt, text.partition("\n\n")[2]):
        words = left_over(said, ALLOWED | NAMES)
        found |= {f"{name}: {word} is English: {said[:60]}" for word in words if not _is_name(word)}
    for said, font in shown:
        lacking = {letter for letter in said if not has(font, letter) and not letter.isspace()}
        found |= {f"{name}: {letter} is not in {font.getname()}" for letter in lacking}
    if missing := cut(shown):
        usual = cut(written(look, TABLE)[0])
        found |= {f"{name}: cut: {said}…" for said in missing if len(missing) > len(usual)}
    return found


def _is_name(word: str) -> bool:
    return any(part.startswith(word) for name in NAMES for part in name.split())


@pytest.mark.parametrize("key", PAINTED)
def test_nothing_english_is_left_or_cut_on_pictures(key: str) -> None:
    assert looks(key)
    assert sorted(fault for name in looks(key) for fault in faults(name)) == []


@pytest.mark.parametrize("name", some(SAMPLE))
def test_what_is_kept_of_a_picture_is_not_shown_in_another_language(name: str) -> None:
    with painted_anew():
        afresh = named(name).image(OTHER).tobytes()
    with painted_anew():
        named(name).image(TABLE)
        assert named(name).image(OTHER).tobytes() == afresh
