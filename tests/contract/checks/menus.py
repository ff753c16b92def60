"""Menus: they lead to sentences that are accepted, in words and labels that the house can show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engines.core.contract import ActionError, Choice, Field, IllegalAction, InvalidAction, Menu, Seat, Words
from engines.core.match import Match
from engines.core.optional_methods import TakesNotes
from engines.core.player import walk
from engines.core.rng import Rng
from engines.core.texts import sentence
from tests.contract.checks.sampling import plain
from tests.contract.checks.secrets import attempt, prefixes, random_sentence
from tests.kit.samples import MORE

WORD = 60
SHOWN_AT_ONCE = 25
LABEL = 100
TRIED = 8 if MORE > 1 else 4
"""Choices of one menu that are followed to a whole sentence."""

ELSEWHERE = 6
"""Sentences of other moments that are tried at each."""


def check_menus(match: Match, seat: Seat, rng: Rng) -> None:
    """Follow a random sentence's menus, and some choices of each to the end."""
    game, view = match.game, match.view(seat)
    if game.menu(view) is None:
        assert seat not in game.waiting(view), f"seat {seat} is waited for and has no menu"
        return
    for draft in ((), *prefixes(random_sentence(match, seat, rng))):
        menu = game.menu(view, draft)
        assert menu is not None, "a word that was offered leads nowhere"
        check_menu(match, seat, menu)
        for number, choice in enumerate(_some_choices(menu, rng)):
            _check_choice(match, seat, menu, choice, rng.child("choice", number))


def check_menu(match: Match, seat: Seat, menu: Menu) -> None:
    """Check one menu by itself: normal form, what it says of its draft, what can be shown."""
    game, view = match.game, match.view(seat)
    again = game.menu(view, menu.draft)
    assert again == menu, "the normal form of a draft has another menu"
    assert menu.complete or not menu.closing, "closing, but not complete"
    assert menu.complete or menu.fields, "neither complete nor any word to go on with"
    for draft in prefixes(menu.draft):
        assert game.menu(view, draft) is not None, "a beginning of a draft is no draft"
    answer = attempt(match, seat, menu.draft)
    assert isinstance(answer, str) is not menu.complete, f"complete is {menu.complete}, act says otherwise"
    assert game.read(game.write(menu.draft)) == menu.draft, "notation does not come back"
    _check_words(menu)
    for part in menu.fields:
        _check_field(part)
    assert len(plain(game).menu(menu)["prompt"]) <= LABEL * 3
    for part_data in plain(game).menu(menu)["fields"]:
        for choice in part_data["choices"]:
            assert 0 < len(choice["label"]) <= LABEL, "a label that Discord cannot show"
            assert choice["detail"] is None or 0 < len(choice["detail"]) <= LABEL


def _check_words(menu: Menu) -> None:
    words = [choice.word for choice in menu.choices()]
    assert len(words) == len(set(words)), "one word twice in a menu"
    shuffled = ["".join(part.shuffle[: part.take or None]) for part in menu.fields if part.shuffle]
    for word in (*words, *shuffled):
        assert 0 < len(word) <= WORD, "a word is empty or too long"
        assert word.isprintable(), "a word has signs that cannot be shown"
        assert not any(sign.isspace() for sign in word), "a word has a space"


def _check_field(part: Field) -> None:
    assert bool(part.choices) is not bool(part.shuffle), "a field has either choices or a shuffle"
    assert 0 <= part.take <= len(part.shuffle), "more is drawn than there is to draw from"
    keys = [group.key for group in part.groups]
    assert len(keys) == len(set(keys)) <= SHOWN_AT_ONCE, "too many groups, or one twice"
    assert {choice.group for choice in part.choices} <= {*keys, ""}, "a choice names no group of its field"
    assert part.chosen in {"", *(choice.word for choice in part.choices)}, "what is chosen is no choice"
    if len(part.choices) > SHOWN_AT_ONCE:
        sizes = [sum(choice.group == key for choice in part.choices) for key in keys]
        assert sum(sizes) == len(part.choices), "more than 25 choices, and some in no group"
        assert max(sizes) <= SHOWN_AT_ONCE, "a group of more than 25 choices"


def _some_choices(menu: Menu, rng: Rng) -> tuple[Choice, ...]:
    return rng.stream("choices", len(menu.draft)).shuffled(menu.choices())[:TRIED]


