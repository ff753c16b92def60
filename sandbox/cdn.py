"""Attachments over HTTP: at random addresses, and only for those who may see the message."""

import hashlib
import hmac

from aiohttp import web

from sandbox.access import Access
from sandbox.snowflake import parse
from sandbox.state import State


async def serve(state: State, request: web.Request, access: Access) -> web.Response:
    """GET /attachments/{token}/{filename}: 404: there is none. 403: this viewer may not see it.

    A person's address needs the key too: unlike Discord's, it opens for nobody whom it is passed on to.
    """
    found = state.records.file(request.match_info["token"])
    if found is None or found[1].filename != request.match_info["filename"]:
        return web.Response(status=404, text="This content is no longer available.")
    message, record = found
    person = parse(request.query.get("person"))
    if person is None:
        if not _is_bot(state, request):
            return web.Response(status=403, text="This link is not signed, or has expired.")
    elif not access.admits(request) or not state.records.sees_message(person, message):
        return web.Response(status=403, text="You may not see this.")
    else:
        digest = hashlib.sha256(record.data).hexdigest()
        facts = {"message_id": str(message.id), "filename": record.filename, "size": len(record.data)}
        state.audit.note(person, "attachment", record.filename, facts | {"sha256": digest})
    return web.Response(
        body=record.data,
        headers={
            "Content-Type": record.content_type,
            "Cache-Control": "private, max-age=86400",
            "X-Content-Type-Options": "nosniff",
        },
    )


def _is_bot(state: State, request: web.Request) -> bool:
    # It shows its token, or asks by a link that was signed for it and has not expired.
    given = request.headers.get("Authorization", "").encode()
    if hmac.compare_digest(given, f"Bot {state.token}".encode()):
        return True
    signed = hmac.compare_digest(request.query.get("hm", "").encode(), state.records.link_key.encode())
    try:
        expires = int(request.query.get("ex", ""), 16)
    except ValueError:
        return False
    return signed and state.clock.now() < expires
