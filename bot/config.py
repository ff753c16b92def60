"""Settings from the environment, and the messages for unusable ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.domain.address import Address, PostgresqlAddress, address_of, file_of
from bot.domain.shards import Shards

TOKEN_LIMIT = 4_096
"""Bytes of a token file that are read: a token is far shorter."""

SECRETS = Path("/run/secrets")
"""Where containers find their secrets, mounted so that every user of the container can read them."""

CREDENTIALS = "CREDENTIALS_DIRECTORY"
"""The variable in which systemd names the folder of a unit's credentials. An ACL admits only the unit's
user, which the files' modes do not show: from version 254 on they are 0440."""

MAX_TYPOS = 2
"""Edit distance up to which an unknown variable counts as a misspelt setting."""

PREFIX = "BAUTA_"

Port = Annotated[int, Field(ge=0, le=65_535)]
Workers = Annotated[int, Field(ge=1, le=16)]


class StartError(Exception):
    """The bot cannot start or continue. The message says why and what to do; it holds no secret."""


class TryAgainError(StartError):
    """The bot cannot start now, but may be able to a moment later, without help."""


class Config(BaseSettings):
    """The settings, built by :func:`load`; a field's description says what its value must be."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="ignore", hide_input_in_errors=True, env_ignore_empty=True
    )

    discord_token: SecretStr | None = Field(
        default=None, validation_alias="DISCORD_TOKEN", description="the bot's token"
    )
    discord_token_file: Path | None = Field(
        default=None, validation_alias="DISCORD_TOKEN_FILE", description="the path of a file", repr=False
    )
    database: Annotated[Address, NoDecode] = Field(
        default=Path("var/bauta.db"), description="the path of a file, or an address of PostgreSQL"
    )
    cache: Path = Field(default_factory=lambda: user_cache(os.environ), description="the path of a folder")
    fonts: Path | None = Field(default=None, description="the path of a folder with fonts")
    warm_up: bool = Field(default=True, description="1 or 0")
    painters: Workers | None = Field(default=None, description="a number from 1 to 16")
    thinkers: Workers | None = Field(default=None, description="a number from 1 to 16")
    computer_floor: float = Field(
        default=0.5, ge=0, le=60, allow_inf_nan=False, description="a number of seconds from 0 to 60"
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="DEBUG, INFO, WARNING or ERROR"
    )
    sandbox_host: str = Field(default="127.0.0.1", description="an address of this computer's own")
    sandbox_port: Port = Field(default=8674, description="a number from 0 to 65535")
    api_url: str | None = Field(default=None, description="an address of HTTP", repr=False)
    gateway_url: str | None = Field(default=None, description="an address of a gateway", repr=False)
    time_file: Path | None = Field(default=None, description="the path of a file")
    shards: str | None = Field(default=None, description="shards, such as 0-3")
    shard_count: int | None = Field(default=None, description="a whole number")

    @field_validator("database", mode="before")
    @classmethod
    def _address(cls, value: object) -> object:
        return address_of(value) if isinstance(value, str) else value

    @field_validator("cache", "discord_token_file", "fonts", "time_file", mode="before")
    @classmethod
    def _path(cls, value: object) -> object:
        return file_of(value) if isinstance(value, str) else value

    @field_validator("fonts")
    @classmethod
    def _font_folder(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_dir():
            raise ValueError("there is no such folder")
        # Absolute, because painters are processes of their own.
        return None if value is None else value.absolute()

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("sandbox_host")
    @classmethod
    def _loopback_host(cls, value: str) -> str:
        if not is_loopback(value):
            raise ValueError("the sandbox listens on loopback only, such as 127.0.0.1")
        return value

    @field_validator("api_url", "gateway_url")
    @classmethod
    def _readable_url(cls, value: str | None) -> str | None:
        _host_of(value or "")
        return value

    @field_validator("gateway_url")
    @classmethod
    def _loopback_url(cls, value: str | None) -> str | None:
        if value is not None and not is_loopback(_host_of(value)):
            raise ValueError("another Discord than the real one may only be on loopback")
        return value

    @model_validator(mode="after")
    def _whole(self) -> Config:
        if self.discord_token is not None and self.discord_token_file is not None:
            raise ValueError("DISCORD_TOKEN and DISCORD_TOKEN_FILE are both set: unset one of them")
        self._check_api()
        if self.time_file is not None and self.gateway_url is None:
            raise ValueError("BAUTA_TIME_FILE is for a sandbox: real Discord has one time")
        if (self.shards is None) is not (self.shard_count is None):
            raise ValueError("shards and their count go together: set both or none")
        shards = self.own_shards()
        if shards is not None and not shards.whole and isinstance(self.database, Path):
            raise ValueError(
                "several processes cannot share an SQLite file: name PostgreSQL in BAUTA_DATABASE, or leave "
                "out the shards"
            )
        return self

    def _check_api(self) -> None:
        """Raise ``ValueError`` for an address that must not get the token."""
        if self.api_url is None:
            if self.gateway_url is not None:
                raise ValueError("BAUTA_GATEWAY_URL goes with BAUTA_API_URL: set both or none")
            return
        host = _host_of(self.api_url)
        if self.gateway_url is not None and not is_loopback(host):
            raise ValueError("another Discord than the real one may only be on loopback")
        # Alone it names a proxy for the real Discord, which passes the token on.
        if not (is_near(host) or urlsplit(self.api_url).scheme == "https"):
            raise ValueError("BAUTA_API_URL is told the token: name a proxy of this network, or https")

    @property
    def has_proxy(self) -> bool:
        """Return whether requests to Discord go through a proxy, which enforces limits for all processes."""
        return self.api_url is not None and self.gateway_url is None

    def own_shards(self) -> Shards | None:
        """Return which shards this process serves; ``None``: all, as many as Discord recommends."""
        if self.shards is None or self.shard_count is None:
            return None
        return Shards.parse(self.shards, self.shard_count)

    def pulse(self) -> Path:
        """Return the file of this process's heartbeat: beside an SQLite database, else in the cache."""
        if isinstance(self.database, PostgresqlAddress):
            shards = self.own_shards()
            name = "all" if shards is None else f"{shards}-of-{shards.count}"
            return self.cache / f"shards-{name}.pulse"
        found = self.database.resolve()
        return found.with_name(found.name + ".pulse")

    def token(self) -> SecretStr | None:
        """Return the token, from its file if one is named; ``None``: unset. Raises :class:`StartError`."""
        if self.discord_token_file is not None:
            return _checked(self._token_in(self.discord_token_file), "the file that DISCORD_TOKEN_FILE names")
        text = self.discord_token.get_secret_value().strip() if self.discord_token is not None else ""
        return _checked(text, "DISCORD_TOKEN") if text else None

    def _token_in(self, path: Path) -> str:
        try:
            with path.open("rb") as file:
                others_can = os.fstat(file.fileno()).st_mode & 0o077
                text = file.read(TOKEN_LIMIT).decode().strip()
        except (OSError, UnicodeDecodeError) as error:
            # The path is not quoted: it may be the token itself.
            raise StartError(
                f"The token file that DISCORD_TOKEN_FILE names cannot be read ({type(error).__name__}).\n"
                "Set it to the path of a text file that holds the bot's token and nothing else."
            ) from None
        if others_can and not self.token_is_mounted() and not self._token_is_credential():
            raise StartError(
                f"Others can read the token file {path}, and so become the bot.\nchmod 600 {path}"
            )
        if not text:
            raise StartError(f"The token file {path} is empty. Put the bot's token into it.")
        return text

    def token_is_mounted(self) -> bool:
        """Return whether the token is one of a container's secrets, which have no file modes of their own."""
        return self._token_is_in(SECRETS)

    def _token_is_credential(self) -> bool:
        folder = Path(os.environ.get(CREDENTIALS, ""))
        return folder.is_absolute() and self._token_is_in(folder)

    def _token_is_in(self, folder: Path) -> bool:
        file = self.discord_token_file
        return file is not None and file.resolve().is_relative_to(folder.resolve())


