"""What the card in hand does: adds, hits, eliminations, and an armed carriage's hit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engines.core.contract import Choice, Field, Seat, Style, Words, msg
from engines.corto import events
from engines.corto.cards import Kind
from engines.corto.names import card_and_id
from engines.corto.notation import Word, WordKind, parse
from engines.corto.quests import quest_of
from engines.corto.state import CardId, Square
from engines.corto.table import Table
from engines.corto.turn import Progress
from engines.corto.verbs.base import (
    Step,
    Verb,
    among,
    character_choice,
    choice_field,
    marker_choice,
    misplaced,
    name_at,
    origin_field,
    refuse,
)
from engines.corto.verbs.characters import check_origin, must_move_marker
from engines.corto.verbs.figurines import gold_choices
from engines.corto.verbs.objects import Aim, adds_to, aim, bare_on, characters_on, squares_in_reach, train_in


def _check_reach(table: Table, square: Square, squares: tuple[Square, ...]) -> None:
    legal = characters_on(table, squares)
    if square not in legal:
        raise among("reach" if square in table.board else "nobody", "squares", legal, square=square)


# --- adding ---------------------------------------------------------------------------------------


def add_fields(table: Table) -> Iterator[Field]:
    """Yield where markers may be added; Corto acts for his friends first."""
    card, found = table.card_in_hand(), list(gold_choices(table))
    if card is not None and table.turn.adds:
        squares = adds_to(table, squares_in_reach(table, card))
        found += (character_choice(table, at, "add", f"+{at}") for at in squares)
    if found:
        yield choice_field("add", found)


class Add(Verb):
    """``+a2``, ``+a2<c3``: add a marker."""

    bare = WordKind.ADD
    effect = True
    marks = ((WordKind.ADD, "add"), ("from", "from"))

    def parse(self, words: Sequence[Word]) -> Step:
        """Return the step."""
        return Step(self, square=words[0].one, origin=words[0].other)

    def write(self, step: Step) -> Words:
        """Return ``+a2``."""
        return (f"+{step.placed}",)

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless a marker may be added there."""
        table = progress.table
        card = table.card_in_hand()
        if card is None:
            raise refuse("no_adds", square=step.square)
        if card.kind is Kind.ADVANTAGE or not table.turn.adds:
            raise refuse("adds_spent", card=card_and_id(card.id))
        squares = squares_in_reach(table, card)
        _check_reach(table, step.square, squares)
        check_origin(table, step.square, step.origin)
        if step.square not in adds_to(table, squares):
            raise refuse("no_markers", square=step.square)

    def asks_origin(self, table: Table, step: Step) -> bool:
        """Return whether the stock is empty, and the step does not say yet whose marker is moved."""
        return not step.origin and must_move_marker(table, step.square)

    def do(self, progress: Progress, step: Step) -> None:
        """Add a marker."""
        table, turn, card = progress.table, progress.table.turn, progress.table.card_in_hand()
        table.put_marker(step.square, step.origin)
        # A black-and-white border adds or hits, never both.
        hits = 0 if card is not None and card.kind is Kind.CHARACTER else turn.hits
        table.turn = replace(turn, adds=turn.adds - 1, hits=hits, sail=False, gold=False, shot=None)
        table.tidy()
        progress.half = False

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield where the marker may come from."""
        yield origin_field(progress.table, progress.table.own_elsewhere(words[0].one))


# --- hitting --------------------------------------------------------------------------------------


def spared(table: Table, square: Square) -> bool:
    """Return whether a safe-conduct takes a hit on that character: it is spent at once."""
    protector, card = table.controller(square), table.guard(square)
    if protector is None or card is None:
        return False
    table.kept[protector].remove(card)
    table.discard(card)
    table.tell(events.spared(table.seat, square, protector, card))
    return True


def take_marker(table: Table, square: Square, owner: Seat, by: CardId | None) -> None:
    """Hit a marker: it goes home."""
    if not spared(table, square):
        table.send_home(square, owner)
        table.tell(events.removed(table.seat, square, owner, by))


def kill(table: Table, square: Square, by: CardId | None, acting: Square) -> None:
    """Kill or eliminate a character from the square ``acting``: its card goes under the seal."""
    if spared(table, square):
        return
    found = table.board.pop(square)
    for owner, count in enumerate(found.markers):
        table.stock[owner] += count
    table.seal[table.seat].append(found.card)
    table.tell(events.killed(table.seat, square, found.card, by))
    # Leopards look at the acting square, wherever the victim stood.
    for strip in table.strips:
        quest_of(strip).killed(table, strip, acting)


def checked_aim(table: Table, *, shot: bool) -> Aim:
    """Return whom a hit may meet; raises where no hit is left."""
    found = aim(table, shot=shot)
    if found is not None:
        return found
    if shot:
        raise refuse("no_shot")
    card = table.turn.card
    raise refuse("no_hits") if card is None else refuse("hits_spent", card=card_and_id(card))


def hit_fields(table: Table, *, shot: bool = False) -> Iterator[Field]:
    """Yield whom a hit of the card in hand, or of an armed carriage, may meet, grouped by square."""
    found = aim(table, shot=shot)
    if found is None:
        return
    before = "shot:" if shot else ""
    choices = [
        marker_choice(table, at, owner, f"{before}-{at}:{table.colours[owner]}", at)
        for at, owner in found.markers(table)
    ]
    for at in found.kills(table):
        key = "choice.eliminate" if found.eliminates else "choice.kill"
        label = msg(key, square=at, card=name_at(table, at))
        choices.append(Choice(f"{before or 'kill:'}{at}", label, group=at, style=Style.DANGER))
    if found.train(table) is not None:
        choices.append(Choice("train", msg("choice.train"), msg("choice.reveals"), "train", reveals=True))
    if choices:
        yield choice_field("shot" if shot else "hit", choices)


class Hit(Verb, ABC):
    """What hits have in common: each is one of the card in hand, or an armed carriage's."""

    effect = True

    def write(self, step: Step) -> Words:
        """Return the words of the hit, which ``shot`` makes an armed carriage's."""
        words = self.hit_words(step)
        return ("shot", *words) if step.shot else words

    @abstractmethod
    def hit_words(self, step: Step) -> Words:
        """Return the words of the hit alone."""

    def do(self, progress: Progress, step: Step) -> None:
        """Spend the hit; any but an armed carriage's waives that one."""
        table, turn = progress.table, progress.table.turn
        found = checked_aim(table, shot=step.shot)
        if step.shot:  # it costs the card in hand nothing
            table.turn = replace(turn, shot=None)
        else:
            card = table.card_in_hand()
            # A black-and-white border adds or hits, never both.
            adds = 0 if card is not None and card.kind is Kind.CHARACTER else turn.adds
            table.turn = replace(turn, adds=adds, hits=turn.hits - 1, sail=False, shot=None, must_free=False)
            progress.half = False
        self.strike(table, step, found)
        table.tidy()

    @abstractmethod
    def strike(self, table: Table, step: Step, found: Aim) -> None:
        """Do what the hit does."""


