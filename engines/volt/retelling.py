"""A round of VOLT in few lines: one for each unit, with its dice in order, and one for the end of the round.

Of a draft, what its dice come to if nobody else moves: in so few words that a button has room for them.

What a board's picture shows as well (where tokens lie, whose damage is mended) is left to the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import reduce

from engines.core.contract import Fact, Msg, Seat, SeatName, msg
from engines.core.kit import number_of, texts_of
from engines.volt import events
from engines.volt.modules import use_text

_AFTER = frozenset({"token_taken", "repaired", "placed", "drew", "drew_nothing"})
"""What happens after the dice, and is worth a word in the line for the end of a round."""

_BY_ITSELF = frozenset({"began", "swapped", "withdrawn"})
"""What is told as the log tells it."""

_DECIDED = frozenset({"revealed", "round", "placed", "drew", "drew_nothing"})
"""What happens once all have answered."""

_SEEN = frozenset({"token_laid", "tokens_shuffled", "mended", "round", "revealed", "done", "ended"})
"""What the picture or the rest of the message says."""


@dataclass(slots=True)
class Activation:
    """A die and what comes of it; without a die, what happens after all dice."""

    die: Fact | None = None
    facts: list[Fact] = field(default_factory=list)


def retell(facts: Sequence[Fact]) -> tuple[Msg, ...]:
    """Return sentences for the facts of a round, of a part of it, or of several, one after the other."""
    return tuple(message for some in _rounds(facts) for message in _retold(some))


def _rounds(facts: Sequence[Fact]) -> Iterator[Sequence[Fact]]:
    """Yield the facts up to the beginning of each round, and those after it."""
    ends = [place + 1 for place, fact in enumerate(facts) if fact.kind == "round"]
    for start, end in zip([0, *ends], [*ends, len(facts)], strict=True):
        yield facts[start:end]


def _retold(facts: Sequence[Fact]) -> Iterator[Msg]:
    told = [events.narrate(fact) for fact in facts if fact.kind in _BY_ITSELF]
    units: dict[str, list[Msg]] = {}
    before: list[Msg] = []
    after: list[Msg] = []
    for each in activations(facts):
        if each.die is not None:
            units.setdefault(str(each.die["unit"]), []).append(_activated(each.die, each.facts))
        else:
            (after if units else before).extend(_effects(each.facts))
    if before:
        told.append(msg("told.before", events=tuple(before)))
    told += [msg("told.unit", unit=unit, dice=_joined(dice)) for unit, dice in units.items()]
    if after:
        told.append(msg("told.after", events=tuple(after)))
    done = _done(facts)
    if done:
        told.append(msg("told.before", events=done))
    yield from (message for message in told if message is not None)


def activations(facts: Iterable[Fact]) -> Iterator[Activation]:
    """Yield the dice with what comes of each; what happens before and after them, without a die."""
    current = Activation()
    for fact in facts:
        if fact.kind in _BY_ITSELF | _SEEN | {"skipped"}:
            continue
        # Plates strike after the dice: nobody causes that.
        begins_after = fact.kind in _AFTER or (fact.kind == "damaged" and fact["by"] is None)
        begins_after = begins_after and not _is_repair_bot(fact, current)
        if fact.kind == "die" or (begins_after and current.die is not None):
            yield current
            current = Activation(fact if fact.kind == "die" else None)
        if fact.kind != "die":
            current.facts.append(fact)
    yield current


def _is_repair_bot(fact: Fact, current: Activation) -> bool:
    """Return whether the Repair Bot that the die uses repairs its robot."""
    die = current.die
    if die is None or fact.kind != "repaired" or fact["seat"] != die["seat"]:
        return False
    return "repair" in texts_of(die["uses"]) and all(each.kind != "repaired" for each in current.facts)


def _outcome(die: Fact, facts: Sequence[Fact]) -> tuple[Msg, ...]:
    done = _effects([fact for fact in facts if not _turns_up(fact, die)], die)
    if any(fact.kind == "shot" and fact["hit"] is not None and not fact["reflected"] for fact in facts):
        # Of several shots, only the hits are told.
        done = [each for each in done if each != msg("told.missed")]
    return tuple(done) or (msg("told.nothing"),)


def _turns_up(fact: Fact, die: Fact) -> bool:
    return fact.kind == "turned_up" and fact["seat"] == die["seat"]


def _activated(die: Fact, facts: Sequence[Fact]) -> Msg:
    uses = [use_text(use) for use in texts_of(die["uses"])]
    named = {use.partition("-")[0] for use in texts_of(die["uses"])}
    # A module without a word of its own on the die is seen as it turns face up.
    turned = [str(fact["name"]) for fact in facts if _turns_up(fact, die)]
    uses += [msg(f"module.{name}") for name in turned if name not in named]
    return msg(
        "told.die_with" if uses else "told.die",
        player=_player(die),
        colour=msg(f"colour.{die['colour']}"),
        number=number_of(die["number"]),
        arrow=msg(f"arrow.{die['arrow']}"),
        modules=tuple(uses),
        effects=_outcome(die, facts),
    )


def _effects(facts: Sequence[Fact], die: Fact | None = None) -> list[Msg]:
    """Return what facts in a row come to: steps of one robot are one way, a hit and its damage one blow."""
    found: list[Msg] = []
    place = 0
    while place < len(facts):
        for join in (_way, _held, _token, _blow):
            parts, used = join(facts[place:], die)
            if used:
                break
        else:
            parts, used = _single(facts[place], die), 1
        if found[-len(parts) :] != parts:
            found += parts
        place += used
    return found


def _way(facts: Sequence[Fact], die: Fact | None) -> tuple[list[Msg], int]:
    """Return how a robot moves, and whom it pushes: its steps and theirs take turns."""
    ways: dict[tuple[str, int], tuple[str, str]] = {}
    used = 0
    for fact in facts:
        if fact.kind not in ("moved", "pushed", "pulled"):
            break
        key = fact.kind, number_of(fact["seat"])
        origin, _ = ways.get(key, (str(fact["origin"]), ""))
        ways[key] = origin, str(fact["target"])
        used += 1
    # The robot itself first, then whom it pushes.
    own_first = sorted(ways.items(), key=lambda item: item[0][0] != "moved")
    parts = [
        msg(_own(f"told.{kind}", seat, die), player=SeatName(seat), origin=origin, target=target)
        for (kind, seat), (origin, target) in own_first
    ]
    if parts:
        stop, skipped = _stop(facts[used:], die)
        parts += [] if stop is None else [stop]
        used += skipped
    return parts, used


def _stop(facts: Sequence[Fact], die: Fact | None) -> tuple[Msg | None, int]:
    """Return what stops the robot whose die it is right after its way; a module for it is not told twice."""
    used = 1 if len(facts) > 1 and _is_for(facts[0], facts[1]) else 0
    end = facts[used] if len(facts) > used else None
    if die is None or end is None or end.kind != "blocked" or end["seat"] != die["seat"]:
        return None, 0
    return msg("told.stopped", obstacle=events.obstacle(end)), used + 1


def _is_for(fact: Fact, end: Fact) -> bool:
    """Return whether a module is shown because it stops a robot."""
    shows = fact.kind in ("turned_up", "took_effect") and end.kind == "blocked"
    return shows and (fact["name"], fact["seat"]) == (end["why"], end["who"])


def _held(facts: Sequence[Fact], die: Fact | None) -> tuple[list[Msg], int]:
    """Return how a robot stays where it is, with the module that holds it."""
    used = 1 if len(facts) > 1 and _is_for(facts[0], facts[1]) else 0
    end = facts[used]
    if end.kind != "blocked":
        return [], 0
    key = _own("told.blocked", number_of(end["seat"]), die)
    space, obstacle = str(end["space"]), events.obstacle(end)
    return [msg(key, player=_player(end), space=space, obstacle=obstacle)], used + 1


def _token(facts: Sequence[Fact], _: Fact | None) -> tuple[list[Msg], int]:
    """Return how a robot takes a token, with the point for it."""
    if [fact.kind for fact in facts[:2]] != ["token_taken", "scored"]:
        return [], 0
    taken, scored = facts[:2]
    number, points = number_of(taken["number"]), number_of(scored["total"])
    return [msg("told.token_taken", player=_player(taken), number=number, n=points)], 2


def _blow(facts: Sequence[Fact], die: Fact | None) -> tuple[list[Msg], int]:
    """Return what befalls one robot: a hit, its damage, its end, and the point for it."""
    first, used = facts[0], 0
    hit = first.kind == "shot" and first["hit"] is not None
    victim = first["hit"] if hit else first.get("seat")
    hurt = end = None
    scored: list[Msg] = []
    for fact in facts:
        same = fact.kind in ("damaged", "destroyed") and fact["seat"] == victim
        if fact.kind == "damaged" and same and end is None:
            hurt = fact
        elif fact.kind == "destroyed" and same:
            end = fact
        elif fact.kind == "scored" and end is not None:
            scored.append(_point(fact))
        elif not (fact is first and hit):
            break
        used += 1
    if not (hit or hurt or end):
        return [], 0
    player = SeatName(number_of(victim))
    blow: Msg
    if end is not None:
        cause = "destroyed" if end["cause"] == "damage" else ("fell" if end["arrow"] is None else "fell_out")
        blow = msg(_own(f"told.{cause}", number_of(victim), die), player=player, space=str(end["space"]))
    elif hurt is not None:
        blow = msg("told.hit" if hit else "told.hurt", player=player, n=number_of(hurt["total"]))
    else:
        blow = msg("told.hit_only", player=player)
    back = [msg("told.reflected", player=_player(first))] if hit and first["reflected"] else []
    return [*back, blow, *scored], used


def _single(fact: Fact, die: Fact | None) -> list[Msg]:
    if fact.kind == "shot":
        missed = msg("told.reflected_miss", player=_player(fact))
        return [missed if fact["reflected"] else msg("told.missed")]
    tell = _SINGLE.get(fact.kind)
    message = events.narrate(fact) if tell is None else tell(fact, die)
    return [] if message is None else [message]


def _point(fact: Fact) -> Msg:
    return msg("told.scored", player=_player(fact), n=number_of(fact["total"]))


def _shows(fact: Fact, die: Fact | None) -> Msg:
    module = msg(f"module.{fact['name']}")
    return msg(_own("told.shows", number_of(fact["seat"]), die), player=_player(fact), module=module)


def _placed(fact: Fact, _: Fact | None) -> Msg:
    return msg("told.placed", player=_player(fact), space=str(fact["space"]))


def _drew(fact: Fact, _: Fact | None) -> Msg:
    deck = msg(f"deck.{fact['deck']}")
    if fact["name"] is None:
        return msg("told.drew", player=_player(fact), deck=deck)
    return msg("told.drew_own", player=_player(fact), deck=deck, module=msg(f"module.{fact['name']}"))


def _plain(key: str, *names: str) -> Callable[[Fact, Fact | None], Msg]:
    def tell(fact: Fact, die: Fact | None) -> Msg:
        gaps = {name: fact[name] for name in names}
        shown = {name: value if isinstance(value, int) else str(value) for name, value in gaps.items()}
        return msg(_own(key, number_of(fact["seat"]), die), player=_player(fact), **shown)

    return tell


_SINGLE: dict[str, Callable[[Fact, Fact | None], Msg | None]] = {
    "leapt": _plain("told.leapt", "origin", "target"),
    "stayed": _plain("told.stayed", "space"),
    "dud": lambda fact, _: msg("told.dud", space=str(fact["space"])),
    "mine_laid": _plain("told.mine_laid", "space"),
    "mine_hit": lambda fact, _: msg(
        "told.mine_hit", player=_player(fact), hit_player=SeatName(number_of(fact["victim"]))
    ),
    "blast": lambda fact, _: msg(
        f"told.blast.{fact['what']}", player=_player(fact), space=str(fact["space"])
    ),
    "turned_up": _shows,
    "took_effect": _shows,
    "scored": lambda fact, _: _point(fact),
    "repaired": lambda fact, _: (
        msg("told.repaired", player=_player(fact), n=number_of(fact["amount"])) if fact["amount"] else None
    ),
    "placed": _placed,
    "drew": _drew,
    "drew_nothing": lambda *_: None,
}


def _done(facts: Sequence[Fact]) -> tuple[Msg, ...]:
    """Return who has answered what is still being decided: once all have, everything else says so."""
    last = max((place for place, fact in enumerate(facts) if fact.kind in _DECIDED), default=-1)
    return tuple(
        msg("told.done", player=_player(fact))
        if fact["tile"] is None
        else msg("told.done_tile", player=_player(fact), tile=number_of(fact["tile"]))
        for fact in facts[last + 1 :]
        if fact.kind == "done"
    )


def _own(key: str, seat: int, die: Fact | None) -> str:
    """Return the text for the robot whose die it is, or for another one."""
    return f"{key}.own" if die is not None and die["seat"] == seat else key


def _player(fact: Fact) -> SeatName:
    return SeatName(number_of(fact["seat"]))


def _joined(parts: Sequence[Msg]) -> Msg:
    return reduce(lambda row, part: msg("told.next", first=row, second=part), parts)


def dice_outcomes(facts: Iterable[Fact]) -> dict[str, tuple[Msg, ...]]:
    """Return by unit what the dice of one seat come to."""
    return {
        str(each.die["unit"]): _outcome_of_die(each.die, each.facts)
        for each in activations(facts)
        if each.die is not None
    }


def _outcome_of_die(die: Fact, facts: Sequence[Fact]) -> tuple[Msg, ...]:
    own, lost = number_of(die["seat"]), _seats_of(facts, "destroyed")
    parts = (
        *_own_way(own, facts),
        *_whom("pushes", _seats_of(facts, "pushed") - lost),
        *(msg("ahead.pulls", player=SeatName(seat)) for seat in sorted(_seats_of(facts, "pulled") - lost)),
        *_whom("hits", _seats_of(facts, "damaged") - lost),
        *_whom("destroys", lost - {own}),
    )
    return parts or (msg(f"ahead.{die['colour']}"),)


def _own_way(own: Seat, facts: Sequence[Fact]) -> Iterator[Msg]:
    """Yield where the own robot ends, if it moves."""
    for fact in reversed(facts):
        if fact.get("seat") != own:
            continue
        if fact.kind == "destroyed":
            fell = "fell" if fact["arrow"] is None else "fell_out"
            key = fell if fact["cause"] == "fall" else "destroyed"
            yield msg(f"told.{key}.own", space=str(fact["space"]))
            return
        if fact.kind in ("moved", "leapt"):
            yield msg("ahead.goes", space=str(fact["target"]))
            return


def _whom(verb: str, seats: Set[Seat]) -> Iterator[Msg]:
    """Yield which robots a die pushes, hits or destroys: one by name, several by their number."""
    if len(seats) == 1:
        yield msg(f"ahead.{verb}", player=SeatName(*seats))
    elif seats:
        yield msg(f"ahead.{verb}_many", n=len(seats))


def _seats_of(facts: Iterable[Fact], *kinds: str) -> set[Seat]:
    return {number_of(fact["seat"]) for fact in facts if fact.kind in kinds}
