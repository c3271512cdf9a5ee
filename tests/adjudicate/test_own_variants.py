r"""Planted errors in problems of our own: what is carried, what is a slip of its own, and what only looks right.

Each problem is a list of (expected, quantity, formula, steps it builds on[, right value]) as in `outside_rules`. Each variant
gives the lines and, per step, V (valid), I (invalid), E (carried) or M (missing).
"""

from __future__ import annotations

from typing import Any

import pytest

from grading.domain.statuses import Status
from itembank.domain.mathematics import mathematical_faults
from itembank.domain.rules import read_rules
from tests.adjudicate.conftest import judge_with

LETTERS = {"V": Status.VALID, "I": Status.INVALID, "E": Status.ECF_GRANTED, "M": Status.MISSING}

PROBLEMS: dict[str, tuple[dict[str, str], list[tuple[Any, ...]]]] = {
    "heron": (
        {"a": "13", "b": "14", "c": "15"},
        [("p=21", "p", "(a+b+c)/2", []), ("S=84", "S", "sqrt(p*(p-a)*(p-b)*(p-c))", [1]), ("h=12", "h", "2*S/b", [2])],
    ),
    "roots": (
        {"a": "1", "b": "-6", "c": "7"},
        [
            (r"\Delta=8", "Delta", "b^2-4*a*c", []),
            (r"x_1=3+\sqrt{2}", "x_1", "(-b+sqrt(Delta))/(2*a)", [1]),
            (r"x_2=3-\sqrt{2}", "x_2", "(-b-sqrt(Delta))/(2*a)", [1]),
        ],
    ),
    "set": (
        {"q": "x^2-5x+6=0"},
        [("x^2-5x+6=0", "E_1", "q", [], "x^2-5x+6=0"), ("x=2 或 x=3", "x", "solve(E_1,x)", [1], "{2, 3}")],
    ),
    "extremum": (
        {"f": "x^3-12x"},
        [
            ("f'(x)=3x^2-12", "g", "diff(f,x)", [], "3x^2-12"),
            ("x=2 或 x=-2", "X", "solve(g,x)", [1], "{2, -2}"),
            ("f(2)=-16", "m", "replace(f,x,2)", []),
        ],
    ),
    "vector": (
        {"A": "(1,2)", "B": "(4,6)"},
        [
            (r"\overrightarrow{AB}=(3,4)", "v", "B-A", [], "(3,4)"),
            (r"2\overrightarrow{AB}=(6,8)", "w", "2*v", [1], "(6,8)"),
        ],
    ),
    "sequence": (
        {"a_2": "6", "a_5": "48"},
        [
            ("q=2", "q", "root(a_5/a_2,3)", []),
            ("a_1=3", "a_1", "a_2/q", [1]),
            ("S_6=189", "S_6", "a_1*(q^6-1)/(q-1)", [1, 2]),
        ],
    ),
    "chance": (
        {},
        [
            (r"P(A)=\frac{3}{10}", "P(A)", "3/10", []),
            (r"P(B)=\frac{2}{9}", "P(B)", "2/9", []),
            (r"P=\frac{1}{15}", "P", "P(A)*P(B)", [1, 2]),
        ],
    ),
    "interval": (
        {},
        [
            ("x=1 或 x=4", "R", "solve(x^2-5x+4,x)", [], "{1, 4}"),
            ("1<x<4", "I", "solve(factors(R,x)<0,x)", [1], "1<x<4"),
        ],
    ),
    "angle": (
        {},
        [
            (r"\sin x=\frac{1}{2}", "s", "1/2", []),
            (r"x=\frac{\pi}{6} 或 x=\frac{5\pi}{6}", "x", r"solve(sin(x)=s,x,[0,2\pi))", [1], r"\{\frac{\pi}{6}, \frac{5\pi}{6}\}"),
        ],
    ),
    "no formulas": (
        {},
        [("f'(x)=2x-6", "", "", []), ("x=3", "", "", [1])],
    ),
    "no formulas, set": (
        {},
        [("x^2-7x+10=0", "", "", []), ("x=2 或 x=5", "", "", [1])],
    ),
    "no formulas, working": (
        {"u": "3", "n": "10"},
        [("d=2", "d", "", []), ("T=48", "", "", [1])],
    ),
    "line": (
        {"f": "x^2+1"},
        [
            ("f'(x)=2x", "g", "diff(f,x)", [], "2x"),
            ("k=6", "k", "replace(g,x,3)", [1]),
            ("y=6x-8", "L", r"x \mapsto 10+k*(x-3)", [2], "6x-8"),
        ],
    ),
}  # fmt: skip

