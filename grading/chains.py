"""How actors and chains are named in the trail: by ids of rows that can be erased, never by names of people."""

from __future__ import annotations

from typing import Any

from .models import Assessment, Case

MACHINE = "machine"


def actor_of(person: Any) -> str:
    """``user:<id>`` for a person, ``machine`` for none."""
    return MACHINE if person is None else f"user:{person.pk}"


def case_chain(case: Case) -> str:
    """The chain of one case."""
    return f"case:{case.public_id}"


def assessment_chain(assessment: Assessment) -> str:
    """The chain of one assessment's setting up."""
    return f"assessment:{assessment.public_id}"
