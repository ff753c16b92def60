"""Learns the palettes that painters ship: ``python -m tests.renderers.palettes``."""

from __future__ import annotations

import json
from pathlib import Path

from renderers.core.contract import Table
from renderers.core.encode import RESOURCE
from renderers.core.painter import Order
from renderers.corto.palette import learnt as learn_corto
from renderers.corto.theme import THEMES as CORTO_THEMES
from renderers.doge import RENDERER as DOGE
from renderers.doge.palette import learnt as learn_doge
from renderers.doge.theme import THEMES as DOGE_THEMES
from renderers.volo.palette import learnt as learn_volo
from renderers.volo.theme import THEMES as VOLO_THEMES
from tests.renderers.looks import LOOKS, TABLE, named
from tests.renderers.looks.volo import MORE, painted

DOGE_SAMPLES = tuple(name for name in LOOKS if name.startswith("doge_"))
FOLDER = Path(__file__).parents[2] / "renderers"
SAMPLES = (*MORE, "regions", "regions", "chosen")
"""What Volo's palettes are learnt from; regions have many tints and count twice."""


def main() -> None:
    """Write the palettes of all themes."""
    corto = {name: learn_corto(CORTO_THEMES.choose(name)) for name in CORTO_THEMES.names}
    volo = {}
    for name in VOLO_THEMES.names:
        samples = [painted(sample, name).reduce(2) for sample in SAMPLES]
        volo[name] = learn_volo(VOLO_THEMES.choose(name), samples)
    doge = {}
    for name in DOGE_THEMES.names:
        table = Table(TABLE.names, theme=name)
        orders = [Order(one.view, one.key, table, one.draft, one.menu) for one in map(named, DOGE_SAMPLES)]
        doge[name] = learn_doge(DOGE_THEMES.choose(name), map(DOGE.full_colours, orders))
    for game, found in (("corto", corto), ("volo", volo), ("doge", doge)):
        (FOLDER / game / RESOURCE).write_text(json.dumps(found, indent=1) + "\n", "ascii")


if __name__ == "__main__":
    main()
