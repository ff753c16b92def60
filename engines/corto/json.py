"""States and views as plain JSON data, for digests and the console."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from engines.core.contract import Fact
from engines.corto.quests import quest_of
from engines.corto.scoring import GoldView
from engines.corto.state import CharacterView, Public, State
from engines.corto.view import HandCard, View


def record(state: State) -> dict[str, Any]:
    """Return the whole truth as plain JSON data."""
    public = state.public
    return {
        **_public(public),
        "decks": _lists(public.strips, state.decks),
        "hands": _lists(public.colours, state.hands),
        "faces": _lists(public.strips, state.faces),
        "seen": _lists(public.colours, state.seen),
        "under": _lists(public.colours, state.under),
    }


def describe(view: View) -> dict[str, Any]:
    """Return a view as plain JSON data; what it shares with a situation has the situation's shape."""
    colours = view.colours
    return {
        **_public(view),
        "viewer": view.viewer,
        "seal": {colour: len(cards) for colour, cards in zip(colours, view.seal, strict=True)},
        "hands": {colour: _hand(cards) for colour, cards in zip(colours, view.hands, strict=True)},
        "decks": dict(zip(view.strips, view.decks, strict=True)),
        "gold": {colours[line.seat]: _gold(line) for line in view.gold},
        "groups": [
            {**asdict(group), "seat": colours[group.seat], "squares": list(group.squares)}
            for group in view.groups
        ],
        "asked": [colours[seat] for seat in view.asked],
        "draft": facts_data(view.draft),
        "chosen": view.chosen,
        "marks": [{"square": mark.square, "kind": mark.kind} for mark in view.marks],
        "known_under": _hand(view.known_under),
    }


def _public(public: Public) -> dict[str, Any]:
    colours = public.colours
    return {
        "step": public.step,
        "phase": public.phase.value,
        "seats": list(colours),
        "strips": list(public.strips),
        "board": _board(public.board, colours),
        "figurines": {"corto": public.corto, "rasputin": public.rasputin},
        "stock": dict(zip(colours, public.stock, strict=True)),
        "sealed": _lists(colours, public.seal),
        "corto_gold": dict(zip(colours, public.corto_gold, strict=True)),
        "kept": _lists(colours, public.kept),
        "to_draw": dict(zip(colours, public.to_draw, strict=True)),
        "limited": {
            colours[seat]: list(cards) for seat, cards in enumerate(public.limited) if cards is not None
        },
        "discards": _lists(public.strips, public.discards),
        "quests": {
            quest.strip: quest_of(quest.strip).describe(quest.strip, quest.pieces, colours)
            for quest in public.quests
        },
        "first": colours[public.first],
        "place": None if public.place is None else colours[public.place],
        "turn": None if public.turn is None else {**asdict(public.turn), "seat": colours[public.turn.seat]},
        "passes": public.passes,
        "recap": facts_data(public.recap),
        "news": facts_data(public.news),
        "gone": [colours[seat] for seat in public.left],
        "ranks": None if public.ranks is None else [[colours[seat] for seat in row] for row in public.ranks],
        "reason": public.reason,
    }


def facts_data(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    """Return facts as plain JSON data."""
    return [{"kind": fact.kind, **dict(fact.data)} for fact in facts]


def _lists(keys: Iterable[str], values: Iterable[Iterable[str]]) -> dict[str, list[str]]:
    return {key: list(cards) for key, cards in zip(keys, values, strict=True)}


def _board(board: tuple[CharacterView, ...], colours: tuple[str, ...]) -> dict[str, Any]:
    return {
        found.square: {
            "card": found.card,
            "markers": {colour: count for colour, count in zip(colours, found.markers, strict=True) if count},
        }
        for found in board
    }


def _hand(cards: Iterable[HandCard]) -> list[dict[str, Any]]:
    return [{"deck": card.deck, "card": card.card} for card in cards]


def _gold(line: GoldView) -> dict[str, int]:
    quests = {f"quest {strip}": gold for strip, gold in line.quests}
    lines = {"largest": line.largest, "others": line.others, "seal": line.seal, "corto": line.corto}
    return {**lines, **quests, "total": line.total}
