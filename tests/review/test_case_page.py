"""The marking desk as served: what it shows in both languages, and what it sends no script for."""

from __future__ import annotations

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading import transitions
from tests.review import factory


def page(client, case) -> str:
    answer = client.get(reverse("review:case", args=[case.public_id]))
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_it_shows_proposal_reasons_steps_quotes_and_the_algebra(room, people, as_person):
    body = page(as_person(people.teacher), room.add(factory.hand_worked_document()))
    for words in (
        "系统建议",
        "有疑字，会改变得分",
        "第 3 行末尾的“4”也可能是“3”",
        "公式正确，7-2×2 应为 3",
        "左边 3，右边 4",
    ):
        assert words in body
    assert 'data-latex="a_1=a_3-2d=7-2\\times 2=4"' in body
    assert "影子验算：10·a₁ + 45·d 代入正确值得 120；代入学生自己的 a₁ = 4, d = 2 得 130" in body


def test_it_speaks_english_to_an_english_reader(room, people, as_person):
    body = page(as_person(people.teacher, "en"), room.add(factory.hand_worked_document()))
    for words in (
        "Proposal",
        "A doubtful glyph would change the mark",
        "the left side is 3, the right side 4",
        "Take in hand",
    ):
        assert words in body
    assert '<html lang="en">' in body


def test_all_rules_of_the_gate_are_listed_with_their_outcomes(room, people, as_person):
    body = page(as_person(people.teacher), room.add(factory.hand_worked_document()))
    for rule in factory.GATE_RULES:
        assert f'<code class="soft small">{rule}</code>' in body


def test_every_line_with_a_box_is_drawn_on_its_page(room, people, as_person):
    body = page(as_person(people.teacher), room.add(factory.hand_worked_document()))
    assert re.findall(r'data-line="(L\d)" aria-label="第 \d 行', body) == ["L1", "L2", "L3", "L4", "L5"]
    assert '<rect x="124.0" y="175.4" width="496.0" height="70.2"' in body


def test_looking_claims_nothing_and_offers_to_take_the_answer(room, people, as_person):
    case = room.add(factory.hand_worked_document())
    body = page(as_person(people.teacher), case)
    case.refresh_from_db()
    assert case.owner == "QUEUED_HUMAN"
    assert "领取并阅卷" in body
    assert "<fieldset disabled>" in body


def test_an_answer_in_other_hands_names_who_has_it(room, people, as_person):
    case = transitions.claim(room.add(factory.hand_worked_document()), by=people.leader)
    body = page(as_person(people.teacher), case)
    assert "陈组长 正在阅这份作答" in body
    assert 'id="submit"' in body
    assert "<fieldset disabled>" in body


def test_an_unread_answer_proposes_no_status(room, people, as_person):
    case = transitions.claim(room.add(factory.unread_document()), by=people.teacher)
    body = page(as_person(people.teacher), case)
    assert "未识别出解法" in body
    assert 'type="radio"' in body
    assert " checked>" not in body.split('id="reading"')[0].split('id="sheet"')[1]
    assert 'name="accept"' not in body


def test_an_answer_without_any_result_can_still_be_marked(room, people, as_person):
    case = room.add(None)
    transitions.judging_failed(case)
    case.refresh_from_db()
    transitions.claim(case, by=people.teacher)
    assert "系统没有给出建议" in page(as_person(people.teacher), case)


def test_text_of_a_student_is_never_markup_and_dollars_stay_dollars(room, people, as_person):
    document = factory.hand_worked_document()
    document["reading"]["lines"][0] |= {"latex": "<script>alert(1)</script> costs $5 and $6"}
    document["verdict"]["step_details"][2]["deduction_reason"] = "价格 $5$ 元 <b>"
    body = page(as_person(people.teacher), room.add(document))
    assert "<script>alert(1)" not in body
    assert "价格 $5$ 元 &lt;b&gt;" in body


def test_pages_carry_no_inline_script_or_style(room, people, as_person):
    teacher, auditor = as_person(people.teacher), as_person(people.auditor)
    case = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    bodies = [
        teacher.get("/").content.decode(),
        teacher.get(reverse("review:queue", args=[room.assessment.public_id])).content.decode(),
        page(teacher, case),
        teacher.get(reverse("review:trail", args=[case.public_id])).content.decode(),
        auditor.get(reverse("review:audits", args=[room.assessment.public_id])).content.decode(),
    ]
    for body in bodies:
        assert not re.search(r"<script(?![^>]*\ssrc=)", body)
        assert not re.search(r'\s(style|on\w+)="', body)
        assert "<style" not in body


def test_the_queue_costs_the_same_number_of_queries_for_one_row_and_for_many(room, people, as_person):
    client = as_person(people.teacher)
    address = reverse("review:queue", args=[room.assessment.public_id])
    counts = []
    for more in (1, 11):
        for _ in range(more):
            room.add(factory.hand_worked_document())
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
