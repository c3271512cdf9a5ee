"""Reasons for a step's status in English: the public verdict holds one string, and the product's judges write Chinese.

Only sentences that the product itself writes are known here; what a model or a person wrote stays as it is.
"""

from __future__ import annotations

import re

# Chinese as written, with {} for what varies, and English with the same in order.
_SENTENCES: tuple[tuple[str, str], ...] = (
    ("有未能识读的内容，不能断定没有写", "something could not be read, so it cannot be called missing"),
    ("有未归入任何步骤的式子，不能断定没有写", "lines belong to no step, so it cannot be called missing"),
    ("没有单独写出，下一步的算式用到了它的结果", "not written by itself; the working of the next step uses its result"),
    ("没有单独写出，可能是跳步，需教师判断", "not written by itself; it may have been skipped, for a teacher to judge"),
    ("代入的算式写出了，缺少依据：{}", "the numbers are put in, the reason is not written: {}"),
    ("结果有算式，但看不出用的是不是这一依据", "the result is worked out, but it does not show whether by this reason"),
    ("只有答案，没有过程", "an answer without working"),
    ("只作为假设或几种可能之一写出", "written only as a supposition or as one of several possibilities"),
    ("写到了这个量，但没有写出要求的结果", "the quantity is mentioned, the result asked for is not written"),
    ("这一式已作为另一步的依据，不重复给分", "this expression is already paid for in another step"),
    ("写在它所依据的步骤之前，先后次序需教师判断", "written before what it builds on; a teacher judges the order"),
    ("后面又写了与此不同的结果", "another result is written further on"),
    ("结果正确，但由前面写的 {} 推不出这一结果", "right, but it does not follow from the {} written before"),
    (
        "前面有错的步骤，这一结果是否由它得出需教师判断",
        "an earlier step is wrong; a teacher judges whether this rests on it",
    ),
    ("由前面写错的 {} 得出，但本步不允许连带给分", "it follows from the wrong {}, but nothing is carried to this step"),
    (
        "前面 {} 的错误是方法性的，之后的步骤不连带给分",
        "the error in {} is one of principle; nothing is carried after it",
    ),
    ("题目中的 {}={} 抄成了 {}", "the given {} = {} is copied as {}"),
    ("值正确，但没有按要求写出{}", "the value is right, but not written with the demanded {}"),
    ("写出了结论，缺少得出它的计算", "the conclusion is written, the computation that it needs is not"),
    ("题目中的 {} 抄错", "the given {} is copied wrongly"),
    (
        "代入前面写的 {} 计算，所得与此一致；前面的错误不重复扣分",
        "it is what the {} written before gives; an error costs only once",
    ),
    ("与前面写的 {} 一致；前面的错误不重复扣分", "it agrees with the {} written before; an error costs only once"),
    ("{} 应为 {}，写成了 {}", "{} should be {}, written is {}"),
    ("应为 {}", "it should be {}"),
    ("写出了几种可能，没有说明舍去其余的理由", "several possibilities are left, without a reason to drop the others"),
    ("最后的答案中有应当舍去的值", "the final answer keeps a value that is to be dropped"),
    ("不定积分的结果缺少任意常数", "the constant of integration is missing"),
    ("写出了结论，缺少它所依据的步骤 {}", "the conclusion stands without step {} on which it rests"),
    ("文字理由，需教师确认", "a reason in words, for a teacher to confirm"),
    ("没有写文字说明", "no explanation in words"),
    ("文字理由，未能识别，需教师确认", "a reason in words, not recognised, for a teacher to confirm"),
    ("只写了最终答案，按“仅答案”计分。", "Only the final answer is written; it earns answer-only points."),
    ("写出了结果，缺少必要的理由。", "The result is written, the needed reason is not."),
    ("由前面的错误值推出，按错误延续给分。", "It follows from the wrong value before it; credited as a carried error."),
    ("与正确结果不符。", "It is not the right result."),
    ("没有写出这一步。", "This step is not written."),
)
# Words that may stand where a sentence varies.
_WORDS = {"单位": "unit", "有效数字": "significant figures", "左边": "left side", "形式": "form"}
_ARITHMETIC = "算式正确，计算有误："
_PATTERNS = tuple(
    (re.compile(re.escape(zh).replace(re.escape("{}"), "(.+?)") + r"\Z", re.DOTALL), en) for zh, en in _SENTENCES
)


def reason_en(reason: str) -> str:
    """The reason in English where the product wrote it; else unchanged.

    >>> reason_en("算式正确，计算有误：d 应为 2，写成了 3/2")
    'right formula, wrong arithmetic: d should be 2, written is 3/2'
    >>> reason_en("see me")
    'see me'
    """
    if reason.startswith(_ARITHMETIC):
        return f"right formula, wrong arithmetic: {reason_en(reason.removeprefix(_ARITHMETIC))}"
    for pattern, english in _PATTERNS:
        found = pattern.match(reason)
        if found:
            return english.format(*(_in_english(part) for part in found.groups()))
    return reason


def _in_english(part: str) -> str:
    return " and ".join(_WORDS.get(word, word) for word in part.split("、"))
