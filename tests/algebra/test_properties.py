"""What holds for all expressions: arithmetic agrees with Fraction, answers are symmetric and survive rewriting."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from itembank.algebra import Algebra, Comparison, Result
from itembank.algebra.nodes import Node, add, call, div, mul, neg, num, power, substituted, sym, text_of
from itembank.algebra.points import rational_at
from itembank.algebra.results import Undefined
from itembank.algebra.statements import parse

ALGEBRA = Algebra(timeout_ms=5000)
QUICK = settings(max_examples=60, deadline=None)

small = st.fractions(min_value=-20, max_value=20, max_denominator=12)
leaves = st.one_of(st.integers(0, 9).map(num), st.sampled_from("xyab").map(sym))
rational = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(add, inner, inner),
        st.builds(mul, inner, inner),
        st.builds(neg, inner),
        st.builds(div, inner, inner),
        st.builds(power, inner, st.integers(0, 3).map(num)),
    ),
    max_leaves=7,
)
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(add, inner, inner),
        st.builds(mul, inner, inner),
        st.builds(neg, inner),
        st.builds(lambda arg, name: call(name, arg), inner, st.sampled_from(["sin", "cos", "sqrt", "abs", "ln"])),
    ),
    max_leaves=5,
)


@QUICK
@given(small, small)
def test_arithmetic_agrees_with_exact_fractions(a, b):
    values = {"a": f"({a})", "b": f"({b})"}
    assert Fraction(ALGEBRA.evaluate("a+b", values) or "") == a + b
    assert Fraction(ALGEBRA.evaluate("a*b-a", values) or "") == a * b - a
    assert ALGEBRA.evaluate("a/b", values) == (None if b == 0 else str(a / b))


@QUICK
@given(rational)
def test_what_is_written_reads_back_with_the_same_value(node):
    again, doubts = parse(text_of(node))
    assert doubts == []
    point = {name: Fraction(value) for name, value in zip("xyab", ("2/3", "-5", "7/2", "11"), strict=True)}
    values: list[object] = []
    for one in (node, again):
        try:
            values.append(rational_at(one, point))
        except Undefined:
            values.append("undefined")
    assert values[0] == values[1]


@QUICK
@given(rational, rational)
def test_rational_functions_are_never_decided_against_their_values(left, right):
    answer = ALGEBRA.compare(text_of(left), text_of(right))
    differs = False
    for base in range(1, 12):
        point = {name: Fraction(base * step + 1, step + 2) for name, step in zip("xyab", (1, 3, 5, 8), strict=True)}
        try:
            differs = differs or rational_at(left, point) != rational_at(right, point)
        except Undefined:
            continue
    if differs:
        assert answer.result is not Result.PROVED
    if answer.result is Result.REFUTED:
        assert differs


@QUICK
@given(expressions, expressions)
def test_the_answer_does_not_depend_on_which_side_is_gold(left, right):
    first = ALGEBRA.compare(text_of(left), text_of(right))
    second = ALGEBRA.compare(text_of(right), text_of(left))
    decided = {first.result, second.result} & {Result.PROVED, Result.REFUTED}
    assert len(decided) <= 1


@QUICK
@given(expressions)
def test_harmless_rewriting_is_never_refuted(node):
    text = text_of(node)
    for other in (f"0+({text})", f"({text})*1", f"-(-({text}))", f"\\left({text}\\right)", f"(2*({text}))/2"):
        assert ALGEBRA.compare(text, other).result is not Result.REFUTED


@QUICK
@given(expressions, st.integers(1, 9))
def test_a_shifted_expression_is_never_proved(node, shift):
    text = text_of(node)
    assert ALGEBRA.compare(text, f"({text})+{shift}").result is not Result.PROVED


@QUICK
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=4, unique=True), st.integers(-9, 9))
def test_solution_lists_are_compared_as_sets(roots, other):
    written = " 或 ".join(f"x={root}" for root in roots)
    shuffled = ", ".join(f"x_{place}={root}" for place, root in enumerate(reversed(roots), 1))
    assert ALGEBRA.compare(written, shuffled if len(roots) > 1 else f"x={roots[0]}").result is Result.PROVED
    product = "".join(f"(x-({root}))" for root in roots)
    assert ALGEBRA.compare(written, f"{product}=0").result is Result.PROVED
    if other not in roots:
        assert ALGEBRA.compare(written, f"{written} 或 x={other}").result is Result.REFUTED


@QUICK
@given(st.text(alphabet="x2+-*/^(){}[]|=<>,;.\\ frac sqrt sin或且∪°%!'_ ∈πkZ", max_size=40))
def test_any_text_is_answered(text):
    answers = [
        ALGEBRA.compare("x=2", text),
        ALGEBRA.fulfils("x=2", text),
        ALGEBRA.sound(text),
        ALGEBRA.mentions(text, "2"),
    ]
    assert not [answer for answer in answers if answer.method == "internal-error"]
    for answer in answers:
        assert Comparison.from_document(answer.document()) == answer
    ALGEBRA.asserts(text)
    ALGEBRA.evaluate(text, {"x": "2"})


def test_a_witness_of_a_refutation_can_be_checked_by_substitution():
    answer = ALGEBRA.compare("x^2-4", "(x+2)^2")
    assert answer.witness is not None
    name, _, value = answer.witness["at"].partition(" = ")
    point = {name: num(Fraction(value))}
    for text, side in (("x^2-4", "left"), ("(x+2)^2", "right")):
        node: Node = substituted(parse(text)[0], point)
        assert rational_at(node, {}) == Fraction(answer.witness[side])
