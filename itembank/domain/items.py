"""Reading items (试题): from an untrusted document to checked values, with every fault of form named at once.

What needs algebra, the typesetter or other items are the gates (`structure_gate`, `scope_gate`).
"""

from __future__ import annotations

import base64
import binascii
import copy
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from config.foundation import strict_json
from config.foundation.canonical import document_hash
from config.foundation.errors import UnusableInput
from itembank.algebra import Declares, Options

from .faults import fault
from .item_faults import ItemFault, UnusableItem, from_form, item_fault
from .item_model import CHOICE, Figure, Item, Option, Part, Value
from .rule_bounds import normalised
from .rule_schema import schema_faults

__all__ = ["MAX_ITEM_BYTES", "Item", "UnusableItem", "item_documents", "read_item"]

SCHEMA_FILE = Path(__file__).with_name("item.schema.json")
MAX_ITEM_BYTES = 4 * 1024 * 1024
MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_FIGURE_BYTES = 300 * 1000
_MAGIC = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
KIND_WORDS = {
    "single_choice": "单选",
    "multiple_choice": "多选",
    "fill_in": "填空",
    "full_solution": "解答",
    "composite": "综合",
}
# What each kind must have beside the form, and what it may not have.
_NEEDS = {
    "single_choice": ("options", "answer.choices"),
    "multiple_choice": ("options", "answer.choices"),
    "fill_in": ("answer.values",),
    "full_solution": ("solution", "scoring_rules"),
    "composite": ("parts",),
}
_MAY_NOT = {
    "single_choice": ("parts", "scoring_rules"),
    "multiple_choice": ("parts", "scoring_rules"),
    "fill_in": ("parts", "options", "answer.choices"),
    "full_solution": ("parts", "options", "answer.choices"),
    "composite": ("options", "answer", "explanation", "solution", "scoring_rules"),
}


def item_documents(data: bytes | str) -> list[Any]:
    """The documents in a file: one item, or a list of items. Strict JSON; raises UnusableInput.

    Whether each of them is an item is asked of `read_item`.
    """
    document = strict_json.loads(data, max_bytes=MAX_FILE_BYTES, allow_controls="\n")
    if isinstance(document, dict) and set(document) == {"items"}:
        document = document["items"]
    if isinstance(document, list):
        if not document:
            raise UnusableInput("no-items", "文件里没有试题。", "The file holds no item.")
        return document
    return [document]


def read_item(document: object) -> Item:
    """The item in a parsed JSON document; raises UnusableItem with all faults of form."""
    bare, data = _without_figure_data(document)
    clean, faults = normalised(bare)
    if faults:
        raise UnusableItem([from_form(one) for one in faults])
    _restore(clean, data)
    faults = schema_faults(clean, SCHEMA_FILE)
    if faults:
        raise UnusableItem([from_form(one) for one in faults])
    found = list(_form_faults(clean))
    if found:
        raise UnusableItem(found)
    return _item(clean)


def _without_figure_data(document: object) -> tuple[object, list[Any]]:
    """The document without the contents of its figures, which are longer than any text may be."""
    figures = document.get("figures") if isinstance(document, dict) else None
    if not isinstance(figures, list):
        return document, []
    bare = copy.copy(document)
    assert isinstance(bare, dict)
    bare["figures"] = [
        {key: value for key, value in one.items() if key != "data"} if isinstance(one, dict) else one for one in figures
    ]
    return bare, [one.get("data") if isinstance(one, dict) else None for one in figures]


def _restore(document: dict[str, Any], data: list[Any]) -> None:
    if not data:
        return
    for figure, content in zip(document["figures"], data, strict=True):
        if isinstance(figure, dict) and isinstance(content, str):
            figure["data"] = content


