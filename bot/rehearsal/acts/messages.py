"""Messages: sent, fetched, edited, stripped, found again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import discord

from bot.pages.page import FoundMessage, Upload, gallery
from bot.rehearsal.desk import MARKER, WORDS, expect, has_controls, inside, names, picture, pictures, words_of
from bot.rehearsal.stage import Lines, Stage

LINES = Lines()

WIDE = picture("first", 90, 40)
TALL = picture("first", 40, 90, "#2b5a8a")
"""Named like :data:`WIDE`, as a new board is named like the one before it."""


async def _with_picture(stage: Stage, line: str) -> discord.Message:
    """Send a message with a picture and a button, and return it as Discord has it."""
    blocks = [gallery(WIDE), *stage.props.press(line, "Not yet")]
    return await stage.fetch(await stage.post(line, "A picture and a button.", blocks, [WIDE]))


def _file(message: discord.Message) -> int | None:
    """Return the id of the one file that a message shows."""
    ids = [item.media.attachment_id for item in pictures(message)]
    return ids[0] if len(ids) == 1 else None


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file that an edit leaves in its message."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, Any]:
        """Return what discord.py sends for it."""
        return {"id": self.id, "filename": self.filename}


@LINES.add("post", "A message of components alone keeps its texts, component ids, picture and alt text.")
async def post(stage: Stage) -> str:
    """Send one, and compare it with Discord's copy."""
    mark = len(stage.wire.answers)
    message = await _with_picture(stage, "post")
    edited = any(answer.method == "PATCH" for answer in stage.wire.answers[mark:])
    expect(not edited, "it came back otherwise than it was sent, and was edited at once")
    found = FoundMessage.read(message)
    expect(message.flags.components_v2, "the flag for components is not set")
    expect((found.marker, found.texts) == (MARKER, (WORDS,)), "component ids were not kept")
    expect(len(pictures(message)) == 1, "its picture is not in a gallery")
    [shown] = pictures(message)
    expect(shown.description == WIDE.alt, "the alt text is another one")
    expect(names(message) == [WIDE.filename], "the picture has another name")
    expect(await stage.download(message) == WIDE.data, "the picture is another file")
    return "kept all of it"


@LINES.add("attachments", "A picture in a gallery says which attachment it is (media.attachment_id).")
async def attachments(stage: Stage) -> str:
    """Check where the file's id is given."""
    message = await _with_picture(stage, "attachments")
    listed = f"attachments lists {len(message.attachments)} of 1 files"
    ids = [item.media.attachment_id for item in pictures(message)]
    expect(len(ids) == 1 and ids[0] is not None, f"{listed}; media.attachment_id is missing")
    return f"{listed}; media.attachment_id is there"


@LINES.add("strip", "An edit takes the buttons from a message and leaves its picture.")
async def strip(stage: Stage) -> str:
    """Strip a message as the bot strips boards, and check the remaining picture."""
    before = await _with_picture(stage, "strip")
    await stage.messages.strip(stage.channel, before.id)
    after = await stage.fetch(before.id)
    expect(not has_controls(after), "the buttons are still there")
    expect(_file(after) is not None, "the picture is gone")
    expect(_file(after) == _file(before), "the picture is another file")
    expect(await stage.download(after) == WIDE.data, "the file is another one")
    return "the picture stayed, as the same attachment"


@LINES.add("keep", "An edit of the texts that names the attachment it keeps leaves the picture.")
async def keep(stage: Stage) -> str:
    """Edit the text beside a picture that is not sent again."""
    line = "keep"
    before = await _with_picture(stage, line)
    file = _file(before)
    kept = cast("list[discord.Attachment]", [_Kept(file or 0, WIDE.filename)])
    # The view has the items of the message, which are changed here.
    view = discord.ui.LayoutView.from_message(before, timeout=None)
    for item in view.walk_children():
        if isinstance(item, discord.ui.TextDisplay):
            item.content += "\nEdited."
        elif isinstance(item, discord.ui.MediaGallery):
            for shown in item.items:
                shown.media = discord.UnfurledMediaItem(WIDE.uri)
    view.stop()
    await before.edit(view=view, attachments=kept)
    after = await stage.fetch(before.id)
    expect(_file(after) is not None, "the picture is gone")
    expect(_file(after) == file, "the picture is another file")
    return "the picture stayed, as the same attachment"


@LINES.add(
    "new file", "An edit puts a new picture of the same name into a gallery, in the place of the old one."
)
async def new_file(stage: Stage) -> str:
    """Edit a message as the bot edits boards."""
    line = "new file"
    before = await _with_picture(stage, line)
    page = stage.props.page(line, "Another picture.", [gallery(TALL)], [TALL])
    expect(await stage.messages.edit(stage.channel, before.id, page), "the message took no edit")
    after = await stage.fetch(before.id)
    expect(len(pictures(after)) == 1, f"{len(pictures(after))} pictures are shown")
    expect(_file(after) != _file(before), "the old picture is still shown")
    expect(await stage.download(after) == TALL.data, "the picture is another file")
    return "the new picture is shown, the old one is gone"


