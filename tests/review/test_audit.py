"""Spot checks: a seeded sample, marked blind, never by somebody who has had the answer in hand."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import transitions
from grading.models import Touch
from grading.queries import broken_link_of, trail_of
from review import queries
from review.models import AuditSample
from review.transitions import commit_audit, draw_sample
from tests.review import factory

STEPS = [("A1", "VALID", 2), ("A2", "VALID", 2), ("A3", "INVALID", 0), ("A4", "VALID", 3), ("A5", "ECF_GRANTED", 2)]


def steps(**changed) -> list[dict[str, Any]]:
    return [
        {"path_id": "Path_A", "step_id": step_id, "status": changed.get(step_id, (status, 0))[0],
         "score": Decimal(changed[step_id][1] if step_id in changed else score)}
        for step_id, status, score in STEPS
    ]  # fmt: skip


@pytest.fixture
def decided(room):
    for _ in range(8):
        room.add(factory.hand_worked_document(failing=()))
    return room


def drawn(sample) -> list[int]:
    return [item.mark_id for item in sample.items.order_by("position")]


def test_the_same_seed_draws_the_same_sample_and_another_seed_another(decided, people):
    first, again, other = (
        draw_sample(decided.assessment, size=5, seed=seed, source="ANY", by=people.auditor) for seed in ("a", "a", "b")
    )
    assert drawn(first) == drawn(again)
    assert drawn(first) != drawn(other)
    assert (first.population, first.size) == (8, 5)


def test_a_sample_may_be_of_the_machines_marks_only(decided, people):
    case = transitions.claim(decided.add(factory.hand_worked_document()), by=people.teacher)
    transitions.decide(case, by=people.teacher, version=case.version, steps=steps(), total=Decimal(9), reason="")
    machine = draw_sample(decided.assessment, size=50, seed="a", source="MACHINE", by=people.auditor)
    person = draw_sample(decided.assessment, size=50, seed="a", source="PERSON", by=people.auditor)
    assert (machine.size, person.size) == (8, 1)


def test_answers_the_auditor_has_had_in_hand_are_not_drawn(decided, people):
    touched = decided.cases[0]
    transitions.touch(touched.response, person=people.auditor, role="marker")
    sample = draw_sample(decided.assessment, size=50, seed="a", source="ANY", by=people.auditor)
    assert sample.size == 7
    assert touched.pk not in {item.mark.case_id for item in sample.items.all()}


@pytest.mark.parametrize(
    ("size", "seed", "source"), [(0, "a", "ANY"), (501, "a", "ANY"), (3, "", "ANY"), (3, "a", "X")]
)
def test_a_draw_that_makes_no_sense_is_refused(size, seed, source, decided, people):
    with pytest.raises(UnusableInput):
        draw_sample(decided.assessment, size=size, seed=seed, source=source, by=people.auditor)
    assert not AuditSample.objects.exists()


def test_with_nothing_decided_there_is_nothing_to_draw(room, people):
    room.add(factory.hand_worked_document())
    with pytest.raises(NotAllowedNow):
        draw_sample(room.assessment, size=1, seed="a", source="ANY", by=people.auditor)


def test_committing_writes_once_leaves_the_mark_and_continues_the_chain(decided, people):
    item = draw_sample(decided.assessment, size=1, seed="a", source="ANY", by=people.auditor).items.get()
    commit_audit(item, by=people.auditor, steps=steps(A3=("VALID", 2)), total=Decimal(11), comment="")
    item.mark.refresh_from_db()
    assert (item.total, item.mark.total) == (Decimal(11), Decimal(9))
    assert trail_of(item.mark.case)[-1].verb == "audit"
    assert broken_link_of(item.mark.case) is None
    assert Touch.objects.filter(response=item.mark.case.response, person=people.auditor).exists()
    with pytest.raises((NotAllowedNow, SomeoneWasFaster)):
        commit_audit(item, by=people.auditor, steps=steps(), total=Decimal(9), comment="")
    with pytest.raises(SomeoneWasFaster):
        commit_audit(item, by=people.leader, steps=steps(), total=Decimal(9), comment="")


def test_nobody_audits_what_they_touched_after_the_draw(decided, people):
    item = draw_sample(decided.assessment, size=1, seed="a", source="ANY", by=people.auditor).items.get()
    transitions.touch(item.mark.case.response, person=people.auditor, role="marker")
    with pytest.raises(NotAllowedNow):
        commit_audit(item, by=people.auditor, steps=steps(), total=Decimal(9), comment="")
    item.refresh_from_db()
    assert item.committed_at is None


def test_a_sum_that_does_not_add_up_is_refused(decided, people):
    item = draw_sample(decided.assessment, size=1, seed="a", source="ANY", by=people.auditor).items.get()
    with pytest.raises(UnusableInput):
        commit_audit(item, by=people.auditor, steps=steps(), total=Decimal(10), comment="")


def test_the_comparison_counts_differences_from_the_committed_marks(decided, people):
    sample = draw_sample(decided.assessment, size=4, seed="a", source="ANY", by=people.auditor)
    totals = [steps(), steps(A3=("VALID", 2)), steps(A4=("GAP_DEDUCTION", 2))]
    for item, own in zip(sample.items.order_by("position"), totals, strict=False):
        commit_audit(item, by=people.auditor, steps=own, total=sum(step["score"] for step in own), comment="")
    found = queries.comparison_of(sample)
    assert (found.committed, found.size, found.exact, found.at_least_one, found.at_least_two) == (3, 4, 1, 2, 1)
    assert [row.difference for row in found.rows] == [Decimal(2), Decimal(-1), Decimal(0)]
    assert found.rows[0].steps == (("A3", "INVALID", "VALID"),)
    assert (found.mean, found.absolute_mean) == (Decimal("0.33"), Decimal("1.00"))
    assert found.exact_share == Decimal("33.3")


def test_the_blind_page_shows_the_image_and_the_rules_but_nothing_of_the_machine(decided, people, as_person):
    item = draw_sample(decided.assessment, size=1, seed="a", source="ANY", by=people.auditor).items.get()
    body = as_person(people.auditor).get(reverse("review:audit-item", args=[item.public_id])).content.decode()
    assert "求出首项" in body
    assert f'src="/pages/{item.mark.case.response.pages.get().public_id}/screen/"' in body
    # The list of keys after the sheet names what every desk can do; what is judged here stands before it.
    sheet = body.split('id="sheet"')[1].split('id="help"')[0]
    for words in ("系统建议", "公式正确", "代数", "data-line=", " checked>", "置信度"):
        assert words not in sheet
    assert "<rect" not in body.split('class="workplace"')[1].split('id="sheet"')[0]


def test_the_auditor_works_through_a_sample_in_the_browser_without_script(decided, people, as_person):
    client = as_person(people.auditor)
    answer = client.post(
        reverse("review:audits", args=[decided.assessment.public_id]), {"size": "2", "seed": "k", "source": "MACHINE"}
    )
    sample = AuditSample.objects.get()
    assert answer["Location"] == reverse("review:sample", args=[sample.public_id])
    first, second = sample.items.order_by("position")
    opened = client.post(reverse("review:next-item", args=[sample.public_id]))
    address = reverse("review:audit-item", args=[first.public_id])
    assert opened["Location"] == address
    unfinished = client.post(address, {"was:Path_A:A1": "", "status:Path_A:A1": "VALID"})
    assert unfinished.status_code == 422
    assert "步骤 A2 还没有判定" in unfinished.content.decode()
    sent: dict[str, str] = {}
    for step_id, status, score in STEPS:
        sent |= {
            f"was:Path_A:{step_id}": status,
            f"status:Path_A:{step_id}": status,
            f"score:Path_A:{step_id}": str(score),
        }
    done = client.post(address, sent, follow=True)
    assert done.redirect_chain[-1][0] == reverse("review:audit-item", args=[second.public_id])
    assert "与原评分一致，9 分" in done.content.decode()
    body = client.get(reverse("review:sample", args=[sample.public_id])).content.decode()
    assert "1 份中有 1 份完全一致（100.0 %）" in body


def test_a_bad_draw_keeps_what_was_typed(decided, people, as_person):
    answer = as_person(people.auditor).post(
        reverse("review:audits", args=[decided.assessment.public_id]), {"size": "abc", "seed": "mine", "source": "ANY"}
    )
    assert answer.status_code == 422
    assert 'value="mine"' in answer.content.decode()
    assert "抽查份数必须在 1 到 500 之间" in answer.content.decode()
