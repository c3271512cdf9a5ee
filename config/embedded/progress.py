"""One line for the terminal: how far the machine has come with all assessments together."""

from __future__ import annotations

from grading.models import Assessment
from grading.queries import progress_of


def line(*, loading: bool) -> str:
    """Files still to decode, answers judged of all, accepted by proof, sent to people."""
    found = [progress_of(assessment) for assessment in Assessment.objects.all()]
    total = sum(each.total_responses for each in found)
    judged = sum(each.judged for each in found)
    accepted = sum(each.accepted for each in found)
    waiting = sum(each.waiting_files for each in found)
    parts = ["正在载入示例 loading the sample"] if loading else []
    if waiting:
        parts.append(f"待解码 to decode {waiting}")
    parts.append(f"已判 judged {judged}/{total}")
    parts.append(f"自动通过 accepted {accepted}")
    parts.append(f"转人工 to people {judged - accepted}")
    if total and judged == total and not loading:
        parts.append("完成 done")
    return " · ".join(parts)
