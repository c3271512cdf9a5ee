"""From a verdict document to what a page shows: lines with boxes, steps with evidence, the gate in sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.foundation.errors import WenshuError
from grading.domain.credited import details_of, evidence_of
from grading.domain.reasons import reason_en
from grading.domain.sentences import witness_en, witness_zh
from grading.models import Case, JudgeRun, Page
from itembank.algebra.results import Comparison
from itembank.domain.plain_mathematics import plain_mathematics
from itembank.domain.rules import Rules

from .codes import in_words
from .domain.marking_sheet import MarkingSheet, SheetStep
from .drawn import DrawnShown
from .words import ALGEBRA, OUTCOMES, STATUSES, StatusWords, Words, rule_failing, rule_name

_COMMAND = re.compile(r"\\(frac|sqrt|times|cdot|pi|sin|cos|tan|circ|le|ge|pm|triangle|angle)")
_HAN = re.compile(r"[\u3400-\u9fff]")
_QUOTED = re.compile("“([^“”]{1,400})”")


def in_reader_language(message: Mapping[str, str]) -> str:
    """The sentence of a bilingual message in the language of the page: quotes readable, codes as words."""
    english = (get_language() or "").startswith("en")
    return readable(in_words(message["en"] if english else message["zh"]))


def readable(sentence: str) -> str:
    """A sentence whose LaTeX is shown as plain mathematics: “S_{10}=120” becomes “S₁₀=120”."""
    if _COMMAND.search(sentence):
        return plain_mathematics(sentence)
    return _QUOTED.sub(lambda match: f"“{plain_mathematics(match[1])}”", sentence)


def _reason(reason: str) -> str:
    """Why a step earned less, in the language of the page where the product wrote it; else as it was written, unmixed."""
    english = reason_en(reason)
    whole = (get_language() or "").startswith("en") and not _HAN.search(english)
    return readable(in_words(english if whole else reason))


@dataclass(frozen=True)
class LineShown:
    """One line of the reading. ``box`` is x, y, width, height in pixels of its page."""

    line_id: str
    number: int
    content: str
    page: int
    box: tuple[str, str, str, str] | None
    struck_out: bool
    scratch: bool
    unread_ink: bool
    confidence: Decimal
    alternatives: tuple[str, ...]
    status: str = ""
    step_ids: tuple[str, ...] = ()

    @property
    def doubtful(self) -> bool:
        return bool(self.alternatives) or self.unread_ink or self.confidence < Decimal("0.8")


@dataclass(frozen=True)
class PageShown:
    """One page of the answer with the boxes of the lines on it, the ink that no line accounts for and what was drawn on it."""

    page: Page
    lines: tuple[LineShown, ...]
    unread: tuple[tuple[str, str, str, str], ...] = ()
    drawn: tuple[DrawnShown, ...] = ()


@dataclass(frozen=True)
class EvidenceShown:
    """What supports or refutes one step."""

    quote: str
    lines: tuple[LineShown, ...]
    confidence: Decimal | None
    algebra: str = ""
    algebra_shape: str = ""
    algebra_word: Words = ""
    witness: str = ""
    shadow: str = ""
    reason: str = ""

    @property
    def quotes(self) -> list[str]:
        """The quoted lines one by one: two formulas in one would read as a third."""
        return [piece for piece in self.quote.splitlines() if piece.strip()]


@dataclass(frozen=True)
class StepShown:
    """One row of the marking sheet."""

    row: SheetStep
    number: int
    proposal: StatusWords | None
    proposed_score: Decimal | None
    earlier: StatusWords | None
    earlier_score: Decimal | None
    evidence: EvidenceShown | None

    @property
    def line_ids(self) -> str:
        return " ".join(line.line_id for line in self.evidence.lines) if self.evidence else ""

    @property
    def differs(self) -> bool:
        """Whether the person's step is not what was proposed: by their own hand or because of what it follows from."""
        same = self.proposal is not None and self.proposal.status == self.row.status
        return self.proposal is not None and not (same and self.proposed_score == self.row.score)


