"""A small bot with one of everything that the page shows, and the sandbox that it runs in."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import TracebackType

import discord
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route
from PIL import Image
from yarl import URL

from sandbox.server import Sandbox
from tests.kit.waiting import PATIENCE

COLOURS = ("red", "rust", "green")
ALT = 'A red square <b onmouseover="x">, "quoted"'
HOSTILE = '<img src=x onerror="window.hit=1"><script>window.hit=1</script> [x](javascript:window.hit=1)'


def picture(name: str = "square.png", size: tuple[int, int] = (320, 200)) -> discord.File:
    """Paint a red picture with alt text."""
    data = io.BytesIO()
    Image.new("RGB", size, (180, 40, 40)).save(data, "PNG")
    data.seek(0)
    return discord.File(data, name, description=ALT)


class Question(ui.Modal, title="A word, please"):
    """One short required field."""

    word: ui.Label[Question] = ui.Label(
        text="Word", description="two letters at least", component=ui.TextInput(min_length=2, max_length=20)
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.word.component, ui.TextInput)
        await interaction.response.send_message(f"The word is **{self.word.component.value}**.")


class Panel(ui.View):
    """A private panel: a button that edits, one that opens a modal, one without a response, two selects."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="Press", style=discord.ButtonStyle.success)
    async def press(self, interaction: discord.Interaction, _: ui.Button[Panel]) -> None:
        await interaction.response.edit_message(content="The button was pressed.")

    @ui.button(label="Write")
    async def write(self, interaction: discord.Interaction, _: ui.Button[Panel]) -> None:
        await interaction.response.send_modal(Question())

    @ui.button(label="Silence", style=discord.ButtonStyle.danger)
    async def silence(self, interaction: discord.Interaction, _: ui.Button[Panel]) -> None:
        """Do not respond."""

    @ui.select(
        placeholder="A shape",
        options=[
            discord.SelectOption(label="Circle", value="o", description="has no corner"),
            discord.SelectOption(label="Square", value="q"),
        ],
    )
    async def shape(self, interaction: discord.Interaction, select: ui.Select[Panel]) -> None:
        await interaction.response.edit_message(content=f"The shape is {select.values[0]}.")

    @ui.select(
        placeholder="Brushes",
        max_values=2,
        options=[discord.SelectOption(label=name, value=name) for name in ("fine", "broad", "flat")],
    )
    async def brushes(self, interaction: discord.Interaction, select: ui.Select[Panel]) -> None:
        await interaction.response.edit_message(content=f"The brushes are {select.values}.")


