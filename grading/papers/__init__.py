"""Marked papers: one PDF for each candidate, with the image of every page, what was drawn on it, and the mark of each question."""

from .folder import export_papers, paper_bytes

__all__ = ["export_papers", "paper_bytes"]
