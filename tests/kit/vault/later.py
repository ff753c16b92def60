"""The vault after a change of rules, with an additional option."""

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
    """The differences between rulesets. ``label``: part of the labels for dealing cards."""

    label: str


RULESETS = {"2": Ruleset("anew"), "1": Ruleset("")}
"""Newest first."""


class Later(Vault):
    """Ruleset 2 deals other cards; if the lamp is bright, the vault contains another one."""

    manifest = replace(Vault.manifest, rulesets=tuple(RULESETS), options=(LAMP, *Vault.manifest.options))

    def on_start(self, setup: Setup, rng: Rng) -> Step[State]:
        label = RULESETS[setup.ruleset].label
        step = super().on_start(setup, rng.child(label) if label else rng)
        if setup.option("lamp") == "dark":
            return step
        return replace(step, state=replace(step.state, vault=word(rng, "lamp")))


GAME = Later()
