"""Killed between two steps, sent twice, too late: nothing is lost, judged half or left lying."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from config.foundation import jobs, trail
from config.foundation.budgets import ScopeBudget
from config.foundation.errors import ConfigurationError, SomeoneWasFaster
from config.foundation.models import Event, Job, JobState
from grading import queries, transitions
from grading.domain.packet import packet_document
from grading.intake.images import decode_page
from grading.models import Assessment, Case, Owner, Page, Upload, UploadedFile
from grading.tasks import decode_file, end_stuck_cases
from tests.grading.marking_room import a_queued_case, an_answer, an_assessment, picture, verdict_document
from tests.grading.test_cases import proposed_steps


@pytest.fixture
def assessment(people, data_dir):
    made = an_assessment(people.staff)
    transitions.give_role(made, people.teacher, "marker", by=people.staff)
    return made


@pytest.fixture
def being_marked(assessment, people):
    transitions.start_judging(assessment, by=people.staff)
    assessment.refresh_from_db()
    return assessment


def decode_all() -> None:
    for job in Job.objects.filter(task="grading.tasks.decode_file", state=JobState.QUEUED):
        decode_file(job.pk)


def judging_jobs() -> int:
    return Job.objects.filter(task="grading.tasks.judge_response").count()


# --- the start -----------------------------------------------------------------------------------------------------


def test_a_page_stored_while_the_marking_starts_is_judged(assessment, people):
    transitions.receive_upload(assessment, [("1001_1_1.jpg", picture("one"))], by=people.staff)
    # What a decoding worker has loaded when somebody starts the judging in between.
    file = UploadedFile.objects.select_related("response__case", "response__question__assessment", "upload").get()
    transitions.start_judging(assessment, by=people.staff)
    assert judging_jobs() == 0
    transitions.store_page(file, decode_page(picture("one")))
    assert judging_jobs() == 1


def test_a_complete_answer_that_nobody_enqueued_is_found_by_the_sweep_once(assessment, people):
    an_answer(assessment, people.staff)
    Assessment.objects.filter(pk=assessment.pk).update(state="MARKING")
    assert judging_jobs() == 0
    for _ in range(2):
        end_stuck_cases()
    assert judging_jobs() == 1


# --- pages ---------------------------------------------------------------------------------------------------------


def test_an_answer_is_judged_with_all_pages_of_its_delivery_however_quick_the_worker(being_marked, people):
    def sent():
        for number in (1, 2):
            yield f"1001_1_{number}.jpg", picture(f"page {number}")
            decode_all()  # a worker that is done before the next file has arrived

    transitions.receive_upload(being_marked, sent(), by=people.staff)
    decode_all()
    assert Page.objects.count() == 2
    assert judging_jobs() == 1


def test_a_page_that_comes_when_judging_was_asked_for_is_refused_by_name(being_marked, people):
    an_answer(being_marked, people.staff)
    assert judging_jobs() == 1
    upload = transitions.receive_upload(being_marked, [("1001_1_2.jpg", picture("two"))], by=people.staff)
    assert upload.files.get().code == "file.late"
    assert Page.objects.count() == 1


def test_a_delivery_whose_sender_died_is_decoded_after_a_while(assessment, people):
    upload = transitions.receive_upload(assessment, [("1001_1.jpg", picture())], by=people.staff)
    Job.objects.all().delete()  # as if the process had been killed before its last statement
    assert end_stuck_cases() == 0
    Upload.objects.filter(pk=upload.pk).update(created_at=timezone.now() - timedelta(hours=1))
    assert end_stuck_cases() == 1
    decode_all()
    assert upload.files.get().outcome == "STORED"


def test_sending_again_takes_up_what_a_dead_sender_left(assessment, people):
    first = transitions.receive_upload(assessment, [("1001_1.jpg", picture())], by=people.staff)
    Job.objects.all().delete()
    again = transitions.receive_upload(assessment, [("1001_1.jpg", picture())], by=people.staff)
    decode_all()
    assert (first.files.get().outcome, again.files.get().outcome) == ("STORED", "DUPLICATE")


def test_files_already_named_are_decoded_when_the_rest_of_a_delivery_cannot_be_read(assessment, people):
    def torn():
        yield "1001_1.jpg", picture()
        raise OSError("the stick was pulled out")

    with pytest.raises(OSError, match="pulled out"):
        transitions.receive_upload(assessment, torn(), by=people.staff)
    decode_all()
    assert UploadedFile.objects.get().outcome == "STORED"


def test_a_pdf_is_refused_in_clear_words(assessment, people):
    upload = transitions.receive_upload(assessment, [("1001_1.pdf", b"%PDF-1.7 ...")], by=people.staff)
    file = upload.files.get()
    assert (file.outcome, file.code) == ("REFUSED", "file.pdf")
    assert "JPEG" in file.message_zh


def test_numbers_that_differ_only_in_case_are_never_mixed_up(assessment, people):
    from grading.domain.roster import RosterRow

    rows = [
        RosterRow(2, "a7", "甲", "高三1班"),
        RosterRow(3, "A7", "乙", "高三1班"),
        RosterRow(4, "b8", "丙", "高三1班"),
    ]
    transitions.import_roster(rows, by=people.staff, assessment=assessment)
    names = ["A7_1.jpg", "a7_1.jpg", "B8_1.jpg"]
    upload = transitions.receive_upload(assessment, [(name, picture(name)) for name in names], by=people.staff)
    given = {file.name: file.response.candidate.name for file in upload.files.all() if file.response}
    assert given == {"A7_1.jpg": "乙", "a7_1.jpg": "甲", "B8_1.jpg": "丙"}


# --- the sweep -----------------------------------------------------------------------------------------------------


def test_one_case_that_cannot_be_ended_does_not_hold_up_the_others(assessment, people, monkeypatch):
    cases = [an_answer(assessment, people.staff, candidate=number).case for number in ("1001", "1002")]
    for case in cases:
        Case.objects.filter(pk=case.pk).update(
            owner=Owner.HANDOFF_PENDING, decision="MANUAL_REVIEW", service_ended_at=timezone.now()
        )
    made_by = "grading.transitions.cases.packet_document"

    def fails_once(document, *, reasons):
        monkeypatch.setattr(made_by, packet_document)
        raise KeyError("verdict")

    monkeypatch.setattr(made_by, fails_once)
    assert end_stuck_cases() == 1
    assert end_stuck_cases() == 1
    assert {case.owner for case in Case.objects.all()} == {Owner.QUEUED_HUMAN}


def test_two_who_finish_the_same_hand_off_make_one_packet_and_neither_fails(assessment, people):
    case = an_answer(assessment, people.staff).case
    Case.objects.filter(pk=case.pk).update(
        owner=Owner.HANDOFF_PENDING, decision="MANUAL_REVIEW", service_ended_at=timezone.now()
    )
    worker, sweep = Case.objects.get(pk=case.pk), Case.objects.get(pk=case.pk)
    assert transitions.queue_for_people(worker) == transitions.queue_for_people(sweep)
    assert [event.verb for event in queries.trail_of(case)].count("queue_for_people") == 1


def test_a_queue_longer_than_the_workers_manage_does_not_fill_the_broker(assessment, monkeypatch, settings):
    woken: list[int] = []

    def publish(job: Job) -> bool:
        woken.append(job.pk)
        return True

    monkeypatch.setattr(jobs, "publish", publish)
    monkeypatch.setattr(jobs, "WOKEN_AT_ONCE", 3)
    made = [jobs.enqueue("x", queue="cpu", subject="s", key=str(number)) for number in range(8)]
    Job.objects.all().update(published_at=timezone.now() - timedelta(minutes=5))
    Job.objects.filter(pk=made[-1].pk).update(published_at=None)
    assert jobs.sweep() == 4
    assert woken == [made[-1].pk, *(job.pk for job in made[:3])]


# --- claims --------------------------------------------------------------------------------------------------------


def run_out(case: Case) -> None:
    Case.objects.filter(pk=case.pk).update(claim_until=timezone.now() - timedelta(seconds=1))


def test_a_claim_that_ran_out_is_ended_once_and_the_trail_says_so(assessment, people):
    case = transitions.claim(a_queued_case(assessment, people.staff), by=people.teacher)
    assert end_stuck_cases() == 0
    run_out(case)
    assert end_stuck_cases() == 1
    assert end_stuck_cases() == 0
    case.refresh_from_db()
    assert (case.owner, case.claimed_by) == (Owner.QUEUED_HUMAN, None)
    assert Event.objects.filter(verb="end_claim").count() == 1
    assert list(trail.broken_links()) == []


def test_a_slow_marker_may_still_hand_in_while_nobody_else_has_taken_the_case(assessment, people):
    case = transitions.claim(a_queued_case(assessment, people.staff), by=people.teacher)
    version = case.version
    run_out(case)
    end_stuck_cases()
    case.refresh_from_db()
    assert not transitions.take_up_again(case, by=people.leader, version=version)
    assert not transitions.take_up_again(case, by=people.teacher, version=version - 1)
    assert transitions.take_up_again(case, by=people.teacher, version=version)
    mark = transitions.decide(
        case, by=people.teacher, version=case.version, steps=proposed_steps(case), total=Decimal(9), reason=""
    )
    assert mark is not None
    assert mark.total == 9


def test_a_case_that_another_took_meanwhile_is_not_taken_up_again(assessment, people):
    case = transitions.claim(a_queued_case(assessment, people.staff), by=people.teacher)
    version = case.version
    run_out(case)
    end_stuck_cases()
    transitions.claim(Case.objects.get(pk=case.pk), by=people.leader)
    transitions.release(Case.objects.get(pk=case.pk), by=people.leader)
    case.refresh_from_db()
    assert not transitions.take_up_again(case, by=people.teacher, version=version)


def test_renewing_a_claim_that_another_has_taken_over_is_refused(assessment, people):
    mine = transitions.claim(a_queued_case(assessment, people.staff), by=people.teacher)
    run_out(mine)
    transitions.claim(Case.objects.get(pk=mine.pk), by=people.leader)
    with pytest.raises(SomeoneWasFaster):
        transitions.claim(mine, by=people.teacher)
    assert Case.objects.get(pk=mine.pk).claimed_by == people.leader


# --- late and lost -------------------------------------------------------------------------------------------------


def test_a_worker_that_lost_its_lease_and_a_person_who_took_over_meet_without_harm(assessment, people):
    case = an_answer(assessment, people.staff).case
    job = jobs.enqueue("grading.tasks.judge_response", queue="cpu", subject="case:x", key="k")
    lease = jobs.claim(job.pk)
    assert lease is not None
    stale = Case.objects.get(pk=case.pk)
    transitions.judging_failed(Case.objects.get(pk=case.pk))
    transitions.claim(Case.objects.get(pk=case.pk), by=people.teacher)
    transitions.record_run(stale, verdict_document(decision="ACCEPT"), epoch=1, lease=lease)
    case.refresh_from_db()
    assert (case.owner, case.claimed_by, case.run) == (Owner.HUMAN, people.teacher, None)
    assert not case.marks.exists()
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_an_answer_whose_stored_image_is_gone_goes_to_a_person_after_the_last_try(being_marked, people, settings):
    from pathlib import Path

    from grading.intake import media
    from grading.tasks import judge_response

    response = an_answer(being_marked, people.staff)
    Path(media._path(Page.objects.get().stored_sha256, "pages")).unlink()
    job = Job.objects.get(task="grading.tasks.judge_response")
    for _ in range(settings.JOB_MAX_ATTEMPTS):
        judge_response(job.pk)
    assert Job.objects.get(pk=job.pk).state == JobState.DEAD
    end_stuck_cases()
    case = Case.objects.get(response=response)
    assert (case.owner, case.reasons) == (Owner.QUEUED_HUMAN, ["judge-answered"])


def test_a_judge_that_is_not_set_up_stops_the_start_and_costs_no_answer(assessment, people, settings):
    settings.MODEL_BASE_URL = settings.MODEL_NAME = ""
    an_answer(assessment, people.staff)
    Assessment.objects.filter(pk=assessment.pk).update(judge="openai")
    assessment.refresh_from_db()
    with pytest.raises(ConfigurationError, match="WENSHU_MODEL_BASE_URL"):
        transitions.start_judging(assessment, by=people.staff)
    assessment.refresh_from_db()
    assert (assessment.state, Case.objects.get().owner) == ("PREPARING", Owner.AI)


@pytest.mark.django_db
def test_a_raised_budget_counts_from_the_next_answer_on():
    assert not ScopeBudget("assessment:x", Decimal("0.5")).reserve(Decimal(1))
    assert ScopeBudget("assessment:x", Decimal(2)).reserve(Decimal(1))
    assert not ScopeBudget("assessment:x", Decimal(2)).reserve(Decimal("1.5"))
