"""A batch with its budget and its raw replies in the database."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from django.db.models import Sum

from config.foundation import jobs
from config.foundation.budgets import ScopeBudget
from config.foundation.models import Budget, ModelCall
from grading.judges.registry import JudgeSettings, make_judge
from grading.model_replies import keep_reply_of
from tests.model_server import ModelServer


def _lease() -> jobs.Lease:
    job = jobs.enqueue("grading.tasks.call_model", queue="model", subject="case:1", key="a-test")
    lease = jobs.claim(job.pk)
    assert lease is not None
    return lease


@pytest.mark.django_db
def test_a_batch_stops_at_its_budget_and_every_reply_is_kept_with_its_price(page: bytes) -> None:
    keep = keep_reply_of(_lease())
    with ModelServer() as server:
        settings = JudgeSettings(
            model_base_url=server.base_url,
            model_name="local-vl",
            model_price_input=Decimal("2"),
            model_price_output=Decimal("8"),
            keep_reply=keep,
        )
        failures = []
        for _ in range(12):
            budget = ScopeBudget("assessment:test", Decimal("0.1"))
            failures.append(make_judge("openai", replace(settings, budget=budget)).read([page]).get("failure"))
    row = Budget.objects.get(scope="assessment:test")
    answered = failures.count(None)
    assert 0 < answered < 12
    assert {failure["code"] for failure in failures if failure} == {"budget_exhausted"}
    assert len(server.requests) == answered == ModelCall.objects.count()
    assert row.spent == ModelCall.objects.aggregate(sum=Sum("cost"))["sum"] == answered * Decimal("0.0048")
    assert row.spent <= row.limit
    assert not row.reservations.exists()
    call = ModelCall.objects.earliest("pk")
    assert (call.prompt, call.tokens_in, call.tokens_out, call.failure) == ("read_answer/v1", 1200, 300, "")
    assert call.raw_reply.startswith('{"lines"')


@pytest.mark.django_db
def test_what_a_model_said_wrongly_is_kept_too(page: bytes) -> None:
    keep = keep_reply_of(_lease())
    with ModelServer("control-character") as server:
        settings = JudgeSettings(model_base_url=server.base_url, model_name="local-vl", keep_reply=keep)
        make_judge("openai", settings).read([page])
    assert list(ModelCall.objects.values_list("failure", flat=True)) == ["control_characters"] * 2
