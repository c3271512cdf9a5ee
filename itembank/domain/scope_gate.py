"""Gate 2: is the item new, and does it belong where it says?

The same text fails. The same with other numbers, nearly the same wording, or like wording with the same answer asks a person:
a variant may be wanted. A knowledge point beyond the stage fails, declared or seen in the notation; one that the tree does not
know asks a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from itembank.algebra import Algebra, Result

from .gates import NOVELTY, Detail, GateOutcome, Outcome
from .item_model import STAGES, Item
from .item_options import as_formula
from .knowledge import KnowledgeTree, shipped_tree
from .likeness import Alike, Collection, Print, print_of

STAGE_WORDS = {"primary": ("小学", "primary"), "junior": ("初中", "junior"), "senior": ("高中", "senior")}

# Notation and words that a stage before this one has not met: (stage, knowledge point, pattern).
_CUES: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (stage, point, re.compile(pattern))
    for stage, point, pattern in (
        ("senior", "calculus.integral", r"\\i{1,3}nt(?![a-z])|定积分|不定积分"),
        ("senior", "calculus.derivative", r"[fgh]'|[fgh]\^\{?\\prime|\\lim(?![a-z])|导函数|导数|求导"),
        ("senior", "algebra.functions.logarithm", r"\\(?:log|ln|lg)(?![a-z])|对数"),
        ("senior", "geometry.vectors", r"\\(?:vec|overrightarrow)(?![a-z])|向量"),
        ("senior", "algebra.sequences", r"\\sum(?![a-z])|等差数列|等比数列|数列\s*\$"),
        ("senior", "statistics.counting", r"\\[dt]?binom(?![a-z])|[CA]_\{?\w+\}?\^\{?\w|排列数|组合数"),
        ("senior", "algebra.complex", r"复数|虚数|共轭|虚部"),
        ("senior", "geometry.conics", r"椭圆|双曲线(?!.{0,6}反比例)|焦点|准线|离心率"),
        (
            "senior",
            "geometry.trigonometry.graphs",
            r"弧度|\\(?:sin|cos|tan)\s*\(?\s*(?:2|\\omega|\\left\()|周期函数|最小正周期",
        ),
        ("senior", "algebra.sets", r"\\(?:cup|cap|subseteq|complement|mathbb\s*\{?[RNZQC])(?![a-z])|真子集|充分不必要"),
        ("junior", "number.roots", r"\\sqrt(?![a-z])|平方根|立方根"),
        ("junior", "algebra.equations.quadratic", r"一元二次方程|[a-z]\^\{?2\}?\s*[-+]\s*\d*[a-z][^$]*=\s*0"),
        ("junior", "algebra.functions", r"函数"),
        ("junior", "geometry.trigonometry.acute", r"\\(?:sin|cos|tan)(?![a-z])|三角函数"),
        ("junior", "geometry.triangles.pythagoras", r"勾股"),
        ("junior", "number.negative", r"负数|有理数|绝对值|相反数"),
    )
)


@dataclass(frozen=True)
class Neighbour:
    """An item of the bank as gate 2 needs it: its name, its print and the answers of its parts."""

    item_id: str
    version: int | None
    print: Print
    answers: tuple[str, ...]


class Neighbourhood:
    """The items that a new one is compared with; the versions of one item are never alike in the sense of the gate."""

    def __init__(self, neighbours: Sequence[Neighbour] = ()) -> None:
        self.neighbours: list[Neighbour] = []
        self.collection = Collection()
        for one in neighbours:
            self.add(one)

    def add(self, one: Neighbour) -> None:
        """Take one more item in."""
        self.neighbours.append(one)
        self.collection.add(one.print)

    def alike(self, item: Item, its: Print) -> list[tuple[Neighbour, Alike]]:
        """Other items that are like this one, likest first."""
        found = ((self.neighbours[row.at], row) for row in self.collection.alike(its))
        return [(one, row) for one, row in found if one.item_id != item.item_id]


def neighbour_of(item: Item, version: int | None = None) -> Neighbour:
    """The item as a neighbour of others."""
    return Neighbour(item.item_id, version, print_of(item), answers_of(item))


def answers_of(item: Item) -> tuple[str, ...]:
    """The right answer of each part as one text: its first value, or what the chosen options say."""
    found = []
    for part in item.parts:
        if part.values:
            found.append(part.values[0].accepted[0])
        else:
            contents = [option.content for option in part.options if option.label in part.choices]
            found.append(" ; ".join(as_formula(one) or one for one in contents))
    return tuple(found)


def check_scope(item: Item, others: Neighbourhood, tree: KnowledgeTree | None = None) -> GateOutcome:
    """The answer of gate 2 to an item that has a right form."""
    tree = tree or shipped_tree()
    its = print_of(item)
    alike = others.alike(item, its)
    algebra = Algebra(item.declares)
    findings = [*_like_findings(item, alike, algebra), *_stage_findings(item, tree)]
    outcome = Outcome.PASSED if not findings else Outcome.UNDECIDED
    if any(fails for fails, _ in findings):
        outcome = Outcome.FAILED
    artefacts = {
        "compared_with": len(others.neighbours),
        "print": {"exact": its.exact, "masked": its.masked},
        "alike": [
            {
                "item_id": one.item_id,
                "version": one.version,
                "kind": row.kind,
                "text_percent": round(row.text * 100),
                "shape_percent": round(row.shape * 100),
            }
            for one, row in alike
        ],
        "stage": item.stage,
        "knowledge_points": list(item.knowledge_points),
    }
    return GateOutcome(NOVELTY, outcome, tuple(detail for _, detail in findings), artefacts)


def _like_findings(item: Item, alike: list[tuple[Neighbour, Alike]], algebra: Algebra) -> Iterator[tuple[bool, Detail]]:
    mine = answers_of(item)
    for one, row in alike:
        percent = round(max(row.text, row.shape) * 100)
        if row.kind == "exact":
            zh, en = f"与题目 {one.item_id} 文字相同", f"the text is that of item {one.item_id}"
        elif row.kind == "other-numbers":
            zh, en = f"与题目 {one.item_id} 只有数字不同", f"only the numbers differ from item {one.item_id}"
        elif row.kind == "near":
            zh, en = f"与题目 {one.item_id} 近似（约 {percent}%）", f"nearly item {one.item_id} (about {percent} %)"
        elif same_answers(mine, one.answers, algebra):
            zh = f"与题目 {one.item_id} 相像（约 {percent}%）且答案相同"
            en = f"like item {one.item_id} (about {percent} %) and with the same answer"
        else:
            continue
        same = row.kind in ("other-numbers", "near") and same_answers(mine, one.answers, algebra)
        code = {"exact": "duplicate", "likely": "same-answer"}.get(row.kind, "near-duplicate")
        yield (
            row.kind == "exact",
            Detail(
                code,
                zh + ("，答案也相同。" if same else "。"),
                _sentence(en + (", the answer too" if same else "")),
                "stem",
            ),
        )


def same_answers(mine: Sequence[str], others: Sequence[str], algebra: Algebra) -> bool:
    """Whether two items have the same answers part by part, as far as text or algebra can show."""
    if len(mine) != len(others) or not any(mine):
        return False
    return all(a == b or algebra.compare(a, b).result is Result.PROVED for a, b in zip(mine, others, strict=True))


def _stage_findings(item: Item, tree: KnowledgeTree) -> Iterator[tuple[bool, Detail]]:
    stage_zh, stage = STAGE_WORDS[item.stage]
    for point_id in item.knowledge_points:
        within = tree.within(point_id, item.stage)
        point = tree.get(point_id)
        if point is None:
            zh, en = f"知识点 {point_id} 不在知识点树中", f"the knowledge point {point_id} is not in the tree"
            yield False, Detail("unknown-point", f"{zh}。", _sentence(en), "knowledge_points")
        elif not within:
            zh = f"知识点“{point.zh}”属{STAGE_WORDS[point.stage][0]}，超出{stage_zh}范围"
            en = f"“{point.en}” is taught in the {point.stage} stage, beyond {stage}"
            yield True, Detail("beyond-stage", f"{zh}。", _sentence(en), "knowledge_points")
    for needed, point_id, pattern in _CUES:
        if STAGES.index(needed) <= STAGES.index(item.stage):
            continue
        for text in item.prose():
            found = pattern.search(text.text) if text.field in ("stem", "content") else None
            if found:
                point = tree.get(point_id)
                name_zh, name = (point.zh, point.en) if point else (point_id, point_id)
                zh = f"“{found[0]}”涉及{STAGE_WORDS[needed][0]}内容（{name_zh}），超出{stage_zh}范围"
                en = f"“{found[0]}” needs the {needed} stage ({name}), beyond {stage}"
                place = text.field if text.part is None else f"part {text.part} / {text.field}"
                yield True, Detail("beyond-stage", f"{zh}。", _sentence(en), place)
                break


def _sentence(en: str) -> str:
    return en[0].upper() + en[1:] + "."
