"""Leaks planted in what reaches people: pictures, texts, ids, numbers, posts, edits, mentions."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from PIL import Image, PngImagePlugin

from bot.domain.jobs import JobKind, NewJob
from bot.domain.match import Told
from bot.domain.tables import Status
from bot.interactions import answers, reply
from bot.interactions.panel import Panels
from bot.interactions.reply import Reply
from bot.matches import history, match_log, queries
from bot.matches.actions import Actions
from bot.matches.completion import completions
from bot.matches.drafts import build_panel
from bot.matches.follow_ups import with_follow_ups
from bot.matches.handovers import PublicSnapshot
from bot.matches.loaded_table import LoadedTable, SeatView
from bot.matches.match_log import MatchLog
from bot.matches.queries import Queries
from bot.pages import board, controls, page
from bot.pages.custom_ids import Action, PanelId, pack_all
from bot.pages.page import upload
from bot.sync import board as sync_board
from bot.sync import client, lobby
from bot.sync.direct_messages import DirectMessages
from engines.core.canonical_json import canonical
from engines.core.contract import Words, msg
from engines.core.match import Match
from renderers.core.contract import Picture
from tests.kit.vault.game import Vault
from tests.leaks.plant import around

Patch = pytest.MonkeyPatch


async def _match(queries: Queries, table_id: str) -> Match:
    """Return the match behind a question, whole."""
    cache = queries._cache  # noqa: SLF001 - no question leads to the whole match, and none should
    return (await cache.get(table_id)).require_log().match


class Truth:
    """What the leaks tell: the state that was looked at last."""

    def __init__(self, patch: Patch) -> None:
        self.state: Any = None
        view = Vault.view

        def seen(game: Vault, state: Any, viewer: Any) -> Any:
            self.state = state
            return view(game, state, viewer)

        patch.setattr(Vault, "view", seen)
        get = Queries.board

        async def fetched(queries: Queries, table_id: str) -> Any:
            found = await get(queries, table_id)
            self.state = (await _match(queries, table_id)).state
            return found

        patch.setattr(Queries, "board", fetched)

    @property
    def digest(self) -> bytes:
        """Return some bytes that depend on everything hidden."""
        return hashlib.sha256(canonical(Vault().record(self.state)).encode()).digest()

    @property
    def card(self) -> str:
        """Return a card that is nobody's but the vault's."""
        return str(self.state.vault)


def public_pictures(patch: Patch, spoil: Any) -> None:
    """Let ``spoil`` change the picture of every public board."""

    def spoilt(shown: Any, texts: Any, pictures: Any) -> Any:
        painting = page.Painting(spoil(pictures.position.picture))
        return board.board_page(shown, texts, replace(pictures, position=painting))

    patch.setattr(sync_board, "board_page", spoilt)


def public_view(patch: Patch) -> None:
    """The public board is painted from a seat's view."""
    get = Queries.board

    async def seats(queries: Queries, table_id: str) -> Any:
        match = await _match(queries, table_id)
        return replace(await get(queries, table_id), view=match.view(0))

    patch.setattr(Queries, "board", seats)


def pixel(patch: Patch) -> None:
    """A pixel of the board has a colour of the truth."""
    truth = Truth(patch)

    def spoil(picture: Picture) -> Picture:
        image = Image.open(io.BytesIO(picture.data)).convert("RGB")
        image.putpixel((31, 31), (truth.digest[0], 0, 0))
        out = io.BytesIO()
        image.save(out, "PNG")
        return replace(picture, data=out.getvalue())

    public_pictures(patch, spoil)


def size(patch: Patch) -> None:
    """The board's file is longer or shorter with the truth."""
    truth = Truth(patch)
    public_pictures(patch, lambda picture: replace(picture, data=picture.data + bytes(truth.digest[0])))


def alt_text(patch: Patch) -> None:
    """The board's description ends with a stop, or not."""
    truth = Truth(patch)
    public_pictures(patch, lambda picture: replace(picture, alt=picture.alt + "." * truth.digest[0]))


