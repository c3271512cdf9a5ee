"""General solutions and trigonometric equations: the same numbers written otherwise, and the root that is missing or too many."""

import pytest

from itembank.algebra import Algebra, Result

ALGEBRA = Algebra(timeout_ms=5000)

SAME = [
    (r"x=(-1)^k\frac{\pi}{6}+k\pi, k\in Z", r"x=\frac{\pi}{6}+2k\pi 或 x=\frac{5\pi}{6}+2k\pi, k\in Z"),
    (r"x=(-1)^{n+1}\frac{\pi}{6}+\pi n", r"x=-\frac{\pi}{6}+2\pi n, x=\frac{7\pi}{6}+2\pi n"),
    (r"x=(-1)^k\arcsin\frac13+\pi k", r"x=\arcsin\frac13+2\pi k, x=\pi-\arcsin\frac13+2\pi k"),
    (r"x=\pm\arccos\frac14+2\pi n", r"x=\arccos\frac14+2\pi n, x=-\arccos\frac14+2\pi n"),
    (r"x=\arctan 2+\pi n", r"x=\arctan 2+2\pi n, x=\arctan 2+\pi+2\pi n"),
    (r"x=\arctan\frac12+\pi n", r"x=\frac{\pi}{2}-\arctan 2+\pi n"),
    (r"x=\pi k, x=\frac{\pi}{2}+\pi k", r"x=\frac{\pi k}{2}"),
    (r"x=30^\circ+k\cdot 360^\circ", r"x=\frac{\pi}{6}+2k\pi"),
    (r"\left\{x \mid x=\frac{\pi}{6}+2k\pi, k\in Z\right\}", r"x=\frac{\pi}{6}+2k\pi"),
    (r"x=2k\pi", r"x=0, x=2k\pi"),
    (r"k\pi-\frac{\pi}{6}<x<k\pi+\frac{\pi}{3}, k\in Z", r"\left(k\pi-\frac{\pi}{6},k\pi+\frac{\pi}{3}\right),k\in Z"),
    (r"[2k\pi, 2k\pi+\pi], k\in Z", r"[2k\pi-2\pi, 2k\pi-\pi], k\in Z"),
    (r"\sin x=\frac12", r"x=\frac{\pi}{6}+2k\pi 或 x=\frac{5\pi}{6}+2k\pi,k\in Z"),
    (r"\sin x=\frac13", r"x=(-1)^n\arcsin\frac13+\pi n"),
    (r"\cos 2x=1", r"x=k\pi"),
    (r"\sin x+\cos x=1", r"x=2k\pi 或 x=\frac{\pi}{2}+2k\pi"),
    (r"\sqrt3\sin x+\cos x=2", r"x=\frac{\pi}{3}+2k\pi"),
    (r"3\sin x+4\cos x=5", r"x=\arctan\frac34+2k\pi"),
    (r"\sin 2x=\sin x", r"x=k\pi, x=\pm\frac{\pi}{3}+2k\pi"),
    (r"2\cos^2x+3\sin x=3", r"x=\frac{\pi}{2}+2\pi k, x=(-1)^k\frac{\pi}{6}+\pi k"),
    (r"\frac{\sin 2x}{1-\cos x}=0", r"x=\frac{\pi}{2}+k\pi,x=\pi+2k\pi"),
    (r"\tan x=0", r"\sin x=0"),
    (r"\sin x>\frac12", r"2k\pi+\frac{\pi}{6}<x<2k\pi+\frac{5\pi}{6}"),
    (r"\tan x>1", r"(\frac{\pi}{4}+k\pi,\frac{\pi}{2}+k\pi),k\in Z"),
]

DIFFERENT = [
    (r"x=(-1)^{n}\frac{\pi}{6}+\pi n", r"x=-\frac{\pi}{6}+2\pi n, x=\frac{7\pi}{6}+2\pi n", "missing", "pi/6"),
    (r"x=\arctan 2+\pi n", r"x=\arctan 2+2\pi n", "missing", "atan(2) + pi"),
    (r"x=\arctan 2+\pi n, n\in Z", r"x=\arctan 3+\pi n, n\in Z", "missing", "atan(2)"),
    (r"\tan x=1", r"x=\frac{\pi}{4}+2k\pi", "missing", "5*pi/4"),
    (r"\sin 2x=\sin x", r"x=2k\pi, x=\pm\frac{\pi}{3}+2k\pi", "missing", "pi"),
    (r"\frac{\sin 2x}{1-\cos x}=0", r"x=\frac{k\pi}{2}", "extra", "0"),
    (r"\{x|x=k\pi,k\in Z\}", r"\{x|x=\frac{k\pi}{2},k\in Z\}", "extra", "pi/2"),
    (r"x=2k\pi", r"x=0", "missing", None),
    (r"\cos x=\frac12", r"\sin x=\frac12", "missing", "pi/3"),
    (r"[k\pi-\frac{\pi}{3},k\pi],k\in Z", r"[2k\pi-\frac{\pi}{3},2k\pi],k\in Z", "missing", None),
]


@pytest.mark.parametrize(("gold", "student"), SAME)
def test_the_same_numbers_written_otherwise_are_proved(gold, student):
    assert ALGEBRA.compare(gold, student).result is Result.PROVED
    assert ALGEBRA.compare(student, gold).result is Result.PROVED


@pytest.mark.parametrize(("gold", "student", "word", "value"), DIFFERENT)
def test_a_lost_or_gained_solution_is_named(gold, student, word, value):
    answer = ALGEBRA.compare(gold, student)
    assert answer.result is Result.REFUTED
    assert answer.witness is not None
    assert word in answer.witness
    if value is not None:
        assert answer.witness[word] == value
    assert ALGEBRA.compare(student, gold).result is Result.REFUTED


def test_a_coefficient_named_k_does_not_count_solutions():
    assert ALGEBRA.compare("y=kx+1", "kx-y+1=0").result is Result.PROVED
    assert ALGEBRA.compare("y=kx+1", "y=2x+1").result is Result.REFUTED
    assert ALGEBRA.compare("x=m+1", "m=x-1").result is Result.PROVED


def test_the_same_integers_are_not_called_equal_where_nobody_says_that_k_is_whole():
    assert ALGEBRA.compare("x=2k+1", "x=2k+3").result is Result.UNDECIDED
    assert ALGEBRA.compare(r"x=2k+1,k\in Z", "x=2k+3").result is Result.PROVED
    assert ALGEBRA.compare("x=2k+1", "x=2k+2").result is Result.REFUTED
