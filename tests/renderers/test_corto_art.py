"""CORTO's drawing kit: every card is a picture of its own, at the size of a phone too."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from engines.core.texts import load
from engines.corto.view import ADVENTURES, CARDS, Border, Card, Figurine, Kind
from renderers.core.captions import Captions
from renderers.core.contract import Table
from renderers.core.encode import colours_of
from renderers.core.theme import rgb
from renderers.core.type import wrapped
from renderers.corto import cards, figures, landscapes, markers, pieces, sounds
from renderers.corto.drawing import Group, Mark, drawings, inks, parsed
from renderers.corto.lettering import titled
from renderers.corto.names import card_name, card_rule
from renderers.corto.theme import SHAPES, THEMES, Theme, made
from tests.kit.painted_once import painted_anew
from tests.kit.samples import MORE

BOARD = (126, 174)
PREVIEW = (126, 112)
PHONE = 380 / 1100
APART = 1.5
"""The mean difference of the pixels of two cards on a phone, of 255, from which on they are two pictures."""

THEME = THEMES.choose("default")
CLEAR = THEMES.choose("clear")
CAPTIONS = Captions(load("renderers.corto"), Table(()))
FILES = (
    *("hats", "coats", "hair", "beards", "extras", "heads", "emblems", "props", "pieces", "figurines"),
    *("lands_a", "lands_b", "lands_c", "backdrops", "signs"),
)


def _on_paper(image: Image.Image, theme: Theme) -> Image.Image:
    sheet = Image.new("RGBA", image.size, theme.paper)
    sheet.alpha_composite(image)
    return sheet.convert("RGB")


def _print(card: Card) -> cards.Print:
    rule = card_rule(CAPTIONS, card) if card.kind is Kind.ADVANTAGE else ""
    return cards.Print(card_name(CAPTIONS, card.id), rule)


def _on_a_phone(card: Card, theme: Theme, text: cards.Print | None = None) -> Image.Image:
    image = _on_paper(cards.face(card, *BOARD, theme, text or _print(card)), theme)
    return image.resize((round(image.width * PHONE), round(image.height * PHONE)), Image.Resampling.BOX)


def _difference(one: Image.Image, other: Image.Image) -> float:
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean) / 3


def _face(card: Card) -> tuple[Card, cards.Print]:
    """Return all that a card's picture may show: prints of one face are one."""
    return replace(card, id=""), _print(card)


# --- cards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "theme", [pytest.param(THEME, id="default"), pytest.param(CLEAR, id="clear", marks=pytest.mark.nightly)]
)
def test_every_card_differs_from_every_other_on_a_phone(theme: Theme) -> None:
    faces = {_face(card): _on_a_phone(card, theme) for card in list(CARDS.values())[:: 1 if MORE > 1 else 3]}
    assert len(faces) > (100 if MORE > 1 else 33)
    close = [
        (one[1].name, other[1].name)
        for (one, a), (other, b) in combinations(faces.items(), 2)
        if _difference(a, b) < APART
    ]
    assert close == []


def test_every_character_has_a_figure_of_its_own_whatever_is_written_on_it() -> None:
    nameless = {
        card.emblem: _on_a_phone(replace(card, border=Border.WHITE, friend=False), THEME, cards.Print("X"))
        for card in CARDS.values()
        if card.kind is Kind.CHARACTER
    }
    assert set(nameless) == set(figures.cast())
    assert all(_difference(a, b) > APART for a, b in combinations(nameless.values(), 2))


def _character(**changes: object) -> Card:
    plain = Card("A01", "A", Kind.CHARACTER, "a01", Border.WHITE, colours=("A",))
    return replace(plain, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        {"border": Border.BLACK},
        {"border": Border.BOTH},
        {"friend": True},
        {"long_range": True},
        {"colours": ("A", "C")},
        {"colours": ("A", "D")},
    ],
)
def test_all_that_a_character_may_do_is_seen(changes: Mapping[str, object]) -> None:
    plain, other = _on_a_phone(_character(), THEME), _on_a_phone(_character(**changes), THEME)
    assert plain.size == other.size
    assert _difference(plain, other) > 0.5


