"""Sends each event to the bot's gateway, and to the windows of the people who may see it."""

from sandbox import notifications, serialize, serialize_message
from sandbox.gateway import Intent
from sandbox.model import DM, Channel, Guild, Json, Member, Message
from sandbox.state import State, Violation

_MESSAGES = (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES)
_TYPING = (Intent.GUILD_MESSAGE_TYPING, Intent.DIRECT_MESSAGE_TYPING)


def _send(state: State, event: str, body: Json, channel: Channel, intents: tuple[Intent, Intent]) -> None:
    # The first intent is for guild channels, the second for DMs.
    intent = intents[channel.guild_id is None]
    state.gateway.dispatch(event, body, intents=intent, guild_id=channel.guild_id)


def _send_to_guild(
    state: State, event: str, body: Json, guild_id: int | None, intents: Intent = Intent.GUILDS
) -> None:
    state.gateway.dispatch(event, body, intents=intents, guild_id=guild_id)


def _push_to_all(state: State, event: str, body: Json) -> None:
    state.sockets.push_all([person.id for person in state.records.people()], event, body)


def message_created(state: State, message: Message) -> None:
    """Announce a new message, and notify the people that it concerns."""
    _message(state, "MESSAGE_CREATE", message)
    notified = notifications.for_message(state.records, message)
    state.journal.message("message", message, state.records.channels[message.channel_id], notified)
    for person, notification in notified.items():
        state.notifications.setdefault(person, []).append(notification)
        state.sockets.push(person, "NOTIFICATION", notification.json())
        if not notification.text and message.author_id == state.records.bot.id:
            problem = f"message {message.id} notifies {state.records.users[person].name} without a word"
            state.violations.append(Violation("wordless", "POST", "/channels/{channel_id}/messages", problem))


def message_updated(state: State, message: Message) -> None:
    """Announce a changed message."""
    _message(state, "MESSAGE_UPDATE", message)
    state.journal.message("edit", message, state.records.channels[message.channel_id])


def _message(state: State, event: str, message: Message) -> None:
    records = state.records
    channel = records.channels[message.channel_id]
    for person in state.sockets.people_with_windows():
        if records.sees_message(person, message):
            state.sockets.push(person, event, serialize_message.event(records, message, person))
    # Ephemeral messages are not sent over the gateway: only the interaction's token reaches them.
    if message.only_for is None and records.sees(records.bot.id, channel):
        body = serialize_message.event(records, message, records.bot.id)
        _send(state, event, body, channel, _MESSAGES)
    for listener in state.listeners:
        listener(message)


def message_deleted(state: State, message: Message) -> None:
    """Announce a deleted message."""
    state.journal.note("deletion", message=message.id)
    channel = state.records.channels[message.channel_id]
    body: Json = {"id": str(message.id), "channel_id": str(message.channel_id)}
    state.sockets.push_all(state.records.audience(message), "MESSAGE_DELETE", body)
    if message.only_for is None and state.records.sees(state.records.bot.id, channel):
        if channel.guild_id is not None:
            body = body | {"guild_id": str(channel.guild_id)}
        _send(state, "MESSAGE_DELETE", body, channel, _MESSAGES)


def channel_changed(state: State, event: str, channel: Channel, *, to_bot: bool = True) -> None:
    """Announce a channel or thread: CHANNEL_ or THREAD_ CREATE, UPDATE or DELETE (before its removal)."""
    records = state.records
    for person in state.sockets.people_with_windows():
        if records.sees(person, channel):
            state.sockets.push(person, event, serialize.channel(records, channel, person))
    if channel.kind == DM or not records.has_bot(records.guild_of(channel)) or not to_bot:
        return
    if channel.thread is not None and not records.sees(records.bot.id, channel):
        return
    body = serialize.channel(records, channel, records.bot.id)
    if event == "THREAD_CREATE":
        body["newly_created"] = True
    if event == "THREAD_DELETE":
        body = {key: body[key] for key in ("id", "guild_id", "parent_id", "type")}
    _send_to_guild(state, event, body, channel.guild_id)


def thread_members(state: State, channel: Channel, added: list[int], removed: list[int]) -> None:
    """Announce who joined or left a thread; without the members intent, the bot hears only of itself."""
    records, metadata = state.records, channel.thread
    if metadata is None or not records.sees(records.bot.id, channel):
        return
    body: Json = {
        "id": str(channel.id),
        "guild_id": str(channel.guild_id),
        # Discord stops counting at 50.
        "member_count": min(len(metadata.members), 50),
        "added_members": [
            serialize.thread_member(channel.id, user, metadata.members[user])
            | {"member": serialize.member(records.members_in(channel)[user]), "presence": None}
            for user in added
        ],
        "removed_member_ids": [str(user) for user in removed],
    }
    own = records.bot.id in (*added, *removed)
    intents = Intent.GUILDS if own else Intent.GUILD_MEMBERS
    _send_to_guild(state, "THREAD_MEMBERS_UPDATE", body, channel.guild_id, intents)


