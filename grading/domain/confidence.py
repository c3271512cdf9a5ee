"""How sure the machine is of one answer: as sure as of the step it is least sure of, and three bands to mark by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any


class Band(StrEnum):
    """Where an answer lies; UNKNOWN where nothing was recognised that one could be sure of."""

    LOW = "LOW"
    MIDDLE = "MIDDLE"
    HIGH = "HIGH"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True)
class Edges:
    """From ``least`` up to below ``below``; None is open."""

    least: Decimal | None
    below: Decimal | None


# 0.7 is the lowest threshold any policy may set; below it no step was ever accepted.
EDGES: dict[Band, Edges] = {
    Band.LOW: Edges(None, Decimal("0.7")),
    Band.MIDDLE: Edges(Decimal("0.7"), Decimal("0.9")),
    Band.HIGH: Edges(Decimal("0.9"), None),
}
_PLACES = Decimal("0.001")


def least_confidence(document: Mapping[str, Any]) -> Decimal | None:
    """The least confidence among the judged steps of a verdict document, to three places rounded down; None for none.

    An answer without a recognised path has none: what was proved of the nearest path says nothing of the rest.
    """
    if document["verdict"]["matched_path_id"] == "UNKNOWN":
        return None
    given = [each.get("confidence") for each in document["evidence"]]
    known = [Decimal(str(each)) for each in given if each is not None]
    return min(known).quantize(_PLACES, rounding="ROUND_DOWN") if known else None
