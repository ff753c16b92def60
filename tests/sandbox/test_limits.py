"""Values beyond a limit are refused with Discord's code; values at the limit are accepted."""

import io
from collections.abc import Callable
from typing import Any

import discord
import pytest
from aiohttp import ClientSession

from sandbox.errors import ApiError
from sandbox.server import Sandbox
from sandbox.validation.commands import read_command
from sandbox.validation.components import read_components
from sandbox.validation.forms import form
from sandbox.validation.messages import Upload, read_draft
from sandbox.validation.modals import read_modal
from tests.sandbox.conftest import Start

Json = dict[str, Any]
V2 = 1 << 15


IN_MENU = "components/0/components/0"
ALT = {"type": 12, "items": [{"media": {"url": "https://a.b/c"}, "description": "  "}]}


def button(number: int = 0, **changes: Any) -> Json:
    return {"type": 2, "style": 1, "label": "x", "custom_id": f"b{number}"} | changes


def rows(*rows: list[Json]) -> Json:
    return {"components": [{"type": 1, "components": row} for row in rows]}


def menu(options: int = 1, **changes: Any) -> Json:
    listed = [{"label": f"o{n}", "value": f"o{n}"} for n in range(options)]
    return {"type": 3, "custom_id": "menu", "options": listed} | changes


def texts(count: int, length: int = 1) -> Json:
    return {"flags": V2, "components": [{"type": 10, "content": "x" * length}] * count}


def refused(read: Callable[[Any], Any], body: Json) -> Json:
    reader = form(body)
    read(reader)
    with pytest.raises(ApiError) as error:
        reader.errors.check()
    assert error.value.code == 50035
    assert error.value.errors is not None
    return error.value.errors


def taken(read: Callable[[Any], Any], body: Json) -> Any:
    reader = form(body)
    made = read(reader)
    assert reader.errors.tree() == {}
    return made


def message(reader: Any) -> Any:
    return read_draft(reader, {})


@pytest.mark.parametrize(
    "body",
    [
        {"content": "x" * 2000},
        {"embeds": [{"title": "x" * 256, "description": "x" * 4096}]},
        rows(*[[button(5 * r + c) for c in range(5)] for r in range(5)]),
        rows([button(label="x" * 80, custom_id="x" * 100)]),
        rows([menu(25, placeholder="x" * 150)]),
        rows([{"type": 2, "style": 5, "label": "x", "url": "https://example.org"}]),
        *(
            rows([{"type": 2, "style": 1, "emoji": {"name": name}, "custom_id": "b"}])
            for name in ("🎭", "❤️", "👩‍🚀", "👍🏽", "1️⃣", "🇮🇹", "↗️", "〰️", "⬛", "🏴󠁧󠁢󠁥󠁮󠁧󠁿")
        ),
        rows([button(label="  ", emoji={"name": "🎭"})]),
        rows([button(emoji={"name": "carnival", "id": "1"})]),
        texts(40),
        texts(1, 4000),
    ],
)
def test_what_is_within_the_limits_of_a_message_is_taken(body: Json) -> None:
    taken(message, body)


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ({"content": "x" * 2001}, "content"),
        ({"content": 7}, "content"),
        ({"nonce": "x" * 26}, "nonce"),
        ({"embeds": [{"title": "x" * 257}]}, "embeds/0/title"),
        ({"embeds": [{"description": "x" * 4096}, {"description": "x" * 4096}]}, "embeds"),
        ({"embeds": [{}]}, "embeds/0"),
        ({"embeds": [{"title": "x"}] * 11}, "embeds"),
        (rows(*[[button(n)] for n in range(6)]), "components"),
        (rows([button(n) for n in range(6)]), "components/0/components"),
        (rows([]), "components/0/components"),
        (rows([menu(), button()]), "components/0/components"),
        (rows([button(label="x" * 81)]), "components/0/components/0/label"),
        (rows([button(custom_id="x" * 101)]), "components/0/components/0/custom_id"),
        (rows([button(custom_id=None)]), "components/0/components/0/custom_id"),
        (rows([button(label=None)]), "components/0/components/0"),
        (rows([button(url="https://example.org")]), "components/0/components/0/url"),
        (rows([{"type": 2, "style": 5, "label": "x"}]), "components/0/components/0/url"),
        (rows([button(1), button(1)]), "components/0/components/1/custom_id"),
        (rows([menu(26)]), "components/0/components/0/options"),
        (rows([menu(0)]), "components/0/components/0/options"),
        (rows([menu(2, max_values=3)]), "components/0/components/0/max_values"),
        (rows([{"type": 4, "custom_id": "t"}]), "components/0/components/0/type"),
        ({"components": [button()]}, "components/0/type"),
        ({"components": [{"type": 10, "content": "x"}]}, "components/0/type"),
        (texts(41), "components"),
        (texts(2, 2001), "components"),
        (texts(1) | {"content": "x"}, "content"),
        (texts(1) | {"embeds": [{"title": "x"}]}, "embeds"),
        ({"poll": {"question": {}}}, "poll"),
        ({"attachments": [{"id": "5"}]}, "attachments/0/id"),
        ({"allowed_mentions": {"parse": ["users"], "users": ["1"]}}, "allowed_mentions"),
        ({"allowed_mentions": {"parse": ["users", "people"]}}, "allowed_mentions/parse/1"),
        ({"allowed_mentions": {"roles": ["1", "mods"]}}, "allowed_mentions/roles/1"),
        # White space alone counts as empty.
        ({"flags": V2, "components": [{"type": 10, "content": " \n\t\u00a0"}]}, "components/0/content"),
        (rows([button(label=" ")]), "components/0/components/0"),
        (rows([menu() | {"options": [{"label": "\u2003", "value": "v"}]}]), f"{IN_MENU}/options/0/label"),
        (rows([menu() | {"options": [{"label": "l", "value": " "}]}]), f"{IN_MENU}/options/0/value"),
        (texts(1, 1) | {"components": [ALT]}, "components/0/items/0/description"),
        *(
            (rows([button(emoji={"name": name})]), "components/0/components/0/emoji/name")
            for name in ("black_nib", "x", ":mask:", "🎭x", "7", " ", "\u200d", "é")
        ),
    ],
)
def test_what_is_beyond_the_limits_of_a_message_is_named(body: Json, at: str) -> None:
    errors: Any = refused(message, body)
    for step in at.split("/"):
        errors = errors[step]


