"""What is wrong with an item: part, option and field, what it is and what to do, in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from config.foundation.errors import UnusableInput

from .faults import Fault


@dataclass(frozen=True)
class ItemFault:
    """One fault. `part` is None where the whole item is meant or it has no parts; `doubt` asks a person, it does not refuse."""

    code: str
    part: int | None
    option: str | None
    field: str
    zh: str
    en: str
    todo_zh: str
    todo_en: str
    doubt: bool = False

    def where(self, language: str = "zh") -> str:
        """The place in one readable string."""
        english = language.startswith("en")
        pieces = []
        if self.part is not None:
            pieces.append(f"part {self.part}" if english else f"第 {self.part} 小问")
        if self.option is not None:
            pieces.append(f"option {self.option}" if english else f"选项 {self.option}")
        if self.field:
            pieces.append(self.field)
        return " / ".join(pieces) or ("item" if english else "试题")

    def line(self, language: str = "zh") -> str:
        """The fault as one line."""
        if language.startswith("en"):
            return f"{self.where('en')}: {self.en}. {self.todo_en}."
        return f"{self.where()}：{self.zh}。{self.todo_zh}。"

    def document(self) -> dict[str, object]:
        """The fault as JSON."""
        return {
            "code": self.code,
            "part": self.part,
            "option": self.option,
            "field": self.field,
            "doubt": self.doubt,
            "message": {"zh": self.line("zh"), "en": self.line("en")},
        }


class UnusableItem(UnusableInput):
    """An item that cannot be read at all; carries every fault found, in the order of the document."""

    def __init__(self, faults: Iterable[ItemFault]) -> None:
        self.faults = tuple(faults)
        count, first = len(self.faults), self.faults[0]
        super().__init__(
            "unusable-item",
            f"试题有 {count} 处错误：{first.line('zh')}",
            f"The item has {count} fault(s): {first.line('en')}",
        )


# Beyond the form, which has the words of scoring rules. (Chinese, English, what to do in Chinese, in English.)
ITEM_MESSAGES: dict[str, tuple[str, str, str, str]] = {
    "kind-field": (
        "{kind_zh}题{must_zh} {name}",
        "an item of kind {kind} {must} {name}",
        "{do_zh} {name}，或改题型",
        "{do} {name}, or choose another kind",
    ),
    "part-number": ("小问编号应依次为 1、2、3…", "parts must be numbered 1, 2, 3 …", "改为 {want}", "Write {want}"),
    "part-points": (
        "各小问分值合计 {got}，而满分是 {want}",
        "the parts add up to {got} points, the item says {want}",
        "改正各小问分值或满分",
        "Correct the points of the parts or of the item",
    ),
    "option-label": (
        "选项应从 A 起依次编号",
        "options must run from A without a gap",
        "改为 {want}",
        "Write {want}",
    ),
    "figure-data": (
        "图片内容不是 {media_type}，或超过 300 kB",
        "the content is no {media_type} or larger than 300 kB",
        "重新上传图片",
        "Upload the picture again",
    ),
    "figure-id": ("图片编号 {value} 重复", "figure_id {value} is used twice", "换一个编号", "Use another id"),
    "figure-missing": (
        "题干提到图（“{words}”），但没有附图",
        "the text speaks of a figure (“{words}”) and none is there",
        "附上图片，或改写题干",
        "Add the figure or reword the stem",
    ),
    "dollars": (
        "美元符号不成对",
        "a dollar sign has no partner",
        "每个公式前后各写一个 $",
        "Put one $ before and one after each formula",
    ),
    "not-typeset": (
        "公式 {value} 无法排版：{detail_zh}",
        "the formula {value} cannot be typeset: {detail}",
        "改正这条公式",
        "Correct this formula",
    ),
    "unreadable": (
        "代数引擎读不懂答案 {value}：{detail}",
        "the algebra engine cannot read the answer {value}: {detail}",
        "改写；若答案是文字，把 relation 写成 text",
        "Rewrite it; where the answer is words, use the relation text",
    ),
    "accepted-differ": (
        "{value} 与 {other} 不是同一个值",
        "{value} and {other} are not the same value",
        "各种写法必须同值；不同的空分开写",
        "All accepted ways must mean the same; give each blank an entry of its own",
    ),
    "accepted-undecided": (
        "不能确定 {value} 与 {other} 是否同值",
        "whether {value} and {other} are the same value could not be decided",
        "请人工确认",
        "A person must confirm it",
    ),
    "options-equal": (
        "选项 {one} 与 {other} 是同一个值",
        "options {one} and {other} are the same value",
        "改写其中一个",
        "Change one of them",
    ),
    "options-undecided": (
        "不能确定选项 {one} 与 {other} 是否同值",
        "whether options {one} and {other} are the same could not be decided",
        "请人工确认",
        "A person must confirm it",
    ),
    "answer-not-option": (
        "答案 {value} 不在选项中",
        "the answer {value} is none of the options",
        "改正答案或补上选项",
        "Correct the answer or add the option",
    ),
    "not-one-choice": (
        "单选题应恰有一个答案，现有 {got} 个",
        "a single choice has exactly one answer, not {got}",
        "只留一个，或改为多选题",
        "Keep one, or make it a multiple choice",
    ),
    "choice-wrong": (
        "选项 {option} 标为正确，但代数证明它不对：{why_zh}",
        "option {option} is marked right and algebra shows that it is not: {why}",
        "改正答案或选项",
        "Correct the answer or the option",
    ),
    "second-right": (
        "选项 {option} 未标为正确，但代数证明它也对：{why_zh}",
        "option {option} is not marked right and algebra shows that it is: {why}",
        "改正答案或选项",
        "Correct the answer or the option",
    ),
    "blanks": (
        "题干有 {got} 个空，答案有 {want} 个",
        "the stem has {got} blank(s) and the answer {want}",
        "每个空写一个答案",
        "Give each blank one answer",
    ),
    "rules": ("评分细则：{zh}", "scoring rules: {en}", "{todo_zh}", "{todo_en}"),
    "rules-points": (
        "评分细则满分 {got}，而分值是 {want}",
        "the scoring rules give {got} points, the item says {want}",
        "使两者一致",
        "Make the two agree",
    ),
    "empty-wording": (
        "题干没有要求作答的内容（至少应有几个字）",
        "the stem asks for nothing",
        "写出题目",
        "Write the question",
    ),
    "instruction": (
        "文字里有写给审核者的话：“{words}”（已记录，不执行）",
        "the text addresses whoever checks it: “{words}” (recorded, not obeyed)",
        "删去这句话；在此之前由人审核",
        "Remove it; until then a person looks at the item",
    ),
}  # fmt: skip

# A doubt asks a person; everything else refuses the item.
DOUBTS = frozenset(("accepted-undecided", "options-undecided", "instruction"))


def item_fault(
    code: str, *, part: int | None = None, option: str | None = None, field: str = "", **facts: object
) -> ItemFault:
    """The fault of that code at that place, its four texts filled in from `facts`."""
    zh, en, todo_zh, todo_en = (
        text.format(**{"option": option, "field": field, **facts}) for text in ITEM_MESSAGES[code]
    )
    return ItemFault(code, part, option, field, zh, en, todo_zh, todo_en, doubt=code in DOUBTS)


_PART = re.compile(r"^parts\[(\d+)\]\.?")
_OPTION = re.compile(r"^options\[(\d+)\]\.?")


def from_form(found: Fault) -> ItemFault:
    """A fault of form as the schema's reader names it, with part and option told apart from the field.

    The reader knows no parts; places in it are counted from 0 (`parts[0].options[2].content`).
    """
    field, part, option = found.field, None, None
    match = _PART.match(field)
    if match:
        part, field = int(match[1]) + 1, field[match.end() :]
    match = _OPTION.match(field)
    if match:
        option, field = "ABCDEFGH"[min(int(match[1]), 7)], field[match.end() :]
    return ItemFault(found.code, part, option, field, found.zh, found.en, found.todo_zh, found.todo_en)


def from_rules(found: Fault, part: int | None) -> ItemFault:
    """A fault of an item's scoring rules at its place inside the item."""
    field = " / ".join(piece for piece in ("scoring_rules", found.path_id, found.step_id, found.field) if piece)
    return item_fault(
        "rules", part=part, field=field, zh=found.zh, en=found.en, todo_zh=found.todo_zh, todo_en=found.todo_en
    )
