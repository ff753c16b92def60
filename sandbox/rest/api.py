"""The handling that all requests share: faults, token, rate limits, OpenAPI check, and Discord's errors."""

import hmac
import json
import logging
import re
from collections.abc import Coroutine, Mapping
from email.utils import formatdate
from typing import Any

from aiohttp import web

from sandbox.errors import ApiError
from sandbox.faults import Fault, HeldRequest
from sandbox.model import Json
from sandbox.rest import channels, commands, guilds, interactions, messages, users
from sandbox.rest.call import Call, Reply, Route, read
from sandbox.state import Request, State, Violation

_log = logging.getLogger(__name__)
_PREFIX = re.compile(r"^/api(?:/v(?:9|10))?(?=/)")
_TOKENS = ("interaction_token", "webhook_token")
MIN_ERROR_STATUS = 429
"""Requests with this status or a higher one are in the journal: rate limited, or a server error."""

ROUTES = [
    *users.ROUTES, *guilds.ROUTES, *channels.ROUTES, *messages.ROUTES, *commands.ROUTES, *interactions.ROUTES,
]  # fmt: skip


class Api:
    """Serves /api/v10."""

    def __init__(self, state: State) -> None:
        self.state = state
        # Fixed paths first: /users/@me must not match /users/{user_id}.
        fixed_first = sorted(ROUTES, key=lambda route: route.path.count("{"))
        gap = re.compile(r"\\{(\w+)\\}")
        self._table = [
            (re.compile(gap.sub(r"(?P<\1>[^/]+)", re.escape(route.path))), route) for route in fixed_first
        ]

    async def handle(self, request: web.Request) -> web.Response:
        """Serve one request, or fail if a fault matches it."""
        path = _PREFIX.sub("", request.path)
        fault = self.state.faults.take(request.method, path)
        begun = self.state.clock.now()
        answer = self._serve(request, path) if fault is None else self._serve_with_fault(fault, request, path)
        response = await answer
        if fault is not None or response.status >= MIN_ERROR_STATUS:
            # Without the path, which may contain a token.
            what = {"method": request.method, "status": response.status, "begun": begun}
            self.state.journal.note("trouble", **what)
        response.headers["Date"] = formatdate(self.state.clock.now(), usegmt=True)
        return response

    async def _serve_with_fault(self, fault: Fault, request: web.Request, path: str) -> web.Response:
        await self.state.clock.sleep(fault.slow)
        fails = fault.drop or fault.after or fault.status is not None or fault.answer is not None
        if fails and not fault.after:
            return _failure(fault, request)
        response = await self._serve(request, path, hold=fault.hold)
        await self.state.clock.sleep(fault.late)
        return _failure(fault, request) if fails else response

    async def _serve(self, request: web.Request, path: str, *, hold: bool = False) -> web.Response:
        route, params = self._match(request.method, path)
        if route is None:
            _log.warning("unknown route: %s %s", request.method, path)
            return self._refuse(request, path, ApiError(404, 0, "404: Not Found"))
        shown = route.path.format(**{k: "…" if k in _TOKENS else v for k, v in params.items()})
        given = request.headers.get("Authorization", "").encode()
        if not route.open and not hmac.compare_digest(given, f"Bot {self.state.token}".encode()):
            return self._refuse(request, shown, ApiError(401, 0, "401: Unauthorized"))
        verdict = self.state.limits.count(request.method, route.path, params)
        if verdict.refused is not None:
            self._log_request(request, shown, 429)
            return _json(429, verdict.refused, verdict.headers)
        try:
            call = await read(self.state, request, params)
            # Only a request that was received completely can outlive its client.
            run = self._run(route, call)
            reply = await (self._hold(request.method, shown, run) if hold else run)
        except ConnectionResetError:
            # The client disconnected before it sent the whole request: there is nothing to execute or answer.
            return web.Response(status=400)
        except ApiError as error:
            if error.code == 50035:
                self._add_violation("refused", route, json.dumps(error.errors))
            return self._refuse(request, shown, error, verdict.headers)
        self._log_request(request, shown, reply.status)
        if reply.status == 204:
            return web.Response(status=204, headers=verdict.headers | {"Via": "1.1 google"})
        return _json(reply.status, reply.body, verdict.headers)

    async def _hold(self, method: str, path: str, run: Coroutine[Any, Any, Reply]) -> Reply:
        held = HeldRequest(method, path)
        self.state.faults.held.append(held)
        try:
            await held.released.wait()
            return await run
        finally:
            run.close()
            self.state.faults.held.remove(held)
            held.finished.set()

    def _refuse(
        self, request: web.Request, path: str, error: ApiError, headers: Mapping[str, str] | None = None
    ) -> web.Response:
        self._log_request(request, path, error.status, error.code)
        return _json(error.status, error.body(), {**(headers or {}), **error.headers})

    async def _run(self, route: Route, call: Call) -> Reply:
        openapi, path = self.state.openapi, route.path
        if call.params.get("message_id") == "@original":
            # The description has separate paths for the first response.
            path = path.replace("{message_id}", "@original")
        if openapi is not None and (wrong := openapi.request(route.method, path, call.body)):
            self._add_violation("request", route, wrong)
        try:
            result = await route.handler(call)
        except ApiError:
            raise
        except Exception as error:
            _log.exception("handler failed: %s %s", route.method, route.path)
            self._add_violation("broken", route, repr(error))
            raise ApiError(500, 0, "500: Internal Server Error") from error
        reply = result if isinstance(result, Reply) else Reply(204 if result is None else 200, result)
        if openapi is not None and reply.status != 204:
            wrong = openapi.reply(route.method, path, reply.status, reply.body)
            if wrong:
                self._add_violation("reply", route, wrong)
        return reply

    def _add_violation(self, kind: str, route: Route, text: str) -> None:
        self.state.violations.append(Violation(kind, route.method, route.path, text))

    def _log_request(self, request: web.Request, path: str, status: int, code: int | None = None) -> None:
        now = self.state.clock.now()
        self.state.requests.append(Request(now, request.method, path, status, code))

    def _match(self, method: str, path: str) -> tuple[Route | None, dict[str, str]]:
        for pattern, route in self._table:
            if route.method == method and (found := pattern.fullmatch(path)):
                return route, found.groupdict()
        return None, {}


def _failure(fault: Fault, request: web.Request) -> web.Response:
    if fault.drop:
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=502)
    if fault.answer is not None:
        return _response(200, fault.answer, {})
    status = fault.status or 500
    if status != 429:
        return web.Response(status=status, text=f"{status}: told to fail", headers={"Via": "1.1 google"})
    if fault.retry_after is None:
        # From a proxy before the API: no JSON and no Via.
        again = {} if fault.ban is None else {"Retry-After": str(fault.ban)}
        return web.Response(status=429, text="error code: 1015", content_type="text/html", headers=again)
    body: Json = {"message": "You are being rate limited.", "global": fault.for_all}
    headers = {"X-RateLimit-Scope": "shared"}
    if fault.for_all:
        headers = {"X-RateLimit-Scope": "global", "X-RateLimit-Global": "true"}
    headers["Retry-After"] = str(int(fault.retry_after) + 1)
    return _json(429, body | {"retry_after": fault.retry_after}, headers)


def _json(status: int, body: Any, headers: dict[str, str]) -> web.Response:
    return _response(status, json.dumps(body), headers)


def _response(status: int, text: str, headers: dict[str, str]) -> web.Response:
    # Exactly this content type: discord.py compares the whole header.
    return web.Response(
        status=status,
        body=text.encode(),
        headers=headers | {"Content-Type": "application/json", "Via": "1.1 google"},
    )
