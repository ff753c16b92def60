"""Config: what the environment may say, and what is said about what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import config
from bot.cli.doctor.here import check_token_file
from bot.config import Config, StartError, is_loopback, load, user_cache

TOKEN = "secret.token.value"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "DISCORD_TOKEN",
        "DISCORD_TOKEN_FILE",
        *(f"BAUTA_{n.upper()}" for n in Config.model_fields),
    ):
        monkeypatch.delenv(name, raising=False)


def test_defaults() -> None:
    settings = load()
    assert settings.token() is None
    assert settings.database == Path("var/bauta.db")
    assert (settings.sandbox_host, settings.sandbox_port) == ("127.0.0.1", 8674)
    assert settings.log_level == "INFO"


def test_a_token_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", f" {TOKEN}\n")
    settings = load()
    token = settings.token()
    assert token is not None
    assert token.get_secret_value() == TOKEN
    assert TOKEN not in repr(settings) + str(settings) + repr(token)


def test_an_empty_token_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "  ")
    assert load().token() is None


def test_a_token_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o600)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
    token = load().token()
    assert token is not None
    assert token.get_secret_value() == TOKEN


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601])
def test_a_token_file_that_others_can_reach(
    mode: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "secrets" / "token"
    file.parent.mkdir()
    file.write_text(f"{TOKEN}\n")
    file.chmod(mode)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
    settings = load()
    with pytest.raises(StartError, match="chmod 600") as error:
        settings.token()
    assert TOKEN not in str(error.value)
    assert check_token_file(settings) == []
    # Containers mount their secrets so, and have nobody else in them.
    monkeypatch.setattr(config, "SECRETS", tmp_path / "secrets")
    token = settings.token()
    assert token is not None
    assert token.get_secret_value() == TOKEN
    [noted] = check_token_file(settings)
    assert "every user of this container" in noted.text
    file.chmod(0o400)
    assert check_token_file(settings) == []


@pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff\xfe"])
def test_a_token_file_that_cannot_be_used(
    content: bytes | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
        file.chmod(0o600)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
    settings = load()
    with pytest.raises(StartError, match="token file"):
        settings.token()


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"DISCORD_TOKEN": TOKEN, "DISCORD_TOKEN_FILE": "x"}, "both set"),
        ({"BAUTA_SANDBOX_PORT": "many"}, "sandbox_port"),
        ({"BAUTA_SANDBOX_PORT": "70000"}, "sandbox_port"),
        ({"BAUTA_SANDBOX_HOST": "0.0.0.0"}, "loopback"),
        ({"BAUTA_LOG_LEVEL": "LOUD"}, "log_level"),
        ({"BAUTA_GATEWAY_URL": "ws://127.0.0.1:1"}, "goes with"),
        ({"BAUTA_API_URL": "https://example.org", "BAUTA_GATEWAY_URL": "ws://127.0.0.1:1"}, "loopback"),
        ({"BAUTA_API_URL": "http://127.0.0.1@example.org", "BAUTA_GATEWAY_URL": "ws://[::1]:1"}, "loopback"),
    ],
)
def test_settings_that_cannot_be_used(
    environment: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(StartError, match=said) as error:
        load()
    assert TOKEN not in str(error.value)


def test_a_log_level_in_small_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAUTA_LOG_LEVEL", "debug")
    assert load().log_level == "DEBUG"


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("", False),
        ("10.0.0.1", False),
        ("localhost.example.org", False),
        ("0.0.0.0", False),
    ],
)
def test_loopback(host: str, *, here: bool) -> None:
    assert is_loopback(host) is here


def test_the_cache_is_in_the_users_folder_for_such(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert user_cache({"XDG_CACHE_HOME": "/some/where"}) == Path("/some/where/bauta")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for environment in ({}, {"XDG_CACHE_HOME": ""}, {"XDG_CACHE_HOME": "relative"}):
        assert user_cache(environment) == tmp_path / ".cache" / "bauta"
    monkeypatch.setenv("BAUTA_CACHE", "elsewhere")
    assert load().cache == Path("elsewhere")


def test_who_has_no_home_has_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)
    assert user_cache({}) == Path("var/cache")
