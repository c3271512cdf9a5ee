"""Runs Python that a model wrote, with SymPy, where it can reach nothing. Plain Python: nothing here knows Django."""

from .pool import Sandbox
from .result import MOST_CODE, Limits, Ran, SandboxUnavailable, Status

__all__ = ["MOST_CODE", "Limits", "Ran", "Sandbox", "SandboxUnavailable", "Status"]
