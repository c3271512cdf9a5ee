"""From rules, reading, observation and facts to the verdict document that carries its own proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from config.foundation.canonical import document_hash
from config.foundation.errors import UnusableInput
from itembank.algebra.results import ENGINE_VERSION
from itembank.domain.rules import Path, Rules, Step

from .documents import exact, refusal_in, refused_json
from .gate import ACCEPT, Case, GateInput, GateResult, run_gate_on
from .gate.quoting import quotes_truly
from .observation import Observation, read_observation
from .oracle import Oracle, RecordingOracle
from .policy import read_policy
from .proofs import Judged
from .reading import Line, Reading, read_reading
from .scoring import BLANK_COMMENT, ScoredStep, nothing_scored, scorecard
from .statuses import Status

GATE_VERSION = "2"


@dataclass(frozen=True)
class Received:
    """A document of the run as it will be stored, and what it says where it can be used."""

    document: dict[str, Any]
    fault: tuple[str, str] | None


def received(document: object) -> Received:
    """The document with exact numbers; what is no JSON object is stored as a note of why it cannot be used."""
    try:
        clean = exact(document)
        if not isinstance(clean, dict):
            raise UnusableInput("document.type", "不是 JSON 对象。", "Not a JSON object.")
    except UnusableInput as error:
        clean = refused_json(error, "")
    return Received(clean, refusal_in(clean))


def decide(
    *,
    rules: Rules,
    reading: Any,
    observation: Any,
    policy: Any,
    ink: Mapping[str, Any] | None,
    oracle: Oracle,
    identity: Mapping[str, Any] | None = None,
    current: Mapping[str, Any] | None = None,
    provenance: Mapping[str, Any] | None = None,
    second_observation: Any = None,
    certificate: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The complete verdict document. Raises only UnusablePolicy; unusable readings and observations fail `schema`.

    Every question to `oracle` is recorded in `facts.algebra`, so that the decision can be replayed from the document.
    """
    recording = RecordingOracle(oracle)
    case, parts = laid_out(
        rules,
        reading,
        observation,
        policy,
        ink,
        recording,
        identity,
        current,
        provenance,
        second_observation,
        certificate,
    )
    result = run_gate_on(case)
    verdict = public_verdict(case.given, result)
    evidence = _evidence(case)
    asked, asked_sha256 = recording.record()
    facts = {**parts.pop("facts"), "algebra": asked}
    kept = exact(dict(provenance or {}))
    kept.setdefault("engine", f"gate {GATE_VERSION}, algebra {ENGINE_VERSION}")
    kept["sha256"] = {
        **{name: rules.sha256 if name == "rules" else document_hash(part) for name, part in parts.items()},
        "ink": document_hash(facts["ink"]),
        "algebra": asked_sha256,
    }
    return {
        "verdict": verdict,
        "decision": result.decision,
        "gate": exact(result.document()),
        "evidence": evidence,
        **parts,
        "facts": facts,
        "provenance": kept,
    }


def laid_out(
    rules: Rules,
    reading: Any,
    observation: Any,
    policy: Any,
    ink: Mapping[str, Any] | None,
    oracle: Oracle,
    identity: Mapping[str, Any] | None,
    current: Mapping[str, Any] | None,
    provenance: Mapping[str, Any] | None,
    second_observation: Any,
    certificate: Mapping[str, Any] | None,
) -> tuple[Case, dict[str, Any]]:
    """What the gate is asked about these documents and facts, and the parts of the verdict document they become."""
    got_reading, got_observation = received(reading), received(observation)
    chosen_policy = read_policy(policy)
    read, reading_fault = _read_reading(got_reading)
    observed, observation_fault = _read_observation(got_observation)
    second = None if second_observation is None else _read_observation(received(second_observation))[0]
    measured = None if ink is None else exact(dict(ink))
    facts = {
        "ink": measured,
        "identity": None if identity is None else exact(dict(identity)),
        "current": None if current is None else exact(dict(current)),
        "second_observation": None if second is None else second.document,
        "certificate": None if certificate is None else exact(dict(certificate)),
    }
    given = GateInput(
        rules=rules,
        reading=read,
        observation=observed,
        policy=chosen_policy,
        ink=measured,
        oracle=oracle,
        scorecard=nothing_scored(rules),
        identity=facts["identity"],
        images=tuple((provenance or {}).get("images", ())),
        current=facts["current"],
        second_observation=second,
        certificate=facts["certificate"],
        reading_fault=reading_fault,
        observation_fault=observation_fault,
    )
    case = _scored(Case(given))
    parts = {
        "reading": got_reading.document,
        "observation": got_observation.document,
        "rules": rules.document,
        "policy": chosen_policy.document(),
        "facts": facts,
    }
    return case, parts


def _read_reading(got: Received) -> tuple[Reading | None, tuple[str, str] | None]:
    if got.fault:
        return None, got.fault
    try:
        return read_reading(got.document, is_exact=True), None
    except UnusableInput as error:
        return None, (error.zh, error.en)


