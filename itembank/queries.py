"""Reading the item bank: what gate 2 compares with, how items stand."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Max, QuerySet

from .domain.gates import Outcome
from .domain.knowledge import KnowledgePoint as Point
from .domain.knowledge import KnowledgeTree, shipped_tree
from .domain.release import Standing, standing, use_standing
from .domain.scope_gate import Neighbour, Neighbourhood
from .models import Certificate, GateRun, Item, ItemUse, ItemVersion, KnowledgePoint


def current_versions() -> QuerySet[ItemVersion]:
    """The newest version of each item, with its item."""
    newest: QuerySet[ItemVersion] = (
        ItemVersion.objects.annotate(newest=Max("item__versions__version"))
        .filter(version=F("newest"))
        .select_related("item")
        .order_by("item__item_id")
    )
    return newest


def neighbours() -> Iterator[Neighbour]:
    """Every item of the bank in its newest version, as gate 2 needs it."""
    for version in current_versions().defer("document").iterator():
        yield version.neighbour


def neighbourhood() -> Neighbourhood:
    """All of the bank, to compare items with."""
    return Neighbourhood(list(neighbours()))


def knowledge_tree() -> KnowledgeTree:
    """The imported tree; the shipped one where none was imported."""
    rows = KnowledgePoint.objects.values_list("point_id", "zh", "en", "stage")
    points = {row[0]: Point(*row) for row in rows}
    return KnowledgeTree(points) if points else shipped_tree()


def newest_runs(version: ItemVersion) -> dict[int, GateRun]:
    """The newest run of each gate that was asked about a version."""
    return {run.gate: run for run in version.gate_runs.order_by("id")}


def newest_outcomes(version: ItemVersion) -> dict[int, Outcome]:
    """The newest outcome of each gate that was asked about a version."""
    return {gate: Outcome(run.outcome) for gate, run in newest_runs(version).items()}


def item_standing(item: Item) -> Standing:
    """Whether the item as it is now holds a certificate, or held one before it changed."""
    certified = Certificate.objects.filter(version__item=item).values_list("version__version", flat=True)
    return standing(item.current.version, certified)


def standing_of_use(use: ItemUse) -> Standing:
    """Whether the used version was certified then, and whether the item changed since."""
    certificate = Certificate.objects.filter(version=use.version).first()
    at = certificate.at if certificate else None
    return use_standing(use.version.version, use.at, at, use.version.item.current.version)
