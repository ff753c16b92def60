"""Files of messages: stored under an unguessable token, and served only to viewers of the message."""

import hashlib
import hmac
import io
import mimetypes
import re
import secrets

from aiohttp import web
from PIL import Image

from sandbox.access import Access
from sandbox.model import Attachment, Message
from sandbox.records import Records
from sandbox.snowflake import parse
from sandbox.state import State
from sandbox.validation.messages import Draft


def apply(records: Records, message: Message, draft: Draft) -> None:
    """Apply a body's files to a message; without an `attachments` list, it keeps all its files."""
    # The list of an edit names the files to keep.
    if draft.kept is not None:
        own = {f.id: f for f in message.attachments}
        message.attachments = [own[number] for number, _ in draft.kept]
        for number, description in draft.kept:
            if description is not None:
                own[number].description = description
    for new in draft.files:
        name, data = new.upload.filename, new.upload.data
        width, height = picture_size(data) or (None, None)
        made = Attachment(
            id=records.ids.make(),
            token=secrets.token_urlsafe(24),
            filename=name,
            content_type=mimetypes.guess_type(name)[0] or "application/octet-stream",
            data=data,
            width=width,
            height=height,
            description=new.description,
            title=new.title,
            ephemeral=message.only_for is not None,
        )
        records.files[made.token] = message.id
        # Build a new list: a refused edit restores the old one.
        message.attachments = [*message.attachments, made]


def safe_name(name: str) -> str:
    """Return a file's name as Discord stores it: letters, digits, dot, dash and underscore."""
    return re.sub(r"[^\w.\-]", "_", name.rsplit("/", 1)[-1]) or "file"


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG, GIF, WebP or JPEG; None: it is none of these."""
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "GIF", "WEBP", "JPEG")) as picture:
            return picture.size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        # Pillow raises these for broken pictures and for other files.
        return None


async def serve(state: State, request: web.Request, access: Access) -> web.Response:
    """GET /attachments/{token}/{filename}. 404: there is none. 403: this viewer may not see it.

    A person's address needs the key too: unlike Discord's, it is of no use to others.
    """
    found = state.records.find_attachment(request.match_info["token"])
    if found is None or found[1].filename != request.match_info["filename"]:
        return web.Response(status=404, text="This content is no longer available.")
    message, record = found
    person = parse(request.query.get("person"))
    if person is None:
        if not _is_bot(state, request):
            return web.Response(status=403, text="This link is not signed, or has expired.")
    elif not access.is_authorized(request) or not state.records.sees_message(person, message):
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
    # The bot sends its token, or uses a link that was signed for it and has not expired.
    given = request.headers.get("Authorization", "").encode()
    if hmac.compare_digest(given, f"Bot {state.token}".encode()):
        return True
    signed = hmac.compare_digest(request.query.get("hm", "").encode(), state.records.link_key.encode())
    try:
        expires = int(request.query.get("ex", ""), 16)
    except ValueError:
        return False
    return signed and state.clock.now() < expires
