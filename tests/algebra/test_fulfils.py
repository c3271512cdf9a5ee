"""Does a written line state the expected result? The table reads: expected, line, answer."""

import pytest

from itembank.algebra import Algebra, Declares, Result

ALGEBRA = Algebra()
P, R, U, X = Result.PROVED, Result.REFUTED, Result.UNDECIDED, Result.UNREADABLE

CASES = [
    # a value with its name
    ("d = 2", "d = 8/4 = 2", P),
    ("d = 2", r"d=\frac{4}{2}", P),
    ("d = 2", "2 = d", P),
    ("d = 2", r"\therefore d = 2", P),
    ("d = 2", "所以d=2，a_1=3", P),
    ("d = 2", "ｄ＝２", P),
    ("d = 2", "4d = 8", U),
    ("d = 2", "= 2", X),
    ("d = 2", "2", U),
    ("d = 2", "d = 3", R),
    ("d = 2", "d = 8/4 = 3", R),
    ("d = 2", "a_1 = 3", U),
    ("d = 2", "D = 2", U),
    ("a_1 = 3", "a_{1}=3", P),
    ("a_1 = 3", "a₁=3", P),
    ("S_{10}=120", r"S_{10} = 10a_1 + 45d = 30+90 = 120", P),
    ("S_{10}=120", r"S_{10} = 10a_1 + 45d = 30+80 = 110", R),
    ("S_{10}=120", r"S_{10} = 10a_1 + 45d", U),
    ("S_{10}=120", r"S_{10} = 10\times 3 + \frac{10\times 9}{2}\times 2", P),
    ("120", "S=60+60=120", P),
    ("120", "120", P),
    ("120", "121", R),
    # angles and trigonometry
    (r"\cos A = \frac12", r"\cos A = \frac{b^2+c^2-a^2}{2bc} = \frac{1}{2}", P),
    (r"\cos A = \frac12", r"\cos A = \frac{64+25-49}{2\cdot 8\cdot 5}=\frac{40}{80}=\frac12", P),
    (r"\cos A = \frac12", r"\cos A = -\frac12", R),
    (r"\cos A = \frac12", r"\cos B = \frac12", U),
    (r"A = 60^\circ", r"A=\frac{\pi}{3}", P),
    (r"A = \frac{\pi}{3}", r"\angle A = 60°", P),
    (r"A = 60^\circ", "A = 60", U),
    (r"A = 60^\circ", r"A = 120^{\circ}", R),
    (
        r"S_{\triangle ABC}=10\sqrt3",
        r"S_{\triangle ABC}=\frac12bc\sin A=\frac12\times 5\times 8\times\frac{\sqrt3}{2}=10\sqrt3",
        P,
    ),
    # functions
    ("f'(x)=3x^2-3", "f'(x)=3(x^2-1)", P),
    ("f'(x)=3x^2-3", "f'(x)=3x^2-3=3(x-1)(x+1)", P),
    ("f'(x)=3x^2-3", "f′(x) = 3x²－3 = 0", P),
    ("f'(x)=3x^2-3", "f'(x)=0", U),
    ("f'(x)=3x^2-3", "f'(x)=3x^2", R),
    ("f'(x)=3x^2-3", "f(x)=3x^2-3", U),
    ("f(1)=-1", "f(1)=1-3+1=-1", P),
    ("f(-1)=3", "f(1)=3", U),
    ("f(x)_{max}=4", r"f(x)_{\max}=f(1)=4", P),
    (r"f(x)_{\max}=4", "f(x)_{max}=4", P),
    (r"f(x)_{\max}=4", r"f(x)_{\text{max}}=4", P),
    (r"y_{\min}=4", "y_min=4", P),
    (r"y_{\min}=4", "y_max=4", U),
    (r"y_{\min}=4", "y_min=5", R),
    # probability
    (r"P(A)=\frac{5}{18}", r"P(A)=\frac{C_5^2}{C_9^2}=\frac{10}{36}=\frac{5}{18}", P),
    (r"P(A)=\frac{5}{18}", r"P(A)=\frac{10}{36}", P),
    (r"P(A)=\frac{5}{18}", r"P(B)=\frac{5}{18}", U),
    (r"P(X=2)=\frac{80}{243}", r"P(X=2)=C_5^2\left(\frac13\right)^2\left(\frac23\right)^3=\frac{80}{243}", P),
    # solution sets
    ("x=2 或 x=3", "x_1=2, x_2=3", P),
    ("x=2 或 x=3", "x=3或x=2", P),
    ("x=2 或 x=3", "x=2", U),
    ("x=2 或 x=3", "x=5", R),
    ("x=2 或 x=3", "x_1=2，x_2=-3", R),
    ("x=2", "x=2 或 x=-2", R),
    ("x=2", "x=±2", U),
    ("x_1=1, x_2=-1", "x=±1", P),
    ("x_1=1, x_2=-1", "x=1", U),
    ("x^2-5x+6=0", "2x^2-10x+12=0", P),
    ("x^2-5x+6=0", "(x-2)(x-3)=0", P),
    ("x^2-5x+6=0", "x=2或x=3", U),
    ("m>2 或 m<-2", "m<-2或m>2", P),
    ("m>2 或 m<-2", r"m\in(-\infty,-2)\cup(2,+\infty)", P),
    ("m>2 或 m<-2", "-2<m<2", R),
    ("m>2 或 m<-2", "m^2>4", U),
    (r"\Delta = m^2-4 > 0", r"\Delta=m^2-4>0", P),
    (r"\Delta = m^2-4 > 0", r"\Delta=m^2-4\times1\times1>0", P),
    (r"\Delta = m^2-4 > 0", r"\Delta=m^2-4<0", U),
    # general solutions
    (r"x = \frac{\pi}{6}+2k\pi, k\in Z", r"x = \frac{\pi}{6}+2k\pi (k\in Z)", P),
    (r"x = \frac{\pi}{6}+2k\pi, k\in Z", r"x = 2k\pi-\frac{11\pi}{6},k\in\mathbb{Z}", P),
    (r"x = \frac{\pi}{6}+2k\pi, k\in Z", r"x = \frac{\pi}{6}+k\pi,k\in\mathbb{Z}", R),
    (r"x = \frac{\pi}{6}+2k\pi, k\in Z", r"x = \frac{\pi}{3}+2k\pi,k\in\mathbb{Z}", R),
    # units in plain letters, vectors, branches, other words
    ("v = 60 km/h", r"v = s/t = 120/2 = 60\text{ km/h}", P),
    ("v=60km/h", "v=1000m/min", P),
    ("v=60km/h", "v=50km/h", R),
    ("v=60km/h", "v=60千米/时", P),
    ("x=3", "x=3万", R),
    (r"\{x|x>1\}", "5 V=5 V", U),
    ("[90=v*t]", "5=5", U),
    (r"\vec{a}=(1,2)", r"\vec a = (3,4)-(2,2)=(1,2)", P),
    (r"\vec{a}=(1,2)", r"\vec a=(1,3)", R),
    (r"f(x)=\begin{cases}x,&x\ge0\\-x,&x<0\end{cases}", r"f(x)=\begin{cases}-x,&x<0\\x,&x\ge 0\end{cases}", P),
    ("x=1 或 x=2", "x=1 oder x=2", P),
    ("x=2", "x is not 2", X),
    ("y = x/2", "y = 1/2x", U),
    # several results
    ("x=3, y=-2", "x=3，y=-2", P),
    ("x=3, y=-2", "y=-2", U),
    ("x=3, y=-2", "x=3, y=2", R),
    ("a_1=3, d=2", "d=2, a_1=3", P),
]


