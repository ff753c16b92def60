"""Messages: legacy and V2, files, edits, mentions, replies, history."""

import io
from typing import Any

import aiohttp
import discord
import pytest
from discord import ui
from discord.http import Route
from PIL import Image

from sandbox.server import Sandbox
from sandbox.validation.components import walk
from tests.kit import components
from tests.kit.person import PersonError
from tests.sandbox.conftest import Bot, Connect, Start


def png(width: int = 3, height: int = 2) -> bytes:
    data = io.BytesIO()
    Image.new("1", (width, height)).save(data, "PNG")
    return data.getvalue()


def picture(name: str, alt: str = "") -> discord.File:
    return discord.File(io.BytesIO(png()), filename=name, description=alt)


class Board(ui.LayoutView):
    """All V2 components for messages."""

    def __init__(self, *names: str) -> None:
        super().__init__(timeout=None)
        gallery = ui.MediaGallery[Any](
            *[
                discord.MediaGalleryItem(f"attachment://{name}", description=f"alt of {name}")
                for name in names
            ]
        )
        section = ui.Section[Any](
            "words", accessory=ui.Thumbnail(f"attachment://{names[0]}", description="thumb")
        )
        other = ui.Section[Any]("more", accessory=ui.Button(label="Go", custom_id="go"))
        row = ui.ActionRow[Any](
            ui.Button(label="One", custom_id="one"), ui.Button(label="Link", url="https://example.org")
        )
        menu = ui.ActionRow[Any](
            ui.Select(
                custom_id="menu", placeholder="Menu", options=[discord.SelectOption(label="A", value="a")]
            )
        )
        self.add_item(
            ui.Container(
                ui.TextDisplay("# Title"), ui.Separator(), gallery, section, other, row, accent_colour=0xFF
            )
        )
        self.add_item(menu)
        self.add_item(ui.File(f"attachment://{names[0]}"))


