"""What the documents say is so: settings, links, commands, queries."""

from __future__ import annotations

import re
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

from bot.__main__ import command_line
from bot.config import Config
from bot.gateway.permissions import invite_link, permissions
from bot.store import open_store
from bot.store.contents import tables
from tests.kit.operators_pages import PAGES, operators_text

DOCUMENTS = ("README.md", "CONTRIBUTING.md", *PAGES, "docs/adding-a-game.md", "docs/levels.md")
ROW = re.compile(r"^\| `([A-Z_]+)` \| (.*?) \| (.*?) \| (.*?) \|$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
EXTRA = re.compile(r"([\w.-]+)\[postgresql\]")
VERSION = re.compile(r"""\bversion\(["']([\w.-]+)["']\)""")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def text(repository: Path, name: str) -> str:
    return (repository / name).read_text("utf-8")


def variables() -> dict[str, str]:
    """Return every setting's variable, with its default as the table writes it."""
    found = {}
    for name, field in Config.model_fields.items():
        alias = field.validation_alias
        variable = alias if isinstance(alias, str) else f"BAUTA_{name.upper()}"
        found[variable] = "none" if field.default is None else f"`{field.default}`"
    return found | {"BAUTA_CACHE": "`~/.cache/bauta`"}


def test_the_table_of_settings_is_complete_and_true(repository: Path) -> None:
    table = {name: default for name, _, default, _ in ROW.findall(text(repository, "docs/operating.md"))}
    wanted = variables()
    assert set(table) == set(wanted)
    for name, default in wanted.items():
        assert table[name].startswith(default), name


def test_the_readmes_table_says_nothing_else(repository: Path) -> None:
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \|", text(repository, "README.md"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}
    assert named
    assert named <= set(variables())


def test_the_readmes_invite_asks_for_exactly_what_is_needed(repository: Path) -> None:
    assert invite_link("YOUR_APPLICATION_ID") in text(repository, "README.md")
    assert permissions().value.bit_count() == 6


def anchors(page: Path) -> set[str]:
    """Return what links can name in a page: its headings, as GitHub writes them in addresses."""
    found = HEADING.findall(FENCE.sub("", page.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_links_lead_to_pages_and_headings(repository: Path) -> None:
    pages = [repository / "README.md", repository / "CONTRIBUTING.md", *(repository / "docs").rglob("*.md")]
    to_headings = 0
    for page in pages:
        for link, anchor in LINK.findall(FENCE.sub("", page.read_text("utf-8"))):
            if "://" in link:
                continue
            target = page.parent / link if link else page
            assert target.exists(), (page, link)
            if anchor:
                to_headings += 1
                assert anchor in anchors(target), (page, link, anchor)
    assert to_headings > 20


def test_every_command_is_explained(repository: Path) -> None:
    pages = operators_text(repository)
    listed = set(re.findall(r"^ {4}([a-z]+) ", command_line().format_help(), re.MULTILINE))
    # For those who work in a checkout, CONTRIBUTING explains it.
    assert "bauta texts" in text(repository, "CONTRIBUTING.md")
    others = listed - {"run", "serve", "texts"}
    assert others == {"backup", "compact", "doctor", "health", "move", "rehearse", "replay", "restore"}
    for command in others:
        if command != "replay":
            assert f"bauta {command}" in pages
    assert "bauta replay" in text(repository, "README.md")
    named = set(re.findall(r"\bbauta ([a-z]+)\b", " ".join(FENCE.findall(pages))))
    assert named <= {*others, "serve", "bauta"}


def test_what_is_told_to_be_installed_is_ours(repository: Path) -> None:
    """On the package index, ``bauta`` is somebody else's: a text that names it installs that."""
    name = tomllib.loads(text(repository, "pyproject.toml"))["project"]["name"]
    paths = [repository / each for each in (*DOCUMENTS, "CHANGELOG.md", "Dockerfile", "pyproject.toml")]
    paths += [path for top in ("bot", "engines", "renderers") for path in (repository / top).rglob("*.py")]
    texts = {path: path.read_text("utf-8") for path in paths}
    told = {path: set(EXTRA.findall(each)) - {name} for path, each in texts.items() if EXTRA.search(each)}
    assert len(told) > 3
    assert not any(told.values()), told
    asked = {found for each in texts.values() for found in VERSION.findall(each)}
    assert asked & {"bauta", name} == {name}


def test_paths_of_tests_exist(repository: Path) -> None:
    named = re.compile(r"`((?:tests|engines|renderers|docs)/[\w/.-]+\.(?:py|md))`")
    paths = [path for name in DOCUMENTS for path in named.findall(text(repository, name))]
    assert paths
    for path in paths:
        assert (repository / path).exists(), path


def test_every_decision_is_listed(repository: Path) -> None:
    listed = re.findall(r"^\| \[\d+\]\(([^)]+)\)", text(repository, "docs/adr/README.md"), re.MULTILINE)
    assert listed == sorted(page.name for page in (repository / "docs/adr").glob("0*.md"))


async def test_the_queries_that_delete_a_person_work(repository: Path, tmp_path: Path) -> None:
    statements = re.findall(r'sqlite3 var/bauta\.db "([^"]+)"', text(repository, "docs/public-bot.md"))
    assert len(statements) == 1
    await (await open_store(tmp_path / "house.db")).close()
    with closing(sqlite3.connect(tmp_path / "house.db")) as connection:
        connection.executescript(
            "INSERT INTO match (id, game, ruleset, seats, options, data_hashes, status, commitment, host,"
            " host_name, guild, channel, opened_at, changed_at)"
            " VALUES ('m', 'g', '1', 2, '[]', '[]', 'open', '', 123, 'Anna', 1, 1, 0.0, 0.0);"
            "INSERT INTO chair (match, ord, person, name, seat, withdrawn, asked)"
            " VALUES ('m', 0, 123, 'Anna', 0, 0, 0),"
            " ('m', 1, NULL, 'Automa', 1, 0, 0);"
            "INSERT INTO invitation VALUES ('m', 0, 123, 'Anna');"
            "INSERT INTO request VALUES ('r', 'm', 123, 'join', '', 0.0);"
            "INSERT INTO first_join VALUES ('m', 0, 123, 'r');"
            "INSERT INTO person (id, dms, language) VALUES (123, 1, 'en');"
            "INSERT INTO counted_act VALUES ('r', 'table', 0, 123, 1, 'm', 0.0);"
            "INSERT INTO preset VALUES (123, 'g', 'm', 't');"
            "INSERT INTO lesson VALUES (123, 'g', 'first', '[]', 0, '[]', 0);"
            "INSERT INTO holiday (person, begun, latest) VALUES (123, 0.0, 1.0);"
            "INSERT INTO dm_channel VALUES (123, 5, 6);"
            "INSERT INTO seat_offer VALUES ('m', 0, 123, 'Anna', 0);"
            "INSERT INTO former_holder VALUES ('m', 1, 123, 'Anna', 0.0);"
            "INSERT INTO result VALUES ('m', 0, 123, NULL, 1, 0, NULL, 'held', 2);"
            "INSERT INTO job (match, kind, target, due) VALUES ('m', 'forget', '123', 0.0);"
        )
        for table in tables(connection):
            if "person" in table.names:
                found = connection.execute(f"SELECT count(*) FROM {table.name} WHERE person = 123")
                assert found.fetchone() == (1,), table.name
        for statement in statements:
            connection.executescript(statement)
        dump = "\n".join(connection.iterdump())
    assert "Anna" not in dump
    assert "123" not in dump
