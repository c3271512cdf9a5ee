"""Items with immutable versions, what each gate said of a version, its certificate, and where it was used."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from config.foundation.fields import DocumentField
from config.foundation.public_ids import new_public_id

from ..domain import item_model
from ..domain.gates import COMPUTATION, NOVELTY, OTHER_MIND, PEOPLE, STRUCTURE
from ..domain.items import read_item
from ..domain.likeness import Print
from ..domain.scope_gate import Neighbour


class KnowledgePoint(models.Model):
    """One point of the tree. `point_id` tells the way from the root; parents exist before their children."""

    point_id = models.CharField(max_length=80, unique=True)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="children")
    zh = models.CharField(max_length=80)
    en = models.CharField(max_length=80)
    stage = models.CharField(max_length=10, choices=[(stage, stage) for stage in item_model.STAGES])

    class Meta:
        ordering = ["point_id"]

    def __str__(self) -> str:
        return f"{self.point_id} {self.zh}"


class Item(models.Model):
    """An item by its stable name; what it says stands in its versions."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    item_id = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["item_id"]
        default_permissions = ()
        permissions = [("author_items", "May write items"), ("review_items", "May review items")]

    def __str__(self) -> str:
        return self.item_id

    @property
    def current(self) -> ItemVersion:
        """The newest version; there is always one."""
        return self.versions.order_by("-version")[0]


class ItemVersion(models.Model):
    """What an item said at one time. Triggers refuse to change or delete it."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="versions")
    version = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    kind = models.CharField(max_length=20)
    stage = models.CharField(max_length=10)
    difficulty = models.DecimalField(max_digits=5, decimal_places=4)
    document = DocumentField()
    sha256 = models.CharField(max_length=64)
    exact = models.CharField(max_length=64, db_index=True)
    masked = models.CharField(max_length=64, db_index=True)
    signature = models.BinaryField()
    answers = DocumentField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["item", "version"]
        constraints = [models.UniqueConstraint(fields=["item", "version"], name="item_version_once")]

    def __str__(self) -> str:
        return f"{self.item} v{self.version}"

    def read(self) -> item_model.Item:
        """The item as plain values."""
        return read_item(self.document)

    @property
    def neighbour(self) -> Neighbour:
        """This version as gate 2 compares it with others; needs `item`."""
        its = Print(self.exact, self.masked, bytes(self.signature))
        return Neighbour(self.item.item_id, self.version, its, tuple(self.answers))


class VersionPoint(models.Model):
    """A knowledge point that a version names, for finding it; the tree need not know the point."""

    version = models.ForeignKey(ItemVersion, on_delete=models.PROTECT, related_name="points")
    point_id = models.CharField(max_length=80, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "point_id"], name="version_point_once")]

    def __str__(self) -> str:
        return self.point_id


class GateRun(models.Model):
    """What one gate said of one version. Only added; the newest run of a gate counts."""

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    version = models.ForeignKey(ItemVersion, on_delete=models.PROTECT, related_name="gate_runs")
    gate = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=20)
    passes = models.BooleanField()
    document = DocumentField()
    sha256 = models.CharField(max_length=64)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["version", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(gate__in=[STRUCTURE, NOVELTY, COMPUTATION, OTHER_MIND, PEOPLE]), name="gate_run_gate"
            ),
            models.CheckConstraint(condition=Q(passes=Q(outcome__in=["PASSED", "CORRECT"])), name="gate_run_passes"),
            models.CheckConstraint(condition=~Q(gate=PEOPLE) | Q(by__isnull=False), name="gate_run_of_people_has_one"),
        ]

    def __str__(self) -> str:
        return f"{self.version} gate {self.gate}: {self.outcome}"


class Certificate(models.Model):
    """The release of one version: which runs it rests on, who released it and when.

    It is for one version and nothing else, so a change of content, which makes another version, leaves the item without one.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    version = models.OneToOneField(ItemVersion, on_delete=models.PROTECT, related_name="certificate")
    document = DocumentField()
    sha256 = models.CharField(max_length=64)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.version} certified"


class ItemUse(models.Model):
    """One use of a version: in which assessment, as which question, and how it went. Written by the app that uses it."""

    version = models.ForeignKey(ItemVersion, on_delete=models.PROTECT, related_name="uses")
    place = models.CharField(max_length=80)
    label = models.CharField(max_length=200)
    at = models.DateTimeField()
    score_rate = models.DecimalField(max_digits=5, decimal_places=4, null=True, blank=True)
    responses = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["version", "place"], name="item_use_once"),
            models.CheckConstraint(
                condition=Q(score_rate__isnull=True) | Q(score_rate__range=(0, 1)), name="item_use_rate_in_range"
            ),
            models.CheckConstraint(
                condition=Q(score_rate__isnull=True) | Q(responses__gt=0), name="item_use_rate_has_base"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version} in {self.label}"
