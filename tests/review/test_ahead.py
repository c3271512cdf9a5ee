"""The next page made ready while the present one is looked at: nothing is claimed, nothing shown too early or too late."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from config.foundation.errors import SomeoneWasFaster
from grading import transitions
from grading.domain.problems import Finding, ProblemKind
from grading.domain.schemes import Kind, Rounding
from grading.models import Case, Page, Sight
from review import transitions as review_transitions
from tests.review import factory
from tests.review.conftest import screen_of
from tests.review.test_hop import accepting, hop

MOST_STATEMENTS = 36


@pytest.fixture
def following(claimed, room):
    return room.add(factory.hand_worked_document())


def ready(client, case):
    return client.get(reverse("review:upcoming", args=[case.public_id])).json()["page"]


def hop_with(client, case, page):
    return hop(client, case, **{"X-Prepared": f"{page['case']}.{page['stamp']}"})


def completed(page, answer):
    """The prepared page as the script of the desk completes it."""
    text = page["html"]
    for name, value in answer["fields"].items():
        text = re.sub(rf'(name="{name}"[^>]* value=")[^"]*', rf"\g<1>{value}", text)
    for name, inner in answer["parts"].items():
        found = re.search(rf'<(\w+)[^>]* id="{name}"[^>]*>', text)
        assert found, name
        end = text.index(f"</{found[1]}>", found.end())
        text = text[: found.end()] + inner + text[end:]
    return text


def renewed(page, client, case):
    """A page after looking ahead from it: the parts that other answers' marks change are those of now."""
    parts = client.get(reverse("review:upcoming", args=[case.public_id])).json()["parts"]
    return completed({"html": page}, {"fields": {}, "parts": parts})


def compared(text):
    """A page without its form tokens, which are masked anew each time, and without the space between its parts."""
    text = re.sub(r'(csrfmiddlewaretoken" value=|X-CSRFToken": )"[^"]*"', "", text)
    return re.sub(r"\s+", " ", re.sub(r"\s*(<[^>]*>)\s*", r"\1", text))


def test_what_was_made_ready_and_completed_is_the_page_that_the_server_shows(claimed, following, people, as_person):
    client = as_person(people.teacher)
    page = ready(client, claimed)
    assert page["case"] == following.public_id
    answer = hop_with(client, claimed, page)
    assert answer["X-Prepared"] == following.public_id
    assert answer["X-Location"] == reverse("review:case", args=[following.public_id])
    shown = client.get(answer["X-Location"]).content.decode()
    assert compared(renewed(completed(page, answer.json()), client, following)) == compared(shown)
    assert "已保存 9 / 12 分" in answer.json()["messages"]


def test_making_a_page_ready_claims_nothing_and_gives_no_token_of_the_image(claimed, following, people, as_person):
    before = Case.objects.filter(pk=following.pk).values().get()
    page = ready(as_person(people.teacher), claimed)
    assert Case.objects.filter(pk=following.pk).values().get() == before
    assert not following.response.touches.exists()
    assert set(re.findall(r'name="screen"[^>]* value="([^"]*)"', page["html"])) == {""}


def test_the_answer_to_the_hop_claims_and_brings_the_token(claimed, following, people, as_person):
    client = as_person(people.teacher)
    fields = hop_with(client, claimed, ready(client, claimed)).json()["fields"]
    following.refresh_from_db()
    assert following.claimed_by == people.teacher
    assert fields["screen"] == screen_of(following)
    assert fields["version"] == str(following.version)


def blind_first(question, people):
    transitions.set_scheme(
        question, kind=Kind.SINGLE, tolerance=Decimal(1), rounding=Rounding.HALF_UP, arbiter=None, blind_share=100,
        version=0, by=people.leader,
    )  # fmt: skip


