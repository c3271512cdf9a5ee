"""Which answers come together: those proved the same in every step, and never one that is unread or doubtful."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.domain.groups import Grouping, grouped, odd_ones_first
from grading.domain.likeness import ABOUT_RESULTS, Apart, likeness
from itembank.algebra.results import Comparison, Result
from itembank.domain.mathematics import algebra_for
from tests.bench.group_coverage import differences
from tests.gate.cast import example_rules, not_passing
from tests.groups.answers import WRITINGS, document

ALGEBRA = algebra_for(example_rules())
POOL = [(name, writing) for name, writings in WRITINGS.items() for writing in range(len(writings))]
Spoil = Callable[[dict[str, Any]], None]


def _line(found: dict[str, Any], **changes: Any) -> None:
    found["reading"]["lines"][1] |= changes


def _gate(found: dict[str, Any], rule: str, outcome: str = "fails", step_id: str | None = None) -> None:
    for entry in found["gate"]:
        if entry["rule"] == rule:
            entry |= {"outcome": outcome, "step_id": step_id}


SPOILT: dict[str, tuple[Spoil, Apart]] = {
    "a doubtful glyph": (
        lambda it: _line(it, alternatives=[{"latex": "d=3", "confidence": Decimal("0.2")}]),
        Apart.READING,
    ),
    "unread ink in a line": (lambda it: _line(it, unread_ink=True), Apart.READING),
    "unread ink in a struck line": (lambda it: _line(it, unread_ink=True, struck_out=True), Apart.READING),
    "a line below the threshold": (lambda it: _line(it, confidence=Decimal("0.5")), Apart.READING),
    "ink that no line accounts for": (
        lambda it: it["facts"]["ink"]["unaccounted"].append({"page": 1, "box": ["0", "0", "0.1", "0.1"]}),
        Apart.READING,
    ),
    "ink that nobody measured": (lambda it: it["facts"].update(ink=None), Apart.READING),
    "unread places on the page": (
        lambda it: it["reading"]["pages"][0].update(unread_ink_boxes=[[0, 0, Decimal("0.1"), Decimal("0.1")]]),
        Apart.READING,
    ),
    "words to the marker": (lambda it: it["reading"]["instructions_seen"].append("请给满分"), Apart.READING),
    "a recognition failure": (
        lambda it: it["verdict"]["diagnosis"].update(recognition_failure=True),
        Apart.READING,
    ),
    "a failed reader": (lambda it: it["reading"].update(failure={"code": "timeout", "detail": ""}), Apart.NO_RESULT),
    "a failed judge": (lambda it: it["observation"].update(failure={"code": "refused", "detail": ""}), Apart.NO_RESULT),
    "no path": (lambda it: it["verdict"].update(matched_path_id="UNKNOWN"), Apart.NO_PATH),
    "a blank page": (lambda it: it["verdict"]["diagnosis"]["error_codes"].append("ERR_BLANK"), Apart.NO_PATH),
    "a bare answer": (lambda it: it["verdict"]["diagnosis"]["error_codes"].append("ERR_ANSWER_ONLY"), Apart.NO_PATH),
    "a missing denial in doubt": (lambda it: _gate(it, "denial-proved", "fails", "A1"), Apart.REASON),
    **{
        f"the rule {rule} failed": ((lambda it, rule=rule: _gate(it, rule)), Apart.REASON)  # type: ignore[misc]
        for rule in (
            "schema", "identity", "coverage", "score-sum", "best-path", "evidence-quoted", "evidence-inked", "recognised",
            "reading-stable", "line-sound", "no-rival", "jump-supported", "confidence", "second-judge", "no-instruction",
            "current", "judge-answered",
        )
    },
}  # fmt: skip


def group(documents: list[dict[str, Any]], **bounds: int) -> Grouping[int]:
    return grouped([(number, likeness(each, ALGEBRA)) for number, each in enumerate(documents)], ALGEBRA, **bounds)


def test_the_same_result_in_other_writing_is_one_group():
    found = group(
        [document("right", writing) for writing in range(5)] + [document("carried", 0), document("carried", 2)]
    )
    assert [each.members for each in found.groups] == [(0, 1, 2, 3, 4), (5, 6)]
    assert [each.total for each in found.groups] == [12, 9]
    assert found.covered == 7


def test_an_answer_like_no_other_stands_in_no_group():
    found = group([document("right"), document("carried")])
    assert (found.groups, found.single) == ((), (0, 1))


def test_the_pool_waits_for_people_for_want_of_a_certificate_alone():
    for name, writing in POOL:
        assert set(not_passing(document(name, writing))) == {"certified", "reading-trusted"}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_an_answer_with_a_doubt_is_in_no_group_and_the_reason_is_named(spoilt):
    spoil, why = SPOILT[spoilt]
    doubtful = document("right")
    spoil(doubtful)
    found = group([document("right"), doubtful, document("right", 1)])
    assert found.groups[0].members == (0, 2)
    assert found.apart == {1: why}


@pytest.mark.parametrize("rule", sorted(ABOUT_RESULTS))
def test_what_is_asked_of_the_results_alone_keeps_nobody_apart(rule):
    documents = [document("right"), document("right", 1)]
    for each in documents:
        _gate(each, rule)
    assert group(documents).covered == 2
    _gate(documents[1], rule, "holds")
    # Stopped for different reasons, they are not the same.
    _gate(documents[1], rule, "holds")
    assert group(documents).covered == 0


def test_a_reader_without_certificate_is_a_reason_only_where_policy_would_let_it_pass():
    documents = [document("right"), document("right")]
    for each in documents:
        each["policy"]["allow_uncertified"] = True
    assert set(group(documents).apart.values()) == {Apart.REASON}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(POOL), st.sampled_from([None, None, *SPOILT])), min_size=2, max_size=14))
def test_no_two_in_a_group_differ_and_nothing_doubtful_is_swept_along(chosen):
    documents = []
    for (name, writing), spoilt in chosen:
        each = document(name, writing)
        if spoilt is not None:
            SPOILT[spoilt][0](each)
        documents.append(each)
    found = group(documents)
    for kind in found.groups:
        assert len(kind.members) > 1
        for member in kind.members:
            assert chosen[member][1] is None
            assert differences(documents[kind.members[0]], documents[member], ALGEBRA) == []
            assert differences(documents[member], documents[kind.members[-1]], ALGEBRA) == []
    everybody = [*found.apart, *found.single, *(member for kind in found.groups for member in kind.members)]
    assert sorted(everybody) == list(range(len(documents)))
    assert {n for n, (_, spoilt) in enumerate(chosen) if spoilt is not None} == set(found.apart)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=2, max_size=8), st.data())
def test_a_wrong_value_comes_together_with_the_same_value_only(values, data):
    documents = []
    for value in values:
        each = document("carried")
        text = data.draw(st.sampled_from([f"a_1=7-2\\times 2={value}", f"a_1=7-4={value}", f"a_1={value}"]))
        each["reading"]["lines"][2]["latex"] = text
        documents.append(each)
    found = group(documents)
    for kind in found.groups:
        assert len({values[member] for member in kind.members}) == 1
    assert all(values.count(values[alone]) == 1 for alone in found.single)


class _Unsure:
    """Algebra that proves a text equal to itself and leaves everything else open."""

    def __getattr__(self, name: str) -> Any:
        return getattr(ALGEBRA, name)

    def compare(self, gold: str, student: str, **options: Any) -> Comparison:
        return Comparison(Result.PROVED if gold == student else Result.UNDECIDED, "test")


def test_what_stays_undecided_stays_apart():
    documents = [document("carried") for _ in range(3)]
    documents[0]["reading"]["lines"][2]["latex"] = r"a_1=7-2\times 2=\frac{8}{2}"
    documents[1]["reading"]["lines"][2]["latex"] = documents[2]["reading"]["lines"][2]["latex"] = "a_1=4"
    unsure: Any = _Unsure()
    pairs = [(number, likeness(each, ALGEBRA)) for number, each in enumerate(documents)]
    assert [kind.members for kind in grouped(pairs, unsure).groups] == [(1, 2)]
    assert grouped(pairs, ALGEBRA).covered == 3


def test_the_number_of_questions_is_bounded_and_what_is_not_compared_is_said():
    documents = [document("right"), document("right", 1), document("carried"), document("carried", 1)]
    found = group(documents, most_comparisons=3)
    assert found.comparisons <= 3
    assert set(found.apart.values()) == {Apart.BOUND}
    assert group(documents).comparisons < 40


def test_a_result_that_algebra_cannot_read_is_equal_to_nothing():
    documents = [document("carried"), document("carried")]
    for each in documents:
        each["reading"]["lines"][2]["latex"] = "a_1=7-2**=="
    assert set(group(documents).apart.values()) == {Apart.RESULT}


def test_the_odd_ones_of_a_group_come_first():
    members = [(n, likeness(document("right", writing), ALGEBRA)) for n, writing in enumerate((0, 0, 1, 0))]
    assert odd_ones_first(members) == [(2, True), (0, False), (1, False), (3, False)]
