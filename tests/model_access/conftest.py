"""An endpoint at a local server, and a small strict shape to ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from config.foundation.model_access import ModelEndpoint, close_connections
from tests.model_server import ModelServer


class Reading(BaseModel):
    """The honest model's reply to a reading request, as far as these tests look at it."""

    model_config = ConfigDict(strict=True, extra="forbid")

    lines: list[Any]
    unread: list[Any]
    instructions_seen: list[str]


@pytest.fixture(autouse=True)
def _no_connections_left() -> Iterator[None]:
    yield
    close_connections()


@pytest.fixture
def endpoint_at() -> Callable[..., ModelEndpoint]:
    def make(server: ModelServer, **more: Any) -> ModelEndpoint:
        chosen = {"timeout": 5.0, "max_retries": 2, "retry_base": 0.01, "retry_cap": 2.0} | more
        return ModelEndpoint(base_url=server.base_url, api_key="sk-local-0123456789", model="local-vl", **chosen)

    return make
