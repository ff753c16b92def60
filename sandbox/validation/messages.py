"""Bodies of messages: what is sent, edited, followed up or answered with.

Limits: Discord's documentation, "Message Resource" and "Uploading Files".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sandbox.errors import api_error
from sandbox.model import COMPONENTS_V2, EPHEMERAL, SUPPRESS_EMBEDS, SUPPRESS_NOTIFICATIONS, Json, Message
from sandbox.serialize_message import media_slots
from sandbox.validation.components import read_components
from sandbox.validation.embeds import read_embeds
from sandbox.validation.forms import Form

CONTENT, FILES, FILE_BYTES = 2000, 10, 10 * 1024 * 1024
SENT = COMPONENTS_V2 | SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS
ANSWERED = SENT | EPHEMERAL
EDITED = COMPONENTS_V2 | SUPPRESS_EMBEDS


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart body: `files[n]`."""

    filename: str
    content_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewFile:
    """An upload with what the `attachments` list says of it."""

    upload: Upload
    description: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class AllowedMentions:
    """Who may be pinged; None: whoever is mentioned. These are what holds where a message says nothing."""

    everyone: bool = True
    users: frozenset[int] | None = None
    roles: frozenset[int] | None = None
    replied_user: bool = True


USERS_ONLY = AllowedMentions(everyone=False, roles=frozenset(), replied_user=False)
"""What holds where an interaction's answer says nothing: users that it mentions are pinged, nobody else."""


@dataclass(slots=True)
class Draft:
    """A message body as accepted; a field that is None was not given."""

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
    flags: int = SENT,
    unsaid: AllowedMentions = AllowedMentions(),
) -> Draft:
    """Read a message's body. `existing`: the message it edits. `flags`: those that may be set.

    `unsaid`: who may be pinged where the body does not say it.
    Mistakes are noted in the form. ApiError 40005: a file is too large.
    """
    if any(len(upload.data) > FILE_BYTES for upload in uploads.values()):
        raise api_error(40005)
    draft = Draft(flags=(form.integer("flags", 0) or 0) & flags, tts=bool(form.boolean("tts")))
    v2 = draft.is_v2 or (existing is not None and existing.is_v2)
    if "content" in form.data:
        draft.content = form.text("content", 0, CONTENT) or ""
    if "embeds" in form.data:
        draft.embeds = read_embeds(form)
    names = _read_attachments(form, uploads, existing, draft)
    if "components" in form.data:
        draft.components = read_components(form, "components", v2=v2, files=names)
    _check_references(form, draft, existing, names)
    if v2:
        _check_v2(form, draft, existing)
    for key in ("poll", "sticker_ids"):
        if form.data.get(key):
            form.fail(key, "SANDBOX_UNSUPPORTED", "The sandbox has no polls and no stickers.")
    draft.mentions = _read_mentions(form, unsaid)
    _read_nonce(form, draft)
    _read_reference(form, draft)
    return draft


def _check_v2(form: Form, draft: Draft, existing: Message | None) -> None:
    content = draft.content if draft.content is not None else (existing.content if existing else "")
    embeds = draft.embeds if draft.embeds is not None else (existing.embeds if existing else [])
    for key, value in (("content", content), ("embeds", embeds)):
        if value:
            form.fail(
                key,
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def _check_references(form: Form, draft: Draft, existing: Message | None, names: frozenset[str]) -> None:
    """attachment:// in embeds, and in components that stay while their file goes."""
    trees: list[tuple[str, list[Json]]] = [("embeds", draft.embeds or [])]
    if draft.components is None and existing is not None:
        trees.append(("components", existing.components))
    if draft.embeds is None and existing is not None:
        trees.append(("embeds", existing.embeds))
    for key, tree in trees:
        for slot, name in media_slots(tree):
            url = str(slot[name])
            if url.startswith("attachment://") and url.removeprefix("attachment://") not in names:
                form.fail(
                    key,
                    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                    f"The referenced attachment {url.removeprefix('attachment://')!r} was not found",
                )


def _read_attachments(
    form: Form, uploads: Mapping[int, Upload], existing: Message | None, draft: Draft
) -> frozenset[str]:
    """Read the `attachments` list; give the names of the files that the message will have."""
    own = {} if existing is None else {f.id: f for f in existing.attachments}
    described: dict[int, tuple[str | None, str | None]] = {}
    if "attachments" in form.data:
        draft.kept = []
        for child in form.children("attachments", 0, FILES):
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
    if len(kept) + len(draft.files) > FILES:
        form.fail("attachments", "BASE_TYPE_MAX_LENGTH", f"Must be {FILES} or fewer in length.")
    names = [own[number].filename for number in kept] + [new.upload.filename for new in draft.files]
    return frozenset(names)


def _read_mentions(form: Form, unsaid: AllowedMentions) -> AllowedMentions:
    child = form.child("allowed_mentions")
    if child is None:
        return unsaid
    parse = [str(item) for item in child.array("parse")]
    users = _ids(child, "users")
    roles = _ids(child, "roles")
    for key, listed in (("users", users), ("roles", roles)):
        if key in parse and listed:
            child.fail(
                None,
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.',
            )
    return AllowedMentions(
        everyone="everyone" in parse,
        users=None if "users" in parse else users,
        roles=None if "roles" in parse else roles,
        replied_user=bool(child.boolean("replied_user")),
    )


def _ids(form: Form, key: str) -> frozenset[int]:
    return frozenset(int(item) for item in form.array(key, 0, 100) if str(item).isdigit())


def _read_nonce(form: Form, draft: Draft) -> None:
    nonce = form.data.get("nonce")
    if isinstance(nonce, str) and len(nonce) > 25:
        form.fail("nonce", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    elif nonce is not None and (isinstance(nonce, bool) or not isinstance(nonce, str | int)):
        form.fail("nonce", "NONCE_TYPE_INVALID", "Must be a string or an integer.")
    else:
        draft.nonce = nonce
    draft.enforce_nonce = bool(form.boolean("enforce_nonce"))


def _read_reference(form: Form, draft: Draft) -> None:
    child = form.child("message_reference")
    if child is None:
        return
    target = child.snowflake("message_id", required=True)
    must = child.boolean("fail_if_not_exists")
    if target is not None:
        draft.reference = (child.snowflake("channel_id"), target, must is not False)
