"""Callbacks of interactions, and their webhooks. The token in the path is the only authorization."""

from typing import Any

from sandbox import interactions, responses, serialize_message
from sandbox.errors import api_error
from sandbox.model import Interaction, Message
from sandbox.rest.call import Call, Route


async def callback(call: Call) -> Any:
    """POST /interactions/{interaction_id}/{interaction_token}/callback."""
    number, token = call.id("interaction_id"), call.params["interaction_token"]
    interaction = interactions.find_unanswered(call.state, number, token)
    responses.respond(call.state, interaction, call.body, call.uploads)
    if call.query.get("with_response") in ("1", "true", "True"):
        return responses.callback_result(call.state, interaction)
    return None


def _interaction(call: Call) -> Interaction:
    if call.id("webhook_id") != call.state.records.bot.id:
        raise api_error(10015)
    return interactions.find_by_token(call.state, call.params["webhook_token"])


def _write(call: Call, message: Message) -> Any:
    return serialize_message.message(call.state.records, message, call.state.records.bot.id)


async def follow_up(call: Call) -> Any:
    """POST /webhooks/{webhook_id}/{webhook_token}: always returns the message."""
    return _write(call, responses.follow_up(call.state, _interaction(call), call.body, call.uploads))


async def get(call: Call) -> Any:
    """GET …/messages/{message_id}; @original is the first response."""
    return _write(call, responses.find(call.state, _interaction(call), call.params["message_id"]))


async def edit(call: Call) -> Any:
    """PATCH …/messages/{message_id}."""
    interaction, name = _interaction(call), call.params["message_id"]
    return _write(call, responses.edit(call.state, interaction, name, call.body, call.uploads))


async def delete(call: Call) -> Any:
    """DELETE …/messages/{message_id}."""
    responses.delete(call.state, _interaction(call), call.params["message_id"])
    return None


_W = "/webhooks/{webhook_id}/{webhook_token}"
ROUTES = [
    Route("POST", "/interactions/{interaction_id}/{interaction_token}/callback", callback, open=True),
    Route("POST", _W, follow_up, open=True),
    Route("GET", _W + "/messages/{message_id}", get, open=True),
    Route("PATCH", _W + "/messages/{message_id}", edit, open=True),
    Route("DELETE", _W + "/messages/{message_id}", delete, open=True),
]
