"""The marks on the image as the desk's pages show them and as its script sends them."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from grading import transitions
from grading.models import Annotation, Case
from review.domain.keys import DEFAULTS, all_keys
from tests.review import factory
from tests.review.conftest import screen_of
from tests.schemes.conftest import give

pytestmark = pytest.mark.django_db


def tick(case: Case, key: str, **changes: Any) -> dict[str, Any]:
    page = case.response.pages.get(number=1)
    return {
        "do": "draw", "key": key, "page": page.public_id, "image": page.stored_sha256[:16], "kind": "tick", "at": [0.5, 0.25],
    } | changes  # fmt: skip


def send(client: Any, case: Case, *changes: Any, **fields: str) -> Any:
    sent = {"changes": json.dumps(changes), "version": str(case.version)} | fields
    return client.post(reverse("review:annotate", args=[case.public_id]), sent)


def page_of(client: Any, case: Case, name: str = "review:case") -> str:
    answer = client.get(reverse(name, args=[case.public_id]))
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.fixture
def held(room: factory.Room, people: Any) -> Case:
    return transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)


def test_what_was_drawn_stands_on_the_page_again_without_any_script(held, people, as_person):
    client = as_person(people.teacher)
    answer = send(client, held, tick(held, "a"), tick(held, "b", kind="text", text="<b>应为 3</b>"))
    assert answer.status_code == 200
    assert set(answer.json()) == {"at", "until"}
    body = page_of(client, held)
    drawn = re.findall(r'<g class="mark-drawn" role="img" aria-label="([^"]*)" data-key="([^"]*)"', body)
    assert drawn == [("勾", "a"), ("文字: &lt;b&gt;应为 3&lt;/b&gt;", "b")]
    assert '<path d="M600.2 440.5 L614.0 455.2' in body
    assert "&lt;b&gt;应为 3&lt;/b&gt;</text>" in body
    assert "<b>应为" not in body


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ("", "json"),
        ("[", "json"),
        ('[{"do":"erase","key":"a","key":"b"}]', "json.duplicate_key"),
        ('[{"do":"draw","key":"a","page":"p","image":"0","kind":"tick","at":[NaN,0]}]', "json.not_a_number"),
        ('[{"do":"draw","key":"a","page":"p","image":"0","kind":"tick","at":[1e9,0]}]', "annotation.place"),
        ('[{"do":"draw","key":"a","page":"p","image":"0","kind":"text","at":[0,0],"text":"\\u0000"}]', "json"),
        ("[" * 100, "json"),
        ("x" * 70_000, "json"),
        ("[]", "annotation.form"),
        ('[{"do":"erase","key":"a"}]', "annotation.unknown"),
    ],
)
def test_hostile_input_is_refused_in_words_and_nothing_is_stored(held, people, as_person, changes, code):
    for language in ("zh-hans", "en"):
        client = as_person(people.teacher, language)
        answer = client.post(reverse("review:annotate", args=[held.public_id]), {"changes": changes})
        assert answer.status_code == 422
        assert answer.json()["code"].startswith(code)
        assert answer.json()["sentence"]
    assert not Annotation.objects.exists()


def test_who_lost_the_answer_is_told_and_a_stranger_finds_nothing(held, people, as_person):
    assert send(as_person(people.leader), held, tick(held, "a")).status_code == 409
    assert send(as_person(people.auditor), held, tick(held, "a")).status_code == 403
    assert send(as_person(people.stranger), held, tick(held, "a")).status_code == 404
    assert not Annotation.objects.exists()


def test_a_slow_marker_whose_time_ran_out_draws_on_and_still_hands_in(held, people, as_person):
    """Only the clock took the answer; the page gets what it needs for its sheet to be taken afterwards."""
    opened, screen = held.version, screen_of(held)
    Case.objects.filter(pk=held.pk).update(claim_until=timezone.now() - timedelta(minutes=1))
    transitions.end_claim(Case.objects.get(pk=held.pk))
    client = as_person(people.teacher)
    answer = send(client, held, tick(held, "a"), version=str(opened), screen=screen)
    assert answer.status_code == 200
    fresh = Case.objects.get(pk=held.pk)
    assert fresh.claimed_by == people.teacher
    assert answer.json()["version"] == str(fresh.version)
    assert answer.json()["screen"] == screen_of(fresh)
    Case.objects.filter(pk=held.pk).update(claim_until=timezone.now() - timedelta(minutes=1))
    transitions.end_claim(Case.objects.get(pk=held.pk))
    beside_another = send(client, fresh, tick(held, "b"), screen="1.0")
    assert "screen" not in beside_another.json()


def test_a_blind_marker_draws_and_sees_no_mark_of_the_first(room, people, second, scheme, arbiter, as_person):
    scheme("2+1")
    case = room.add(factory.hand_worked_document())
    transitions.claim(case, by=people.teacher)
    case.refresh_from_db()
    send(as_person(people.teacher), case, tick(case, "first", kind="text", text="公差对"))
    give(case, people.teacher, 12)
    taken = transitions.claim(Case.objects.get(pk=case.pk), by=second)
    assert send(as_person(second), taken, tick(case, "second")).status_code == 200
    body = page_of(as_person(second), taken, "review:blind")
    assert 'data-key="second"' in body
    assert 'id="draw-tools"' in body
    assert "公差对" not in body
    assert people.teacher.first_name not in body
    give(taken, second, 5)
    waiting = page_of(as_person(arbiter), case, "review:arbitrate")
    assert 'class="mark-drawn' not in waiting
    transitions.take_seeing(Case.objects.get(pk=case.pk), by=arbiter)
    shown = page_of(as_person(arbiter), case, "review:arbitrate")
    assert re.findall(r'class="drawn-by"[^>]*>([^<]*)<', shown) == [
        people.teacher.get_full_name() or people.teacher.first_name,
        "孙二评",
    ]


def test_an_auditor_who_has_not_committed_sees_no_mark_on_the_image(held, room, people, as_person):
    from review.transitions import draw_sample

    send(as_person(people.teacher), held, tick(held, "a"))
    give(held, people.teacher, 9, blind=False)
    sample = draw_sample(room.assessment, size=1, seed="s", source="PERSON", by=people.auditor)
    item = sample.items.get()
    body = as_person(people.auditor).get(reverse("review:audit-item", args=[item.public_id])).content.decode()
    assert 'class="stage"' in body
    assert 'class="mark-drawn' not in body


def test_a_page_with_many_marks_costs_as_many_queries_as_one_with_one(held, people, as_person):
    client = as_person(people.teacher)

    def cost() -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            page_of(client, held)
        return len(queries)

    send(client, held, tick(held, "one"))
    page_of(client, held)
    before = cost()
    send(client, held, *(tick(held, f"more{number}") for number in range(60)))
    assert cost() == before


def test_keys_chosen_before_there_were_tools_stay_and_a_tool_never_takes_one_of_them():
    old = {action: key for action, key in DEFAULTS.items() if action not in ("tick", "cross")} | {"full": "v"}
    found = all_keys(old)
    assert (found["full"], found["tick"], found["cross"]) == ("v", "", "x")
    assert all_keys({}) == DEFAULTS
