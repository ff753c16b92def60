"""What Discord's gateway sends, in its own shapes: people, channels, interactions."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

APPLICATION = 900_000_000_000_000_001
GUILD, FOREIGN_GUILD = 800_000_000_000_000_001, 800_000_000_000_000_002
CHANNEL, FOREIGN_CHANNEL = 700_000_000_000_000_001, 700_000_000_000_000_002
ROLE = 600_000_000_000_000_001
STAMP = "2026-01-01T00:00:00.000000+00:00"
EVERYTHING = str((1 << 50) - 1)

COMMAND, COMPONENT, COMPLETION, MODAL = 2, 3, 4, 5
BUTTON, SELECT = 2, 3
SUBCOMMAND, GROUP, TEXT, WHOLE, YES_NO, USER = 1, 2, 3, 4, 5, 6
EPHEMERAL, V2 = 1 << 6, 1 << 15


def user(number: int, name: str, *, bot: bool = False) -> Json:
    """Return a user; ``name`` is what is shown."""
    return {
        "id": str(number),
        "username": f"u{number}",
        "discriminator": "0",
        "global_name": name,
        "avatar": None,
        "bot": bot,
    }


def member(number: int, name: str, *, bot: bool = False) -> Json:
    """Return a member of a server, called there by a nickname."""
    return {
        "user": user(number, "global", bot=bot),
        "nick": name,
        "roles": [],
        "joined_at": STAMP,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": EVERYTHING,
    }


def channel(number: int, kind: int = 0, guild: int = GUILD) -> Json:
    """Return a channel of a server."""
    found = {"id": str(number), "type": kind, "guild_id": str(guild), "name": "games", "position": 0}
    if kind in (10, 11, 12):
        slept = {"archived": False, "auto_archive_duration": 60, "archive_timestamp": STAMP, "locked": False}
        found |= {"parent_id": str(CHANNEL), "owner_id": str(APPLICATION), "thread_metadata": slept}
    return found


def guild(number: int, name: str) -> Json:
    """Return a server with one channel, as the gateway introduces it."""
    role = {
        "id": str(number),
        "name": "@everyone",
        "permissions": EVERYTHING,
        "position": 0,
        "color": 0,
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
    return {
        "id": str(number),
        "name": name,
        "owner_id": "1",
        "roles": [role],
        "emojis": [],
        "stickers": [],
        "features": [],
        "channels": [channel(CHANNEL if number == GUILD else FOREIGN_CHANNEL, guild=number)],
        "threads": [],
        "members": [],
        "preferred_locale": "en-US",
        "member_count": 9,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "system_channel_flags": 0,
        "afk_timeout": 60,
        "premium_progress_bar_enabled": False,
    }


def interaction(kind: int, number: int, who: tuple[int, str], data: Json, *, bot: bool = False) -> Json:
    """Return an interaction in the server's channel; ``who`` is a person's id and name."""
    return {
        "id": str(number),
        "application_id": str(APPLICATION),
        "type": kind,
        "token": f"t{number}",
        "version": 1,
        "data": data,
        "guild_id": str(GUILD),
        "guild": {"id": str(GUILD), "locale": "en-US", "features": []},
        "channel_id": str(CHANNEL),
        "channel": channel(CHANNEL),
        "member": member(*who, bot=bot),
        "locale": "en-US",
        "guild_locale": "en-US",
        "app_permissions": EVERYTHING,
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(GUILD)},
        "context": 0,
        "attachment_size_limit": 1 << 23,
    }


def in_dm(payload: Json, dm: int) -> Json:
    """Return an interaction as it comes from direct messages."""
    person = payload["member"]["user"] | {"global_name": payload["member"]["nick"]}
    kept = {
        key: value
        for key, value in payload.items()
        if key not in ("guild_id", "guild", "member", "guild_locale")
    }
    place = {"id": str(dm), "type": 1, "recipients": [person], "last_message_id": None}
    return kept | {"user": person, "channel_id": str(dm), "channel": place, "context": 1}


def message(number: int, place: int, body: Json, *, flags: int) -> Json:
    """Return the bot's message that a request's body makes."""
    attachments = [
        {
            "id": str(number + 1 + i),
            "filename": item.get("filename", "x.png"),
            "description": item.get("description"),
            "size": 1,
            "url": f"https://cdn.example/{item.get('filename', 'x.png')}",
            "proxy_url": "https://cdn.example/",
        }
        for i, item in enumerate(body.get("attachments", []))
    ]
    return {
        "id": str(number),
        "channel_id": str(place),
        "author": user(APPLICATION, "Bauta", bot=True),
        "content": "",
        "timestamp": STAMP,
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": attachments,
        "embeds": [],
        "pinned": False,
        "type": 0,
        "flags": flags,
        "components": body.get("components", []),
    }


def walk(items: Any) -> list[Json]:
    """Return all components of a message, a modal or an answer, nested ones included."""
    found: list[Json] = []
    for item in items or []:
        found.append(item)
        found += walk(item.get("components"))
        if "component" in item:
            found += walk([item["component"]])
    return found
