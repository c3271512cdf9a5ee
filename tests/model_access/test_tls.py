"""The line under TLS: the same limits hold, and a certificate nobody vouches for is refused."""

from __future__ import annotations

import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.foundation.model_access import ModelEndpoint, ModelReply, TextPart, close_connections, complete, wire
from tests.model_server import ModelServer

from .conftest import Reading

type EndpointAt = Callable[..., ModelEndpoint]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
    ]
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, *subject, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


@pytest.fixture
def tls(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


@pytest.fixture
def trusted(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    wire.trust.cache_clear()
    yield
    close_connections()
    wire.trust.cache_clear()


def _ask(endpoint: ModelEndpoint) -> ModelReply[Reading]:
    return complete(endpoint, system="Read.", parts=[TextPart("please")], schema=Reading, max_tokens=1000)


@pytest.mark.usefixtures("trusted")
def test_a_reply_comes_through_tls(endpoint_at: EndpointAt, tls: ssl.SSLContext) -> None:
    with ModelServer(tls=tls) as server:
        assert server.base_url.startswith("https://")
        assert _ask(endpoint_at(server)).failure is None


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("behaviour", ["drip-body", "drip-headers", "slow"])
def test_the_time_limit_holds_under_tls(behaviour: str, endpoint_at: EndpointAt, tls: ssl.SSLContext) -> None:
    started = time.monotonic()
    with ModelServer(behaviour, tls=tls) as server:
        reply = _ask(endpoint_at(server, timeout=0.5, max_retries=0))
    assert reply.failure is not None
    assert reply.failure["code"] == "timeout"
    assert time.monotonic() - started < 10


@pytest.mark.usefixtures("trusted")
def test_the_size_limit_holds_under_tls(endpoint_at: EndpointAt, tls: ssl.SSLContext) -> None:
    with ModelServer("giant", tls=tls) as server:
        reply = _ask(endpoint_at(server))
    assert reply.failure is not None
    assert reply.failure["code"] == "reply_too_large"


def test_a_certificate_nobody_vouches_for_is_refused_before_anything_is_sent(
    endpoint_at: EndpointAt, tls: ssl.SSLContext
) -> None:
    with ModelServer(tls=tls) as server:
        reply = _ask(endpoint_at(server, max_retries=0))
        assert server.requests == []
    assert reply.failure is not None
    assert reply.failure["code"] == "connection_failed"
