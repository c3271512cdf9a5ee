"""Audits of decided answers (seeded samples, marked blind, compared afterwards) and drafts of unfinished marks."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from config.foundation.fields import DocumentField
from config.foundation.public_ids import new_public_id
from grading.domain.rules_changes import Carried, Choice, Effect

from .domain.appeals import Goal, Outcome, Tone
from .domain.group_marks import MemberOutcome
from .domain.rules_changes import ChangeState


class AuditSample(models.Model):
    """A random sample of the decided answers of one assessment; the seed draws the same sample again."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    assessment = models.ForeignKey("grading.Assessment", on_delete=models.CASCADE, related_name="audit_samples")
    seed = models.CharField(max_length=40)
    source = models.CharField(max_length=10)  # MACHINE, PERSON or ANY: whose marks are sampled
    population = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.public_id


class AuditItem(models.Model):
    """One sampled answer: the mark it had when drawn and the auditor's own, given without seeing it."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    sample = models.ForeignKey(AuditSample, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    mark = models.ForeignKey("grading.Mark", on_delete=models.PROTECT, related_name="audits")
    total = models.DecimalField(max_digits=5, decimal_places=1, null=True, blank=True)
    steps = DocumentField(default=list)
    comment = models.CharField(max_length=500, blank=True)
    auditor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    committed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["sample", "position"]
        constraints = [
            models.UniqueConstraint(fields=["sample", "mark"], name="audit_item_once"),
            models.UniqueConstraint(fields=["sample", "position"], name="audit_position_once"),
            models.CheckConstraint(
                condition=Q(committed_at__isnull=True) | Q(total__isnull=False, auditor__isnull=False),
                name="audit_committed_has_mark",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sample_id}/{self.position}"


class Draft(models.Model):
    """What one person has entered for one answer and not handed in yet; it ends with their mark.

    ``window`` names the open page that saved last: another page of the same person may not overwrite it unseen.
    """

    case = models.ForeignKey("grading.Case", on_delete=models.CASCADE, related_name="drafts")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    run = models.ForeignKey("grading.JudgeRun", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    fields = DocumentField(default=dict)  # {"field name": ["value", …]} as the two forms send them
    version = models.PositiveIntegerField(default=1)
    window = models.CharField(max_length=40, blank=True)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["case", "person"], name="draft_once")]

    def __str__(self) -> str:
        return f"{self.case_id}/{self.person_id}"


class Appeal(models.Model):
    """A candidate's appeal against the mark of one answer: a ledger of claims in a life cycle of its own.

    Filed by school staff or a leader; decided by somebody else who has never had the answer in hand (triggers demand the
    touch). It closes once, and not while a claim has no outcome.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    case = models.ForeignKey("grading.Case", on_delete=models.PROTECT, related_name="appeals")
    life_cycle = models.PositiveIntegerField()
    old_mark = models.ForeignKey("grading.Mark", on_delete=models.PROTECT, related_name="+")
    new_mark = models.ForeignKey("grading.Mark", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    tone = models.CharField(max_length=8, choices=[(tone.value, tone.name) for tone in Tone])
    words = models.CharField(max_length=2000, blank=True)
    filed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    filed_at = models.DateTimeField()
    reply_by = models.DateField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["filed_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "life_cycle"], name="appeal_once_per_life"),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, decided_by__isnull=True, new_mark__isnull=True)
                | Q(closed_at__isnull=False, decided_by__isnull=False, new_mark__isnull=False),
                name="appeal_closed_has_decision",
            ),
            models.CheckConstraint(
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("filed_by")), name="appeal_decided_by_another"
            ),
        ]

    def __str__(self) -> str:
        return self.public_id


class AppealClaim(models.Model):
    """One claim of an appeal. Its goal, condition and evidence never change; its outcome is set once."""

    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, related_name="claims")
    number = models.PositiveSmallIntegerField()
    goal = models.CharField(max_length=8, choices=[(goal.value, goal.name) for goal in Goal])
    path_id = models.CharField(max_length=64, blank=True)
    step_id = models.CharField(max_length=64, blank=True)
    words = models.CharField(max_length=1000)
    # Number of the claim that must be upheld before this one is triggered.
    after = models.PositiveSmallIntegerField(null=True, blank=True)
    evidence = models.CharField(max_length=1000, blank=True)
    covered = models.BooleanField()
    outcome = models.CharField(max_length=13, blank=True, choices=[(each.value, each.name) for each in Outcome])
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["appeal", "number"]
        constraints = [
            models.UniqueConstraint(fields=["appeal", "number"], name="appeal_claim_once"),
            models.CheckConstraint(
                condition=Q(after__isnull=True) | Q(after__lt=F("number")), name="appeal_claim_looks_back"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.appeal_id}/{self.number}"


class DeskKeys(models.Model):
    """The keys one person works with at the desk, and whether single keys do anything at all."""

    person = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="desk_keys")
    single_keys = models.BooleanField(default=True)
    keys = DocumentField(default=dict)  # {"action": "key"}; "" switches one off

    def __str__(self) -> str:
        return str(self.person_id)


