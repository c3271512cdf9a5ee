"""What the gate recorded is read in the reader's language, whatever codes it was recorded with."""

from __future__ import annotations

import pytest
from django.utils import translation

from review.codes import in_words


@pytest.mark.parametrize(
    ("language", "recorded", "read"),
    [
        ("zh-hans", "步骤 A5（GAP_DEDUCTION）没有。", "步骤 A5（缺理由）没有。"),
        ("zh-hans", "页面无法识读（low_confidence）。", "页面无法识读（识读把握不足）。"),
        ("zh-hans", "现归 QUEUED_HUMAN", "现归 待复核队列"),
        ("zh-hans", "当 Delta = 5 时左边 does not hold，右边 holds", "当 Δ = 5 时左边 不成立，右边 成立"),
        ("zh-hans", r"与期望 \Delta=4 不等", "与期望 Δ=4 不等"),
        ("zh-hans", "page 1 is read at 0.380, 0.93 is needed", "第 1 页的识读置信度为 0.380，至少要 0.93"),
        ("zh-hans", "由你写的 a_1 = 4：S_10 = 130", "由学生写的 a₁ = 4：S₁₀ = 130"),
        ("zh-hans", "Path_A 与 step_1 不变", "Path_A 与 step_1 不变"),
        ("en", "step A3 (INVALID) is not proved", "step A3 (Invalid) is not proved"),
        (
            "en",
            "the left side is does not hold, the right side holds",
            "the left side does not hold, the right side holds",
        ),
        ("en", "from your m = 3", "from the student's m = 3"),
        ("en", "a code NOBODY_KNOWS stays", "a code NOBODY_KNOWS stays"),
    ],
)
def test_codes_become_words_and_what_is_not_known_stays(language, recorded, read):
    with translation.override(language):
        assert in_words(recorded) == read
