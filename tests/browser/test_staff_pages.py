"""The staff's pages in a real browser: looked at in both languages and sizes, and free of accessibility faults."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from grading import transitions
from tests.grading.marking_room import a_queued_case, an_answer, an_assessment, picture, verdict_document

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LAPTOP = {"width": 1366, "height": 768}
TABLET = {"width": 1024, "height": 768}


@pytest.fixture
def assessment(transactional_db: None, people: Any, data_dir: Any) -> Any:
    """One accepted answer, one waiting, one file refused and one not yet opened."""
    made = an_assessment(people.staff, questions=2)
    transitions.give_role(made, people.teacher, "marker", by=people.staff)
    accepted = an_answer(made, people.staff, candidate="1001").case
    transitions.record_run(accepted, verdict_document(decision="ACCEPT"), epoch=1)
    a_queued_case(made, people.staff, candidate="1002")
    files = [("1003_2_1.jpg", picture("late")), ("期中<b>卷</b>.jpg", picture("lost")), ("1009_1.jpg", picture("who"))]
    transitions.receive_upload(made, files, by=people.staff)
    return made


def addresses(assessment: Any) -> dict[str, str]:
    upload = assessment.uploads.order_by("-pk").first()
    names = ("assessment", "questions", "classes", "people", "uploads", "results")
    return {"assessments": reverse("grading:assessments"), "create": reverse("grading:create")} | {
        name: reverse(f"grading:{name}", args=[assessment.public_id]) for name in names
    } | {
        "delivery": reverse("grading:delivery", args=[upload.public_id]),
        "rules": reverse("grading:rules", args=[assessment.questions.first().public_id]),
    }  # fmt: skip


def allow_creating(person: Any) -> None:
    from django.contrib.auth.models import Permission

    person.user_permissions.add(Permission.objects.get(codename="create_assessment"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    language, scheme, assessment, people, new_page, log_in, axe_finds_nothing, screenshot
):
    allow_creating(people.staff)
    page = new_page(viewport=LAPTOP, color_scheme=scheme)
    page.goto(reverse("login"))
    page.click(f".language button[value={language}]")
    log_in(page, people.staff)
    for name, address in addresses(assessment).items():
        for viewport in (TABLET, LAPTOP):
            page.set_viewport_size(viewport)
            assert page.goto(address).status == 200, name
            wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wider <= 0, (name, viewport)
        axe_finds_nothing(page)
        screenshot(page, f"staff-{language}-{scheme}-{name}")
