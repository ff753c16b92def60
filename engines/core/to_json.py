"""Manifests, menus, facts and outcomes as plain JSON data, with their texts in English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engines.core.contract import Fact, Field, Menu, Msg, Outcome, Seat
from engines.core.match import AnyGame
from engines.core.optional_methods import Positional, Situational
from engines.core.setups import usual_seats
from engines.core.texts import Catalogue


@dataclass(frozen=True, slots=True)
class Plain:
    """Turns the objects of one game into JSON data. Seats are called by the sides' names."""

    game: AnyGame = field(repr=False)
    texts: Catalogue = field(repr=False)

    def text(self, message: Msg) -> str:
        """Return the message in English."""
        return self.texts.render(message, self.seat_name)

    def seat_name(self, seat: Seat) -> str:
        """Return the name of a side, as the manifest has it."""
        labels = self.game.manifest.seat_labels
        return self.text(labels[seat]) if seat < len(labels) else f"seat {seat}"

    def manifest(self) -> dict[str, Any]:
        """Return the game's manifest."""
        manifest = self.game.manifest
        return {
            "key": manifest.key,
            "title": manifest.title,
            "tagline": self.text(manifest.tagline),
            "ruleset": manifest.ruleset,
            "rulesets": list(manifest.rulesets),
            "seats": list(manifest.seats),
            "usual_seats": usual_seats(manifest),
            "seat_labels": [self.text(label) for label in manifest.seat_labels],
            "options": [
                {
                    "key": option.key,
                    "label": self.text(option.label),
                    "choices": [
                        {"key": c.key, "label": self.text(c.label), "settles": dict(c.settles)}
                        for c in option.choices
                    ],
                    "default": option.default,
                    "before": option.before,
                }
                for option in manifest.options
            ],
            "data_hashes": dict(manifest.data_hashes),
            "cooperative": manifest.cooperative,
            "position": isinstance(self.game, Positional),
            "situation": isinstance(self.game, Situational),
        }

    def menu(self, menu: Menu) -> dict[str, Any]:
        """Return a menu; ``sentence`` is its draft as :meth:`Game.act` takes it, or null."""
        return {
            "key": menu.key,
            "prompt": self.text(menu.prompt),
            "draft": list(menu.draft),
            "sentence": self.game.write(menu.draft) if menu.complete else None,
            "fields": [self._field(part) for part in menu.fields],
            "complete": menu.complete,
            "closing": menu.closing,
            "keep": menu.keep,
            "reveals": menu.reveals,
        }

    def _field(self, part: Field) -> dict[str, Any]:
        return {
            "key": part.key,
            "label": self.text(part.label),
            "widget": part.widget.value,
            "groups": [{"key": group.key, "label": self.text(group.label)} for group in part.groups],
            "choices": [
                {
                    "word": choice.word,
                    "label": self.text(choice.label),
                    "detail": None if choice.detail is None else self.text(choice.detail),
                    "group": choice.group or None,
                    "reveals": choice.reveals,
                    "aside": choice.aside,
                    "style": choice.style.value,
                }
                for choice in part.choices
            ],
            "shuffle": list(part.shuffle),
            "take": part.take,
        }

    def facts(self, facts: Iterable[tuple[int, Fact]]) -> list[dict[str, Any]]:
        """Return facts with the number of their batch, their data, and their text or null."""
        return [{"batch": batch, **self.fact(fact)} for batch, fact in facts]

    def fact(self, fact: Fact) -> dict[str, Any]:
        """Return one fact; its data are beside ``kind`` and ``text``."""
        told = self.game.narrate(fact)
        return {"kind": fact.kind, **dict(fact.data), "text": None if told is None else self.text(told)}

    def outcome(self, outcome: Outcome | None) -> Mapping[str, Any] | None:
        """Return an outcome: ranks, best first; reasons in words; scores by seat.

        ``won`` is added if all have played together.
        """
        if outcome is None:
            return None
        found = {
            "ranks": [list(rank) for rank in outcome.ranks],
            "reasons": [self.text(reason) for reason in outcome.reasons],
            "scores": {str(seat): score for seat, score in outcome.scores},
        }
        return found if outcome.won is None else {**found, "won": outcome.won}
