"""What people write and the tree that it is read as: `readings.txt` holds the table, known refusals stand here.

A line of the table is the text, a tabulator, and the tree in plain writing with all products and brackets shown.
"""

from pathlib import Path

import pytest

from itembank.algebra import Algebra, Options, Result
from itembank.algebra.nodes import text_of
from itembank.algebra.results import NOTATIONS, Unreadable
from itembank.algebra.statements import parse

TABLE = Path(__file__).with_name("readings.txt")


def _table():
    kind = ""
    for number, line in enumerate(TABLE.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("## "):
            kind = line[3:]
        else:
            text, tree = line.split("\t")
            yield pytest.param(text, tree, id=f"{kind}-{number}")


@pytest.mark.parametrize(("text", "tree"), list(_table()))
def test_what_is_written_is_read_as(text, tree):
    node, _ = parse(text)
    assert text_of(node) == tree


def test_every_kind_of_writing_has_at_least_twenty_lines():
    kinds = [str(param.id).split("-")[0] for param in _table()]
    assert {kind for kind in kinds if kinds.count(kind) < 20} <= {"plain"}


# text, first reading, second reading, what is doubtful, where
TWO_READINGS = [
    ("0.1(6)", "1/6", "(1/10)*6", "a recurring decimal or a product", 0),
    ("1{,}234", "617/500", "1234", "a decimal comma or a group of thousands", 0),
    ("log2x", "log(x, 2)", "log(2*x)", "2 as the base of the logarithm or a factor", 3),
    ("sin^22x", "sin(2*x)^2", "sin(x)^22", "how much of 22 is raised behind sin", 4),
    ("sin π/6", "sin(pi/6)", "sin(pi)/6", "what sin is taken of", 5),
    ("C(5,2)", "binomial(5, 2)", "C = (5, 2)", "C as a point or a number of choices", 1),
    ("P(5,2)", "P = (5, 2)", "perm(5, 2)", "P as a point or a number of choices", 1),
    ("A(5,2)", "A = (5, 2)", "perm(5, 2)", "A as a point or a number of choices", 1),
    ("5C2", "binomial(5, 2)", "5*C^2", "C as a sign of choice or a name", 1),
    ("√2x", "sqrt(2)*x", "sqrt(2*x)", "how far the root reaches", 2),
    ("√ab", "sqrt(a)*b", "sqrt(a*b)", "how far the root reaches", 2),
    ("x^1/2", "x^(1)/2", "x^(1/2)", "whether the fraction is raised", 1),
    ("1/2x", "(1/2)*x", "1/(2*x)", "what is divided by", 3),
    ("1/2(x+1)", "(1/2)*(x + 1)", "1/(2*(x + 1))", "what is divided by", 3),
    ("a/bc", "(a/b)*c", "a/(b*c)", "what is divided by", 3),
    ("x/2y", "(x/2)*y", "x/(2*y)", "what is divided by", 3),
    ("2/3π", "(2/3)*pi", "2/(3*pi)", "what is divided by", 3),
    (r"1/2\sqrt3", "(1/2)*sqrt(3)", "1/(2*sqrt(3))", "what is divided by", 3),
    ("1/2sinx", "(1/2)*sin(x)", "1/(2*sin(x))", "what is divided by", 3),
    ("2x3", "2*x_3", "2*3", "x as a name or a sign of multiplication", 1),
    ("x2", "x_2", "x^2", "x2 as an index or a power", 0),
    ("2x2", "2*x_2", "2*2", "x as a name or a sign of multiplication", 1),
]


@pytest.mark.parametrize(("text", "first", "second", "what", "at"), TWO_READINGS, ids=[row[0] for row in TWO_READINGS])
def test_what_may_evenly_be_read_in_two_ways_is_reported_with_both(text, first, second, what, at):
    node, doubts = parse(text)
    assert text_of(node) == first
    assert (what, at) in [(doubt.what, doubt.at) for doubt in doubts if doubt.even]
    assert text_of(parse(text, second=True)[0]) == second


@pytest.mark.parametrize(
    ("gold", "student", "result"),
    [
        ("x/2", "1/2x", Result.UNDECIDED),
        ("1/(2x)", "1/2x", Result.UNDECIDED),
        ("3x", "1/2x", Result.REFUTED),
        ("1/2x", "1/2x", Result.UNDECIDED),
        (r"\sqrt{2}x", "√2x", Result.UNDECIDED),
        (r"\frac12", "sin π/6", Result.UNDECIDED),
        ("10", "5C2", Result.UNDECIDED),
        ("11", "C(5,2)", Result.REFUTED),
        ("1234", "1{,}234", Result.UNDECIDED),
        ("2", "1{,}234", Result.REFUTED),
        ("2000", "2e+3", Result.UNDECIDED),
        (r"\frac{1}{6}", "0.1(6)", Result.UNDECIDED),
        ("x^2", "x2", Result.UNDECIDED),
    ],
)
def test_a_doubtful_text_is_decided_only_where_both_readings_agree(gold, student, result):
    answer = Algebra().compare(gold, student)
    assert answer.result is result
    if result is Result.UNDECIDED:
        assert answer.method == "ambiguous"
        assert answer.witness
        assert {"reason", "at"} <= set(answer.witness)


# text, reading, what else it may be, where: the usual reading is taken, but nothing is refuted by it
DOUBTFUL = [
    ("12,5", "12, 5", "a decimal comma", 4),
    ("x=1,2", "x = 1, 2", "a decimal comma", 5),
    (r"x\ne1,2", "x != 1, 2", "a decimal comma", 7),
    ("[1,2;3,4]", "[[1, 2], [3, 4]]", "rows of a matrix or decimal commas", 4),
    ("<1,2>", "(1, 2)", "a decimal comma", 4),
    ("1,5", "1, 5", "a decimal comma", 3),
]


@pytest.mark.parametrize(("text", "tree", "what", "at"), DOUBTFUL, ids=[row[0] for row in DOUBTFUL])
def test_the_usual_reading_is_taken_and_the_other_one_named(text, tree, what, at):
    node, doubts = parse(text)
    assert text_of(node) == tree
    assert (what, at) in [(doubt.what, doubt.at) for doubt in doubts]


# text, reason, place: what is no mathematics, or not enough of it
REFUSED = [
    ("0.3333...", "it is not said how the digits go on", 6),
    (r"0.333\ldots", "it is not said how the digits go on", 5),
    ("3.14159…", "it is not said how the digits go on", 7),
    ("1010_{two}", "a number with an index that is no base", 0),
    (r"\sum_{k}k", "under the sign there should be a name and where it starts, such as k=1", 6),
    (r"\sum k", "the bounds of the sum are missing", 5),
    (r"\lim x", "it is not said what the limit goes to", 5),
    (r"\int x", "the integral has no dx, so its variable is not said", 0),
    (r"\int_0^1 x", "the integral has no dx, so its variable is not said", 0),
    (r"\iint x dx dy", "double integrals are not read", 0),
    (r"\oint x dx", "integrals along a curve are not read", 0),
    (r"a\mid b", "'mid' is not understood here", 1),
    ("3|12", "'|' is not understood here", 1),
    ("2 . 3", "a point between other things than digits", 2),
    ("x=", "the end came too early", 2),
    ("=x", "something is missing before '='", 0),
    ("x+", "the end came too early", 2),
    ("*x", "something is missing before '*'", 0),
    ("2+*3", "something is missing before '*'", 2),
    ("(x+1", "a bracket is not closed", 0),
    ("x+1)", "')' is not understood here", 3),
    ("[1,2", "a bracket is not closed", 0),
    ("(1,2}", ") is missing, not '}'", 4),
    (r"\frac{1}", "the end came too early", 8),
    (r"\frac{1}{2", "a closing bracket is missing before the end", 10),
    (r"\sqrt", "the end came too early", 5),
    (r"\sqrt{", "the end came too early", 6),
    ("x^", "the end came too early", 2),
    ("x_", "an index is missing", 2),
    ("2^", "the end came too early", 2),
    ("|x", "| is missing before the end", 2),
    ("x|", "'|' is not understood here", 1),
    ("sin", "the end came too early", 3),
    ("cos*n", "something is missing before '*'", 3),
    (r"\log_", "an index or exponent is missing", 5),
    ("f(", "a bracket is not closed", 1),
    ("n**", "the end came too early", 3),
    ("n**2+", "the end came too early", 5),
    ("# x", "the character U+0023 has no meaning here", 0),
    ("x @ 2", "the character U+0040 has no meaning here", 2),
    ("x ? 2", "the character U+003F has no meaning here", 2),
    ("x & y", "'&' is not understood here", 2),
    ("import os", "the word 'import' is not understood", 7),
    ("__import__('os')", "something is missing before '_'", 1),
    ("x.__class__", "a point between other things than digits", 1),
    ("x[0]", "a number in square brackets behind a name", 1),
    ("{'a': 1}", 'something is missing before "\'"', 1),
    ('"x"', "the character U+0022 has no meaning here", 0),
    ("'x'", 'something is missing before "\'"', 0),
    ("x=1=", "the end came too early", 4),
    ("1..2", "a point between other things than digits", 1),
    ("1.2.3", "'.3' is not understood here", 3),
    ("5 5", "'5' is not understood here", 2),
    ("2 3", "'3' is not understood here", 2),
    (r"\foo{x}", r"the command \foo is not known", 0),
    (r"\begin{foo}x\end{foo}", "the environment foo is not read", 11),
    (r"\begin{cases}x", "a row of a table is not understood", 14),
    (r"\end{cases}", "something is missing before 'cases'", 0),
    (r"\begin{pmatrix}1&2\\3\end{pmatrix}", "the rows have different lengths", 34),
    ("456_5", "the digits do not fit base 5", 0),
    ("12_1", "a number with an index that is no base", 0),
    ("х+1", "the Cyrillic letters х are no names here", 0),
    ("x is not 2", "something is said not to be so", 5),
    ("x不等于2", "something is said not to be so", 4),
    ("x不是2", "something is said not to be so", 3),
    ("hello world", "the word 'world' is not understood", 6),
    ("the", "there is nothing to read", 0),
    ("!", "something is missing before '!'", 0),
    ("!5", "something is missing before '!'", 0),
    ("%5", "something is missing before '%'", 0),
    ("^2", "something is missing before '^'", 0),
    ("_2", "something is missing before '_'", 0),
    (",", "there is nothing to read", 0),
    (";", "there is nothing to read", 0),
    ("()", "there is nothing between the brackets", 1),
    ("[]", "there is nothing between the brackets", 1),
    ("(,)", "something is missing before ','", 1),
    ("(1,)", "something is missing before ')'", 3),
    ("(,1)", "something is missing before ','", 1),
    ("{,}", "something is missing before ','", 1),
    (r"\left(1\right", "a bracket is not closed", 0),
    (r"\left.x\right|", "a bar without a partner", 13),
    (r"\int_0 x dx", "one of the two bounds of the integral is missing", 0),
    (r"\sum_{k=1}k", "the bounds of the sum are missing", 4),
    (r"\lim_{x}x", "under lim there should be a name, an arrow and a value", 6),
    (r"\vec", "a letter is missing below the accent", 4),
    (r"\overline", "a letter is missing below the accent", 9),
    (r"\mathbb", "a letter is missing below the accent", 7),
    (r"\text{", "a brace is not closed", 5),
    (r"\text", "there is nothing to read", 0),
    (r"\boxed{", "there is nothing to read", 0),
    ("$", "there is nothing to read", 0),
    ("$$", "there is nothing to read", 0),
    (r"\(", "there is nothing to read", 0),
    (r"\,", "there is nothing to read", 0),
    ("√", "the end came too early", 1),
    ("∠", "a name is missing", 1),
    ("12:75 pm", "a time of day that no clock shows", 0),
]


@pytest.mark.parametrize(("text", "reason", "at"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_cannot_be_read_is_refused_with_the_reason_and_the_place(text, reason, at):
    with pytest.raises(Unreadable) as refusal:
        parse(text)
    assert (refusal.value.reason, refusal.value.at) == (reason, at)


@pytest.mark.parametrize(
    ("notation", "text", "tree"),
    [
        ("en", "1,234.5", "2469/2"),
        ("en", "1,234,567", "1234567"),
        ("us", "1,234", "1234"),
        ("cn", "12,345.6", "61728/5"),
        ("plain", "1234.5", "2469/2"),
        ("eu", "1.234,5", "2469/2"),
        ("eu", "1.234.567,89", "123456789/100"),
        ("eu", "0,5", "1/2"),
        ("eu", "(1,5; 2)", "(3/2, 2)"),
        ("eu", "[0,5; 1,5]", "[1/2, 3/2]"),
        ("eu", r"\{0,5; 1\}", "{1/2, 1}"),
        ("eu", "3,14x", "(157/50)*x"),
        ("eu", "3{,}14", "157/50"),
        ("eu", "1, 2", "1, 2"),
        ("de", "x = 2,5", "x = 5/2"),
        ("es", "12.000,75", "48003/4"),
        ("plain-eu", "1234567,89", "123456789/100"),
        ("si-en", "1 234 567.89", "123456789/100"),
        ("si-fr", "1 234 567,89", "123456789/100"),
        ("fr", "1 234,5", "2469/2"),
        ("fr", r"12\,000,5", "24001/2"),
        ("ru", "0,25", "1/4"),
        ("ch", "1'234.5", "2469/2"),
        ("ch", "1'234'567", "1234567"),
        ("in", "12,34,567.89", "123456789/100"),
        ("in", "1,00,000", "100000"),
        ("in", "12,345", "12345"),
        ("scientific", "1.5e3", "1500"),
        (None, "1.234.567,89", "123456789/100"),
        (None, "1'234'567", "1234567"),
        (None, "1 234 567.89", "123456789/100"),
        (None, r"32,\!348", "32348"),
        (None, r"12\,000", "12000"),
    ],
)
def test_numbers_are_read_as_a_country_writes_them(notation, text, tree):
    assert text_of(parse(text, notation=notation)[0]) == tree


def test_a_notation_that_nobody_knows_is_no_reason_to_guess():
    answer = Algebra().compare("1", "1", options=Options(notation="martian"))
    assert (answer.result, answer.method) == (Result.UNDECIDED, "option notation")
    assert "martian" not in NOTATIONS


FUNCTION_OR_PRODUCT = [
    ("f(x+1)", frozenset("f"), "f(x + 1)"),
    ("k(x+1)", frozenset("f"), "k*(x + 1)"),
    ("k(x+1)", frozenset("k"), "k(x + 1)"),
    ("f(x+1)", frozenset("k"), "f*(x + 1)"),
    ("y'(2)", frozenset("f"), "y'(2)"),
    ("u(v)", frozenset("u"), "u(v)"),
    ("f^{-1}(x)", frozenset("f"), "f^-1(x)"),
    ("x^{-1}(x+1)", frozenset("f"), "x^(-1)*(x + 1)"),
]


@pytest.mark.parametrize(("text", "functions", "tree"), FUNCTION_OR_PRODUCT)
def test_a_letter_before_a_bracket_is_a_function_only_where_it_is_declared(text, functions, tree):
    assert text_of(parse(text, functions)[0]) == tree


def test_places_count_in_the_text_as_it_was_given():
    with pytest.raises(Unreadable) as refusal:
        parse("x²⁺¹ + 3½ + ③§")
    assert refusal.value.at == 13
