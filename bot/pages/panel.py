"""The private panel: what a seat sees, what it is asked, and what it may do about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import discord
from discord.ui import Button, Label, Modal, TextInput

from bot.domain.lessons import Practice, lesson_at
from bot.domain.match import Panel, Receipt
from bot.gateway.discord_patches import finish
from bot.pages.clocks import clock_line
from bot.pages.controls import NO_FOCUS, Controls, Focus, IdOf
from bot.pages.custom_ids import Action, ButtonId, PanelId, pack
from bot.pages.custom_ids import Button as HouseButton
from bot.pages.page import (
    COMPONENT_LIMIT,
    TEXT_LIMIT,
    UNPAINTED,
    Block,
    Page,
    Painting,
    button,
    gallery,
    page,
    rows,
    text,
)
from bot.pages.push import panel_words
from bot.pages.texts import GameTexts, TableTexts, Texts, last_lines, match_link, shorten
from engines.core.registry import game
from renderers.core.registry import renderers_by_game

NEWS_LIMIT = 900
"""Maximum characters of what the seat alone learned since its last act; of its other news; of a draft."""

SENTENCES = 3
"""Maximum sentences of its other news: the panel is there to decide."""

LEARNED = 6
"""Maximum sentences of what it alone learned."""

TYPED_LIMIT = 400
"""Maximum characters that may be typed at once."""

MODAL_LABEL = 45

EXAMPLE_LIMIT = 100
"""Maximum characters of an input's placeholder."""

STEM = "view"

MARKER = 950
"""The component id that marks a panel."""

TYPED = "text"
"""The custom id of the modal's input."""


@dataclass(frozen=True, slots=True)
class PanelPage:
    """A panel as one message shows it."""

    panel: Panel
    texts: Texts
    painting: Painting = UNPAINTED
    focus: Focus = NO_FOCUS
    notice: str = field(default="", repr=False)
    """What to say above the question, such as why a click was refused."""
    drawing: str = ""
    """What tells this drawing from the others of its message: see :class:`Controls`."""
    others_wait: bool = False
    """Whether other matches wait for the reader: a button leads to them."""
    practice: Practice | None = field(default=None, repr=False)
    """The lesson of a practice match; ``None``: the match is no practice."""
    notifies: bool = False
    """Whether the message is posted with a notification."""


