"""Lessons hold what they promise: aims that can be reached by touching, and a word for whatever is tried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bench.lessons import MOST, is_drawn, seconds, way_to
from bench.touches.ways import NoWay
from bot.pages.texts import GameTexts, Texts
from engines.core.contract import ActionError, Words
from engines.core.lessons import Lesson
from engines.core.listing import NotListable, legal
from engines.core.optional_methods import TakesNotes
from engines.core.player import walk
from engines.core.rng import Rng
from renderers.core.registry import renderers_by_game
from tests.contract.checks.pictures import check_pictures
from tests.kit.samples import MORE

FEWEST, MANY = 5, 8
"""Lessons that a game has."""

LISTED = 1_500 if MORE > 1 else 300
"""Sentences up to which all are tried; where there are more, some are drawn."""

DRAWN = 100 * min(MORE, 4) if MORE > 1 else 40

KEY = 16
"""Characters of a lesson's key: it stands in custom ids."""

TEXT = 600
"""Characters of a text: with all others it has to fit on a phone."""


def sentences(lesson: Lesson) -> tuple[Sequence[Words], bool]:
    """Return sentences that may be said in a lesson, and whether these are all but longer notes."""
    match, seat = lesson.start, lesson.seat
    view, menu = match.view(seat), match.menu(seat)
    assert menu is not None, f"{lesson.key}: nothing is asked there"
    try:
        return (*legal(match.game, view, LISTED), *notes(lesson)), True
    except NotListable:
        rng = Rng(bytes(32)).child("lesson", lesson.key)
        drawn = (walk(match.game, view, menu, rng.child("try", n), asides=True) for n in range(DRAWN))
        return list(dict.fromkeys(drawn)), False


def notes(lesson: Lesson) -> Sequence[Words]:
    """Return the notes that may be made in a lesson, none with another before it: no list has them."""
    game, view = lesson.start.game, lesson.start.view(lesson.seat)
    if not isinstance(game, TakesNotes):
        return ()
    found: dict[Words, None] = {}
    seen, drafts = set[Words](), [Words()]
    while drafts:
        menu = game.menu(view, drafts.pop())
        if menu is None or menu.draft in seen:
            continue
        seen.add(menu.draft)
        if menu.complete:
            found[menu.draft] = None
            continue
        words = ((*menu.draft, choice.word) for choice in menu.choices())
        drafts += (draft for draft in words if game.is_note(draft))
    return tuple(found)


def check_aim(lesson: Lesson) -> None:
    """Check that each solution reaches the aim, and that the panel's controls lead to it."""
    assert lesson.solutions, f"{lesson.key}: no solution"
    for solution in lesson.solutions:
        said = lesson.start.game.write(solution)
        try:
            assert lesson.judge(solution).reached, f"{lesson.key}: {said} does not reach the aim"
        except ActionError as error:
            raise AssertionError(f"{lesson.key}: {said} is refused ({error.msg.key})") from None
        try:
            # What the house draws is not chosen, but it can be typed: no touches lead to it for certain.
            assert is_drawn(lesson) or way_to(lesson, solution)
        except NoWay:
            raise AssertionError(f"{lesson.key}: no touches lead to {said}") from None


def check_answers(lesson: Lesson) -> None:
    """Check that whatever may be said is answered, and that each answer is said to something."""
    found, complete = sentences(lesson)
    verdicts = [lesson.judge(words) for words in found]
    wrong = {verdict.word for verdict in verdicts if not verdict.reached}
    assert wrong, f"{lesson.key}: whatever is said reaches the aim"
    assert all((verdict.word == lesson.praise) is verdict.reached for verdict in verdicts)
    unsaid = {answer.word.key for answer in lesson.answers} - {word.key for word in wrong}
    assert not complete or not unsaid, f"{lesson.key}: nothing is answered by {sorted(unsaid)}"


def check_texts(lesson: Lesson) -> None:
    """Check that all texts are there and short, and that the key fits into a custom id."""
    texts = GameTexts(Texts(), lesson.game)
    assert lesson.key.isidentifier(), f"{lesson.key} is no key"
    assert len(lesson.key) <= KEY, f"{lesson.key}: the key is too long"
    for message in lesson.texts():
        assert 0 < len(texts.say(message)) <= TEXT, f"{message.key} is empty or too long"


def check_picture(lesson: Lesson) -> None:
    """Check that its position can be painted, and what the first solution leads to."""
    renderer = renderers_by_game().get(lesson.game)
    if renderer is not None:
        check_pictures(renderer, lesson.start, lesson.seat)
        check_pictures(renderer, lesson.judge(lesson.solutions[0]).after, lesson.seat)


def check_course(lessons: Iterable[Lesson]) -> None:
    """Check that a game has neither too few lessons nor too many, and that they take ten minutes at most."""
    course = tuple(lessons)
    assert FEWEST <= len(course) <= MANY, f"there are {len(course)} lessons"
    assert len({lesson.key for lesson in course}) == len(course), "two lessons share a key"
    taken = sum(map(seconds, course))
    assert taken <= MOST, f"the lessons take {taken / 60:.1f} minutes"