def chunk(patch: Patch) -> None:
    """A compressed note in the board's file holds a card."""
    truth = Truth(patch)

    def spoil(picture: Picture) -> Picture:
        notes, out = PngImagePlugin.PngInfo(), io.BytesIO()
        notes.add_text("comment", f"painted with {truth.card}", zip=True)
        Image.open(io.BytesIO(picture.data)).save(out, "PNG", pnginfo=notes)
        return replace(picture, data=out.getvalue())

    public_pictures(patch, spoil)


def file_name(patch: Patch) -> None:
    """The board's file is named by a digest of a private view."""
    truth = Truth(patch)
    patch.setattr(page, "upload", lambda stem, picture: upload(f"{stem}-{truth.digest.hex()[:8]}", picture))


def _buttons(blocks: Any) -> list[discord.ui.Button[Any]]:
    rows = (block for block in blocks if isinstance(block, discord.ui.ActionRow))
    return [item for row in rows for item in row.children if isinstance(item, discord.ui.Button)]


def public_custom_id(patch: Patch) -> None:
    """A button of the board carries a letter of the truth."""
    truth, made = Truth(patch), page.page

    def spoilt(blocks: Any, uploads: Any, *, marker: int) -> Any:
        for button in _buttons(blocks)[1:2]:
            button.custom_id = f"{button.custom_id}.{truth.digest[0]}"
        return made(blocks, uploads, marker=marker)

    patch.setattr(board, "page", spoilt)


def component_number(patch: Patch) -> None:
    """The number of a board's component is one of the truth."""
    truth, made = Truth(patch), page.page

    def spoilt(blocks: Any, uploads: Any, *, marker: int) -> Any:
        return made(blocks, uploads, marker=marker + truth.digest[0])

    patch.setattr(board, "page", spoilt)


def panel_custom_id(patch: Patch) -> None:
    """The custom ids of a panel differ with what its seat must not know."""
    truth = Truth(patch)

    def spoilt(parts: Any) -> Any:
        return pack_all([replace(each, decision=f"{truth.digest.hex()[:8]}") for each in parts])

    patch.setattr("bot.pages.controls.pack_all", spoilt)


def waiting_by_truth(patch: Patch) -> None:
    """The board names those who have not done it yet, where that is secret."""
    get = Queries.board

    async def telling(queries: Queries, table_id: str) -> Any:
        match = await _match(queries, table_id)
        asked = (seat for seat in range(match.setup.seats) if seat in match.game.waiting(match.view(seat)))
        return replace(await get(queries, table_id), waiting=tuple(asked))

    patch.setattr(Queries, "board", telling)


def completed_for_another(patch: Patch) -> None:
    """What is completed is another seat's."""

    def others(view: SeatView, _: Words, typed: str) -> tuple[str, ...]:
        return completions(SeatView(view.log, 1 - view.seat), (), typed)

    patch.setattr(queries, "completions", others)


def refusal(patch: Patch) -> None:
    """A refusal names a hidden card."""
    truth, made = Truth(patch), build_panel

    def telling(*given: Any, **more: Any) -> Any:
        if more.get("refused") is not None:
            more["refused"] = msg("not_yours", word=truth.card)
        return made(*given, **more)

    patch.setattr("bot.matches.drafts.build_panel", telling)


def telling_preview(patch: Patch) -> None:
    """The preview of a look into the vault shows what lies there."""
    truth, preview = Truth(patch), Vault.preview

    def seen(game: Vault, view: Any, draft: Words) -> Any:
        shown: Any = preview(game, view, draft)
        return replace(shown, own=replace(shown.own, clue=truth.card)) if draft == ("peek",) else shown

    patch.setattr(Vault, "preview", seen)


def telling_label(patch: Patch) -> None:
    """A button's label is longer by one letter in some truths."""
    truth = Truth(patch)

    def wrap(made: Any) -> Any:
        def spoilt(*given: Any) -> Any:
            blocks = made(*given)
            for button in _buttons(blocks):
                button.label = f"{button.label}" + "." * (truth.digest[0] % 9)
            return blocks

        return spoilt

    around(patch, controls.Controls, "blocks", wrap)


def incident(patch: Patch) -> None:
    """Who meets a fault is told what it says."""

    async def chatty(reply: Reply, error: Exception) -> None:
        await reply.say(f"{error} {error.args}")

    patch.setattr(reply, "_report_failure", chatty)


