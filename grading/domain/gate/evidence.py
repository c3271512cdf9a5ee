"""Rules about what stands on the page: quoted truly, inked, recognised, read with trust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from ..expressions import flat, remembered
from ..proofs import Judged
from ..reading import Box, Line
from ..statuses import Status
from .case import Answer, Case, Finding, fails, holds, idle, not_evaluated
from .links import equalities
from .quoting import quotes_truly


def evidence_quoted(case: Case) -> Answer:
    """Each credited step cites lines of the reading and quotes them truly; one expression is paid once."""
    found: list[Finding] = []
    for judged in case.judged:
        found.extend(_citation_faults(case, judged))
    found.extend(_paid_twice(case))
    if not case.credited and not found:
        return idle("没有给分的步骤。", "No step is credited.")
    return Answer(found, "每个给分步骤都如实引用了识读的行。", "Each credited step quotes lines of the reading truly.")


def _citation_faults(case: Case, judged: Judged) -> list[Finding]:
    step_id = judged.step_id
    unknown = [line_id for line_id in judged.line_ids if line_id not in case.reading.by_id]
    if unknown:
        names = "、".join(unknown)
        return [
            Finding(
                f"步骤 {step_id} 引用了不存在的行 {names}。",
                f"Step {step_id} cites lines that are not there: {names}.",
                step_id,
            )
        ]
    if judged.credited and not judged.line_ids:
        return [
            Finding(
                f"步骤 {step_id} 给了分却没有引用任何一行。", f"Step {step_id} is credited but cites no line.", step_id
            )
        ]
    lines = case.proofs.lines(judged)
    quote = judged.proposal.quote if judged.proposal else ""
    needs_quote = judged.status in (Status.VALID, Status.GAP_DEDUCTION, Status.ECF_GRANTED)
    if (needs_quote or quote) and not quotes_truly(quote, lines):
        where_zh = "、".join(case.zh(line) for line in lines) or "所引的行"
        where_en = ", ".join(case.en(line) for line in lines) or "the cited lines"
        return [
            Finding(
                f"步骤 {step_id} 的引文“{quote[:80]}”不在{where_zh}中。",
                f"The quote “{quote[:80]}” of step {step_id} does not stand in {where_en}.",
                step_id,
                {"quote": quote[:200]},
            )
        ]
    return []


def _paid_twice(case: Case) -> list[Finding]:
    """Several steps of one path may rest on one line, but each on an expression of its own in it.

    Two steps for one and the same expected expression, or more steps than equalities stand in the line, are one too many:
    `(x-2)(x-3)=0` is equivalent to `x^2-5x+6=0` and yet only one of the two is written.
    """
    found: list[Finding] = []
    paid: dict[tuple[str, str], dict[str, str]] = {}
    for judged in case.of_status(Status.VALID, Status.GAP_DEDUCTION):
        proof = case.proofs.fulfilment(judged)
        if not proof.proved or proof.line is None:
            continue
        before = paid.setdefault((judged.path.path_id, proof.line.line_id), {})
        twin = before.get(flat(proof.expected))
        if twin is not None and twin != judged.step_id:
            found.append(
                Finding(
                    f"步骤 {twin} 与 {judged.step_id} 凭同一个式子“{proof.expected}”给分。",
                    f"Steps {twin} and {judged.step_id} are paid for the same expression “{proof.expected}”.",
                    judged.step_id,
                )
            )
        elif len(set(before.values())) == equalities_in(proof.line.content):
            others = "、".join(dict.fromkeys(before.values()))
            found.append(
                Finding(
                    f"{case.zh(proof.line)}里的式子已为步骤 {others} 给分，步骤 {judged.step_id} 没有自己的式子。",
                    f"{case.begin(proof.line)} is paid for {others}; step {judged.step_id} has no expression of its own there.",
                    judged.step_id,
                )
            )
        before.setdefault(flat(proof.expected), judged.step_id)
    return found


@remembered
def equalities_in(content: str) -> int:
    r"""How many statements can be paid for in a line: each equality of each chain, one for anything else.

    >>> equalities_in(r"d=\frac{15-7}{4}=2"), equalities_in("x=2 或 x=3"), equalities_in("(x-2)(x-3)=0"), equalities_in("a<b")
    (2, 2, 1, 1)
    """
    return len(equalities(content)) or 1


def _measured(ink: Mapping[str, Any], line: Line) -> Mapping[str, Any] | None:
    for entry in ink.get("boxes", ()):
        if entry.get("page") == line.page and line.box is not None and _same_box(entry.get("box"), line.box):
            return dict(entry)
    return None


def _same_box(entry: Any, box: Box) -> bool:
    """Measurements name their box with four decimals."""
    return isinstance(entry, list | tuple) and all(
        abs(Decimal(str(value)) - mine) <= Decimal("0.0001") for value, mine in zip(entry, box, strict=True)
    )


def _on_page(line: Line) -> bool:
    if line.box is None:
        return False
    x0, y0, x1, y1 = line.box
    return 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1


def evidence_inked(case: Case) -> Answer:
    """The cited box lies on the page, holds ink and is not struck out: no ink, no points, and no denial either."""
    found: list[Finding] = []
    resting = [judged for judged in case.judged if judged.credited or judged.line_ids]
    for judged in resting:
        for line in case.proofs.lines(judged):
            if line.struck_out or line.scratch:
                word_zh, word_en = ("已被划去", "is struck out") if line.struck_out else ("标为草稿", "is scratch work")
                found.append(
                    Finding(
                        f"步骤 {judged.step_id} 所据的{case.zh(line)}{word_zh}。",
                        f"{case.begin(line)}, on which step {judged.step_id} rests, {word_en}.",
                        judged.step_id,
                    )
                )
    if not resting:
        return idle("没有引用任何行的步骤。", "No step rests on a line.")
    if found:
        return Answer(found)
    if case.ink is None or not case.reading.has_images:
        return not_evaluated("没有图像，无法核对墨迹。", "Without images ink cannot be checked.")
    for judged in resting:
        for line in case.proofs.lines(judged):
            fault = _ink_fault(case, line)
            if fault is not None:
                zh, en = fault
                found.append(
                    Finding(
                        f"步骤 {judged.step_id} 所据的{case.zh(line)}{zh}。",
                        f"{case.begin(line)}, on which step {judged.step_id} rests, {en}.",
                        judged.step_id,
                        {"line_id": line.line_id},
                    )
                )
    return Answer(
        found,
        "每处依据都在页面上、有墨迹且未被划去。",
        "All evidence lies on the page, holds ink and is not struck out.",
    )


def _ink_fault(case: Case, line: Line) -> tuple[str, str] | None:
    ink = case.ink or {}
    if line.page is None or not 1 <= line.page <= len(case.reading.pages):
        return "不在任何一页上", "lies on no page"
    if not _on_page(line):
        return "的位置不在页面内", "has no box inside the page"
    measured = _measured(ink, line)
    if measured is None:
        return "没有量过墨迹", "was not measured for ink"
    if measured.get("on_page") is not True:
        return "的位置不在页面内", "has no box inside the page"
    if measured.get("has_ink") is not True:
        return "处没有墨迹", "has no ink"
    if measured.get("struck") is not False:
        return "处的墨迹像是被划去了", "looks struck out in the image"
    if measured.get("own_ink", True) is not True:
        return (
            "没有自己的墨迹，框内的墨迹都属于别的行",
            "has no ink of its own: all ink in its box belongs to other lines",
        )
    other = next((other for other in case.reading.lines if other is not line and _lies_in(line, other)), None)
    if other is not None:
        return f"与{case.zh(other)}占同一处墨迹", f"claims the same ink as {case.en(other)}"
    return None


def _lies_in(line: Line, other: Line) -> bool:
    """Whether the larger part of a line's box lies in another line's box: one piece of writing cannot be read as two.

    A box that is much higher swallows other lines, which `recognised` looks at.
    """
    if line.page != other.page or line.box is None or other.box is None:
        return False
    (x0, y0, x1, y1), (u0, v0, u1, v1) = line.box, other.box
    across, down = min(x1, u1) - max(x0, u0), min(y1, v1) - max(y0, v0)
    swallows = v1 - v0 > 2 * (y1 - y0)
    return not swallows and across > 0 and down > 0 and across * down > (x1 - x0) * (y1 - y0) / 2


def recognised(case: Case) -> Answer:
    """Readable pages, all ink accounted for or marked as scratch; blank and unreadable never pass by themselves."""
    reading = case.reading
    if case.scorecard.blank:
        return fails("答卷空白，需人工确认。", "The answer is blank; a person confirms.", blank=True)
    if reading.failure is not None or not reading.standing:
        detail = reading.failure.code if reading.failure else "no-lines"
        return fails(f"页面无法识读（{detail}）。", f"The pages could not be read ({detail}).", failure=detail)
    found = _unread_by_the_reader(case)
    if case.ink is None and not found:
        return not_evaluated(
            "没有图像，无法核对是否所有墨迹都已读到。", "Without images nobody can say whether all ink was read."
        )
    if case.ink is not None:
        found.extend(_unread_on_the_pages(case, case.ink))
    return Answer(found, "页面可读，所有墨迹都有着落。", "The pages are readable and all ink is accounted for.")


def _unread_by_the_reader(case: Case) -> list[Finding]:
    found = [
        Finding(
            f"{case.zh(line)}中有未读出的墨迹。",
            f"{case.begin(line)} holds ink that was not read.",
            facts={"line_id": line.line_id},
        )
        for line in case.reading.lines
        if line.unread_ink and not line.scratch
    ]
    found.extend(
        Finding(
            f"第 {number} 页有 {page.unread_regions} 处墨迹，识读器没有读出。",
            f"Page {number} holds {page.unread_regions} pieces of ink that the reader could not read.",
            facts={"page": number, "regions": page.unread_regions},
        )
        for number, page in enumerate(case.reading.pages, start=1)
        if page.unread_regions
    )
    found.extend(
        Finding(
            f"{case.zh(outer)}的框把{case.zh(inner)}也圈在内，框内可能有没读到的字。",
            f"The box of {case.en(outer)} also holds {case.en(inner)}; writing inside it may not have been read.",
            facts={"line_id": outer.line_id, "inside": inner.line_id},
        )
        for outer, inner in swallowing(case.reading.lines)
    )
    return found


def _unread_on_the_pages(case: Case, ink: Mapping[str, Any]) -> list[Finding]:
    found: list[Finding] = []
    measured, read = len(ink.get("pages", [])), len(case.reading.pages)
    if measured != read:
        found.append(
            Finding(
                f"图像有 {measured} 页，识读结果有 {read} 页。",
                f"There are {measured} images but {read} pages in the reading.",
            )
        )
    found.extend(
        Finding(
            f"第 {region.get('page')} 页有一处墨迹没有读到。",
            f"Page {region.get('page')} holds ink that no line accounts for.",
            facts={"page": region.get("page"), "box": list(region.get("box", ()))},
        )
        for region in ink.get("unaccounted", ())
    )
    return found


def swallowing(lines: Sequence[Line]) -> list[tuple[Line, Line]]:
    """Pairs of lines where the first one's box holds the middle of the other's and is twice as high.

    Such a box accounts for ink that nobody read.
    """
    found: list[tuple[Line, Line]] = []
    for outer in lines:
        for inner in lines:
            if outer is inner or outer.page != inner.page or outer.box is None or inner.box is None:
                continue
            x0, y0, x1, y1 = outer.box
            across, down = (inner.box[0] + inner.box[2]) / 2, (inner.box[1] + inner.box[3]) / 2
            if x0 < across < x1 and y0 < down < y1 and y1 - y0 > 2 * (inner.box[3] - inner.box[1]):
                found.append((outer, inner))
    return found


def line_threshold(case: Case) -> Decimal:
    """Below this confidence a line is not trusted: the policy's figure or the reader's own higher one."""
    return max(case.policy.line_confidence, case.reading.line_threshold)


def reading_trusted(case: Case) -> Answer:
    """A certified reader or, under allow_uncertified, cited lines above the threshold and no ink unread."""
    certificate = case.given.certificate
    if certificate is not None and certificate.get("valid") is True and certificate.get("reader") is True:
        return holds("识读器对本题有证书。", "The reader is certified for this question.")
    if not case.policy.allow_uncertified:
        return fails(
            "识读器对本题没有证书，也没有第二个识读器的一致结果。",
            "The reader is not certified for this question, and no second reader agrees.",
        )
    threshold = line_threshold(case)
    found = [
        Finding(
            f"{case.zh(line)}的识读置信度 {line.min_confidence} 低于 {threshold}。",
            f"{case.begin(line)} is read with confidence {line.min_confidence}, below {threshold}.",
            facts={"line_id": line.line_id, "confidence": line.min_confidence, "threshold": threshold},
        )
        for line in case.cited
        if line.min_confidence < threshold
    ]
    unread = [line.line_id for line in case.reading.lines if line.unread_ink and not line.scratch]
    if unread or (case.ink or {}).get("unaccounted"):
        found.append(
            Finding("页面上有未读出的墨迹。", "There is ink on the pages that was not read.", facts={"lines": unread})
        )
    return Answer(
        found,
        f"所引各行的识读置信度不低于 {threshold}。",
        f"Each cited line is read with confidence {threshold} or more.",
        {"threshold": threshold},
    )
