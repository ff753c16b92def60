"""Files of messages: each has an unguessable token, and a picture its size."""

import io
import mimetypes
import re
import secrets

from PIL import Image

from sandbox.model import Attachment, Message
from sandbox.records import Records
from sandbox.validation.messages import Draft


def apply(records: Records, message: Message, draft: Draft) -> None:
    """Apply a body's files to a message; without an `attachments` list all the old ones stay."""
    # An edit's list names the files that stay; those it leaves out are gone.
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
        # A new list: an edit that is refused puts the old one back.
        message.attachments = [*message.attachments, made]


def safe_name(name: str) -> str:
    """Return a file's name as Discord keeps it: letters, digits, dot, dash and underscore."""
    return re.sub(r"[^\w.\-]", "_", name.rsplit("/", 1)[-1]) or "file"


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG, GIF, WebP or JPEG; None: it is none of them."""
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "GIF", "WEBP", "JPEG")) as picture:
            return picture.size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        # What Pillow raises for files that are no picture, or a broken one.
        return None
