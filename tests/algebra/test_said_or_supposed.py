"""A line fulfils only by what it says is so: alternatives, conditions, denials and discarded roots state nothing."""

import pytest

from itembank.algebra import Algebra, Result

ALGEBRA = Algebra()
P, R, U = Result.PROVED, Result.REFUTED, Result.UNDECIDED

JOINTS = [
    "{a} 或 {b}",
    "{a} 或者 {b}",
    r"{a} \text{{或}} {b}",
    "{a} or {b}",
    r"{a}\lor {b}",
    "{b}或{a}",
    "{a}，或{b}",
    "{a}；或{b}",
]
ONE_AND_OTHER = [
    ("d=2", "d=-2"),
    ("x=2", "y=3"),
    ("a_1=3", "a_1=-3"),
    ("f(1)=2", "f(1)=3"),
    ("f(1)=2", "f(2)=3"),
    ("4d=8", "4d=-8"),
    ("x_1+x_2=4", "x_1+x_2=-4"),
    (r"\sin x=\frac{1}{2}", r"\sin x=-2"),
    (r"\cos A=\frac12", r"\cos A=-\frac12"),
    (r"P(A)=\frac13", r"P(A)=\frac23"),
    ("f'(x)=3x^2-3", "f'(x)=3x^2"),
    ("x^2-5x+6=0", "x=1"),
    ("m>2", "m<-2"),
    (r"\Delta>0", r"\Delta=0"),
    (r"|\vec a|=\sqrt5", r"|\vec a|=5"),
]


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize(("one", "other"), ONE_AND_OTHER)
def test_one_alternative_of_two_is_not_stated(one, other, joint):
    assert ALGEBRA.fulfils(one, one).result is P
    assert ALGEBRA.fulfils(one, joint.format(a=one, b=other)).result is not P


@pytest.mark.parametrize(("one", "other"), ONE_AND_OTHER)
def test_an_open_alternative_is_not_about_something_else_either(one, other):
    assert ALGEBRA.fulfils(one, f"{one} 或 {other}").method != "unrelated"


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        (r"\sin x=\frac12", r"\sin x=\pm\frac12"),
        ("f(1)=2", r"f(1)=\pm2"),
        ("4d=8", "4d=±8"),
        ("x=2", "x=2或3"),
        ("x=2", "x=2,3"),
        (r"\sin x=\frac12", r"\sin x=\frac12, \sin x=-2"),
        (r"\sin x=\frac12", r"\sin x=\frac12 或 -2"),
        ("f(1)=2", "f(1)=2；f(1)=3"),
        ("d=2", "d=3；d=2"),
        ("m>2", "m>2，m<-2"),
        ("x=2, y=3", "x=2 或 y=3"),
        ("a_1=3, d=2", "a_1=3或d=2"),
    ],
)
def test_several_values_for_one_name_state_none_of_them(expected, line):
    assert ALGEBRA.fulfils(expected, line).result is not P


@pytest.mark.parametrize("expected", ["x=2 或 x=3", "x=2, x=3", "x=3或2"])
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("x=3 或 x=2", P),
        ("x_1=2, x_2=3", P),
        ("x=2或3", P),
        ("x=2", U),
        ("x=2 或 x=3 或 x=4", R),
        ("x=2, x=3, x=4", R),
        ("x=2 或 x=-3", R),
        ("若x=2或x=3", U),
        ("x=2或x=3或x=4(舍去)", P),
    ],
)
def test_a_solution_set_has_all_its_members_and_no_other(expected, line, answer):
    assert ALGEBRA.fulfils(expected, line).result is answer


@pytest.mark.parametrize("expected", ["x=±2", "k=±1", "m=±2"])
def test_plus_or_minus_is_a_set_of_two(expected):
    name, value = expected[0], expected[-1]
    for line in (f"{name}=\\pm {value}", f"{name}={value}或{name}=-{value}", f"{name}={value}, {name}=-{value}"):
        assert ALGEBRA.fulfils(expected, line).result is P
    assert ALGEBRA.fulfils(expected, f"{name}={value}").result is U
    assert ALGEBRA.fulfils(expected, f"{name}=±5").result is R
    assert ALGEBRA.fulfils(expected, f"{name}={value}或{name}=-{value}或{name}=0").result is R


