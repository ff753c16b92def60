"""What tests of the blind reading know of its forms."""

from __future__ import annotations

import json
import re
from typing import Any

from bench.reading import games


def example(key: str) -> dict[str, Any]:
    """Return the made-up position of a form."""
    found = re.search(r"```json\n(.*?)```", games.form(key), re.DOTALL)
    assert found is not None
    form: dict[str, Any] = json.loads(found[1])
    return form
