"""Judges by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from config.foundation.errors import UnusableInput

from .base import Judge

NAMES = ("embedded", "openai", "replay")


@dataclass(frozen=True)
class JudgeSettings:
    """What judges need from the outside. Times in seconds; prices per million tokens."""

    model_base_url: str = ""
    model_api_key: str = ""
    model_name: str = ""
    model_timeout_seconds: int = 60
    model_max_retries: int = 2
    model_price_input: Decimal = Decimal(0)
    model_price_output: Decimal = Decimal(0)
    model_structured: str = "json_schema"
    budget: Any = None
    keep_reply: Callable[..., None] | None = None
    replay_path: Path | None = None


def make_judge(name: str, settings: JudgeSettings) -> Judge:
    """A new judge for one answer. Raises UnusableInput for an unknown name, ConfigurationError for a missing setting."""
    if name == "embedded":
        from .embedded.judge import EmbeddedJudge

        return EmbeddedJudge()
    if name == "openai":
        from .openai_compatible import judge_from_settings

        return judge_from_settings(settings)
    if name == "replay":
        from .replay import ReplayJudge

        if settings.replay_path is None:
            raise UnusableInput("replay.path", "没有说明要重放哪些记录。", "It is not said which recordings to replay.")
        return ReplayJudge.from_path(settings.replay_path)
    raise UnusableInput(
        "judge.unknown",
        f"没有名为 {name} 的判读器，可选 {'、'.join(NAMES)}。",
        f"There is no judge {name}; use one of {', '.join(NAMES)}.",
    )