def _check_choice(match: Match, seat: Seat, menu: Menu, choice: Choice, rng: Rng) -> None:
    game, view = match.game, match.view(seat)
    draft = (*menu.draft, choice.word)
    following = game.menu(view, draft)
    assert following is not None, "a word that was offered leads nowhere"
    assert following.reveals is choice.reveals, "the menu says otherwise than the choice whether it reveals"
    if choice.reveals:
        assert following.complete, "a word that reveals ends its sentence"
        assert following.closing, "a word that reveals is offered to be confirmed"
        assert not following.fields, "a word that reveals ends its sentence"
        before = game.describe(game.preview(view, menu.draft))
        assert game.describe(game.preview(view, draft)) == before, "a preview reveals"
    words = walk(game, view, following, rng, asides=True)
    assert not isinstance(attempt(match, seat, words), str), "a sentence from the menu is refused"


def check_told(match: Match, seat: Seat, rng: Rng) -> None:
    """Check that sentences of a seat which differ are told in different words, notes aside."""
    game, view, found = match.game, match.view(seat), dict[tuple[str, ...], Words]()
    for number in range(TRIED):
        words = random_sentence(match, seat, rng.child("told", number))
        if not words or (isinstance(game, TakesNotes) and game.is_note(words)):
            continue
        menu = game.menu(view, words)
        assert menu is not None
        said = tuple(map(plain(game).text, sentence(game, view, words)))
        assert said, "a sentence is told by nothing"
        assert found.setdefault(said, menu.draft) == menu.draft, f"two sentences are told alike: {said}"


def check_refusals(match: Match, seat: Seat, words: Words) -> None:
    """Any words at all: taken exactly if the menu calls them complete, else one of the two errors."""
    answer = attempt_kind(match, seat, words)
    try:
        menu = match.game.menu(match.view(seat), words)
    except ActionError:
        menu = None
    complete = menu is not None and menu.complete
    assert (answer is None) is complete, f"act says {answer}, the menu that complete is {complete}"


NO_WORD = "~"
"""A word that no game knows."""


def check_strange_words(moments: Iterable[Match], pool: Sequence[Words], rng: Rng) -> None:
    """Words that are not a seat's or not of the moment: act takes none that its menus do not lead to.

    ``pool``: sentences said in matches of the same table, in every phase.
    """
    for number, match in enumerate(moments):
        for seat in range(match.setup.seats):
            for words in strange_words(match, seat, pool, rng.child("strange", number, seat)):
                check_refusals(match, seat, words)


def strange_words(match: Match, seat: Seat, pool: Sequence[Words], rng: Rng) -> Iterator[Words]:
    """Yield what other seats might say now, what was said at other times, and the seat's own words spoilt."""
    stream = rng.stream("strange")
    for other in range(match.setup.seats):
        yield random_sentence(match, other, rng.child("other", other))
    for _ in range(ELSEWHERE):
        yield stream.choice(pool)
    words = random_sentence(match, seat, rng.child("own")) or stream.choice(pool)
    strange = stream.choice(pool)
    yield ()
    yield words[:-1]
    yield (*words, words[-1])
    yield (*words, strange[-1])
    yield (*words[:-1], NO_WORD)
    yield words[::-1]
    for place in range(len(words))[:4]:
        yield (*words[:place], stream.choice(strange), *words[place + 1 :])
        yield (*words[:place], *words[place + 1 :])


def check_listed(match: Match, seat: Seat, listed: set[Words], tried: Iterable[Words]) -> None:
    """Check that act takes none of these words but what can be reached by the menus; notes are not listed."""
    for words in tried:
        if isinstance(match.game, TakesNotes) and match.game.is_note(words):
            continue
        if attempt_kind(match, seat, words) is None:
            menu = match.menu(seat, words)
            assert menu is not None, "act takes what no menu knows"
            known = any(draft in listed and _ends(match, seat, draft) for draft in prefixes(menu.draft))
            assert known or menu.draft in listed, f"act takes what no menu offers: {menu.draft}"


def _ends(match: Match, seat: Seat, draft: Words) -> bool:
    """Return whether the menus end here: after it, only typed words go on, such as draws in a row."""
    menu = match.menu(seat, draft)
    return menu is not None and menu.reveals


def attempt_kind(match: Match, seat: Seat, words: Words) -> type[ActionError] | None:
    """Return which of the two errors a sentence raises; ``None``: it is taken. Any other error goes on."""
    try:
        match.game.act(match.state, seat, words, Rng.of_match(match.seed))
    except (InvalidAction, IllegalAction) as error:
        plain(match.game).text(error.msg)
        return type(error)
    return None
