"""The subcommands of ``bauta`` beside serving. Each adds its parser, with ``run`` set to what it does."""

from __future__ import annotations

import argparse
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001
"""What ``add_subparsers`` returns; argparse has no public name for it."""
