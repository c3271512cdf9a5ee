"""The two replies asked of a model, field by field, and as strict as can be: nothing coerced, nothing extra."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from grading.domain.statuses import ErrorCode, Status

STATUS_NAMES = [status.value for status in Status]
ERROR_CODE_NAMES = [code.value for code in ErrorCode]


def _number(value: Any) -> Any:
    """JSON writes 1 for 1.0: whole numbers are taken, true and "0.9" are not."""
    return Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _one_of(names: list[str]) -> BeforeValidator:
    def check(value: Any) -> Any:
        if value not in names:
            raise ValueError(f"not one of {', '.join(names)}")
        return value

    return BeforeValidator(check)


Share = Annotated[
    Decimal, BeforeValidator(_number), Field(ge=0, le=1, allow_inf_nan=False), WithJsonSchema({"type": "number"})
]
Box = Annotated[list[Share], Field(min_length=4, max_length=4)]
Identifier = Annotated[str, Field(min_length=1, max_length=64)]
Text = Annotated[str, Field(max_length=2000)]
StatusName = Annotated[str, _one_of(STATUS_NAMES), WithJsonSchema({"type": "string", "enum": STATUS_NAMES})]
ErrorCodeName = Annotated[str, _one_of(ERROR_CODE_NAMES), WithJsonSchema({"type": "string", "enum": ERROR_CODE_NAMES})]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class AlternativeSeen(_Strict):
    """The whole line as it would read with the doubtful glyph taken the other way."""

    latex: Text
    confidence: Share


class LineSeen(_Strict):
    """One line of the answer as it stands on the page."""

    line_id: Identifier
    kind: Literal["latex", "text"]
    content: Text
    page: Annotated[int, Field(ge=1, le=60)]
    box: Box
    struck_out: bool
    scratch: bool
    unread_ink: bool
    confidence: Share
    alternatives: Annotated[list[AlternativeSeen], Field(max_length=20)]


class UnreadRegion(_Strict):
    """Writing that could not be read at all."""

    page: Annotated[int, Field(ge=1, le=60)]
    box: Box


class AnswerRead(_Strict):
    """Reply of the first call."""

    lines: Annotated[list[LineSeen], Field(max_length=300)]
    unread: Annotated[list[UnreadRegion], Field(max_length=60)]
    instructions_seen: Annotated[list[Text], Field(max_length=50)]


class StepJudged(_Strict):
    """What the model proposes for one step. There is no field for a score."""

    step_id: Identifier
    status: StatusName
    line_ids: Annotated[list[Identifier], Field(max_length=100)]
    quote: Annotated[str, Field(max_length=4000)]
    confidence: Share
    error_codes: Annotated[list[ErrorCodeName], Field(max_length=10)]
    formula: Text | None
    reason: Text


class PathJudged(_Strict):
    """Every step of one path."""

    path_id: Identifier
    steps: Annotated[list[StepJudged], Field(max_length=200)]


class AnswerJudged(_Strict):
    """Reply of the second call."""

    paths: Annotated[list[PathJudged], Field(max_length=40)]
    another_method: bool
    instructions_seen: Annotated[list[Text], Field(max_length=50)]
    comments: Text
