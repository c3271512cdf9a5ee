"""Marks on the image (批注): a tick, cross, box, arrow or a few words at a place on a page. They award nothing.

Places are shares of the page as it is stored, upright and unzoomed: ``(0, 0)`` is its upper left corner, ``(1, 1)`` its
lower right. So a mark stays where it was put, however the image is turned, enlarged or printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from config.foundation.canonical import number_text
from config.foundation.errors import UnusableInput

FINENESS = Decimal("0.0001")
LEAST_BOX = Decimal("0.004")
LEAST_ARROW = Decimal("0.01")
LONGEST_TEXT = 200
MOST_ON_A_PAGE = 80
MOST_CHANGES = 60
KEY_LENGTH = 16

Place = tuple[Decimal, Decimal]


class AnnotationKind(StrEnum):
    """What is drawn."""

    TICK = "tick"
    CROSS = "cross"
    BOX = "box"
    TEXT = "text"
    ARROW = "arrow"


# Those that reach from one place to another; the rest stand at one.
STRETCHED = frozenset({AnnotationKind.BOX, AnnotationKind.ARROW})


@dataclass(frozen=True)
class Annotation:
    """``at``: the middle of a tick or cross, the upper left of a text, the upper left corner of a box, the tail of an arrow.

    ``to``: the lower right corner of a box, the head of an arrow; else None.
    """

    kind: AnnotationKind
    at: Place
    to: Place | None = None
    text: str = ""

    def document(self) -> dict[str, Any]:
        """As it is hashed and recorded: places as text."""
        return {
            "kind": self.kind.value,
            "at": [number_text(edge) for edge in self.at],
            "to": [number_text(edge) for edge in self.to] if self.to else None,
            "text": self.text,
        }


@dataclass(frozen=True)
class Draw:
    """Put a mark on a page. ``key`` is the page's own name for it: the same one twice is one mark.

    ``image`` is the start of the hash of the stored image that it was drawn on.
    """

    key: str
    page: str
    image: str
    annotation: Annotation


@dataclass(frozen=True)
class Erase:
    """Take a mark away again."""

    key: str


Change = Draw | Erase


def _refuse(code: str, zh: str, en: str) -> UnusableInput:
    return UnusableInput(f"annotation.{code}", zh, en)


def _bad_form() -> UnusableInput:
    return _refuse(
        "form",
        "批注的格式不对，没有保存。请重新打开这份作答。",
        "The mark on the image cannot be read; it was not saved. Open the answer again.",
    )


def _off_page() -> UnusableInput:
    return _refuse("place", "批注不在纸面上，没有保存。", "The mark lies off the page; it was not saved.")


def _name(value: Any, longest: int) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= longest or not (value.isascii() and value.isalnum()):
        raise _bad_form()
    return value


def _edge(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise _bad_form()
    edge = Decimal(value)
    if not edge.is_finite() or not 0 <= edge <= 1:
        raise _off_page()
    return edge.quantize(FINENESS)


def _place(value: Any) -> Place:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        raise _bad_form()
    return _edge(value[0]), _edge(value[1])


def _words(value: Any) -> str:
    if not isinstance(value, str):
        raise _bad_form()
    words = " ".join("".join(character if character.isprintable() else " " for character in value).split())
    if not words:
        raise _refuse("empty", "请写几个字再放到图上。", "Write a few words before you put them on the image.")
    if len(words) > LONGEST_TEXT:
        raise _refuse(
            "text",
            f"图上的文字最多 {LONGEST_TEXT} 字。",
            f"Words on the image may have at most {LONGEST_TEXT} characters.",
        )
    return words


def annotation_of(kind: AnnotationKind, at: Place, to: Place | None, text: str) -> Annotation:
    """The mark with these parts, a box from its upper left corner. Raises UnusableInput where they do not fit its kind."""
    if (to is not None) != (kind in STRETCHED) or bool(text) != (kind == AnnotationKind.TEXT):
        raise _bad_form()
    if to is None:
        return Annotation(kind, at, None, text)
    across, down = abs(at[0] - to[0]), abs(at[1] - to[1])
    small = min(across, down) < LEAST_BOX if kind == AnnotationKind.BOX else max(across, down) < LEAST_ARROW
    if small:
        raise _refuse("small", "方框或箭头太小，请拉长一些。", "The box or arrow is too small; draw it larger.")
    if kind == AnnotationKind.ARROW:
        return Annotation(kind, at, to)
    corners = sorted((at[0], to[0])), sorted((at[1], to[1]))
    return Annotation(kind, (corners[0][0], corners[1][0]), (corners[0][1], corners[1][1]))


def _change(given: Any) -> Change:
    if not isinstance(given, Mapping) or given.get("do") not in ("draw", "erase"):
        raise _bad_form()
    key = _name(given.get("key"), KEY_LENGTH)
    if given["do"] == "erase":
        if set(given) != {"do", "key"}:
            raise _bad_form()
        return Erase(key)
    if not set(given) <= {"do", "key", "page", "image", "kind", "at", "to", "text"}:
        raise _bad_form()
    if given.get("kind") not in [kind.value for kind in AnnotationKind]:
        raise _bad_form()
    kind = AnnotationKind(given["kind"])
    to = _place(given["to"]) if given.get("to") is not None else None
    text = _words(given.get("text")) if kind == AnnotationKind.TEXT else ""
    annotation = annotation_of(kind, _place(given.get("at")), to, text)
    return Draw(key, _name(given.get("page"), 16), _name(given.get("image"), 64), annotation)


class RefusedChange(UnusableInput):
    """One change of several cannot be used; ``number`` counts from 0. None of them was saved."""

    def __init__(self, error: UnusableInput, number: int) -> None:
        super().__init__(error.code, error.zh, error.en)
        self.number = number


def read_changes(document: Any) -> list[Change]:
    """The changes of a strict JSON list, in their order. Raises RefusedChange for the first that cannot be used.

    A document that is no list of 1 to ``MOST_CHANGES`` raises UnusableInput.
    """
    if not isinstance(document, list) or not 0 < len(document) <= MOST_CHANGES:
        raise _bad_form()
    changes: list[Change] = []
    for number, given in enumerate(document):
        try:
            changes.append(_change(given))
        except UnusableInput as error:
            raise RefusedChange(error, number) from None
    return changes


def check_room(on_page: int) -> None:
    """Raise UnusableInput where a person's marks on one page are as many as it may bear."""
    if on_page >= MOST_ON_A_PAGE:
        raise _refuse(
            "many", f"一页上最多 {MOST_ON_A_PAGE} 个批注，请先擦去一些。",
            f"A page bears at most {MOST_ON_A_PAGE} marks; erase some first.",
        )  # fmt: skip