def test_the_name_of_a_character_is_seen() -> None:
    plain, other = (_on_a_phone(_character(), THEME, cards.Print(name)) for name in ("Pilot", "Other"))
    assert _difference(plain, other) > 0.5


@pytest.mark.parametrize("emblem", ["", "zz9", "ringmaster", "Ω" * 40])
@pytest.mark.parametrize("kind", [Kind.CHARACTER, Kind.OBJECT, Kind.ADVANTAGE])
def test_an_emblem_that_nobody_knows_is_painted(kind: Kind, emblem: str) -> None:
    border = None if kind is Kind.ADVANTAGE else Border.BLACK
    colours = ("A",) if kind is Kind.CHARACTER else ()
    card = Card("A01", "A", kind, emblem, border, colours=colours, power=1)
    for size in (BOARD, PREVIEW):
        text = cards.Print("Somebody", "Does it.")
        image = _on_paper(cards.face(card, *size, THEME, text), THEME)
        assert len(image.getcolors(1 << 20) or ()) > 8


def test_figures_by_lot_are_many_and_hang_on_the_emblem_alone() -> None:
    names = [f"new{i}" for i in range(60)]
    found = {figures.figure(name) for name in names}
    assert len(found) == len(names)
    assert {one.head for one in found} == {"man", "lady", "stout", "old", "profile", "profile-lady"}
    figures.figure.cache_clear()
    assert {figures.figure(name) for name in names} == found


@pytest.mark.parametrize(
    "name", ["X", "Ærø", "Гость", "東京の人", "A name that is much too long for any plate at all"]
)
@pytest.mark.parametrize("border", list(Border))
def test_any_name_is_painted_inside_its_plate(name: str, border: Border) -> None:
    card = _character(border=border)
    sprite, bare = (cards.face(card, *BOARD, THEME, cards.Print(text)) for text in (name, " "))
    changed = ImageChops.difference(_on_paper(sprite, THEME), _on_paper(bare, THEME)).getbbox()
    assert changed is not None
    left, _, right, low = _inside(sprite)
    assert changed[0] >= left + 2
    assert changed[1] >= low - 36
    assert changed[2] <= right - 2
    assert changed[3] <= low - 2


def _inside(sprite: Image.Image) -> tuple[int, int, int, int]:
    """Return the box of the card itself on its sprite."""
    margin = (sprite.width - BOARD[0]) // 2
    return margin, margin, margin + BOARD[0], margin + BOARD[1]


def test_what_breaks_the_frame_lies_outside_the_card() -> None:
    near, far = (
        cards.face(_character(long_range=long), *BOARD, THEME, cards.Print("")) for long in (False, True)
    )
    inside = _inside(near)
    assert near.getchannel("A").getbbox() == inside
    box = far.getchannel("A").getbbox()
    assert box is not None
    assert box[0] < inside[0]
    assert box[1] < inside[1]
    assert box[2] > inside[2]
    assert box[3] > inside[3]


def test_equal_arguments_give_equal_pixels() -> None:
    def pictures() -> list[bytes]:
        images = [cards.face(card, *BOARD, THEME, _print(card)) for card in list(CARDS.values())[::9]]
        images += [landscapes.panorama(key, 538, 115, CLEAR) for key in ADVENTURES]
        images += [markers.marker(seat, 2, 44, THEME, control=True) for seat in range(4)]
        images += [sounds.lettering(word, 64, THEME) for word in sounds.SOUNDS]
        return [hashlib.sha256(image.tobytes()).digest() for image in images]

    first = pictures()
    with painted_anew():
        assert pictures() == first


def test_board_cards_are_flat_so_that_a_palette_holds_them() -> None:
    for card in list(CARDS.values())[:: 1 if MORE > 1 else 3]:
        image = cards.face(card, *BOARD, THEME, _print(card))
        alphas = image.getchannel("A").histogram()
        assert sum(1 for count in alphas if count) <= 3
        assert len(image.convert("RGB").getcolors(1 << 16) or ()) <= 110, card.id


