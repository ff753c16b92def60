"""The vault with computer players that act without being asked."""

from __future__ import annotations

from engines.core.contract import Menu, Words
from engines.core.optional_methods import Skill
from engines.core.rng import Rng
from tests.kit.vault.game import Vault
from tests.kit.vault.state import View


class Eager(Vault):
    """A computer player sends a card back as soon as it sees that another seat has laid one.

    It sees that only if everybody does (``pledges``: ``open``), and may do so once per round.
    """

    def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
        done = [seat for seat, ready in enumerate(view.public.ready) if ready and seat != view.viewer]
        if not done or menu.find("return") is None:
            return None
        return ("return", str(rng.stream("whose").choice(done)))


GAME = Eager()