VARIANTS: list[tuple[str, list[str], str]] = [
    ("heron", ["p=21", "S=84", "h=12"], "VVV"),
    ("heron", ["p=20", r"S=10\sqrt{42}", r"h=\frac{10\sqrt{42}}{7}"], "IEE"),
    ("heron", ["p=21", "S=82", r"h=\frac{82}{7}"], "VIE"),
    ("heron", ["p=21", "S=82", "h=11"], "VII"),
    ("heron", ["p=21", "S=82", "h=12"], "VII"),
    ("roots", [r"\Delta=8", r"x_1=3+\sqrt{2}", r"x_2=3-\sqrt{2}"], "VVV"),
    ("roots", [r"\Delta=12", r"x_1=3+\sqrt{3}", r"x_2=3-\sqrt{3}"], "IEE"),
    ("roots", [r"\Delta=12", r"x_1=3+\sqrt{3}", r"x_2=3-\sqrt{2}"], "IEI"),
    ("roots", [r"\Delta=64", "x_1=7", "x_2=-1"], "IEE"),
    ("set", ["x^2-5x+6=0", "x=2 或 x=3"], "VV"),
    ("set", ["x^2-5x+4=0", "x=1 或 x=4"], "IE"),
    ("set", ["x^2-5x+4=0", "x_1=1, x_2=4"], "IE"),
    ("set", ["x^2-5x-6=0", "x=6 或 x=-1"], "IE"),
    ("set", ["x^2-5x+4=0", "x=2 或 x=4"], "II"),
    ("set", ["x^2-5x+6=0", "x=1 或 x=6"], "VI"),
    ("extremum", ["f'(x)=3x^2-12", "x=2 或 x=-2", "f(2)=-16"], "VVV"),
    ("extremum", ["f'(x)=3x^2-27", "x=3 或 x=-3", "f(2)=-16"], "IEV"),
    ("extremum", ["f'(x)=x^2-12", r"x=2\sqrt{3} 或 x=-2\sqrt{3}", "f(2)=-16"], "IEV"),
    ("extremum", ["f'(x)=3x^2-12", "x=4 或 x=-4", "f(2)=-16"], "VIV"),
    ("vector", [r"\overrightarrow{AB}=(3,4)", r"2\overrightarrow{AB}=(6,8)"], "VV"),
    ("vector", [r"\overrightarrow{AB}=(5,8)", r"2\overrightarrow{AB}=(10,16)"], "IE"),
    ("vector", [r"\overrightarrow{AB}=(5,8)", r"2\overrightarrow{AB}=(10,8)"], "II"),
    ("sequence", ["q=2", "a_1=3", "S_6=189"], "VVV"),
    ("sequence", ["q=3", "a_1=2", "S_6=728"], "IEE"),
    ("sequence", ["q=3", "a_1=2", "S_6=726"], "IEI"),
    ("sequence", ["q=2", "a_1=12", "S_6=756"], "VIE"),
    ("sequence", ["q=3", "S_6=728"], "IME"),
    ("chance", [r"P(A)=\frac{3}{10}", r"P(B)=\frac{2}{9}", r"P=\frac{1}{15}"], "VVV"),
    ("chance", [r"P(A)=\frac{3}{10}", r"P(B)=\frac{3}{10}", r"P=\frac{9}{100}"], "VIE"),
    ("chance", [r"P(A)=\frac{3}{10}", r"P(B)=\frac{3}{10}", r"P=\frac{6}{10}"], "VII"),
    ("chance", [r"P(A)=\frac{3}{10}", r"P(B)=\frac{3}{10}", r"P=\frac{1}{15}"], "VII"),
    ("interval", ["x=1 或 x=4", "1<x<4"], "VV"),
    ("interval", ["x=2 或 x=3", "2<x<3"], "IE"),
    ("interval", ["x=2 或 x=3", "x<2 或 x>3"], "II"),
    ("angle", [r"\sin x=\frac{1}{2}", r"x=\frac{\pi}{6} 或 x=\frac{5\pi}{6}"], "VV"),
    ("angle", [r"\sin x=-\frac{1}{2}", r"x=\frac{7\pi}{6} 或 x=\frac{11\pi}{6}"], "IE"),
    ("angle", [r"\sin x=-\frac{1}{2}", r"x=\frac{7\pi}{6} 或 x=\frac{5\pi}{6}"], "II"),
    ("no formulas", ["f'(x)=2x-6", "x=3"], "VV"),
    ("no formulas", ["f'(x)=2x-8", "x=4"], "IE"),
    ("no formulas", ["f'(x)=2x-8", "x=6"], "II"),
    ("no formulas, set", ["x^2-7x+12=0", "x=3 或 x=4"], "IE"),
    ("no formulas, set", ["x^2-7x+12=0", "x=3 或 x=5"], "II"),
    ("no formulas, working", ["d=3", r"T=3+15\times 3=48"], "IV"),
    ("no formulas, working", ["d=4", r"T=18+15\times 4=78"], "IE"),
    ("line", ["f'(x)=2x", "k=6", "y=6x-8"], "VVV"),
    ("line", ["f'(x)=2x+1", "k=7", "y=7x-11"], "IEE"),
    ("line", ["f'(x)=2x+1", "k=7", "y=7x-10"], "IEI"),
    ("line", ["f'(x)=2x", "k=5", "y=5x-5"], "VIE"),
]  # fmt: skip


