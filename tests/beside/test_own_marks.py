"""回评: looking back on one's own last marks, and changing one until the results are released."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from config.foundation.models import Event
from grading import queries, transitions
from grading.models import Assessment, AssessmentState, Case, GivenMark, Mark, Touch
from review.forms import field
from review.views.screen import screen_token
from tests.grading.test_together import at_once
from tests.review import factory
from tests.schemes.conftest import give, steps_worth

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(room: factory.Room, people: Any) -> Case:
    """王老师 gave 7."""
    made = room.add(factory.hand_worked_document())
    give(made, people.teacher, 7, blind=False, reason="第 4 步没有写出理由")
    return Case.objects.get(pk=made.pk)


def changed(case: Case, by: Any, total: int, reason: str = "第 4 步其实写了", version: int | None = None) -> Mark:
    return transitions.change_own_mark(
        case, by=by, version=case.version if version is None else version, steps=steps_worth(total),
        total=Decimal(total), reason=reason,
    )  # fmt: skip


def sent(case: Case, total: int, **more: str) -> dict[str, str]:
    data = {"version": str(case.version), "screen": screen_token(case, list(case.response.pages.order_by("number")))}
    for step in steps_worth(total):
        key = (step["path_id"], step["step_id"])
        data |= {field("was", key): step["status"], field("status", key): step["status"]}
        data[field("score", key)] = str(step["score"])
    return data | {"reason": "第 4 步其实写了"} | more


def test_a_change_is_a_new_edition_beside_the_old_one_and_the_case_stays_closed(case, people):
    before = case.closed_at
    mark = changed(case, people.teacher, 9)
    case.refresh_from_db()
    assert [(each.edition, each.total) for each in case.marks.order_by("edition")] == [(1, 7), (2, 9)]
    assert (mark.by, mark.rule, mark.reason, case.closed_at) == (people.teacher, "sole", "第 4 步其实写了", before)
    assert mark.basis["changed"] == case.marks.get(edition=1).public_id
    assert queries.standing_mark(case) == mark
    # What was measured of the first judgement is not rewritten, and nobody's eyes have become fresher or staler.
    assert GivenMark.objects.get().total == 7
    assert Touch.objects.count() == 1


def test_the_event_says_what_changed_without_its_words_and_the_chain_holds(case, people):
    changed(case, people.teacher, 9)
    event = Event.objects.get(verb="change_mark")
    assert (event.body["was"], event.body["after"], event.body["has_reason"]) == ("7", "9", True)
    assert "第 4 步" not in str(event.body)
    assert queries.broken_link_of(case) is None


def test_a_change_needs_a_reason_and_a_difference(case, people):
    with pytest.raises(UnusableInput, match=r"own_mark\.reason"):
        changed(case, people.teacher, 9, reason="  ")
    with pytest.raises(UnusableInput, match=r"own_mark\.same"):
        changed(case, people.teacher, 7)
    assert Mark.objects.count() == 1


def test_only_ones_own_standing_mark_is_changed(case, people, second):
    with pytest.raises(NotAllowedNow, match=r"own_mark\.not_own"):
        changed(case, second, 9)
    with pytest.raises(NotAllowedNow, match=r"own_mark\.not_own"):
        changed(case, people.leader, 9)
    transitions.return_mark(case, by=people.leader, version=case.version, reason="重看")
    with pytest.raises(NotAllowedNow, match=r"own_mark\.open"):
        changed(case, people.teacher, 9)
    give(case, second, 12, blind=False)
    with pytest.raises(NotAllowedNow, match=r"own_mark\.not_own"):
        changed(Case.objects.get(pk=case.pk), people.teacher, 9)
    assert [mark.total for mark in Mark.objects.order_by("edition")] == [7, 12]


def test_after_release_only_an_appeal_changes_a_mark(case, people):
    Assessment.objects.update(state=AssessmentState.RELEASED)
    with pytest.raises(NotAllowedNow, match=r"own_mark\.released"):
        changed(Case.objects.get(pk=case.pk), people.teacher, 9)
    assert Mark.objects.count() == 1


def test_a_mark_agreed_from_several_is_no_ones_to_change(room, people, second, scheme):
    scheme("2+1")
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9)
    give(case, second, 10)
    case = Case.objects.get(pk=case.pk)
    assert case.closed_at is not None
    for person in (people.teacher, second):
        with pytest.raises(NotAllowedNow, match=r"own_mark\.shared"):
            changed(case, person, 12)


def test_a_mark_that_stands_by_its_nearness_to_the_machines_is_not_moved_away_from_it(room, people, scheme):
    scheme("AI+1")
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9)
    case = Case.objects.get(pk=case.pk)
    assert case.closed_at is not None
    with pytest.raises(NotAllowedNow, match=r"own_mark\.shared"):
        changed(case, people.teacher, 2)


def test_a_machines_own_mark_is_nobodys_to_change(room, people):
    accepted = room.add(factory.hand_worked_document(failing=()))
    with pytest.raises(NotAllowedNow):
        changed(accepted, people.teacher, 12)


def test_a_stale_change_is_refused_and_says_so(case, people, as_person):
    version = case.version
    changed(case, people.teacher, 9)
    with pytest.raises(SomeoneWasFaster):
        changed(Case.objects.get(pk=case.pk), people.teacher, 12, version=version)
    answer = as_person(people.teacher).post(
        reverse("review:change", args=[case.public_id]), sent(case, 12, version=str(version))
    )
    assert answer.status_code == 409
    assert Mark.objects.count() == 2


def test_the_page_opens_with_the_mark_as_it_stands_and_saves_the_change(case, people, as_person):
    client, address = as_person(people.teacher), reverse("review:change", args=[case.public_id])
    body = client.get(address).content.decode()
    assert '<output class="total number" id="total" aria-live="polite">7</output>' in body
    refused = client.post(address, sent(case, 9, reason=""))
    assert refused.status_code == 422
    assert "请写明改分的理由" in refused.content.decode()
    saved = client.post(address, sent(case, 9))
    assert saved["Location"].startswith(reverse("review:own-marks", args=[case.response.question.assessment.public_id]))
    assert Mark.objects.get(edition=2).total == 9


def test_a_change_lands_only_on_the_answer_whose_image_is_on_the_screen(case, room, people, as_person):
    other = room.add(factory.hand_worked_document())
    wrong = screen_token(other, list(other.response.pages.all()))
    answer = as_person(people.teacher).post(
        reverse("review:change", args=[case.public_id]), sent(case, 9, screen=wrong)
    )
    assert answer.status_code == 409
    assert Mark.objects.count() == 1


def test_what_is_not_ones_own_leads_back_to_the_answer_with_the_cause(case, second, as_person):
    client = as_person(second)
    answer = client.get(reverse("review:change", args=[case.public_id]), follow=True)
    assert answer.redirect_chain == [(reverse("review:case", args=[case.public_id]), 302)]
    assert "之后由他人定分" in answer.content.decode()
    assert client.post(reverse("review:change", args=[case.public_id]), sent(case, 9)).status_code == 409


def test_the_list_holds_ones_own_marks_alone_newest_first_of_one_question(case, room, people, second, as_person):
    newer, others = room.add(factory.hand_worked_document()), room.add(factory.hand_worked_document())
    give(newer, people.teacher, 9, blind=False)
    give(others, second, 9, blind=False)
    address = reverse("review:own-marks", args=[room.assessment.public_id])
    body = as_person(people.teacher).get(f"{address}?question={room.question.public_id}").content.decode()
    assert body.index(newer.response.code) < body.index(case.response.code)
    assert others.response.code not in body
    for each in (case, newer):
        assert reverse("review:change", args=[each.public_id]) in body


def test_an_answer_to_be_marked_blind_again_shows_its_marker_nothing_new(case, people, second, scheme, as_person):
    scheme("2+1")
    transitions.return_mark(case, by=people.leader, version=case.version, reason="重看")
    give(case, second, 11, reason="秘密理由")
    address = reverse("review:own-marks", args=[case.response.question.assessment.public_id])
    body = as_person(people.teacher).get(address).content.decode()
    assert "须重新盲评" in body
    assert "11" not in re.sub(r"\d\d-\d\d \d\d:\d\d", "", body.split("<tbody>")[1].split("</tbody>")[0])
    assert "秘密理由" not in body


def test_the_list_costs_the_same_for_one_mark_and_for_many(case, room, people, as_person):
    client, counts = as_person(people.teacher), []
    address = reverse("review:own-marks", args=[room.assessment.public_id])
    for more in (0, 6):
        for _ in range(more):
            give(room.add(factory.hand_worked_document()), people.teacher, 9, blind=False)
        client.get(address)
        with CaptureQueriesContext(connection) as caught:
            assert client.get(address).status_code == 200
        counts.append(len(caught))
    assert counts[0] == counts[1]


@pytest.mark.django_db(transaction=True)
def test_of_two_changes_at_once_one_stands_and_the_other_is_told(transactional_db, people, data_dir):
    room = factory.make_room(people)
    made = room.add(factory.hand_worked_document())
    give(made, people.teacher, 7, blind=False)
    version = Case.objects.get(pk=made.pk).version

    def change(number: int) -> bool:
        own = Case.objects.select_related("response__question__rules", "response__question__assessment").get(pk=made.pk)
        try:
            changed(own, people.teacher, 8 + number % 4, version=version)
        except SomeoneWasFaster:
            return False
        return True

    assert sum(at_once(change)) == 1
    assert Mark.objects.count() == 2
    assert Event.objects.filter(verb="change_mark").count() == 1
