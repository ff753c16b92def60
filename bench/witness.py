"""The witness judges an evening: ``python -m bench.witness DATABASE --transcript FILE``.

DATABASE is the bot's, of SQLite; it is read and not changed. FILE is the journal of its sandbox:
``python -m sandbox --transcript FILE``, or ``Sandbox(transcript=…)``. Both hold everybody's secrets, and
so does what this prints: a finding comes with the whole story of its match.

The witness knows the rules and no code of the bot. It says who may do what, works out all clocks itself,
and reads boards, direct messages and answers (``docs/adr/0055``). The exit status is 1 if it finds anything.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.kit.witness.evening import Unreadable
from tests.kit.witness.report import judge


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.witness",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("database", type=Path, metavar="DATABASE", help="the bot's database")
    parser.add_argument(
        "--transcript", type=Path, required=True, metavar="FILE", help="the journal of its sandbox"
    )
    options = parser.parse_args(arguments)
    for each in (options.database, options.transcript):
        if not each.is_file():
            parser.error(f"there is no file {each}")
    try:
        findings, lines = judge(options.database, options.transcript)
    except Unreadable as error:
        parser.error(str(error))
    print("\n".join(lines))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
