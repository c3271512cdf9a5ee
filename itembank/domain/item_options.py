"""Options of a choice item beside each other and beside the answer: distinct, and right exactly where the key says so.

Options are the same when algebra says so: `0.5`, `1/2`, `50%` and `$\\frac{1}{2}$` are one option.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import combinations

from itembank.algebra import Algebra, Comparison, Result

from .item_faults import ItemFault, item_fault
from .item_model import Option, Part

_PIECE = re.compile(r"\$([^$]*)\$")
_CLOSING = re.compile(r"[。．.；;，,\s]+$")
_RIGHT = re.compile(r"正确|成立|为真|是真命题|\b(?:true|correct|holds?)\b")
_WRONG = re.compile(r"不正确|错误|不成立|为假|假命题|不是真|\b(?:false|incorrect|wrong|not (?:true|correct))\b")
_VARIABLE = re.compile(r"(?<!\\)(?<![A-Za-z\\])(?!e(?![A-Za-z]))[A-Za-z](?![A-Za-z])")


def option_faults(part: Part, algebra: Algebra) -> Iterator[ItemFault]:
    """Every fault and doubt of the options of one choice item or part."""
    labels = {option.label for option in part.options}
    for label in part.choices:
        if label not in labels:
            yield item_fault("answer-not-option", part=part.number, field="answer.choices", value=label)
    if part.kind == "single_choice" and len(part.choices) != 1:
        yield item_fault("not-one-choice", part=part.number, field="answer.choices", got=len(part.choices))
    for one, other in combinations(part.options, 2):
        result = same_content(one.content, other.content, algebra)
        if result is Result.PROVED:
            yield item_fault(
                "options-equal", part=part.number, option=other.label, field="content", one=one.label, other=other.label
            )
        elif result is Result.UNDECIDED:
            yield item_fault(
                "options-undecided",
                part=part.number,
                option=other.label,
                field="content",
                one=one.label,
                other=other.label,
            )
    yield from _against_value(part, algebra)
    yield from _against_truth(part, algebra)


def same_content(one: str, other: str, algebra: Algebra) -> Result:
    """Whether two texts with formulas say the same: PROVED, REFUTED or UNDECIDED, never UNREADABLE.

    >>> same_content("0.5", r"$\\frac{1}{2}$", Algebra())
    <Result.PROVED: 'PROVED'>
    >>> same_content("大于 $1$", "小于 $1$", Algebra())
    <Result.REFUTED: 'REFUTED'>
    """
    if _plain(one) == _plain(other):
        return Result.PROVED
    left, right = as_formula(one), as_formula(other)
    if left is not None and right is not None:
        if _is_claim(left) and _is_claim(right):
            # Two true equalities of numbers are the same to algebra and two statements to a student.
            return Result.REFUTED
        answer = algebra.compare(left, right).result
        if answer is not Result.UNREADABLE:
            return answer
    words, pieces = _split(one)
    other_words, other_pieces = _split(other)
    if words != other_words or len(pieces) != len(other_pieces) or not pieces:
        # Different words, or the same words about another number of things.
        return Result.REFUTED
    results = [
        Result.PROVED if _plain(a) == _plain(b) else algebra.compare(a, b).result
        for a, b in zip(pieces, other_pieces, strict=True)
    ]
    if Result.REFUTED in results:
        return Result.REFUTED
    return Result.PROVED if all(result is Result.PROVED for result in results) else Result.UNDECIDED


def as_formula(content: str) -> str | None:
    """The content as one formula where it is nothing else: `$x=1$` or plain `0.5`; None for words."""
    text = _CLOSING.sub("", content.strip()) if not re.fullmatch(r"\s*[\d.]+\s*", content) else content.strip()
    found = _PIECE.fullmatch(text)
    if found:
        return found[1]
    if "$" in text or re.search(r"[\u3400-\u9fff]", text):
        return None
    return text


def _plain(text: str) -> str:
    return re.sub(r"[\s$]", "", unicodedata.normalize("NFKC", text))


def _split(text: str) -> tuple[str, list[str]]:
    return _plain(_CLOSING.sub("", _PIECE.sub("\x01", text))), _PIECE.findall(text)


def _against_value(part: Part, algebra: Algebra) -> Iterator[ItemFault]:
    """Options beside the right value, where the item states one."""
    if len(part.values) != 1 or part.values[0].relation == "text":
        return
    value = part.values[0].accepted[0]
    for option in part.options:
        formula = as_formula(option.content)
        if formula is None:
            continue
        answer = algebra.compare(value, formula)
        chosen = option.label in part.choices
        if chosen and answer.result is Result.REFUTED:
            yield _wrong(part, option, f"它不等于 {value}", f"it is not {value}")
        elif not chosen and answer.result is Result.PROVED:
            yield _second(part, option, f"它等于 {value}", f"it equals {value}")


def _against_truth(part: Part, algebra: Algebra) -> Iterator[ItemFault]:
    """Options that are statements algebra can decide, where the stem asks which of them are right (or wrong)."""
    wrong_wanted = _WRONG.search(part.stem) is not None
    if not wrong_wanted and _RIGHT.search(part.stem) is None:
        return
    for option in part.options:
        answer = _truth(option, algebra)
        if answer is None:
            continue
        holds = answer.result is Result.PROVED
        chosen = option.label in part.choices
        if chosen and holds is wrong_wanted:
            yield _wrong(part, option, *_said(holds))
        elif not chosen and holds is not wrong_wanted:
            yield _second(part, option, *_said(holds))


def _truth(option: Option, algebra: Algebra) -> Comparison | None:
    """PROVED or REFUTED where the option is an equality of numbers; None where it is something else or undecided."""
    formula = as_formula(option.content)
    if formula is None or not _is_claim(formula):
        return None
    answer = algebra.sound(formula)
    decided = answer.result in (Result.PROVED, Result.REFUTED) and answer.method != "nothing-claimed"
    return answer if decided else None


def _is_claim(formula: str) -> bool:
    """Whether the formula is an equality of numbers, which is simply true or false."""
    return "=" in formula and not _VARIABLE.search(re.sub(r"\\[A-Za-z]+", " ", formula))


def _said(holds: bool) -> tuple[str, str]:
    return ("等式成立", "the equality holds") if holds else ("等式不成立", "the equality does not hold")


def _wrong(part: Part, option: Option, zh: str, en: str) -> ItemFault:
    return item_fault("choice-wrong", part=part.number, option=option.label, field="content", why_zh=zh, why=en)


def _second(part: Part, option: Option, zh: str, en: str) -> ItemFault:
    return item_fault("second-right", part=part.number, option=option.label, field="content", why_zh=zh, why=en)
