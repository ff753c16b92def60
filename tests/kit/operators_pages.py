"""The pages for the bot's owner."""

from __future__ import annotations

from pathlib import Path

PAGES = (
    "docs/operating.md",
    "docs/troubleshooting.md",
    "docs/backup.md",
    "docs/postgresql.md",
    "docs/capacity.md",
    "docs/public-bot.md",
)


def operators_text(repository: Path) -> str:
    """Return all of the pages, one after the other."""
    return "\n".join((repository / name).read_text("utf-8") for name in PAGES)
