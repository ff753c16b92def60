"""JSON of users, members, roles, guilds and channels, as Discord writes them."""

from collections.abc import Mapping
from typing import Any

from sandbox.clock import iso
from sandbox.model import DM, PRIVATE_THREAD, Channel, Guild, Json, Member, Role, ThreadMetadata, User
from sandbox.records import Records


def user(record: User) -> Json:
    """Write a user."""
    found: Json = {
        "id": str(record.id),
        "username": record.username,
        "global_name": None if record.bot else record.name,
        "avatar": None,
        # Only bots still have one: "User Resource", Unique Usernames.
        "discriminator": "0000" if record.bot else "0",
        "public_flags": 0,
        "flags": 0,
        "banner": None,
        "accent_color": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
    }
    if record.bot:
        found |= {"bot": True, "username": record.name}
    return found


def me(record: User) -> Json:
    """Write the bot's own account."""
    return user(record) | {"mfa_enabled": False, "locale": record.locale, "verified": True, "email": None}


def member(record: Member, *, with_user: bool = True) -> Json:
    """Write a member."""
    found: Json = {
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None
        if record.timed_out_until is None
        else iso(record.timed_out_until),
        "flags": 0,
        "joined_at": iso(record.joined_at),
        "nick": record.nick,
        "pending": False,
        "premium_since": None,
        "roles": [str(role) for role in record.roles],
        "mute": False,
        "deaf": False,
    }
    if with_user:
        found["user"] = user(record.user)
    return found


