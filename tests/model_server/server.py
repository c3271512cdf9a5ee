"""A real HTTP server on a local port that speaks the chat-completions protocol, in a thread."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .behaviours import BEHAVIOURS, Reply
from .honest_model import DEFAULT_LINES, data_block, judgement_of, reading_of


@dataclass
class Request:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    call: str


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    @property
    def stopping(self) -> threading.Event:
        return self.server.stopping

    def drip(self) -> None:
        """One space every 50 ms until the other side or the test gives up."""
        while not self.stopping.wait(0.05):
            self.wfile.write(b" ")
            self.wfile.flush()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        block = data_block(body)
        call = "adjudicate" if block is not None and "paths" in block else "read"
        number = self.server.record(Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body, call))
        good = judgement_of(block) if call == "adjudicate" and block else deepcopy(self.server.reading)
        if self.server.script is not None:
            good = self.server.script(body)
        misbehaves = self.server.only in {None, call}
        try:
            BEHAVIOURS[self.server.behaviour if misbehaves else "well"](
                Reply(self, good, number, block["lines"] if block else [])
            )
        except OSError:
            # the client has hung up, which is what many of these behaviours are there to provoke
            self.close_connection = True
        if self.server.behaviour in {"cut-body", "no-answer", "not-http"} and misbehaves:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        if self.server.verbose:
            super().log_message(format, *args)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    verbose = False
    script: Callable[[dict[str, Any]], dict[str, Any]] | None = None

    def __init__(self, port: int, behaviour: str, only: str | None, reading: dict[str, Any], delay: float) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.behaviour, self.only, self.reading, self.delay = behaviour, only, reading, delay
        self.stopping = threading.Event()
        self.requests: list[Request] = []
        self.busy = self.most_at_once = 0
        self._lock = threading.Lock()

    def record(self, request: Request) -> int:
        """Remember the request; its number counts the requests of the same call from 1."""
        with self._lock:
            self.requests.append(request)
            return sum(1 for other in self.requests if other.call == request.call)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self.busy += 1
            self.most_at_once = max(self.most_at_once, self.busy)
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self.busy -= 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Broken connections are wanted here; a traceback for each would hide real ones."""


class ModelServer:
    """The server in a thread. ``only`` limits the misbehaviour to the ``read`` or the ``adjudicate`` call.

    ``lines`` are what the honest model reads; ``reading`` replaces fields of that reply.
    ``script`` makes the good reply from the body of the request instead.
    """

    def __init__(
        self,
        behaviour: str = "well",
        *,
        only: str | None = None,
        lines: list[str] | None = None,
        reading: dict[str, Any] | None = None,
        delay: float = 30.0,
        port: int = 0,
        tls: ssl.SSLContext | None = None,
        script: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    ) -> None:
        seen = {**reading_of(DEFAULT_LINES if lines is None else lines), **(reading or {})}
        self._server = Server(port, behaviour, only, seen, delay)
        self._server.script = script
        self._scheme = "http" if tls is None else "https"
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name="model-server", daemon=True
        )

    @property
    def base_url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_port}/v1"

    @property
    def requests(self) -> list[Request]:
        return self._server.requests

    @property
    def most_at_once(self) -> int:
        return self._server.most_at_once

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
