"""What candidates wrote, what judges proposed, who owns each case and which marks were given."""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from config.foundation.fields import DocumentField
from config.foundation.public_ids import new_public_id

from .domain.annotations import KEY_LENGTH, LONGEST_TEXT, AnnotationKind
from .domain.problems import LONGEST_NOTE, Finding, ProblemKind
from .domain.schemes import Kind, Place, Rounding


def _values(words: type[StrEnum]) -> list[tuple[str, str]]:
    """The words of a rule as choices of a column."""
    return [(word.value, word.name) for word in words]


class PublicModel(models.Model):
    """A row that shows in addresses under an opaque id."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)

    class Meta:
        abstract = True


class AssessmentState(models.TextChoices):
    PREPARING = "PREPARING"
    MARKING = "MARKING"
    RELEASED = "RELEASED"


class Assessment(PublicModel):
    """One examination of one subject: questions with pinned rules, classes that sit it, a judge and a policy."""

    code = models.CharField(max_length=40, unique=True)
    title = models.CharField(max_length=200)
    state = models.CharField(max_length=12, choices=AssessmentState.choices, default=AssessmentState.PREPARING)
    judge = models.CharField(max_length=40)
    policy = DocumentField(default=dict)
    classes: models.ManyToManyField[SchoolClass, models.Model] = models.ManyToManyField(
        "SchoolClass", blank=True, related_name="assessments"
    )
    created_at = models.DateTimeField()
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["-created_at", "code"]
        default_permissions = ()
        # Rights are given per assessment through groups and guardian; see grading/access.py for who gets which.
        permissions = [
            ("create_assessment", "May set up new assessments"),
            ("administer_assessment", "May set up, upload and export"),
            ("mark_assessment", "May mark and review answers"),
            ("lead_assessment", "May lead the marking"),
            ("arbitrate_assessment", "May arbitrate and decide appeals"),
            ("audit_assessment", "May sample and audit"),
        ]

    def __str__(self) -> str:
        return self.title


class SchoolClass(PublicModel):
    """A class of pupils (班级)."""

    name = models.CharField(max_length=60, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Candidate(PublicModel):
    """A pupil. The only table with personal data; everything else points here or carries an anonymous code."""

    number = models.CharField(max_length=40, unique=True)
    name = models.CharField(max_length=80)
    school_class = models.ForeignKey(SchoolClass, on_delete=models.PROTECT, related_name="candidates")

    class Meta:
        ordering = ["school_class__name", "number"]

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


class Question(PublicModel):
    """One question of an assessment and the version of the scoring rules that is pinned to it."""

    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="questions")
    number = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=40)
    rules = models.ForeignKey("itembank.ScoringRules", on_delete=models.PROTECT, related_name="+")
    max_score = models.DecimalField(max_digits=5, decimal_places=1)

    class Meta:
        ordering = ["assessment", "number"]
        constraints = [models.UniqueConstraint(fields=["assessment", "number"], name="question_number_once")]

    def __str__(self) -> str:
        return self.label


class Response(PublicModel):
    """One candidate's answer to one question (作答)."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="responses")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="responses")
    code = models.CharField(max_length=8)  # 密号, what markers see instead of the candidate
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["question", "code"]
        constraints = [
            models.UniqueConstraint(fields=["question", "candidate"], name="response_once_per_question"),
            models.UniqueConstraint(fields=["question", "code"], name="response_code_once"),
        ]

    def __str__(self) -> str:
        return self.code


class Upload(PublicModel):
    """One delivery of files by one person; its files are listed with what became of each."""

    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="uploads")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.public_id


class FileOutcome(models.TextChoices):
    WAITING = "WAITING"  # received, not yet decoded
    STORED = "STORED"
    DUPLICATE = "DUPLICATE"
    REFUSED = "REFUSED"


