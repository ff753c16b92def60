"""Letters of other languages: which families have them, and what comic lettering does without them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PIL import Image, ImageChops

from renderers.core.canvas import Canvas
from renderers.core.fonts import has
from renderers.core.type import Face, Family, Weight, comic, has_glyph, paintable, sans, serif, suited
from renderers.corto.lettering import titled
from renderers.corto.page import caps

LETTERS = {
    "cs": "áčďéěíňóřšťúůýž",
    "da": "æøå",
    "de": "äöüß",
    "es": "áéíóúüñ¿¡",
    "fi": "äöå",
    "fr": "àâæçéèêëîïôœùûüÿ",
    "hr": "čćđšž",
    "hu": "áéíóöőúüű",
    "it": "àèéìòù",
    "lt": "ąčęėįšųūž",
    "nl": "éëïóöü",
    "no": "æøå",
    "pl": "ąćęłńóśźż",
    "pt": "áâãàçéêíóôõú",
    "ro": "ăâîșț",
    "sv": "åäö",
    "tr": "çğıöşü",
    "el": "αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώ",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
}
"""What a language writes beside the letters of English."""

OTHER_SCRIPTS = ("el", "bg", "ru", "uk")

SIGNS = "«»„“”‘’–—…×·"


@pytest.mark.parametrize("language", LETTERS)
def test_sans_and_serif_have_every_letter(language: str) -> None:
    needed = set(LETTERS[language] + LETTERS[language].upper() + SIGNS)
    for family in (Family.SANS, Family.SERIF):
        assert {letter for letter in needed if not has_glyph(family, letter)} == set()


@pytest.mark.parametrize("language", LETTERS)
def test_comic_lettering_is_latin_alone(language: str) -> None:
    text = LETTERS[language]
    face = suited(text, comic(50))
    if language in OTHER_SCRIPTS:
        assert (face.family, face.weight) == (Family.SANS, Weight.BOLD)
        assert face.size == pytest.approx(50 * 0.72, abs=1)
    else:
        assert face == comic(50)
    assert all(has_glyph(face.family, letter) for letter in text)


@pytest.mark.parametrize("language", LETTERS)
@pytest.mark.parametrize("family", [sans, serif])
def test_slanted_cuts_are_latin_alone(language: str, family: Callable[[int, Weight], Face]) -> None:
    text, slanted, upright = (
        LETTERS[language],
        *map(family, (40, 40), (Weight.SEMIBOLD_ITALIC, Weight.SEMIBOLD)),
    )
    if language in OTHER_SCRIPTS:
        assert not all(has(slanted.font, letter) for letter in text)
        assert suited(text, slanted) == upright
        assert slanted.width(text) == upright.width(text)
        assert [run.font for run in slanted.runs(text)] == [upright.font]
    else:
        assert suited(text, slanted) is slanted
        assert slanted.is_enough(text)


def test_a_name_in_another_script_is_painted_in_a_slanted_line() -> None:
    slanted = serif(40, Weight.SEMIBOLD_ITALIC)
    assert written("Анна", slanted) == written("Анна", serif(40))
    assert written("Anna", slanted) != written("Anna", serif(40))


@pytest.mark.parametrize("text", ["Сокровище", "Θησαυρός"])
def test_a_title_in_another_script_is_painted_letter_by_letter(text: str) -> None:
    assert not paintable(text, Family.COMIC)
    assert capitals(text) != capitals("\uffff" * len(text)), "boxes for missing letters"
    shown, face = titled(text, 34, 200)
    assert (shown, face.family) == (text, Family.SANS)
    assert titled("Treasure", 34, 200)[1].family is Family.COMIC


def test_capitals_in_another_script_keep_their_width() -> None:
    faces: dict[str, Face] = {text: suited(text, comic(60)) for text in ("THE TREASURE", "СОКРОВИЩЕ ДОЖА")}
    widths = [face.width(text) / len(text) for text, face in faces.items()]
    assert 0.6 < widths[0] / widths[1] < 1.6
    assert sans(43, Weight.BOLD) in faces.values()


def capitals(text: str) -> bytes:
    canvas = Canvas(Image.new("RGB", (400, 100), "#FFFFFF"))
    caps(canvas, text, (200, 50), 40, "#000000", "mm", 380)
    return pixels(canvas)


def written(text: str, face: Face) -> bytes:
    canvas = Canvas(Image.new("RGB", (400, 100), "#FFFFFF"))
    canvas.words(text, (20, 50), face, "#000000")
    return pixels(canvas)


def pixels(canvas: Canvas) -> bytes:
    assert ImageChops.invert(canvas.image).getbbox(), "nothing is written"
    return canvas.image.tobytes()
