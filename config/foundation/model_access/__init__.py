"""Model access: one address from the settings, strict replies, bounded time, size, repeats and money.

Knows nothing of marking. ``complete`` asks; ``ModelReply`` holds a parsed reply or a failure with a stable code.
"""

from .attempt import Exchange
from .budget import Budget, MemoryBudget, UnlimitedBudget
from .client import ModelReply, close_connections, complete
from .endpoint import ModelEndpoint, configured_endpoint
from .failures import MEANINGS, Failure, FailureCode
from .parts import ImagePart, TextPart, image_part
from .prompts import Prompt, load_prompt

__all__ = [
    "MEANINGS",
    "Budget",
    "Exchange",
    "Failure",
    "FailureCode",
    "ImagePart",
    "MemoryBudget",
    "ModelEndpoint",
    "ModelReply",
    "Prompt",
    "TextPart",
    "UnlimitedBudget",
    "close_connections",
    "complete",
    "configured_endpoint",
    "image_part",
    "load_prompt",
]
