"""An item as plain values: what is asked, what is right, where it belongs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from itembank.algebra import Declares, Options

PartKind = Literal["single_choice", "multiple_choice", "fill_in", "full_solution"]
ItemKind = Literal["single_choice", "multiple_choice", "fill_in", "full_solution", "composite"]
CHOICE = frozenset(("single_choice", "multiple_choice"))
STAGES = ("primary", "junior", "senior")


@dataclass(frozen=True)
class Option:
    """One option of a choice item; its content is text with formulas between dollar signs."""

    label: str
    content: str


@dataclass(frozen=True)
class Value:
    """One right value with all accepted ways to write it, and how an answer is compared with it."""

    accepted: tuple[str, ...]
    relation: str
    kind: str | None
    options: Options


@dataclass(frozen=True)
class Part:
    """What is asked and answered in one go. `number` is None where the item has no parts."""

    number: int | None
    kind: PartKind
    stem: str
    points: Decimal
    options: tuple[Option, ...]
    choices: tuple[str, ...]
    values: tuple[Value, ...]
    explanation: str
    solution: str
    scoring_rules: dict[str, Any] | None

    def option(self, label: str) -> Option:
        """The option of that label; raises KeyError."""
        for option in self.options:
            if option.label == label:
                return option
        raise KeyError(label)


@dataclass(frozen=True)
class Figure:
    """A picture inside the document; `content` is the decoded file."""

    figure_id: str
    alt: str
    media_type: str
    content: bytes


@dataclass(frozen=True)
class Text:
    """A piece of text of an item with its place: part, option and field."""

    part: int | None
    option: str | None
    field: str
    text: str


@dataclass(frozen=True)
class Item:
    """An item as read and checked for form. `sha256` of the canonical document identifies the content."""

    item_id: str
    title: str
    kind: ItemKind
    stem: str
    points: Decimal
    figures: tuple[Figure, ...]
    parts: tuple[Part, ...]
    declares: Declares
    knowledge_points: tuple[str, ...]
    stage: str
    difficulty: Decimal
    source: str
    licence: str
    tags: tuple[str, ...]
    document: dict[str, Any]
    sha256: str

    def prose(self) -> Iterator[Text]:
        """Every text that is shown with formulas between dollar signs, in the order of the document."""
        yield Text(None, None, "title", self.title)
        if self.kind == "composite":
            yield Text(None, None, "stem", self.stem)
        for figure in self.figures:
            yield Text(None, None, f"figures.{figure.figure_id}.alt", figure.alt)
        for part in self.parts:
            yield Text(part.number, None, "stem", part.stem)
            yield from (Text(part.number, option.label, "content", option.content) for option in part.options)
            for field, text in (("explanation", part.explanation), ("solution", part.solution)):
                if text:
                    yield Text(part.number, None, field, text)

    def mathematics(self) -> Iterator[Text]:
        """Every right value as it is written, with its place; values compared as words are not mathematics."""
        for part in self.parts:
            for number, value in enumerate(part.values):
                for way, text in enumerate(value.accepted):
                    if value.relation != "text":
                        yield Text(part.number, None, f"answer.values[{number}].accepted[{way}]", text)

    @property
    def question_text(self) -> str:
        """What a student reads: stems and options, nothing that tells the answer."""
        pieces = [self.stem] if self.kind == "composite" else []
        for part in self.parts:
            pieces += [part.stem, *(f"{option.label}. {option.content}" for option in part.options)]
        return "\n".join(pieces)
