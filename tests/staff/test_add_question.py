"""Questions with scoring rules: added from a file, refused with every fault named, fixed once answers exist."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading import transitions
from grading.models import Question
from itembank.transitions import publish_rules
from tests.grading.marking_room import RULES, an_answer, rules_document
from tests.staff.conftest import at


def file(content: bytes, name: str = "rules.json") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, content_type="application/json")


def test_a_question_is_added_with_its_rules_and_named_after_its_number(empty, people, as_person):
    client = as_person(people.staff)
    answer = client.post(at("questions", empty), {"number": "17", "label": "", "rules": file(RULES.read_bytes())})
    assert answer.status_code == 302
    question = Question.objects.get()
    assert (question.number, question.label, question.max_score) == (17, "第17题", Decimal(12))
    body = client.get(at("questions", empty)).content.decode()
    assert "已添加试题“第17题”" in body
    assert reverse("grading:rules", args=[question.public_id]) in body


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"title": ', "rules.json"),
        (b'{"a": 1, "a": 2}', "“a”出现两次"),
        (b"\xff\xfe\x00", "rules.json"),
        (b"{}", "rules.json"),
        (b"[" * 5000, "rules.json"),
    ],
)
def test_an_unusable_file_is_named_with_its_fault_and_nothing_is_added(content, words, empty, people, as_person):
    given = {"number": "3", "label": "压轴题", "rules": file(content)}
    answer = as_person(people.staff).post(at("questions", empty), given)
    body = answer.content.decode()
    assert answer.status_code == 422
    assert words in body
    assert 'value="压轴题"' in body
    assert 'value="3"' in body
    assert not Question.objects.exists()


@pytest.mark.parametrize(("language", "words"), [("zh-hans", "max_score"), ("en", "max_score")])
def test_faults_of_the_rules_name_the_field_in_the_reader_s_language(language, words, empty, people, as_person):
    document = rules_document()
    document["max_score"] = 99
    content = json.dumps(document, default=str).encode()
    answer = as_person(people.staff, language).post(at("questions", empty), {"number": "1", "rules": file(content)})
    body = answer.content.decode()
    assert answer.status_code == 422
    assert words in body
    shown = body.partition('id="rule-faults"')[2].partition("</ul>")[0]
    assert ("分" in shown) == (language == "zh-hans")


def test_a_name_with_markup_is_shown_as_text(empty, people, as_person):
    answer = as_person(people.staff).post(
        at("questions", empty), {"number": "1", "rules": file(b"{", "<img src=x onerror=alert(1)>.json")}
    )
    assert "<img src=x" not in answer.content.decode()
    assert "&lt;img src=x" in answer.content.decode()


def test_a_taken_number_is_said_at_its_field(assessment, people, as_person):
    answer = as_person(people.staff).post(
        at("questions", assessment), {"number": "1", "rules": file(RULES.read_bytes())}
    )
    body = answer.content.decode()
    assert answer.status_code == 422
    assert "已有第 1 题。" in body.partition("id_number_error")[2]


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_without_a_file_the_page_says_to_choose_one(language, empty, people, as_person):
    answer = as_person(people.staff, language).post(at("questions", empty), {"number": "1"})
    assert answer.status_code == 422
    assert {"zh-hans": "请先选择文件。", "en": "Choose a file first."}[language] in answer.content.decode()


def test_a_file_larger_than_the_bound_is_refused(empty, people, as_person):
    answer = as_person(people.staff, "en").post(
        at("questions", empty), {"number": "1", "rules": file(b" " * (256 * 1024 + 1))}
    )
    assert answer.status_code == 422
    assert "larger than 256 KB" in answer.content.decode()


def test_once_answers_exist_the_questions_stay(assessment, people, as_person):
    an_answer(assessment, people.staff)
    client = as_person(people.staff)
    body = client.get(at("questions", assessment)).content.decode()
    assert "已有作答上传，试题不能再改动。" in body
    assert 'type="file"' not in body
    answer = client.post(at("questions", assessment), {"number": "2", "rules": file(RULES.read_bytes())})
    assert answer.status_code == 422
    assert Question.objects.count() == 1


def test_the_example_can_be_downloaded_and_used(empty, people, as_person):
    client = as_person(people.staff)
    example = client.get(reverse("grading:rules-example"))
    assert "attachment" in example["Content-Disposition"]
    answer = client.post(at("questions", empty), {"number": "1", "rules": file(example.content)})
    assert answer.status_code == 302


def test_the_list_costs_the_same_for_one_question_and_for_twenty(assessment, people, as_person):
    client = as_person(people.staff)

    def cost() -> int:
        client.get(at("questions", assessment))
        with CaptureQueriesContext(connection) as captured:
            client.get(at("questions", assessment))
        return len(captured)

    one = cost()
    rules = publish_rules(rules_document(), by=people.staff)
    for number in range(2, 21):
        transitions.add_question(assessment, number=number, label="", rules=rules, by=people.staff)
    assert cost() == one


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_the_rules_can_be_read_with_mathematics(language, assessment, people, as_person):
    address = reverse("grading:rules", args=[assessment.questions.get().public_id])
    body = as_person(people.teacher, language).get(address).content.decode()
    assert {"zh-hans": "累加分数", "en": "Cumulative points"}[language] in body
    assert "data-latex" in body
    assert "Path_B" in body
