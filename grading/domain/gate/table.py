"""The table of rules: in order, each with a title and what it means, in Chinese and English."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from . import carried, denials, evidence, mathematics, recorded, stability
from .case import Rule


@dataclass(frozen=True)
class RuleEntry:
    """One rule of the gate. `needs_statuses`: it can only be asked where steps were judged at all."""

    rule: str
    check: Rule
    title_zh: str
    title_en: str
    meaning_zh: str
    meaning_en: str
    needs_statuses: bool = True


# The rules that rest on algebra and therefore on how each line is read; `reading-stable` runs them again.
DECISIVE: tuple[tuple[str, Rule], ...] = (
    ("best-path", recorded.best_path),
    ("step-proved", mathematics.step_proved),
    ("line-sound", mathematics.line_sound),
    ("no-rival", mathematics.no_rival),
    ("follows", mathematics.follows),
    ("jump-supported", mathematics.jump_supported),
    ("ecf-allowed", carried.ecf_allowed),
    ("ecf-shadow", carried.ecf_shadow),
    ("ecf-not-trivial", carried.ecf_not_trivial),
    ("denial-proved", denials.denial_proved),
)

RULES: tuple[RuleEntry, ...] = (
    RuleEntry(
        "schema",
        recorded.schema,
        "格式",
        "Format",
        "识读结果与判读意见是严格的 JSON：没有多余文字、重复的键、NaN、控制字符、不认识的项或状态。",
        "Strict JSON: no extra text, duplicate key, NaN, control character, unknown field or status.",
        needs_statuses=False,
    ),
    RuleEntry(
        "identity",
        recorded.identity,
        "身份",
        "Identity",
        "题目、细则版本与图像就是该答卷的。",
        "Question, rules version and image hashes are those of the case.",
        needs_statuses=False,
    ),
    RuleEntry(
        "coverage",
        recorded.coverage,
        "完整",
        "Coverage",
        "每条路径的每一步恰好判读一次。",
        "Each step of every path is judged exactly once.",
    ),
    RuleEntry(
        "score-sum",
        recorded.score_sum,
        "分数之和",
        "Sum of scores",
        "各步得分由状态和细则得出，总分是它们的精确之和，不超过满分。",
        "Step scores follow from status and rules; the total is their exact sum; never above the maximum.",
        needs_statuses=False,
    ),
    RuleEntry(
        "best-path",
        recorded.best_path,
        "最优路径",
        "Best path",
        "每个小问取对学生最有利的路径，不混用（共用步骤除外）。",
        "The credited path is best for the student per part; no mixing within a part except by shared steps.",
    ),
    RuleEntry(
        "evidence-quoted",
        evidence.evidence_quoted,
        "如实引用",
        "Evidence quoted",
        "每个给分步骤引用识读的行，引文属实。",
        "Each credited step cites lines of the blind reading and quotes them truly.",
    ),
    RuleEntry(
        "evidence-inked",
        evidence.evidence_inked,
        "有墨为证",
        "Evidence inked",
        "所引位置在页面上、有墨迹、未划去：没有墨迹就没有分。",
        "The cited box lies on the page, holds ink and is not struck out: no ink, no points.",
    ),
    RuleEntry(
        "recognised",
        evidence.recognised,
        "页面已识读",
        "Recognised",
        "页面可读，所有墨迹都有着落或标为草稿；空白与无法识读绝不自动通过。",
        "The pages are readable, all ink is accounted for or marked as scratch; blank and unreadable never pass.",
        needs_statuses=False,
    ),
    RuleEntry(
        "reading-trusted",
        evidence.reading_trusted,
        "识读可信",
        "Reading trusted",
        "识读器有证书，或两个不同的识读器一致，或（仅在允许无证书放行时）所引各行高于识读器自己的阈值且没有未读墨迹。",
        "A certified reader, or two that agree, or (only under allow_uncertified) cited lines above the threshold, no ink unread.",
    ),
    RuleEntry(
        "reading-stable",
        partial(stability.reading_stable, decisive=DECISIVE),
        "识读稳定",
        "Reading stable",
        "存疑字形的任何一种读法，单独或几行一起，都不改变判分。",
        "No alternative reading of doubtful glyphs, alone or on several lines at once, would change the mark.",
    ),
    RuleEntry(
        "step-proved",
        mathematics.step_proved,
        "步骤已证明",
        "Step proved",
        "代数证明每个给分步骤符合期望结果。",
        "Algebra proves each credited step against what it expects.",
    ),
    RuleEntry(
        "line-sound",
        mathematics.line_sound,
        "行内成立",
        "Line sound",
        "所引行内的每个等式本身都已证明。",
        "Every equality inside a cited line is itself proved.",
    ),
    RuleEntry(
        "no-rival",
        mathematics.no_rival,
        "没有第二个值",
        "No rival",
        "同一个量没有另一个不同的、未划去的值。",
        "No second, different value for the same quantity stands unstruck.",
    ),
    RuleEntry(
        "follows",
        mathematics.follows,
        "前后相承",
        "Follows",
        "建立在错误步骤上的给分步骤由学生自己写的值推出；结果对而推不出的交教师。",
        "A step that builds on a wrong step follows from the student's own written inputs.",
    ),
    RuleEntry(
        "jump-supported",
        mathematics.jump_supported,
        "跳步有据",
        "Jump supported",
        "跳过的步骤允许跳过，且在下一步的书写中看得出；只写答案的交教师。",
        "A skipped step may be skipped and shows in the next step's working; a bare answer goes to a teacher.",
    ),
    RuleEntry(
        "ecf-allowed",
        carried.ecf_allowed,
        "允许延续给分",
        "Carried error allowed",
        "细则允许，且最初的错误已证明是计算错误而非原理错误。",
        "The rules allow it; the first error is shown to be numerical, not of principle.",
    ),
    RuleEntry(
        "ecf-shadow",
        carried.ecf_shadow,
        "两面验算",
        "Shadow computation",
        "公式代入正确值得正确结果，代入学生自己的值得学生的结果。",
        "The formula with right inputs gives the right result and with the student's own gives the student's.",
    ),
    RuleEntry(
        "ecf-not-trivial",
        carried.ecf_not_trivial,
        "延续不失分量",
        "Carried error not trivial",
        "错误的值没有使后面变简单。",
        "The wrong value did not make the rest easier.",
    ),
    RuleEntry(
        "denial-proved",
        denials.denial_proved,
        "扣分有据",
        "Denial proved",
        "判错须有被否定的行和失败的验算；判未写须页面读全且没有能证明该步的行。",
        "INVALID rests on a refuted cited line and a failed shadow, MISSING on a page fully read without the result.",
    ),
    RuleEntry(
        "confidence",
        recorded.confidence,
        "置信度",
        "Confidence",
        "每个判读步骤达到策略的阈值（不低于 0.7）。",
        "Every judged step at or above the policy's threshold (never below 0.7).",
    ),
    RuleEntry(
        "second-judge",
        recorded.second_judge,
        "第二位判读",
        "Second judge",
        "策略要求或以文字为据的步骤，由两位不同的判读逐步一致。",
        "Where policy asks for it, or a step rests on words, two different judges agree step by step.",
    ),
    RuleEntry(
        "certified",
        recorded.certified,
        "放行证书",
        "Certified",
        "本题有有效证书；或策略允许，且每一步都由代数证明。",
        "The question holds a valid certificate; or policy allows what algebra proves step by step.",
    ),
    RuleEntry(
        "no-instruction",
        recorded.no_instruction,
        "没有指令",
        "No instruction",
        "答卷中没有对阅卷者说的话。",
        "No text in the answer addresses the marker.",
        needs_statuses=False,
    ),
    RuleEntry(
        "current",
        recorded.current,
        "归属未变",
        "Current",
        "个案仍归机器，归属次数与开始时相同。",
        "Owner is still AI and the epoch is the one the run started with.",
        needs_statuses=False,
    ),
    RuleEntry(
        "judge-answered",
        recorded.judge_answered,
        "判读有答复",
        "Judge answered",
        "没有超时、拒答、截断或缺第二位判读。",
        "No time-out, refusal, truncation or missing second judge.",
        needs_statuses=False,
    ),
)
