"""The door: any website in the same browser, and any user of this computer, can reach loopback.

Only the sandbox's own page may ask: a browser says where a request comes from, and a page cannot change that.
Programs say nothing of it. They show the key, as the page shows its ticket, and the bot its token: see
sandbox.access.
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
    # Nobody else's page shows a file of ours, or holds on to a window of ours.
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
"""Routes that need no key: the page's own files, and what asks for more than the key by itself."""

SERVER_LOG = logging.getLogger("sandbox.http")
"""What aiohttp says of requests: see `redact_malformed`."""


def redact_malformed(record: logging.LogRecord) -> bool:
    """Take what a malformed request said out of its log line: the key may stand in it."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError):
        record.msg, record.args = "Refused a malformed request (%s)", (type(error).__name__,)
        record.exc_info = None
    return True


SERVER_LOG.addFilter(redact_malformed)


class Guard:
    """Middleware before everything else. It needs `url`, the sandbox's own address, once the port is known.

    What it refuses is answered alike whatever was asked for: a foreign page cannot tell what there is.
    """

    def __init__(self) -> None:
        self.url = ""
        self.access = Access()
        self.refused: deque[str] = deque(maxlen=1_000)
        """`METHOD path` of the last requests that were refused."""

    async def prepare(self, _request: web.Request, response: web.StreamResponse) -> None:
        """Add SECURITY_HEADERS to every answer."""
        response.headers.update(SECURITY_HEADERS)

    @web.middleware
    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Pass what may come in.

        401: it shows no key. 403: it is a foreign page's. 415: it does something, and is not JSON.
        """
        if not self._is_own_origin(request):
            self.refused.append(f"{request.method} {request.path}")
            return web.Response(status=403, text=REFUSAL)
        host = request.headers["Host"]
        if request.path == "/" and f"http://{host}" != self.url:
            # Under another name of this computer the page would be a foreigner to its own pictures.
            return web.Response(status=302, headers={"Location": f"{self.url}{request.path_qs}"})
        if (locked := self._demand_key(request)) is not None:
            return locked
        api = request.path.startswith("/api/")
        if request.method == "POST" and not api and request.content_type != "application/json":
            # A form can be sent from anywhere without asking; JSON cannot.
            return web.json_response({"error": "Send JSON, as application/json."}, status=415)
        return await handler(request)

    def _is_own_origin(self, request: web.Request) -> bool:
        hosts = request.headers.getall("Host", [])
        # A name that somebody else's name server points here is not ours.
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return False
        origins = request.headers.getall("Origin", [])
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            return False
        # Pictures, scripts and links of a page come without an origin.
        match request.headers.get("Sec-Fetch-Site", "none"):
            case "none" | "same-origin":
                return True
            case _:
                return _is_link(request)

    def _demand_key(self, request: web.Request) -> web.StreamResponse | None:
        """Return what is answered without a key; ``None``: it is shown, or none is needed."""
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
        """Give a browser its cookie, and lead it to an address that may stand in its history."""
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
    """Return whether a host is this computer: any name but `localhost` may resolve to any address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_link(request: web.Request) -> bool:
    # A link to the page opens a window of its own, which the linking page cannot look into.
    kind = (request.headers.get("Sec-Fetch-Mode"), request.headers.get("Sec-Fetch-Dest"))
    return request.method == "GET" and request.path == "/" and kind == ("navigate", "document")


def _locked_page() -> web.StreamResponse:
    return web.FileResponse(LOCKED_PAGE, status=403, headers={"Cache-Control": "no-store"})
