"""Writers of items: a version, what a gate said, a review, a certificate, a use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from config.foundation import trail
from config.foundation.canonical import document_hash
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster

from .. import queries
from ..domain.gates import PEOPLE, Detail, GateOutcome, Outcome
from ..domain.item_gates import LaterGate
from ..domain.item_model import Item as ReadItem
from ..domain.items import read_item
from ..domain.knowledge import KnowledgeTree
from ..domain.release import missing_gates
from ..domain.scope_gate import Neighbourhood, check_scope, neighbour_of
from ..domain.structure_gate import check_structure
from ..models import Certificate, GateRun, Item, ItemUse, ItemVersion, KnowledgePoint, VersionPoint

MACHINE = "machine"


def item_chain(item: Item) -> str:
    """The chain of one item in the trail."""
    return f"item:{item.public_id}"


def _actor(person: User | None) -> str:
    return MACHINE if person is None else f"user:{person.pk}"


def save_item(document: object, *, by: User | None) -> ItemVersion:
    """Store an item as the next version of its name; what the newest version says already makes no version.

    Any item whose form can be read is stored: what its gates say decides about release, not about keeping work. Raises
    UnusableItem with every fault of form, and SomeoneWasFaster when another saves the same item at the same time.
    """
    read = read_item(document)
    try:
        with transaction.atomic():
            item, _ = Item.objects.get_or_create(item_id=read.item_id, defaults={"created_at": timezone.now()})
            last = item.versions.order_by("-version").first()
            if last is not None and last.sha256 == read.sha256:
                return last
            return _next_version(item, read, last.version + 1 if last else 1, by)
    except IntegrityError:
        raise SomeoneWasFaster(
            "item-saved-meanwhile",
            f"题目 {read.item_id} 刚被他人保存，请刷新后再试。",
            f"Item {read.item_id} was just saved by someone else; reload and try again.",
        ) from None


def _next_version(item: Item, read: ReadItem, number: int, by: User | None) -> ItemVersion:
    its = neighbour_of(read)
    version = ItemVersion.objects.create(
        item=item,
        version=number,
        title=read.title,
        kind=read.kind,
        stage=read.stage,
        difficulty=read.difficulty,
        document=read.document,
        sha256=read.sha256,
        exact=its.print.exact,
        masked=its.print.masked,
        signature=its.print.signature,
        answers=list(its.answers),
        author=by,
        created_at=timezone.now(),
    )
    VersionPoint.objects.bulk_create(
        [VersionPoint(version=version, point_id=point_id) for point_id in read.knowledge_points]
    )
    trail.append(item_chain(item), "save_item", actor=_actor(by), version=number, sha256=read.sha256)
    return version


def run_gates(
    version: ItemVersion,
    *,
    by: User | None = None,
    later: Mapping[int, LaterGate] | None = None,
    others: Neighbourhood | None = None,
) -> list[GateRun]:
    """Ask the gates of code about a version, then those in ``later``, and keep what they say.

    ``others`` may be given where many items are asked about in a row; it then learns this one.
    """
    structure, item = check_structure(version.document)
    outcomes = [structure]
    if item is not None:
        known = queries.neighbourhood() if others is None else others
        outcomes.append(check_scope(item, known, queries.knowledge_tree()))
        if others is not None:
            others.add(version.neighbour)
        outcomes += [later[gate](item) for gate in sorted(later or {})] if later else []
    return [record_gate(version, outcome, by=by) for outcome in outcomes]


def record_gate(version: ItemVersion, outcome: GateOutcome, *, by: User | None = None) -> GateRun:
    """Keep what a gate said of a version; the same answer as its newest run says nothing new and adds no row."""
    document = outcome.document()
    fresh = document_hash(document)
    with transaction.atomic():
        last = version.gate_runs.filter(gate=outcome.gate).order_by("-id").first()
        if last is not None and last.sha256 == fresh and last.by_id == (by.pk if by else None):
            return last
        run = GateRun.objects.create(
            version=version,
            gate=outcome.gate,
            outcome=str(outcome.outcome),
            passes=outcome.passes,
            document=document,
            sha256=fresh,
            by=by,
            at=timezone.now(),
        )
        trail.append(
            item_chain(version.item),
            "gate_answered",
            actor=_actor(by),
            version=version.version,
            gate=outcome.gate,
            outcome=str(outcome.outcome),
            run=run.public_id,
            sha256=fresh,
        )
    return run


def review(
    version: ItemVersion,
    *,
    by: User,
    passed: bool,
    findings: Iterable[Detail] = (),
    notes: Mapping[str, Any] | None = None,
) -> GateRun:
    """Gate 5: a person's decision about a version. Nobody reviews an item of which they wrote any version."""
    if ItemVersion.objects.filter(item=version.item, author=by).exists():
        raise NotAllowedNow(
            "own-item",
            "命题人不能审自己的题，请由他人审核。",
            "An author may not review their own item; let someone else do it.",
        )
    if version.item.current.pk != version.pk:
        raise NotAllowedNow(
            "older-version",
            f"题目已有新版本（第 {version.item.current.version} 版），请审新版。",
            f"The item has a newer version ({version.item.current.version}); review that one.",
        )
    outcome = Outcome.PASSED if passed else Outcome.FAILED
    return record_gate(version, GateOutcome(PEOPLE, outcome, tuple(findings), dict(notes or {})), by=by)