def _public_counts(patch: Patch, spoil: Callable[[PublicSnapshot, PublicSnapshot], PublicSnapshot]) -> None:
    """Let ``spoil`` change what the public sees after a sentence: it gets the snapshots before and after."""

    def wrap(write: Any) -> Any:
        def written(self: MatchLog, *given: Any) -> MatchLog:
            log: MatchLog = write(self, *given)
            if log.match is self.match:
                return log
            public = spoil(self.public, log.public)
            header = replace(log.headers[-1], epoch=public.epoch, version=public.version)
            return replace(log, headers=(*log.headers[:-1], header), public=public)

        return written

    around(patch, MatchLog, "write", wrap)


def posts_in_secret(patch: Patch) -> None:
    """A secret sentence gets a board of its own."""
    _public_counts(
        patch,
        lambda before, after: replace(after, epoch=before.version + 1, version=before.version + 1),
    )


def edits_in_secret(patch: Patch) -> None:
    """The board is edited at every sentence, so that it says when it was edited."""

    def editing(old: LoadedTable, new: LoadedTable, now: float, actor: Any) -> Any:
        found, jobs = with_follow_ups(old, new, now, actor)
        return found, [*jobs, NewJob(new.id, JobKind.BOARD, due=now)]

    patch.setattr("bot.matches.table_cache.with_follow_ups", editing)


def posts_when_done(patch: Patch) -> None:
    """A seat that is merely done gets a board of its own."""
    _public_counts(
        patch,
        lambda before, after: after if after is before else replace(after, epoch=after.version),
    )


def types_in_secret(patch: Patch) -> None:
    """The thread shows that the bot is typing while somebody confirms."""

    def wrap(click: Any) -> Any:
        async def typing(self: Panels, reply: Reply, place: PanelId, values: Any) -> None:
            client: Any = reply.interaction.client
            if place.action is Action.CONFIRM:
                table = await client.services.queries.table(place.match)
                await client.http.send_typing(table.thread_id or 0)
            await click(self, reply, place, values)

        return typing

    around(patch, Panels, "click", wrap)


def closed_doors(patch: Patch) -> None:
    """The thread says at once that somebody cannot be reached, whom nobody knows to be asked."""

    def wrap(update: Any) -> Any:
        return lambda self, match, seat, *, with_board: update(self, match, seat, with_board=True)

    around(patch, DirectMessages, "update", wrap)


def decision_counts_all(patch: Patch) -> None:
    """The id of a decision counts what all have said."""
    patch.setattr(MatchLog, "sentences", lambda self, seat: len(self.rows))


def log_counts_all(patch: Patch) -> None:
    """The lines of the log are numbered by what happened, not by what was told."""
    made = Queries.log

    async def counting(self: Queries, table_id: str, person: Any) -> Any:
        rows = len((await _match(self, table_id)).batches)
        return [replace(line, number=rows + line.number) for line in await made(self, table_id, person)]

    patch.setattr(Queries, "log", counting)


def past_of_another(patch: Patch) -> None:
    """Whoever steps back sees what the first seat saw."""

    def wrap(made: Any) -> Any:
        def others(table: Any, log: Any, past: Any, _: Any, number: int, **more: Any) -> Any:
            return made(table, log, past, 0, number, **more)

        return others

    around(patch, history, "moment_of", wrap)


def past_told_to_all(patch: Patch) -> None:
    """A turn that is over is told as it was, to everybody."""

    def everything(log: MatchLog, _viewer: Any, first: int, last: int) -> Any:
        batches = log.match.batches[first : last + 1]
        return tuple(Told(0, event.fact) for batch in batches for event in batch)

    patch.setattr(MatchLog, "told_until", everything)


def turns_count_all(patch: Patch) -> None:
    """The present is a step further once anybody has done something, in secret too."""

    def counting(log: MatchLog) -> int:
        begun = log.turn_began(log.public.turn)
        return log.public.turn - 1 + (len(log.headers) - 1 > begun)

    patch.setattr(history, "newest_of", counting)


def since_counts_all(patch: Patch) -> None:
    """A list of matches tells when anybody said anything."""
    made = with_follow_ups

    def noting(old: LoadedTable, new: LoadedTable, now: float, actor: Any) -> Any:
        found, jobs = made(old, new, now, actor)
        return replace(found, row=replace(found.row, changed_at=now)), jobs

    patch.setattr("bot.matches.table_cache.with_follow_ups", noting)