# --- the page's other sprites ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "theme", [pytest.param(THEME, id="default"), pytest.param(CLEAR, id="clear", marks=pytest.mark.nightly)]
)
def test_landscapes_fill_their_size_and_differ(theme: Theme) -> None:
    for size in ((1076, 230), (1076, 118), (1074, 880)):
        views = [landscapes.panorama(key, *size, theme) for key in ADVENTURES]
        assert all(view.size == size and view.mode == "RGB" for view in views)
        assert all(_difference(one, other) > 3 for one, other in combinations(views, 2))


def test_an_adventure_that_nobody_knows_has_a_landscape(monkeypatch: pytest.MonkeyPatch) -> None:
    known = landscapes.panorama("A", 538, 115, THEME)
    monkeypatch.setattr(landscapes, "land", lambda key: "unheard of")
    plain = landscapes.panorama("A", 538, 115, THEME)
    assert _difference(known, plain) > 3
    assert len(plain.getcolors(1 << 16) or ()) > 6


def test_colours_made_for_an_adventure_keep_their_order_of_lightness() -> None:
    for colour in ("#8fbdc9", "#303030", "#e0e0e0", "#b02020", "#20b020", "#2020b0"):
        strip = made(colour)
        grey = [
            Image.new("RGB", (1, 1), c).convert("L").getpixel((0, 0))
            for c in (strip.sky, strip.far, strip.mid)
        ]
        deep = [Image.new("RGB", (1, 1), c).convert("L").getpixel((0, 0)) for c in (strip.ground, strip.deep)]
        assert sorted([*grey, *deep], key=lambda v: -int(str(v))) == [*grey, *deep]


@pytest.mark.parametrize("control", [False, True])
@pytest.mark.parametrize("theme", [THEME, CLEAR], ids=["default", "clear"])
def test_markers_of_all_seats_are_told_by_shape_and_number(theme: Theme, control: bool) -> None:
    outlines = [
        markers.marker(seat, None, 44, theme, control=control).getchannel("A") for seat in range(len(SHAPES))
    ]
    assert all(
        _difference(one.convert("RGB"), other.convert("RGB")) > 4 for one, other in combinations(outlines, 2)
    )
    for seat in range(len(SHAPES)):
        numbers = [markers.marker(seat, n, 44, theme, control=control) for n in range(14)]
        assert len({image.tobytes() for image in numbers}) == 14


def test_who_controls_is_seen_without_colour() -> None:
    for seat in range(len(SHAPES)):
        plain, ring = (markers.marker(seat, 1, 44, THEME, control=control) for control in (False, True))
        assert (
            _difference(
                _on_paper(plain, THEME).convert("L").convert("RGB"),
                _on_paper(ring, THEME).convert("L").convert("RGB"),
            )
            > 5
        )


def test_every_piece_of_a_quest_has_its_own_picture() -> None:
    pictures = {kind: pieces.piece(kind, high, THEME) for kind, (_, high) in pieces.SIZES.items()}
    assert len({image.tobytes() for image in pictures.values()}) == len(pictures)
    assert pieces.piece("never seen", 40, THEME).getbbox() is not None
    left, right = (
        pieces.piece("train", 46, THEME, heading=heading, number=7) for heading in ("left", "right")
    )
    assert left.size == right.size
    assert left.tobytes() != right.tobytes()
    assert (
        pieces.piece("carriage", 46, THEME, number=1).tobytes()
        != pieces.piece("carriage", 46, THEME, number=2).tobytes()
    )


@pytest.mark.parametrize("height", [60, 123, 150, 192, 280])
def test_figurines_are_as_high_as_asked(height: int) -> None:
    corto, rasputin = (pieces.figurine(which, height, THEME) for which in (Figurine.CORTO, Figurine.RASPUTIN))
    assert abs(corto.height - height) <= 1
    assert corto.size == rasputin.size
    assert corto.tobytes() != rasputin.tobytes()


