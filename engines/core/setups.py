"""Set-ups: what a host chose, checked against the manifest and completed with its defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engines.core.contract import Manifest, Setup


def complete(
    manifest: Manifest,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    ruleset: str | None = None,
) -> Setup:
    """Return the set-up for a table of ``seats`` (the smallest, if left out) with ``options``.

    Options that are left out have their defaults; ``ruleset`` is the newest, if left out.
    Raises ``ValueError`` for what the game does not offer.
    """
    table = manifest.seats[0] if seats is None else seats
    if table not in manifest.seats:
        raise ValueError(f"{manifest.key} is for {_list(map(str, manifest.seats))} seats, not {table}")
    rules = manifest.ruleset if ruleset is None else ruleset
    if rules not in manifest.rulesets:
        known = _list(manifest.rulesets)
        raise ValueError(f"{manifest.key} is played by ruleset {known}, not {rules[:40]!r}")
    chosen = dict(options or {})
    values = tuple((option.key, chosen.pop(option.key, option.default)) for option in manifest.options)
    if chosen:
        known = _list(option.key for option in manifest.options) or "none"
        raise ValueError(f"{manifest.key} has no option {min(chosen)!r}; its options: {known}")
    for option, (key, value) in zip(manifest.options, values, strict=True):
        keys = [choice.key for choice in option.choices]
        if value not in keys:
            raise ValueError(f"option {key!r} is {_list(keys)}, not {value!r}")
    return Setup(manifest.key, rules, table, values)


def as_before(manifest: Manifest) -> dict[str, str]:
    """Return the options that later versions added, each with the value that means *as before*."""
    return {option.key: option.before for option in manifest.options if option.before is not None}


def filled(manifest: Manifest, setup: Setup) -> Setup:
    """Return the set-up with the options that it lacks set to *as before*."""
    values = {**as_before(manifest), **dict(setup.options)}
    order = {option.key: number for number, option in enumerate(manifest.options)}
    options = sorted(values.items(), key=lambda each: order.get(each[0], len(order)))
    return replace(setup, options=tuple(options))


def seats_for(manifest: Manifest, people: int) -> int | None:
    """Return the size of the smallest table for ``people``; ``None``: the game has none."""
    return min((size for size in manifest.seats if size >= people), default=None)


def usual_seats(manifest: Manifest, people: int = 1) -> int:
    """Return the size of a new table for ``people``: the usual one, else the smallest that holds them.

    If none does, it is the largest.
    """
    largest = max(manifest.seats)
    usual = largest if manifest.usual_seats is None else manifest.usual_seats
    return usual if people <= usual else seats_for(manifest, people) or largest


def more_seats(manifest: Manifest, seats: int) -> int | None:
    """Return the next larger table size; ``None``: there is none."""
    return seats_for(manifest, seats + 1)


def fewer_seats(manifest: Manifest, seats: int) -> int | None:
    """Return the next smaller table size; ``None``: there is none."""
    return max((size for size in manifest.seats if size < seats), default=None)


def settled(manifest: Manifest, setup: Setup) -> Setup:
    """Return the set-up that will apply: filled, and with the values that chosen ones force on other options.

    Forced values override the host's choices, and force nothing further.
    """
    chosen = dict(filled(manifest, setup).options)
    values = dict(chosen)
    for option in manifest.options:
        for choice in option.choices:
            if choice.key == chosen.get(option.key):
                values.update(choice.settles)
    return replace(setup, options=tuple(values.items()))


def check(manifest: Manifest, setup: Setup) -> None:
    """Raise ``ValueError`` unless a set-up is one of the manifest's, with options in its order.

    It must be complete, except for options that were added since.
    """
    if setup.game != manifest.key:
        raise ValueError(f"this is {manifest.title}")
    chosen = dict(setup.options)
    whole = complete(manifest, setup.seats, chosen, setup.ruleset)
    lacking = as_before(manifest).keys() - chosen.keys()
    if setup.options != tuple(each for each in whole.options if each[0] not in lacking):
        raise ValueError("the options of a set-up are complete, and in order")


def varieties(manifest: Manifest) -> tuple[Setup, ...]:
    """Return the smallest table with the defaults, then one for each other choice of each option.

    Of options with the same choices and labels, slots of one kind, the first represents all.
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
