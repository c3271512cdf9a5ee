"""Nobody fills the disk by sending: the bound holds before the body is read, and is narrow for strangers."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db
MIB = 1024**2


def sent(client: Client, address: str, size: int, **headers: Any) -> int:
    """The status of a request that announces ``size`` bytes and sends none: a refusal must come without reading."""
    return client.generic("POST", address, b"", CONTENT_LENGTH=str(size), **headers).status_code


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_a_stranger_cannot_send_files_through_the_sign_in_page(client, language):
    client.cookies["django_language"] = language
    assert sent(client, reverse("login"), 70_000) == 413


def test_a_sign_in_of_usual_size_is_read(client, people):
    answer = client.post(reverse("login"), {"username": "teacher", "password": "wrong"})
    assert answer.status_code == 200


def test_people_who_are_signed_in_send_whole_deliveries_and_no_more(client, people, settings):
    client.force_login(people.staff)
    settings.UPLOAD_MAX_TOTAL_BYTES = 10 * MIB
    assert sent(client, reverse("grading:assessments"), 9 * MIB) == 405
    assert sent(client, reverse("grading:assessments"), 11 * MIB) == 413


@pytest.mark.parametrize("announced", ["-1", "many", "", "１２"])
def test_a_length_that_is_no_number_does_no_harm(client, announced):
    answer = client.generic("POST", reverse("login"), b"", CONTENT_LENGTH=announced)
    assert answer.status_code < 500


@pytest.mark.parametrize("host", ["evil.example.org", "localhost:80@evil.example.org", "a b"])
def test_a_foreign_host_name_is_refused(client, host):
    assert client.get(reverse("login"), headers={"host": host}).status_code == 400
