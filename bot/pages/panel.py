"""The private panel: what a seat sees, what it is asked, and what it may do about it."""

from __future__ import annotations

from typing import Any

import discord
from discord.ui import Button, Label, Modal, TextInput

from bot.domain.panels import Panel
from bot.pages.controls import HERE, Controls, Look, count
from bot.pages.custom_ids import Action, PanelId, pack
from bot.pages.outcome import verdict
from bot.pages.page import (
    COMPONENT_LIMIT,
    TEXT_LIMIT,
    Block,
    Page,
    button,
    fenced,
    gallery,
    page,
    rows,
    text,
    upload,
)
from bot.pages.texts import Texts, shorten, tail, unsaid
from engines.core.registry import game
from renderers.core.contract import Picture

TOLD_LIMIT = 900
"""Characters of what the seat was told since its own last act."""

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
    speech: Texts,
    *,
    picture: Picture | None,
    words: str = "",
    look: Look = HERE,
    lead: str = "",
) -> Page:
    """Return the page of a panel.

    ``words`` stand in for a picture that could not be painted; ``lead`` is said before all else.
    """
    shown = [upload(STEM, picture)] if picture is not None else []
    question = _question(panel, speech)
    told = tail(unsaid(speech.told(panel.table, panel.told), question), TOLD_LIMIT)
    head = [*_head(panel, speech, lead), *told]
    blocks: list[Block] = [text(*head, *_fenced(words), *question)]
    if shown:
        blocks.insert(0, gallery(shown))
    closing = _closing(panel, speech)
    budget = COMPONENT_LIMIT - 1 - count(blocks) - count(closing)
    blocks += Controls(panel, speech, look).blocks(budget)
    return page([*blocks, *closing], shown, marker=MARKER)


def typing(panel: Panel, speech: Texts) -> Modal:
    """Return the modal in which a sentence is typed, filled with the draft as it stands."""
    modal = Modal(
        title=shorten(speech.house("panel.type_title"), MODAL_LABEL),
        custom_id=pack(_id(panel, Action.TYPE)),
        timeout=None,
    )
    draft = game(panel.table.game).write(panel.draft) if panel.draft else ""
    field: TextInput[Modal] = TextInput(
        custom_id=TYPED, max_length=TYPED_LIMIT, default=draft[:TYPED_LIMIT], required=True
    )
    label = shorten(speech.house("panel.type_label"), MODAL_LABEL)
    modal.add_item(Label(text=label, description=speech.house("panel.type_detail"), component=field))
    modal.stop()
    return modal


def _head(panel: Panel, speech: Texts, lead: str) -> list[str]:
    table = panel.table
    lines = [_title(panel, speech), lead]
    lines += [f"⚠️ {speech.house_msg(message)}" for message in panel.notes]
    if panel.refusal is not None:
        lines.append(f"⚠️ {speech.reason(table, panel.refusal)}")
    return lines


def _question(panel: Panel, speech: Texts) -> list[str]:
    """Return what is asked, and what has been answered so far."""
    if panel.outcome is not None:
        return verdict(panel.table, panel.outcome, speech)
    lines = [speech.house("panel.draw_offered")] if _offered_by_others(panel) else []
    if not panel.asked:
        lines.append(f"*{speech.house('panel.not_asked')}*")
    if panel.menu is not None:
        lines.append(f"**{speech.at_table(panel.table, panel.menu.prompt)}**")
    if panel.draft:
        draft = game(panel.table.game).write(panel.draft)
        lines.append(speech.house("panel.draft", draft=shorten(draft, TYPED_LIMIT)))
    if panel.reveals:
        lines.append(f"👁 {speech.house('panel.reveals')}")
    return lines


def _closing(panel: Panel, speech: Texts) -> list[Block]:
    """Return the rows that every panel ends with."""
    first: list[Button[Any]] = []
    if panel.menu is not None:
        if panel.menu.closing:
            first.append(_button(panel, speech, Action.CONFIRM, "panel.confirm", discord.ButtonStyle.success))
        if panel.draft:
            first.append(_button(panel, speech, Action.BACK, "panel.back"))
            first.append(_button(panel, speech, Action.CLEAR, "panel.clear"))
        elif panel.preset is not None:
            first.append(_button(panel, speech, Action.PRESET, "panel.preset"))
        first.append(_button(panel, speech, Action.TYPE, "panel.type"))
    first.append(_button(panel, speech, Action.REFRESH, "panel.refresh"))
    return [*rows(first)]


def _button(
    panel: Panel,
    speech: Texts,
    action: Action,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
) -> Button[Any]:
    return button(speech.house(label), _id(panel, action), style)


def _id(panel: Panel, action: Action) -> PanelId:
    return PanelId(panel.table.id, panel.decision, panel.revision, action)


def _title(panel: Panel, speech: Texts) -> str:
    table = panel.table
    title = game(table.game).manifest.title
    return "### " + speech.house("panel.title", title=title, side=speech.side(table, panel.seat))


def _offered_by_others(panel: Panel) -> bool:
    return any(seat != panel.seat for seat in panel.draw_offers)


def _fenced(words: str) -> list[str]:
    return [fenced(words[: TEXT_LIMIT // 2])] if words else []
