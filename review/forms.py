"""What people send in: marking sheets, corrected readings, audit draws. Parsing only; the rules are in ``domain``."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from grading.domain.statuses import Status
from itembank.domain.rules import Rules

from .domain.marking_sheet import (
    Key,
    MarkingSheet,
    bare_answer_excluded,
    blank_sheet,
    chosen_paths,
    exact_number,
    make_sheet,
    proposed_sheet,
)

MAX_REASON = 500
MAX_LINE = 2000
NEW_LINES = 2


def field(kind: str, key: Key) -> str:
    """Name of a form field of one step: ``status:Path_A:A1``."""
    return f"{kind}:{key[0]}:{key[1]}"


@dataclass
class SheetForm:
    """A marking sheet as sent: the sheet, the reason and the sentences about what is missing or wrong."""

    sheet: MarkingSheet
    reason: str
    errors: list[str]
    wrong_fields: set[str]
    direct: bool = False
    direct_total: Decimal | None = None
    direct_typed: str = ""

    @property
    def total(self) -> Decimal:
        """The mark of the answer: the sum of its steps, or the total given directly."""
        return (self.direct_total or Decimal(0)) if self.direct else self.sheet.total

    def check_complete(self) -> bool:
        """Add a sentence for each thing that is missing; whether nothing is."""
        if self.direct:
            if self.direct_total is None:
                self.errors.append(_("Give the total mark for the other solution."))
                self.wrong_fields.add("direct_total")
            if not self.reason:
                self.errors.append(_("A mark for another solution needs a reason."))
                self.wrong_fields.add("reason")
        else:
            for each in self.sheet.open_steps:
                self.errors.append(_("Step %(step)s is not judged yet.") % {"step": each.step.step_id})
                self.wrong_fields.add(field("status", each.key))
        return not self.errors

    def steps(self) -> list[dict[str, Any]]:
        """The decided steps; none for a directly given total."""
        return [] if self.direct else self.sheet.as_decision()


def _statuses(sent: QueryDict, rules: Rules, kind: str) -> dict[Key, Status | None]:
    found: dict[Key, Status | None] = {}
    for path in rules.paths:
        for step in path.steps:
            key = (path.path_id, step.step_id)
            value = sent.get(field(kind, key))
            if value is not None:
                found[key] = Status(value) if value in set(Status) else None
    return found


def _scores(sent: QueryDict, rules: Rules) -> tuple[dict[Key, Decimal | None], list[str], set[str]]:
    given: dict[Key, Decimal | None] = {}
    errors: list[str] = []
    wrong: set[str] = set()
    for path in rules.paths:
        for step in path.steps:
            key = (path.path_id, step.step_id)
            name = field("score", key)
            try:
                given[key] = exact_number(sent.get(name, ""))
            except ValueError:
                given[key] = None
                errors.append(_("The score of step %(step)s is not a number.") % {"step": step.step_id})
                wrong.add(name)
                continue
            value = given[key]
            if value is not None and not (0 <= value <= step.points and value % rules.mark_step == 0):
                errors.append(
                    _("The score of step %(step)s must be between 0 and %(most)s in steps of %(width)s.")
                    % {"step": step.step_id, "most": step.points, "width": rules.mark_step}
                )
                wrong.add(name)
    return given, errors, wrong


def wanted_paths(sent: Mapping[str, Any], rules: Rules) -> dict[int, str]:
    """The path chosen for each part, as far as the form names one."""
    return {part: str(sent[f"path:{part}"]) for part in rules.parts() if f"path:{part}" in sent}


def read_sheet(sent: QueryDict, rules: Rules, document: Mapping[str, Any] | None, *, blind: bool = False) -> SheetForm:
    """The sheet that a form carries; steps of a newly chosen path start from the proposal (blind: unjudged)."""
    wanted = wanted_paths(sent, rules)
    fresh = blank_sheet(rules, wanted) if blind else proposed_sheet(rules, document, wanted)
    statuses: dict[Key, Status | None] = {each.key: each.status for each in fresh.steps}
    shown = {key for key in statuses if field("was", key) in sent}
    sent_statuses = _statuses(sent, rules, "status")
    before = _statuses(sent, rules, "was")
    statuses |= {key: sent_statuses.get(key) for key in shown}
    given, errors, wrong = _scores(sent, rules)
    own = {each.key: each.score for each in fresh.steps}
    sheet = make_sheet(
        rules,
        chosen_paths(rules, wanted or dict(fresh.chosen)),
        statuses,
        given={key: given.get(key) if key in shown else own.get(key) for key in statuses},
        before={key: before.get(key) if key in shown else statuses[key] for key in statuses},
        bare=None if blind else bare_answer_excluded(document),
    )
    form = SheetForm(
        sheet, sent.get("reason", "").replace("\x00", "").strip(), errors, wrong, direct=sent.get("direct") == "on"
    )
    _read_direct(form, sent, rules)
    if len(form.reason) > MAX_REASON:
        form.errors.append(_("The reason may have at most %(most)s characters.") % {"most": MAX_REASON})
        form.wrong_fields.add("reason")
    return form


def _read_direct(form: SheetForm, sent: QueryDict, rules: Rules) -> None:
    form.direct_typed = sent.get("direct_total", "")
    if not form.direct:
        return
    form.errors.clear()
    form.wrong_fields.clear()
    try:
        form.direct_total = exact_number(form.direct_typed)
    except ValueError:
        form.direct_total = None
    value = form.direct_total
    if form.direct_typed.strip() and (value is None or not (0 <= value <= rules.max_score) or value % rules.mark_step):
        form.errors.append(
            _("The total must be between 0 and %(most)s in steps of %(width)s.")
            % {"most": rules.max_score, "width": rules.mark_step}
        )
        form.wrong_fields.add("direct_total")


def corrected_reading(sent: QueryDict, reading: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """The reading with the person's corrections, and how many lines they changed, struck or added.

    A corrected line is certain: its confidence is 1 and its alternatives fall away.
    """
    fresh = copy.deepcopy(dict(reading))
    changed = 0
    for line in fresh.get("lines", []):
        name = line["line_id"]
        if f"line:{name}" not in sent:
            continue
        typed = sent.get(f"line:{name}", "").strip()[:MAX_LINE]
        struck = sent.get(f"struck:{name}") == "on"
        confirmed = sent.get(f"sure:{name}") == "on"
        was = line.get("latex", line.get("text", ""))
        if typed != was or struck != bool(line.get("struck_out", False)) or confirmed:
            changed += 1
            line.pop("text", None)
            line |= {"latex": typed, "struck_out": struck, "confidence": 1, "alternatives": [], "unread_ink": False}
            line.pop("min_confidence", None)
    changed += _add_lines(sent, fresh)
    if changed and fresh.get("lines"):
        fresh.pop("failure", None)
    return fresh, changed


@dataclass(frozen=True)
class TypedLine:
    """One line of the reading as the person has it now, beside the line as it was read."""

    line: Any
    content: str
    struck_out: bool
    sure: bool


@dataclass(frozen=True)
class TypedReading:
    """The lines as they stand in the form, the added ones, and whether anything differs from what was read."""

    lines: list[TypedLine]
    added: list[str]
    changed: bool


def typed_reading(sent: QueryDict | None, lines: Sequence[Any]) -> TypedReading:
    """The reading with what a form or a draft says of it; lines that it does not name stay as they were read."""
    typed = []
    for line in lines:
        name = line.line_id
        if sent is None or f"line:{name}" not in sent:
            typed.append(TypedLine(line, line.content, line.struck_out, sure=False))
            continue
        sure, struck = sent.get(f"sure:{name}") == "on", sent.get(f"struck:{name}") == "on"
        typed.append(TypedLine(line, sent.get(f"line:{name}", "")[:MAX_LINE], struck, sure=sure))
    given = sent.getlist("new_line")[:NEW_LINES] if sent is not None else []
    added = [*(each[:MAX_LINE] for each in given), *[""] * (NEW_LINES - len(given))]
    changed = any(added) or any(
        each.content != each.line.content or each.struck_out != each.line.struck_out or each.sure for each in typed
    )
    return TypedReading(typed, added, changed)


def _add_lines(sent: QueryDict, reading: dict[str, Any]) -> int:
    known = {line["line_id"] for line in reading.get("lines", [])}
    added = 0
    for typed in sent.getlist("new_line")[:NEW_LINES]:
        text = typed.strip()[:MAX_LINE]
        if not text:
            continue
        added += 1
        number = added
        while f"T{number}" in known:
            number += 1
        known.add(f"T{number}")
        reading.setdefault("lines", []).append(
            {"line_id": f"T{number}", "latex": text, "struck_out": False, "confidence": 1, "alternatives": []}
        )
    return added
