"""Set-ups: what a host chose, checked against the manifest and completed with its defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engines.core.contract import Manifest, Setup


def complete(manifest: Manifest, seats: int | None = None, options: Mapping[str, str] | None = None) -> Setup:
    """Return the set-up for a table of ``seats`` (the smallest, if left out) with ``options``.

    Options that are left out have their defaults. Raises ``ValueError`` for what the game does not offer.
    """
    table = manifest.seats[0] if seats is None else seats
    if table not in manifest.seats:
        raise ValueError(f"{manifest.key} is for {_list(map(str, manifest.seats))} seats, not {table}")
    chosen = dict(options or {})
    values = tuple((option.key, chosen.pop(option.key, option.default)) for option in manifest.options)
    if chosen:
        known = _list(option.key for option in manifest.options) or "none"
        raise ValueError(f"{manifest.key} has no option {min(chosen)!r}; its options: {known}")
    for option, (key, value) in zip(manifest.options, values, strict=True):
        keys = [choice.key for choice in option.choices]
        if value not in keys:
            raise ValueError(f"option {key!r} is {_list(keys)}, not {value!r}")
    return Setup(manifest.key, manifest.ruleset, table, values)


def settled(manifest: Manifest, setup: Setup) -> Setup:
    """Return the set-up that will apply: with what chosen values settle for other options.

    That holds whatever the host has chosen there. What is settled settles nothing more.
    """
    chosen = dict(setup.options)
    values = dict(chosen)
    for option in manifest.options:
        for choice in option.choices:
            if choice.key == chosen.get(option.key):
                values.update(choice.settles)
    return replace(setup, options=tuple(values.items()))


def check(manifest: Manifest, setup: Setup) -> None:
    """Raise ``ValueError`` for a set-up that is not one of the manifest's, complete and in its order."""
    if (setup.game, setup.ruleset) != (manifest.key, manifest.ruleset):
        raise ValueError(f"this is {manifest.title}, ruleset {manifest.ruleset}")
    if setup != complete(manifest, setup.seats, dict(setup.options)):
        raise ValueError("the options of a set-up are complete, and in order")


def varieties(manifest: Manifest) -> tuple[Setup, ...]:
    """Return the smallest table with the defaults, then one for each other choice of each option.

    Of options with the same choices and labels, slots of one kind, the first stands for all.
    """
    # Reversed twice, so that the first option of a kind is the one that stays, in the manifest's order.
    kinds = {option.choices: option for option in reversed(manifest.options)}
    changed = [
        {option.key: choice.key}
        for option in reversed(kinds.values())
        for choice in option.choices
        if choice.key != option.default
    ]
    return tuple(complete(manifest, None, options) for options in ({}, *changed))


def _list(items: Iterable[str]) -> str:
    return " or ".join(items)
