"""The hand-off packet: everything a person needs to take a case over without asking the machine again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .credited import details_of, evidence_of

# What a person should do first, by the rule that stopped the machine; the first rule that applies counts.
SUGGESTIONS: tuple[tuple[str, str, str], ...] = (
    ("judge-answered", "系统没有给出结果，请直接看图评分。", "The machine gave no result: mark from the image."),
    (
        "no-instruction",
        "作答中有写给阅卷人的话，请忽略它，只按内容评分。",
        "The answer addresses the marker: ignore that and mark the content.",
    ),
    ("recognised", "请先核对识读，再决定是否重判。", "Check the reading first, then judge again if it was wrong."),
    ("reading-trusted", "请核对识读是否与图像一致。", "Check that the reading agrees with the image."),
    ("reading-stable", "请核对有疑问的字，它会改变得分。", "Check the doubtful glyph: it changes the mark."),
    (
        "no-rival",
        "同一个量写了两个不同的值，请判断以哪个为准。",
        "Two values stand for one quantity: decide which counts.",
    ),
    ("step-proved", "请核对没有被证明的步骤。", "Check the steps that are not proved."),
    ("denial-proved", "请核对被扣分的步骤。", "Check the steps that lost points."),
)


def _suggestion(reasons: Sequence[str]) -> dict[str, str]:
    for rule, zh, en in SUGGESTIONS:
        if rule in reasons:
            return {"rule": rule, "zh": zh, "en": en}
    return {"rule": reasons[0] if reasons else "", "zh": "请核对系统建议。", "en": "Check the machine's proposal."}


def packet_document(document: Mapping[str, Any] | None, *, reasons: Sequence[str]) -> dict[str, Any]:
    """Reasons, risk, proposed verdict, what is proved and unknown, failed attempts, disputes, suggested next action.

    ``document`` is the verdict document of the run, or None when no run produced one.
    """
    suggestion = _suggestion(reasons)
    if document is None:
        return {
            "reasons": list(reasons), "risk": "no_result", "proposed": None, "proved": [], "unknown": [],
            "failed_attempts": [{"code": "no_result"}], "disputes": [], "suggested_action": suggestion,
        }  # fmt: skip
    proved = [
        key for key, each in evidence_of(document).items() if (each.get("algebra") or {}).get("result") == "PROVED"
    ]
    unknown = [key for key in details_of(document) if key not in proved]
    failure = document["observation"].get("failure") or document["reading"].get("failure")
    return {
        "reasons": [
            {"rule": each["rule"], "step_id": each.get("step_id"), "message": each["message"]}
            for each in document["gate"]
            if each["outcome"] in {"fails", "not_evaluated"}
        ],
        "risk": "unread" if document["verdict"]["diagnosis"]["recognition_failure"] else "unproved",
        "proposed": document["verdict"],
        "proved": [step_id for _, step_id in proved],
        "unknown": [step_id for _, step_id in unknown],
        "failed_attempts": [failure] if failure else [],
        "disputes": [],
        "suggested_action": suggestion,
    }
