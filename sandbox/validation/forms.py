"""Reads a JSON object field by field, and collects the mistakes.

Codes and messages are those of Discord's `errors` object: its documentation, "Error Messages".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.errors import FormErrors, Path, invalid_field
from sandbox.snowflake import parse

_NO_OBJECT = "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType"


@dataclass(frozen=True, slots=True)
class Form:
    """An object at `path` of a body. Readers return the value, or None if it is absent or invalid."""

    data: Mapping[str, Any]
    path: Path
    errors: FormErrors

    def has(self, key: str) -> bool:
        """Return whether a field is present and not null."""
        return self.data.get(key) is not None

    def fail(self, key: str | int | None, code: str, message: str) -> None:
        """Add a mistake at a field, or at the object itself (None)."""
        self.errors.add(self.path if key is None else (*self.path, key), code, message)

    def _get(self, key: str, *, required: bool) -> Any:
        value = self.data.get(key)
        if value is None and required:
            self.fail(key, "BASE_TYPE_REQUIRED", "This field is required")
        return value

    def text(self, key: str, low: int, high: int, *, required: bool = False) -> str | None:
        """Read a string whose length is within bounds; white space alone counts as empty."""
        value = self._get(key, required=required)
        if value is None:
            return None
        if not isinstance(value, str):
            self.fail(key, "BASE_TYPE_BAD_TYPE", "Must be a string.")
        elif low and not value.strip():
            self.fail(key, "BASE_TYPE_REQUIRED", "This field is required")
        elif low <= len(value) <= high:
            return value if value.strip() else ""
        elif low == 0:
            self.fail(key, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
        else:
            self.fail(key, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        return None

    def required_text(self, key: str, low: int, high: int) -> str:
        """Read a required string; "" if it is absent or invalid."""
        return self.text(key, low, high, required=True) or ""

    def integer(
        self, key: str, low: int = -(1 << 53), high: int = 1 << 53, *, required: bool = False
    ) -> int | None:
        """Read a whole number within bounds."""
        value = self._get(key, required=required)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(key, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        elif value < low:
            self.fail(key, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}.")
        elif value > high:
            self.fail(key, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}.")
        else:
            return value
        return None

    def integer_or(self, key: str, default: int, low: int, high: int) -> int:
        """Read a whole number within bounds, or return the default."""
        value = self.integer(key, low, high)
        return default if value is None else value

    def boolean(self, key: str) -> bool | None:
        """Read true or false; None if it is absent or invalid."""
        value = self.data.get(key)
        if value is None or isinstance(value, bool):
            return value
        self.fail(key, "BASE_TYPE_CHOICES", "Must be either true or false.")
        return None

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Read true or false, or return the default."""
        value = self.boolean(key)
        return default if value is None else value

    def choice(self, key: str, allowed: tuple[Any, ...], *, required: bool = False) -> Any:
        """Read one of the allowed values."""
        value = self._get(key, required=required)
        # True equals 1 in Python, but not in JSON.
        if value is None or (value in allowed and not isinstance(value, bool)):
            return value
        listed = ", ".join(str(item) for item in allowed)
        self.fail(key, "BASE_TYPE_CHOICES", f"Value must be one of {{{listed}}}.")
        return None

    def snowflake(self, key: str, *, required: bool = False) -> int | None:
        """Read an id."""
        value = self._get(key, required=required)
        number = None if value is None else parse(value)
        if value is not None and number is None:
            self.fail(key, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
        return number

    def array(self, key: str, low: int = 0, high: int = 1 << 30, *, required: bool = False) -> list[Any]:
        """Read a list within bounds; [] if it is absent or invalid."""
        value = self._get(key, required=required)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fail(key, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not low <= len(value) <= high:
            self.fail(key, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        return value

    def child(self, key: str, *, required: bool = False) -> "Form | None":
        """Read an object."""
        value = self._get(key, required=required)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.fail(key, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
            return None
        return Form(value, (*self.path, key), self.errors)

    def children(
        self, key: str, low: int = 0, high: int = 1 << 30, *, required: bool = False
    ) -> Iterator["Form"]:
        """Read a list of objects; other items are mistakes, and skipped."""
        for number, value in enumerate(self.array(key, low, high, required=required)):
            if isinstance(value, dict):
                yield Form(value, (*self.path, key, number), self.errors)
            else:
                self.errors.add((*self.path, key, number), *_NO_OBJECT)


def form(body: Any) -> Form:
    """Open a request's body for reading. ApiError 50035: it is not a JSON object."""
    if not isinstance(body, dict):
        raise invalid_field((), *_NO_OBJECT)
    return Form(body, (), FormErrors())
