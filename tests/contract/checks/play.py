"""The course of a match: pure, told in JSON and in words, replayed alike, ended for good."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterable, Iterator, Mapping
from types import NoneType

from engines.core import setups
from engines.core.canonical_json import canonical
from engines.core.contract import ActionError, FactValue, IllegalAction, Outcome, Seat, Setup, Viewer
from engines.core.match import AnyGame, Entry, EntryKind, Match
from engines.core.rng import Rng
from tests.contract.checks.sampling import Line, baseline, plain, seed, viewers
from tests.contract.checks.secrets import attempt, check_revealed, prefixes, random_sentence, shown, truth

RESERVED = ("batch", "kind", "text")


def check_moment(match: Match) -> None:
    """Check what holds at every single moment of a match."""
    game = match.game
    over = match.outcome is not None
    canonical(game.record(match.state))
    for viewer in viewers(match):
        view = match.view(viewer)
        assert (game.outcome(view) is not None) is over, f"viewer {viewer} sees another end"
        assert bool(game.waiting(view)) is not over, "waiting is empty exactly when there is an outcome"
        assert canonical(game.describe(view)) == canonical(game.describe(match.view(viewer)))
    assert game.menu(match.view(None)) is None, "the public has a menu"
    check_facts(match)


def check_settled(game: AnyGame, seed: bytes) -> None:
    """Check that a match begins with the values that its options settle, whatever the host chose there."""
    manifest = game.manifest
    options = {option.key: {choice.key: choice for choice in option.choices} for option in manifest.options}
    for own in manifest.options:
        for choice in own.choices:
            for key, value in choice.settles:
                assert key != own.key, f"{own.key} settles itself"
                assert value in options[key], f"{choice.key} settles {key} with a value that it does not have"
                assert not options[key][value].settles, f"{value} is settled, and settles something more"
                _check_settles(game, seed, {own.key: choice.key, key: value}, key, options[key])


def _check_settles(
    game: AnyGame, seed: bytes, chosen: dict[str, str], key: str, values: Iterable[str]
) -> None:
    for seats in game.manifest.seats:
        expected = Match.start(game, setups.complete(game.manifest, seats, chosen), seed)
        for value in values:
            other = setups.complete(game.manifest, seats, {**chosen, key: value})
            assert Match.start(game, other, seed).digest() == expected.digest(), f"{key} is not settled"


def check_facts(match: Match) -> None:
    """Check that the facts of the last step can be told to whoever learns them."""
    speaker = plain(match.game)
    for viewer in viewers(match):
        for data in speaker.facts(match.facts(viewer, len(match.log))):
            canonical(data)
            assert data["text"] is None or 0 < len(data["text"]) <= 500
    for event in match.batches[-1]:
        names = [name for name, _ in event.fact.data]
        assert len(names) == len(set(names)), "a fact has a datum twice"
        assert not set(names) & set(RESERVED), "a fact's datum has the console's own name"
        assert all(_plain(value) for _, value in event.fact.data), "a fact's datum is more than data"


def _plain(value: FactValue) -> bool:
    if type(value) is tuple:
        return all(map(_plain, value))
    return type(value) in (str, int, bool, NoneType)


def check_last_sentence(match: Match) -> None:
    """Check the last sentence's notation."""
    for entry in match.log[-1:]:
        for draft in prefixes(entry.words):
            text = match.game.write(draft)
            assert text.isprintable(), "notation is one line"
            assert match.game.read(text) == draft, "notation does not come back"


def check_pure(match: Match, rng: Rng) -> None:
    """Ask everything twice: answers are equal, and the state is as it was."""
    before, described = truth(match.game, match.state), _descriptions(match)
    assert _asked(match, rng) == _asked(match, rng), "asked twice, answered differently"
    assert truth(match.game, match.state) == before, "asking has changed the state"
    assert _descriptions(match) == described, "asking has changed the views"


def _descriptions(match: Match) -> list[str]:
    return [canonical(match.game.describe(match.view(viewer))) for viewer in viewers(match)]


def _asked(match: Match, rng: Rng) -> list[object]:
    game, answers = match.game, []
    for viewer in viewers(match):
        view = match.view(viewer)
        answers += [view, game.waiting(view), game.outcome(view), game.lapse(view, rng), game.menu(view)]
        answers.append(truth(game, game.imagine(view, rng)))
        if viewer is not None:
            words = random_sentence(match, viewer, rng)
            step = attempt(match, viewer, words)
            answers += [words, step if isinstance(step, str) else (truth(game, step.state), step.events)]
    return answers


def check_views_travel(match: Match) -> None:
    """Check that views can be sent to another process and come back equal."""
    for viewer in viewers(match):
        view = match.view(viewer)
        assert pickle.loads(pickle.dumps(view)) == view, "a view does not survive pickling"


def check_reprs(line: Line) -> None:
    """Check that reprs, which tracebacks print, say the same whatever happens in a match."""
    seen = {shown((m, m.state, m.view(0), m.view(None))) for m in line.moments}
    assert len(seen) == 1, "a repr shows content"


def check_replay(line: Line) -> None:
    """Play the log again: the same digests all along."""
    end = line.end
    match = Match.start(end.game, end.setup, end.seed)
    for entry, known in zip(end.log, line.moments[1:], strict=True):
        match = match.apply(entry)
        assert match.digest() == known.digest(), "the same log leads elsewhere"
    whole = Match.replay(end.game, end.setup, end.seed, end.log)
    assert whole.digest() == end.digest(), "the same log leads elsewhere"
    assert whole.batches == end.batches, "the same log tells other facts"


