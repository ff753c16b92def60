"""What happens is told here, once, to the bot's gateway and to the people's windows that may see it."""

from sandbox import serialize, serialize_message
from sandbox.gateway import Intent
from sandbox.model import DM, Channel, Interaction, Json, Member, Message
from sandbox.state import State

_MESSAGES = (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES)
_TYPING = (Intent.GUILD_MESSAGE_TYPING, Intent.DIRECT_MESSAGE_TYPING)


def _intent(channel: Channel, pair: tuple[Intent, Intent]) -> Intent:
    return pair[1] if channel.guild_id is None else pair[0]


def message_created(state: State, message: Message) -> None:
    """Tell of a new message."""
    _message(state, "MESSAGE_CREATE", message)


def message_updated(state: State, message: Message) -> None:
    """Tell of a changed message."""
    _message(state, "MESSAGE_UPDATE", message)


def _message(state: State, event: str, message: Message) -> None:
    channel = state.records.channels[message.channel_id]
    for person in state.records.audience(message):
        state.sockets.push(person, event, serialize_message.event(state.records, message, person))
    # Ephemeral messages are between the person and the interaction's token: the gateway is silent.
    if message.only_for is None and state.records.sees(state.records.bot.id, channel):
        state.gateway.dispatch(
            event,
            serialize_message.event(state.records, message, state.records.bot.id),
            intents=_intent(channel, _MESSAGES),
            guild_id=channel.guild_id,
        )


def message_deleted(state: State, message: Message) -> None:
    """Tell that a message is gone."""
    channel = state.records.channels[message.channel_id]
    body: Json = {"id": str(message.id), "channel_id": str(message.channel_id)}
    state.sockets.push_all(state.records.audience(message), "MESSAGE_DELETE", body)
    if message.only_for is None and state.records.sees(state.records.bot.id, channel):
        if channel.guild_id is not None:
            body = body | {"guild_id": str(channel.guild_id)}
        state.gateway.dispatch(
            "MESSAGE_DELETE", body, intents=_intent(channel, _MESSAGES), guild_id=channel.guild_id
        )


def channel_changed(state: State, event: str, channel: Channel, *, to_bot: bool = True) -> None:
    """Tell of a channel or thread: CHANNEL_ or THREAD_ and CREATE, UPDATE or DELETE (before it is gone)."""
    for person in state.records.viewers(channel):
        state.sockets.push(person, event, serialize.channel(state.records, channel, person))
    if channel.kind == DM or not state.records.bot_is_member or not to_bot:
        return
    if channel.thread is not None and not state.records.sees(state.records.bot.id, channel):
        return
    body = serialize.channel(state.records, channel, state.records.bot.id)
    if event == "THREAD_CREATE":
        body["newly_created"] = True
    if event == "THREAD_DELETE":
        body = {key: body[key] for key in ("id", "guild_id", "parent_id", "type")}
    state.gateway.dispatch(event, body, intents=Intent.GUILDS, guild_id=channel.guild_id)


def thread_members(state: State, channel: Channel, added: list[int], removed: list[int]) -> None:
    """Tell who joined or left a thread; without the members intent the bot hears only of itself."""
    metadata = channel.thread
    if metadata is None or not state.records.sees(state.records.bot.id, channel):
        return
    body: Json = {
        "id": str(channel.id),
        "guild_id": str(channel.guild_id),
        "member_count": min(len(metadata.members), 50),
        "added_members": [
            serialize.thread_member(channel.id, user, metadata.members[user])
            | {"member": serialize.member(state.records.guild.members[user]), "presence": None}
            for user in added
        ],
        "removed_member_ids": [str(user) for user in removed],
    }
    own = state.records.bot.id in (*added, *removed)
    intents = Intent.GUILDS if own else Intent.GUILD_MEMBERS
    state.gateway.dispatch("THREAD_MEMBERS_UPDATE", body, intents=intents, guild_id=channel.guild_id)