def rules_of(name: str) -> Any:
    givens, rows = PROBLEMS[name]
    quantities = {
        row[1]: row[4] if len(row) > 4 else row[0].rpartition("=")[2] for row in rows if row[1]
    }  # fmt: skip
    steps = [
        {
            "step_id": f"s{number}",
            "desc": expected,
            "points": 2,
            "kind": "computation",
            "expects": [expected],
            "yields": {quantity: formula} if formula else {},
            "depends_on": [f"s{one}" for one in before],
        }
        for number, (expected, quantity, formula, before, *_) in enumerate(rows, 1)
    ]
    document = {"question_id": "own", "title": name, "stem": name, "max_score": 2 * len(rows), "mark_step": 1}
    return read_rules(
        {
            **document,
            "givens": givens,
            "quantities": quantities,
            "valid_paths": [{"path_id": "P", "name": name, "steps": steps}],
        }
    )


def test_there_are_many_variants_of_every_kind():
    assert len(VARIANTS) >= 40
    assert {name for name, _, _ in VARIANTS} == set(PROBLEMS)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_formulas_give_the_right_values(name):
    assert [fault.line("en") for fault in mathematical_faults(rules_of(name))] == []


@pytest.mark.parametrize(
    ("name", "lines", "expected"), VARIANTS, ids=[f"{n}-{i}" for i, (n, _, _) in enumerate(VARIANTS)]
)
def test_each_step_is_right_wrong_or_carried_as_planted(name, lines, expected):
    found = judge_with(rules_of(name), *lines)
    assert found.statuses("P") == [LETTERS[letter].value for letter in expected]
