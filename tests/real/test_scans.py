"""Ten real scans of pupils' handwriting go through intake, judge and review; none is accepted wrongly.

The scans stay outside the project (``cases_folder``: WENSHU_CASES); the rules here are ours, written for the problems
printed on them. The official score, of 2, ends each file's name.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from config.foundation import strict_json
from config.foundation.models import Job
from grading import transitions
from grading.domain.roster import RosterRow
from grading.judges.embedded.ink import measure_ink
from grading.models import Assessment, Case, Owner, Page
from grading.tasks import decode_file, judge_response
from itembank.transitions import publish_rules
from tests.fixtures.people import PASSWORD

RULES = Path(__file__).parent / "rules"
PROBLEMS = sorted(path.stem for path in RULES.glob("*.json"))

# Nearly all of it is reading; that a read answer is stored alike on both databases is seen with the sample.
pytestmark = [pytest.mark.slow, pytest.mark.one_database]


def scan_of(folder: Path, problem: str) -> tuple[bytes, int]:
    """The scan of a problem and its official score."""
    path = next((folder / "real").glob(f"{problem}_solve_estimate_*.png"))
    return path.read_bytes(), int(path.stem[-1])


def an_assessment_of(problem: str, people) -> Assessment:
    document = strict_json.loads((RULES / f"{problem}.json").read_bytes(), allow_controls="\n")
    made = transitions.create_assessment(
        code="REAL", title="真实扫描", judge="embedded", policy={"allow_uncertified": True}, by=people.staff
    )
    rules = publish_rules(document, by=people.staff)
    transitions.add_question(made, number=1, label=problem, rules=rules, by=people.staff)
    transitions.import_roster([RosterRow(2, "1", "考生", "一班")], by=people.staff, assessment=made)
    transitions.give_role(made, people.teacher, "marker", by=people.staff)
    return made


def work_off(task, name: str) -> None:
    for job in Job.objects.filter(task=name, state="QUEUED"):
        task(job.pk)


def test_there_are_rules_for_all_ten_scans(cases_folder):
    scans = sorted(path.name.partition("_")[0] for path in (cases_folder / "real").glob("*.png"))
    assert scans == PROBLEMS
    assert len(scans) == 10


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_real_scan_reaches_a_teacher_with_boxes_on_the_writing(problem, cases_folder, people, data_dir, client):
    content, official = scan_of(cases_folder, problem)
    assessment = an_assessment_of(problem, people)
    transitions.receive_upload(assessment, [("1_1_1.png", content)], by=people.staff)
    work_off(decode_file, "grading.tasks.decode_file")
    transitions.start_judging(assessment, by=people.staff)
    work_off(judge_response, "grading.tasks.judge_response")

    case = Case.objects.get()
    assert case.run is not None
    assert case.decision != "ACCEPT" or case.run.total == official, f"{problem} accepted with {case.run.total}"
    assert (case.owner, case.decision) == (Owner.QUEUED_HUMAN, "MANUAL_REVIEW")
    assert case.run.document["verdict"]["diagnosis"]["recognition_failure"]

    lines = [line for line in case.run.document["reading"]["lines"] if line.get("box")]
    assert len(lines) >= 5
    page = Page.objects.get()
    from grading.intake.media import load

    boxes = [{"page": 1, "box": [float(edge) for edge in line["box"]]} for line in lines]
    ink = measure_ink([load(page.stored_sha256)], boxes)
    assert all(box["has_ink"] for box in ink["boxes"])
    left = len(ink["unaccounted"])
    assert left <= len(lines), f"{left} regions of writing lie outside the {len(lines)} boxes"

    client.login(username="teacher", password=PASSWORD)
    transitions.claim(case, by=people.teacher)
    response = client.get(f"/review/case/{case.public_id}/")
    assert response.status_code == 200
    assert response.content.count(b"<rect") >= len(lines)
