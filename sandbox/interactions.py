"""Interactions: a person acts, and the bot has three seconds to respond.

Discord's documentation, "Receiving and Responding to Interactions".
"""

import secrets

from sandbox import serialize, serialize_message
from sandbox.errors import api_error
from sandbox.model import DM, MAX_FILE_BYTES, Channel, Interaction, Json, Message, User
from sandbox.permissions import ALL
from sandbox.state import State

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
RESPONSE_TIMEOUT_S, TOKEN_LIFETIME_S = 3.0, 15 * 60.0
NO_RESPONSE = "The application did not respond"


def start(
    state: State,
    person: User,
    channel: Channel,
    kind: int,
    data: Json,
    *,
    source: Message | None = None,
    name: str | None = None,
    parent: Interaction | None = None,
) -> Interaction:
    """Send a person's action to the bot. The interaction fails if the bot does not respond in time."""
    records = state.records
    interaction = Interaction(
        records.ids.make(),
        secrets.token_urlsafe(48),
        kind,
        person.id,
        channel.id,
        channel.guild_id,
        state.clock.now(),
        data,
        source_id=None if source is None else source.id,
        name=name,
        parent=parent,
    )
    records.interactions[interaction.id] = interaction
    records.tokens[interaction.token] = interaction
    started = {"interaction_id": str(interaction.id), "type": kind}
    state.sockets.push(person.id, "INTERACTION_START", started)
    state.journal.interaction(interaction, person.name)
    # People can click on old messages of a bot that was removed; then nothing is sent.
    if channel.kind == DM or records.has_bot(records.guild_of(channel)):
        body = _serialize(state, interaction, person, channel)
        state.gateway.dispatch("INTERACTION_CREATE", body, guild_id=channel.guild_id)

    def expire() -> None:
        if interaction.answer is None:
            fail(state, interaction, NO_RESPONSE)

    state.clock.call_at(interaction.created_at + RESPONSE_TIMEOUT_S, expire)
    return interaction


def fail(state: State, interaction: Interaction, reason: str) -> None:
    """End an interaction without a response."""
    interaction.dead = True
    interaction.settled.set()
    body = {"interaction_id": str(interaction.id), "reason": reason}
    state.sockets.push(interaction.user_id, "INTERACTION_FAILED", body)
    state.journal.note("failed", id=interaction.id)


def complete(state: State, interaction: Interaction) -> None:
    """Tell the person's windows that the bot has responded."""
    interaction.settled.set()
    if interaction.kind == COMPONENT and interaction.source_id is not None and "values" in interaction.data:
        key = interaction.user_id, interaction.source_id, str(interaction.data["custom_id"])
        state.records.choices[key] = tuple(interaction.data["values"])
    body: Json = {"interaction_id": str(interaction.id), "type": interaction.answer}
    if interaction.original_id is not None:
        body["message_id"] = str(interaction.original_id)
    state.sockets.push(interaction.user_id, "INTERACTION_DONE", body)
    state.journal.answer(interaction, "response", interaction.original_id)


def _serialize(state: State, interaction: Interaction, person: User, channel: Channel) -> Json:
    records = state.records
    body: Json = {
        "id": str(interaction.id),
        "application_id": str(records.bot.id),
        "type": interaction.kind,
        "data": interaction.data,
        "token": interaction.token,
        "version": 1,
        "channel_id": str(channel.id),
        "channel": serialize.channel(records, channel)
        | {"permissions": str(records.permissions(channel, person.id))},
        "app_permissions": str(records.permissions(channel, records.bot.id)),
        "locale": person.locale,
        "entitlements": [],
        "authorizing_integration_owners": serialize_message.owners(interaction),
        "context": 1 if channel.kind == DM else 0,
        "attachment_size_limit": MAX_FILE_BYTES,
    }
    source = records.find(interaction.source_id or 0)
    if source is not None:
        body["message"] = serialize_message.message(records, source, records.bot.id)
    if channel.kind == DM:
        return body | {"user": serialize.user(person)}
    guild = records.guild_of(channel)
    member = serialize.member(guild.members[person.id])
    return body | {
        "member": member | {"permissions": str(records.permissions(channel, person.id) & ALL)},
        "guild_id": str(guild.id),
        "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
        "guild_locale": guild.locale,
    }


def find_unanswered(state: State, interaction_id: int, token: str) -> Interaction:
    """Return the interaction that a callback responds to.

    ApiError 10062: unknown, or more than three seconds old. 40060: already answered.
    """
    interaction = state.records.interactions.get(interaction_id)
    # Discord does not reveal whether the id or only the token is wrong.
    if interaction is None or not secrets.compare_digest(interaction.token, token):
        raise api_error(10062)
    if interaction.answer is not None:
        raise api_error(40060)
    if interaction.dead or state.clock.now() > interaction.created_at + RESPONSE_TIMEOUT_S:
        raise api_error(10062)
    return interaction


def find_by_token(state: State, token: str) -> Interaction:
    """Return the answered interaction of a webhook token.

    ApiError 10015: unknown, or not answered yet. `State.expired_token_code`: older than 15 minutes.
    """
    interaction = state.records.tokens.get(token)
    # The token is valid for 15 minutes from the click, not from the response.
    if interaction is not None and state.clock.now() > interaction.created_at + TOKEN_LIFETIME_S:
        raise api_error(state.expired_token_code)
    if interaction is None or interaction.answer is None:
        raise api_error(10015)
    return interaction
