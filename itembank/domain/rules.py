"""Reading scoring rules (评分细则): from an untrusted document to checked values, with every fault named at once.

`read_rules` checks form and meaning without algebra and is cheap; `itembank.domain.mathematics` adds what only algebra
can see (does every expected result parse, do the formulas give the right quantities) before rules are published.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from config.foundation import strict_json
from config.foundation.canonical import document_hash
from config.foundation.errors import UnusableInput

from .faults import Fault, UnusableRules, fault
from .rule_bounds import normalised
from .rule_checks import semantic_faults
from .rule_model import Kind, Path, Rules, Step
from .rule_schema import schema_faults

__all__ = [
    "MAX_RULES_BYTES",
    "Fault",
    "Kind",
    "Path",
    "Rules",
    "Step",
    "UnusableRules",
    "read_rules",
    "read_rules_file",
]

MAX_RULES_BYTES = 256 * 1024


def read_rules(document: object) -> Rules:
    """The rules in a parsed JSON document; raises UnusableRules with all faults that form and meaning show."""
    clean, faults = normalised(document)
    if faults:
        raise UnusableRules(faults)
    faults = schema_faults(clean)
    if faults:
        raise UnusableRules(faults)
    rules = _rules(clean)
    faults = semantic_faults(rules)
    if faults:
        raise UnusableRules(faults)
    return rules


def read_rules_file(data: bytes | str) -> Rules:
    """The rules in the bytes of an uploaded file; raises UnusableRules also for what is not strict JSON."""
    return read_rules(rules_document(data))


def rules_document(data: bytes | str) -> Any:
    """Strict JSON of an uploaded rules file, not checked further; raises UnusableRules."""
    try:
        return strict_json.loads(data, max_bytes=MAX_RULES_BYTES, allow_controls="\n")
    except UnusableInput as error:
        raise UnusableRules([fault("not-json", detail_zh=error.zh, detail=error.en)]) from error


def _rules(document: dict[str, Any]) -> Rules:
    declares = document.get("declares", {})
    return Rules(
        question_id=document["question_id"],
        title=document["title"],
        stem=document["stem"],
        max_score=Decimal(document["max_score"]),
        mark_step=Decimal(document["mark_step"]),
        givens=dict(document.get("givens", {})),
        quantities=dict(document.get("quantities", {})),
        functions=tuple(declares.get("functions", ())),
        assume=tuple(declares.get("assume", ())),
        paths=tuple(_path(path) for path in document["valid_paths"]),
        answer_only_points=Decimal(document.get("answer_only_points", 0)),
        ecf_after_principle=document.get("ecf_after_principle", False),
        required_method=document.get("required_method"),
        document=document,
        sha256=document_hash(document),
    )


def _path(document: Mapping[str, Any]) -> Path:
    return Path(
        path_id=document["path_id"],
        name=document["name"],
        part=document.get("part", 1),
        steps=tuple(_step(step) for step in document["steps"]),
    )


def _step(document: Mapping[str, Any]) -> Step:
    kind: Kind = document["kind"]
    return Step(
        step_id=document["step_id"],
        desc=document["desc"],
        points=Decimal(document["points"]),
        kind=kind,
        expects=tuple(document.get("expects", ())),
        working=tuple(document.get("working", ())),
        demands=tuple(document.get("demands", ())),
        yields=dict(document.get("yields", {})),
        depends_on=tuple(document.get("depends_on", ())),
        shared_id=document.get("shared_id"),
        must_show=document.get("must_show", kind == "concept"),
        ecf_allow=document.get("ecf_allow", True),
        gap_points=_optional(document.get("gap_points")),
        ecf_points=_optional(document.get("ecf_points")),
    )


def _optional(value: int | Decimal | None) -> Decimal | None:
    return None if value is None else Decimal(value)
