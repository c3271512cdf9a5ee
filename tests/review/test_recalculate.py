"""The sheet computed anew: scores follow statuses exactly, typed scores stay, the total follows."""

from __future__ import annotations

import re

from django.urls import reverse

from tests.review.conftest import sheet_data

HTMX = {"HX-Request": "true"}


def recalculated(client, case, headers=HTMX, **changes) -> str:
    answer = client.post(
        reverse("review:recalculate", args=[case.public_id]), sheet_data(case, **changes), headers=headers
    )
    assert answer.status_code == 200
    return str(answer.content.decode())


def scores(body: str) -> list[str]:
    return re.findall(r'id="score-\d" value="([^"]*)"', body)


def total(body: str) -> str:
    found = re.search(r'id="total"[^>]*>([^<]*)<', body)
    assert found
    return found[1]


def test_a_changed_status_brings_its_score_and_the_total(claimed, people, as_person):
    body = recalculated(as_person(people.teacher), claimed, status_A3="VALID")
    assert scores(body) == ["2", "2", "2", "3", "2"]
    assert total(body) == "11"
    assert body.lstrip().startswith('<div id="sheet"')


def test_half_credit_follows_the_rules(claimed, people, as_person):
    body = recalculated(as_person(people.teacher), claimed, status_A3="ECF_GRANTED", status_A4="GAP_DEDUCTION")
    assert scores(body) == ["2", "2", "1", "1", "2"]
    assert total(body) == "8"


def test_a_typed_score_stays_until_its_status_changes(claimed, people, as_person):
    client = as_person(people.teacher)
    typed = recalculated(client, claimed, score_A4="1")
    assert scores(typed) == ["2", "2", "0", "1", "2"]
    assert total(typed) == "7"
    both = recalculated(client, claimed, score_A4="1", status_A4="MISSING")
    assert scores(both)[3] == "0"


def test_another_path_brings_its_own_steps_and_the_judges_view_of_them(claimed, people, as_person):
    body = recalculated(as_person(people.teacher), claimed, **{"path:1": "Path_B"})
    assert 'name="status:Path_B:B5"' in body
    assert 'name="status:Path_A:A5"' not in body
    assert total(body) == "4"


def test_without_script_the_whole_page_comes_back(claimed, people, as_person):
    body = recalculated(as_person(people.teacher), claimed, headers={}, status_A3="VALID")
    assert "<html" in body
    assert total(body) == "11"


def test_only_the_claim_is_prolonged_and_only_ones_own(claimed, people, as_person):
    version, until = claimed.version, claimed.claim_until
    recalculated(as_person(people.leader), claimed, status_A3="VALID")
    claimed.refresh_from_db()
    assert (claimed.claim_until, claimed.claimed_by) == (until, people.teacher)
    recalculated(as_person(people.teacher), claimed, status_A3="VALID")
    claimed.refresh_from_db()
    assert claimed.claim_until > until
    assert claimed.version == version
