"""From a case in the database to the judge and back to a document: loads images, never writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from config.foundation.budgets import ScopeBudget
from config.foundation.errors import UnusableInput

from .domain.reading import read_reading
from .intake.media import load
from .judges.registry import JudgeSettings, make_judge
from .judging import judge_answer
from .models import Case


def judge_settings(
    budget: Any = None, keep_reply: Callable[..., None] | None = None, replay_path: Path | None = None
) -> JudgeSettings:
    """The judges' settings as the environment gives them."""
    return JudgeSettings(
        model_base_url=settings.MODEL_BASE_URL,
        model_api_key=settings.MODEL_API_KEY,
        model_name=settings.MODEL_NAME,
        model_timeout_seconds=settings.MODEL_TIMEOUT_SECONDS,
        model_max_retries=settings.MODEL_MAX_RETRIES,
        model_structured=settings.MODEL_STRUCTURED,
        model_price_input=settings.MODEL_PRICE_INPUT,
        model_price_output=settings.MODEL_PRICE_OUTPUT,
        budget=budget,
        keep_reply=keep_reply,
        replay_path=replay_path,
    )


def images_of(case: Case) -> tuple[list[bytes], list[str]]:
    pages = list(case.response.pages.order_by("number"))
    return [load(page.stored_sha256) for page in pages], [page.received_sha256 for page in pages]


def judge_case(case: Case, *, epoch: int, keep_reply: Callable[..., None] | None = None) -> dict[str, Any]:
    """Run the assessment's judge over an answer: a complete verdict document, whatever goes wrong on the way."""
    question = case.response.question
    assessment = question.assessment
    images, received = images_of(case)
    budget = ScopeBudget(f"assessment:{assessment.public_id}", settings.MODEL_BUDGET)
    return judge_answer(
        rules=case.rules.document,
        images=images,
        received_sha256=received,
        judge=make_judge(assessment.judge, judge_settings(budget, keep_reply)),
        policy=assessment.policy,
        current={"owner": case.owner, "owner_epoch": case.owner_epoch, "started_epoch": epoch},
        clock=timezone.now,
    )


def judge_corrected_reading(case: Case, reading: dict[str, Any]) -> dict[str, Any]:
    """Judge an answer with a reading given by a person; algebra decides, no model is called.

    Raises UnusableInput when the reading has no line or one that cannot be used.
    """
    read_reading(reading)
    if not reading.get("lines"):
        raise UnusableInput("reading.empty", "识读里至少要有一行。", "The reading needs at least one line.")
    question = case.response.question
    images, received = images_of(case)
    return judge_answer(
        rules=case.rules.document,
        images=images,
        received_sha256=received,
        judge=make_judge("embedded", judge_settings()),
        policy=question.assessment.policy,
        reading=reading,
        current={"owner": case.owner, "owner_epoch": case.owner_epoch, "started_epoch": case.owner_epoch},
        clock=timezone.now,
    )