def fingerprint(matches: Iterable[Match]) -> Iterator[str]:
    """Yield a digest of all that is visible at each moment: truth, views, facts, menus."""
    for match in matches:
        game, speaker = match.game, plain(match.game)
        text = [match.digest()]
        for viewer in viewers(match):
            view = match.view(viewer)
            menu = game.menu(view)
            text.append(canonical(game.describe(view)))
            text.append(repr(None if menu is None else speaker.menu(menu)))
            text.append(repr(speaker.facts(match.facts(viewer, len(match.log)))))
        yield hashlib.sha256("\n".join(text).encode()).hexdigest()


def check_lapse(match: Match) -> None:
    """Check that what the rules let happen at a deadline is a sentence of who is late, no aside."""
    for seat in range(match.setup.seats):
        words, menu = match.lapse(seat), match.menu(seat)
        if words is not None:
            assert seat in match.waiting, "a deadline for a seat that nobody waits for"
            first = None if menu is None else menu.find(words[0])
            assert first is None or not first.aside, "a deadline takes an aside"
            assert not isinstance(attempt(match, seat, words), str), "what a deadline brings is refused"


def check_terminates(game: AnyGame, setup: Setup, seed: bytes) -> None:
    *_, end = baseline(game, setup, seed)
    assert end.outcome is not None, "computer players do not come to an end"


# --- ends ---------------------------------------------------------------------------------------


def check_end(match: Match, *, earlier: Match) -> None:
    """Check a match that is over: nothing may follow, all agree how it ended, all is revealed."""
    outcome = match.outcome
    assert outcome is not None
    _check_outcome(match, outcome)
    game = match.game
    for seat in range(match.setup.seats):
        assert game.menu(match.view(seat)) is None, "a menu after the end"
        # Who has nothing to say tries what another one might have said.
        sentences = (random_sentence(earlier, one, Rng(match.seed)) for one in (seat, *viewers(earlier)))
        assert _refused(match, Entry(EntryKind.ACT, seat, next(filter(None, sentences)))), "a late sentence"
        assert _refused(match, Entry(EntryKind.WITHDRAW, seat)), "a withdrawal after the end"
    assert _refused(match, Entry(EntryKind.AGREE)), "a draw after the end"
    check_revealed(match, Rng(match.seed))


def _check_outcome(match: Match, outcome: Outcome) -> None:
    ranked = [seat for rank in outcome.ranks for seat in rank]
    assert sorted(ranked) == list(range(match.setup.seats)), "ranks hold each seat once"
    assert all(outcome.ranks), "an empty rank"
    assert outcome.reasons, "an outcome without a reason"
    _check_together(match, outcome)
    data = plain(match.game).outcome(outcome)
    assert data is not None
    canonical(data)
    for viewer in viewers(match):
        assert match.game.outcome(match.view(viewer)) == outcome, f"viewer {viewer} sees another outcome"


def _check_together(match: Match, outcome: Outcome) -> None:
    """Who plays together wins or loses together, unless all agreed to stop; nobody else does."""
    if not match.game.manifest.cooperative:
        assert outcome.won is None, "won together, and not a co-operative game"
        return
    assert len(outcome.ranks) == 1, "a co-operative game with more than one rank"
    if match.log[-1:] and match.log[-1].kind is not EntryKind.AGREE:
        assert outcome.won is not None, "a co-operative match is played to its end, and neither won nor lost"


def _refused(match: Match, entry: Entry) -> bool:
    try:
        match.apply(entry)
    except IllegalAction as error:
        return bool(plain(match.game).text(error.msg))
    except ActionError:
        return False
    return False


def check_withdraw(match: Match, seat: Seat) -> None:
    """Check that a seat can leave for good at this moment, unless it has left already."""
    leaving = Entry(EntryKind.WITHDRAW, seat)
    if leaving in match.log:
        assert _refused(match, leaving), "a seat that is gone leaves again"
        return
    after = match.apply(leaving)
    check_moment(after)
    assert seat not in after.waiting, "a seat that is gone is waited for"
    if after.outcome is None:
        assert after.menu(seat) is None, "a seat that is gone has a menu"
        assert _refused(after, leaving), "a seat that is gone leaves again"
        words = match.log[-1].words if match.log else ("x",)
        assert isinstance(attempt(after, seat, words), str), "a seat that is gone acts"
    else:
        outcome = after.outcome
        alone = outcome.won is None and not outcome.drawn
        assert not (seat in outcome.ranks[0] if alone else outcome.won), "who leaves wins by it"
        check_end(after, earlier=match)


def check_agree(match: Match) -> None:
    """Check that the players can agree a draw at this moment."""
    after = match.apply(Entry(EntryKind.AGREE))
    check_moment(after)
    assert after.outcome is not None, "an agreed draw is an end"
    assert after.outcome.drawn, "an agreed draw is a draw"
    check_end(after, earlier=match)


def is_combinatorial(line: Line) -> bool:
    """Return whether a match showed neither chance nor a secret: all see the same, whatever the seed."""
    first = line.moments[0]
    twin = Match.start(first.game, first.setup, seed("another", first.setup.game))
    for match in line.moments:
        try:
            for entry in match.log[len(twin.log) :]:
                twin = twin.apply(entry)
        except ActionError:
            return False
        if any(_told_to(match, viewer) != _told_to(twin, None) for viewer in viewers(match)):
            return False
    return True


def _told_to(match: Match, viewer: Viewer) -> Mapping[str, object]:
    """Return what a viewer sees, but for who looks."""
    described = match.game.describe(match.view(viewer))
    return {name: value for name, value in described.items() if name != "viewer"}
