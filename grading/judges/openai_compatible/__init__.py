"""The ``openai`` judge: any OpenAI-compatible vision service, one prompt for each of its two calls."""

from .judge import VERSION, OpenAICompatibleJudge
from .settings import judge_from_settings

__all__ = ["VERSION", "OpenAICompatibleJudge", "judge_from_settings"]
