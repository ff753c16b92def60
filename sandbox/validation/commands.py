"""Definitions of application commands: validated, with all defaults filled in.

Limits: Discord's documentation, "Application Commands".
"""

import re

from sandbox.model import Json
from sandbox.validation.forms import Form

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(
    1, 12
)
VALUE_TYPES = tuple(range(3, 12))
ENTRY_POINT = 4
"""The type of a command that launches an Activity."""
DISCORD_LAUNCH_ACTIVITY = 2
"""A handler of an entry point: the app gets no interaction. 1: it does."""
MAX_COMMANDS, MAX_OPTIONS, MAX_CHOICES, MAX_CHARS = 100, 25, 25, 8000
# "Application Commands", Application Command Naming; \w stands for the letters of all languages.
_NAME = re.compile(r"[-_'\w]{1,32}")
# "Reference", Locales.
LOCALES = frozenset(
    (
        *("id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no"),
        *("pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th"),
        *("zh-CN", "ja", "zh-TW", "ko"),
    )
)


def read_command(form: Form) -> Json:
    """Read one command's definition, with every default filled in."""
    kind = form.choice("type", (1, 2, 3, ENTRY_POINT)) or 1
    made: Json = {"type": kind}
    if kind == 1:
        made |= _read_names(form) | {"options": _read_options(form, (SUBCOMMAND, GROUP, *VALUE_TYPES))}
    elif kind == ENTRY_POINT:
        made["name"] = form.required_text("name", 1, 32)
        made["name_localizations"] = _localizations(form, "name_localizations", 32)
        made["description"] = form.text("description", 0, 100) or ""
        made["handler"] = form.choice("handler", (1, DISCORD_LAUNCH_ACTIVITY)) or 1
    else:
        made["name"] = form.required_text("name", 1, 32)
        made["name_localizations"] = _localizations(form, "name_localizations", 32)
        made["description"] = ""
        if form.data.get("description") or form.data.get("options"):
            form.fail(
                "description", "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", "Context menus have none"
            )
    permissions = form.data.get("default_member_permissions")
    if permissions is not None and not str(permissions).isdigit():
        form.fail("default_member_permissions", "NUMBER_TYPE_COERCE", f'Value "{permissions}" is not int.')
    made |= {
        "default_member_permissions": None if permissions is None else str(permissions),
        "dm_permission": form.flag("dm_permission", default=True),
        "nsfw": form.flag("nsfw"),
        "contexts": form.data.get("contexts") and _read_set(form, "contexts", (0, 1, 2)),
        "integration_types": _read_set(form, "integration_types", (0, 1)) or [0],
    }
    if _text_size(made) > MAX_CHARS:
        form.fail(None, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MAX_CHARS})")
    return made


def _read_set(form: Form, key: str, allowed: tuple[int, ...]) -> list[int]:
    found = form.array(key)
    if any(item not in allowed for item in found):
        form.fail(key, "BASE_TYPE_CHOICES", f"Value must be one of {set(allowed)}.")
    return found


def _read_names(form: Form) -> Json:
    name = form.required_text("name", 1, 32)
    if name and (not _NAME.fullmatch(name) or name != name.lower()):
        form.fail("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    return {
        "name": name,
        "name_localizations": _localizations(form, "name_localizations", 32),
        "description": form.required_text("description", 1, 100),
        "description_localizations": _localizations(form, "description_localizations", 100),
    }


def _localizations(form: Form, key: str, limit: int) -> dict[str, str] | None:
    child = form.child(key)
    if child is None:
        return None
    for locale in child.data:
        if locale not in LOCALES:
            child.fail(locale, "BASE_TYPE_CHOICES", "This is no locale that Discord knows.")
    return {locale: child.required_text(locale, 1, limit) for locale in child.data}


def _read_options(form: Form, allowed: tuple[int, ...]) -> list[Json]:
    made: list[Json] = []
    for child in form.children("options", 0, MAX_OPTIONS):
        option = _read_option(child, allowed)
        if option["name"] in [other["name"] for other in made]:
            child.fail("name", "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", "Option names must be unique")
        if option.get("required") and not all(other.get("required") for other in made):
            child.fail(
                None,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        made.append(option)
    if len({option["type"] <= GROUP for option in made}) > 1:
        form.fail(
            "options",
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )
    return made


def _read_option(form: Form, allowed: tuple[int, ...]) -> Json:
    kind = form.choice("type", allowed, required=True) or STRING
    made: Json = {"type": kind} | _read_names(form)
    if kind <= GROUP:
        # A group holds subcommands only, a subcommand values only.
        return made | {"options": _read_options(form, (SUBCOMMAND,) if kind == GROUP else VALUE_TYPES)}
    made["required"] = form.flag("required")
    if kind == CHANNEL and form.has("channel_types"):
        made["channel_types"] = form.array("channel_types")
    if kind not in (STRING, INTEGER, NUMBER):
        return made
    made["autocomplete"] = form.flag("autocomplete")
    if choices := [read_choice(child, kind) for child in form.children("choices", 0, MAX_CHOICES)]:
        made["choices"] = choices
    if choices and made["autocomplete"]:
        form.fail(
            "autocomplete",
            "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES",
            "Autocomplete cannot be enabled with choices",
        )
    for key in ("min_length", "max_length") if kind == STRING else ("min_value", "max_value"):
        if form.has(key):
            made[key] = form.integer(key, 0, 6000) if kind == STRING else form.data[key]
    return made


def read_choice(form: Form, kind: int) -> Json:
    """Read a choice of an option, or of an autocomplete response."""
    made: Json = {
        "name": form.required_text("name", 1, 100),
        "name_localizations": _localizations(form, "name_localizations", 100),
    }
    if kind == STRING:
        made["value"] = form.required_text("value", 1, 100)
    elif kind == INTEGER:
        made["value"] = form.integer("value", required=True)
    else:
        value = made["value"] = form.data.get("value")
        if isinstance(value, bool) or not isinstance(value, int | float):
            form.fail("value", "NUMBER_TYPE_COERCE", f'Value "{value}" is not float.')
    return made


def _text_size(command: Json) -> int:
    # Names, descriptions and values count; of a text and its localizations, only the longest.
    total = len(str(command.get("value", "")))
    for key in ("name", "description"):
        texts = [str(command.get(key, "")), *(command.get(f"{key}_localizations") or {}).values()]
        total += max(map(len, texts))
    nested = [*command.get("options", []), *command.get("choices", [])]
    return total + sum(map(_text_size, nested))