@pytest.mark.parametrize(("data", "is_refused"), [(b"", True), (b"x", False)])
def test_a_file_holds_something(data: bytes, *, is_refused: bool) -> None:
    reader = form({"content": "x"})
    read_draft(reader, {0: Upload("a.png", "image/png", data)})
    assert bool(reader.errors.tree()) is is_refused


def test_options_with_the_same_value_are_refused() -> None:
    twice = menu()
    twice["options"] = [{"label": "a", "value": "v"}, {"label": "b", "value": "v"}]
    errors = refused(message, rows([twice]))
    assert "1" in errors["components"]["0"]["components"]["0"]["options"]


def test_all_mistakes_are_named_at_once() -> None:
    errors = refused(message, {"content": "x" * 2001} | rows([button(custom_id=None, label="x" * 81)]))
    assert set(errors) == {"content", "components"}
    assert set(errors["components"]["0"]["components"]["0"]) >= {"custom_id", "label"}


def test_forty_components_are_counted_through_the_tree() -> None:
    section = {
        "type": 9,
        "components": [{"type": 10, "content": "x"}],
        "accessory": {"type": 11, "media": {"url": "https://example.org/x.png"}},
    }
    box = {"type": 17, "components": [section] * 13}
    reader = form({"components": [box]})
    read_components(reader, "components", v2=True, files=frozenset())
    assert reader.errors.tree() == {}
    assert refused(
        lambda r: read_components(r, "components", v2=True, files=frozenset()),
        {"components": [box, {"type": 14}]},
    )


@pytest.mark.parametrize("length", [1024, 1025])
def test_alt_texts_have_at_most_1024_characters(length: int) -> None:
    gallery = {"type": 12, "items": [{"media": {"url": "https://a.b/c"}, "description": "x" * length}]}
    body = {"flags": V2, "components": [gallery]}
    if length == 1024:
        taken(message, body)
    else:
        refused(message, body)


def field(**changes: Any) -> Json:
    return {"type": 4, "custom_id": "f", "style": 1} | changes


def modal(*fields: Json, **changes: Any) -> Json:
    labels = [
        {"type": 18, "label": "L", "component": each | {"custom_id": f"f{n}"}}
        for n, each in enumerate(fields)
    ]
    return {"custom_id": "m", "title": "T", "components": labels} | changes


def test_a_modal_within_its_limits_is_taken() -> None:
    made = taken(read_modal, modal(*[field(max_length=4000)] * 5, title="x" * 45))
    assert len(made["components"]) == 5


@pytest.mark.parametrize(
    ("body", "at"),
    [
        (modal(field(), title="x" * 46), "title"),
        (modal(field(), custom_id="x" * 101), "custom_id"),
        (modal(), "components"),
        (modal(*[field()] * 6), "components"),
        (modal(field(max_length=4001)), "components"),
        (modal(field(value="x" * 4001)), "components"),
        (modal(field(style=3)), "components"),
        (modal(menu(26)), "components"),
        (modal({"type": 21, "custom_id": "r", "options": [{"label": "a", "value": "a"}]}), "components"),
        (modal({"type": 2, "style": 1, "label": "x"}), "components"),
        ({"custom_id": "m", "title": "T", "components": [{"type": 2}]}, "components"),
    ],
)
def test_a_modal_beyond_its_limits_is_refused(body: Json, at: str) -> None:
    assert at in refused(read_modal, body)


