"""The table as it is set up: adventures chosen, decks shuffled, starting characters on column 1."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import Option, OptionChoice, Seat, Setup, msg
from engines.core.rng import Rng
from engines.corto import events
from engines.corto.board import square_at
from engines.corto.cards import ADVENTURES, CARDS, Kind
from engines.corto.names import adventure_name
from engines.corto.quests import quest_of
from engines.corto.rulesets import RULESETS, Ruleset
from engines.corto.state import COLOURS, HAND, MARKERS, Cards, CharacterView, Phase, Public, QuestView, State

RANDOM = "random"
SLOTS = 4
"""Adventures that a host may choose."""
STRIPS = {2: 3, 3: 4, 4: 4}
"""Adventures of a match, by its seats."""

OPTIONS = tuple(
    Option(
        f"adventure{number}",
        msg("option.adventure", number=number),
        (
            OptionChoice(RANDOM, msg("option.random")),
            *(
                OptionChoice(key, msg("option.named", letter=key, adventure=adventure_name(key)))
                for key in ADVENTURES
            ),
        ),
        RANDOM,
    )
    for number in range(1, SLOTS + 1)
)
"""The host's choices: an adventure in each slot, or any."""


def dealt(setup: Setup, rng: Rng) -> State:
    """Return the beginning of a match: all that is left to chance is drawn from ``rng`` at step 0."""
    chosen, stream = named(setup), rng.stream(0, "adventures")
    others = stream.shuffled(tuple(key for key in ADVENTURES if key not in chosen))
    strips = stream.shuffled((*chosen, *others[: STRIPS[setup.seats] - len(chosen)]))
    starts, decks = [], []
    for strip in strips:
        stream = rng.stream(0, "deck", strip)
        cards = list(stream.shuffled(tuple(sorted(card for card in CARDS if card[0] == strip))))
        starts.append(next(card for card in cards if CARDS[card].kind is Kind.CHARACTER))
        cards.remove(starts[-1])
        # The cards turned up before the character go back, so the deck is shuffled again.
        decks.append(stream.shuffled(cards))
    return opening(
        ruleset=RULESETS[setup.ruleset],
        colours=COLOURS[: setup.seats],
        strips=strips,
        starts=tuple(starts),
        decks=tuple(decks),
        faces=tuple(
            quest_of(strip).faces(ADVENTURES[strip], rng.stream(0, "quest", strip)) for strip in strips
        ),
        first=rng.stream(0, "first").below(setup.seats),
    )


def named(setup: Setup) -> tuple[str, ...]:
    """Return the adventures that the host has named, each once, as many as can be played."""
    return tuple(dict.fromkeys(key for _, key in setup.options if key != RANDOM))[: STRIPS[setup.seats]]


def opening(
    ruleset: Ruleset,
    colours: tuple[str, ...],
    strips: tuple[str, ...],
    starts: tuple[str, ...],
    decks: tuple[Cards, ...],
    faces: tuple[Cards, ...],
    first: Seat,
) -> State:
    """Return a match that waits for the first marker.

    ``starts``: each strip's starting character; ``decks``, ``faces``: by strip, as :class:`State` has them.
    """
    none: tuple[Cards, ...] = ((),) * len(colours)
    board = tuple(
        CharacterView(square_at(strip, 1), card, (0,) * len(colours))
        for strip, card in zip(strips, starts, strict=True)
    )
    began = events.began(strips, starts, first)
    public = replace(untouched(ruleset, colours, strips, first), board=board, recap=(began,), news=(began,))
    return State(public, decks, none, faces, none, none)


def untouched(ruleset: Ruleset, colours: tuple[str, ...], strips: tuple[str, ...], first: Seat) -> Public:
    """Return what everybody knows of a table on which nothing lies yet but quests and markers."""
    none: tuple[Cards, ...] = ((),) * len(colours)
    return Public(
        ruleset=ruleset,
        step=0,
        phase=Phase.START,
        colours=colours,
        strips=strips,
        board=(),
        corto=None,
        rasputin=None,
        stock=(MARKERS,) * len(colours),
        seal=none,
        corto_gold=(0,) * len(colours),
        kept=none,
        to_draw=(HAND,) * len(colours),
        limited=(None,) * len(colours),
        discards=((),) * len(strips),
        quests=tuple(QuestView(strip, quest_of(strip).begin(ADVENTURES[strip])) for strip in strips),
        first=first,
        place=first,
        turn=None,
    )
