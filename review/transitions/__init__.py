"""The only writer of this app's state: appeals, audits, exemplars, groups of like answers, and the drafts of people who are marking."""

from .appeals import decide_appeal, file_appeal, take_appeal
from .audits import commit_audit, draw_sample
from .drafts import discard_draft, ending_draft, erase_drafts, hand_in, save_draft
from .exemplars import name_exemplar, withdraw_exemplar
from .groups import mark_group, take_back_group
from .keys import set_keys
from .rules_changes import approve_path, carry, choose, foresee, propose_path, propose_rules, refuse_change

__all__ = [
    "approve_path",
    "carry",
    "choose",
    "commit_audit",
    "decide_appeal",
    "discard_draft",
    "draw_sample",
    "ending_draft",
    "erase_drafts",
    "file_appeal",
    "foresee",
    "hand_in",
    "mark_group",
    "name_exemplar",
    "propose_path",
    "propose_rules",
    "refuse_change",
    "save_draft",
    "set_keys",
    "take_appeal",
    "take_back_group",
    "withdraw_exemplar",
]
