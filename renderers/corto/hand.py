"""The private page: the viewer's hand, what is asked, and small strips."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from engines.corto.view import CARDS, HAND, View
from renderers.core.caches import sprite
from renderers.core.canvas import Canvas
from renderers.core.captions import Captions
from renderers.core.theme import mix, rgb
from renderers.core.type import Weight, sans
from renderers.corto import cards, markers, pieces
from renderers.corto.layout import MARGIN, WIDTH, middle_of
from renderers.corto.markers import marker_of
from renderers.corto.narration import acting, guide, last_steps, story
from renderers.corto.page import band, box, caps, dashes, flat, pile, put_line, put_name
from renderers.corto.players import Item, icon, loot
from renderers.corto.previews import small_strip
from renderers.corto.strip_model import strip_models
from renderers.corto.strips import ALL_COLUMNS
from renderers.corto.theme import Theme

CARD = (248, 342)
_PITCH = 268
_LEFT = 24
_TOP = 68
_TAB = 50
_HIGH = _TOP + _TAB + CARD[1] + 26
_ID = sans(37, Weight.BLACK)
_KIND = sans(31, Weight.BOLD)
_ONLY = sans(30, Weight.BOLD)
_NUMBER = sans(36, Weight.BLACK)
_ASK = sans(33, Weight.BOLD)
_STORY = sans(28, Weight.SEMIBOLD)
_FINAL = sans(28, Weight.BOLD)
_COLUMN = sans(28, Weight.BLACK)
_RIVAL = sans(31, Weight.BOLD)
_RIVALS = 56


def hand_page(view: View, theme: Theme, captions: Captions) -> Image.Image:
    """Return the page that only its seat sees."""
    assert view.viewer is not None
    player = view.players[view.viewer]
    told = tuple(captions.text(key) for key in ("hand.title", "hand.only", "board.stock"))
    taken = acting(view)
    held = [
        Held(
            one.deck,
            one.card,
            "" if one.card is None else captions.text(f"kind.{CARDS[one.card].kind.value}"),
            one.card is not None and one.card == taken,
        )
        for one in player.hand
    ]
    # A card that is being played has left the hand, but what is asked is about it.
    if taken is not None and not any(one.lit for one in held):
        held.append(Held(taken[0], taken, captions.text("kind.played"), lit=True))
    model = HandModel(player.colour, player.stock, loot(view, player.seat), tuple(held[:HAND]))
    bands = [
        # Its words are part of the key: another language is another band.
        band(theme, ("hand", model, told), lambda: _hand(theme, model, told)),
        _narration(theme, captions, view),
    ]
    bands += [small_strip(theme, model) for model in strip_models(view)]
    bands.append(_rivals(theme, captions, view))
    return pile(theme, bands)


# --- the hand -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Held:
    """A card of the hand and its kind in words; ``lit``: it is selected, or acts on the board."""

    deck: str
    card: str | None
    kind: str
    lit: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class HandModel:
    """All that the upper band shows."""

    colour: str
    stock: int
    loot: tuple[Item, ...]
    held: tuple[Held, ...]


def _hand(theme: Theme, model: HandModel, told: tuple[str, ...]) -> Image.Image:
    canvas = Canvas(Image.new("RGB", (WIDTH, _HIGH), theme.paper))
    _put_head(canvas, theme, model, told)
    for place in range(len(model.held), HAND):
        corner = (_LEFT + place * _PITCH, _TOP + _TAB)
        dashes(canvas, (*corner, *CARD), mix(theme.paper, theme.soft, 0.35), 4, 18, 14)
    # Lit cards last: their stars lie over the cards beside them.
    for place, held in sorted(enumerate(model.held), key=lambda item: item[1].lit):
        x, y = _LEFT + place * _PITCH, _TOP + _TAB
        middle = (x + CARD[0] / 2, y + CARD[1] / 2)
        if held.lit:
            canvas.put(markers.just_played(*CARD, theme), middle)
        else:
            canvas.fill((x + 7, y + 8), CARD, mix(theme.paper, theme.ink, 0.28))
        if held.card is None:
            canvas.put(pieces.card_back(held.deck, *CARD, theme), middle)
        else:
            canvas.put(cards.face(CARDS[held.card], *CARD, theme), middle)
        ground = theme.glow if held.lit else theme.card
        box(canvas, (x, y - _TAB + 4, CARD[0], _TAB - 10), ground, theme.ink, 4 if held.lit else 2)
        canvas.words(held.card or held.deck, (x + 12, y - _TAB / 2 - 1), _ID, theme.ink)
        put_line(
            canvas, held.kind, (x + CARD[0] - 11, y - _TAB / 2 - 1), _KIND, CARD[0] - 108, theme.ink, "rm"
        )
    return canvas.image


def _put_head(canvas: Canvas, theme: Theme, model: HandModel, told: tuple[str, ...]) -> None:
    title, only, stock = told
    middle = _TOP / 2 + 2
    canvas.put(marker_of(theme, model.colour, model.stock, 60, control=True), (46, middle))
    caps(canvas, stock, (86, middle), 36, theme.ink)
    x = 172
    for item in model.loot:
        made = icon(theme, item.kind, 42)
        canvas.put(made, (x + made.width / 2, middle))
        x += made.width + 4
        if item.always or item.number > 1:
            canvas.words(str(item.number), (x, middle), _NUMBER, theme.ink)
            x += round(_NUMBER.width(str(item.number))) + 4
        x += 8
    # Who has won much has no room left for the title.
    if x < WIDTH / 2 - 90:
        caps(canvas, title, (WIDTH / 2, middle), 58, theme.ink, "mm")
    if x < WIDTH - 32 - _ONLY.width(only):
        canvas.words(only, (WIDTH - 16, middle + 1), _ONLY, theme.soft, "rm")


# --- what is asked --------------------------------------------------------------------------------


def _narration(theme: Theme, captions: Captions, view: View) -> Image.Image:
    final = captions.text("hand.final") if view.final else ""
    wide = WIDTH - 2 * MARGIN - 4
    told = story(captions, view, wide - 40, _STORY) if last_steps(view) else ""
    high = 50 + (34 if told else 0) + (40 if final else 0)
    canvas = Canvas(Image.new("RGB", (WIDTH, high + 42), theme.paper))
    box(canvas, (MARGIN, 0, wide, high), theme.box, theme.ink, 3, theme.ink)
    put_line(canvas, guide(captions, view), (MARGIN + 16, 25), _ASK, wide - 36, theme.ink)
    if told:
        canvas.words(told, (MARGIN + 16, 60), _STORY, theme.ink)
    if final:
        canvas.fill((MARGIN + 3, high - 42), (wide - 6, 39), theme.hit)
        put_line(canvas, final, (MARGIN + 16, high - 23), _FINAL, wide - 40, theme.card)
    for column in ALL_COLUMNS[1:]:
        canvas.sign(str(column), (middle_of(column), high + 26), _COLUMN, theme.ink)
    return flat(theme, canvas.image)


# --- the others -----------------------------------------------------------------------------------


def _rivals(theme: Theme, captions: Captions, view: View) -> Image.Image:
    canvas = Canvas(Image.new("RGB", (WIDTH, _RIVALS + 32), theme.paper))
    rivals = [player for player in view.players if player.seat != view.viewer]
    wide = (WIDTH - 2 * MARGIN - 4 + 10) // len(rivals) - 10
    for number, player in enumerate(rivals):
        left, middle = MARGIN + number * (wide + 10), 14 + _RIVALS / 2
        lit = player.seat in view.asked
        ground = theme.glow if lit else mix(theme.card, theme.soft, 0.25) if player.gone else theme.card
        box(canvas, (left, 14, wide, _RIVALS), ground, theme.ink, 4 if lit else 2, theme.ink)
        canvas.put(marker_of(theme, player.colour, player.stock, 42, control=True), (left + 32, middle))
        right = left + wide - 12 - round(_NUMBER.width(str(len(player.hand))))
        canvas.words(str(len(player.hand)), (left + wide - 12, middle), _NUMBER, theme.ink, "rm")
        canvas.put(_fan(theme), (right - 26, middle))
        right -= 58 + round(_NUMBER.width(str(len(player.seal))))
        canvas.words(str(len(player.seal)), (right, middle), _NUMBER, theme.ink)
        canvas.put(icon(theme, "seal", 38), (right - 22, middle))
        colour = theme.soft if player.gone else theme.ink
        put_name(canvas, captions, player.seat, (left + 62, middle), _RIVAL, right - 110 - left, colour)
    return flat(theme, canvas.image)


@sprite
def _fan(theme: Theme) -> Image.Image:
    made = Image.new("RGBA", (44, 40))
    for turn, x in ((16, -9), (0, 0), (-16, 9)):
        card = Image.new("RGBA", (22, 32), theme.ink)
        card.paste(rgb(theme.card), (2, 2, 20, 30))
        card.paste(rgb(theme.soft), (5, 5, 17, 27))
        leaning = card.rotate(turn, Image.Resampling.BICUBIC, expand=True)
        made.alpha_composite(leaning, (22 + x - leaning.width // 2, 20 + abs(x) // 4 - leaning.height // 2))
    return made
