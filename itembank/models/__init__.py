"""Tables of the item bank: scoring rules, and items with their versions, gates, certificates and uses."""

from .items import Certificate, GateRun, Item, ItemUse, ItemVersion, KnowledgePoint, VersionPoint
from .rules import ScoringRules

__all__ = [
    "Certificate",
    "GateRun",
    "Item",
    "ItemUse",
    "ItemVersion",
    "KnowledgePoint",
    "ScoringRules",
    "VersionPoint",
]
