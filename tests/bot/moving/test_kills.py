"""A move that is broken off, wherever: the file is as it was, the target has everything or nothing."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.domain.address import PostgresqlAddress
from bot.store import StoreError
from bot.store.postgresql.moving import move
from tests.bot.moving.conftest import arrived, count, quiet, refusal, sums
from tests.kit.postgresql import Cluster
from tests.kit.samples import MORE

KILLS = 9 if MORE > 1 else 3
"""Points at which a move is killed: the first step, the last, and some between them."""

CHILD = """
import os, signal, sys
from pathlib import Path
import psycopg
from bot.domain.address import PostgresqlAddress
from bot.store.postgresql.moving import move

source, target, last = sys.argv[1:]
steps = 0

def counted(function):
    def wrapper(*arguments, **options):
        global steps
        steps += 1
        if steps == int(last):
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return wrapper

psycopg.connect = counted(psycopg.connect)
psycopg.Connection.execute = counted(psycopg.Connection.execute)
psycopg.Copy.write_row = counted(psycopg.Copy.write_row)
psycopg.ServerCursor.execute = counted(psycopg.ServerCursor.execute)
psycopg.ServerCursor.__iter__ = counted(psycopg.ServerCursor.__iter__)
psycopg.Transaction.__exit__ = counted(psycopg.Transaction.__exit__)
move(Path(source), PostgresqlAddress(target), lambda words: None)
counted(print)(steps + 1)
"""
"""Moves, and kills itself at one of its steps; where it reaches its end it says how many there were."""


def child(source: Path, target: PostgresqlAddress, last: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", CHILD, str(source), target.url, str(last)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


async def test_a_move_that_is_killed_leaves_all_or_nothing(small: Path, cluster: Cluster) -> None:
    before, rows = sums(small), count(small)
    steps = int(child(small, cluster.house(), 0).stdout)
    points = sorted({1 + (steps - 1) * number // (KILLS - 1) for number in range(KILLS)})
    for last in points:
        target = cluster.house()
        assert child(small, target, last).returncode == -signal.SIGKILL
        assert sums(small) == before
        is_whole = last == steps
        assert arrived(cluster, target) == (rows if is_whole else None), last
        if is_whole:
            assert "everything is there" in refusal(small, target)
        else:
            wait_until_let_go(cluster)
            move(small, target, quiet)
            assert arrived(cluster, target) == rows


def wait_until_let_go(cluster: Cluster) -> None:
    """Wait until the server has noticed that whoever moved is gone."""
    while cluster.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'"):
        pass


async def test_a_server_that_dies_meanwhile_leaves_nothing(small: Path, cluster: Cluster) -> None:
    target = cluster.house()

    def kill(words: str) -> None:
        if words == "log: checking":
            cluster.kill()

    try:
        with pytest.raises(StoreError, match="Nothing was moved"):
            move(small, target, kill)
    finally:
        cluster.start()
    assert arrived(cluster, target) is None