@pytest.mark.parametrize(("expected", "line", "answer"), CASES, ids=lambda value: str(value))
def test_a_line_states_the_expected_result(expected, line, answer):
    assert ALGEBRA.fulfils(expected, line).result is answer


def test_given_values_are_put_into_an_expected_equation():
    givens = {"a_3": "7", "a_7": "15"}
    assert ALGEBRA.fulfils("4d = a_7 - a_3", "4d = 8", givens=givens).result is P
    assert ALGEBRA.fulfils("4d = a_7 - a_3", "4d = 9", givens=givens).result is not P


def test_given_values_do_not_finish_a_result_for_the_student():
    givens = {"a_1": "3", "d": "2"}
    answer = ALGEBRA.fulfils("S_{10} = 120", "S_{10} = 10a_1 + 45d", givens=givens)
    assert (answer.result, answer.method) == (U, "unfinished")


def test_a_line_about_something_else_is_unrelated():
    assert ALGEBRA.fulfils("d = 2", "a_1 = 3").method == "unrelated"


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        ("s=vt", "v=s/t"),
        (r"S=\frac12 ah", r"h=\frac{2S}{a}"),
        (r"\frac{a}{\sin A}=\frac{b}{\sin B}", r"a\sin B=b\sin A"),
        (r"a^2=b^2+c^2-2bc\cos A", r"\cos A=\frac{b^2+c^2-a^2}{2bc}"),
        ("a_n=a_1+(n-1)d", r"d=\frac{a_n-a_1}{n-1}"),
        ("S=½bc sinA", "sinA=2S/(bc)"),
    ],
)
def test_the_same_formula_with_its_denominators_multiplied_out_is_left_open_and_not_called_unrelated(expected, line):
    for wanted, written in ((expected, line), (line, expected)):
        answer = ALGEBRA.fulfils(wanted, written)
        assert (answer.result, answer.method) == (U, "rearranged")


def test_a_refutation_names_both_values():
    witness = ALGEBRA.fulfils("d = 2", "d = 15-7 = 6").witness
    assert witness is not None
    assert (witness["name"], witness["left"], witness["right"]) == ("d", "2", "6")


def test_a_declared_function_is_applied_and_not_multiplied():
    declared = Algebra(Declares(functions=("u",)))
    assert declared.fulfils("u(3) = 6", "u(3) = 6").result is P
    assert declared.fulfils("3u = 6", "u(3) = 6").result is not P


@pytest.mark.parametrize("line", ["", "   ", "所以", "证明完毕", r"\frac{1}{", "d = = 2", "d = 2)", "d = @"])
def test_prose_and_broken_lines_prove_nothing(line):
    assert ALGEBRA.fulfils("d = 2", line).result in (U, X)
