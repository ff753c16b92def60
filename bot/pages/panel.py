"""The private panel: what a seat sees, what it is asked, and what it may do about it."""

from __future__ import annotations

from discord.ui import Label, Modal, TextInput

from bot.discord_patches import cut_back_references
from bot.domain.match import Panel
from bot.pages.controls import NO_FOCUS, Controls, Focus
from bot.pages.custom_ids import Action, PanelId, pack
from bot.pages.page import (
    COMPONENT_LIMIT,
    TEXT_LIMIT,
    Block,
    Page,
    button,
    fenced,
    gallery,
    page,
    text,
    upload,
)
from bot.pages.push import panel_words
from bot.pages.texts import TableTexts, Texts, shorten
from engines.core.registry import game
from renderers.core.contract import Picture

TOLD_LIMIT = 900
"""Characters of what the seat alone learned since its last act; and of what it was told along with others."""

TYPED_LIMIT = 400
"""Characters that may be typed at once."""

MODAL_LABEL = 45

STEM = "view"

MARKER = 950
"""The component id that marks a panel."""

TYPED = "text"
"""The custom id of the modal's input."""


def panel_page(
    panel: Panel,
    texts: Texts,
    *,
    picture: Picture | None,
    words: str = "",
    focus: Focus = NO_FOCUS,
    notice: str = "",
    drawing: str = "",
) -> Page:
    """Return the page of a panel; ``drawing`` is explained at :class:`Controls`.

    ``words`` stand in for a picture that could not be painted. What the seat alone learned since its
    last act comes first, then ``notice``.
    """
    table_texts = TableTexts(texts, panel.table)
    title = texts.house("panel.title", title=table_texts.title, side=table_texts.side(panel.seat))
    question = _question(panel, texts, table_texts)
    body = text(
        f"### {title}",
        *(f"🔎 {line}" for line in table_texts.news(panel.learned, TOLD_LIMIT)),
        notice,
        *(f"⚠️ {texts.house_msg(message)}" for message in panel.notes),
        f"⚠️ {table_texts.reason(panel.refusal)}" if panel.refusal is not None else "",
        *table_texts.news(panel.told, TOLD_LIMIT, question),
        # Half of what a message takes: the question below must not be cut off.
        fenced(words[: TEXT_LIMIT // 2]) if words else "",
        *question,
    )
    shown = [upload(STEM, picture)] if picture is not None else []
    blocks: list[Block] = [*map(gallery, shown), body]
    # The container itself counts as a component too.
    controls = Controls(panel, texts, table_texts, focus, drawing)
    refresh = PanelId(panel.table.id, panel.decision, panel.revision, Action.REFRESH)
    return page(
        [*blocks, *controls.blocks(COMPONENT_LIMIT - 1 - len(blocks))],
        shown,
        marker=MARKER,
        words=panel_words(panel, texts),
        buttons=[button(texts.house("push.open"), refresh)],
    )


def _question(panel: Panel, texts: Texts, table_texts: TableTexts) -> list[str]:
    if panel.outcome is not None:
        return table_texts.result(panel.outcome)
    lines: list[str] = []
    if any(seat != panel.seat for seat in panel.draw_offers):
        lines.append(texts.house("panel.draw_offered"))
    if not panel.asked:
        lines.append(f"*{texts.house('panel.not_asked')}*")
    if panel.menu is not None:
        lines.append(f"**{table_texts.say(panel.menu.prompt)}**")
    if panel.draft:
        draft = shorten(table_texts.notation(panel.draft), TYPED_LIMIT)
        lines.append(texts.house("panel.draft", draft=draft))
    if panel.reveals:
        lines.append(f"👁 {texts.house('panel.reveals')}")
    return lines


def typing_modal(panel: Panel, texts: Texts) -> Modal:
    """Return the modal in which a sentence is typed, filled with the draft as it stands."""
    modal = Modal(
        title=shorten(texts.house("panel.type_title"), MODAL_LABEL),
        custom_id=pack(PanelId(panel.table.id, panel.decision, panel.revision, Action.TYPE)),
        timeout=None,
    )
    draft = game(panel.table.game).write(panel.draft) if panel.draft else ""
    field: TextInput[Modal] = TextInput(
        custom_id=TYPED, max_length=TYPED_LIMIT, default=draft[:TYPED_LIMIT], required=True
    )
    label = shorten(texts.house("panel.type_label"), MODAL_LABEL)
    modal.add_item(Label(text=label, description=texts.house("panel.type_detail"), component=field))
    # Like a page: discord.py keeps nothing of it, and the answer comes by its custom id.
    modal.stop()
    cut_back_references(modal)
    return modal
