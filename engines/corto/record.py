"""States and views as plain JSON data, for digests and the console."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from engines.core.contract import Fact
from engines.corto.quests import quest_of
from engines.corto.state import State
from engines.corto.view import CharacterView, GoldView, GroupView, PlayerView, QuestView, TurnView, View


def record(state: State) -> dict[str, Any]:
    """Return the whole truth as plain JSON data."""
    public = state.public
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
        "limited": _limited(colours, public.limited),
        "discards": _lists(public.strips, public.discards),
        "quests": _quests(public.quests, colours),
        "first": colours[public.first],
        "place": None if public.place is None else colours[public.place],
        "turn": _turn(public.turn, colours),
        "passes": public.passes,
        "recap": facts_data(public.recap),
        "news": facts_data(public.news),
        "gone": [colours[seat] for seat in public.left],
        "ranks": _ranks(public.ranks, colours),
        "reason": public.reason,
        "decks": _lists(public.strips, state.decks),
        "hands": _lists(colours, state.hands),
        "faces": _lists(public.strips, state.faces),
        "seen": _lists(colours, state.seen),
        "under": _lists(colours, state.under),
    }


def describe(view: View) -> dict[str, Any]:
    """Return a view as plain JSON data; what it shares with a situation has the situation's shape."""
    players = view.players
    colours = tuple(player.colour for player in players)
    return {
        "viewer": view.viewer,
        "step": view.step,
        "phase": view.phase.value,
        "seats": list(colours),
        "strips": list(view.strips),
        "board": _board(view.board, colours),
        "figurines": {"corto": view.corto, "rasputin": view.rasputin},
        "stock": {player.colour: player.stock for player in players},
        "seal": {player.colour: len(player.seal) for player in players},
        "sealed": {player.colour: list(player.seal) for player in players},
        "corto_gold": {player.colour: player.corto_gold for player in players},
        "kept": {player.colour: list(player.kept) for player in players},
        "hands": {player.colour: _hand(player) for player in players},
        "to_draw": {player.colour: player.to_draw for player in players},
        "limited": _limited(colours, tuple(player.limited for player in players)),
        "decks": dict(zip(view.strips, view.decks, strict=True)),
        "discards": _lists(view.strips, view.discards),
        "quests": _quests(view.quests, colours),
        "gold": {colours[line.seat]: _gold(line) for line in view.gold},
        "groups": [_group(group, colours) for group in view.groups],
        "first": colours[view.first],
        "asked": [colours[seat] for seat in view.asked],
        "place": None if view.place is None else colours[view.place],
        "turn": _turn(view.turn, colours),
        "passes": view.passes,
        "recap": facts_data(view.recap),
        "news": facts_data(view.news),
        "draft": facts_data(view.draft),
        "chosen": view.chosen,
        "marks": [{"square": mark.square, "kind": mark.kind} for mark in view.marks],
        "gone": [colours[seat] for seat in view.left],
        "known_under": [{"deck": card.deck, "card": card.card} for card in view.known_under],
        "ranks": _ranks(view.ranks, colours),
        "reason": view.reason,
    }


def facts_data(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    """Return facts as plain JSON data."""
    return [{"kind": fact.kind, **dict(fact.data)} for fact in facts]


def _lists(keys: Iterable[str], values: Iterable[Iterable[str]]) -> dict[str, list[str]]:
    return {key: list(cards) for key, cards in zip(keys, values, strict=True)}


def _limited(colours: tuple[str, ...], limited: tuple[tuple[str, ...] | None, ...]) -> dict[str, list[str]]:
    """Return what skips have shown of hands, by colour; those of which nothing is known are left out."""
    if not limited:
        return {}
    return {colour: list(cards) for colour, cards in zip(colours, limited, strict=True) if cards is not None}


def _board(board: tuple[CharacterView, ...], colours: tuple[str, ...]) -> dict[str, Any]:
    return {
        found.square: {
            "card": found.card,
            "markers": {colour: count for colour, count in zip(colours, found.markers, strict=True) if count},
        }
        for found in board
    }


def _hand(player: PlayerView) -> list[dict[str, Any]]:
    return [{"deck": card.deck, "card": card.card} for card in player.hand]


def _quests(quests: tuple[QuestView, ...], colours: tuple[str, ...]) -> dict[str, Any]:
    return {
        quest.strip: quest_of(quest.strip).describe(quest.strip, quest.pieces, colours) for quest in quests
    }


def _gold(line: GoldView) -> dict[str, int]:
    quests = {f"quest {strip}": gold for strip, gold in line.quests}
    return {
        "largest": line.largest,
        "others": line.others,
        "seal": line.seal,
        "corto": line.corto,
        **quests,
        "total": line.total,
    }


def _group(group: GroupView, colours: tuple[str, ...]) -> dict[str, Any]:
    return {
        "seat": colours[group.seat],
        "squares": list(group.squares),
        "largest": group.largest,
        "gold": group.gold,
    }


def _turn(turn: TurnView | None, colours: tuple[str, ...]) -> dict[str, Any] | None:
    if turn is None:
        return None
    return {**asdict(turn), "seat": colours[turn.seat]}


def _ranks(ranks: tuple[tuple[int, ...], ...] | None, colours: tuple[str, ...]) -> list[list[str]] | None:
    return None if ranks is None else [[colours[seat] for seat in rank] for rank in ranks]
