"""Config: what the environment may say, and what is said about what it may not."""

from __future__ import annotations

import shutil
import subprocess
import traceback
from pathlib import Path

import pytest

from bot import config
from bot.cli.doctor.local_checks import check_settings, check_token_file, check_variables
from bot.config import Config, StartError, is_loopback, load, unknown_variables, user_cache

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


def test_a_credential_of_systemd_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From version 254 on its mode is 0440: an ACL lets the unit's user in."""
    file = tmp_path / "bauta.service" / "token"
    file.parent.mkdir()
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o400)
    if shutil.which("setfacl") is not None:
        subprocess.run(["setfacl", "-m", "u:nobody:r", str(file)], check=False, stderr=subprocess.DEVNULL)
    file.chmod(0o440)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
    for folder in (None, "", ".", str(tmp_path / "other")):
        if folder is not None:
            monkeypatch.setenv("CREDENTIALS_DIRECTORY", folder)
        with pytest.raises(StartError, match="chmod 600"):
            load().token()
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(file.parent))
    token = load().token()
    assert token is not None
    assert token.get_secret_value() == TOKEN
    assert check_token_file(load()) == []


@pytest.mark.parametrize(
    "content", [f"{TOKEN}\nsecond", f"Bot {TOKEN}", f"{TOKEN}\0", f"{TOKEN}é", f"“{TOKEN}”"]
)
@pytest.mark.parametrize("in_file", [True, False])
def test_something_else_than_a_token_is_refused(
    content: str, in_file: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if in_file:
        file = tmp_path / "token"
        file.write_text(content, "utf-8")
        file.chmod(0o600)
        monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
    else:
        monkeypatch.setenv("DISCORD_TOKEN", content.replace("\0", "\x7f"))
    with pytest.raises(StartError, match="something else than a token in") as error:
        load().token()
    assert TOKEN not in str(error.value)


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
        ({"BAUTA_SANDBOX_PORT": "many"}, "BAUTA_SANDBOX_PORT: it must be a number from 0 to 65535"),
        ({"BAUTA_SANDBOX_PORT": "70000"}, "BAUTA_SANDBOX_PORT: it must be a number from 0 to 65535"),
        ({"BAUTA_SANDBOX_HOST": "0.0.0.0"}, "loopback"),
        ({"BAUTA_LOG_LEVEL": "LOUD"}, "BAUTA_LOG_LEVEL: it must be DEBUG"),
        ({"BAUTA_PAINTERS": "17"}, "BAUTA_PAINTERS: it must be a number from 1 to 16"),
        ({"BAUTA_WARM_UP": "perhaps"}, "BAUTA_WARM_UP: it must be 1 or 0"),
        ({"BAUTA_COMPUTER_FLOOR": "nan"}, "BAUTA_COMPUTER_FLOOR: it must be a number of seconds"),
        ({"BAUTA_SHARD_COUNT": "x"}, "BAUTA_SHARD_COUNT: it must be a whole number"),
        ({"BAUTA_GATEWAY_URL": "ws://127.0.0.1:1"}, "set both or none"),
        ({"BAUTA_API_URL": f"http://me:{TOKEN}\u2100@[x"}, "BAUTA_API_URL: it cannot be read"),
        ({"BAUTA_GATEWAY_URL": f"ws://me:{TOKEN}\u2100@[x"}, "BAUTA_GATEWAY_URL: it cannot be read"),
        ({"BAUTA_API_URL": "http://example.org/api/v10"}, "told the token"),
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
    for word in ("Input", "Value error", "validation", "valid "):
        assert word not in str(error.value), "the words of a library"


def test_every_setting_says_what_it_must_be() -> None:
    assert all(field.description for field in Config.model_fields.values())


PASSWORDS = (
    "POSTGRESQL://u:{}@h/d",
    "postgresql+psycopg://u:{}@h/d",
    "mysql://u:{}@h/d",
    " postgresql://u:{}@h/d",
    "'postgresql://u:{}@h/d'",
    "postgresql://u:{}@h/d\n",
    "postgresql://u:a b{}@h/d",
    "sqlite:postgresql://u:{}@h/d",
    "sqlite:///var/{}.db",
    "postgresql:u:{}@h/d",
    "//u:{}@h/d",
    "u:{}@h/d",
    "host=h password={}",
    "host=h PASSWORD = {}",
    "dbname={}",
    "user=anna {}",
    "jdbc:postgresql://h/d?password={}",
    "{}\n",
    "\t{}",
    "Bot MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs-{}",
)


@pytest.mark.parametrize(
    "variable", ["BAUTA_DATABASE", "BAUTA_CACHE", "BAUTA_FONTS", "DISCORD_TOKEN_FILE", "BAUTA_TIME_FILE"]
)
@pytest.mark.parametrize("value", PASSWORDS)
def test_what_may_hold_a_password_is_refused_and_not_repeated(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value.format("hunter2"))
    with pytest.raises(StartError, match=f"{variable}: it is neither the path of a file nor") as error:
        load()
    assert "hunter2" not in "".join(traceback.format_exception(error.value))


@pytest.mark.parametrize("value", ["var/bauta.db", "./a:b.db", "/srv/my house/bauta=1.db", "sqlite:é.db"])
def test_paths_of_every_kind_are_taken(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAUTA_DATABASE", value)
    assert load().database == Path(value.removeprefix("sqlite:"))


def test_the_folder_of_fonts_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load().fonts is None
    monkeypatch.setenv("BAUTA_FONTS", str(tmp_path))
    assert load().fonts == tmp_path
    monkeypatch.chdir(tmp_path.parent)
    monkeypatch.setenv("BAUTA_FONTS", tmp_path.name)
    # Painters are processes of their own, wherever they begin.
    assert load().fonts == tmp_path
    monkeypatch.setenv("BAUTA_FONTS", str(tmp_path / "hunter2"))
    with pytest.raises(StartError, match="BAUTA_FONTS: there is no such folder") as error:
        load()
    assert "hunter2" not in str(error.value)
    monkeypatch.delenv("BAUTA_FONTS")
    monkeypatch.setenv("BAUTA_FONT", str(tmp_path))
    with pytest.raises(StartError, match="BAUTA_FONT is no setting: BAUTA_FONTS is meant"):
        load()


def test_what_is_set_is_not_repeated_where_it_could_be_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN_FILE", TOKEN)
    monkeypatch.setenv("BAUTA_API_URL", "https://me:hunter2@proxy.example/api")
    settings = load()
    assert TOKEN not in repr(settings)
    assert "hunter2" not in repr(settings) + check_settings(settings).text
    assert "proxy.example" in check_settings(settings).text
    with pytest.raises(StartError, match="cannot be read") as error:
        settings.token()
    assert TOKEN not in str(error.value)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("BAUTA_PAINTER", "BAUTA_PAINTERS"),
        ("BAUTA_DATABSE", "BAUTA_DATABASE"),
        ("bauta_databaes", "BAUTA_DATABASE"),
        ("BUATA_DATABASE", "BAUTA_DATABASE"),
        ("BAUTA_LOGLEVEL", "BAUTA_LOG_LEVEL"),
        ("DISCORD_TOKEN_FIEL", "DISCORD_TOKEN_FILE"),
        ("DISCORD_TOKN", "DISCORD_TOKEN"),
        ("DISCORDTOKENFILE", "DISCORD_TOKEN_FILE"),
    ],
)
def test_a_misspelt_setting_stops_the_start(name: str, meant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "hunter2")
    with pytest.raises(StartError, match=f"{name} is no setting: {meant} is meant") as error:
        load()
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize(
    "name",
    ["BAUTA_SERVICE_HOST", "BAUTA_SERVICE_PORT", "BAUTA_PORT", "BAUTA_PORT_8674_TCP_ADDR", "BAUTA_COLOUR"],
)
def test_what_is_far_from_every_setting_is_only_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in unknown_variables():  # a run of the tests may have variables of its own
        monkeypatch.delenv(each)
    assert check_variables() == []
    monkeypatch.setenv(name, "hunter2")
    load()
    [finding] = check_variables()
    assert name in finding.text
    assert "hunter2" not in finding.text


def test_settings_may_be_in_small_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("bauta_painters", "4")
    assert load().painters == 4
    assert "bauta_painters" not in unknown_variables()


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