def boxes(kind: int, *defaults: bool, **changes: Any) -> Json:
    listed = [{"label": f"o{n}", "value": f"o{n}", "default": each} for n, each in enumerate(defaults)]
    return {"type": kind, "custom_id": "g", "options": listed} | changes


def people(kind: int, *types: str, **changes: Any) -> Json:
    listed = [{"id": str(n + 1), "type": each} for n, each in enumerate(types)]
    return {"type": kind, "custom_id": "p", "default_values": listed} | changes


@pytest.mark.parametrize(
    ("each", "at"),
    [
        (field(label="twice"), "label"),
        (menu(disabled=True), "disabled"),
        (people(5, disabled=True), "disabled"),
        (menu(min_values=0), "min_values"),
        (people(8, min_values=0), "min_values"),
        (boxes(22, False, min_values=0), "min_values"),
        ({"type": 19, "custom_id": "u", "min_values": 0}, "min_values"),
        ({"type": 19, "custom_id": "u", "min_values": 3, "max_values": 2}, "min_values"),
        ({"type": 19, "custom_id": "u", "file_types": ["pdf"]}, "file_types"),
        ({"type": 19, "custom_id": "u", "file_types": [".pdf"] * 11}, "file_types"),
        (boxes(21, True, True), "options"),
        (boxes(22, True, True, max_values=1), "options"),
        (boxes(22, False, False, max_values=3), "max_values"),
        (people(5, "user", "user"), "default_values"),
        (people(5, "role"), "default_values"),
        (people(6, "user"), "default_values"),
        (people(8, "user"), "default_values"),
    ],
)
def test_a_field_that_a_modal_cannot_have_is_refused(each: Json, at: str) -> None:
    assert at in refused(read_modal, modal(each))["components"]["0"]["component"]


@pytest.mark.parametrize(
    "each",
    [
        field(label=None),
        menu(disabled=False),
        menu(min_values=0, required=False),
        boxes(21, True, False),
        boxes(22, True, True),
        boxes(22, False, min_values=0, required=False),
        people(7, "user", "role", max_values=2),
        people(8, "channel"),
        {"type": 19, "custom_id": "u", "file_types": ["image", ".pdf"], "max_values": 10},
    ],
)
def test_a_field_as_discord_documents_it_is_taken(each: Json) -> None:
    [made] = taken(read_modal, modal(each))["components"]
    assert "disabled" not in made["component"]


def test_only_options_of_selects_have_emoji() -> None:
    listed = [{"label": f"o{n}", "value": f"o{n}", "emoji": {"name": "🦊"}} for n in range(2)]
    for kind, shown in ((3, True), (21, False), (22, False)):
        [made] = taken(read_modal, modal({"type": kind, "custom_id": "g", "options": listed}))["components"]
        assert ["emoji" in each for each in made["component"]["options"]] == [shown, shown]


def option(**changes: Any) -> Json:
    return {"type": 3, "name": "o", "description": "d"} | changes


def command(*options: Json, **changes: Any) -> Json:
    return {"name": "c", "description": "d", "options": list(options)} | changes


def many(count: int, **changes: Any) -> list[Json]:
    return [option(name=f"o{n}", **changes) for n in range(count)]


def test_commands_within_their_limits_are_taken() -> None:
    taken(read_command, command(*many(25)))
    taken(read_command, command(option(choices=[{"name": f"n{n}", "value": f"v{n}"} for n in range(25)])))
    taken(read_command, command(*[option(type=1, name=f"s{n}", options=many(25)) for n in range(25)]))
    taken(read_command, command(option(type=2, options=[option(type=1, options=[option()])])))
    taken(read_command, command(name="città", description="x" * 100, name_localizations={"it": "città"}))
    taken(read_command, {"type": 3, "name": "Some Message Command"})


