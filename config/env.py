"""Settings from the environment, read strictly: a value is understood or the start is refused, never guessed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path

from config.foundation.errors import ConfigurationError

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True)
class Documented:
    """What ``docs/settings.md`` must say of one variable; a test compares the two."""

    name: str
    default: str
    meaning: str


@dataclass
class Environment:
    """Reads ``WENSHU_*`` variables and remembers each that was asked for.

    ``NAME_FILE`` names a file whose content (without the last newline) is the value: secrets stay out of process lists.
    """

    values: Mapping[str, str] = field(default_factory=lambda: os.environ)
    asked: dict[str, Documented] = field(default_factory=dict)

    def text(self, name: str, default: str = "", *, meaning: str) -> str:
        """The value, or the content of the file named by ``NAME_FILE``; both at once are refused."""
        self.asked[name] = Documented(name, default, meaning)
        direct, path = self.values.get(name), self.values.get(f"{name}_FILE")
        if direct is not None and path is not None:
            raise self._wrong(name, "不能与 _FILE 同时设置", "must not be set together with its _FILE form")
        if path is not None:
            try:
                return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
            except (OSError, UnicodeDecodeError):
                raise self._wrong(f"{name}_FILE", "所指文件无法读取", "names a file that cannot be read") from None
        return default if direct is None else direct

    def flag(self, name: str, default: bool, *, meaning: str) -> bool:
        text = self.text(name, "true" if default else "false", meaning=meaning).strip().lower()
        if text in TRUE:
            return True
        if text in FALSE:
            return False
        raise self._wrong(name, "只能是 true 或 false", "must be true or false")

    def whole(self, name: str, default: int, *, meaning: str, least: int = 0, most: int = 10**9) -> int:
        text = self.text(name, str(default), meaning=meaning).strip()
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise self._wrong(
                name, f"必须是 {least} 到 {most} 之间的整数", f"must be a whole number from {least} to {most}"
            )
        return int(text)

    def decimal(self, name: str, default: str, *, meaning: str) -> Decimal:
        try:
            value = Decimal(self.text(name, default, meaning=meaning).strip())
        except InvalidOperation:
            value = Decimal("NaN")
        if not value.is_finite() or value < 0:
            raise self._wrong(name, "必须是不小于 0 的数", "must be a number of at least 0")
        return value

    def choice(self, name: str, default: str, options: tuple[str, ...], *, meaning: str) -> str:
        value = self.text(name, default, meaning=meaning).strip()
        if value not in options:
            raise self._wrong(name, f"只能是 {'、'.join(options)}", f"must be one of {', '.join(options)}")
        return value

    def names(self, name: str, default: str, *, meaning: str) -> list[str]:
        return [part.strip() for part in self.text(name, default, meaning=meaning).split(",") if part.strip()]

    @staticmethod
    def _wrong(name: str, zh: str, en: str) -> ConfigurationError:
        return ConfigurationError("settings.wrong", f"环境变量 {name} {zh}。", f"Environment variable {name} {en}.")
