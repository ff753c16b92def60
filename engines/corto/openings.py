"""What may be begun: cards that may be played next, and what forbids the beginning of a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.corto import acting, advantages, aims, playing
from engines.corto.cards import Card, Kind
from engines.corto.course import Course, Duty, decks
from engines.corto.effects import refuse
from engines.corto.files import CARDS
from engines.corto.grammar import CARD_VERBS
from engines.corto.notation import Word
from engines.corto.steps import Step, Verb


def check_open(course: Course, words: list[Word]) -> None:
    """Raise :class:`~engines.core.contract.IllegalAction` where no step begins with the open words."""
    verb = words[0].text
    if verb in CARD_VERBS:
        course.check_verb(CARD_VERBS[verb])
        if len(words) > 1:
            _check_card(course, CARD_VERBS[verb], words)
        elif not any(verb == playing.verb_of(face) for face in playable(course)):
            raise refuse(f"none_to_{verb}")
        return
    if verb not in _OPEN:  # a step that is whole but for where its marker comes from
        return
    course.check_verb(_OPEN[verb], shot=verb == "shot")
    _OPENINGS.get(verb, _check_nothing)(course, words)


def _check_nothing(course: Course, words: list[Word]) -> None:
    """The verb alone says it."""


def _check_move(course: Course, words: list[Word]) -> None:
    table = course.table
    square = words[1].one if len(words) > 1 else next(iter(advantages.own_squares(table)), "")
    advantages.check_move(table, Step(Verb.MOVE, square=square))


def _check_kill(course: Course, words: list[Word]) -> None:
    shot = words[0].text == "shot"
    _check_hit(course, shot=shot, only_kills=not shot or len(words) > 1)


def _check_train(course: Course, words: list[Word]) -> None:  # noqa: ARG001
    acting.check_train(course.table, Step(Verb.TRAIN))


def _check_sail(course: Course, words: list[Word]) -> None:  # noqa: ARG001
    table = course.table
    acting.check_sail(table, Step(Verb.SAIL, word=next(iter(aims.sides(table)), "")))


def _check_draw(course: Course, words: list[Word]) -> None:  # noqa: ARG001
    if not decks(course.table) or (course.duty is Duty.TOSS and not course.draws_after()):
        raise refuse("no_draws")


_OPENINGS: Mapping[str, Callable[[Course, list[Word]], None]] = {
    "move": _check_move,
    "kill": _check_kill,
    "shot": _check_kill,
    "hit": _check_train,
    "sail": _check_sail,
    "draw": _check_draw,
}


def _check_hit(course: Course, *, shot: bool, only_kills: bool) -> None:
    """Raise unless something may be hit, or killed."""
    found = acting.check_aim(course.table, shot=shot)
    if aims.kills(course.table, found) or (not only_kills and aims.takes(course.table, found)):
        return
    raise refuse("none_to_kill" if only_kills else "none_to_shoot")


_OPEN: Mapping[str, Verb] = {
    "start": Verb.START,
    "shot": Verb.KILL,
    "kill": Verb.KILL,
    "hit": Verb.TRAIN,
    "sail": Verb.SAIL,
    "draw": Verb.DRAW,
    "move": Verb.MOVE,
}


def _check_card(course: Course, verb: Verb, words: list[Word]) -> None:
    """Raise unless a card that is taken up has somewhere to go."""
    table = course.table
    card = playing.check_card(table, words[1].one, *_KINDS[verb])
    if verb is Verb.ADV:
        advantages.check_advantage(table, Step(verb, card=card.id))
        if card.effect == "swap" and len(words) > 2:
            advantages.check_swap(table, Step(verb, card=card.id, square=words[2].one))
    elif verb is Verb.PLAY:
        playing.check_room(table, card)
    elif verb is not Verb.USE:
        playing.check_way(table, card)


_KINDS: Mapping[Verb, tuple[Kind, ...]] = {
    Verb.PLAY: (Kind.CHARACTER,),
    Verb.CORTO: (Kind.CORTO,),
    Verb.RASPUTIN: (Kind.RASPUTIN,),
    Verb.ADV: (Kind.ADVANTAGE,),
    Verb.USE: (Kind.OBJECT,),
}


def playable(course: Course) -> tuple[Card, ...]:
    """Return the cards of the hand that may be played next, in the hand's order."""
    if course.duty is not Duty.TURN or course.revealed or course.half:
        return ()
    return tuple(card for card in map(CARDS.__getitem__, course.table.hand) if is_playable(course, card))


def is_playable(course: Course, card: Card) -> bool:
    """Return whether a card in hand may be played next."""
    table = course.table
    if len(table.turn.played) >= playing.MOST_CARDS:
        return False
    match card.kind:
        case Kind.CHARACTER:
            return bool(playing.character_places(table, card))
        case Kind.OBJECT:
            return table.turn.origin is not None and aims.has_target(table, card)
        case Kind.ADVANTAGE:
            return advantages.has_need(table, card)
        case _:
            return bool(playing.figurine_places(table, card))
