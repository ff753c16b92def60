"""Rate limits: a bucket per route and major parameters, and the global limit, with Discord's headers.

Discord's documentation, "Rate Limits", gives only the global limit: the others are what bots commonly see.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from sandbox.errors import ApiError, api_error
from sandbox.model import Json

GLOBAL_LIMIT, GLOBAL_WINDOW_S = 50, 1.0
# Per channel: edits of messages older than an hour.
OLD_MESSAGE_S, MAX_OLD_EDITS, OLD_EDIT_WINDOW_S = 3600.0, 3, 6.0
_DEFAULT = (50, 1.0)
_LIMITS: dict[tuple[str, str], tuple[int, float]] = {
    ("POST", "/channels/{channel_id}/messages"): (5, 5.0),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"): (5, 5.0),
    ("DELETE", "/channels/{channel_id}/messages/{message_id}"): (5, 1.0),
    ("GET", "/channels/{channel_id}/messages"): (5, 5.0),
    ("GET", "/channels/{channel_id}/messages/{message_id}"): (5, 5.0),
    ("POST", "/channels/{channel_id}/messages/{message_id}/threads"): (10, 10.0),
    ("POST", "/channels/{channel_id}/threads"): (10, 10.0),
    ("PATCH", "/channels/{channel_id}"): (10, 15.0),
    ("POST", "/channels/{channel_id}/typing"): (5, 5.0),
    ("POST", "/users/@me/channels"): (10, 10.0),
    ("POST", "/webhooks/{webhook_id}/{webhook_token}"): (5, 2.0),
    ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"): (5, 2.0),
    ("PUT", "/applications/{application_id}/commands"): (5, 20.0),
    ("PUT", "/applications/{application_id}/guilds/{guild_id}/commands"): (5, 20.0),
}
_MAJOR_PARAMETERS = ("channel_id", "guild_id", "webhook_id", "webhook_token")


@dataclass(slots=True)
class _Bucket:
    remaining: int
    resets_at: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a request: headers for the response, and the body of the 429 if it exceeds a limit."""

    headers: dict[str, str]
    refused: Json | None = None


class RateLimits:
    """Counts requests by the sandbox clock."""

    def __init__(
        self, now: Callable[[], float], global_limit: int = GLOBAL_LIMIT, windows: float = 1.0
    ) -> None:
        """`global_limit`: requests per second that the bot may make over all connections.

        `windows`: factor for the length of the routes' windows; 1: as bots commonly see them.
        """
        self._now = now
        self._windows = windows
        self.global_limit = global_limit
        self.enabled = True
        self._buckets: dict[str, _Bucket] = {}
        self._old_edits: dict[int, _Bucket] = {}
        self._global = _Bucket(global_limit, 0.0)

    def count(self, method: str, route: str, params: dict[str, str]) -> Verdict:
        """Count one request of a route (its pattern) with its path parameters."""
        if not self.enabled or route.startswith("/interactions/"):
            # Callbacks of interactions have no limit: their token is valid once.
            return Verdict({})
        limit, seconds = _LIMITS.get((method, route), _DEFAULT)
        # Webhooks do not count towards the global limit.
        if not route.startswith("/webhooks/") and not _take(
            self._global, self.global_limit, GLOBAL_WINDOW_S, self._now()
        ):
            return self._refuse({"X-RateLimit-Global": "true"}, "global", self._global)
        # Clients must treat a bucket's name as opaque, so it must not be the route.
        digest = hashlib.md5(f"{method} {route}".encode(), usedforsecurity=False).hexdigest()
        key = "+".join([digest, *(params[name] for name in _MAJOR_PARAMETERS if name in params)])
        bucket = self._buckets.setdefault(key, _Bucket(limit, 0.0))
        allowed = _take(bucket, limit, seconds * self._windows, self._now())
        headers = {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(bucket.remaining),
            "X-RateLimit-Reset": f"{bucket.resets_at:.3f}",
            "X-RateLimit-Reset-After": f"{max(0.0, bucket.resets_at - self._now()):.3f}",
            "X-RateLimit-Bucket": digest,
        }
        return Verdict(headers) if allowed else self._refuse(headers, "user", bucket)

    def count_old_edit(self, channel_id: int) -> ApiError | None:
        """Count an edit of a message older than an hour; return the 429 if it exceeds the limit."""
        # discord-userdoccers, #551: a separate limit, lower than that of the route.
        bucket = self._old_edits.setdefault(channel_id, _Bucket(MAX_OLD_EDITS, 0.0))
        if not self.enabled or _take(bucket, MAX_OLD_EDITS, OLD_EDIT_WINDOW_S, self._now()):
            return None
        refused = api_error(30046)
        refused.retry_after = round(max(0.001, bucket.resets_at - self._now()), 3)
        refused.headers = {"Retry-After": str(int(refused.retry_after) + 1), "X-RateLimit-Scope": "user"}
        return refused

    def _refuse(self, headers: dict[str, str], scope: str, bucket: _Bucket) -> Verdict:
        wait = round(max(0.001, bucket.resets_at - self._now()), 3)
        body: Json = {
            "message": "You are being rate limited.",
            "retry_after": wait,
            "global": scope == "global",
        }
        # The header is rounded up to seconds; clients should read the exact value in the body.
        return Verdict(headers | {"Retry-After": str(int(wait) + 1), "X-RateLimit-Scope": scope}, body)


def _take(bucket: _Bucket, limit: int, seconds: float, now: float) -> bool:
    if now >= bucket.resets_at:
        bucket.remaining, bucket.resets_at = limit, now + seconds
    if bucket.remaining == 0:
        return False
    bucket.remaining -= 1
    return True