def certify(version: ItemVersion, *, by: User | None) -> Certificate:
    """Release a version: its gates passed, or a person passed what they did not. The same version twice is one certificate."""
    existing = Certificate.objects.filter(version=version).first()
    if existing is not None:
        return existing
    missing = missing_gates(queries.newest_outcomes(version))
    if missing:
        named = ", ".join(map(str, missing))
        raise NotAllowedNow(
            "not-released",
            f"题目还不能放行：第 {named.replace(', ', '、')} 关未通过。",
            f"The item cannot be released yet: gate {named} has not passed.",
            gates=missing,
        )
    runs = queries.newest_runs(version)
    document = {
        "item_id": version.item.item_id,
        "version": version.version,
        "sha256": version.sha256,
        "gates": [
            {
                "gate": gate,
                "outcome": runs[gate].outcome,
                "run": runs[gate].public_id,
                "sha256": runs[gate].sha256,
                "at": runs[gate].at.isoformat(),
            }
            for gate in sorted(runs)
        ],
    }
    try:
        with transaction.atomic():
            made = Certificate.objects.create(
                version=version, document=document, sha256=document_hash(document), by=by, at=timezone.now()
            )
            trail.append(
                item_chain(version.item), "certify", actor=_actor(by), version=version.version, sha256=made.sha256
            )
    except IntegrityError:
        return Certificate.objects.get(version=version)
    return made


def record_use(version: ItemVersion, *, place: str, label: str) -> ItemUse:
    """A version is used somewhere: ``place`` is the opaque id of the question there. The same place twice is one use."""
    with transaction.atomic():
        use, made = ItemUse.objects.get_or_create(
            version=version, place=place, defaults={"label": label, "at": timezone.now()}
        )
        if made:
            trail.append(item_chain(version.item), "used", actor=MACHINE, version=version.version, place=place)
    return use


def record_score_rate(use: ItemUse, *, score_rate: Decimal, responses: int) -> None:
    """How a use went: mean over full mark, and over how many responses."""
    ItemUse.objects.filter(pk=use.pk).update(score_rate=score_rate, responses=responses)


def import_points(tree: KnowledgeTree) -> int:
    """Take a tree of knowledge points in: new ones are added, known ones get their names and stage; none is removed."""
    with transaction.atomic():
        rows: dict[str, KnowledgePoint] = {}
        for point in tree:
            parent = rows.get(point.parent_id) if point.parent_id else None
            rows[point.point_id], _ = KnowledgePoint.objects.update_or_create(
                point_id=point.point_id,
                defaults={"parent": parent, "zh": point.zh, "en": point.en, "stage": point.stage},
            )
    return len(rows)
