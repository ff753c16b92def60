"""What the gaps of texts hold: each is described, none in vain, and what is filled in is what is said."""

from __future__ import annotations

import pytest

from bot.cli.texts.catalogues import gaps_of, packages
from engines.core.contract import Arg, SeatName, msg
from engines.core.names import isolated
from engines.core.text_notes import SHARED, Kind, notes
from engines.core.texts import load
from tests.kit.gaps import fits, taken

ANNA = isolated("Anna")


def used(package: str) -> set[str]:
    return {gap for template in load(package).languages["en"].values() for gap in gaps_of(template)}


@pytest.mark.parametrize("package", packages())
def test_every_gap_is_described(package: str) -> None:
    assert used(package) - set(notes(package).gaps) == set()


@pytest.mark.parametrize("package", packages())
def test_no_gap_is_described_in_vain(package: str) -> None:
    assert notes(package).own - used(package) == set()


def test_no_shared_gap_is_described_in_vain() -> None:
    everywhere = {gap for package in packages() for gap in used(package) - notes(package).own}
    assert notes(SHARED).own - everywhere == set()


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (Kind.NAME, (SeatName(0), ANNA, "<@17>", f"{ANNA} (Red)"), ("Anna", "", 3, msg("x"))),
        (Kind.NAMES, ((SeatName(0), ANNA), (), ANNA, f"{ANNA} et <@1>"), (("Anna",), f"{ANNA} with {ANNA}")),
        (Kind.COUNT, (0, 12), ("12", True, "many", msg("x"))),
        (Kind.PARTS, ((msg("x"), "one hit"), msg("x")), ((3,), 3)),
        (Kind.NUMBER, (1, "3", "II", "1–4"), ("three", msg("x"))),
        (Kind.NUMBERS, ((1, 2), ("I", "II")), (("one",), "some")),
        (Kind.TIME, ("<t:1700000000:R>", "<t:1700000000>", 1_700_000_000), ("tomorrow", "12:00")),
        (Kind.HOUR, ("07:00",), ("7", 7)),
        (Kind.TITLE, ("Volo", "volo"), ("Chess",)),
        (Kind.LINK, ("<#12>", "[Volo](https://discord.com/channels/1/2)"), ("the thread", "#general")),
        (Kind.LINKS, (("<#12>", "<@&3>"), "<#1> and <#2>"), ("#general",)),
        (Kind.CHOICE, ("groups", msg("x")), (3,)),
        (Kind.SQUARE, ("c4", "d1:d4", "square 5, Marina", msg("square")), ("It’s on c4.", "c4, d5", "")),
        (Kind.SQUARES, (("c4", "d5"), ()), ("c4, d5", 4)),
        (Kind.TERM, (msg("card.a"), "Lamp keeper"), ("Anna wins.", "", 3)),
        (Kind.TERMS, ((msg("card.a"), "Favro"),), ("Favro, Remer",)),
        (Kind.PART, (msg("x"), "one hit"), (3, SeatName(0))),
        (Kind.QUOTE, ("anything", "", 3), (msg("x"),)),
        (Kind.CODE, ("ab12", 17), (msg("x"), "")),
    ],
)
def test_kinds(kind: Kind, right: tuple[Arg, ...], wrong: tuple[Arg, ...]) -> None:
    assert [fits(kind, value) for value in right] == [True] * len(right)
    assert [fits(kind, value) for value in wrong] == [False] * len(wrong)


def test_what_fills_a_gap_wrongly_is_found() -> None:
    wrong = ["bot lobby.invited: {player} holds NAME, and is filled with 'Anna'"]
    said = rendered_by("bot/pages/lobby.py", "Anna")
    assert (taken(), "Anna" in said) == (wrong, True)
    rendered_by("bot/pages/lobby.py", ANNA)
    assert taken() == []
    # What a test compares with needs no isolates.
    rendered_by("tests/ui/test_lobby.py", "Anna")
    assert taken() == []


def rendered_by(file: str, name: str) -> str:
    """Return a text as code of another file renders it."""
    code = compile("render(msg('lobby.invited', player=name), str)", f"/house/{file}", "eval")
    said: str = eval(code, {"render": load("bot").render, "msg": msg, "name": name})
    return said
