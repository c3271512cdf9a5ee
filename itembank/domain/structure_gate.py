"""Gate 1: is the item whole? Everything about one item that code alone can decide; nothing of other items, no model.

What is proved wrong fails; what algebra cannot decide, and words that address the checker, ask a person (UNDECIDED).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from itembank.algebra import Algebra, Result

from .faults import UnusableRules
from .gates import STRUCTURE, Detail, GateOutcome, Outcome
from .instructions import addresses_checker
from .item_faults import ItemFault, UnusableItem, from_rules, item_fault
from .item_model import Item, Part, Text
from .item_options import option_faults
from .items import is_choice, read_item
from .mathematics import mathematical_faults
from .rules import read_rules
from .typesetting import typesetting_fault

_PIECE = re.compile(r"\$([^$]*)\$")
_FIGURE = re.compile(
    r"(?:如|见|据|由|按|观察|根据)(?:下|上|右|左)?图(?:所示|中|可知|[0-9①-⑨一二三])?|[下右左上]图(?!形的?定义)|图中|图示|图[1-9①-⑨](?!\d)"
    r"|\b(?:in|see|from) the (?:figure|diagram|graph (?:below|above|shown))|\b(?:as )?shown (?:below|above|in the)\b|\bfigure \d"
)
_DRAWS = re.compile(r"(?:画|作|绘|描)出?[^。，；]{0,10}$")
_BLANK = re.compile(r"_{2,}|\\underline\{\s*(?:\\(?:qquad|quad|hspace\{[^}]*\})\s*)+\}|＿{2,}")


def check_structure(document: object, *, timeout_ms: int = 2000) -> tuple[GateOutcome, Item | None]:
    """The answer of gate 1 to an untrusted document, with the item where its form can be read at all."""
    try:
        item = read_item(document)
    except UnusableItem as error:
        return _outcome(error.faults, None), None
    return _outcome(tuple(structure_faults(item, timeout_ms=timeout_ms)), item), item


def _outcome(faults: tuple[ItemFault, ...], item: Item | None) -> GateOutcome:
    outcome = Outcome.PASSED if not faults else Outcome.UNDECIDED
    if any(not one.doubt for one in faults):
        outcome = Outcome.FAILED
    detail = tuple(Detail(one.code, one.line("zh"), one.line("en"), one.where("en")) for one in faults)
    artefacts: dict[str, object] = {"faults": [one.document() for one in faults]}
    if item is not None:
        artefacts |= {
            "sha256": item.sha256,
            "formulas": sum(len(_PIECE.findall(text.text)) for text in item.prose()),
            "values": sum(1 for _ in item.mathematics()),
            "instructions_seen": [one.en for one in faults if one.code == "instruction"],
        }
    return GateOutcome(STRUCTURE, outcome, detail, artefacts)


def structure_faults(item: Item, *, timeout_ms: int = 2000) -> Iterator[ItemFault]:
    """Every fault and doubt of an item whose form is right, in the order in which an author would mend them."""
    algebra = Algebra(item.declares, timeout_ms=timeout_ms)
    for text in item.prose():
        yield from _text_faults(text)
    yield from _figure_faults(item)
    for part in item.parts:
        yield from _value_faults(part, algebra)
        if is_choice(part):
            yield from option_faults(part, algebra)
        elif part.kind == "fill_in":
            yield from _blank_faults(part)
        yield from _rules_faults(part)
    if item.kind == "composite":
        total = sum(part.points for part in item.parts)
        if total != item.points:
            yield item_fault("part-points", field="points", got=total, want=item.points)


def _at(text: Text, code: str, **facts: object) -> ItemFault:
    return item_fault(code, part=text.part, option=text.option, field=text.field, **facts)


def _text_faults(text: Text) -> Iterator[ItemFault]:
    words = addresses_checker(text.text)
    if words is not None:
        yield _at(text, "instruction", words=words)
    plain = text.text.replace("\\$", "")
    if plain.count("$") % 2:
        yield _at(text, "dollars")
        return
    if text.field == "stem" and len(re.sub(r"\s|_", "", plain)) < 2:
        yield _at(text, "empty-wording")
    for piece in _PIECE.findall(plain):
        problem = typesetting_fault(piece)
        if problem is not None:
            yield _at(text, "not-typeset", value=_short(piece), detail_zh=problem[0], detail=problem[1])
    outside = _PIECE.sub(" ", plain)
    command = re.search(r"\\[A-Za-z]{2,}", _BLANK.sub(" ", outside))
    if command is not None and text.field != "title":
        zh, en = "公式要写在两个 $ 之间", "a formula stands between two $"
        yield _at(text, "not-typeset", value=command[0], detail_zh=zh, detail=en)


def _figure_faults(item: Item) -> Iterator[ItemFault]:
    if item.figures:
        return
    for text in item.prose():
        if text.field not in ("stem", "content"):
            continue
        for found in _FIGURE.finditer(text.text):
            # "画出如图" asks for a drawing on what is there; "作出下图" alone does not speak of a figure that is shown.
            if found[0] in ("下图", "上图", "右图", "左图") and _DRAWS.search(text.text[: found.start()]):
                continue
            yield _at(text, "figure-missing", words=found[0])
            return


def _value_faults(part: Part, algebra: Algebra) -> Iterator[ItemFault]:
    for number, value in enumerate(part.values):
        field = f"answer.values[{number}]"
        readable = []
        for way, text in enumerate(value.accepted):
            where = f"{field}.accepted[{way}]"
            problem = typesetting_fault(typeset_form(text)) if value.relation != "text" else None
            if problem is not None:
                zh, en = problem
                yield item_fault(
                    "not-typeset", part=part.number, field=where, value=_short(text), detail_zh=zh, detail=en
                )
                continue
            if value.relation == "text":
                continue
            answer = algebra.compare(text, text)
            if answer.result is Result.UNREADABLE:
                reason = (answer.witness or {}).get("reason", answer.method)
                yield item_fault("unreadable", part=part.number, field=where, value=_short(text), detail=reason)
            else:
                readable.append((where, text))
        for (_, one), (where, other) in pairwise(readable):
            relation = value.relation if value.relation in ("up_to_constant", "up_to_renaming") else "value"
            result = algebra.compare(one, other, relation=relation, kind=value.kind).result
            if result is Result.REFUTED:
                yield item_fault("accepted-differ", part=part.number, field=where, value=other, other=one)
            elif result is not Result.PROVED:
                yield item_fault("accepted-undecided", part=part.number, field=where, value=other, other=one)


def typeset_form(text: str) -> str:
    r"""An answer as it is typeset: authors write percent signs and dollar signs as in text.

    >>> typeset_form("50%"), typeset_form("$\\frac{1}{2}$"), typeset_form("０．５")
    ('50\\%', '\\frac{1}{2}', '０．５')
    """
    inner = text.strip()
    if len(inner) > 2 and inner[0] == inner[-1] == "$":
        inner = inner[1:-1]
    return re.sub(r"(?<!\\)[%％]", r"\\%", inner)


def _blank_faults(part: Part) -> Iterator[ItemFault]:
    blanks = len(_BLANK.findall(part.stem))
    if blanks and blanks != len(part.values):
        yield item_fault("blanks", part=part.number, field="answer.values", got=blanks, want=len(part.values))


def _rules_faults(part: Part) -> Iterator[ItemFault]:
    if part.scoring_rules is None:
        return
    try:
        rules = read_rules(part.scoring_rules)
    except UnusableRules as error:
        yield from (from_rules(one, part.number) for one in error.faults)
        return
    if rules.max_score != part.points:
        yield item_fault("rules-points", part=part.number, field="points", got=rules.max_score, want=part.points)
    yield from (from_rules(one, part.number) for one in mathematical_faults(rules))


def _short(text: str) -> str:
    return f"“{text[:60]}{'…' if len(text) > 60 else ''}”"
