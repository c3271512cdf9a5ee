"""Numbers without symbols: equal by proof however they are written, and never equal by nearness."""

import pytest

from itembank.algebra import Algebra, Result

ALGEBRA = Algebra(timeout_ms=1)  # no time for the symbolic child: these are proved in-process

EQUAL = [
    (r"\sqrt{3+2\sqrt2}", r"1+\sqrt2"),
    (r"\sqrt{5-2\sqrt6}", r"\sqrt3-\sqrt2"),
    (r"\sqrt[3]{2+\sqrt5}+\sqrt[3]{2-\sqrt5}", "1"),
    (r"\sqrt[3]{7+5\sqrt2}", r"1+\sqrt2"),
    (r"\frac{1}{\sqrt2+\sqrt3+\sqrt5}", r"\frac{2\sqrt3+3\sqrt2-\sqrt{30}}{12}"),
    (r"\sin 18^\circ", r"\frac{\sqrt5-1}{4}"),
    (r"\cos\frac{\pi}{7}\cos\frac{2\pi}{7}\cos\frac{3\pi}{7}", r"\frac18"),
    (r"\sin 20^\circ\sin 40^\circ\sin 80^\circ", r"\frac{\sqrt3}{8}"),
    (r"\tan 20^\circ\tan 40^\circ\tan 80^\circ", r"\sqrt3"),
    (r"\arctan 1+\arctan 2+\arctan 3", r"\pi"),
    (r"2\arctan\frac13+\arctan\frac17", r"\frac{\pi}{4}"),
    (r"\arcsin\frac35+\arcsin\frac45", r"\frac{\pi}{2}"),
    (r"\arccos(-\frac13)", r"\pi-\arccos\frac13"),
    (r"\cos(2\arcsin\frac13)", r"\frac79"),
    (r"\ln(2+\sqrt3)", r"-\ln(2-\sqrt3)"),
    (r"\log_2 3\cdot\log_3 4", "2"),
]

UNEQUAL = [
    (r"\sqrt{5-2\sqrt6}", r"\sqrt2-\sqrt3"),
    (r"\cos\frac{\pi}{7}\cos\frac{2\pi}{7}\cos\frac{3\pi}{7}", r"\frac18+10^{-40}"),
    (r"\arctan 1+\arctan 2+\arctan 3", r"0"),
    (r"\sqrt{2}+\sqrt{3}", r"\frac{99}{70}+\frac{97}{56}"),
    (r"\arctan\frac12+\arctan\frac13", r"\frac{5\pi}{4}"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_equal_numbers_are_proved_equal(left, right):
    assert ALGEBRA.compare(left, right).result is Result.PROVED


@pytest.mark.parametrize(("left", "right"), UNEQUAL)
def test_unequal_numbers_are_refuted_however_near(left, right):
    answer = ALGEBRA.compare(left, right)
    assert answer.result is Result.REFUTED
    assert answer.witness


def test_numbers_that_differ_beyond_the_precision_are_never_proved_equal():
    roots = r"\sqrt2+\sqrt3+\sqrt5+\sqrt7"
    assert ALGEBRA.compare(roots, roots + r"+10^{-300}").result is not Result.PROVED
