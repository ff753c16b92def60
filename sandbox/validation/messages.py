"""Bodies of messages that are sent, edited, or responses to interactions.

Limits: Discord's documentation, "Message Resource" and "Uploading Files".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sandbox.errors import api_error
from sandbox.model import (
    COMPONENTS_V2,
    EPHEMERAL,
    MAX_FILE_BYTES,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    Json,
    Message,
)
from sandbox.serialize_message import media_slots
from sandbox.snowflake import parse as parse_id
from sandbox.validation.components import read_components
from sandbox.validation.forms import Form

MAX_CONTENT_CHARS, MAX_FILES = 2000, 10
# "Embed Limits": key, then the lowest and the highest length.
MAX_EMBEDS, MAX_EMBED_CHARS = 10, 6000
_EMBED_TEXTS = (("title", 0, 256), ("description", 0, 4096), ("url", 0, 2048), ("timestamp", 1, 64))
_EMBED_NAMES = (("author", "name", 256), ("footer", "text", 2048))
MENTION_KINDS = ("users", "roles", "everyone")
# The flags that a new message, a response to an interaction, or an edit may set; others are ignored.
SEND_FLAGS = COMPONENTS_V2 | SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS
RESPONSE_FLAGS = SEND_FLAGS | EPHEMERAL
EDIT_FLAGS = COMPONENTS_V2 | SUPPRESS_EMBEDS


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart body: `files[n]`."""

    filename: str
    content_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewFile:
    """An upload with its description and title in the `attachments` list."""

    upload: Upload
    description: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class AllowedMentions:
    """Who may be pinged; None: everyone mentioned. The defaults are those of a message without this field."""

    everyone: bool = True
    users: frozenset[int] | None = None
    roles: frozenset[int] | None = None
    replied_user: bool = True


USERS_ONLY = AllowedMentions(everyone=False, roles=frozenset(), replied_user=False)
"""The default of responses to interactions: only mentioned users are pinged."""


@dataclass(slots=True)
class Draft:
    """A valid message body; None: the field was not given."""

    content: str | None = None
    embeds: list[Json] | None = None
    components: list[Json] | None = None
    flags: int = 0
    files: list[NewFile] = field(default_factory=list)
    kept: list[tuple[int, str | None]] | None = None
    mentions: AllowedMentions = AllowedMentions()
    tts: bool = False
    nonce: str | int | None = None
    enforce_nonce: bool = False
    reference: tuple[int | None, int, bool] | None = None

    @property
    def is_v2(self) -> bool:
        """Whether the body sets the V2 flag."""
        return bool(self.flags & COMPONENTS_V2)


def read_draft(
    form: Form,
    uploads: Mapping[int, Upload],
    existing: Message | None = None,
    *,
    flags: int = SEND_FLAGS,
    default_mentions: AllowedMentions = AllowedMentions(),
) -> Draft:
    """Read a message's body, and add its mistakes to the form. ApiError 40005: a file is too large.

    `existing` is the message to edit, `flags` are those that may be set, `default_mentions` applies if the
    body has no `allowed_mentions`.
    """
    _check_sizes(form, uploads)
    draft = Draft(flags=form.integer_or("flags", 0, 0, 1 << 53) & flags, tts=form.flag("tts"))
    v2 = draft.is_v2 or (existing is not None and existing.is_v2)
    if "content" in form.data:
        # The OpenAPI description allows 4000, but only for subscribers; the limit for bots is 2000.
        draft.content = form.text("content", 0, MAX_CONTENT_CHARS) or ""
    if "embeds" in form.data:
        draft.embeds = _read_embeds(form)
    names = _read_attachments(form, uploads, existing, draft)
    if "components" in form.data:
        draft.components = read_components(form, "components", v2=v2, files=names)
    _check_media(form, draft, existing, names)
    if v2:
        _check_v2(form, draft, existing)
    for key in ("poll", "sticker_ids"):
        if form.data.get(key):
            form.fail(key, "SANDBOX_UNSUPPORTED", "The sandbox has no polls and no stickers.")
    draft.mentions = _read_mentions(form, default_mentions)
    _read_nonce(form, draft)
    if (child := form.child("message_reference")) is not None:
        target, must = (
            child.snowflake("message_id", required=True),
            child.flag("fail_if_not_exists", default=True),
        )
        draft.reference = None if target is None else (child.snowflake("channel_id"), target, must)
    return draft


def _read_embeds(form: Form) -> list[Json]:
    """Read a message's embeds: at most ten, with 6000 characters in total."""
    made = [_read_embed(child) for child in form.children("embeds", 0, MAX_EMBEDS)]
    # Only visible text counts, not addresses.
    texts = [embed.get(key) for embed in made for key in ("title", "description")]
    texts += [embed.get(key, {}).get(name) for embed in made for key, name, _ in _EMBED_NAMES]
    texts += [each[key] for embed in made for each in embed.get("fields", []) for key in ("name", "value")]
    if sum(len(text) for text in texts if text) > MAX_EMBED_CHARS:
        problem = f"Embed size exceeds maximum size of {MAX_EMBED_CHARS}"
        form.fail("embeds", "MAX_EMBED_SIZE_EXCEEDED", problem)
    return made