def test_an_answer_that_is_to_be_marked_blind_is_not_made_ready(claimed, following, people, as_person):
    client = as_person(people.teacher)
    blind_first(following.response.question, people)
    answer = client.get(reverse("review:upcoming", args=[claimed.public_id])).json()
    assert answer["page"] is None
    assert answer["images"]


def test_what_was_made_ready_counts_as_seen_and_is_never_marked_as_if_blind(claimed, following, people, as_person):
    client = as_person(people.teacher)
    page = ready(client, claimed)
    blind_first(following.response.question, people)
    header = {"X-Desk": "1", "X-Prepared": f"{page['case']}.{page['stamp']}"}
    answer = client.post(reverse("review:skip", args=[claimed.public_id]), headers=header)
    assert answer["X-Location"] == reverse("review:case", args=[following.public_id])
    assert Sight.objects.filter(case=following, person=people.teacher).exists()


def has_been_in_other_hands(following, people):
    transitions.release(transitions.claim(following, by=people.leader), by=people.leader)


def has_a_draft(following, people):
    case = transitions.claim(following, by=people.teacher)
    review_transitions.save_draft(case, by=people.teacher, fields={"reason": ["看一遍"]}, beside="", known=0, window="")
    transitions.release(case, by=people.teacher)


def has_another_page(following, people):
    Page.objects.filter(response=following.response).update(stored_sha256="0" * 64)


def keys_have_changed(following, people):
    review_transitions.set_keys(people.teacher, single_keys=False, keys={})


@pytest.mark.parametrize(
    "meanwhile",
    [has_been_in_other_hands, has_a_draft, has_another_page, keys_have_changed],
)
def test_a_page_made_ready_before_something_changed_is_sent_anew(meanwhile, claimed, following, people, as_person):
    client = as_person(people.teacher)
    page = ready(client, claimed)
    meanwhile(following, people)
    answer = hop_with(client, claimed, page)
    assert answer.status_code == 200
    assert "X-Prepared" not in answer
    following.refresh_from_db()
    assert following.claimed_by == people.teacher
    assert screen_of(following) in answer.content.decode()


def test_a_page_made_ready_before_its_problem_was_settled_is_sent_anew(claimed, following, people, as_person):
    case = transitions.claim(following, by=people.leader)
    problem = transitions.report_problem(
        case, by=people.leader, version=case.version, kind=ProblemKind.COPYING, note="与邻座雷同"
    )
    transitions.release(case, by=people.leader)
    client = as_person(people.teacher)
    page = ready(client, claimed)
    version = Case.objects.get(pk=following.pk).version
    transitions.settle_problem(problem, by=people.leader, finding=Finding.UNFOUNDED, answer="看过，不是")
    assert Case.objects.get(pk=following.pk).version == version
    answer = hop_with(client, claimed, page)
    assert "X-Prepared" not in answer
    assert "看过，不是" in answer.content.decode()


def test_a_page_made_ready_in_another_language_is_sent_anew(claimed, following, people, as_person):
    client = as_person(people.teacher)
    page = ready(client, claimed)
    client.cookies["django_language"] = "en"
    assert "X-Prepared" not in hop_with(client, claimed, page)


def test_another_answer_than_the_one_made_ready_is_sent_whole(claimed, following, room, people, as_person):
    client = as_person(people.teacher)
    page = ready(client, claimed)
    other = room.add(factory.hand_worked_document())
    transitions.claim(following, by=people.leader)
    answer = hop_with(client, claimed, page)
    assert "X-Prepared" not in answer
    assert answer["X-Location"] == reverse("review:case", args=[other.public_id])


def test_a_draft_is_never_offered_made_ready(claimed, following, people, as_person):
    has_a_draft(following, people)
    assert ready(as_person(people.teacher), claimed) is None


def test_a_mark_sent_with_an_old_page_is_refused_whatever_was_made_ready(claimed, following, people, as_person):
    client = as_person(people.teacher)
    page = ready(client, claimed)
    has_been_in_other_hands(claimed_away(claimed, people), people)
    answer = hop_with(client, claimed, page)
    assert answer.status_code == 409
    following.refresh_from_db()
    assert following.claimed_by is None


