"""What the audit calls right and wrong, where that is easily mistaken."""

from __future__ import annotations

from bot.domain.match import RowKind
from bot.matches.match_log import MatchLog
from engines.core.contract import Seat
from engines.core.setups import complete
from tests.kit import vault
from tests.kit.simulation.audit import acted_in_secret


def begun() -> MatchLog:
    return MatchLog.begin(vault.GAME, complete(vault.GAME.manifest, 2, {}), bytes(32))


def acted(log: MatchLog, seat: Seat) -> MatchLog:
    return log.write(RowKind.ACT, seat, log.match.computer(seat), f"{len(log.rows)}", 0.0)


def offered(log: MatchLog, seat: Seat) -> MatchLog:
    return log.write(RowKind.OFFER, seat, (), f"{len(log.rows)}", 0.0)


def test_an_act_in_secret_is_one_whatever_the_public_learned_before_it() -> None:
    log = begun()
    first, second = sorted(log.public.waiting)
    for before in (log, offered(log, second)):
        after = acted(before, first)
        assert after.public.version == before.public.version
        assert acted_in_secret(after, first)
        assert not acted_in_secret(after, second)
        assert not acted_in_secret(offered(after, second), first), "the public has learned of the offer"