def shared_revision(patch: Patch) -> None:
    """All seats' drafts share one counter."""
    made = build_panel

    def shared(live: LoadedTable, *given: Any, **more: Any) -> Any:
        total = sum(each.revision for each in live.drafts.values())
        return replace(made(live, *given, **more), revision=total)

    patch.setattr("bot.matches.drafts.build_panel", shared)


def shared_draft(patch: Patch) -> None:
    """A panel shows the longest draft of all."""
    made = build_panel

    def shared(live: LoadedTable, *given: Any, **more: Any) -> Any:
        longest = max((each.shown.words for each in live.drafts.values()), key=len, default=())
        return replace(made(live, *given, **more), draft=longest)

    patch.setattr("bot.matches.drafts.build_panel", shared)


def early_replay(patch: Patch) -> None:
    """The replay file is given while the match runs."""
    names = {status.name: status for status in Status} | {"OVER": Status.RUNNING}
    patch.setattr(queries, "Status", SimpleNamespace(**names))
    patch.setattr(answers, "Status", SimpleNamespace(**names))


def bare_commitment(patch: Patch) -> None:
    """What is promised at the start is the part of the shuffle itself."""
    patch.setattr("bot.matches.lobby.part_hash", lambda part: part.hex())


def open_answer(patch: Patch) -> None:
    """Answers are for all to read."""

    defer = discord.InteractionResponse.defer

    async def openly(self: Any, *, ephemeral: bool = False, thinking: bool = False) -> Any:
        return await defer(self, ephemeral=False, thinking=thinking)

    patch.setattr(discord.InteractionResponse, "defer", openly)


def open_panel(patch: Patch) -> None:
    """A panel is drawn into whatever message its button stands in."""
    patch.setattr(Reply, "_in_private", True)


def wrong_door(patch: Patch) -> None:
    """The turn goes to another person's direct messages."""
    around(patch, client.MessageClient, "dm_channel", lambda dm: lambda self, person: dm(self, 23 - person))


def told_to_all(patch: Patch) -> None:
    """Everybody is told everything."""
    patch.setattr(match_log, "facts_for", lambda events, viewer: tuple(event.fact for event in events))


def own_file_name(patch: Patch) -> None:
    """A private picture is called by what can be chosen in it."""
    patch.setattr(page, "upload", lambda stem, picture: upload(f"{stem}{len(picture.data)}", picture))


def calls_anybody(patch: Patch) -> None:
    """A message calls whoever is named in it."""
    patch.setattr(discord.AllowedMentions, "none", lambda: discord.AllowedMentions(users=True))


def thread_name(patch: Patch) -> None:
    """The thread is called by a card."""
    truth = Truth(patch)
    patch.setattr(lobby, "match_name", lambda table: f"Vault {truth.card[::-1].upper()}")


def nonce(patch: Patch) -> None:
    """The nonce of a message is made of a card."""
    truth, post = Truth(patch), client.MessageClient.post

    def telling(self: Any, *given: Any, nonce: str, **more: Any) -> Any:
        return post(self, *given, nonce=f"{truth.card}{nonce}", **more)

    patch.setattr(client.MessageClient, "post", telling)


def mentions(patch: Patch) -> None:
    """A new board calls the seat whose card is the lowest."""
    truth = Truth(patch)

    def called(shown: Any) -> list[int]:
        hands = [min(own.hand, default="") for own in truth.state.own]
        return [shown.table.chair_at(hands.index(min(hands))).person.id]

    patch.setattr(sync_board, "pinged_people", called)


def quiet_receipt(patch: Patch) -> None:
    """What is said is repeated to all, as an answer that everybody reads."""

    def louder(act: Any) -> Any:
        async def loud(*given: Any) -> Any:
            receipt = await act(*given)
            return replace(receipt, words=("/".join(receipt.words),))

        return loud

    def telling(click: Any) -> Any:
        async def clicked(self: Panels, reply: Reply, place: PanelId, values: Any) -> None:
            await click(self, reply, place, values)
            if place.action is Action.CONFIRM:
                await reply.interaction.followup.send("Somebody is done.")

        return clicked

    around(patch, Actions, "confirm", louder)
    around(patch, Panels, "click", telling)
