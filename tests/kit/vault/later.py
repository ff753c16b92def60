"""The vault after its rules have changed, with an option that it did not have before."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engines.core.contract import Option, OptionChoice, Setup, Step, msg
from engines.core.rng import Rng
from tests.kit.vault.game import Vault
from tests.kit.vault.state import State, word

LAMP = Option(
    "lamp",
    msg("vault"),
    (OptionChoice("bright", msg("lay")), OptionChoice("dark", msg("peek"))),
    default="bright",
    before="dark",
)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All that differs by ruleset. ``label``: what cards are dealt under, beside their own labels."""

    label: str


RULESETS = {"2": Ruleset("anew"), "1": Ruleset("")}
"""The newest first."""


class Later(Vault):
    """By ruleset 2 other cards are dealt; where the lamp is bright, something else lies in the vault."""

    manifest = replace(Vault.manifest, rulesets=tuple(RULESETS), options=(LAMP, *Vault.manifest.options))

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        label = RULESETS[setup.ruleset].label
        step = super().on_start(setup, rng.child(label) if label else rng)
        if setup.option("lamp") == "dark":
            return step
        return replace(step, state=replace(step.state, vault=word(rng, "lamp")))


GAME = Later()
