"""Rules changed while marking: preview, choice, carrying over, each answer with its event and nothing done twice."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from config.foundation import trail
from config.foundation.canonical import canonical_json
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from config.foundation.models import Event, Job
from grading import transitions as grading
from grading.domain.rules_changes import Choice
from grading.models import Assessment, Case, GivenMark, Mark
from review import tasks, transitions
from review.models import RulesChange
from review.rules_changes import counted, listed, standing_of
from tests.review import factory
from tests.rules_changes.conftest import A_PATH, RULES, other_points, work
from tests.schemes.conftest import give

pytestmark = pytest.mark.django_db


def marked(room, people, **scores) -> Case:
    """An answer that 王老师 has marked along path A: every step VALID unless a status is given, scores as they follow."""
    case = grading.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    points = {"A1": 2, "A2": 2, "A3": 2, "A4": 3, "A5": 3}
    steps = [
        {
            "path_id": "Path_A", "step_id": step, "status": "VALID" if step not in scores else "INVALID",
            "score": Decimal(scores.get(step, most)),
        }
        for step, most in points.items()
    ]  # fmt: skip
    total = sum((Decimal(str(step["score"])) for step in steps), Decimal(0))
    grading.decide(case, by=people.teacher, version=case.version, steps=steps, total=total, reason="按步给分")
    case.refresh_from_db()
    return case


def changed(room, people, choice, document=None) -> RulesChange:
    change = transitions.propose_rules(room.question, document or other_points(), by=people.leader)
    work()
    transitions.choose(change, by=people.leader, choice=choice)
    work()
    change.refresh_from_db()
    return change


def verbs(case: Case) -> list[str]:
    assert trail.first_broken_link(f"case:{case.public_id}") is None
    return list(Event.objects.filter(chain=f"case:{case.public_id}").order_by("number").values_list("verb", flat=True))


def test_the_preview_counts_whom_it_touches_and_changes_nothing(room, people):
    full, without_end = marked(room, people), marked(room, people, A5=0)
    accepted = room.add(factory.hand_worked_document(failing=()))
    room.add(factory.hand_worked_document())
    before = list(Case.objects.order_by("pk").values())
    change = transitions.propose_rules(room.question, other_points(), by=people.leader)
    assert work() == 4
    standing = standing_of(change)
    assert (standing.marked, standing.accepted, standing.waiting) == (2, 1, 1)
    rows = {row.case_id: row for row in change.answers.all()}
    assert (rows[full.pk].effect, rows[full.pk].after) == ("SAME", Decimal(12))
    # 9 of 12 becomes 8: the other path was changed too, so nobody can prove that it is not better now.
    assert rows[without_end.pk].effect == "UNPROVEN"
    assert rows[accepted.pk].effect == "UNPROVEN"
    assert counted(change, "effect") == {"SAME": 1, "UNPROVEN": 2, "OPEN": 1}
    assert list(Case.objects.order_by("pk").values()) == before
    room.question.refresh_from_db()
    assert room.question.rules.version == 1


def test_recompute_makes_a_new_edition_where_verdicts_prove_it_and_marks_the_rest_again(room, people):
    full, without_end = marked(room, people), marked(room, people, A5=0)
    change = changed(room, people, Choice.RECOMPUTE)
    full.refresh_from_db()
    old, new = full.marks.order_by("edition")
    assert (old.rules.version, new.rules.version, new.total, new.rule) == (1, 2, Decimal(12), "recomputed")
    assert [step["score"] for step in new.steps] == ["2", "2", "2", "2", "4"]
    assert full.closed_at
    assert full.rules.version == 2
    without_end.refresh_from_db()
    assert (without_end.owner, without_end.closed_at, without_end.need) == ("QUEUED_HUMAN", None, "FIRST")
    assert [mark.total for mark in without_end.marks.all()] == [9]
    assert counted(change, "outcome") == {"RECOMPUTED": 1, "UNPROVEN": 1}
    assert verbs(full)[-1] == "recompute"
    assert verbs(without_end)[-1] == "requeue_for_rules"


def test_points_moved_on_the_marked_path_alone_are_recomputed_below_the_full_mark_too(room, people):
    document = {**RULES, "valid_paths": [other_points()["valid_paths"][0]]}
    grading_question = room.question
    case = marked(room, people, A5=0)
    change = changed(room, people, Choice.RECOMPUTE, document)
    grading_question.refresh_from_db()
    assert [mark.total for mark in case.marks.order_by("edition")] == [9, 8]
    assert counted(change, "outcome") == {"RECOMPUTED": 1}


def test_scores_that_do_not_follow_from_their_statuses_are_not_carried_over(room, people):
    case = grading.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    steps = [
        {"path_id": "Path_A", "step_id": f"A{n}", "status": "VALID", "score": Decimal(score)}
        for n, score in zip(range(1, 6), (2, 2, 2, 3, 2), strict=True)
    ]
    grading.decide(case, by=people.teacher, version=case.version, steps=steps, total=Decimal(11), reason="单位")
    change = changed(room, people, Choice.RECOMPUTE)
    assert counted(change, "outcome") == {"UNPROVEN": 1}


def test_requeue_sends_every_decided_answer_back_and_the_old_marks_stand_beside(room, people):
    case, accepted = marked(room, people), room.add(factory.hand_worked_document(failing=()))
    change = changed(room, people, Choice.REQUEUE)
    for one in (case, accepted):
        one.refresh_from_db()
        assert (one.owner, one.life_cycle, one.rules.version) == ("QUEUED_HUMAN", 2, 2)
        assert one.run is not None
        assert one.run.document["rules"]["valid_paths"][0]["steps"][4]["points"] == 4
        assert one.marks.count() == 1
        assert one.packets.get(life_cycle=2).document["disputes"] == [{"kind": "rules_changed", "rules_version": 2}]
    assert counted(change, "outcome") == {"REQUEUED": 2}
    grading.claim(case, by=people.teacher)


def test_leave_keeps_marks_under_the_version_they_name_and_renews_what_waits(room, people):
    case, waiting = marked(room, people), room.add(factory.hand_worked_document())
    change = changed(room, people, Choice.LEAVE)
    case.refresh_from_db()
    waiting.refresh_from_db()
    assert (case.rules.version, case.marks.get().rules.version) == (1, 1)
    assert waiting.run is not None
    assert (waiting.rules.version, waiting.run.document["rules"]["valid_paths"][0]["steps"][4]["points"]) == (2, 4)
    assert counted(change, "outcome") == {"LEFT": 1, "RENEWED": 1}


def test_released_marks_and_answers_under_appeal_are_left_to_the_road_of_appeals(room, people):
    case = marked(room, people)
    Assessment.objects.update(state="RELEASED")
    change = changed(room, people, Choice.REQUEUE)
    case.refresh_from_db()
    assert (case.closed_at is not None, case.rules.version) == (True, 1)
    assert counted(change, "outcome") == {"RELEASED": 1}


def test_a_marker_who_has_the_answer_in_hand_is_told_and_keeps_it(room, people):
    case = grading.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    seen = case.version
    changed(room, people, Choice.RECOMPUTE)
    with pytest.raises(SomeoneWasFaster):
        give_at(case, people.teacher, seen)
    case.refresh_from_db()
    assert (case.claimed_by, case.owner, case.rules.version) == (people.teacher, "HUMAN", 2)
    with pytest.raises(SomeoneWasFaster):
        give_at(case, people.teacher, seen)
    assert not Mark.objects.filter(case=case).exists()


def give_at(case, person, version):
    return grading.decide(case, by=person, version=version, steps=[], total=Decimal(9), reason="x")


def test_a_mark_given_before_its_answer_is_carried_over_counts_as_made_under_the_older_version(room, people):
    case = grading.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    change = transitions.propose_rules(room.question, other_points(), by=people.leader)
    work()
    transitions.choose(change, by=people.leader, choice=Choice.RECOMPUTE)
    give_at(case, people.teacher, case.version)
    assert GivenMark.objects.get().rules.version == 1
    work()
    case.refresh_from_db()
    assert (case.owner, case.rules.version) == ("QUEUED_HUMAN", 2)
    assert counted(change, "outcome") == {"UNPROVEN": 1}


def test_each_job_may_run_twice_and_changes_the_world_once(room, people):
    case = marked(room, people)
    change = changed(room, people, Choice.RECOMPUTE)
    jobs = list(Job.objects.filter(task__startswith="review.tasks."))
    Job.objects.update(state="QUEUED", attempt=0)
    for job in jobs:
        getattr(tasks, job.task.rpartition(".")[2])(job.pk)
    assert case.marks.count() == 2
    assert counted(change, "outcome") == {"RECOMPUTED": 1}
    assert verbs(case).count("recompute") == 1


def test_the_second_leader_who_chooses_is_told_that_it_is_settled(room, people, second_leader):
    change = transitions.propose_rules(room.question, other_points(), by=people.leader)
    other = RulesChange.objects.get(pk=change.pk)
    transitions.choose(change, by=people.leader, choice=Choice.LEAVE)
    with pytest.raises(SomeoneWasFaster):
        transitions.choose(other, by=second_leader, choice=Choice.REQUEUE)
    with pytest.raises(SomeoneWasFaster):
        transitions.refuse_change(other, by=second_leader)


def test_a_version_of_another_question_or_full_mark_or_without_a_change_is_refused(room, people):
    for document in (RULES, {**RULES, "question_id": "other"}, {**RULES, "title": ""}):
        with pytest.raises(UnusableInput):
            transitions.propose_rules(room.question, document, by=people.leader)
    transitions.propose_rules(room.question, other_points(), by=people.leader)
    with pytest.raises(NotAllowedNow):
        transitions.propose_rules(room.question, other_points(1, 5), by=people.leader)


def test_a_found_path_is_invisible_until_another_leader_approves_it(room, people, second_leader):
    unread = room.add(factory.unread_document())
    give(room.add(factory.hand_worked_document()), people.teacher, 9, blind=False)
    draft = transitions.propose_path(room.question, A_PATH, by=people.leader, note="学生用了倒序相加", case=None)
    work()
    assert [row.case for row in listed(draft)] == [unread]
    room.question.refresh_from_db()
    assert len(room.question.rules.document["valid_paths"]) == 2
    with pytest.raises(NotAllowedNow):
        transitions.approve_path(draft, by=people.leader)
    with pytest.raises(SomeoneWasFaster):
        transitions.choose(draft, by=second_leader, choice=Choice.LEAVE)
    approved = transitions.approve_path(draft, by=second_leader)
    assert approved.rules is not None
    assert (approved.state, approved.rules.version) == ("PREVIEW", 2)
    transitions.choose(approved, by=people.leader, choice=Choice.RECOMPUTE)
    work()
    unread.refresh_from_db()
    assert [path.path_id for path in unread.rules.read().paths] == ["Path_A", "Path_B", "Path_C"]


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_the_pages_show_the_difference_the_figures_and_the_choice(room, people, as_person, language):
    marked(room, people, A5=0)
    client = as_person(people.leader, language)
    file = SimpleUploadedFile("rules.json", canonical_json(other_points()))
    sent = client.post(reverse("review:rules-changes", args=[room.question.public_id]), {"rules": file})
    assert sent.status_code == 302
    work()
    page = client.get(sent["Location"])
    assert page.status_code == 200
    for wanted in ("Path_A", "A5", "choice"):
        assert wanted in page.content.decode()
    chosen = client.post(
        reverse("review:choose-rules", args=[RulesChange.objects.get().public_id]), {"choice": "LEAVE"}
    )
    assert chosen.status_code == 302
    work()
    assert client.get(sent["Location"]).status_code == 200
    assert client.get(reverse("review:rules-changes", args=[room.question.public_id])).status_code == 200


def test_a_teacher_proposes_a_path_by_the_simple_form(room, people, as_person):
    client = as_person(people.teacher)
    address = reverse("review:propose-path", args=[room.question.public_id])
    form = {
        "name": "倒序相加", "part": "1", "desc_1": "倒序", "points_1": "6", "desc_2": "求和", "points_2": "6",
        "expects_2": "S_{10}=120", "note": "x",
    }  # fmt: skip
    assert client.post(address, form).status_code == 302
    change = RulesChange.objects.get()
    assert (change.state, change.path_id, change.author) == ("DRAFT", "Path_T1", people.teacher)
    assert client.get(reverse("review:rules-change", args=[change.public_id])).status_code == 403


@pytest.mark.parametrize(
    "hostile",
    [
        {}, {"json": "{"}, {"json": "[]"}, {"json": "{}"}, {"name": "\x00", "desc_1": "\x00", "points_1": "6"},
        {"points_1": "９"}, {"points_1": "1e9"}, {"part": "-1"}, {"json": '{"path_id": "Path_A", "name": "x", "steps": []}'},
        {"json": "9" * 40_000}, {"note": "x" * 600, "name": "a", "desc_1": "b", "points_1": "12"},
    ],
)  # fmt: skip
def test_a_path_that_cannot_be_used_is_explained_and_nothing_is_kept(room, people, as_person, hostile):
    answer = as_person(people.teacher).post(reverse("review:propose-path", args=[room.question.public_id]), hostile)
    assert answer.status_code == 422
    assert not RulesChange.objects.exists()


def test_a_file_or_a_choice_that_cannot_be_used_is_refused(room, people, as_person):
    client = as_person(people.leader)
    address = reverse("review:rules-changes", args=[room.question.public_id])
    for sent in ({}, {"rules": "text"}, {"rules": SimpleUploadedFile("r", b"\xff\x00")}):
        assert client.post(address, sent).status_code == 422
    change = transitions.propose_rules(room.question, other_points(), by=people.leader)
    assert client.post(reverse("review:choose-rules", args=[change.public_id]), {"choice": "\x00"}).status_code == 422
    assert RulesChange.objects.get().state == "PREVIEW"
