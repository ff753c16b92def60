"""What hostile people write: names, words, values, custom ids. All of it from one random source."""

from __future__ import annotations

from random import Random
from typing import Any

from bench.hostile.payloads import CHANNEL, ROLE

MARK = "zq"
"""Stands in texts behind markup, so that markup that got through is found."""

VICTIM = 100_000_000_000_000_999
"""Somebody who sits at no table and must never be mentioned."""

SHORT = (
    "@everyone",
    "@here",
    f"<@{VICTIM}>",
    f"<@!{VICTIM}>",
    f"<@&{ROLE}>",
    f"<#{CHANNEL}>",
    f"</play:{ROLE}>",
    f"<:{MARK}:{ROLE}>",
    f"<a:{MARK}:{ROLE}>",
    "<id:customize>",
    "<t:1:R>",
    f"**{MARK}**",
    f"__{MARK}__",
    f"||{MARK}||",
    f"~~{MARK}~~",
    f"`{MARK}`",
    f"```{MARK}```",
    f"`` {MARK}",
    f"[{MARK}](https://{MARK}.example)",
    f"[{MARK}](<https://{MARK}.example>)",
    f"https://{MARK}.example/@everyone",
    f"<https://{MARK}.example/**{MARK}**>",
    f"# {MARK}",
    f"-# {MARK}",
    f"> {MARK}",
    f">>> {MARK}",
    f"- {MARK}",
    f"1. {MARK}",
    f"x\n# {MARK}",
    "x\r\n@everyone",
    "../../../etc/passwd",
    "..\\..\\x",
    "a/b\x00c",
    "\x00",
    "\x1b[31m",
    "\x7f",
    "\u202e" + "wv",
    "\u2066" + "wv" + "\u2069",
    "\u200f\u061c" + "wv",
    "\u200b",
    "\u3164",
    "\u2800\u2800",
    "@\u200beveryone",
    "\\@everyone",
    "\\",
    f"\\<@{VICTIM}>",
    "\ud800",
    "\udfff\ud83d",
    "\ufeff",
    "\u2028" + "wv",
    "é" + "\u0301" * 40,
    "مرحبا",
    "שלום",
    "👩‍👩‍👧‍👦",
    "🎭" * 9,
    "{name}",
    "{0.__class__}",
    "%s%n",
    "${jndi:ldap://x}",
    "'; DROP TABLE log; --",
    "١٢٣",
    "",
    " ",
    "\t\n",
    "None",
    "null",
    "[]",
    "true",
    "-1",
    "NaN",
    "9" * 30,
)

IDS = (
    "b1",
    "b1:",
    "b1::",
    "b1:::::",
    "b2:{match}:join",
    "B1:{match}:join",
    "b1:{match}",
    "b1:{match}:",
    "b1:{match}:JOIN",
    "b1:{match}:join:",
    "b1:{match}:join\n",
    "b1:{match}:join\x00",
    " b1:{match}:join",
    "b1:{match} :resign",
    "b1:{match}:{decision}:{revision}:q",
    "b1:{match}:{decision}:{revision}:",
    "b1:{match}:{decision}:0{revision}:y",
    "b1:{match}:{decision}:-1:y",
    "b1:{match}:{decision}:+1:y",
    "b1:{match}:{decision}:1_0:y",
    "b1:{match}:{decision}:999999999:y",
    "b1:{match}:{decision}:1000000000:y",
    "b1:{match}:{decision}:99999999999999999999999:y",
    "b1:{match}:{decision}:١:y",
    "b1:{match}:{decision}:²:y",
    "b1:{match}:{decision}:1e3:y",
    "b1:{match}:{decision}:{revision}:y:",
    "b1:{match}:{decision}:{revision}:y:word",
    "b1:{match}:{decision}:{revision}:y\x00",
    "b1:{match}:{decision}:{revision}:ｙ",
    "b1:{match}::{revision}:y",
    "b1:{match}:aaaaaaaa:{revision}:y",
    "b1:../../x:{decision}:0:y",
    "b1:{match}:{decision}:{revision}:w:@everyone",
    "b1:{match}:{decision}:{revision}:w:\u202ex",
    "b1:{match}:{decision}:{revision}:x:nothing",
    "b1:{match}:{decision}:{revision}:g:@/0",
    "b1:{match}:{decision}:{revision}:s:",
    "b1:{match}:{decision}:{revision}:p",
    "b1:{match}:{decision}:{revision}:t",
    "b1:aaaaaaaa:turn",
    "b1:aaaaaaaa:page",
    "b1:volo:page:1",
    "💥",
)


class Garbage:
    """Draws garbage."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def text(self, limit: int = 12_000) -> str:
        """Return a hostile text: short, glued together, or far too long."""
        rng, kind = self._rng, self._rng.random()
        if kind < 0.7:
            found = rng.choice(SHORT)
        elif kind < 0.9:
            found = rng.choice(("", " ", ":", "\n")).join(rng.choices(SHORT, k=rng.randint(2, 5)))
        elif kind < 0.95:
            found = (rng.choice(SHORT) or "x") * rng.randint(1, 10_000)
        else:
            found = "".join(chr(rng.randrange(1, 0x3000)) for _ in range(rng.randint(1, 120)))
        return found[:limit]

    def name(self) -> str:
        """Return what somebody may call themselves, or would if Discord let them."""
        return self.text(10_000) if self._rng.random() < 0.7 else self._rng.choice(("Alba", "Bruno", "Clara"))

    def custom_id(self, match: str, decision: str, revision: int) -> str:
        """Return a custom id that was never sent."""
        kind = self._rng.random()
        if kind < 0.75:
            frame = self._rng.choice(IDS)
            return frame.format(match=match, decision=decision, revision=revision)
        if kind < 0.9:
            return self.text(100) or "\x00"
        return f"b1:{match}:{decision}:{revision}:w:{self.text(60)}"[: self._rng.choice((100, 4_000))]

    def bitten(self, text: str) -> str:
        """Return a custom id with one character changed, lost, doubled or added."""
        if not text:
            return self.text(100)
        at = self._rng.randrange(len(text))
        other = self._rng.choice([*"0123456789abyzw:@/-\x00١\u200b", text[at].swapcase()])
        return self._rng.choice(
            (
                text[:at] + other + text[at + 1 :],
                text[:at] + text[at + 1 :],
                text[:at] + text[at] + text[at:],
                text[:at] + other + text[at:],
                text[:at],
            )
        )

    def values(self, offered: list[str]) -> Any:
        """Return what a select might be said to hold: nothing, several, never offered, no texts."""
        rng = self._rng
        pick = rng.choice(offered) if offered else "c4"
        return rng.choice(
            (
                [],
                [pick, pick],
                [pick, self.text(100)],
                [self.text(100)],
                [self.text()],
                [self.text(100) for _ in range(30)],
                [None],
                [7],
                [[pick]],
                [{"value": pick}],
                pick,
                None,
                {},
                7,
                [f"@{self.text(20)}"],
                [pick.upper()],
                [f"{pick} {pick}"],
            )
        )

    def value(self) -> Any:
        """Return an option's value of any type at all."""
        rng = self._rng
        return rng.choice(
            (
                self.text(),
                rng.choice((-1, 0, 1, 2, 3, 10**18, -(10**30), 2**63)),
                rng.choice((0.5, -1e308, 1e400)),
                True,
                False,
                None,
                [],
                [1],
                {},
                {"a": 1},
                str(VICTIM),
            )
        )
