"""What the operator presses, chooses and types, and the ways in which we respond."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord.ui import ActionRow, Label, LayoutView, Modal, Select, TextInput

from bot.gateway.discord_errors import TOO_LATE
from bot.gateway.permissions import lacking
from bot.pages.custom_ids import Action, PanelId, pack
from bot.pages.page import gallery, text
from bot.pages.panel import TYPED
from bot.pages.texts import masked_link
from bot.rehearsal.desk import Skipped, expect, picture, pictures
from bot.rehearsal.stage import OPERATOR, Lines, Stage, When
from engines.core.names import isolated

LINES = Lines()

TOWNS = ("Burano", "Murano", "Torcello")
PING = "a gondola waits for you"
SAID = {
    "words": f"It said: {PING}",
    "empty": "It was empty, or said something else",
    "none": "I got no notification",
}
"""What the operator can report about a ping's notification."""

LINKED = "[a] *b* _c_ :d: <@1> 🦊"
"""The link's text: characters that would style or end it, and an emoji, which would break the link."""

LOOKS = {
    "whole": "One link, with signs around a, b, c, d and 1",
    "styled": "One link, but signs are missing, or there are backslashes",
    "none": "No link: I see its address",
}
"""What the operator can report about a link."""

LATE = 4.0
"""Seconds after which Discord no longer accepts a first response: its limit is three."""


def _select(stage: Stage, line: str, revision: int = 0) -> ActionRow[LayoutView]:
    place = stage.props.place(line, Action.PICK, revision=revision)
    options = [discord.SelectOption(label=town, value=town) for town in TOWNS]
    return ActionRow(Select(custom_id=pack(place), placeholder="Choose an island", options=options))


def _answers(place: PanelId, question: str, labels: Mapping[str, str]) -> ActionRow[LayoutView]:
    options = [discord.SelectOption(label=label, value=value) for value, label in labels.items()]
    return ActionRow(Select(custom_id=pack(place), placeholder=question, options=options))


@LINES.add(
    OPERATOR,
    "A click on a button reaches us within three seconds, and can be answered privately.",
    When.PRESSED,
)
async def operator(stage: Stage) -> str:
    """Find out who the operator is, for all lines that follow."""
    place = stage.props.place(OPERATOR)
    words = "Press **I am here** to try all that has to be pressed. It takes two minutes."
    touch = await stage.ask(OPERATOR, words, *stage.props.press(OPERATOR, "I am here"), place=place)
    stage.desk.operator = touch.reply.person.id
    await touch.reply.defer()
    await touch.reply.show(stage.props.page(OPERATOR, "Thank you. What is next stands in the channel."))
    answer = await touch.reply.interaction.original_response()
    expect(answer.flags.ephemeral, "the answer is public")
    return "it arrived, and was answered privately"


@LINES.add("app permissions", "A click says which permissions we have where it was made.", When.PRESSED)
async def app_permissions(stage: Stage) -> str:
    """Compare the permissions in a click with those that we compute from roles and overwrites."""
    line = "app permissions"
    words = "Press **Press me**."
    touch = await stage.ask(line, words, *stage.props.press(line), place=stage.props.place(line))
    await touch.reply.defer()
    await touch.reply.show(stage.props.page(line, "Thank you."))
    channel = stage.client.get_channel(stage.channel)
    assert isinstance(channel, discord.abc.GuildChannel)
    said, known = touch.reply.interaction.app_permissions, channel.permissions_for(channel.guild.me)
    expect(lacking(said) == lacking(known), "it names others than those that we know of")
    return "it says what we know from roles and overwrites"


@LINES.add("select", "A choice in a select reaches us with its values.", When.PRESSED)
async def select(stage: Stage) -> str:
    """Have an island chosen."""
    line = "select"
    place = stage.props.place(line, Action.PICK)
    touch = await stage.ask(line, "Choose **Murano** below.", _select(stage, line), place=place)
    await touch.reply.say("Thank you.")
    expect(len(touch.values) == 1 and touch.values[0] in TOWNS, f"{len(touch.values)} values came")
    return "its value came with it"


@LINES.add(
    "notification", "The notification of a ping shows the words that it was posted with.", When.PRESSED
)
async def notification(stage: Stage) -> str:
    """Mention the operator, and ask what their notification said."""
    line, person = "notification", stage.desk.operator
    if person is None:
        raise Skipped("nobody has pressed anything")
    place = stage.props.place(line, Action.PICK)
    answers = _answers(place, "What did it say?", SAID)
    words = f"<@{person}>, say what the notification said that you got of this, best on a locked phone."
    push = f"<@{person}>: {PING}"
    touch = await stage.ask(line, words, answers, place=place, mentioned=[person], push=push)
    await touch.reply.say("Thank you.")
    if touch.values == ("none",):
        raise Skipped("no notification came: the server's may be switched off")
    expect(touch.values == ("words",), "it was empty, or said something else")
    return "it showed the words"


@LINES.add(
    "link text",
    "The text of a link shows the look-alikes that stand in it for markup, and leaves it a link.",
    When.PRESSED,
)
async def link_text(stage: Stage) -> str:
    """Show a link to a match with an odd name, as lists of matches do, and ask how it looks."""
    line = "link text"
    place = stage.props.place(line, Action.PICK)
    link = masked_link(isolated(LINKED), "https://discord.com/channels/@me")
    words = "Below is a link, from **a** to **1**. Say how it looks."
    answers = _answers(place, "How does it look?", LOOKS)
    touch = await stage.ask(line, words, text(link), answers, place=place)
    await touch.reply.say("Thank you.")
    expect(touch.values != ("none",), "it is no link")
    expect(touch.values == ("whole",), "its text is shown otherwise")
    return "it is a link, and shows them"


