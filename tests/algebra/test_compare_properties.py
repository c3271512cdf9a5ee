"""What holds for all pairs: rewriting never refutes, a perturbation never proves, SymPy never contradicts."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from itembank.algebra import Algebra, Result
from itembank.algebra.identities import equal_numbers
from itembank.algebra.nodes import Node, add, call, const, div, mul, neg, num, power, sym, text_of
from itembank.algebra.statements import parse
from itembank.algebra.symbolic import Builder

ALGEBRA = Algebra(timeout_ms=3000)
QUICK = settings(max_examples=80, deadline=None)

small = st.integers(-6, 6)
fractions = st.fractions(min_value=-5, max_value=5, max_denominator=8)


def written(value: Fraction) -> str:
    return f"({value.numerator}/{value.denominator})"


# -- expressions ---------------------------------------------------------------------------------------------
leaves = st.one_of(st.integers(1, 9).map(num), st.sampled_from("xy").map(sym))
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(add, inner, inner),
        st.builds(mul, inner, inner),
        st.builds(neg, inner),
        st.builds(lambda a, b: div(a, add(power(b, num(2)), num(1))), inner, inner),
        st.builds(
            lambda arg, name: call(name, arg), inner, st.sampled_from(["sin", "cos", "abs", "sqrt", "ln", "atan"])
        ),
        st.builds(lambda a, b: call("max", a, b), inner, inner),
    ),
    max_leaves=5,
)

REWRITINGS = [
    lambda u: f"(({u})+7)-7",
    lambda u: f"3*({u})/3",
    lambda u: f"({u})*(sin(x)^2+cos(x)^2)",
    lambda u: f"(2^3-7)*({u})",
    lambda u: f"(({u})*5+({u}))/6",
    lambda u: f"sqrt(3+2*sqrt(2))*({u})-sqrt(2)*({u})",
    lambda u: f"({u})+abs(x)-max(x,-x)",
    lambda u: f"({u})+ln(e)-1",
]


@QUICK
@given(expressions, st.sampled_from(REWRITINGS))
def test_an_equal_rewriting_is_never_refuted(node, rewriting):
    text = text_of(node)
    assert ALGEBRA.compare(text, rewriting(text)).result is not Result.REFUTED


@QUICK
@given(expressions, st.sampled_from(REWRITINGS), fractions.filter(bool))
def test_a_rewriting_with_something_added_is_never_proved(node, rewriting, extra):
    text = text_of(node)
    assert ALGEBRA.compare(text, f"{rewriting(text)}+{written(extra)}").result is not Result.PROVED
    assert ALGEBRA.compare(text, f"{rewriting(text)}+{written(extra)}*x").result is not Result.PROVED


# -- closed expressions against SymPy ----------------------------------------------------------------------------
numbers = st.recursive(
    st.one_of(st.integers(1, 12).map(num), st.sampled_from([const("pi"), call("sqrt", num(2)), call("sqrt", num(3))])),
    lambda inner: st.one_of(
        st.builds(add, inner, inner),
        st.builds(lambda a, b: add(a, neg(b)), inner, inner),
        st.builds(mul, inner, inner),
        st.builds(lambda a: div(num(1), add(power(a, num(2)), num(1))), inner),
        st.builds(lambda a: call("sqrt", add(power(a, num(2)), num(1))), inner),
        st.builds(lambda a: call("root", a, num(3)), inner),
        st.builds(lambda k, n: call("cos", mul(div(num(k), num(n)), const("pi"))), small, st.integers(1, 12)),
        st.builds(lambda a: call("atan", a), inner),
    ),
    max_leaves=4,
)


@QUICK
@given(numbers, numbers)
def test_what_is_decided_of_numbers_agrees_with_sympy(left, right):
    builder = Builder(frozenset(), frozenset())
    gap = sympy.N(builder.build(left) - builder.build(right), 60)
    assume(gap.is_real)
    answer = ALGEBRA.compare(text_of(left), text_of(right))
    if answer.result is Result.PROVED:
        assert abs(gap) < sympy.Float(10) ** -40
    if answer.result is Result.REFUTED:
        assert abs(gap) > sympy.Float(10) ** -50


@QUICK
@given(numbers)
def test_a_number_is_never_proved_equal_to_one_next_to_it(node):
    for tiny in (Fraction(1, 10**9), Fraction(1, 10**60), Fraction(1, 10**200)):
        assert not equal_numbers(node, add(node, num(tiny)))


# -- solution sets -------------------------------------------------------------------------------------------------
@QUICK
@given(st.lists(fractions, min_size=1, max_size=4, unique=True), st.integers(1, 5), fractions)
def test_a_product_equation_has_exactly_its_zeros(roots, factor, other):
    product = "".join(f"(x-{written(root)})" for root in roots)
    listed = " 或 ".join(f"x={written(root)}" for root in roots)
    assert ALGEBRA.compare(f"{factor}{product}=0", listed).result is Result.PROVED
    assert ALGEBRA.compare(f"{product}(x^2+x+1)=0", listed).result is Result.PROVED
    if other not in roots:
        answer = ALGEBRA.compare(f"{product}(x-{written(other)})=0", listed)
        assert answer.result is Result.REFUTED
        assert answer.witness is not None
        assert (answer.witness["left"], answer.witness["right"]) == ("holds", "does not hold")


@QUICK
@given(small, small, small, st.integers(2, 6))
def test_polynomials_without_rational_zeros_keep_their_zeros_when_multiplied(a, b, c, factor):
    poly = f"x^4+({a})*x^3+({b})*x^2+({c})*x+7"
    assert ALGEBRA.compare(f"{poly}=0", f"{factor}*({poly})=0").result is Result.PROVED
    assert ALGEBRA.compare(f"{poly}=0", f"({poly})*(x^2+{factor})=0").result is not Result.REFUTED
    assert ALGEBRA.compare(f"{poly}=0", f"({poly})*(x-{factor})=0").result is not Result.PROVED


turns = st.fractions(min_value=-2, max_value=2, max_denominator=6)


@QUICK
@given(turns, st.integers(1, 4), st.integers(-3, 3), turns)
def test_a_series_may_be_split_and_shifted_but_not_moved(start, parts, shift, off):
    one = f"x={written(start)}*pi+2*k*pi"
    many = " 或 ".join(
        f"x={written(start + 2 * place + 2 * shift * parts)}*pi+{2 * parts}*k*pi" for place in range(parts)
    )
    assert ALGEBRA.compare(one, many).result is Result.PROVED
    moved = f"x={written(start + off)}*pi+2*k*pi"
    expected = Result.PROVED if (off / 2).denominator == 1 else Result.REFUTED
    assert ALGEBRA.compare(one, moved).result is expected


@QUICK
@given(small, small, small, small)
def test_a_solved_linear_system_is_its_point_and_no_other(x, y, a, b):
    assume(a * b != 6)
    system = f"{a}*x+2*y={a * x + 2 * y}, 3*x+{b}*y={3 * x + b * y}"
    if a and b:
        assert ALGEBRA.compare(system, f"({x},{y})").result is Result.PROVED
        assert ALGEBRA.compare(system, f"x={x},y={y + 1}").result is Result.REFUTED


@pytest.mark.parametrize("text", ["x", "sin(x)", "abs(x)+y", "n!", "sqrt(x)"])
def test_reading_and_building_for_sympy_agree(text):
    node: Node = parse(text)[0]
    assert Builder(frozenset(), frozenset()).build(node) is not None
