"""What happens is told here, once, to the bot's gateway and to the people's windows that may see it."""

from sandbox import message_shapes, shapes
from sandbox.gateway import Intent
from sandbox.model import DM, Channel, Interaction, Json, Member, Message
from sandbox.state import Core

_MESSAGES = (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES)
_TYPING = (Intent.GUILD_MESSAGE_TYPING, Intent.DIRECT_MESSAGE_TYPING)


def _intent(channel: Channel, pair: tuple[Intent, Intent]) -> Intent:
    return pair[1] if channel.guild_id is None else pair[0]


def message_created(core: Core, message: Message) -> None:
    """Tell of a new message."""
    _message(core, "MESSAGE_CREATE", message)


def message_updated(core: Core, message: Message) -> None:
    """Tell of a changed message."""
    _message(core, "MESSAGE_UPDATE", message)


def _message(core: Core, event: str, message: Message) -> None:
    channel = core.world.channels[message.channel_id]
    for person in core.world.audience(message):
        core.windows.push(person, event, message_shapes.event(core.world, message, person))
    # Ephemeral messages are between the person and the interaction's token: the gateway is silent.
    if message.only_for is None and core.world.sees(core.world.bot.id, channel):
        core.gateway.dispatch(
            event,
            message_shapes.event(core.world, message, core.world.bot.id),
            intents=_intent(channel, _MESSAGES),
            guild_id=channel.guild_id,
        )


def message_deleted(core: Core, message: Message) -> None:
    """Tell that a message is gone."""
    channel = core.world.channels[message.channel_id]
    body: Json = {"id": str(message.id), "channel_id": str(message.channel_id)}
    core.windows.push_all(core.world.audience(message), "MESSAGE_DELETE", body)
    if message.only_for is None and core.world.sees(core.world.bot.id, channel):
        if channel.guild_id is not None:
            body = body | {"guild_id": str(channel.guild_id)}
        core.gateway.dispatch(
            "MESSAGE_DELETE", body, intents=_intent(channel, _MESSAGES), guild_id=channel.guild_id
        )


def channel_changed(core: Core, event: str, channel: Channel, *, to_bot: bool = True) -> None:
    """Tell of a channel or thread: CHANNEL_ or THREAD_ and CREATE, UPDATE or DELETE (before it is gone)."""
    for person in core.world.viewers(channel):
        core.windows.push(person, event, shapes.channel(core.world, channel, person))
    if channel.kind == DM or not core.world.bot_is_member or not to_bot:
        return
    if channel.thread is not None and not core.world.sees(core.world.bot.id, channel):
        return
    body = shapes.channel(core.world, channel, core.world.bot.id)
    if event == "THREAD_CREATE":
        body["newly_created"] = True
    if event == "THREAD_DELETE":
        body = {key: body[key] for key in ("id", "guild_id", "parent_id", "type")}
    core.gateway.dispatch(event, body, intents=Intent.GUILDS, guild_id=channel.guild_id)


def thread_members(core: Core, channel: Channel, added: list[int], removed: list[int]) -> None:
    """Tell who joined or left a thread; without the members intent the bot hears only of itself."""
    state = channel.thread
    if state is None or not core.world.sees(core.world.bot.id, channel):
        return
    body: Json = {
        "id": str(channel.id),
        "guild_id": str(channel.guild_id),
        "member_count": min(len(state.members), 50),
        "added_members": [
            shapes.thread_member(channel.id, user, state.members[user])
            | {"member": shapes.member(core.world.guild.members[user]), "presence": None}
            for user in added
        ],
        "removed_member_ids": [str(user) for user in removed],
    }
    own = core.world.bot.id in (*added, *removed)
    intents = Intent.GUILDS if own else Intent.GUILD_MEMBERS
    core.gateway.dispatch("THREAD_MEMBERS_UPDATE", body, intents=intents, guild_id=channel.guild_id)