class UploadedFile(PublicModel):
    """One received file: where it is kept, which answer it belongs to and what became of it."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=255)
    received_sha256 = models.CharField(max_length=64)
    bytes = models.PositiveIntegerField()
    # Page of the answer as given by the file name or the form, from 1.
    page_number = models.PositiveSmallIntegerField(default=1)
    response = models.ForeignKey(Response, null=True, blank=True, on_delete=models.CASCADE, related_name="files")
    outcome = models.CharField(max_length=10, choices=FileOutcome.choices, default=FileOutcome.WAITING)
    code = models.CharField(max_length=60, blank=True)
    message_zh = models.CharField(max_length=400, blank=True)
    message_en = models.CharField(max_length=400, blank=True)

    class Meta:
        ordering = ["upload", "name"]

    def __str__(self) -> str:
        return self.name


class Page(PublicModel):
    """One page of an answer as stored: upright, without metadata, re-encoded; files lie under their hashes."""

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="pages")
    number = models.PositiveSmallIntegerField()
    file = models.OneToOneField(UploadedFile, on_delete=models.PROTECT, related_name="page")
    received_sha256 = models.CharField(max_length=64)
    stored_sha256 = models.CharField(max_length=64)
    screen_sha256 = models.CharField(max_length=64)
    thumbnail_sha256 = models.CharField(max_length=64)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    metadata_removed = models.BooleanField(default=False)

    class Meta:
        ordering = ["response", "number"]
        constraints = [models.UniqueConstraint(fields=["response", "number"], name="page_number_once")]

    def __str__(self) -> str:
        return f"{self.response_id}/{self.number}"


class Owner(models.TextChoices):
    """Who may move a case. It only ever goes down this list within one life cycle."""

    AI = "AI"
    HANDOFF_PENDING = "HANDOFF_PENDING"
    QUEUED_HUMAN = "QUEUED_HUMAN"
    HUMAN = "HUMAN"


class Case(PublicModel):
    """The one case of a response. Three facts are kept apart: the machine's decision (``decision``), the end of the
    automatic service (``service_ended_at``) and the end of the case (``closed_at``)."""

    response = models.OneToOneField(Response, on_delete=models.CASCADE, related_name="case")
    # The version of the scoring rules this answer is marked under; the question's, unless a change left the answer out.
    rules = models.ForeignKey("itembank.ScoringRules", on_delete=models.PROTECT, related_name="+")
    owner = models.CharField(max_length=16, choices=Owner.choices, default=Owner.AI)
    owner_epoch = models.PositiveIntegerField(default=1)
    version = models.PositiveIntegerField(default=1)
    life_cycle = models.PositiveIntegerField(default=1)
    decision = models.CharField(max_length=14, blank=True)  # "", ACCEPT or MANUAL_REVIEW
    reasons = models.JSONField(default=list)  # names of the gate rules that failed, in the gate's order
    # Whose mark the question's scheme asks for next; what it asked for last, once the case is closed.
    need = models.CharField(max_length=8, choices=_values(Place), default=Place.FIRST.value)
    # The kind of the open problem that puts the answer aside, if any; then nobody is dealt it.
    problem = models.CharField(max_length=14, blank=True)
    run = models.ForeignKey("JudgeRun", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    claim_until = models.DateTimeField(null=True, blank=True)
    skipped_until = models.DateTimeField(null=True, blank=True)
    service_ended_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["owner", "closed_at"], name="case_owner_closed")]
        constraints = [
            models.CheckConstraint(
                condition=Q(claimed_by__isnull=True) | Q(owner=Owner.HUMAN), name="case_claim_means_human"
            ),
            models.CheckConstraint(
                condition=Q(owner=Owner.AI) | Q(service_ended_at__isnull=False), name="case_handed_off_has_time"
            ),
            models.CheckConstraint(
                condition=~Q(owner=Owner.AI, closed_at__isnull=False) | Q(decision="ACCEPT"),
                name="case_machine_closes_only_accepted",
            ),
            models.CheckConstraint(
                condition=Q(problem="") | Q(claimed_by__isnull=True, closed_at__isnull=True),
                name="case_put_aside_is_in_no_hand",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id


# What the pages of a case show of it, read with it in one query.
WHOLE_CASE = ("response__question__assessment", "rules", "run", "claimed_by")


class JudgeRun(PublicModel):
    """One finished run of a judge over one answer: its verdict document, and whether it was used or came too late."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="runs")
    life_cycle = models.PositiveIntegerField()
    owner_epoch = models.PositiveIntegerField()
    idempotency_key = models.CharField(max_length=64, unique=True)
    judge = models.CharField(max_length=40)
    reading_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )  # set when a person corrected the reading that this run judged
    document = DocumentField()
    document_sha256 = models.CharField(max_length=64)
    decision = models.CharField(max_length=14)
    total = models.DecimalField(max_digits=5, decimal_places=1)
    # The least of its judged steps, from 0 to 1; null where no path was recognised.
    confidence = models.DecimalField(max_digits=4, decimal_places=3, null=True, blank=True)
    used = models.BooleanField()
    cost = models.DecimalField(max_digits=14, decimal_places=6, default=0)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["case", "pk"]

    def __str__(self) -> str:
        return f"{self.judge}: {self.decision}"


