"""Definitions of application commands.

Limits: Discord's documentation, "Application Commands".
"""

import re

from sandbox.model import Json
from sandbox.validation.forms import Form

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(
    1, 12
)
VALUES = tuple(range(3, 12))
MAX_COMMANDS, MAX_OPTIONS, MAX_CHOICES, MAX_TEXT = 100, 25, 25, 8000
_NAME = re.compile(r"[-_'\w]{1,32}")
_CHOOSABLE = (STRING, INTEGER, NUMBER)
LOCALES = frozenset(
    (
        *("id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no"),
        *("pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th"),
        *("zh-CN", "ja", "zh-TW", "ko"),
    )
)


def read_command(form: Form) -> Json:
    """Read one command's definition, written in full."""
    kind = form.choice("type", (1, 2, 3)) or 1
    made: Json = {"type": kind}
    if kind == 1:
        made |= _named(form)
        made["options"] = _options(form, (SUBCOMMAND, GROUP, *VALUES))
    else:
        made["name"] = form.text("name", 1, 32, required=True) or ""
        made["name_localizations"] = _localizations(form, "name_localizations", 32)
        made["description"] = ""
        if form.data.get("description") or form.data.get("options"):
            form.fail(
                "description", "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", "Context menus have none"
            )
    made |= _reach(form)
    if _text_size(made) > MAX_TEXT:
        form.fail(
            None,
            "APPLICATION_COMMAND_TOO_LARGE",
            f"Command exceeds maximum size ({MAX_TEXT})",
        )
    return made


def _reach(form: Form) -> Json:
    """Who may use the command, and where."""
    permissions = form.data.get("default_member_permissions")
    if permissions is not None and not str(permissions).isdigit():
        form.fail("default_member_permissions", "NUMBER_TYPE_COERCE", f'Value "{permissions}" is not int.')
    dm = form.boolean("dm_permission")
    return {
        "default_member_permissions": None if permissions is None else str(permissions),
        "dm_permission": True if dm is None else dm,
        "nsfw": bool(form.boolean("nsfw")),
        "contexts": form.data.get("contexts") and _members(form, "contexts", (0, 1, 2)),
        "integration_types": _members(form, "integration_types", (0, 1)) or [0],
    }


def _members(form: Form, key: str, allowed: tuple[int, ...]) -> list[int]:
    found = form.array(key)
    if any(item not in allowed for item in found):
        form.fail(key, "BASE_TYPE_CHOICES", f"Value must be one of {set(allowed)}.")
    return found


def _named(form: Form) -> Json:
    name = form.text("name", 1, 32, required=True)
    if name is not None and (not _NAME.fullmatch(name) or name != name.lower()):
        form.fail("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    return {
        "name": name or "",
        "name_localizations": _localizations(form, "name_localizations", 32),
        "description": form.text("description", 1, 100, required=True) or "",
        "description_localizations": _localizations(form, "description_localizations", 100),
    }


def _localizations(form: Form, key: str, limit: int) -> dict[str, str] | None:
    child = form.child(key)
    if child is None:
        return None
    for locale in child.data:
        if locale not in LOCALES:
            child.fail(locale, "BASE_TYPE_CHOICES", "This is no locale that Discord knows.")
    return {locale: child.text(locale, 1, limit, required=True) or "" for locale in child.data}


def _options(form: Form, allowed: tuple[int, ...]) -> list[Json]:
    made: list[Json] = []
    names: set[str] = set()
    optional_seen = False
    for child in form.children("options", 0, MAX_OPTIONS):
        option = _option(child, allowed)
        if option["name"] in names:
            child.fail("name", "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", "Option names must be unique")
        names.add(option["name"])
        if option["type"] > GROUP and option.get("required") and optional_seen:
            child.fail(
                None,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional_seen = optional_seen or not option.get("required")
        made.append(option)
    nested = [option["type"] <= GROUP for option in made]
    if any(nested) and not all(nested):
        form.fail(
            "options",
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )
    return made


def _option(form: Form, allowed: tuple[int, ...]) -> Json:
    kind = form.choice("type", allowed, required=True) or STRING
    made: Json = {"type": kind} | _named(form)
    if kind <= GROUP:
        # A group holds subcommands only, a subcommand values only.
        made["options"] = _options(form, (SUBCOMMAND,) if kind == GROUP else VALUES)
        return made
    made["required"] = bool(form.boolean("required"))
    if kind in _CHOOSABLE:
        _choosable(form, kind, made)
    if kind == CHANNEL and form.has("channel_types"):
        made["channel_types"] = form.array("channel_types")
    return made


def _choosable(form: Form, kind: int, made: Json) -> None:
    choices = [read_choice(child, kind) for child in form.children("choices", 0, MAX_CHOICES)]
    if choices:
        made["choices"] = choices
    made["autocomplete"] = bool(form.boolean("autocomplete"))
    if choices and made["autocomplete"]:
        form.fail(
            "autocomplete",
            "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES",
            "Autocomplete cannot be enabled with choices",
        )
    bounds = ("min_length", "max_length") if kind == STRING else ("min_value", "max_value")
    for key in bounds:
        value = form.data.get(key)
        if value is not None:
            made[key] = form.integer(key, 0, 6000) if kind == STRING else value


def read_choice(form: Form, kind: int) -> Json:
    """Read a choice, of a definition or of an autocomplete answer."""
    made: Json = {
        "name": form.text("name", 1, 100, required=True) or "",
        "name_localizations": _localizations(form, "name_localizations", 100),
    }
    if kind == STRING:
        made["value"] = form.text("value", 1, 100, required=True)
    elif kind == INTEGER:
        made["value"] = form.integer("value", required=True)
    else:
        value = form.data.get("value")
        if isinstance(value, bool) or not isinstance(value, int | float):
            form.fail("value", "NUMBER_TYPE_COERCE", f'Value "{value}" is not float.')
        made["value"] = value
    return made


def _text_size(command: Json) -> int:
    """Count name, description and value characters; of localisations the longest counts."""
    total = 0
    for key in ("name", "description"):
        texts = [str(command.get(key, "")), *(command.get(f"{key}_localizations") or {}).values()]
        total += max(len(text) for text in texts)
    for option in command.get("options", []):
        total += _text_size(option)
    for choice in command.get("choices", []):
        texts = [choice["name"], *(choice.get("name_localizations") or {}).values()]
        total += max(len(text) for text in texts) + len(str(choice["value"]))
    return total