def test_a_deck_tells_how_many_cards_it_has() -> None:
    assert len({pieces.deck("A", count, 92, 126, THEME).tobytes() for count in range(21)}) == 21
    backs = [pieces.card_back(key, 92, 126, CLEAR) for key in ADVENTURES]
    assert len({back.tobytes() for back in backs}) == len(backs)


def test_a_square_is_open_where_one_looks_through_it() -> None:
    for image in (landscapes.window("C", 126, 174, THEME), markers.legal_frame(126, 174, THEME)):
        assert image.getpixel((63, 87)) == (0, 0, 0, 0)
        assert image.getpixel((0, 0)) != (0, 0, 0, 0)


def test_a_change_is_told_by_its_sign() -> None:
    for paint in (markers.change, markers.change_sign):
        assert len({paint(amount, 48, THEME).tobytes() for amount in (-2, -1, 1, 2)}) == 2


def test_a_sound_that_nobody_has_drawn_is_refused() -> None:
    with pytest.raises(KeyError):
        sounds.lettering("BOOM!", 64, THEME)


# --- data and words -------------------------------------------------------------------------------


def _colours(parts: tuple[Mark | Group, ...]) -> set[str]:
    found: set[str] = set()
    for part in parts:
        found |= {part.colour} if isinstance(part, Mark) else _colours(part.parts)
    return found


@pytest.mark.parametrize("name", FILES)
def test_every_colour_of_a_drawing_is_known(name: str) -> None:
    given = ("first", "second", "skin", "nape", "sky", "far", "mid", "ground", "deep", "line")
    table = inks(THEME).given(**dict.fromkeys(given, "#808080"))
    for key, drawing in drawings(name).items():
        unknown = {
            colour for colour in _colours(drawing) if colour != "none" and table.colour(colour) is None
        }
        assert unknown == set(), key


def test_the_cast_wears_and_holds_what_there_is() -> None:
    tools = set(drawings("emblems")) | set(drawings("props"))
    for emblem, figure in figures.cast().items():
        assert figure.head in drawings("heads"), emblem
        assert f"mood-{figure.mood}" in drawings("heads"), emblem
        assert figure.coat.kind in drawings("coats"), emblem
        for piece, where in ((figure.hat, "hats"), (figure.hair, "hair"), (figure.beard, "beards")):
            assert piece is None or piece.kind in drawings(where), emblem
        assert {extra.kind for extra in figure.extras} <= set(drawings("extras")), emblem
        assert {tool.kind for tool in figure.tools} <= tools, emblem


def test_every_emblem_of_the_data_is_drawn() -> None:
    things = {card.emblem for card in CARDS.values() if card.kind in {Kind.OBJECT, Kind.ADVANTAGE}}
    assert things <= set(drawings("emblems"))


@pytest.mark.parametrize(
    "bad",
    [["blot ink: 1,1 2"], ["fill ink"], ["fill ink: 1,x 2,2"], [["turn 1 2", "dot: 1,1 1"]], ["dot: 1 2"]],
)
def test_what_is_no_drawing_is_refused(bad: list[object]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever part of the data is wrong
        parsed(bad)


def test_titles_shrink_before_they_are_cut() -> None:
    text, face = titled("Harbour pilot", 31, 116)
    assert text == "Harbour pilot"
    assert face.width(text) <= 116
    text, face = titled("W" * 60, 31, 116)
    assert text.endswith("…")
    assert face.width(text) <= 116
    assert all(
        face.width(line) <= 80 for line in wrapped("one two threeeeeeeeeeeeeeeeeeeeeeeeee four", face, 80)
    )


def test_both_themes_colour_every_strip_and_seat_in_their_own_way() -> None:
    assert {rgb(colour) for colour in colours_of(THEME)} != {rgb(colour) for colour in colours_of(CLEAR)}
    assert all(
        len(theme.strips) == len(ADVENTURES) and len(theme.sides) == len(SHAPES) for theme in (THEME, CLEAR)
    )
    with pytest.raises(KeyError):
        THEME.strip("?")


def test_no_name_of_the_data_is_cut() -> None:
    names = [card_name(CAPTIONS, card) for card in CARDS]
    assert all(titled(name, 33, 116)[0] == name for name in names)
