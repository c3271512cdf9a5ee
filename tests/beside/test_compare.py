"""Side by side: what the two panes show, which steps are marked as different, and what nobody sees by this way."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from django.urls import reverse

from grading import transitions
from grading.models import Candidate, Case
from review import sides
from review.views.compare import address_of
from tests.review import factory
from tests.schemes.conftest import give
from tests.schemes.test_blind_page import SECRETS, telling_document

pytestmark = pytest.mark.django_db


def at(case: Case, left: str = "", right: str = "", **more: str) -> str:
    sent = {"left": left, "right": right} | more
    query = "&".join(f"{name}={value}" for name, value in sent.items() if value)
    return f"{reverse('review:compare', args=[case.public_id])}?{query}"


def rows(body: str) -> dict[str, str]:
    """Each step's row of the page by its step id."""
    found = re.findall(r'<li class="beside-row.*?</li>', body, re.DOTALL)
    return {re.search(r"<code[^>]*>(.*?)</code>", row)[1]: row for row in found}  # type: ignore[index]


@pytest.fixture
def case(room: factory.Room) -> Case:
    return room.add(factory.hand_worked_document())


@pytest.fixture
def decided(case: Case, people: Any) -> Case:
    """The machine proposes 9 (step A3 wrong, A5 carried); 王老师 gives 7."""
    give(case, people.teacher, 7, blind=False, reason="第 4 步没有写出理由")
    return Case.objects.get(pk=case.pk)


def test_an_answer_stands_beside_the_reference_unless_something_else_is_named(case, people, as_person):
    body = as_person(people.teacher).get(at(case)).content.decode()
    assert "参考解答" in body
    assert "机器，第 1 次判读" in body
    assert 'class="solution"' in body
    assert body.count('class="beside-row') == 5
    assert "data-differs" not in body


def test_machine_and_person_differ_in_words_and_shape_not_only_in_colour(decided, people, as_person):
    left, right = f"{decided.public_id}.run.1", f"{decided.public_id}.mark.1"
    body = as_person(people.teacher).get(at(decided, left, right)).content.decode()
    run, mark = decided.run, decided.marks.get()
    assert run is not None
    expected = {
        step["step_id"]
        for step, given in zip(run.document["verdict"]["step_details"], mark.steps, strict=True)
        if (step["status"], str(step["score"])) != (given["status"], str(given["score"]))
    }
    assert expected
    for step_id, row in rows(body).items():
        assert ("data-differs" in row) == (step_id in expected), step_id
        assert ("≠" in row and "不同" in row) == (step_id in expected), step_id
    assert "总分不同" in body
    assert "第 4 步没有写出理由" in body


def test_two_editions_stand_beside_each_other(decided, people, second, as_person):
    transitions.return_mark(decided, by=people.leader, version=decided.version, reason="重看")
    give(decided, second, 12, blind=False)
    sent = [f"{decided.public_id}.mark.{edition}" for edition in (1, 2)]
    body = as_person(second).get(at(decided, *sent)).content.decode()
    assert "7 / 12" in body
    assert "12 / 12" in body
    assert {step for step, row in rows(body).items() if "data-differs" in row} == {"A4", "A5"}
    same = as_person(second).get(at(decided, sent[0], sent[0])).content.decode()
    assert "data-differs" not in same
    assert "没有不同的步骤" in same


def test_two_runs_of_the_judge_stand_beside_each_other(case, people, as_person):
    other = copy.deepcopy(factory.hand_worked_document())
    other["provenance"]["idempotency_key"] = "late"
    transitions.record_run(Case.objects.get(pk=case.pk), other, epoch=1)
    sent = [f"{case.public_id}.run.{number}" for number in (1, 2)]
    body = as_person(people.teacher).get(at(case, *sent)).content.decode()
    assert "结果到得太晚，没有采用" in body
    assert "data-differs" not in body


def test_another_answer_to_the_same_question_is_picked_by_its_code(case, room, people, as_person):
    other = room.add(factory.hand_worked_document())
    client = as_person(people.teacher)
    answer = client.get(at(case, code=other.response.code.lower()))
    assert answer.status_code == 302
    assert answer["Location"] == address_of(case, f"{case.public_id}.run.1", f"{other.public_id}.run.1")
    body = client.get(answer["Location"]).content.decode()
    assert case.response.code in body
    assert other.response.code in body
    for page in (case.response.pages.get(), other.response.pages.get()):
        assert reverse("page-image", args=[page.public_id, "screen"]) in body


def test_a_code_that_is_none_is_said_and_keeps_the_page(case, people, as_person):
    answer = as_person(people.teacher, "en").get(at(case, code="ZZZ"))
    assert answer.status_code == 422
    assert "There is no answer ZZZ to this question." in answer.content.decode()