def _read_observation(got: Received) -> tuple[Observation | None, tuple[str, str] | None]:
    if got.fault:
        return None, got.fault
    try:
        return read_observation(got.document, is_exact=True), None
    except UnusableInput as error:
        return None, (error.zh, error.en)


def _scored(case: Case) -> Case:
    given = case.given

    def proved(path: Path, step: Step) -> bool:
        return case.proofs.proved(path, step)

    return case.with_scorecard(scorecard(given.rules, given.reading, given.observation, given.ink, proved))


def public_verdict(given: GateInput, result: GateResult) -> dict[str, Any]:
    """The object under `verdict`: exactly the public fields."""
    card = given.scorecard
    codes: dict[str, None] = dict.fromkeys(code.value for code in card.extra_codes)
    for item in card.steps:
        if item.proposal is not None:
            codes.update(dict.fromkeys(code.value for code in item.proposal.error_codes))
    return {
        "question_id": given.rules.question_id,
        "total_score": number(card.total),
        "max_score": number(given.rules.max_score),
        "matched_path_id": card.matched_path_id,
        "is_manual_review_needed": result.decision != ACCEPT,
        "step_details": [_step_detail(given, item) for item in card.steps],
        "diagnosis": {
            "error_codes": list(codes),
            "comments": _comments(given),
            "recognition_failure": card.unreadable,
        },
    }


def _comments(given: GateInput) -> str:
    if given.scorecard.blank or given.scorecard.unreadable:
        return BLANK_COMMENT
    return given.observation.comments if given.observation is not None else ""


def _step_detail(given: GateInput, item: ScoredStep) -> dict[str, Any]:
    return {
        "step_id": item.step.step_id,
        "rule_desc": item.step.desc,
        "student_segment": _segment(given, item),
        "status": item.status.value,
        "score": number(item.score),
        "deduction_reason": "" if item.score >= item.step.points else _reason(item),
        "ecf_active": item.status is Status.ECF_GRANTED,
    }


def _segment(given: GateInput, item: ScoredStep) -> str:
    """The judge's quote where the reading bears it out, else the cited lines themselves; never a judge's own words."""
    if item.status in (Status.JUMP_VALID, Status.MISSING) or item.proposal is None or given.reading is None:
        return ""
    lines = [given.reading.by_id[line_id] for line_id in item.proposal.line_ids if line_id in given.reading.by_id]
    lines.sort(key=lambda line: given.reading.position[line.line_id] if given.reading else 0)
    if quotes_truly(item.proposal.quote, lines):
        return item.proposal.quote
    return "; ".join(line.content for line in lines)


def _reason(item: ScoredStep) -> str:
    if item.bare_answer:
        return "只写了最终答案，按“仅答案”计分。"
    if item.proposal is not None and item.proposal.reason and item.status is item.proposal.status:
        return item.proposal.reason
    return {
        Status.GAP_DEDUCTION: "写出了结果，缺少必要的理由。",
        Status.ECF_GRANTED: "由前面的错误值推出，按错误延续给分。",
        Status.INVALID: "与正确结果不符。",
        Status.MISSING: "没有写出这一步。",
    }.get(item.status, "")


def _evidence(case: Case) -> list[dict[str, Any]]:
    if case.given.reading is None or case.given.observation is None:
        return []
    entries: list[dict[str, Any]] = []
    for item in case.scorecard.steps:
        judged = Judged(item.path, item.step, item.status, item.proposal, item.bare_answer)
        lines = case.proofs.lines(judged)
        page, box = _place(lines)
        shadows = case.proofs.shadows_of(judged) if lines else ()
        shadow = next((found for found in shadows if found.student_value is not None), None)
        entries.append(
            {
                "path_id": item.path.path_id,
                "step_id": item.step.step_id,
                "line_ids": [line.line_id for line in lines],
                "page": page,
                "box": box,
                "quote": item.proposal.quote if item.proposal else "",
                "confidence": number(item.proposal.confidence) if item.proposal else 0,
                "algebra": _algebra(case, judged),
                "shadow": None if shadow is None else shadow.document(),
            }
        )
    return entries


def _algebra(case: Case, judged: Judged) -> dict[str, Any] | None:
    if judged.status is Status.JUMP_VALID:
        return case.proofs.jump_support(judged).document()
    if judged.status is Status.MISSING or not judged.step.expects:
        return None
    proof = case.proofs.fulfilment(judged)
    return {
        **proof.answer.document(),
        "expected": proof.expected,
        "line_id": proof.line.line_id if proof.line else None,
    }


def _place(lines: tuple[Line, ...]) -> tuple[int | None, list[int | Decimal] | None]:
    """Page of the first cited line with a box, and the box around all cited lines on that page."""
    first = next((line for line in lines if line.page is not None and line.box is not None), None)
    if first is None:
        return None, None
    boxes = [line.box for line in lines if line.page == first.page and line.box is not None]
    around = [
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    ]
    return first.page, [number(value) for value in around]


def number(value: Decimal) -> int | Decimal:
    """A JSON number without a float: whole ones as int."""
    return int(value) if value == value.to_integral_value() else value.normalize()
