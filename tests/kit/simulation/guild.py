"""The server of the simulated Discord: its members over time, and its JSON for new sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tests.kit.simulation.messages import Json


class Members:
    """The members of the server. ``now``: true time."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.gone: set[int] = set()
        """The people who have left."""
        self._absences: dict[int, list[list[float]]] = {}

    def leave(self, person: int) -> None:
        """Let a person leave."""
        self.gone.add(person)
        self._absences.setdefault(person, []).append([self._now(), float("inf")])

    def come_back(self, person: int) -> None:
        """Let a person who has left join again."""
        if person in self.gone:
            self.gone.remove(person)
            self._absences[person][-1][1] = self._now()

    def absences(self) -> dict[int, tuple[tuple[float, float], ...]]:
        """Return the spans in which people were not members."""
        found = self._absences.items()
        return {person: tuple((begun, ended) for begun, ended in spans) for person, spans in found}


def guild_json(guild: int, channel_ids: Iterable[int], threads: Iterable[Json], bot: Json) -> Json:
    """Return a server as JSON for a new session; everybody has all permissions."""
    channels = [
        {"id": str(number), "type": 0, "name": "tables", "position": 0, "permission_overwrites": []}
        for number in channel_ids
    ]
    everyone = {
        "id": str(guild), "name": "@everyone", "permissions": str((1 << 50) - 1), "position": 0,
        "color": 0, "hoist": False, "managed": False, "mentionable": False, "flags": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
    }  # fmt: skip
    me = {
        "user": bot, "roles": [], "joined_at": "2026-10-01T00:00:00+00:00",
        "deaf": False, "mute": False, "flags": 0,
    }  # fmt: skip
    return {
        "id": str(guild), "name": "A guild", "owner_id": "1", "roles": [everyone], "channels": channels,
        "threads": list(threads),
        "members": [me], "member_count": 9, "emojis": [], "stickers": [], "features": [],
        "preferred_locale": "en-US", "verification_level": 0, "default_message_notifications": 0,
        "explicit_content_filter": 0, "mfa_level": 0, "nsfw_level": 0, "premium_tier": 0,
        "system_channel_flags": 0, "afk_timeout": 60, "voice_states": [], "presences": [],
        "stage_instances": [], "guild_scheduled_events": [], "large": False, "unavailable": False,
    }  # fmt: skip
