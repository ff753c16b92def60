"""Discord's errors: status, code and text, and the nested errors of an invalid form body."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sandbox.model import Json

Path = tuple[str | int, ...]


@dataclass(slots=True)
class ApiError(Exception):
    """An error response of the API.

    `status` is the HTTP status, `code` Discord's JSON error code, `errors` the nested form errors of 50035,
    `retry_after` the seconds after which a request may be retried after a 429.
    """

    status: int
    code: int
    message: str
    errors: Json | None = None
    headers: dict[str, str] = field(default_factory=dict)
    retry_after: float | None = None

    def body(self) -> Json:
        """Return the JSON body that Discord sends with this error."""
        found: Json = {"message": self.message, "code": self.code}
        if self.errors:
            found["errors"] = self.errors
        if self.retry_after is not None:
            found |= {"retry_after": self.retry_after, "global": False}
        return found


class InputError(Exception):
    """The client or Discord refuses a person's action; the text says why.

    `status` is the HTTP status of the response: 400, 403 or 404.
    """

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


# Discord's documentation, "Opcodes and Status Codes", JSON Error Codes: HTTP status and message of each.
_ENTRY_POINT_STAYS = (
    "You cannot remove this app's Entry Point command in a bulk update operation. "
    "Please include the Entry Point command in your update request or delete it separately."
)
_ERRORS: dict[int, tuple[int, str]] = {
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    20012: (403, "You are not authorized to perform this action on this application"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later."),
    30032: (400, "Maximum number of application commands reached (100)"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50021: (403, "Cannot execute action on a system message"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    50240: (400, _ENTRY_POINT_STAYS),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160004: (400, "A thread has already been created for this message"),
    160005: (400, "Thread is locked"),
}


def api_error(code: int, status: int | None = None) -> ApiError:
    """Build Discord's error `code`; `status` overrides its usual HTTP status."""
    usual, message = _ERRORS[code]
    return ApiError(status or usual, code, message)


@dataclass(slots=True)
class FormErrors:
    """The mistakes in a body, by path: Discord reports all of them at once."""

    found: list[tuple[Path, str, str]] = field(default_factory=list)

    def add(self, path: Path, code: str, message: str) -> None:
        """Add one mistake at `path`."""
        self.found.append((path, code, message))

    def tree(self) -> Json:
        """Return the nested `errors` object."""
        root: Json = {}
        for path, code, message in self.found:
            node = root
            for step in path:
                node = node.setdefault(str(step), {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        return root

    def check(self) -> None:
        """Raise ApiError 50035 if there are mistakes."""
        if self.found:
            raise ApiError(400, 50035, "Invalid Form Body", self.tree())


def invalid_field(path: Sequence[str | int], code: str, message: str) -> ApiError:
    """Build an ApiError 50035 with a single mistake."""
    errors = FormErrors()
    errors.add(tuple(path), code, message)
    return ApiError(400, 50035, "Invalid Form Body", errors.tree())