def _form_faults(document: dict[str, Any]) -> Iterator[ItemFault]:
    """What the schema cannot say about the form: fields that a kind needs, numbers of parts, labels, pictures."""
    yield from _kind_faults(document, None)
    yield from _option_faults(document, None)
    for number, part in enumerate(document.get("parts", ()), start=1):
        if part["part"] != number:
            yield item_fault("part-number", part=part["part"], field="part", want=number)
        yield from _kind_faults(part, part["part"])
        yield from _option_faults(part, part["part"])
    seen: set[str] = set()
    for figure in document.get("figures", ()):
        where = f"figures.{figure['figure_id']}"
        if figure["figure_id"] in seen:
            yield item_fault("figure-id", field=where, value=figure["figure_id"])
        seen.add(figure["figure_id"])
        if _picture(figure) is None:
            yield item_fault("figure-data", field=f"{where}.data", media_type=figure["media_type"])


def _kind_faults(body: Mapping[str, Any], part: int | None) -> Iterator[ItemFault]:
    kind = body["kind"]
    words = {"kind": kind, "kind_zh": KIND_WORDS[kind]}
    for names, there in ((_NEEDS[kind], True), (_MAY_NOT[kind], False)):
        for name in names:
            if _present(body, name) is there:
                continue
            yield item_fault(
                "kind-field",
                part=part,
                field=name,
                name=name,
                must_zh="必须有" if there else "不能有",
                must="must have" if there else "may not have",
                do_zh="补上" if there else "删去",
                do="Add" if there else "Remove",
                **words,
            )


def _present(body: Mapping[str, Any], name: str) -> bool:
    first, _, rest = name.partition(".")
    return first in body and (not rest or rest in body[first])


def _option_faults(body: Mapping[str, Any], part: int | None) -> Iterator[ItemFault]:
    for number, option in enumerate(body.get("options", ())):
        wanted = "ABCDEFGH"[number]
        if option["label"] != wanted:
            yield item_fault("option-label", part=part, option=option["label"], field="label", want=wanted)


def _picture(figure: Mapping[str, Any]) -> bytes | None:
    try:
        content = base64.b64decode(figure["data"], validate=True)
    except (binascii.Error, ValueError):
        return None
    fits = len(content) <= MAX_FIGURE_BYTES and content.startswith(_MAGIC[figure["media_type"]])
    return content if fits else None


def _item(document: dict[str, Any]) -> Item:
    declares = document.get("declares", {})
    parts = tuple(_part(one, one["part"]) for one in document.get("parts", ())) or (_part(document, None),)
    return Item(
        item_id=document["item_id"],
        title=document["title"],
        kind=document["kind"],
        stem=document["stem"],
        points=Decimal(document["points"]),
        figures=tuple(
            Figure(one["figure_id"], one["alt"], one["media_type"], _picture(one) or b"")
            for one in document.get("figures", ())
        ),
        parts=parts,
        declares=Declares(tuple(declares.get("functions", ())), tuple(declares.get("assume", ()))),
        knowledge_points=tuple(document["knowledge_points"]),
        stage=document["stage"],
        difficulty=Decimal(document["difficulty"]),
        source=document["source"],
        licence=document["licence"],
        tags=tuple(document.get("tags", ())),
        document=document,
        sha256=document_hash(document),
    )


def _part(body: Mapping[str, Any], number: int | None) -> Part:
    answer = body.get("answer", {})
    return Part(
        number=number,
        kind=body["kind"],
        stem=body["stem"],
        points=Decimal(body["points"]),
        options=tuple(Option(one["label"], one["content"]) for one in body.get("options", ())),
        choices=tuple(answer.get("choices", ())),
        values=tuple(_value(one) for one in answer.get("values", ())),
        explanation=body.get("explanation", ""),
        solution=body.get("solution", ""),
        scoring_rules=body.get("scoring_rules"),
    )


def _value(document: Mapping[str, Any]) -> Value:
    return Value(
        accepted=tuple(document["accepted"]),
        relation=document.get("relation", "value"),
        kind=document.get("kind"),
        options=Options.from_document(document.get("options", {})),
    )


def is_choice(part: Part) -> bool:
    """Whether the part is answered by naming options."""
    return part.kind in CHOICE


def unreadable_file(error: UnusableInput) -> UnusableItem:
    """What a file that is not strict JSON is called among the faults of items."""
    return UnusableItem([from_form(fault("not-json", detail_zh=error.zh.rstrip("。"), detail=error.en.rstrip(".")))])
