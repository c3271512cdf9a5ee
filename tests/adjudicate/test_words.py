"""What a teacher reads about a carried error: the chain in words, and every reason in English too."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from grading.domain.chains import chain
from grading.domain.reasons import reason_en
from grading.judges import embedded

JUDGE = Path(embedded.__file__).parent


def reasons_in_the_code() -> set[str]:
    """Every Chinese sentence in the files that judge steps, with words in place of what varies."""
    found = set()
    for name in ("adjudicate", "skipped", "steps", "conclusions"):
        for node in ast.walk(ast.parse((JUDGE / f"{name}.py").read_text("utf-8"))):
            if isinstance(node, ast.Assign | ast.keyword | ast.Call | ast.Return):
                values = [node.value] if isinstance(node, ast.Assign | ast.keyword) else []
                values += list(node.args) if isinstance(node, ast.Call) else []
                for value in values:
                    if isinstance(value, ast.Constant) and isinstance(value.value, str):
                        found.add(value.value)
                    elif isinstance(value, ast.JoinedStr):
                        parts = [str(one.value) if isinstance(one, ast.Constant) else "d" for one in value.values]
                        found.add("".join(parts))
    return {
        text for text in found if re.search(r"[\u3400-\u9fff]{4}", text) and "步的结果" not in text and "行" not in text
    }


def test_the_judge_gives_many_reasons():
    assert len(reasons_in_the_code()) >= 20


@pytest.mark.parametrize("reason", sorted(reasons_in_the_code()))
def test_every_reason_of_the_judge_has_an_english_sentence(reason):
    assert not re.search(r"[\u3400-\u9fff]", reason_en(reason))


@pytest.mark.parametrize(
    ("arguments", "english"),
    [
        (
            ("S_10", "10*a_1+45*d", {"a_1": "4", "d": "3/2"}, {"a_1": "", "d": ""}, "215/2"),
            "from your a_1 = 4 and d = 3/2: S_10 = 10·4+45·3/2 = 215/2",
        ),
        (("r", "sqrt(r_sq)", {"r_sq": "10"}, {"r_sq": ""}, "sqrt(10)"), "from your r_sq = 10: r = sqrt(10)"),
        (("q", "c-p^2", {"c": "1", "p": "-5"}, {"p": ""}, "-24"), "from your p = -5: q = 1-(-5)^2 = -24"),
        (
            ("m", "replace(slope,x,4)", {"slope": "1+4/x^2"}, {"slope": ""}, "5/4"),
            "from your slope = 1+4/x^2: putting x = 4 into 1+4/x^2, m = 5/4",
        ),
    ],
)
def test_the_chain_names_the_students_own_values_and_the_sum(arguments, english):
    assert chain(*arguments)[1] == english
