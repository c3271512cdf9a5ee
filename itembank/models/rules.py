"""Scoring rules as immutable versions: a change makes a new version, an assessment pins one."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from config.foundation.fields import DocumentField
from config.foundation.public_ids import new_public_id

from ..domain.rules import Rules, read_rules

MOST_READ = 200
_READ: dict[str, Rules] = {}


class ScoringRules(models.Model):
    """One version of the scoring rules of one question. Triggers refuse to change or delete it."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    question_id = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    document = DocumentField()
    sha256 = models.CharField(max_length=64)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["question_id", "version"]
        constraints = [
            models.UniqueConstraint(fields=["question_id", "version"], name="rules_version_once"),
            models.UniqueConstraint(fields=["question_id", "sha256"], name="rules_content_once"),
        ]

    def __str__(self) -> str:
        return f"{self.question_id} v{self.version}"

    def read(self) -> Rules:
        """The rules of this version. A version never changes, so each process checks it once: a marker's page needs it
        several times over."""
        known = _READ.get(self.sha256)
        if known is None:
            known = read_rules(self.document)
            if len(_READ) >= MOST_READ:
                _READ.clear()
            _READ[self.sha256] = known
        return known
