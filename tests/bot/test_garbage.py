from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from bot.runtime.memory import YOUNG_OBJECTS, rare_full_collections, set_aside
from tests.kit.waiting import eventually


class Knot:
    """Refers to itself: nothing but a search finds that it is gone."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_usual() -> Iterator[None]:
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)
    gc.unfreeze()
    gc.collect()


def test_what_has_lasted_is_left_out_of_the_searches_until_the_next_time() -> None:
    knot = Knot()
    gone = weakref.ref(knot)
    set_aside()
    assert gc.get_freeze_count() > 1_000
    del knot
    gc.collect()
    assert gone() is not None, "it was looked through"
    set_aside()
    assert gone() is None, "it is never looked through"


async def test_it_is_done_now_and_then_and_searches_are_usual_afterwards() -> None:
    usual = gc.get_threshold()
    gc.unfreeze()
    async with rare_full_collections(first=0.01):
        assert gc.get_threshold()[0] == YOUNG_OBJECTS
        await eventually(gc.get_freeze_count)
    assert gc.get_threshold() == usual
