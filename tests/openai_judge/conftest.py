"""A judge that talks to a local server over real sockets, one answer and the rules of one question."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from config.foundation import strict_json
from config.foundation.model_access import Budget, ModelEndpoint, close_connections
from grading.judges.openai_compatible import OpenAICompatibleJudge
from itembank.domain.rules import Rules, read_rules
from tests.model_server import ModelServer

EXAMPLE = Path(__file__).parents[2] / "itembank" / "domain" / "scoring_rules.example.json"


@pytest.fixture(autouse=True)
def _no_connections_left() -> Iterator[None]:
    yield
    close_connections()


@pytest.fixture(scope="session")
def rules() -> Rules:
    return read_rules(strict_json.loads(EXAMPLE.read_bytes(), allow_controls="\n"))


@pytest.fixture(scope="session")
def page() -> bytes:
    """A page with ink where the honest model says that its five lines stand."""
    picture = Image.new("RGB", (800, 1000), "white")
    pen = ImageDraw.Draw(picture)
    for number, line in enumerate(["a7 - a3 = 4d", "d = 2", "a1 = 3", "S10 = 10 a1 + 45 d", "S10 = 120"]):
        pen.text((100, 120 + 160 * number), line, fill=(30, 30, 60), font=ImageFont.load_default(54))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def judge_at() -> Callable[..., OpenAICompatibleJudge]:
    def make(
        server: ModelServer, *, timeout: float = 5.0, max_retries: int = 1, budget: Budget | None = None, key: str = ""
    ) -> OpenAICompatibleJudge:
        endpoint = ModelEndpoint(
            base_url=server.base_url,
            api_key="sk-local-0123456789",
            model="local-vl",
            timeout=timeout,
            max_retries=max_retries,
            retry_base=0.01,
            retry_cap=2.0,
        )
        return OpenAICompatibleJudge(endpoint, budget=budget, key=key)

    return make