def thread_list_sync(core: Core, channels: list[Channel]) -> None:
    """Tell the active threads of channels that the bot just came to see."""
    threads = [
        thread
        for channel in channels
        for thread in core.world.threads(channel.id)
        if thread.thread is not None and not thread.thread.archived
    ]
    bot = core.world.bot.id
    body: Json = {
        "guild_id": str(core.world.guild.id),
        "channel_ids": [str(channel.id) for channel in channels],
        "threads": [shapes.channel(core.world, thread, bot) for thread in threads],
        "members": [
            shapes.thread_member(thread.id, bot, thread.thread.members[bot])
            for thread in threads
            if thread.thread is not None and bot in thread.thread.members
        ],
    }
    core.gateway.dispatch("THREAD_LIST_SYNC", body, intents=Intent.GUILDS, guild_id=core.world.guild.id)


def member_added(core: Core, member: Member) -> None:
    """Tell of a new member."""
    core.windows.push_all([p.id for p in core.world.people()], "MEMBER_ADD", shapes.user(member.user))
    _member(core, "GUILD_MEMBER_ADD", shapes.member(member))


def member_updated(core: Core, member: Member) -> None:
    """Tell of a changed member; the bot hears of itself without any intent."""
    own = member.user.id == core.world.bot.id
    _member(
        core, "GUILD_MEMBER_UPDATE", shapes.member(member), Intent.GUILDS if own else Intent.GUILD_MEMBERS
    )


def _member(core: Core, event: str, body: Json, intents: Intent = Intent.GUILD_MEMBERS) -> None:
    guild = core.world.guild.id
    if core.world.bot_is_member:
        core.gateway.dispatch(event, body | {"guild_id": str(guild)}, intents=intents, guild_id=guild)


def bot_removed(core: Core) -> None:
    """Tell the bot that it is no longer in the guild."""
    guild = core.world.guild.id
    core.gateway.dispatch("GUILD_DELETE", {"id": str(guild)}, intents=Intent.GUILDS, guild_id=guild)


def bot_joined(core: Core) -> None:
    """Tell the bot that it is in the guild."""
    guild = core.world.guild.id
    for session in core.gateway.sessions.values():
        if session.serves(guild) and session.intents & Intent.GUILDS:
            everyone = bool(session.intents & Intent.GUILD_MEMBERS)
            body = shapes.guild_create(core.world, all_members=everyone)
            # Only a guild that was unavailable says that it no longer is; a new one says nothing of it.
            del body["unavailable"]
            session.dispatch("GUILD_CREATE", body)


def role_updated(core: Core) -> None:
    """Tell of the bot's changed role."""
    guild = core.world.guild.id
    body: Json = {"guild_id": str(guild), "role": shapes.role(core.world.bot_role)}
    core.gateway.dispatch("GUILD_ROLE_UPDATE", body, intents=Intent.GUILDS, guild_id=guild)


def typing(core: Core, channel: Channel, user_id: int) -> None:
    """Tell that somebody is typing."""
    others = [person for person in core.world.viewers(channel) if person != user_id]
    body: Json = {"channel_id": str(channel.id), "user_id": str(user_id)}
    core.windows.push_all(others, "TYPING", body)
    if user_id != core.world.bot.id and core.world.sees(core.world.bot.id, channel):
        full = body | {"timestamp": int(core.clock.now())}
        if channel.guild_id is not None:
            full |= {
                "guild_id": str(channel.guild_id),
                "member": shapes.member(core.world.guild.members[user_id]),
            }
        core.gateway.dispatch(
            "TYPING_START", full, intents=_intent(channel, _TYPING), guild_id=channel.guild_id
        )


def commands_updated(core: Core, commands: list[Json]) -> None:
    """Tell the windows which commands there are now."""
    body: Json = {"commands": commands}
    core.windows.push_all([p.id for p in core.world.people()], "COMMANDS_UPDATE", body)


def interaction(core: Core, act: Interaction, body: Json) -> None:
    """Send an interaction to the bot."""
    channel = core.world.channels[act.channel_id]
    core.gateway.dispatch("INTERACTION_CREATE", body, guild_id=channel.guild_id)


def bot_status(core: Core, *, online: bool) -> None:
    """Tell the windows that the bot came or went."""
    core.windows.push_all([p.id for p in core.world.people()], "BOT_STATUS", {"online": online})
