"""The only writer of this app's state: audits, and the drafts of people who are marking."""

from .audits import commit_audit, draw_sample
from .drafts import discard_draft, hand_in, save_draft

__all__ = ["commit_audit", "discard_draft", "draw_sample", "hand_in", "save_draft"]
