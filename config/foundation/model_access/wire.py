"""The line to the model service: one address, a total time limit, a byte limit, no detours.

httpx limits each read, not the whole reply, and limits no size; a service that drips one byte a second, in the headers
or in the body, would hold a worker for ever. So the time left and the bytes left are checked at the socket.
"""

from __future__ import annotations

import contextlib
import ssl
import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpcore2
import httpx2

SENT_HEADERS = frozenset({"host", "content-type", "content-length", "accept", "connection", "idempotency-key"})
"""Only these headers leave, and our own Authorization: nothing from ambient OPENAI_* variables, no telemetry."""


WRITE_PIECE = 16 * 1024


class ReplyTooLarge(Exception):
    """More bytes came than one reply may have."""


class EncodedReply(Exception):
    """The reply came compressed although that was not asked for: its true size cannot be bounded."""


@dataclass
class Allowance:
    """What is left of one attempt: a moment on the monotonic clock, and bytes from the socket."""

    deadline: float
    bytes_left: int

    def seconds(self, wanted: float | None) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the time for the whole reply is over")
        return left if wanted is None else min(left, wanted)

    def take(self, count: int) -> None:
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise ReplyTooLarge


_allowance: ContextVar[Allowance] = ContextVar("allowance")


@contextlib.contextmanager
def bounded(seconds: float, max_bytes: int) -> Iterator[None]:
    """Everything this thread does on guarded connections inside the block shares that time and those bytes."""
    token = _allowance.set(Allowance(time.monotonic() + seconds, max_bytes))
    try:
        yield
    finally:
        _allowance.reset(token)


class _GuardedStream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        allowance = _allowance.get()
        data = self._inner.read(max_bytes, allowance.seconds(timeout))
        allowance.take(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # in pieces, so that a service that takes the request ever so slowly meets the deadline too
        for start in range(0, len(buffer), WRITE_PIECE):
            self._inner.write(buffer[start : start + WRITE_PIECE], _allowance.get().seconds(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        seconds = _allowance.get().seconds(timeout)
        return _GuardedStream(self._inner.start_tls(ssl_context, server_hostname, seconds))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _GuardedBackend(httpcore2.NetworkBackend):
    def __init__(self) -> None:
        self._inner = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        seconds = _allowance.get().seconds(timeout)
        return _GuardedStream(self._inner.connect_tcp(host, port, seconds, local_address, socket_options))


@cache
def trust() -> ssl.SSLContext:
    """The operating system's certificates, or those of ``SSL_CERT_FILE`` for a school's own authority; loaded once."""
    return httpx2.create_ssl_context(trust_env=True)


class GuardedTransport(httpx2.HTTPTransport):
    """httpx's transport over guarded connections. No proxy, no environment: answers go where the settings say."""

    def __init__(self, api_key: str, connections: int) -> None:
        super().__init__(verify=trust(), trust_env=False)
        self._api_key = api_key
        self._pool = httpcore2.ConnectionPool(
            ssl_context=trust(),
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=30,
            network_backend=_GuardedBackend(),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        # on a copy: the client library finds its own notes again in the headers of the request it made
        headers = [(name, value) for name, value in request.headers.multi_items() if name.lower() in SENT_HEADERS]
        headers += [("accept-encoding", "identity"), ("user-agent", "wenshu")]
        if self._api_key:
            headers.append(("authorization", f"Bearer {self._api_key}"))
        bare = httpx2.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )
        return super().handle_request(bare)


def guarded_client(api_key: str, connections: int, timeout: float) -> httpx2.Client:
    """An httpx client over `GuardedTransport` that follows no redirect and accepts no compressed reply."""

    def plain(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
            raise EncodedReply

    return httpx2.Client(
        transport=GuardedTransport(api_key, connections),
        timeout=httpx2.Timeout(timeout, connect=min(timeout, 10.0)),
        follow_redirects=False,
        trust_env=False,
        event_hooks={"response": [plain]},
    )
