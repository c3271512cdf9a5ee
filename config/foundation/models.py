"""Tables that everything stands on: the append-only trail, jobs with leases, model calls and budgets."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .fields import DocumentField
from .public_ids import new_public_id


class ChainHead(models.Model):
    """The last event of one chain. Its row is updated conditionally, so that two writers cannot fork the chain."""

    chain = models.CharField(max_length=80, primary_key=True)
    length = models.PositiveIntegerField(default=0)
    hash = models.CharField(max_length=64, default="")

    def __str__(self) -> str:
        return f"{self.chain}: {self.length}"


class Event(models.Model):
    """One thing that happened. Never updated, never deleted: triggers refuse it on both databases.

    ``body`` is the hashed document: actor, verb, before, after, rules hit, versions, references. It holds no personal
    data, only ids of rows that can be erased.
    """

    chain = models.CharField(max_length=80)
    number = models.PositiveIntegerField()
    verb = models.CharField(max_length=40)
    actor = models.CharField(max_length=80)
    body = DocumentField()
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        ordering = ["chain", "number"]
        constraints = [models.UniqueConstraint(fields=["chain", "number"], name="event_once_per_place")]
        indexes = [models.Index(fields=["verb", "at"], name="event_verb_at")]

    def __str__(self) -> str:
        return f"{self.chain}#{self.number} {self.verb}"


class Anchor(models.Model):
    """All chain heads of one day in one hash, to be kept outside the database too."""

    day = models.DateField(unique=True)
    chains = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.day}: {self.hash[:12]}"


class JobState(models.TextChoices):
    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    DONE = "DONE"
    DEAD = "DEAD"


class Job(models.Model):
    """One piece of background work. This row, not the broker's message, is the truth about it."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    task = models.CharField(max_length=120)
    queue = models.CharField(max_length=20)
    subject = models.CharField(max_length=80)
    group = models.CharField(max_length=80, blank=True, db_index=True)
    idempotency_key = models.CharField(max_length=64, unique=True)
    arguments = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    attempt = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    failure = models.CharField(max_length=500, blank=True)
    correlation = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["state", "lease_until"], name="job_state_lease")]
        constraints = [
            models.CheckConstraint(
                condition=~Q(state="RUNNING") | Q(lease_until__isnull=False), name="job_running_has_lease"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["DONE", "DEAD"]) | Q(ended_at__isnull=False), name="job_ended_has_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.subject} {self.state}"


class ModelCall(models.Model):
    """One call to a model as it came back: kept before anything is made of it, and erased after the retention time."""

    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="model_calls")
    attempt = models.PositiveIntegerField(default=0)
    prompt = models.CharField(max_length=120)
    prompt_sha256 = models.CharField(max_length=64)
    model = models.CharField(max_length=200)
    parameters = models.JSONField(default=dict)
    raw_reply = models.TextField(blank=True)
    raw_sha256 = models.CharField(max_length=64, blank=True)
    failure = models.CharField(max_length=60, blank=True)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=6, default=0)
    latency_ms = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.prompt} → {self.model}"


class Budget(models.Model):
    """Money one scope (an assessment) may spend on models. Reserved before a call, settled after it."""

    scope = models.CharField(max_length=80, primary_key=True)
    limit = models.DecimalField(max_digits=14, decimal_places=6)
    spent = models.DecimalField(max_digits=14, decimal_places=6, default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(spent__gte=0), name="budget_not_negative")]

    def __str__(self) -> str:
        return f"{self.scope}: {self.spent}/{self.limit}"


class Reservation(models.Model):
    """Money set aside for one call under way; it expires, so that a killed worker does not block the budget."""

    budget = models.ForeignKey(Budget, on_delete=models.CASCADE, related_name="reservations")
    amount = models.DecimalField(max_digits=14, decimal_places=6)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.budget_id}: {self.amount}"
