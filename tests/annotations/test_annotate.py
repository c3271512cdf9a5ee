"""Drawing on an answer: only who has it in hand, each mark once, nothing lost, and blind to others as their marks are."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from config.foundation import trail
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import transitions
from grading.annotations import annotations_on_paper, annotations_seen
from grading.chains import case_chain
from grading.domain.annotations import MOST_ON_A_PAGE, RefusedChange, read_changes
from grading.models import Annotation, Assessment, Case, ErasedAnnotation, Page
from tests.review import factory
from tests.schemes.conftest import give

pytestmark = pytest.mark.django_db


def tick(case: Case, key: str, *, page: int = 1, **changes: Any) -> dict[str, Any]:
    """A tick in the middle of a page, as the desk sends it."""
    shown = case.response.pages.get(number=page)
    return {
        "do": "draw", "key": key, "page": shown.public_id, "image": shown.stored_sha256[:16], "kind": "tick",
        "at": [Decimal("0.5"), Decimal("0.25")],
    } | changes  # fmt: skip


def draw(case: Case, person: Any, *changes: dict[str, Any]) -> None:
    transitions.annotate(case, read_changes(list(changes)), by=person)


def keys_seen(case: Case, person: Any) -> list[str]:
    case = Case.objects.get(pk=case.pk)
    return [each.key for each in annotations_seen(case, person)]


@pytest.fixture
def held(room: factory.Room, people: Any) -> Case:
    return transitions.claim(room.add(factory.hand_worked_document(), pages=2), by=people.teacher)


def test_a_mark_is_stored_once_with_its_event_and_prolongs_the_claim(held, people):
    Case.objects.filter(pk=held.pk).update(claim_until=timezone.now())
    version = held.version
    for _twice in range(2):
        draw(held, people.teacher, tick(held, "a"), tick(held, "b", page=2, kind="text", text="应为 3"))
    assert [(each.key, each.page.number, each.text) for each in Annotation.objects.all()] == [
        ("a", 1, ""),
        ("b", 2, "应为 3"),
    ]
    events = [each for each in trail.events_of(case_chain(held)) if each.verb == "annotate"]
    assert [each.body["kind"] for each in events] == ["tick", "text"]
    assert "应为" not in str([each.body for each in events])
    assert trail.first_broken_link(case_chain(held)) is None
    held.refresh_from_db()
    assert held.version == version, "the open page of the person who draws must not become a stale one"
    assert held.claim_until > timezone.now()


def test_erasing_adds_a_row_and_takes_nothing_away(held, people):
    draw(held, people.teacher, tick(held, "a"), tick(held, "b"))
    for _twice in range(2):
        draw(held, people.teacher, {"do": "erase", "key": "a"})
    assert keys_seen(held, people.teacher) == ["b"]
    assert Annotation.objects.count() == 2
    verbs = [each.verb for each in trail.events_of(case_chain(held))]
    assert verbs.count("erase_annotation") == 1
    draw(held, people.teacher, tick(held, "a"))
    assert keys_seen(held, people.teacher) == ["b"], "a repeated request must not bring back what was erased since"


@pytest.mark.parametrize("verb", ["change", "remove"])
@pytest.mark.parametrize("model", [Annotation, ErasedAnnotation])
def test_the_database_itself_refuses_to_change_or_remove_a_mark(held, people, model, verb):
    draw(held, people.teacher, tick(held, "a"), {"do": "erase", "key": "a"})
    work = {
        "change": lambda: model.objects.update(at=timezone.now()),
        "remove": lambda: model.objects.all()._raw_delete("default"),
    }
    with pytest.raises(DatabaseError), transaction.atomic():
        work[verb]()


@pytest.mark.parametrize("place", [{"x": "1.5"}, {"y": "-0.1"}, {"to_x": "0.5"}, {"text": "词"}, {"kind": "text"}])
def test_the_database_itself_refuses_a_mark_off_the_page_or_of_no_kind(held, people, place):
    page = held.response.pages.get(number=1)
    row = {
        "case": held, "life_cycle": 1, "by": people.teacher, "key": "z", "page": page, "image_sha256": "0" * 64,
        "kind": "tick", "x": "0.5", "y": "0.5", "at": timezone.now(),
    }  # fmt: skip
    Annotation.objects.create(**row)
    with pytest.raises(DatabaseError), transaction.atomic():
        Annotation.objects.create(**(row | {"key": "y"} | place))


def test_only_the_holder_of_the_claim_draws(held, room, people):
    other = room.add(factory.hand_worked_document())
    for case, person in ((held, people.leader), (held, people.staff), (other, people.teacher)):
        with pytest.raises(SomeoneWasFaster):
            draw(case, person, tick(case, "a"))
    released = transitions.release(Case.objects.get(pk=held.pk), by=people.teacher)
    for case in (held, released):
        with pytest.raises(SomeoneWasFaster):
            draw(case, people.teacher, tick(held, "a"))
    assert Annotation.objects.count() == 0


def test_nobody_draws_on_a_decided_answer_or_after_release(held, room, people):
    seen = Case.objects.get(pk=held.pk)
    give(held, people.teacher, 9, blind=False)
    with pytest.raises(SomeoneWasFaster):
        draw(seen, people.teacher, tick(held, "a"))
    waiting = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    Assessment.objects.update(state="RELEASED")
    with pytest.raises(NotAllowedNow, match="released"):
        draw(Case.objects.get(pk=waiting.pk), people.teacher, tick(waiting, "a"))


def test_a_page_of_another_answer_and_a_replaced_image_are_refused_and_nothing_of_the_list_is_kept(held, room, people):
    other = room.add(factory.hand_worked_document())
    with pytest.raises(RefusedChange) as refused:
        draw(held, people.teacher, tick(held, "a"), tick(held, "b", page=2) | {"page": tick(other, "b")["page"]})
    assert (refused.value.number, refused.value.code) == (1, "annotation.page")
    Page.objects.filter(response=held.response, number=2).update(stored_sha256="f" * 64)
    with pytest.raises(SomeoneWasFaster, match="other_image"):
        draw(held, people.teacher, tick(held, "a"), tick(held, "b", page=2) | {"image": "0" * 16})
    for too_short in ("f", "f" * 15):
        with pytest.raises(SomeoneWasFaster):
            draw(held, people.teacher, tick(held, "b", page=2) | {"image": too_short})
    assert Annotation.objects.count() == 0


def test_a_mark_is_not_shown_on_an_image_it_was_not_drawn_on(held, people):
    draw(held, people.teacher, tick(held, "a"))
    Page.objects.filter(response=held.response).update(stored_sha256="f" * 64)
    assert keys_seen(held, people.teacher) == []


def test_nobody_erases_what_is_not_theirs(held, people):
    draw(held, people.teacher, tick(held, "a"))
    transitions.release(Case.objects.get(pk=held.pk), by=people.teacher)
    taken = transitions.claim(Case.objects.get(pk=held.pk), by=people.leader)
    with pytest.raises(RefusedChange):
        draw(taken, people.leader, {"do": "erase", "key": "a"})
    assert keys_seen(taken, people.leader) == [], "unfinished work of somebody who put the answer back"
    assert keys_seen(taken, people.teacher) == ["a"]


def test_a_full_page_says_so_and_bears_more_once_something_is_erased(held, people):
    draw(held, people.teacher, *(tick(held, f"a{n}") for n in range(MOST_ON_A_PAGE // 2)))
    draw(held, people.teacher, *(tick(held, f"b{n}") for n in range(MOST_ON_A_PAGE // 2)))
    with pytest.raises(UnusableInput, match="many"):
        draw(held, people.teacher, tick(held, "c"))
    draw(held, people.teacher, {"do": "erase", "key": "a0"}, tick(held, "c"), tick(held, "d", page=2))
    assert len(keys_seen(held, people.teacher)) == MOST_ON_A_PAGE + 1


def test_a_crash_in_the_middle_leaves_neither_mark_nor_event(held, people, monkeypatch):
    calls = []

    def broken(*given: Any, **facts: Any) -> None:
        calls.append(facts)
        if len(calls) == 2:
            raise RuntimeError("the power went")

    monkeypatch.setattr(trail, "append", broken)
    with pytest.raises(RuntimeError):
        draw(held, people.teacher, tick(held, "a"), tick(held, "b"))
    assert Annotation.objects.count() == 0


def test_a_blind_second_marker_sees_the_first_ones_marks_only_after_their_own_and_the_arbiter_sees_both(
    room, people, second, scheme, arbiter
):
    scheme("2+1")
    case = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    draw(case, people.teacher, tick(case, "first"))
    give(case, people.teacher, 12)
    case = transitions.claim(Case.objects.get(pk=case.pk), by=second)
    draw(case, second, tick(case, "second"))
    assert keys_seen(case, second) == ["second"]
    give(case, second, 5)
    assert keys_seen(case, arbiter) == [], "as the marks, only once the answer is in hand"
    taken = transitions.take_seeing(Case.objects.get(pk=case.pk), by=arbiter)
    draw(taken, arbiter, tick(taken, "third"))
    seen = annotations_seen(taken, arbiter)
    assert [(each.key, each.by) for each in seen] == [
        ("first", people.teacher),
        ("second", second),
        ("third", arbiter),
    ]
    assert keys_seen(case, second) == ["second"]


def test_marks_belong_to_their_life_cycle_and_none_is_lost(held, people):
    draw(held, people.teacher, tick(held, "a"))
    give(held, people.teacher, 9, blind=False)
    closed = Case.objects.get(pk=held.pk)
    assert keys_seen(closed, people.leader) == ["a"]
    assert [each.key for each in annotations_on_paper(closed)] == ["a"]
    transitions.return_mark(closed, by=people.leader, version=closed.version, reason="再看第三步")
    again = Case.objects.get(pk=held.pk)
    assert keys_seen(again, people.teacher) == []
    assert [each.key for each in annotations_on_paper(again)] == ["a"]
    assert Annotation.objects.count() == 1
