"""Interactions as discord.py makes them, over an adapter that answers as Discord would and takes notes."""

from __future__ import annotations

import json
from typing import Any

import discord

from bot.domain.tables import Person
from tests.kit.unconnected import state_of
from tests.ui.limits import walk

USER = {"id": "7", "username": "anna", "discriminator": "0", "avatar": None, "global_name": "Anna"}
CHANNEL = {"id": "5", "type": 1, "recipients": [USER], "last_message_id": None}


class FakeAdapter:
    """Answers what discord.py asks for an interaction, and counts."""

    def __init__(self) -> None:
        self.asked = 0
        self.bodies: list[dict[str, Any]] = []
        self.trouble: Exception | None = None

    def message(self, payload: dict[str, Any] | None) -> dict[str, Any]:
        self.asked += 1
        self.bodies.append(payload or {})
        if self.trouble is not None:
            trouble, self.trouble = self.trouble, None
            raise trouble
        return {
            "id": "9",
            "channel_id": "5",
            "author": USER,
            "content": "",
            "timestamp": "2026-01-01T00:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "pinned": False,
            "type": 0,
            "flags": 1 << 15,
            "components": (payload or {}).get("components", []),
        }

    async def create_interaction_response(
        self, interaction_id: int, token: str, *, params: Any, **_: Any
    ) -> Any:
        payload = params.payload or json.loads(params.multipart[0]["value"])
        message = self.message(payload.get("data"))
        return {
            "interaction": {"id": str(interaction_id), "type": 3, "response_message_id": "9"},
            "resource": {"type": payload["type"], "message": message},
        }

    async def edit_original_interaction_response(
        self, *_: Any, payload: Any = None, multipart: Any = None, **__: Any
    ) -> Any:
        for part in multipart or []:
            if part["name"] == "payload_json":
                payload = json.loads(part["value"])
        return self.message(payload)

    async def execute_webhook(self, *_: Any, payload: Any = None, **__: Any) -> Any:
        return self.message(payload)

    def said(self) -> str:
        """Return every text that was sent, in order."""
        found = [item for body in self.bodies for item in walk(body.get("components", []))]
        return "\n".join(item["content"] for item in found if "content" in item)


def pressed(client: discord.Client, number: int, who: Person | None = None) -> discord.Interaction:
    data: Any = {
        "id": str(1_000 + number),
        "application_id": "3",
        "type": 3,
        "token": "t",
        "version": 1,
        "attachment_size_limit": 1 << 20,
        "channel": CHANNEL,
        "user": USER if who is None else {**USER, "id": str(who.id), "global_name": who.name},
        "data": {"custom_id": "x", "component_type": 2},
        "message": FakeAdapter().message(None),
    }
    return discord.Interaction(data=data, state=state_of(client))
