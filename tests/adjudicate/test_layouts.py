"""One answer in several layouts: which lines stand for which step of Path_A of the worked example."""

from __future__ import annotations

import pytest

PLAIN = {
    "A1": ("L1",),
    "A2": ("L2",),
    "A3": ("L3",),
    "A4": ("L4",),
    "A5": ("L5",),
}
RELATION, DIFFERENCE, FIRST = "a_7-a_3=4d", r"d=\frac{15-7}{4}=2", r"a_1=a_3-2d=7-2\times 2=3"
FORMULA, SUM = "S_{10}=10a_1+45d", r"S_{10}=10\times 3+45\times 2=120"

LAYOUTS = {
    "one line for each step": ([RELATION, DIFFERENCE, FIRST, FORMULA, SUM], PLAIN),
    "formula and sum merged into one chain": (
        [RELATION, DIFFERENCE, FIRST, r"S_{10}=10a_1+45d=10\times 3+45\times 2=120"],
        PLAIN | {"A5": ("L4",)},
    ),
    "two results on one line with a comma": (
        [RELATION, "d=2，a_1=3", FORMULA, SUM],
        {"A1": ("L1",), "A2": ("L2",), "A3": ("L2",), "A4": ("L3",), "A5": ("L4",)},
    ),
    "joined by words": (
        [f"由 {RELATION}", "得 d=2，所以 a_1=3", f"则 {FORMULA}", f"故 {SUM}"],
        {"A1": ("L1",), "A2": ("L2",), "A3": ("L2",), "A4": ("L3",), "A5": ("L4",)},
    ),
    "a step split over working and result": (
        [RELATION, "4d=8", "d=2", FIRST, FORMULA, r"S_{10}=10\times 3+45\times 2", "S_{10}=120"],
        {"A1": ("L1",), "A2": ("L3",), "A3": ("L4",), "A4": ("L5",), "A5": ("L7",)},
    ),
    "a result said again at the end": (
        [RELATION, DIFFERENCE, FIRST, FORMULA, SUM, "d=2"],
        PLAIN,
    ),
    "struck out and written anew": (
        [RELATION, "~~d=4", DIFFERENCE, FIRST, FORMULA, "~~S_{10}=210", SUM],
        {"A1": ("L1",), "A2": ("L3",), "A3": ("L4",), "A4": ("L5",), "A5": ("L7",)},
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_work_is_right_in_every_layout_and_stands_where_it_was_written(layout, judged):
    lines, places = LAYOUTS[layout]
    found = judged(*lines)
    assert found.statuses("Path_A") == ["VALID"] * 5
    assert {step: found.step(step).line_ids for step in places if step != "A2"} == {
        step: lines for step, lines in places.items() if step != "A2"
    }
    assert set(found.step("A2").line_ids) & {*places["A2"], "L6"}


def test_every_quote_is_what_stands_on_the_cited_lines(judged):
    for lines, _ in LAYOUTS.values():
        for step in judged(*lines).observation.paths["Path_A"]:
            assert step.quote == "\n".join(lines[int(one[1:]) - 1] for one in step.line_ids)


def test_a_merged_line_without_the_expression_of_a_step_does_not_serve_it(judged):
    found = judged(RELATION, DIFFERENCE, FIRST, r"S_{10}=10\times 3+45\times 2=120")
    assert found.step("A4").status != "VALID"
    assert found.step("A5").status == "VALID"


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["a_1=4", "a_1=3"], "VALID"),
        (["a_1=3", "a_1=4"], "INVALID"),
        (["a_1=3", "~~a_1=4"], "VALID"),
        (["a_1=4", "~~a_1=3"], "INVALID"),
    ],
)
def test_what_is_asserted_last_and_not_struck_out_is_the_students(lines, status, judged):
    assert judged(RELATION, DIFFERENCE, *lines).step("A3").status == status


def test_a_chain_that_breaks_on_the_way_asserts_its_end(judged):
    found = judged(RELATION, DIFFERENCE, FIRST, FORMULA, r"S_{10}=30+90=120=130")
    assert found.step("A5").status == "INVALID"
