"""A doubtful character is settled where any other would make the line false, and only there."""

from __future__ import annotations

import pytest

from grading.judges.embedded.corroborate import PageLine, Weak, corroborated, same_kind


def doubted(latex: str, at: int, probability: float = 0.7) -> PageLine:
    """The line with the character at `at` in doubt."""
    others = same_kind(latex[at])
    variants = tuple(latex[:at] + other + latex[at + 1 :] for other in others)
    return PageLine(latex, False, Weak(latex[at], probability, variants))


def sure(latex: str) -> PageLine:
    return PageLine(latex, True)


def settled(*lines: PageLine) -> bool:
    return corroborated(lines)[0]


def test_a_figure_is_settled_by_the_equality_it_stands_in() -> None:
    line = r"S_{10}=10\times3+45\times2=120"
    assert settled(doubted(line, line.index("4")))


def test_a_figure_is_settled_by_values_that_stand_surely_on_other_lines() -> None:
    line = "S_{10}=10a_{1}+45d"
    assert settled(doubted(line, line.index("4")), sure("a_{1}=3"), sure("d=2"), sure("S_{10}=120"))


def test_unsure_lines_do_not_speak_for_others() -> None:
    line = "S_{10}=10a_{1}+45d"
    beside = [PageLine(text, False) for text in ("a_{1}=3", "d=2", "S_{10}=120")]
    assert not settled(doubted(line, line.index("4")), *beside)


def test_a_name_with_two_values_on_the_page_speaks_for_none() -> None:
    line = "S_{10}=10a_{1}+45d"
    assert not settled(doubted(line, line.index("4")), sure("a_{1}=3"), sure("d=2"), sure("d=3"), sure("S_{10}=120"))


def test_a_value_alone_settles_nothing() -> None:
    assert not settled(doubted("m=-1", 3))
    assert not settled(doubted(r"P=\frac{15}{28}", 8))


@pytest.mark.parametrize("beside", [[], [sure(r"P=\frac{15}{28}")], [sure(r"p=\frac{15}{28}")]])
def test_a_letter_that_could_as_well_be_the_other_case_is_not_settled(beside: list[PageLine]) -> None:
    """A confident misreading of P as p leaves every chain on the page true."""
    assert not settled(doubted(r"p=\frac{30}{56}=\frac{15}{28}", 0), *beside)


def test_a_line_that_is_false_as_read_is_not_settled() -> None:
    line = r"d=\frac{15-7}{4}=3"
    assert not settled(doubted(line, line.index("3")))


def test_a_sign_that_two_signs_would_make_true_is_not_settled() -> None:
    assert not settled(doubted("2+2=4", 1))
    assert settled(doubted("2+3=5", 1))


def test_a_figure_whose_change_is_cancelled_is_not_settled() -> None:
    assert not settled(doubted(r"0\times7=0", 7))


def test_a_character_that_was_hardly_seen_is_not_saved() -> None:
    line = r"S_{10}=10\times3+45\times2=120"
    assert not settled(doubted(line, line.index("4"), probability=0.55))


def test_a_character_without_others_of_its_kind_is_not_settled() -> None:
    assert not settled(doubted("解：2+3=5", 0))
