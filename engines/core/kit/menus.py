"""Menus of the simplest kind."""

from __future__ import annotations

from collections.abc import Collection

from engines.core.contract import Field, IllegalAction, InvalidAction, Menu, Msg, Words, msg


def one_word(draft: Words, key: str, prompt: Msg, field: Field, words: Collection[str] = ()) -> Menu:
    """Return the menu of a sentence that is one of the field's words.

    ``words`` are all that this game ever takes here, if they are more than the field offers now.
    Raises :class:`IllegalAction` with the text ``error.not_now`` for one of them that is not offered, and
    :class:`InvalidAction` with the text ``error.word`` for anything else; both have the gap ``word``.
    """
    if not draft:
        return Menu(key, prompt, draft, (field,), complete=False, closing=False)
    offered = {choice.word: choice for choice in field.choices}
    if len(draft) == 1 and draft[0] in offered:
        reveals = offered[draft[0]].reveals
        return Menu(key, prompt, draft, (), complete=True, closing=True, reveals=reveals)
    if len(draft) == 1 and draft[0] in words:
        raise IllegalAction(msg("error.not_now", word=draft[0]))
    raise InvalidAction(msg("error.word", word=" ".join(draft)))