@LINES.add(
    "panel",
    "A click in a private message is answered by an edit of that message, picture and all.",
    When.PRESSED,
)
async def panel(stage: Stage) -> str:
    """Open a private message, and change it when its button is pressed."""
    line = "panel"
    place, inside = stage.props.place(line), stage.props.place(line, revision=1)
    words = "Press **Open**, then **Press me** in the private message that opens."
    opened = await stage.ask(line, words, *stage.props.press(line, "Open"), place=place)
    await opened.reply.defer()
    first = picture("view", 80, 40)
    blocks = [gallery(first), *stage.props.press(line, revision=1)]
    with stage.desk.expecting(inside) as pressed:
        shown = opened.reply.show(stage.props.page(line, "Now press the button.", blocks, [first]))
        touch = await stage.heard(line, "now press **Press me** in the private message", pressed, shown)
    await touch.reply.defer_edit()
    second = picture("view", 40, 80)
    await touch.reply.show(stage.props.page(line, "Thank you.", [gallery(second)], [second]))
    edited = await touch.reply.interaction.original_response()
    expect(len(pictures(edited)) == 1, f"the message shows {len(pictures(edited))} pictures")
    expect(await stage.download(edited) == second.data, "the message shows the old picture")
    return "the private message shows the new picture"


@LINES.add(
    "refused choice",
    "What was chosen and refused can be chosen again once the select has a new id.",
    When.PRESSED,
)
async def refused_choice(stage: Stage) -> str:
    """Refuse a choice, and have the same one made again."""
    line = "refused choice"
    first, again = (stage.props.place(line, Action.PICK, revision=number) for number in (1, 2))
    words = "Press **Open**. In the private message choose **Burano**, and once more when it is refused."
    opened = await stage.ask(line, words, *stage.props.press(line, "Open"), place=stage.props.place(line))
    await opened.reply.defer()
    with stage.desk.expecting(first) as chosen:
        shown = opened.reply.show(stage.props.page(line, "Choose Burano.", [_select(stage, line, 1)]))
        touch = await stage.heard(line, "now choose **Burano** in the private message", chosen, shown)
    await touch.reply.defer_edit()
    with stage.desk.expecting(again) as second:
        refused = stage.props.page(line, "Refused! Choose Burano again.", [_select(stage, line, 2)])
        asking = touch.reply.show(refused)
        once_more = await stage.heard(line, "it was refused: choose **Burano** again", second, asking)
    await once_more.reply.defer_edit()
    await once_more.reply.show(stage.props.page(line, "Thank you."))
    expect(once_more.values == touch.values, "something else was chosen")
    return "the same choice came again"


@LINES.add(
    "modal", "A modal opens at a click, and brings back what was typed in its labelled input.", When.PRESSED
)
async def modal(stage: Stage) -> str:
    """Have a form with a word sent."""
    line = "modal"
    form = stage.props.place(line, Action.TYPE)
    words = "Press **Type**, and send the form with the words that stand in it."
    touch = await stage.ask(line, words, *stage.props.press(line, "Type"), place=stage.props.place(line))
    with stage.desk.expecting(form) as sent:
        opening = touch.reply.open_modal(_modal(pack(form)))
        submitted = await stage.heard(line, "now send the form", sent, opening)
    await submitted.reply.defer()
    await submitted.reply.show(stage.props.page(line, "Thank you."))
    data: Any = submitted.reply.interaction.data or {}
    typed = _typed(data.get("components", []))
    expect(typed, "nothing came that was typed")
    return "what was typed came with it"


def _modal(custom_id: str) -> Modal:
    opened = Modal(title="Rehearsal", custom_id=custom_id, timeout=None)
    field: TextInput[Modal] = TextInput(custom_id=TYPED, default="Murano", max_length=100, required=True)
    opened.add_item(Label(text="Leave it as it is", component=field))
    opened.stop()
    return opened


def _typed(components: list[dict[str, Any]]) -> str:
    fields = [item.get("component", {}) for item in components]
    return next((str(each.get("value", "")) for each in fields if each.get("custom_id") == TYPED), "")


@LINES.add(
    "after a restart", "A button that was posted before a restart reaches the new process.", When.PRESSED
)
async def after_a_restart(stage: Stage) -> str:
    """Have a button pressed that a previous client posted."""
    line = "after a restart"
    if stage.desk.operator is None:
        raise Skipped("nobody is there to press anything")
    before = await stage.post(line, "Wait until you are asked to press it.", stage.props.press(line))
    await stage.connect()
    words = "Press **Press me** in the message before this one."
    touch = await stage.ask(line, words, place=stage.props.place(line), nonce="asked after it")
    pressed = touch.reply.interaction.message
    expect(pressed is not None and pressed.id == before, "the click names another message")
    await touch.reply.defer()
    await touch.reply.show(stage.props.page(line, "Thank you."))
    return "it arrived"


@LINES.add("late answer", "A first answer after more than three seconds is refused with 10062.", When.LONG)
async def late_answer(stage: Stage) -> str:
    """Have a button pressed, and answer too late."""
    line = "late answer"
    words = "Press **Press me**. Nothing will answer: that is what is tried."
    touch = await stage.ask(line, words, *stage.props.press(line), place=stage.props.place(line))
    await stage.sleep(LATE)
    try:
        await touch.reply.defer()
    except discord.HTTPException as error:
        expect(error.code in TOO_LATE, f"it was refused with {error.code}")
        return "it was refused"
    expect(False, "it was taken")
    raise AssertionError
