"""Which program this is: its version, and a fingerprint.

What an unchanged program has checked, it need not check after a restart.
"""

from __future__ import annotations

import hashlib
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("bot", "engines", "renderers")

_ROOT = Path(__file__).parents[2]


def installed_version() -> str:
    """Return the installed version of Bauta."""
    try:
        return version("bauta-house")
    except PackageNotFoundError:
        return "of this folder"


def fingerprint() -> str:
    """Return a digest of all that determines matches and how boards look; it takes some 25 ms."""
    found = hashlib.blake2b(digest_size=16)
    found.update(f"{sys.version} discord.py {version('discord.py')}".encode())
    for path in sorted(each for package in PACKAGES for each in (_ROOT / package).rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            found.update(f"\n{path.relative_to(_ROOT)}\n".encode())
            found.update(path.read_bytes())
    return found.hexdigest()