def _refuse_rasputin(table: Table, found: Aim) -> None:
    if found.eliminates:
        raise among("rasputin_kills", "squares", characters_on(table, found.squares))


class Take(Hit):
    """``-a3:red``: hit a marker."""

    bare = WordKind.TAKE
    marks = ((WordKind.TAKE, "hit"), (WordKind.SHOT_TAKE, "hit"))

    def parse(self, words: Sequence[Word]) -> Step:
        """Return the step."""
        return Step(self, square=words[0].one, colour=words[0].other)

    def hit_words(self, step: Step) -> Words:
        """Return ``-a3:red``."""
        return (f"-{step.square}:{step.colour}",)

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless that marker may be hit."""
        table, square = progress.table, step.square
        found = checked_aim(table, shot=step.shot)
        _refuse_rasputin(table, found)
        markers = found.markers(table)
        _check_reach(table, square, found.squares)
        if step.colour not in table.colours:
            raise refuse("no_colour", colour=step.colour, colours=table.colours)
        owner = table.colours.index(step.colour)
        if owner == table.seat and not found.own:
            allowed = (f"-{at}:{table.colours[seat]}" for at, seat in markers)
            raise among("own_marker", "markers", allowed, square=square)
        if (square, owner) not in markers:
            there = (table.colours[seat] for at, seat in markers if at == square)
            raise among("no_such_marker", "colours", there, square=square, colour=step.colour)

    def strike(self, table: Table, step: Step, found: Aim) -> None:
        """Take the marker."""
        take_marker(table, step.square, table.colours.index(step.colour), found.by)


class Kill(Hit):
    """``kill b3``: kill a character without markers; Rasputin eliminates any."""

    word = "kill"
    said = (WordKind.SQUARE,)
    short = (WordKind.KILL,)
    frees = True
    marks = ((WordKind.KILL, "kill"), (WordKind.SHOT_KILL, "kill"), ("kill", "kill"))

    def step_of(self, word: Word) -> Step:
        """Return the step on a square."""
        if word.other:
            raise misplaced(word)
        return Step(self, square=word.one)

    def spell_out(self, word: Word) -> tuple[Word, ...]:
        """Return ``kill b3`` for ``kill:b3``."""
        return (parse(self.word), parse(word.one))

    def hit_words(self, step: Step) -> Words:
        """Return ``kill b3``."""
        return (self.word, step.square)

    def check_open(self, progress: Progress, words: Sequence[Word]) -> None:
        """Raise unless somebody may be killed."""
        if not checked_aim(progress.table, shot=False).kills(progress.table):
            raise refuse("none_to_kill")

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless that character may be killed, or eliminated by Rasputin."""
        table = progress.table
        found = checked_aim(table, shot=step.shot)
        if found.kills_only and step.square not in found.squares:
            assert found.by is not None  # a carriage's hit frees nothing
            raise refuse(
                "frees_none", card=card_and_id(found.by), square=step.square, squares=tuple(found.squares)
            )
        _check_reach(table, step.square, found.squares)
        if not found.eliminates and any(table.board[step.square].markers):
            raise among("guarded", "squares", bare_on(table, found.squares), square=step.square)

    def strike(self, table: Table, step: Step, found: Aim) -> None:
        """Kill the character."""
        kill(table, step.square, found.by, found.acting)

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield whom to kill."""
        yield kill_field(progress.table, shot=False)


def kill_field(table: Table, *, shot: bool) -> Field:
    """Return the field of those who may be killed."""
    kills = checked_aim(table, shot=shot).kills(table)
    return choice_field("kill", (character_choice(table, at, "kill_at") for at in kills))


class Train(Hit):
    """``hit train``: take the top carriage of a train in reach."""

    word = "hit"
    said = (WordKind.TRAIN,)
    short = (WordKind.TRAIN,)
    marks = ((WordKind.TRAIN, "train"),)

    def step_of(self, word: Word) -> Step:
        """Return the step."""
        return Step(self)

    def hit_words(self, step: Step) -> Words:
        """Return ``hit train``."""
        return (self.word, "train")

    def check_open(self, progress: Progress, words: Sequence[Word]) -> None:
        """Raise unless the train may be hit."""
        self.check(progress, Step(self))

    def check(self, progress: Progress, step: Step) -> None:
        """Raise unless the train may be hit."""
        table = progress.table
        found = checked_aim(table, shot=step.shot)
        _refuse_rasputin(table, found)
        if train_in(table, found.acting, found.squares) is None:
            targets = (quest_of(strip).target(table, strip) for strip in table.strips)
            trains = [target for target in targets if target is not None]
            raise among("train_far" if trains else "no_train", "squares", trains, square=found.acting)

    def reveals(self, table: Table, step: Step) -> bool:
        """Return true: a carriage is turned up."""
        return True

    def strike(self, table: Table, step: Step, found: Aim) -> None:
        """Take the carriage; an armed one may hit once, from its square."""
        strip = train_in(table, found.acting, found.squares)
        assert strip is not None
        square = quest_of(strip).target(table, strip)
        if quest_of(strip).struck(table, strip):
            table.turn = replace(table.turn, shot=square)

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield the train."""
        yield choice_field("hit", (Choice("train", msg("choice.train"), reveals=True),))

    def square_of(self, table: Table, word: Word) -> Square | None:
        """Return the square of the train that the card in hand may hit."""
        found = aim(table)
        strip = None if found is None else found.train(table)
        return None if strip is None else quest_of(strip).target(table, strip)


