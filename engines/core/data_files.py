"""Data files of games, in their folders ``data``: JSON that is read once, and hashed for the manifest."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from typing import Any


def read(package: str, name: str) -> Any:
    """Return the contents of a data file of ``package``."""
    return json.loads(_bytes(package, name))


def hashes(package: str, *names: str) -> tuple[tuple[str, str], ...]:
    """Return each file's SHA-256 by name: a match ends on the data that it began with."""
    return tuple((name, hashlib.sha256(_bytes(package, name)).hexdigest()) for name in names)


def _bytes(package: str, name: str) -> bytes:
    return (files(package) / "data" / name).read_bytes()
