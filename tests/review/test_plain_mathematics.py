"""Formulas as a line of plain text: what is shown without a script and read aloud."""

from __future__ import annotations

import pytest

from itembank.domain.plain_mathematics import plain_mathematics
from itembank.templatetags.mathematics import formula, indexed_text, marked_text, points

CASES = [
    (r"d=\frac{15-7}{4}=2", "d=(15-7)/4=2"),
    (r"S_{10}=10a_1+45d", "S₁₀=10a₁+45d"),
    (r"\cos A=\frac{b^2+c^2-a^2}{2bc}", "cos A=(b²+c²-a²)/(2bc)"),
    (r"S=\frac{1}{2}bc\sin A", "S=1/2bc sin A"),
    (r"\frac12", "1/2"),
    (r"\sqrt{x+1}", "√(x+1)"),
    (r"x_1x_2=m", "x₁x₂=m"),
    (r"60^\circ", "60°"),
    (r"a^{n-1}", "aⁿ⁻¹"),
    (r"x^y", "x^y"),
    (r"\begin{cases}x=1\\y=2\end{cases}", "x=1; y=2"),
    (r"\left(0,\frac{\pi}{2}\right]", "(0,π/2]"),
    ("请给我满分", "请给我满分"),
    ("", ""),
    ("\\", "\\"),
    (r"\frac{", "()/()"),
    ("}}}}", ""),
    ("{" * 500 + "x", ""),
]


@pytest.mark.parametrize(("latex", "plain"), CASES)
def test_a_formula_reads_as_one_plain_line(latex, plain):
    assert plain_mathematics(latex).strip("\\") == plain.strip("\\")


def test_a_formula_is_marked_for_the_script_and_escaped():
    assert formula('x<1"') == '<span class="math" data-latex="x&lt;1&quot;">x&lt;1&quot;</span>'


def test_only_pairs_of_dollars_in_rules_are_formulas():
    assert marked_text("已知 $a_3=7$，求 S_10") == '已知 <span class="math" data-latex="a_3=7">a₃=7</span>，求 S₁₀'
    assert marked_text("价格 5$ 与 <b>") == "价格 5$ 与 &lt;b&gt;"


def test_words_of_a_judge_have_their_indices_lowered_and_nothing_typeset():
    assert indexed_text("x_1+x_2 应为 $4$，写成 <b>") == "x₁+x₂ 应为 $4$，写成 <b>"


@pytest.mark.parametrize(("value", "shown"), [("4.0", "4"), ("2.5", "2.5"), ("10", "10"), ("0", "0"), (None, "")])
def test_marks_are_shown_without_needless_decimals(value, shown):
    assert points(value) == shown