@pytest.mark.parametrize(
    "text", ["x", "..", "a.run.1", "{case}.run.0", "{case}.run.99", "{case}.mark.1", "{case}.given.1", "{case}.run.-1",
             "%00.run.1", "{case}.run.999999999999", "<script>.run.1", "{case}.run.١"]
)  # fmt: skip
def test_an_address_that_names_no_side_is_404(text, case, people, as_person):
    client = as_person(people.teacher)
    # Text that no address can hold is refused before any page sees it.
    expected = 400 if "%00" in text else 404
    assert client.get(at(case, text.format(case=case.public_id))).status_code == expected
    assert client.get(at(case, right=text.format(case=case.public_id))).status_code == expected


def test_answers_to_different_questions_never_stand_beside_each_other(case, people, as_person):
    Candidate.objects.update(number="1")
    other = factory.make_room(people, code="OTHER").add(factory.hand_worked_document())
    assert as_person(people.teacher).get(at(case, right=f"{other.public_id}.run.1")).status_code == 404


def test_the_door_is_that_of_the_answers_own_page(case, people, as_person):
    assert as_person(people.stranger).get(at(case)).status_code == 404
    assert as_person(people.auditor).get(at(case)).status_code == 403


def test_who_must_still_mark_blind_sees_no_verdict_and_nobodys_mark_here(room, people, second, scheme, as_person):
    """Hidden on the left, on the right, by code, in the lists, and of an answer that others look at openly."""
    scheme("1")
    own = room.add(factory.hand_worked_document())
    give(own, second, 12, blind=False)
    scheme("2+1")
    hidden = room.add(telling_document())
    give(hidden, people.teacher, 9, reason="首评理由")
    client = as_person(second)
    assert client.get(at(hidden))["Location"] == reverse("review:blind", args=[hidden.public_id])
    for name in ("run.1", "mark.1"):
        for place in ("left", "right"):
            answer = client.get(at(own, **{place: f"{hidden.public_id}.{name}"}))
            assert answer.status_code in (404, 409)
            assert not [word for word in SECRETS if word in answer.content.decode()]
    assert client.get(at(own, right=f"{hidden.public_id}.run.1")).status_code == 409
    by_code = client.get(at(own, code=hidden.response.code))
    assert by_code.status_code == 422
    body = by_code.content.decode()
    assert "先盲评" in body
    assert f'value="{hidden.response.code}"' not in body
    assert not [word for word in SECRETS if word in body]
    # The same address shows it once their own mark is given.
    give(hidden, second, 9)
    assert client.get(at(own, right=f"{hidden.public_id}.run.1")).status_code == 200


def test_a_step_that_the_rules_no_longer_hold_is_shown_last_in_its_own_words(case):
    left = sides.side_of(case, sides.Name(case.public_id, "run", 1))
    assert left is not None
    gone = ("Path_A", "OLD")
    right = sides.Side(
        left.name, "x", "y", steps={gone: sides.Judged(None, left.total or 0)}, descriptions={gone: "旧步骤"}  # type: ignore[arg-type]
    )  # fmt: skip
    found = sides.rows_of(case.response.question.rules.read(), left, right)
    assert found[-1].key == gone
    assert found[-1].desc == "旧步骤"
    assert found[-1].differs


def test_looking_at_two_answers_changes_nothing_and_costs_the_same_for_one_or_many_others(
    case, room, people, as_person, django_assert_num_queries
):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client, counts = as_person(people.teacher), []
    for more in (1, 6):
        for _ in range(more):
            room.add(factory.hand_worked_document())
        client.get(at(case))
        with CaptureQueriesContext(connection) as caught:
            assert client.get(at(case)).status_code == 200
        counts.append(len(caught))
        written = [each["sql"] for each in caught if each["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
        # Looking is noted, so that no later mark of this person is taken for a blind one; nothing else is written.
        assert written
        assert all('"grading_sight"' in each for each in written)
    assert counts[0] == counts[1]


def test_the_way_here_is_on_the_answers_page_its_history_and_the_queue(decided, room, people, as_person):
    waiting = room.add(factory.hand_worked_document())
    client = as_person(people.teacher)
    address = reverse("review:compare", args=[decided.public_id])
    assert address in client.get(reverse("review:case", args=[decided.public_id])).content.decode()
    history = client.get(reverse("review:trail", args=[decided.public_id])).content.decode()
    assert f"{address}?left={decided.public_id}.run.1&amp;right={decided.public_id}.mark.1" in history
    queue = client.get(reverse("review:queue", args=[room.assessment.public_id])).content.decode()
    assert reverse("review:compare", args=[waiting.public_id]) in queue
