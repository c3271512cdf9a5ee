"""One call of a model about a stem: what the solver of gate 3 and the student of gate 4 share, and what is kept of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from config.foundation.model_access import (
    Budget,
    Exchange,
    ModelEndpoint,
    ModelReply,
    Prompt,
    TextPart,
    complete,
    load_prompt,
)

from .stem import Stem

_PROMPTS = Path(__file__).parent / "prompts"
_MAX_TOKENS = 6000


def prompt_named(name: str) -> Prompt:
    """The prompt in use under a name."""
    return load_prompt(_PROMPTS, name, "v1")


@dataclass(frozen=True)
class Asked:
    """Whom to ask, and with what means. The stem stands between marks that nobody who wrote it could know."""

    endpoint: ModelEndpoint
    budget: Budget | None = None
    key: str = ""
    keep: Callable[[Exchange], None] | None = None

    def about[Answer: BaseModel](
        self, stem: Stem, prompt: Prompt, schema: type[Answer], *, role: str
    ) -> tuple[ModelReply[Answer], dict[str, Any]]:
        """The reply, and the artefacts of the call; the model's name stands there under its ``role``."""
        boundary = f"题面-{secrets.token_hex(6)}"
        reply = complete(
            self.endpoint,
            system=prompt.fill(boundary=boundary),
            parts=[TextPart(f"<<<{boundary}>>>\n{stem.text}\n<<<{boundary}>>>")],
            schema=schema,
            max_tokens=_MAX_TOKENS,
            key=self.key,
            budget=self.budget,
            keep=self.keep,
        )
        return reply, {
            role: self.endpoint.model,
            "prompt": prompt.reference(),
            "stem": stem.text,
            "latency_ms": reply.latency_ms,
            "tokens": {"in": reply.tokens_in, "out": reply.tokens_out},
        }
