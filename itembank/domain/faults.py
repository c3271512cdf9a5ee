"""What is wrong with a document of scoring rules: where, what, and what to do about it, in Chinese and English."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from config.foundation.errors import UnusableInput


@dataclass(frozen=True)
class Fault:
    """One fault. `field` is dotted and indexed from the step, the path or the document: `yields.S_10`, `expects[1]`."""

    code: str
    path_id: str | None
    step_id: str | None
    field: str
    zh: str
    en: str
    todo_zh: str
    todo_en: str

    @property
    def where(self) -> str:
        """Path, step and field in one readable string."""
        return " / ".join(part for part in (self.path_id, self.step_id, self.field) if part) or "document"

    def line(self, language: str = "zh") -> str:
        """The fault as one line for a terminal or a list."""
        if language.startswith("en"):
            return f"{self.where}: {self.en}. {self.todo_en}."
        return f"{self.where}：{self.zh}。{self.todo_zh}。"

    def document(self) -> dict[str, str | None]:
        """The fault as JSON."""
        return {
            "code": self.code,
            "path_id": self.path_id,
            "step_id": self.step_id,
            "field": self.field,
            "zh": self.zh,
            "en": self.en,
            "todo_zh": self.todo_zh,
            "todo_en": self.todo_en,
        }


class UnusableRules(UnusableInput):
    """Scoring rules that cannot be used; carries every fault found, in the order of the document."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        count = len(self.faults)
        first = self.faults[0]
        super().__init__(
            "unusable-rules",
            f"评分细则有 {count} 处错误：{first.line('zh')}",
            f"The scoring rules have {count} fault(s): {first.line('en')}",
        )


