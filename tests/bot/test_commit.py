from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.domain.jobs import JobKind
from bot.domain.match import Board, Click, DrawState, Panel, Receipt, StalePanel
from bot.domain.refusals import GameRefusal, Refusal
from bot.domain.tables import Status
from engines.core.contract import msg
from tests.bot.conftest import PEOPLE, Room, click, refused
from tests.kit.postgresql import BOTH_STORES, BOTH_STORES_BY_NIGHT

pytestmark = BOTH_STORES

ANNA, BEN, CLARA, DORA = PEOPLE


async def drafted(room: Room, table_id: str, seat: int) -> tuple[Click, int]:
    """Draft what a computer player would say, and return the click on Confirm and the person's id."""
    info = await room.services.queries.table(table_id)
    words = await room.sentence(info, seat)
    text = room.games[info.game].write(words)
    panel = await room.services.drafts.type_in(info.id, room.person(info, seat), text, None)
    assert panel.draft == words
    return click(panel), room.person(info, seat).id


@BOTH_STORES_BY_NIGHT
async def test_confirm_commits_the_draft(room: Room, any_game: str) -> None:
    info = await room.begin(any_game)
    seat = (await room.services.cache.get(info.id)).row.asked[0]
    button, person = await drafted(room, info.id, seat)
    receipt = await room.services.actions.confirm(button, person, room.request)
    assert (receipt.seat, receipt.seq, receipt.repeated) == (seat, 1, False)
    assert receipt.told
    (row,) = await room.log_rows(info.id)
    assert (row.seat, row.words, row.at) == (seat, receipt.words, room.now)
    live = await room.services.cache.get(info.id)
    assert row.digest == live.require_log().match.digest()
    assert (await room.services.drafts.panel(info.id, person)).draft == ()


@BOTH_STORES_BY_NIGHT
async def test_the_same_request_gives_the_same_receipt(room: Room, any_game: str) -> None:
    info = await room.begin(any_game)
    seat = (await room.services.cache.get(info.id)).row.asked[0]
    button, person = await drafted(room, info.id, seat)
    request = room.request
    answers = await asyncio.gather(
        *(room.services.actions.confirm(button, person, request) for _ in range(3))
    )
    await room.play_some(info, 3)
    answers.append(await room.services.actions.confirm(button, person, request))
    answers.append(await room.services.actions.submit(info.id, seat, None, ("whatever",), request))
    assert [answer.repeated for answer in answers] == [False, True, True, True, True]
    assert len({(a.seat, a.seq, a.words, a.told, a.outcome) for a in answers}) == 1
    assert [row.request for row in await room.log_rows(info.id)].count(str(request)) == 1
    await refused("request", room.services.actions.submit(info.id, 1 - seat, None, (), request))
    await refused("request", room.services.actions.resign(info.id, person, request))


@BOTH_STORES_BY_NIGHT
async def test_a_second_click_on_confirm_gets_the_receipt_of_the_first(room: Room, any_game: str) -> None:
    """A double click is two interactions: both are told that it is done, and one row is written."""
    info = await room.begin(any_game)
    seat = (await room.services.cache.get(info.id)).row.asked[0]
    button, person = await drafted(room, info.id, seat)
    confirm = room.services.actions.confirm
    first, second = sorted(
        await asyncio.gather(*(confirm(button, person, room.request) for _ in range(2))),
        key=lambda receipt: receipt.repeated,
    )
    assert (first.repeated, second.repeated) == (False, True)
    assert replace(second, repeated=False) == first
    await room.again()
    late = await room.services.actions.confirm(button, person, room.request)
    assert (late.repeated, late.seq, late.words) == (True, first.seq, first.words)
    assert len(await room.log_rows(info.id)) == 1


async def test_only_the_confirmed_panel_of_its_own_seat_is_told_that_it_is_done(room: Room) -> None:
    info = await room.begin()
    cards = [(await room.hand(info, seat))[0] for seat in (0, 1)]
    before = await room.draft(info, 0, "lay")
    panels = [await room.draft(info, 0, cards[0]), await room.draft(info, 1, "lay", cards[1])]
    confirm = room.services.actions.confirm
    await confirm(click(panels[0]), room.person(info, 0), room.request)
    # The rival has confirmed nothing yet: the same revision is another panel.
    assert panels[0].revision == panels[1].revision
    for other, person in ((before, 0), (await room.panel(info, 0), 0)):
        with pytest.raises(Refusal):
            await confirm(click(other), room.person(info, person), room.request)
    assert not (await confirm(click(panels[1]), room.person(info, 1), room.request)).repeated
    assert len(await room.log_rows(info.id)) == 2


