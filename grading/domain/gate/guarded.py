"""What each rule of the gate guards against, and which values of the policy it looks at; for people who read the rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Guarded:
    """The mistake that a rule keeps from becoming a mark, in Chinese and English, and the policy's fields it reads."""

    zh: str
    en: str
    policy: tuple[str, ...] = ()


GUARDED: dict[str, Guarded] = {
    "schema": Guarded(
        "判读器的输出残缺、重复或夹带内容，却被当作意见。", "A broken or padded reply taken for an observation."
    ),
    "identity": Guarded(
        "给错题目、用错细则或看错图像。", "A mark for another question, other rules or another picture."
    ),
    "coverage": Guarded("某一步没有人看，或同一步判了两种结果。", "A step nobody looked at, or judged in two ways."),
    "score-sum": Guarded("判读器自己写的分数，或加错的总分。", "A score the judge made up, or a wrong total."),
    "best-path": Guarded(
        "按对学生不利的解法给分，或把两种解法拼起来给分。", "Marking by a worse path, or by a mixture of two."
    ),
    "evidence-quoted": Guarded(
        "引用答卷上没有的话，或一个式子付两次分。",
        "Quoting what does not stand on the page; paying twice for one expression.",
    ),
    "evidence-inked": Guarded(
        "给空白处、已划去处或页面以外的“书写”分数。", "Points for blank paper, struck-out work or a place off the page."
    ),
    "recognised": Guarded(
        "没读到的墨迹里藏着答案或更正。", "An answer or a correction hidden in ink that was not read."
    ),
    "reading-trusted": Guarded(
        "把读不准的字当真。", "Taking an unsure character for sure.", ("line_confidence", "allow_uncertified")
    ),
    "reading-stable": Guarded(
        "分数取决于一个两可的字形，如 1 与 7、x 与 ×。",
        "A mark that hangs on a glyph that could be another: 1 and 7, x and ×.",
        ("alternatives_limit",),
    ),
    "step-proved": Guarded("看上去对而没有证明的步骤。", "A step that looks right and is not proved."),
    "line-sound": Guarded("结果对而行内算式错，如 S=30+80=120。", "A right result in a false line: S=30+80=120."),
    "no-rival": Guarded("两个值并列，由机器替学生挑一个。", "Two values side by side, the machine choosing one."),
    "follows": Guarded(
        "前面错了，后面却“碰巧”写对。", "A right result after a wrong step from which it does not follow."
    ),
    "jump-supported": Guarded(
        "把没写的步骤当作写了；把光秃的答案当作过程。", "A step never written; a bare answer taken for working."
    ),
    "ecf-allowed": Guarded(
        "原理错误之后仍按延续给分。", "Carrying on marks after an error of principle or where the rules forbid it."
    ),
    "ecf-shadow": Guarded("延续给分却没有按自己的值算对。", "A carried error whose later arithmetic is wrong as well."),
    "ecf-not-trivial": Guarded("错误的值使后面变得容易。", "A slip that made the rest of the question easier."),
    "denial-proved": Guarded("没有证明就扣分。", "Taking points without proof.", ("line_confidence",)),
    "confidence": Guarded(
        "判读器自己都没有把握的步骤。", "A step the judge itself is unsure of.", ("step_confidence",)
    ),
    "second-judge": Guarded(
        "一位判读对文字理由的一面之词。", "One judge's word on a reason in words.", ("second_judge",)
    ),
    "certified": Guarded(
        "还没有用人工评卷核过的题目自动放行。",
        "A question passing before it was measured against people.",
        ("allow_uncertified",),
    ),
    "no-instruction": Guarded("答卷里写给阅卷者的要求影响给分。", "A request in the answer swaying the mark."),
    "current": Guarded(
        "个案已交到人手里，迟到的机器结果却改了分。", "A late result of the machine changing a case people own."
    ),
    "judge-answered": Guarded("超时或截断被当作“没有写”。", "A time-out or a cut-off reply taken for nothing written."),
}
