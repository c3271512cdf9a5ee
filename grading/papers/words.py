"""The fixed words of a marked paper, in Chinese and in English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PaperWords:
    """``statuses`` by grading.domain.statuses.Status."""

    total: str
    open_total: str
    page: str
    open_answer: str
    again: str
    nothing: str
    comment: str
    by_machine: str
    by_rule: str
    direct: str
    points: str
    statuses: dict[str, str]


PAPER_WORDS = {
    "zh": PaperWords(
        "总分 {total} / {most}", "尚未评完：{n} 题未定分，总分暂缺", "第 {n} / {of} 页", "尚未定分（不是零分）", "正在重新评阅，分数可能变动",
        "未作答", "评语：{text}", "系统通过", "由各评分按规则得出", "按总分给分", "{score} / {most} 分",
        {"VALID": "正确", "JUMP_VALID": "跳步有效", "GAP_DEDUCTION": "缺少依据", "ECF_GRANTED": "后继部分给分",
         "INVALID": "错误", "MISSING": "未写"},
    ),
    "en": PaperWords(
        "Total {total} / {most}", "Not finished: {n} without a mark, so no total", "page {n} of {of}", "No mark yet (this is not a zero)",
        "Being marked again; the mark may change", "Nothing handed in", "Comment: {text}", "Auto-accepted", "made of several marks by rule",
        "Total given directly", "{score} / {most} points",
        {"VALID": "right", "JUMP_VALID": "skipped, supported", "GAP_DEDUCTION": "reason missing",
         "ECF_GRANTED": "mark after an error",
         "INVALID": "wrong", "MISSING": "not written"},
    ),
}  # fmt: skip
