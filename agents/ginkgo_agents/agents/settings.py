"""Immutable settings of agents and trainers, checked by their annotations."""

from __future__ import annotations

from typing import Any

import msgspec

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.strict_json import JsonError, convert, parse


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Immutable settings. Raises ConfigError for a value of the wrong type or out of range."""

    def __post_init__(self) -> None:
        for field in msgspec.structs.fields(self):
            value = getattr(self, field.name)
            if isinstance(field.type, type) and issubclass(field.type, Settings) and not isinstance(value, field.type):
                raise ConfigError(f"setting {field.name}: expected {field.type.__name__}, got {type(value).__name__}")
            try:
                convert(value, field.type)
            except JsonError as error:
                raise ConfigError(f"setting {field.name}: {error}") from None

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain data, as parsed from JSON."""
        plain: dict[str, Any] = parse(msgspec.json.encode(self))
        return plain