@dataclass(frozen=True)
class PartShown:
    """One part (小问) of the sheet: its path, the other paths, its rows."""

    part: int
    path_id: str
    path_name: str
    others: tuple[tuple[str, str, Decimal | None], ...]
    rows: tuple[StepShown, ...]


@dataclass(frozen=True)
class RuleShown:
    """One gate rule with its outcome and sentences."""

    rule: str
    name: Words
    outcome: str
    shape: str
    word: Words
    sentences: tuple[tuple[str, str], ...] = field(default=())
    failing: Words = ""


def lines_of(document: Mapping[str, Any] | None, pages: Sequence[Page]) -> tuple[LineShown, ...]:
    """The lines of the reading, with the status of the first step that cites each."""
    if document is None:
        return ()
    cited: dict[str, list[tuple[str, str]]] = {}
    for key, each in evidence_of(document).items():
        for line_id in each["line_ids"]:
            cited.setdefault(line_id, []).append(key)
    details = details_of(document)
    sizes = {page.number: (page.width, page.height) for page in pages}
    found = []
    for number, line in enumerate(document["reading"].get("lines", []), start=1):
        page = int(line.get("page", 1)) or 1
        keys = cited.get(line["line_id"], [])
        first = details.get(keys[0]) if keys else None
        found.append(
            LineShown(
                line_id=line["line_id"],
                number=number,
                content=line.get("latex", line.get("text", "")),
                page=page,
                box=_pixels(line.get("box"), sizes.get(page)),
                struck_out=bool(line.get("struck_out", False)),
                scratch=bool(line.get("scratch", False)),
                unread_ink=bool(line.get("unread_ink", False)),
                confidence=Decimal(str(line.get("confidence", 0))),
                alternatives=tuple(each["latex"] for each in line.get("alternatives", [])),
                status=first["status"] if first else "",
                step_ids=tuple(step_id for _, step_id in keys),
            )
        )
    return tuple(found)


def _pixels(box: Sequence[Any] | None, size: tuple[int, int] | None) -> tuple[str, str, str, str] | None:
    if box is None or size is None:
        return None
    left, top, right, bottom = (Decimal(str(edge)) for edge in box)
    width, height = size
    values = (left * width, top * height, (right - left) * width, (bottom - top) * height)
    return tuple(str(value.quantize(Decimal("0.1"))) for value in values)  # type: ignore[return-value]


def pages_shown(
    pages: Sequence[Page], lines: Sequence[LineShown], document: Mapping[str, Any] | None = None,
    drawn: Sequence[DrawnShown] = (),
) -> list[PageShown]:  # fmt: skip
    """Pages with the boxes that lie on them; with a verdict document also the ink that was measured and not read.

    ``drawn``: the marks on the image that whoever looks may see; none unless given.
    """
    ink = ((document or {}).get("facts") or {}).get("ink") or {}
    unread: dict[int, list[tuple[str, str, str, str]]] = {}
    sizes = {page.number: (page.width, page.height) for page in pages}
    for region in ink.get("unaccounted", ()):
        box = _pixels(region.get("box"), sizes.get(region.get("page")))
        if box is not None:
            unread.setdefault(region["page"], []).append(box)
    return [
        PageShown(
            page,
            tuple(line for line in lines if line.page == page.number and line.box),
            tuple(unread.get(page.number, ())),
            tuple(each for each in drawn if each.page == page.number),
        )
        for page in pages
    ]


def evidence_shown(
    document: Mapping[str, Any], lines: Sequence[LineShown], path_id: str, step_id: str
) -> EvidenceShown | None:
    """What supports or refutes a step in the machine's verdict; None where it says nothing of it."""
    by_id = {line.line_id: line for line in lines}
    detail = details_of(document).get((path_id, step_id))
    item = evidence_of(document).get((path_id, step_id))
    if item is None or detail is None:
        return _observed(document, by_id, path_id, step_id)
    algebra, shape, word, witness = _algebra(item.get("algebra"))
    return EvidenceShown(
        quote=item["quote"] or detail["student_segment"],
        lines=tuple(by_id[line_id] for line_id in item["line_ids"] if line_id in by_id),
        confidence=Decimal(str(item["confidence"])),
        algebra=algebra,
        algebra_shape=shape,
        algebra_word=word,
        witness=witness,
        shadow=_shadow(item.get("shadow")),
        reason=_reason(detail["deduction_reason"]),
    )


