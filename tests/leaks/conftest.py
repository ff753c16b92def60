"""Every game of the registry, and the vault beside them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.core.registry import games
from tests.kit.vault.install import KEY, installed

KEYS = (*games(), KEY)


@pytest.fixture(autouse=True)
def _vault() -> Iterator[None]:
    with installed():
        yield


@pytest.fixture(params=KEYS)
def key(request: pytest.FixtureRequest) -> str:
    """Return the key of each game in turn."""
    return str(request.param)
