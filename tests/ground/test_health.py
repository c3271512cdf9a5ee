"""Three health views: alive, ready, and the deep look that is for administrators alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from config import health
from config.foundation.models import Job
from tests.fixtures.people import People

ADDRESSES = ["/healthz/live", "/healthz/ready"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", ADDRESSES)
def test_anybody_may_ask_whether_the_site_is_alive_and_ready(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 200
    assert "no-store" in response.headers["Cache-Control"]
    assert client.post(address).status_code == 405


@pytest.mark.django_db
def test_a_waiting_migration_makes_it_not_ready_and_says_no_more(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'review'")
    response = client.get("/healthz/ready")
    assert response.status_code == 503
    assert response.json() == {"ready": False}
    assert client.get("/healthz/live").status_code == 200


@pytest.mark.django_db
def test_the_deep_look_is_for_administrators(client: Client, people: People) -> None:
    assert client.get("/healthz/deep").status_code == 302
    client.force_login(people.staff)
    assert client.get("/healthz/deep").status_code == 404
    people.staff.is_superuser = True
    people.staff.save()
    seen = client.get("/healthz/deep").json()
    assert set(seen) == {"database", "migrations", "broker", "storage", "jobs", "scheduler"}
    assert seen["database"]["well"] is True


@pytest.mark.django_db
def test_a_broker_that_does_not_answer_is_named_without_its_address(client: Client, people: People) -> None:
    people.staff.is_superuser = True
    people.staff.save()
    client.force_login(people.staff)
    response = client.get("/healthz/deep")
    assert response.status_code == 503
    assert response.json()["broker"]["seen"] == "ConnectionError"


@pytest.mark.django_db
def test_work_that_waits_too_long_is_not_well() -> None:
    def job(minutes: int) -> Job:
        return Job.objects.create(
            task="t", queue="cpu", subject="s", idempotency_key=str(minutes),
            created_at=timezone.now() - timedelta(minutes=minutes),
        )  # fmt: skip

    job(1)
    assert health.look({"jobs": health.DEEP["jobs"]})[0].well
    job(16)
    finding = health.look({"jobs": health.DEEP["jobs"]})[0]
    assert not finding.well
    assert finding.seen.startswith("2 waiting, 1 of them too long")


@pytest.mark.services
@pytest.mark.django_db
def test_the_command_says_the_same_and_ends_with_code_1_when_something_is_not_well(
    broker: str, capsys: Any, settings: Any
) -> None:
    call_command("health")
    assert "ok  broker: answers" in capsys.readouterr().out
    settings.CELERY_BROKER_URL = "redis+socket:///nowhere/broker.sock"
    with pytest.raises(SystemExit) as ended:
        call_command("health")
    assert ended.value.code == 1
    assert "BAD broker" in capsys.readouterr().out
