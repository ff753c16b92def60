"""Keyed randomness and canonical encoding."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.canonical_json import canonical, keyed_digest
from engines.core.rng import Rng, commitment

RNG = Rng(bytes(range(32)))


def test_a_stream_is_the_hmac_of_its_label() -> None:
    """Written out once, so that no change can pass unseen: old matches must replay."""
    labelled = hmac.digest(bytes(range(32)), b"stream|s3:diei1:7", hashlib.sha256)
    block = hmac.digest(labelled, bytes(8), hashlib.sha256)
    first = int.from_bytes(block[:4], "big")
    assert RNG.stream("die", 7).below(1 << 32) == first


def test_draws_are_pinned() -> None:
    stream = RNG.stream("pinned")
    assert [stream.below(100) for _ in range(10)] == [95, 33, 78, 95, 13, 38, 31, 39, 56, 3]
    assert "".join(RNG.stream("cards").shuffled("abcdefgh")) == "hdgabfec"
    assert RNG.child("seat", 1).secret("digest").hex()[:16] == "91724378f2808495"


def test_labels_do_not_run_into_each_other() -> None:
    pairs = [("a", "b"), ("ab",), ("a", 1), ("a1",), ("a", "1"), (1,), ("1",), (), ("",), (11, 1), (1, 11)]
    assert len({RNG.secret(*labels) for labels in pairs}) == len(pairs)
    uses = {RNG.secret("x"), RNG.child("x").secret("x"), RNG.child("x").child("x").secret("x")}
    assert len(uses) == 3


def test_below_is_even_and_bounded() -> None:
    stream = RNG.stream("even")
    counts = Counter(stream.below(6) for _ in range(6_000))
    assert set(counts) == set(range(6))
    assert all(850 < count < 1_150 for count in counts.values())
    assert RNG.stream("one").below(1) == 0
    for bad in (0, -1, (1 << 32) + 1):
        with pytest.raises(ValueError, match="below"):
            stream.below(bad)
    with pytest.raises(ValueError, match="nothing to choose"):
        stream.choice(())


def test_chance_is_what_it_says() -> None:
    stream = RNG.stream("chance")
    assert 200 < sum(stream.chance(1, 4) for _ in range(1_000)) < 300


def test_seeds_have_32_bytes_and_show_nothing() -> None:
    with pytest.raises(ValueError, match="32"):
        Rng(b"short")
    assert repr(RNG) == "<Rng>"
    assert repr(RNG.stream("x")) == "<Stream>"
    assert commitment(bytes(32)) == hashlib.sha256(bytes(32)).hexdigest()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=4))
def test_one_value_one_text(data: dict[str, object]) -> None:
    text = canonical(data)
    assert text.isascii()
    assert text == canonical(dict(reversed(data.items())))
    assert keyed_digest(b"k", data) == hmac.digest(b"k", text.encode(), hashlib.sha256).hex()


@pytest.mark.parametrize("value", [1.0, {1, 2}, b"x", {1: 2}, [frozenset()], ({"a": object()},)])
def test_what_has_no_sure_text_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        canonical({"value": value})
