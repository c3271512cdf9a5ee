"""From one answer to the next: one request that saves and brings the next page, and always costs the same."""

from __future__ import annotations

import time

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading import transitions
from grading.models import Case, Mark
from tests.review import factory
from tests.review.conftest import screen_of

MOST_QUERIES = 46


def accepting(case):
    return {"version": case.version, "screen": screen_of(case), "accept": "yes"}


def hop(client, case, **headers):
    return client.post(
        reverse("review:decide", args=[case.public_id]), accepting(case), headers={"X-Desk": "1", **headers}
    )


def test_the_answer_to_a_mark_is_the_next_page_already_in_hand(claimed, room, people, as_person):
    following = room.add(factory.hand_worked_document())
    answer = hop(as_person(people.teacher), claimed)
    assert answer.status_code == 200
    assert answer["X-Location"] == reverse("review:case", args=[following.public_id])
    following.refresh_from_db()
    assert following.claimed_by == people.teacher
    assert screen_of(following) in answer.content.decode()
    assert "已保存 9 / 12 分" in answer.content.decode()


def test_at_the_end_of_the_queue_the_script_is_sent_back_to_it(claimed, room, people, as_person):
    answer = hop(as_person(people.teacher), claimed)
    assert answer.status_code == 204
    assert answer["X-Location"] == reverse("review:queue", args=[room.assessment.public_id])


def test_looking_ahead_names_the_next_images_and_claims_nothing(claimed, room, people, as_person):
    following = room.add(factory.hand_worked_document())
    images = as_person(people.teacher).get(reverse("review:upcoming", args=[claimed.public_id])).json()["images"]
    assert images == [reverse("page-image", args=[following.response.pages.get().public_id, "screen"])]
    following.refresh_from_db()
    assert following.claimed_by is None


def test_a_hop_costs_the_same_number_of_queries_whatever_waits_and_whatever_was_marked(room, people, as_person):
    client, counts, spent = as_person(people.teacher), [], []
    for more in (3, 12):
        for _ in range(more):
            room.add(factory.hand_worked_document())
        case = transitions.claim_next(room.assessment, by=people.teacher)
        hop(client, case)
        case = transitions.claim_next(room.assessment, by=people.teacher)
        began = time.process_time()
        with CaptureQueriesContext(connection) as caught:
            assert hop(client, case).status_code == 200
        spent.append(time.process_time() - began)
        counts.append(len(caught))
        in_hand = Case.objects.get(claimed_by=people.teacher)
        # Put off, not put back: dealt a second time it would cost less, for the person has touched it already.
        transitions.skip(in_hand, by=people.teacher)
    assert counts[0] == counts[1] <= MOST_QUERIES, counts
    assert Mark.objects.count() == 4
    print(f"{counts[0]} queries and {min(spent) * 1000:.0f} ms of processor time for a hop")
