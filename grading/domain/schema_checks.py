"""Yes or no for a JSON schema, compiled once into plain functions: each decision asks it of every document it rests on.

Only the keywords that the schemas of this package use are known; any other is refused when the schema is compiled. What
is wrong with a document that does not pass is said by `jsonschema`, which is a hundred times slower and names the place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from config.foundation.canonical import canonical_text

Check = Callable[[Any], bool]

_NOT_ASKED = frozenset({"$schema", "$id", "$defs", "title", "description", "default"})
_KINDS: dict[str, Check] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | Decimal) and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def compiled(schema: Mapping[str, Any]) -> Check:
    """The check of a whole schema, for documents of str, int, bool, None, Decimal, list and dict.

    Raises ValueError for a keyword that is not known here.
    """
    return _Compiler(schema).check(schema)


class _Compiler:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._definitions: Mapping[str, Any] = root.get("$defs", {})
        self._known: dict[str, Check] = {}

    def check(self, schema: Mapping[str, Any]) -> Check:
        unknown = schema.keys() - _NOT_ASKED - _KEYWORDS.keys() - {"properties", "additionalProperties"}
        if unknown:
            raise ValueError(f"keywords of a schema that are not known: {', '.join(sorted(unknown))}")
        checks = [_KEYWORDS[word](self, schema[word]) for word in _KEYWORDS if word in schema]
        if "properties" in schema or "additionalProperties" in schema:
            checks.append(self._properties(schema))
        return checks[0] if len(checks) == 1 else _all_of(checks)

    def _properties(self, schema: Mapping[str, Any]) -> Check:
        known = {name: self.check(part) for name, part in schema.get("properties", {}).items()}
        more = schema.get("additionalProperties", True)
        other = self.check(more) if isinstance(more, dict) else lambda value: bool(more)

        def each_property(value: Any) -> bool:
            if isinstance(value, dict):
                for name, item in value.items():
                    if not known.get(name, other)(item):
                        return False
            return True

        return each_property

    def reference(self, name: str) -> Check:
        key = name.removeprefix("#/$defs/")
        if key not in self._known:
            self._known[key] = self.check(self._definitions[key])
        return self._known[key]

    def kind(self, names: str | list[str]) -> Check:
        kinds = [_KINDS[name] for name in ([names] if isinstance(names, str) else names)]
        return kinds[0] if len(kinds) == 1 else lambda value: any(kind(value) for kind in kinds)

    def choice(self, values: list[Any]) -> Check:
        allowed = {(type(value), value) for value in values}
        return lambda value: isinstance(value, str | int | None) and (type(value), value) in allowed

    def required(self, names: list[str]) -> Check:
        wanted = frozenset(names)
        return lambda value: not isinstance(value, dict) or wanted <= value.keys()

    def items(self, schema: Mapping[str, Any]) -> Check:
        check = self.check(schema)

        def each_item(value: Any) -> bool:
            if isinstance(value, list):
                for item in value:
                    if not check(item):
                        return False
            return True

        return each_item

    def exactly_one(self, schemas: list[Mapping[str, Any]]) -> Check:
        checks = [self.check(schema) for schema in schemas]
        return lambda value: [check(value) for check in checks].count(True) == 1

    def unique(self, asked: bool) -> Check:
        return lambda value: (
            not asked or not isinstance(value, list) or len({canonical_text(item) for item in value}) == len(value)
        )

    def pattern(self, text: str) -> Check:
        expression = re.compile(text)
        return lambda value: not isinstance(value, str) or expression.search(value) is not None


def _all_of(checks: list[Check]) -> Check:
    """One check that asks all of them, in a plain loop: it runs for every value of every document."""

    def every(value: Any) -> bool:
        for check in checks:  # noqa: SIM110 - a generator costs as much again as the checks
            if not check(value):
                return False
        return True

    return every


def _sized(kind: type[str] | type[list[Any]], holds: Callable[[int, int], bool]) -> Callable[[_Compiler, int], Check]:
    return lambda _, bound: lambda value: not isinstance(value, kind) or holds(len(value), bound)


def _bounded(holds: Callable[[Any, Any], bool]) -> Callable[[_Compiler, Any], Check]:
    number = _KINDS["number"]
    return lambda _, bound: lambda value: not number(value) or holds(value, bound)


_KEYWORDS: dict[str, Callable[[_Compiler, Any], Check]] = {
    "$ref": _Compiler.reference,
    "type": _Compiler.kind,
    "enum": _Compiler.choice,
    "required": _Compiler.required,
    "items": _Compiler.items,
    "oneOf": _Compiler.exactly_one,
    "pattern": _Compiler.pattern,
    "uniqueItems": _Compiler.unique,
    "minLength": _sized(str, lambda size, bound: size >= bound),
    "maxLength": _sized(str, lambda size, bound: size <= bound),
    "minItems": _sized(list, lambda size, bound: size >= bound),
    "maxItems": _sized(list, lambda size, bound: size <= bound),
    "minimum": _bounded(lambda value, bound: bool(value >= bound)),
    "maximum": _bounded(lambda value, bound: bool(value <= bound)),
}
