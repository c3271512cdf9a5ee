"""A real HTTP server that speaks the chat-completions protocol and can misbehave.

In tests: ``with ModelServer("drip-body") as server: … server.base_url``. By hand: ``python -m tests.model_server``.
"""

from .behaviours import BEHAVIOURS
from .server import ModelServer, Request

__all__ = ["BEHAVIOURS", "ModelServer", "Request"]