async def test_a_v2_message_shows_what_it_holds(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    bot = await start()
    alba = await connect("Alba")
    sent = await bot.text("games").send(
        view=Board("a.png", "b.png"), files=[picture("a.png", "A"), picture("b.png")]
    )
    assert sent.flags.components_v2
    got = await alba.message(lambda m: m["id"] == str(sent.id))
    assert [b.get("label") for b in components.buttons(got)] == ["Go", "One", "Link"]
    assert [s["placeholder"] for s in components.selects(got)] == ["Menu"]
    shown = components.pictures(got)
    assert [p["filename"] for p in shown] == ["a.png", "b.png", "a.png"]
    assert [p["description"] for p in shown] == ["alt of a.png", "alt of b.png", "thumb"]
    assert await alba.fetch(shown[1]) == png()
    # Shown files are listed in their components only.
    assert got["attachments"] == []
    [media] = [item["file"] for item in walk(got["components"]) if "file" in item]
    assert (media["width"], media["attachment_id"]) == (3, media["id"])
    assert [file["filename"] for file in components.files(got)] == ["a.png", "b.png", "a.png", "a.png"]
    assert "# Title" in components.text_of(got)
    numbers = [item["id"] for item in walk(got["components"])]
    assert len(set(numbers)) == len(numbers)
    assert 0 not in numbers
    assert sandbox.violations == []


async def test_a_v2_message_stays_one(start: Start) -> None:
    bot = await start()
    sent = await bot.text("games").send(view=Board("a.png"), file=picture("a.png"))
    with pytest.raises(discord.HTTPException, match="cannot be used") as error:
        await sent.edit(content="words")
    assert error.value.code == 50035
    edited = await sent.edit(view=Board("a.png"))
    assert edited.flags.components_v2


async def test_a_legacy_message_becomes_v2_once_its_words_are_gone(start: Start) -> None:
    bot = await start()
    sent = await bot.text("games").send("words")
    view = ui.LayoutView().add_item(ui.TextDisplay("other words"))
    with pytest.raises(discord.HTTPException, match="content"):
        await sent.edit(view=view)
    edited = await sent.edit(content=None, view=view)
    assert edited.flags.components_v2
    assert edited.content == ""


async def test_an_edit_keeps_the_files_that_it_lists(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot = await start()
    alba = await connect("Alba")
    sent = await bot.text("games").send("two", files=[picture("a.png", "A"), picture("b.png")])
    first = await alba.message(lambda m: m["id"] == str(sent.id))
    await sent.edit(content="both")
    assert [a["filename"] for a in (await alba.updated(sent.id, since=2))["attachments"]] == [
        "a.png",
        "b.png",
    ]
    edited = await sent.edit(attachments=[sent.attachments[1], picture("c.png", "C")])
    assert [a.filename for a in edited.attachments] == ["b.png", "c.png"]
    assert edited.attachments[1].description == "C"
    assert await edited.attachments[0].read() == png()
    with pytest.raises(PersonError, match="no longer"):
        await alba.fetch(first["attachments"][0])
    with pytest.raises(discord.HTTPException) as error:
        await edited.edit(attachments=[sent.attachments[0]])
    assert error.value.code == 50035
    assert [v.kind for v in sandbox.violations] == ["refused"], sandbox.violations


async def test_a_reference_to_a_file_needs_the_file(start: Start) -> None:
    bot = await start()
    with pytest.raises(discord.HTTPException, match="was not found"):
        await bot.text("games").send(view=Board("missing.png"), file=picture("other.png"))
    with pytest.raises(discord.HTTPException, match="was not found"):
        await bot.text("games").send(embed=discord.Embed(title="x").set_image(url="attachment://missing.png"))
    sent = await bot.text("games").send(
        embed=discord.Embed(title="x").set_image(url="attachment://here.png"), file=picture("here.png")
    )
    assert sent.embeds[0].image.url is not None
    assert "/attachments/" in sent.embeds[0].image.url
    with pytest.raises(discord.HTTPException, match="was not found"):
        await sent.edit(attachments=[])


async def test_an_edit_keeps_a_shown_file_by_its_id_alone(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot = await start()
    alba = await connect("Alba")
    channel = sandbox.channel("games").id
    sent = await bot.text("games").send(
        view=Board("a.png", "b.png"), files=[picture("a.png"), picture("b.png")]
    )
    assert sent.attachments == []
    container: Any = sent.components[0]
    [gallery] = [each for each in container.children if isinstance(each, discord.MediaGalleryComponent)]
    kept = gallery.items[0].media.attachment_id

    async def edit(attachments: list[dict[str, Any]], shown: str) -> Any:
        body = {
            "flags": 1 << 15,
            "attachments": attachments,
            "components": [{"type": 12, "items": [{"media": {"url": shown}}]}],
        }
        route = Route(
            "PATCH", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=sent.id
        )
        return await bot.http.request(route, json=body)

    # A bot that keeps what `attachments` lists keeps nothing, and loses the picture.
    with pytest.raises(discord.HTTPException, match="was not found"):
        await edit([], "attachment://a.png")
    mark = len(alba.received)
    await edit([{"id": str(kept)}], "attachment://a.png")
    shown = await alba.updated(sent.id, since=mark)
    assert await alba.fetch(components.pictures(shown)[0]) == png()
    # The other one was removed: neither its id nor its name is valid any more.
    with pytest.raises(discord.HTTPException, match="was not found"):
        await edit([{"id": str(kept)}], "attachment://b.png")
    with pytest.raises(discord.HTTPException, match="no attachment"):
        await edit([{"id": str(gallery.items[1].media.attachment_id)}], "attachment://b.png")


async def test_an_edit_makes_the_mentions_anew_and_pings_nobody(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot, alba = await start(), await connect("Alba")
    everybody = discord.AllowedMentions(users=True)
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(f"<@{alba.id}>"))
    ways: tuple[dict[str, Any], ...] = ({"content": f"<@{alba.id}>"}, {"view": view})
    for send in ways:
        sent = await bot.text("games").send(**send, allowed_mentions=everybody)
        assert [str(user.id) for user in sent.mentions] == [alba.id]
        named = await sent.edit(**send, allowed_mentions=everybody)
        assert [str(user.id) for user in named.mentions] == [alba.id]
        nobody = await sent.edit(**send, allowed_mentions=discord.AllowedMentions.none())
        assert nobody.mentions == []


@pytest.mark.parametrize(
    ("allowed", "problem"),
    [
        ({"parse": ["people"]}, "Value must be one of"),
        ({"users": ["Alba"]}, "is not snowflake"),
        ({"parse": ["users"], "users": ["1"]}, "mutually exclusive"),
    ],
)
async def test_unknown_names_of_whom_to_mention_are_refused(
    sandbox: Sandbox, start: Start, allowed: dict[str, Any], problem: str
) -> None:
    bot = await start()
    route = Route("POST", "/channels/{channel_id}/messages", channel_id=bot.text("games").id)
    with pytest.raises(discord.HTTPException, match=problem) as error:
        await bot.http.request(route, json={"content": "x", "allowed_mentions": allowed})
    assert error.value.code == 50035
    sandbox.state.violations.clear()  # the description says the same


async def test_messages_older_than_an_hour_take_three_edits_in_six_seconds(
    sandbox: Sandbox, start: Start
) -> None:
    bot = await start()
    url = f"{sandbox.api}/channels/{sandbox.channel('games').id}/messages"
    old = [await bot.text("games").send(f"{number}") for number in range(2)]
    sandbox.advance(3_601)
    new = await bot.text("games").send("new")
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {sandbox.token}"}) as http:

        async def edit(number: int) -> tuple[int, Any, Any]:
            async with http.patch(f"{url}/{number}", json={"content": "edited"}) as reply:
                return reply.status, await reply.json(), reply.headers

        assert [(await edit(old[n % 2].id))[0] for n in range(3)] == [200, 200, 200]
        status, body, headers = await edit(old[0].id)
        assert (status, body["code"], body["global"]) == (429, 30046, False)
        assert 0 < body["retry_after"] <= 6
        # The limit of the route is separate, and not exhausted.
        assert int(headers["X-RateLimit-Remaining"]) > 0
        assert (await edit(new.id))[0] == 200
        sandbox.advance(6)
        assert (await edit(old[0].id))[0] == 200


async def test_the_bots_links_to_files_expire(sandbox: Sandbox, start: Start) -> None:
    bot = await start()
    sent = await bot.text("games").send(file=picture("a.png"))
    await sent.attachments[0].read()
    sandbox.advance(24 * 3600 + 1)
    with pytest.raises(discord.Forbidden):
        await sent.attachments[0].read()
    fresh = await sent.channel.fetch_message(sent.id)
    assert await fresh.attachments[0].read() == png()


async def test_only_who_sees_a_message_gets_its_files(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    def configure(bot: Bot) -> None:
        @bot.tree.command(name="hand", description="Show my hand")
        async def hand(act: discord.Interaction[Bot]) -> None:
            await act.response.send_message(file=picture("hand.png", "three cards"), ephemeral=True)

    await start(configure)
    alba, bruno = await connect("Alba"), await connect("Bruno")
    message = (await alba.command("games", "hand")).message
    assert message is not None
    file = message["attachments"][0]
    assert file["ephemeral"] is True
    assert await alba.fetch(file) == png()
    for address in (file["url"].replace(alba.id, bruno.id), file["url"].split("?")[0], file["url"] + "0"):
        with pytest.raises(PersonError):
            await bruno.fetch(address)
    assert [entry.t for entry in sandbox.audit("Alba") if entry.kind == "attachment"] == ["hand.png"]
    assert "hand.png" not in str([entry.json() for entry in sandbox.audit("Bruno")])
    await alba.dismiss(message)
    with pytest.raises(PersonError, match="no longer"):
        await alba.fetch(file)
    with pytest.raises(PersonError, match="dismiss"):
        await alba.dismiss(message)


async def test_mentions_reach_whom_they_may(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    sandbox.state.limits.enabled = False
    bot = await start()
    alba = await connect("Alba")
    text = f"<@{alba.id}> and <@{bot.application_id}> and @everyone"
    quiet = await bot.text("games").send(text)
    assert quiet.mentions == []
    user = discord.Object(int(alba.id))
    loud = await bot.text("games").send(text, allowed_mentions=discord.AllowedMentions(users=[user]))
    assert [m.id for m in loud.mentions] == [int(alba.id)]
    assert not loud.mention_everyone
    answer = await loud.reply("to you", allowed_mentions=discord.AllowedMentions(replied_user=True))
    assert answer.reference is not None
    assert answer.reference.message_id == loud.id
    assert [m.id for m in answer.mentions] == [bot.application_id]
    # With any allowed_mentions, the replied author is mentioned on request only.
    silent = await loud.reply("to you", allowed_mentions=discord.AllowedMentions(replied_user=False))
    assert silent.mentions == []
    said: dict[str, Any] = {"content": "to you", "message_reference": {"message_id": str(loud.id)}}
    route = Route("POST", "/channels/{channel_id}/messages", channel_id=loud.channel.id)
    for allowed, expected in (({"parse": []}, 0), (None, 1)):
        body = said | ({} if allowed is None else {"allowed_mentions": allowed})
        made = await bot.http.request(route, json=body)
        assert len(made["mentions"]) == expected


async def test_history_is_read_from_all_sides(sandbox: Sandbox, start: Start) -> None:
    sandbox.state.limits.enabled = False
    bot = await start()
    channel = bot.text("games")
    sent = [await channel.send(str(number)) for number in range(5)]

    async def read(**options: Any) -> list[str]:
        return [message.content async for message in channel.history(**options)]

    assert await read() == ["4", "3", "2", "1", "0"]
    assert await read(limit=2) == ["4", "3"]
    assert await read(before=sent[2]) == ["1", "0"]
    assert await read(after=sent[2]) == ["3", "4"]
    assert await read(around=sent[2], limit=3) == ["3", "2", "1"]
    assert (await channel.fetch_message(sent[1].id)).content == "1"
    await sent[1].delete()
    with pytest.raises(discord.NotFound) as error:
        await channel.fetch_message(sent[1].id)
    assert error.value.code == 10008


async def test_people_write_and_the_bot_reads_only_what_it_may(start: Start, connect: Connect) -> None:
    heard: list[str] = []

    def configure(bot: Bot) -> None:
        @bot.event
        async def on_message(message: discord.Message) -> None:
            heard.append(message.content)

    bot = await start(configure)
    alba = await connect("Alba")
    plain = await alba.say("games", "a secret thought")
    mention = await alba.say("games", f"<@{bot.application_id}> hello")
    dm = await alba.dm()
    await alba.say(dm, "hello in private")
    assert plain["content"] == "a secret thought"
    channel = bot.text("games")
    assert (await channel.fetch_message(int(plain["id"]))).content == ""
    assert (await channel.fetch_message(int(mention["id"]))).content != ""
    assert heard == ["", mention["content"], "hello in private"]
    for text in ("", " ", "x" * 2001):
        with pytest.raises(PersonError):
            await alba.say("games", text)


async def test_an_earlier_message_with_the_same_nonce_is_given_back(sandbox: Sandbox, start: Start) -> None:
    bot = await start()
    first = await bot.text("games").send("one", nonce="n-1")
    again = await bot.text("games").send("one", nonce="n-1")
    assert again.id == first.id
    other = await bot.text("games").send("two", nonce="n-2")
    assert other.id != first.id
    sandbox.advance(301)
    late = await bot.text("games").send("one", nonce="n-1")
    assert late.id != first.id
    assert [m.content async for m in bot.text("games").history()] == ["one", "two", "one"]


async def test_the_answer_lost_on_the_way_is_asked_for_again_and_nothing_is_posted_twice(
    sandbox: Sandbox, start: Start
) -> None:
    bot = await start()
    sandbox.fault("POST /channels/.*/messages", status=502, after=True)
    sent = await bot.text("games").send("once", nonce="n")
    assert [m.id async for m in bot.text("games").history()] == [sent.id]
    assert [r.status for r in sandbox.requests if r.method == "POST" and "messages" in r.path] == [200, 200]
