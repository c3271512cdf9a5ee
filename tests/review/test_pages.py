"""Home, language, trail and the pages of refusal."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from config.foundation.models import Event
from grading import transitions
from review.presentation import failing, gate_shown
from tests.conftest import append_only_lifted
from tests.fixtures.people import PASSWORD
from tests.review import factory


def test_home_shows_each_person_their_own_next_step(room, people, as_person):
    room.add(factory.hand_worked_document())
    assert "去复核" in as_person(people.teacher).get("/").content.decode()
    assert "抽查" in as_person(people.auditor).get("/").content.decode()
    assert "您还没有任何考试的角色" in as_person(people.stranger).get("/").content.decode()
    assert "1 / 1" in as_person(people.teacher).get("/").content.decode()


def test_the_language_is_one_press_away_and_stays(people):
    client = Client()
    assert "登录文枢" in client.get(reverse("login")).content.decode()
    answer = client.post(reverse("set_language"), {"language": "en", "next": reverse("login")})
    assert answer.status_code == 302
    body = client.get(reverse("login")).content.decode()
    assert "Sign in to Wenshu" in body
    assert '<html lang="en">' in body


def test_a_wrong_password_is_said_in_a_sentence_and_the_name_is_kept(people):
    answer = Client().post(reverse("login"), {"username": "teacher", "password": "wrong"})
    body = answer.content.decode()
    assert "用户名与密码不符" in body
    assert 'value="teacher"' in body
    assert "wrong" not in body


def test_signing_in_leads_home(people):
    answer = Client().post(reverse("login"), {"username": "teacher", "password": PASSWORD})
    assert answer["Location"] == "/"


@pytest.mark.parametrize(("language", "words"), [("zh-hans", "没有这个页面"), ("en", "There is no such page")])
def test_404_says_where_one_is_in_both_languages(language, words, people, as_person):
    answer = as_person(people.teacher, language).get("/review/case/nothing/")
    assert answer.status_code == 404
    assert words in answer.content.decode()


def test_403_names_the_way_out(room, people, as_person):
    answer = as_person(people.staff).get(reverse("review:queue", args=[room.assessment.public_id]))
    assert answer.status_code == 403
    assert "请联系教务给您相应的角色" in answer.content.decode()


def test_the_500_page_stands_without_context(settings):
    from django.template.loader import get_template

    assert "这里出了故障" in get_template("500.html").render()


def test_a_form_without_token_is_refused_with_advice(people):
    client = Client(enforce_csrf_checks=True)
    answer = client.post(reverse("login"), {"username": "teacher", "password": PASSWORD})
    assert answer.status_code == 403
    assert "这张表单已失效" in answer.content.decode()


def test_the_queue_leads_with_continue_then_reasons_with_counts(room, people, as_person):
    room.add(factory.hand_worked_document(failing=("no-rival",)))
    room.add(factory.hand_worked_document(failing=("no-rival", "ecf-shadow")))
    room.add(factory.hand_worked_document(failing=()))
    client = as_person(people.teacher)
    address = reverse("review:queue", args=[room.assessment.public_id])
    body = client.get(address).content.decode()
    assert body.index("继续阅卷") < body.index("同一个量写了两个不同的值") < body.index("7F3K01")
    assert "2 / 3 份待复核" in body
    filtered = client.get(address, {"only": "ecf-shadow"}).content.decode()
    assert "7F3K02" in filtered
    assert "7F3K01" not in filtered


def test_continue_claims_the_next_and_says_when_none_is_left(room, people, as_person):
    case = room.add(factory.hand_worked_document())
    client = as_person(people.teacher)
    address = reverse("review:next", args=[room.assessment.public_id])
    assert client.post(address)["Location"] == reverse("review:case", args=[case.public_id])
    case.refresh_from_db()
    transitions.skip(case, by=people.teacher)
    assert "没有可阅的作答了" in client.post(address, follow=True).content.decode()


def test_the_trail_tells_every_event_and_replays_the_chain(room, people, as_person):
    case = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    body = as_person(people.teacher).get(reverse("review:trail", args=[case.public_id])).content.decode()
    for words in (
        "建立个案",
        "移交人工",
        "进入待人工复核队列",
        "领取",
        "王老师",
        "有疑字，会改变得分",
        "刚刚重放：4 个事件",
    ):
        assert words in body
    assert Event.objects.get(chain=f"case:{case.public_id}", number=4).hash in body


def test_a_broken_chain_is_named_with_its_event(room, people, as_person):
    case = room.add(factory.hand_worked_document())
    event = Event.objects.get(chain=f"case:{case.public_id}", number=2)
    with append_only_lifted(), connection.cursor() as cursor:
        cursor.execute("UPDATE foundation_event SET hash = %s WHERE id = %s", ["0" * 64, event.pk])
    body = as_person(people.teacher).get(reverse("review:trail", args=[case.public_id])).content.decode()
    assert "链在第 2 个事件处断开" in body


def test_causes_stand_before_what_could_not_be_asked_because_of_them():
    entry = {"step_id": None, "message": {"zh": "因", "en": "why"}}
    outcomes = {
        "coverage": "not_evaluated",
        "recognised": "fails",
        "certified": "not_evaluated",
        "judge-answered": "fails",
    }
    gate = gate_shown({"gate": [entry | {"rule": rule, "outcome": outcome} for rule, outcome in outcomes.items()]})
    assert [rule.rule for rule in failing(gate)] == ["recognised", "judge-answered", "coverage", "certified"]
