"""Somebody new learns a game: lesson after lesson, over a kill, in a server and in direct messages."""

from __future__ import annotations

from pathlib import Path

from bench.lessons import find_way
from bench.touches.controls import Step
from bot.domain.lessons import lesson_at
from bot.pages.custom_ids import Action, AnyId, Button, ButtonId, PanelId, parse
from bot.pages.texts import Texts
from engines.core.contract import Msg
from engines.core.lessons import Lesson, lessons
from tests.e2e.stage import TABLES, Json, Player, Stage, components_of, has
from tests.kit.reading import text_of
from tests.kit.waiting import eventually

GAME = "volo"
ENGLISH = Texts()


class Pupil:
    """A person who learns by what the newest private message offers."""

    def __init__(self, player: Player, channel: str) -> None:
        self.window = player.window
        self.channel = channel
        self.shown: Json = {}

    async def begin(self) -> None:
        """Ask for the lessons."""
        outcome = await self.window.command(self.channel, "learn", game=GAME)
        assert outcome.message is not None
        self.shown = outcome.message

    async def press(self, fits: AnyId | Step) -> None:
        """Press the first control that fits, and wait for what becomes of the message."""
        mark = len(self.window.received)
        await self.window.press(self.shown, self.id_of(fits))
        self.shown = await self.window.updated(self.shown, since=mark)

    async def do(self, lesson: Lesson) -> None:
        """Do a lesson that is open with as few touches as it takes."""
        for step in await find_way(lesson, lesson.solutions[0]):
            await self.press(step)

    def id_of(self, fits: AnyId | Step) -> str:
        """Return the custom id of the first control that fits; raises ``LookupError``."""
        for item in components_of(self.shown):
            place = parse(item["custom_id"])
            if place == fits or (isinstance(fits, Step) and isinstance(place, PanelId) and fits.is_at(place)):
                return str(item["custom_id"])
        raise LookupError(fits)

    def reads(self, message: Msg) -> bool:
        """Return whether a text of the game stands in the message."""
        return ENGLISH.game(GAME, message) in text_of(self.shown)


def opening(number: int) -> ButtonId:
    return ButtonId(GAME, Button.LESSON, number)


async def test_a_game_is_learnt_over_a_kill_and_then_the_first_match_begins(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        pupil = Pupil(stage.alba, TABLES)
        await pupil.begin()
        course = lessons(GAME)
        for number, lesson in enumerate(course, 1):
            await pupil.press(opening(number))
            assert pupil.reads(lesson.story)
            if number == 3:
                await pupil.press((await find_way(lesson, lesson.solutions[0]))[0])
                await stage.kill_bot()
                await stage.start_bot()
                # The panel of before goes on working, with its draft.
                await pupil.press(Step(Action.BACK))
            await pupil.do(lesson)
            assert pupil.reads(lesson.praise)
        # What was done is kept.
        again = Pupil(stage.alba, TABLES)
        await again.begin()
        assert text_of(again.shown).count("✅") == len(course)
        first = again.id_of(ButtonId(GAME, Button.FIRST_MATCH))
        await again.window.press(again.shown, first)
        await stage.alba.start(await stage.alba.table())
        board = await eventually(lambda: a_board(stage.alba))
        assert "Fledgling" in text_of(board)
        # Nobody else has seen anything of it.
        assert not any(lesson_of(message) for message in stage.bruno.window.seen.values())
        assert stage.sandbox.violations == []


async def test_lessons_work_in_direct_messages(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        channel = str((await stage.alba.window.dm())["id"])
        pupil, lesson = Pupil(stage.alba, channel), lessons(GAME)[0]
        await pupil.begin()
        await pupil.press(opening(1))
        await pupil.do(lesson)
        assert pupil.reads(lesson.praise)
        await pupil.press(ButtonId(GAME, Button.LEARN))
        assert text_of(pupil.shown).count("✅") == 1
        assert stage.sandbox.violations == []


def a_board(player: Player) -> Json | None:
    """Return a board that a person sees, if there is one."""
    return next((message for message in player.window.seen.values() if has(message, Button.TURN)), None)


def lesson_of(message: Json) -> bool:
    places = (parse(item["custom_id"]) for item in components_of(message))
    return any(isinstance(place, PanelId) and lesson_at(place.match) is not None for place in places)