@pytest.mark.parametrize(
    "body",
    [
        command(name="Upper"),
        command(name="two words"),
        command(name="x" * 33),
        command(name=""),
        command(description=""),
        command(description="x" * 101),
        command(name_localizations={"xx": "a"}),
        command(*many(26)),
        command(option(), option()),
        command(option(name="a"), option(name="b", required=True)),
        command(option(type=1), option(name="p")),
        command(option(type=1, options=[option(type=1)])),
        command(option(type=2, options=[option(type=2)])),
        command(option(choices=[{"name": f"n{n}", "value": f"v{n}"} for n in range(26)])),
        command(option(choices=[{"name": "n", "value": "x" * 101}])),
        command(option(choices=[{"name": "n", "value": "v"}], autocomplete=True)),
        command(option(type=4, choices=[{"name": "n", "value": "v"}])),
        command(
            *[
                option(type=1, name=f"s{n}", description="x" * 100, options=many(25, description="x" * 20))
                for n in range(14)
            ]
        ),
        command(contexts=[3]),
        {"type": 3, "name": "m", "description": "no"},
    ],
)
def test_commands_beyond_their_limits_are_refused(body: Json) -> None:
    assert refused(read_command, body)


async def test_too_many_and_double_commands_are_refused(sandbox: Sandbox, start: Start) -> None:
    bot = await start()
    assert bot.application_id is not None
    hundred: list[Any] = [command(name=f"c{n}") for n in range(100)]
    made = await bot.http.bulk_upsert_global_commands(bot.application_id, hundred)
    assert len(made) == 100
    again = await bot.http.bulk_upsert_global_commands(bot.application_id, hundred[:2])
    assert [c["id"] for c in again] == [c["id"] for c in made[:2]]
    with pytest.raises(discord.HTTPException) as error:
        await bot.http.bulk_upsert_global_commands(bot.application_id, [*hundred, command(name="one-more")])
    assert error.value.code == 30032
    with pytest.raises(discord.HTTPException) as error:
        await bot.http.bulk_upsert_global_commands(bot.application_id, hundred[:1] * 2)
    assert error.value.code == 50035
    assert len(await bot.http.get_global_commands(bot.application_id)) == 2
    with pytest.raises(discord.HTTPException) as error:
        await bot.http.get_global_command(bot.application_id, 5)
    assert error.value.code == 10063
    with pytest.raises(discord.HTTPException) as error:
        await bot.http.get_global_commands(1)
    assert error.value.code == 20012


async def test_large_files_and_requests_are_refused(start: Start) -> None:
    bot = await start()
    limit = 10 * 1024 * 1024

    def file(size: int) -> discord.File:
        return discord.File(io.BytesIO(bytes(size)), filename="f.bin")

    sent = await bot.text("games").send(file=file(limit))
    assert sent.attachments[0].size == limit
    with pytest.raises(discord.HTTPException) as error:
        await bot.text("games").send(file=file(limit + 1))
    assert (error.value.status, error.value.code) == (413, 40005)
    with pytest.raises(discord.HTTPException) as error:
        await bot.text("games").send(files=[file(limit), file(limit), file(limit)])
    assert (error.value.status, error.value.code) == (413, 40005)


async def test_an_empty_message_is_refused(start: Start) -> None:
    bot = await start()
    with pytest.raises(discord.HTTPException) as error:
        await bot.text("games").send("")
    assert error.value.code == 50006
    sent = await bot.text("games").send("x")
    with pytest.raises(discord.HTTPException) as error:
        await sent.edit(content=None)
    assert error.value.code == 50006
    assert (await sent.fetch()).content == "x"


async def test_replies_are_json_and_say_what_is_wrong(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bot {sandbox.token}"}
    async with ClientSession() as http:
        async with http.get(f"{sandbox.api}/users/@me") as reply:
            assert reply.status == 401
            assert await reply.json() == {"message": "401: Unauthorized", "code": 0}
        async with http.get(f"{sandbox.api}/nothing", headers=headers) as reply:
            assert reply.status == 404
            assert reply.headers["Content-Type"] == "application/json"
            assert (await reply.json())["code"] == 0
        async with http.get(f"{sandbox.api}/channels/5", headers=headers) as reply:
            assert (reply.status, (await reply.json())["code"]) == (404, 10003)
        channel = f"{sandbox.api}/channels/{sandbox.channel('games').id}/messages"
        for data, code in (("{", 50109), ("[]", 50035), ("7", 50035)):
            async with http.post(channel, data=data, headers=headers) as reply:
                assert (reply.status, (await reply.json())["code"]) == (400, code)
        async with http.get(f"{channel}?limit=101", headers=headers) as reply:
            assert (reply.status, (await reply.json())["code"]) == (400, 50035)
    if sandbox.state.openapi is not None:
        assert [v.text for v in sandbox.violations if v.kind == "request"] == [
            "/: [] is not of type 'object'",
            "/: 7 is not of type 'object'",
        ]
    sandbox.violations.clear()


async def test_a_wrong_token_is_told_so(sandbox: Sandbox) -> None:
    async with discord.Client(intents=discord.Intents.default()) as client:
        with pytest.raises(discord.LoginFailure):
            await client.start("wrong")
