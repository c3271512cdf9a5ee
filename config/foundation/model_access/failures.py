"""Why a call to a model brought no usable reply: stable codes, and what each means to a person."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FailureCode(StrEnum):
    """Codes are stored and counted; a code is never renamed or reused for something else."""

    BUDGET_EXHAUSTED = "budget_exhausted"
    BUSY = "busy"
    TIMEOUT = "timeout"
    CONNECTION_FAILED = "connection_failed"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    ACCESS_DENIED = "access_denied"
    NOT_FOUND = "not_found"
    BAD_REQUEST = "bad_request"
    REDIRECTED = "redirected"
    REPLY_TOO_LARGE = "reply_too_large"
    BAD_ENCODING = "bad_encoding"
    NOT_THE_PROTOCOL = "not_the_protocol"
    EMPTY_REPLY = "empty_reply"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    CONTENT_FILTERED = "content_filtered"
    UNEXPECTED_TOOL_CALL = "unexpected_tool_call"
    INVALID_JSON = "invalid_json"
    CONTROL_CHARACTERS = "control_characters"
    INVALID_SHAPE = "invalid_shape"
    INVALID_REPLY = "invalid_reply"
    UNUSABLE_IMAGE = "unusable_image"


MEANINGS: dict[FailureCode, tuple[str, str]] = {
    FailureCode.BUDGET_EXHAUSTED: (
        "预算已用完，没有调用模型。",
        "The budget is used up; the model was not called.",
    ),
    FailureCode.BUSY: ("等待空闲连接超时，没有调用模型。", "No free place in time; the model was not called."),
    FailureCode.TIMEOUT: ("模型没有在限定时间内答完。", "The model did not finish its reply in time."),
    FailureCode.CONNECTION_FAILED: ("与模型服务的连接失败或中断。", "The connection to the model failed or broke off."),
    FailureCode.RATE_LIMITED: ("模型服务限流，重试后仍被拒绝。", "The model service kept refusing: too many requests."),
    FailureCode.SERVER_ERROR: ("模型服务内部出错。", "The model service reported an error of its own."),
    FailureCode.ACCESS_DENIED: ("模型服务拒绝了密钥。", "The model service does not accept the key."),
    FailureCode.NOT_FOUND: ("模型服务没有这个地址或模型。", "The model service knows no such address or model."),
    FailureCode.BAD_REQUEST: ("模型服务不接受这样的请求。", "The model service does not accept the request."),
    FailureCode.REDIRECTED: (
        "模型服务要求转到别的地址，未跟随。",
        "The service pointed elsewhere; not followed.",
    ),
    FailureCode.REPLY_TOO_LARGE: ("模型的回复过大，已中止。", "The reply was too large and was cut off."),
    FailureCode.BAD_ENCODING: ("模型的回复编码有误。", "The reply is not proper UTF-8 text."),
    FailureCode.NOT_THE_PROTOCOL: (
        "对方的回复不是对话补全协议的格式。",
        "What came back is not a reply of the chat-completions protocol.",
    ),
    FailureCode.EMPTY_REPLY: ("模型的回复是空的。", "The reply is empty."),
    FailureCode.TRUNCATED: ("模型的回复被截断。", "The reply was cut short."),
    FailureCode.REFUSED: ("模型拒绝作答。", "The model refused."),
    FailureCode.CONTENT_FILTERED: ("回复被内容过滤拦下。", "A content filter stopped the reply."),
    FailureCode.UNEXPECTED_TOOL_CALL: (
        "模型要求调用工具，而不是作答。",
        "The model asked for a tool, not replied.",
    ),
    FailureCode.INVALID_JSON: ("模型的回复不是严格的 JSON。", "The reply is not strict JSON."),
    FailureCode.CONTROL_CHARACTERS: (
        "模型的回复里反斜杠写错，公式可能已损坏。",
        "Backslashes in the reply are wrong; formulas may be damaged.",
    ),
    FailureCode.INVALID_SHAPE: ("模型的回复缺少字段、多出字段或值越界。", "Fields are missing, extra or out of range."),
    FailureCode.INVALID_REPLY: (
        "模型的回复与所问的内容不符。",
        "The reply does not fit the question that was asked.",
    ),
    FailureCode.UNUSABLE_IMAGE: ("图像无法读取，没有调用模型。", "An image cannot be read; the model was not called."),
}

MAX_DETAIL = 300


@dataclass(frozen=True)
class Failure:
    """One failure: the code for machines, the detail for whoever looks into it (English, short, no secrets)."""

    code: FailureCode
    detail: str = ""

    def document(self) -> dict[str, str]:
        """As it stands in readings, observations and logs."""
        return {"code": self.code.value, "detail": self.detail[:MAX_DETAIL]}
