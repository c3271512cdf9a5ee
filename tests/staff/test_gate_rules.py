"""The page of the gate's rules: every rule with its meaning and policy values, for staff, leaders and auditors."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading import transitions
from grading.domain.gate import RULES
from grading.domain.gate.guarded import GUARDED
from grading.domain.policy import Policy
from grading.judges.embedded.reader import reader_version
from grading.views.gate import FIELDS
from itembank.algebra import ENGINE_VERSION
from tests.grading.marking_room import a_queued_case, an_assessment
from tests.staff.conftest import at


@pytest.fixture
def members(assessment, people):
    transitions.give_role(assessment, people.leader, "marking_leader", by=people.staff)
    transitions.give_role(assessment, people.auditor, "qa_auditor", by=people.staff)
    return people


def test_staff_leaders_and_auditors_may_read_it_markers_and_strangers_may_not(assessment, members, as_person):
    address = at("gate", assessment)
    for person in (members.staff, members.leader, members.auditor):
        assert as_person(person).get(address).status_code == 200, person
    assert as_person(members.teacher).get(address).status_code == 403
    assert as_person(members.stranger).get(address).status_code == 404


def test_nothing_can_be_sent_to_it(assessment, members, as_person):
    assert as_person(members.staff).post(at("gate", assessment)).status_code == 405


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_every_rule_stands_there_with_its_title_meaning_and_what_it_guards(language, assessment, members, as_person):
    page = as_person(members.auditor, language).get(at("gate", assessment)).content.decode()
    plain = page.replace("&#x27;", "'").replace("&amp;", "&")
    for entry in RULES:
        guarded = GUARDED[entry.rule]
        texts = (
            (entry.title_en, entry.meaning_en, guarded.en)
            if language == "en"
            else (entry.title_zh, entry.meaning_zh, guarded.zh)
        )
        assert f'id="rule-{entry.rule}"' in page
        for text in texts:
            assert text in plain, text


def test_what_is_guarded_is_said_for_every_rule_and_no_other():
    assert list(GUARDED) == [entry.rule for entry in RULES]


def test_every_value_of_a_policy_is_shown_and_belongs_to_a_rule_or_is_the_version():
    fields = set(Policy().document()) - {"version"}
    assert set(FIELDS) == fields
    assert {field for guarded in GUARDED.values() for field in guarded.policy} == fields


def test_values_of_the_assessment_are_told_from_defaults(assessment, members, as_person):
    assessment.policy = {"allow_uncertified": True, "line_confidence": Decimal("0.95")}
    assessment.save()
    page = as_person(members.staff, "en").get(at("gate", assessment)).content.decode()
    values = page[page.index("policy-title") : page.index("versions-title")]
    shown = dict(re.findall(r"<dt>([^<]+)</dt><dd><strong[^>]*>([^<]+)</strong>", values))
    assert shown["Least confidence in a line"] == "0.95"
    assert shown["Without a certificate"] == "yes"
    assert values.count(">default<") == len(FIELDS) - 2


def test_the_versions_are_those_that_the_next_answer_would_meet(assessment, members, as_person):
    page = as_person(members.staff).get(at("gate", assessment)).content.decode()
    rules = assessment.questions.get().rules
    for version in (reader_version(), ENGINE_VERSION, rules.sha256[:8]):
        assert version in page, version


def test_a_judge_with_prompts_names_them_with_their_hashes(members, as_person):
    other = transitions.create_assessment(code="T-8", title="模型", judge="openai", policy={}, by=members.staff)
    page = as_person(members.staff).get(at("gate", other)).content.decode()
    assert "read_answer <code>v1</code>" in page
    assert "adjudicate <code>v1</code>" in page


def test_how_many_answers_a_rule_stops_now_is_counted(assessment, members, as_person):
    case = a_queued_case(assessment, members.staff, candidate="1001")
    page = as_person(members.leader).get(at("gate", assessment)).content.decode()
    row = page[page.index(f'id="rule-{case.reasons[0]}"') :]
    assert '<td class="number">1</td>' in row[: row.index("</tr>")]


def test_the_page_of_the_assessment_the_queue_and_the_spot_checks_lead_to_it(assessment, members, as_person):
    link = f'href="{at("gate", assessment)}"'
    assert link in as_person(members.staff).get(at("assessment", assessment)).content.decode()
    queue, audits = (reverse(f"review:{name}", args=[assessment.public_id]) for name in ("queue", "audits"))
    assert link in as_person(members.leader).get(queue).content.decode()
    assert link not in as_person(members.teacher).get(queue).content.decode()
    assert link in as_person(members.auditor).get(audits).content.decode()


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_it_costs_the_same_queries_for_one_question_and_for_six(language, members, as_person, data_dir):
    client = as_person(members.staff, language)
    counts = []
    for code, questions in (("T-7", 1), ("T-6", 6)):
        address = at("gate", an_assessment(members.staff, code=code, questions=questions))
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        counts.append(len(queries))
    assert counts[0] == counts[1]
