"""Middleware that refuses foreign requests: any website in the browser, and any local user, reaches loopback.

Browsers say which page sends a request, and a page cannot forge that: only the sandbox's own is accepted.
Programs do not say. They send the key, the page its ticket, and the bot its token: see sandbox.access.
"""

import ipaddress
import logging
from collections import deque
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

from sandbox.access import Access

SECURITY_HEADERS = {
    # No other page may embed our files, or keep a handle on our window.
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
REFUSAL = "Only the sandbox's own page may ask here."
KEY_REQUIRED = "Show the key that the sandbox printed when it started: Authorization: Bearer KEY."
LOCKED_PAGE = Path(__file__).with_name("web") / "locked.html"
ROUTES_WITHOUT_KEY = {"/static", "/api/{tail}", "/gateway", "/gateway/", "/attachments/{token}/{filename}"}
"""Routes that need no key: the page's own files, and routes that check other credentials themselves."""

SERVER_LOG = logging.getLogger("sandbox.http")
"""aiohttp's log of requests, filtered by `redact_malformed`."""


def redact_malformed(record: logging.LogRecord) -> bool:
    """Remove the text of a malformed request from its log record, because it may contain the key."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError):
        record.msg, record.args = "malformed request refused: %s", (type(error).__name__,)
        record.exc_info = None
    return True


SERVER_LOG.addFilter(redact_malformed)


class Guard:
    """The first middleware. Set `url`, the sandbox's own address, once the port is known.

    All refusals are alike, so that a foreign page cannot tell which routes exist.
    """

    def __init__(self) -> None:
        self.url = ""
        self.access = Access()
        self.refused: deque[str] = deque(maxlen=1_000)
        """`METHOD path` of the latest refused requests."""

    async def prepare(self, _request: web.Request, response: web.StreamResponse) -> None:
        """Add SECURITY_HEADERS to a response."""
        response.headers.update(SECURITY_HEADERS)

    @web.middleware
    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Handle a request if it is allowed.

        401: it has no key. 403: it comes from a foreign page. 415: it is a POST without JSON.
        """
        if not self._is_own_origin(request):
            self.refused.append(f"{request.method} {request.path}")
            return web.Response(status=403, text=REFUSAL)
        host = request.headers["Host"]
        if request.path == "/" and f"http://{host}" != self.url:
            # Under another name of this computer, the pictures of the page would count as foreign.
            return web.Response(status=302, headers={"Location": f"{self.url}{request.path_qs}"})
        if (locked := self._demand_key(request)) is not None:
            return locked
        api = request.path.startswith("/api/")
        if request.method == "POST" and not api and request.content_type != "application/json":
            # Any site can submit a form without a preflight request, but not JSON.
            return web.json_response({"error": "Send JSON, as application/json."}, status=415)
        return await handler(request)

    def _is_own_origin(self, request: web.Request) -> bool:
        hosts = request.headers.getall("Host", [])
        # A foreign name can be made to resolve to this computer (DNS rebinding).
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return False
        origins = request.headers.getall("Origin", [])
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            return False
        # Requests for pictures, scripts and links have no Origin.
        match request.headers.get("Sec-Fetch-Site", "none"):
            case "none" | "same-origin":
                return True
            case _:
                return _is_link(request)

    def _demand_key(self, request: web.Request) -> web.StreamResponse | None:
        """Return the response to a request that lacks the key; ``None``: it has the key, or needs none."""
        resource = request.match_info.route.resource
        if resource is not None and resource.canonical in ROUTES_WITHOUT_KEY:
            return None
        if request.path == "/" and not {"key", "ticket"}.isdisjoint(request.query):
            return self._set_cookie(request)
        if self.access.is_authorized(request):
            return None
        if request.path == "/":
            return _locked_page()
        return web.json_response({"error": KEY_REQUIRED}, status=401)

    def _set_cookie(self, request: web.Request) -> web.StreamResponse:
        """Set a browser's cookie, and redirect it to an address without the key."""
        ticket = self.access.exchange(request)
        if ticket is None and not self.access.is_authorized(request):
            return _locked_page()
        rest = request.rel_url.without_query_params("key", "ticket")
        answer = web.Response(status=302, headers={"Location": str(rest), "Cache-Control": "no-store"})
        if ticket is not None:
            answer.set_cookie(self.access.cookie, ticket, httponly=True, samesite="Strict")
        return answer

    def _is_ours(self, host: str) -> bool:
        try:
            given, own = urlsplit(f"//{host}"), urlsplit(self.url)
            return (given.port or 80) == (own.port or 80) and is_loopback(given.hostname or "")
        except ValueError:
            return False


def is_loopback(host: str) -> bool:
    """Return whether a host is this computer. Names other than `localhost` may resolve to anything."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_link(request: web.Request) -> bool:
    # A link to the page opens a window that the linking page cannot read.
    kind = (request.headers.get("Sec-Fetch-Mode"), request.headers.get("Sec-Fetch-Dest"))
    return request.method == "GET" and request.path == "/" and kind == ("navigate", "document")


def _locked_page() -> web.StreamResponse:
    return web.FileResponse(LOCKED_PAGE, status=403, headers={"Cache-Control": "no-store"})