def _read_embed(form: Form) -> Json:
    made: Json = {"type": "rich"}
    for key, low, high in _EMBED_TEXTS:
        if value := form.text(key, low, high):
            made[key] = value
    if (color := form.integer("color", 0, 0xFFFFFF)) is not None:
        made["color"] = color
    for key, name, most in _EMBED_NAMES:
        if (child := form.child(key)) is not None:
            made[key] = {name: child.required_text(name, 1, most)}
            made[key] |= {link: url for link in ("url", "icon_url") if (url := child.text(link, 1, 2048))}
    for key in ("image", "thumbnail"):
        if (child := form.child(key)) is not None:
            made[key] = {"url": child.required_text("url", 1, 2048)}
    if fields := _read_fields(form):
        made["fields"] = fields
    if len(made) == 1:
        form.fail(None, "BASE_TYPE_REQUIRED", "An embed needs something to show.")
    return made


def _read_fields(form: Form) -> list[Json]:
    return [
        {
            "name": child.required_text("name", 1, 256),
            "value": child.required_text("value", 1, 1024),
            "inline": child.flag("inline"),
        }
        for child in form.children("fields", 0, 25)
    ]


def _check_sizes(form: Form, uploads: Mapping[int, Upload]) -> None:
    if any(len(upload.data) > MAX_FILE_BYTES for upload in uploads.values()):
        raise api_error(40005)
    for number, upload in uploads.items():
        if not upload.data:
            form.errors.add((*form.path, "attachments", number), "ATTACHMENT_EMPTY", "The file is empty.")


def _check_v2(form: Form, draft: Draft, existing: Message | None) -> None:
    for key in ("content", "embeds"):
        value = getattr(draft, key)
        if value or (value is None and existing is not None and getattr(existing, key)):
            form.fail(
                key,
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def _check_media(form: Form, draft: Draft, existing: Message | None, names: frozenset[str]) -> None:
    # New components were checked on reading. Old ones may refer to a file that this edit removes.
    kept = (
        [] if existing is None or draft.components is not None else existing.components,
        (existing.embeds if existing is not None else []) if draft.embeds is None else draft.embeds,
    )
    for key, tree in zip(("components", "embeds"), kept, strict=True):
        for slot, name in media_slots(tree):
            scheme, _, file = str(slot[name]).partition("://")
            if scheme == "attachment" and file not in names:
                form.fail(
                    key,
                    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                    f"The referenced attachment {file!r} was not found",
                )


def _read_attachments(
    form: Form, uploads: Mapping[int, Upload], existing: Message | None, draft: Draft
) -> frozenset[str]:
    own = {} if existing is None else {f.id: f for f in existing.attachments}
    described: dict[int, tuple[str | None, str | None]] = {}
    if "attachments" in form.data:
        draft.kept = []
        for child in form.children("attachments", 0, MAX_FILES):
            number = child.snowflake("id", required=True)
            description, title = child.text("description", 0, 1024), child.text("title", 0, 1024)
            if number is None:
                continue
            if number in own:
                draft.kept.append((number, description))
            elif number in uploads:
                described[number] = (description, title)
            else:
                child.fail("id", "ATTACHMENT_NOT_FOUND", f"There is no attachment or file {number}.")
    draft.files = [
        NewFile(upload, *described.get(number, (None, None))) for number, upload in sorted(uploads.items())
    ]
    kept = own.keys() if draft.kept is None else [number for number, _ in draft.kept]
    if len(kept) + len(draft.files) > MAX_FILES:
        form.fail("attachments", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_FILES} or fewer in length.")
    return frozenset([own[number].filename for number in kept] + [new.upload.filename for new in draft.files])


def _read_mentions(form: Form, default: AllowedMentions) -> AllowedMentions:
    child = form.child("allowed_mentions")
    if child is None:
        return default
    parse = child.array("parse")
    for number, name in enumerate(parse):
        if name not in MENTION_KINDS:
            kinds = ", ".join(repr(kind) for kind in MENTION_KINDS)
            form.errors.add(
                (*child.path, "parse", number), "BASE_TYPE_CHOICES", f"Value must be one of ({kinds})."
            )
    listed: dict[str, frozenset[int] | None] = {}
    for key in ("users", "roles"):
        ids = frozenset(_read_ids(child, key))
        if key in parse and ids:
            child.fail(
                None,
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.',
            )
        listed[key] = None if key in parse else ids
    return AllowedMentions("everyone" in parse, listed["users"], listed["roles"], child.flag("replied_user"))


def _read_ids(form: Form, key: str) -> Iterator[int]:
    for number, item in enumerate(form.array(key, 0, 100)):
        found = parse_id(item)
        if found is None:
            problem = f'Value "{item}" is not snowflake.'
            form.errors.add((*form.path, key, number), "NUMBER_TYPE_COERCE", problem)
        else:
            yield found


def _read_nonce(form: Form, draft: Draft) -> None:
    nonce = form.data.get("nonce")
    if isinstance(nonce, str) and len(nonce) > 25:
        form.fail("nonce", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    elif nonce is not None and (isinstance(nonce, bool) or not isinstance(nonce, str | int)):
        form.fail("nonce", "NONCE_TYPE_INVALID", "Must be a string or an integer.")
    else:
        draft.nonce = nonce
    draft.enforce_nonce = form.flag("enforce_nonce")