def thread_list_sync(state: State, channels: list[Channel]) -> None:
    """Tell the active threads of channels that the bot just came to see."""
    threads = [
        thread
        for channel in channels
        for thread in state.records.threads(channel.id)
        if thread.thread is not None and not thread.thread.archived
    ]
    bot = state.records.bot.id
    body: Json = {
        "guild_id": str(state.records.guild.id),
        "channel_ids": [str(channel.id) for channel in channels],
        "threads": [serialize.channel(state.records, thread, bot) for thread in threads],
        "members": [
            serialize.thread_member(thread.id, bot, thread.thread.members[bot])
            for thread in threads
            if thread.thread is not None and bot in thread.thread.members
        ],
    }
    state.gateway.dispatch("THREAD_LIST_SYNC", body, intents=Intent.GUILDS, guild_id=state.records.guild.id)


def member_added(state: State, member: Member) -> None:
    """Tell of a new member."""
    state.sockets.push_all([p.id for p in state.records.people()], "MEMBER_ADD", serialize.user(member.user))
    _member(state, "GUILD_MEMBER_ADD", serialize.member(member))


def member_updated(state: State, member: Member) -> None:
    """Tell of a changed member; the bot hears of itself without any intent."""
    own = member.user.id == state.records.bot.id
    _member(
        state, "GUILD_MEMBER_UPDATE", serialize.member(member), Intent.GUILDS if own else Intent.GUILD_MEMBERS
    )


def _member(state: State, event: str, body: Json, intents: Intent = Intent.GUILD_MEMBERS) -> None:
    guild = state.records.guild.id
    if state.records.bot_is_member:
        state.gateway.dispatch(event, body | {"guild_id": str(guild)}, intents=intents, guild_id=guild)


def bot_removed(state: State) -> None:
    """Tell the bot that it is no longer in the guild."""
    guild = state.records.guild.id
    state.gateway.dispatch("GUILD_DELETE", {"id": str(guild)}, intents=Intent.GUILDS, guild_id=guild)


def bot_joined(state: State) -> None:
    """Tell the bot that it is in the guild."""
    guild = state.records.guild.id
    for session in state.gateway.sessions.values():
        if session.serves(guild) and session.intents & Intent.GUILDS:
            everyone = bool(session.intents & Intent.GUILD_MEMBERS)
            body = serialize.guild_create(state.records, all_members=everyone)
            # Only a guild that was unavailable says that it no longer is; a new one says nothing of it.
            del body["unavailable"]
            session.dispatch("GUILD_CREATE", body)


def role_updated(state: State) -> None:
    """Tell of the bot's changed role."""
    guild = state.records.guild.id
    body: Json = {"guild_id": str(guild), "role": serialize.role(state.records.bot_role)}
    state.gateway.dispatch("GUILD_ROLE_UPDATE", body, intents=Intent.GUILDS, guild_id=guild)


def typing(state: State, channel: Channel, user_id: int) -> None:
    """Tell that somebody is typing."""
    others = [person for person in state.records.viewers(channel) if person != user_id]
    body: Json = {"channel_id": str(channel.id), "user_id": str(user_id)}
    state.sockets.push_all(others, "TYPING", body)
    if user_id != state.records.bot.id and state.records.sees(state.records.bot.id, channel):
        full = body | {"timestamp": int(state.clock.now())}
        if channel.guild_id is not None:
            full |= {
                "guild_id": str(channel.guild_id),
                "member": serialize.member(state.records.guild.members[user_id]),
            }
        state.gateway.dispatch(
            "TYPING_START", full, intents=_intent(channel, _TYPING), guild_id=channel.guild_id
        )


def commands_updated(state: State, commands: list[Json]) -> None:
    """Tell the windows which commands there are now."""
    body: Json = {"commands": commands}
    state.sockets.push_all([p.id for p in state.records.people()], "COMMANDS_UPDATE", body)


def interaction_created(state: State, interaction: Interaction, body: Json) -> None:
    """Send an interaction to the bot."""
    channel = state.records.channels[interaction.channel_id]
    state.gateway.dispatch("INTERACTION_CREATE", body, guild_id=channel.guild_id)


def bot_status(state: State, *, online: bool) -> None:
    """Tell the windows that the bot came or went."""
    state.sockets.push_all([p.id for p in state.records.people()], "BOT_STATUS", {"online": online})
