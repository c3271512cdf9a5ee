"""What lines assert, what formulas come to, and what a line mentions."""

from fractions import Fraction

import pytest

from itembank.algebra import Algebra, Result

ALGEBRA = Algebra()


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("d = 8/4 = 2", (("d", "2"),)),
        ("S_{10} = 10a_1 + 45d = 30+90 = 120", (("S_10", "120"),)),
        ("a_{1}=3", (("a_1", "3"),)),
        (r"\cos A = \frac{b^2+c^2-a^2}{2bc} = \frac{1}{2}", (("cos(A)", "1/2"),)),
        ("x_1=1, x_2=-1", (("x_1", "1"), ("x_2", "-1"))),
        (r"e=\frac{4}{5}", (("e", "4/5"),)),
        (r"P(A)=\frac{5}{18}", (("P(A)", "5/18"),)),
        ("f(1)=-1，f(-1)=3", (("f(1)", "-1"), ("f(-1)", "3"))),
        ("c^2=37", (("c^2", "37"),)),
        ("2=d", (("d", "2"),)),
        ("4d=8", ()),
        ("y=2x+1", ()),
        ("x>2", ()),
        ("f'(x)=3x^2-3", ()),
    ],
)
def test_a_line_asserts_the_last_closed_value_of_each_name(line, pairs):
    assert ALGEBRA.asserts(line) == pairs


@pytest.mark.parametrize("line", [r"A=60^\circ", "p=50%", r"c=\sqrt[3]{10}", r"a=\log_2 5", r"b=\frac{\sqrt3+1}{2}"])
def test_an_asserted_value_can_be_evaluated_again(line):
    ((_, value),) = ALGEBRA.asserts(line)
    assert ALGEBRA.evaluate(value, {}) is not None


@pytest.mark.parametrize(
    ("formula", "values", "result"),
    [
        ("10*a_1 + 45*d", {"a_1": "3", "d": "2"}, "120"),
        ("S/2", {"S": "215"}, "215/2"),
        (r"\frac{b^2+c^2-a^2}{2bc}", {"a": "7", "b": "8", "c": "5"}, "1/2"),
        ("sin(A)", {"A": r"\frac{\pi}{3}"}, "sqrt(3)/2"),
        ("sin(A)", {"A": r"60^\circ"}, "sqrt(3)/2"),
        ("1/2*b*c*sin(A)", {"b": "8", "c": "5", "A": "pi/3"}, "10*sqrt(3)"),
        ("c/a", {"c": "sqrt(34)", "a": "5"}, "sqrt(34)/5"),
        ("1/(1+sqrt(2))", {}, "sqrt(2) - 1"),
        ("C_5^2/C_9^2", {}, "5/18"),
        ("s/cos(theta)", {"s": "3/5", "cos(theta)": "-4/5"}, "-3/4"),
        (r"\frac{s}{\cos\theta}", {"s": "3/5", "cos(theta)": "-4/5"}, "-3/4"),
        ("cos(A)", {"cos(A)": "1/2"}, "1/2"),
        (r"\cos A", {"cos(A)": "1/2", "A": "pi/6"}, "1/2"),
        ("2*f(-1)+f(1)", {"f(-1)": "3", "f(1)": "-1"}, "5"),
        ("2*E(X)+1", {"E(X)": "3/2"}, "4"),
        ("1-P(A)", {"P(A)": "1/3"}, "2/3"),
        ("1-P(X=1)", {"P(X=1)": "1/3"}, "2/3"),
        ("c^2-1", {"c^2": "37"}, "36"),
        ("f(2)", {"f(1)": "3"}, None),
        ("sqrt(r)", {"r": "16"}, "4"),
        ("e*a", {"e": "4/5", "a": "10"}, "8"),
        ("1/0", {}, None),
        ("x+1", {}, None),
        ("sqrt(-1)", {}, None),
        ("9^9^9^9", {}, None),
        ("__import__('os')", {}, None),
    ],
)
def test_a_formula_has_an_exact_value(formula, values, result):
    assert ALGEBRA.evaluate(formula, values) == result


def test_values_read_back_as_themselves():
    for text in ("215/2", "sqrt(3)/2", "10*sqrt(3)", "sqrt(2) - 1", "pi/3", "-7"):
        assert ALGEBRA.evaluate(text, {}) == text
    assert Fraction(ALGEBRA.evaluate("0.1+0.2", {}) or 0) == Fraction(3, 10)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (r"d=\frac{15-7}{4}", "7"),
        ("S=10\\times 3+45\\times 2", "2"),
        (r"S=10\times 3+45\times 2", "90"),
        (r"\cos A=\frac{64+25-49}{80}", "-49"),
    ],
)
def test_a_value_is_mentioned_where_a_side_or_part_has_it(line, value):
    assert ALGEBRA.mentions(line, value).result is Result.PROVED


def test_a_value_that_stands_nowhere_is_not_mentioned():
    assert ALGEBRA.mentions(r"d=\frac{15-7}{4}", "3").result is Result.UNDECIDED
