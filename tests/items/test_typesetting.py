"""What passes on the server is set by the KaTeX that pages load; what it could not set is named with its reason."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings

from itembank.domain.structure_gate import typeset_form
from itembank.domain.typesetting import TABLE_FILE, typesetting_fault
from tests.items.soup import Soup

KATEX = settings.BASE_DIR / "static" / "vendor" / "katex" / "katex.min.js"
OPTIONS = re.search(r"OPTIONS = (\{.*?\});", (settings.BASE_DIR / "static/js/mathematics.js").read_text("utf-8"))

SET = [
    r"\frac{1}{2}", r"x^2+\sqrt[3]{y}", r"\begin{cases}x+y=1\\x-y=3\end{cases}", r"\left(\frac12\right)^{n}", r"a'_1", r"f''(x)",
    r"\sum\limits_{k=1}^{n}k", r"\overrightarrow{AB}\cdot\vec{a}", r"60^\circ", r"\text{若 }x>0", r"\left\{x\mid x>1\right\}",
    r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\lim_{x\to 0}\frac{\sin x}{x}", r"\triangle ABC\sim\triangle DEF", r"50\%",
    r"\mathrm{C}_n^k", r"\bigl(x\bigr)", r"x\in\mathbf{R}", r"\begin{array}{l}a\\b\end{array}", r"\complement_U A", "x^{2'}",
]  # fmt: skip
REFUSED = [
    r"\frac{1}", r"\frac{1}{2", r"x}", r"\sqrt", r"x^", r"x^2^3", r"x_1_2", r"x^2'", r"\left(x", r"x\right)", r"\left x\right)",
    r"\begin{cases}x", r"\begin{case}x\end{case}", r"\begin{cases}x\end{matrix}", "a&b", "50%", "x#1", r"\foo", r"\text{a_1}",
    r"x\limits_1", r"\sqrt\frac12", r"\href{http://example.org}{x}", r"\def\a{1}", r"\includegraphics{x}", r"\htmlClass{a}{b}",
    "{" * 60 + "}" * 60, "x" * 3000, r"\ne" * 200, r"\noexpand x",
]  # fmt: skip


@pytest.mark.parametrize("latex", SET)
def test_school_mathematics_can_be_set(latex):
    assert typesetting_fault(latex) is None


@pytest.mark.parametrize("latex", REFUSED)
def test_what_cannot_be_set_has_a_reason_in_two_languages(latex):
    reasons = typesetting_fault(latex)
    assert reasons is not None
    assert all(reasons)
    assert reasons[0] != reasons[1]


def test_percent_and_dollar_signs_of_answers_are_set_as_written():
    assert [typesetting_fault(typeset_form(text)) for text in ("50%", "$x$", "50\\%", "20％")] == [None] * 4


@pytest.mark.browser
def test_the_table_and_every_formula_that_passes_agree_with_the_vendored_typesetter(browser, tmp_path: Path):
    """The table is measured anew; 4 000 random formulas that pass here are set, and so is each of the list above."""
    soup, passed = Soup(20261201), list[str]()
    while len(passed) < 4000:
        formula = soup.formula()
        if typesetting_fault(formula) is None:
            passed.append(formula)
    page = browser.new_page()
    page.add_script_tag(path=str(KATEX))
    page.add_script_tag(path=str(settings.BASE_DIR / "bin" / "katex-commands.js"))
    table = page.evaluate("source => measured(katex, source)", KATEX.read_text("utf-8"))
    assert table == json.loads(TABLE_FILE.read_text("utf-8"))
    assert OPTIONS is not None
    unset = page.evaluate(
        "([formulas, options]) => { const chosen = eval(`(${options})`); return formulas.filter((one) =>"
        " { try { katex.renderToString(one, chosen); return false; } catch { return true; } }); }",
        [[*passed, *SET], OPTIONS[1]],
    )
    assert unset == []
    page.close()
