"""Is every equality that a line claims true?"""

import pytest

from itembank.algebra import Algebra, Result

ALGEBRA = Algebra()
P, R, U, X = Result.PROVED, Result.REFUTED, Result.UNDECIDED, Result.UNREADABLE

TRUE = [
    "30+90=120",
    "S_{10} = 10a_1 + 45d = 30+90 = 120",
    r"d=\frac{15-7}{4}=2",
    r"\cos A = \frac{b^2+c^2-a^2}{2bc} = \frac{1}{2}",
    r"P(A)=\frac{C_5^2}{C_9^2}=\frac{10}{36}=\frac{5}{18}",
    "f'(x)=3x^2-3=3(x-1)(x+1)",
    "x^2-5x+6=(x-2)(x-3)=0",
    r"\sin 60^\circ = \frac{\sqrt3}{2}",
    r"x=\frac{5\pm\sqrt{25-24}}{2}=\frac{5\pm1}{2}",
    r"\log_2 8 = 3",
    r"\sqrt{12}=2\sqrt3",
    r"|-3|=3",
]
FALSE = [
    "30+80=120",
    "S=30+80=120",
    "30+80=110=120",
    r"\frac{10}{36}=\frac{5}{16}",
    r"d=\frac{15-7}{4}=3",
    r"\sqrt{12}=3\sqrt2",
    "(x-2)(x-3)=x^2-5x+7",
    r"\sin 60^\circ=\frac12",
    "所以 2+2=5，d=2",
]
NOTHING_CLAIMED = [
    "x^2-5x+6=0",
    "2x+1=x+3",
    "4d=8",
    "m>2",
    "a_1+2d=7",
    "S_n=n^2+2n",
    "解：设公差为d",
    r"\vec a\cdot\vec b=1",
]


@pytest.mark.parametrize("line", TRUE)
def test_a_true_line_is_proved(line):
    assert ALGEBRA.sound(line).result is P


@pytest.mark.parametrize("line", FALSE)
def test_a_false_line_is_refuted_with_its_two_sides(line):
    answer = ALGEBRA.sound(line)
    assert answer.result is R
    assert answer.witness
    assert {"left", "right"} <= set(answer.witness)


@pytest.mark.parametrize("line", NOTHING_CLAIMED)
def test_an_equation_to_solve_claims_nothing(line):
    answer = ALGEBRA.sound(line)
    assert (answer.result, answer.method) == (P, "nothing-claimed")


def test_known_values_are_put_in_for_names():
    values = {"a_1": "3", "d": "2"}
    assert ALGEBRA.sound("S_{10}=10a_1+45d=120", values).result is P
    assert ALGEBRA.sound("S_{10}=10a_1+45d=121", values).result is R
    assert ALGEBRA.sound("a_3=a_1+2d=7", values).result is P


def test_values_of_functions_are_put_in_like_names():
    values = {"sin(A)": "1/2", "b": "8", "c": "5", "f(1)": "-1"}
    assert ALGEBRA.sound(r"S=\frac12 bc\sin A=10", values).result is P
    assert ALGEBRA.sound(r"S=\frac12 bc\sin A=11", values).result is R
    assert ALGEBRA.sound("f(1)=-1", values).result is P
    assert ALGEBRA.sound("y=f(1)+3=4", values).result is R


def test_a_transformation_that_may_be_an_equation_is_left_open():
    assert ALGEBRA.sound("(x-1)^2=x^2-1").result is U


def test_an_unreadable_line_is_not_called_sound():
    assert ALGEBRA.sound("S=30+=120").result is X
