"""Files of messages: kept with an unguessable token; sizes of pictures are read from their headers."""

import mimetypes
import re
import secrets
import struct

from sandbox.model import Attachment, Message
from sandbox.records import Records
from sandbox.validation.messages import Draft, NewFile


def build(records: Records, new: NewFile, *, ephemeral: bool) -> Attachment:
    """Make an attachment of an upload."""
    name = new.upload.filename
    guessed, _ = mimetypes.guess_type(name)
    size = picture_size(new.upload.data)
    return Attachment(
        id=records.ids.make(),
        token=secrets.token_urlsafe(24),
        filename=name,
        content_type=guessed or "application/octet-stream",
        data=new.upload.data,
        width=None if size is None else size[0],
        height=None if size is None else size[1],
        description=new.description,
        title=new.title,
        ephemeral=ephemeral,
    )


def apply(records: Records, message: Message, draft: Draft) -> None:
    """Return a message the files that a body leaves and brings; without an `attachments` list all stay."""
    if draft.kept is not None:
        own = {f.id: f for f in message.attachments}
        message.attachments = [own[number] for number, _ in draft.kept]
        for number, description in draft.kept:
            if description is not None:
                own[number].description = description
    ephemeral = message.only_for is not None
    made = [build(records, new, ephemeral=ephemeral) for new in draft.files]
    records.files |= {record.token: message.id for record in made}
    message.attachments = message.attachments + made


def safe_name(name: str) -> str:
    """Keep letters, digits, dot, dash and underscore of a file's name: Discord replaces the others."""
    return re.sub(r"[^\w.\-]", "_", name.rsplit("/", 1)[-1]) or "file"


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Read width and height of a PNG, GIF, WebP or JPEG; None: it is none of them."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp_size(data)
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None
