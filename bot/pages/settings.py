"""A person's settings."""

from __future__ import annotations

from bot.domain.tables import Preferences
from bot.pages.page import Page, page, text
from bot.pages.texts import Texts
from bot.rendering.themes import theme_label


def settings_page(settings: Preferences, texts: Texts) -> Page:
    """Return what a person has chosen, and how to change it."""
    dms = texts.house("settings.dms_on" if settings.dms else "settings.dms_off")
    theme = texts.house("settings.theme", theme=theme_label(settings.theme, texts.language))
    title = f"### {texts.house('settings.title')}"
    small = [f"-# {texts.house(key)}" for key in ("settings.public", "settings.change")]
    return page([text(title, f"✉️ {dms}", f"🎨 {theme}", *small)])
