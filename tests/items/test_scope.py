"""Gate 2: what is like another item, and what is beyond its stage."""

from __future__ import annotations

import pytest

from config.foundation.errors import UnusableInput
from itembank.domain.gates import Outcome
from itembank.domain.item_gates import check_items
from itembank.domain.items import read_item
from itembank.domain.knowledge import FILE, read_tree, shipped_tree
from itembank.domain.scope_gate import Neighbourhood, check_scope, neighbour_of
from tests.items.cast import fill_in, full_solution, single, worked_example

ARITHMETIC = full_solution()["stem"]


def said(document, *others):
    known = Neighbourhood([neighbour_of(read_item(one)) for one in others])
    outcome = check_scope(read_item(document), known)
    return outcome.outcome, [one.code for one in outcome.detail]


def test_an_item_like_no_other_passes():
    assert said(worked_example(), single(), fill_in(), full_solution()) == (Outcome.PASSED, [])


def test_the_same_text_is_refused_whatever_its_spacing_width_and_punctuation():
    twin = fill_in(item_id="twin", stem=r"方程  $2x - 3 = 0$ 的解是，$x=$ ____．")
    assert said(twin, fill_in()) == (Outcome.FAILED, ["duplicate"])


def test_changed_numbers_ask_a_person():
    variant = fill_in(
        item_id="v", stem="方程 $7x-11=0$ 的解是 $x=$ ____ 。", answer={"values": [{"accepted": ["11/7"]}]}
    )
    assert said(variant, fill_in()) == (Outcome.UNDECIDED, ["near-duplicate"])


def test_changed_names_and_numbers_have_the_same_shape():
    other = ARITHMETIC.replace("a_", "b_").replace("a_3=7", "b_2=5").replace("15", "23")
    assert said(full_solution(item_id="v", stem=other), full_solution())[1] == ["near-duplicate"]


def test_other_words_with_the_same_answer_are_a_variant():
    other = ARITHMETIC.replace("已知等差数列", "若等差数列").replace("求其前 10 项和", "试求它的前 10 项之和")
    assert said(full_solution(item_id="v", stem=other), full_solution())[1] in (["same-answer"], ["near-duplicate"])


def test_another_task_with_the_same_words_is_no_duplicate():
    other = fill_in(item_id="v", stem="方程 $2x-3=0$ 的解与方程 $x^2-ax+1=0$ 的一个根相等，则 $a=$ ____ 。")
    assert said(other, fill_in()) == (Outcome.PASSED, [])


def test_versions_of_one_item_are_not_duplicates_of_each_other():
    assert said(fill_in(title="又一版"), fill_in()) == (Outcome.PASSED, [])


def test_items_of_one_file_are_compared_with_those_before_them():
    checked = list(check_items([single(), single(item_id="again")], [1, 2]))
    assert [one.outcomes[1].outcome for one in checked] == [Outcome.PASSED, Outcome.FAILED]
    assert not any(one.released for one in checked)


@pytest.mark.parametrize(
    "changes",
    [
        {"knowledge_points": ["calculus.derivative"]},
        {"stem": r"计算 $\int_0^1 x\,dx=$ ____ 。"},
        {"stem": r"已知 $f(x)=x^2$，则 $f'(1)=$ ____ 。"},
        {"stem": r"$\log_2 8=$ ____ 。"},
        {"stem": r"$|\overrightarrow{AB}|=$ ____ 。"},
        {"stage": "primary", "stem": r"$\sqrt{4}=$ ____ 。"},
    ],
)
def test_what_is_beyond_the_stage_fails(changes):
    outcome, codes = said(fill_in(**changes))
    assert outcome is Outcome.FAILED
    assert set(codes) == {"beyond-stage"}


def test_the_same_notation_is_fine_in_its_stage():
    document = fill_in(
        stage="senior", stem=r"计算 $\log_2 8=$ ____ 。", knowledge_points=["algebra.functions.logarithm"]
    )
    assert said(document) == (Outcome.PASSED, [])


def test_a_point_that_the_tree_does_not_know_asks_a_person():
    assert said(fill_in(knowledge_points=["algebra.magic"])) == (Outcome.UNDECIDED, ["unknown-point"])


def test_the_shipped_tree_has_a_way_to_each_point():
    tree = shipped_tree()
    assert len(tree) > 70
    for point in tree:
        assert tree.way(point.point_id)[-1] is point
        assert all(upper.point_id in tree for upper in tree.way(point.point_id))
    assert FILE.exists()


@pytest.mark.parametrize(
    ("rows", "number"),
    [
        ([{"id": "a", "zh": "甲", "en": "A"}], 1),
        ([{"id": "a.b", "zh": "甲", "en": "A", "stage": "junior"}], 1),
        ([{"id": "a", "zh": "甲", "en": "A", "stage": "junior"}] * 2, 2),
        ([{"id": "a", "zh": "甲", "en": "A", "stage": "junior"}, {"id": "a.b", "zh": "乙", "en": "B", "stage": "primary"}], 2),
        ([{"id": "A b", "zh": "甲", "en": "A", "stage": "junior"}], 1),
        ([{"id": "a", "zh": "甲", "en": "A", "stage": "大学"}], 1),
    ],
)  # fmt: skip
def test_a_bad_tree_is_refused_with_the_row(rows, number):
    with pytest.raises(UnusableInput) as refused:
        read_tree({"points": rows})
    assert f"第 {number} 项" in refused.value.zh
    assert f"point {number}:" in refused.value.en
