"""Limits and infinite sums that are decided in this process: no child is asked, so none of them can time out."""

import pytest

from itembank.algebra import Algebra, Result, clear_cache, symbolic_rung

KNOWN = (
    (r"\sum_{k=1}^{\infty}\frac{1}{2^k}", "1", "2"),
    (r"\sum_{n=0}^{\infty}(-\frac13)^n", r"\frac34", r"\frac32"),
    (r"\sum_{k=0}^{\infty}3\cdot(\frac25)^{k+1}", "2", "5"),
    (r"\lim_{x\to 1}\frac{x^2-1}{x-1}", "2", "0"),
    (r"\lim_{n\to\infty}\frac{2n^2+1}{3n^2-n}", r"\frac23", "2"),
    (r"\lim_{x\to-\infty}\frac{x}{x^2+1}", "0", "1"),
    (r"\lim_{x\to 2}(x^2+3x)", "10", "9"),
    (r"1+\lim_{x\to 0}\frac{(1+x)^2-1}{x}", "3", "2"),
)


@pytest.fixture(autouse=True)
def no_child(monkeypatch):
    """Whoever asks the child here fails."""

    class Nobody:
        def ask(self, request, seconds):
            raise AssertionError("the child was asked")

    monkeypatch.setattr(symbolic_rung, "_pool", Nobody())
    clear_cache()
    yield
    clear_cache()


@pytest.mark.parametrize(("text", "value", "wrong"), KNOWN)
def test_the_value_is_proved_and_another_one_refuted_with_a_witness(text, value, wrong):
    assert Algebra().compare(text, value).result is Result.PROVED
    answer = Algebra().compare(text, wrong)
    assert answer.result is Result.REFUTED
    assert answer.witness


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"\sum_{k=0}^{\infty}2^k", "-1"),
        (r"\sum_{k=0}^{\infty}(-1)^k", r"\frac12"),
        (r"\lim_{x\to 1}\frac{1}{x-1}", "0"),
        (r"\lim_{x\to\infty}\frac{x^2}{x+1}", "1"),
    ],
)
def test_what_has_no_value_is_never_given_one(text, value):
    assert Algebra().compare(text, value).result is not Result.PROVED
