"""Learns the palettes that painters ship: ``python -m tests.renderers.palettes``."""

from __future__ import annotations

import json
from pathlib import Path

from renderers.core.encode import RESOURCE
from renderers.corto.palette import learnt as learn_corto
from renderers.corto.theme import THEMES as CORTO_THEMES
from renderers.volo.palette import learnt as learn_volo
from renderers.volo.theme import THEMES as VOLO_THEMES
from tests.renderers.looks.volo import MORE, painted

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
    for path, found in ((FOLDER / "corto" / RESOURCE, corto), (FOLDER / "volo" / RESOURCE, volo)):
        path.write_text(json.dumps(found, indent=1) + "\n", "ascii")


if __name__ == "__main__":
    main()
