"""Setting up an assessment, the list of all, and the page that says what is missing."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from config.foundation.models import Job
from grading import transitions
from grading.access import rights_in
from grading.domain.roles import Right
from grading.models import Assessment
from grading.tasks import decode_file
from tests.grading.marking_room import a_queued_case, an_answer, picture, verdict_document
from tests.staff.conftest import at

GIVEN = {"title": "高三一模 · 数学", "code": "G3-1", "judge": "embedded", "allow_uncertified": "on"}


def test_the_founder_becomes_staff_of_the_assessment_and_is_led_to_its_page(founder, as_person):
    answer = as_person(founder).post(reverse("grading:create"), GIVEN)
    made = Assessment.objects.get()
    assert answer["Location"] == at("assessment", made)
    assert (made.code, made.title, made.policy) == ("G3-1", "高三一模 · 数学", {"allow_uncertified": True})
    assert Right.ADMINISTER in rights_in(founder, made)


def test_without_the_right_to_found_there_is_no_button_and_no_page(people, as_person):
    client = as_person(people.staff)
    assert reverse("grading:create") not in client.get(reverse("grading:assessments")).content.decode()
    assert client.post(reverse("grading:create"), GIVEN).status_code == 403
    assert not Assessment.objects.exists()


@pytest.mark.parametrize(
    ("language", "words"), [("zh-hans", "代号由 2 到 40 个"), ("en", "A code has 2 to 40 letters")]
)
def test_a_bad_code_is_named_at_its_field_and_the_rest_is_kept(language, words, founder, as_person):
    answer = as_person(founder, language).post(reverse("grading:create"), GIVEN | {"code": "考试 1"})
    body = answer.content.decode()
    assert answer.status_code == 422
    assert words in body
    assert 'value="高三一模 · 数学"' in body
    assert 'value="考试 1"' in body
    assert 'aria-invalid="true"' in body
    assert "id_code_error" in body.partition('name="code"')[2].partition(">")[0]
    assert not Assessment.objects.exists()


def test_a_taken_code_is_said(founder, as_person):
    client = as_person(founder, "en")
    client.post(reverse("grading:create"), GIVEN)
    answer = client.post(reverse("grading:create"), GIVEN)
    assert answer.status_code == 422
    assert "The code G3-1 is taken." in answer.content.decode()


def test_a_model_service_without_an_address_is_refused_before_the_first_answer(founder, as_person, settings):
    settings.MODEL_BASE_URL = settings.MODEL_NAME = ""
    given = GIVEN | {"judge": "openai"}
    answer = as_person(founder).post(reverse("grading:create"), given)
    assert answer.status_code == 422
    assert "WENSHU_MODEL_BASE_URL" in answer.content.decode()
    settings.MODEL_BASE_URL, settings.MODEL_NAME = "http://127.0.0.1:9/v1", "some-model"
    assert as_person(founder).post(reverse("grading:create"), given).status_code == 302


def test_the_list_shows_the_person_s_assessments_with_their_figures(assessment, people, as_person):
    an_answer(assessment, people.staff)
    transitions.create_assessment(code="T-9", title="别校", judge="embedded", policy={}, by=people.leader)
    body = as_person(people.staff).get(reverse("grading:assessments")).content.decode()
    assert "期中测验" in body
    assert "别校" not in body
    assert at("assessment", assessment) in body
    theirs = as_person(people.teacher).get(reverse("grading:assessments")).content.decode()
    assert "期中测验" in theirs
    assert at("assessment", assessment) not in theirs


def queries_of(client, address) -> int:
    client.get(address)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def test_the_list_costs_the_same_for_one_assessment_and_for_twenty(assessment, people, as_person):
    client = as_person(people.staff)
    one = queries_of(client, reverse("grading:assessments"))
    for number in range(19):
        transitions.create_assessment(
            code=f"M-{number}", title=f"模考{number}", judge="embedded", policy={}, by=people.staff
        )
    assert queries_of(client, reverse("grading:assessments")) == one


def test_the_page_leads_to_the_next_missing_thing(empty, people, as_person):
    body = as_person(people.staff).get(at("assessment", empty)).content.decode()
    primary = body.partition('class="button primary" href="')[2].partition('"')[0]
    assert primary == at("questions", empty)
    assert "下一步：试题与评分细则" in body


def test_when_all_is_there_judging_is_the_main_action_and_twice_is_once(assessment, people, as_person):
    an_answer(assessment, people.staff)
    client = as_person(people.staff)
    assert "开始评阅 1 份作答" in client.get(at("assessment", assessment)).content.decode()
    first = client.post(at("judge", assessment), follow=True).content.decode()
    assert "已开始评阅 1 份作答。" in first
    assert "开始评阅 1 份作答</button>" not in first
    assert 'hx-get="' in first
    second = client.post(at("judge", assessment), follow=True).content.decode()
    assert "没有新的作答需要评阅。" in second
    assert Job.objects.filter(task="grading.tasks.judge_response").count() == 1


def test_judging_before_anything_is_there_starts_nothing(empty, people, as_person):
    body = as_person(people.staff, "en").post(at("judge", empty), follow=True).content.decode()
    assert "Nothing new to judge." in body


def test_the_progress_stops_asking_when_the_work_has_ended(assessment, people, as_person):
    case = an_answer(assessment, people.staff, candidate="1001").case
    transitions.record_run(case, verdict_document(decision="ACCEPT"), epoch=1)
    a_queued_case(assessment, people.staff, candidate="1002")
    body = as_person(people.staff).get(at("progress", assessment)).content.decode()
    assert "hx-get" not in body
    assert "<html" not in body
    assert "2 / 2 份已评阅" in body
    assert "1 / 2 份已定分" in body


def test_an_answer_whose_only_file_was_refused_is_not_counted_but_named(assessment, people, as_person):
    transitions.receive_upload(assessment, [("1003_1_1.jpg", b"no image")], by=people.staff)
    decode_file(Job.objects.get().pk)
    case = an_answer(assessment, people.staff, candidate="1001").case
    transitions.record_run(case, verdict_document(decision="ACCEPT"), epoch=1)
    body = as_person(people.staff).get(at("progress", assessment)).content.decode()
    assert "1 / 1 份已评阅" in body
    assert "1 份作答没有可用的图像，请重新上传。" in body
    rows = as_person(people.staff).get(at("results", assessment)).content.decode()
    assert "未定分" in rows.partition("1003")[2].partition("</tr>")[0]
    transitions.receive_upload(assessment, [("1003_1_1.jpg", picture())], by=people.staff)
    again = as_person(people.staff).get(at("progress", assessment)).content.decode()
    assert "没有可用的图像" not in again
    assert "1 / 2 份已评阅" in again


def test_the_page_in_english_has_no_chinese_but_people_s_own_words(empty, people, as_person):
    import re

    people.staff.first_name = "Li"
    people.staff.save()
    body = as_person(people.staff, "en").get(at("assessment", empty)).content.decode()
    body = body.replace("空考试", "").replace("中文", "")
    assert not re.findall(r"[\u4e00-\u9fff]+", body)
