"""What the algebra answers, and what may be asked of it: results, options and declarations, all as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self

ENGINE_VERSION = "4"

RELATIONS = ("value", "form", "tolerance", "unit", "up_to_constant", "up_to_renaming")
FORMS = (
    "same_tree",
    "same_up_to_order",
    "factored",
    "single_fraction",
    "lowest_terms",
    "completed_square",
    "decimal_places",
)

NOTATIONS = frozenset(
    ("plain", "en", "in", "ch", "si-en", "si-fr", "eu", "plain-eu", "us", "uk", "gb", "cn", "zh", "si", "space", "fr",
     "ru", "pl", "cs", "se", "de", "es", "it", "nl", "pt", "br", "tr", "li", "scientific")
)  # fmt: skip
"""How countries write numbers; see `numerals` for the signs."""


class Result(StrEnum):
    """The four answers. Only PROVED and REFUTED say anything about the mathematics."""

    PROVED = "PROVED"
    REFUTED = "REFUTED"
    UNDECIDED = "UNDECIDED"
    UNREADABLE = "UNREADABLE"


class Unreadable(ValueError):
    """Text that the grammar does not accept; `at` is the position in the text, counted from 0."""

    def __init__(self, reason: str, at: int = 0) -> None:
        super().__init__(f"{reason} at {at}")
        self.reason = reason
        self.at = at


class TooLarge(Exception):
    """A computation would pass a limit of size; the answer is then UNDECIDED."""


class Exhausted(Exception):
    """The question has had its share several times over: no rung may go on with something else, as after TooLarge."""


class Undefined(Exception):
    """The expression has no real value (nor, with i, a complex one): division by zero, root of a negative number."""


class Unsupported(Exception):
    """This rung of the ladder does not know the expression; another may."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """An answer with the rung of the ladder that gave it, and a witness that a teacher can check by hand."""

    result: Result
    method: str
    witness: dict[str, str] | None = None

    def document(self) -> dict[str, Any]:
        """The answer as JSON data; all exact values are strings."""
        return {"result": self.result.value, "method": self.method, "witness": self.witness}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of `document`; raises ValueError where a field is missing or of the wrong type."""
        witness = document.get("witness")
        if witness is not None and not (
            isinstance(witness, Mapping) and all(isinstance(item, str) for pair in witness.items() for item in pair)
        ):
            raise ValueError("witness must be null or an object of strings")
        method = document.get("method")
        if not isinstance(method, str):
            raise ValueError("method must be a string")
        return cls(Result(str(document.get("result"))), method, None if witness is None else dict(witness))


def proved(method: str) -> Comparison:
    """PROVED by the named rung."""
    return Comparison(Result.PROVED, method)


def refuted(method: str, **witness: str) -> Comparison:
    """REFUTED by the named rung, with what shows it."""
    return Comparison(Result.REFUTED, method, witness)


def undecided(method: str) -> Comparison:
    """UNDECIDED, with what stood in the way."""
    return Comparison(Result.UNDECIDED, method)


def worst(answers: Sequence[Comparison]) -> Comparison | None:
    """The first REFUTED of several answers, else the first UNDECIDED, else None."""
    ordered = (one for result in (Result.REFUTED, Result.UNDECIDED) for one in answers if one.result is result)
    return next(ordered, None)


def unreadable(error: Unreadable, text: str = "") -> Comparison:
    """UNREADABLE, with the reason and the position."""
    witness = {"reason": error.reason, "at": str(error.at)}
    if text:
        witness["text"] = text[:80]
    return Comparison(Result.UNREADABLE, "grammar", witness)


@dataclass(frozen=True, slots=True)
class Declares:
    """Names that are functions, and assumptions such as "x>0" or "n in Z"."""

    functions: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()


def _number(name: str, value: object) -> str:
    """A tolerance as text; a number given as text may carry a unit and stays as it is."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(f"{name} must be a number or a string")
    return str(value)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `compare`; tolerances are strings, `atol` may carry a unit ("0.1 cm")."""

    rtol: str | None = None
    atol: str | None = None
    dp: int | None = None
    sf: int | None = None
    variable: str | None = None
    fixed: tuple[str, ...] = ()
    notation: str | None = None
    form: str | None = None
    domain: str | None = None
    assume: tuple[str, ...] = ()
    extra: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """Options from JSON data; raises ValueError with a sentence that names the faulty field."""
        if not isinstance(document, Mapping):
            raise ValueError("options must be an object")
        known = {item.name for item in fields(cls)} - {"extra"}
        chosen: dict[str, Any] = {"extra": tuple(sorted(str(name) for name in document if name not in known))}
        for name, value in document.items():
            if name in known and value is not None:
                chosen[name] = cls._checked(name, value)
        return cls(**chosen)

    @staticmethod
    def _checked(name: str, value: Any) -> Any:
        if name in ("rtol", "atol"):
            return _number(name, value)
        if name in ("dp", "sf"):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 50:
                raise ValueError(f"{name} must be a whole number from 0 to 50")
            return value
        if name in ("fixed", "assume"):
            if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
                raise ValueError(f"{name} must be a list of strings")
            return tuple(value)
        choices = {"form": FORMS, "domain": ("strict", "common"), "notation": None, "variable": None}[name]
        if not isinstance(value, str) or (choices is not None and value not in choices):
            raise ValueError(f"{name} must be " + (f"one of {', '.join(choices)}" if choices else "a string"))
        return value


def short(value: Fraction) -> str:
    """A rational number as people write it: 5, -3/4."""
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
