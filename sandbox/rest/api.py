"""What goes around every request: faults, token, rate limits, the openapi, errors as Discord writes them."""

import asyncio
import hmac
import json
import logging
import re
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

from aiohttp import web

from sandbox.errors import ApiError, no_route, unauthorized
from sandbox.faults import Fault
from sandbox.rest import channels, commands, guilds, interactions, messages, users
from sandbox.rest.call import Reply, Route, read
from sandbox.state import Request, State, Violation

_log = logging.getLogger(__name__)
_PREFIX = re.compile(r"^/api(?:/v(?:9|10))?(?=/)")
_TOKENS = ("interaction_token", "webhook_token")
TABLE = [
    *users.ROUTES, *guilds.ROUTES, *channels.ROUTES, *messages.ROUTES, *commands.ROUTES, *interactions.ROUTES,
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Match:
    route: Route
    params: dict[str, str]

    @property
    def path(self) -> str:
        """The path without its tokens, to be logged."""
        shown = {k: "…" if k in _TOKENS else v for k, v in self.params.items()}
        return self.route.path.format(**shown)


class Api:
    """Serves /api/v10."""

    def __init__(self, state: State) -> None:
        self.state = state
        fixed_first = sorted(TABLE, key=lambda route: route.path.count("{"))
        self._table = [(re.compile(_pattern(route.path)), route) for route in fixed_first]

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request; the answer's date is the sandbox clock's."""
        response = await self._answer(request)
        response.headers["Date"] = formatdate(self.state.clock.now(), usegmt=True)
        return response

    async def _answer(self, request: web.Request) -> web.Response:
        """Answer as the request deserves or as a fault says."""
        path = _PREFIX.sub("", request.path)
        fault = self.state.faults.take(request.method, path)
        if fault is not None and fault.slow:
            await asyncio.sleep(fault.slow)
        if fault is not None and not fault.after and (fault.drop or fault.status):
            return self._befall(fault, request)
        response = await self._serve(request, path)
        if fault is not None and fault.late:
            await asyncio.sleep(fault.late)
        if fault is not None and fault.after:
            return self._befall(fault, request)
        return response

    def _befall(self, fault: Fault, request: web.Request) -> web.Response:
        if fault.drop:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=502)
        status = fault.status or 500
        if status != 429:
            return web.Response(status=status, text=f"{status}: told to fail", headers={"Via": "1.1 google"})
        body: dict[str, Any] = {"message": "You are being rate limited.", "global": fault.for_all}
        headers = {"X-RateLimit-Scope": "shared"}
        if fault.for_all:
            headers = {"X-RateLimit-Scope": "global", "X-RateLimit-Global": "true"}
        if fault.retry_after is not None:
            body["retry_after"] = fault.retry_after
            headers["Retry-After"] = str(int(fault.retry_after) + 1)
            return _json(429, body, headers)
        # A 429 without an hour to come back comes from in front of the API: no Via, no JSON.
        return web.Response(status=429, text="error code: 1015")

    async def _serve(self, request: web.Request, path: str) -> web.Response:
        match = self._match(request.method, path)
        headers: dict[str, str] = {}
        shown = path if match is None else match.path
        try:
            if match is None:
                _log.warning("the API has no %s %s", request.method, path)
                raise no_route()
            self._authorize(request, match.route)
            verdict = self.state.limits.count(request.method, match.route.path, match.params)
            headers = verdict.headers
            if verdict.refused is not None:
                self._note(request.method, shown, 429)
                return _json(429, verdict.refused, headers)
            reply = await self._run(request, match)
        except ConnectionResetError:
            # Who asked is gone before all of it was said: nothing was asked, and nobody hears the answer.
            return web.Response(status=400)
        except ApiError as error:
            self._note(request.method, shown, error.status, error.code)
            if error.code == 50035 and match is not None:
                self.violate("refused", match.route, json.dumps(error.errors))
            return _json(error.status, error.body(), headers | error.headers)
        self._note(request.method, shown, reply.status)
        if reply.status == 204:
            return web.Response(status=204, headers=headers | {"Via": "1.1 google"})
        return _json(reply.status, reply.body, headers)

    def _authorize(self, request: web.Request, route: Route) -> None:
        given = request.headers.get("Authorization", "").encode()
        if not route.open and not hmac.compare_digest(given, f"Bot {self.state.token}".encode()):
            raise unauthorized()

    async def _run(self, request: web.Request, match: _Match) -> Reply:
        call = await read(self.state, request, match.params)
        route, openapi = match.route, self.state.openapi
        spec_path = route.path
        if match.params.get("message_id") == "@original":
            spec_path = route.path.replace("{message_id}", "@original")
        if openapi is not None and (wrong := openapi.request(route.method, spec_path, call.body)):
            self.violate("request", route, wrong)
        try:
            result = await route.handler(call)
        except ApiError:
            raise
        except Exception as error:
            _log.exception("%s %s broke the sandbox", route.method, match.path)
            self.violate("broken", route, repr(error))
            raise ApiError(500, 0, "500: Internal Server Error") from error
        reply = result if isinstance(result, Reply) else Reply(204 if result is None else 200, result)
        if openapi is not None and reply.status != 204:
            wrong = openapi.reply(route.method, spec_path, reply.status, reply.body)
            if wrong:
                self.violate("reply", route, wrong)
        return reply

    def violate(self, kind: str, route: Route, text: str) -> None:
        """Note that something is not as Discord's description has it."""
        self.state.violations.append(Violation(kind, route.method, route.path, text))

    def _note(self, method: str, path: str, status: int, code: int | None = None) -> None:
        self.state.requests.append(Request(self.state.clock.now(), method, path, status, code))

    def _match(self, method: str, path: str) -> _Match | None:
        for pattern, route in self._table:
            found = pattern.fullmatch(path) if route.method == method else None
            if found is not None:
                return _Match(route, found.groupdict())
        return None


def _pattern(path: str) -> str:
    return re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path))


def _json(status: int, body: Any, headers: dict[str, str]) -> web.Response:
    # Exactly this content type: clients compare the header as a whole.
    return web.Response(
        status=status,
        body=json.dumps(body).encode(),
        headers=headers | {"Content-Type": "application/json", "Via": "1.1 google"},
    )
