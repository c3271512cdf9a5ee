"""Marked papers: one PDF for each candidate, with the image of every page, what was drawn on it, and the mark of each question."""

from .folder import export_papers

__all__ = ["export_papers"]