def _observed(
    document: Mapping[str, Any], by_id: Mapping[str, LineShown], path_id: str, step_id: str
) -> EvidenceShown | None:
    """What the judge saw for a step of a path that was not credited."""
    for path in document["observation"].get("paths", ()):
        for step in path["steps"] if path["path_id"] == path_id else ():
            if step["step_id"] == step_id:
                return EvidenceShown(
                    quote=step.get("quote", ""),
                    lines=tuple(by_id[each] for each in step.get("line_ids", ()) if each in by_id),
                    confidence=Decimal(str(step["confidence"])) if "confidence" in step else None,
                    reason=_reason(step.get("reason") or ""),
                )
    return None


def _algebra(answer: Mapping[str, Any] | None) -> tuple[str, str, Words, str]:
    if not answer:
        return "", "", "", ""
    result = str(answer["result"])
    shape, word = ALGEBRA[result]
    try:
        comparison = Comparison.from_document(answer)
    except ValueError:
        return result, shape, word, ""
    if not comparison.witness and result in ("PROVED", "UNDECIDED", "UNREADABLE"):
        return result, shape, word, ""
    sentence = witness_en(comparison) if (get_language() or "").startswith("en") else witness_zh(comparison)
    return result, shape, word, readable(in_words(sentence))


def _shadow(shadow: Mapping[str, Any] | None) -> str:
    """The two-sided computation in one sentence; nothing where both sides and the student agree."""
    if not shadow or not shadow.get("own_value"):
        return ""
    right, own, student = (shadow.get(name) or "?" for name in ("right_value", "own_value", "student_value"))
    if right == own == student:
        return ""
    if "words" in shadow:
        language = "en" if (get_language() or "").startswith("en") else "zh"
        return plain_mathematics(in_words(str(shadow["words"][language])))
    inputs = ", ".join(f"{name} = {value}" for name, value in (shadow.get("own_inputs") or {}).items())
    values = {
        "formula": shadow.get("formula", "").replace("*", "·"),
        "right": right,
        "inputs": inputs,
        "own": own,
        "student": student,
    }
    return _(
        "With right inputs %(formula)s gives %(right)s; with the student's %(inputs)s it gives %(own)s; "
        "written: %(student)s."
    ) % {name: plain_mathematics(value) for name, value in values.items()}


def parts_shown(
    sheet: MarkingSheet,
    document: Mapping[str, Any] | None,
    earlier: Mapping[str, Any] | None,
    lines: Sequence[LineShown],
) -> list[PartShown]:
    """The sheet with everything a teacher needs beside each step."""
    details = _details(document)
    before = _details(earlier)
    parts: list[PartShown] = []
    number = 0
    for part, path_id in sorted(sheet.chosen.items()):
        rows = []
        for row in (each for each in sheet.steps if each.path.path_id == path_id):
            number += 1
            now, then = details.get(row.key), before.get(row.key)
            changed = then is not None and then != now
            rows.append(
                StepShown(
                    row=row,
                    number=number,
                    proposal=STATUSES[now[0]] if now else None,
                    proposed_score=now[1] if now else None,
                    earlier=STATUSES[then[0]] if then and changed else None,
                    earlier_score=then[1] if then and changed else None,
                    evidence=evidence_shown(document, lines, path_id, row.step.step_id) if document else None,
                )
            )
        parts.append(PartShown(part, path_id, sheet.rules.path(path_id).name, _others(sheet.rules, part), tuple(rows)))
    return parts


