"""Values as plain JSON data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from engines.core.canonical_json import canonical, plain, plain_fields
from engines.core.contract import fact


class Kind(Enum):
    FOX = "fox"


class Rank(IntEnum):
    LOW = 1


class Place(NamedTuple):
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Card:
    kind: Kind
    at: Place
    cache: dict[str, float] = field(default_factory=dict, compare=False)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (None, None),
        (True, True),
        (Kind.FOX, "fox"),
        (Rank.LOW, 1),
        (Place(1, 2), [1, 2]),
        (frozenset({"b", "a"}), ["a", "b"]),
        (frozenset({Place(2, 1), Place(1, 9)}), [[1, 9], [2, 1]]),
        (MappingProxyType({Kind.FOX: (1,), 2: Rank.LOW}), {"fox": [1], "2": 1}),
        (fact("drawn", seat=0, cards=("a", "b")), {"kind": "drawn", "seat": 0, "cards": ["a", "b"]}),
        (Card(Kind.FOX, Place(0, 1), {"cost": 0.5}), {"kind": "fox", "at": [0, 1]}),
    ],
)
def test_a_value_has_one_plain_form(value: object, data: object) -> None:
    assert plain(value) == data
    assert type(plain(value)) is type(data)
    canonical({"value": plain(value)})


@pytest.mark.parametrize("value", [0.5, b"x", object(), {1: "a", "1": "b"}, {(1, 2): 0}, {True: 0}, Card])
def test_what_has_no_plain_form_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        plain(value)


def test_only_a_dataclass_has_fields() -> None:
    assert plain_fields(Card(Kind.FOX, Place(0, 0))) == {"kind": "fox", "at": [0, 0]}
    with pytest.raises(TypeError):
        plain_fields({"a": 1})