def thread_list_sync(state: State, guild: Guild, channels: list[Channel]) -> None:
    """Send the active threads of channels that have become visible to the bot."""
    threads = [thread for channel in channels for thread in state.records.active_threads(guild, channel.id)]
    body = serialize.thread_list(state.records, threads) | {
        "guild_id": str(guild.id),
        "channel_ids": [str(channel.id) for channel in channels],
    }
    _send_to_guild(state, "THREAD_LIST_SYNC", body, guild.id)


def member_added(state: State, guild: Guild, member: Member) -> None:
    """Announce a new member of a guild, and show them its channels."""
    _push_to_all(state, "MEMBER_ADD", serialize.user(member.user))
    _show_guild(state, guild, member)
    _member(state, "GUILD_MEMBER_ADD", guild, member, Intent.GUILD_MEMBERS)


def _show_guild(state: State, guild: Guild, member: Member) -> None:
    person = member.user.id
    state.sockets.push(person, "GUILD_CREATE", {"id": str(guild.id), "name": guild.name})
    for channel in guild.channels.values():
        if state.records.sees(person, channel):
            event = "CHANNEL_CREATE" if channel.thread is None else "THREAD_CREATE"
            state.sockets.push(person, event, serialize.channel(state.records, channel, person))


def member_updated(state: State, guild: Guild, member: Member) -> None:
    """Announce a changed member of a guild; the bot needs no intent for itself."""
    own = member.user.id == state.records.bot.id
    _member(state, "GUILD_MEMBER_UPDATE", guild, member, Intent.GUILDS if own else Intent.GUILD_MEMBERS)


def _member(state: State, event: str, guild: Guild, member: Member, intents: Intent) -> None:
    if state.records.has_bot(guild):
        body = serialize.member(member) | {"guild_id": str(guild.id)}
        _send_to_guild(state, event, body, guild.id, intents)


def guild_added(state: State, guild: Guild) -> None:
    """Announce a new guild to the bot and to its members."""
    bot_joined(state, guild)
    for member in guild.members.values():
        _show_guild(state, guild, member)


def bot_removed(state: State, guild: Guild) -> None:
    """Tell the bot that it is no longer in a guild."""
    _send_to_guild(state, "GUILD_DELETE", {"id": str(guild.id)}, guild.id)


def bot_joined(state: State, guild: Guild) -> None:
    """Tell the bot that it is in a guild."""
    for session in state.gateway.sessions.values():
        if session.serves(guild.id) and session.intents & Intent.GUILDS:
            everyone = bool(session.intents & Intent.GUILD_MEMBERS)
            body = serialize.guild_create(state.records, guild, all_members=everyone)
            # Only guilds that were unavailable have this field; a new one does not.
            del body["unavailable"]
            session.dispatch("GUILD_CREATE", body)


def role_updated(state: State, guild: Guild) -> None:
    """Announce a change of the bot's role in a guild."""
    body: Json = {"guild_id": str(guild.id), "role": serialize.role(guild.bot_role)}
    _send_to_guild(state, "GUILD_ROLE_UPDATE", body, guild.id)


def typing(state: State, channel: Channel, user_id: int) -> None:
    """Announce that a user is typing."""
    records = state.records
    others = [person for person in records.viewers(channel) if person != user_id]
    body: Json = {"channel_id": str(channel.id), "user_id": str(user_id)}
    state.sockets.push_all(others, "TYPING", body)
    if user_id != records.bot.id and records.sees(records.bot.id, channel):
        full = body | {"timestamp": int(state.clock.now())}
        if channel.guild_id is not None:
            member = serialize.member(records.members_in(channel)[user_id])
            full |= {"guild_id": str(channel.guild_id), "member": member}
        _send(state, "TYPING_START", full, channel, _TYPING)


def commands_updated(state: State, commands: list[Json]) -> None:
    """Send the current commands to all windows."""
    _push_to_all(state, "COMMANDS_UPDATE", {"commands": commands})


def bot_status(state: State, *, online: bool) -> None:
    """Tell all windows whether the bot is online."""
    state.journal.note("bot", online=online)
    _push_to_all(state, "BOT_STATUS", {"online": online})
