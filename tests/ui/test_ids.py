"""Custom ids: there and back, and nothing else gets in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.lessons import practice_id
from bot.pages import board, lobby, panel
from bot.pages.custom_ids import LIMIT, Action, AnyId, Button, ButtonId, PanelId, pack, parse

NAMES = st.from_regex(r"[a-z2-7]{8}", fullmatch=True)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=60)

SIMILAR = st.from_regex(r"[bl]1(:[a-z0-9:@ -]{0,12}){0,7}", fullmatch=True)


@given(NAMES, st.sampled_from(Button), st.none() | st.integers(0, 999_999_999))
def test_a_button_comes_back(match: str, button: Button, number: int | None) -> None:
    assert parse(pack(ButtonId(match, button, number))) == ButtonId(match, button, number)


@given(NAMES, NAMES, st.integers(0, 999_999_999), st.sampled_from(Action), st.just("") | WORDS)
def test_a_panel_id_comes_back(match: str, decision: str, revision: int, action: Action, word: str) -> None:
    parts = PanelId(match, decision, revision, action, word)
    text = pack(parts)
    assert len(text) <= LIMIT
    assert parse(text) == parts


@given(NAMES, NAMES, st.integers(0, 999_999_999), st.sampled_from(Action), st.just("") | WORDS)
def test_a_lesson_id_comes_back(game: str, lesson: str, revision: int, action: Action, word: str) -> None:
    parts = PanelId(practice_id(game, lesson), "", revision, action, word)
    assert pack(parts).startswith(f"l1:{game}:{lesson}:{revision}:{action.value}")
    assert parse(pack(parts)) == parts


@given(
    st.text() | st.none() | st.integers() | st.from_regex(r"[bl]1(:[a-z0-9:@ -]{0,12}){0,7}", fullmatch=True)
)
def test_whatever_parses_is_what_would_have_been_packed(text: object) -> None:
    parts = parse(text)
    if parts is not None:
        assert pack(parts) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "b1",
        "b1:abcdefgh",
        "b1:abcdefgh:",
        "b1:abcdefgh:nothing",
        "b1:abcdefgh:JOIN",
        "b0:abcdefgh:join",
        "b1::join",
        "b1:ab cd:join",
        "b1:abcdefgh:join:",
        "b1:abcdefgh:abcdefgh:1",
        "b1:abcdefgh:page:x",
        "b1:abcdefgh:page:01",
        "b1:abcdefgh:page:-1",
        "b1:abcdefgh:page:1:",
        "b1:abcdefgh:abcdefgh:1:q",
        "b1:abcdefgh:abcdefgh:01:b",
        "b1:abcdefgh:abcdefgh:-1:b",
        "b1:abcdefgh:abcdefgh:1e3:b",
        "b1:abcdefgh:abcdefgh:١:b",
        "b1:abcdefgh:abcdefgh:1:b:",
        "b1:abcdefgh:abcdefgh:1:w:two words",
        "b1:abcdefgh:abcdefgh:1:w:line\nbreak",
        "b1:abcdefgh:abcdefgh:1:w:" + "x" * 61,
        "b1:" + "x" * 100,
        "l1:volo:learn",
        "l1:volo:cut:7",
        "l1:volo:cut:07:b",
        "l1:volo.cut:cut:7:b",
        "b1:volo.cut:abcdefgh:7:b",
        "l1:volo::7:b",
        "l2:volo:cut:7:b",
        "b1:abcdefgh:join\n",
        "b1:abcdéfgh:join",
        b"b1:abcdefgh:join",
        7,
        None,
        ["b1:abcdefgh:join"],
    ],
)
def test_strange_ids_say_nothing(text: object) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    "parts",
    [
        ButtonId("a:b", Button.JOIN),
        ButtonId("", Button.JOIN),
        ButtonId("abcdefgh", Button.PAGE, -1),
        ButtonId("abcdefgh", Button.PAGE, 1_000_000_000),
        PanelId("abcdefgh", "", 1, Action.BACK),
        PanelId("abcdefgh", "abcdefgh", -1, Action.BACK),
        PanelId("abcdefgh", "abcdefgh", 1, Action.WORD, "two words"),
        PanelId("a" * 40, "b" * 40, 1, Action.WORD, "w" * 30),
        PanelId("volo.", "", 1, Action.BACK),
        PanelId("volo.cut", "", -1, Action.BACK),
    ],
)
def test_what_would_not_come_back_is_not_packed(parts: AnyId) -> None:
    with pytest.raises(ValueError, match="custom id"):
        pack(parts)


POSTED: dict[str, AnyId] = {
    "b1:k3vq7x2m:join": ButtonId("k3vq7x2m", Button.JOIN),
    "b1:k3vq7x2m:leave": ButtonId("k3vq7x2m", Button.LEAVE),
    "b1:k3vq7x2m:computer": ButtonId("k3vq7x2m", Button.COMPUTER),
    "b1:k3vq7x2m:seat_computer:2": ButtonId("k3vq7x2m", Button.SEAT_COMPUTER, 2),
    "b1:k3vq7x2m:add_seat:4": ButtonId("k3vq7x2m", Button.ADD_SEAT, 4),
    "b1:k3vq7x2m:remove_seat:2": ButtonId("k3vq7x2m", Button.REMOVE_SEAT, 2),
    "b1:k3vq7x2m:start": ButtonId("k3vq7x2m", Button.START),
    "b1:k3vq7x2m:rules": ButtonId("k3vq7x2m", Button.RULES),
    "b1:volto:page": ButtonId("volto", Button.PAGE),
    "b1:volto:page:3": ButtonId("volto", Button.PAGE, 3),
    "b1:volo:learn": ButtonId("volo", Button.LEARN),
    "b1:volo:lesson": ButtonId("volo", Button.LESSON),
    "b1:volo:lesson:3": ButtonId("volo", Button.LESSON, 3),
    "b1:volo:first_match": ButtonId("volo", Button.FIRST_MATCH),
    "l1:volo:cut:7:w:a5": PanelId("volo.cut", "", 7, Action.WORD, "a5"),
    "l1:volo:cut:7:y": PanelId("volo.cut", "", 7, Action.CONFIRM),
    "b1:volto:how": ButtonId("volto", Button.HOW_TO_PLAY),
    "b1:house:dms:1": ButtonId("house", Button.DMS, 1),
    "b1:house:theme": ButtonId("house", Button.THEME),
    "b1:abcdefgh:claim": ButtonId("abcdefgh", Button.CLAIM),
    "b1:abcdefgh:stand_in": ButtonId("abcdefgh", Button.LET_COMPUTER_PLAY),
    "b1:abcdefgh:wait": ButtonId("abcdefgh", Button.WAIT),
    "b1:abcdefgh:back": ButtonId("abcdefgh", Button.I_AM_BACK),
    "b1:abcdefgh:agree": ButtonId("abcdefgh", Button.AGREE),
    "b1:abcdefgh:object": ButtonId("abcdefgh", Button.OBJECT),
    "b1:abcdefgh:take_seat": ButtonId("abcdefgh", Button.TAKE_SEAT),
    "b1:abcdefgh:refuse_seat": ButtonId("abcdefgh", Button.REFUSE_SEAT),
    "b1:abcdefgh:mute:123456789": ButtonId("abcdefgh", Button.MUTE, 123_456_789),
    "b1:house:server": ButtonId("house", Button.SERVER),
    "b1:house:server_opening": ButtonId("house", Button.SERVER_OPENING),
    "b1:house:server_roles": ButtonId("house", Button.SERVER_ROLES),
    "b1:house:server_channels": ButtonId("house", Button.SERVER_CHANNELS),
    "b1:house:server_most": ButtonId("house", Button.SERVER_MOST),
    "b1:house:server_threads": ButtonId("house", Button.SERVER_THREADS),
    "b1:house:server_paces": ButtonId("house", Button.SERVER_PACES),
    "b1:house:server_pace": ButtonId("house", Button.SERVER_PACE),
    "b1:abcdefgh:end_match": ButtonId("abcdefgh", Button.END_MATCH),
    "b1:abcdefgh:end_for_good": ButtonId("abcdefgh", Button.END_FOR_GOOD),
    "b1:house:settings": ButtonId("house", Button.SETTINGS),
    "b1:house:reminders": ButtonId("house", Button.REMINDERS),
    "b1:house:reminding": ButtonId("house", Button.REMINDING),
    "b1:house:region": ButtonId("house", Button.REGION),
    "b1:house:city": ButtonId("house", Button.CITY),
    "b1:house:quiet_from": ButtonId("house", Button.QUIET_FROM),
    "b1:house:quiet_until": ButtonId("house", Button.QUIET_UNTIL),
    "b1:house:holiday:1": ButtonId("house", Button.HOLIDAY, 1),
    "b1:k3vq7x2m:turn": ButtonId("k3vq7x2m", Button.TURN),
    "b1:k3vq7x2m:log": ButtonId("k3vq7x2m", Button.LOG),
    "b1:k3vq7x2m:look": ButtonId("k3vq7x2m", Button.LOOK),
    "b1:k3vq7x2m:turning_points": ButtonId("k3vq7x2m", Button.TURNING_POINTS),
    "b1:k3vq7x2m:turning_point:2": ButtonId("k3vq7x2m", Button.TURNING_POINT, 2),
    "b1:k3vq7x2m:accept": ButtonId("k3vq7x2m", Button.ACCEPT),
    "b1:k3vq7x2m:decline": ButtonId("k3vq7x2m", Button.DECLINE),
    "b1:k3vq7x2m:resign": ButtonId("k3vq7x2m", Button.RESIGN),
    "b1:k3vq7x2m:rematch": ButtonId("k3vq7x2m", Button.REMATCH),
    "b1:house:export": ButtonId("house", Button.EXPORT),
    "b1:house:delete": ButtonId("house", Button.DELETE),
    "b1:house:delete_all": ButtonId("house", Button.DELETE_ALL),
    "b1:k3vq7x2m:reopen": ButtonId("k3vq7x2m", Button.REOPEN),
    "b1:k3vq7x2m:mfzwizlt:7:w:c4": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.WORD, "c4"),
    "b1:k3vq7x2m:mfzwizlt:7:s:target": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.PICK, "target"),
    "b1:k3vq7x2m:mfzwizlt:7:g:target@c/0": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.GROUP, "target@c/0"),
    "b1:k3vq7x2m:mfzwizlt:7:g:target/1": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.GROUP, "target/1"),
    "b1:k3vq7x2m:mfzwizlt:7:i:b3": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.INSTEAD, "b3"),
    "b1:k3vq7x2m:mfzwizlt:7:f:0": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.FIELD, "0"),
    "b1:k3vq7x2m:mfzwizlt:7:x:order": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.SHUFFLE, "order"),
    "b1:k3vq7x2m:mfzwizlt:7:p": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.PRESET),
    "b1:k3vq7x2m:mfzwizlt:7:b": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.BACK),
    "b1:k3vq7x2m:mfzwizlt:7:c": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.CLEAR),
    "b1:k3vq7x2m:mfzwizlt:7:r": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.REFRESH),
    "b1:k3vq7x2m:mfzwizlt:7:t": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.TYPE),
    "b1:k3vq7x2m:mfzwizlt:7:h": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.HINT),
    "b1:k3vq7x2m:next": ButtonId("k3vq7x2m", Button.NEXT),
    "b1:k3vq7x2m:before": ButtonId("k3vq7x2m", Button.BEFORE),
    "b1:k3vq7x2m:moment:11": ButtonId("k3vq7x2m", Button.MOMENT, 11),
    "b1:k3vq7x2m:present": ButtonId("k3vq7x2m", Button.PRESENT),
    "b1:house:open": ButtonId("house", Button.OPEN),
    "b1:house:confirming:1": ButtonId("house", Button.CONFIRMING, 1),
    "b1:house:language": ButtonId("house", Button.LANGUAGE),
    "b1:house:server_language": ButtonId("house", Button.SERVER_LANGUAGE),
    "b1:k3vq7x2m:mfzwizlt:7:y": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.CONFIRM),
    "b1:k3vq7x2m:mfzwizlt:7:n:step.4": PanelId("k3vq7x2m", "mfzwizlt", 7, Action.NONE, "step.4"),
}
"""Custom ids as they stand in messages that were posted by now."""


@pytest.mark.parametrize(("text", "parts"), POSTED.items())
def test_what_is_posted_already_goes_on_working(text: str, parts: AnyId) -> None:
    assert parse(text) == parts
    assert pack(parts) == text


def test_every_kind_is_among_what_is_posted_already() -> None:
    assert {parts.button for parts in POSTED.values() if isinstance(parts, ButtonId)} == set(Button)
    assert {parts.action for parts in POSTED.values() if isinstance(parts, PanelId)} == set(Action)


def test_the_marks_of_messages_that_are_posted_already_are_known() -> None:
    assert (lobby.MARKER, panel.MARKER, board.MARKER, board.VERSION_MARKER) == (900, 950, 1_000, 10_000_000)
    assert panel.TYPED == "text"
