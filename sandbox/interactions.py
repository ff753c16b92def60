"""Interactions: a person does something, the bot has three seconds to say anything to it."""

import secrets

from sandbox import events, message_shapes, shapes
from sandbox.errors import invalid, known
from sandbox.model import DM, Channel, Interaction, Json, Message, User
from sandbox.permissions import ALL
from sandbox.state import Core

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
ANSWER_SECONDS, TOKEN_SECONDS = 3.0, 15 * 60.0
NO_ANSWER = "The application did not respond"


def start(
    core: Core,
    person: User,
    channel: Channel,
    kind: int,
    data: Json,
    *,
    source: Message | None = None,
    name: str | None = None,
    parent: Interaction | None = None,
) -> Interaction:
    """Send what a person did to the bot, and see to it that silence is noticed."""
    world = core.world
    act = Interaction(
        world.ids.make(),
        secrets.token_urlsafe(48),
        kind,
        person.id,
        channel.id,
        core.clock.now(),
        data,
        source_id=None if source is None else source.id,
        name=name,
        parent=parent,
    )
    world.interactions[act.id] = act
    world.tokens[act.token] = act
    core.windows.push(person.id, "INTERACTION_START", {"interaction_id": str(act.id), "type": kind})
    if channel.kind == DM or world.bot_is_member:
        events.interaction(core, act, _body(core, act, person, channel))
    core.clock.call_at(act.created_at + ANSWER_SECONDS, lambda: _expire(core, act))
    return act


def _expire(core: Core, act: Interaction) -> None:
    if act.answer is None:
        fail(core, act, NO_ANSWER)


def fail(core: Core, act: Interaction, reason: str) -> None:
    """End an interaction without an answer."""
    act.dead = True
    act.settled.set()
    body = {"interaction_id": str(act.id), "reason": reason}
    core.windows.push(act.user_id, "INTERACTION_FAILED", body)


def done(core: Core, act: Interaction) -> None:
    """Tell the person that their interaction was answered."""
    act.settled.set()
    body: Json = {"interaction_id": str(act.id), "type": act.answer}
    if act.original_id is not None:
        body["message_id"] = str(act.original_id)
    core.windows.push(act.user_id, "INTERACTION_DONE", body)


def _body(core: Core, act: Interaction, person: User, channel: Channel) -> Json:
    world = core.world
    shape = shapes.channel(world, channel)
    shape["permissions"] = str(world.permissions(channel, person.id))
    body: Json = {
        "id": str(act.id),
        "application_id": str(world.bot.id),
        "type": act.kind,
        "data": act.data,
        "token": act.token,
        "version": 1,
        "channel_id": str(channel.id),
        "channel": shape,
        "app_permissions": str(world.permissions(channel, world.bot.id)),
        "locale": person.locale,
        "entitlements": [],
        "authorizing_integration_owners": message_shapes.owners(world, act),
        "context": 1 if channel.kind == DM else 0,
        "attachment_size_limit": shapes.ATTACHMENT_LIMIT,
    }
    source = world.find(act.source_id or 0)
    if source is not None:
        body["message"] = message_shapes.message(world, source, world.bot.id)
    if channel.kind == DM:
        return body | {"user": shapes.user(person)}
    guild = world.guild
    member = shapes.member(guild.members[person.id])
    member["permissions"] = str(world.permissions(channel, person.id) & ALL)
    return body | {
        "member": member,
        "guild_id": str(guild.id),
        "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
        "guild_locale": guild.locale,
    }


def to_answer(core: Core, interaction_id: int, token: str) -> Interaction:
    """Give the interaction that a callback answers.

    ApiError 10062: unknown, or later than three seconds. 40060: it was answered.
    """
    act = core.world.interactions.get(interaction_id)
    if act is None or not secrets.compare_digest(act.token, token):
        raise known(10062)
    if act.answer is not None:
        raise known(40060)
    if act.dead or core.clock.now() > act.created_at + ANSWER_SECONDS:
        raise known(10062)
    return act


def by_token(core: Core, token: str) -> Interaction:
    """Give the answered interaction whose webhook a token is.

    ApiError 10015: unknown or not answered; after 15 minutes that, or what `expired_code` says.
    """
    act = core.world.tokens.get(token)
    if act is not None and core.clock.now() > act.created_at + TOKEN_SECONDS:
        raise known(core.expired_code)
    if act is None or act.answer is None:
        raise known(10015)
    return act


def channel_of(core: Core, act: Interaction) -> Channel:
    """Give the channel that an interaction was made in. ApiError 10003: it is gone."""
    return core.world.channel(act.channel_id)


def check_kind(act: Interaction, allowed: tuple[int, ...], answer: int) -> None:
    """Check that this kind of interaction can be answered in this way. ApiError 50035."""
    if act.kind not in allowed:
        raise invalid(
            ("type",),
            "INTERACTION_RESPONSE_TYPE_INVALID",
            f"Type {answer} does not answer an interaction of type {act.kind}.",
        )