@LINES.add("galleries", "Several galleries of one picture each are kept apart, in their order.")
async def galleries(stage: Stage) -> str:
    """Send three galleries."""
    three = [picture(f"picture{number}", 30 + number, 30) for number in range(3)]
    blocks = [gallery(each) for each in three]
    message = await stage.fetch(await stage.post("galleries", "Three pictures.", blocks, three))
    expect(
        names(message) == [each.filename for each in three], "the pictures are others, or in another order"
    )
    count = sum(isinstance(item, discord.MediaGalleryComponent) for item in inside(message))
    expect(count == 3, f"there are {count} galleries")
    return "three galleries, in their order"


@LINES.add("file", "A file has a component of its own, and is shown under its name.")
async def file(stage: Stage) -> str:
    """Send a file that is no picture, as replays are sent."""
    sent = Upload("replay.json", b'{"rehearsal": true}')
    blocks = [discord.ui.File[Any](sent.uri)]
    message = await stage.fetch(await stage.post("file", "A file.", blocks, [sent]))
    shown = [item for item in inside(message) if isinstance(item, discord.FileComponent)]
    expect(len(shown) == 1, f"{len(shown)} files are shown")
    expect(shown[0].name == sent.filename, "it has another name")
    data = await stage.client.http.get_from_cdn(shown[0].media.url)
    expect(data == sent.data, "it holds something else")
    return "it is shown, and holds what was sent"


@LINES.add("nonce", "The same nonce, sent again within minutes, gives the same message and no second one.")
async def nonce(stage: Stage) -> str:
    """Send twice with the same nonce."""
    first = await stage.post("nonce", "Once.")
    second = await stage.post("nonce", "Twice.")
    expect(first == second, "a second message was posted")
    return "the same message came back"


@LINES.add(
    "mentions", "A message notifies whom allowed_mentions names, and an edit that names them keeps it so."
)
async def mentions(stage: Stage) -> str:
    """Mention the bot itself, which disturbs nobody, and edit the message."""
    line, me = "mentions", stage.client.user
    assert me is not None
    message = await stage.post(line, f"This mentions {me.mention}.", mentioned=[me.id])
    before = await stage.fetch(message)
    expect([user.id for user in before.mentions] == [me.id], "the message mentions nobody")
    page = stage.props.page(line, f"This mentions {me.mention}, and was edited.")
    expect(await stage.messages.edit(stage.channel, message, page), "the message took no edit")
    after = await stage.fetch(message)
    expect([user.id for user in after.mentions] == [me.id], "the edit lost the mention")
    return "mentioned, before the edit and after it"


@LINES.add(
    "push", "A ping posted as plain words becomes a message of components by an edit, its mention kept."
)
async def push(stage: Stage) -> str:
    """Post a ping as the bot does: first as plain text, which notifications show, then laid out."""
    line, me = "push", stage.client.user
    assert me is not None
    said, blocks = f"This mentions {me.mention}.", [gallery(WIDE)]
    message = await stage.post(line, said, blocks, [WIDE], mentioned=[me.id], push=said)
    after = await stage.fetch(message)
    expect(after.flags.components_v2 and not after.content, "the words are still there as they came")
    expect(stage.props.mark in words_of(after), "the texts are not there")
    expect(names(after) == [WIDE.filename], "the picture is not shown")
    expect([user.id for user in after.mentions] == [me.id], "the mention is lost")
    return "the edit was taken, the mention stayed"


@LINES.add("history", "Our own messages are found in a channel's history by their custom ids.")
async def history(stage: Stage) -> str:
    """Search for a message as the bot does after a crash."""
    line = "history"
    message = await stage.post(line, "Found again.", stage.props.press(line, "Not yet"))
    found = await stage.messages.find(stage.channel, f":{stage.props.match}:{line}:")
    expect([each.message_id for each in found] == [message], f"{len(found)} messages were found")
    expect(found[0].marker == MARKER, "its component id was not kept")
    return "found"


@LINES.add("gone", "An edit of a message that was deleted is refused with 10008.")
async def gone(stage: Stage) -> str:
    """Delete a message, then edit it."""
    message = await stage.post("gone", "Deleted at once.")
    await stage.client.get_partial_messageable(stage.channel).get_partial_message(message).delete()
    page = stage.props.page("gone", "Edited after that.")
    expect(not await stage.messages.edit(stage.channel, message, page), "the edit was taken")
    expect(not await stage.messages.exists(stage.channel, message), "the message is still there")
    return "the edit was refused"
