"""A candidate who changes class keeps their marks in the table of the assessment they sat."""

from __future__ import annotations

import csv
import io

from grading import transitions
from grading.domain.roster import RosterRow
from grading.exporting import export_marks
from tests.grading.marking_room import an_answer, an_assessment, verdict_document


def test_who_handed_something_in_stays_in_the_table_after_moving(people, data_dir):
    assessment = an_assessment(people.staff)
    case = an_answer(assessment, people.staff, candidate="1001").case
    transitions.record_run(case, verdict_document(decision="ACCEPT"), epoch=1)
    transitions.import_roster([RosterRow(2, "1001", "陈一", "别的班")], by=people.staff)
    rows = list(csv.reader(io.StringIO(export_marks(assessment, "csv").decode("utf-8-sig"), newline="")))
    assert [(row[0], row[2], row[5]) for row in rows[1:] if row[0] == "1001"] == [("1001", "别的班", "9")]
    assert len(rows) == 4
