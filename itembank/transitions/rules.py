"""The only writer of scoring rules: publishing a version."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from config.foundation.errors import SomeoneWasFaster

from ..domain.faults import UnusableRules
from ..domain.mathematics import mathematical_faults
from ..domain.rules import Rules, read_rules
from ..models import ScoringRules

_ATTEMPTS = 5


def publish_rules(document: object, *, by: User | None) -> ScoringRules:
    """Store a checked document as the next version of its question; the same content twice gives the same version.

    Raises UnusableRules with every fault of form, meaning and mathematics, and SomeoneWasFaster when others keep
    publishing versions of the same question at the same time.
    """
    rules = read_rules(document)
    faults = mathematical_faults(rules)
    if faults:
        raise UnusableRules(faults)
    for _ in range(_ATTEMPTS):
        published = ScoringRules.objects.filter(question_id=rules.question_id, sha256=rules.sha256).first()
        if published is not None:
            return published
        try:
            with transaction.atomic():
                return _next_version(rules, by)
        except IntegrityError:
            # Another publisher took this version number or stored this very content; look again.
            continue
    raise SomeoneWasFaster(
        "rules-published-meanwhile",
        f"题目 {rules.question_id} 的评分细则正被他人发布，请稍后再试。",
        f"Others are publishing rules of question {rules.question_id}; try again in a moment.",
    )


def _next_version(rules: Rules, by: User | None) -> ScoringRules:
    last = ScoringRules.objects.filter(question_id=rules.question_id).aggregate(last=Max("version"))["last"]
    return ScoringRules.objects.create(
        question_id=rules.question_id,
        version=(last or 0) + 1,
        title=rules.title,
        document=rules.document,
        sha256=rules.sha256,
        created_by=by,
        created_at=timezone.now(),
    )
