"""The one model service that calls go to, as the settings describe it. Nothing in a request can change it."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import ROUND_UP, Decimal
from typing import Literal, cast, get_args
from urllib.parse import urlsplit

from config.foundation.errors import ConfigurationError

Structured = Literal["json_schema", "json_object", "none"]
MILLION = Decimal(1_000_000)
MILLIONTH = Decimal("0.000001")


def _wrong(zh: str, en: str) -> ConfigurationError:
    return ConfigurationError("model.endpoint", zh, en)


@dataclass(frozen=True)
class ModelEndpoint:
    """An OpenAI-compatible service, the model on it, and the limits of a call.

    ``timeout`` is in seconds and bounds one attempt as a whole, from connecting to the last byte. Prices are per
    million tokens, in whatever currency the budget is kept in. ``structured`` says how much of structured output the
    service understands. ``retry_base`` and ``retry_cap`` are seconds. Raises ConfigurationError for an address that
    is not plain http(s) or that carries a user, query or fragment.
    """

    base_url: str
    api_key: str = field(repr=False)
    model: str
    timeout: float = 60.0
    max_retries: int = 2
    price_in: Decimal = Decimal(0)
    price_out: Decimal = Decimal(0)
    concurrency: int = 8
    structured: Structured = "json_schema"
    max_reply_bytes: int = 2 * 1024 * 1024
    retry_base: float = 0.5
    retry_cap: float = 30.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise _wrong("模型地址必须以 http:// 或 https:// 开头。", "The model address must be http:// or https://.")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise _wrong(
                "模型地址不能带用户名、密码、查询串或片段。",
                "The model address must not carry a user, password, query or fragment.",
            )
        if not self.model.strip():
            raise _wrong("没有设置模型名称。", "The name of the model is not set.")
        if self.timeout <= 0 or self.max_retries < 0 or self.concurrency < 1:
            raise _wrong(
                "模型的时限、重试次数或并发数不合理。", "Time limit, retries or concurrency of the model make no sense."
            )

    def price(self, tokens_in: int, tokens_out: int) -> Decimal:
        """What that many tokens cost, rounded up to a millionth: that is how finely budgets are kept."""
        exact = (tokens_in * self.price_in + tokens_out * self.price_out) / MILLION
        return exact.quantize(MILLIONTH, ROUND_UP)

    @property
    def longest_call(self) -> float:
        """Upper bound in seconds of one `complete`, for leases: queueing, every attempt and every pause."""
        # one repeat more than max_retries: the one that asks for doubled backslashes
        attempts = self.max_retries + 2
        return attempts * (2 * self.timeout) + attempts * self.retry_cap


def configured_endpoint(
    *,
    base_url: str,
    api_key: str,
    model: str,
    timeout: float,
    max_retries: int,
    price_in: Decimal,
    price_out: Decimal,
    structured: str,
    concurrency: int = 8,
) -> ModelEndpoint:
    """The model that the settings name. Raises ConfigurationError where address or name are missing or something is wrong."""
    if not base_url or not model:
        raise ConfigurationError(
            "model.not_configured",
            "没有设置模型：请设置 WENSHU_MODEL_BASE_URL 和 WENSHU_MODEL_NAME（见 docs/model.md）。",
            "No model is set up: set WENSHU_MODEL_BASE_URL and WENSHU_MODEL_NAME (see docs/model.md).",
        )
    return ModelEndpoint(
        base_url=base_url.rstrip("/"),
        api_key=api_key,
        model=model,
        timeout=float(timeout),
        max_retries=max_retries,
        price_in=price_in,
        price_out=price_out,
        concurrency=concurrency,
        structured=_structured(structured),
    )


def _structured(text: str) -> Structured:
    for known in get_args(Structured):
        if text == known:
            return cast(Structured, known)
    raise ConfigurationError(
        "model.structured",
        "结构化输出方式只能是 json_schema、json_object 或 none。",
        "The kind of structured output must be json_schema, json_object or none.",
    )
