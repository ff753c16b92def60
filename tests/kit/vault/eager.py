"""The vault with computer players that do not wait until they are asked."""

from __future__ import annotations

from engines.core.contract import Menu, Words
from engines.core.rng import Rng
from engines.core.skill import Skill
from tests.kit.vault.game import Vault
from tests.kit.vault.state import View


class Eager(Vault):
    """A computer player sends a card back as soon as it sees that somebody else has laid one.

    It sees that only where everybody does (``pledges``: ``open``); it may do so once in a round.
    """

    def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        done = [seat for seat, ready in enumerate(view.public.ready) if ready and seat != view.viewer]
        if not done or menu.find("return") is None:
            return None
        return ("return", str(rng.stream("whose").choice(done)))


GAME = Eager()