class Packet(models.Model):
    """What a person is handed with a case: made once in each life cycle and only added to (triggers refuse the rest)."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="packets")
    idempotency_key = models.CharField(max_length=64, unique=True)
    life_cycle = models.PositiveIntegerField()
    document = DocumentField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["case", "life_cycle"], name="packet_once_per_life")]

    def __str__(self) -> str:
        return f"{self.case_id}/{self.life_cycle}"


class PacketEntry(models.Model):
    """Something learnt after the hand-off: a late result, a failed attempt, a corrected reading."""

    packet = models.ForeignKey(Packet, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    document = DocumentField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["packet", "number"]
        constraints = [models.UniqueConstraint(fields=["packet", "number"], name="packet_entry_once")]

    def __str__(self) -> str:
        return self.kind


class MarkingScheme(PublicModel):
    """One version of how a question is marked by people. The newest counts, except where marks were given under another.

    A question without one has 单评. ``arbiter`` is who is asked first; nobody means anybody with the right.
    """

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="schemes")
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=_values(Kind))
    tolerance = models.DecimalField(max_digits=6, decimal_places=2)
    rounding = models.CharField(max_length=8, choices=_values(Rounding))
    arbiter = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    blind_share = models.PositiveSmallIntegerField(default=0)  # per cent of the answers, blind first
    blind_seed = models.CharField(max_length=64)  # secret; the same for all versions of a question
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["question", "version"]
        constraints = [
            models.UniqueConstraint(fields=["question", "version"], name="scheme_version_once"),
            models.CheckConstraint(condition=Q(tolerance__gte=0), name="scheme_tolerance_not_negative"),
            models.CheckConstraint(condition=Q(blind_share__lte=100), name="scheme_share_in_per_cent"),
        ]

    def __str__(self) -> str:
        return f"{self.question_id} {self.kind} v{self.version}"


class GivenMark(PublicModel):
    """One person's mark under the scheme. It does not count by itself: what the scheme makes of it is an edition.

    Each place is filled once in a life cycle and by a person who has filled none; triggers demand that person's touch,
    and for an arbiter's or an appeal's mark a touch made for just that.
    """

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="given_marks")
    life_cycle = models.PositiveIntegerField()
    place = models.CharField(max_length=8, choices=_values(Place))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    scheme = models.ForeignKey(MarkingScheme, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    run = models.ForeignKey(JudgeRun, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    rules = models.ForeignKey("itembank.ScoringRules", on_delete=models.PROTECT, related_name="+")  # it was given under
    blind = models.BooleanField()  # given before the machine's verdict was shown
    total = models.DecimalField(max_digits=6, decimal_places=2)
    max_score = models.DecimalField(max_digits=5, decimal_places=1)
    steps = DocumentField(default=list)  # as in Mark
    reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["case", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "life_cycle", "place"], name="given_mark_place_once"),
            models.UniqueConstraint(fields=["case", "life_cycle", "by"], name="given_mark_person_once"),
            models.CheckConstraint(
                condition=Q(total__gte=0) & Q(total__lte=F("max_score")), name="given_mark_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.total}/{self.max_score}"


class MarkSource(models.TextChoices):
    MACHINE = "MACHINE"
    PERSON = "PERSON"
    AGREED = "AGREED"  # made of people's marks by a rule: of the scheme, or of a change of the scoring rules


class Mark(PublicModel):
    """One edition of the mark of an answer. A re-mark is a new edition; no edition is ever changed or removed."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="marks")
    edition = models.PositiveIntegerField()
    source = models.CharField(max_length=8, choices=MarkSource.choices)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    run = models.ForeignKey(JudgeRun, null=True, blank=True, on_delete=models.PROTECT, related_name="marks")
    rules = models.ForeignKey("itembank.ScoringRules", on_delete=models.PROTECT, related_name="+")  # it was made under
    rule = models.CharField(max_length=24, blank=True)  # of grading.domain.schemes.Rule; empty for the machine's
    # {"scheme", "kind", "tolerance", "rounding", "of": [{"given", "place", "total"}]}; empty for the machine's
    basis = DocumentField(default=dict)
    total = models.DecimalField(max_digits=6, decimal_places=2)
    max_score = models.DecimalField(max_digits=5, decimal_places=1)
    # [{"path_id", "step_id", "status", "score"}] as decided; scores as text
    steps = DocumentField(default=list)
    reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["case", "edition"]
        constraints = [
            models.UniqueConstraint(fields=["case", "edition"], name="mark_edition_once"),
            models.CheckConstraint(condition=Q(total__gte=0) & Q(total__lte=F("max_score")), name="mark_in_range"),
            models.CheckConstraint(
                condition=Q(source=MarkSource.MACHINE, by__isnull=True, run__isnull=False)
                | Q(source=MarkSource.PERSON, by__isnull=False)
                | Q(source=MarkSource.AGREED, by__isnull=True) & ~Q(rule=""),
                name="mark_has_its_maker",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.total}/{self.max_score}"


TOUCH_ROLES = ("marker", "arbiter", "auditor", "appeal")


class Touch(models.Model):
    """A person has had this answer in hand and may not later arbitrate it, audit it or decide its appeal.

    There is one for each person and answer, for good. Whoever arbitrates, audits or decides an appeal must hold one
    made for that; triggers demand it, so that a person with an earlier touch is refused on every way in.
    """

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="touches")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    role = models.CharField(max_length=20)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["response", "person"], name="touch_once"),
            models.CheckConstraint(condition=Q(role__in=TOUCH_ROLES), name="touch_has_a_known_role"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} {self.role}"


