"""Config from the environment, and the messages for those that cannot be used."""

from __future__ import annotations

import os
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.domain.address import Address, PostgresqlAddress, address_of
from bot.domain.shards import Shards

TOKEN_LIMIT = 4_096
"""Bytes of a token file that are read: a token is far shorter."""

SECRETS = Path("/run/secrets")
"""Where containers find their secrets, mounted so that every user of the container can read them."""

Port = Annotated[int, Field(ge=0, le=65_535)]


class StartError(Exception):
    """The bot cannot start or go on. The message says why and what to do; it holds no secret."""


class TryAgainError(StartError):
    """The bot cannot start now, and may a moment later, without anybody's help."""


class Config(BaseSettings):
    """What the environment may say. Built by :func:`load`."""

    model_config = SettingsConfigDict(
        env_prefix="BAUTA_", frozen=True, extra="ignore", hide_input_in_errors=True, env_ignore_empty=True
    )

    discord_token: SecretStr | None = Field(default=None, validation_alias="DISCORD_TOKEN")
    discord_token_file: Path | None = Field(default=None, validation_alias="DISCORD_TOKEN_FILE")
    database: Annotated[Address, NoDecode] = Path("var/bauta.db")
    cache: Path = Field(default_factory=lambda: user_cache(os.environ))
    warm_up: bool = True
    painters: Annotated[int, Field(ge=1, le=16)] | None = None
    thinkers: Annotated[int, Field(ge=1, le=16)] | None = None
    computer_floor: float = Field(default=0.5, ge=0, le=60, allow_inf_nan=False)
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    sandbox_host: str = "127.0.0.1"
    sandbox_port: Port = 8674
    api_url: str | None = None
    gateway_url: str | None = None
    time_file: Path | None = None
    shards: str | None = None
    shard_count: int | None = None

    @field_validator("database", mode="before")
    @classmethod
    def _address(cls, value: object) -> object:
        return address_of(value) if isinstance(value, str) else value

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

    @field_validator("gateway_url")
    @classmethod
    def _loopback_url(cls, value: str | None) -> str | None:
        if value is not None and not is_loopback(urlsplit(value).hostname or ""):
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
        parts = urlsplit(self.api_url)
        host = parts.hostname or ""
        if self.gateway_url is not None and not is_loopback(host):
            raise ValueError("another Discord than the real one may only be on loopback")
        # Alone it names a proxy before the real one, which passes the token on.
        if not (is_near(host) or parts.scheme == "https"):
            raise ValueError("BAUTA_API_URL is told the token: name a proxy of this network, or https")

    @property
    def has_proxy(self) -> bool:
        """Return whether requests to Discord go through a proxy, which keeps the limits for all processes."""
        return self.api_url is not None and self.gateway_url is None

    def own_shards(self) -> Shards | None:
        """Return which shards this process serves; ``None``: all, as many as Discord recommends."""
        if self.shards is None or self.shard_count is None:
            return None
        return Shards.parse(self.shards, self.shard_count)

    def pulse(self) -> Path:
        """Return the file that says how this process is: beside its database, or in its cache."""
        if isinstance(self.database, PostgresqlAddress):
            shards = self.own_shards()
            name = "all" if shards is None else f"{shards}-of-{shards.count}"
            return self.cache / f"shards-{name}.pulse"
        found = self.database.resolve()
        return found.with_name(found.name + ".pulse")

    def token(self) -> SecretStr | None:
        """Return the token, read from its file where one is named; raises :class:`StartError`."""
        if self.discord_token_file is None:
            return _clean(self.discord_token)
        try:
            with self.discord_token_file.open("rb") as file:
                others_can = os.fstat(file.fileno()).st_mode & 0o077
                text = file.read(TOKEN_LIMIT).decode()
        except (OSError, UnicodeDecodeError) as error:
            raise StartError(
                f"The token file {self.discord_token_file} cannot be read ({type(error).__name__}).\n"
                "Set DISCORD_TOKEN_FILE to a text file that holds the bot's token and nothing else."
            ) from None
        if others_can and not self.token_is_mounted():
            raise StartError(
                f"Others can read the token file {self.discord_token_file}, and so become the bot.\n"
                f"chmod 600 {self.discord_token_file}"
            )
        token = _clean(SecretStr(text))
        if token is None:
            raise StartError(
                f"The token file {self.discord_token_file} is empty. Put the bot's token into it."
            )
        return token

    def token_is_mounted(self) -> bool:
        """Return whether the token comes from a container's secrets, which have no modes of their own."""
        file = self.discord_token_file
        return file is not None and file.resolve().is_relative_to(SECRETS.resolve())


def load(**said: Any) -> Config:
    """Return the settings of the environment, or instead of them what was ``said`` on the command line.

    Raises :class:`StartError` for what cannot be used.
    """
    try:
        return Config(**{name: value for name, value in said.items() if value is not None})
    except ValidationError as error:
        # Without the values: one of them may be a token.
        lines = (
            f"- {'.'.join(str(part) for part in item['loc']) or 'settings'}: {item['msg']}"
            for item in error.errors(include_input=False, include_url=False, include_context=False)
        )
        raise StartError("The settings in the environment cannot be used:\n" + "\n".join(lines)) from None


def user_cache(environment: Mapping[str, str]) -> Path:
    """Return the folder for what can be painted again: ``bauta`` in the user's cache folder (XDG).

    A path in ``XDG_CACHE_HOME`` that is not absolute does not count, as its specification says.
    Who has no home has the cache beside the database.
    """
    named = Path(environment.get("XDG_CACHE_HOME", ""))
    if named.is_absolute():
        return named / "bauta"
    try:
        return Path.home() / ".cache" / "bauta"
    except RuntimeError:
        return Path("var/cache")


def is_loopback(host: str) -> bool:
    """Return whether ``host`` names this very computer."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_near(host: str) -> bool:
    """Return whether ``host`` is of this computer or its own network: a private address, or a bare name."""
    if is_loopback(host):
        return True
    try:
        return ip_address(host).is_private
    except ValueError:
        return bool(host) and "." not in host


def _clean(token: SecretStr | None) -> SecretStr | None:
    # Editors end a file with a newline.
    text = token.get_secret_value().strip() if token is not None else ""
    return SecretStr(text) if text else None
