"""A person's own keys: checked, kept on the server, off when they want none."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.urls import reverse

from config.foundation.errors import UnusableInput
from review.domain.keys import DEFAULTS, own_keys
from review.models import DeskKeys
from review.words import ACTIONS
from tests.review import factory
from tests.review.conftest import sheet_data


def keys_on(client, case) -> dict[str, str]:
    body = client.get(reverse("review:case", args=[case.public_id])).content.decode()
    found = re.search(r'data-keys="([^"]*)"', body)
    assert found
    return dict(json.loads(html.unescape(found[1])))


def test_every_action_has_words_and_a_key_of_its_own():
    assert set(ACTIONS) == set(DEFAULTS)
    assert own_keys({}) == DEFAULTS


def test_keys_are_changed_and_emptied_and_found_on_the_desk(claimed, people, as_person):
    client = as_person(people.teacher)
    assert keys_on(client, claimed)["f"] == "full"
    answer = client.post(reverse("review:keys"), DEFAULTS | {"full": "M", "skip": "", "single": "on"})
    assert answer.status_code == 302
    found = keys_on(client, claimed)
    assert (found["m"], "f" in found, "s" in found) == ("full", False, False)
    assert keys_on(as_person(people.leader), claimed)["f"] == "full"


def test_single_keys_can_be_switched_off_and_everything_put_back(claimed, people, as_person):
    client = as_person(people.teacher)
    client.post(reverse("review:keys"), DEFAULTS)
    body = client.get(reverse("review:case", args=[claimed.public_id])).content.decode()
    assert 'data-single="on"' not in body
    assert "单键已关闭" in body
    client.post(reverse("review:keys"), {"reset": "yes"})
    assert DeskKeys.objects.get().single_keys
    assert 'data-single="on"' in client.get(reverse("review:case", args=[claimed.public_id])).content.decode()


@pytest.mark.parametrize("key", ["7", "?", "ab", "é", " x y", "\x00", "\u202e", "满"])
def test_a_key_that_cannot_be_one_is_refused_and_named(key, people, as_person):
    answer = as_person(people.teacher, "en").post(reverse("review:keys"), DEFAULTS | {"full": key})
    assert answer.status_code == 422
    assert "cannot be a shortcut" in answer.content.decode()
    assert not DeskKeys.objects.exists()


def test_one_key_for_two_actions_is_refused():
    with pytest.raises(UnusableInput):
        own_keys({"full": "s"})


def test_reasons_given_before_at_this_question_are_offered_most_used_first(claimed, room, people, as_person):
    client = as_person(people.teacher)
    for reason in ("漏了单位", "符号错", "符号错"):
        case = room.add(factory.hand_worked_document())
        client.post(reverse("review:claim", args=[case.public_id]))
        case.refresh_from_db()
        sent = sheet_data(case, status_A1="INVALID", reason=reason)
        assert client.post(reverse("review:decide", args=[case.public_id]), sent).status_code == 302
    body = client.get(reverse("review:case", args=[claimed.public_id])).content.decode()
    assert re.findall(r'<option value="([^"]+)"></option>', body) == ["符号错", "漏了单位"]
    other = as_person(people.leader).get(reverse("review:case", args=[claimed.public_id])).content.decode()
    assert "reasons-used" not in re.findall(r'datalist id="([^"]+)"', other)


def test_what_follows_from_a_change_is_shown_before_it_is_saved(claimed, people, as_person):
    sent = sheet_data(claimed, status_A3="VALID")
    address = reverse("review:recalculate", args=[claimed.public_id])
    body = as_person(people.teacher).post(address, sent, headers={"HX-Request": "true"}).content.decode()
    follows = " ".join(re.sub(r"<[^>]+>", " ", body.split('id="follows"')[1].split("</p>")[0]).split())
    assert "3 ✕ 0 → ✓ 2" in follows