def _others(rules: Rules, part: int) -> tuple[tuple[str, str, Decimal | None], ...]:
    paths = rules.paths_of(part)
    return tuple((path.path_id, path.name, path.points) for path in paths) if len(paths) > 1 else ()


def _details(document: Mapping[str, Any] | None) -> dict[tuple[str, str], tuple[str, Decimal]]:
    if document is None:
        return {}
    return {key: (str(each["status"]), Decimal(str(each["score"]))) for key, each in details_of(document).items()}


@dataclass(frozen=True)
class StepBeside:
    """One step as two marks have it, a person's and the machine's proposal or an older and a newer one."""

    step_id: str
    desc: str
    own: StatusWords | None
    own_score: Decimal | None
    proposed: StatusWords | None
    proposed_score: Decimal | None
    reason: str

    @property
    def differs(self) -> bool:
        return (self.own, self.own_score) != (self.proposed, self.proposed_score)


def steps_beside(
    rules: Rules, steps: Sequence[Mapping[str, Any]], document: Mapping[str, Any] | None
) -> list[StepBeside]:
    """A person's steps beside the machine's, those that differ first; each side on its own path."""
    proposed = [
        {"path_id": path_id, "step_id": step_id, **detail}
        for (path_id, step_id), detail in (details_of(document) if document else {}).items()
    ]
    return sorted(marks_beside(rules, steps, proposed), key=lambda row: not row.differs)


def marks_beside(
    rules: Rules, one: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]
) -> list[StepBeside]:
    """The steps of two marks side by side, in the order of the rules; a step that only one of them judges stands alone."""
    own, proposed = ({(each["path_id"], each["step_id"]): each for each in steps} for steps in (one, other))
    rows = []
    for path in rules.paths:
        for step in path.steps:
            mine, theirs = own.get((path.path_id, step.step_id)), proposed.get((path.path_id, step.step_id))
            if mine is None and theirs is None:
                continue
            rows.append(
                StepBeside(
                    step_id=step.step_id,
                    desc=step.desc,
                    own=STATUSES.get(str(mine["status"])) if mine else None,
                    own_score=Decimal(str(mine["score"])) if mine else None,
                    proposed=STATUSES.get(str(theirs["status"])) if theirs else None,
                    proposed_score=Decimal(str(theirs["score"])) if theirs else None,
                    reason=_reason(theirs.get("deduction_reason", "")) if theirs else "",
                )
            )
    return rows


def gate_shown(document: Mapping[str, Any] | None) -> list[RuleShown]:
    """All rules in the gate's order, each once, worst outcome first among entries of one rule."""
    if document is None:
        return []
    order = ("fails", "not_evaluated", "holds", "not_applicable")
    grouped: dict[str, list[Mapping[str, Any]]] = {}
    for entry in document["gate"]:
        grouped.setdefault(entry["rule"], []).append(entry)
    shown = []
    for rule, entries in grouped.items():
        outcome = min((entry["outcome"] for entry in entries), key=order.index)
        shape, word = OUTCOMES[outcome]
        sentences = [
            (entry["step_id"] or "", in_reader_language(entry["message"]))
            for entry in entries
            if entry["outcome"] == outcome and in_reader_language(entry["message"])
        ]
        shown.append(
            RuleShown(rule, rule_name(rule), outcome, shape, word, tuple(dict.fromkeys(sentences)), rule_failing(rule))
        )
    return shown


def failing(gate: Sequence[RuleShown]) -> list[RuleShown]:
    """The rules that sent the answer to a person: causes before what could not be asked because of them."""
    stopped = [rule for rule in gate if rule.outcome in ("fails", "not_evaluated")]
    return sorted(stopped, key=lambda rule: rule.outcome != "fails")


def earlier_run(case: Case) -> JudgeRun | None:
    """The run that made the proposal before a person corrected the reading."""
    if case.run is None or case.run.reading_by_id is None:
        return None
    return case.runs.filter(pk__lt=case.run.pk, used=True).order_by("-pk").first()


def sentence_of(error: WenshuError) -> str:
    """The message of a refusal in the language of the page."""
    return error.message(get_language())