async def test_a_panel_is_out_of_date_once_its_seat_has_gone_on(room: Room) -> None:
    info = await room.begin()
    anna, hand = room.person(info, 0), await room.hand(info, 0)
    confirm = room.services.actions.confirm
    old = await room.draft(info, 0, "note", hand[0])
    await confirm(click(old), anna, room.request)
    await room.draft(info, 0, "note", hand[1])
    with pytest.raises(StalePanel):
        await confirm(click(old), anna, room.request)
    spoken = await room.panel(info, 0)
    await confirm(click(spoken), anna, room.request)
    await room.say(info, 0, f"lay {hand[0]}")
    with pytest.raises(StalePanel):
        await confirm(click(spoken), anna, room.request)
    assert len(await room.log_rows(info.id)) == 3


async def test_two_seats_at_once(room: Room) -> None:
    info = await room.begin(seats=3)
    panels = [await room.draft(info, seat, "lay", (await room.hand(info, seat))[0]) for seat in range(3)]
    receipts = await asyncio.gather(
        *(
            room.services.actions.confirm(click(panel), room.person(info, panel.seat), room.request)
            for panel in panels
        )
    )
    assert sorted(receipt.seat for receipt in receipts) == [0, 1, 2]
    assert [receipt.seq for receipt in receipts] == [1, 1, 1]
    assert [row.seq for row in await room.log_rows(info.id)] == [1, 2, 3]
    assert len((await room.services.queries.board(info.id)).view.public.shown) == 1


async def test_a_refused_sentence_changes_nothing(room: Room) -> None:
    info = await room.begin()
    before = await room.panel(info, 0)
    for words, key in ((("lay",), "unfinished"), (("fly",), "no_sentence"), (("return", "0"), "not_now")):
        with pytest.raises(GameRefusal) as caught:
            await room.services.actions.submit(info.id, 0, None, words, room.request)
        assert caught.value.msg == msg(key)
        assert caught.value.table == info
    assert await room.log_rows(info.id) == []
    assert await room.panel(info, 0) == before


async def test_a_stale_decision_commits_nothing(room: Room) -> None:
    info = await room.begin()
    old = (await room.panel(info, 0)).decision
    hand = await room.hand(info, 0)
    card = hand[0]
    await room.say(info, 0, f"sort {''.join(hand)}")
    with pytest.raises(StalePanel) as caught:
        await room.services.actions.submit(info.id, 0, old, ("lay", card), room.request)
    assert caught.value.panel.notes == (msg("note.stale"),)
    assert len(await room.log_rows(info.id)) == 1
    await room.services.actions.submit(info.id, 0, caught.value.panel.decision, ("lay", card), room.request)