class MarkedGroup(models.Model):
    """One action on a group of like answers: the same mark for each member. ``key`` is that of the screen it was sent from."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    question = models.ForeignKey("grading.Question", on_delete=models.CASCADE, related_name="marked_groups")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=64, unique=True)
    total = models.DecimalField(max_digits=6, decimal_places=2)
    steps = DocumentField(default=list)  # as in Mark
    reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.public_id


class GroupMember(models.Model):
    """What became of one answer of a group: marked with it, left out by the person or by a rule, taken back or kept."""

    group = models.ForeignKey(MarkedGroup, on_delete=models.CASCADE, related_name="members")
    case = models.ForeignKey("grading.Case", on_delete=models.PROTECT, related_name="in_groups")
    outcome = models.CharField(max_length=12, choices=[(each.value, each.name) for each in MemberOutcome])
    # Version of the case with the group's mark; undoing asks for just this one.
    version = models.PositiveIntegerField(null=True, blank=True)
    zh = models.CharField(max_length=400, blank=True)  # why it was left out, or not taken back
    en = models.CharField(max_length=400, blank=True)

    class Meta:
        ordering = ["group", "case__response__code"]
        constraints = [
            models.UniqueConstraint(fields=["group", "case"], name="group_member_once"),
            models.CheckConstraint(
                condition=Q(outcome__in=[MemberOutcome.EXCLUDED.value, MemberOutcome.LEFT_OUT.value])
                | Q(version__isnull=False),
                name="group_member_marked_has_version",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.group_id}/{self.case_id}"


class Exemplar(models.Model):
    """样卷: a decided answer that a marking leader shows to the markers of its question, with the mark it then had."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    case = models.ForeignKey("grading.Case", on_delete=models.PROTECT, related_name="exemplars")
    mark = models.ForeignKey("grading.Mark", on_delete=models.PROTECT, related_name="+")
    note = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    named_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["named_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["case"], condition=Q(withdrawn_at__isnull=True), name="exemplar_once_at_a_time"
            ),
            models.CheckConstraint(condition=~Q(note=""), name="exemplar_says_why"),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True)
                | Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False),
                name="exemplar_withdrawn_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id


class RulesChange(models.Model):
    """A newer version of a question's rules on its way: a path that somebody proposes, then a preview, then a choice.

    While it is a DRAFT, ``rules`` is empty: nothing judges by ``document`` before somebody else has approved it.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    question = models.ForeignKey("grading.Question", on_delete=models.CASCADE, related_name="rules_changes")
    state = models.CharField(max_length=8, choices=[(state.value, state.name) for state in ChangeState])
    old = models.ForeignKey("itembank.ScoringRules", on_delete=models.PROTECT, related_name="+")
    rules = models.ForeignKey(
        "itembank.ScoringRules", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    document = DocumentField()
    path_id = models.CharField(max_length=64, blank=True)  # of a path that somebody found; empty for a whole version
    note = models.CharField(max_length=500, blank=True)
    case = models.ForeignKey(
        "grading.Case", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )  # the answer on which the path was found
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    approver = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    choice = models.CharField(max_length=9, blank=True, choices=[(each.value, each.name) for each in Choice])
    chosen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    chosen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["question"], condition=Q(state=ChangeState.PREVIEW.value), name="rules_preview_once"
            ),
            models.CheckConstraint(
                condition=Q(approver__isnull=True) | ~Q(approver=F("author")), name="rules_path_approved_by_another"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=[ChangeState.PREVIEW.value, ChangeState.CHOSEN.value])
                | Q(path_id="") | Q(approver__isnull=False),
                name="rules_path_needs_approval",
            ),
            models.CheckConstraint(
                condition=~Q(state=ChangeState.CHOSEN.value)
                | Q(rules__isnull=False, chosen_by__isnull=False, chosen_at__isnull=False) & ~Q(choice=""),
                name="rules_choice_is_somebodys",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.public_id


class RulesChangeAnswer(models.Model):
    """One answer under a change: what was foreseen for it, and in the end what became of it."""

    change = models.ForeignKey(RulesChange, on_delete=models.CASCADE, related_name="answers")
    case = models.ForeignKey("grading.Case", on_delete=models.CASCADE, related_name="+")
    version = models.PositiveIntegerField()  # of the case when this was foreseen
    effect = models.CharField(max_length=8, choices=[(each.value, each.name) for each in Effect])
    before = models.DecimalField(max_digits=6, decimal_places=2, null=True, blank=True)
    after = models.DecimalField(max_digits=6, decimal_places=2, null=True, blank=True)
    affected = models.BooleanField(default=False)  # by a proposed path: it would count, or no path was recognised
    document = DocumentField(null=True, blank=True)  # the verdict under the newer rules
    outcome = models.CharField(max_length=10, blank=True, choices=[(each.value, each.name) for each in Carried])
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["change", "case__response__code"]
        constraints = [models.UniqueConstraint(fields=["change", "case"], name="rules_change_answer_once")]

    def __str__(self) -> str:
        return f"{self.change_id}/{self.case_id}"
