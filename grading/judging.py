"""One answer through a judge and the gate: read, adjudicate, measure ink, ask algebra, decide.

Used by the `judge` command and by the workers alike. Needs no database and writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from config.foundation.canonical import document_hash, sha256_hex
from config.foundation.errors import UnusableInput, WenshuError
from itembank.algebra import ENGINE_VERSION
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import Rules, read_rules

from .domain.documents import exact
from .domain.policy import read_policy
from .domain.reading import Reading, read_reading
from .domain.verdict import GATE_VERSION, decide
from .judges.base import Judge, failed_observation, failed_reading

ENGINE = f"gate {GATE_VERSION}, algebra {ENGINE_VERSION}"

Clock = Callable[[], datetime]


def now() -> datetime:
    """The clock that runs unless a test gives another."""
    return datetime.now(UTC)


def judge_answer(
    *,
    rules: object,
    images: Sequence[bytes],
    judge: Judge,
    policy: object,
    received_sha256: Sequence[str] | None = None,
    reading: dict[str, Any] | None = None,
    current: dict[str, Any] | None = None,
    question_id: str | None = None,
    clock: Clock = now,
) -> dict[str, Any]:
    """The verdict document of one answer.

    `images` are the stored (re-encoded) pages, `received_sha256` the hashes of the files as they came, in the same
    order. With `reading` the judge's own reading is not asked for. Whatever the answer or the judge does ends in a
    document; only rules and policy that cannot be used raise (UnusableRules, UnusablePolicy).
    """
    known_rules = read_rules(rules)
    read_policy(policy)
    started, clocked = time.monotonic(), clock()
    seen = _read(judge, images) if reading is None else reading
    observed = _adjudicate(judge, images, seen, known_rules)
    provenance = {
        **judge.provenance(),
        "images": image_hashes(images, received_sha256),
        "started_at": clocked.astimezone(UTC).isoformat(timespec="milliseconds"),
    }
    provenance["idempotency_key"] = idempotency_key(provenance, known_rules, policy, reading)
    return verdict_document(
        rules=known_rules,
        reading=seen,
        observation=observed,
        policy=policy,
        images=images,
        provenance=provenance,
        current=current,
        question_id=question_id,
        started=started,
    )


def gate_observation(
    *,
    rules: Rules,
    reading: dict[str, Any],
    observation: Any,
    policy: object,
    images: Sequence[bytes] = (),
    received_sha256: Sequence[str] | None = None,
    second_observation: Any = None,
    clock: Clock = now,
) -> dict[str, Any]:
    """The verdict document made of a given reading and observation (`gate` command, fault injection)."""
    started = time.monotonic()
    name = observation.get("judge") if isinstance(observation, dict) else None
    provenance: dict[str, Any] = {
        "judge": name if isinstance(name, str) else "given",
        "version": "given",
        "model": None,
        "parameters": {},
        "prompts": [],
        "tokens": None,
        "cost": None,
        "images": image_hashes(images, received_sha256),
        "started_at": clock().astimezone(UTC).isoformat(timespec="milliseconds"),
    }
    provenance["idempotency_key"] = idempotency_key(provenance, rules, policy, reading)
    return verdict_document(
        rules=rules,
        reading=reading,
        observation=observation,
        policy=policy,
        images=images,
        provenance=provenance,
        second_observation=second_observation,
        started=started,
    )


def verdict_document(
    *,
    rules: Rules,
    reading: Any,
    observation: Any,
    policy: object,
    images: Sequence[bytes],
    provenance: dict[str, Any],
    current: dict[str, Any] | None = None,
    question_id: str | None = None,
    second_observation: Any = None,
    started: float,
) -> dict[str, Any]:
    """Measure the ink, ask algebra, decide."""
    ink = measured_ink(images, reading)
    document = decide(
        rules=rules,
        reading=reading,
        observation=observation,
        policy=policy,
        ink=ink,
        oracle=algebra_for(rules),
        identity={
            "question_id": question_id or rules.question_id,
            "rules_sha256": rules.sha256,
            "images": provenance["images"],
        },
        current=current,
        provenance={**provenance, "engine": ENGINE},
        second_observation=second_observation,
    )
    document["provenance"]["ms"] = round((time.monotonic() - started) * 1000)
    return document


def image_hashes(images: Sequence[bytes], received_sha256: Sequence[str] | None) -> list[dict[str, str]]:
    """Hashes of each page as it came and as it is stored."""
    stored = [sha256_hex(image) for image in images]
    return [
        {"received_sha256": came, "stored_sha256": kept}
        for came, kept in zip(received_sha256 or stored, stored, strict=True)
    ]


def idempotency_key(provenance: dict[str, Any], rules: Rules, policy: object, reading: object = None) -> str:
    """One key for one judging: same images, rules, policy, judge and prompts give the same key."""
    return document_hash(
        {
            "images": [image["stored_sha256"] for image in provenance["images"]],
            "rules": rules.sha256,
            "policy": document_hash(read_policy(policy).document()),
            "judge": [provenance["judge"], provenance.get("version"), provenance.get("model")],
            "prompts": exact(provenance["prompts"]),
            "reading": None if reading is None else _hash_or_none(reading),
            "stage": "judge",
            "engine": ENGINE,
        }
    )


def _hash_or_none(document: object) -> str | None:
    try:
        return document_hash(exact(document))
    except WenshuError:
        return None


def measured_ink(images: Sequence[bytes], reading: Any) -> dict[str, Any] | None:
    """Ink of the pages and of every box of the reading; None where there are no images or they cannot be decoded."""
    if not images:
        return None
    from .judges.embedded.ink import measure_ink
    from .judges.embedded.pages import UnusablePage

    boxes = [
        (line.page, (float(line.box[0]), float(line.box[1]), float(line.box[2]), float(line.box[3])))
        for line in _lines(reading)
        if line.page is not None and line.box is not None
    ]
    try:
        measured: dict[str, Any] = exact(measure_ink(images, boxes))
    except UnusablePage:
        return None
    return measured


def _lines(document: Any) -> Sequence[Any]:
    try:
        read: Reading = read_reading(document)
    except UnusableInput:
        return ()
    return read.lines


# A judge is a plug-in: whatever it raises must end at a teacher, so both calls below catch everything.
def _read(judge: Judge, images: Sequence[bytes]) -> dict[str, Any]:
    try:
        return judge.read(images)
    except Exception as error:
        return failed_reading("judge-error", f"{type(error).__name__}: {error}")


def _adjudicate(judge: Judge, images: Sequence[bytes], reading: dict[str, Any], rules: Rules) -> dict[str, Any]:
    try:
        read_reading(reading)
        return judge.adjudicate(images, reading, rules)
    except UnusableInput as error:
        return failed_observation(judge.name, "unusable-reading", error.en)
    except Exception as error:
        return failed_observation(judge.name, "judge-error", f"{type(error).__name__}: {error}")