class Board(ui.LayoutView):
    """A public V2 message: a container with text, a picture and a separator."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        gallery = ui.MediaGallery[Board]()
        gallery.add_item(media="attachment://square.png", description=ALT)
        box = ui.Container[Board](
            ui.TextDisplay(f"## The board\n{HOSTILE}"),
            ui.Separator(),
            gallery,
            accent_colour=discord.Colour.gold(),
        )
        self.add_item(box)


async def paint(interaction: discord.Interaction, colour: str, times: int = 1) -> None:
    await interaction.response.send_message(f"Paint {colour}, {times} times.", view=Panel(), ephemeral=True)


async def colours(_: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=name, value=name.upper()) for name in COLOURS if name.startswith(current)
    ]


async def board(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=Board(), file=picture())


SIZES = ((1000, 1000), (1100, 500), (90, 60))
"""Sizes of pictures that are too high, too wide, and small enough for their own size."""


async def pictures(interaction: discord.Interaction) -> None:
    """Send each size alone, then galleries of two to ten."""
    names = [f"p{width}.png" for width, _ in SIZES]
    layout = ui.LayoutView(timeout=None)
    for group in (*([name] for name in names), *([names[0]] * count for count in range(2, 11))):
        gallery = ui.MediaGallery[ui.LayoutView]()
        for name in group:
            gallery.add_item(media=f"attachment://{name}", description=ALT)
        layout.add_item(gallery)
    files = [picture(name, size) for name, size in zip(names, SIZES, strict=True)]
    await interaction.response.send_message(view=layout, files=files)


async def call(interaction: discord.Interaction, whom: discord.Member) -> None:
    """Mention a person twice: in text, and in a message of components, which has no text on a phone."""
    assert isinstance(interaction.channel, discord.TextChannel)
    await interaction.response.send_message("Calling.", ephemeral=True)
    layout = ui.LayoutView(timeout=None)
    layout.add_item(ui.TextDisplay(f"{whom.mention} {HOSTILE}"))
    allowed = discord.AllowedMentions(users=True)
    await interaction.channel.send(f"{whom.mention}, {HOSTILE}", allowed_mentions=allowed)
    await interaction.channel.send(view=layout, allowed_mentions=allowed)


class Painter(discord.Client):
    """The bot: `/paint colour times` responds privately, `/show board` publicly."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.default())
        self.tree = app_commands.CommandTree(self)
        described = app_commands.describe(colour="Which colour", times="How often")
        completed = app_commands.autocomplete(colour=colours)
        self.tree.command(name="paint", description="Paint something")(completed(described(paint)))
        show = app_commands.Group(name="show", description="Show something")
        show.add_command(app_commands.Command(name="board", description="Show the board", callback=board))
        show.add_command(
            app_commands.Command(name="pictures", description="Show sizes and galleries", callback=pictures)
        )
        self.tree.add_command(show)
        self.tree.command(name="call", description="Call somebody twice")(
            app_commands.describe(whom="Who is called")(call)
        )

    async def setup_hook(self) -> None:
        await self.tree.sync()


class House:
    """A sandbox and the bot in a separate thread, because the browser's driver blocks."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.stopping = asyncio.Event()
        self.trouble: BaseException | None = None
        self.sandbox = Sandbox()
        self.thread = threading.Thread(target=self._run, name="sandbox")

    def __enter__(self) -> House:
        self.thread.start()
        if not self.ready.wait(PATIENCE):
            raise TimeoutError("the bot did not come online")
        if self.trouble is not None:
            raise self.trouble
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.loop.call_soon_threadsafe(self.stopping.set)
        self.thread.join(PATIENCE)
        self.loop.close()
        if self.trouble is not None and error is None:
            raise self.trouble

    @property
    def url(self) -> str:
        return self.sandbox.url

    @property
    def entrance(self) -> str:
        return self.sandbox.entrance

    def drop_windows(self) -> None:
        """Close the sockets of all windows, like a bad connection."""
        closing = self.sandbox.state.sockets.close()
        asyncio.run_coroutine_threadsafe(closing, self.loop).result(PATIENCE)

    def advance(self, seconds: float) -> None:
        """Move the sandbox's clock forward."""
        self.loop.call_soon_threadsafe(self.sandbox.advance, seconds)

    def add_guild(self, name: str, people: list[str]) -> None:
        """Create another guild with some people."""
        self.loop.call_soon_threadsafe(partial(self.sandbox.add_guild, name, people=people))

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_until_complete(self._live())
        except BaseException as error:
            self.trouble = error
        finally:
            self.ready.set()
            # Views wait for clicks until they are stopped.
            for left in asyncio.all_tasks(self.loop):
                left.cancel()
            self.loop.run_until_complete(asyncio.sleep(0))

    async def _live(self) -> None:
        async with self.sandbox as sandbox:
            with pointed_at(sandbox):
                async with Painter() as bot:
                    running = asyncio.create_task(bot.start(sandbox.token))
                    await asyncio.wait_for(bot.wait_until_ready(), PATIENCE)
                    self.ready.set()
                    await self.stopping.wait()
                # A client that waits to reconnect would return only after its pause.
                running.cancel()
                await asyncio.wait([running])


@contextmanager
def pointed_at(sandbox: Sandbox) -> Iterator[None]:
    """Point the library at the sandbox within the block."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = sandbox.api, URL(sandbox.gateway)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before
