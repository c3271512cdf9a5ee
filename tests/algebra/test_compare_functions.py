"""A function is its rule and its domain; a changed domain is seen, and told by a value that only one side allows."""

import pytest

from itembank.algebra import Algebra, Declares, Result

SAME = (
    ("y=x+1 (x≠1)", r"y=\frac{x^2-1}{x-1}"),
    ("y=x+1, x≠1", r"\frac{x^2-1}{x-1}"),
    ("f(x)=x^2 (x>=0)", r"f(x)=x^2,\ x\ge 0"),
    ("f(x)=ln x, x>0", r"f(x)=\ln x"),
    (r"f(x)=\sqrt{x-1}, x\ge 1", r"f(x)=\sqrt{x-1}"),
    (r"f(x)=x^2-1, x\in[0,2]", r"f(x)=(x-1)(x+1), 0\le x\le 2"),
    (r"f(x)=2x, x\in R", "f(x)=2x"),
    (r"y=\frac{x}{x}, x>0", "y=1 \\cdot x^0, x>0"),
)
OTHER = (
    ("f(x)=x^2", r"f(x)=x^2,\ x\ge 0", "x = -1"),
    ("f(x)=x²，x≥0", "f(x)=x²", "x = -1"),
    ("f(x)=x^2 (x>=0)", "f(x)=x^2, x>0", "x = 0"),
    (r"f(x)=x^2,\ x\ge 0", r"f(x)=x^2,\ x\ge 1", "x = 0"),
    (r"y=x+1\ (x\ne 1)", "y=x+1", "x = 1"),
    (r"f(x)=\sqrt{x}, x\ge 0", r"f(x)=\sqrt{x}, x>0", "x = 0"),
)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equal_rules_on_equal_domains_are_one_function(one, other):
    for gold, student in ((one, other), (other, one)):
        assert Algebra().compare(gold, student).result is Result.PROVED


@pytest.mark.parametrize(("one", "other", "at"), OTHER)
def test_a_changed_domain_is_refuted_with_a_value_that_shows_it(one, other, at):
    for gold, student in ((one, other), (other, one)):
        answer = Algebra().compare(gold, student)
        assert (answer.result, answer.method) == (Result.REFUTED, "domain")
        assert answer.witness
        assert answer.witness["at"] == at
        assert {answer.witness["left"], answer.witness["right"]} == {"defined", "undefined"}


def test_another_rule_is_refuted_at_a_point_of_both_domains():
    answer = Algebra().compare("f(x)=x^2, x>3", "f(x)=x^3, x>3")
    assert answer.result is Result.REFUTED
    assert answer.witness
    name, _, value = answer.witness["at"].partition(" = ")
    assert name == "x"
    assert int(value) > 3


def test_rules_that_agree_on_the_domain_alone_are_not_refuted():
    assert Algebra().compare(r"f(x)=|x|, x\ge 0", r"f(x)=x, x\ge 0").result in (Result.PROVED, Result.UNDECIDED)


def test_a_point_of_three_numbers_is_no_interval_for_a_variable():
    answer = Algebra().compare(r"f(x)=x, x\in(1,2,3)", r"f(x)=x^2, x\in(1,2,3)")
    assert (answer.result, answer.method) == (Result.UNDECIDED, "statements")


def test_a_derivative_written_without_its_domain_is_not_refuted():
    assert Algebra().compare("f'(x)=1/x (x>0)", "f'(x)=1/x").result is Result.UNDECIDED


@pytest.mark.parametrize(
    ("gold", "student", "result"),
    [
        ("|x|=|y|", "x^2=y^2", Result.PROVED),
        ("|x|=|y|", "x=y", Result.REFUTED),
        ("3^{x+1}=2^x", r"x=\frac{\ln 3}{\ln 2-\ln 3}", Result.PROVED),
        ("3^{x+1}=2^x", r"x=\log_{2/3}3", Result.PROVED),
        ("3^{x+1}=2^x", r"x=\log_{3/2}3", Result.REFUTED),
        (r"\cos x=2", r"\emptyset", Result.PROVED),
        (r"\varnothing", r"\sin 2x=-3", Result.PROVED),
        (r"\cos x=\frac12", r"\emptyset", Result.REFUTED),
        (r"\cos x=1", r"\emptyset", Result.REFUTED),
        ("{0, 2}", r"\{-\frac{\log 7}{\log 3}+2\}", Result.REFUTED),
        (r"\frac{\log 9}{\log 3}", "2", Result.PROVED),
        ("x=pi/6+2k*pi, k in Z", r"x=\frac{\pi}{6}+2k\pi, k \in Z", Result.PROVED),
        ("x=pi/6+2k*pi (k in Z)", r"x=\frac{\pi}{3}+2k\pi, k \in Z", Result.REFUTED),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", "[[1],[2]]", Result.PROVED),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", "[[1],[3]]", Result.REFUTED),
        (r"\vec a=(1,2)", "(1,2)", Result.PROVED),
        (r"\vec a=(1,2)", r"\vec a=(1,3)", Result.REFUTED),
    ],
)
def test_kinds_that_other_forms_of_writing_bring(gold, student, result):
    answer = Algebra().compare(gold, student)
    assert answer.result is result
    assert result is not Result.REFUTED or answer.witness


def test_functions_of_functions_cost_no_more_than_their_number():
    gold, student = "1+x", "x+1"
    for _ in range(14):
        gold, student = f"f({gold}+1)", f"f(1+{student})"
    answer = Algebra(Declares(functions=("f",))).compare(gold, student)
    assert (answer.result, answer.method) == (Result.PROVED, "normal-form")
