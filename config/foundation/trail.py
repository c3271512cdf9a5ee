"""The append-only trail: one hash chain for each case, written inside the transaction of the change it tells of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from .canonical import canonical_json, document_hash, sha256_hex
from .correlation import correlation_id
from .errors import SomeoneWasFaster
from .models import Anchor, ChainHead, Event

GENESIS = ""


@dataclass(frozen=True)
class BrokenLink:
    """The first event of a chain that does not follow from the one before it."""

    chain: str
    number: int
    zh: str
    en: str


def event_hash(previous: str, chain: str, number: int, body: Mapping[str, Any]) -> str:
    """SHA-256 over the previous hash and the canonical JSON of the event with its place in the chain."""
    return sha256_hex(
        previous.encode() + b"\n" + canonical_json({"chain": chain, "number": number, "body": dict(body)})
    )


def append(chain: str, verb: str, *, actor: str, **facts: Any) -> Event:
    """Add one event to ``chain``; must be called inside the transaction that changes the state.

    ``facts`` must be a JSON document without floats. Another transaction that adds to the same chain is waited for (the
    head is locked on PostgreSQL; SQLite's transactions hold the only write lock). Raises SomeoneWasFaster should the
    chain move all the same; then nothing is written and the caller's transaction must end.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an event is part of a change: call trail.append inside transaction.atomic()")
    at = timezone.now()
    head, _ = ChainHead.objects.select_for_update().get_or_create(chain=chain)
    number = head.length + 1
    body = {"verb": verb, "actor": actor, "at": at.isoformat(), "correlation": correlation_id.get(), **facts}
    fresh = event_hash(head.hash, chain, number, body)
    moved = ChainHead.objects.filter(chain=chain, length=head.length).update(length=number, hash=fresh)
    if moved != 1:
        raise _faster(chain)
    try:
        return Event.objects.create(
            chain=chain, number=number, verb=verb, actor=actor, body=body, previous_hash=head.hash, hash=fresh, at=at
        )
    except IntegrityError:
        raise _faster(chain) from None


def _faster(chain: str) -> SomeoneWasFaster:
    return SomeoneWasFaster(
        "trail.moved", "这条记录刚被别人更新，请刷新后再试。", "Someone else just changed this; reload and try again.",
        chain=chain,
    )  # fmt: skip


def events_of(chain: str) -> Iterator[Event]:
    """The events of a chain in order."""
    return Event.objects.filter(chain=chain).order_by("number").iterator()


def first_broken_link(chain: str) -> BrokenLink | None:
    """Recompute one chain from its first event; None when every link holds and the head agrees."""
    previous, number = GENESIS, 0
    for event in events_of(chain):
        number += 1
        if event.number != number:
            return BrokenLink(chain, number, "缺少这一事件", "this event is missing")
        if event.previous_hash != previous:
            return BrokenLink(chain, number, "与前一事件不相接", "does not follow the event before it")
        if event.verb != event.body.get("verb") or event.actor != event.body.get("actor"):
            return BrokenLink(chain, number, "栏目与正文不符", "its columns differ from its body")
        if event_hash(previous, chain, number, event.body) != event.hash:
            return BrokenLink(chain, number, "内容与哈希不符", "its content does not match its hash")
        previous = event.hash
    head = ChainHead.objects.filter(chain=chain).first()
    if (head.length if head else 0) != number or (head.hash if head else GENESIS) != previous:
        return BrokenLink(chain, number + 1, "链尾记录与事件不符", "the recorded head differs from the last event")
    return None


def broken_links(chains: Iterable[str] | None = None) -> Iterator[BrokenLink]:
    """The first broken link of each chain that has one (all chains when none are named)."""
    if chains is None:
        known = set(ChainHead.objects.values_list("chain", flat=True))
        known |= set(Event.objects.values_list("chain", flat=True).distinct())
        chains = sorted(known)
    for chain in chains:
        broken = first_broken_link(chain)
        if broken:
            yield broken


def anchor(day: date) -> Anchor:
    """Fix all chain heads of ``day`` in one hash; the same day twice returns the first anchor."""
    heads = list(ChainHead.objects.order_by("chain").values_list("chain", "length", "hash"))
    fresh = document_hash([list(head) for head in heads])
    made, _ = Anchor.objects.get_or_create(
        day=day, defaults={"chains": len(heads), "hash": fresh, "at": timezone.now()}
    )
    return made
