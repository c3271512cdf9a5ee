"""Characters become LaTeX; look-alikes are put right only where the context leaves no choice."""

import pytest

from grading.judges.embedded.recogniser import Candidate
from grading.judges.embedded.repair import Token, doubt, latex, other_case, repaired, token
from grading.judges.embedded.scripts import Place

SMALL = frozenset("acemnorsuvwxz")


def line(text: str) -> list[Token]:
    """Tokens of a text in which ^ and _ raise or lower the next character, at ordinary heights."""
    tokens, place = [], Place.MAIN
    for char in text:
        if char in "^_":
            place = Place.SUPER if char == "^" else Place.SUB
            continue
        height = 0.7 if char in SMALL or char in "×+" else 1.0
        tokens.append(token([Candidate(char, 0.99)], place, height, 0.0))
        place = Place.MAIN
    return tokens


def read(text: str) -> str:
    return latex(repaired(line(text))[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x^2-5x+6=0", "x^{2}-5x+6=0"),
        ("a_n=2n-1", "a_{n}=2n-1"),
        ("C_8^2=28", "C_{8}^{2}=28"),
        ("x²+1", "x^{2}+1"),
        ("a₁+d", "a_{1}+d"),
        ("3×4=12", r"3\times4=12"),
        ("3×+1=4", "3x+1=4"),
        ("e^2^×=1", "e^{2x}=1"),
        ("cosA=1", r"\cos A=1"),
        ("absinC", r"ab\sin C"),
        ("x＝2或x＝3", "x=2或x=3"),
        ("f′(x)=3", "f'(x)=3"),
        ("△=16-12", r"\Delta=16-12"),
        ("△ABC", r"\triangle ABC"),
        ("A=60^0", r"A=60^{\circ}"),
        ("A=60°", r"A=60^{\circ}"),
        ("2^0=1", "2^{0}=1"),
        ("x≥3", r"x\geq3"),
        ("x=l2", "x=12"),
        ("x=1O", "x=10"),
        ("2π", r"2\pi"),
    ],
)
def test_characters_become_latex(text: str, expected: str) -> None:
    assert read(text) == expected


def test_every_repair_is_recorded_with_its_reason() -> None:
    tokens, repairs = repaired(line("3×+1"))

    assert [(one.before, one.after) for one in repairs] == [("×", "x")]
    assert repairs[0].reason
    assert tokens[1].raw == "×"


def test_a_rival_that_means_the_same_here_adds_certainty_instead_of_doubt() -> None:
    doubtful = token([Candidate("x", 0.6), Candidate("×", 0.3), Candidate("n", 0.1)], Place.MAIN, 0.7, 0.0)
    tokens, _ = repaired([doubtful, *line("=3")])

    assert tokens[0].char == "x"
    assert tokens[0].probability == pytest.approx(0.9)
    assert [rival.char for rival in tokens[0].rivals] == ["n"]


def test_letters_of_one_shape_are_told_apart_by_size_and_named_where_size_leaves_both() -> None:
    low, middling, tall = (token([Candidate("S", 0.99)], Place.MAIN, height, 0.0) for height in (0.65, 0.82, 1.0))

    assert repaired([low])[0][0].char == "s"
    assert other_case(middling) == "s"
    assert other_case(tall) is None


def test_one_and_seven_are_doubted_sooner_than_other_figures() -> None:
    assert doubt("1", "7") < doubt("1", "4") < doubt("x", "n")


def test_signs_that_could_smuggle_latex_are_dropped() -> None:
    assert latex(line("x=2\\$#&")) == "x=2"


def test_a_lone_cross_between_two_fractions_is_a_product() -> None:
    (cross,), repairs = repaired(line("x"), more_follows=True, between=True)

    assert cross.char == "×"
    assert repairs[0].before == "x"
    assert repaired(line("x"))[0][0].char == "x"
