"""Attachments over HTTP: random addresses, and only for who may see the message."""

import hashlib
import hmac

from aiohttp import web

from sandbox.model import Attachment, Message
from sandbox.snowflake import parse
from sandbox.state import Core


async def serve(core: Core, request: web.Request) -> web.Response:
    """GET /attachments/{token}/{filename}: 404 where there is none, 403 for who may not see it."""
    found = core.world.file(request.match_info["token"])
    if found is None or found[1].filename != request.match_info["filename"]:
        return web.Response(status=404, text="This content is no longer available.")
    message, record = found
    person = parse(request.query.get("person"))
    if person is None:
        if not _is_bot(core, request):
            return web.Response(status=403, text="This link is not signed, or has expired.")
    elif person not in core.world.users or not core.world.sees_message(person, message):
        return web.Response(status=403, text="You may not see this.")
    else:
        _note(core, person, message, record)
    return web.Response(
        body=record.data,
        headers={
            "Content-Type": record.content_type,
            "Cache-Control": "private, max-age=86400",
            "X-Content-Type-Options": "nosniff",
        },
    )


def _note(core: Core, person: int, message: Message, record: Attachment) -> None:
    facts = {
        "message_id": str(message.id),
        "filename": record.filename,
        "size": len(record.data),
        "sha256": hashlib.sha256(record.data).hexdigest(),
    }
    core.audit.note(person, "attachment", record.filename, facts)


def _is_bot(core: Core, request: web.Request) -> bool:
    """Tell whether the bot asks: with its token, or with a link signed for it that has not expired."""
    given = request.headers.get("Authorization", "").encode()
    if hmac.compare_digest(given, f"Bot {core.token}".encode()):
        return True
    signed = hmac.compare_digest(request.query.get("hm", "").encode(), core.world.link_key.encode())
    try:
        expires = int(request.query.get("ex", ""), 16)
    except ValueError:
        return False
    return signed and core.clock.now() < expires