def role(record: Role) -> Json:
    """Write a role."""
    found: Json = {
        "id": str(record.id),
        "name": record.name,
        "description": None,
        "permissions": str(record.permissions),
        "position": record.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": record.bot_id is not None,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if record.bot_id is not None:
        found["tags"] = {"bot_id": str(record.bot_id)}
    return found


def thread_member(thread_id: int, user_id: int, joined_at: float) -> Json:
    """Write one member of a thread."""
    return {
        "id": str(thread_id),
        "user_id": str(user_id),
        "join_timestamp": iso(joined_at),
        "flags": 0,
    }


def channel(records: Records, record: Channel, viewer: int | None = None) -> Json:
    """Write a channel, a thread or a DM; a thread has the field `member` if the viewer is in it."""
    last = None if record.last_message_id is None else str(record.last_message_id)
    found: Json = {"id": str(record.id), "type": record.kind, "flags": 0, "last_message_id": last}
    if record.kind == DM:
        seen_by = viewer if viewer is not None else records.bot.id
        # Recipients do not include the viewer: "Channel Resource", Example DM Channel.
        others = [records.users[u] for u in record.recipients if u != seen_by]
        return found | {"recipients": [user(other) for other in others]}
    found |= {
        "guild_id": str(record.guild_id),
        "name": record.name,
        "parent_id": None if record.parent_id is None else str(record.parent_id),
        "rate_limit_per_user": record.slowmode,
        "last_pin_timestamp": None,
    }
    if record.thread is not None:
        return found | _thread(record, record.thread, viewer)
    return found | {
        "topic": record.topic,
        "position": record.position,
        "nsfw": record.nsfw,
        "permission_overwrites": [
            {"id": str(o.id), "type": o.kind, "allow": str(o.allow), "deny": str(o.deny)}
            for o in record.overwrites
        ],
    }


def _thread(record: Channel, metadata: ThreadMetadata, viewer: int | None) -> Json:
    found: Json = {
        "owner_id": str(metadata.owner_id),
        "thread_metadata": {
            "archived": metadata.archived,
            "archive_timestamp": iso(metadata.changed_at),
            "auto_archive_duration": metadata.archive_minutes,
            "locked": metadata.locked,
            "create_timestamp": iso(metadata.created_at),
        },
        "message_count": metadata.message_count,
        # Discord stops counting at 50.
        "member_count": min(len(metadata.members), 50),
        "total_message_sent": metadata.total_sent,
    }
    if record.kind == PRIVATE_THREAD:
        found["thread_metadata"]["invitable"] = metadata.invitable
    if viewer in metadata.members:
        found["member"] = thread_member(record.id, viewer, metadata.members[viewer])
    return found


def thread_list(records: Records, threads: list[Channel]) -> Json:
    """Write threads, and the bot's membership in them."""
    bot = records.bot.id
    return {
        "threads": [channel(records, thread, bot) for thread in threads],
        "members": [
            thread_member(thread.id, bot, thread.thread.members[bot])
            for thread in threads
            if thread.thread is not None and bot in thread.thread.members
        ],
    }


_GUILD: Mapping[str, Any] = {
    "icon": None,
    "description": None,
    "home_header": None,
    "splash": None,
    "discovery_splash": None,
    "features": [],
    "banner": None,
    "application_id": None,
    "region": "deprecated",
    "afk_channel_id": None,
    "afk_timeout": 300,
    "system_channel_flags": 0,
    "widget_enabled": False,
    "widget_channel_id": None,
    "verification_level": 0,
    "default_message_notifications": 0,
    "mfa_level": 0,
    "explicit_content_filter": 0,
    "max_presences": None,
    "max_members": 500000,
    "max_stage_video_channel_users": 50,
    "max_video_channel_users": 25,
    "vanity_url_code": None,
    "premium_tier": 0,
    "premium_subscription_count": 0,
    "rules_channel_id": None,
    "safety_alerts_channel_id": None,
    "public_updates_channel_id": None,
    "premium_progress_bar_enabled": False,
    "nsfw": False,
    "nsfw_level": 0,
    "emojis": [],
    "stickers": [],
    "incidents_data": None,
}
"""The fields that are the same for every guild."""


def guild(record: Guild) -> Json:
    """Write a guild as REST does."""
    system = next((c.id for c in record.text_channels), None)
    return {
        **_GUILD,
        "system_channel_id": None if system is None else str(system),
        "id": str(record.id),
        "name": record.name,
        "owner_id": str(record.owner_id),
        "roles": [role(r) for r in record.roles.values()],
        "preferred_locale": record.locale,
    }


def guild_create(records: Records, record: Guild, *, all_members: bool) -> Json:
    """Write a guild as the gateway does, with all members or only the bot (without the members intent)."""
    members = [m for m in record.members.values() if all_members or m.user.id == records.bot.id]
    return guild(record) | {
        "joined_at": iso(record.members[records.bot.id].joined_at),
        "large": False,
        "unavailable": False,
        "member_count": len(record.members),
        "members": [member(m) for m in members],
        "channels": [channel(records, c) for c in record.text_channels],
        "threads": [channel(records, c, records.bot.id) for c in records.active_threads(record)],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


_APPLICATION: Mapping[str, Any] = {
    "icon": None,
    "description": "",
    "summary": "",
    "type": None,
    "bot_public": True,
    "bot_require_code_grant": False,
    # Only interactions over HTTP are signed; the sandbox sends them over the gateway.
    "verify_key": "0" * 64,
    "redirect_uris": [],
    "interactions_endpoint_url": None,
    "role_connections_verification_url": None,
    "approximate_user_install_count": 0,
    "approximate_user_authorization_count": 0,
    "explicit_content_filter": 0,
    "team": None,
    "eligible_oauth2_scopes": ["applications.commands", "bot"],
    "integration_types_config": {"0": {}},
}
"""The fields that are the same for every application."""


def application(records: Records) -> Json:
    """Write the application as its own token sees it."""
    record = records.bot
    return {
        **_APPLICATION,
        "id": str(record.id),
        "name": record.name,
        "bot": user(record),
        **application_flags(records),
        "owner": user(records.users[records.guild.owner_id]),
        "approximate_guild_count": len(records.bot_guilds()),
    }


def application_flags(records: Records) -> Json:
    """Write the application's flags: GATEWAY_MESSAGE_CONTENT_LIMITED if that intent is granted."""
    flags = 1 << 19 if records.message_content else 0
    return {"flags": flags, "flags_new": str(flags)}
