"""Commands, autocompletion, components, modals, ephemeral and deferred responses, with the real client."""

import asyncio
from typing import Any

import discord
import pytest
from discord import app_commands, ui
from discord.http import Route

from sandbox.server import Sandbox
from tests.kit import components
from tests.kit.person import PersonError
from tests.sandbox.conftest import Bot, Connect, Start

Act = discord.Interaction[Bot]


class Question(ui.Modal, title="A question"):
    """One short text, one long, one select."""

    short: ui.Label[Any] = ui.Label(text="Short", component=ui.TextInput(custom_id="short", max_length=10))
    choice: ui.Label[Any] = ui.Label(
        text="Choice",
        component=ui.Select(
            custom_id="choice",
            options=[
                discord.SelectOption(label="Moon", value="m"),
                discord.SelectOption(label="Sun", value="s"),
            ],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        text, choice = self.short.component, self.choice.component
        assert isinstance(text, ui.TextInput)
        assert isinstance(choice, ui.Select)
        await interaction.response.send_message(f"{text.value} and {choice.values[0]}", ephemeral=True)


class Panel(ui.View):
    """A button that updates, one that opens a modal, a select."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.presses = 0

    @ui.button(label="Count", custom_id="count")
    async def count(self, act: Act, button: ui.Button["Panel"]) -> None:
        self.presses += 1
        await act.response.edit_message(content=f"{self.presses} by {act.user.display_name}", view=self)

    @ui.button(label="Ask", custom_id="ask")
    async def ask(self, act: Act, button: ui.Button["Panel"]) -> None:
        await act.response.send_modal(Question(custom_id="question"))

    @ui.select(
        custom_id="pick",
        placeholder="Pick two",
        min_values=2,
        max_values=2,
        options=[discord.SelectOption(label=word.title(), value=word) for word in ("oak", "elm", "fir")],
    )
    async def pick(self, act: Act, menu: ui.Select["Panel"]) -> None:
        await act.response.defer()
        await act.edit_original_response(content="+".join(menu.values))


def commands(bot: Bot) -> None:
    group = app_commands.Group(name="say", description="Say something")

    @group.command(name="number", description="Say a number")
    @app_commands.describe(number="Which", word="With a word")
    @app_commands.choices(
        word=[app_commands.Choice(name="Good", value="g"), app_commands.Choice(name="Bad", value="b")]
    )
    async def number(
        act: Act, number: app_commands.Range[int, 1, 9], friend: discord.Member, word: str = "none"
    ) -> None:
        await act.response.send_message(f"{number} {friend.display_name} {word}")

    @group.command(name="later", description="Say it later")
    async def later(act: Act, private: bool) -> None:
        await act.response.defer(ephemeral=private, thinking=True)
        await act.followup.send(
            "here it is", file=discord.File(__file__, filename="a.txt", description="alt")
        )
        await act.followup.send("and more", ephemeral=private)

    @group.command(name="mixed", description="Defer one way, follow up the other")
    async def mixed(act: Act, private: bool) -> None:
        await act.response.defer(ephemeral=private, thinking=True)
        await act.followup.send("mixed", ephemeral=not private)

    @group.command(name="panel", description="Show the panel")
    async def panel(act: Act) -> None:
        await act.response.send_message("panel", view=Panel(), ephemeral=True)

    @group.command(name="never", description="Say nothing")
    async def never(act: Act) -> None:
        await asyncio.sleep(0)

    @group.command(name="completed", description="With completion")
    async def completed(act: Act, first: str, second: str = "") -> None:
        await act.response.send_message(first + second)

    @completed.autocomplete("second")
    async def complete(act: Act, current: str) -> list[app_commands.Choice[str]]:
        first = act.namespace.first
        return [app_commands.Choice(name=f"{first}-{current}-{n}", value=str(n)) for n in range(3)]

    bot.tree.add_command(group)


async def test_a_command_with_options_is_answered_for_all_to_see(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    await start(commands)
    alba, bruno = await connect("Alba"), await connect("Bruno")
    outcome = await alba.command("games", "say number", number=7, friend="Bruno", word="Good")
    assert outcome.message is not None
    assert outcome.message["content"] == "7 Bruno g"
    assert outcome.message["type"] == 20
    assert outcome.message["interaction"]["name"] == "say number"
    seen = await bruno.message(lambda m: m["content"] == "7 Bruno g")
    assert seen["interaction_metadata"]["user"]["id"] == alba.id
    assert sandbox.violations == []


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("say number", {"friend": "Bruno"}, "needs number"),
        ("say number", {"number": 10, "friend": "Bruno"}, "out of bounds"),
        ("say number", {"number": "x", "friend": "Bruno"}, "whole number"),
        ("say number", {"number": 1, "friend": "Nobody"}, "not known"),
        ("say number", {"number": 1, "friend": "Bruno", "word": "Ugly"}, "does not offer"),
        ("say number", {"number": 1, "friend": "Bruno", "what": 1}, "has no option what"),
        ("say", {}, "needs a subcommand"),
        ("sing", {}, "no command"),
        ("say aloud", {}, "no command"),
    ],
)
async def test_what_cannot_be_entered_is_refused_before_the_bot_hears_of_it(
    start: Start, connect: Connect, name: str, options: dict[str, Any], text: str
) -> None:
    await start(commands)
    alba = await connect("Alba")
    with pytest.raises(PersonError, match=text):
        await alba.command("games", name, **options)
    assert not [event for event in alba.received if event.t == "INTERACTION_START"]


async def test_completion_knows_the_other_options(start: Start, connect: Connect) -> None:
    await start(commands)
    alba = await connect("Alba")
    choices = await alba.autocomplete("games", "say completed", "second", first="a", second="b")
    assert [choice["name"] for choice in choices] == ["a-b-0", "a-b-1", "a-b-2"]
    with pytest.raises(PersonError, match="does not complete"):
        await alba.autocomplete("games", "say completed", "first")


@pytest.mark.parametrize("private", [True, False])
async def test_the_first_follow_up_takes_the_place_of_a_deferred_answer(
    sandbox: Sandbox, start: Start, connect: Connect, private: bool
) -> None:
    await start(commands)
    alba, bruno = await connect("Alba"), await connect("Bruno")
    outcome = await alba.command("games", "say later", private=private)
    assert outcome.answer == 5
    assert outcome.message is not None
    assert outcome.message["content"] == "here it is"
    assert outcome.message["attachments"][0]["description"] == "alt"
    more = await alba.message(lambda m: m["content"] == "and more")
    assert more["message_reference"]["message_id"] == outcome.message["id"]
    assert bool(more["flags"] & 64) is private
    listed = await alba.messages("games")
    assert [message["content"] for message in listed] == ["here it is", "and more"]
    assert [m["content"] for m in await bruno.messages("games")] == (
        [] if private else ["here it is", "and more"]
    )
    assert sandbox.violations == []


@pytest.mark.parametrize("private", [True, False])
async def test_who_sees_a_deferred_answer_is_settled_by_the_deferral(
    start: Start, connect: Connect, private: bool
) -> None:
    await start(commands)
    alba, bruno = await connect("Alba"), await connect("Bruno")
    message = (await alba.command("games", "say mixed", private=private)).message
    assert message is not None
    assert bool(message["flags"] & 64) is private
    assert len(await bruno.messages("games")) == (0 if private else 1)


async def test_an_answer_that_says_nothing_of_mentions_pings_the_users_in_it(
    start: Start, connect: Connect
) -> None:
    bot = await start(commands)
    alba = await connect("Alba")
    panel = (await alba.command("games", "say panel")).message
    assert panel is not None
    assert panel["mentions"] == []
    bot.allowed_mentions = None
    said = await alba.command("games", "say completed", first=f"<@{alba.id}> @everyone ", second="x")
    assert said.message is not None
    assert [user["id"] for user in said.message["mentions"]] == [alba.id]
    assert not said.message["mention_everyone"]


async def test_a_panel_is_only_for_its_person(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    await start(commands)
    alba, bruno = await connect("Alba"), await connect("Bruno")
    panel = (await alba.command("games", "say panel")).message
    assert panel is not None
    assert panel["flags"] & 64
    assert [b["label"] for b in components.buttons(panel)] == ["Count", "Ask"]
    pressed = await alba.press(panel, "Count")
    assert pressed.answer == 7
    assert pressed.message is not None
    assert pressed.message["id"] == panel["id"]
    assert pressed.message["content"] == "1 by Alba"
    picked = await alba.select(panel, "Pick two", ["Oak", "fir"])
    assert (await alba.updated(panel, since=picked.mark))["content"] == "oak+fir"
    with pytest.raises(PersonError, match="Choose 2 to 2"):
        await alba.select(panel, "pick", "oak")
    with pytest.raises(PersonError, match="no such message"):
        await bruno.press({**panel}, "Count")
    assert not [event for event in bruno.received if "MESSAGE" in event.t]
    assert sandbox.violations == []


class Menus(ui.View):
    """A select without a default, and one with a default."""

    def __init__(self, name: str = "first") -> None:
        super().__init__(timeout=None)
        for custom_id, chosen in ((name, ""), ("second", "elm")):
            options = [
                discord.SelectOption(label=word.title(), value=word, default=word == chosen)
                for word in ("oak", "elm")
            ]
            menu: ui.Select[Menus] = ui.Select(custom_id=custom_id, placeholder=custom_id, options=options)
            menu.callback = self._again  # type: ignore[method-assign, assignment]
            self.add_item(menu)

    async def _again(self, act: Act) -> None:
        await act.response.edit_message(view=self)


async def test_what_is_chosen_already_is_not_sent_again(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot, alba = await start(), await connect("Alba")
    sent = await bot.text("games").send(view=Menus())
    mine = await alba.message(lambda m: m["id"] == str(sent.id))
    with pytest.raises(PersonError, match="chosen already"):
        await alba.select(mine, "second", "elm")
    await alba.select(mine, "first", "oak")
    # Sent again with the same custom_id, it keeps its choice in the client.
    with pytest.raises(PersonError, match="chosen already"):
        await alba.select(mine, "first", "oak")
    assert (await alba.select(mine, "first", "elm")).answer == 7
    assert (await alba.select(mine, "first", "oak")).answer == 7
    mark = len(alba.received)
    await sent.edit(view=Menus("third"))
    renamed = await alba.updated(mine, since=mark)
    assert (await alba.select(renamed, "third", "oak")).answer == 7
    # A failed interaction does not change the choice.
    await bot.close()
    for _ in range(2):
        clicked = await alba.select(renamed, "third", "elm", wait=False)
        sandbox.advance(3.1)
        with pytest.raises(PersonError, match="did not respond"):
            await alba.outcome(clicked.interaction_id, clicked.mark)


async def test_a_modal_is_filled_in_and_answered(sandbox: Sandbox, start: Start, connect: Connect) -> None:
    await start(commands)
    alba = await connect("Alba")
    panel = (await alba.command("games", "say panel")).message
    assert panel is not None
    opened = await alba.press(panel, "Ask")
    assert opened.modal is not None
    assert opened.modal["title"] == "A question"
    for values, text in (
        ({"Short": ""}, "required"),
        ({"Short": "more than ten"}, "0 to 10"),
        ({"Short": "a", "Choice": ["x"]}, "does not offer"),
    ):
        with pytest.raises(PersonError, match=text):
            await alba.modal(opened, values)
    answered = await alba.modal(opened, {"Short": "hello", "choice": ["s"]})
    assert answered.message is not None
    assert answered.message["content"] == "hello and s"
    assert answered.message["interaction_metadata"]["triggering_interaction_metadata"]["type"] == 3
    assert sandbox.violations == []


async def test_silence_fails_after_three_seconds_of_the_clock(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    await start(commands)
    alba = await connect("Alba")
    waiting = asyncio.create_task(alba.command("games", "say never"))
    await alba.wait_for(lambda event: event.t == "INTERACTION_START")
    sandbox.advance(3)
    with pytest.raises(PersonError, match="The application did not respond"):
        await waiting


async def test_with_no_bot_connected_a_command_fails(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    bot = await start(commands)
    alba = await connect("Alba")
    await bot.close()
    await alba.wait_for(lambda event: event.t == "BOT_STATUS" and not event.d["online"])
    waiting = asyncio.create_task(alba.command("games", "say never"))
    await alba.wait_for(lambda event: event.t == "INTERACTION_START")
    sandbox.advance(3)
    with pytest.raises(PersonError, match="did not respond"):
        await waiting


async def test_answers_too_late_and_twice_are_refused(
    sandbox: Sandbox, start: Start, connect: Connect
) -> None:
    caught: list[Act] = []
    twice_asked = asyncio.Event()

    def configure(bot: Bot) -> None:
        @bot.tree.command(name="keep", description="Keep it")
        async def keep(act: Act) -> None:
            caught.append(act)
            if len(caught) == 2:
                twice_asked.set()
            if len(caught) == 1:
                await act.response.send_message("first")

    bot = await start(configure)
    alba = await connect("Alba")
    await alba.command("games", "keep")
    route = Route("POST", f"/interactions/{caught[0].id}/{caught[0].token}/callback", metadata="again")
    with pytest.raises(discord.HTTPException) as twice:
        await bot.http.request(route, json={"type": 4, "data": {"content": "second"}})
    assert (twice.value.status, twice.value.code) == (400, 40060)

    waiting = asyncio.create_task(alba.command("games", "keep"))
    await alba.wait_for(lambda event: event.t == "INTERACTION_START", since=len(alba.received))
    await twice_asked.wait()
    with pytest.raises(discord.NotFound) as unanswered:
        await caught[1].followup.send("before the answer")
    assert unanswered.value.code == 10015
    sandbox.advance(3.1)
    with pytest.raises(discord.NotFound) as late:
        await caught[1].response.send_message("late")
    assert late.value.code == 10062
    with pytest.raises(PersonError):
        await waiting

    await caught[0].followup.send("within the quarter")
    sandbox.advance(15 * 60)
    with pytest.raises(discord.NotFound) as expired:
        await caught[0].edit_original_response(content="after it")
    assert expired.value.code == 10015
    sandbox.state.expired_token_code = 50027
    with pytest.raises(discord.HTTPException) as other:
        await caught[0].followup.send("after it")
    assert (other.value.status, other.value.code) == (401, 50027)


async def test_an_answer_of_the_wrong_kind_is_refused(start: Start, connect: Connect) -> None:
    codes: list[int] = []

    def configure(bot: Bot) -> None:
        @bot.tree.command(name="wrong", description="Answer wrongly")
        async def wrong(act: Act) -> None:
            route = Route("POST", f"/interactions/{act.id}/{act.token}/callback")
            for body in (
                {"type": 7, "data": {"content": "x"}},
                {"type": 4},
                {"type": 8, "data": {"choices": []}},
            ):
                with pytest.raises(discord.HTTPException) as error:
                    await bot.http.request(route, json=body)
                codes.append(error.value.code)
            await act.response.send_message("right")

    await start(configure)
    alba = await connect("Alba")
    await alba.command("games", "wrong")
    assert codes == [50035, 50035, 50035]


async def test_controls_that_are_not_there_cannot_be_used_but_forged(start: Start, connect: Connect) -> None:
    heard: list[dict[str, Any]] = []

    def configure(bot: Bot) -> None:
        @bot.tree.command(name="show", description="Show it")
        async def show(act: Act) -> None:
            view = ui.View(timeout=None)
            view.add_item(ui.Button(label="Off", custom_id="off", disabled=True))
            view.add_item(ui.Button(label="On", custom_id="on"))
            await act.response.send_message("controls", view=view)

        @bot.event
        async def on_interaction(act: Act) -> None:
            if act.type is discord.InteractionType.component:
                heard.append(dict(act.data or {}))
                await act.response.defer()

    await start(configure)
    alba, bruno = await connect("Alba"), await connect("Bruno")
    message = (await alba.command("games", "show")).message
    assert message is not None
    with pytest.raises(PersonError, match="disabled"):
        await alba.press(message, "off")
    with pytest.raises(PersonError, match="no button"):
        await alba.press(message, "elsewhere")
    assert heard == []
    await bruno.message(lambda m: m["id"] == message["id"])
    await bruno.forge(message, "off")
    await bruno.forge(message, "elsewhere", 3, ["x"])
    assert [item["custom_id"] for item in heard] == ["off", "elsewhere"]
    assert heard[1]["values"] == ["x"]
