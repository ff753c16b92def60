"""What has happened in a match is packed, and comes back as it was."""

from __future__ import annotations

import pytest

from engines.core.batches import Batches
from engines.core.contract import EVERYONE, Audience, Event, all_but, fact, facts_for, only

DATA = fact("drew", seat=1, card="Å|'", deck=None, hidden=True, cards=("a", 1, (True, None)))
BATCHES: tuple[tuple[Event, ...], ...] = (
    (Event(DATA, only(1)), Event(fact("drew", seat=1), all_but(1))),
    (),
    (Event(DATA, only(0, 2)),),
    (Event(fact("over"), EVERYONE),),
)


def several() -> Batches:
    found = Batches(BATCHES[0])
    for batch in BATCHES[1:]:
        found = found.then(batch)
    return found


def test_all_that_was_put_in_comes_out() -> None:
    batches = several()
    assert tuple(batches) == BATCHES
    assert len(batches) == len(BATCHES)
    assert batches[-1] == BATCHES[-1]
    assert batches[2] == BATCHES[2]
    assert batches[1:] == BATCHES[1:]
    assert batches == several()
    assert hash(batches) == hash(several())
    assert batches != several().then(())
    with pytest.raises(IndexError):
        batches[4]


def test_what_comes_out_is_of_the_same_kinds() -> None:
    (drew, _), *_ = several()
    assert drew.fact.get("hidden") is True
    assert drew.fact.get("seat") is not True
    assert drew.fact.get("cards") == ("a", 1, (True, None))
    assert repr(drew.fact.get("cards")) == "('a', 1, (True, None))"


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_who_heard_of_a_batch_is_who_learns_its_facts(viewer: int | None) -> None:
    batches = several()
    for number, batch in enumerate(BATCHES):
        assert batches.heard(number, viewer) is bool(facts_for(batch, viewer))


def test_a_repr_says_nothing() -> None:
    assert repr(several()) == repr(Batches(()))


def test_an_audience_is_one_object() -> None:
    assert only(1) is only(1)
    assert only(1) == Audience(frozenset({1}), everyone_else=False)
    assert all_but(0, 1) is not only(0, 1)