def load(**said: Any) -> Config:
    """Load the settings from the environment; those ``said`` on the command line override them.

    Raises :class:`StartError` for unusable values, and for misspelt variables.
    """
    typos = [
        f"- {name} is no setting: {meant} is meant"
        for name in sorted(os.environ)
        if (meant := _meant(name)) is not None
    ]
    if typos:
        raise StartError(
            "A setting in the environment is misspelt:\n"
            + "\n".join(typos)
            + "\nCorrect its name, or unset it."
        )
    try:
        return Config(**{name: value for name, value in said.items() if value is not None})
    except ValidationError as error:
        # Without the values: one of them may be a token.
        lines = (f"- {_wrong(found)}" for found in error.errors(include_input=False, include_url=False))
        raise StartError("The settings in the environment cannot be used:\n" + "\n".join(lines)) from None


def _wrong(found: ErrorDetails) -> str:
    """Describe what is wrong with a setting in our words: pydantic's are for programmers."""
    ours = found.get("ctx", {}).get("error")
    if not found["loc"]:
        return str(ours)
    # The first part is the field's name, or its variable if that has no prefix; unions add more parts.
    place = str(found["loc"][0])
    name = next((name for name in Config.model_fields if place in (name, variable_of(name))), place)
    field = Config.model_fields[name]
    return f"{variable_of(name)}: {ours or f'it must be {field.description}'}"


