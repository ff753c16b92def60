"""What people call themselves and what they type shows as they wrote it, and does nothing else."""

from __future__ import annotations

import pytest

from bot.domain.refusals import GameRefusal, refusal
from bot.pages.page import fenced, page, text
from bot.pages.texts import NAME_LIMIT, Texts, plain, safe, shown_name
from engines.core.contract import ActionError
from engines.core.names import isolated
from engines.core.registry import games
from tests.ui.positions import KEYS, begun, table_of


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Alba", "Alba"),
        ("**x** __y__ ||z|| ~~a~~ `b`", r"\*\*x\*\* \_\_y\_\_ \|\|z\|\| \~\~a\~\~ \`b\`"),
        ("[a](b)[c](d)", r"\[a\](b)\[c\](d)"),
        (r"\[a](b)", r"\\\[a\](b)"),
        ("<#7> <:x:8>", r"\<#7> \<:x:8>"),
        ("<t:1:R></play:7>", r"\<t:1:R>\</play:7>"),
        ("@everyone", "@\u200beveryone"),
        ("https://a.b/**x**", "https:\u200b//a.b/\\*\\*x\\*\\*"),
        ("# x", r"\# x"),
        ("-# x", r"\-# x"),
        ("> x", r"\> x"),
        ("1. x", r"1\. x"),
        ("12) x", r"12\) x"),
        ("1.5", r"1\.5"),
    ],
)
def test_a_name_shows_as_it_is(name: str, shown: str) -> None:
    assert safe(name) == isolated(shown)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Alba", "Alba"),
        (" a\r\n\tb ", "a b"),
        ("\u202eabla\u202c", "abla"),
        ("\u2066x\u2069\u200f\u061c", "x"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("x\ud800y", "xy"),
        ("a\u2028b", "a b"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("مرحبا", "مرحبا"),
        ("\u200b", ""),
        ("\u3164\u2800", ""),
        ("\u0301", ""),
        ("", ""),
    ],
)
def test_what_of_a_name_can_be_shown(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def test_a_name_is_no_longer_than_it_may_be() -> None:
    assert len(shown_name("x" * 10_000)) == NAME_LIMIT


@pytest.mark.parametrize("key", KEYS)
def test_a_refusal_quotes_what_was_typed_as_it_was_typed(key: str) -> None:
    table = table_of(begun(key, 0))
    game = games()[key]
    typed = "[zq](https://zq.example)"
    with pytest.raises(ActionError) as caught:
        game.menu(begun(key, 0).view(0), game.read(typed))
    said = Texts().refusal(GameRefusal(table, caught.value.msg))
    assert "[zq]" not in said
    assert "://" not in said


def test_a_house_refusal_quotes_a_name() -> None:
    assert r"\*\*x\*\*" in Texts().refusal(refusal("not_host", host="**x**"))


def test_words_in_a_block_cannot_end_it() -> None:
    block = fenced("a ``` @everyone `b`")
    assert block.count("`") == 6
    assert plain("```") == r"\`\`\`"


def test_a_name_in_a_block_mentions_nobody() -> None:
    assert page([text(fenced("<@700> is to move"), "<@800>")]).mentioned == [800]
