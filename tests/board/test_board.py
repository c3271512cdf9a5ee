"""The marking leader's board: questions, markers, what stands out, every mark looked up."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from grading import transitions
from grading.domain.problems import ProblemKind
from grading.models import Case
from review.board import board_of
from tests.board.conftest import TOTALS, at, marked_by, marker
from tests.review import factory
from tests.schemes.conftest import give


def test_it_is_for_the_marking_leader(room, people, as_person):
    for name in ("board", "board-marks"):
        assert as_person(people.leader).get(at(name, room)).status_code == 200
        for person, status in ((people.teacher, 403), (people.auditor, 403), (people.stranger, 404)):
            assert as_person(person).get(at(name, room)).status_code == status, person


def test_the_leader_s_queue_leads_to_it_and_a_marker_s_does_not(room, people, as_person):
    link = f'href="{at("board", room)}"'
    assert link in as_person(people.leader).get(at("queue", room)).content.decode()
    assert link not in as_person(people.teacher).get(at("queue", room)).content.decode()


def test_an_empty_room_has_a_board(room, people, as_person):
    page = as_person(people.leader, "en").get(at("board", room)).content.decode()
    assert "Nobody has given a mark here yet." in page


def test_a_question_s_row_counts_where_its_answers_are(busy):
    [row] = board_of(busy.assessment).questions
    assert (row.total, row.closed, row.waiting, row.in_hand, row.accepted) == (38, 37, 1, 0, 1)
    assert row.standing.count == 37
    assert row.people.count == 36


def test_a_marker_s_row_has_their_own_mean_and_overrides(busy, people):
    rows = {row.person: row.figures for row in board_of(busy.assessment).markers}
    own = rows[people.teacher]
    assert own.count == len(TOTALS)
    assert own.mean == Decimal(sum(TOTALS)) / 12 / len(TOTALS)
    # The machine proposed 9 each time.
    assert (own.proposals, own.overridden) == (12, sum(total != 9 for total in TOTALS))


def test_who_marks_harder_is_named_in_words_and_nobody_else(busy, people, as_person):
    notices = [(notice.kind, notice.person.username) for notice in board_of(busy.assessment).notices if notice.person]
    assert ("harder", "yan") in notices
    assert {name for kind, name in notices if kind == "harder"} == {"yan"}
    page = as_person(people.leader).get(at("board", busy)).content.decode()
    assert "严老师 的评分严于他人" in page
    assert (
        "严老师 marks harder than the others" in as_person(people.leader, "en").get(at("board", busy)).content.decode()
    )


def test_nobody_is_named_on_a_handful_of_marks(room, people):
    marked_by(room, people.teacher, TOTALS[:6])
    marked_by(room, marker(room, people, "yan", "严老师"), (1, 2, 1, 0, 1, 2))
    assert not [notice for notice in board_of(room.assessment).notices if notice.person]


def test_an_answer_that_could_not_be_read_overrules_nobody(room, people):
    marked_by(room, people.teacher, (5,), document=factory.unread_document())
    board = board_of(room.assessment)
    assert board.markers[0].figures.proposals == 0
    assert board.questions[0].unread == 1


def test_marks_of_another_assessment_do_not_count(busy, people):
    other = factory.make_room(people, code="OTHER", title="别的考试")
    assert board_of(other.assessment).markers == []
    assert [row.total for row in board_of(other.assessment).questions] == [0]


def test_the_board_costs_the_same_queries_for_two_marks_and_for_thirty_six(room, people, as_person):
    client, counts = as_person(people.leader), []
    for totals, login in ((TOTALS[:2], "sun"), (TOTALS, "yan")):
        marked_by(room, marker(room, people, login, login), totals)
        client.get(at("board", room))
        for name in ("board", "board-marks"):
            with CaptureQueriesContext(connection) as queries:
                client.get(at(name, room))
            counts.append(len(queries))
    assert counts[:2] == counts[2:]


def test_the_list_finds_the_marks_of_one_marker_and_leads_to_the_answer(busy, people, as_person):
    page = as_person(people.leader).get(at("board-marks", busy), {"marker": "yan"}).content.decode()
    case = Case.objects.filter(given_marks__by__username="yan")[0]
    assert f"/review/case/{case.public_id}/" in page
    assert "孙老师</td>" not in page
    assert page.count('<a class="anonymous"') == len(TOTALS)


@pytest.mark.parametrize("query", [{"marker": "nobody"}, {"question": "x"}, {"page": "999"}, {"page": "x"}])
def test_what_is_not_there_is_no_filter(query, busy, people, as_person):
    answer = as_person(people.leader).get(at("board-marks", busy), query)
    assert answer.status_code == 200
    assert '<a class="anonymous"' in answer.content.decode()


def test_a_returned_mark_is_said_to_be_returned(busy, people, as_person):
    case = Case.objects.filter(given_marks__by=people.teacher)[0]
    transitions.return_mark(case, by=people.leader, version=case.version, reason="漏看第二页")
    page = as_person(people.leader, "en").get(at("board-marks", busy), {"marker": "teacher"}).content.decode()
    assert page.count("opened again since") == 1


def test_a_problem_paper_counts_once_however_often_it_is_reported(room, people, as_person):
    case = room.add(factory.hand_worked_document())
    room.add(factory.hand_worked_document())
    for kind in (ProblemKind.INSTRUCTION, ProblemKind.COPYING):
        case = transitions.claim(Case.objects.get(pk=case.pk), by=people.teacher)
        transitions.report_problem(case, by=people.teacher, version=case.version, kind=kind, note="")
    [row] = board_of(room.assessment).questions
    assert (row.reported, row.problem_rate) == (1, Decimal("0.5"))
    assert "50 %" in as_person(people.leader).get(at("board", room)).content.decode()


def test_a_marker_s_problem_papers_stand_beside_the_answers_they_looked_at(room, people, as_person):
    marked_by(room, people.teacher, (9, 9, 9))
    case = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    transitions.report_problem(case, by=people.teacher, version=case.version, kind=ProblemKind.BLANK, note="")
    [row] = board_of(room.assessment).markers
    assert (row.marked, row.reported, row.seen) == (3, 1, 4)
    page = as_person(people.leader).get(at("board", room)).content.decode()
    assert '25 % <span class="soft small unbroken">1 / 4</span>' in page


def test_an_answer_marked_twice_by_one_person_is_one_answer(room, people):
    [case] = marked_by(room, people.teacher, (9,))
    case = Case.objects.get(pk=case.pk)
    transitions.return_mark(case, by=people.leader, version=case.version, reason="再看")
    give(case, people.teacher, 8, blind=False)
    [row] = board_of(room.assessment).markers
    assert (row.figures.count, row.marked) == (2, 1)


def test_every_rate_on_the_board_stands_beside_what_it_is_a_rate_of(busy, people, as_person):
    page = as_person(people.leader, "en").get(at("board", busy)).content.decode()
    for table in page.split("<tbody>")[1:]:
        for row in table.split("</tbody>")[0].split("<tr>")[1:]:
            cells = [" ".join(cell.split("</td>")[0].split()) for cell in row.split("<td")[1:]]
            assert all(" / " in cell or "mark" in cell for cell in cells if "% <span" in cell)
            # The marker's score rate has its count in the second cell of the row.
            assert [cell for cell in cells if cell.endswith(" %")] in ([], [cells[2]])
