"""The ``openai`` judge: any OpenAI-compatible vision service, one prompt for each of its two calls."""

from .judge import VERSION, OpenAICompatibleJudge

__all__ = ["VERSION", "OpenAICompatibleJudge"]