class Sight(models.Model):
    """A person has had the machine's verdict on an answer before their eyes, in hand or only looking, under whatever setting.

    Kept for good: nobody unsees it. A trigger refuses their mark as a blind one.
    """

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="sights")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["case", "person"], name="sight_once")]

    def __str__(self) -> str:
        return f"{self.case_id} {self.person_id}"


LONGEST_PASS_NOTE = 300


class PassedOn(models.Model):
    """An answer that one person passed on to another with a note; nobody deals it to the passer again in its life cycle.

    ``kept``: for a day, and while the case's epoch is ``owner_epoch``, it is dealt to nobody but ``to``.
    """

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="passed_on")
    life_cycle = models.PositiveIntegerField()
    owner_epoch = models.PositiveIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kept = models.BooleanField()
    note = models.CharField(max_length=LONGEST_PASS_NOTE)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(by=F("to")), name="passed_on_to_another"),
            models.CheckConstraint(condition=~Q(note=""), name="passed_on_with_a_note"),
        ]

    def __str__(self) -> str:
        return f"{self.case_id} {self.by_id} → {self.to_id}"


LONGEST_LIMIT_REASON = 300


class MarkerLimit(PublicModel):
    """One version of what a marking leader allows a marker: paused, or at most ``cap`` answers. The newest counts.

    Of one question, or of the whole assessment where ``question`` is null; both may hold at once. No version is ever changed:
    the rows of a person are also what their claims lock, so that a cap is counted exactly.
    """

    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="marker_limits")
    question = models.ForeignKey(
        Question, null=True, blank=True, on_delete=models.CASCADE, related_name="marker_limits"
    )
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField()
    paused = models.BooleanField()
    cap = models.PositiveIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=LONGEST_LIMIT_REASON)  # the marker reads it too
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["question", "person", "version"],
                condition=Q(question__isnull=False),
                name="limit_of_a_question_version_once",
            ),
            models.UniqueConstraint(
                fields=["assessment", "person", "version"],
                condition=Q(question__isnull=True),
                name="limit_of_an_assessment_version_once",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="limit_with_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} v{self.version}"


class Problem(PublicModel):
    """What a marker found wrong with an answer beyond its mathematics, and what came of it. It never makes a mark."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="problems")
    kind = models.CharField(max_length=14, choices=_values(ProblemKind))
    note = models.CharField(max_length=LONGEST_NOTE, blank=True)
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    raised_at = models.DateTimeField()
    finding = models.CharField(max_length=9, choices=_values(Finding), blank=True)
    answer = models.CharField(max_length=LONGEST_NOTE, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["raised_at"]
        constraints = [
            models.UniqueConstraint(fields=["case", "kind"], condition=Q(finding=""), name="problem_open_once"),
            models.CheckConstraint(
                condition=Q(finding="", settled_by__isnull=True, settled_at__isnull=True)
                | (~Q(finding="") & Q(settled_by__isnull=False, settled_at__isnull=False)),
                name="problem_settled_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.case_id} {self.kind}"


_ON_THE_PAGE = Q(x__gte=0, x__lte=1, y__gte=0, y__lte=1)
_STRETCHED = Q(kind__in=[AnnotationKind.BOX.value, AnnotationKind.ARROW.value])


class Annotation(PublicModel):
    """One mark on the image of an answer (批注), by the person who has it in hand. Never changed: erasing adds a row.

    ``image_sha256`` is the stored image it was drawn on; on another image of the page it is not shown. Places are shares
    of that image (grading.domain.annotations).
    """

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="annotations")
    life_cycle = models.PositiveIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=KEY_LENGTH)  # the drawing page's own name for it
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="annotations")
    image_sha256 = models.CharField(max_length=64)
    kind = models.CharField(max_length=5, choices=_values(AnnotationKind))
    x = models.DecimalField(max_digits=5, decimal_places=4)
    y = models.DecimalField(max_digits=5, decimal_places=4)
    to_x = models.DecimalField(max_digits=5, decimal_places=4, null=True, blank=True)
    to_y = models.DecimalField(max_digits=5, decimal_places=4, null=True, blank=True)
    text = models.CharField(max_length=LONGEST_TEXT, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["case", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "by", "key"], name="annotation_key_once"),
            models.CheckConstraint(condition=_ON_THE_PAGE, name="annotation_on_the_page"),
            models.CheckConstraint(
                condition=_STRETCHED & Q(to_x__gte=0, to_x__lte=1, to_y__gte=0, to_y__lte=1)
                | ~_STRETCHED & Q(to_x__isnull=True, to_y__isnull=True),
                name="annotation_reaches_on_the_page",
            ),
            models.CheckConstraint(
                condition=Q(kind=AnnotationKind.TEXT.value) & ~Q(text="")
                | ~Q(kind=AnnotationKind.TEXT.value) & Q(text=""),
                name="annotation_only_text_has_words",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.case_id} {self.kind}"


class ErasedAnnotation(models.Model):
    """A mark on an image that its maker took away again; the mark itself stays as it was."""

    annotation = models.OneToOneField(Annotation, on_delete=models.CASCADE, related_name="erased")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.annotation_id)