def variable_of(field: str) -> str:
    """Return the environment variable that sets a field."""
    alias = Config.model_fields[field].validation_alias
    return alias if isinstance(alias, str) else f"{PREFIX}{field.upper()}"


def unknown_variables() -> list[str]:
    """Return variables that look like settings but are none; :func:`load` refuses misspelt ones.

    Kubernetes sets some for a service called bauta: ``BAUTA_SERVICE_HOST``.
    """
    known = set(map(variable_of, Config.model_fields))
    return sorted(
        name for name in os.environ if name.upper().startswith(PREFIX) and name.upper() not in known
    )


def _meant(name: str) -> str | None:
    """Return the setting that a variable misspells; ``None`` if it is a setting, or resembles none."""
    known = [variable_of(field) for field in Config.model_fields]
    if name.upper() in known:
        return None
    return next((setting for setting in known if _within(name.upper(), setting, MAX_TYPOS)), None)


def _within(one: str, other: str, typos: int) -> bool:
    """Return whether one text becomes another by at most ``typos`` insertions, deletions and changes."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    if not one or not other:
        return len(one) + len(other) <= typos
    return typos > 0 and any(
        _within(*pair, typos - 1) for pair in ((one[1:], other), (one, other[1:]), (one[1:], other[1:]))
    )


def user_cache(environment: Mapping[str, str]) -> Path:
    """Return the default folder for cached pictures: ``bauta`` in the user's cache folder (XDG).

    A relative ``XDG_CACHE_HOME`` is ignored, as its specification says. Without a home folder it is
    ``var/cache``, beside the default database.
    """
    named = Path(environment.get("XDG_CACHE_HOME", ""))
    if named.is_absolute():
        return named / "bauta"
    try:
        return Path.home() / ".cache" / "bauta"
    except RuntimeError:
        return Path("var/cache")


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        # Python's message quotes the address, which may hold a password.
        raise ValueError("it cannot be read") from None


def is_loopback(host: str) -> bool:
    """Return whether ``host`` names this computer itself."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_near(host: str) -> bool:
    """Return whether ``host`` is on this computer or its network: a private address, or a bare name."""
    if is_loopback(host):
        return True
    try:
        return ip_address(host).is_private
    except ValueError:
        return bool(host) and "." not in host


def _checked(token: str, place: str) -> SecretStr:
    # Text copied along with a token, such as a second line, is not allowed in a header.
    if not all("!" <= char <= "~" for char in token):
        raise StartError(
            f"There is something else than a token in {place}: blanks, several lines, or other letters.\n"
            "Copy the token from the developer portal (your application, Bot, Reset Token), and nothing else."
        )
    return SecretStr(token)
