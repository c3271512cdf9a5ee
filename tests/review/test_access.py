"""Who may open what: strangers get 404, members without the right 403, visitors the sign-in page."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from grading import transitions
from review.transitions import commit_audit, draw_sample
from tests.review import factory


def addresses(room, case) -> dict[str, str]:
    return {
        "queue": reverse("review:queue", args=[room.assessment.public_id]),
        "case": reverse("review:case", args=[case.public_id]),
        "trail": reverse("review:trail", args=[case.public_id]),
        "image": reverse("page-image", args=[case.response.pages.get().public_id, "screen"]),
    }


@pytest.mark.parametrize("name", ["queue", "case", "trail", "image"])
def test_a_stranger_gets_404_where_a_marker_gets_200(name, room, people, as_person):
    case = room.add(factory.hand_worked_document())
    address = addresses(room, case)[name]
    assert as_person(people.teacher).get(address).status_code == 200
    assert as_person(people.stranger).get(address).status_code == 404


@pytest.mark.parametrize("name", ["queue", "case"])
def test_staff_without_the_marking_right_get_403(name, room, people, as_person):
    case = room.add(factory.hand_worked_document())
    address = addresses(room, case)[name]
    assert as_person(people.staff).get(address).status_code == 403
    assert as_person(people.leader).get(address).status_code == 200


def test_a_visitor_is_asked_to_sign_in_and_comes_back(room, people):
    address = addresses(room, room.add(factory.hand_worked_document()))["case"]
    answer = Client().get(address)
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("login"))
    assert address.strip("/") in answer["Location"]


@pytest.mark.parametrize("verb", ["claim", "release", "skip", "decide", "judge-again", "recalculate"])
def test_verbs_refuse_strangers_and_members_without_the_right(verb, room, people, as_person):
    case = room.add(factory.hand_worked_document())
    address = reverse(f"review:{verb}", args=[case.public_id])
    assert as_person(people.stranger).post(address).status_code == 404
    assert as_person(people.auditor).post(address).status_code == 403
    case.refresh_from_db()
    assert case.owner == "QUEUED_HUMAN"


@pytest.mark.parametrize("verb", ["claim", "release", "skip", "decide", "judge-again", "recalculate"])
def test_verbs_are_posts_only(verb, room, people, as_person):
    case = room.add(factory.hand_worked_document())
    assert as_person(people.teacher).get(reverse(f"review:{verb}", args=[case.public_id])).status_code == 405


def test_an_auditor_reads_the_trail_only_after_committing(room, people, as_person):
    case = room.add(factory.hand_worked_document(failing=()))
    sample = draw_sample(room.assessment, size=1, seed="s", source="ANY", by=people.auditor)
    auditor = as_person(people.auditor)
    trail = reverse("review:trail", args=[case.public_id])
    assert auditor.get(trail).status_code == 403
    item = sample.items.get()
    steps = [
        {"path_id": "Path_A", "step_id": "A1", "status": "VALID", "score": Decimal(2)},
    ]
    commit_audit(item, by=people.auditor, steps=steps, total=Decimal(2), comment="")
    assert auditor.get(trail).status_code == 200


def test_audit_pages_are_for_auditors(room, people, as_person):
    room.add(factory.hand_worked_document(failing=()))
    sample = draw_sample(room.assessment, size=1, seed="s", source="ANY", by=people.auditor)
    item = reverse("review:audit-item", args=[sample.items.get().public_id])
    for address in (reverse("review:audits", args=[room.assessment.public_id]), item):
        assert as_person(people.auditor).get(address).status_code == 200
        assert as_person(people.teacher).get(address).status_code == 403
        assert as_person(people.stranger).get(address).status_code == 404


def test_an_image_may_do_nothing_but_be_looked_at(room, people, as_person):
    case = room.add(factory.hand_worked_document())
    answer = as_person(people.teacher).get(addresses(room, case)["image"])
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer["Content-Security-Policy"]
    again = as_person(people.teacher).get(addresses(room, case)["image"], headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    unknown = reverse("page-image", args=[case.response.pages.get().public_id, "huge"])
    assert as_person(people.teacher).get(unknown).status_code == 404


def test_no_page_names_the_candidate(room, people, as_person):
    case = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    teacher = as_person(people.teacher)
    for name, address in addresses(room, case).items():
        if name != "image":
            body = teacher.get(address).content.decode()
            assert case.response.code in body
            assert case.response.candidate.name not in body
            assert case.response.candidate.number not in body
