"""``bauta doctor``: checks everything that the bot depends on, and says what to do if a check fails."""

from __future__ import annotations

import argparse
import asyncio
import sys

import discord.http

from bot.cli import Commands, ExitCode
from bot.cli.doctor import local_checks
from bot.cli.doctor.discord_side import HOW_TO_GET_IT, check_discord
from bot.cli.doctor.report import Finding, State, fail, guarded, note, ok, written
from bot.cli.doctor.rest import Rest
from bot.config import Config, StartError, load


def add_command(commands: Commands) -> None:
    """Add ``bauta doctor``."""
    parser = commands.add_parser(
        "doctor",
        help="check settings, token, permissions, database and more",
        description="Check settings, token, permissions, commands, database, disk, clock and painters. "
        "Nothing is changed, and the bot may run meanwhile.",
    )
    parser.add_argument("--offline", action="store_true", help="leave out what needs the network")
    parser.set_defaults(run=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    findings, token = examine(offline=options.offline)
    sys.stdout.write(written(findings, token))
    return ExitCode.FAILED if any(one.state is State.FAIL for one in findings) else ExitCode.OK


def examine(*, offline: bool) -> tuple[list[Finding], str]:
    """Return all findings, and the token, which must not be printed with them."""

    def painters() -> list[Finding]:
        return guarded("painter", local_checks.check_painters)

    findings = guarded("programs", local_checks.check_programs)
    try:
        settings = load()
    except StartError as error:
        wrong = str(error).replace("\n", " ")
        return [*findings, fail("settings", wrong, "Correct the environment."), *painters()], ""
    findings += [
        *guarded("settings", lambda: local_checks.check_settings(settings)),
        *guarded("variables", local_checks.check_variables),
        *guarded("token file", lambda: local_checks.check_token_file(settings)),
        *guarded("database", lambda: local_checks.check_database(settings)),
        *guarded("cache", lambda: local_checks.check_cache(settings.cache)),
        *guarded("fonts", lambda: local_checks.check_fonts(settings.fonts)),
        *painters(),
    ]
    asked, token = _asked(settings, offline=offline)
    return [*findings, *asked], token


def _asked(settings: Config, *, offline: bool) -> tuple[list[Finding], str]:
    try:
        found = settings.token()
    except StartError as error:
        wrong, _, advice = str(error).partition("\n")
        return [fail("token", wrong, advice or HOW_TO_GET_IT)], ""
    if found is None:
        return [fail("token", "there is none, so the bot opens the sandbox", HOW_TO_GET_IT)], ""
    token = found.get_secret_value()
    if offline:
        return [ok("token", "is set"), note("discord", "was not asked (--offline)")], token
    return asyncio.run(_ask(settings.api_url or discord.http.Route.BASE, token)), token


async def _ask(base: str, token: str) -> list[Finding]:
    async with Rest(base, token) as rest:
        return await check_discord(rest)
