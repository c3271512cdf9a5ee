"""The only writers of the item bank's state, one function for each verb."""

from .items import certify, import_points, record_gate, record_score_rate, record_use, review, run_gates, save_item
from .rules import publish_rules

__all__ = [
    "certify",
    "import_points",
    "publish_rules",
    "record_gate",
    "record_score_rate",
    "record_use",
    "review",
    "run_gates",
    "save_item",
]
