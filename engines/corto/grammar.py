"""The grammar: which words make a step, and what single words are short for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.core.contract import InvalidAction, msg
from engines.corto.files import CARDS
from engines.corto.notation import Kind, Word, parse, with_from
from engines.corto.steps import Step, Verb

CARD_VERBS: Mapping[str, Verb] = {
    verb.value: verb for verb in (Verb.PLAY, Verb.USE, Verb.CORTO, Verb.RASPUTIN, Verb.ADV)
}
_WHOLE: Mapping[str, Verb] = {verb.value: verb for verb in (Verb.GOLD, Verb.END, Verb.DISCARD, Verb.ENOUGH)}


def misplaced(word: Word) -> InvalidAction:
    """Return the refusal of a word that cannot stand where it does."""
    return InvalidAction(msg("error.misplaced", word=word.text))


# --- words that stand for others ------------------------------------------------------------------


def _verb_and(verb: str) -> Callable[[Word], tuple[Word, ...]]:
    return lambda word: (parse(verb), word)


SHOTS: Mapping[Kind, Callable[[Word], tuple[Word, ...]]] = {
    Kind.SHOT_TAKE: lambda word: (parse("shot"), parse(f"-{word.one}:{word.other}")),
    Kind.SHOT_KILL: lambda word: (parse("shot"), parse("kill"), parse(word.one)),
    Kind.KILL: lambda word: (parse("shot"), parse("kill"), parse(word.one)),
}

SHORT: Mapping[Kind, Callable[[Word], tuple[Word, ...]]] = {
    Kind.TRAIN: _verb_and("hit"),
    Kind.SIDE: _verb_and("sail"),
    Kind.PATH: _verb_and("move"),
    Kind.KILL: lambda word: (parse("kill"), parse(word.one)),
    Kind.SHOT_TAKE: SHOTS[Kind.SHOT_TAKE],
    Kind.SHOT_KILL: SHOTS[Kind.SHOT_KILL],
}


def joined(words: list[Word], word: Word) -> list[Word]:
    """Return the open words with one more; ``<c2`` and the second square of a move join the last one."""
    if words and words[-1].kind in (Kind.SQUARE, Kind.ADD):
        last = words[-1]
        if word.kind is Kind.FROM and not last.other:
            return [*words[:-1], with_from(last, word.one)]
        if word.kind is Kind.SQUARE and words[0].text == "move" and not word.other and not last.other:
            return [*words[:-1], parse(f"{last.one}>{word.one}")]
    return [*words, word]


def step_of(words: list[Word]) -> Step | None:
    """Return the step that words are, ``None`` while they are only its beginning.

    Raises :class:`InvalidAction` where they begin none.
    """
    first = words[0]
    if first.kind is Kind.VERB:
        return _of_verb(first.text, words)
    if len(words) > 1:
        raise misplaced(words[-1])
    match first.kind:
        case Kind.ADD:
            return Step(Verb.ADD, square=first.one, origin=first.other)
        case Kind.TAKE:
            return Step(Verb.TAKE, square=first.one, colour=first.other)
        case Kind.DECK:
            return Step(Verb.DRAW, word=first.one)
        case Kind.CARD:
            return Step(Verb.TOSS, card=first.one)
        case _:
            raise misplaced(first)


# --- verbs ----------------------------------------------------------------------------------------


def _of_verb(verb: str, words: list[Word]) -> Step | None:
    """Return the step that words with a verb are, ``None`` while it is incomplete; raises InvalidAction."""
    rest = words[1:]
    if verb in _WHOLE:
        if rest:
            raise misplaced(rest[0])
        return Step(_WHOLE[verb])
    if verb in CARD_VERBS:
        return _of_card(CARD_VERBS[verb], rest)
    if not rest:
        return None
    if verb == "shot":
        return _of_shot(rest)
    if len(rest) > 1 or rest[0].kind not in _REST[verb]:
        raise misplaced(rest[-1])
    word = rest[0]
    return _ONE_WORD[verb](word)


_REST: Mapping[str, tuple[Kind, ...]] = {
    "start": (Kind.SQUARE,),
    "kill": (Kind.SQUARE,),
    "hit": (Kind.TRAIN,),
    "sail": (Kind.SIDE,),
    "draw": (Kind.DECK,),
    "move": (Kind.SQUARE, Kind.PATH),
}


def _kill(word: Word, *, shot: bool = False) -> Step:
    if word.other:
        raise misplaced(word)
    return Step(Verb.KILL, square=word.one, shot=shot)


def _of_shot(rest: list[Word]) -> Step | None:
    first = rest[0]
    if first.kind is Kind.TAKE and len(rest) == 1:
        return Step(Verb.TAKE, square=first.one, colour=first.other, shot=True)
    if first.text != "kill" or len(rest) > 2:
        raise misplaced(rest[-1])
    if len(rest) == 1:
        return None
    if rest[1].kind is not Kind.SQUARE:
        raise misplaced(rest[1])
    return _kill(rest[1], shot=True)


def _of_card(verb: Verb, rest: list[Word]) -> Step | None:
    if not rest:
        return None
    card = rest[0]
    if card.kind is not Kind.CARD:
        raise misplaced(card)
    if verb is Verb.USE:
        return _alone(Step(verb, card=card.one), rest)
    if verb is Verb.ADV:
        return _of_advantage(card.one, rest)
    if len(rest) == 1:
        return None
    place = rest[1]
    if len(rest) > 2 or place.kind is not Kind.SQUARE or (place.other and verb is not Verb.PLAY):
        raise misplaced(rest[-1])
    return Step(verb, card=card.one, square=place.one, origin=place.other)


def _alone(step: Step, rest: list[Word]) -> Step:
    if len(rest) > 1:
        raise misplaced(rest[1])
    return step


def _of_advantage(card: str, rest: list[Word]) -> Step | None:
    effect, said = CARDS[card].effect, rest[1:]
    kinds = _SAID.get(effect, ())
    for word, kind in zip(said, kinds, strict=False):
        if word.kind is not kind or (kind is Kind.SQUARE and word.other):
            raise misplaced(word)
    if len(said) > len(kinds):
        raise misplaced(said[len(kinds)])
    if len(said) < len(kinds):
        return None
    match effect:
        case "swap":
            return Step(Verb.ADV, card=card, square=said[0].one, other=said[1].one)
        case "bribe":
            return Step(Verb.ADV, card=card, square=said[0].one, colour=said[0].other)
        case "pickpocket":
            return Step(Verb.ADV, card=card, colour=said[0].one)
        case _:
            return Step(Verb.ADV, card=card)


_SAID: Mapping[str, tuple[Kind, ...]] = {
    "swap": (Kind.SQUARE, Kind.SQUARE),
    "bribe": (Kind.OWNED,),
    "pickpocket": (Kind.COLOUR,),
}


def _move(word: Word) -> Step | None:
    return Step(Verb.MOVE, square=word.one, other=word.other) if word.kind is Kind.PATH else None


_ONE_WORD: Mapping[str, Callable[[Word], Step | None]] = {
    "start": lambda word: Step(Verb.START, square=word.one, origin=word.other),
    "kill": _kill,
    "hit": lambda word: Step(Verb.TRAIN),  # noqa: ARG005
    "sail": lambda word: Step(Verb.SAIL, word=word.one),
    "draw": lambda word: Step(Verb.DRAW, word=word.one),
    "move": _move,
}
"""Verbs after which one word is said."""