# Everything that can be wrong, by code: (Chinese, English, what to do in Chinese, what to do in English).
MESSAGES: dict[str, tuple[str, str, str, str]] = {
    "not-json": (
        "不是合格的 JSON：{detail_zh}",
        "not strict JSON: {detail}",
        "改正后重新上传",
        "Correct the file and upload it again",
    ),
    "too-large": (
        "内容太大：{detail}",
        "the document is too large: {detail}",
        "删去多余内容",
        "Remove what is not needed",
    ),
    "type": ("应为{wanted_zh}，实为{got_zh}", "must be {wanted}, not {got}", "改为{wanted_zh}", "Write {wanted}"),
    "required": ("缺少必填项 {name}", "{name} is required and missing", "补上 {name}", "Add {name}"),
    "unknown-field": ("有不认识的项 {name}", "{name} is not a known field", "{hint_zh}", "{hint}"),
    "choice": (
        "{value} 不在允许的取值内",
        "{value} is not one of the allowed values",
        "改为 {allowed} 之一",
        "Use one of {allowed}",
    ),
    "range": ("{value} 超出范围", "{value} is out of range", "{hint_zh}", "{hint}"),
    "length": ("长度或个数不对：{detail}", "wrong length or count: {detail}", "{hint_zh}", "{hint}"),
    "repeated-entry": ("有重复的条目", "an entry is repeated", "每个条目只留一个", "Keep each entry once"),
    "pattern": ("{value} 的写法不对", "{value} is not written as it must be", "{hint_zh}", "{hint}"),
    "schema": (
        "不合格式：{detail}",
        "does not follow the schema: {detail}",
        "按格式说明改正",
        "Correct it as the schema says",
    ),
    "control-character": (
        "含有控制字符或不可见字符",
        "contains a control or invisible character",
        "删去该字符",
        "Remove that character",
    ),
    "latex": (
        "LaTeX 不可用：{detail_zh}",
        "the LaTeX cannot be used: {detail}",
        "改正这段公式",
        "Correct this piece of LaTeX",
    ),
    "mark-step": (
        "{value} 不是步长 {step_width} 的整数倍",
        "{value} is not a multiple of mark_step {step_width}",
        "改为 {step_width} 的整数倍",
        "Use a multiple of {step_width}",
    ),
    "part-sum": (
        "第 {part} 小问：本路径各步合计 {got}，而路径 {other} 合计 {want}",
        "part {part}: the steps of this path add up to {got}, those of path {other} to {want}",
        "使同一小问各路径的分值合计相等",
        "Make the steps of every path of a part add up to the same score",
    ),
    "total": (
        "各小问合计 {got}，不等于满分 {want}",
        "the parts add up to {got}, not to max_score {want}",
        "改正各步分值或满分",
        "Correct the points of the steps or max_score",
    ),
    "duplicate-path": (
        "路径编号 {value} 重复",
        "path_id {value} is used twice",
        "换一个编号",
        "Give this path another id",
    ),
    "duplicate-step": (
        "步骤编号 {value} 在这条路径里重复",
        "step_id {value} is used twice on this path",
        "换一个编号",
        "Give this step another id",
    ),
    "unknown-dependency": (
        "depends_on 指向不存在的步骤 {value}",
        "depends_on names {value}, which is no step",
        "改为本路径中更早的步骤或更早小问的步骤",
        "Name an earlier step of this path or a step of an earlier part",
    ),
    "late-dependency": (
        "depends_on 指向 {value}，它不在本步之前",
        "depends_on names {value}, which does not come before this step",
        "只能依赖更早的步骤",
        "Depend on earlier steps only",
    ),
    "foreign-dependency": (
        "depends_on 指向另一条路径的步骤 {value}",
        "depends_on names {value}, a step of another path",
        "改为本路径中更早的步骤",
        "Name an earlier step of this path",
    ),
    "undeclared-quantity": (
        "yields 的 {value} 没有在 quantities 中声明",
        "yields {value}, which quantities does not declare",
        "在 quantities 中写出 {value} 的正确值",
        "Declare {value} with its right value under quantities",
    ),
    "unknown-name": (
        "公式用到未知的名称 {value}",
        "the formula uses the unknown name {value}",
        "只用 givens 和 quantities 中的名称",
        "Use names of givens and quantities only",
    ),
    "self-reference": (
        "公式用 {value} 自己来计算 {value}",
        "the formula computes {value} from itself",
        "改用更早的量",
        "Use earlier quantities",
    ),
    "given-and-quantity": (
        "{value} 同时在 givens 和 quantities 中",
        "{value} stands under givens and under quantities",
        "只留一处",
        "Keep it in one place",
    ),
    "shared-differs": (
        "与路径 {other} 中同一 shared_id 的步骤 {field} 不同",
        "differs in {field} from the step with the same shared_id on path {other}",
        "使两处一致，或换一个 shared_id",
        "Make the two agree, or use another shared_id",
    ),
    "shared-twice": (
        "shared_id {value} 在同一路径中出现两次",
        "shared_id {value} stands twice on the same path",
        "同一路径中只用一次",
        "Use it once on a path",
    ),
    "shared-part": (
        "shared_id {value} 出现在不同的小问",
        "shared_id {value} stands in different parts",
        "只在同一小问的路径之间共用",
        "Share steps between paths of one part only",
    ),
    "answer-only": (
        "{value} 大于满分 {most}",
        "{value} is more than max_score {most}",
        "改为不超过满分",
        "Use no more than max_score",
    ),
    "too-many-points": (
        "{value} 大于本步分值 {most}",
        "{value} is more than the {most} points of the step",
        "改为不超过本步分值",
        "Use no more than the points of the step",
    ),
    "unreadable": (
        "代数引擎读不懂 {value}：{detail}",
        "the algebra engine cannot read {value}: {detail}",
        "改写这一条数学式",
        "Rewrite this piece of mathematics",
    ),
    "wrong-formula": (
        "{name} 的公式算得 {got}，而 quantities 写的是 {want}",
        "the formula for {name} gives {got}, quantities says {want}",
        "改正公式、已知值或 quantities",
        "Correct the formula, the givens or the quantity",
    ),
    "not-computable": (
        "{name} 的公式 {value} 用已知值算不出来",
        "the formula {value} for {name} cannot be computed from the known values",
        "改写公式",
        "Rewrite the formula",
    ),
    "wrong-result": (
        "{value} 写 {name} 等于 {got}，而已知值是 {want}",
        "{value} says that {name} is {got}, the known value is {want}",
        "改正 expects 或 quantities",
        "Correct expects or the quantity",
    ),
    "falling-margin": (
        "右侧累加分数由 {before} 变为 {value}",
        "the cumulative margin goes from {before} to {value}",
        "累加分数必须逐行增大（跨小问连续累加；每小问从零起时用 --per-part）",
        "A cumulative margin must grow (through all parts; use --per-part where each part starts at zero)",
    ),
    "first-margin": (
        "本小问的第一个累加分数 {value} 不大于之前各小问的 {before}",
        "the first margin {value} of this part is not above the {before} of the parts before it",
        "把累加分数写成全题累计（每小问从零起时用 --per-part）",
        "Count through the whole question (use --per-part where each part starts at zero)",
    ),
    "no-margin-after": (
        "最后一个累加分数之后还有 {count} 行",
        "{count} line(s) stand after the last margin",
        "把最后的分数写在最后一行，或删去这些行",
        "Put the last margin at the last line, or remove these lines",
    ),
    "unsound": (
        "{value} 中有等式不成立",
        "an equality in {value} does not hold",
        "改正这一条",
        "Correct it",
    ),
}


def fault(code: str, *, path: str | None = None, step: str | None = None, field: str = "", **facts: object) -> Fault:
    """The fault of that code at that place, its four texts filled in from `facts`."""
    zh, en, todo_zh, todo_en = (text.format(**{"field": field, **facts}) for text in MESSAGES[code])
    return Fault(code, path, step, field, zh, en, todo_zh, todo_en)
