"""Thin edges for workers on the people's side: ids in, one call. Each may run twice and changes the world once."""

from __future__ import annotations

from collections.abc import Callable

from celery import shared_task

from config.foundation import jobs

from . import queries, transitions
from .domain.rules_changes import ChangeState
from .models import RulesChange


def _one(work: Callable[..., None]) -> Callable[[jobs.Lease], None]:
    def do(lease: jobs.Lease) -> None:
        named = lease.job.arguments
        change = RulesChange.objects.select_related("question__assessment", "rules", "chosen_by").get(
            pk=named["change"]
        )
        if change.state == ChangeState.REFUSED.value:
            jobs.finish(lease)
            return
        work(change, queries.cases_under(change).get(pk=named["case"]), lease=lease)

    return do


@shared_task(ignore_result=True)
def foresee_answer(pk: int) -> bool:
    """Work out what newer rules would make of one answer (CPU queue)."""
    return jobs.run(pk, _one(transitions.foresee))


@shared_task(ignore_result=True)
def carry_answer(pk: int) -> bool:
    """Carry one answer over to newer rules (CPU queue)."""
    return jobs.run(pk, _one(transitions.carry))


@shared_task(ignore_result=True)
def erase_drafts() -> int:
    """Remove unfinished marks whose time of retention has ended."""
    return transitions.erase_drafts()