class Shot(Verb):
    """``shot -a5:red``, ``shot kill a5``: an armed carriage's hit, a :class:`Take` or a :class:`Kill`."""

    word = "shot"
    short = (WordKind.SHOT_TAKE, WordKind.SHOT_KILL)
    effect = True

    def parse(self, words: Sequence[Word]) -> Step | None:
        """Return the step that words are, ``None`` while they only begin it; raises InvalidAction."""
        rest = words[1:]
        if not rest:
            return None
        if rest[0].kind is WordKind.TAKE and len(rest) == 1:
            return Step(TAKE, square=rest[0].one, colour=rest[0].other, shot=True)
        if rest[0].text != KILL.word or len(rest) > 2:
            raise misplaced(rest[-1])
        if len(rest) == 1:
            return None
        if rest[1].kind is not WordKind.SQUARE or rest[1].other:
            raise misplaced(rest[1])
        return Step(KILL, square=rest[1].one, shot=True)

    def spell_out(self, word: Word) -> tuple[Word, ...]:
        """Return ``shot -a5:red`` for ``shot:-a5:red``, ``shot kill a5`` for ``shot:a5`` and ``kill:a5``."""
        if word.kind is WordKind.SHOT_TAKE:
            return (parse(self.word), parse(f"-{word.one}:{word.other}"))
        return (parse(self.word), *KILL.spell_out(word))

    def check_open(self, progress: Progress, words: Sequence[Word]) -> None:
        """Raise unless the armed carriage may hit something, or kill somebody."""
        table = progress.table
        found = checked_aim(table, shot=True)
        only_kills = len(words) > 1
        if not found.kills(table) and (only_kills or not found.markers(table)):
            raise refuse("none_to_kill" if only_kills else "none_to_shoot")

    def fields(self, progress: Progress, words: Sequence[Word]) -> Iterator[Field]:
        """Yield whom to hit, or whom to kill."""
        if len(words) == 1:
            yield from hit_fields(progress.table, shot=True)
        else:
            yield kill_field(progress.table, shot=True)


ADD, TAKE, KILL, TRAIN, SHOT = Add(), Take(), Kill(), Train(), Shot()
