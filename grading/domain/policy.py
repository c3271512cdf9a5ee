"""The policy of the gate: thresholds and demands of one assessment."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from config.foundation.errors import UnusableInput

from .documents import exact, schema_fault

LEAST_CONFIDENCE = Decimal("0.7")


class UnusablePolicy(UnusableInput):
    """The document is no policy; the message names the field."""


@dataclass(frozen=True)
class Policy:
    """Careful by default: without a certificate nothing passes unless `allow_uncertified` is set."""

    version: str = "default-1"
    allow_uncertified: bool = False
    step_confidence: Decimal = Decimal("0.8")
    line_confidence: Decimal = Decimal("0.8")
    second_judge: bool = False
    alternatives_limit: int = 40

    def document(self) -> dict[str, Any]:
        """The policy as JSON with every default written out."""
        return {
            "version": self.version,
            "allow_uncertified": self.allow_uncertified,
            "step_confidence": exact(self.step_confidence),
            "line_confidence": exact(self.line_confidence),
            "second_judge": self.second_judge,
            "alternatives_limit": self.alternatives_limit,
        }


DEFAULT_POLICY = Policy()


def read_policy(document: object) -> Policy:
    """The policy in a parsed JSON document; what is left out takes its default. Raises UnusablePolicy."""
    clean = exact(document)
    fault = schema_fault("policy", clean)
    if fault is not None:
        where = f" {fault.where}" if fault.where else ""
        raise UnusablePolicy("policy.schema", f"放行策略{where}：{fault.zh}。", f"Policy{where}: {fault.en}.")
    return Policy(
        version=clean.get("version", DEFAULT_POLICY.version),
        allow_uncertified=clean.get("allow_uncertified", False),
        step_confidence=max(LEAST_CONFIDENCE, Decimal(clean.get("step_confidence", DEFAULT_POLICY.step_confidence))),
        line_confidence=max(LEAST_CONFIDENCE, Decimal(clean.get("line_confidence", DEFAULT_POLICY.line_confidence))),
        second_judge=clean.get("second_judge", False),
        alternatives_limit=clean.get("alternatives_limit", DEFAULT_POLICY.alternatives_limit),
    )