def panel_page(shown: PanelPage) -> Page:
    """Return the message of a match's panel.

    What the seat alone learned since its last act comes first, until something is drafted; then the notice.
    """
    panel, texts, focus = shown.panel, shown.texts, shown.focus
    table_texts, stands_in, ids = TableTexts(texts, panel.table), panel.stand_in, id_of(panel)
    # Once something is drafted, the news has been read; on a phone the picture needs the room.
    short = bool(panel.draft) and not focus.more
    match, side = match_link(panel.table, texts), table_texts.side(panel.seat)
    title = match if short else texts.house("panel.title", match=match, side=side)
    question = _question(panel, texts, table_texts)
    learned = [] if short else table_texts.retold(item.fact for item in panel.learned)
    body = text(
        f"### {title}",
        *(f"🔎 {line}" for line in last_lines(learned[-LEARNED:], NEWS_LIMIT)),
        shown.notice,
        *warnings(panel, texts, table_texts),
        *(() if panel.draft else table_texts.news(panel.told, NEWS_LIMIT, SENTENCES, question)),
        # Half a message's limit: the question below must not be cut off.
        shown.painting.fenced(TEXT_LIMIT // 2),
        *question,
    )
    uploads = shown.painting.uploads(STEM)
    blocks: list[Block] = [*map(gallery, uploads), body]
    if stands_in:
        back = ButtonId(panel.table.id, HouseButton.I_AM_BACK)
        blocks += rows([button(texts.house("panel.back_again"), back, discord.ButtonStyle.success)])
    doors = _doors(panel, texts, others_wait=shown.others_wait)
    controls = Controls(panel, texts, table_texts, ids, focus, shown.drawing, doors=doors)
    # The container itself counts as a component too.
    budget = COMPONENT_LIMIT - 1 - len(blocks) - stands_in
    layout = [*blocks, *controls.blocks(budget)]
    if not shown.notifies:
        return page(layout, uploads, marker=MARKER)
    refresh = button(texts.house("push.open"), ids(Action.REFRESH, ""))
    return page(layout, uploads, marker=MARKER, words=panel_words(panel, texts), buttons=[refresh])


def _question(panel: Panel, texts: Texts, table_texts: TableTexts) -> list[str]:
    if panel.outcome is not None:
        return table_texts.result(panel.outcome)
    lines: list[str] = []
    if any(seat != panel.seat for seat in panel.draw_offers):
        lines.append(texts.house("panel.draw_offered"))
    if panel.stand_in:
        lines.append(f"🤖 {texts.house('panel.stand_in')}")
    elif not panel.asked:
        lines.append(f"*{texts.house('panel.not_asked')}*")
    if until := clock_line(panel.clock, texts):
        lines.append(f"-# {until}")
    return [*lines, *asked(panel, texts, table_texts)]


def receipt_lines(panel: Panel, receipt: Receipt, texts: Texts) -> list[str]:
    """Return what a sentence has done, above the panel that follows, without what this tells by itself."""
    table_texts = TableTexts(texts, panel.table)
    told = [each for each in receipt.told if each not in panel.learned]
    news = table_texts.news(told, NEWS_LIMIT, SENTENCES)
    is_whole = news == table_texts.retold(each.fact for each in told)
    first, *rest = news if news and is_whole else [texts.house("panel.done"), *news]
    return [f"✅ {first}", *rest]


def warnings(panel: Panel, texts: Texts, game_texts: GameTexts) -> list[str]:
    """Return warnings about what went wrong before a panel: the bot's notes, and the game's refusal."""
    refused = [] if panel.refusal is None else [game_texts.reason(panel.refusal)]
    return [f"⚠️ {line}" for line in (*map(texts.house_msg, panel.notes), *refused)]


def asked(panel: Panel, texts: Texts, game_texts: GameTexts) -> list[str]:
    """Return what Confirm does and the next question, to be placed right above the controls."""
    lines: list[str] = []
    # Until Confirm is offered, the picture shows the steps so far; on a phone it needs the room.
    if panel.menu is not None and panel.menu.closing:
        lines += [f"✏️ {shorten(line, NEWS_LIMIT)}" for line in game_texts.drafted(panel.view)]
    if panel.hint is not None:
        lines.append(f"💡 {game_texts.say(panel.hint)}")
    if panel.reveals:
        lines.append(f"👁 {texts.house('panel.reveals')}")
    if panel.menu is not None:
        lines.append(f"**{game_texts.say(panel.menu.prompt)}**")
    return lines


def id_of(panel: Panel) -> IdOf:
    """Return what builds the ids of a panel's components."""
    is_practice = lesson_at(panel.table.id) is not None
    return partial(PanelId, panel.table.id, "" if is_practice else panel.decision, panel.revision)


def _doors(panel: Panel, texts: Texts, *, others_wait: bool) -> list[Button[Any]]:
    """Return the buttons that lead to all pictures (if there are several), the log and the next match."""
    found: dict[HouseButton, str] = {}
    if has_several_pictures(panel.table.game, panel.view):
        found[HouseButton.LOOK] = "panel.look"
    found[HouseButton.LOG] = "board.log"
    if others_wait:
        found[HouseButton.NEXT] = "panel.next"
    return [button(texts.house(key), ButtonId(panel.table.id, door)) for door, key in found.items()]


def has_several_pictures(key: str, view: Any) -> bool:
    """Return whether a view has more pictures than the one that a panel shows."""
    renderer = renderers_by_game().get(key)
    return renderer is not None and len(renderer.pictures(view)) > 1


def typing_modal(panel: Panel, texts: Texts) -> Modal:
    """Return the modal for typing a sentence, prefilled with the current draft."""
    modal = Modal(
        title=shorten(texts.house("panel.type_title"), MODAL_LABEL),
        custom_id=pack(id_of(panel)(Action.TYPE, "")),
        timeout=None,
    )
    write = game(panel.table.game).write
    draft = write(panel.draft) if panel.draft else ""
    example = texts.house("panel.type_example", example=write(panel.example)) if panel.example else ""
    field: TextInput[Modal] = TextInput(
        custom_id=TYPED,
        max_length=TYPED_LIMIT,
        default=draft[:TYPED_LIMIT],
        placeholder=shorten(example, EXAMPLE_LIMIT) or None,
        required=True,
    )
    label = shorten(texts.house("panel.type_label"), MODAL_LABEL)
    modal.add_item(Label(text=label, description=texts.house("panel.type_detail"), component=field))
    finish(modal)
    return modal
