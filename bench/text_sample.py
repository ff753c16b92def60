"""Texts drawn by chance, for readers who judge them: ``python -m bench.text_sample SEED``.

``SEED``: any word, such as the hash of a commit; the same word draws the same texts. Each is printed with
where it stands (the translators' note), its key, and how it reads with usual values in its gaps, in all its
forms. Texts with fewer than three words of their own are left out.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from random import Random

from engines.core.registry import games
from engines.core.text_notes import Kind, notes
from engines.core.texts import CHOSEN_BY, Template, forms, load

MOST = 150

FEWEST_WORDS = 3

_GAP = re.compile(r"\{(\w+)\}")

USUAL: dict[Kind, tuple[str, ...]] = {
    Kind.NAME: ("Anna", "Ben", "Clara", "Dora"),
    Kind.NAMES: ("Anna and Ben", "Clara and Dora"),
    Kind.SIDE: ("Red", "Blue"),
    Kind.COUNT: ("4", "2", "7"),
    Kind.NUMBER: ("3", "9"),
    Kind.NUMBERS: ("2, 3 and 5",),
    Kind.TIME: ("today at 21:40", "tomorrow at 9:15"),
    Kind.HOUR: ("22:00", "8:00"),
    Kind.MATCH: ("Volo · Anna – Ben",),
    Kind.TITLE: ("Volo",),
    Kind.LINK: ("#games", "#hall"),
    Kind.LINKS: ("#games and #hall",),
    Kind.SQUARE: ("c4", "e6", "b2"),
    Kind.SQUARES: ("a2, b3 and c4", "d1 and d2"),
    Kind.TERM: ("⟨a name⟩", "⟨another name⟩"),
    Kind.TERMS: ("⟨names⟩", "⟨other names⟩"),
    Kind.PART: ("⟨a short text⟩", "⟨another⟩"),
    Kind.PARTS: ("⟨short texts⟩", "⟨others⟩"),
    Kind.CHOICE: ("",),
    Kind.QUOTE: ("abc", "xyz"),
    Kind.NOTATION: ("d2-E3", "f5"),
    Kind.CODE: ("4f2a91", "88c0de"),
}
"""What usually fills the gaps of each kind: the first, the second … of a text."""


def packages() -> list[str]:
    """Return all packages with texts that people read."""
    return ["bot", *(f"{folder}.{key}" for key in games() for folder in ("engines", "renderers"))]


def readings(template: Template, kinds: dict[str, Kind], chosen: str = "") -> Iterator[str]:
    """Yield a text in all its forms, each with what chooses it and with usual values in its gaps."""
    if not isinstance(template, str):
        chooser = template.get(CHOSEN_BY, "n")
        for name, form in template.items():
            if name != CHOSEN_BY:
                yield from readings(form, kinds, f"{chosen}[{chooser}: {name}] ")
        return

    filled: dict[str, str] = {"n": "1"} if "[n: one]" in chosen else {}
    for gap in _GAP.findall(template):
        values = USUAL[kinds[gap]]
        filled.setdefault(gap, values[sum(kinds[other] is kinds[gap] for other in filled) % len(values)])
    said = _GAP.sub(lambda gap: filled[gap[1]], template)
    yield chosen + said.replace("\n", "\n   ")


def sample(seed: str, most: int, drawn_from: Sequence[str]) -> list[str]:
    """Return texts of packages, drawn by chance, as they are printed."""
    found = []
    for package in drawn_from:
        about = notes(package)
        for key, template in load(package).languages["en"].items():
            if any(len(_GAP.sub("", form).split()) >= FEWEST_WORDS for form in forms(template)):
                found.append((package, key, about.of(key), list(readings(template, dict(about.gaps)))))
    drawn = Random(seed).sample(found, min(most, len(found)))
    return [
        "\n".join(
            (f"{number}. {package} · {key}" + (f" ({note})" if note else ""), *(f"   {s}" for s in said))
        )
        for number, (package, key, note, said) in enumerate(drawn, 1)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("seed")
    parser.add_argument("--most", type=int, default=MOST, help="how many texts")
    parser.add_argument("--package", action="append", choices=packages(), help="only of this; repeatable")
    options = parser.parse_args(arguments)
    print("\n".join(sample(options.seed, options.most, options.package or packages())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
