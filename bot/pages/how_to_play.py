"""How to play: a game's one-screen introduction, with pictures of a demonstration match."""

from __future__ import annotations

from typing import Any

import discord

from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Block, Page, button, gallery, page, rows, text, upload
from bot.pages.texts import Texts
from bot.workers.painter import DEMONSTRATED
from engines.core.contract import msg
from engines.core.lessons import has_lessons
from engines.core.registry import game, games
from renderers.core.contract import Picture

HELP_KEY = "help"
"""The key of every game's introduction."""

STEM = "example"

MOST = 25
"""Maximum games with a button on one page."""


def how_to_play_page(
    key: str, texts: Texts, *, board: Picture | None = None, seat: Picture | None = None
) -> Page:
    """Return a game's introduction in words, with those pictures of its demonstration that are given.

    ``board`` is what everybody sees there, ``seat`` what the player of the demonstration sees.
    """
    manifest = game(key).manifest
    side = texts.game(key, manifest.seat_labels[DEMONSTRATED])
    captions = (texts.house("how.board"), texts.house("how.seat", side=side))
    blocks: list[Block] = [
        text(f"## {manifest.title}", f"*{texts.game(key, manifest.tagline)}*"),
        text(texts.game(key, msg(HELP_KEY))),
    ]
    uploads = []
    for number, (caption, picture) in enumerate(zip(captions, (board, seat), strict=True), 1):
        if picture is not None:
            uploads.append(upload(f"{STEM}{number}", picture))
            blocks += [text(f"-# {caption}"), gallery(uploads[-1])]
    doors = [button(texts.house("board.rules"), ButtonId(key, Button.PAGE, 0))]
    if has_lessons(key):
        doors.insert(0, button(texts.house("learn.button"), ButtonId(key, Button.LEARN)))
    return page([*blocks, *rows(doors)], uploads)


def introductions(texts: Texts) -> list[str]:
    """Return a one-line description of each game."""
    manifests = [game.manifest for game in games().values()]
    return [f"**{each.title}** · {texts.game(each.key, each.tagline)}" for each in manifests]


def game_buttons(action: Button, number: int | None = None) -> list[discord.ui.Button[Any]]:
    """Return a button per game that does ``action`` with it, at most :data:`MOST`."""
    return [
        button(each.manifest.title, ButtonId(key, action, number))
        for key, each in list(games().items())[:MOST]
    ]


def help_page(texts: Texts) -> Page:
    """Return the help page, with a button per game that opens its introduction."""
    return page(
        [
            text(f"## {texts.house('help.title')}", texts.house("help.games"), *introductions(texts)),
            text(texts.house("help.how")),
            *rows(game_buttons(Button.HOW_TO_PLAY)),
            text(texts.house("help.text")),
        ]
    )


def welcome_page(texts: Texts) -> Page:
    """Return the message that is posted once, when the bot is added to a server."""
    return page(
        [
            text(f"## {texts.house('help.title')}", texts.house("help.games"), *introductions(texts)),
            text(texts.house("welcome.text")),
            *rows(game_buttons(Button.HOW_TO_PLAY)),
        ]
    )
