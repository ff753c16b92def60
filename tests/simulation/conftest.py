"""Where the houses of simulations are stored."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.postgresql import Cluster
from tests.kit.simulation.database import Storage


@pytest.fixture(scope="module")
def postgresql(cluster: Cluster) -> Iterator[Storage]:
    """Return a database of PostgreSQL for one run after the other.

    Of a module alone: elsewhere, tests kill the server that all share.
    """
    # Where psycopg is not installed, the server has skipped the test by now.
    from tests.kit.simulation.postgresql import in_postgresql

    with in_postgresql(cluster) as storage:
        yield storage
