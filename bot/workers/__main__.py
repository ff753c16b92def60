"""A worker process: ``python -m bot.workers FD KIND ARGUMENTS``.

Its jobs come from socket FD. KIND is ``painter`` or ``thinker``, whose ``main`` takes the ARGUMENTS.
"""

from __future__ import annotations

import socket
import sys
from pkgutil import resolve_name

if __name__ == "__main__":
    number, kind, *arguments = sys.argv[1:]
    # A thinker loads no painters.
    resolve_name(f"bot.workers.{kind}:main")(socket.socket(fileno=int(number)), *arguments)