def claimed_away(case, people):
    with pytest.raises(SomeoneWasFaster):
        transitions.claim(Case.objects.get(pk=case.pk), by=people.leader)
    return transitions.release(Case.objects.get(pk=case.pk), by=people.teacher)


def test_a_hop_to_a_page_made_ready_always_costs_the_same(claimed, room, people, as_person):
    client, counts = as_person(people.teacher), []
    case = claimed
    for more in (3, 12):
        for _ in range(more):
            room.add(factory.hand_worked_document())
        page = ready(client, case)
        sent, headers = accepting(case), {"X-Desk": "1", "X-Prepared": f"{page['case']}.{page['stamp']}"}
        with CaptureQueriesContext(connection) as caught:
            answer = client.post(reverse("review:decide", args=[case.public_id]), sent, headers=headers)
        assert answer["X-Prepared"] == page["case"]
        counts.append(len(caught))
        case = Case.objects.get(claimed_by=people.teacher)
    assert counts[0] == counts[1] <= MOST_STATEMENTS, counts


def test_what_was_announced_is_dealt_although_a_later_one_would_come_first_by_now(
    claimed, following, room, people, as_person
):
    client = as_person(people.teacher)
    page = ready(client, claimed)
    passed = transitions.claim(room.add(factory.hand_worked_document()), by=people.leader)
    transitions.pass_on(passed, by=people.leader, version=passed.version, to=people.teacher, note="请您看")
    answer = hop_with(client, claimed, page)
    assert answer["X-Location"] == reverse("review:case", args=[following.public_id])
    # The one that was passed on to them comes next.
    following.refresh_from_db()
    assert hop(client, following)["X-Location"] == reverse("review:case", args=[passed.public_id])


def test_what_is_in_hand_already_comes_before_what_was_announced(claimed, following, room, people, as_person):
    client = as_person(people.teacher)
    page = ready(client, claimed)
    other = room.add(factory.hand_worked_document())
    transitions.claim(other, by=people.teacher)
    answer = hop_with(client, claimed, page)
    assert "X-Prepared" not in answer
    assert answer["X-Location"] == reverse("review:case", args=[other.public_id])
    following.refresh_from_db()
    assert following.claimed_by is None


def test_an_answer_of_another_assessment_is_never_dealt_as_announced(claimed, following, people, as_person):
    client = as_person(people.teacher)
    elsewhere = factory.make_room(people, code="ELSEWHERE")
    there, announced = elsewhere.add(factory.hand_worked_document()), elsewhere.add(factory.hand_worked_document())
    page = ready(client, transitions.claim(there, by=people.teacher))
    assert page["case"] == announced.public_id
    answer = hop_with(client, claimed, page)
    assert answer["X-Location"] == reverse("review:case", args=[following.public_id])
    announced.refresh_from_db()
    assert announced.claimed_by is None


def test_two_people_who_were_told_of_one_answer_do_not_both_get_it(claimed, following, room, people, as_person):
    other = room.add(factory.hand_worked_document())
    client = as_person(people.teacher)
    page = ready(client, claimed)
    # A colleague's claim comes between reading the announced answer and taking it.
    assert transitions.claim_next(room.assessment, by=people.leader, announced=following) == following
    stale = Case.objects.get(pk=following.pk)
    stale.version, stale.owner_epoch, stale.owner, stale.claimed_by = (
        stale.version - 1,
        stale.owner_epoch - 1,
        "QUEUED_HUMAN",
        None,
    )
    assert transitions.claim_next(room.assessment, by=people.teacher, after=claimed, announced=stale) == other
    following.refresh_from_db()
    assert following.claimed_by == people.leader
    assert "X-Prepared" not in hop_with(client, claimed, page)