SUPPOSED = [
    "若{},则y=7",
    "若y=7，则{}",
    "如果{}",
    "如果y=7，那么{}",
    "假设{}",
    "假如{}",
    "倘若 {}",
    "当{}时，y=7",
    "当y=7时，{}",
    r"\text{{若}} {}",
    r"\text{{当}}{}\text{{时}}, y=7",
    "if {} then y=7",
    "suppose {}",
    "要证{}",
    "猜想{}",
    "可能{}",
    "{}不成立",
    "{}是错的",
    "{}，错",
    "{} 不对",
    "{}矛盾",
    "{}（不成立）",
    "{}(错)",
    "不是{}",
    "并非{}",
    "错解：{}",
    "{}(舍)",
    "{}（舍去）",
    "{} 舍去",
    "{}不合题意，舍去",
    "{}（不合题意，舍去）",
    r"{}(\text{{舍去}})",
    r"{}\text{{(舍去)}}",
    "舍去{}",
]


@pytest.mark.parametrize("frame", SUPPOSED)
@pytest.mark.parametrize("statement", ["d=2", r"\sin x=\frac12", "f(1)=2", "x_1+x_2=4", "m>2", "f'(x)=3x^2-3"])
def test_what_is_supposed_or_denied_is_not_stated(statement, frame):
    assert ALGEBRA.fulfils(statement, frame.format(statement)).result is U


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        ("d=2", "d≠2"),
        ("d=2", r"d\ne 2"),
        ("d=2", r"d\neq2"),
        ("d=2", r"d\not=2"),
        ("d=2", "d不是2"),
        ("x=1", "令x=1，得f(1)=2"),
        ("d=2", "设d=2"),
        ("d=2", r"\cancel{d=2}"),
        ("d=2", "d=2？"),
    ],
)
def test_an_inequality_or_a_question_is_no_value(expected, line):
    assert ALGEBRA.fulfils(expected, line).result is not P


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        ("x=2", "x=2 或 x=-3(不合题意，舍去)"),
        ("x=2", "x=-3不合题意，舍去，x=2"),
        ("x=2", "x=2（负值舍去）"),
        ("x=2", "x=2或x=-3，舍去x=-3，所以x=2"),
        (r"\sin x=\frac12", r"\sin x=-2（舍）或\sin x=\frac12"),
        ("S=5", "用错位相减法得S=5"),
        ("d=2", "d=2，与题意相符"),
        ("f(1)=2", "令x=1，得f(1)=2"),
        ("f'(x)=0", r"令f'(x)=0得x=\pm1"),
        ("t=x^2", "令t=x^2"),
        ("a_1=3", "当n=1时，a_1=S_1=3"),
        ("m≥2", "要使f(x)≥0恒成立，则m≥2"),
        ("d=2", "解：由题意得 d=2"),
        ("d=2", "∴ d=2."),
        ("d=2", "答：d=2"),
        ("d=2", "(1) d=2"),
        ("d=2", "②d=2"),
        ("x=2", "由①-②得x=2"),
        ("d=2", "若y=7，则d=5。所以d=2"),
        ("当x=2时，y=4", "当x=2时，y=4"),
    ],
)
def test_what_is_said_beside_it_is_still_stated(expected, line):
    assert ALGEBRA.fulfils(expected, line).result is P


def test_only_what_is_said_to_be_so_is_asserted():
    assert ALGEBRA.asserts("若d=2，则a_1=3") == ()
    assert ALGEBRA.asserts("d=2(舍去)") == ()
    assert ALGEBRA.asserts("若d=2，则a_1=3。所以S=5") == (("S", "5"),)


def test_a_false_equality_is_false_under_a_condition_too():
    assert ALGEBRA.sound("若n=1，则S=30+80=120").result is R