async def test_what_cannot_be_confirmed(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    await refused(
        "empty_draft", room.services.actions.confirm(click(await room.panel(info, 0)), anna, room.request)
    )
    panel = await room.draft(info, 0, "lay")
    await refused("incomplete", room.services.actions.confirm(click(panel), anna, room.request))
    await refused("not_seated", room.services.actions.confirm(click(panel), DORA, room.request))
    await refused("not_seated", room.services.actions.submit(info.id, 7, None, ("peek",), room.request))
    await refused("not_seated", room.services.actions.submit(info.id, -1, None, ("peek",), room.request))
    await refused("unknown_match", room.services.actions.submit("nope", 0, None, (), room.request))
    assert await room.log_rows(info.id) == []


async def test_nothing_is_asked_of_others(room: Room) -> None:
    for game in [key for key in room.games if key != "vault"]:
        info = await room.begin(game)
        live = await room.services.cache.get(info.id)
        quiet = [seat for seat in range(2) if live.seat_view(seat).root is None]
        for seat in quiet:
            words = await room.sentence(info, live.row.asked[0])
            await refused(
                "nothing_asked", room.services.actions.submit(info.id, seat, None, words, room.request)
            )


async def test_what_an_act_tells_its_seat_alone(room: Room) -> None:
    info = await room.begin(options={"pledges": "open"})
    assert kinds(await room.say(info, 0, "peek")) == ["clue"]
    assert kinds(await room.lay(info, 0)) == ["laid", "ready"]
    assert kinds(await room.panel(info, 1)) == ["dealt", "ready"]
    assert kinds(await room.services.queries.board(info.id)) == ["dealt", "ready"]


def kinds(teller: Receipt | Panel | Board) -> list[str]:
    return [told.fact.kind for told in teller.told]


async def test_no_number_tells_of_secret_acts(room: Room) -> None:
    info = await room.begin(seats=3)
    await room.say(info, 0, "peek")
    await room.say(info, 0, f"note {(await room.hand(info, 0))[0]}")
    receipt = await room.lay(info, 1)
    assert receipt.seq == 1
    assert [told.batch for told in receipt.told] == [1]
    panel = await room.panel(info, 2)
    assert [(told.batch, told.fact.kind) for told in panel.told] == [(0, "dealt")]
    assert [(told.batch, told.fact.kind) for told in panel.learned] == [(0, "held")]
    await room.lay(info, 0)
    await room.lay(info, 2)
    board = await room.services.queries.board(info.id)
    assert [(told.batch, told.fact.kind) for told in board.told] == [(0, "dealt"), (1, "shown")]
    lines = await room.services.queries.log(info.id, None)
    assert [line.number for line in lines] == [1, 2]
    mine = await room.services.queries.log(info.id, room.person(info, 0))
    assert [line.told[0].kind for line in mine] == ["dealt", "clue", "laid", "shown"]


async def test_epochs_and_versions(room: Room) -> None:
    async def counts(info_id: str) -> tuple[int, int]:
        board = await room.services.queries.board(info_id)
        return board.epoch, board.version

    info = await room.begin(seats=3, options={"pledges": "open"})
    assert await counts(info.id) == (1, 1)
    await room.say(info, 0, "peek")
    assert await counts(info.id) == (1, 1)
    await room.lay(info, 0)
    assert await counts(info.id) == (1, 2)
    await room.lay(info, 1)
    assert await counts(info.id) == (1, 3)
    await room.lay(info, 2)
    assert await counts(info.id) == (4, 4), "those are asked who were done"
    await room.services.actions.offer_draw(info.id, room.person(info, 1), room.request)
    assert await counts(info.id) == (4, 5)
    await room.lay(info, 0)
    assert await counts(info.id) == (4, 6)
    await room.say(info, 1, "return 0")
    assert await counts(info.id) == (7, 7), "the turn is back at one who was done"
    secret = await room.begin(seats=3)
    await room.lay(secret, 0)
    assert await counts(secret.id) == (1, 1)
    room = await room.again()
    assert await counts(info.id) == (7, 7)
    assert await counts(secret.id) == (1, 1)


@BOTH_STORES_BY_NIGHT
async def test_resigning_ends_a_match_of_two(room: Room, any_game: str) -> None:
    info = await room.begin(any_game)
    together = room.games[any_game].manifest.cooperative
    if together:
        # The match goes on for as long as anybody is left.
        left = await room.services.actions.resign(info.id, room.person(info, 1), room.request)
        assert left.table.status is Status.RUNNING
    request = room.request
    receipt = await room.services.actions.resign(info.id, room.person(info, 0), request)
    assert receipt.outcome is not None
    assert receipt.outcome.won is (False if together else None)
    assert together or receipt.outcome.ranks[0] == (1,)
    assert receipt.table.status is Status.OVER
    assert receipt.table.chair_at(0).withdrawn
    again = await room.services.actions.resign(info.id, room.person(info, 0), request)
    assert (again.repeated, again.told) == (True, receipt.told)
    await refused("over", room.services.actions.resign(info.id, room.person(info, 1), room.request))
    await refused("over", room.services.actions.offer_draw(info.id, room.person(info, 1), room.request))
    await refused("over", room.services.actions.submit(info.id, 1, None, ("x",), room.request))
    board = await room.services.queries.board(info.id)
    assert board.seed is not None
    assert board.outcome == receipt.outcome
    kinds = {job.kind for job in await room.services.outbox.next_jobs(20)}
    assert {JobKind.LOBBY, JobKind.BOARD, JobKind.END} <= kinds
    assert JobKind.ARCHIVE not in kinds
    room.now += 86_400
    assert JobKind.ARCHIVE in {job.kind for job in await room.services.outbox.next_jobs(20)}


async def test_a_match_of_three_goes_on_without_one(room: Room) -> None:
    info = await room.begin(seats=3)
    await refused("not_seated", room.services.actions.resign(info.id, DORA, room.request))
    receipt = await room.services.actions.resign(info.id, room.person(info, 1), room.request)
    assert (receipt.outcome, receipt.table.status) == (None, Status.RUNNING)
    await refused("withdrawn", room.services.actions.resign(info.id, room.person(info, 1), room.request))
    await refused("withdrawn", room.services.actions.submit(info.id, 1, None, ("peek",), room.request))
    await refused("withdrawn", room.services.actions.offer_draw(info.id, room.person(info, 1), room.request))
    assert (await room.services.cache.get(info.id)).row.asked == (0, 2)


@BOTH_STORES_BY_NIGHT
async def test_a_draw_is_agreed_by_all(room: Room, any_game: str) -> None:
    info = await room.begin(any_game)
    one, two = room.person(info, 0), room.person(info, 1)
    request = room.request
    assert await room.services.actions.offer_draw(info.id, one, request) is DrawState.OFFERED
    assert await room.services.actions.offer_draw(info.id, one, request) is DrawState.OFFERED
    assert await room.services.actions.offer_draw(info.id, one, room.request) is DrawState.ALREADY
    assert (await room.services.queries.board(info.id)).draw_offers == (0,)
    assert (await room.panel(info, 1)).draw_offers == (0,)
    last = room.request
    assert await room.services.actions.offer_draw(info.id, two, last) is DrawState.AGREED
    assert await room.services.actions.offer_draw(info.id, two, last) is DrawState.AGREED
    outcome = (await room.services.queries.board(info.id)).outcome
    assert outcome is not None
    assert outcome.drawn
    assert [row.kind.value for row in await room.log_rows(info.id)] == ["offer", "offer", "agree"]


async def test_two_offers_at_once_agree(room: Room) -> None:
    info = await room.begin()
    answers = await asyncio.gather(
        *(
            room.services.actions.offer_draw(info.id, room.person(info, seat), room.request)
            for seat in range(2)
        )
    )
    assert answers == [DrawState.OFFERED, DrawState.AGREED]


async def test_an_offer_that_stands_at_the_end_is_looked_at_once_more(room: Room) -> None:
    info = await room.begin()
    over = False
    while not over:
        await room.lay(info, 0)
        await room.services.actions.offer_draw(info.id, room.person(info, 1), room.request)
        for job in await room.services.outbox.next_jobs(99):
            await room.services.outbox.done(job)
        over = (await room.lay(info, 1)).outcome is not None
        if not over:
            await room.services.actions.decline_draw(info.id, room.person(info, 0), room.request)
    assert JobKind.OFFER in {job.kind for job in await room.services.outbox.next_jobs(99)}


async def test_offers_fall_away(room: Room) -> None:
    async def offers() -> tuple[int, ...]:
        return (await room.services.queries.board(info.id)).draw_offers

    info = await room.begin(options={"pledges": "open"})
    await room.services.actions.offer_draw(info.id, room.person(info, 0), room.request)
    await room.say(info, 1, "peek")
    assert await offers() == (0,), "a secret act would show itself"
    await room.lay(info, 0)
    assert await offers() == (0,), "the offerer's own turn lets it stand"
    await room.lay(info, 1)
    assert await offers() == ()
    await refused("no_offer", room.services.actions.decline_draw(info.id, room.person(info, 1), room.request))
    await room.services.actions.offer_draw(info.id, room.person(info, 0), room.request)
    request = room.request
    state = await room.services.actions.decline_draw(info.id, room.person(info, 1), request)
    assert state is DrawState.DECLINED
    assert (
        await room.services.actions.decline_draw(info.id, room.person(info, 1), request) is DrawState.DECLINED
    )
    assert await offers() == ()
    await refused("not_seated", room.services.actions.decline_draw(info.id, DORA, room.request))


async def test_an_offer_makes_no_panel_stale(room: Room) -> None:
    info = await room.begin()
    before = await room.draft(info, 1, "lay", (await room.hand(info, 1))[0])
    await room.services.actions.offer_draw(info.id, room.person(info, 0), room.request)
    await room.services.actions.confirm(click(before), room.person(info, 1), room.request)


async def test_computers_agree_to_no_draw(room: Room) -> None:
    info = await room.begin_alone(seats=3)
    await refused("draw_computer", room.services.actions.offer_draw(info.id, ANNA, room.request))


async def test_the_log_opens_at_the_end(room: Room) -> None:
    info = await room.begin()
    await refused("not_over", room.services.queries.replay_file(info.id))
    await room.say(info, 0, "peek")
    stranger = await room.services.queries.log(info.id, DORA)
    assert [line.told[0].kind for line in stranger] == ["dealt"]
    await room.services.actions.resign(info.id, ANNA, room.request)
    lines = await room.services.queries.log(info.id, DORA)
    assert [line.told[0].kind for line in lines] == ["dealt", "clue", "left"]
    assert [line.at for line in lines] == [room.now] * 3


def receipts_of(answers: list[object]) -> list[Receipt]:
    return [answer for answer in answers if isinstance(answer, Receipt)]


async def test_confirm_and_resign_at_once(room: Room) -> None:
    info = await room.begin()
    button, person = await drafted(room, info.id, 0)
    answers = await asyncio.gather(
        room.services.actions.confirm(button, person, room.request),
        room.services.actions.resign(info.id, room.person(info, 1), room.request),
        room.services.actions.resign(info.id, person, room.request),
        return_exceptions=True,
    )
    assert len(receipts_of(list(answers))) == 2
    assert [row.kind.value for row in await room.log_rows(info.id)] == ["act", "withdraw"]
