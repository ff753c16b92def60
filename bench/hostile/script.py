"""What people do next: fair play that lets matches go on, and everything else."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from random import Random
from typing import Any

from bench.hostile.garbage import Garbage
from bench.hostile.house import House
from bench.hostile.payloads import (
    BUTTON,
    CHANNEL,
    COMMAND,
    COMPLETION,
    COMPONENT,
    FOREIGN_CHANNEL,
    FOREIGN_GUILD,
    MODAL,
    SELECT,
    SUBCOMMAND,
    TEXT,
    USER,
    WHOLE,
    YES_NO,
    Json,
    channel,
    in_dm,
    interaction,
    user,
    walk,
)
from bench.hostile.wire import dm_of
from bot.domain.tables import Status
from bot.pages.custom_ids import Action, Button, ButtonId, PanelId, pack, parse
from engines.core.player import walk as sentence_of
from engines.core.registry import games
from engines.core.rng import Rng

FIRST_PERSON = 100_000_000_000_000_001
PLAYERS, STRANGERS = 5, 3
RUNNING, OPEN = 4, 3
"""Matches and open tables up to which new ones are opened."""

PAST = 900
"""Interactions that may be delivered again: as many as the house is bound to remember, and fewer."""

COMMANDS = ("turn", "hand", "board", "games", "rules", "log", "resign", "draw", "help", "settings", "move")


_BUTTONS = [button for button in Button if button is not Button.DELETE_ALL]
"""Who presses that one leaves every table: what may change then is for tests/bot/test_privacy."""


@dataclass(slots=True)
class Next:
    """What is delivered at once; ``replayed``: it was delivered before, and must change nothing."""

    payloads: list[Json]
    what: str
    replayed: bool = False


class Script:
    """Draws what happens next from one random source and from what people see."""

    def __init__(self, house: House, rng: Random) -> None:
        self.house = house
        self.rng = rng
        self.past: deque[Json] = deque(maxlen=PAST)
        self._garbage = Garbage(rng)
        self._people = [FIRST_PERSON + i for i in range(PLAYERS + STRANGERS)]

    # --- what is delivered ------------------------------------------------------------------------

    async def next(self) -> Next:
        """Return what to deliver next."""
        kind = self.rng.random()
        if kind < 0.05 and self.past:
            return Next([self.rng.choice(self.past)], "replay", replayed=True)
        if kind < 0.45:
            return self._noted(await self._fair(), "fair")
        if kind < 0.50:
            payload = await self._fair()
            self.past.append(payload)
            return Next([payload, payload], "twice at once")
        if kind < 0.55:
            return self._noted(await self._fair(), "two at once", await self._hostile())
        if kind < 0.57:
            self._disturb()
        return self._noted(await self._hostile(), "hostile")

    def _noted(self, payload: Json, what: str, *others: Json) -> Next:
        payloads = [payload, *(other for other in others if other["id"] != payload["id"])]
        self.past.extend(payloads)
        return Next(payloads, what)

    def _disturb(self) -> None:
        """Delete a message, or let the house forget a table: it must fetch it again."""
        messages, cache = list(self.house.wire.messages), list(self.house.services.cache._tables)
        if self.rng.random() < 0.5 and messages:
            self.house.wire.delete(self.rng.choice(messages))
        elif cache:
            self.house.services.cache.forget(self.rng.choice(cache))

    # --- fair play --------------------------------------------------------------------------------

    async def _fair(self) -> Json:
        lives = list(self.house.seen())
        running = [live for live in lives if live.info.status is Status.RUNNING]
        opened = [live for live in lives if live.info.status is Status.OPEN]
        pick = self.rng.random()
        if (len(running) < RUNNING and len(opened) < OPEN and pick < 0.3) or not (running or opened):
            return self._open()
        if opened and (pick < 0.4 or not running):
            return self._sit(self.rng.choice(opened))
        if pick < 0.5:
            return self._by_command(self._player())
        return self._play(self.rng.choice(running)) if running else self._by_command(self._player())

    def _player(self) -> int:
        return self.rng.choice(self._people[:PLAYERS])

    def _open(self) -> Json:
        key = self.rng.choice(sorted(games()))
        options: list[Json] = []
        if self.rng.random() < 0.4:
            options.append({"name": "computers", "type": WHOLE, "value": 1})
        resolved: Json = {}
        if not options and self.rng.random() < 0.4:
            guest = self._player()
            options.append({"name": "opponent", "type": USER, "value": str(guest)})
            resolved = {"users": {str(guest): user(guest, self._garbage.name())}}
        sub = {"name": key, "type": SUBCOMMAND, "options": options}
        data = {"id": "1", "name": "play", "type": 1, "options": [sub], "resolved": resolved}
        return self._from(COMMAND, self._player(), data)

    def _sit(self, live: Any) -> Json:
        sizing = (Button.ADD_SEAT, Button.REMOVE_SEAT)
        others = (Button.START, Button.COMPUTER, Button.LEAVE, *sizing)
        button = self.rng.choice((Button.JOIN, Button.JOIN, Button.JOIN, *others))
        who = self._player() if button is Button.JOIN or self.rng.random() < 0.1 else live.info.host.id
        number = self.rng.randrange(6) if button in sizing else None
        return self._press(who, pack(ButtonId(live.id, button, number)))

    def _by_command(self, who: int) -> Json:
        name = self.rng.choice(COMMANDS)
        options: list[Json] = []
        mine = [live for live in self.house.seen() if live.chair_of(who) is not None]
        if name not in ("games", "help", "rules", "settings") and mine and self.rng.random() < 0.8:
            options.append({"name": "match", "type": TEXT, "value": self.rng.choice(mine).id})
        if name == "move":
            options.append({"name": "words", "type": TEXT, "value": self._sentence(mine, who)})
        if name == "board":
            options.append({"name": "text", "type": YES_NO, "value": self.rng.random() < 0.5})
        if name == "settings":
            options.append({"name": "dms", "type": TEXT, "value": self.rng.choice(("on", "off"))})
        return self._from(COMMAND, who, {"id": "1", "name": name, "type": 1, "options": options})

    def _sentence(self, lives: list[Any], who: int) -> str:
        running = [live for live in lives if live.info.status is Status.RUNNING]
        return self._typed(self.rng.choice(running), who) if running else "c4"

    def _typed(self, live: Any, who: int) -> str:
        view = live.seat_view(live.info.seat_of(who))
        if view.root is None:
            return "c4"
        rng = Rng(self.rng.randbytes(32)).child("hostile", 0)
        # Who is not asked has nothing but asides.
        return str(view.game.write(sentence_of(view.game, view.view, view.root, rng, asides=True)))

    def _play(self, live: Any) -> Json:
        """Go on with a match by the newest panel of somebody who is asked."""
        asked = [live.info.chair_at(seat).person for seat in live.row.asked]
        people = [person.id for person in asked if person is not None]
        who = self.rng.choice(people) if people else self._player()
        if self.rng.random() < 0.015:
            rare = self.rng.choice(
                (Button.RESIGN, Button.ACCEPT, Button.ACCEPT, Button.DECLINE, Button.REMATCH)
            )
            return self._press(who, pack(ButtonId(live.id, rare)))
        panel = self._panel(who, live)
        if panel is None or self.rng.random() < 0.05:
            return self._press(who, pack(ButtonId(live.id, Button.TURN)))
        ways = [(item, parse(item.get("custom_id"))) for item in walk(panel["components"])]
        found = [(item, place) for item, place in ways if isinstance(place, PanelId)]
        confirm = [way for way in found if way[1].action is Action.CONFIRM]
        typing = [way for way in found if way[1].action is Action.TYPE]
        if confirm and self.rng.random() < 0.7:
            item, _ = confirm[0]
        elif typing and self.rng.random() < 0.4:
            item, _ = typing[0]
            if self.rng.random() < 0.8:
                return self._submit(who, item["custom_id"], self._typed(live, who), panel)
        else:
            item, _ = self.rng.choice(found)
        return self._click(who, item, panel)

    def _panel(self, who: int, live: Any) -> Json | None:
        for made in reversed(self.house.wire.mine().get(who, [])):
            places = [parse(item.get("custom_id")) for item in walk(made["components"])]
            if any(isinstance(place, PanelId) and place.match == live.id for place in places):
                return made
        return None

    # --- parts ------------------------------------------------------------------------------------

    def _from(self, kind: int, who: int, data: Json, message: Json | None = None) -> Json:
        """Return an interaction of somebody, from where the clicked message stands."""
        name = f"Player {who % 10}" if self.rng.random() < 0.5 else self._garbage.name()
        payload = interaction(kind, next(self.house.ids), (who, name), data)
        if message is not None:
            payload["message"] = message
            place = int(message["channel_id"])
            if place == dm_of(who):
                return in_dm(payload, place)
            payload |= {"channel_id": str(place), "channel": channel(place, 11 if place != CHANNEL else 0)}
        return payload

    def _click(self, who: int, item: Json, message: Json | None) -> Json:
        data: Json = {"custom_id": item["custom_id"], "component_type": item["type"], "id": 1}
        if item["type"] == SELECT:
            data["values"] = [self.rng.choice(item["options"])["value"]]
        return self._from(COMPONENT, who, data, message)

    def _press(self, who: int, custom_id: str) -> Json:
        """Press a public button, on the message that has it if there is one."""
        for made in reversed(self.house.wire.public()):
            if any(item.get("custom_id") == custom_id for item in walk(made["components"])):
                return self._from(COMPONENT, who, {"custom_id": custom_id, "component_type": BUTTON}, made)
        return self._from(
            COMPONENT, who, {"custom_id": custom_id, "component_type": BUTTON}, self._any_message()
        )

    def _any_message(self) -> Json | None:
        messages = self.house.wire.public()
        return self.rng.choice(messages) if messages else None

    def _submit(self, who: int, custom_id: str, text: str, message: Json | None) -> Json:
        field_ = {"type": 4, "id": 2, "custom_id": "text", "value": text}
        data = {"custom_id": custom_id, "components": [{"type": 18, "id": 1, "component": field_}]}
        return self._from(MODAL, who, data, message)

    # --- everything else --------------------------------------------------------------------------

    async def _hostile(self) -> Json:
        ways = (
            self._forged,
            self._forged,
            self._meddled,
            self._meddled,
            self._modal,
            self._command,
            self._completion,
        )
        payload = self.rng.choice(ways)()
        for _ in range(self.rng.choice((0, 0, 1, 1, 2))):
            payload = self._elsewhere(payload)
        return payload

    def _anybody(self) -> int:
        return self.rng.choice(self._people)

    def _target(self) -> tuple[str, str, int]:
        """Return a match, a decision in it that belongs to any of its seats, and its revision."""
        lives = list(self.house.seen())
        if not lives:
            return "aaaaaaaa", "aaaaaaaa", 0
        live = self.rng.choice(lives)
        if live.log is None or self.rng.random() < 0.1:
            return live.id, "aaaaaaaa", 0
        seat = self.rng.randrange(live.info.setup.seats)
        return live.id, live.seat_view(seat).decision, live.drafts_of(seat).revision

    def _message(self) -> Json | None:
        """Return any message at all: others' private ones, public ones, none."""
        messages = list(self.house.wire.messages.values())
        return self.rng.choice(messages) if messages and self.rng.random() < 0.9 else None

    def _forged(self) -> Json:
        """Send a custom id that nobody was given: of any match, seat, action and word."""
        match, decision, revision = self._target()
        pick = self.rng.random()
        if pick < 0.4:
            custom_id = self._garbage.custom_id(match, decision, revision)
        elif pick < 0.6:
            number = self.rng.choice((None, None, 0, 1, 5, 999_999_999))
            custom_id = pack(ButtonId(match, self.rng.choice(_BUTTONS), number))
        else:
            action = self.rng.choice(list(Action))
            revision += self.rng.choice((0, 0, 0, 1, -1, 1000)) if revision else self.rng.choice((0, 0, 1))
            custom_id = f"b1:{match}:{decision}:{max(0, revision)}:{action.value}"
            if self.rng.random() < 0.5:
                custom_id += (
                    f":{self.rng.choice(('c4', 'pass', 'lay', 'text', 'a1', self._garbage.text(20)))}"
                )
        data: Json = {"custom_id": custom_id, "component_type": self.rng.choice((2, 2, 2, 3, 5, 6, 99, -1))}
        if self.rng.random() < 0.5:
            data["values"] = self._garbage.values(["c4", "0", "@/0"])
        return self._from(COMPONENT, self._anybody(), data, self._message())

    def _meddled(self) -> Json:
        """Press what the bot did send: on old panels, others' panels, with other values."""
        made = self._message()
        items = [item for item in walk((made or {}).get("components")) if "custom_id" in item]
        if made is None or not items:
            return self._forged()
        item = self.rng.choice(items)
        owner = self.house.wire.owners.get(int(made["id"]))
        who = owner if owner is not None and self.rng.random() < 0.5 else self._anybody()
        payload = self._click(who, item, made)
        data = payload["data"]
        if self.rng.random() < 0.3:
            data["custom_id"] = self._garbage.bitten(data["custom_id"])
        if self.rng.random() < 0.5:
            offered = [option["value"] for option in item.get("options", [])]
            data["values"] = self._garbage.values(offered)
        if self.rng.random() < 0.2:
            data["component_type"] = self.rng.choice((2, 3, 4, 5, 8, 0, -1, 10**6))
        return payload

    def _modal(self) -> Json:
        match, decision, revision = self._target()
        custom_id = f"b1:{match}:{decision}:{revision}:t"
        if self.rng.random() < 0.2:
            custom_id = self._garbage.custom_id(match, decision, revision)
        payload = self._submit(self._anybody(), custom_id, self._garbage.text(), self._message())
        wrapped = payload["data"]["components"]
        inner = wrapped[0]["component"]
        payload["data"]["components"] = self.rng.choice(
            (
                wrapped,
                wrapped,
                wrapped * 2,
                [],
                [{"type": 18, "id": 1}],
                [{"type": 18, "id": 1, "component": None}],
                [{"type": 1, "components": [inner]}],
                [{"type": 1, "components": [inner, inner | {"value": "c4"}]}],
                [inner | {"custom_id": "other"}],
                [inner | {"custom_id": self._garbage.text(50)}, inner],
                [inner | {"value": self._garbage.value()}],
                [inner | {"value": None, "values": ["c4"]}],
                [None, 7, "x", [], inner],
                "components",
                {"type": 18},
            )
        )
        return payload

    def _command(self) -> Json:
        payload = self._by_command(self._anybody()) if self.rng.random() < 0.7 else self._open()
        data, rng = payload["data"], self.rng
        if rng.random() < 0.2:
            data["name"] = rng.choice(
                ("pläy", "", "PLAY", self._garbage.text(32), "settings", "move", "play")
            )
        options = data["options"]
        inner = options[0]["options"] if options and options[0].get("type") == SUBCOMMAND else options
        for option in inner:
            if rng.random() < 0.6:
                option["value"] = self._garbage.value()
            if rng.random() < 0.2:
                option["type"] = rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, -1))
            if rng.random() < 0.1:
                option["name"] = self._garbage.text(32)
        self._add_options(options, inner)
        if rng.random() < 0.05:
            data["type"] = rng.choice((2, 3, 4, 99))
        return payload

    def _add_options(self, options: list[Json], inner: list[Json]) -> None:
        """Put options in that no command has, or take all away."""
        extra = self.rng.random()
        if extra < 0.1:
            options.append({"name": self._garbage.text(32), "type": 3, "value": self._garbage.value()})
        elif extra < 0.2:
            options.insert(
                0,
                {
                    "name": self.rng.choice(("volo", "x", "../")),
                    "type": self.rng.choice((1, 2)),
                    "options": options[:],
                },
            )
        elif extra < 0.25:
            inner.append({"name": "opponent", "type": USER, "value": str(self.rng.choice(self._people))})
        elif extra < 0.3:
            options.clear()

    def _completion(self) -> Json:
        name = self.rng.choice((*COMMANDS[:3], "move", "move", "log", "draw", "help", "play", "none"))
        who = self._anybody()
        focus = "words" if name == "move" and self.rng.random() < 0.8 else "match"
        typed = (
            self._garbage.value() if self.rng.random() < 0.7 else self.rng.choice(("", "c", "c4", " ", "P"))
        )
        options: list[Json] = [{"name": focus, "type": 3, "value": typed, "focused": True}]
        if self.rng.random() < 0.5:
            options.append(
                {
                    "name": "match",
                    "type": 3,
                    "value": self.rng.choice((self._target()[0], self._garbage.value())),
                }
            )
        if self.rng.random() < 0.1:
            options[0].pop(self.rng.choice(("focused", "value", "name")))
        if self.rng.random() < 0.1:
            options[0]["name"] = self._garbage.text(32)
        return self._from(COMPLETION, who, {"id": "1", "name": name, "type": 1, "options": options})

    def _elsewhere(self, payload: Json) -> Json:
        """Change where an interaction comes from, or whose it is; or leave out what Discord says of that."""
        pick = self.rng.randrange(9)
        if "member" not in payload:
            return payload
        who = int(payload["member"]["user"]["id"])
        if pick == 0:
            return in_dm(payload, dm_of(who))
        if pick == 1:
            foreign = {"id": str(FOREIGN_GUILD), "locale": "xx", "features": []}
            place = channel(FOREIGN_CHANNEL, guild=FOREIGN_GUILD)
            moved = {"guild_id": str(FOREIGN_GUILD), "guild": foreign, "channel": place}
            return payload | moved | {"channel_id": str(FOREIGN_CHANNEL), "guild_locale": "xx"}
        if pick == 2:
            payload["member"]["user"]["bot"] = True
        elif pick == 3:
            payload["channel"] = channel(CHANNEL, self.rng.choice((0, 2, 4, 5, 11, 13, 15, 99)))
        elif pick == 4:
            payload["app_permissions"] = "0"
        elif pick == 5:
            payload["locale"] = self.rng.choice(("de", "zz", "", "en-XX", self._garbage.text(10)))
        else:
            dropped = self.rng.choice(
                (
                    "member",
                    "guild_id",
                    "guild",
                    "message",
                    "channel",
                    "channel_id",
                    "locale",
                    "context",
                    "guild_locale",
                )
            )
            payload.pop(dropped, None)
        return payload
