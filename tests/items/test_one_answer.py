"""`0.5`, `1/2`, `50%`, `$\\frac{1}{2}$` and `０．５` are one answer everywhere: in options, accepted values, keys and twins."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from itembank.algebra import Algebra, Result
from itembank.domain.gates import Outcome
from itembank.domain.item_options import same_content
from itembank.domain.scope_gate import same_answers
from itembank.domain.structure_gate import check_structure, typeset_form
from itembank.domain.typesetting import typesetting_fault
from tests.items.cast import but, fill_in, single

WIDE = str.maketrans("0123456789./%-", "０１２３４５６７８９．／％－")


def writings(value: Fraction) -> list[str]:
    """Ways in which people write a value that has a short decimal form."""
    decimal = f"{float(value):.6f}".rstrip("0").rstrip(".")
    percent = f"{float(value * 100):.4f}".rstrip("0").rstrip(".")
    top, bottom = abs(value.numerator), value.denominator
    sign = "-" if value < 0 else ""
    plain = [
        decimal,
        f"{value.numerator}/{bottom}",
        f"{percent}%",
        f"{percent}\\%",
        rf"{sign}\frac{{{top}}}{{{bottom}}}",
        rf"{sign}\dfrac{{{top * 3}}}{{{bottom * 3}}}",
    ]
    return plain + [text.translate(WIDE) for text in plain[:3]] + [f"${text}$" for text in plain[3:]]


values = st.builds(Fraction, st.integers(-400, 400).filter(bool), st.sampled_from([2, 4, 5, 8, 10, 20]))
pairs = values.flatmap(lambda value: st.tuples(st.sampled_from(writings(value)), st.sampled_from(writings(value))))


def test_the_five_writings_of_a_half():
    for one in ("0.5", "1/2", "50%", r"$\frac{1}{2}$", "０．５"):
        for other in ("0.5", "1/2", "50%", r"$\frac{1}{2}$", "０．５"):
            assert same_content(one, other, Algebra()) is Result.PROVED


@settings(max_examples=60, deadline=None)
@given(pairs)
def test_two_writings_are_one_option_one_accepted_value_and_one_twin(pair):
    one, other = pair
    algebra = Algebra()
    assert same_content(one, other, algebra) is Result.PROVED
    assert same_answers([one], [other], algebra)
    outcome, _ = check_structure(fill_in(answer={"values": [{"accepted": list(dict.fromkeys(pair))}]}))
    assert outcome.outcome is Outcome.PASSED, outcome.detail
    assert all(typesetting_fault(typeset_form(text)) is None for text in pair)


@settings(max_examples=40, deadline=None)
@given(pairs)
def test_a_key_is_right_and_a_double_is_seen_in_whatever_writing(pair):
    one, other = (text if text.startswith("$") or "\\" not in text else f"${text}$" for text in pair)
    document = single(
        options=[{"label": "A", "content": one}, {"label": "B", "content": "1000"}],
        answer={"choices": ["A"], "values": [{"accepted": [other]}]},
    )
    assert check_structure(document)[0].outcome is Outcome.PASSED
    doubled = but(document, "options", 1, "content", value=other)
    codes = {one.code for one in check_structure(doubled)[0].detail}
    assert {"options-equal", "second-right"} <= codes


@settings(max_examples=60, deadline=None)
@given(values, values)
def test_different_values_stay_different_options(first, second):
    for one, other in zip(writings(first), writings(second), strict=True):
        wanted = Result.PROVED if first == second else Result.REFUTED
        assert same_content(one, other, Algebra()) is wanted
