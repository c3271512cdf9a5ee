"""Items in files: what is written, what is read, and what a format could not hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from config.foundation.canonical import canonical_text
from config.foundation.errors import UnusableInput

from .item_faults import UnusableItem
from .item_model import Item
from .items import item_documents, read_item


@dataclass(frozen=True)
class Loss:
    """Something of an item that the format has no place for. ``whole``: the item itself is left out."""

    item_id: str
    field: str
    zh: str
    en: str
    whole: bool = False

    def line(self) -> str:
        """The loss as one line in both languages."""
        return f"{self.item_id} / {self.field}: {self.en} {self.zh}"


@dataclass(frozen=True)
class Written:
    """A file's content with everything that did not get into it."""

    content: str
    losses: tuple[Loss, ...] = ()


def write_json(items: Sequence[Item]) -> Written:
    """All of every item: JSON is the product's own form and loses nothing."""
    return Written(canonical_text({"items": [item.document for item in items]}) + "\n")


class UnusableFile(UnusableInput):
    """A file of items of which at least one cannot be used; ``lines`` name every fault of every item."""

    def __init__(self, faulty: Sequence[tuple[int, str, UnusableItem]]) -> None:
        self.faulty = tuple(faulty)
        count, (number, _, first) = len(self.faulty), self.faulty[0]
        super().__init__(
            "unusable-items",
            f"有 {count} 道题不能用；第 {number} 道：{first.zh}",
            f"{count} item(s) cannot be used; number {number}: {first.en}",
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """One line for each fault: number and id of the item, then the fault in both languages."""
        return tuple(
            f"{number} {item_id}: {one.line('en')} {one.line('zh')}"
            for number, item_id, error in self.faulty
            for one in error.faults
        )


def read_items(documents: Sequence[Any]) -> list[Item]:
    """Every document as an item; raises UnusableFile with all faults where any cannot be read, or stands there twice."""
    items, faulty, seen = [], [], set()
    for number, document in enumerate(documents, start=1):
        try:
            item = read_item(document)
        except UnusableItem as error:
            name = document.get("item_id") if isinstance(document, dict) else None
            faulty.append((number, str(name or "?")[:64], error))
            continue
        if item.item_id in seen:
            raise UnusableInput(
                "item-twice",
                f"文件里题目 {item.item_id} 出现两次。",
                f"The item {item.item_id} stands twice in the file.",
            )
        seen.add(item.item_id)
        items.append(item)
    if faulty:
        raise UnusableFile(faulty)
    return items


def read_json(data: bytes) -> list[Item]:
    """The items of a JSON file: one, a list, or `{"items": […]}`. Raises UnusableInput."""
    return read_items(item_documents(data))
